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

#include "FoldColumns.h"

#include "Target/DPU/Dilation.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = XC_CONV_WIDTH, HEIGHT = XC_CONV_HEIGHT };

/// Kernel, weights and bias of a convolution as its layers need them.
typedef struct conv {
  bool is_depthwise;
  xc_conv_axis axes[XC_CONV_AXES];
  int32_t in_channels; // per output channel
  int32_t out_channels;
  int8_t *weights; // as in the operator
  uint32_t bias;
  bool joins_bias; // `bias` is a number
  bool has_bias;
  bool has_zeros; // in its place, for an engine that always adds one
  XcActivation activation;
  bool has_sigmoid;
  XcFixEpilogue epilogue;
  XcDpuShifts *shifts; // of the words of the output, or null: all the same
} conv;

//===----------------------------------------------------------------------===//
// Reading the operator
//===----------------------------------------------------------------------===//

static void read_window(const xc_adaptor *op, conv *c) {
  xc_window window = xc_window_of(op);
  for (int axis = WIDTH; axis <= HEIGHT; ++axis) {
    const xc_window_axis *from = axis == WIDTH ? &window.w : &window.h;
    c->axes[axis] = (xc_conv_axis){.kernel = from->kernel,
                                   .stride = from->stride,
                                   .dilation = from->dilation,
                                   .before = from->before,
                                   .inputs = from->inputs,
                                   .outputs = from->outputs};
  }
}

/// The convolution engine always adds a bias, an engine of its own for
/// depthwise convolutions, too.
static bool can_omit_bias(const xc_lowering *lowering) {
  return xcDpuSetHas(lowering->target->aluModes, XcDpuAluModeDepthwiseNoBias);
}

/// One byte for each output channel, in each column of a pixel.
static bool read_bias_bytes(const xc_adaptor *op, const conv *c,
                            int32_t columns, int8_t *to) {
  size_t size;
  int8_t *bytes = xc_constant_operand(op, XC_CONV2D_FIX_BIAS, &size);
  if (!bytes)
    return false;
  size_t width = size / (size_t)c->out_channels;
  bool ok = true;
  for (int32_t i = 0; ok && i < c->out_channels; ++i) {
    int64_t value = 0;
    for (size_t b = width; b-- > 0;)
      value = value * 256 + (b + 1 == width
                                 ? bytes[(size_t)i * width + b]
                                 : (uint8_t)bytes[(size_t)i * width + b]);
    if (value < INT8_MIN || value > INT8_MAX)
      ok = xc_refuse(op, "bias %d is %lld, expected -128 to 127", i,
                     (long long)value);
    for (int32_t j = 0; j < columns; ++j)
      to[j * c->out_channels + i] = (int8_t)value;
  }
  free(bytes);
  return ok;
}

/// As a depthwise kernel of one element.
static void add_bias(xc_lowering *lowering, conv *c, int8_t *bytes) {
  static const int32_t elements[6] = {0, 0, 1, 1, 1, 1};
  const int32_t head[] = {c->out_channels, 1, 1, 1, 1, 1};
  c->bias = xc_lower_channel_weights(
      lowering, &(xc_channel_kernel){.bytes = bytes,
                                     .channels = c->out_channels,
                                     .pixels = 1,
                                     .inputs = 1});
  if (c->has_bias)
    xc_add_channel_recipe(lowering, XC_CONV2D_FIX_BIAS, head, c->bias,
                          elements);
}

static bool read_bias(xc_lowering *lowering, const xc_adaptor *op, conv *c) {
  bool is_folded = xc_is_folded(lowering, lowering->current);
  c->has_bias = xc_has_operand(op, XC_CONV2D_FIX_BIAS);
  c->has_zeros = !c->has_bias &&
                 !(c->is_depthwise && can_omit_bias(lowering) && !is_folded);
  if (!c->has_bias && !c->has_zeros)
    return true;
  int32_t columns = xc_output_allocation(lowering, op)->columns;
  size_t size = (size_t)(columns * c->out_channels);
  int8_t *bytes = xc_alloc(size), *to;
  memset(bytes, 0, size);
  bool ok = !c->has_bias || read_bias_bytes(op, c, columns, bytes);
  c->joins_bias = !is_folded;
  if (ok && !is_folded) {
    add_bias(lowering, c, bytes);
  } else if (ok) {
    c->bias = xc_parameters_add(lowering, size, &to);
    memcpy(to, bytes, size);
    if (c->has_bias)
      xc_add_recipe(lowering, XC_CONV2D_FIX_BIAS,
                    (const int32_t[]){XcDpuRecipeBytes, (int32_t)c->bias}, 2);
  }
  free(bytes);
  return ok;
}

