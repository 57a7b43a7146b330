//===- OpsQuant.c - quantised operators -----------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include "Window.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Scales and zero points
//===----------------------------------------------------------------------===//

// Inputs `index` (scale) and `index` + 1 (zero point, may be absent).
static bool read_linear(xc_onnx_importer *im, size_t index,
                        xc_graph_linear *linear) {
  size_t num_points = 0;
  const int64_t *points = NULL;
  if (!xc_onnx_input_floats(im, index, &linear->scales, &linear->count) ||
      (xc_onnx_has_input(im, index + 1) &&
       !xc_onnx_input_ints(im, index + 1, &points, &num_points)))
    return false;
  if (linear->count == 0 || (points && num_points != linear->count))
    return xc_onnx_error(im, "has %zu scales and %zu zero points",
                         linear->count, num_points);
  if (!points)
    points = xc_arena_alloc(&im->graph.arena, linear->count, sizeof(*points));
  for (size_t i = 0; i < linear->count; ++i)
    if (!(linear->scales[i] > 0) || isinf(linear->scales[i]))
      return xc_onnx_error(im, "has scale %g, expected a number above 0",
                           (double)linear->scales[i]);
  linear->zero_points = points;
  return true;
}

static bool read_one(xc_onnx_importer *im, size_t index, float *scale,
                     int64_t *zero_point) {
  xc_graph_linear linear;
  if (!read_linear(im, index, &linear))
    return false;
  if (linear.count != 1)
    return xc_onnx_error(im, "input %zu has %zu scales, expected 1", index,
                         linear.count);
  *scale = linear.scales[0];
  *zero_point = linear.zero_points[0];
  return true;
}

// The zero point's type says which integers are meant.
static xc_element element_of_input(const xc_onnx_importer *im, size_t index) {
  const xc_graph_value *value = xc_onnx_input(im, index);
  return value ? value->shape.element : XC_ELEMENT_UI8;
}

static bool integer_range(xc_element element, double *low, double *high) {
  switch (element) {
  case XC_ELEMENT_I8:
    *low = -128, *high = 127;
    return true;
  case XC_ELEMENT_UI8:
    *low = 0, *high = 255;
    return true;
  case XC_ELEMENT_I16:
    *low = -32768, *high = 32767;
    return true;
  case XC_ELEMENT_UI16:
    *low = 0, *high = 65535;
    return true;
  case XC_ELEMENT_I32:
    *low = INT32_MIN, *high = INT32_MAX;
    return true;
  default:
    return false;
  }
}

static int64_t to_integer(double steps, int64_t zero_point,
                          const xc_onnx_integers *integers) {
  if (integers->is_bipolar)
    return steps + (double)zero_point >= 0 ? 1 : -1;
  double whole = nearbyint(steps) + (double)zero_point;
  return (int64_t)fmax(integers->low, fmin(integers->high, whole));
}

xc_graph_value *xc_onnx_quantized_constant(xc_onnx_importer *im,
                                           const xc_graph_value *value,
                                           const xc_graph_linear *linear,
                                           const xc_onnx_integers *integers) {
  xc_element element = integers->element;
  xc_shape shape = value->shape;
  shape.element = element;
  bool splat = value->splat && linear->count == 1;
  int64_t total = splat ? 1 : xc_shape_num_elements(&shape), inner = 1;
  for (size_t i = linear->axis + 1; i < shape.rank; ++i)
    inner *= shape.dims[i];
  uint8_t *data = xc_graph_alloc(&im->graph, total, xc_element_size(element));
  if (!data || value->shape.element != XC_ELEMENT_F32)
    return NULL;
  for (int64_t i = 0; i < total; ++i) {
    size_t c =
        linear->count == 1 ? 0 : (size_t)(i / inner % (int64_t)linear->count);
    float steps = (float)xc_graph_load(value, i).real / linear->scales[c];
    xc_graph_store(element, data, i,
                   (xc_graph_number){
                       .integer = to_integer(
                           (double)steps, linear->zero_points[c], integers)});
  }
  return xc_graph_constant(&im->graph, im->graph.node, &shape, data, splat);
}

