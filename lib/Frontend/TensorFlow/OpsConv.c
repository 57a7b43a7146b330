//===- OpsConv.c - convolutions, products, pools, normalisation -----------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include "dialects/Adaptor.h"

#include "mlir-c/BuiltinAttributes.h"

#include <inttypes.h>
#include <string.h>

enum { CHANNELS, HEIGHT, WIDTH }; // of xc_tf_image_dim

static const MlirValue none = {NULL};

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// A window; [0] is the height, [1] the width.
typedef struct xc_tf_window {
  int64_t kernel[2], stride[2], dilation[2], before[2], after[2];
} xc_tf_window;

// One of the lists of four numbers, which stand in the order of data_format.
static bool read_list(xc_tf_importer *im, const char *name, int64_t pair[2]) {
  const int64_t most = UINT16_MAX;
  int64_t list[4] = {1, 1, 1, 1};
  if (!xc_tf_ints(im, name, list, 4))
    return false;
  size_t channels = xc_tf_image_dim(im, CHANNELS);
  for (size_t i = 0; i < 2; ++i)
    pair[i] = list[xc_tf_image_dim(im, HEIGHT + i)];
  if (list[0] != 1 || list[channels] != 1)
    return xc_tf_error(im, "its %s reach over batch or channels", name);
  if (pair[0] < 1 || pair[0] > most || pair[1] < 1 || pair[1] > most)
    return xc_tf_error(im, "its %s are %" PRId64 " and %" PRId64, name, pair[0],
                       pair[1]);
  return true;
}

// Padding along both axes for an image of this size.
static bool read_padding(xc_tf_importer *im, const xc_shape *shape,
                         xc_tf_window *w) {
  int64_t given[8] = {0};
  bool is_same = xc_tf_is(im, "padding", "SAME", false);
  bool is_explicit = xc_tf_is(im, "padding", "EXPLICIT", false);
  if (!is_same && !is_explicit && !xc_tf_is(im, "padding", "VALID", false))
    return xc_tf_error(im, "its padding is none of SAME, VALID and EXPLICIT");
  if (is_explicit && !xc_tf_ints(im, "explicit_paddings", given, 8))
    return false;
  for (size_t i = 0; i < 2; ++i) {
    size_t dim = xc_tf_image_dim(im, HEIGHT + i);
    int64_t size = shape->dims[dim];
    int64_t reach = (w->kernel[i] - 1) * w->dilation[i] + 1;
    int64_t windows = (size + w->stride[i] - 1) / w->stride[i];
    int64_t total = (windows - 1) * w->stride[i] + reach - size;
    total = is_same && total > 0 ? total : 0;
    w->before[i] = is_explicit ? given[2 * dim] : total / 2;
    w->after[i] = is_explicit ? given[2 * dim + 1] : total - total / 2;
    if (w->before[i] < 0 || w->after[i] < 0)
      return xc_tf_error(im, "its padding is negative");
  }
  return true;
}

