//===- Activation.c - hard activations in fixed point ---------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Legalize.h"

#include "Support/Math.h"
#include "Transforms/Canonicalize/Canonicalize.h"
#include "xc-c/FixedPoint.h"

#include "mlir-c/BuiltinAttributes.h"

#include <math.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Hard sigmoids of other lines
//===----------------------------------------------------------------------===//

static bool has_hard_sigmoid(const XcDpuTarget *target) {
  return xcDpuSetHas(target->aluModes, XcDpuAluModeHardSigmoid) ||
         xcDpuSetHas(target->conv.activations, XcActivationHSigmoid);
}

static const double *splat(xc_rewriter *rewriter, double number,
                           int64_t count) {
  double *numbers = xc_rewrite_alloc(rewriter, (size_t)count, sizeof(double));
  for (int64_t i = 0; i < count; ++i)
    numbers[i] = number;
  return numbers;
}

// Frameworks differ in the slope: PyTorch has 1/6, Keras and PaddlePaddle have
// 0.2. a * x + b = (6 * a * x + 6 * b - 3) / 6 + 1/2.
bool xc_legalize_hard_sigmoid_line(xc_rewriter *rewriter,
                                   const xc_adaptor *root) {
  const double sixth = 1.0 / 6.0, tolerance = 1e-4;
  const XcDpuTarget *target = xc_rewrite_target(rewriter);
  MlirValue input = xc_operand(root, XC_HARD_SIGMOID_INPUT);
  xc_shape shape = xc_value_shape(input);
  double alpha = xc_attr_float(root, XC_ATTR_ALPHA);
  double beta = xc_attr_float(root, XC_ATTR_BETA);
  bool is_given =
      fabs(alpha - sixth) < tolerance && fabs(beta - 0.5) < tolerance;
  if (is_given || !has_hard_sigmoid(target) || shape.rank == 0 ||
      shape.element != XC_ELEMENT_F32)
    return false;
  int64_t channels = shape.dims[shape.rank - 1];
  const double *scale = splat(rewriter, 6.0 * alpha, channels);
  const double *shift =
      beta == 0.5 ? NULL : splat(rewriter, 6.0 * beta - 3.0, channels);
  xc_adaptor conv;
  MlirValue line = {NULL};
  if (xc_defining_adaptor(input, &conv))
    line = xc_affine_into_conv(rewriter, &conv, scale, shift);
  xc_rewrite_at(rewriter, root);
  if (mlirValueIsNull(line)) {
    if (shape.rank != 4 || !xcDpuTargetGetDepthwiseEngine(target))
      return false;
    xc_shape vector = {shape.element, 1, {channels}, false};
    const MlirValue operands[] = {
        input, xc_rewrite_floats(rewriter, scale, &vector),
        shift ? xc_rewrite_floats(rewriter, shift, &vector)
              : (MlirValue){NULL}};
    line = xc_rewrite_build(rewriter, XC_TIR_SCALE, operands, 3, NULL, 0,
                            XC_ELEMENT_NONE);
  }
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_build(rewriter, XC_TIR_HARD_SIGMOID,
                                             &line, 1, NULL, 0,
                                             XC_ELEMENT_NONE));
}

//===----------------------------------------------------------------------===//
// Hard swish
//===----------------------------------------------------------------------===//

// The gate of hard-swish-fix has 7 fractional bits.
enum { GATE_POINT = 7 };

