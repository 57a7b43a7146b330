//===- Fold.c - quantised operators from Q and DQ pairs -------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fold.h"

#include "IR/Builder.h"
#include "IR/IR.h"
#include "Qdq.h"
#include "Support/Memory.h"
#include "dialects/Emit.h"
#include "dialects/Resize.h"
#include "xc-c/FixedPoint.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

bool xc_qdq_is_tir(MlirOperation operation, xc_op_kind kind) {
  const xc_op_info *info = xc_op_info_of(operation);
  return info && info->dialect == XC_DIALECT_TIR && info->kind == kind;
}

static xc_op_list collect(MlirBlock block, xc_op_kind kind) {
  xc_op_list list = {0};
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (xc_qdq_is_tir(op, kind))
      xc_op_list_add(&list, op);
  return list;
}

void xc_remove_dead(MlirBlock block) {
  xc_op_list all = {0};
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    xc_op_list_add(&all, op);
  while (all.count-- > 0) {
    const xc_op_info *info = xc_op_info_of(all.items[all.count]);
    if (info && xc_op_may_erase(info) &&
        !xc_value_is_used(xc_op_result(all.items[all.count])))
      mlirOperationDestroy(all.items[all.count]);
  }
  free(all.items);
}

static MlirOperation definition(MlirValue value) {
  return mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value)
                                     : (MlirOperation){NULL};
}

//===----------------------------------------------------------------------===//
// Scales and zero points
//===----------------------------------------------------------------------===//

static bool read_linear(MlirOperation operation, bool quantizes,
                        qdq_linear *linear) {
  xc_adaptor adaptor;
  double scale;
  xc_shape shape;
  if (!xc_adaptor_of(operation, &adaptor))
    return false;
  *linear =
      (qdq_linear){.operation = operation, .source = xc_operand(&adaptor, 0)};
  linear->count = xc_attr_floats(&adaptor, XC_ATTR_SCALE, &scale, 1);
  linear->scale = scale;
  linear->zero_point = xc_attr_int_at(&adaptor, XC_ATTR_ZERO_POINT, 0);
  MlirValue integers = quantizes ? xc_op_result(operation) : linear->source;
  if (!xc_shape_of_type(mlirValueGetType(integers), &shape))
    return false;
  linear->element = shape.element;
  return true;
}

bool xc_qdq_read_result(MlirOperation quantize, qdq_linear *linear) {
  return read_linear(quantize, true, linear);
}

bool xc_qdq_read_input(MlirValue value, qdq_linear *linear) {
  MlirOperation operation = definition(value);
  return !mlirOperationIsNull(operation) &&
         xc_qdq_is_tir(operation, XC_TIR_DEQUANTIZE_LINEAR) &&
         read_linear(operation, false, linear);
}

