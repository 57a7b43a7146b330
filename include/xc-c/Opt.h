//===- Opt.h - xc-opt as a library call ---------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_C_OPT_H
#define XC_C_OPT_H

#include "xc-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// main() of xc-opt: reads IR, runs passes of MLIR and xc, writes IR. Returns
/// the exit code.
XC_EXPORTED int xcOptMain(int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif // XC_C_OPT_H
