//===- OpsConv.c - convolutions and pools ---------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layer.h"

#include <inttypes.h>
#include <string.h>

enum { WIDTH, HEIGHT };

/// Where the options of the layer keep what all windows have.
typedef struct window_fields {
  xc_tflite_field_id padding, stride_w, stride_h;
} window_fields;

// Returns the enumerator of tir's pad_mode, null after an error.
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

static size_t offset_of(const int64_t dims[4], int64_t a, int64_t b, int64_t c,
                        int64_t d) {
  return (size_t)(((a * dims[1] + b) * dims[2] + c) * dims[3] + d);
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

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
  xc_tflite_layer l = {.positions = {0, 1, 2}, .kernel = {true, true, 0, 1}};
  l.asymmetric = xc_tflite_scales_differ(xc_tflite_input(c, 1));
  int64_t kernel[2], stride[2];
  if (!xc_tflite_begin_layer(c, &l) || !xc_tflite_read_weight(c, &l) ||
      !xc_tflite_check_rank(c, &l, XC_TFL_INPUT, 4) ||
      !xc_tflite_check_rank(c, &l, XC_TFL_WEIGHT, 4) ||
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
  if (l.quantized &&
      !xc_tflite_add_layer_quant(c, &attributes, 0, 1, 0, activation))
    return false;
  return xc_tflite_finish_layer(c, &l, XC_TIR_CONV2D, XC_TIR_QLINEAR_CONV2D,
                                "conv2d", &attributes, activation);
}

// The file has [1, KH, KW, C * M], tir [M, KH, KW, C].
static size_t depthwise_source(const int64_t dims[4], const int64_t at[4]) {
  int64_t multiplier = dims[0], channels = dims[3];
  const int64_t file[] = {1, dims[1], dims[2], channels * multiplier};
  return offset_of(file, 0, at[1], at[2], at[3] * multiplier + at[0]);
}

static bool read_depthwise_weight(xc_tflite_context *c, xc_tflite_layer *l) {
  if (!xc_tflite_check_rank(c, l, XC_TFL_INPUT, 4) ||
      !xc_tflite_check_rank(c, l, XC_TFL_WEIGHT, 4))
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
    return xc_tflite_read_weight(c, l);
  if (!weight->data)
    return xc_tflite_error(c,
                           "weight '%s' must be a constant as it has %" PRId64
                           " channels for each of the input's",
                           weight->name, multiplier);
  l->weight.dims[0] = multiplier;
  l->weight.dims[3] = channels;
  return xc_tflite_rearrange_weight(c, l, depthwise_source);
}

bool xc_tflite_depthwise(xc_tflite_context *c) {
  static const window_fields fields = {XC_TFL_DepthwiseConv2DOptions_padding,
                                       XC_TFL_DepthwiseConv2DOptions_stride_w,
                                       XC_TFL_DepthwiseConv2DOptions_stride_h};
  xc_tflite_attributes attributes = {.count = 0};
  xc_tflite_activation activation;
  xc_tflite_layer l = {.positions = {0, 1, 2},
                       .kernel = {true, false, 3, 1},
                       .asymmetric = true};
  int64_t kernel[2], stride[2];
  if (!xc_tflite_begin_layer(c, &l) || !read_depthwise_weight(c, &l) ||
      !xc_tflite_activation_option(c, XC_TFL_DepthwiseConv2DOptions_activation,
                                   !l.quantized, &activation) ||
      !add_window(c, &attributes, fields, stride))
    return false;
  add_kernel(&attributes, &l.weight, kernel);
  const int64_t dilation[] = {
      xc_tflite_option(c, XC_TFL_DepthwiseConv2DOptions_dilation_w),
      xc_tflite_option(c, XC_TFL_DepthwiseConv2DOptions_dilation_h)};
  xc_tflite_add(&attributes, xc_ints("dilation", dilation, 2));
  if (l.quantized &&
      !xc_tflite_add_layer_quant(c, &attributes, 0, 1, 3, activation))
    return false;
  return xc_tflite_finish_layer(c, &l, XC_TIR_DEPTHWISE_CONV2D,
                                XC_TIR_QLINEAR_DEPTHWISE_CONV2D,
                                "depthwise-conv2d", &attributes, activation);
}

// tir correlates, the format scatters: the filter turns around.
static size_t flipped_source(const int64_t dims[4], const int64_t at[4]) {
  return offset_of(dims, at[0], dims[1] - 1 - at[1], dims[2] - 1 - at[2],
                   at[3]);
}

// The full result has (i - 1) * s + k elements. SAME cuts what the padding of
// the convolution from `output` to `input` elements would have been.
xc_tflite_transposed_axis
xc_tflite_place_transposed(int64_t input, int64_t output, int64_t kernel,
                           int64_t stride, bool same) {
  xc_tflite_transposed_axis axis = {0, 0, 0};
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
                             const xc_tflite_layer *l, const int64_t stride[2],
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
                                const int64_t output[4],
                                const xc_tflite_layer *l,
                                const int64_t stride[2], bool same,
                                int64_t ints[6]) {
  for (int axis = WIDTH; axis <= HEIGHT; ++axis) {
    xc_tflite_transposed_axis a = xc_tflite_place_transposed(
        l->input.dims[2 - axis], output[2 - axis], l->weight.dims[2 - axis],
        stride[axis], same);
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
static bool is_plain_same(const int64_t output[4], const xc_tflite_layer *l,
                          const int64_t stride[2]) {
  for (int axis = WIDTH; axis <= HEIGHT; ++axis)
    if (output[2 - axis] != l->input.dims[2 - axis] * stride[axis] ||
        l->weight.dims[2 - axis] < stride[axis])
      return false;
  return true;
}

/// A transposed convolution as the two operators give it.
typedef struct transposed {
  xc_tflite_layer layer;
  int64_t output[4], stride[2];
  xc_tflite_activation activation;
} transposed;

static bool finish_transposed(xc_tflite_context *c, transposed *t, bool same) {
  xc_tflite_attributes attributes = {.count = 0};
  int64_t kernel[2], ints[6];
  xc_tflite_layer *l = &t->layer;
  if (!check_transposed(c, t->output, l, t->stride, same))
    return false;
  add_kernel(&attributes, &l->weight, kernel);
  xc_tflite_add(&attributes, xc_ints("stride", t->stride, 2));
  if (same && is_plain_same(t->output, l, t->stride))
    xc_tflite_add(&attributes, xc_string("pad_mode", "SAME"));
  else
    add_transposed_pads(&attributes, t->output, l, t->stride, same, ints);
  if (!xc_tflite_rearrange_weight(c, l, flipped_source) ||
      (l->quantized &&
       !xc_tflite_add_layer_quant(c, &attributes, 2, 1, 0, t->activation)))
    return false;
  return xc_tflite_finish_layer(
      c, l, XC_TIR_TRANSPOSED_CONV2D, XC_TIR_QLINEAR_TRANSPOSED_CONV2D,
      "transposed-conv2d", &attributes, t->activation);
}

static bool begin_transposed(xc_tflite_context *c, transposed *t) {
  if (!xc_tflite_input(c, 1)->data)
    return xc_tflite_error(c, "weight '%s' must be a constant",
                           xc_tflite_input(c, 1)->name);
  return xc_tflite_begin_layer(c, &t->layer) &&
         xc_tflite_check_rank(c, &t->layer, XC_TFL_INPUT, 4) &&
         xc_tflite_check_rank(c, &t->layer, XC_TFL_WEIGHT, 4);
}

bool xc_tflite_transpose_conv(xc_tflite_context *c) {
  enum { SHAPE_INPUT = 0 };
  transposed t = {.layer = {.positions = {2, 1, 3}}};
  size_t count;
  const char *mode = read_padding(c, XC_TFL_TransposeConvOptions_padding);
  if (!mode || !xc_tflite_ints(c, SHAPE_INPUT, t.output, 4, &count))
    return false;
  if (count != 4)
    return xc_tflite_error(c, "output shape has %zu entries, expected 4",
                           count);
  if (!begin_transposed(c, &t) ||
      !xc_tflite_activation_option(c, XC_TFL_TransposeConvOptions_activation,
                                   !t.layer.quantized, &t.activation))
    return false;
  t.stride[WIDTH] = xc_tflite_option(c, XC_TFL_TransposeConvOptions_stride_w);
  t.stride[HEIGHT] = xc_tflite_option(c, XC_TFL_TransposeConvOptions_stride_h);
  return finish_transposed(c, &t, strcmp(mode, "SAME") == 0);
}

// Convolution2DTransposeBias: as many elements as SAME or VALID give. The
// options are 1 for SAME or 2 for VALID, then the stride.
bool xc_tflite_transpose_conv_bias(xc_tflite_context *c) {
  enum { OPTIONS = 3, SAME = 1, VALID = 2 };
  transposed t = {.layer = {.positions = {0, 1, 2}}};
  int32_t options[OPTIONS];
  if (!xc_tflite_raw_options(c, options, OPTIONS))
    return false;
  bool same = options[0] == SAME;
  if (!same && options[0] != VALID)
    return xc_tflite_error(c, "has padding number %" PRId32, options[0]);
  if (!begin_transposed(c, &t))
    return false;
  if (t.layer.quantized)
    return xc_tflite_error(c, "has quantized tensors, expected float");
  t.output[0] = t.layer.input.dims[0];
  t.output[3] = t.layer.weight.dims[0];
  for (int axis = WIDTH; axis <= HEIGHT; ++axis) {
    int64_t size = t.layer.input.dims[2 - axis];
    t.stride[axis] = options[1 + axis];
    t.output[2 - axis] =
        same ? size * t.stride[axis]
             : (size - 1) * t.stride[axis] + t.layer.weight.dims[2 - axis];
  }
  return finish_transposed(c, &t, same);
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

static const window_fields pool_fields = {XC_TFL_Pool2DOptions_padding,
                                          XC_TFL_Pool2DOptions_stride_w,
                                          XC_TFL_Pool2DOptions_stride_h};

bool xc_tflite_pool(xc_tflite_context *c) {
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
      !add_window(c, &attributes, pool_fields, stride))
    return false;
  xc_tflite_add(&attributes, xc_ints("kernel", kernel, 2));
  if (quantized)
    return finish_quantized_pool(c, is_max, input, &attributes, activation);
  bool fused = activation != XC_TFL_ACTIVATION_NONE;
  MlirValue value = xc_tflite_build(
      c, fused ? "pool" : NULL, is_max ? XC_TIR_MAXPOOL2D : XC_TIR_AVGPOOL2D,
      &input, 1, &attributes, xc_tflite_output(c, 0)->element);
  return !mlirValueIsNull(value) &&
         xc_tflite_set(c, 0, xc_tflite_activate(c, value, activation));
}

// The root of the average of squares.
bool xc_tflite_l2_pool(xc_tflite_context *c) {
  xc_tflite_attributes attributes = {.count = 0};
  xc_tflite_activation activation;
  int64_t stride[2];
  const int64_t kernel[] = {xc_tflite_option(c, XC_TFL_Pool2DOptions_filter_w),
                            xc_tflite_option(c, XC_TFL_Pool2DOptions_filter_h)};
  MlirValue x = xc_tflite_value(c, 0);
  if (xc_tflite_is_quantized(xc_tflite_input(c, 0)))
    return xc_tflite_error(c, "has quantized tensors, which xc cannot import");
  if (mlirValueIsNull(x) ||
      !xc_tflite_activation_option(c, XC_TFL_Pool2DOptions_activation, true,
                                   &activation) ||
      !add_window(c, &attributes, pool_fields, stride))
    return false;
  xc_tflite_add(&attributes, xc_ints("kernel", kernel, 2));
  x = xc_graph_emit_binary(&c->importer->graph, "square", XC_TIR_MUL, x, x);
  x = xc_tflite_build(c, "mean", XC_TIR_AVGPOOL2D, &x, 1, &attributes,
                      XC_ELEMENT_NONE);
  bool fused = activation != XC_TFL_ACTIVATION_NONE;
  x = xc_tflite_build(c, fused ? "root" : NULL, XC_TIR_SQRT, &x, 1, NULL,
                      XC_ELEMENT_NONE);
  return !mlirValueIsNull(x) &&
         xc_tflite_set(c, 0, xc_tflite_activate(c, x, activation));
}
