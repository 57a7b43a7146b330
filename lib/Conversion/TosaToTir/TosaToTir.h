//===- TosaToTir.h - from TOSA to tir -----------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_CONVERSION_TOSATOTIR_TOSATOTIR_H
#define XC_CONVERSION_TOSATOTIR_TOSATOTIR_H

#include "mlir-c/IR.h"

#include <stdbool.h>
#include <stdint.h>

/// Replaces the operators of TOSA in a func.func by those of tir and adds their
/// number to `count`. Returns false after one diagnostic for each operator that
/// has no exact form in tir; the function is then unchanged. A first dimension
/// that is open becomes `batch` where that is not 0.
bool xc_convert_tosa(MlirOperation function, int64_t batch, int64_t *count);

/// Whether an operator of TOSA stands in `root`.
bool xc_has_tosa(MlirOperation root);

#endif // XC_CONVERSION_TOSATOTIR_TOSATOTIR_H
