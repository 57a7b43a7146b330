//===- Engine.c - what engines lack, by other engines ---------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Legalize.h"

#include <string.h>

static const int64_t unit[] = {1, 1};

static bool is_fix(const xc_adaptor *adaptor) {
  return xc_has_attr(adaptor, XC_ATTR_OUTPUT_FIX_POINT);
}

static bool is_i8(MlirValue value) {
  return xc_value_shape(value).element == XC_ELEMENT_I8;
}

//===----------------------------------------------------------------------===//
// Depthwise by the convolution engine
//===----------------------------------------------------------------------===//

static bool is_transposed(const xc_adaptor *adaptor) {
  return adaptor->info->kind == XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D ||
         adaptor->info->kind == XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D_FIX;
}

static xc_op_kind dense_kind(const xc_adaptor *adaptor) {
  if (is_transposed(adaptor))
    return is_fix(adaptor) ? XC_TIR_TRANSPOSED_CONV2D_FIX
                           : XC_TIR_TRANSPOSED_CONV2D;
  return is_fix(adaptor) ? XC_TIR_CONV2D_FIX : XC_TIR_CONV2D;
}

static bool lacks_depthwise(const XcDpuTarget *target,
                            const xc_adaptor *adaptor) {
  const XcDpuEngine *engine = xcDpuTargetGetDepthwiseEngine(target);
  if (!engine || xc_operand_shape(adaptor, 1).dims[0] != 1)
    return true;
  return is_fix(adaptor) &&
         xc_attr_is(adaptor, XC_ATTR_NONLINEAR, XC_ENUM_LEAKYRELU) &&
         !xcDpuSetHas(engine->activations, XcActivationLeakyRelu) &&
         xcDpuSetHas(target->conv.activations, XcActivationLeakyRelu);
}

// Whether the engine takes a convolution with weights of that shape, of whose
// rows pieces will be made if they are too many.
static bool takes_dense(const XcDpuTarget *target, const xc_adaptor *adaptor,
                        const xc_shape *weight) {
  const int64_t *dims = weight->dims;
  if (is_transposed(adaptor))
    return xc_target_takes_conv(target, 1, 1, dims[3], dims[0]);
  return is_fix(adaptor)
             ? xc_target_takes_pieces(target, dims[2], dims[1], dims[3],
                                      dims[0])
             : xc_target_takes_conv(target, dims[2], dims[1], dims[3], dims[0]);
}

// [M, KH, KW, C] as [C * M, KH, KW, C] with zeros between different channels.
bool xc_legalize_depthwise_as_dense(xc_rewriter *rewriter,
                                    const xc_adaptor *root) {
  const XcDpuTarget *target = xc_rewrite_target(rewriter);
  xc_shape old = xc_operand_shape(root, XC_DEPTHWISE_CONV2D_WEIGHT),
           shape = old;
  int64_t channels = old.dims[3], copies = old.dims[0];
  shape.dims[0] = channels * copies;
  if (!lacks_depthwise(target, root) ||
      !xc_is_constant(xc_operand(root, XC_DEPTHWISE_CONV2D_WEIGHT)) ||
      !takes_dense(target, root, &shape))
    return false;
  int64_t *from = xc_rewrite_alloc(
      rewriter, (size_t)xc_shape_num_elements(&shape) + 1, sizeof(int64_t));
  int64_t window = old.dims[1] * old.dims[2], at = 0;
  for (int64_t o = 0; o < shape.dims[0]; ++o)
    for (int64_t i = 0; i < window; ++i)
      for (int64_t c = 0; c < channels; ++c)
        from[at++] = c == o / copies ? (o % copies * window + i) * channels + c
                                     : (int64_t)-1;
  xc_attribute one = xc_int("group", 1);
  return xc_replace_conv(rewriter, root, dense_kind(root), from, &shape, &one,
                         1);
}

//===----------------------------------------------------------------------===//
// Operands that are repeated
//===----------------------------------------------------------------------===//

static int64_t point_of(const xc_adaptor *eltwise, size_t index) {
  int64_t points[XC_MAX_INTS] = {0};
  xc_attr_ints(eltwise, XC_ATTR_INPUT_FIX_POINT, points);
  return points[index];
}

