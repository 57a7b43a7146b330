//===- ImportConv.c - convolutions, products and pools --------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layer with an integer input becomes the qlinear form with its activation
// fused; one with a float input becomes the float form followed by the
// activation. Integer weights under a float input are turned into floats here,
// or, where TensorFlow Lite has a kernel for it, computed with as they are
// (Hybrid.h).
//
//===----------------------------------------------------------------------===//

#include "Hybrid.h"

#include <inttypes.h>
#include <string.h>

enum { WIDTH, HEIGHT };

/// Where the options of the layer keep what all windows have.
typedef struct window_fields {
  xc_tflite_field_id padding, stride_w, stride_h;
} window_fields;

// The word of tir's pad_mode, null after an error.
static const char *read_padding(xc_tflite_context *c, xc_tflite_field_id id) {
  static const char *const words[] = {"SAME", "VALID"};
  int64_t padding = xc_tflite_option(c, id);
  if (padding == 0 || padding == 1)
    return words[padding];
  xc_tflite_error(c, "has padding number %" PRId64 ", expected 0 or 1",
                  padding);
  return NULL;
}

// Spatial attributes that the verifier then checks. `ints` outlives the build.
static bool add_window(xc_tflite_context *c, xc_tflite_attributes *attributes,
                       window_fields fields, int64_t stride[2]) {
  const char *mode = read_padding(c, fields.padding);
  if (!mode)
    return false;
  stride[WIDTH] = xc_tflite_option(c, fields.stride_w);
  stride[HEIGHT] = xc_tflite_option(c, fields.stride_h);
  xc_tflite_add(attributes, xc_ints("stride", stride, 2));
  xc_tflite_add(attributes, xc_string("pad_mode", mode));
  return true;
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

/// How TensorFlow Lite computes layers of one kind that have 8-bit weights and
/// a float input.
typedef struct hybrid_kernel {
  bool exists;
  bool takes_uint8;    // weights of that type, which hold int8
  int64_t scales_axis; // of the weight's scales where there are several, or -1
  size_t first_axis;   // of what has a scale of its own in the input
} hybrid_kernel;

/// The operands of a layer with weights.
typedef struct layer {
  bool quantized;
  xc_shape input, weight;
  size_t positions[3];   // among the operator's inputs
  MlirValue operands[3]; // input, weight, bias or null
  hybrid_kernel kernel;
  bool hybrid, asymmetric; // how the kernel runs
  xc_tflite_tensor stored; // weight as it is read; with a scale of 1 if hybrid
} layer;

enum { INPUT, WEIGHT, BIAS };

// Scales of the weight: one, or one per output channel, which the file keeps
// in dimension `axis`.
static bool add_weight_quant(xc_tflite_context *c,
                             xc_tflite_attributes *attributes, size_t index,
                             int64_t axis, int64_t **points) {
  const xc_tflite_tensor *weight = xc_tflite_input(c, index);
  if (!weight->scales)
    return xc_tflite_error(c, "weight '%s' of type %s has no quantization",
                           weight->name, weight->type_name);
  if (weight->num_scales > 1 && weight->axis != axis)
    return xc_tflite_error(c,
                           "weight '%s' has scales along dimension %" PRId64
                           ", expected %" PRId64,
                           weight->name, weight->axis, axis);
  xc_tflite_add(attributes,
                xc_floats("weight_scale", weight->scales, weight->num_scales));
  bool any = false;
  *points =
      xc_arena_alloc(&c->importer->arena, weight->num_scales, sizeof(**points));
  for (size_t i = 0; i < weight->num_scales; ++i) {
    (*points)[i] = weight->zero_points[i];
    any |= weight->zero_points[i] != 0;
  }
  if (any)
    xc_tflite_add(attributes,
                  xc_ints("weight_zero_point", *points, weight->num_scales));
  return true;
}

// All that a quantized layer says beside its window.
static bool add_layer_quant(xc_tflite_context *c,
                            xc_tflite_attributes *attributes, size_t input,
                            size_t weight, int64_t axis,
                            xc_tflite_activation activation) {
  int64_t *points;
  xc_tflite_add_nonlinear(attributes, activation);
  xc_tflite_add_flavor(attributes);
  return xc_tflite_add_quant(c, attributes, "input",
                             xc_tflite_input(c, input)) &&
         add_weight_quant(c, attributes, weight, axis, &points) &&
         xc_tflite_add_quant(c, attributes, "output", xc_tflite_output(c, 0));
}

static bool read_operand(xc_tflite_context *c, layer *l, int which) {
  size_t index = l->positions[which];
  if (l->quantized)
    l->operands[which] = xc_tflite_value(c, index);
  else if (which == WEIGHT && l->stored.data)
    l->operands[which] = xc_tflite_float_constant(c, index, &l->stored);
  else
    l->operands[which] = xc_tflite_float_value(c, index);
  return !mlirValueIsNull(l->operands[which]);
}

static bool is_symmetric(const xc_tflite_tensor *tensor) {
  for (size_t i = 0; i < tensor->num_scales; ++i)
    if (tensor->zero_points[i] != 0)
      return false;
  return true;
}

// Whether output channels have scales of their own.
static bool scales_differ(const xc_tflite_tensor *tensor) {
  for (size_t i = 1; i < tensor->num_scales; ++i)
    if (tensor->scales[i] != tensor->scales[0])
      return true;
  return false;
}

// How a constant weight under a float input is read. The first files of this
// kind call weights UINT8 that are INT8.
static void read_hybrid(xc_tflite_context *c, layer *l) {
  static const float unit = 1.0f;
  xc_tflite_tensor *stored = &l->stored;
  if (!l->kernel.exists || !stored->data || !stored->scales ||
      !is_symmetric(stored))
    return;
  if (stored->element == XC_ELEMENT_UI8 && l->kernel.takes_uint8)
    stored->element = XC_ELEMENT_I8;
  int64_t axis = l->kernel.scales_axis;
  bool fits = stored->num_scales == 1 ||
              (axis >= 0 && stored->axis == axis &&
               stored->dims[axis] == (int64_t)stored->num_scales);
  l->hybrid = fits && stored->element == XC_ELEMENT_I8 &&
              l->input.element == XC_ELEMENT_F32 &&
              !c->importer->base.options.dequantizeWeights;
  if (!l->hybrid)
    return;
  stored->scales = &unit;
  stored->num_scales = 1;
}

// Reads input and bias, and the weight's shape: some layers take a constant
// weight in another order, so that it is not made here.
static bool begin_layer(xc_tflite_context *c, layer *l) {
  l->quantized =
      xc_tflite_is_quantized(xc_tflite_input(c, l->positions[INPUT]));
  l->operands[INPUT] = xc_tflite_value(c, l->positions[INPUT]);
  if (mlirValueIsNull(l->operands[INPUT]))
    return false;
  l->input = xc_tflite_shape(l->operands[INPUT]);
  if (xc_tflite_has_input(c, l->positions[BIAS]) && !read_operand(c, l, BIAS))
    return false;
  const xc_tflite_tensor *weight = xc_tflite_input(c, l->positions[WEIGHT]);
  l->stored = *weight;
  if (!l->quantized)
    read_hybrid(c, l);
  if (!weight->data) {
    if (!read_operand(c, l, WEIGHT))
      return false;
    l->weight = xc_tflite_shape(l->operands[WEIGHT]);
    return true;
  }
  l->weight = (xc_shape){.element = weight->element, .rank = weight->rank};
  memcpy(l->weight.dims, weight->dims, sizeof(weight->dims));
  return true;
}

// The weight in the file's order.
static bool read_weight(xc_tflite_context *c, layer *l) {
  return !mlirValueIsNull(l->operands[WEIGHT]) || read_operand(c, l, WEIGHT);
}

static bool check_rank(xc_tflite_context *c, const layer *l, int which,
                       size_t rank) {
  size_t found = which == INPUT ? l->input.rank : l->weight.rank;
  if (found == rank)
    return true;
  return xc_tflite_error(
      c, "input %zu '%s' has rank %zu, expected %zu", l->positions[which],
      xc_tflite_input(c, l->positions[which])->name, found, rank);
}

// Where entry `at` of the weight as tir has it (of shape `dims`) stands in the
// file.
typedef size_t (*source_of)(const int64_t dims[4], const int64_t at[4]);

// Makes the constant weight of shape l->weight from the file's in its order.
static bool rearrange(xc_tflite_context *c, layer *l, source_of source) {
  const xc_tflite_tensor *tensor = xc_tflite_input(c, l->positions[WEIGHT]);
  xc_tflite_importer *importer = c->importer;
  const unsigned char *data = tensor->data;
  if (!l->quantized) {
    size_t count;
    l->weight.element = XC_ELEMENT_F32;
    data =
        (const unsigned char *)xc_tflite_floats(importer, &l->stored, &count);
    if (!data)
      return xc_tflite_error(c,
                             "weight '%s' of type %s has no quantization that "
                             "turns it into float",
                             tensor->name, tensor->type_name);
  }
  const int64_t *to = l->weight.dims;
  size_t each = xc_element_size(l->weight.element);
  size_t total = (size_t)xc_shape_num_elements(&l->weight);
  if (!xc_tflite_charge(importer, total * each))
    return false;
  unsigned char *bytes = xc_arena_alloc(&importer->arena, total, each), *at_end;
  at_end = bytes;
  int64_t at[4];
  for (at[0] = 0; at[0] < to[0]; ++at[0])
    for (at[1] = 0; at[1] < to[1]; ++at[1])
      for (at[2] = 0; at[2] < to[2]; ++at[2])
        for (at[3] = 0; at[3] < to[3]; ++at[3], at_end += each)
          memcpy(at_end, data + source(to, at) * each, each);
  l->operands[WEIGHT] = xc_tflite_constant(c, tensor->name, bytes, &l->weight);
  return !mlirValueIsNull(l->operands[WEIGHT]);
}

static size_t offset_of(const int64_t dims[4], int64_t a, int64_t b, int64_t c,
                        int64_t d) {
  return (size_t)(((a * dims[1] + b) * dims[2] + c) * dims[3] + d);
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

static bool finish_hybrid(xc_tflite_context *c, const layer *l, xc_op_kind kind,
                          xc_tflite_attributes *attributes,
                          xc_tflite_activation activation) {
  const xc_tflite_tensor *weight = xc_tflite_input(c, l->positions[WEIGHT]);
  xc_tflite_dynamic input = {.value = l->operands[INPUT],
                             .first_axis = l->kernel.first_axis,
                             .asymmetric = l->asymmetric};
  if (!xc_tflite_quantize_dynamic(c, &input))
    return false;
  const MlirValue operands[] = {input.steps, l->operands[WEIGHT]};
  MlirValue sums = xc_tflite_build(c, 0, "sums", kind, operands, 2, attributes,
                                   XC_ELEMENT_F32);
  return xc_tflite_finish_hybrid(c, sums, &input, weight->scales,
                                 weight->num_scales, l->operands[BIAS],
                                 activation);
}

static bool finish_layer(xc_tflite_context *c, const layer *l, xc_op_kind kind,
                         xc_op_kind quantized_kind, const char *part,
                         xc_tflite_attributes *attributes,
                         xc_tflite_activation activation) {
  if (l->hybrid)
    return finish_hybrid(c, l, kind, attributes, activation);
  if (l->quantized)
    return xc_tflite_finish(c, quantized_kind, l->operands, 3, attributes);
  bool fused = activation != XC_TFL_ACTIVATION_NONE;
  MlirValue value =
      xc_tflite_build(c, 0, fused ? part : NULL, kind, l->operands, 3,
                      attributes, xc_tflite_output(c, 0)->element);
  return !mlirValueIsNull(value) &&
         xc_tflite_set(c, 0, xc_tflite_activate(c, value, activation));
}

static void add_kernel(xc_tflite_attributes *attributes, const xc_shape *weight,
                       int64_t kernel[2]) {
  kernel[WIDTH] = weight->dims[2];
  kernel[HEIGHT] = weight->dims[1];
  xc_tflite_add(attributes, xc_ints("kernel", kernel, 2));
}

bool xc_tflite_conv(xc_tflite_context *c) {
  static const window_fields fields = {XC_TFL_Conv2DOptions_padding,
                                       XC_TFL_Conv2DOptions_stride_w,
                                       XC_TFL_Conv2DOptions_stride_h};
  xc_tflite_attributes attributes = {.count = 0};
  xc_tflite_activation activation;
  layer l = {.positions = {0, 1, 2}, .kernel = {true, true, 0, 1}};
  l.asymmetric = scales_differ(xc_tflite_input(c, 1));
  int64_t kernel[2], stride[2];
  if (!begin_layer(c, &l) || !read_weight(c, &l) ||
      !check_rank(c, &l, INPUT, 4) || !check_rank(c, &l, WEIGHT, 4) ||
      !xc_tflite_activation_option(c, XC_TFL_Conv2DOptions_activation,
                                   !l.quantized, &activation) ||
      !add_window(c, &attributes, fields, stride))
    return false;
  int64_t channels = l.input.dims[3], each = l.weight.dims[3];
  if (channels % each != 0)
    return xc_tflite_error(c,
                           "has %" PRId64 " input channels, expected a "
                           "multiple of the weight's %" PRId64,
                           channels, each);
  add_kernel(&attributes, &l.weight, kernel);
  const int64_t dilation[] = {
      xc_tflite_option(c, XC_TFL_Conv2DOptions_dilation_w),
      xc_tflite_option(c, XC_TFL_Conv2DOptions_dilation_h)};
  xc_tflite_add(&attributes, xc_ints("dilation", dilation, 2));
  xc_tflite_add(&attributes, xc_int("group", channels / each));
  if (l.quantized && !add_layer_quant(c, &attributes, 0, 1, 0, activation))
    return false;
  return finish_layer(c, &l, XC_TIR_CONV2D, XC_TIR_QLINEAR_CONV2D, "conv2d",
                      &attributes, activation);
}

// The file has [1, KH, KW, C * M], tir [M, KH, KW, C].
static size_t depthwise_source(const int64_t dims[4], const int64_t at[4]) {
  int64_t multiplier = dims[0], channels = dims[3];
  const int64_t file[] = {1, dims[1], dims[2], channels * multiplier};
  return offset_of(file, 0, at[1], at[2], at[3] * multiplier + at[0]);
}

static bool read_depthwise_weight(xc_tflite_context *c, layer *l) {
  if (!check_rank(c, l, INPUT, 4) || !check_rank(c, l, WEIGHT, 4))
    return false;
  const xc_tflite_tensor *weight = xc_tflite_input(c, 1);
  int64_t channels = l->input.dims[3];
  if (l->weight.dims[0] != 1 || l->weight.dims[3] % channels != 0)
    return xc_tflite_error(c,
                           "weight '%s' has %" PRId64 " filters of %" PRId64
                           " channels, expected 1 of a multiple of %" PRId64,
                           weight->name, l->weight.dims[0], l->weight.dims[3],
                           channels);
  int64_t multiplier = l->weight.dims[3] / channels;
  if (multiplier == 1)
    return read_weight(c, l);
  if (!weight->data)
    return xc_tflite_error(c,
                           "weight '%s' must be a constant as it has %" PRId64
                           " channels for each of the input's",
                           weight->name, multiplier);
  l->weight.dims[0] = multiplier;
  l->weight.dims[3] = channels;
  return rearrange(c, l, depthwise_source);
}

bool xc_tflite_depthwise(xc_tflite_context *c) {
  static const window_fields fields = {XC_TFL_DepthwiseConv2DOptions_padding,
                                       XC_TFL_DepthwiseConv2DOptions_stride_w,
                                       XC_TFL_DepthwiseConv2DOptions_stride_h};
  xc_tflite_attributes attributes = {.count = 0};
  xc_tflite_activation activation;
  layer l = {.positions = {0, 1, 2},
             .kernel = {true, false, 3, 1},
             .asymmetric = true};
  int64_t kernel[2], stride[2];
  if (!begin_layer(c, &l) || !read_depthwise_weight(c, &l) ||
      !xc_tflite_activation_option(c, XC_TFL_DepthwiseConv2DOptions_activation,
                                   !l.quantized, &activation) ||
      !add_window(c, &attributes, fields, stride))
    return false;
  add_kernel(&attributes, &l.weight, kernel);
  const int64_t dilation[] = {
      xc_tflite_option(c, XC_TFL_DepthwiseConv2DOptions_dilation_w),
      xc_tflite_option(c, XC_TFL_DepthwiseConv2DOptions_dilation_h)};
  xc_tflite_add(&attributes, xc_ints("dilation", dilation, 2));
  if (l.quantized && !add_layer_quant(c, &attributes, 0, 1, 3, activation))
    return false;
  return finish_layer(c, &l, XC_TIR_DEPTHWISE_CONV2D,
                      XC_TIR_QLINEAR_DEPTHWISE_CONV2D, "depthwise-conv2d",
                      &attributes, activation);
}

// tir correlates, the format scatters: the filter turns around.
static size_t flipped_source(const int64_t dims[4], const int64_t at[4]) {
  return offset_of(dims, at[0], dims[1] - 1 - at[1], dims[2] - 1 - at[2],
                   at[3]);
}

/// One axis of a transposed convolution.
typedef struct transposed_axis {
  int64_t before, after; // cut off the full result
  int64_t extra;         // added behind it
} transposed_axis;

// The full result has (i - 1) * s + k elements. SAME cuts what the padding of
// the convolution from `output` to `input` elements would have been.
static transposed_axis place_axis(int64_t input, int64_t output, int64_t kernel,
                                  int64_t stride, bool same) {
  transposed_axis axis = {0, 0, 0};
  if (same) {
    int64_t needed = ((output + stride - 1) / stride - 1) * stride + kernel;
    axis.before = needed > output ? (needed - output) / 2 : 0;
  }
  int64_t rest = (input - 1) * stride + kernel - axis.before - output;
  axis.after = rest > 0 ? rest : 0;
  axis.extra = rest < 0 ? -rest : 0;
  return axis;
}

static bool check_transposed(xc_tflite_context *c, const int64_t output[4],
                             const layer *l, const int64_t stride[2],
                             bool same) {
  const xc_shape *input = &l->input, *weight = &l->weight;
  for (int axis = WIDTH; axis <= HEIGHT; ++axis) {
    int64_t s = stride[axis], size = output[2 - axis];
    int64_t kernel = weight->dims[2 - axis];
    if (s < 1 || s > UINT16_MAX)
      return xc_tflite_error(c, "has stride %" PRId64 ", expected 1 to 65535",
                             s);
    // Sizes of the convolution that goes the other way.
    int64_t back = same ? (size + s - 1) / s : (size - kernel + s) / s;
    if (size < 1 || size > INT32_MAX || back != input->dims[2 - axis])
      return xc_tflite_error(
          c,
          "cannot have %" PRId64 " elements in dimension %d: a convolution "
          "over so many gives %" PRId64 ", but the input has %" PRId64,
          size, 2 - axis, back, input->dims[2 - axis]);
  }
  if (output[0] == input->dims[0] && output[3] == weight->dims[0])
    return true;
  return xc_tflite_error(c,
                         "output shape asks for batch %" PRId64 " and %" PRId64
                         " channels, expected %" PRId64 " and %" PRId64,
                         output[0], output[3], input->dims[0], weight->dims[0]);
}

static void add_transposed_pads(xc_tflite_attributes *attributes,
                                const int64_t output[4], const layer *l,
                                const int64_t stride[2], bool same,
                                int64_t ints[6]) {
  for (int axis = WIDTH; axis <= HEIGHT; ++axis) {
    transposed_axis a =
        place_axis(l->input.dims[2 - axis], output[2 - axis],
                   l->weight.dims[2 - axis], stride[axis], same);
    ints[2 * axis] = a.before;
    ints[2 * axis + 1] = a.after;
    ints[4 + axis] = a.extra;
  }
  xc_tflite_add(attributes, xc_string("pad_mode", "FLOOR"));
  xc_tflite_add(attributes, xc_ints("pad", ints, 4));
  xc_tflite_add(attributes, xc_ints("output_padding", ints + 4, 2));
}

// Width and height of SAME come out as tir's own mode where the kernel is not
// smaller than the stride and the output an exact multiple.
static bool is_plain_same(const int64_t output[4], const layer *l,
                          const int64_t stride[2]) {
  for (int axis = WIDTH; axis <= HEIGHT; ++axis)
    if (output[2 - axis] != l->input.dims[2 - axis] * stride[axis] ||
        l->weight.dims[2 - axis] < stride[axis])
      return false;
  return true;
}

bool xc_tflite_transpose_conv(xc_tflite_context *c) {
  enum { SHAPE_INPUT = 0 };
  xc_tflite_attributes attributes = {.count = 0};
  xc_tflite_activation activation;
  layer l = {.positions = {2, 1, 3}};
  int64_t output[4], kernel[2], ints[6];
  size_t count;
  const char *mode = read_padding(c, XC_TFL_TransposeConvOptions_padding);
  if (!mode || !xc_tflite_ints(c, SHAPE_INPUT, output, 4, &count))
    return false;
  if (count != 4)
    return xc_tflite_error(c, "output shape has %zu entries, expected 4",
                           count);
  if (!xc_tflite_input(c, 1)->data)
    return xc_tflite_error(c, "weight '%s' must be a constant",
                           xc_tflite_input(c, 1)->name);
  if (!begin_layer(c, &l) || !check_rank(c, &l, INPUT, 4) ||
      !check_rank(c, &l, WEIGHT, 4) ||
      !xc_tflite_activation_option(c, XC_TFL_TransposeConvOptions_activation,
                                   !l.quantized, &activation))
    return false;
  const int64_t stride[] = {
      xc_tflite_option(c, XC_TFL_TransposeConvOptions_stride_w),
      xc_tflite_option(c, XC_TFL_TransposeConvOptions_stride_h)};
  bool same = strcmp(mode, "SAME") == 0;
  if (!check_transposed(c, output, &l, stride, same))
    return false;
  add_kernel(&attributes, &l.weight, kernel);
  xc_tflite_add(&attributes, xc_ints("stride", stride, 2));
  if (same && is_plain_same(output, &l, stride))
    xc_tflite_add(&attributes, xc_string("pad_mode", mode));
  else
    add_transposed_pads(&attributes, output, &l, stride, same, ints);
  if (!rearrange(c, &l, flipped_source) ||
      (l.quantized && !add_layer_quant(c, &attributes, 2, 1, 0, activation)))
    return false;
  return finish_layer(c, &l, XC_TIR_TRANSPOSED_CONV2D,
                      XC_TIR_QLINEAR_TRANSPOSED_CONV2D, "transposed-conv2d",
                      &attributes, activation);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

// The input as [rows, columns of the weight], unless its rank is kept.
static bool flatten_input(xc_tflite_context *c, layer *l, bool keep_rank) {
  size_t rank = l->input.rank;
  int64_t columns = l->weight.dims[1];
  int64_t total = xc_shape_num_elements(&l->input);
  bool fits = rank >= 2 && l->input.dims[rank - 1] == columns;
  if (fits && (keep_rank || rank == 2))
    return true;
  if (keep_rank || total % columns != 0 || total / columns > INT32_MAX)
    return xc_tflite_error(c,
                           "input has %" PRId64 " elements, expected rows of "
                           "%" PRId64 " as the weight has",
                           total, columns);
  const int64_t dims[] = {total / columns, columns};
  l->operands[INPUT] =
      xc_tflite_reshape(c, 0, "reshape", l->operands[INPUT], dims, 2);
  return !mlirValueIsNull(l->operands[INPUT]);
}

bool xc_tflite_fully_connected(xc_tflite_context *c) {
  xc_tflite_attributes attributes = {.count = 0};
  xc_tflite_activation activation;
  layer l = {.positions = {0, 1, 2}, .kernel = {true, true, 0, 0}};
  l.asymmetric =
      xc_tflite_option(c, XC_TFL_FullyConnectedOptions_asymmetric) != 0;
  bool keep =
      xc_tflite_option(c, XC_TFL_FullyConnectedOptions_keep_num_dims) != 0;
  if (xc_tflite_option(c, XC_TFL_FullyConnectedOptions_weights_format) != 0)
    return xc_tflite_error(c, "has shuffled weights, which xc cannot import");
  if (!begin_layer(c, &l) || !read_weight(c, &l) ||
      !check_rank(c, &l, WEIGHT, 2) || !flatten_input(c, &l, keep) ||
      !xc_tflite_activation_option(c, XC_TFL_FullyConnectedOptions_activation,
                                   !l.quantized, &activation))
    return false;
  l.kernel.first_axis = xc_tflite_shape(l.operands[INPUT]).rank - 1;
  if (l.quantized) {
    xc_tflite_add(&attributes, xc_bool("transpose_b", true));
    if (!add_layer_quant(c, &attributes, 0, 1, 0, activation))
      return false;
  } else {
    xc_tflite_add(&attributes, xc_int("axis", (int64_t)l.kernel.first_axis));
  }
  return finish_layer(c, &l, XC_TIR_INNER_PRODUCT, XC_TIR_QLINEAR_MATMUL,
                      "inner-product", &attributes, activation);
}

// Swaps rows and columns of the input, whose rows get scales of their own.
static bool turn_input(xc_tflite_context *c, layer *l) {
  xc_tflite_attributes attributes = {.count = 0};
  int64_t order[XC_MAX_RANK];
  size_t rank = l->input.rank;
  for (size_t i = 0; i < rank; ++i)
    order[i] = (int64_t)(i + 2 < rank ? i : 2 * rank - 3 - i);
  xc_tflite_add(&attributes, xc_ints("order", order, rank));
  l->operands[INPUT] =
      xc_tflite_build(c, 0, "transpose", XC_TIR_TRANSPOSE, &l->operands[INPUT],
                      1, &attributes, XC_ELEMENT_NONE);
  return !mlirValueIsNull(l->operands[INPUT]);
}

bool xc_tflite_batch_matmul(xc_tflite_context *c) {
  xc_tflite_attributes attributes = {.count = 0};
  layer l = {.positions = {0, 1, 2}, .kernel = {true, false, -1, 0}};
  l.asymmetric = xc_tflite_option(c, XC_TFL_BatchMatMulOptions_asymmetric) != 0;
  if (!begin_layer(c, &l) || !read_weight(c, &l))
    return false;
  bool adj_x = xc_tflite_option(c, XC_TFL_BatchMatMulOptions_adj_x) != 0;
  bool adj_y = xc_tflite_option(c, XC_TFL_BatchMatMulOptions_adj_y) != 0;
  if (l.hybrid && l.input.rank > 1) {
    l.kernel.first_axis = l.input.rank - 1;
    if (adj_x && !turn_input(c, &l))
      return false;
    adj_x = false;
  }
  xc_tflite_add(&attributes, xc_bool("transpose_a", adj_x));
  xc_tflite_add(&attributes, xc_bool("transpose_b", adj_y));
  // Only one scale for all of b makes sense: its columns differ per batch.
  xc_tflite_quant quant = {1.0f, 0};
  if (l.quantized &&
      (!xc_tflite_quant_of(c, xc_tflite_input(c, 1), &quant) ||
       !add_layer_quant(c, &attributes, 0, 1, 0, XC_TFL_ACTIVATION_NONE)))
    return false;
  return finish_layer(c, &l, XC_TIR_MATMUL, XC_TIR_QLINEAR_MATMUL, "matmul",
                      &attributes, XC_TFL_ACTIVATION_NONE);
}

//===----------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------===//

static bool finish_quantized_pool(xc_tflite_context *c, bool is_max,
                                  MlirValue input,
                                  xc_tflite_attributes *attributes,
                                  xc_tflite_activation activation) {
  xc_tflite_add(attributes, xc_string("type", is_max ? "MAX" : "AVG"));
  xc_tflite_add_nonlinear(attributes, activation);
  xc_tflite_add_flavor(attributes);
  return xc_tflite_add_quant(c, attributes, "input", xc_tflite_input(c, 0)) &&
         xc_tflite_add_quant(c, attributes, "output", xc_tflite_output(c, 0)) &&
         xc_tflite_finish(c, XC_TIR_QLINEAR_POOL, &input, 1, attributes);
}

bool xc_tflite_pool(xc_tflite_context *c) {
  static const window_fields fields = {XC_TFL_Pool2DOptions_padding,
                                       XC_TFL_Pool2DOptions_stride_w,
                                       XC_TFL_Pool2DOptions_stride_h};
  xc_tflite_attributes attributes = {.count = 0};
  xc_tflite_activation activation;
  bool is_max = c->operator->code == XC_TFL_MAX_POOL_2D;
  bool quantized = xc_tflite_is_quantized(xc_tflite_input(c, 0));
  int64_t stride[2];
  const int64_t kernel[] = {xc_tflite_option(c, XC_TFL_Pool2DOptions_filter_w),
                            xc_tflite_option(c, XC_TFL_Pool2DOptions_filter_h)};
  MlirValue input = xc_tflite_value(c, 0);
  if (mlirValueIsNull(input) ||
      !xc_tflite_activation_option(c, XC_TFL_Pool2DOptions_activation,
                                   !quantized, &activation) ||
      !add_window(c, &attributes, fields, stride))
    return false;
  xc_tflite_add(&attributes, xc_ints("kernel", kernel, 2));
  if (quantized)
    return finish_quantized_pool(c, is_max, input, &attributes, activation);
  bool fused = activation != XC_TFL_ACTIVATION_NONE;
  MlirValue value = xc_tflite_build(
      c, 0, fused ? "pool" : NULL, is_max ? XC_TIR_MAXPOOL2D : XC_TIR_AVGPOOL2D,
      &input, 1, &attributes, xc_tflite_output(c, 0)->element);
  return !mlirValueIsNull(value) &&
         xc_tflite_set(c, 0, xc_tflite_activate(c, value, activation));
}
