//===- LowerConv.c - convolutions become layers ---------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A dilated convolution gets the kernel with zeros in it or, where that is less
// work, becomes one without dilation for each phase (Target/DPU/Dilation.h):
// the rows and columns of the input that a phase reads are an image as well.
//
// A transposed convolution is one convolution for each position of an output
// pixel modulo the stride, with the elements of the kernel that meet input
// pixels there.
//
//===----------------------------------------------------------------------===//

#include "LowerConv.h"

#include <stdlib.h>

static int64_t kernel_elements(const xc_conv *c) {
  return c->axes[WIDTH].kernel * c->axes[HEIGHT].kernel;
}

/// Hard sigmoid follows in place: each pixel by itself.
static bool add_sigmoid(xc_lowering *lowering, const xc_adaptor *op,
                        const xc_conv *c) {
  if (!c->has_sigmoid)
    return true;
  XcDpuLayer layer = xc_layer_begin(lowering, op, XcDpuLayerKindHardSigmoid);
  layer.inputs[0] = layer.output;
  layer.shiftBias = c->epilogue.hsigmoidIn;
  layer.shiftCut = c->epilogue.shiftHSigmoid;
  return xc_layer_add(lowering, op, &layer);
}

/// The kernel with zeros in it, as one layer.
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

/// Places the kernel of the layer, which has `ic` channels for each of `oc`.
static uint32_t add_folded_weights(xc_lowering *lowering, const xc_conv *c,
                                   const xc_fold *fold, int32_t oc,
                                   int32_t ic) {
  const XcDpuTarget *target = lowering->target;
  xc_fold_kernel kernel = fold_kernel_of(lowering, c, fold);
  int8_t *ohwi = xc_alloc_array(
      (size_t)oc * (size_t)(kernel.height * fold->kernel), (size_t)ic);
  xc_fold_weights(fold, &kernel, c->weights, ohwi);
  uint32_t address;
  if (ic < target->channelParallel && !fold->is_apart) {
    address = xc_lower_channel_weights(
        lowering, &(xc_channel_kernel){.bytes = ohwi,
                                       .channels = oc,
                                       .pixels = kernel.height * fold->kernel,
                                       .inputs = ic});
  } else {
    int8_t *to[XC_DPU_NUM_REGISTERS];
    address = xc_weights_add(
        lowering,
        xcDpuConvWeightBytes(target, oc, kernel.height, fold->kernel, ic), to);
    xcDpuLayoutConvWeights(target, ohwi, oc, kernel.height, fold->kernel, ic,
                           to);
  }
  free(ohwi);
  return address;
}

/// The operator as a convolution of pixels that are several columns.
static bool add_folded(xc_lowering *lowering, const xc_adaptor *op,
                       const xc_conv *c) {
  xc_fold fold = xc_fold_of(lowering, lowering->current);
  xc_conv_taps all = {.step = {1, 1},
                      .count = {fold.kernel, c->axes[HEIGHT].kernel}};
  XcDpuLayer layer = xc_begin_conv(lowering, op, c, &all, 0);
  layer.operations = xc_conv_operations(c, &layer.output, kernel_elements(c));
  layer.kind = XcDpuLayerKindConv;
  layer.canBeDiagonal = layer.canServeColumns = false;
  layer.canJoinWeights = false;
  layer.hasBias = true;
  layer.inputs[0] = xc_fold_image(layer.inputs[0], fold.in_columns);
  layer.output = xc_fold_image(layer.output, fold.out_columns);
  layer.columns = fold.is_apart ? fold.columns : 0;
  int32_t width = lowering->target->channelParallel;
  int32_t channels = layer.output.channels;
  if (fold.is_apart)
    channels += (fold.columns - 1) * ((channels + width - 1) / width * width);
  layer.weights = add_folded_weights(lowering, c, &fold, channels,
                                     layer.inputs[0].channels);
  layer.canServeColumns = layer.inputs[0].channels < width && !fold.is_apart;
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

/// False when no element of the kernel meets the input.
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
  if (xc_is_folded(lowering, lowering->current))
    return add_folded(lowering, op, c);
  return should_expand(lowering, c) ? add_expanded(lowering, op, c)
                                    : add_dilated_phases(lowering, op, c);
}