bool xc_legalize_hard_swish_from_eltwise(xc_rewriter *rewriter,
                                         const xc_adaptor *root) {
  int64_t points[XC_MAX_INTS] = {0};
  if (!xc_attr_is(root, XC_ATTR_TYPE, XC_ENUM_MUL) ||
      !xc_attr_is(root, XC_ATTR_NONLINEAR, XC_ENUM_NONE) ||
      !xc_attr_is(root, XC_ATTR_ROUND_MODE, XC_ENUM_DPU_ROUND) ||
      xc_num_inputs(root) != 2)
    return false;
  xc_attr_ints(root, XC_ATTR_INPUT_FIX_POINT, points);
  for (size_t slot = 0; slot < 2; ++slot) {
    xc_adaptor gate;
    MlirValue x = xc_operand(root, XC_ELTWISE_FIX_INPUT1 - slot);
    int64_t in = points[1 - slot];
    int64_t out = xc_attr_int(root, XC_ATTR_OUTPUT_FIX_POINT);
    if (!xc_defined_by(xc_operand(root, slot), XC_TIR_HARD_SIGMOID_FIX,
                       &gate) ||
        !xc_same_value(x, xc_operand(&gate, XC_HARD_SIGMOID_FIX_INPUT)) ||
        points[slot] != GATE_POINT ||
        xc_attr_int(&gate, XC_ATTR_OUTPUT_FIX_POINT) != GATE_POINT ||
        xc_attr_int(&gate, XC_ATTR_INPUT_FIX_POINT) != in || in < 0 ||
        in > 15 || out < in - 8 || out > in + GATE_POINT ||
        xc_value_shape(xc_result_of(&gate)).element != XC_ELEMENT_I8)
      continue;
    xc_attribute point = xc_int("input_fix_point", in);
    return xc_rewrite_replace(rewriter, root,
                              xc_rewrite_like(rewriter, root,
                                              XC_TIR_HARD_SWISH_FIX, &x, 1,
                                              &point, 1));
  }
  return false;
}

static bool is_conv(xc_op_kind kind) {
  return kind == XC_TIR_CONV2D_FIX || kind == XC_TIR_TRANSPOSED_CONV2D_FIX;
}

// The convolution rounds to int8 at `hsigmoid_in` before the function, as the
// operator after it would find its result.
bool xc_legalize_hard_activation_into_conv(xc_rewriter *rewriter,
                                           const xc_adaptor *root) {
  bool swish = root->info->kind == XC_TIR_HARD_SWISH_FIX;
  XcDpuSet set = xc_rewrite_target(rewriter)->conv.activations;
  xc_adaptor conv;
  int64_t in = xc_attr_int(root, XC_ATTR_INPUT_FIX_POINT);
  int64_t out = xc_attr_int(root, XC_ATTR_OUTPUT_FIX_POINT);
  if (!xcDpuSetHas(set, swish ? XcActivationHSwish : XcActivationHSigmoid) ||
      !xc_defining_adaptor(xc_operand(root, XC_HARD_SIGMOID_FIX_INPUT),
                           &conv) ||
      !is_conv(conv.info->kind) || !xc_used_once(&conv) ||
      !xc_attr_is(&conv, XC_ATTR_NONLINEAR, XC_ENUM_NONE) ||
      !xc_attr_is(&conv, XC_ATTR_ROUND_MODE, XC_ENUM_DPU_ROUND) ||
      xc_attr_int(&conv, XC_ATTR_OUTPUT_FIX_POINT) != in || in < 0 || in > 15 ||
      !xc_same_type(xc_result_of(&conv), xc_result_of(root)) ||
      xc_value_shape(xc_result_of(root)).element != XC_ELEMENT_I8)
    return false;
  // The verifier asks this of the shifts.
  if (swish ? out < in - 8 || out > in + GATE_POINT
            : out < GATE_POINT || out > in + 14)
    return false;
  const MlirValue operands[] = {xc_operand(&conv, 0), xc_operand(&conv, 1),
                                xc_operand_or_null(&conv, 2)};
  const xc_attribute changes[] = {
      xc_string("nonlinear", swish ? "HSWISH" : "HSIGMOID"),
      xc_int("hsigmoid_in", in),
      xc_int("shift_hsigmoid", 14 + in - (swish ? GATE_POINT : out)),
      xc_int("shift_hswish", swish ? in + GATE_POINT - out : -128),
      xc_int("output_fix_point", out)};
  xc_rewrite_at(rewriter, &conv);
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_like(rewriter, &conv, conv.info->kind,
                                            operands, 3, changes, 5));
}

//===----------------------------------------------------------------------===//
// Activations of another engine
//===----------------------------------------------------------------------===//

static bool is_given(const xc_adaptor *adaptor, xc_attr id, int64_t derived) {
  enum { NOT_SET = -128 };
  int64_t value = xc_attr_int(adaptor, id);
  return value == NOT_SET || value == derived;
}

