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
  /// The least estimated cycles of a convolution or product that is shared by
  /// threads. Most are called in the middle of a region, where threads wait
  /// for each other whether this one is shared or not; so it has to make up for
  /// tiles that are not dealt out evenly. A map that the operators around it do
  /// not share has to come from another processor's cache, half of it.
  XC_LEAST_SHARED_CYCLES = 4000,
  /// The same of operators that do little with each element (depthwise
  /// convolutions, pools, concats, ...). One that stays alone between shared
  /// ones fetches half of its map, and lets them fetch half of its result.
  XC_LEAST_SHARED_MAP_CYCLES = 2000,
};

#endif // XC_CONVERSION_SUPPORT_THREADS_H