/// Those of the fix points of groups of channels, which no word is of two of.
static void read_shifts(xc_lowering *lowering, const xc_adaptor *op, conv *c) {
  xc_fix_groups groups = xc_fix_groups_of(op, c->out_channels);
  if (groups.count == 1)
    return;
  int32_t width = lowering->target->channelParallel;
  int32_t words = (c->out_channels + width - 1) / width;
  c->shifts =
      xc_arena_alloc(&lowering->arena, (size_t)words, sizeof *c->shifts);
  for (int32_t i = 0; i < words; ++i) {
    XcFixEpilogue own =
        xc_fix_group_epilogue(op, &c->epilogue, i * width / groups.channels);
    c->shifts[i] = (XcDpuShifts){own.shiftCut, c->has_bias ? own.shiftBias : 0};
  }
}

/// Whether the channels of all words share their fix points.
static bool check_groups(const xc_lowering *lowering, const xc_adaptor *op,
                         const conv *c) {
  xc_fix_groups groups = xc_fix_groups_of(op, c->out_channels);
  int64_t width = lowering->target->channelParallel;
  for (int64_t i = 1; i < groups.count; ++i)
    if (i * groups.channels % width != 0 &&
        (xc_fix_weight_point(op, i) != xc_fix_weight_point(op, i - 1) ||
         xc_fix_bias_point(op, i) != xc_fix_bias_point(op, i - 1)))
      return xc_refuse(op,
                       "fix points change at channel %d, expected at a "
                       "multiple of %d",
                       (int)(i * groups.channels), (int)width);
  return true;
}

/// Hard sigmoid follows as a layer of its own.
static bool read_arithmetic(xc_lowering *lowering, const xc_adaptor *op,
                            conv *c) {
  XcActivation activation = xc_activation_of(op);
  c->has_sigmoid = activation == XcActivationHSigmoid;
  if (c->has_sigmoid)
    activation = XcActivationNone;
  if (!xc_lower_activation(op, activation,
                           xc_fix_point(op, XC_ATTR_OUTPUT_FIX_POINT),
                           &c->activation) ||
      !xc_fix_epilogue_of(op, &c->epilogue) || !check_groups(lowering, op, c))
    return false;
  if (!c->has_bias)
    c->epilogue.shiftBias = 0;
  read_shifts(lowering, op, c);
  return true;
}

