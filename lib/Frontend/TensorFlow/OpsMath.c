//===- OpsMath.c - arithmetic, activations, reductions --------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include "xc-c/FixedPoint.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Fixed point
//===----------------------------------------------------------------------===//

// A constant on its grid: what reads it puts a fix behind it.
static bool fix_constant(xc_tf_importer *im, xc_graph_value *value,
                         const xc_tf_grid *grid) {
  xc_graph *g = &im->graph;
  int64_t count = value->splat ? 1 : xc_shape_num_elements(&value->shape);
  XcFixType type = {(uint8_t)grid->bit_width, true};
  float *data = xc_graph_alloc(g, count, sizeof(*data));
  xc_tf_grid *note = xc_arena_alloc(&g->arena, 1, sizeof(*note));
  if (!data)
    return xc_tf_error(im, "its input is larger than the file accounts for");
  for (int64_t i = 0; i < count; ++i)
    data[i] = xcFix((float)xc_graph_to_real(xc_graph_load(value, i)),
                    (int)grid->fix_point, type, XcRoundModeStd);
  *note = *grid;
  xc_graph_value *result =
      xc_graph_constant(g, im->node->name, &value->shape, data, value->splat);
  result->note = note;
  return xc_tf_result(im, 0, result);
}

bool xc_tf_fix_neuron(xc_tf_importer *im) {
  xc_graph_value *value = xc_tf_input(im, 0);
  const xc_tf_grid grid = {xc_tf_int(im, "bit_width", 8),
                           xc_tf_int(im, "quantize_pos", 0)};
  bool all_zero = grid.fix_point == INT8_MAX;
  if (!value)
    return false;
  if (xc_tf_int(im, "phase", 1) == 0)
    return xc_tf_error(im, "the graph is of a calibration: take the "
                           "quantize_eval_model.pb");
  if (value->shape.element != XC_ELEMENT_F32)
    return xc_tf_error(im, "its input is not of floats");
  const xc_tf_grid used = {grid.bit_width, all_zero ? 0 : grid.fix_point};
  if (used.bit_width < 1 || used.bit_width > 16 ||
      used.fix_point < -XC_FIX_POINT_MAX || used.fix_point > XC_FIX_POINT_MAX)
    return xc_tf_error(im, "it has %" PRId64 " bits at position %" PRId64,
                       grid.bit_width, grid.fix_point);
  if (value->data)
    return fix_constant(im, value, &used);
  const xc_attribute attributes[] = {
      xc_int("bit_width", used.bit_width), xc_int("fix_point", used.fix_point),
      xc_bool("if_signed", true), xc_string("round_mode", "DPU_ROUND")};
  xc_graph_order order = xc_graph_cheapest(value);
  MlirValue x = xc_tf_get(im, value, &order);
  return xc_tf_result_computed(im, 0,
                               xc_graph_emit(&im->graph, NULL, XC_TIR_FIX, &x,
                                             1, XC_ATTRIBUTES(attributes),
                                             XC_ELEMENT_NONE),
                               &order);
}

bool xc_tf_fake_quant(xc_tf_importer *im) {
  bool has_inputs = im->node->row->detail == 1;
  double limits[] = {xc_tf_real(im, "min", -6), xc_tf_real(im, "max", 6)};
  xc_graph_value *value = xc_tf_input(im, 0);
  int64_t bits = xc_tf_int(im, "num_bits", 8);
  for (size_t i = 0; value && has_inputs && i < 2; ++i) {
    xc_graph_value *limit = xc_tf_input(im, 1 + i);
    if (!limit)
      return false;
    if (!limit->data || xc_shape_num_elements(&limit->shape) != 1)
      return xc_tf_error(im, "its limits are computed at run time");
    limits[i] = xc_graph_to_real(xc_graph_load(limit, 0));
  }
  if (!value)
    return false;
  if (bits < 2 || bits > 16 || !(limits[0] < limits[1]))
    return xc_tf_error(im, "it has %" PRId64 " bits from %g to %g", bits,
                       limits[0], limits[1]);
  const xc_graph_fake_quant quant = {limits[0], limits[1], bits,
                                     xc_tf_bool(im, "narrow_range", false)};
  xc_graph_order order = xc_graph_cheapest(value);
  return xc_tf_result_computed(
      im, 0,
      xc_graph_emit_fake_quant(&im->graph, xc_tf_get(im, value, &order),
                               &quant),
      &order);
}

