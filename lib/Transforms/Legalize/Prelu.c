//===- Prelu.c - PRELU in fixed point -------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Legalize.h"

#include "Support/Math.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// PRELU with negative slopes
//===----------------------------------------------------------------------===//

// Returns the slopes of one sign, one for each channel; the others are 0.
static MlirValue slopes_of_sign(xc_rewriter *rewriter, const double *slopes,
                                int sign, const xc_shape *shape) {
  size_t channels = (size_t)shape->dims[shape->rank - 1];
  int8_t *bytes = xc_rewrite_alloc(rewriter, channels, sizeof(int8_t));
  for (size_t c = 0; c < channels; ++c)
    bytes[c] = slopes[c] * sign > 0 ? (int8_t)slopes[c] : 0;
  return xc_rewrite_const(rewriter, bytes, shape);
}

/// A prelu-fix of some channels.
typedef struct slope_part {
  MlirValue input;
  const double *slopes;
  int64_t count;
} slope_part;

// Positive slopes, and 0 in the place of the others.
static MlirValue build_positive(xc_rewriter *rewriter, const xc_adaptor *root,
                                const slope_part *p) {
  xc_shape vector = {XC_ELEMENT_I8, 1, {p->count}, false};
  const MlirValue operands[] = {
      p->input, slopes_of_sign(rewriter, p->slopes, 1, &vector)};
  return xc_rewrite_like(rewriter, root, XC_TIR_PRELU_FIX, operands, 2, NULL,
                         0);
}

// Products with negative slopes, of what is negative; else 0.
static MlirValue build_negative(xc_rewriter *rewriter, const xc_adaptor *root,
                                const slope_part *p) {
  static const int64_t unit[] = {1, 1};
  xc_shape window = {XC_ELEMENT_I8, 4, {1, 1, 1, p->count}, false};
  const MlirValue operands[] = {
      p->input, slopes_of_sign(rewriter, p->slopes, -1, &window)};
  const xc_attribute product[] = {
      xc_ints("kernel", unit, 2), xc_ints("stride", unit, 2),
      xc_string("nonlinear", "RELU"),
      xc_int("weight_fix_point", xc_attr_int(root, XC_ATTR_SLOPE_FIX_POINT))};
  return xc_rewrite_like(rewriter, root, XC_TIR_DEPTHWISE_CONV2D_FIX, operands,
                         2, product, 4);
}

// Of both summands at most one is not 0, so each may round by itself.
static MlirValue build_sum(xc_rewriter *rewriter, const xc_adaptor *root,
                           const slope_part *p) {
  int64_t out = xc_attr_int(root, XC_ATTR_OUTPUT_FIX_POINT);
  const int64_t points[] = {out, out};
  const xc_attribute addition[] = {xc_string("type", "ADD"),
                                   xc_ints("input_fix_point", points, 2)};
  MlirValue parts[2];
  parts[0] = build_positive(rewriter, root, p);
  parts[1] = build_negative(rewriter, root, p);
  return xc_rewrite_like(rewriter, root, XC_TIR_ELTWISE_FIX, parts, 2, addition,
                         2);
}

// Finds the channels from the first to the last word with a negative slope.
// Returns false without any.
static bool find_negative(const XcDpuTarget *target, const double *slopes,
                          int64_t channels, int64_t span[2]) {
  int64_t word = target->channelParallel;
  span[0] = channels;
  span[1] = 0;
  for (int64_t c = 0; c < channels; ++c) {
    if (slopes[c] >= 0)
      continue;
    span[0] = xc_minimum64(span[0], c / word * word);
    span[1] = xc_minimum64(channels, c / word * word + word);
  }
  return span[0] < span[1];
}

