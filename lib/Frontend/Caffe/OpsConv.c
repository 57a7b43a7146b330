//===- OpsConv.c - convolutions and inner products ------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/// Positions in a shape of NCHW.
enum { N, C, H, W };

/// The pairs of fix points of a layer with weights.
enum { WEIGHT_PAIR = 2, BIAS_PAIR = 3 };

/// The parameters of a convolution; windows are height first.
typedef struct conv_param {
  int64_t outputs, inputs, group;
  int64_t kernel[2], stride[2], pad[2], dilation[2];
  bool has_bias, is_depthwise;
} conv_param;

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

// Reads a window's size along both axes: `NAME_h` and `NAME_w`, or one or two
// entries of the field without them.
static bool read_pair(xc_caffe_importer *im, const char *name, const char *list,
                      int64_t absent, int64_t least, int64_t pair[2]) {
  const int64_t most = UINT16_MAX;
  char axis[16];
  int64_t entries[2] = {absent, absent};
  size_t count = xc_caffe_ints(im, list, entries, 2);
  if (count == 1)
    entries[1] = entries[0];
  for (size_t i = 0; i < 2; ++i) {
    snprintf(axis, sizeof(axis), "%s_%c", name, i ? 'w' : 'h');
    pair[i] = xc_caffe_int(im, axis, entries[i]);
    if (xc_graph_failed(&im->graph))
      return false;
    if (pair[i] < least || pair[i] > most)
      return xc_caffe_error(
          im, "its %s is %" PRId64 ", expected %" PRId64 " to %" PRId64, axis,
          pair[i], least, most);
  }
  return true;
}

static bool read_conv(xc_caffe_importer *im, const xc_graph_value *input,
                      conv_param *p) {
  p->inputs = input->shape.dims[C];
  p->outputs = xc_caffe_int(im, "num_output", 0);
  p->has_bias = xc_caffe_bool(im, "bias_term", true);
  p->group = xc_caffe_int(im, "group", im->layer->row->detail ? p->outputs : 1);
  if (xc_caffe_int(im, "axis", 1) != 1)
    return xc_caffe_error(im, "its axis is not 1");
  if (!read_pair(im, "kernel", "kernel_size", 0, 1, p->kernel) ||
      !read_pair(im, "stride", "stride", 1, 1, p->stride) ||
      !read_pair(im, "pad", "pad", 0, 0, p->pad) ||
      !read_pair(im, "dilation", "dilation", 1, 1, p->dilation))
    return false;
  if (p->outputs < 1 || p->outputs > INT32_MAX || p->group < 1 ||
      p->inputs % p->group || p->outputs % p->group)
    return xc_caffe_error(im,
                          "%" PRId64 " inputs and %" PRId64
                          " outputs are not divided by %" PRId64 " groups",
                          p->inputs, p->outputs, p->group);
  p->is_depthwise = p->group == p->inputs && p->group > 1;
  return true;
}

