//===- Values.c - operands of made-up operators ---------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Draft.h"

#include "Support/Memory.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

int64_t fuzz_want(const fuzz_gen *gen, xc_fact fact, int64_t otherwise) {
  return gen->wanted[fact] == FUZZ_FREE ? otherwise : gen->wanted[fact];
}

int64_t fuzz_size(fuzz_gen *gen) {
  fuzz_random *r = &gen->random;
  if (fuzz_is_large(gen) && fuzz_chance(r, 85))
    return fuzz_range(r, 20, 112);
  switch (fuzz_range(r, 0, 9)) {
  case 0:
    return 1;
  case 1:
    return FUZZ_PICK(r, 7, 8, 9, 15, 16, 17, 31, 32, 33);
  default:
    return fuzz_range(r, 1, 14);
  }
}

int64_t fuzz_channels(fuzz_gen *gen) {
  fuzz_random *r = &gen->random;
  int64_t unit = gen->setting->target ? gen->setting->target->channelParallel
                                      : FUZZ_PICK(r, 4, 8, 16, 32);
  if (gen->setting->subject == FUZZ_NARROW && fuzz_chance(r, 75))
    return fuzz_range(r, 1, unit / 2);
  if (fuzz_is_shuffled(gen) && fuzz_chance(r, 75))
    return FUZZ_PICK(r, 2, 2, 3, 4) * fuzz_range(r, 1, unit);
  switch (fuzz_range(r, 0, 5)) {
  case 0:
    return FUZZ_PICK(r, 1, 2, 3, 4);
  case 1:
  case 2: {
    int64_t channels = fuzz_range(r, 1, 3) * unit + fuzz_range(r, -1, 1);
    return channels > 0 ? channels : 1;
  }
  case 3:
    return fuzz_range(r, 1, 3) * unit;
  default:
    return fuzz_range(r, 1, 2 * unit + 4);
  }
}

int64_t fuzz_divisor(fuzz_gen *gen, int64_t number) {
  for (int i = 0; i < 8; ++i) {
    int64_t divisor = fuzz_range(&gen->random, 1, number < 8 ? number : 8);
    if (number % divisor == 0)
      return divisor;
  }
  return number;
}

xc_shape fuzz_shape(xc_element element, size_t rank, const int64_t *dims) {
  xc_shape shape = {.element = element, .rank = rank};
  memcpy(shape.dims, dims, rank * sizeof(*dims));
  return shape;
}

xc_element fuzz_element(fuzz_gen *gen, uint32_t set) {
  static const xc_element common[] = {XC_ELEMENT_I8, XC_ELEMENT_F32,
                                      XC_ELEMENT_UI8, XC_ELEMENT_I32};
  size_t first = gen->setting->mode == FUZZ_DPU ? 0 : 1;
  bool usual = fuzz_chance(&gen->random, first == 0 ? 96 : 60);
  for (size_t i = first; usual && i < 4; ++i)
    if (set >> common[i] & 1)
      return common[i];
  size_t count = 0, found = 0;
  xc_element all[XC_ELEMENT_NONE];
  for (int e = 0; e < XC_ELEMENT_NONE; ++e)
    if (set >> e & 1)
      all[count++] = (xc_element)e;
  if (count > 0)
    found = (size_t)fuzz_range(&gen->random, 0, (int64_t)count - 1);
  return all[found];
}

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

static fuzz_request any_of(uint32_t elements, size_t low, size_t high) {
  fuzz_request request = {elements, low, high, {0}, false};
  for (size_t i = 0; i < XC_MAX_RANK; ++i)
    request.dims[i] = -1;
  return request;
}

fuzz_request fuzz_image_request(uint32_t elements) {
  return any_of(elements, 4, 4);
}

fuzz_request fuzz_any_request(uint32_t elements) {
  return any_of(elements, 1, 5);
}

static bool fits(const fuzz_request *request, const fuzz_value *value) {
  const xc_shape *shape = &value->shape;
  if (!(request->elements >> shape->element & 1) ||
      shape->rank < request->low_rank || shape->rank > request->high_rank ||
      (request->needs_exact && !value->is_exact))
    return false;
  for (size_t i = 0; i < request->low_rank; ++i)
    if (request->dims[i] >= 0 && request->dims[i] != shape->dims[i])
      return false;
  return true;
}

fuzz_value fuzz_new_argument(fuzz_gen *gen, const xc_shape *shape) {
  fuzz_value value = {
      .value = mlirBlockAddArgument(gen->at.block,
                                    xc_type_of_shape(gen->at.context, shape),
                                    gen->location),
      .shape = *shape,
      .is_exact = true,
      .is_used = true,
      .point = (int32_t)fuzz_range(&gen->random, -2, 8)};
  if (gen->num_values < FUZZ_MAX_VALUES)
    gen->values[gen->num_values++] = value;
  return value;
}

