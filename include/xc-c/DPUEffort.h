//===- DPUEffort.h - how far to search for a schedule -------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_C_DPUEFFORT_H
#define XC_C_DPUEFFORT_H

/// How far the search for a schedule goes (docs/scheduling.md#effort).
typedef enum XcDpuEffort {
  XcDpuEffortNone,    ///< 0: nothing is compared
  XcDpuEffortDefault, ///< 1: as far as it pays off for most networks
  XcDpuEffortMore,    ///< 2: with more alternatives
  XcDpuEffortMost,    ///< 3: with all that there are
} XcDpuEffort;

#endif // XC_C_DPUEFFORT_H