bool xc_qdq_fix_point(const qdq_linear *linear, int64_t *fix_point) {
  enum { LARGEST = 64 };
  int exponent;
  if (linear->count != 1 || linear->zero_point != 0 ||
      frexp(linear->scale, &exponent) != 0.5)
    return false;
  *fix_point = 1 - exponent;
  return *fix_point >= -LARGEST && *fix_point <= LARGEST;
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

void xc_qdq_add(qdq_attributes *attributes, xc_attribute attribute) {
  assert(attributes->count < 40 && "no operator has as many attributes");
  attributes->list[attributes->count++] = attribute;
}

void xc_qdq_copy(const qdq_match *match, xc_op_kind kind,
                 qdq_attributes *attributes) {
  const xc_op_info *info = xc_op_info_get(XC_DIALECT_TIR, kind);
  for (size_t i = 0; i < info->num_attributes; ++i) {
    const xc_attribute_info *row = &info->attributes[i];
    if (!xc_has_attr(&match->base, row->id))
      continue;
    MlirAttribute value = xc_attr_get(&match->base, row->id);
    if (!mlirAttributeIsNull(value))
      xc_qdq_add(attributes, xc_given(row->name, value));
  }
}

// Returns false where the operator would not verify.
static bool build_in_place(const qdq_match *match, xc_op_kind kind,
                           const MlirValue *operands, size_t num_operands,
                           const qdq_attributes *attributes) {
  qdq_attributes all = *attributes;
  MlirAttribute name = xc_attr_get(&match->base, XC_ATTR_OP_NAME);
  if (!mlirAttributeIsNull(name))
    xc_qdq_add(&all, xc_given("op_name", name));
  xc_builder builder = xc_builder_before(match->result.operation);
  builder.location = mlirOperationGetLocation(match->base.operation);
  MlirValue value = xc_try_build(&builder, kind, operands, num_operands,
                                 all.list, all.count, match->result.element);
  if (mlirValueIsNull(value))
    return false;
  mlirValueReplaceAllUsesOfWith(xc_op_result(match->result.operation), value);
  return true;
}

bool xc_qdq_replace(const qdq_match *match, xc_op_kind kind,
                    const qdq_attributes *attributes) {
  MlirValue operands[XC_MAX_OPERANDS];
  for (size_t i = 0; i < match->num_inputs; ++i)
    operands[i] = match->inputs[i].source;
  return build_in_place(match, kind, operands, match->num_inputs, attributes);
}

// Without tolerance: the model's own numbers are kept to the bit.
bool xc_qdq_is_dpu_leaky(const xc_adaptor *adaptor) {
  return xc_attr_float(adaptor, XC_ATTR_ALPHA) == xcLeakySlope();
}

const char *xc_qdq_nonlinear(const qdq_match *match, bool leaky_too) {
  const xc_adaptor *activation = &match->activation;
  if (!activation->info)
    return "NONE";
  switch ((int)activation->info->kind) {
  case XC_TIR_RELU:
    return "RELU";
  case XC_TIR_RELU6:
    return "RELU6";
  case XC_TIR_LEAKY_RELU:
    return leaky_too && xc_qdq_is_dpu_leaky(activation) ? "LEAKYRELU" : NULL;
  default:
    return NULL;
  }
}

//===----------------------------------------------------------------------===//
// Quantising earlier
//===----------------------------------------------------------------------===//

// Whether each pixel becomes several that are the same.
static bool repeats(MlirOperation operation) {
  xc_adaptor resize;
  int64_t factors[2];
  return xc_qdq_is_tir(operation, XC_TIR_RESIZE) &&
         xc_adaptor_of(operation, &resize) &&
         xc_resize_repeats(&resize, factors);
}

// Rounding keeps the order of numbers: a maximum moves one of them.
static bool only_moves(MlirOperation operation) {
  const xc_op_info *info = xc_op_info_of(operation);
  return (info && info->only_moves) ||
         xc_qdq_is_tir(operation, XC_TIR_CONCAT) ||
         xc_qdq_is_tir(operation, XC_TIR_MAXPOOL2D) || repeats(operation);
}

// Q and DQ of the same numbers as `like`.
static MlirValue build_pair(xc_builder builder, const qdq_linear *like,
                            MlirValue value, MlirOperation *quantize) {
  builder.location = mlirOperationGetLocation(like->operation);
  xc_shape shape;
  xc_shape_of_type(mlirValueGetType(value), &shape);
  float scale = (float)like->scale;
  xc_attribute attributes[3] = {xc_floats("scale", &scale, 1),
                                xc_ints("zero_point", &like->zero_point, 1)};
  MlirAttribute name = xc_op_attribute(like->operation, "op_name");
  size_t count = 2;
  if (!mlirAttributeIsNull(name))
    attributes[count++] = xc_given("op_name", name);
  MlirValue integers = xc_build(&builder, XC_TIR_QUANTIZE_LINEAR, &value, 1,
                                attributes, count, like->element);
  if (mlirValueIsNull(integers))
    return integers;
  *quantize = mlirOpResultGetOwner(integers);
  return xc_build(&builder, XC_TIR_DEQUANTIZE_LINEAR, &integers, 1, attributes,
                  count, shape.element);
}

// Whether all operands are dequantised from the same numbers.
static bool read_inputs(MlirOperation mover, qdq_linear *linear) {
  qdq_linear next;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(mover); ++i) {
    if (!xc_qdq_read_input(mlirOperationGetOperand(mover, i), &next) ||
        next.count != 1 ||
        (i > 0 && (next.scale != linear->scale ||
                   next.zero_point != linear->zero_point ||
                   next.element != linear->element)))
      return false;
    *linear = next;
  }
  return true;
}

// Between zeros or copies of themselves integers stay what they are.
static bool pads(MlirOperation operation) {
  xc_adaptor pad;
  return xc_qdq_is_tir(operation, XC_TIR_PAD) &&
         xc_adaptor_of(operation, &pad) &&
         (!xc_attr_is(&pad, XC_ATTR_MODE, XC_ENUM_CONSTANT) ||
          xc_attr_float(&pad, XC_ATTR_CONSTANT_VALUE) == 0.0);
}

