//===- FloatActivation.c - channels through activations on the CPU --------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SiLU, GELU, mish, tanh and their like let no factor through, but they stay in
// floating point, on the CPU, and there any factor is had by a multiplication:
// the argument is multiplied by the inverse of its channel's factor, and the
// result by a factor of its own. So channels have a range of their own on
// each side, and zero points where FloatZeros.c finds some. All operators
// between the two are computed in floating point, the product of SiLU as well,
// whether channels have factors or not: in fixed point it would read again what
// the DPU has written already, and the sigmoid would be rounded.
//
// In a model that was quantised both sides have the ends of its 8 bits, as
// clamps, which belong to the function as well.
//
//===----------------------------------------------------------------------===//

#include "FloatActivation.h"

#include "IR/Builder.h"
#include "IR/IR.h"
#include "Support/Text.h"
#include "dialects/Build.h"
#include "dialects/Emit.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Finding activations
//===----------------------------------------------------------------------===//

static xc_quantize_value *value_of(const xc_equalizer *e, MlirValue value) {
  return xc_pointer_map_get(&e->q->originals, value.ptr);
}

static xc_quantize_value *value_of_result(const xc_equalizer *e,
                                          MlirOperation op) {
  return mlirOperationGetNumResults(op) == 1
             ? value_of(e, mlirOperationGetResult(op, 0))
             : NULL;
}

// Functions that have no form in fixed point, and what may stand between.
static bool is_function(MlirOperation op) {
  const xc_op_info *info = xc_op_info_of(op);
  if (!info)
    return false;
  switch (info->kind) {
  case XC_TIR_SIGMOID:
  case XC_TIR_TANH:
  case XC_TIR_ELU:
  case XC_TIR_SOFTPLUS:
  case XC_TIR_ERF:
    return true;
  default:
    return false;
  }
}

static bool is_arithmetic(MlirOperation op) {
  const xc_op_info *info = xc_op_info_of(op);
  if (!info)
    return false;
  switch (info->kind) {
  case XC_TIR_ADD:
  case XC_TIR_SUB:
  case XC_TIR_MUL:
  case XC_TIR_DIV:
    return true;
  default:
    return false;
  }
}

// Whether a clip is the saturation of a quantised result, and no ReLU.
static bool is_saturation(MlirOperation op) {
  xc_adaptor clip;
  const xc_op_info *info = xc_op_info_of(op);
  return info && info->kind == XC_TIR_CLIP &&
         !mlirAttributeIsNull(xc_op_attribute(op, XC_NAME_IMPLIED)) &&
         xc_adaptor_of(op, &clip) && xc_attr_float(&clip, XC_ATTR_MIN) < 0;
}

// Returns the place of a value among those that are computed, 0 for the input;
// -1 for others.
static int place_of(const xc_float_activation *a, MlirValue value) {
  if (mlirValueEqual(value, a->input))
    return 0;
  for (int i = 0; i < a->num_operations; ++i)
    if (mlirValueEqual(value, xc_op_result(a->operations[i])))
      return i + 1;
  return -1;
}

// Whether an operator computes each element from that of the input alone.
static bool belongs(const xc_float_activation *a, MlirOperation op) {
  double number;
  bool depends = false;
  if (!is_function(op) && !is_arithmetic(op) && !is_saturation(op))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    bool known = place_of(a, operand) >= 0;
    if (!known && !xc_const_number(operand, &number))
      return false;
    depends |= known;
  }
  return depends && mlirTypeEqual(mlirValueGetType(xc_op_result(op)),
                                  mlirValueGetType(a->input));
}

// Returns the next operator that belongs to it; null when there is none.
static MlirOperation find_next(const xc_float_activation *a) {
  for (int i = 0; i <= a->num_operations; ++i) {
    MlirValue value = i ? xc_op_result(a->operations[i - 1]) : a->input;
    for (MlirOpOperand use = mlirValueGetFirstUse(value);
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      MlirOperation user = mlirOpOperandGetOwner(use);
      if (mlirOperationGetNumResults(user) == 1 &&
          place_of(a, xc_op_result(user)) < 0 && belongs(a, user))
        return user;
    }
  }
  return (MlirOperation){NULL};
}

static bool has_other_readers(const xc_float_activation *a, MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (mlirOperationGetNumResults(user) != 1 ||
        place_of(a, xc_op_result(user)) < 0)
      return true;
  }
  return false;
}

