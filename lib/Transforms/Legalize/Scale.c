//===- Scale.c - one number per channel -----------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Legalize.h"

#include "Support/Math.h"
#include "Transforms/Canonicalize/Canonicalize.h"

#include <string.h>

static const int64_t unit[] = {1, 1};

static bool has_depthwise(const XcDpuTarget *target, int64_t channels) {
  return xcDpuTargetGetDepthwiseEngine(target) &&
         channels <= target->derived.maxDepthwiseChannels;
}

// Only the CPU computes erf: a line before or after it is its own, as that of
// GELU, and two more conversions would cost digits and time.
static bool is_beside_erf(const xc_adaptor *root) {
  xc_adaptor other;
  MlirOpOperand use = mlirValueGetFirstUse(xc_result_of(root));
  return xc_defined_by(xc_operand(root, 0), XC_TIR_ERF, &other) ||
         (xc_used_once(root) &&
          xc_adaptor_of_tir(mlirOpOperandGetOwner(use), &other) &&
          other.info->kind == XC_TIR_ERF);
}

static bool is_conversion(MlirOperation operation) {
  static const xc_op_kind kinds[] = {XC_TIR_FIX, XC_TIR_FLOAT2FIX,
                                     XC_TIR_FIX2FLOAT, XC_TIR_QUANTIZE_LINEAR,
                                     XC_TIR_DEQUANTIZE_LINEAR};
  const xc_op_info *info = xc_op_info_of(operation);
  for (size_t i = 0; info && i < sizeof(kinds) / sizeof(*kinds); ++i)
    if (info->kind == kinds[i])
      return true;
  return false;
}

static bool has_fixed_operand(const xc_adaptor *root) {
  for (size_t slot = 0; slot < root->info->num_operands; ++slot) {
    MlirValue value = xc_operand_or_null(root, slot);
    if (!mlirValueIsNull(value) && mlirValueIsAOpResult(value) &&
        is_conversion(mlirOpResultGetOwner(value)))
      return true;
  }
  return false;
}

static bool has_fixed_use(const xc_adaptor *root) {
  for (MlirOpOperand use = mlirValueGetFirstUse(xc_result_of(root));
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (is_conversion(mlirOpOperandGetOwner(use)))
      return true;
  return false;
}

// Numbers that are fixed on one side only: the operator stays in floating
// point, and a depthwise convolution would be one that no model has.
static bool is_half_fixed(const xc_adaptor *root) {
  return has_fixed_operand(root) != has_fixed_use(root);
}

bool xc_legalize_affine_as_depthwise(xc_rewriter *rewriter,
                                     const xc_adaptor *root) {
  const double *scale, *shift;
  MlirValue input = xc_operand(root, XC_BATCHNORM_INPUT);
  xc_shape shape = xc_value_shape(xc_result_of(root));
  if (shape.rank != 4 ||
      (shape.element != XC_ELEMENT_F32 && shape.element != XC_ELEMENT_F64) ||
      !xc_same_type(input, xc_result_of(root)) || xc_is_constant(input) ||
      is_beside_erf(root) || is_half_fixed(root) ||
      !has_depthwise(xc_rewrite_target(rewriter), shape.dims[3]) ||
      !xc_affine_read(rewriter, root, &scale, &shift))
    return false;
  int64_t channels = shape.dims[3];
  double *ones = xc_rewrite_alloc(rewriter, (size_t)channels, sizeof(double));
  for (int64_t i = 0; i < channels; ++i)
    ones[i] = 1.0;
  xc_shape weight = {shape.element, 4, {1, 1, 1, channels}, false};
  xc_shape bias = {shape.element, 1, {channels}, false};
  const MlirValue operands[] = {
      input, xc_rewrite_floats(rewriter, scale ? scale : ones, &weight),
      shift ? xc_rewrite_floats(rewriter, shift, &bias) : (MlirValue){NULL}};
  const xc_attribute window[] = {xc_ints("kernel", unit, 2),
                                 xc_ints("stride", unit, 2)};
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_build(rewriter, XC_TIR_DEPTHWISE_CONV2D,
                                             operands, 3, window, 2,
                                             XC_ELEMENT_NONE));
}

// Where numbers are fixed already, floating point that is not between two
// conversions stays so, and stays what it is.
static bool stays_float(const xc_adaptor *root) {
  return root->info->kind == XC_TIR_NEG
             ? is_half_fixed(root)
             : has_fixed_operand(root) || has_fixed_use(root);
}