static xc_element quantized_element(xc_onnx_importer *im, bool quantizes) {
  int64_t type = xc_onnx_int(im, "output_dtype", 0);
  if (quantizes && !xc_onnx_has_input(im, 2) && type)
    return xc_onnx_element((int32_t)type);
  return element_of_input(im, quantizes ? 2 : 1);
}

static bool is_computed(const xc_onnx_importer *im, size_t index) {
  return xc_onnx_has_input(im, index) && !xc_onnx_input(im, index)->data;
}

// detail: 1 quantises.
bool xc_onnx_quantize(xc_onnx_importer *im) {
  xc_graph_value *value;
  bool quantizes = im->row->detail != 0;
  xc_graph_linear *linear =
      xc_arena_alloc(&im->graph.arena, 1, sizeof(*linear));
  linear->quantizes = quantizes;
  if (!xc_onnx_need_input(im, 0, &value))
    return false;
  xc_element element = quantized_element(im, quantizes);
  if (element == XC_ELEMENT_NONE)
    return xc_onnx_error(im, "has an element type that xc does not support");
  if (!quantizes && xc_onnx_has_input(im, 2) &&
      element_of_input(im, 2) != value->shape.element)
    return xc_onnx_error(im, "has a zero point of another type than its input");
  if (xc_onnx_int(im, "block_size", 0))
    return xc_onnx_error(im,
                         "has a scale for each block of %" PRId64
                         " elements, which xc does not support",
                         xc_onnx_int(im, "block_size", 0));
  // Those of other domains than ONNX's also round to narrower floats.
  if (xc_element_is_float(quantizes ? element : value->shape.element))
    return xc_onnx_error(im, "quantises to floating point, expected integers");
  if (is_computed(im, 1) || is_computed(im, 2))
    return xc_onnx_quantize_at_run_time(im, quantizes, element);
  if (!read_linear(im, 1, linear))
    return false;
  if (linear->count > 1) {
    if (!xc_graph_axis(&im->graph, xc_onnx_int(im, "axis", 1),
                       value->shape.rank, &linear->axis))
      return false;
    if (value->shape.dims[linear->axis] != (int64_t)linear->count)
      return xc_onnx_error(
          im, "has %zu scales, expected %" PRId64 " as dimension %zu is long",
          linear->count, value->shape.dims[linear->axis], linear->axis);
  }
  xc_graph_value *result = NULL;
  xc_onnx_integers integers = {.element = element};
  if (quantizes && value->data &&
      integer_range(element, &integers.low, &integers.high))
    result = xc_onnx_quantized_constant(im, value, linear, &integers);
  if (!result)
    result = xc_graph_quantised(&im->graph, value, linear, element);
  return xc_onnx_result_alias(im, 0, result);
}

//===----------------------------------------------------------------------===//
// QLinearConv and QLinearMatMul
//===----------------------------------------------------------------------===//

/// The scales of x, w and y, which come as inputs 1, 4 and 6.
typedef struct product_scales {
  float input, output;
  int64_t input_zero, output_zero;
  xc_graph_linear weight;
} product_scales;

static bool read_product(xc_onnx_importer *im, product_scales *scales) {
  return read_one(im, 1, &scales->input, &scales->input_zero) &&
         read_linear(im, 4, &scales->weight) &&
         read_one(im, 6, &scales->output, &scales->output_zero);
}

static size_t add_product(const product_scales *s, xc_attribute *attributes) {
  attributes[0] = xc_float("input_scale", (double)s->input);
  attributes[1] = xc_int("input_zero_point", s->input_zero);
  attributes[2] = xc_floats("weight_scale", s->weight.scales, s->weight.count);
  attributes[3] =
      xc_ints("weight_zero_point", s->weight.zero_points, s->weight.count);
  attributes[4] = xc_float("output_scale", (double)s->output);
  attributes[5] = xc_int("output_zero_point", s->output_zero);
  attributes[6] = xc_string("flavor", "ONNX");
  return 7;
}

bool xc_onnx_qlinear_conv(xc_onnx_importer *im) {
  xc_onnx_conv_layer layer;
  product_scales scales;
  if (!xc_onnx_read_conv(im, 3, 8, &layer) || !read_product(im, &scales))
    return false;
  layer.num_attributes +=
      add_product(&scales, layer.attributes + layer.num_attributes);
  return xc_onnx_emit_conv(im, &layer, XC_TIR_QLINEAR_CONV2D,
                           XC_TIR_QLINEAR_DEPTHWISE_CONV2D,
                           element_of_input(im, 7));
}

