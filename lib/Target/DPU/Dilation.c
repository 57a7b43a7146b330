//===- Dilation.c - dilated convolutions without dilation -----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dilation.h"

#include "Support/Math.h"
#include "Window.h"

static int64_t greatest_divisor(int64_t a, int64_t b) {
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

int64_t xc_dilation_phases(const xc_conv_axis *axis) {
  return axis->dilation / greatest_divisor(axis->stride, axis->dilation);
}

int64_t xc_dilation_stride(const xc_conv_axis *axis) {
  return axis->stride / greatest_divisor(axis->stride, axis->dilation);
}

int64_t xc_dilation_padding(const xc_conv_axis *axis, int64_t phase) {
  int64_t at = phase * axis->stride - axis->before;
  return at < 0 ? xc_ceil_div64(-at, axis->dilation) : 0;
}

int64_t xc_dilation_first_input(const xc_conv_axis *axis, int64_t phase) {
  return phase * axis->stride - axis->before +
         xc_dilation_padding(axis, phase) * axis->dilation;
}

bool xc_dilation_has_empty_phase(const xc_conv_axis *axis) {
  int64_t phases = xc_dilation_phases(axis);
  for (int64_t i = 0; i < phases && i < axis->outputs; ++i)
    if (xc_dilation_first_input(axis, i) >= axis->inputs)
      return true;
  return false;
}

/// A negative maximum stands for the kernel less one.
static bool takes_padding(XcDpuRange range, int64_t padding) {
  return range.maximum < 0 || padding <= range.maximum;
}

bool xc_dilation_fits_expanded(const XcDpuTarget *target, bool is_depthwise,
                               int64_t input_channels,
                               const xc_conv_axis axes[XC_CONV_AXES]) {
  const XcDpuEngine *engine =
      is_depthwise ? xcDpuTargetGetDepthwiseEngine(target) : &target->conv;
  if (!engine)
    return false;
  const xc_conv_axis *across = &axes[XC_CONV_WIDTH];
  const xc_conv_axis *down = &axes[XC_CONV_HEIGHT];
  int64_t width = xc_conv_span(across), height = xc_conv_span(down);
  // The misc engine goes channel by channel.
  int64_t groups =
      is_depthwise ? 1 : xc_ceil_div64(input_channels, target->channelParallel);
  int32_t depth = engine == &target->conv ? target->weights.depth
                                          : target->depthwiseWeights.depth;
  int64_t stride =
      xc_window_band_stride(target, height, down->stride, down->outputs);
  int64_t row_words = xc_window_row_words(width, across->inputs, groups);
  bool can_step = stride == 1 || is_depthwise ||
                  row_words <= xc_window_max_row_step(target);
  return width <= engine->kernelW.maximum &&
         height <= engine->kernelH.maximum &&
         width * height * groups <= depth &&
         xc_window_bands(target, height, stride) <= XC_MAX_BANDS &&
         xc_window_words(target, height, stride, row_words) <=
             target->image.depth &&
         can_step && takes_padding(engine->padLeft, across->before) &&
         takes_padding(engine->padTop, down->before);
}