//===----------------------------------------------------------------------===//
// One input
//===----------------------------------------------------------------------===//

static bool emit_unary(xc_tf_importer *im, xc_op_kind kind,
                       const xc_attributes *attributes) {
  xc_graph_value *value = xc_tf_input(im, 0);
  if (!value)
    return false;
  xc_graph_order order = xc_graph_cheapest(value);
  MlirValue x = xc_tf_get(im, value, &order);
  return xc_tf_result_computed(
      im, 0,
      xc_graph_emit(&im->graph, NULL, kind, &x, 1, attributes, XC_ELEMENT_NONE),
      &order);
}

// Finds the function by which an operator is folded.
static bool scalar_of(xc_op_kind kind, xc_graph_scalar *scalar) {
  static const struct {
    xc_op_kind kind;
    xc_graph_scalar scalar;
  } rows[] = {{XC_TIR_ABS, XC_GRAPH_ABS},
              {XC_TIR_NEG, XC_GRAPH_NEG},
              {XC_TIR_FLOOR, XC_GRAPH_FLOOR},
              {XC_TIR_CEIL, XC_GRAPH_CEIL},
              {XC_TIR_SQRT, XC_GRAPH_SQRT}};
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i)
    if (rows[i].kind == kind) {
      *scalar = rows[i].scalar;
      return true;
    }
  return false;
}

// detail: the operator.
bool xc_tf_unary(xc_tf_importer *im) {
  xc_op_kind kind = (xc_op_kind)im->node->row->detail;
  xc_graph_value *value = xc_tf_input(im, 0), *folded = NULL;
  xc_graph_scalar scalar;
  if (!value)
    return false;
  if (value->data && scalar_of(kind, &scalar) &&
      !xc_graph_fold_elementwise(&im->graph, scalar, &value,
                                 value->shape.element, &folded))
    return false;
  return folded ? xc_tf_result(im, 0, folded) : emit_unary(im, kind, NULL);
}

bool xc_tf_leaky_relu(xc_tf_importer *im) {
  double fused = xc_tf_real(im, "leakyrelu_alpha", (double)0.2f);
  const xc_attribute alpha[] = {
      xc_float("alpha", xc_tf_real(im, "alpha", fused))};
  return emit_unary(im, XC_TIR_LEAKY_RELU, XC_ATTRIBUTES(alpha));
}

// scale * (x > 0 ? x : alpha * (exp(x) - 1))
bool xc_tf_selu(xc_tf_importer *im) {
  const xc_attribute alpha[] = {xc_float("alpha", 1.6732632423543772)};
  xc_graph_value *value = xc_tf_input(im, 0);
  if (!value)
    return false;
  xc_graph_order order = xc_graph_cheapest(value);
  MlirValue x = xc_tf_get(im, value, &order);
  x = xc_graph_emit(&im->graph, "elu", XC_TIR_ELU, &x, 1, XC_ATTRIBUTES(alpha),
                    XC_ELEMENT_NONE);
  return xc_tf_result_computed(
      im, 0,
      xc_graph_emit_with(&im->graph, NULL, XC_TIR_MUL, x, 1.0507009873554805),
      &order);
}

// Along the last dimension.
bool xc_tf_softmax(xc_tf_importer *im) {
  xc_graph_value *value = xc_tf_input_of_rank(im, 0, 1, XC_MAX_RANK);
  if (!value)
    return false;
  xc_graph_order order = xc_graph_cheapest(value);
  const xc_attribute axis[] = {xc_int(
      "axis", (int64_t)xc_graph_position(&order, value->shape.rank - 1))};
  return emit_unary(im, (xc_op_kind)im->node->row->detail, XC_ATTRIBUTES(axis));
}

bool xc_tf_cast(xc_tf_importer *im) {
  xc_graph_value *value = xc_tf_input(im, 0), *folded = NULL;
  xc_element element = xc_tf_type(im, "DstT", XC_ELEMENT_NONE);
  if (!value)
    return false;
  if (element == XC_ELEMENT_NONE)
    return xc_tf_error(im, "it casts to a type that xc does not support");
  if (value->data && !xc_graph_fold_elementwise(&im->graph, XC_GRAPH_COPY,
                                                &value, element, &folded))
    return false;
  if (folded)
    return xc_tf_result(im, 0, folded);
  xc_graph_order order = xc_graph_cheapest(value);
  return xc_tf_result_computed(im, 0,
                               xc_graph_emit_cast(&im->graph, NULL,
                                                  xc_tf_get(im, value, &order),
                                                  element),
                               &order);
}