bool xc_legalize_prelu_by_signs(xc_rewriter *rewriter, const xc_adaptor *root) {
  enum { PARTS = 3, CHANNELS = 3 };
  const XcDpuTarget *target = xc_rewrite_target(rewriter);
  const XcDpuEngine *engine = xcDpuTargetGetDepthwiseEngine(target);
  xc_shape result = xc_value_shape(xc_result_of(root));
  MlirValue input = xc_operand(root, XC_PRELU_FIX_INPUT);
  int64_t in = xc_attr_int(root, XC_ATTR_INPUT_FIX_POINT);
  int64_t slope = xc_attr_int(root, XC_ATTR_SLOPE_FIX_POINT);
  int64_t out = xc_attr_int(root, XC_ATTR_OUTPUT_FIX_POINT);
  if (!xc_target_takes_channels(target, &result) ||
      !xc_attr_is(root, XC_ATTR_ROUND_MODE, XC_ENUM_DPU_ROUND) ||
      xc_value_shape(input).element != XC_ELEMENT_I8 ||
      !xcDpuSetHas(target->elementwiseKinds, XcDpuElementwiseKindAdd) ||
      !xc_range_has(engine->shiftCut, in + slope - out))
    return false;
  int64_t channels = result.dims[CHANNELS], span[2];
  const double *slopes = xc_constant_per_channel(
      rewriter, xc_operand(root, XC_PRELU_FIX_SLOPE), 4, channels);
  if (!slopes || !find_negative(target, slopes, channels, span))
    return false;
  const int64_t ends[] = {0, span[0], span[1], channels};
  MlirValue parts[PARTS];
  size_t count = 0;
  for (size_t i = 0; i < PARTS; ++i) {
    slope_part p = {.slopes = slopes + ends[i], .count = ends[i + 1] - ends[i]};
    if (p.count == 0)
      continue;
    p.input = xc_rewrite_span(rewriter, input, CHANNELS, ends[i], p.count);
    parts[count++] = i == 1 ? build_sum(rewriter, root, &p)
                            : build_positive(rewriter, root, &p);
  }
  return xc_rewrite_replace(
      rewriter, root,
      count == 1 ? parts[0]
                 : xc_rewrite_join(rewriter, parts, count, CHANNELS, out));
}

//===----------------------------------------------------------------------===//
// PRELU without an engine for it
//===----------------------------------------------------------------------===//

// A convolution of x and of copies of max(x, 0) has the slopes s as weights of
// x and what is missing to 1 as those of the copies, as far as 8 bits go. More
// copies would take longer than a sum with max(x, 0), where the weights are s
// and -s: one summand is 0 then, and has two bits below those of x.
typedef struct prelu_plan {
  int64_t in, slope, out, channels;
  const double *slopes;
  int64_t copies;
  bool adds;
} prelu_plan;

static int64_t at_most(int64_t number, int64_t limit) {
  return number < limit ? number : limit;
}

// The same slopes at a lower fix point, which fewer copies reach.
static void halve_slopes(prelu_plan *p, double *slopes) {
  bool are_even = p->slope > 0;
  while (are_even) {
    for (int64_t c = 0; c < p->channels; ++c)
      are_even &= (int64_t)slopes[c] % 2 == 0;
    for (int64_t c = 0; are_even && c < p->channels; ++c)
      slopes[c] /= 2;
    p->slope -= are_even;
    are_even &= p->slope > 0;
  }
}

static void choose_copies(prelu_plan *p) {
  enum { MOST_COPIES = 2, LARGEST_POINT = 30 };
  int64_t missing = 0;
  bool has_one = p->slope >= 0 && p->slope <= LARGEST_POINT;
  for (int64_t c = 0; has_one && c < p->channels; ++c) {
    int64_t rest = (INT64_C(1) << p->slope) - (int64_t)p->slopes[c];
    missing = rest > missing ? rest : missing;
  }
  p->copies = xc_ceil_div64(missing, INT8_MAX);
  p->adds = !has_one || p->copies > MOST_COPIES;
  if (p->adds || p->copies == 0)
    p->copies = 1;
}

static MlirValue prelu_weights(xc_rewriter *rewriter, const prelu_plan *p) {
  int64_t inputs = (1 + p->copies) * p->channels;
  xc_shape shape = {XC_ELEMENT_I8, 4, {p->channels, 1, 1, inputs}, false};
  size_t size = (size_t)(p->channels * inputs);
  int8_t *weights = xc_rewrite_alloc(rewriter, size + 1, sizeof(int8_t));
  memset(weights, 0, size);
  for (int64_t c = 0; c < p->channels; ++c) {
    int64_t s = (int64_t)p->slopes[c];
    int64_t rest = p->adds ? -s : (INT64_C(1) << p->slope) - s;
    weights[c * inputs + c] = (int8_t)s;
    for (int64_t k = 1; k <= p->copies; ++k) {
      int64_t part = at_most(rest, INT8_MAX);
      weights[c * inputs + k * p->channels + c] = (int8_t)part;
      rest -= part;
    }
  }
  return xc_rewrite_const(rewriter, weights, &shape);
}

