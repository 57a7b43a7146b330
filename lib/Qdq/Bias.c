//===- Bias.c - what is added to the sum of a layer -----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Qdq.h"

#include "Support/Memory.h"

#include <math.h>
#include <stdlib.h>

enum { INPUT, WEIGHT, BIAS };

bool xc_qdq_shape_bias(qdq_match *match) {
  MlirValue integers = match->inputs[BIAS].source;
  const xc_shape result = xc_result_shape(&match->base);
  xc_shape shape;
  if (!xc_shape_of_type(mlirValueGetType(integers), &shape) ||
      shape.rank == 0 || shape.rank > result.rank)
    return false;
  int64_t channels = result.dims[result.rank - 1];
  if (shape.dims[shape.rank - 1] != channels ||
      xc_shape_num_elements(&shape) != channels)
    return false;
  match->has_input[BIAS] = true;
  match->num_inputs = BIAS + 1;
  if (shape.rank == 1)
    return true;
  xc_builder builder = xc_builder_before(match->result.operation);
  const xc_attribute vector = xc_ints("shape", &channels, 1);
  match->inputs[BIAS].source = xc_build(&builder, XC_TIR_RESHAPE, &integers, 1,
                                        &vector, 1, XC_ELEMENT_NONE);
  return !mlirValueIsNull(match->inputs[BIAS].source);
}

// Returns the integers of 32 bits next to numbers times 2^point; null where one
// does not fit.
static int32_t *to_integers(const float *numbers, size_t count, int64_t point) {
  int32_t *integers = xc_alloc_array(count + 1, sizeof(*integers));
  for (size_t i = 0; i < count; ++i) {
    double scaled = nearbyint(ldexp((double)numbers[i], (int)point));
    if (!(fabs(scaled) <= INT32_MAX)) {
      free(integers);
      return NULL;
    }
    integers[i] = (int32_t)scaled;
  }
  return integers;
}

bool xc_qdq_round_bias(qdq_match *match, MlirValue bias) {
  int64_t input, weight, ignored;
  xc_shape shape;
  size_t size;
  MlirOperation constant = xc_constant_of(bias);
  if (!match->rounds_bias || mlirOperationIsNull(constant) ||
      !xc_shape_of_type(mlirValueGetType(bias), &shape) ||
      shape.element != XC_ELEMENT_F32 ||
      !xc_qdq_input_point(match, INPUT, &input) ||
      !xc_qdq_input_point(match, WEIGHT, &weight) ||
      !xc_qdq_output_point(match, &ignored))
    return false;
  float *numbers = xc_const_bytes(constant, &size);
  int32_t *integers =
      numbers ? to_integers(numbers, size / sizeof(*numbers), input + weight)
              : NULL;
  free(numbers);
  if (!integers)
    return false;
  shape.element = XC_ELEMENT_I32;
  xc_builder builder = xc_builder_before(match->result.operation);
  match->inputs[BIAS] =
      (qdq_linear){.source = xc_build_const_bytes(&builder, integers, &shape),
                   .element = XC_ELEMENT_I32,
                   .count = 1,
                   .scale = ldexp(1.0, -(int)(input + weight))};
  free(integers);
  match->has_input[BIAS] = !mlirValueIsNull(match->inputs[BIAS].source);
  return match->has_input[BIAS];
}
