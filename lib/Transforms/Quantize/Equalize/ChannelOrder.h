//===- ChannelOrder.h - channels of similar size side by side -----*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_QUANTIZE_EQUALIZE_CHANNELORDER_H
#define XC_TRANSFORMS_QUANTIZE_EQUALIZE_CHANNELORDER_H

#include "Support/Memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A convolution that gives the channels weights.
typedef struct xc_order_writer {
  /// Of the weights of each channel: the largest, and the mean square.
  const double *peaks, *powers;
  int64_t first; // of these channels, in its result
  bool is_depthwise;
} xc_order_writer;

/// Those of two PReLUs: of a convolution and of the depthwise one that reads
/// it.
enum { XC_ORDER_SIGNS = 2 };

/// Channels that may be permuted.
typedef struct xc_order_problem {
  int64_t size;  // how many
  int64_t group; // channels of a result that share their fix points
  xc_order_writer *writers;
  size_t count, capacity;
  /// Of the first PReLUs that read them: which slopes are negative.
  const bool *signs[XC_ORDER_SIGNS];
  size_t num_signs;
} xc_order_problem;

/// Returns the order, from new to old, whose groups have the least rounding
/// error relative to their channels; in the arena. Returns null if the channels
/// stay as they are.
int64_t *xc_order_channels(xc_arena *arena, const xc_order_problem *problem);

#endif // XC_TRANSFORMS_QUANTIZE_EQUALIZE_CHANNELORDER_H
