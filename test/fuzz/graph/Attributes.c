//===- Attributes.c - attributes within the ranges of the tables ----------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Draft.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Element of the result
//===----------------------------------------------------------------------===//

static void choose_result(fuzz_draft *draft) {
  const xc_op_info *info = draft->info;
  if (draft->element != XC_ELEMENT_NONE || info->same_element)
    return;
  uint32_t set = info->result.elements;
  xc_element first = draft->inputs[0].shape.element;
  bool is_cast = info->kind == XC_TIR_CAST ||
                 info->kind == XC_TIR_QUANTIZE_LINEAR ||
                 info->kind == XC_TIR_QLINEAR_REQUANTIZE;
  bool keeps =
      set >> first & 1 && !is_cast && fuzz_chance(&draft->gen->random, 96);
  draft->element = keeps ? first : fuzz_element(draft->gen, set);
}

static xc_element result_element(const fuzz_draft *draft) {
  return draft->element == XC_ELEMENT_NONE ? draft->inputs[0].shape.element
                                           : draft->element;
}

//===----------------------------------------------------------------------===//
// Fix points
//===----------------------------------------------------------------------===//

// Products of a sum.
static double terms(const fuzz_draft *draft) {
  xc_shape weight = {0};
  if (draft->num_operands < 2 || mlirValueIsNull(draft->operands[1]) ||
      !xc_shape_of_type(mlirValueGetType(draft->operands[1]), &weight) ||
      weight.rank < 2)
    return 1;
  double count = 1;
  for (size_t i = weight.rank == 4; i < weight.rank; ++i)
    count *= (double)weight.dims[i];
  return draft->info->rule == XC_RULE_DEPTHWISE_CONV2D ||
                 draft->info->rule == XC_RULE_TRANSPOSED_DEPTHWISE_CONV2D
             ? count / (double)weight.dims[weight.rank - 1]
             : count;
}

// The shift by which a random sum of products fills eight bits, more or less;
// sometimes any.
static int64_t product_shift(fuzz_draft *draft) {
  fuzz_random *r = &draft->gen->random;
  if (fuzz_chance(r, 15))
    return fuzz_range(r, -2, 18);
  int64_t middle = 6 + (int64_t)(0.5 * log2(terms(draft)));
  int64_t shift = middle + fuzz_range(r, -3, 2);
  return shift < 0 ? 0 : shift;
}

static int64_t small_shift(fuzz_random *r) {
  return fuzz_chance(r, 60)   ? 0
         : fuzz_chance(r, 90) ? fuzz_range(r, -2, 3)
                              : fuzz_range(r, -17, 17);
}

static const char *activation_of(const fuzz_draft *draft) {
  return fuzz_has(draft, "nonlinear", XC_ATTRIBUTE_STRING)
             ? fuzz_word(draft, "nonlinear")
             : "NONE";
}

// ReLU6 and the hard activations want their results finer than a fourth.
static int64_t output_point(fuzz_draft *draft) {
  fuzz_random *r = &draft->gen->random;
  const char *word = activation_of(draft);
  bool is_hard = strncmp(word, "HS", 2) == 0 ||
                 draft->info->kind == XC_TIR_HARD_SIGMOID_FIX;
  bool is_relu6 =
      strcmp(word, "RELU6") == 0 || draft->info->kind == XC_TIR_RELU6_FIX;
  int64_t point = is_hard    ? fuzz_range(r, 7, 9)
                  : is_relu6 ? fuzz_range(r, 3, 6)
                             : fuzz_range(r, -1, 7);
  return fuzz_want(draft->gen, XC_FACT_OUTPUT_POINT, point);
}

static void add_hard_activation(fuzz_draft *draft, int64_t out) {
  fuzz_random *r = &draft->gen->random;
  const char *word = activation_of(draft);
  if (strcmp(word, "PRELU") == 0) {
    fuzz_add_int(draft, "prelu_in", fuzz_range(r, -200, 200));
    fuzz_add_int(draft, "prelu_shift", fuzz_range(r, 0, 10));
  }
  if (strncmp(word, "HS", 2) != 0)
    return;
  int64_t in = fuzz_range(r, 0, 15);
  bool is_swish = strcmp(word, "HSWISH") == 0;
  bool says_so = fuzz_chance(r, 50);
  fuzz_add_int(draft, "hsigmoid_in", in);
  if (says_so)
    fuzz_add_int(draft, "shift_hsigmoid", 14 + in - (is_swish ? 7 : out));
  if (says_so && is_swish)
    fuzz_add_int(draft, "shift_hswish", in + 7 - out);
}

