//===- Shuffle.c - channel shuffles ---------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A channel shuffle is three operators: a reshape that splits the channels into
// groups, a transpose that exchanges the two, and a reshape that joins them.
//
//===----------------------------------------------------------------------===//

#include "Draft.h"

// The dimensions before the channels: all three, or with some of them joined,
// as importers of signals have them. Returns how many.
static size_t draw_pixels(fuzz_gen *gen, const xc_shape *image, int64_t *dims) {
  size_t kept = fuzz_chance(&gen->random, 75)
                    ? 3
                    : (size_t)fuzz_range(&gen->random, 1, 2);
  for (size_t i = 0; i < 3; ++i) {
    size_t to = i < kept ? i : kept - 1;
    dims[to] = i < kept ? image->dims[i] : dims[to] * image->dims[i];
  }
  return kept;
}

// In fixed point most results keep the fix point of what they move.
static int32_t draw_point(fuzz_gen *gen, int32_t point) {
  return fuzz_chance(&gen->random, 95)
             ? point
             : point + (int32_t)fuzz_range(&gen->random, -2, 2);
}

/// One of the three operators, in fixed point or as it only moves.
typedef struct shuffle_step {
  xc_op_kind fixed, moved;
  const char *name; // of the attribute that says how
  const int64_t *numbers;
  size_t count;
} shuffle_step;

// In fixed point if the elements are, and then most of the time for DPUs.
static bool draw_fixed(fuzz_gen *gen, const fuzz_value *value,
                       const shuffle_step *step) {
  uint32_t elements =
      xc_op_info_get(XC_DIALECT_TIR, step->fixed)->operands[0].elements;
  return elements >> value->shape.element & 1 &&
         fuzz_chance(&gen->random, gen->setting->mode == FUZZ_DPU ? 95 : 50);
}

// `value` becomes the result of the step.
static bool add_step(fuzz_gen *gen, const shuffle_step *step,
                     fuzz_value *value) {
  bool is_fixed = draw_fixed(gen, value, step);
  int32_t point = is_fixed ? draw_point(gen, value->point) : value->point;
  const xc_attribute attributes[] = {
      xc_ints(step->name, step->numbers, step->count),
      xc_int("input_fix_point", value->point),
      xc_int("output_fix_point", point)};
  if (gen->num_values == FUZZ_MAX_VALUES)
    return false;
  value->value =
      xc_build(&gen->at, is_fixed ? step->fixed : step->moved, &value->value, 1,
               attributes, is_fixed ? 3 : 1, XC_ELEMENT_NONE);
  if (mlirValueIsNull(value->value))
    return false;
  value->point = point;
  value->is_used = true;
  xc_shape_of_type(mlirValueGetType(value->value), &value->shape);
  gen->values[gen->num_values++] = *value;
  return true;
}

static bool draw_image(fuzz_gen *gen, fuzz_value *image) {
  const xc_op_info *reshape = xc_op_info_get(XC_DIALECT_TIR, XC_TIR_RESHAPE);
  bool is_fixed =
      gen->setting->mode == FUZZ_DPU && fuzz_chance(&gen->random, 95);
  uint32_t elements = is_fixed ? XC_ELEMENT_BIT(I8)
                      : fuzz_chance(&gen->random, 80)
                          ? XC_ELEMENT_BIT(I8) | XC_ELEMENT_BIT(F32)
                          : reshape->operands[0].elements;
  fuzz_request request = fuzz_image_request(elements);
  return fuzz_request_value(gen, &request, image);
}

bool fuzz_add_shuffle(fuzz_gen *gen) {
  enum { DIMS = 5 };
  fuzz_value value;
  if (!draw_image(gen, &value))
    return false;
  const xc_shape image = value.shape;
  int64_t parts[DIMS], order[DIMS];
  size_t pixels = draw_pixels(gen, &image, parts), count = pixels + 2;
  parts[pixels] = fuzz_divisor(gen, image.dims[3]);
  parts[pixels + 1] = image.dims[3] / parts[pixels];
  for (size_t i = 0; i < pixels; ++i)
    order[i] = (int64_t)i;
  order[pixels] = (int64_t)pixels + 1;
  order[pixels + 1] = (int64_t)pixels;
  const shuffle_step steps[] = {
      {XC_TIR_RESHAPE_FIX, XC_TIR_RESHAPE, "shape", parts, count},
      {XC_TIR_TRANSPOSE_FIX, XC_TIR_TRANSPOSE, "order", order, count},
      {XC_TIR_RESHAPE_FIX, XC_TIR_RESHAPE, "shape", image.dims, 4}};
  for (size_t i = 0; i < sizeof steps / sizeof *steps; ++i)
    if (!add_step(gen, &steps[i], &value))
      return false;
  gen->values[gen->num_values - 1].is_used = false;
  return true;
}