bool xc_onnx_qlinear_matmul(xc_onnx_importer *im) {
  xc_graph_value *a, *b;
  product_scales scales;
  if (!xc_onnx_need_input(im, 0, &a) || !xc_onnx_need_input(im, 3, &b) ||
      !read_product(im, &scales))
    return false;
  MlirValue operands[] = {xc_graph_get_plain(&im->graph, a),
                          xc_graph_get_plain(&im->graph, b)};
  xc_attribute attributes[8];
  size_t count = add_product(&scales, attributes);
  return xc_onnx_result_plain(im, 0,
                              xc_graph_emit(&im->graph, NULL,
                                            XC_TIR_QLINEAR_MATMUL, operands, 2,
                                            &(xc_attributes){attributes, count},
                                            element_of_input(im, 7)));
}

// Returns the integers without their zero point, as i32, or as floats.
static MlirValue centred(xc_onnx_importer *im, xc_graph_value *value,
                         size_t point_index, xc_element element) {
  xc_graph_value *point = xc_onnx_input(im, point_index);
  MlirValue mlir = xc_graph_get_plain(&im->graph, value);
  mlir = xc_graph_emit_cast(&im->graph, "wide", mlir, element);
  if (!point)
    return mlir;
  MlirValue zero = xc_graph_get_plain(&im->graph, point);
  MlirValue operands[] = {
      mlir, xc_graph_emit_cast(&im->graph, "zero", zero, element)};
  return xc_graph_emit(&im->graph, "centred", XC_TIR_SUB, operands, 2, NULL,
                       XC_ELEMENT_NONE);
}

bool xc_onnx_matmul_integer(xc_onnx_importer *im) {
  xc_graph_value *a, *b;
  if (!xc_onnx_need_input(im, 0, &a) || !xc_onnx_need_input(im, 1, &b))
    return false;
  bool is_real = xc_element_is_float(a->shape.element) ||
                 xc_element_is_float(b->shape.element);
  xc_element element = is_real ? XC_ELEMENT_F32 : XC_ELEMENT_I32;
  MlirValue operands[] = {centred(im, a, 2, element),
                          centred(im, b, 3, element)};
  return xc_onnx_result_plain(im, 0,
                              xc_graph_emit(&im->graph, NULL, XC_TIR_MATMUL,
                                            operands, 2, NULL,
                                            XC_ELEMENT_NONE));
}

// Whole numbers in floats: f32 holds the sums of this many products.
static xc_element element_of_sums(MlirValue weight) {
  enum { EXACT = 1 << 24, LARGEST = 255 * 255 };
  xc_shape shape = xc_value_shape(weight);
  int64_t terms =
      shape.dims[0] ? xc_shape_num_elements(&shape) / shape.dims[0] : 0;
  return terms <= EXACT / LARGEST ? XC_ELEMENT_F32 : XC_ELEMENT_F64;
}

// Returns an operand of ConvInteger without its zero point, which is one for
// all.
static MlirValue real_operand(xc_onnx_importer *im, MlirValue mlir,
                              size_t point, xc_element element) {
  xc_graph_value *zero = xc_onnx_input(im, point);
  mlir = xc_graph_emit_cast(&im->graph, "real", mlir, element);
  if (!zero)
    return mlir;
  if (xc_shape_num_elements(&zero->shape) != 1) {
    xc_onnx_error(im, "input %zu has several zero points, expected 1", point);
    return (MlirValue){NULL};
  }
  zero = xc_graph_reshape(&im->graph, zero, NULL, 0);
  if (!zero)
    return (MlirValue){NULL};
  return xc_graph_emit_binary(
      &im->graph, "centred", XC_TIR_SUB, mlir,
      xc_graph_emit_cast(&im->graph, "zero",
                         xc_graph_get_plain(&im->graph, zero), element));
}