// Output channels of a group with fix points of its own, or 0 where there are
// no lists of them: most of the time what the DPU computes at a time.
static int64_t fix_point_channels(fuzz_draft *draft) {
  fuzz_gen *gen = draft->gen;
  int64_t channels = (int64_t)draft->result_channels;
  bool often = gen->setting->subject == FUZZ_LISTS;
  if (!fuzz_has(draft, "weight_fix_points", XC_ATTRIBUTE_INTS) ||
      channels < 2 || gen->wanted[XC_FACT_WEIGHT_POINT] != FUZZ_FREE ||
      gen->wanted[XC_FACT_BIAS_POINT] != FUZZ_FREE ||
      !fuzz_chance(&gen->random, often ? 80 : 40))
    return 0;
  bool for_dpu = gen->setting->mode == FUZZ_DPU;
  int64_t size = for_dpu && fuzz_chance(&gen->random, 85)
                     ? gen->setting->target->channelParallel
                     : fuzz_range(&gen->random, 1, channels);
  return (channels + size - 1) / size <= XC_MAX_INTS ? size : 0;
}

// Near fix points of all channels, lists of one for each group.
static bool add_group_points(fuzz_draft *draft, int64_t in, int64_t weight,
                             int64_t bias) {
  fuzz_random *r = &draft->gen->random;
  int64_t size = fix_point_channels(draft);
  if (size == 0)
    return false;
  int64_t weights[XC_MAX_INTS], biases[XC_MAX_INTS];
  size_t count = (draft->result_channels + (size_t)size - 1) / (size_t)size;
  for (size_t i = 0; i < count; ++i) {
    weights[i] = weight + (fuzz_chance(r, 60) ? fuzz_range(r, -3, 3) : 0);
    biases[i] = in + weights[i] - fuzz_range(r, 0, 9);
  }
  bool one_weight = fuzz_chance(r, 10), one_bias = fuzz_chance(r, 15);
  fuzz_add_int(draft, "fix_point_channels", size);
  fuzz_add_int(draft, "weight_fix_point", one_weight ? weight : 0);
  fuzz_add_int(draft, "bias_fix_point", one_bias ? bias : 0);
  if (!one_weight)
    fuzz_add_ints(draft, "weight_fix_points", weights, count);
  if (!one_bias)
    fuzz_add_ints(draft, "bias_fix_points", biases, count);
  return true;
}

static void add_product_points(fuzz_draft *draft, const char *weight) {
  fuzz_gen *gen = draft->gen;
  int64_t in = fuzz_want(gen, XC_FACT_INPUT_POINT, draft->inputs[0].point);
  int64_t out = output_point(draft);
  int64_t w = product_shift(draft) + out - in;
  bool adds = draft->info->kind == XC_TIR_DEPTHWISE_FIX &&
              strcmp(fuzz_word(draft, "type"), "ADD") == 0;
  if (adds) { // as an addition of a tensor of its own
    w = in + fuzz_range(&gen->random, -4, 4);
    out = in - small_shift(&gen->random);
  }
  w = fuzz_want(gen, XC_FACT_WEIGHT_POINT, w);
  if (adds && llabs(w - in) > 24) // no meaning beyond
    w = in;
  int64_t shift_bias = fuzz_chance(&gen->random, 85)
                           ? fuzz_range(&gen->random, 0, 9)
                           : fuzz_range(&gen->random, -3, 18);
  fuzz_add_int(draft, "input_fix_point", in);
  int64_t bias = fuzz_want(gen, XC_FACT_BIAS_POINT, in + w - shift_bias);
  if (!add_group_points(draft, in, w, bias)) {
    fuzz_add_int(draft, weight, w);
    fuzz_add_int(draft, "bias_fix_point", bias);
    fuzz_add_int(draft, "fix_point_channels", 1);
  }
  fuzz_add_int(draft, "output_fix_point", out);
  const int64_t both[] = {in, w};
  fuzz_add_ints(draft, "input_fix_point", both, 2);
  add_hard_activation(draft, out);
}