static bool has_prelu(const XcDpuTarget *target) {
  return xcDpuSetHas(target->aluModes, XcDpuAluModePrelu);
}

static bool plan_prelu(xc_rewriter *rewriter, const xc_adaptor *root,
                       prelu_plan *p) {
  enum { GUARD_BITS = 2 };
  const XcDpuTarget *target = xc_rewrite_target(rewriter);
  xc_shape shape = xc_operand_shape(root, XC_PRELU_FIX_INPUT);
  *p = (prelu_plan){.in = xc_attr_int(root, XC_ATTR_INPUT_FIX_POINT),
                    .slope = xc_attr_int(root, XC_ATTR_SLOPE_FIX_POINT),
                    .out = xc_attr_int(root, XC_ATTR_OUTPUT_FIX_POINT),
                    .channels = shape.dims[3]};
  if (shape.rank != 4 || has_prelu(target) || shape.element != XC_ELEMENT_I8 ||
      xc_result_shape(root).element != XC_ELEMENT_I8 ||
      !xc_attr_is(root, XC_ATTR_ROUND_MODE, XC_ENUM_DPU_ROUND))
    return false;
  const double *given = xc_constant_per_channel(
      rewriter, xc_operand(root, XC_PRELU_FIX_SLOPE), 4, p->channels);
  double *slopes =
      xc_rewrite_alloc(rewriter, (size_t)p->channels + 1, sizeof(double));
  if (!given)
    return false;
  memcpy(slopes, given, (size_t)p->channels * sizeof(double));
  halve_slopes(p, slopes);
  p->slopes = slopes;
  choose_copies(p);
  for (int64_t c = 0; p->adds && c < p->channels; ++c)
    if (slopes[c] == INT8_MIN)
      return false;
  if (p->adds && p->out > p->in + GUARD_BITS)
    return false;
  return xc_range_has(target->conv.shiftCut, p->in + p->slope - p->out) &&
         (!p->adds ||
          xcDpuSetHas(target->elementwiseKinds, XcDpuElementwiseKindAdd)) &&
         xc_target_takes_conv(target, 1, 1, (1 + p->copies) * p->channels,
                              p->channels);
}

bool xc_legalize_prelu_as_conv(xc_rewriter *rewriter, const xc_adaptor *root) {
  enum { CHANNELS = 3 };
  static const int64_t unit[] = {1, 1};
  prelu_plan p;
  if (!plan_prelu(rewriter, root, &p))
    return false;
  MlirValue input = xc_operand(root, XC_PRELU_FIX_INPUT);
  const xc_attribute same[] = {xc_int("input_fix_point", p.in),
                               xc_int("output_fix_point", p.in)};
  MlirValue positive = xc_rewrite_build(rewriter, XC_TIR_RELU_FIX, &input, 1,
                                        same, 2, XC_ELEMENT_NONE);
  const MlirValue joined[] = {input, positive, positive};
  const MlirValue operands[] = {
      xc_rewrite_join(rewriter, joined, (size_t)p.copies + 1, CHANNELS, p.in),
      prelu_weights(rewriter, &p)};
  const xc_attribute product[] = {
      xc_ints("kernel", unit, 2), xc_ints("stride", unit, 2),
      xc_int("input_fix_point", p.in), xc_int("weight_fix_point", p.slope),
      xc_int("output_fix_point", p.out)};
  MlirValue conv = xc_rewrite_build(rewriter, XC_TIR_CONV2D_FIX, operands, 2,
                                    product, 5, XC_ELEMENT_NONE);
  if (!p.adds)
    return xc_rewrite_replace(rewriter, root, conv);
  const MlirValue parts[] = {positive, conv};
  const int64_t points[] = {p.in, p.out};
  const xc_attribute addition[] = {xc_string("type", "ADD"),
                                   xc_ints("input_fix_point", points, 2)};
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_like(rewriter, root, XC_TIR_ELTWISE_FIX,
                                            parts, 2, addition, 2));
}