// A dequantised value that only moved still consists of these integers: Q and
// DQ after the move change nothing, and what reads it can be folded.
static bool hold(MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    qdq_linear linear;
    int64_t ignored;
    if (!(only_moves(op) || pads(op)) || !read_inputs(op, &linear) ||
        ((pads(op) || repeats(op)) && !xc_qdq_fix_point(&linear, &ignored)))
      continue;
    MlirValue moved = xc_op_result(op);
    MlirOperation quantize;
    xc_builder builder = xc_builder_before(op);
    builder.before = mlirOperationGetNextInBlock(op);
    MlirValue real = build_pair(builder, &linear, moved, &quantize);
    if (mlirValueIsNull(real))
      return false;
    mlirValueReplaceAllUsesExcept(moved, real, 1, &quantize);
  }
  return true;
}

static bool is_activation(xc_op_kind kind) {
  return kind == XC_TIR_RELU || kind == XC_TIR_RELU6 ||
         kind == XC_TIR_LEAKY_RELU;
}

// Greater numbers stay greater, so that a maximum moves the same one.
static bool is_monotonic(MlirOperation operation) {
  xc_adaptor activation;
  return xc_op_info_of(operation) && xc_adaptor_of(operation, &activation) &&
         is_activation(activation.info->kind) &&
         (activation.info->kind != XC_TIR_LEAKY_RELU ||
          xc_attr_float(&activation, XC_ATTR_ALPHA) >= 0);
}

// relu(reshape(x)) = reshape(relu(x)): next to the operator that computes x, as
// a convolution along one axis between its reshapes, the activation becomes a
// part of it.
static void activate_earlier(MlirOperation activation) {
  if (mlirOperationIsNull(activation) || !is_monotonic(activation))
    return;
  MlirValue moved = mlirOperationGetOperand(activation, 0);
  MlirOperation mover = definition(moved);
  if (mlirOperationIsNull(mover) || !only_moves(mover) ||
      mlirOperationGetNumOperands(mover) != 1 || !xc_value_has_one_use(moved))
    return;
  MlirValue value = mlirOperationGetOperand(mover, 0);
  // An operator whose result has other readers, too, takes no activation.
  if (!xc_value_has_one_use(value))
    return;
  MlirValue active = xc_op_result(activation);
  mlirValueReplaceAllUsesOfWith(active, moved);
  mlirOperationSetOperand(activation, 0, value);
  mlirValueSetType(active, mlirValueGetType(value));
  mlirOperationMoveBefore(activation, mover);
  mlirOperationSetOperand(mover, 0, active);
}

// Q(concat(a, b)) = Q(concat(DQ(Q(a)), DQ(Q(b)))): moving elements and
// quantising them commute, and then a and b can be folded.
static bool spread_one(MlirOperation quantize, xc_op_list *work) {
  qdq_linear linear;
  activate_earlier(definition(mlirOperationGetOperand(quantize, 0)));
  if (!read_linear(quantize, true, &linear) || linear.count != 1)
    return true;
  MlirOperation mover = definition(linear.source);
  if (mlirOperationIsNull(mover) || !only_moves(mover) ||
      !xc_value_has_one_use(linear.source))
    return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(mover); ++i) {
    MlirValue operand = mlirOperationGetOperand(mover, i);
    MlirOperation source = definition(operand), earlier = {NULL};
    // Nothing can be folded into an argument.
    if (mlirOperationIsNull(source) ||
        xc_qdq_is_tir(source, XC_TIR_DEQUANTIZE_LINEAR))
      continue;
    MlirValue value =
        build_pair(xc_builder_before(mover), &linear, operand, &earlier);
    if (mlirValueIsNull(value))
      return false;
    mlirOperationSetOperand(mover, i, value);
    xc_op_list_add(work, earlier);
  }
  return true;
}

static bool spread(MlirBlock block) {
  xc_op_list work = collect(block, XC_TIR_QUANTIZE_LINEAR);
  bool ok = true;
  while (ok && work.count > 0)
    ok = spread_one(work.items[--work.count], &work);
  free(work.items);
  return ok;
}

//===----------------------------------------------------------------------===//
// Folding
//===----------------------------------------------------------------------===//

