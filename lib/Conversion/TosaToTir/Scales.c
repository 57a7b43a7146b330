//===- Scales.c - real numbers for integers -------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TOSA says by which factor integers are rescaled, not which real numbers they
// stand for. Where integers are multiplied by weights their scale is free, for
// that of the weights follows: input * weight = factor * output. Where they are
// moved, added or rescaled by themselves the ratio of two scales is known.
//
// Values whose ratios are known are one class, as in union-find: a node has its
// scale as a factor of its parent's. A class whose scale nothing tells takes
// one by which its first value fills the fixed point of a DPU, so that its
// limits are those of the type there, too. The multipliers stay: integers are
// computed as before.
//
//===----------------------------------------------------------------------===//

#include "Scales.h"

#include "OpParams/Quant.h"
#include "dialects/Build.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

typedef struct node {
  struct node *parent; // null: the root of a class
  double factor;       // of the parent's scale
  double scale;        // of a root, 0 until it is known
  bool has_zero;
  int64_t zero;
  xc_element element;
} node;

typedef struct inference {
  xc_arena arena;
  xc_pointer_map nodes; // MlirValue.ptr to node
  const xc_pointer_map *known;
} inference;

static node *node_of(inference *f, MlirValue value) {
  node *n = xc_pointer_map_get(&f->nodes, value.ptr);
  if (n)
    return n;
  xc_shape shape = {.element = XC_ELEMENT_NONE};
  xc_shape_of_type(mlirValueGetType(value), &shape);
  const double *known = xc_pointer_map_get(f->known, value.ptr);
  n = xc_arena_alloc(&f->arena, 1, sizeof(*n));
  *n = (node){
      .factor = 1, .scale = known ? *known : 0, .element = shape.element};
  xc_pointer_map_set(&f->nodes, value.ptr, n);
  return n;
}

// Returns the root, and the node's scale as a factor of the root's. Paths are
// halved.
static node *root_of(node *n, double *factor) {
  for (*factor = 1; n->parent; n = n->parent) {
    if (n->parent->parent) {
      n->factor *= n->parent->factor;
      n->parent = n->parent->parent;
    }
    *factor *= n->factor;
  }
  return n;
}

// a's scale is `ratio` times b's. Scales that contradict each other stay: the
// multipliers then do not agree with them.
static void relate(node *a, node *b, double ratio) {
  double of_a, of_b;
  node *root_a = root_of(a, &of_a), *root_b = root_of(b, &of_b);
  bool knows_a = root_a->scale > 0, knows_b = root_b->scale > 0;
  if (root_a == root_b || !(ratio > 0) || (knows_a && knows_b))
    return;
  root_a->factor = ratio * of_b / of_a;
  root_a->parent = root_b;
  if (knows_a)
    root_b->scale = root_a->scale / root_a->factor;
}

static bool is_known(node *n) {
  double factor;
  return root_of(n, &factor)->scale > 0;
}

static void tell(node *n, double scale) {
  double factor;
  node *root = root_of(n, &factor);
  root->scale = scale / factor;
}

// The largest magnitude is that of int8 at fix point 7.
static double free_scale(const node *n) {
  const double lowest = 1, highest = 127.0 / 128;
  int64_t zero = n->has_zero ? n->zero : 0;
  double below = (double)(zero - xc_element_min(n->element));
  double above = (double)(xc_element_max(n->element) - zero);
  return below * highest > above * lowest ? lowest / below : highest / above;
}

static double scale_of(node *n) {
  double factor;
  if (!is_known(n))
    tell(n, free_scale(n));
  return root_of(n, &factor)->scale * factor;
}

//===----------------------------------------------------------------------===//
// Relations
//===----------------------------------------------------------------------===//

typedef enum relation {
  NONE,
  SAME,    // all operands have the result's scale
  PICK,    // the first has
  MEAN,    // a sum over an axis: its integers, by their count, are a mean's
  RESCALE, // qlinear-requantize
  SUM,     // qlinear-eltwise ADD or SUB
  PRODUCT, // of two values that are no constants
  WEIGHTS, // a constant's scales follow
} relation;

typedef struct relation_row {
  xc_op_kind kind;
  relation relation;
} relation_row;