// All that is computed from the input, if one result of it is read elsewhere.
static bool complete(xc_float_activation *a) {
  MlirOperation next;
  while (!mlirOperationIsNull(next = find_next(a))) {
    if (a->num_operations == XC_FLOAT_OPERATIONS)
      return false;
    a->operations[a->num_operations++] = next;
  }
  int results = 0;
  for (int i = 0; i < a->num_operations; ++i) {
    MlirValue value = xc_op_result(a->operations[i]);
    if (!has_other_readers(a, value))
      continue;
    a->result = value;
    ++results;
  }
  a->is_alone = !has_other_readers(a, a->input);
  return results == 1;
}

// Returns the operand from which an operator computes its result, if the others
// are numbers; null for others.
static MlirValue only_operand(MlirValue result) {
  double number;
  if (!mlirValueIsAOpResult(result))
    return (MlirValue){NULL};
  MlirOperation op = mlirOpResultGetOwner(result);
  if (is_saturation(op))
    return mlirOperationGetOperand(op, 0);
  if (!is_arithmetic(op))
    return (MlirValue){NULL};
  MlirValue a = mlirOperationGetOperand(op, 0);
  MlirValue b = mlirOperationGetOperand(op, 1);
  return xc_const_number(b, &number)   ? a
         : xc_const_number(a, &number) ? b
                                       : (MlirValue){NULL};
}

// Returns the value that a function is computed of, through sums and products
// with numbers.
static MlirValue input_of(MlirOperation function) {
  MlirValue value = mlirOperationGetOperand(function, 0);
  for (MlirValue next = only_operand(value); !mlirValueIsNull(next);
       next = only_operand(value))
    value = next;
  return value;
}

static bool complete_from(const xc_equalizer *e, MlirValue input,
                          xc_float_activation *a) {
  *a = (xc_float_activation){.input = input};
  a->channels = xc_channels_count(input);
  return a->channels > 1 && value_of(e, input) && complete(a);
}

