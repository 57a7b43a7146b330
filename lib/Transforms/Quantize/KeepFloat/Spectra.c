//===- Spectra.c - filters under squares and a logarithm ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A spectrum in decibel begins with convolutions or products, those of a
// Fourier transform, whose results are squared. The logarithm shows what is a
// millionth of the largest power as clearly as that one, and 8 bits of an
// amplitude end at a 16,000th: below it there is nothing but rounding errors,
// which become the largest numbers of the logarithm. Where it reads numbers so
// far apart in the samples, the filters under the squares stay in floating
// point, and with them those that sum the power over bands.
//
//===----------------------------------------------------------------------===//

#include "KeepFloat.h"

#include "IR/AttributeNames.h"
#include "IR/IR.h"
#include "Support/Text.h"
#include "Transforms/Quantize/Function/Filter.h"
#include "Transforms/Quantize/Function/Kinds.h"
#include "dialects/Macs.h"

#include <inttypes.h>
#include <math.h>

/// Multiply-accumulates that the CPU computes in some 30 ms.
static const int64_t most_macs = 1 << 25;

/// Findings about the values, by their index.
typedef struct spectra {
  xc_quantizer *q;
  bool *under_log;    // a logarithm of numbers that are far apart comes of it
  bool *under_square; // and before that a square
  bool *of_square;
  int64_t num_filters, macs;
  MlirOperation first;
} spectra;

static size_t index_of(const spectra *s, const xc_quantize_value *value) {
  return (size_t)(value - s->q->values);
}

static const xc_quantize_value *result_of(const spectra *s,
                                          MlirOperation operation) {
  const xc_op_info *info = xc_op_info_of(operation);
  return info && info->has_result
             ? xc_quantize_value_of(s->q, xc_op_result(operation))
             : NULL;
}

static bool has_constant_weights(const xc_adaptor *op) {
  xc_op_kind kind = op->info->kind;
  return (xc_is_filter(kind) || kind == XC_TIR_MATMUL ||
          kind == XC_TIR_INNER_PRODUCT) &&
         !mlirOperationIsNull(xc_constant_of(xc_operand(op, 1)));
}

static bool is_moved(xc_op_kind kind) {
  return kind == XC_TIR_EXPAND || xc_quantize_is_move(kind);
}

/// Whether an operator leaves numbers as far apart as they are, by and large,
/// or halves that in decibel.
static bool carries(const xc_adaptor *op) {
  switch (op->info->kind) {
  case XC_TIR_SQRT:
  case XC_TIR_POW:
  case XC_TIR_ABS:
  case XC_TIR_DIV:
  case XC_TIR_CLIP:
  case XC_TIR_RELU:
  case XC_TIR_REDUCTION_MAX:
    return true;
  default:
    return is_moved(op->info->kind) ||
           xc_quantize_is_arithmetic(op->info->kind) || xc_float_is_scale(op) ||
           xc_float_is_reduction(op) || has_constant_weights(op);
  }
}

/// Real and imaginary parts may be differences of what filters give.
static bool is_linear(const xc_adaptor *op) {
  xc_op_kind kind = op->info->kind;
  return is_moved(kind) || kind == XC_TIR_ADD || kind == XC_TIR_SUB ||
         kind == XC_TIR_NEG || xc_float_is_scale(op);
}

/// Ranges begin at 0, so that the smallest number is known by its logarithm.
static bool is_wide(const spectra *s, MlirOperation log) {
  const double far_apart = 1000; // 10 bits of power, 5 of an amplitude
  const xc_quantize_value *result = result_of(s, log);
  const xc_quantize_value *input =
      xc_quantize_value_of(s->q, mlirOperationGetOperand(log, 0));
  return result && input && input->high > far_apart * exp(result->low);
}

/// Whether one that reads the value leads where `set` does, over what passes.
static bool leads(const spectra *s, MlirValue value, const bool *set,
                  bool (*passes)(const xc_adaptor *op)) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    xc_adaptor op;
    MlirOperation reader = mlirOpOperandGetOwner(use);
    const xc_quantize_value *result = result_of(s, reader);
    if (result && set[index_of(s, result)] && xc_adaptor_of(reader, &op) &&
        passes(&op))
      return true;
  }
  return false;
}