//===----------------------------------------------------------------------===//
// Two inputs
//===----------------------------------------------------------------------===//

static bool emit_binary(xc_tf_importer *im, xc_op_kind kind,
                        xc_graph_value *const *values) {
  MlirValue operands[2];
  xc_graph_order order;
  if (!xc_tf_broadcast(im, values, 2, operands, &order))
    return false;
  return xc_tf_result_computed(
      im, 0,
      xc_graph_emit_binary(&im->graph, NULL, kind, operands[0], operands[1]),
      &order);
}

static bool emit_floor_div(xc_tf_importer *im, xc_graph_value *const *values) {
  MlirValue v[2];
  xc_graph_order order;
  return xc_tf_broadcast(im, values, 2, v, &order) &&
         xc_tf_result_computed(
             im, 0, xc_graph_emit_floor_div(&im->graph, v[0], v[1]), &order);
}

static xc_op_kind kind_of(xc_graph_scalar scalar) {
  switch ((int)scalar) {
  case XC_GRAPH_ADD:
    return XC_TIR_ADD;
  case XC_GRAPH_SUB:
    return XC_TIR_SUB;
  case XC_GRAPH_MUL:
    return XC_TIR_MUL;
  case XC_GRAPH_MIN:
    return XC_TIR_MIN;
  case XC_GRAPH_MAX:
    return XC_TIR_MAX;
  default:
    return XC_TIR_DIV;
  }
}

// detail: the scalar. Of constants the result is one.
bool xc_tf_binary(xc_tf_importer *im) {
  xc_graph_scalar scalar = (xc_graph_scalar)im->node->row->detail;
  xc_graph_value *in[2], *folded = NULL;
  for (size_t i = 0; i < 2; ++i)
    if (!(in[i] = xc_tf_input(im, i)))
      return false;
  if (in[0]->data && in[1]->data &&
      !xc_graph_fold_elementwise(&im->graph, scalar, in, in[0]->shape.element,
                                 &folded))
    return false;
  if (folded)
    return xc_tf_result(im, 0, folded);
  return scalar == XC_GRAPH_FLOOR_DIV ? emit_floor_div(im, in)
                                      : emit_binary(im, kind_of(scalar), in);
}

static size_t bias_dim(const xc_tf_importer *im, size_t rank) {
  return rank == 4 || rank == 5 ? xc_tf_channel_dim(im, rank) : rank - 1;
}

xc_graph_value *xc_tf_along_channels(xc_tf_importer *im, xc_graph_value *vector,
                                     const xc_graph_value *image) {
  int64_t dims[XC_MAX_RANK];
  size_t rank = image->shape.rank;
  size_t dim = bias_dim(im, rank);
  for (size_t i = 0; i < rank; ++i)
    dims[i] = i == dim ? vector->shape.dims[0] : 1;
  return xc_graph_reshape(&im->graph, vector, dims, rank);
}

// Whether dimension `dim` of the model is the last one of what was computed.
static bool is_last(const xc_graph_value *value, size_t dim) {
  size_t rank = value->shape.rank;
  return value->forms && value->forms->order.dim[rank - 1] == dim;
}

// A vector that is added to the channels of a convolution or to the columns of
// a product belongs to it.
bool xc_tf_add(xc_tf_importer *im) {
  bool is_bias = strcmp(im->node->row->name, "BiasAdd") == 0;
  for (size_t i = 0; i < (is_bias ? 1 : 2); ++i) {
    xc_graph_value *product = xc_tf_input(im, i),
                   *bias = xc_tf_input(im, 1 - i);
    if (!product || !bias)
      return false;
    size_t rank = product->shape.rank;
    size_t dim = is_bias ? bias_dim(im, rank) : rank - 1;
    if (rank == 0 || !is_last(product, dim))
      continue;
    MlirValue sum = xc_tf_add_bias(im, product, bias);
    if (xc_graph_failed(&im->graph))
      return false;
    if (!mlirValueIsNull(sum)) {
      xc_graph_order order = product->forms->order;
      xc_graph_value *value =
          xc_graph_computed(&im->graph, im->graph.node, sum, &order);
      return xc_tf_result(im, 0, value);
    }
  }
  if (!is_bias)
    return xc_tf_binary(im);
  xc_graph_value *in[] = {xc_tf_input(im, 0), xc_tf_input(im, 1)};
  size_t rank = in[0]->shape.rank;
  if (rank == 0 || in[1]->shape.rank != 1 ||
      in[1]->shape.dims[0] != in[0]->shape.dims[bias_dim(im, rank)])
    return xc_tf_error(im, "its bias does not fit the input");
  in[1] = xc_tf_along_channels(im, in[1], in[0]);
  return in[1] && emit_binary(im, XC_TIR_ADD, in);
}