// No engine subtracts. Both forms have the same bits in floating point.
bool xc_legalize_sub_as_sum(xc_rewriter *rewriter, const xc_adaptor *root) {
  const double minus = -1.0;
  bool is_neg = root->info->kind == XC_TIR_NEG;
  MlirValue value =
      xc_operand(root, is_neg ? (size_t)XC_NEG_INPUT : (size_t)XC_SUB_B);
  xc_shape shape = xc_value_shape(value);
  const xc_shape scalar = {shape.element, 0, {0}, false};
  if (shape.rank != 4 || shape.element != XC_ELEMENT_F32 ||
      xc_is_constant(value) || stays_float(root) ||
      !has_depthwise(xc_rewrite_target(rewriter), shape.dims[3]))
    return false;
  const MlirValue product[] = {value,
                               xc_rewrite_floats(rewriter, &minus, &scalar)};
  if (is_neg)
    return xc_rewrite_replace(
        rewriter, root,
        xc_rewrite_like(rewriter, root, XC_TIR_MUL, product, 2, NULL, 0));
  const MlirValue sum[] = {xc_operand(root, XC_SUB_A),
                           xc_rewrite_build(rewriter, XC_TIR_MUL, product, 2,
                                            NULL, 0, XC_ELEMENT_NONE)};
  return xc_rewrite_replace(
      rewriter, root,
      xc_rewrite_like(rewriter, root, XC_TIR_ADD, sum, 2, NULL, 0));
}

//===----------------------------------------------------------------------===//
// One number for each pixel
//===----------------------------------------------------------------------===//

bool xc_legalize_constant_map(xc_rewriter *rewriter, const xc_adaptor *root) {
  enum { MOST = 1 << 22 }; // numbers that a constant may grow to
  const xc_shape result = xc_value_shape(xc_result_of(root));
  MlirValue operands[] = {xc_operand(root, 0), xc_operand(root, 1)};
  size_t constant = xc_is_constant(operands[1]) ? 1 : 0;
  xc_shape map = xc_value_shape(operands[constant]);
  if (!xc_is_constant(operands[constant]) ||
      xc_is_constant(operands[1 - constant]) || map.rank != 4 ||
      result.rank != 4 || map.element != XC_ELEMENT_F32 || map.dims[3] != 1 ||
      result.dims[3] == 1 || map.dims[1] * map.dims[2] == 1 ||
      stays_float(root))
    return false;
  int64_t pixels = xc_shape_num_elements(&map), channels = result.dims[3];
  if (pixels * channels > MOST)
    return false;
  map.dims[3] = channels;
  int64_t *from = xc_rewrite_alloc(rewriter, (size_t)(pixels * channels) + 1,
                                   sizeof(*from));
  for (int64_t i = 0; i < pixels * channels; ++i)
    from[i] = i / channels;
  operands[constant] =
      xc_rewrite_gather(rewriter, operands[constant], from, &map);
  return !mlirValueIsNull(operands[constant]) &&
         xc_rewrite_replace(rewriter, root,
                            xc_rewrite_like(rewriter, root, root->info->kind,
                                            operands, 2, NULL, 0));
}

//===----------------------------------------------------------------------===//
// Fixed point
//===----------------------------------------------------------------------===//

bool xc_legalize_scalar_operand(xc_rewriter *rewriter, const xc_adaptor *root) {
  MlirValue operands[XC_MAX_OPERANDS];
  const xc_shape one = {XC_ELEMENT_I8, 1, {1}, false};
  bool is_changed = false;
  if (xc_value_shape(xc_result_of(root)).rank == 0)
    return false;
  for (size_t slot = 0; slot < root->info->num_operands; ++slot) {
    operands[slot] = xc_operand_or_null(root, slot);
    if (mlirValueIsNull(operands[slot]) || !xc_is_constant(operands[slot]) ||
        xc_value_shape(operands[slot]).rank != 0)
      continue;
    const char *bytes = xc_constant_bytes(rewriter, operands[slot]);
    if (!bytes)
      return false;
    operands[slot] = xc_rewrite_const(rewriter, bytes, &one);
    is_changed = true;
  }
  return is_changed &&
         xc_rewrite_replace(rewriter, root,
                            xc_rewrite_like(rewriter, root, root->info->kind,
                                            operands, root->info->num_operands,
                                            NULL, 0));
}

// image op numbers, one per channel.
typedef struct pointwise {
  MlirValue image, numbers;
  int64_t image_point, number_point, out_point;
} pointwise;