static void add_list_points(fuzz_draft *draft) {
  fuzz_gen *gen = draft->gen;
  fuzz_random *r = &gen->random;
  int64_t points[XC_MAX_OPERANDS], sum = 0;
  bool multiplies = fuzz_has(draft, "type", XC_ATTRIBUTE_STRING) &&
                    strcmp(fuzz_word(draft, "type"), "MUL") == 0;
  for (size_t i = 0; i < draft->num_operands; ++i) {
    points[i] = draft->inputs[i].point;
    if (i > 0 && !multiplies && fuzz_chance(r, 50))
      points[i] = points[0];
    sum += points[i];
  }
  points[0] = fuzz_want(gen, XC_FACT_INPUT_POINT, points[0]);
  size_t last = draft->num_operands - 1;
  if (gen->wanted[XC_FACT_LARGEST_POINT] != FUZZ_FREE)
    points[last] = gen->wanted[XC_FACT_LARGEST_POINT];
  int64_t out =
      multiplies ? sum - fuzz_range(r, 3, 8) : points[0] - small_shift(r);
  bool is_relu6 = strcmp(activation_of(draft), "RELU6") == 0;
  if (is_relu6 && fuzz_chance(r, 70))
    out = fuzz_range(r, 4, 6);
  fuzz_add_ints(draft, "input_fix_point", points, draft->num_operands);
  fuzz_add_int(draft, "output_fix_point",
               fuzz_want(gen, XC_FACT_OUTPUT_POINT, out));
}

static void add_single_points(fuzz_draft *draft) {
  fuzz_gen *gen = draft->gen;
  int64_t in = fuzz_want(gen, XC_FACT_INPUT_POINT, draft->inputs[0].point);
  int64_t out = in - small_shift(&gen->random);
  xc_op_kind kind = draft->info->kind;
  if (kind == XC_TIR_RELU6_FIX && fuzz_chance(&gen->random, 80))
    out = output_point(draft);
  // The hard activations have no meaning beyond these ranges.
  bool is_swish = kind == XC_TIR_HARD_SWISH_FIX;
  if (is_swish || kind == XC_TIR_HARD_SIGMOID_FIX) {
    in = fuzz_chance(&gen->random, 70) && in >= 0 && in <= 15
             ? in
             : fuzz_range(&gen->random, 0, 15);
    out = is_swish ? in + fuzz_range(&gen->random, -8, 7)
                   : fuzz_range(&gen->random, 7, in + 14);
    fuzz_add_int(draft, "input_fix_point", in);
    fuzz_add_int(draft, "output_fix_point", out);
    return;
  }
  fuzz_add_int(draft, "input_fix_point", in);
  fuzz_add_int(draft, "output_fix_point",
               fuzz_want(gen, XC_FACT_OUTPUT_POINT, out));
}

static void add_fix_points(fuzz_draft *draft) {
  xc_op_kind kind = draft->info->kind;
  if (fuzz_has(draft, "weight_fix_point", XC_ATTRIBUTE_INT) ||
      kind == XC_TIR_MATMUL_FIX)
    add_product_points(draft, "weight_fix_point");
  else if (fuzz_has(draft, "slope_fix_point", XC_ATTRIBUTE_INT))
    add_product_points(draft, "slope_fix_point");
  else if (fuzz_has(draft, "input_fix_point", XC_ATTRIBUTE_INTS))
    add_list_points(draft);
  else if (fuzz_has(draft, "input_fix_point", XC_ATTRIBUTE_INT))
    add_single_points(draft);
  bool is_signed = kind == XC_TIR_FLOAT2FIX
                       ? result_element(draft) == XC_ELEMENT_I8
                       : draft->inputs[0].shape.element == XC_ELEMENT_I8;
  if (kind == XC_TIR_FLOAT2FIX || kind == XC_TIR_FIX2FLOAT) {
    fuzz_add_bool(draft, "if_signed", is_signed);
    fuzz_add_int(draft, "bit_width", 8);
    fuzz_add_int(draft, "fix_point",
                 kind == XC_TIR_FIX2FLOAT
                     ? draft->inputs[0].point
                     : fuzz_range(&draft->gen->random, 2, 7));
  }
}

