//===- Match.c - which operators a kernel computes ------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Match.h"

#include "IR/IR.h"
#include "OpParams/Fix.h"
#include "OpParams/Quant.h"

#include <inttypes.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Reasons
//===----------------------------------------------------------------------===//

void xc_kernel_reason_free(xc_kernel_reason *reason) {
  xc_text_free(&reason->text);
  xc_text_free(&reason->change);
  reason->predicate = NULL;
}

// Predicates that are no size.
typedef enum misfit {
  NOT_QUANTISED,
  NOT_FLOAT,
  OPERAND_TYPE,
  RESULT_TYPE,
  VARIABLE_WEIGHTS,
  TRANSPOSED_INPUT,
  SEVERAL_MATRICES,
  WIDE_SUMS,
  WEIGHT_ZERO_POINTS,
  NO_BIAS,
  WIDE_BIAS,
  BIAS_TYPE,
  SCALE_KIND,
  ROUNDING,
  ACTIVATION,
  NO_RELU,
  WIDE_SCRATCH,
} misfit;

static const struct {
  const char *predicate, *text, *change;
} misfits[] = {
    [NOT_QUANTISED] = {"quantisation", "the operator is not quantised",
                       "a quantised model (--calibration)"},
    [NOT_FLOAT] = {"quantisation", "the operator is not in floating point",
                   "\"element\": \"i8\""},
    [OPERAND_TYPE] = {"element", "an operand is not of the function's type",
                      NULL},
    [RESULT_TYPE] = {"element", "the result is not i8", NULL},
    [VARIABLE_WEIGHTS] = {"weights", "the weights are not constant", NULL},
    [TRANSPOSED_INPUT] = {"transposition", "the input is transposed", NULL},
    [SEVERAL_MATRICES] = {"matrices",
                          "it is not a product with one matrix of weights",
                          NULL},
    [WIDE_SUMS] = {"sums", "sums of products may exceed 32 bits", NULL},
    [WEIGHT_ZERO_POINTS] = {"zero-point", "the weights have a zero point",
                            "symmetric weights"},
    [NO_BIAS] = {"zero-point",
                 "there is no constant i32 bias that could make up for the "
                 "zero point of the input",
                 "an argument 'int32_t input_zero_point'"},
    [WIDE_BIAS] = {"zero-point",
                   "the bias and the zero point of the input exceed 32 bits",
                   "an argument 'int32_t input_zero_point'"},
    [BIAS_TYPE] = {"bias", "the bias is not of the function's type", NULL},
    [SCALE_KIND] = {"scales", "the operator is not scaled as the function does",
                    "a function of sums, without scales or shifts"},
    [ROUNDING] = {"rounding", "the operator is rounded in another way",
                  "--rounding, or a function of sums"},
    [ACTIVATION] = {"activation", "the operator clamps to another range",
                    "arguments 'activation_min' and 'activation_max'"},
    [NO_RELU] = {"activation", "no relu alone follows the operator",
                 "a function without an activation"},
    [WIDE_SCRATCH] = {"scratch", "the scratch memory exceeds 31 bits", NULL},
};

static bool no(xc_kernel_reason *reason, misfit why) {
  reason->predicate = misfits[why].predicate;
  xc_text_puts(&reason->text, misfits[why].text);
  if (misfits[why].change)
    xc_text_puts(&reason->change, misfits[why].change);
  return false;
}

//===----------------------------------------------------------------------===//
// Elements and sizes
//===----------------------------------------------------------------------===//

static bool check_elements(const xc_kernel_subject *s, const xc_kernel_row *row,
                           xc_kernel_reason *reason) {
  if (row->is_float != s->is_float)
    return no(reason, row->is_float ? NOT_FLOAT : NOT_QUANTISED);
  xc_element wanted = row->is_float ? XC_ELEMENT_F32 : XC_ELEMENT_I8;
  if (s->shapes[0].element != wanted || s->shapes[1].element != wanted ||
      (row->is_float && s->result.element != wanted))
    return no(reason, OPERAND_TYPE);
  if (mlirOperationIsNull(xc_kernel_constant(s, 1)))
    return no(reason, VARIABLE_WEIGHTS);
  return true;
}

static bool check_matrices(const xc_kernel_subject *s,
                           xc_kernel_reason *reason) {
  if (s->kind != XC_KERNEL_DENSE)
    return true;
  if (s->op.info->kind != XC_TIR_INNER_PRODUCT &&
      xc_attr_bool(&s->op, XC_ATTR_TRANSPOSE_A))
    return no(reason, TRANSPOSED_INPUT);
  return s->shapes[1].rank == 2 || no(reason, SEVERAL_MATRICES);
}

