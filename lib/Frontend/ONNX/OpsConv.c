//===- OpsConv.c - convolution, pooling, matrix product -------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include "Window.h"

#include <inttypes.h>
#include <string.h>

enum { H = 1, W = 2 }; // dimensions of an NHWC form

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

// Channels-first weights [O, I / group, KH, KW] as OHWI or, for a convolution
// of each channel by itself, as [M, KH, KW, C].
static MlirValue conv_weight(xc_onnx_importer *im, xc_graph_value *weight,
                             int64_t channels, bool is_depthwise) {
  if (!is_depthwise)
    return xc_graph_get_channels_last(&im->graph, weight);
  const int64_t *dims = weight->shape.dims;
  int64_t split[] = {channels, dims[0] / channels, dims[2], dims[3]};
  xc_graph_value *value = xc_graph_reshape(&im->graph, weight, split, 4);
  xc_graph_order order = {{1, 2, 3, 0}};
  return value ? xc_graph_get(&im->graph, value, &order) : (MlirValue){NULL};
}

bool xc_onnx_check_conv(xc_onnx_importer *im, const xc_graph_value *input,
                        const xc_graph_value *weight, size_t most,
                        xc_onnx_conv_groups *conv) {
  if (!xc_onnx_check_rank(im, input, 3, most) ||
      !xc_onnx_check_rank(im, weight, input->shape.rank, input->shape.rank))
    return false;
  int64_t channels = input->shape.dims[1], outputs = weight->shape.dims[0];
  conv->group = xc_onnx_int(im, "group", 1);
  if (conv->group < 1 || channels % conv->group != 0 ||
      outputs % conv->group != 0)
    return xc_onnx_error(im,
                         "has %" PRId64 " groups for %" PRId64
                         " input and %" PRId64 " output channels",
                         conv->group, channels, outputs);
  if (weight->shape.dims[1] != channels / conv->group)
    return xc_onnx_error(
        im, "weight '%s' has %" PRId64 " input channels, expected %" PRId64,
        weight->name, weight->shape.dims[1], channels / conv->group);
  conv->is_depthwise = conv->group == channels && conv->group > 1;
  return true;
}

// Returns the value with a height of 1 when it has one spatial dimension.
xc_graph_value *xc_onnx_as_2d(xc_onnx_importer *im, xc_graph_value *value) {
  if (value->shape.rank != 3)
    return value;
  const int64_t *d = value->shape.dims;
  int64_t dims[] = {d[0], d[1], 1, d[2]};
  return xc_graph_reshape(&im->graph, value, dims, 4);
}

bool xc_onnx_result_2d(xc_onnx_importer *im, size_t index, MlirValue mlir,
                       size_t rank) {
  xc_graph_order order = xc_graph_channels_last(4);
  if (rank == 4)
    return xc_onnx_result(im, index, mlir, &order);
  xc_graph_value *value =
      xc_graph_computed(&im->graph, im->graph.node, mlir, &order);
  if (!value)
    return false;
  const int64_t *d = value->shape.dims;
  int64_t dims[] = {d[0], d[1], d[3]};
  return xc_onnx_result_alias(im, index,
                              xc_graph_reshape(&im->graph, value, dims, 3));
}

bool xc_onnx_read_conv(xc_onnx_importer *im, size_t weight_index,
                       size_t bias_index, xc_onnx_conv_layer *layer) {
  xc_graph_value *input, *weight, *bias = xc_onnx_input(im, bias_index);
  xc_onnx_window *window = &layer->window;
  if (!xc_onnx_need_input(im, 0, &input) ||
      !xc_onnx_need_input(im, weight_index, &weight) ||
      !xc_onnx_check_conv(im, input, weight, 4, &layer->groups))
    return false;
  bool is_depthwise = layer->groups.is_depthwise;
  layer->rank = input->shape.rank;
  input = xc_onnx_as_2d(im, input);
  weight = xc_onnx_as_2d(im, weight);
  if (!input || !weight ||
      !xc_onnx_read_window(im, &weight->shape, layer->rank, window))
    return false;
  xc_onnx_pad_window(&input->shape, window);
  layer->operands[0] = xc_graph_get_channels_last(&im->graph, input);
  layer->operands[1] =
      conv_weight(im, weight, input->shape.dims[1], is_depthwise);
  layer->num_operands = bias ? 3 : 2;
  if (bias)
    layer->operands[2] = xc_graph_get_plain(&im->graph, bias);
  const xc_attribute attributes[] = {
      xc_ints("kernel", window->kernel, 2),
      xc_ints("stride", window->stride, 2),
      xc_ints("dilation", window->dilation, 2), xc_ints("pad", window->pad, 4),
      xc_int("group", is_depthwise ? 1 : layer->groups.group)};
  memcpy(layer->attributes, attributes, sizeof(attributes));
  layer->num_attributes = sizeof(attributes) / sizeof(*attributes);
  return true;
}

