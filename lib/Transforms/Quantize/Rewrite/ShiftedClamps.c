//===- ShiftedClamps.c - clamps at any number -----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Engines clamp at zero, and where 8 bits end. A clamp that begins at a is one
// that begins at zero, of x - a, and a is added to its result; one that only
// ends at b is b - relu(b - x). The convolution in front subtracts with its
// bias, and those that read the result add with theirs, where none of them
// pads; elsewhere a 1x1 depthwise convolution does. Clamps with two ends are
// left to saturation (Equalize/Equalize.c).
//
// A leaky ReLU keeps the order of numbers: in front of it the clamp stands next
// to the convolution.
//
//===----------------------------------------------------------------------===//

#include "Rewrite.h"

#include "IR/AttributeNames.h"
#include "IR/IR.h"
#include "OpParams/Window.h"
#include "Transforms/Legalize/Legalize.h"
#include "Transforms/Quantize/Function/Activation.h"
#include "Transforms/Quantize/Function/Filter.h"
#include "Transforms/Quantize/KeepFloat/KeepFloat.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/// A clamp of `input`, perhaps before a leaky ReLU. An end is infinite where
/// there is none.
typedef struct clamp {
  xc_adaptor op;
  MlirOperation leaky; // null: none
  MlirValue input;
  double low, high;
} clamp;

/// factor * x + shift.
typedef struct line {
  double factor, shift;
} line;

//===----------------------------------------------------------------------===//
// Clamps between layers
//===----------------------------------------------------------------------===//

/// Reads the operator that computes a value for a single reader.
static bool read_writer(MlirValue value, xc_adaptor *op) {
  return mlirValueIsAOpResult(value) && xc_value_has_one_use(value) &&
         xc_op_info_of(mlirOpResultGetOwner(value)) &&
         xc_adaptor_of(mlirOpResultGetOwner(value), op);
}

static bool is_constant(const xc_adaptor *op, size_t slot) {
  return !xc_has_operand(op, slot) ||
         !mlirOperationIsNull(xc_constant_of(xc_operand(op, slot)));
}

static bool is_filter(const xc_adaptor *op) {
  return xc_is_filter(op->info->kind) && is_constant(op, XC_FILTER_WEIGHTS) &&
         is_constant(op, XC_FILTER_BIAS);
}

static double finite(double end) {
  return fabs(end) >= (double)FLT_MAX ? copysign(INFINITY, end) : end;
}

// Layers compute what is clamped and read the result.
static bool is_between_layers(const xc_quantizer *q, const xc_adaptor *clip) {
  const xc_quantize_value *input = xc_quantize_value_of(q, xc_operand(clip, 0));
  const xc_quantize_value *result =
      xc_quantize_value_of(q, xc_op_result(clip->operation));
  return input && result && !input->stays_float && !result->stays_float &&
         result->shape.rank == 4 && result->shape.element == XC_ELEMENT_F32 &&
         result->tail != XC_TAIL_PLAIN && xc_is_of_layer(input->original) &&
         !xc_quantize_is_kept(q, clip->operation);
}

// The leaky ReLU that a convolution computes stays there.
static void look_through_leaky(clamp *c) {
  xc_adaptor leaky, writer;
  if (!read_writer(c->input, &leaky) || leaky.info->kind != XC_TIR_LEAKY_RELU)
    return;
  double slope = xc_attr_float(&leaky, XC_ATTR_ALPHA);
  MlirValue input = xc_operand(&leaky, 0);
  if (!(slope > 0) || !isfinite(slope) ||
      (xc_nonlinear_of(leaky.operation) && read_writer(input, &writer) &&
       is_filter(&writer)))
    return;
  c->leaky = c->low < 0 ? leaky.operation : (MlirOperation){NULL};
  c->input = input;
  c->low /= c->low < 0 ? slope : 1;
  c->high /= c->high < 0 ? slope : 1;
}