/// Along one axis, output pixels phase + stride * q read input pixels
/// q + lead, q + lead + 1, ... and meet `elements` of the kernel there. Without
/// any it is a zero for pixel q.
static int64_t phase_taps(const xc_conv *c, int axis, int64_t phase,
                          xc_conv_taps *t, int64_t *elements) {
  int64_t stride = c->axes[axis].stride;
  int64_t before = xc_conv_span(&c->axes[axis]) - 1 - c->axes[axis].before;
  t->first[axis] = ((before - phase) % stride + stride) % stride;
  t->step[axis] = stride;
  int64_t count =
      (xc_conv_span(&c->axes[axis]) - t->first[axis] + stride - 1) / stride;
  t->count[axis] = count > 0 ? count : 1;
  *elements = 0;
  for (int64_t k = 0; k < c->axes[axis].kernel; ++k)
    *elements += (k * c->axes[axis].dilation) % stride == t->first[axis];
  return count > 0 ? (phase - before + t->first[axis]) / stride : 0;
}

static void set_phase_axis(XcDpuLayer *layer, int axis, int64_t phase,
                           int64_t stride, int64_t lead) {
  XcDpuImage *in = &layer->inputs[0], *out = &layer->output;
  int32_t skip = (int32_t)(lead > 0 ? lead : 0);
  if (axis == WIDTH) {
    layer->padLeft = (int32_t)(lead < 0 ? -lead : 0);
    *in = xc_image_part(*in, XC_AXIS_W, skip, in->width - skip);
    out->address += (uint32_t)phase * out->pixelPitch;
    out->width = (int32_t)((out->width - phase + stride - 1) / stride);
    out->pixelPitch *= (uint32_t)stride;
  } else {
    layer->padTop = (int32_t)(lead < 0 ? -lead : 0);
    *in = xc_image_part(*in, XC_AXIS_H, skip, in->height - skip);
    out->address += (uint32_t)phase * out->rowPitch;
    out->height = (int32_t)((out->height - phase + stride - 1) / stride);
    out->rowPitch *= (uint32_t)stride;
  }
}

static bool add_phase(xc_lowering *lowering, const xc_adaptor *op,
                      const xc_conv *c, const int64_t phase[2]) {
  xc_conv_taps t;
  int64_t lead[2], elements[2];
  for (int axis = WIDTH; axis <= HEIGHT; ++axis)
    lead[axis] = phase_taps(c, axis, phase[axis], &t, &elements[axis]);
  XcDpuLayer layer =
      xc_begin_conv(lowering, op, c, &t, xc_add_conv_weights(lowering, c, &t));
  layer.strideH = layer.strideW = 1;
  for (int axis = WIDTH; axis <= HEIGHT; ++axis)
    set_phase_axis(&layer, axis, phase[axis], c->axes[axis].stride, lead[axis]);
  layer.operations =
      xc_conv_operations(c, &layer.output, elements[WIDTH] * elements[HEIGHT]);
  return xc_layer_add(lowering, op, &layer);
}

static bool backward(xc_lowering *lowering, const xc_adaptor *op,
                     const xc_conv *c) {
  XcDpuImage out = xc_output_image(lowering, op);
  for (int64_t y = 0; y < c->axes[HEIGHT].stride && y < out.height; ++y)
    for (int64_t x = 0; x < c->axes[WIDTH].stride && x < out.width; ++x)
      if (!add_phase(lowering, op, c, (const int64_t[]){x, y}))
        return false;
  return true;
}

bool xc_lower_conv(xc_lowering *lowering, const xc_adaptor *op) {
  xc_conv c = {0};
  bool is_depthwise = op->info->kind == XC_TIR_DEPTHWISE_CONV2D_FIX;
  bool ok = xc_read_conv(lowering, op, &c, is_depthwise) &&
            forward(lowering, op, &c) && add_sigmoid(lowering, op, &c);
  free(c.weights);
  return ok;
}

bool xc_lower_transposed(xc_lowering *lowering, const xc_adaptor *op) {
  xc_conv c = {0};
  bool is_depthwise = op->info->kind == XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D_FIX;
  bool ok = xc_read_conv(lowering, op, &c, is_depthwise) &&
            backward(lowering, op, &c) && add_sigmoid(lowering, op, &c);
  free(c.weights);
  return ok;
}
