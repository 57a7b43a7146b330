//===- FloatZeros.c - zero points beside activations on the CPU -----------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SiLU gives -0.28 to 20 and reads -6 to 20: about half of the integers of both
// tensors would never be used. An activation on the CPU adds a number to each
// channel at no cost, so each channel may have its zero where its range is in
// the middle of the integers. In front of the activation the bias of the
// convolution takes the zero point along, behind it those of the convolutions
// that read, unless one of them pads, which it would do with another number.
//
//===----------------------------------------------------------------------===//

#include "FloatActivation.h"

#include "IR/IR.h"
#include "OpParams/Window.h"
#include "Transforms/Quantize/Function/Filter.h"
#include "Transforms/Quantize/Observe/Observe.h"

#include <math.h>
#include <stdlib.h>

static xc_equal_filter *filter_of(const xc_equalizer *e, MlirOperation op) {
  for (size_t i = 0; i < e->num_filters; ++i)
    if (mlirOperationEqual(e->filters[i].operation, op))
      return &e->filters[i];
  return NULL;
}

static bool all_free(const xc_equalizer *e, const int64_t *roots,
                     int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    if (!xc_equal_is_free(&e->channels[roots[i]]))
      return false;
  return true;
}

// Moves the middle of what the samples say of each channel to zero.
static void center(const xc_equalizer *e, xc_quantize_value *value,
                   const int64_t *roots) {
  for (int64_t c = 0; c < value->channels; ++c) {
    double middle = (value->lows[c] + value->highs[c]) / 2;
    e->channels[roots[c]].zero = middle;
    value->lows[c] -= middle;
    value->highs[c] -= middle;
    xc_quantize_move_extremes(value, c, -middle);
    if (value->floors) {
      value->floors[c] -= middle;
      value->ceilings[c] -= middle;
    }
  }
}

// Whether the result scales something, other than another score.
static bool is_gate(const xc_float_activation *a) {
  for (MlirOpOperand use = mlirValueGetFirstUse(a->result);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation reader = mlirOpOperandGetOwner(use);
    if (!xc_op_is(reader, "tir.mul"))
      continue;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(reader); ++i) {
      MlirValue operand = mlirOperationGetOperand(reader, i);
      if (!mlirValueIsAOpResult(operand) ||
          !xc_op_is(mlirOpResultGetOwner(operand), "tir.sigmoid"))
        return true;
    }
  }
  return false;
}

// A score of what the samples have hardly seen gets as far above zero in others
// as it is below in these, or up to where a sigmoid changes no more. Gates open
// and close in every sample.
static void expect_both_signs(const xc_float_activation *a,
                              xc_quantize_value *input) {
  double below, above;
  if (is_gate(a) || !xc_float_bounds(a, &below, &above))
    return;
  for (int64_t c = 0; c < input->channels; ++c) {
    double low = input->lows[c], high = input->highs[c];
    input->lows[c] = fmin(low, fmax(-high, -below));
    input->highs[c] = fmax(high, fmin(-low, above));
  }
}

static void center_input(const xc_equalizer *e, const xc_float_activation *a) {
  if (!a->is_alone || !mlirValueIsAOpResult(a->input))
    return;
  xc_equal_filter *writer = filter_of(e, mlirOpResultGetOwner(a->input));
  if (!writer || !writer->bias || !all_free(e, a->before, a->channels))
    return;
  xc_quantize_value *input = xc_pointer_map_get(&e->q->originals, a->input.ptr);
  expect_both_signs(a, input);
  center(e, input, a->before);
  for (int64_t c = 0; c < a->channels; ++c)
    writer->bias[c] -= e->channels[a->before[c]].zero;
}

static bool takes_zeros(const xc_equalizer *e, MlirOperation op) {
  const xc_equal_filter *reader = filter_of(e, op);
  xc_adaptor adaptor;
  return reader && reader->bias && !reader->is_depthwise &&
         xc_adaptor_of(op, &adaptor) && adaptor.info->kind == XC_TIR_CONV2D &&
         xc_window_reads_input_only(&adaptor);
}

static void shift_bias(const xc_equalizer *e, xc_equal_filter *f) {
  xc_adaptor adaptor;
  float *weights = xc_adaptor_of(f->operation, &adaptor)
                       ? xc_filter_read(&adaptor, XC_FILTER_WEIGHTS)
                       : NULL;
  const float *weight = weights;
  for (int64_t o = 0; weights && o < f->outputs; ++o)
    for (int64_t w = 0; w < f->window; ++w)
      for (int64_t i = 0; i < f->inputs; ++i)
        f->bias[o] += (double)*weight++ * e->channels[f->input[i]].zero;
  free(weights);
}

static void center_result(const xc_equalizer *e, const xc_float_activation *a) {
  MlirOpOperand first = mlirValueGetFirstUse(a->result);
  if (mlirOpOperandIsNull(first) || !all_free(e, a->after, a->channels))
    return;
  for (MlirOpOperand use = first; !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (!takes_zeros(e, mlirOpOperandGetOwner(use)))
      return;
  center(e, xc_pointer_map_get(&e->q->originals, a->result.ptr), a->after);
  for (MlirOpOperand use = first; !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    shift_bias(e, filter_of(e, mlirOpOperandGetOwner(use)));
}

void xc_float_move_zeros(const xc_equalizer *e) {
  // Fitted weights make good what rounding the biases costs.
  if (!xc_pass_bool(e->q->run, "fit") ||
      !xc_pass_bool(e->q->run, "zero-points"))
    return;
  for (size_t i = 0; i < e->num_activations; ++i) {
    const xc_float_activation *a = &e->activations[i];
    if (!a->is_scaled)
      continue;
    center_input(e, a);
    center_result(e, a);
  }
}

float *xc_float_zeros(const xc_equalizer *e, const int64_t *roots,
                      int64_t channels, bool scaled) {
  float *zeros = xc_alloc_array((size_t)channels + 1, sizeof(*zeros));
  bool any = false;
  for (int64_t c = 0; c < channels; ++c) {
    const xc_equal_channel *own = &e->channels[roots[c]];
    zeros[c] = (float)(scaled ? -own->zero * own->factor : own->zero);
    any |= own->zero != 0;
  }
  if (any)
    return zeros;
  free(zeros);
  return NULL;
}

void xc_float_keep_zeros(const xc_equalizer *e, xc_quantize_value *value,
                         const int64_t *roots) {
  float *zeros = xc_float_zeros(e, roots, value->channels, true);
  if (!zeros)
    return;
  value->zeros = xc_arena_alloc(&e->q->arena, (size_t)value->channels + 1,
                                sizeof(*value->zeros));
  for (int64_t c = 0; c < value->channels; ++c)
    value->zeros[c] = (double)zeros[c];
  free(zeros);
}