// The same numbers in every channel: a 1x1 convolution with ones.
static MlirValue repeat_channels(xc_rewriter *rewriter, MlirValue value,
                                 int64_t channels, int64_t point) {
  int8_t *ones = xc_rewrite_alloc(rewriter, (size_t)channels, sizeof(int8_t));
  memset(ones, 1, (size_t)channels);
  xc_shape shape = {XC_ELEMENT_I8, 4, {channels, 1, 1, 1}, false};
  const MlirValue operands[] = {value,
                                xc_rewrite_const(rewriter, ones, &shape)};
  const xc_attribute attributes[] = {
      xc_ints("kernel", unit, 2), xc_ints("stride", unit, 2),
      xc_int("input_fix_point", point), xc_int("output_fix_point", point)};
  return xc_rewrite_build(rewriter, XC_TIR_CONV2D_FIX, operands, 2, attributes,
                          4, XC_ELEMENT_I8);
}

// The same numbers in every row and column.
static MlirValue repeat_pixels(xc_rewriter *rewriter, MlirValue value,
                               const int64_t scale[2], int64_t point) {
  const xc_attribute attributes[] = {xc_ints("scale", scale, 2),
                                     xc_int("input_fix_point", point),
                                     xc_int("output_fix_point", point)};
  return xc_rewrite_build(rewriter, XC_TIR_UPSAMPLE_FIX, &value, 1, attributes,
                          3, XC_ELEMENT_I8);
}

// Returns the operand of an upsample-fix to the size of the result, if the
// engine can repeat it itself; else null.
static MlirValue before_upsample(MlirValue value, const xc_shape *result) {
  xc_adaptor upsample;
  if (!xc_defining_adaptor(value, &upsample) ||
      upsample.info->kind != XC_TIR_UPSAMPLE_FIX ||
      xc_attr_int(&upsample, XC_ATTR_INPUT_FIX_POINT) !=
          xc_attr_int(&upsample, XC_ATTR_OUTPUT_FIX_POINT))
    return (MlirValue){NULL};
  xc_shape input = xc_operand_shape(&upsample, 0);
  for (size_t dim = 1; dim <= 2; ++dim)
    if (input.dims[dim] != 1 && input.dims[dim] != result->dims[dim])
      return (MlirValue){NULL};
  return xc_operand(&upsample, 0);
}

// Returns the operand in the size that the engine takes, or null when it takes
// it as it is, or nothing helps.
static MlirValue repeat(xc_rewriter *rewriter, const xc_adaptor *root,
                        size_t slot, size_t index) {
  const XcDpuTarget *target = xc_rewrite_target(rewriter);
  MlirValue value = xc_operand(root, slot);
  xc_shape shape = xc_value_shape(value);
  xc_shape result = xc_value_shape(xc_result_of(root));
  if (shape.rank != 4 || shape.dims[0] != result.dims[0] || !is_i8(value) ||
      xc_is_constant(value))
    return (MlirValue){NULL};
  int64_t point = point_of(root, index);
  if (shape.dims[3] != result.dims[3])
    return xc_target_takes_conv(target, 1, 1, 1, result.dims[3])
               ? repeat_channels(rewriter, value, result.dims[3], point)
               : (MlirValue){NULL};
  const int64_t scale[] = {result.dims[2] / shape.dims[2],
                           result.dims[1] / shape.dims[1]};
  if (target->elementwiseBroadcast)
    return before_upsample(value, &result);
  if (scale[0] * scale[1] == 1)
    return (MlirValue){NULL};
  return repeat_pixels(rewriter, value, scale, point);
}

bool xc_legalize_repeated_operand(xc_rewriter *rewriter,
                                  const xc_adaptor *root) {
  xc_shape result = xc_value_shape(xc_result_of(root));
  XcDpuElementwiseKind kind = xc_attr_is(root, XC_ATTR_TYPE, XC_ENUM_MUL)
                                  ? XcDpuElementwiseKindMul
                                  : XcDpuElementwiseKindAdd;
  if (result.rank != 4 || xc_shape_num_elements(&result) == 0 ||
      !xcDpuSetHas(xc_rewrite_target(rewriter)->elementwiseKinds, kind))
    return false;
  MlirValue operands[XC_MAX_OPERANDS];
  size_t index = 0;
  bool changed = false;
  for (size_t slot = 0; slot < root->info->num_operands; ++slot) {
    operands[slot] = xc_operand_or_null(root, slot);
    if (mlirValueIsNull(operands[slot]))
      continue;
    MlirValue repeated = repeat(rewriter, root, slot, index++);
    if (mlirValueIsNull(repeated))
      continue;
    operands[slot] = repeated;
    changed = true;
  }
  return changed &&
         xc_rewrite_replace(rewriter, root,
                            xc_rewrite_like(rewriter, root, root->info->kind,
                                            operands, root->info->num_operands,
                                            NULL, 0));
}

//===----------------------------------------------------------------------===//
// Sums of many
//===----------------------------------------------------------------------===//