static bool check_limit(const xc_kernel_limit *limit, int64_t size,
                        xc_kernel_reason *reason) {
  if (size >= limit->low && size <= limit->high)
    return true;
  const char *name = xc_kernel_size_name(limit->size);
  reason->predicate = name;
  xc_text_printf(&reason->text, "%s is %" PRId64 ", expected %" PRId64, name,
                 size, limit->low);
  if (limit->high != limit->low)
    xc_text_printf(&reason->text, " to %" PRId64, limit->high);
  xc_text_printf(&reason->change, "%s %" PRId64 " -> %" PRId64, name, size,
                 size < limit->low ? limit->low : limit->high);
  return false;
}

// A row has sizes that it leaves out at 1; padding is made by a copy.
static bool check_sizes(const xc_kernel_subject *s, const xc_kernel_row *row,
                        xc_kernel_reason *reason) {
  static const xc_kernel_size implied[] = {
      XC_KERNEL_STRIDE_HEIGHT,   XC_KERNEL_STRIDE_WIDTH,
      XC_KERNEL_DILATION_HEIGHT, XC_KERNEL_DILATION_WIDTH,
      XC_KERNEL_GROUP,           XC_KERNEL_CHANNEL_MULTIPLIER};
  for (size_t i = 0; i < sizeof(implied) / sizeof(*implied); ++i) {
    bool is_group = implied[i] == XC_KERNEL_GROUP;
    bool is_multiplier = implied[i] == XC_KERNEL_CHANNEL_MULTIPLIER;
    // The number of channels says the one or the other.
    if ((is_group && row->operation == XC_KERNEL_DEPTHWISE) ||
        (is_multiplier && (row->operation != XC_KERNEL_DEPTHWISE ||
                           xc_kernel_row_has(row, XC_KERNEL_OUT_CHANNELS))))
      continue;
    int64_t size = s->sizes[implied[i]];
    if (xc_kernel_row_has(row, (int)implied[i]) || size == 1)
      continue;
    const char *name = xc_kernel_size_name(implied[i]);
    reason->predicate = name;
    xc_text_printf(&reason->text, "%s is %" PRId64 ", which '%s' does not take",
                   name, size, row->function);
    xc_text_printf(&reason->change, "an argument 'int %s'", name);
    return false;
  }
  for (size_t i = 0; i < row->num_limits; ++i)
    if (!check_limit(&row->limits[i], s->sizes[row->limits[i].size], reason))
      return false;
  int64_t scratch = xc_kernel_scratch_bytes(row, s->sizes);
  return (scratch >= 0 && scratch <= INT32_MAX) || no(reason, WIDE_SCRATCH);
}

static bool check_sums(const xc_kernel_subject *s, const xc_kernel_row *row,
                       xc_kernel_reason *reason) {
  const int64_t product = 1 << 14; // of two i8
  int64_t channels = s->sizes[XC_KERNEL_OUT_CHANNELS];
  int64_t terms =
      channels ? xc_shape_num_elements(&s->shapes[1]) / channels : 0;
  return row->is_float || terms <= INT32_MAX / product || no(reason, WIDE_SUMS);
}

//===----------------------------------------------------------------------===//
// Quantisation
//===----------------------------------------------------------------------===//

static bool check_zero_points(const xc_kernel_subject *s,
                              const xc_kernel_row *row, const xc_qconv *q,
                              xc_kernel_reason *reason) {
  for (size_t i = 0; i < q->num_zeros; ++i)
    if (q->zeros[i] != 0)
      return no(reason, WEIGHT_ZERO_POINTS);
  if (q->input.zero_point == 0 ||
      xc_kernel_row_has(row, XC_KERNEL_INPUT_ZERO_POINT) ||
      xc_kernel_row_has(row, XC_KERNEL_INPUT_OFFSET))
    return true;
  if (mlirOperationIsNull(xc_kernel_constant(s, 2)) ||
      s->shapes[2].element != XC_ELEMENT_I32)
    return no(reason, NO_BIAS);
  int64_t channels = s->sizes[XC_KERNEL_OUT_CHANNELS];
  xc_arena arena = {0};
  int32_t *folded = xc_arena_alloc(&arena, (size_t)channels, sizeof(*folded));
  bool fits = xc_kernel_fold_zero_point(s, q->input.zero_point, folded);
  xc_arena_free(&arena);
  return fits || no(reason, WIDE_BIAS);
}

static xc_element bias_element(const xc_kernel_row *row) {
  for (size_t i = 0; i < row->num_arguments; ++i)
    if (row->arguments[i].what == XC_KERNEL_BIAS)
      return row->is_float                              ? XC_ELEMENT_F32
             : strstr(row->arguments[i].type, "int8_t") ? XC_ELEMENT_I8
                                                        : XC_ELEMENT_I32;
  return XC_ELEMENT_NONE;
}