bool xc_tf_add_n(xc_tf_importer *im) {
  size_t count = im->node->num_inputs;
  xc_graph_value **values =
      xc_arena_alloc(&im->graph.arena, count + 1, sizeof(*values));
  MlirValue *operands =
      xc_arena_alloc(&im->graph.arena, count + 1, sizeof(*operands));
  xc_graph_order order;
  if (count == 0)
    return xc_tf_error(im, "it has no inputs");
  for (size_t i = 0; i < count; ++i)
    if (!(values[i] = xc_tf_input(im, i)))
      return false;
  if (!xc_tf_broadcast(im, values, count, operands, &order))
    return false;
  MlirValue sum = operands[0];
  for (size_t i = 1; i < count; ++i)
    sum = xc_graph_emit_binary(&im->graph, i + 1 == count ? NULL : "partial",
                               XC_TIR_ADD, sum, operands[i]);
  return xc_tf_result_computed(im, 0, sum, &order);
}

// detail 1: of a difference.
bool xc_tf_square(xc_tf_importer *im) {
  xc_graph_value *in[2];
  MlirValue operands[2];
  xc_graph_order order;
  size_t count = im->node->row->detail == 1 ? 2 : 1;
  for (size_t i = 0; i < count; ++i)
    if (!(in[i] = xc_tf_input(im, i)))
      return false;
  if (!xc_tf_broadcast(im, in, count, operands, &order))
    return false;
  MlirValue x = count == 1
                    ? operands[0]
                    : xc_graph_emit_binary(&im->graph, "difference", XC_TIR_SUB,
                                           operands[0], operands[1]);
  return xc_tf_result_computed(
      im, 0, xc_graph_emit_binary(&im->graph, NULL, XC_TIR_MUL, x, x), &order);
}

bool xc_tf_pow(xc_tf_importer *im) {
  xc_graph_value *in[] = {xc_tf_input(im, 0), NULL};
  in[1] = in[0] ? xc_tf_input(im, 1) : NULL;
  return in[1] && emit_binary(im, XC_TIR_POW, in);
}

//===----------------------------------------------------------------------===//
// Leaky ReLUs that are written out
//===----------------------------------------------------------------------===//

// A value that --inputs names comes from elsewhere.
static const xc_tf_node *is_op(const xc_tf_importer *im, const char *value,
                               const char *op) {
  const xc_tf_node *node = xc_tf_node_of(im, value);
  bool same = node && node->row && strcmp(node->row->name, op) == 0 &&
              !xc_graph_is_cut_input(&im->graph, value);
  return same ? node : NULL;
}

// alpha * x with a number alpha: gives the name of x.
static const char *match_scaled(const xc_tf_importer *im, const char *value,
                                double *alpha) {
  const xc_tf_node *mul = is_op(im, value, "Mul");
  for (size_t i = 0; mul && mul->num_inputs == 2 && i < 2; ++i) {
    xc_graph_value *number = xc_graph_find(&im->graph, mul->inputs[i]);
    if (!number || !number->data || xc_shape_num_elements(&number->shape) != 1)
      continue;
    *alpha = xc_graph_to_real(xc_graph_load(number, 0));
    return mul->inputs[1 - i];
  }
  return NULL;
}

static bool result_leaky(xc_tf_importer *im, const char *x, double alpha) {
  xc_graph_value *value = xc_graph_find(&im->graph, x);
  const xc_attribute attribute[] = {xc_float("alpha", alpha)};
  xc_graph_order order = xc_graph_cheapest(value);
  MlirValue mlir = xc_tf_get(im, value, &order);
  return xc_tf_result_computed(
      im, 0,
      xc_graph_emit(&im->graph, NULL, XC_TIR_LEAKY_RELU, &mlir, 1,
                    XC_ATTRIBUTES(attribute), XC_ELEMENT_NONE),
      &order);
}