// Fix points of the operands of a sum: `spread` is that of the largest over
// that of the smallest.
typedef struct sum {
  MlirValue inputs[XC_MAX_OPERANDS];
  int64_t points[XC_MAX_OPERANDS];
  size_t count;
  int64_t smallest, largest;
} sum;

static bool read_sum(const xc_adaptor *root, sum *s) {
  xc_shape result = xc_value_shape(xc_result_of(root));
  *s = (sum){.count = 0};
  for (size_t slot = 0; slot < root->info->num_operands; ++slot) {
    MlirValue value = xc_operand_or_null(root, slot);
    if (mlirValueIsNull(value))
      continue;
    xc_shape shape = xc_value_shape(value);
    if (!xc_same_dims(&shape, &result) || !is_i8(value))
      return false;
    int64_t point = point_of(root, s->count);
    s->smallest = s->count && s->smallest < point ? s->smallest : point;
    s->largest = s->count && s->largest > point ? s->largest : point;
    s->points[s->count] = point;
    s->inputs[s->count++] = value;
  }
  return true;
}

// Returns the operands one below the other: [N, count, H * W, C].
static MlirValue stack_operands(xc_rewriter *rewriter, const sum *s) {
  MlirValue rows[XC_MAX_OPERANDS];
  xc_shape shape = xc_value_shape(s->inputs[0]);
  shape.dims[2] *= shape.dims[1];
  shape.dims[1] = 1;
  for (size_t i = 0; i < s->count; ++i)
    rows[i] = xc_rewrite_reshape(rewriter, s->inputs[i], &shape);
  return xc_rewrite_join(rewriter, rows, s->count, 1, 0);
}

static MlirValue scale_rows(xc_rewriter *rewriter, const sum *s,
                            int64_t channels, int64_t extra) {
  xc_shape shape = {
      XC_ELEMENT_I8, 4, {1, (int64_t)s->count, 1, channels}, false};
  int8_t *bytes = xc_rewrite_alloc(
      rewriter, (size_t)xc_shape_num_elements(&shape), sizeof(int8_t));
  for (size_t i = 0; i < s->count; ++i)
    memset(bytes + i * (size_t)channels,
           1 << (s->largest - s->points[i] + extra), (size_t)channels);
  return xc_rewrite_const(rewriter, bytes, &shape);
}

// A sum of more operands than the engine takes is a window over all of them,
// weighted by powers of two. The guard bits of the sum lose nothing when the
// fix points are at most 2 apart.
bool xc_legalize_sum_as_depthwise(xc_rewriter *rewriter,
                                  const xc_adaptor *root) {
  enum { GUARDED = 2, LARGEST_POWER = 6 };
  const XcDpuTarget *target = xc_rewrite_target(rewriter);
  const XcDpuEngine *engine = xcDpuTargetGetDepthwiseEngine(target);
  xc_shape result = xc_value_shape(xc_result_of(root));
  sum s;
  if (result.rank != 4 || !is_i8(xc_result_of(root)) ||
      xc_shape_num_elements(&result) == 0 ||
      xc_num_inputs(root) <= (size_t)target->elementwiseOperands ||
      !xc_attr_is(root, XC_ATTR_TYPE, XC_ENUM_ADD) ||
      !(xc_attr_is(root, XC_ATTR_NONLINEAR, XC_ENUM_NONE) ||
        xc_attr_is(root, XC_ATTR_NONLINEAR, XC_ENUM_RELU)) ||
      !read_sum(root, &s) || s.largest - s.smallest > GUARDED ||
      !xc_engine_takes_window(engine, 1, (int64_t)s.count, 1, 1))
    return false;
  int64_t cut = s.largest - xc_attr_int(root, XC_ATTR_OUTPUT_FIX_POINT);
  int64_t extra = cut < 0 ? -cut : 0;
  if (s.largest - s.smallest + extra > LARGEST_POWER)
    return false;
  const MlirValue operands[] = {
      stack_operands(rewriter, &s),
      scale_rows(rewriter, &s, result.dims[3], extra)};
  const int64_t kernel[] = {1, (int64_t)s.count};
  const xc_attribute changes[] = {
      xc_ints("kernel", kernel, 2), xc_ints("stride", unit, 2),
      xc_int("input_fix_point", s.largest), xc_int("weight_fix_point", extra)};
  MlirValue value = xc_rewrite_like(rewriter, root, XC_TIR_DEPTHWISE_CONV2D_FIX,
                                    operands, 2, changes, 4);
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_reshape(rewriter, value, &result));
}
