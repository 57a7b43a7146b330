//===- Threads.h - what is worth sharing --------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_CONVERSION_SUPPORT_THREADS_H
#define XC_CONVERSION_SUPPORT_THREADS_H

enum {
  /// The least estimated cycles of an operator that is shared by threads.
  /// Handing work over and waiting for the end takes some thousand cycles.
  XC_LEAST_SHARED_CYCLES = 40000,
};

#endif // XC_CONVERSION_SUPPORT_THREADS_H