static const relation_row rows[] = {
    {XC_TIR_RESHAPE, SAME},
    {XC_TIR_FLATTEN, SAME},
    {XC_TIR_SQUEEZE, SAME},
    {XC_TIR_TRANSPOSE, SAME},
    {XC_TIR_STRIDED_SLICE, SAME},
    {XC_TIR_EXPAND, SAME},
    {XC_TIR_PAD, SAME},
    {XC_TIR_CONCAT, SAME},
    {XC_TIR_CAST, SAME},
    {XC_TIR_CLIP, SAME},
    {XC_TIR_RELU, SAME},
    {XC_TIR_MAX, SAME},
    {XC_TIR_MIN, SAME},
    {XC_TIR_MAXPOOL2D, SAME},
    {XC_TIR_REDUCTION_MAX, SAME},
    {XC_TIR_RESIZE, SAME},
    {XC_TIR_ADD, SAME},
    {XC_TIR_SUB, SAME},
    {XC_TIR_GATHER, PICK},
    {XC_TIR_REDUCTION_SUM, MEAN},
    {XC_TIR_QLINEAR_POOL, SAME},
    {XC_TIR_QLINEAR_REQUANTIZE, RESCALE},
    {XC_TIR_QLINEAR_ELTWISE, SUM},
    {XC_TIR_QLINEAR_CONV2D, WEIGHTS},
    {XC_TIR_QLINEAR_DEPTHWISE_CONV2D, WEIGHTS},
    {XC_TIR_QLINEAR_TRANSPOSED_CONV2D, WEIGHTS},
    {XC_TIR_QLINEAR_MATMUL, WEIGHTS},
};

static bool is_integer(MlirValue value) {
  xc_shape shape;
  return xc_shape_of_type(mlirValueGetType(value), &shape) &&
         shape.element != XC_ELEMENT_NONE && shape.element != XC_ELEMENT_I1 &&
         !xc_element_is_float(shape.element);
}

static bool is_constant(const xc_adaptor *op, size_t slot) {
  return !mlirOperationIsNull(xc_constant_of(xc_operand(op, slot)));
}

static relation relation_of(const xc_adaptor *op) {
  relation found = NONE;
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i)
    if (rows[i].kind == op->info->kind)
      found = rows[i].relation;
  if (found == NONE || !is_integer(xc_op_result(op->operation)))
    return NONE;
  if (found == WEIGHTS && !is_constant(op, 1))
    return PRODUCT;
  if (found == SUM && xc_attr_is(op, XC_ATTR_TYPE, XC_ENUM_MUL))
    return PRODUCT;
  return found;
}

static node *operand_node(inference *f, const xc_adaptor *op, size_t slot) {
  return node_of(f, xc_operand(op, slot));
}

static node *result_node(inference *f, const xc_adaptor *op) {
  return node_of(f, xc_op_result(op->operation));
}

static double factor_at(const xc_adaptor *op, size_t index) {
  return xc_multiplier_real(xc_given_multiplier(op, index));
}

static double count_of(const xc_adaptor *op) {
  xc_shape from = xc_operand_shape(op, 0), to = xc_result_shape(op);
  int64_t each = xc_shape_num_elements(&to);
  return each ? (double)(xc_shape_num_elements(&from) / each) : 1;
}

static void relate_operator(inference *f, const xc_adaptor *op) {
  node *result = result_node(f, op);
  switch (relation_of(op)) {
  case SAME:
    for (size_t slot = 0; slot < op->info->num_operands; ++slot)
      if (xc_has_operand(op, slot) && !is_constant(op, slot))
        relate(result, operand_node(f, op, slot), 1);
    break;
  case PICK:
    if (!is_constant(op, 0))
      relate(result, operand_node(f, op, 0), 1);
    break;
  case MEAN:
    relate(result, operand_node(f, op, 0), 1 / count_of(op));
    break;
  case RESCALE:
    if (xc_has_multipliers(op))
      relate(operand_node(f, op, 0), result, factor_at(op, 0));
    break;
  case SUM:
    for (size_t slot = 0; slot < 2 && xc_has_multipliers(op); ++slot)
      relate(operand_node(f, op, slot), result, xc_eltwise_factor(op, slot));
    break;
  default:
    break;
  }
}

//===----------------------------------------------------------------------===//
// Zero points
//===----------------------------------------------------------------------===//

static void set_zero(node *n, int64_t zero) {
  if (!n->has_zero)
    *n = (node){n->parent, n->factor, n->scale, true, zero, n->element};
}

// Pools that round about 0 do not tell what the zero point is.
static void read_zeros(inference *f, const xc_adaptor *op) {
  static const xc_attr names[] = {XC_ATTR_A_ZERO_POINT, XC_ATTR_B_ZERO_POINT};
  if (op->info->kind == XC_TIR_QLINEAR_POOL || !xc_has_multipliers(op))
    return;
  set_zero(result_node(f, op), xc_output_quant(op).zero_point);
  if (op->info->kind == XC_TIR_QLINEAR_ELTWISE)
    for (size_t slot = 0; slot < 2; ++slot)
      set_zero(operand_node(f, op, slot), xc_attr_int(op, names[slot]));
  else
    set_zero(operand_node(f, op, 0), xc_input_quant(op).zero_point);
}

