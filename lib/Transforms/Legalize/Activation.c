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

// RELU rounds and saturates at 127, which is above the limit.
bool xc_legalize_relu6_after(xc_rewriter *rewriter, const xc_adaptor *root) {
  const XcDpuTarget *target = xc_rewrite_target(rewriter);
  xc_shape result = xc_value_shape(xc_result_of(root));
  int64_t point = xc_attr_int(root, XC_ATTR_OUTPUT_FIX_POINT);
  if (!xc_attr_is(root, XC_ATTR_NONLINEAR, XC_ENUM_RELU6) ||
      !xc_attr_is(root, XC_ATTR_ROUND_MODE, XC_ENUM_DPU_ROUND) ||
      has_clamp(target, root, point) ||
      !xc_target_takes_channels(target, &result))
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
      !xc_target_takes_channels(target, &result) ||
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