static MlirValue emit_conv(xc_onnx_importer *im,
                           const xc_onnx_conv_layer *layer, xc_op_kind kind,
                           xc_op_kind depthwise_kind, xc_element element) {
  return xc_graph_emit(
      &im->graph, NULL, layer->groups.is_depthwise ? depthwise_kind : kind,
      layer->operands, layer->num_operands,
      &(xc_attributes){layer->attributes, layer->num_attributes}, element);
}

bool xc_onnx_emit_conv(xc_onnx_importer *im, const xc_onnx_conv_layer *layer,
                       xc_op_kind kind, xc_op_kind depthwise_kind,
                       xc_element element) {
  MlirValue result = emit_conv(im, layer, kind, depthwise_kind, element);
  return xc_onnx_result_2d(im, 0, result, layer->rank);
}

MlirValue xc_onnx_emit_float_conv(xc_onnx_importer *im,
                                  xc_onnx_conv_layer *layer) {
  if (!xc_onnx_read_conv(im, 1, 2, layer))
    return (MlirValue){NULL};
  layer->attributes[layer->num_attributes++] = xc_string("pad_mode", "FLOOR");
  return emit_conv(im, layer, XC_TIR_CONV2D, XC_TIR_DEPTHWISE_CONV2D,
                   XC_ELEMENT_NONE);
}

bool xc_onnx_conv(xc_onnx_importer *im) {
  xc_onnx_conv_layer layer;
  const xc_graph_value *input = xc_onnx_input(im, 0);
  if (input && input->shape.rank == 5)
    return xc_onnx_conv_volume(im);
  MlirValue result = xc_onnx_emit_float_conv(im, &layer);
  return !mlirValueIsNull(result) &&
         xc_onnx_result_2d(im, 0, result, layer.rank);
}

//===----------------------------------------------------------------------===//
// Transposed convolution
//===----------------------------------------------------------------------===//

static MlirValue flipped(xc_onnx_importer *im, MlirValue weight) {
  int64_t begin[] = {0, -1, -1, 0}, end[4], strides[] = {1, -1, -1, 1};
  xc_shape shape;
  if (mlirValueIsNull(weight))
    return weight;
  xc_shape_of_type(mlirValueGetType(weight), &shape);
  for (size_t i = 0; i < 4; ++i)
    end[i] = i == H || i == W ? INT32_MIN : shape.dims[i];
  xc_attribute attributes[] = {xc_ints("begin", begin, 4),
                               xc_ints("end", end, 4),
                               xc_ints("strides", strides, 4)};
  return xc_graph_emit(&im->graph, "flip", XC_TIR_STRIDED_SLICE, &weight, 1,
                       &(xc_attributes){attributes, 3}, XC_ELEMENT_NONE);
}

// Returns a constant [..., KH, KW] turned by 180 degrees: each plane backwards.
static xc_graph_value *flipped_constant(xc_onnx_importer *im,
                                        const xc_graph_value *weight) {
  const xc_shape *shape = &weight->shape;
  int64_t total = xc_shape_num_elements(shape);
  size_t size = xc_element_size(shape->element);
  if (weight->splat)
    return xc_graph_constant(&im->graph, weight->name, shape, weight->data,
                             true);
  uint8_t *data = xc_graph_alloc(&im->graph, total, size);
  if (!data)
    return NULL;
  int64_t plane = shape->dims[shape->rank - 1] * shape->dims[shape->rank - 2];
  for (int64_t i = 0; i < total; ++i) {
    int64_t at = i - i % plane + (plane - 1 - i % plane);
    memcpy(data + (size_t)i * size, weight->data + (size_t)at * size, size);
  }
  return xc_graph_constant(&im->graph, weight->name, shape, data, false);
}