// 8 bits of what the samples have end before the clamp does: the next larger
// power of two.
static void forget_far_ends(const xc_quantizer *q, clamp *c) {
  const xc_quantize_value *value = xc_quantize_value_of(q, c->input);
  double seen = value ? fmax(value->high, -value->low) : 0;
  if (!(seen > 0))
    return;
  c->low = c->low <= -2 * seen ? -INFINITY : c->low;
  c->high = c->high >= 2 * seen ? INFINITY : c->high;
}

static bool has_both(const clamp *c) {
  return isfinite(c->low) && isfinite(c->high);
}

// Equalisation leaves these to the saturation of a convolution or sum.
static bool saturates(const clamp *c) {
  const double tolerance = 0x1p-6;
  return has_both(c) && c->high > 0 &&
         (c->low == 0 || fabs(c->low + c->high) <= tolerance * c->high);
}

static bool find_clamp(const xc_quantizer *q, MlirOperation op, clamp *c) {
  const xc_op_info *info = xc_op_info_of(op);
  xc_adaptor writer;
  *c = (clamp){.leaky = {NULL}};
  if (!info || info->kind != XC_TIR_CLIP || !xc_adaptor_of(op, &c->op) ||
      !mlirAttributeIsNull(xc_op_attribute(op, XC_NAME_IMPLIED)) ||
      !is_between_layers(q, &c->op))
    return false;
  c->input = xc_operand(&c->op, 0);
  c->low = finite(xc_attr_float(&c->op, XC_ATTR_MIN));
  c->high = finite(xc_attr_float(&c->op, XC_ATTR_MAX));
  if (!(c->low < c->high) ||
      (saturates(c) && read_writer(c->input, &writer) &&
       (is_filter(&writer) || writer.info->kind == XC_TIR_ADD)))
    return false;
  look_through_leaky(c);
  forget_far_ends(q, c);
  return true;
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

static MlirValue build_numbers(const xc_builder *builder, double number,
                               xc_shape shape) {
  int64_t count = xc_shape_num_elements(&shape);
  float *floats = xc_alloc_array((size_t)count + 1, sizeof(*floats));
  for (int64_t i = 0; i < count; ++i)
    floats[i] = (float)number;
  MlirValue made = xc_build_const_bytes(builder, floats, &shape);
  free(floats);
  return made;
}

static int64_t channels_of(MlirValue value) {
  xc_shape shape;
  xc_shape_of_type(mlirValueGetType(value), &shape);
  return shape.dims[3];
}

static MlirValue build_depthwise(const xc_builder *builder, MlirValue input,
                                 line l, MlirAttribute name) {
  static const int64_t unit[] = {1, 1};
  int64_t channels = channels_of(input);
  const MlirValue operands[] = {
      input,
      build_numbers(builder, l.factor,
                    (xc_shape){XC_ELEMENT_F32, 4, {1, 1, 1, channels}, false}),
      build_numbers(builder, l.shift,
                    (xc_shape){XC_ELEMENT_F32, 1, {channels}, false})};
  const xc_attribute attributes[] = {xc_ints("kernel", unit, 2),
                                     xc_ints("stride", unit, 2),
                                     xc_given("op_name", name)};
  return xc_build(builder, XC_TIR_DEPTHWISE_CONV2D, operands, 3, attributes,
                  mlirAttributeIsNull(name) ? 2 : 3, XC_ELEMENT_NONE);
}

// tir-canonicalize puts it into the convolution before or after it.
static MlirValue build_scale(const xc_builder *builder, MlirValue input,
                             line l) {
  const xc_shape shape = {XC_ELEMENT_F32, 1, {channels_of(input)}, false};
  const MlirValue operands[] = {input, build_numbers(builder, l.factor, shape),
                                build_numbers(builder, l.shift, shape)};
  return xc_build(builder, XC_TIR_SCALE, operands, 3, NULL, 0, XC_ELEMENT_NONE);
}

// Returns the sum whose one summand, which a convolution computes, is shifted.
static MlirValue shift_summand(const xc_builder *builder, const xc_adaptor *sum,
                               line l) {
  xc_adaptor filter;
  for (size_t slot = 0; l.factor == 1 && slot < 2; ++slot) {
    MlirValue operands[] = {xc_operand(sum, 0), xc_operand(sum, 1)};
    xc_shape summand = xc_operand_shape(sum, slot),
             result = xc_result_shape(sum);
    if (!read_writer(operands[slot], &filter) || !is_filter(&filter) ||
        !xc_same_dims(&summand, &result))
      continue;
    operands[slot] = build_scale(builder, operands[slot], l);
    return xc_build(builder, XC_TIR_ADD, operands, 2, NULL, 0, XC_ELEMENT_NONE);
  }
  return (MlirValue){NULL};
}

// Builds the line in front of a clamp, in the operator that writes the input if
// that can take it. One that saturates is the result of a convolution.
static MlirValue put_before(const xc_builder *builder, MlirValue input, line l,
                            bool is_saturated) {
  const MlirAttribute nameless = {NULL};
  xc_adaptor writer;
  MlirValue made = {NULL};
  if (!read_writer(input, &writer))
    return build_depthwise(builder, input, l, nameless);
  if (is_filter(&writer))
    return build_scale(builder, input, l);
  if (writer.info->kind == XC_TIR_ADD && !is_saturated)
    made = shift_summand(builder, &writer, l);
  return mlirValueIsNull(made) ? build_depthwise(builder, input, l, nameless)
                               : made;
}

static bool takes_line(MlirOperation reader) {
  const xc_op_info *info =
      mlirOperationIsNull(reader) ? NULL : xc_op_info_of(reader);
  xc_adaptor op;
  return info &&
         (info->kind == XC_TIR_CONV2D ||
          info->kind == XC_TIR_DEPTHWISE_CONV2D) &&
         xc_adaptor_of(reader, &op) && is_filter(&op) &&
         xc_window_reads_input_only(&op);
}

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

static MlirValue build_relu(const xc_builder *builder, MlirValue input,
                            MlirAttribute name) {
  const xc_attribute attribute = xc_given("op_name", name);
  return xc_build(builder, XC_TIR_RELU, &input, 1, &attribute,
                  !mlirAttributeIsNull(name), XC_ELEMENT_NONE);
}

static MlirValue build_clip(const xc_builder *builder, MlirValue input,
                            double low, double high, MlirAttribute name) {
  const xc_attribute attributes[] = {
      xc_float("min", low), xc_float("max", high), xc_given("op_name", name)};
  return xc_build(builder, XC_TIR_CLIP, &input, 1, attributes,
                  mlirAttributeIsNull(name) ? 2 : 3, XC_ELEMENT_NONE);
}

/// Builds the operators that engines compute, and returns in `after` the line
/// that turns their result into that of the clamp.
static MlirValue build_core(const xc_quantizer *q, const clamp *c,
                            const xc_builder *builder, MlirAttribute name,
                            line *after) {
  const MlirAttribute nameless = {NULL};
  *after = (line){1, c->low};
  if (!has_both(c) && isfinite(c->high)) {
    *after = (line){-1, c->high};
    return build_relu(builder,
                      put_before(builder, c->input, (line){-1, c->high}, false),
                      name);
  }
  if (!has_both(c))
    return build_relu(
        builder,
        c->low == 0 ? c->input
                    : put_before(builder, c->input, (line){1, -c->low}, false),
        name);
  if (xc_pass_bool(q->run, "equalize")) {
    line before = {1, saturates(c) ? 0 : -c->low};
    after->shift = -before.shift;
    return build_clip(builder, put_before(builder, c->input, before, true),
                      c->low + before.shift, c->high + before.shift, name);
  }
  MlirValue lower = build_relu(
      builder, put_before(builder, c->input, (line){1, -c->low}, false),
      nameless);
  *after = (line){-1, c->high};
  return build_relu(
      builder,
      build_depthwise(builder, lower, (line){-1, c->high - c->low}, nameless),
      name);
}

// A maximum of what keeps the order of numbers may come first, where there are
// fewer pixels left. Returns null where none is all that reads the clamp.
static MlirOperation pool_after(const clamp *c) {
  MlirOperation user = xc_only_user(xc_op_result(c->op.operation));
  const xc_op_info *info =
      mlirOperationIsNull(user) ? NULL : xc_op_info_of(user);
  xc_adaptor pool;
  return info && info->kind == XC_TIR_MAXPOOL2D && xc_adaptor_of(user, &pool) &&
                 xc_window_reads_input_only(&pool)
             ? user
             : (MlirOperation){NULL};
}

/// A value and its replacement for all that reads it.
typedef struct tail {
  MlirValue value, made;
  MlirOperation next;  // new operators stand in front of it
  MlirOperation first; // of them that reads `made` as it was, or null
} tail;

static void append(tail *t, MlirValue made) {
  t->made = made;
  if (!mlirValueIsNull(made) && mlirOperationIsNull(t->first))
    t->first = mlirOpResultGetOwner(made);
}

static bool add_line(const clamp *c, tail *t, line after) {
  const xc_builder builder = xc_builder_before(t->next);
  if (after.factor == 1 && after.shift == 0)
    return true;
  append(t, mlirOperationIsNull(c->leaky) && takes_line(xc_only_user(t->value))
                ? build_scale(&builder, t->made, after)
                : build_depthwise(&builder, t->made, after,
                                  xc_op_attribute(c->op.operation, "op_name")));
  return !mlirValueIsNull(t->made);
}

static void add_leaky(const clamp *c, tail *t) {
  if (mlirOperationIsNull(c->leaky))
    return;
  mlirOperationSetOperand(c->leaky, 0, t->made);
  mlirOperationMoveBefore(c->leaky, t->next);
  mlirValueSetType(xc_op_result(c->leaky), mlirValueGetType(t->value));
  append(t, xc_op_result(c->leaky));
}

static bool replace(const xc_quantizer *q, const clamp *c) {
  line after = {1, 0};
  MlirOperation clip = c->op.operation, pool = pool_after(c);
  const xc_builder builder = xc_builder_before(clip);
  MlirValue result = xc_op_result(clip), core = c->input;
  if (isfinite(c->low) || isfinite(c->high))
    core = build_core(q, c, &builder, xc_op_attribute(clip, "op_name"), &after);
  if (mlirValueIsNull(core))
    return false;
  tail t = {result, core, clip, {NULL}};
  bool pools_first = !mlirOperationIsNull(pool) && after.factor == 1;
  if (pools_first) {
    mlirOperationSetOperand(pool, 0, core);
    MlirValue most = xc_op_result(pool);
    t = (tail){most, most, mlirOperationGetNextInBlock(pool), {NULL}};
  }
  if (!add_line(c, &t, after))
    return false;
  add_leaky(c, &t);
  if (!pools_first)
    mlirValueReplaceAllUsesOfWith(t.value, t.made);
  else if (!mlirOperationIsNull(t.first))
    mlirValueReplaceAllUsesExcept(t.value, t.made, 1, &t.first);
  mlirOperationDestroy(clip);
  return true;
}

bool xc_quantize_shift_clamps(xc_quantizer *q, bool *changed) {
  MlirOperation next;
  for (MlirOperation op = mlirBlockGetFirstOperation(q->block);
       !mlirOperationIsNull(op); op = next) {
    clamp c;
    next = mlirOperationGetNextInBlock(op);
    if (!find_clamp(q, op, &c))
      continue;
    if (!replace(q, &c))
      return false;
    *changed = true;
  }
  return true;
}