void fuzz_add_conv(fuzz_gen *gen, fuzz_value *image) {
  enum { WEIGHT_POINT = 7 };
  static const int64_t ones[] = {1, 1};
  int64_t channels = image->shape.dims[3];
  const xc_shape weight =
      fuzz_shape(XC_ELEMENT_I8, 4, (const int64_t[]){channels, 1, 1, channels});
  const MlirValue operands[] = {
      image->value, fuzz_constant(gen, &weight, -128, 127), {NULL}};
  const xc_attribute attributes[] = {xc_ints("kernel", ones, 2),
                                     xc_ints("stride", ones, 2),
                                     xc_int("input_fix_point", image->point),
                                     xc_int("weight_fix_point", WEIGHT_POINT),
                                     xc_int("output_fix_point", image->point)};
  image->value =
      xc_build(&gen->at, XC_TIR_CONV2D_FIX, operands, 3, attributes,
               sizeof attributes / sizeof *attributes, XC_ELEMENT_NONE);
}

// A row, or now and then a column, of pixels.
static void make_signal(fuzz_gen *gen, xc_shape *image) {
  fuzz_random *r = &gen->random;
  int64_t length =
      fuzz_chance(r, 60) ? fuzz_range(r, 30, 400) : fuzz_range(r, 1, 20) * 16;
  bool is_row = fuzz_chance(r, 85);
  image->dims[1] = is_row ? 1 : length;
  image->dims[2] = is_row ? length : 1;
}

static bool make_argument(fuzz_gen *gen, const fuzz_request *request,
                          fuzz_value *result) {
  size_t rank = (size_t)fuzz_range(&gen->random, (int64_t)request->low_rank,
                                   (int64_t)request->high_rank);
  if (request->high_rank >= 4 && request->low_rank <= 4 &&
      fuzz_chance(&gen->random, 80))
    rank = 4;
  xc_shape shape = {.element = fuzz_element(gen, request->elements),
                    .rank = rank};
  bool many =
      fuzz_chance(&gen->random, gen->setting->mode == FUZZ_DPU ? 3 : 25);
  for (size_t i = 0; i < rank; ++i) {
    int64_t dim = i + 1 == rank ? fuzz_channels(gen)
                  : rank == 4 && i == 0
                      ? (many ? fuzz_range(&gen->random, 2, 3) : 1)
                      : fuzz_size(gen);
    if (rank > 4 && i + 1 < rank)
      dim = fuzz_range(&gen->random, 1, 5);
    bool is_wide = gen->setting->subject == FUZZ_NARROW || fuzz_joins(gen);
    if (is_wide && rank == 4 && i == 2)
      dim = 4 * (dim / 2 + 1);
    bool is_given = i < request->low_rank && request->dims[i] >= 0;
    shape.dims[i] = is_given ? request->dims[i] : dim;
  }
  bool is_free =
      request->low_rank < 4 || (request->dims[1] < 0 && request->dims[2] < 0);
  if (fuzz_is_signal(gen) && rank == 4 && is_free)
    make_signal(gen, &shape);
  if (!fuzz_can_have(gen, xc_shape_num_elements(&shape)))
    return false;
  *result = fuzz_new_argument(gen, &shape);
  if (fuzz_is_inner(gen) && shape.rank == 4 && shape.element == XC_ELEMENT_I8) {
    fuzz_add_conv(gen, result);
    gen->values[gen->num_values - 1] = *result;
  }
  return true;
}