static bool read_eltwise(const xc_adaptor *adaptor, pointwise *p) {
  int64_t points[XC_MAX_INTS] = {0};
  if (adaptor->info->kind == XC_TIR_DEPTHWISE_FIX) {
    p->image = xc_operand(adaptor, 0);
    p->numbers = xc_operand(adaptor, 1);
    p->image_point = xc_attr_int(adaptor, XC_ATTR_INPUT_FIX_POINT);
    p->number_point = xc_attr_int(adaptor, XC_ATTR_WEIGHT_FIX_POINT);
    return true;
  }
  if (xc_num_inputs(adaptor) != 2)
    return false;
  size_t number = xc_is_constant(xc_operand(adaptor, 1)) ? 1 : 0;
  xc_attr_ints(adaptor, XC_ATTR_INPUT_FIX_POINT, points);
  p->image = xc_operand(adaptor, 1 - number);
  p->numbers = xc_operand(adaptor, number);
  p->image_point = points[1 - number];
  p->number_point = points[number];
  return true;
}

// A sum is a product with one and a bias. The one is 2^point so that the shifts
// of the convolution stay where the hardware has them: not negative for the
// result, at least -1 for the bias. Returns null when no int8 is large enough.
static MlirValue build_one(xc_rewriter *rewriter, const pointwise *p,
                           int64_t channels, int64_t *point) {
  enum { LARGEST_POINT = 6 };
  *point = xc_maximum64(0, xc_maximum64(p->out_point - p->image_point,
                                        p->number_point - p->image_point - 1));
  if (*point > LARGEST_POINT)
    return (MlirValue){NULL};
  int8_t *ones = xc_rewrite_alloc(rewriter, (size_t)channels, sizeof(int8_t));
  memset(ones, 1 << *point, (size_t)channels);
  xc_shape shape = {XC_ELEMENT_I8, 4, {1, 1, 1, channels}, false};
  return xc_rewrite_const(rewriter, ones, &shape);
}

// One number per channel, whatever the rank of the constant.
static MlirValue spread_numbers(xc_rewriter *rewriter, const pointwise *p,
                                const xc_shape *shape) {
  const double *numbers = xc_constant_per_channel(rewriter, p->numbers, 4,
                                                  shape->dims[shape->rank - 1]);
  if (!numbers || xc_value_shape(p->numbers).element != XC_ELEMENT_I8)
    return (MlirValue){NULL};
  size_t count = (size_t)xc_shape_num_elements(shape);
  int8_t *bytes = xc_rewrite_alloc(rewriter, count + 1, sizeof(int8_t));
  for (size_t i = 0; i < count; ++i)
    bytes[i] = (int8_t)numbers[i];
  return xc_rewrite_const(rewriter, bytes, shape);
}

bool xc_legalize_eltwise_as_depthwise(xc_rewriter *rewriter,
                                      const xc_adaptor *root) {
  // The most that fix points may be apart with two guard bits.
  enum { GUARDED = 2 };
  pointwise p;
  xc_shape result = xc_value_shape(xc_result_of(root));
  if (result.rank != 4 || !xc_has_plain_activation(root) ||
      !read_eltwise(root, &p) || !xc_is_constant(p.numbers) ||
      xc_is_constant(p.image) ||
      !has_depthwise(xc_rewrite_target(rewriter), result.dims[3]))
    return false;
  p.out_point = xc_attr_int(root, XC_ATTR_OUTPUT_FIX_POINT);
  xc_shape image = xc_value_shape(p.image);
  bool sum = xc_attr_is(root, XC_ATTR_TYPE, XC_ENUM_ADD);
  int64_t apart = p.image_point - p.number_point;
  if (!xc_same_dims(&image, &result) ||
      (sum && (apart > GUARDED || apart < -GUARDED)))
    return false;
  int64_t channels = result.dims[3], weight_point = p.number_point;
  xc_shape weight = {XC_ELEMENT_I8, 4, {1, 1, 1, channels}, false};
  xc_shape bias = {XC_ELEMENT_I8, 1, {channels}, false};
  MlirValue numbers = spread_numbers(rewriter, &p, sum ? &bias : &weight);
  if (mlirValueIsNull(numbers))
    return false;
  MlirValue operands[] = {p.image, numbers, {NULL}};
  if (sum) {
    operands[1] = build_one(rewriter, &p, channels, &weight_point);
    operands[2] = numbers;
    if (mlirValueIsNull(operands[1]))
      return false;
  }
  const xc_attribute changes[] = {
      xc_ints("kernel", unit, 2), xc_ints("stride", unit, 2),
      xc_int("input_fix_point", p.image_point),
      xc_int("weight_fix_point", weight_point),
      xc_int("bias_fix_point", sum ? p.number_point : 0)};
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_like(rewriter, root,
                                            XC_TIR_DEPTHWISE_CONV2D_FIX,
                                            operands, 3, changes, 5));
}