static bool is_product(xc_op_kind kind) {
  return kind == XC_TIR_CONV2D || kind == XC_TIR_DEPTHWISE_CONV2D ||
         kind == XC_TIR_TRANSPOSED_CONV2D ||
         kind == XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D || kind == XC_TIR_MATMUL;
}

static bool takes_activation(xc_op_kind kind) {
  return is_product(kind) || kind == XC_TIR_ADD || kind == XC_TIR_MUL;
}

// The operator whose only reader is `user`.
static bool adaptor_of_producer(MlirValue value, xc_adaptor *adaptor) {
  MlirOperation operation = definition(value);
  return !mlirOperationIsNull(operation) && xc_op_info_of(operation) &&
         xc_value_has_one_use(value) && xc_adaptor_of(operation, adaptor);
}

// The DPU's average is the field's average times the ratio of two factors, and
// its hard sigmoid has a sixth of its own.
static void skip_factor(qdq_match *match) {
  xc_adaptor before;
  double number;
  if (match->base.info->kind != XC_TIR_MUL || match->activation.info)
    return;
  for (size_t i = 0; i < 2; ++i)
    if (xc_const_number(xc_operand(&match->base, i), &number) &&
        adaptor_of_producer(xc_operand(&match->base, 1 - i), &before) &&
        (before.info->kind == XC_TIR_AVGPOOL2D ||
         before.info->kind == XC_TIR_HARD_SIGMOID)) {
      match->factor = number;
      match->base = before;
      return;
    }
}

static void read_base_inputs(qdq_match *match) {
  enum { BIAS = 2 };
  match->num_inputs = xc_num_inputs(&match->base);
  for (size_t i = 0; i < match->num_inputs; ++i)
    match->has_input[i] = xc_qdq_read_input(
        mlirOperationGetOperand(match->base.operation, (intptr_t)i),
        &match->inputs[i]);
  if (is_product(match->base.info->kind) && match->num_inputs > BIAS &&
      !match->has_input[BIAS])
    xc_qdq_round_bias(match, xc_operand(&match->base, BIAS));
}

static bool find_match(MlirOperation quantize, bool rounds_bias,
                       qdq_match *match) {
  xc_adaptor before;
  *match = (qdq_match){.factor = 1, .rounds_bias = rounds_bias};
  if (!read_linear(quantize, true, &match->result) ||
      match->result.count != 1 ||
      !adaptor_of_producer(match->result.source, &match->base))
    return false;
  if (is_activation(match->base.info->kind) &&
      adaptor_of_producer(xc_operand(&match->base, 0), &before) &&
      takes_activation(before.info->kind)) {
    match->activation = match->base;
    match->base = before;
  }
  skip_factor(match);
  read_base_inputs(match);
  return match->num_inputs > 0;
}

// Reads a term, or one times a power of two: that is another fix point.
static bool read_term(MlirValue term, qdq_linear *linear) {
  xc_adaptor product;
  double number;
  int exponent;
  if (!adaptor_of_producer(term, &product) || product.info->kind != XC_TIR_MUL)
    return xc_qdq_read_input(term, linear);
  for (size_t i = 0; i < 2; ++i)
    if (xc_const_number(xc_operand(&product, i), &number) &&
        frexp(number, &exponent) == 0.5 &&
        xc_qdq_read_input(xc_operand(&product, 1 - i), linear)) {
      linear->scale *= number;
      return true;
    }
  return false;
}

// The terms of a sum whose partial sums nothing else reads and nothing
// quantises. Returns false when there are more than an operator takes.
static bool add_terms(qdq_match *match, const xc_adaptor *sum, int depth) {
  for (size_t i = 0; i < 2; ++i) {
    MlirValue term = xc_operand(sum, i);
    xc_adaptor inner;
    if (depth < XC_MAX_OPERANDS && adaptor_of_producer(term, &inner) &&
        inner.info->kind == XC_TIR_ADD) {
      if (!add_terms(match, &inner, depth + 1))
        return false;
      continue;
    }
    if (match->num_inputs == XC_MAX_OPERANDS)
      return false;
    size_t at = match->num_inputs++;
    match->has_input[at] = read_term(term, &match->inputs[at]);
  }
  return true;
}

// Three values or more are one sum in fixed point, which rounds once.
static bool fold_sum(const qdq_match *match) {
  qdq_match sum = *match;
  sum.num_inputs = 0;
  return match->base.info->kind == XC_TIR_ADD &&
         add_terms(&sum, &match->base, 0) && xc_qdq_fold_fix(&sum);
}