static void window_attributes(const conv_param *p, int64_t lists[4][4],
                              xc_attribute *attributes) {
  const int64_t *pairs[] = {p->kernel, p->stride, p->dilation};
  static const char *const names[] = {"kernel", "stride", "dilation"};
  for (size_t i = 0; i < 3; ++i) {
    lists[i][0] = pairs[i][1];
    lists[i][1] = pairs[i][0];
    attributes[i] = xc_ints(names[i], lists[i], 2);
  }
  lists[3][0] = lists[3][1] = p->pad[1];
  lists[3][2] = lists[3][3] = p->pad[0];
  attributes[3] = xc_ints("pad", lists[3], 4);
  attributes[4] = xc_string("pad_mode", "FLOOR");
  attributes[5] = xc_int("group", p->is_depthwise ? 1 : p->group);
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

// [O, I / group, KH, KW] as [O, KH, KW, I / group] or, depthwise, [C * M, 1,
// KH, KW] as [M, KH, KW, C].
static xc_graph_value *conv_weight(xc_caffe_importer *im, const conv_param *p) {
  int64_t depth = p->inputs / p->group;
  int64_t dims[] = {p->outputs, depth, p->kernel[0], p->kernel[1]};
  xc_graph_value *blob = xc_caffe_blob(im, 0, CAFFE_WEIGHT, dims, 4,
                                       depth * p->kernel[0] * p->kernel[1]);
  if (!blob)
    return NULL;
  int64_t apart[] = {p->inputs, p->outputs / p->inputs, p->kernel[0],
                     p->kernel[1]};
  xc_graph_order to_ohwi = {{0, 2, 3, 1}}, to_mhwc = {{1, 2, 3, 0}};
  if (p->is_depthwise)
    blob = xc_graph_reshape(&im->graph, blob, apart, 4);
  return xc_graph_transpose(&im->graph, blob,
                            p->is_depthwise ? &to_mhwc : &to_ohwi);
}

// [I, O / group, KH, KW] of a transposed convolution, which adds the weight to
// the output, as [O, KH, KW, I / group] or [M, KH, KW, C] to correlate with:
// turned by 180 degrees.
static xc_graph_value *transposed_weight(xc_caffe_importer *im,
                                         const conv_param *p) {
  int64_t kh = p->kernel[0], kw = p->kernel[1];
  int64_t width = p->outputs / p->group, depth = p->inputs / p->group;
  int64_t dims[] = {p->inputs, width, kh, kw};
  int64_t result_dims[] = {p->is_depthwise ? width : p->outputs, kh, kw,
                           p->is_depthwise ? p->inputs : depth};
  float *to;
  xc_graph_value *blob =
      xc_caffe_blob(im, 0, CAFFE_WEIGHT, dims, 4, p->inputs * kh * kw);
  if (!blob)
    return NULL;
  xc_graph_value *result =
      xc_caffe_new_constant(im, "weight", result_dims, 4, &to);
  if (!result)
    return NULL;
  const float *from = xc_caffe_floats(im, blob);
  for (int64_t i = 0; i < p->inputs; ++i)
    for (int64_t o = 0; o < width; ++o)
      for (int64_t y = 0; y < kh; ++y)
        for (int64_t x = 0; x < kw; ++x) {
          int64_t row = p->is_depthwise ? o : i / depth * width + o;
          int64_t column = p->is_depthwise ? i : i % depth;
          int64_t at =
              ((row * kh + kh - 1 - y) * kw + kw - 1 - x) * result_dims[3] +
              column;
          to[at] = *from++;
        }
  return result;
}

static MlirValue bias_of(xc_caffe_importer *im, int64_t outputs,
                         bool has_bias) {
  xc_graph_value *bias =
      has_bias ? xc_caffe_blob(im, 1, CAFFE_BIAS, &outputs, 1, 0) : NULL;
  if (!bias)
    return (MlirValue){NULL};
  bias = xc_graph_alias(&im->graph, "bias", bias);
  return xc_caffe_fix_weight(im, "bias_fix",
                             xc_graph_get_plain(&im->graph, bias), BIAS_PAIR);
}

static bool emit_conv(xc_caffe_importer *im, xc_graph_value *input,
                      const conv_param *p, xc_graph_value *weight,
                      xc_op_kind kind) {
  int64_t lists[4][4];
  xc_attribute attributes[6];
  if (!weight)
    return false;
  window_attributes(p, lists, attributes);
  MlirValue operands[] = {
      xc_graph_get_channels_last(&im->graph, input),
      xc_caffe_fix_weight(im, "weight_fix",
                          xc_graph_get_plain(&im->graph, weight), WEIGHT_PAIR),
      bias_of(im, p->outputs, p->has_bias)};
  xc_graph_order order = xc_graph_channels_last(4);
  return xc_caffe_top_computed(
      im, 0,
      xc_graph_emit(&im->graph, NULL, kind, operands, p->has_bias ? 3 : 2,
                    XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE),
      &order);
}

// detail 1: one group for each output unless the layer says otherwise.
bool xc_caffe_convolution(xc_caffe_importer *im) {
  conv_param p;
  xc_graph_value *input = xc_caffe_bottom_of_rank(im, 0, 4, 4);
  return input && read_conv(im, input, &p) &&
         emit_conv(im, input, &p, conv_weight(im, &p),
                   p.is_depthwise ? XC_TIR_DEPTHWISE_CONV2D : XC_TIR_CONV2D);
}

bool xc_caffe_deconvolution(xc_caffe_importer *im) {
  conv_param p;
  xc_graph_value *input = xc_caffe_bottom_of_rank(im, 0, 4, 4);
  return input && read_conv(im, input, &p) &&
         emit_conv(im, input, &p, transposed_weight(im, &p),
                   p.is_depthwise ? XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D
                                  : XC_TIR_TRANSPOSED_CONV2D);
}

//===----------------------------------------------------------------------===//
// Inner product
//===----------------------------------------------------------------------===//

// Returns the image that a flattened bottom was made of, as long as the product
// takes all of it for each entry of the batch: then the weight is permuted, not
// the image.
static xc_graph_value *unflattened(xc_graph_value *value) {
  xc_graph_value *from = value;
  while (from->origin && from->origin->shape.rank > 1 &&
         from->origin->shape.dims[N] == value->shape.dims[N])
    from = from->origin;
  xc_graph_order order = xc_graph_cheapest(from);
  return order.dim[0] == 0 ? from : value;
}

// [O, K] of the elements in C, H, W order as [O, K] in the order in which the
// input stands.
static MlirValue product_weight(xc_caffe_importer *im, xc_graph_value *blob,
                                const xc_graph_value *input, size_t axis,
                                const xc_graph_order *order) {
  int64_t apart[XC_MAX_RANK] = {blob->shape.dims[0]};
  xc_graph_order moved = {{0}};
  size_t rank = 1;
  for (size_t i = axis; i < input->shape.rank; ++i, ++rank) {
    apart[rank] = input->shape.dims[i];
    moved.dim[rank] = (uint8_t)(order->dim[i] - axis + 1);
  }
  xc_graph_value *value = xc_graph_reshape(&im->graph, blob, apart, rank);
  value = xc_graph_transpose(&im->graph, value, &moved);
  value =
      value ? xc_graph_reshape(&im->graph, value, blob->shape.dims, 2) : NULL;
  return value ? xc_graph_get_plain(&im->graph, value) : (MlirValue){NULL};
}

// Returns the weight as [O, K]; `transpose` says that the file has [K, O].
static xc_graph_value *product_blob(xc_caffe_importer *im, int64_t outputs,
                                    int64_t depth) {
  bool transposed = xc_caffe_bool(im, "transpose", false);
  int64_t dims[] = {transposed ? depth : outputs, transposed ? outputs : depth};
  xc_graph_value *blob = xc_caffe_blob(im, 0, CAFFE_WEIGHT, dims, 2, depth);
  xc_graph_order swapped = {{1, 0}};
  return blob && transposed ? xc_graph_transpose(&im->graph, blob, &swapped)
                            : blob;
}

static MlirValue emit_flat(xc_caffe_importer *im, MlirValue input, int64_t rows,
                           int64_t depth) {
  int64_t flat[] = {rows, depth};
  xc_shape shape;
  if (mlirValueIsNull(input))
    return input;
  xc_shape_of_type(mlirValueGetType(input), &shape);
  const xc_attribute attributes[] = {xc_ints("shape", flat, 2)};
  return shape.rank == 2
             ? input
             : xc_graph_emit(&im->graph, "flat", XC_TIR_RESHAPE, &input, 1,
                             XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
}

bool xc_caffe_inner_product(xc_caffe_importer *im) {
  xc_graph_value *value = xc_caffe_bottom(im, 0);
  size_t axis;
  int64_t outputs = xc_caffe_int(im, "num_output", 0);
  if (!value || !xc_graph_axis(&im->graph, xc_caffe_int(im, "axis", 1),
                               value->shape.rank, &axis))
    return false;
  if (outputs < 1 || outputs > INT32_MAX)
    return xc_caffe_error(im, "its num_output is %" PRId64, outputs);
  bool has_bias = xc_caffe_bool(im, "bias_term", true);
  int64_t rows = xc_graph_product(&value->shape, 0, axis);
  int64_t depth = xc_graph_product(&value->shape, axis, value->shape.rank);
  xc_shape result = value->shape;
  result.rank = axis + 1;
  result.dims[axis] = outputs;
  xc_graph_value *input = axis == 1 ? unflattened(value) : value;
  xc_graph_order order = axis == 1 ? xc_graph_cheapest(input)
                                   : xc_graph_identity(input->shape.rank);
  if (order.dim[0] != 0)
    order = xc_graph_identity(input->shape.rank);
  xc_graph_value *blob = product_blob(im, outputs, depth);
  if (!blob)
    return false;
  MlirValue operands[] = {
      emit_flat(im, xc_graph_get(&im->graph, input, &order), rows, depth),
      xc_caffe_fix_weight(im, "weight_fix",
                          product_weight(im, blob, input, axis, &order),
                          WEIGHT_PAIR),
      bias_of(im, outputs, has_bias)};
  const xc_attribute attributes[] = {xc_bool("transpose_b", true)};
  xc_graph_order plain = xc_graph_identity(2);
  xc_graph_value *product = xc_graph_computed(
      &im->graph, im->graph.node,
      xc_graph_emit(&im->graph, NULL, XC_TIR_MATMUL, operands, has_bias ? 3 : 2,
                    XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE),
      &plain);
  return product &&
         xc_caffe_top(im, 0,
                      result.rank == 2
                          ? product
                          : xc_graph_reshape(&im->graph, product, result.dims,
                                             result.rank));
}