// The clamp of what goes in belongs to the activation if nothing else reads it.
static bool find_activation(const xc_equalizer *e, MlirOperation function,
                            xc_float_activation *a) {
  MlirValue input = input_of(function);
  if (complete_from(e, input, a))
    return true;
  for (MlirOpOperand use = mlirValueGetFirstUse(input);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (is_saturation(mlirOpOperandGetOwner(use)))
      return complete_from(e, xc_op_result(mlirOpOperandGetOwner(use)), a);
  return false;
}

static void add_activation(xc_equalizer *e, const xc_float_activation *a) {
  void *all = e->activations;
  xc_grow(&all, &e->activation_capacity, e->num_activations + 1, sizeof(*a));
  e->activations = all;
  e->activations[e->num_activations++] = *a;
  for (int i = 0; i < a->num_operations; ++i)
    xc_pointer_map_set(&e->in_activation, a->operations[i].ptr,
                       a->operations[i].ptr);
}

static void add_arguments(xc_equalizer *e) {
  for (size_t i = 0; i < e->q->num_multiplied; ++i) {
    MlirOperation op = e->q->multiplied[i];
    const xc_float_activation a = {.input = mlirOperationGetOperand(op, 0),
                                   .result = xc_op_result(op),
                                   .channels =
                                       xc_channels_count(xc_op_result(op)),
                                   .operations = {op},
                                   .num_operations = 1,
                                   .is_argument = true};
    add_activation(e, &a);
  }
}

void xc_float_find_activations(xc_equalizer *e) {
  add_arguments(e);
  if (*xc_pass_string(e->q->run, "approximate"))
    return;
  for (MlirOperation op = mlirBlockGetFirstOperation(e->q->block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    const xc_quantize_value *result = value_of_result(e, op);
    xc_float_activation a;
    if (!result || xc_float_visit(e, op))
      continue;
    if (result->stays_float && xc_float_statistics_of(e->q, op, &a))
      add_activation(e, &a);
    if (is_function(op) && !result->stays_float && find_activation(e, op, &a))
      add_activation(e, &a);
  }
}

void xc_float_replace_input(xc_equalizer *e, MlirValue old, MlirValue input) {
  for (size_t i = 0; i < e->num_activations; ++i)
    if (mlirValueEqual(e->activations[i].input, old))
      e->activations[i].input = input;
}

bool xc_float_visit(const xc_equalizer *e, MlirOperation op) {
  return xc_pointer_map_has(&e->in_activation, op.ptr);
}

//===----------------------------------------------------------------------===//
// Factors
//===----------------------------------------------------------------------===//

static int64_t count_free(const xc_equalizer *e, const int64_t *roots,
                          int64_t count) {
  int64_t num_free = 0;
  for (int64_t i = 0; i < count; ++i)
    num_free += xc_equal_is_free(&e->channels[roots[i]]);
  return num_free;
}

// Between two of them nothing is rounded.
static bool follows_another(const xc_equalizer *e,
                            const xc_float_activation *a) {
  return mlirValueIsAOpResult(a->input) &&
         xc_float_visit(e, mlirOpResultGetOwner(a->input));
}

void xc_float_connect(xc_equalizer *e) {
  for (size_t i = 0; i < e->num_activations; ++i) {
    xc_float_activation *a = &e->activations[i];
    a->before = xc_equal_roots(e, value_of(e, a->input));
    a->after = xc_equal_roots(e, value_of(e, a->result));
    bool is_bound = follows_another(e, a);
    for (int64_t c = 0; c < a->channels; ++c) {
      e->channels[a->before[c]].is_bound |= is_bound;
      ++e->channels[a->before[c]].num_readers;
      ++e->channels[a->after[c]].num_writers;
      e->channels[a->before[c]].meets_activation = true;
      e->channels[a->after[c]].meets_activation = true;
      e->channels[a->after[c]].is_argument |= a->is_argument;
    }
  }
  for (size_t i = 0; i < e->num_activations; ++i) {
    xc_float_activation *a = &e->activations[i];
    int64_t before = count_free(e, a->before, a->channels);
    int64_t after = count_free(e, a->after, a->channels);
    a->is_scaled = before + after > 0;
    // A result that stays in floating point has no steps.
    if (a->is_alone && !a->is_statistic && after == a->channels)
      xc_float_limit(e, a);
  }
}

static double factor_of(const xc_equal_channel *channel) {
  return xc_equal_is_free(channel) ? channel->factor : 1;
}

// Returns the value times a factor for each channel, plus a number if there are
// any, in front of an operator.
static MlirValue build_line(MlirOperation place, MlirLocation location,
                            MlirValue value, const float *factors,
                            const float *zeros, MlirStringRef name) {
  const xc_builder before = xc_builder_before(place);
  const xc_builder builder = xc_builder_at(&before, location);
  const int64_t channels = xc_channels_count(value);
  const xc_shape vector = {XC_ELEMENT_F32, 1, {channels}, false};
  const xc_shape image = {XC_ELEMENT_F32, 4, {1, 1, 1, channels}, false};
  MlirValue operands[3] = {
      value, xc_build_const_bytes(&builder, factors, zeros ? &vector : &image)};
  if (zeros)
    operands[2] = xc_build_const_bytes(&builder, zeros, &vector);
  const xc_attribute attributes[] = {xc_given(
      "op_name", mlirStringAttrGet(mlirOperationGetContext(place), name))};
  if (mlirValueIsNull(operands[1]) || (zeros && mlirValueIsNull(operands[2])))
    return (MlirValue){NULL};
  return xc_build(&builder, zeros ? XC_TIR_SCALE : XC_TIR_MUL, operands,
                  zeros ? 3 : 2, attributes, name.length ? 1 : 0,
                  XC_ELEMENT_F32);
}

// Returns the factors of the channels of a tensor; `inverse`: what takes them
// back. Returns null where nothing changes, zero points included.
static float *find_factors(const xc_equalizer *e, const int64_t *roots,
                           int64_t channels, bool inverse) {
  float *factors = xc_alloc_array((size_t)channels + 1, sizeof(*factors));
  bool differs = false;
  for (int64_t c = 0; c < channels; ++c) {
    double factor = factor_of(&e->channels[roots[c]]);
    factors[c] = (float)(inverse ? 1 / factor : factor);
    differs |= factors[c] != 1.0F || e->channels[roots[c]].zero != 0;
  }
  if (differs)
    return factors;
  free(factors);
  return NULL;
}

static MlirStringRef append(xc_text *text, MlirStringRef name,
                            const char *suffix) {
  if (name.length)
    xc_text_printf(text, "%.*s/%s", (int)name.length, name.data, suffix);
  return xc_ref(xc_text_str(text));
}

// Returns the first operator of it in the block that reads its input.
static MlirOperation first_reader(const xc_float_activation *a) {
  MlirOperation first = a->operations[0];
  for (int i = 1; i < a->num_operations; ++i)
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(a->operations[i]); ++k)
      if (mlirValueEqual(mlirOperationGetOperand(a->operations[i], k),
                         a->input) &&
          mlirOperationIsBeforeInBlock(a->operations[i], first))
        first = a->operations[i];
  return first;
}

static bool unscale_input(const xc_equalizer *e, const xc_float_activation *a,
                          xc_float_site *site) {
  float *factors = find_factors(e, a->before, a->channels, true);
  if (!factors)
    return true;
  float *zeros = xc_float_zeros(e, a->before, a->channels, false);
  MlirOperation place = first_reader(a);
  xc_text text = {0};
  MlirStringRef name = append(&text, xc_op_given_name(place), "unscaled");
  MlirValue input = build_line(place, mlirOperationGetLocation(place), a->input,
                               factors, zeros, name);
  free(factors);
  free(zeros);
  xc_text_free(&text);
  if (mlirValueIsNull(input))
    return false;
  site->unscale = mlirOpResultGetOwner(input);
  for (int i = 0; i < a->num_operations; ++i)
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(a->operations[i]); ++k)
      if (mlirValueEqual(mlirOperationGetOperand(a->operations[i], k),
                         a->input))
        mlirOperationSetOperand(a->operations[i], k, input);
  return true;
}