static void window_attributes(const xc_tf_window *w, int64_t lists[4][4],
                              xc_attribute *attributes) {
  const int64_t *pairs[] = {w->kernel, w->stride, w->dilation};
  static const char *const names[] = {"kernel", "stride", "dilation"};
  for (size_t i = 0; i < 3; ++i) {
    lists[i][0] = pairs[i][1];
    lists[i][1] = pairs[i][0];
    attributes[i] = xc_ints(names[i], lists[i], 2);
  }
  for (size_t i = 0; i < 2; ++i) {
    lists[3][2 * i] = w->before[1 - i];
    lists[3][2 * i + 1] = w->after[1 - i];
  }
  attributes[3] = xc_ints("pad", lists[3], 4);
  attributes[4] = xc_string("pad_mode", "FLOOR");
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

// HWIO as OHWI, or [h, w, C, M] as [M, h, w, C].
static const xc_graph_order weight_order = {{3, 0, 1, 2}};

// detail 1: each channel by itself.
bool xc_tf_conv(xc_tf_importer *im) {
  xc_graph_value *input = xc_tf_input_of_rank(im, 0, 4, 4);
  xc_graph_value *weight = input ? xc_tf_input_of_rank(im, 1, 4, 4) : NULL;
  bool is_depthwise = im->node->row->detail == 1;
  xc_tf_window w;
  int64_t lists[4][4];
  xc_attribute attributes[6];
  if (!weight || !read_list(im, "strides", w.stride) ||
      !read_list(im, "dilations", w.dilation))
    return false;
  const int64_t *d = weight->shape.dims;
  w.kernel[0] = d[0];
  w.kernel[1] = d[1];
  int64_t channels = input->shape.dims[xc_tf_image_dim(im, CHANNELS)];
  int64_t group = is_depthwise || d[2] < 1 ? 1 : channels / d[2];
  if (d[2] < 1 || group < 1 || channels != group * d[2])
    return xc_tf_error(im,
                       "its weight is for %" PRId64 " channels, the input "
                       "has %" PRId64,
                       d[2], channels);
  if (!read_padding(im, &input->shape, &w))
    return false;
  window_attributes(&w, lists, attributes);
  attributes[5] = xc_int("group", group);
  xc_graph_order order = xc_tf_image_order(im, 4);
  MlirValue operands[] = {xc_tf_get(im, input, &order),
                          xc_tf_get(im, weight, &weight_order)};
  return xc_tf_result_computed(
      im, 0,
      xc_graph_emit(&im->graph, NULL,
                    is_depthwise ? XC_TIR_DEPTHWISE_CONV2D : XC_TIR_CONV2D,
                    operands, 2, XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE),
      &order);
}

// [h, w, out, in] as [out, h, w, in], turned by 180 degrees; on its grid.
static MlirValue transposed_weight(xc_tf_importer *im, xc_graph_value *weight) {
  const int64_t *d = weight->shape.dims;
  size_t size = xc_element_size(weight->shape.element);
  int64_t taps = d[0] * d[1], inner = d[2] * d[3];
  xc_graph_order order = {{2, 0, 1, 3}};
  if (!weight->data) {
    xc_tf_error(im, "its weight is computed at run time");
    return none;
  }
  uint8_t *data = xc_graph_alloc(&im->graph, taps * inner, size);
  if (!data) {
    xc_tf_error(im, "its weight is larger than the file accounts for");
    return none;
  }
  for (int64_t t = 0; t < taps; ++t)
    for (int64_t i = 0; i < inner; ++i)
      memcpy(data + (size_t)((taps - 1 - t) * inner + i) * size,
             weight->data +
                 (weight->splat ? 0 : (size_t)(t * inner + i) * size),
             size);
  xc_graph_value *turned =
      xc_graph_constant(&im->graph, weight->name, &weight->shape, data, false);
  turned->note = weight->note;
  return xc_tf_get(im, turned, &order);
}

// The gradient of a convolution: its padding is that of the convolution from
// the result's shape, input 0, to that of input 2.
bool xc_tf_conv_transpose(xc_tf_importer *im) {
  int64_t dims[4], lists[4][4], out[2];
  size_t count;
  xc_tf_window w;
  xc_attribute attributes[6];
  xc_graph_value *weight = xc_tf_input_of_rank(im, 1, 4, 4);
  xc_graph_value *input = weight ? xc_tf_input_of_rank(im, 2, 4, 4) : NULL;
  if (!input || !xc_tf_input_ints(im, 0, dims, 4, &count) ||
      !read_list(im, "strides", w.stride) ||
      !read_list(im, "dilations", w.dilation))
    return false;
  xc_shape wanted;
  if (count != 4 || !xc_graph_check_dims(&im->graph, im->graph.node, dims, 4,
                                         input->shape.element, &wanted))
    return xc_tf_error(im, "the shape of its result has %zu dimensions", count);
  w.kernel[0] = weight->shape.dims[0];
  w.kernel[1] = weight->shape.dims[1];
  if (!read_padding(im, &wanted, &w))
    return false;
  for (size_t i = 0; i < 2; ++i) {
    int64_t size = input->shape.dims[xc_tf_image_dim(im, HEIGHT + i)];
    int64_t reach = (w.kernel[i] - 1) * w.dilation[i] + 1;
    int64_t full = (size - 1) * w.stride[i] + reach;
    out[1 - i] = wanted.dims[xc_tf_image_dim(im, HEIGHT + i)] - full +
                 w.before[i] + w.after[i];
    if (out[1 - i] < 0 || out[1 - i] > UINT16_MAX)
      return xc_tf_error(im, "the shape of its result does not fit its input");
  }
  window_attributes(&w, lists, attributes);
  attributes[5] = xc_ints("output_padding", out, 2);
  xc_graph_order order = xc_tf_image_order(im, 4);
  MlirValue operands[] = {xc_tf_get(im, input, &order),
                          transposed_weight(im, weight)};
  return xc_tf_result_computed(
      im, 0,
      xc_graph_emit(&im->graph, NULL, XC_TIR_TRANSPOSED_CONV2D, operands, 2,
                    XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE),
      &order);
}

// detail 1: a batch of matrices.
bool xc_tf_matmul(xc_tf_importer *im) {
  bool batched = im->node->row->detail == 1;
  size_t most = batched ? XC_MAX_RANK : 2;
  xc_graph_value *a = xc_tf_input_of_rank(im, 0, 2, most);
  xc_graph_value *b = a ? xc_tf_input_of_rank(im, 1, 2, most) : NULL;
  if (!b)
    return false;
  const xc_attribute attributes[] = {
      xc_bool("transpose_a",
              xc_tf_bool(im, batched ? "adj_x" : "transpose_a", false)),
      xc_bool("transpose_b",
              xc_tf_bool(im, batched ? "adj_y" : "transpose_b", false))};
  MlirValue operands[] = {xc_tf_get_plain(im, a), xc_tf_get_plain(im, b)};
  MlirValue mlir = xc_graph_emit(&im->graph, NULL, XC_TIR_MATMUL, operands, 2,
                                 XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
  if (mlirValueIsNull(mlir))
    return false;
  xc_shape shape;
  xc_shape_of_type(mlirValueGetType(mlir), &shape);
  xc_graph_order order = xc_graph_identity(shape.rank);
  return xc_tf_result_computed(im, 0, mlir, &order);
}

//===----------------------------------------------------------------------===//
// Bias
//===----------------------------------------------------------------------===//

static bool takes_bias(xc_op_kind kind) {
  return kind == XC_TIR_CONV2D || kind == XC_TIR_DEPTHWISE_CONV2D ||
         kind == XC_TIR_TRANSPOSED_CONV2D || kind == XC_TIR_MATMUL;
}

MlirValue xc_tf_add_bias(xc_tf_importer *im, xc_graph_value *product,
                         xc_graph_value *bias) {
  xc_adaptor op;
  if (!product->forms || !mlirValueIsAOpResult(product->forms->value) ||
      !bias->data || bias->shape.rank != 1)
    return none;
  if (product->shape.rank == 5)
    return xc_tf_add_volume_bias(im, product, bias);
  MlirValue value = product->forms->value;
  MlirOperation operation = mlirOpResultGetOwner(value);
  xc_shape shape;
  xc_shape_of_type(mlirValueGetType(value), &shape);
  if (!xc_op_info_of(operation) || !xc_adaptor_of(operation, &op) ||
      !takes_bias(op.info->kind) ||
      mlirOperationGetNumOperands(operation) != 2 ||
      bias->shape.dims[0] != shape.dims[shape.rank - 1])
    return none;
  xc_attribute attributes[16];
  size_t count = 0;
  for (size_t i = 0; i < op.info->num_attributes && count < 16; ++i) {
    const xc_attribute_info *row = &op.info->attributes[i];
    MlirAttribute given = mlirOperationGetAttributeByName(
        operation, mlirStringRefCreateFromCString(row->name));
    if (!mlirAttributeIsNull(given) && strcmp(row->name, "op_name") != 0)
      attributes[count++] = xc_given(row->name, given);
  }
  MlirValue operands[] = {mlirOperationGetOperand(operation, 0),
                          mlirOperationGetOperand(operation, 1),
                          xc_tf_get_plain(im, bias)};
  // The product keeps its name; without readers the first one goes.
  return xc_graph_build(&im->graph, product->op_name, op.info->kind, operands,
                        3, &(xc_attributes){attributes, count},
                        XC_ELEMENT_NONE);
}

//===----------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------===//

bool xc_tf_pool(xc_tf_importer *im) {
  xc_graph_value *input = xc_tf_input_of_rank(im, 0, 4, 4);
  xc_tf_window w = {.dilation = {1, 1}};
  int64_t lists[4][4];
  xc_attribute attributes[5];
  if (!input || !read_list(im, "ksize", w.kernel) ||
      !read_list(im, "strides", w.stride) ||
      !read_padding(im, &input->shape, &w))
    return false;
  window_attributes(&w, lists, attributes);
  xc_graph_order order = xc_tf_image_order(im, 4);
  MlirValue x = xc_tf_get(im, input, &order);
  return xc_tf_result_computed(
      im, 0,
      xc_graph_emit(&im->graph, NULL, (xc_op_kind)im->node->row->detail, &x, 1,
                    XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE),
      &order);
}

//===----------------------------------------------------------------------===//
// Normalisation
//===----------------------------------------------------------------------===//

// (x - mean) / sqrt(variance + epsilon) * gamma + beta over the batch itself.
static bool normalize_batch(xc_tf_importer *im, MlirValue x, MlirValue gamma,
                            MlirValue beta, double epsilon,
                            const xc_graph_order *order) {
  static const int64_t axes[] = {0, 1, 2, 3};
  xc_graph *g = &im->graph;
  size_t count = mlirValueIsNull(x) ? 0 : xc_value_shape(x).rank - 1;
  const xc_attribute attributes[] = {xc_ints("axis", axes, count),
                                     xc_bool("keep_dims", true)};
  MlirValue mean = xc_graph_emit(g, "mean", XC_TIR_REDUCTION_MEAN, &x, 1,
                                 XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
  MlirValue shifted = xc_graph_emit_binary(g, "shift", XC_TIR_SUB, x, mean);
  MlirValue square =
      xc_graph_emit_binary(g, "square", XC_TIR_MUL, shifted, shifted);
  MlirValue variance =
      xc_graph_emit(g, "variance", XC_TIR_REDUCTION_MEAN, &square, 1,
                    XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
  MlirValue safe =
      xc_graph_emit_with(g, "epsilon", XC_TIR_ADD, variance, epsilon);
  MlirValue factor = xc_graph_emit_binary(g, "rsqrt", XC_TIR_RSQRT, safe, none);
  MlirValue unit = xc_graph_emit_binary(g, "unit", XC_TIR_MUL, shifted, factor);
  unit = xc_graph_emit_binary(g, "scale", XC_TIR_MUL, unit, gamma);
  return xc_tf_result_computed(
      im, 0, xc_graph_emit_binary(g, NULL, XC_TIR_ADD, unit, beta), order);
}

bool xc_tf_batch_norm(xc_tf_importer *im) {
  xc_graph_value *in[5];
  // A convolution is only ever fused with given statistics.
  bool trains =
      xc_tf_bool(im, "is_training", !xc_tf_attribute(im, "fused_ops"));
  double epsilon = xc_tf_real(im, "epsilon", (double)0.0001f);
  if (!(in[0] = xc_tf_input_of_rank(im, 0, 4, 5)))
    return false;
  size_t rank = in[0]->shape.rank;
  xc_graph_order order = xc_tf_image_order(im, rank);
  int64_t channels = in[0]->shape.dims[xc_tf_channel_dim(im, rank)];
  for (size_t i = 1; i < (trains ? 3 : 5); ++i) {
    if (!(in[i] = xc_tf_input_of_rank(im, i, 1, 1)))
      return false;
    if (in[i]->shape.dims[0] != channels)
      return xc_tf_error(im,
                         "input %zu has %" PRId64 " elements, expected "
                         "%" PRId64,
                         i, in[i]->shape.dims[0], channels);
  }
  for (size_t k = 1; k < im->node->num_outputs; ++k)
    if (xc_graph_is_needed(&im->graph, im->node->outputs[k]) &&
        im->node->num_outputs > 1)
      return xc_tf_error(im, "the statistics that it gives besides are of "
                             "training");
  MlirValue x = xc_tf_get(im, in[0], &order),
            gamma = xc_tf_get_plain(im, in[1]),
            beta = xc_tf_get_plain(im, in[2]);
  if (trains)
    return normalize_batch(im, x, gamma, beta, epsilon, &order);
  MlirValue operands[] = {x, xc_tf_get_plain(im, in[3]),
                          xc_tf_get_plain(im, in[4]), gamma, beta};
  const xc_attribute attributes[] = {xc_float("epsilon", epsilon),
                                     xc_int("axis", (int64_t)rank - 1)};
  return xc_tf_result_computed(
      im, 0,
      xc_graph_emit(&im->graph, NULL, XC_TIR_BATCHNORM, operands, 5,
                    XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE),
      &order);
}

// x / (bias + alpha * sum over 2 r + 1 channels)^beta
bool xc_tf_lrn(xc_tf_importer *im) {
  xc_graph_value *input = xc_tf_input_of_rank(im, 0, 4, 4);
  int64_t radius = xc_tf_int(im, "depth_radius", 5), size = 2 * radius + 1;
  if (!input)
    return false;
  if (radius < 0 || size > UINT16_MAX)
    return xc_tf_error(im, "its depth_radius is %" PRId64, radius);
  const xc_attribute attributes[] = {
      xc_int("size", size),
      xc_float("alpha", xc_tf_real(im, "alpha", 1) * (double)size),
      xc_float("beta", xc_tf_real(im, "beta", 0.5)),
      xc_float("bias", xc_tf_real(im, "bias", 1))};
  MlirValue x = xc_tf_get_plain(im, input);
  xc_graph_order order = xc_graph_identity(4);
  return xc_tf_result_computed(im, 0,
                               xc_graph_emit(&im->graph, NULL, XC_TIR_LRN, &x,
                                             1, XC_ATTRIBUTES(attributes),
                                             XC_ELEMENT_NONE),
                               &order);
}