static bool read_conv(xc_lowering *lowering, const xc_adaptor *op, conv *c,
                      bool is_depthwise) {
  xc_shape in = xc_operand_shape(op, XC_CONV2D_FIX_INPUT);
  xc_shape weight = xc_operand_shape(op, XC_CONV2D_FIX_WEIGHT);
  c->is_depthwise = is_depthwise;
  if (is_depthwise ? weight.dims[0] != 1 : xc_group_of(op) != 1)
    return xc_refuse(op, is_depthwise ? "every channel has several outputs"
                                      : "'group' is not 1");
  c->in_channels = is_depthwise ? 1 : (int32_t)in.dims[3];
  c->out_channels = (int32_t)(is_depthwise ? in.dims[3] : weight.dims[0]);
  read_window(op, c);
  if (!read_bias(lowering, op, c) || !read_arithmetic(lowering, op, c))
    return false;
  size_t size;
  c->weights = xc_constant_operand(op, XC_CONV2D_FIX_WEIGHT, &size);
  return c->weights != NULL;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// The part of a kernel that a layer uses: element j of it is element
/// first + j * step of the dilated kernel.
typedef struct taps {
  int64_t first[2], step[2], count[2]; // width, height
} taps;

/// Index in the undilated kernel, or -1 for one of the zeros.
static int64_t tap_index(const conv *c, const taps *t, int axis, int64_t j) {
  int64_t at = t->first[axis] + j * t->step[axis];
  if (at % c->axes[axis].dilation != 0 || at >= xc_conv_span(&c->axes[axis]))
    return -1;
  return at / c->axes[axis].dilation;
}

/// Writes the weights of one layer, [OC][KH][KW][IC] or [KH][KW][C].
static void pick_weights(const conv *c, const taps *t, int8_t *to) {
  size_t channels =
      (size_t)(c->is_depthwise ? c->out_channels : c->in_channels);
  int64_t outer = c->is_depthwise ? 1 : c->out_channels;
  for (int64_t o = 0; o < outer; ++o)
    for (int64_t i = 0; i < t->count[HEIGHT]; ++i)
      for (int64_t j = 0; j < t->count[WIDTH]; ++j, to += channels) {
        int64_t y = tap_index(c, t, HEIGHT, i), x = tap_index(c, t, WIDTH, j);
        if (y < 0 || x < 0) {
          memset(to, 0, channels);
          continue;
        }
        int64_t at =
            (o * c->axes[HEIGHT].kernel + y) * c->axes[WIDTH].kernel + x;
        memcpy(to, c->weights + (size_t)at * channels, channels);
      }
}

/// Few channels leave room beside them.
static bool can_serve_columns(const xc_lowering *lowering, const conv *c) {
  return !c->is_depthwise && c->in_channels < lowering->target->channelParallel;
}

/// Weights of which the banks hold two times as many words may come together
/// with others.
static bool can_join_weights(const xc_lowering *lowering, const conv *c,
                             const taps *t) {
  const XcDpuTarget *target = lowering->target;
  int64_t width = target->channelParallel, pixels = t->count[WIDTH];
  int64_t outputs = (c->out_channels + width - 1) / width;
  int64_t inputs = (c->in_channels + width - 1) / width;
  int32_t depth =
      c->is_depthwise ? target->depthwiseWeights.depth : target->weights.depth;
  pixels *= t->count[HEIGHT];
  return 2 * pixels * outputs * (c->is_depthwise ? 1 : inputs) <= depth;
}

/// Whether weights wait until the schedule is known.
static bool is_placed(const xc_lowering *lowering, const conv *c,
                      const taps *t) {
  return c->is_depthwise || can_serve_columns(lowering, c) ||
         can_join_weights(lowering, c, t);
}

/// Once for the operator, then each part of its kernel.
static void add_recipe(xc_lowering *lowering, const conv *c, const taps *t,
                       uint32_t address) {
  const xc_conv_axis *w = &c->axes[WIDTH], *h = &c->axes[HEIGHT];
  const int32_t head[] = {XcDpuRecipeKernel,    XcDpuKernelLayoutConv,
                          c->out_channels,      c->in_channels,
                          (int32_t)w->kernel,   (int32_t)h->kernel,
                          (int32_t)w->dilation, (int32_t)h->dilation};
  const int32_t part[] = {(int32_t)address,          (int32_t)t->first[WIDTH],
                          (int32_t)t->first[HEIGHT], (int32_t)t->step[WIDTH],
                          (int32_t)t->step[HEIGHT],  (int32_t)t->count[WIDTH],
                          (int32_t)t->count[HEIGHT]};
  if (is_placed(lowering, c, t)) {
    const int32_t channels[] = {c->out_channels, c->in_channels, head[4],
                                head[5],         head[6],        head[7]};
    xc_add_channel_recipe(lowering, XC_CONV2D_FIX_WEIGHT, channels, address,
                          part + 1);
    return;
  }
  const xc_allocation *weights = xc_operand_allocation(
      lowering, &lowering->current->adaptor, XC_CONV2D_FIX_WEIGHT);
  if (!weights->recipe_size)
    xc_add_recipe(lowering, XC_CONV2D_FIX_WEIGHT, head,
                  sizeof head / sizeof *head);
  xc_add_recipe(lowering, XC_CONV2D_FIX_WEIGHT, part,
                sizeof part / sizeof *part);
}

/// The `weights` of the layers.
static uint32_t add_weights(xc_lowering *lowering, const conv *c,
                            const taps *t) {
  const XcDpuTarget *target = lowering->target;
  int32_t height = (int32_t)t->count[HEIGHT], width = (int32_t)t->count[WIDTH];
  size_t size = (size_t)c->out_channels * (size_t)c->in_channels *
                (size_t)(height * width);
  uint32_t address;
  int8_t *to[XC_DPU_NUM_REGISTERS];
  int8_t *weights = xc_alloc(size);
  pick_weights(c, t, weights);
  if (is_placed(lowering, c, t)) {
    address = xc_lower_channel_weights(
        lowering, &(xc_channel_kernel){.bytes = weights,
                                       .channels = c->out_channels,
                                       .pixels = height * width,
                                       .inputs = c->in_channels});
  } else {
    address =
        xc_weights_add(lowering,
                       xcDpuConvWeightBytes(target, c->out_channels, height,
                                            width, c->in_channels),
                       to);
    xcDpuLayoutConvWeights(target, weights, c->out_channels, height, width,
                           c->in_channels, to);
  }
  free(weights);
  add_recipe(lowering, c, t, address);
  return address;
}

static XcDpuLayer make_layer(xc_lowering *lowering, const xc_adaptor *op,
                             const conv *c, const taps *t, uint32_t weights) {
  XcDpuLayer layer = xc_layer_begin(lowering, op,
                                    c->is_depthwise ? XcDpuLayerKindDepthwise
                                                    : XcDpuLayerKindConv);
  layer.kernelH = (int32_t)t->count[HEIGHT];
  layer.kernelW = (int32_t)t->count[WIDTH];
  layer.activation = c->activation;
  layer.shiftCut = c->epilogue.shiftCut;
  layer.shiftBias = c->epilogue.shiftBias;
  layer.wordShifts = c->shifts;
  layer.hasBias = c->has_bias || c->has_zeros;
  layer.bias = c->bias;
  layer.weights = weights;
  layer.canBeDiagonal = c->is_depthwise;
  layer.canServeColumns = can_serve_columns(lowering, c);
  layer.canJoinWeights = can_join_weights(lowering, c, t);
  layer.canJoinBias = layer.hasBias && c->joins_bias;
  return layer;
}

/// Of `elements` of the kernel at every pixel of the image.
static uint64_t operations_of(const conv *c, const XcDpuImage *image,
                              int64_t elements) {
  return 2 * (uint64_t)image->height * (uint64_t)image->width *
         (uint64_t)c->out_channels * (uint64_t)c->in_channels *
         (uint64_t)elements;
}

static int64_t kernel_elements(const conv *c) {
  return c->axes[WIDTH].kernel * c->axes[HEIGHT].kernel;
}

//===----------------------------------------------------------------------===//
// The operators
//===----------------------------------------------------------------------===//

/// Hard sigmoid follows in place: each pixel by itself.
static bool add_sigmoid(xc_lowering *lowering, const xc_adaptor *op,
                        const conv *c) {
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
                         const conv *c) {
  taps all = {
      .step = {1, 1},
      .count = {xc_conv_span(&c->axes[WIDTH]), xc_conv_span(&c->axes[HEIGHT])}};
  XcDpuLayer layer =
      make_layer(lowering, op, c, &all, add_weights(lowering, c, &all));
  layer.strideH = (int32_t)c->axes[HEIGHT].stride;
  layer.strideW = (int32_t)c->axes[WIDTH].stride;
  layer.padTop = (int32_t)c->axes[HEIGHT].before;
  layer.padLeft = (int32_t)c->axes[WIDTH].before;
  if (lowering->current->folds_frames)
    layer.strideH = layer.kernelH;
  layer.operations = operations_of(c, &layer.output, kernel_elements(c));
  return xc_layer_add(lowering, op, &layer);
}

//===----------------------------------------------------------------------===//
// Folded buffers
//===----------------------------------------------------------------------===//

static xc_fold_kernel fold_kernel_of(const xc_lowering *lowering, const conv *c,
                                     const xc_fold *fold) {
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
static uint32_t add_folded_weights(xc_lowering *lowering, const conv *c,
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
                       const conv *c) {
  xc_fold fold = xc_fold_of(lowering, lowering->current);
  taps all = {.step = {1, 1}, .count = {fold.kernel, c->axes[HEIGHT].kernel}};
  XcDpuLayer layer = make_layer(lowering, op, c, &all, 0);
  layer.operations = operations_of(c, &layer.output, kernel_elements(c));
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
                               const conv *c) {
  taps all = {.step = {c->axes[WIDTH].dilation, c->axes[HEIGHT].dilation},
              .count = {c->axes[WIDTH].kernel, c->axes[HEIGHT].kernel}};
  uint32_t weights = add_weights(lowering, c, &all);
  XcDpuImage whole = xc_output_image(lowering, op);
  for (int64_t y = 0;
       y < xc_dilation_phases(&c->axes[HEIGHT]) && y < whole.height; ++y)
    for (int64_t x = 0;
         x < xc_dilation_phases(&c->axes[WIDTH]) && x < whole.width; ++x) {
      XcDpuLayer layer = make_layer(lowering, op, c, &all, weights);
      phase_axis down = dilated_phase(&c->axes[HEIGHT], y);
      phase_axis across = dilated_phase(&c->axes[WIDTH], x);
      if (!cut_axis(&layer, HEIGHT, &down) || !cut_axis(&layer, WIDTH, &across))
        return xc_refuse(op, "no element of the dilated kernel meets the "
                             "input");
      layer.operations = operations_of(c, &layer.output, kernel_elements(c));
      if (!xc_layer_add(lowering, op, &layer))
        return false;
    }
  return true;
}

/// Whether the kernel with zeros in it takes no more time than the phases.
static bool is_expanded_faster(const xc_lowering *lowering, const conv *c) {
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

static bool should_expand(const xc_lowering *lowering, const conv *c) {
  if (c->axes[WIDTH].dilation == 1 && c->axes[HEIGHT].dilation == 1)
    return true;
  return xc_dilation_fits_expanded(lowering->target, c->is_depthwise,
                                   c->in_channels, c->axes) &&
         (is_expanded_faster(lowering, c) ||
          xc_dilation_has_empty_phase(&c->axes[WIDTH]) ||
          xc_dilation_has_empty_phase(&c->axes[HEIGHT]));
}

static bool forward(xc_lowering *lowering, const xc_adaptor *op,
                    const conv *c) {
  if (xc_is_folded(lowering, lowering->current))
    return add_folded(lowering, op, c);
  return should_expand(lowering, c) ? add_expanded(lowering, op, c)
                                    : add_dilated_phases(lowering, op, c);
}

/// Along one axis, output pixels phase + stride * q read input pixels
/// q + lead, q + lead + 1, ... and meet `elements` of the kernel there. Without
/// any it is a zero for pixel q.
static int64_t phase_taps(const conv *c, int axis, int64_t phase, taps *t,
                          int64_t *elements) {
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
                      const conv *c, const int64_t phase[2]) {
  taps t;
  int64_t lead[2], elements[2];
  for (int axis = WIDTH; axis <= HEIGHT; ++axis)
    lead[axis] = phase_taps(c, axis, phase[axis], &t, &elements[axis]);
  XcDpuLayer layer =
      make_layer(lowering, op, c, &t, add_weights(lowering, c, &t));
  layer.strideH = layer.strideW = 1;
  for (int axis = WIDTH; axis <= HEIGHT; ++axis)
    set_phase_axis(&layer, axis, phase[axis], c->axes[axis].stride, lead[axis]);
  layer.operations =
      operations_of(c, &layer.output, elements[WIDTH] * elements[HEIGHT]);
  return xc_layer_add(lowering, op, &layer);
}

static bool backward(xc_lowering *lowering, const xc_adaptor *op,
                     const conv *c) {
  XcDpuImage out = xc_output_image(lowering, op);
  for (int64_t y = 0; y < c->axes[HEIGHT].stride && y < out.height; ++y)
    for (int64_t x = 0; x < c->axes[WIDTH].stride && x < out.width; ++x)
      if (!add_phase(lowering, op, c, (const int64_t[]){x, y}))
        return false;
  return true;
}

bool xc_lower_conv(xc_lowering *lowering, const xc_adaptor *op) {
  conv c = {0};
  bool is_depthwise = op->info->kind == XC_TIR_DEPTHWISE_CONV2D_FIX;
  bool ok = read_conv(lowering, op, &c, is_depthwise) &&
            forward(lowering, op, &c) && add_sigmoid(lowering, op, &c);
  free(c.weights);
  return ok;
}

bool xc_lower_transposed(xc_lowering *lowering, const xc_adaptor *op) {
  conv c = {0};
  bool is_depthwise = op->info->kind == XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D_FIX;
  bool ok = read_conv(lowering, op, &c, is_depthwise) &&
            backward(lowering, op, &c) && add_sigmoid(lowering, op, &c);
  free(c.weights);
  return ok;
}
