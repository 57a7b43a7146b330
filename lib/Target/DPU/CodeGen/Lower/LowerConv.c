//===- LowerConv.c - convolutions become layers ---------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A dilated convolution gets a kernel with zeros in it. Where that is less
// work, it becomes one convolution without dilation for each phase instead
// (Target/DPU/Dilation.h): the rows and columns of the input that a phase reads
// are an image, too.
//
//===----------------------------------------------------------------------===//

#include "LowerConv.h"

#include <stdlib.h>

static int64_t kernel_elements(const xc_conv *c) {
  return c->axes[WIDTH].kernel * c->axes[HEIGHT].kernel;
}

bool xc_add_conv_sigmoid(xc_lowering *lowering, const xc_adaptor *op,
                         const xc_conv *c) {
  if (!c->has_sigmoid)
    return true;
  XcDpuLayer layer = xc_layer_begin(lowering, op, XcDpuLayerKindHardSigmoid);
  layer.inputs[0] = layer.output;
  layer.shiftBias = c->epilogue.hsigmoidIn;
  layer.shiftCut = c->epilogue.shiftHSigmoid;
  return xc_layer_add(lowering, op, &layer);
}

/// Adds one layer, with zeros in its kernel.
static bool add_expanded(xc_lowering *lowering, const xc_adaptor *op,
                         const xc_conv *c) {
  xc_conv_taps all = {
      .step = {1, 1},
      .count = {xc_conv_span(&c->axes[WIDTH]), xc_conv_span(&c->axes[HEIGHT])}};
  XcDpuLayer layer = xc_begin_conv(lowering, op, c, &all,
                                   xc_add_conv_weights(lowering, c, &all));
  layer.strideH = (int32_t)c->axes[HEIGHT].stride;
  layer.strideW = (int32_t)c->axes[WIDTH].stride;
  layer.padTop = (int32_t)c->axes[HEIGHT].before;
  layer.padLeft = (int32_t)c->axes[WIDTH].before;
  if (lowering->current->folds_frames)
    layer.strideH = layer.kernelH;
  layer.operations = xc_conv_operations(c, &layer.output, kernel_elements(c));
  return xc_layer_add(lowering, op, &layer);
}

//===----------------------------------------------------------------------===//
// Folded buffers
//===----------------------------------------------------------------------===//

static xc_fold_kernel fold_kernel_of(const xc_lowering *lowering,
                                     const xc_conv *c, const xc_fold *fold) {
  int32_t width = lowering->target->channelParallel;
  int32_t words = (c->out_channels + width - 1) / width;
  return (xc_fold_kernel){
      .is_depthwise = c->is_depthwise,
      .in_channels = c->is_depthwise ? c->out_channels : c->in_channels,
      .out_channels = c->out_channels,
      .height = (int32_t)c->axes[HEIGHT].kernel,
      .width = (int32_t)c->axes[WIDTH].kernel,
      .stride = (int32_t)c->axes[WIDTH].stride,
      .before = (int32_t)c->axes[WIDTH].before,
      .channels_apart = fold->is_apart ? words * width : c->out_channels};
}

/// Adds a convolution of folded buffers, whose pixels are several columns.
static bool add_folded(xc_lowering *lowering, const xc_adaptor *op,
                       const xc_conv *c) {
  xc_fold fold = xc_fold_of(lowering, lowering->current);
  xc_conv_taps all = {.step = {1, 1},
                      .count = {fold.kernel, c->axes[HEIGHT].kernel}};
  XcDpuLayer layer = xc_begin_conv(lowering, op, c, &all, 0);
  layer.operations = xc_conv_operations(c, &layer.output, kernel_elements(c));
  layer.inputs[0] = xc_fold_image(layer.inputs[0], fold.in_columns);
  layer.output = xc_fold_image(layer.output, fold.out_columns);
  layer.columns = fold.is_apart ? fold.columns : 0;
  int32_t width = lowering->target->channelParallel;
  int32_t channels = layer.output.channels, inputs = layer.inputs[0].channels;
  if (fold.is_apart)
    channels += (fold.columns - 1) * ((channels + width - 1) / width * width);
  xc_fold_kernel kernel = fold_kernel_of(lowering, c, &fold);
  int8_t *ohwi = xc_alloc_array(
      (size_t)channels * (size_t)(layer.kernelH * fold.kernel), (size_t)inputs);
  xc_fold_weights(&fold, &kernel, c->weights, ohwi);
  xc_set_folded_kernel(lowering, &layer, ohwi, channels);
  free(ohwi);
  layer.strideH = (int32_t)c->axes[HEIGHT].stride;
  layer.strideW = fold.stride;
  layer.padTop = (int32_t)c->axes[HEIGHT].before;
  layer.padLeft = fold.before;
  return xc_layer_add(lowering, op, &layer);
}

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

static int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// One axis of a phase.
typedef struct phase_axis {
  int64_t first, step;    // pixels of the output
  int64_t skip, dilation; // pixels of the input
  int64_t before;         // padding, in steps of the dilation
  int64_t stride;         // the same
} phase_axis;

