//===- Parts.h - a layer as units ---------------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_PLAN_PARTS_H
#define XC_TARGET_DPU_CODEGEN_PLAN_PARTS_H

#include "LayerKind.h"

/// Channels of a layer, and its number.
typedef struct xc_layer_part {
  const XcDpuLayer *layer;
  uint32_t number;
  int32_t first, count;
} xc_layer_part;

/// Whether a planned unit can be used, apart from that it fits.
typedef XcDpuRefusal (*xc_unit_check)(const XcDpuTarget *target,
                                      const xc_unit *unit);

/// Appends units of as many channels as can be planned, or a Conv of those that
/// are asked for, with all their images in DDR. `check` may be null. A refused
/// part may leave units behind.
XcDpuRefusal xc_add_part(const XcDpuTarget *target, const xc_layer_part *part,
                         xc_unit_check check, xc_units *units);

/// Returns the channels first..first+count-1 of a unit that takes channels
/// apart and has no parameters for each, with all its images in DDR, not
/// planned yet.
xc_unit xc_unit_channels(const XcDpuTarget *target, const xc_unit *unit,
                         int32_t first, int32_t count);

/// Returns the channels first..first+count-1 of the layer's result.
XcDpuLayer xc_layer_channels(const XcDpuTarget *target, const XcDpuLayer *layer,
                             int32_t first, int32_t count);

/// Returns the layer as the other engine computes it: by Depthwise or Diagonal.
XcDpuLayer xc_layer_on(XcDpuLayerKind kind, const XcDpuLayer *layer);

#endif // XC_TARGET_DPU_CODEGEN_PLAN_PARTS_H