// [I, O / group, KH, KW] as [O, KH, KW, I / group] or [M, KH, KW, C], flipped.
static MlirValue transposed_weight(xc_onnx_importer *im, xc_graph_value *weight,
                                   const xc_onnx_conv_groups *conv) {
  xc_graph_value *constant = weight->data ? flipped_constant(im, weight) : NULL;
  xc_graph_value *value = constant ? constant : weight;
  const int64_t *d = value->shape.dims;
  xc_graph_order to_ohwi = {{1, 2, 3, 0}};
  MlirValue mlir;
  if (conv->is_depthwise || conv->group == 1) {
    mlir = xc_graph_get(&im->graph, value, &to_ohwi);
  } else {
    int64_t apart[] = {conv->group, d[0] / conv->group, d[1], d[2], d[3]};
    int64_t joined[] = {conv->group * d[1], d[2], d[3], d[0] / conv->group};
    xc_graph_order order = {{0, 2, 3, 4, 1}};
    value = xc_graph_reshape(&im->graph, value, apart, 5);
    value = value ? xc_graph_transpose(&im->graph, value, &order) : NULL;
    value = value ? xc_graph_reshape(&im->graph, value, joined, 4) : NULL;
    mlir = value ? xc_graph_get_plain(&im->graph, value) : (MlirValue){NULL};
  }
  return constant ? mlir : flipped(im, mlir);
}

// auto_pad and output_shape give the pads; what they cannot say becomes
// output padding.
bool xc_onnx_pad_transposed(xc_onnx_importer *im, const xc_shape *input,
                            size_t rank, xc_onnx_window *window,
                            int64_t output_padding[3]) {
  int64_t outputs[XC_MAX_RANK], list[3] = {0};
  size_t count, num_shape, spatial = rank - 2;
  if (!xc_onnx_ints(im, "output_padding", list, 3, &count) ||
      !xc_onnx_ints(im, "output_shape", outputs, XC_MAX_RANK, &num_shape))
    return false;
  for (size_t a = 0; a < 3; ++a)
    output_padding[a] = a < count ? list[count - 1 - a] : 0;
  bool is_upper = window->auto_pad == ONNX_SAME_UPPER;
  bool is_same = is_upper || window->auto_pad == ONNX_SAME_LOWER;
  if (window->auto_pad == ONNX_VALID)
    memset(window->pad, 0, sizeof(window->pad));
  if (num_shape != 0 && num_shape < spatial)
    return xc_onnx_error(
        im, "attribute 'output_shape' has %zu entries, expected %zu", num_shape,
        spatial);
  for (size_t i = 0; i < num_shape; ++i)
    if (outputs[i] < 1 || outputs[i] > INT32_MAX)
      return xc_onnx_error(im, "attribute 'output_shape' has entry %" PRId64,
                           outputs[i]);
  for (size_t i = 0; i < 3; ++i)
    if (output_padding[i] < 0 || output_padding[i] > INT32_MAX)
      return xc_onnx_error(im, "attribute 'output_padding' has entry %" PRId64,
                           output_padding[i]);
  for (size_t a = 0; a < spatial && (is_same || num_shape); ++a) {
    int64_t size = input->dims[input->rank - 1 - a];
    int64_t wanted =
        num_shape ? outputs[num_shape - 1 - a] : size * window->stride[a];
    int64_t total = window->stride[a] * (size - 1) + output_padding[a] +
                    (window->kernel[a] - 1) * window->dilation[a] + 1 - wanted;
    if (total < 0) {
      output_padding[a] -= total;
      total = 0;
    }
    int64_t half = total / 2;
    window->pad[2 * a] = is_upper ? half : total - half;
    window->pad[2 * a + 1] = total - window->pad[2 * a];
  }
  return true;
}

