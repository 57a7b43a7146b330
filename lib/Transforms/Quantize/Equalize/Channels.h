//===- Channels.h - which channels are the same ones --------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A convolution makes channels and reads channels; what lies between forwards
// them: pools one by one, an addition two as one, a concatenation side by side.
// Every channel of every image has a number, and channels that have to be
// treated alike have one root.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_QUANTIZE_EQUALIZE_CHANNELS_H
#define XC_TRANSFORMS_QUANTIZE_EQUALIZE_CHANNELS_H

#include "Support/Memory.h"
#include "Support/PointerMap.h"
#include "dialects/Adaptor.h"

typedef struct xc_channels {
  xc_arena arena;
  xc_pointer_map by_value; // MlirValue.ptr to the numbers of its channels
  int64_t *parents;        // of the union-find; -1 at a root
  size_t count, capacity;
} xc_channels;

/// Returns the numbers of its channels, new ones where it has none yet.
const int64_t *xc_channels_of(xc_channels *c, MlirValue value);
int64_t xc_channels_root(xc_channels *c, int64_t channel);

/// Whether the operator forwards channels such that a positive factor, or
/// another order, of its inputs' is one of its result's; then the result gets
/// its numbers.
bool xc_channels_follow(xc_channels *c, const xc_adaptor *op);
/// Whether it forwards a factor, whichever channels that is for, but perhaps
/// not the order; then the result gets its numbers.
bool xc_channels_follow_factors(xc_channels *c, const xc_adaptor *op);
/// Whether it computes each element by itself and depends on factors, but not
/// on the order; then the result gets its numbers.
bool xc_channels_follow_elements(xc_channels *c, const xc_adaptor *op);
/// Gives `to` the numbers of `from`: channels keep their places, as in a
/// depthwise convolution.
void xc_channels_keep(xc_channels *c, MlirValue from, MlirValue to);

void xc_channels_free(xc_channels *c);

#endif // XC_TRANSFORMS_QUANTIZE_EQUALIZE_CHANNELS_H