static bool is_square(const xc_adaptor *op) {
  return op->info->kind == XC_TIR_ABS || xc_float_is_square(op);
}

static bool is_read_by_wide_log(const spectra *s, MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation reader = mlirOpOperandGetOwner(use);
    const xc_op_info *info = xc_op_info_of(reader);
    if (info && info->kind == XC_TIR_LOG && is_wide(s, reader))
      return true;
  }
  return false;
}

static bool reads_square(const spectra *s, const xc_adaptor *op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op->operation); ++i) {
    const xc_quantize_value *value =
        xc_quantize_value_of(s->q, mlirOperationGetOperand(op->operation, i));
    if (value && s->of_square[index_of(s, value)])
      return true;
  }
  return false;
}

// Readers come after what they read.
static void find_squares(spectra *s) {
  for (size_t i = s->q->num_values; i-- > 0;) {
    MlirValue value = s->q->values[i].original;
    s->under_log[i] =
        is_read_by_wide_log(s, value) || leads(s, value, s->under_log, carries);
    s->under_square[i] = leads(s, value, s->under_log, is_square) ||
                         leads(s, value, s->under_square, is_linear);
  }
  for (size_t i = 0; i < s->q->num_values; ++i) {
    xc_adaptor op;
    s->of_square[i] = s->under_log[i] &&
                      xc_float_read_writer(&s->q->values[i], &op) &&
                      (is_square(&op) || reads_square(s, &op));
  }
}

static bool is_filter_of_spectrum(const spectra *s, size_t i, xc_adaptor *op) {
  return xc_float_read_writer(&s->q->values[i], op) &&
         !s->q->values[i].stays_float && has_constant_weights(op) &&
         (s->under_square[i] || (s->under_log[i] && reads_square(s, op)));
}

static void count_filters(spectra *s) {
  for (size_t i = 0; i < s->q->num_values; ++i) {
    xc_adaptor op;
    if (!is_filter_of_spectrum(s, i, &op) || xc_float_is_scale(&op))
      continue;
    s->macs += xc_count_macs(&op);
    if (s->num_filters++ == 0)
      s->first = op.operation;
  }
}

// For the user, who may have expected them on the DPU.
static void describe(const spectra *s) {
  MlirStringRef name = xc_op_given_name(s->first);
  xc_text text = {0};
  xc_text_printf(&text, "%" PRId64 " filter%s under squares and a logarithm",
                 s->num_filters, s->num_filters == 1 ? "" : "s");
  if (name.length)
    xc_text_printf(&text, ", %s'%.*s',", s->num_filters == 1 ? "" : "as ",
                   (int)name.length, name.data);
  xc_text_printf(&text, " in floating point, on the CPU: 8 bits lose most of a "
                        "spectrum in decibel");
  xc_op_set_string(s->q->function, XC_NAME_SPECTRA, xc_text_str(&text));
  xc_text_free(&text);
}

void xc_quantize_keep_spectra(xc_quantizer *q) {
  spectra s = {.q = q};
  if (!xc_pass_bool(q->run, "float-statistics") || q->was_quantised)
    return;
  s.under_log = xc_arena_alloc(&q->arena, q->num_values + 1, sizeof(bool));
  s.under_square = xc_arena_alloc(&q->arena, q->num_values + 1, sizeof(bool));
  s.of_square = xc_arena_alloc(&q->arena, q->num_values + 1, sizeof(bool));
  find_squares(&s);
  count_filters(&s);
  if (s.num_filters == 0 || s.macs > most_macs)
    return;
  for (size_t i = 0; i < q->num_values; ++i) {
    xc_adaptor op;
    if (is_filter_of_spectrum(&s, i, &op))
      q->values[i].stays_float = XC_FLOAT_SPECTRUM;
  }
  // Operands that only they read are as exact, and so are moves of their
  // results.
  xc_quantize_keep_operands(q);
  describe(&s);
}