bool xc_onnx_check_conv_transpose(xc_onnx_importer *im,
                                  const xc_graph_value *input,
                                  const xc_graph_value *weight,
                                  xc_onnx_conv_groups *conv) {
  if (!xc_onnx_check_rank(im, input, 3, 5) ||
      !xc_onnx_check_rank(im, weight, input->shape.rank, input->shape.rank))
    return false;
  int64_t channels = input->shape.dims[1];
  conv->group = xc_onnx_int(im, "group", 1);
  if (conv->group < 1 || channels % conv->group != 0 ||
      weight->shape.dims[0] != channels)
    return xc_onnx_error(im,
                         "has %" PRId64 " groups, %" PRId64
                         " input channels and a weight for %" PRId64,
                         conv->group, channels, weight->shape.dims[0]);
  conv->is_depthwise = conv->group == channels && conv->group > 1;
  return true;
}

bool xc_onnx_conv_transpose(xc_onnx_importer *im) {
  xc_graph_value *input, *weight, *bias = xc_onnx_input(im, 2);
  xc_onnx_conv_groups conv;
  xc_onnx_window window;
  int64_t padding[3];
  if (!xc_onnx_need_input(im, 0, &input) ||
      !xc_onnx_need_input(im, 1, &weight) ||
      !xc_onnx_check_conv_transpose(im, input, weight, &conv))
    return false;
  size_t rank = input->shape.rank;
  if (rank == 5)
    return xc_onnx_conv_transpose_volume(im);
  input = xc_onnx_as_2d(im, input);
  weight = xc_onnx_as_2d(im, weight);
  if (!input || !weight ||
      !xc_onnx_read_window(im, &weight->shape, rank, &window) ||
      !xc_onnx_pad_transposed(im, &input->shape, rank, &window, padding))
    return false;
  MlirValue operands[] = {xc_graph_get_channels_last(&im->graph, input),
                          transposed_weight(im, weight, &conv),
                          bias ? xc_graph_get_plain(&im->graph, bias)
                               : (MlirValue){NULL}};
  xc_attribute attributes[] = {
      xc_ints("kernel", window.kernel, 2),
      xc_ints("stride", window.stride, 2),
      xc_ints("dilation", window.dilation, 2),
      xc_ints("pad", window.pad, 4),
      xc_string("pad_mode", "FLOOR"),
      xc_int("group", conv.is_depthwise ? 1 : conv.group),
      xc_ints("output_padding", padding, 2)};
  MlirValue result = xc_graph_emit(
      &im->graph, NULL,
      conv.is_depthwise ? XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D
                        : XC_TIR_TRANSPOSED_CONV2D,
      operands, bias ? 3 : 2, &(xc_attributes){attributes, 7}, XC_ELEMENT_NONE);
  return xc_onnx_result_2d(im, 0, result, rank);
}

//===----------------------------------------------------------------------===//
// Matrix product
//===----------------------------------------------------------------------===//

static MlirValue scaled(xc_onnx_importer *im, MlirValue value, float factor) {
  return factor == 1 ? value
                     : xc_graph_emit_with(&im->graph, "scale", XC_TIR_MUL,
                                          value, (double)factor);
}

