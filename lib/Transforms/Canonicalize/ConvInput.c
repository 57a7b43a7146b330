//===- ConvInput.c - what is done before convolutions ---------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A convolution of s[c] * x + t[c] has the weights s[c] * w, and t[c] * w
// summed up in the bias, unless windows reach beyond x, where zeros have no
// t[c].
//
// Interpolation computes each channel by itself, with weights that sum to one:
// a 1x1 convolution with its bias may come first, where there are fewer pixels.
//
//===----------------------------------------------------------------------===//

#include "Canonicalize.h"

#include "OpParams/Window.h"

#include <math.h>

static bool stays_inside(const xc_window_axis *axis) {
  return axis->before == 0 && axis->after == 0 &&
         (axis->outputs - 1) * axis->stride + xc_window_span(axis) <=
             axis->inputs;
}

/// Returns the input channel that element `i` of the weight is multiplied with.
static int64_t input_channel(const xc_adaptor *conv, const xc_shape *weight,
                             int64_t i) {
  int64_t last = weight->dims[3];
  if (conv->info->kind == XC_TIR_DEPTHWISE_CONV2D)
    return i % last;
  int64_t groups = xc_operand_shape(conv, XC_CONV2D_INPUT).dims[3] / last;
  int64_t group =
      xc_weight_channel(conv, weight, i) / (weight->dims[0] / groups);
  return group * last + i % last;
}

/// Numbers of the new weight, and of the new bias, if there is one.
typedef struct conv_numbers {
  double *weight, *bias;
} conv_numbers;

static bool compute_numbers(xc_rewriter *rewriter, const xc_adaptor *conv,
                            const double *scale, const double *shift,
                            conv_numbers *result) {
  size_t count, num_outputs;
  xc_shape shape = xc_operand_shape(conv, XC_CONV2D_WEIGHT);
  const double *weight =
      xc_constant_numbers(rewriter, xc_operand(conv, XC_CONV2D_WEIGHT), &count);
  bool has_bias = xc_has_operand(conv, XC_CONV2D_BIAS);
  const double *bias =
      has_bias ? xc_constant_numbers(rewriter, xc_operand(conv, XC_CONV2D_BIAS),
                                     &num_outputs)
               : NULL;
  int64_t outputs = xc_value_shape(xc_result_of(conv)).dims[3];
  if (!weight || (has_bias && !bias))
    return false;
  result->weight = xc_rewrite_alloc(rewriter, count + 1, sizeof(double));
  result->bias = xc_rewrite_alloc(rewriter, (size_t)outputs, sizeof(double));
  for (int64_t o = 0; o < outputs; ++o)
    result->bias[o] = bias ? bias[o] : 0;
  for (size_t i = 0; i < count; ++i) {
    int64_t input = input_channel(conv, &shape, (int64_t)i);
    result->weight[i] = weight[i] * (scale ? scale[input] : 1);
    if (shift)
      result->bias[xc_weight_channel(conv, &shape, (int64_t)i)] +=
          weight[i] * shift[input];
    if (!isfinite((float)result->weight[i]))
      return false;
  }
  for (int64_t o = 0; o < outputs; ++o)
    if (!isfinite((float)result->bias[o]))
      return false;
  return true;
}

bool xc_canonicalize_affine_before_conv(xc_rewriter *rewriter,
                                        const xc_adaptor *root) {
  xc_adaptor inner;
  const double *scale, *shift;
  conv_numbers numbers;
  MlirValue input = xc_operand(root, XC_CONV2D_INPUT);
  xc_shape result = xc_value_shape(xc_result_of(root));
  if ((result.element != XC_ELEMENT_F32 && result.element != XC_ELEMENT_F64) ||
      !xc_defining_adaptor(input, &inner) || !xc_used_once(&inner) ||
      !xc_affine_read(rewriter, &inner, &scale, &shift) ||
      !xc_same_type(xc_operand(&inner, 0), input) ||
      xc_is_constant(xc_operand(&inner, 0)))
    return false;
  xc_window window = xc_window_of(root);
  if ((shift && (!stays_inside(&window.h) || !stays_inside(&window.w))) ||
      !compute_numbers(rewriter, root, scale, shift, &numbers))
    return false;
  xc_shape weight = xc_operand_shape(root, XC_CONV2D_WEIGHT);
  xc_shape bias = {result.element, 1, {result.dims[3]}, false};
  MlirValue operands[] = {xc_operand(&inner, 0),
                          xc_rewrite_floats(rewriter, numbers.weight, &weight),
                          xc_operand_or_null(root, XC_CONV2D_BIAS)};
  if (shift)
    operands[2] = xc_rewrite_floats(rewriter, numbers.bias, &bias);
  return xc_rewrite_replace(
      rewriter, root,
      xc_rewrite_like(rewriter, root, root->info->kind, operands, 3, NULL, 0));
}

static bool is_of_one(const xc_window_axis *axis) {
  return axis->kernel == 1 && axis->stride == 1 && axis->before == 0 &&
         axis->after == 0;
}

bool xc_is_pixelwise(const xc_adaptor *conv) {
  xc_window window = xc_window_of(conv);
  return is_of_one(&window.h) && is_of_one(&window.w);
}

// Whether a resize enlarges an image, and every pixel of the result is one of
// the image or a weighted mean of some.
static bool enlarges(const xc_adaptor *resize) {
  xc_shape image = xc_operand_shape(resize, XC_RESIZE_INPUT);
  xc_shape result = xc_value_shape(xc_result_of(resize));
  return result.dims[1] >= image.dims[1] && result.dims[2] >= image.dims[2] &&
         result.dims[1] * result.dims[2] > image.dims[1] * image.dims[2] &&
         !xc_attr_bool(resize, XC_ATTR_EXCLUDE_OUTSIDE) &&
         !xc_attr_is(resize, XC_ATTR_COORDINATE_MODE,
                     XC_ENUM_TF_CROP_AND_RESIZE);
}

bool xc_canonicalize_conv_before_resize(xc_rewriter *rewriter,
                                        const xc_adaptor *root) {
  xc_adaptor resize;
  MlirValue input = xc_operand(root, XC_CONV2D_INPUT);
  if (!xc_defined_by(input, XC_TIR_RESIZE, &resize) || !xc_used_once(&resize) ||
      !enlarges(&resize) ||
      xc_value_shape(xc_result_of(root)).dims[3] >
          xc_value_shape(input).dims[3] ||
      !xc_is_pixelwise(root))
    return false;
  const MlirValue operands[] = {xc_operand(&resize, XC_RESIZE_INPUT),
                                xc_operand(root, XC_CONV2D_WEIGHT),
                                xc_operand_or_null(root, XC_CONV2D_BIAS)};
  MlirValue value =
      xc_rewrite_like(rewriter, root, XC_TIR_CONV2D, operands, 3, NULL, 0);
  return xc_rewrite_replace(
      rewriter, root,
      xc_rewrite_like(rewriter, &resize, XC_TIR_RESIZE, &value, 1, NULL, 0));
}