// Where a value is moved its zero point is, too.
static void move_zeros(inference *f, const xc_adaptor *op) {
  relation found = relation_of(op);
  if ((found != SAME && found != PICK) || is_constant(op, 0))
    return;
  node *input = operand_node(f, op, 0), *result = result_node(f, op);
  if (input->has_zero)
    set_zero(result, input->zero);
  else if (result->has_zero)
    set_zero(input, result->zero);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

// a * b = factor * result: two of them are told, and the third follows.
static void solve_product(inference *f, const xc_adaptor *op) {
  if (relation_of(op) != PRODUCT || !xc_has_multipliers(op))
    return;
  bool is_eltwise = op->info->kind == XC_TIR_QLINEAR_ELTWISE;
  double factor = factor_at(op, is_eltwise ? 2 : 0);
  node *a = operand_node(f, op, 0), *b = operand_node(f, op, 1);
  node *result = result_node(f, op);
  if (!is_known(result))
    tell(result, scale_of(a) * scale_of(b) / factor);
  else if (!is_known(b))
    tell(b, factor * scale_of(result) / scale_of(a));
  else if (!is_known(a))
    tell(a, factor * scale_of(result) / scale_of(b));
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static void set(const xc_adaptor *op, xc_attribute attribute) {
  MlirContext context = mlirOperationGetContext(op->operation);
  mlirOperationSetAttributeByName(op->operation, xc_ref(attribute.name),
                                  xc_attribute_get(context, &attribute));
}

// A channel that is multiplied by 0 has weights near it.
static void write_weights(inference *f, const xc_adaptor *op) {
  size_t count = xc_attr_floats(op, XC_ATTR_WEIGHT_SCALE, NULL, 0);
  float *scales = xc_arena_alloc(&f->arena, count + 1, sizeof(*scales));
  double input = scale_of(operand_node(f, op, 0));
  double output = scale_of(result_node(f, op));
  for (size_t i = 0; i < count; ++i) {
    const float least = 1e-30f;
    scales[i] = (float)(factor_at(op, i) * output / input);
    if (!(scales[i] > least))
      scales[i] = least;
  }
  if (relation_of(op) == PRODUCT)
    scales[0] = (float)scale_of(operand_node(f, op, 1));
  set(op, xc_floats("weight_scale", scales, count));
}

static void write_scales(inference *f, const xc_adaptor *op) {
  relation found = relation_of(op);
  bool is_pool = op->info->kind == XC_TIR_QLINEAR_POOL;
  if (found == NONE || (!is_pool && !xc_has_multipliers(op)))
    return;
  bool is_eltwise = op->info->kind == XC_TIR_QLINEAR_ELTWISE;
  double input = scale_of(operand_node(f, op, 0));
  set(op, xc_float(is_eltwise ? "a_scale" : "input_scale", input));
  if (is_eltwise)
    set(op, xc_float("b_scale", scale_of(operand_node(f, op, 1))));
  set(op, xc_float("output_scale", scale_of(result_node(f, op))));
  if (xc_has_attr(op, XC_ATTR_WEIGHT_SCALE))
    write_weights(f, op);
  // A mean does not depend on it.
  node *result = result_node(f, op);
  if (is_pool && result->has_zero) {
    set(op, xc_int("input_zero_point", result->zero));
    set(op, xc_int("output_zero_point", result->zero));
  }
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

typedef void (*step)(inference *f, const xc_adaptor *op);

static void visit(inference *f, MlirOperation op, step take) {
  xc_adaptor adaptor;
  const xc_op_info *info = xc_op_info_of(op);
  if (info && info->has_result && info->num_operands > 0 &&
      xc_adaptor_of(op, &adaptor))
    take(f, &adaptor);
}

void xc_tosa_infer_scales(MlirBlock block, const xc_pointer_map *known) {
  static const step steps[] = {read_zeros, move_zeros, relate_operator,
                               solve_product, write_scales};
  inference f = {.known = known};
  xc_op_list ops = {0};
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    xc_op_list_add(&ops, op);
  for (size_t s = 0; s < sizeof(steps) / sizeof(*steps); ++s) {
    // Zero points of arguments come from what is after them.
    for (size_t i = ops.count; steps[s] == move_zeros && i-- > 0;)
      visit(&f, ops.items[i], move_zeros);
    for (size_t i = 0; i < ops.count; ++i)
      visit(&f, ops.items[i], steps[s]);
  }
  free(ops.items);
  xc_pointer_map_free(&f.nodes);
  xc_arena_free(&f.arena);
}