// The convolution's own result is rounded before the function in any case.
bool xc_legalize_hard_activation_after_conv(xc_rewriter *rewriter,
                                            const xc_adaptor *root) {
  const XcDpuTarget *target = xc_rewrite_target(rewriter);
  bool swish = xc_attr_is(root, XC_ATTR_NONLINEAR, XC_ENUM_HSWISH);
  bool is_dense = is_conv(root->info->kind);
  const XcDpuEngine *engine =
      is_dense ? &target->conv : xcDpuTargetGetDepthwiseEngine(target);
  int64_t in = xc_attr_int(root, XC_ATTR_HSIGMOID_IN);
  int64_t out = xc_attr_int(root, XC_ATTR_OUTPUT_FIX_POINT);
  if ((!swish && !xc_attr_is(root, XC_ATTR_NONLINEAR, XC_ENUM_HSIGMOID)) ||
      !engine ||
      xcDpuSetHas(engine->activations,
                  swish ? XcActivationHSwish : XcActivationHSigmoid) ||
      !is_given(root, XC_ATTR_SHIFT_HSIGMOID,
                14 + in - (swish ? GATE_POINT : out)) ||
      (swish && !is_given(root, XC_ATTR_SHIFT_HSWISH, in + GATE_POINT - out)) ||
      xc_value_shape(xc_result_of(root)).element != XC_ELEMENT_I8)
    return false;
  const MlirValue operands[] = {xc_operand(root, XC_CONV2D_FIX_INPUT),
                                xc_operand(root, XC_CONV2D_FIX_WEIGHT),
                                xc_operand_or_null(root, XC_CONV2D_FIX_BIAS)};
  const xc_attribute plain[] = {
      xc_string("nonlinear", "NONE"), xc_int("output_fix_point", in),
      xc_int("hsigmoid_in", -128), xc_int("shift_hsigmoid", -128),
      xc_int("shift_hswish", -128)};
  MlirValue conv =
      xc_rewrite_like(rewriter, root, root->info->kind, operands, 3, plain, 5);
  xc_attribute point = xc_int("input_fix_point", in);
  return xc_rewrite_replace(
      rewriter, root,
      xc_rewrite_like(rewriter, root,
                      swish ? XC_TIR_HARD_SWISH_FIX : XC_TIR_HARD_SIGMOID_FIX,
                      &conv, 1, &point, 1));
}

//===----------------------------------------------------------------------===//
// RELU6 at other fix points than that of the engines
//===----------------------------------------------------------------------===//

// The engines clamp at 6 * 2^4.
enum { ENGINE_POINT = 4 };

static bool has_clamp(const XcDpuTarget *target, const xc_adaptor *adaptor,
                      int64_t point) {
  XcDpuSet set = target->elementwiseActivations;
  const XcDpuEngine *depthwise = xcDpuTargetGetDepthwiseEngine(target);
  if (point != ENGINE_POINT)
    return point > ENGINE_POINT;
  if (is_conv(adaptor->info->kind))
    set = target->conv.activations;
  else if (adaptor->info->kind != XC_TIR_ELTWISE_FIX)
    set = depthwise ? depthwise->activations : 0;
  return xcDpuSetHas(set, XcActivationRelu6);
}

// Whether the target has the depthwise convolution that the patterns below
// build.
static bool has_biased_depthwise(const XcDpuTarget *target,
                                 const xc_shape *shape) {
  return shape->rank == 4 && shape->element == XC_ELEMENT_I8 &&
         xcDpuTargetGetDepthwiseEngine(target) &&
         shape->dims[3] <= target->derived.maxDepthwiseChannels;
}

// RELU rounds and saturates at 127, which is above the limit.
bool xc_legalize_relu6_after(xc_rewriter *rewriter, const xc_adaptor *root) {
  const XcDpuTarget *target = xc_rewrite_target(rewriter);
  xc_shape result = xc_value_shape(xc_result_of(root));
  int64_t point = xc_attr_int(root, XC_ATTR_OUTPUT_FIX_POINT);
  if (!xc_attr_is(root, XC_ATTR_NONLINEAR, XC_ENUM_RELU6) ||
      !xc_attr_is(root, XC_ATTR_ROUND_MODE, XC_ENUM_DPU_ROUND) ||
      has_clamp(target, root, point) || !has_biased_depthwise(target, &result))
    return false;
  MlirValue operands[XC_MAX_OPERANDS];
  for (size_t slot = 0; slot < root->info->num_operands; ++slot)
    operands[slot] = xc_operand_or_null(root, slot);
  xc_attribute relu = xc_string("nonlinear", "RELU");
  MlirValue value = xc_rewrite_like(rewriter, root, root->info->kind, operands,
                                    root->info->num_operands, &relu, 1);
  xc_attribute same = xc_int("input_fix_point", point);
  return xc_rewrite_replace(
      rewriter, root,
      xc_rewrite_like(rewriter, root, XC_TIR_RELU6_FIX, &value, 1, &same, 1));
}