bool xc_onnx_conv_integer(xc_onnx_importer *im) {
  enum { NO_BIAS = 4 };
  xc_onnx_conv_layer layer;
  if (!xc_onnx_read_conv(im, 1, NO_BIAS, &layer) ||
      mlirValueIsNull(layer.operands[1]))
    return false;
  bool is_real = xc_element_is_float(element_of_input(im, 0));
  xc_element element =
      is_real ? XC_ELEMENT_F32 : element_of_sums(layer.operands[1]);
  for (size_t i = 0; i < 2; ++i)
    layer.operands[i] = real_operand(im, layer.operands[i], i + 2, element);
  layer.num_operands = 2;
  MlirValue sums = xc_graph_emit(
      &im->graph, "sums",
      layer.groups.is_depthwise ? XC_TIR_DEPTHWISE_CONV2D : XC_TIR_CONV2D,
      layer.operands, 2,
      &(xc_attributes){layer.attributes, layer.num_attributes},
      XC_ELEMENT_NONE);
  if (!is_real)
    sums = xc_graph_emit(&im->graph, NULL, XC_TIR_CAST, &sums, 1, NULL,
                         XC_ELEMENT_I32);
  return xc_onnx_result_2d(im, 0, sums, layer.rank);
}

//===----------------------------------------------------------------------===//
// The com.microsoft operators
//===----------------------------------------------------------------------===//

/// QGemm: a and its scale and zero point, those of b, the bias c, and the
/// result's scale and zero point, without which it is float.
typedef struct qgemm {
  MlirValue operands[3]; // a as it is multiplied, b, c
  bool transpose_b;
  float input;
  int64_t input_zero;
  xc_graph_linear weight;
} qgemm;

static bool read_qgemm(xc_onnx_importer *im, qgemm *g) {
  xc_graph_value *a, *b, *c = xc_onnx_input(im, 6);
  xc_graph_order swapped = {{1, 0}};
  if (!xc_onnx_need_input(im, 0, &a) || !xc_onnx_need_input(im, 3, &b) ||
      !xc_onnx_check_rank(im, a, 2, 2) || !xc_onnx_check_rank(im, b, 2, 2) ||
      !read_one(im, 1, &g->input, &g->input_zero) ||
      !read_linear(im, 4, &g->weight))
    return false;
  if (xc_onnx_int(im, "transA", 0))
    a = xc_graph_transpose(&im->graph, a, &swapped);
  if (!a)
    return false;
  g->input *= xc_onnx_float(im, "alpha", 1);
  g->transpose_b = xc_onnx_int(im, "transB", 0) != 0;
  g->operands[0] = xc_graph_get_plain(&im->graph, a);
  g->operands[1] = xc_graph_get_plain(&im->graph, b);
  int64_t columns = b->shape.dims[!g->transpose_b];
  if (!c)
    return true;
  if (xc_shape_num_elements(&c->shape) != columns)
    return xc_onnx_error(im,
                         "has a C of %" PRId64 " elements, expected one for "
                         "each of %" PRId64 " columns",
                         xc_shape_num_elements(&c->shape), columns);
  c = xc_graph_reshape(&im->graph, c, &columns, 1);
  if (!c)
    return false;
  g->operands[2] = xc_graph_get_plain(&im->graph, c);
  return true;
}