//===----------------------------------------------------------------------===//
// Scales and zero points
//===----------------------------------------------------------------------===//

static int64_t some_zero_point(fuzz_draft *draft, xc_element element) {
  fuzz_random *r = &draft->gen->random;
  switch (element) {
  case XC_ELEMENT_I8:
    return fuzz_chance(r, 30) ? 0 : fuzz_range(r, -128, 127);
  case XC_ELEMENT_UI8:
    return fuzz_chance(r, 30) ? 0 : fuzz_range(r, 0, 255);
  default:
    return 0;
  }
}

static float some_scale(fuzz_random *r) {
  return (float)exp(fuzz_real(r, log(0.004), log(0.3)));
}

static xc_element operand_element(const fuzz_draft *draft, size_t slot) {
  xc_shape shape = {.element = XC_ELEMENT_I8};
  if (slot < draft->num_operands && !mlirValueIsNull(draft->operands[slot]))
    (void)xc_shape_of_type(mlirValueGetType(draft->operands[slot]), &shape);
  return shape.element;
}

// Which tensor "weight_scale" or "b_zero_point" is about.
static xc_element element_about(const fuzz_draft *draft, const char *name) {
  if (strncmp(name, "output", 6) == 0)
    return result_element(draft);
  bool second = strncmp(name, "weight", 6) == 0 ||
                strncmp(name, "slope", 5) == 0 || strncmp(name, "b_", 2) == 0;
  return operand_element(draft, second);
}

// A scale for the result that does not saturate everything.
static double output_scale(fuzz_draft *draft) {
  fuzz_random *r = &draft->gen->random;
  bool has_weight = fuzz_has(draft, "weight_scale", XC_ATTRIBUTE_FLOATS);
  double products = has_weight ? sqrt(terms(draft)) : 1;
  return (double)some_scale(r) * products * (has_weight ? 0.5 : 1);
}

static void add_float_list(fuzz_draft *draft, const xc_attribute_info *row) {
  fuzz_random *r = &draft->gen->random;
  float values[XC_MAX_INTS];
  size_t count = 1;
  if (strcmp(row->name, "input_scale") == 0)
    count = draft->num_operands;
  else if (draft->result_channels > 1 &&
           draft->result_channels <= XC_MAX_INTS && fuzz_chance(r, 60))
    count = draft->result_channels;
  for (size_t i = 0; i < count; ++i)
    values[i] = some_scale(r);
  fuzz_add_floats(draft, row->name, values, count);
}

// As many zero points as scales.
static void add_zero_points(fuzz_draft *draft, const xc_attribute_info *row) {
  size_t count = 0;
  bool is_weight = strncmp(row->name, "weight", 6) == 0;
  for (size_t i = 0; i < draft->num_attributes; ++i)
    if (draft->attributes[i].type == XC_ATTRIBUTE_FLOATS &&
        strstr(draft->attributes[i].name, "scale"))
      count = draft->attributes[i].count;
  if (is_weight && fuzz_chance(&draft->gen->random, 30))
    return;
  int64_t points[XC_MAX_INTS];
  for (size_t i = 0; i < count; ++i) {
    xc_element element = is_weight ? operand_element(draft, 1)
                         : draft->info->kind == XC_TIR_QUANTIZE_LINEAR
                             ? result_element(draft)
                             : operand_element(draft, i);
    points[i] = some_zero_point(draft, element);
  }
  fuzz_add_ints(draft, row->name, points, count);
}

//===----------------------------------------------------------------------===//
// The rest of the table
//===----------------------------------------------------------------------===//