// Scales the result of an activation. The new operator gets the name that the
// result had.
static bool scale_result(xc_equalizer *e, const xc_float_activation *a,
                         xc_float_site *site) {
  float *factors = find_factors(e, a->after, a->channels, false);
  if (!factors)
    return true;
  xc_quantize_value *value = value_of(e, a->result);
  MlirOperation last = mlirOpResultGetOwner(a->result);
  MlirStringRef name = xc_op_given_name(last);
  float *zeros = xc_float_zeros(e, a->after, a->channels, true);
  MlirValue result = build_line(
      mlirOperationGetNextInBlock(last), mlirOperationGetLocation(last),
      a->result, factors, zeros, name.length ? name : xc_ref(""));
  free(factors);
  free(zeros);
  if (mlirValueIsNull(result))
    return false;
  xc_text text = {0};
  if (name.length)
    mlirOperationSetAttributeByName(
        last, xc_ref("op_name"),
        mlirStringAttrGet(e->q->context, append(&text, name, "unscaled")));
  xc_text_free(&text);
  // No value has it any more.
  if (value->stays_float)
    xc_float_reason_set(last, value->stays_float);
  site->scale = mlirOpResultGetOwner(result);
  mlirValueReplaceAllUsesExcept(a->result, result, 1, &site->scale);
  xc_pointer_map_remove(&e->q->originals, a->result.ptr);
  xc_pointer_map_set(&e->q->originals, result.ptr, value);
  value->original = result;
  return true;
}

bool xc_float_scale(xc_equalizer *e) {
  e->q->sites = xc_arena_alloc(&e->q->arena, e->num_activations + 1,
                               sizeof(*e->q->sites));
  for (size_t i = 0; i < e->num_activations; ++i) {
    const xc_float_activation *a = &e->activations[i];
    bool is_function = !a->is_statistic && !a->is_argument;
    bool stays = a->is_scaled || is_function;
    for (int k = 0; stays && k < a->num_operations; ++k) {
      xc_quantize_value *part = value_of(e, xc_op_result(a->operations[k]));
      if (!part->stays_float)
        part->stays_float = XC_FLOAT_ACTIVATION;
    }
    xc_float_scale_limits(e, a);
    xc_float_keep_zeros(e, value_of(e, a->input), a->before);
    xc_float_keep_zeros(e, value_of(e, a->result), a->after);
    xc_float_site site = {.from = value_of(e, a->input),
                          .to = value_of(e, a->result)};
    if (is_function)
      site.function = xc_float_function_of(a);
    if (!unscale_input(e, a, &site) || !scale_result(e, a, &site))
      return false;
    if (!mlirOperationIsNull(site.scale) && is_function)
      e->q->sites[e->q->num_sites++] = site;
  }
  return true;
}