// A product and a number for each channel, as a linear layer of several rows
// has it, are one product with a bias, which rounds once.
static bool fold_biased(const qdq_match *match) {
  enum { BIAS = 2 };
  xc_adaptor product;
  for (size_t i = 0; i < 2 && match->base.info->kind == XC_TIR_ADD; ++i) {
    if (!adaptor_of_producer(xc_operand(&match->base, 1 - i), &product) ||
        !is_product(product.info->kind) || xc_num_inputs(&product) != BIAS)
      continue;
    qdq_match biased = *match;
    biased.base = product;
    read_base_inputs(&biased);
    biased.inputs[BIAS] = match->inputs[i];
    if (!match->has_input[i] &&
        !xc_qdq_round_bias(&biased, xc_operand(&match->base, i)))
      continue;
    return xc_qdq_shape_bias(&biased) && xc_qdq_fold_fix(&biased);
  }
  return false;
}

// Whether fixed point computes a match. One that has fix points but no operator
// in fixed point is computed in float.
static bool is_fixed(const qdq_match *match) {
  int64_t ignored;
  bool is_byte = match->result.element == XC_ELEMENT_I8 ||
                 match->result.element == XC_ELEMENT_UI8;
  return is_byte && xc_qdq_fix_point(&match->inputs[0], &ignored) &&
         xc_qdq_fix_point(&match->result, &ignored);
}

// Q after DQ: nothing when the numbers are the same.
static bool is_undone(MlirOperation quantize) {
  qdq_linear result, input;
  if (!read_linear(quantize, true, &result) ||
      !xc_qdq_read_input(result.source, &input) || result.count != 1 ||
      input.count != 1 || input.scale != result.scale ||
      input.zero_point != result.zero_point || input.element != result.element)
    return false;
  mlirValueReplaceAllUsesOfWith(xc_op_result(quantize), input.source);
  return true;
}

static void fold_all(MlirBlock block, bool rounds_bias) {
  xc_op_list all = collect(block, XC_TIR_QUANTIZE_LINEAR);
  for (size_t i = 0; i < all.count; ++i) {
    qdq_match match;
    if (is_undone(all.items[i]) ||
        !find_match(all.items[i], rounds_bias, &match) || fold_sum(&match) ||
        fold_biased(&match) || !match.has_input[0] || xc_qdq_fold_fix(&match) ||
        is_fixed(&match) || match.factor != 1)
      continue;
    xc_qdq_fold_linear(&match);
  }
  free(all.items);
}

//===----------------------------------------------------------------------===//
// Remaining operators
//===----------------------------------------------------------------------===//

// Conversions by powers of two are float2fix and fix2float.
static void convert(MlirBlock block, bool quantizes) {
  xc_op_list all = collect(block, quantizes ? XC_TIR_QUANTIZE_LINEAR
                                            : XC_TIR_DEQUANTIZE_LINEAR);
  for (size_t i = 0; i < all.count; ++i) {
    qdq_match match = {0};
    int64_t fix_point;
    if (!read_linear(all.items[i], quantizes, &match.result) ||
        !xc_qdq_fix_point(&match.result, &fix_point) ||
        (match.result.element != XC_ELEMENT_I8 &&
         match.result.element != XC_ELEMENT_UI8) ||
        !xc_adaptor_of(all.items[i], &match.base))
      continue;
    qdq_attributes attributes = {0};
    xc_qdq_add(&attributes, xc_int("bit_width", 8));
    xc_qdq_add(&attributes, xc_int("fix_point", fix_point));
    xc_qdq_add(&attributes,
               xc_bool("if_signed", match.result.element == XC_ELEMENT_I8));
    xc_qdq_add(&attributes, xc_string("round_mode", "DPU_ROUND"));
    if (!quantizes) {
      xc_shape shape;
      xc_shape_of_type(mlirValueGetType(xc_op_result(all.items[i])), &shape);
      match.result.element = shape.element;
    }
    build_in_place(&match, quantizes ? XC_TIR_FLOAT2FIX : XC_TIR_FIX2FLOAT,
                   &match.result.source, 1, &attributes);
  }
  free(all.items);
}

bool xc_fold_qdq(MlirBlock block, bool rounds_bias) {
  if (!hold(block) || !spread(block))
    return false;
  fold_all(block, rounds_bias);
  xc_remove_dead(block);
  convert(block, true);
  convert(block, false);
  xc_remove_dead(block);
  return true;
}
