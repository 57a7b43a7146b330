//===- SortChannels.h - channels of one size side by side ---------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_QUANTIZE_EQUALIZE_SORTCHANNELS_H
#define XC_TRANSFORMS_QUANTIZE_EQUALIZE_SORTCHANNELS_H

#include "mlir-c/IR.h"

#include <stdint.h>

/// A listener that is told of each value whose channels have another order:
/// where each of them was.
typedef struct xc_sort_listener {
  void (*moved)(void *user, MlirValue value, const int64_t *order);
  void *user;
} xc_sort_listener;

/// Gives the channels between the convolutions of a float function an order in
/// which every `group` neighbours have weights of similar size. What the
/// function computes stays the same but for the order of additions. Returns how
/// many orders are new, -1 after a diagnostic. The listener, unless null, hears
/// of what convolutions and products with numbers for each channel give.
int64_t xc_sort_channels(MlirOperation function, int64_t group,
                         const xc_sort_listener *listener);

#endif // XC_TRANSFORMS_QUANTIZE_EQUALIZE_SORTCHANNELS_H
