//===- DPUEffort.h - how far to search for a schedule -------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_C_DPUEFFORT_H
#define XC_C_DPUEFFORT_H

/// How far the search for a schedule goes: not at all, as far as it pays off
/// for most networks, and with more alternatives.
typedef enum XcDpuEffort {
  XcDpuEffortNone,
  XcDpuEffortDefault,
  XcDpuEffortMore,
  XcDpuEffortMost,
} XcDpuEffort;

#endif // XC_C_DPUEFFORT_H