// weight * x + bias in every channel; the bias has the result's fix point.
typedef struct line {
  int64_t in, weight_point;
  int8_t bias;
  const char *activation;
} line;

static MlirValue build_line(xc_rewriter *rewriter, const xc_adaptor *root,
                            MlirValue input, const line *l) {
  int64_t channels = xc_value_shape(input).dims[3];
  xc_shape weight = {XC_ELEMENT_I8, 4, {1, 1, 1, channels}, false};
  xc_shape bias = {XC_ELEMENT_I8, 1, {channels}, false};
  int8_t *weights = xc_rewrite_alloc(rewriter, (size_t)channels, 1);
  int8_t *biases = xc_rewrite_alloc(rewriter, (size_t)channels, 1);
  memset(weights, 1 << l->weight_point, (size_t)channels);
  memset(biases, l->bias, (size_t)channels);
  static const int64_t unit[] = {1, 1};
  const MlirValue operands[] = {input,
                                xc_rewrite_const(rewriter, weights, &weight),
                                xc_rewrite_const(rewriter, biases, &bias)};
  const xc_attribute attributes[] = {
      xc_ints("kernel", unit, 2),
      xc_ints("stride", unit, 2),
      xc_string("nonlinear", l->activation),
      xc_int("input_fix_point", l->in),
      xc_int("weight_fix_point", l->weight_point),
      xc_int("bias_fix_point", xc_attr_int(root, XC_ATTR_OUTPUT_FIX_POINT)),
      xc_given("weight_fix_points", mlirAttributeGetNull()),
      xc_given("bias_fix_points", mlirAttributeGetNull())};
  return xc_rewrite_like(rewriter, root, XC_TIR_DEPTHWISE_CONV2D_FIX, operands,
                         3, attributes, 8);
}

// int8 saturates what is above the limit once the limit lies at 127; rounding
// does not see whole numbers that are added.
bool xc_legalize_relu6_by_saturation(xc_rewriter *rewriter,
                                     const xc_adaptor *root) {
  enum { LARGEST_POWER = 6, SMALLEST_POINT = -8 };
  const XcDpuTarget *target = xc_rewrite_target(rewriter);
  const XcDpuEngine *engine = xcDpuTargetGetDepthwiseEngine(target);
  xc_shape result = xc_value_shape(xc_result_of(root));
  int64_t in = xc_attr_int(root, XC_ATTR_INPUT_FIX_POINT);
  int64_t out = xc_attr_int(root, XC_ATTR_OUTPUT_FIX_POINT);
  int64_t power = out > in ? out - in : 0;
  if (out >= ENGINE_POINT || out < SMALLEST_POINT || power > LARGEST_POWER ||
      !xc_attr_is(root, XC_ATTR_ROUND_MODE, XC_ENUM_DPU_ROUND) ||
      xc_value_shape(xc_operand(root, XC_RELU6_FIX_INPUT)).element !=
          XC_ELEMENT_I8 ||
      !has_biased_depthwise(target, &result) ||
      !xc_range_has(engine->shiftCut, in + power - out))
    return false;
  int8_t above = (int8_t)(INT8_MAX - xcRoundShift(6, (int)-out));
  line up = {in, power, above, "NONE"};
  line down = {out, 0, (int8_t)-above, "RELU"};
  MlirValue value =
      build_line(rewriter, root, xc_operand(root, XC_RELU6_FIX_INPUT), &up);
  return xc_rewrite_replace(rewriter, root,
                            build_line(rewriter, root, value, &down));
}

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

// The channels from the first to the last word with a negative slope. Returns
// false without any.
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
  if (!has_biased_depthwise(target, &result) ||
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
