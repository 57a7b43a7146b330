//===- Columns.c - columns of a layer -------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Columns.h"
#include "LayerKind.h"

static XcDpuImage columns_of(XcDpuImage image, xc_columns columns) {
  image.address += (uint32_t)columns.first * image.pixelPitch;
  image.width = columns.end - columns.first;
  return image;
}

/// Returns the first column of the window of an output column; negative if it
/// lies in the padding.
static int32_t window_begin(const XcDpuLayer *layer, int32_t column) {
  return column * layer->strideW - layer->padLeft;
}

xc_columns xc_columns_read(const XcDpuLayer *layer, size_t input,
                           xc_columns output) {
  const xc_layer_kind *kind = xc_layer_kind_of(layer);
  int32_t width = layer->inputs[input].width;
  if (kind->has_window && input == 0) {
    int32_t end = window_begin(layer, output.end - 1) + layer->kernelW;
    return (xc_columns){xc_maximum(window_begin(layer, output.first), 0),
                        xc_minimum(end, width)};
  }
  if (kind->broadcasts && width == 1)
    return (xc_columns){0, 1};
  int32_t scale = kind->scales ? layer->scaleW : 1;
  return (xc_columns){output.first / scale, xc_ceil_div(output.end, scale)};
}

xc_columns xc_columns_computed(const XcDpuLayer *layer, xc_columns wanted) {
  int32_t scale = xc_layer_kind_of(layer)->scales ? layer->scaleW : 1;
  return (xc_columns){wanted.first / scale * scale,
                      xc_ceil_div(wanted.end, scale) * scale};
}

XcDpuLayer xc_layer_columns(const XcDpuLayer *layer, xc_columns columns) {
  XcDpuLayer part = *layer;
  part.output = columns_of(layer->output, columns);
  for (size_t k = 0; k < layer->numInputs; ++k)
    part.inputs[k] =
        columns_of(layer->inputs[k], xc_columns_read(layer, k, columns));
  part.padLeft = xc_maximum(-window_begin(layer, columns.first), 0);
  return part;
}