static bool check_bias(const xc_kernel_subject *s, const xc_kernel_row *row,
                       xc_kernel_reason *reason) {
  xc_element wanted = bias_element(row);
  if (wanted == XC_ELEMENT_NONE || !xc_has_operand(&s->op, 2))
    return true;
  if (s->shapes[2].element != wanted ||
      xc_shape_num_elements(&s->shapes[2]) != s->sizes[XC_KERNEL_OUT_CHANNELS])
    return no(reason, BIAS_TYPE);
  xc_kernel_limit none = {XC_KERNEL_BIAS_SHIFT, 0, 0};
  return xc_kernel_row_has(row, XC_KERNEL_BIAS_SHIFT) ||
         check_limit(&none, s->sizes[XC_KERNEL_BIAS_SHIFT], reason);
}

// The range that a function clamps to by itself.
static bool check_range(const xc_kernel_subject *s, const xc_kernel_row *row,
                        xc_kernel_reason *reason) {
  int64_t low = row->relu ? s->sizes[XC_KERNEL_OUTPUT_ZERO_POINT] : INT8_MIN;
  if ((!xc_kernel_row_has(row, XC_KERNEL_ACTIVATION_MIN) &&
       s->sizes[XC_KERNEL_ACTIVATION_MIN] != low) ||
      (!xc_kernel_row_has(row, XC_KERNEL_ACTIVATION_MAX) &&
       s->sizes[XC_KERNEL_ACTIVATION_MAX] != INT8_MAX))
    return no(reason, ACTIVATION);
  xc_kernel_limit none = {XC_KERNEL_OUTPUT_ZERO_POINT, 0, 0};
  return xc_kernel_row_has(row, XC_KERNEL_OUTPUT_ZERO_POINT) ||
         check_limit(&none, s->sizes[XC_KERNEL_OUTPUT_ZERO_POINT], reason);
}

static bool check_scales(const xc_kernel_subject *s, const xc_kernel_row *row,
                         const xc_qconv *q, xc_kernel_reason *reason) {
  if (!xc_kernel_row_requantises(row))
    return true;
  if (s->result.element != XC_ELEMENT_I8)
    return no(reason, RESULT_TYPE);
  bool shifts = xc_kernel_row_has(row, XC_KERNEL_OUTPUT_SHIFT);
  bool multipliers = xc_kernel_row_has(row, XC_KERNEL_MULTIPLIERS);
  if (shifts == s->is_qlinear ||
      (q && (multipliers != q->tflite || (q->tflite && q->wide))))
    return no(reason, SCALE_KIND);
  if (shifts) {
    XcActivation activation = xc_activation_of(&s->op);
    if (xc_round_mode_of(&s->op) != row->rounding)
      return no(reason, ROUNDING);
    if (activation != XcActivationNone && activation != XcActivationRelu)
      return no(reason, ACTIVATION);
  }
  return check_range(s, row, reason);
}

static bool check_epilogue(const xc_kernel_subject *s, const xc_kernel_row *row,
                           xc_kernel_reason *reason) {
  if (row->is_float)
    return (!row->relu || !mlirOperationIsNull(s->relu) ||
            no(reason, NO_RELU)) &&
           check_bias(s, row, reason);
  xc_arena arena = {0};
  xc_qconv q;
  if (s->is_qlinear)
    q = xc_qconv_of(&s->op, &arena);
  bool ok = (!s->is_qlinear || check_zero_points(s, row, &q, reason)) &&
            check_scales(s, row, s->is_qlinear ? &q : NULL, reason) &&
            check_bias(s, row, reason);
  xc_arena_free(&arena);
  return ok;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

// A depthwise convolution is one with many groups, too.
static bool is_for(const xc_kernel_row *row, const xc_kernel_subject *s) {
  return row->operation == s->kind ||
         (s->kind == XC_KERNEL_DEPTHWISE && row->operation == XC_KERNEL_CONV2D);
}

// Returns how many checks an operator passes.
static int check(const xc_kernel_subject *s, const xc_kernel_row *row,
                 xc_kernel_reason *reason) {
  if (!check_elements(s, row, reason))
    return 0;
  if (!check_matrices(s, reason))
    return 1;
  if (!check_sums(s, row, reason))
    return 2;
  if (!check_sizes(s, row, reason))
    return 3;
  return check_epilogue(s, row, reason) ? 5 : 4;
}

const xc_kernel_row *xc_kernel_find(const xc_kernel_library *library,
                                    MlirOperation operation,
                                    xc_kernel_reason *reason) {
  xc_kernel_subject s;
  int best = -1;
  *reason = (xc_kernel_reason){0};
  if (!xc_kernel_subject_of(operation, &s))
    return NULL;
  for (size_t i = 0; i < library->num_rows; ++i) {
    xc_kernel_reason own = {0};
    if (!is_for(&library->rows[i], &s))
      continue;
    int passed = check(&s, &library->rows[i], &own);
    if (!own.predicate) {
      xc_kernel_reason_free(reason);
      return &library->rows[i];
    }
    if (passed > best) {
      xc_kernel_reason swap = *reason;
      *reason = own;
      own = swap;
      best = passed;
    }
    xc_kernel_reason_free(&own);
  }
  return NULL;
}
