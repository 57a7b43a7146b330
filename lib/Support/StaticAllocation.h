//===- StaticAllocation.h - static allocation by live ranges ------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_SUPPORT_STATICALLOCATION_H
#define XC_SUPPORT_STATICALLOCATION_H

#include <stddef.h>
#include <stdint.h>

typedef struct xc_lifetime {
  int64_t size;       // a multiple of the alignment; 0 is allowed
  size_t first, last; // time of the first and the last use, inclusive
  int64_t offset;     // result
} xc_lifetime;

typedef struct xc_static_allocation {
  int64_t peak;        // bytes that all buffers need together
  int64_t lower_bound; // largest sum of sizes alive at one time
  int64_t total;       // sum of all sizes
} xc_static_allocation;

/// Chooses offsets so that buffers alive at the same time do not overlap. Two
/// ways are tried, the smaller sum wins: in order of time into the smallest
/// gap that fits (n log n), and, up to a few thousand buffers, largest first
/// into the lowest gap (n^2). Deterministic.
xc_static_allocation xc_allocate_statically(xc_lifetime *lives, size_t count);

#endif // XC_SUPPORT_STATICALLOCATION_H