// max(alpha * x, x) with 0 < alpha < 1
bool xc_tf_maximum(xc_tf_importer *im) {
  double alpha;
  for (size_t i = 0; im->node->num_inputs == 2 && i < 2; ++i) {
    const char *x = match_scaled(im, im->node->inputs[i], &alpha);
    if (x && strcmp(x, im->node->inputs[1 - i]) == 0 && alpha > 0 && alpha < 1)
      return result_leaky(im, x, alpha);
  }
  return xc_tf_binary(im);
}

// relu(x) - alpha * relu(-x)
bool xc_tf_sub(xc_tf_importer *im) {
  double alpha;
  const xc_tf_node *node = im->node;
  const xc_tf_node *relu =
      node->num_inputs == 2 ? is_op(im, node->inputs[0], "Relu") : NULL;
  const char *below = relu ? match_scaled(im, node->inputs[1], &alpha) : NULL;
  const xc_tf_node *other = below ? is_op(im, below, "Relu") : NULL;
  const xc_tf_node *neg = other && other->num_inputs == 1
                              ? is_op(im, other->inputs[0], "Neg")
                              : NULL;
  if (neg && neg->num_inputs == 1 && relu->num_inputs == 1 &&
      strcmp(neg->inputs[0], relu->inputs[0]) == 0)
    return result_leaky(im, relu->inputs[0], alpha);
  return xc_tf_binary(im);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

static bool fold_reduction(xc_tf_importer *im, xc_graph_scalar scalar,
                           const xc_graph_value *value, bool keep,
                           xc_graph_value **result) {
  xc_shape shape = {.element = value->shape.element,
                    .rank = keep ? value->shape.rank : 0};
  for (size_t i = 0; i < shape.rank; ++i)
    shape.dims[i] = 1;
  return xc_graph_fold_reduction(&im->graph, scalar, value, &shape, result);
}

// detail: the operator; XC_TIR_MUL stands for the product, of constants only.
bool xc_tf_reduction(xc_tf_importer *im) {
  xc_op_kind kind = (xc_op_kind)im->node->row->detail;
  int64_t given[XC_MAX_RANK], axes[XC_MAX_RANK];
  size_t count;
  xc_graph_value *value = xc_tf_input(im, 0), *folded = NULL;
  bool keep = xc_tf_bool(im, "keep_dims", false);
  if (!value || !xc_tf_input_ints(im, 1, given, XC_MAX_RANK, &count))
    return false;
  size_t rank = value->shape.rank;
  xc_graph_order order =
      keep ? xc_graph_cheapest(value) : xc_graph_identity(rank);
  bool marked[XC_MAX_RANK] = {false};
  for (size_t i = 0; i < count; ++i) {
    size_t axis;
    if (!xc_graph_axis(&im->graph, given[i], rank, &axis))
      return false;
    if (marked[axis])
      return xc_tf_error(im, "axis %zu is there twice", axis);
    marked[axis] = true;
    axes[i] = (int64_t)xc_graph_position(&order, axis);
  }
  xc_graph_scalar scalar = kind == XC_TIR_MUL             ? XC_GRAPH_MUL
                           : kind == XC_TIR_MIN           ? XC_GRAPH_MIN
                           : kind == XC_TIR_REDUCTION_MAX ? XC_GRAPH_MAX
                                                          : XC_GRAPH_ADD;
  if (value->data && count == rank && kind != XC_TIR_REDUCTION_MEAN &&
      !fold_reduction(im, scalar, value, keep, &folded))
    return false;
  if (folded)
    return xc_tf_result(im, 0, folded);
  if (count == 0)
    return xc_tf_result(im, 0, value);
  xc_graph *graph = &im->graph;
  MlirValue x = xc_tf_get(im, value, &order);
  // The smallest is the largest in the opposite order.
  if (kind == XC_TIR_MIN)
    x = xc_graph_emit_reverse(
        graph, NULL,
        xc_graph_emit_reduction(graph, XC_TIR_REDUCTION_MAX,
                                xc_graph_emit_reverse(graph, "opposite", x),
                                axes, count, keep));
  else if (kind == XC_TIR_MUL)
    x = xc_graph_emit_product(graph, x, axes, count, keep);
  else
    x = xc_graph_emit_reduction(graph, kind, x, axes, count, keep);
  if (!keep)
    order = xc_graph_identity(rank - count);
  return xc_tf_result_computed(im, 0, x, &order);
}

// detail 1: of the smallest.
bool xc_tf_argmax(xc_tf_importer *im) {
  xc_graph_value *value = xc_tf_input(im, 0);
  size_t axis;
  if (!value || !xc_tf_input_axis(im, 1, value->shape.rank, &axis))
    return false;
  const xc_attribute attributes[] = {xc_int("axis", (int64_t)axis)};
  MlirValue x = xc_tf_get_plain(im, value);
  if (im->node->row->detail == 1)
    x = xc_graph_emit_reverse(&im->graph, "opposite", x);
  xc_graph_order order = xc_graph_identity(value->shape.rank - 1);
  return xc_tf_result_computed(
      im, 0,
      xc_graph_emit(&im->graph, NULL, XC_TIR_ARGMAX, &x, 1,
                    XC_ATTRIBUTES(attributes),
                    xc_tf_type(im, "output_type", XC_ELEMENT_I64)),
      &order);
}

//===----------------------------------------------------------------------===//
// Functions of others
//===----------------------------------------------------------------------===//

bool xc_tf_sign(xc_tf_importer *im) {
  xc_graph_value *value = xc_tf_input(im, 0);
  if (!value)
    return false;
  xc_graph_order order = xc_graph_cheapest(value);
  return xc_tf_result_computed(
      im, 0, xc_graph_emit_sign(&im->graph, xc_tf_get(im, value, &order)),
      &order);
}

bool xc_tf_reciprocal(xc_tf_importer *im) {
  xc_graph_value *value = xc_tf_input(im, 0);
  if (!value)
    return false;
  xc_graph_order order = xc_graph_cheapest(value);
  MlirValue one = xc_graph_emit_number(&im->graph, 1, value->shape.element);
  return xc_tf_result_computed(
      im, 0,
      xc_graph_emit_binary(&im->graph, NULL, XC_TIR_DIV, one,
                           xc_tf_get(im, value, &order)),
      &order);
}

// The angle of (x, y).
bool xc_tf_atan2(xc_tf_importer *im) {
  xc_graph_value *in[] = {xc_tf_input(im, 0), xc_tf_input(im, 1)};
  MlirValue v[2];
  xc_graph_order order;
  return in[0] && in[1] && xc_tf_broadcast(im, in, 2, v, &order) &&
         xc_tf_result_computed(
             im, 0, xc_graph_emit_atan2(&im->graph, v[0], v[1]), &order);
}

// The remainder with the sign of the divisor (XC_GRAPH_FLOOR_MOD) or the
// dividend (XC_GRAPH_REM).
bool xc_tf_remainder(xc_tf_importer *im) {
  xc_graph_scalar scalar = (xc_graph_scalar)im->node->row->detail;
  bool floors = scalar == XC_GRAPH_FLOOR_MOD;
  xc_graph_value *in[] = {xc_tf_input(im, 0), xc_tf_input(im, 1)},
                 *folded = NULL;
  MlirValue v[2];
  xc_graph_order order;
  if (!in[0] || !in[1] ||
      (in[0]->data && in[1]->data &&
       !xc_graph_fold_elementwise(&im->graph, scalar, in, in[0]->shape.element,
                                  &folded)))
    return false;
  if (folded)
    return xc_tf_result(im, 0, folded);
  return xc_tf_broadcast(im, in, 2, v, &order) &&
         xc_tf_result_computed(
             im, 0, xc_graph_emit_modulo(&im->graph, v[0], v[1], floors),
             &order);
}

// min(max(x, low), high)
bool xc_tf_clip(xc_tf_importer *im) {
  xc_graph_value *in[] = {xc_tf_input(im, 0), xc_tf_input(im, 1),
                          xc_tf_input(im, 2)};
  MlirValue v[3];
  xc_graph_order order;
  if (!in[0] || !in[1] || !in[2] || !xc_tf_broadcast(im, in, 3, v, &order))
    return false;
  MlirValue low =
      xc_graph_emit_binary(&im->graph, "low", XC_TIR_MAX, v[0], v[1]);
  return xc_tf_result_computed(
      im, 0, xc_graph_emit_binary(&im->graph, NULL, XC_TIR_MIN, low, v[2]),
      &order);
}