MlirValue xc_onnx_emit_gemm(xc_onnx_importer *im) {
  const MlirValue none = {NULL};
  xc_graph_value *a, *b, *c = xc_onnx_input(im, 2);
  if (!xc_onnx_need_input(im, 0, &a) || !xc_onnx_need_input(im, 1, &b) ||
      !xc_onnx_check_rank(im, a, 2, 2) || !xc_onnx_check_rank(im, b, 2, 2))
    return none;
  bool transpose_b = xc_onnx_int(im, "transB", 0) != 0;
  int64_t columns = b->shape.dims[!transpose_b];
  // The bias of tir.matmul is one value per column.
  bool is_row = c && c->shape.rank > 0 && c->shape.rank <= 2 &&
                xc_shape_num_elements(&c->shape) == columns &&
                c->shape.dims[c->shape.rank - 1] == columns;
  MlirValue operands[3] = {xc_graph_get_plain(&im->graph, a),
                           xc_graph_get_plain(&im->graph, b)};
  // Weights can be scaled once and for all.
  MlirValue *factor = &operands[xc_graph_is_constant(operands[1])];
  *factor = scaled(im, *factor, xc_onnx_float(im, "alpha", 1));
  MlirValue bias = none;
  if (c) {
    xc_graph_value *row =
        is_row ? xc_graph_reshape(&im->graph, c, &columns, 1) : c;
    bias = row ? xc_graph_get_plain(&im->graph, row) : bias;
    bias = scaled(im, bias, xc_onnx_float(im, "beta", 1));
    if (mlirValueIsNull(bias))
      return none;
  }
  if (is_row)
    operands[2] = bias;
  xc_attribute attributes[] = {
      xc_bool("transpose_a", xc_onnx_int(im, "transA", 0) != 0),
      xc_bool("transpose_b", transpose_b)};
  MlirValue result =
      xc_graph_emit(&im->graph, NULL, XC_TIR_MATMUL, operands, is_row ? 3 : 2,
                    &(xc_attributes){attributes, 2}, XC_ELEMENT_NONE);
  if (c && !is_row) {
    MlirValue sum[] = {result, bias};
    result = xc_graph_emit(&im->graph, "bias", XC_TIR_ADD, sum, 2, NULL,
                           XC_ELEMENT_NONE);
  }
  return result;
}

bool xc_onnx_gemm(xc_onnx_importer *im) {
  return xc_onnx_result_plain(im, 0, xc_onnx_emit_gemm(im));
}

// A vector counts as a matrix of one row (left) or column (right).
static xc_graph_value *as_matrix(xc_onnx_importer *im, xc_graph_value *value,
                                 bool is_right) {
  int64_t size = value->shape.dims[0];
  int64_t dims[] = {is_right ? size : 1, is_right ? 1 : size};
  return value->shape.rank == 1 ? xc_graph_reshape(&im->graph, value, dims, 2)
                                : value;
}

MlirValue xc_onnx_emit_matmul(xc_onnx_importer *im, xc_graph_value *a,
                              xc_graph_value *b, bool transpose_a,
                              bool transpose_b) {
  const MlirValue none = {NULL};
  if (!xc_onnx_check_rank(im, a, 1, XC_MAX_RANK) ||
      !xc_onnx_check_rank(im, b, 1, XC_MAX_RANK))
    return none;
  bool drop_row = a->shape.rank == 1, drop_column = b->shape.rank == 1;
  a = as_matrix(im, a, false);
  b = as_matrix(im, b, true);
  if (!a || !b)
    return none;
  MlirValue operands[] = {xc_graph_get_plain(&im->graph, a),
                          xc_graph_get_plain(&im->graph, b)};
  const xc_attribute attributes[] = {
      xc_bool("transpose_a", transpose_a && !drop_row),
      xc_bool("transpose_b", transpose_b && !drop_column)};
  MlirValue result = xc_graph_emit(
      &im->graph, NULL, XC_TIR_MATMUL, operands, 2,
      &(xc_attributes){attributes, transpose_a || transpose_b ? 2 : 0},
      XC_ELEMENT_NONE);
  if (mlirValueIsNull(result) || (!drop_row && !drop_column))
    return result;
  xc_shape shape;
  xc_shape_of_type(mlirValueGetType(result), &shape);
  int64_t dims[XC_MAX_RANK];
  size_t rank = 0;
  for (size_t i = 0; i < shape.rank; ++i)
    if (!(drop_row && i + 2 == shape.rank) &&
        !(drop_column && i + 1 == shape.rank))
      dims[rank++] = shape.dims[i];
  xc_attribute attribute = xc_ints("shape", dims, rank);
  return xc_graph_emit(&im->graph, "vector", XC_TIR_RESHAPE, &result, 1,
                       &(xc_attributes){&attribute, 1}, XC_ELEMENT_NONE);
}

bool xc_onnx_matmul(xc_onnx_importer *im) {
  xc_graph_value *a, *b;
  return xc_onnx_need_input(im, 0, &a) && xc_onnx_need_input(im, 1, &b) &&
         xc_onnx_result_plain(im, 0,
                              xc_onnx_emit_matmul(im, a, b, false, false));
}