// The sums of integers times their scale.
static bool result_qgemm_float(xc_onnx_importer *im, const qgemm *g) {
  xc_graph *graph = &im->graph;
  MlirValue operands[3] = {g->operands[0], g->operands[1], g->operands[2]};
  for (size_t i = 0; i < 2; ++i) {
    operands[i] =
        xc_graph_emit_cast(graph, "wide", operands[i], XC_ELEMENT_I32);
    int64_t zero = i ? g->weight.zero_points[0] : g->input_zero;
    operands[i] = xc_graph_emit_with(graph, "centred", XC_TIR_SUB, operands[i],
                                     (double)zero);
  }
  if (g->weight.count != 1)
    return xc_onnx_error(im,
                         "has several scales and a result in floating point");
  const xc_attribute attributes[] = {xc_bool("transpose_b", g->transpose_b)};
  MlirValue sums = xc_graph_emit(graph, "sums", XC_TIR_MATMUL, operands,
                                 mlirValueIsNull(operands[2]) ? 2 : 3,
                                 XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
  sums = xc_graph_emit_cast(graph, "real", sums, XC_ELEMENT_F32);
  return xc_onnx_result_plain(
      im, 0,
      xc_graph_emit_with(graph, NULL, XC_TIR_MUL, sums,
                         (double)g->input * (double)g->weight.scales[0]));
}

bool xc_onnx_qgemm(xc_onnx_importer *im) {
  qgemm g = {.transpose_b = false};
  product_scales scales;
  if (!read_qgemm(im, &g))
    return false;
  if (!xc_onnx_has_input(im, 7))
    return result_qgemm_float(im, &g);
  scales.input = g.input;
  scales.input_zero = g.input_zero;
  scales.weight = g.weight;
  if (!read_one(im, 7, &scales.output, &scales.output_zero))
    return false;
  xc_attribute attributes[8];
  size_t count = add_product(&scales, attributes);
  attributes[count++] = xc_bool("transpose_b", g.transpose_b);
  return xc_onnx_result_plain(
      im, 0,
      xc_graph_emit(&im->graph, NULL, XC_TIR_QLINEAR_MATMUL, g.operands,
                    mlirValueIsNull(g.operands[2]) ? 2 : 3,
                    &(xc_attributes){attributes, count},
                    element_of_input(im, 8)));
}

// Below operator set 13 the dimensions from `axis` on are one.
bool xc_onnx_qlinear_softmax(xc_onnx_importer *im) {
  enum { ALONG_ONE_AXIS = 13 };
  xc_graph_value *value;
  size_t axis;
  xc_attribute attributes[ONNX_IN_OUT + 1];
  if (!xc_onnx_need_input(im, 0, &value) ||
      !xc_graph_axis(&im->graph, xc_onnx_int(im, "axis", -1), value->shape.rank,
                     &axis) ||
      !xc_onnx_read_in_out(im, attributes))
    return false;
  bool is_flat = xc_onnx_int(im, "opset", im->opset) < ALONG_ONE_AXIS;
  const int64_t dims[] = {
      xc_graph_product(&value->shape, 0, axis),
      xc_graph_product(&value->shape, axis, value->shape.rank)};
  MlirValue input = xc_graph_get_plain(&im->graph, value);
  if (is_flat)
    input = xc_graph_emit_reshape(&im->graph, input, dims, 2);
  attributes[ONNX_IN_OUT] = xc_int("axis", is_flat ? 1 : (int64_t)axis);
  MlirValue result =
      xc_graph_emit(&im->graph, NULL, XC_TIR_QLINEAR_SOFTMAX, &input, 1,
                    XC_ATTRIBUTES(attributes), value->shape.element);
  if (is_flat)
    result = xc_graph_emit_reshape(&im->graph, result, value->shape.dims,
                                   value->shape.rank);
  return xc_onnx_result_plain(im, 0, result);
}

// detail: 0 adds, 1 multiplies. A, its scale and zero point, B, ..., C's.
bool xc_onnx_qlinear_binary(xc_onnx_importer *im) {
  xc_graph_value *values[2];
  MlirValue operands[2];
  xc_graph_order order;
  float a, b, c;
  int64_t a_zero, b_zero, c_zero;
  if (!xc_onnx_need_input(im, 0, &values[0]) ||
      !xc_onnx_need_input(im, 3, &values[1]) || !read_one(im, 1, &a, &a_zero) ||
      !read_one(im, 4, &b, &b_zero) || !read_one(im, 6, &c, &c_zero) ||
      !xc_graph_broadcast(&im->graph, values, 2, operands, &order))
    return false;
  xc_attribute attributes[] = {
      xc_string("type", im->row->detail ? "MUL" : "ADD"),
      xc_float("a_scale", (double)a),
      xc_int("a_zero_point", a_zero),
      xc_float("b_scale", (double)b),
      xc_int("b_zero_point", b_zero),
      xc_float("output_scale", (double)c),
      xc_int("output_zero_point", c_zero),
      xc_string("flavor", "ONNX")};
  return xc_onnx_emit_result(im, XC_TIR_QLINEAR_ELTWISE, operands, 2,
                             &(xc_attributes){attributes, 8},
                             values[0]->shape.element, &order);
}

// X, its scale and zero point, Y's scale and zero point.
bool xc_onnx_read_in_out(xc_onnx_importer *im, xc_attribute *attributes) {
  float input = 0, output = 0;
  int64_t input_zero = 0, output_zero = 0;
  if (!read_one(im, 1, &input, &input_zero) ||
      !read_one(im, 3, &output, &output_zero))
    return false;
  attributes[0] = xc_float("input_scale", (double)input);
  attributes[1] = xc_int("input_zero_point", input_zero);
  attributes[2] = xc_float("output_scale", (double)output);
  attributes[3] = xc_int("output_zero_point", output_zero);
  attributes[4] = xc_string("flavor", "ONNX");
  return true;
}

// detail: 0 LeakyRelu, 1 Sigmoid.
bool xc_onnx_qlinear_activation(xc_onnx_importer *im) {
  xc_graph_value *value;
  xc_attribute attributes[7] = {
      xc_string("type", im->row->detail ? "SIGMOID" : "LEAKYRELU"),
      xc_float("alpha", (double)xc_onnx_float(im, "alpha", 0.01f))};
  if (!xc_onnx_need_input(im, 0, &value) ||
      !xc_onnx_read_in_out(im, attributes + 2))
    return false;
  xc_graph_order order = xc_graph_cheapest(value);
  MlirValue input = xc_graph_get(&im->graph, value, &order);
  return xc_onnx_emit_result(im, XC_TIR_QLINEAR_ACTIVATION, &input, 1,
                             &(xc_attributes){attributes, 7},
                             value->shape.element, &order);
}

bool xc_onnx_qlinear_global_pool(xc_onnx_importer *im) {
  xc_graph_value *value;
  xc_attribute attributes[7] = {xc_string("type", "AVG"),
                                xc_bool("global", true)};
  if (!xc_onnx_need_input(im, 0, &value) ||
      !xc_onnx_check_rank(im, value, 4, 4) ||
      !xc_onnx_read_in_out(im, attributes + 2))
    return false;
  xc_graph_order order = xc_onnx_int(im, "channels_last", 0)
                             ? xc_graph_identity(4)
                             : xc_graph_channels_last(4);
  MlirValue input = xc_graph_get(&im->graph, value, &order);
  return xc_onnx_emit_result(im, XC_TIR_QLINEAR_POOL, &input, 1,
                             &(xc_attributes){attributes, 7}, XC_ELEMENT_NONE,
                             &order);
}

// Y's scale and zero point, then X, its scale and zero point for each input.
bool xc_onnx_qlinear_concat(xc_onnx_importer *im) {
  enum { MOST = 16 };
  xc_graph_value *values[MOST];
  MlirValue operands[MOST];
  float scales[MOST], output;
  int64_t zeros[MOST], output_zero;
  xc_graph_order order;
  size_t axis, inputs = xc_onnx_num_inputs(im), count = (inputs - 2) / 3;
  if (inputs < 5 || inputs % 3 != 2 || count > MOST)
    return xc_onnx_error(im,
                         "has %zu inputs, expected 2 + 3 * n with n up "
                         "to %d",
                         inputs, MOST);
  if (!read_one(im, 0, &output, &output_zero))
    return false;
  for (size_t i = 0; i < count; ++i)
    if (!xc_onnx_need_input(im, 2 + 3 * i, &values[i]) ||
        !read_one(im, 3 + 3 * i, &scales[i], &zeros[i]))
      return false;
  if (!xc_graph_axis(&im->graph, xc_onnx_int(im, "axis", 0),
                     values[0]->shape.rank, &axis) ||
      !xc_graph_broadcast(&im->graph, values, count, operands, &order))
    return false;
  xc_attribute attributes[] = {
      xc_int("axis", (int64_t)xc_graph_position(&order, axis)),
      xc_floats("input_scale", scales, count),
      xc_ints("input_zero_point", zeros, count),
      xc_float("output_scale", (double)output),
      xc_int("output_zero_point", output_zero),
      xc_string("flavor", "ONNX")};
  return xc_onnx_emit_result(im, XC_TIR_QLINEAR_CONCAT, operands, count,
                             &(xc_attributes){attributes, 6}, XC_ELEMENT_NONE,
                             &order);
}
