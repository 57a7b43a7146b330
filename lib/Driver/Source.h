//===- Source.h - a model file in, C source out -------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_DRIVER_SOURCE_H
#define XC_DRIVER_SOURCE_H

#include "Driver.h"

/// Reads the model and writes it as C, without a target (--emit=c).
bool xc_driver_compile_source(xc_compilation *c);

#endif // XC_DRIVER_SOURCE_H