bool fuzz_request_value(fuzz_gen *gen, const fuzz_request *request,
                        fuzz_value *result) {
  // What nothing has used yet comes first: chains rather than heaps.
  fuzz_value *found[FUZZ_MAX_VALUES];
  size_t count = 0, unused = 0;
  for (size_t i = 0; i < gen->num_values; ++i)
    if (fits(request, &gen->values[i])) {
      found[count++] = &gen->values[i];
      unused += !gen->values[i].is_used;
    }
  // Beside what an operator has read its result is concatenated.
  bool joins = fuzz_joins(gen);
  bool take_unused = unused > 0 && fuzz_chance(&gen->random, joins ? 50 : 75);
  bool take =
      take_unused || (count > 0 && fuzz_chance(&gen->random, joins ? 95 : 60));
  if (!take)
    return make_argument(gen, request, result);
  size_t chosen = (size_t)fuzz_range(
      &gen->random, 0, (int64_t)(take_unused ? unused : count) - 1);
  for (size_t i = 0; i < count; ++i) {
    if (take_unused && found[i]->is_used)
      continue;
    if (chosen-- == 0) {
      found[i]->is_used = true;
      *result = *found[i];
      return true;
    }
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static void store_int(xc_element element, int64_t value, void *at) {
  memcpy(at, &value, xc_element_size(element)); // little-endian hosts
}

MlirValue fuzz_constant(fuzz_gen *gen, const xc_shape *shape, int64_t low,
                        int64_t high) {
  size_t size = xc_element_size(shape->element);
  size_t count = (size_t)xc_shape_num_elements(shape);
  unsigned char *bytes = xc_alloc(count * size);
  bool is_float = xc_element_is_float(shape->element);
  if (is_float)
    fuzz_fill(fuzz_next(&gen->random), shape, bytes);
  if (is_float && low >= 0) // the sign is the highest bit
    for (size_t i = 1; i <= count; ++i)
      bytes[i * size - 1] &= 0x7f;
  for (size_t i = 0; !is_float && i < count; ++i)
    store_int(shape->element, fuzz_range(&gen->random, low, high),
              bytes + i * size);
  MlirValue value = xc_build_const_bytes(&gen->at, bytes, shape);
  free(bytes);
  return value;
}

MlirValue fuzz_any_constant(fuzz_gen *gen, const xc_shape *shape) {
  switch (shape->element) {
  case XC_ELEMENT_I1:
    return fuzz_constant(gen, shape, 0, 1);
  case XC_ELEMENT_I8:
    return fuzz_constant(gen, shape, -128, 127);
  case XC_ELEMENT_UI8:
    return fuzz_constant(gen, shape, 0, 255);
  case XC_ELEMENT_UI16:
  case XC_ELEMENT_UI32:
  case XC_ELEMENT_UI64:
    return fuzz_constant(gen, shape, 0, 40000);
  default:
    return fuzz_constant(gen, shape, -20000, 20000);
  }
}

//===----------------------------------------------------------------------===//
// Parts of a draft
//===----------------------------------------------------------------------===//

void fuzz_add_operand(fuzz_draft *draft, MlirValue value) {
  draft->operands[draft->num_operands++] = value;
}

void fuzz_add_input(fuzz_draft *draft, const fuzz_value *value) {
  draft->inputs[draft->num_operands] = *value;
  fuzz_add_operand(draft, value->value);
}

void fuzz_skip_operand(fuzz_draft *draft) {
  fuzz_add_operand(draft, (MlirValue){NULL});
}

bool fuzz_has(const fuzz_draft *draft, const char *name,
              xc_attribute_type type) {
  const xc_attribute_info *row =
      xc_attribute_info_find(draft->info, name, strlen(name));
  return row && row->type == type;
}

bool fuzz_is_set(const fuzz_draft *draft, const char *name) {
  for (size_t i = 0; i < draft->num_attributes; ++i)
    if (strcmp(draft->attributes[i].name, name) == 0)
      return true;
  return false;
}

const char *fuzz_word(const fuzz_draft *draft, const char *name) {
  for (size_t i = 0; i < draft->num_attributes; ++i)
    if (strcmp(draft->attributes[i].name, name) == 0)
      return draft->attributes[i].string;
  const xc_attribute_info *row =
      xc_attribute_info_find(draft->info, name, strlen(name));
  return row ? xc_enum_name(row->default_case) : "";
}

void fuzz_add_int(fuzz_draft *draft, const char *name, int64_t value) {
  if (fuzz_has(draft, name, XC_ATTRIBUTE_INT))
    draft->attributes[draft->num_attributes++] = xc_int(name, value);
}

void fuzz_add_ints(fuzz_draft *draft, const char *name, const int64_t *values,
                   size_t count) {
  if (!fuzz_has(draft, name, XC_ATTRIBUTE_INTS))
    return;
  int64_t *copy = draft->ints[draft->num_attributes];
  memcpy(copy, values, count * sizeof(*values));
  draft->attributes[draft->num_attributes++] = xc_ints(name, copy, count);
}

void fuzz_add_bool(fuzz_draft *draft, const char *name, bool value) {
  if (fuzz_has(draft, name, XC_ATTRIBUTE_BOOL))
    draft->attributes[draft->num_attributes++] = xc_bool(name, value);
}

void fuzz_add_word(fuzz_draft *draft, const char *name, const char *word) {
  if (fuzz_has(draft, name, XC_ATTRIBUTE_STRING))
    draft->attributes[draft->num_attributes++] = xc_string(name, word);
}

void fuzz_add_floats(fuzz_draft *draft, const char *name, const float *values,
                     size_t count) {
  if (!fuzz_has(draft, name, XC_ATTRIBUTE_FLOATS))
    return;
  float *copy = draft->floats[draft->num_attributes];
  memcpy(copy, values, count * sizeof(*values));
  draft->attributes[draft->num_attributes++] = xc_floats(name, copy, count);
}