static phase_axis dilated_phase(const xc_conv_axis *axis, int64_t number) {
  return (phase_axis){.first = number,
                      .step = xc_dilation_phases(axis),
                      .skip = xc_dilation_first_input(axis, number),
                      .dilation = axis->dilation,
                      .before = xc_dilation_padding(axis, number),
                      .stride = xc_dilation_stride(axis)};
}

/// Returns false when no element of the kernel meets the input.
static bool cut_axis(XcDpuLayer *layer, int axis, const phase_axis *p) {
  XcDpuImage *in = &layer->inputs[0], *out = &layer->output;
  int64_t size = axis == WIDTH ? in->width : in->height;
  int64_t outputs = axis == WIDTH ? out->width : out->height;
  xc_image_axis image_axis = axis == WIDTH ? XC_AXIS_W : XC_AXIS_H;
  *out = xc_image_part(*out, image_axis, p->first,
                       ceil_div(outputs - p->first, p->step));
  if (p->skip < size)
    *in = xc_image_part(*in, image_axis, p->skip,
                        ceil_div(size - p->skip, p->dilation));
  if (axis == WIDTH) {
    in->pixelPitch *= (uint32_t)p->dilation;
    out->pixelPitch *= (uint32_t)p->step;
    layer->padLeft = (int32_t)p->before;
    layer->strideW = (int32_t)p->stride;
  } else {
    in->rowPitch *= (uint32_t)p->dilation;
    out->rowPitch *= (uint32_t)p->step;
    layer->padTop = (int32_t)p->before;
    layer->strideH = (int32_t)p->stride;
  }
  return p->skip < size;
}

static bool add_dilated_phases(xc_lowering *lowering, const xc_adaptor *op,
                               const xc_conv *c) {
  xc_conv_taps all = {
      .step = {c->axes[WIDTH].dilation, c->axes[HEIGHT].dilation},
      .count = {c->axes[WIDTH].kernel, c->axes[HEIGHT].kernel}};
  uint32_t weights = xc_add_conv_weights(lowering, c, &all);
  XcDpuImage whole = xc_output_image(lowering, op);
  for (int64_t y = 0;
       y < xc_dilation_phases(&c->axes[HEIGHT]) && y < whole.height; ++y)
    for (int64_t x = 0;
         x < xc_dilation_phases(&c->axes[WIDTH]) && x < whole.width; ++x) {
      XcDpuLayer layer = xc_begin_conv(lowering, op, c, &all, weights);
      phase_axis down = dilated_phase(&c->axes[HEIGHT], y);
      phase_axis across = dilated_phase(&c->axes[WIDTH], x);
      if (!cut_axis(&layer, HEIGHT, &down) || !cut_axis(&layer, WIDTH, &across))
        return xc_refuse(op, "no element of the dilated kernel meets the "
                             "input");
      layer.operations =
          xc_conv_operations(c, &layer.output, kernel_elements(c));
      if (!xc_layer_add(lowering, op, &layer))
        return false;
    }
  return true;
}

/// Whether the kernel with zeros in it takes no more time than the phases.
static bool is_expanded_faster(const xc_lowering *lowering, const xc_conv *c) {
  const XcDpuTarget *target = lowering->target;
  const XcDpuEngine *engine =
      c->is_depthwise ? xcDpuTargetGetDepthwiseEngine(target) : &target->conv;
  int32_t rows = engine->rows;
  int64_t down = xc_dilation_phases(&c->axes[HEIGHT]);
  int64_t across = xc_dilation_phases(&c->axes[WIDTH]);
  int64_t height = c->axes[HEIGHT].outputs, width = c->axes[WIDTH].outputs;
  int64_t phases = across * down * ceil_div(ceil_div(height, down), rows) *
                   ceil_div(width, across) * c->axes[WIDTH].kernel *
                   c->axes[HEIGHT].kernel;
  int64_t expanded = ceil_div(height, rows) * width *
                     xc_conv_span(&c->axes[WIDTH]) *
                     xc_conv_span(&c->axes[HEIGHT]);
  return expanded <= phases;
}

static bool should_expand(const xc_lowering *lowering, const xc_conv *c) {
  if (c->axes[WIDTH].dilation == 1 && c->axes[HEIGHT].dilation == 1)
    return true;
  return xc_dilation_fits_expanded(lowering->target, c->is_depthwise,
                                   c->pixel_channels, c->axes) &&
         (is_expanded_faster(lowering, c) ||
          xc_dilation_has_empty_phase(&c->axes[WIDTH]) ||
          xc_dilation_has_empty_phase(&c->axes[HEIGHT]));
}

static bool forward(xc_lowering *lowering, const xc_adaptor *op,
                    const xc_conv *c) {
  if (c->is_folded)
    return add_folded(lowering, op, c);
  return should_expand(lowering, c) ? add_expanded(lowering, op, c)
                                    : add_dilated_phases(lowering, op, c);
}

bool xc_lower_conv(xc_lowering *lowering, const xc_adaptor *op) {
  xc_conv c = {0};
  bool is_depthwise = op->info->kind == XC_TIR_DEPTHWISE_CONV2D_FIX;
  bool ok = xc_read_conv(lowering, op, &c, is_depthwise) &&
            forward(lowering, op, &c) && xc_add_conv_sigmoid(lowering, op, &c);
  free(c.weights);
  return ok;
}
