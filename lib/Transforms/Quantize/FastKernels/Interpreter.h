//===- Interpreter.h - an interpreter with fast kernels -----------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_QUANTIZE_FASTKERNELS_INTERPRETER_H
#define XC_TRANSFORMS_QUANTIZE_FASTKERNELS_INTERPRETER_H

#include "xc-c/Interpreter.h"

/// Returns an interpreter whose convolutions are fast, with the same bits; null
/// after a diagnostic.
XcInterpreter *xc_quantize_interpreter(MlirOperation function);

#endif // XC_TRANSFORMS_QUANTIZE_FASTKERNELS_INTERPRETER_H