static void add_real(fuzz_draft *draft, const xc_attribute_info *row) {
  fuzz_random *r = &draft->gen->random;
  double value;
  if (strcmp(row->name, "output_scale") == 0)
    value = output_scale(draft);
  else if (strstr(row->name, "_scale"))
    value = (double)some_scale(r);
  else if (strcmp(row->name, "min") == 0)
    value = fuzz_real(r, -2, 0);
  else if (strcmp(row->name, "max") == 0)
    value = fuzz_real(r, 0, 2);
  else if (strcmp(row->name, "constant_value") == 0)
    value = (double)fuzz_range(r, 0, 1);
  else if (row->has_default && fuzz_chance(r, 50))
    return;
  else
    value = fuzz_real(r, 0.05, 1.0);
  draft->attributes[draft->num_attributes++] = xc_float(row->name, value);
}

static void add_number(fuzz_draft *draft, const xc_attribute_info *row) {
  fuzz_random *r = &draft->gen->random;
  int64_t value;
  if (strstr(row->name, "zero_point"))
    value = some_zero_point(draft, element_about(draft, row->name));
  else if (strcmp(row->name, "constant_value") == 0)
    value = fuzz_want(draft->gen, XC_FACT_PAD_VALUE, fuzz_range(r, -128, 127));
  else if (row->has_default && fuzz_chance(r, 70))
    return;
  else
    value = fuzz_range(r, row->minimum,
                       row->maximum < row->minimum + 9 ? row->maximum
                                                       : row->minimum + 9);
  fuzz_add_int(draft, row->name, value);
}

static void add_case(fuzz_draft *draft, const xc_attribute_info *row) {
  fuzz_random *r = &draft->gen->random;
  int64_t count = (int64_t)row->num_cases;
  if (count == 0)
    return;
  int64_t chosen = fuzz_range(r, 0, count - 1);
  // What the DPU has not got would keep most operators off it.
  bool for_dpu = draft->gen->setting->mode == FUZZ_DPU;
  bool rounds = strcmp(row->name, "round_mode") == 0;
  if (row->has_default && fuzz_chance(r, for_dpu && rounds ? 97 : 35))
    return;
  bool is_activation = strcmp(row->name, "nonlinear") == 0;
  if (for_dpu && is_activation && fuzz_chance(r, 75))
    chosen = fuzz_range(r, 0, 1);
  // They have no attributes that the later ones need.
  if (is_activation && (draft->info->kind == XC_TIR_DEPTHWISE_FIX ||
                        draft->info->kind == XC_TIR_MATMUL_FIX))
    chosen = fuzz_range(r, 0, 3);
  fuzz_add_word(draft, row->name, xc_enum_name(row->cases[chosen]));
}

static void add_row(fuzz_draft *draft, const xc_attribute_info *row) {
  switch (row->type) {
  case XC_ATTRIBUTE_INT:
    add_number(draft, row);
    return;
  case XC_ATTRIBUTE_BOOL:
    if (!row->has_default || fuzz_chance(&draft->gen->random, 50))
      fuzz_add_bool(draft, row->name, fuzz_chance(&draft->gen->random, 50));
    return;
  case XC_ATTRIBUTE_FLOAT:
    add_real(draft, row);
    return;
  case XC_ATTRIBUTE_STRING:
    add_case(draft, row);
    return;
  case XC_ATTRIBUTE_FLOATS:
    if (row->required)
      add_float_list(draft, row);
    return;
  case XC_ATTRIBUTE_INTS:
    if (strstr(row->name, "zero_point"))
      add_zero_points(draft, row);
    return;
  case XC_ATTRIBUTE_ELEMENTS:
  case XC_ATTRIBUTE_DICTIONARY:
    return;
  }
}

void fuzz_add_attributes(fuzz_draft *draft) {
  const xc_op_info *info = draft->info;
  choose_result(draft);
  // Fix points follow the activation, zero points the scales.
  for (size_t i = 0; i < info->num_attributes; ++i)
    if (info->attributes[i].type == XC_ATTRIBUTE_STRING &&
        !fuzz_is_set(draft, info->attributes[i].name))
      add_row(draft, &info->attributes[i]);
  add_fix_points(draft);
  for (size_t i = 0; i < info->num_attributes; ++i)
    if (!fuzz_is_set(draft, info->attributes[i].name) &&
        !strstr(info->attributes[i].name, "hs") &&
        info->attributes[i].type != XC_ATTRIBUTE_STRING)
      add_row(draft, &info->attributes[i]);
}
