//===- Conv.c - arithmetic after convolutions -----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// y = s[c] * conv(x) + t[c] is a convolution with the weights s[c] * w and the
// bias s[c] * b + t[c]. New weights are computed in double and rounded once.
//
//===----------------------------------------------------------------------===//

#include "Canonicalize.h"

#include <math.h>
#include <string.h>

// s and t by channel; null scale stands for ones, null shift for zeros.
typedef struct affine {
  const double *scale;
  const double *shift;
} affine;

static bool is_last_axis(const xc_adaptor *adaptor) {
  int64_t axis = xc_attr_int(adaptor, XC_ATTR_AXIS);
  return axis == -1 || axis == (int64_t)xc_operand_shape(adaptor, 0).rank - 1;
}

static const double *optional_numbers(xc_rewriter *rewriter,
                                      const xc_adaptor *adaptor, size_t slot,
                                      bool *ok) {
  size_t count;
  if (!xc_has_operand(adaptor, slot))
    return NULL;
  const double *numbers =
      xc_constant_numbers(rewriter, xc_operand(adaptor, slot), &count);
  *ok &= numbers != NULL;
  return numbers;
}

static bool read_batchnorm(xc_rewriter *rewriter, const xc_adaptor *adaptor,
                           int64_t channels, affine *a) {
  bool ok = true;
  const double *mean =
      optional_numbers(rewriter, adaptor, XC_BATCHNORM_MEAN, &ok);
  const double *var =
      optional_numbers(rewriter, adaptor, XC_BATCHNORM_VAR, &ok);
  const double *gamma =
      optional_numbers(rewriter, adaptor, XC_BATCHNORM_GAMMA, &ok);
  const double *beta =
      optional_numbers(rewriter, adaptor, XC_BATCHNORM_BETA, &ok);
  double epsilon = xc_attr_float(adaptor, XC_ATTR_EPSILON);
  if (!ok)
    return false;
  double *scale = xc_rewrite_alloc(rewriter, (size_t)channels, sizeof(double));
  double *shift = xc_rewrite_alloc(rewriter, (size_t)channels, sizeof(double));
  for (int64_t i = 0; i < channels; ++i) {
    scale[i] = (gamma ? gamma[i] : 1.0) / sqrt(var[i] + epsilon);
    shift[i] = (beta ? beta[i] : 0.0) - mean[i] * scale[i];
    if (!isfinite(scale[i]) || !isfinite(shift[i]))
      return false;
  }
  *a = (affine){scale, shift};
  return true;
}

bool xc_affine_read(xc_rewriter *rewriter, const xc_adaptor *adaptor,
                    const double **scale, const double **shift) {
  xc_shape result = xc_value_shape(xc_result_of(adaptor));
  if (result.rank == 0)
    return false;
  int64_t channels = result.dims[result.rank - 1];
  affine a = {NULL, NULL};
  bool ok = true;
  switch (adaptor->info->kind) {
  case XC_TIR_BATCHNORM:
    ok = is_last_axis(adaptor) &&
         read_batchnorm(rewriter, adaptor, channels, &a);
    break;
  case XC_TIR_SCALE:
    a.scale = optional_numbers(rewriter, adaptor, XC_SCALE_SCALE, &ok);
    a.shift = optional_numbers(rewriter, adaptor, XC_SCALE_BIAS, &ok);
    ok = ok && is_last_axis(adaptor);
    break;
  case XC_TIR_ADD:
  case XC_TIR_MUL: {
    const double *numbers = xc_constant_per_channel(
        rewriter, xc_operand(adaptor, 1), result.rank, channels);
    ok = numbers != NULL;
    *(adaptor->info->kind == XC_TIR_ADD ? &a.shift : &a.scale) = numbers;
    break;
  }
  default: // nothing affine
    ok = false;
  }
  *scale = a.scale;
  *shift = a.shift;
  return ok;
}

//===----------------------------------------------------------------------===//
// Factors and summands in weights and biases
//===----------------------------------------------------------------------===//

int64_t xc_weight_channel(const xc_adaptor *conv, const xc_shape *weight,
                          int64_t i) {
  int64_t last = weight->dims[weight->rank - 1];
  switch (conv->info->kind) {
  case XC_TIR_DEPTHWISE_CONV2D:
  case XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D: {
    int64_t each = weight->dims[1] * weight->dims[2] * last;
    return i % last * weight->dims[0] + i / each;
  }
  case XC_TIR_MATMUL:
    if (xc_attr_bool(conv, XC_ATTR_TRANSPOSE_B))
      return i / last % weight->dims[weight->rank - 2];
    return i % last;
  default: // output channel first
    return i / (xc_shape_num_elements(weight) / weight->dims[0]);
  }
}

static MlirValue scale_weight(xc_rewriter *rewriter, const xc_adaptor *conv,
                              MlirValue weight, const double *scale) {
  size_t count;
  xc_shape shape = xc_value_shape(weight);
  const double *numbers = xc_constant_numbers(rewriter, weight, &count);
  if (!numbers)
    return (MlirValue){NULL};
  double *scaled = xc_rewrite_alloc(rewriter, count + 1, sizeof(double));
  for (size_t i = 0; i < count; ++i)
    scaled[i] = numbers[i] * scale[xc_weight_channel(conv, &shape, (int64_t)i)];
  return xc_rewrite_floats(rewriter, scaled, &shape);
}

static MlirValue change_bias(xc_rewriter *rewriter, const double *bias,
                             int64_t channels, xc_element element,
                             affine change) {
  double *changed =
      xc_rewrite_alloc(rewriter, (size_t)channels, sizeof(double));
  for (int64_t i = 0; i < channels; ++i)
    changed[i] =
        (bias ? bias[i] : 0.0) * (change.scale ? change.scale[i] : 1.0) +
        (change.shift ? change.shift[i] : 0.0);
  xc_shape shape = {element, 1, {channels}, false};
  return xc_rewrite_floats(rewriter, changed, &shape);
}

static bool takes_affine(const xc_adaptor *adaptor) {
  xc_element element = xc_value_shape(xc_result_of(adaptor)).element;
  if (element != XC_ELEMENT_F32 && element != XC_ELEMENT_F64)
    return false;
  switch (adaptor->info->kind) {
  case XC_TIR_CONV2D:
  case XC_TIR_DEPTHWISE_CONV2D:
  case XC_TIR_TRANSPOSED_CONV2D:
  case XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D:
  case XC_TIR_MATMUL:
  case XC_TIR_INNER_PRODUCT:
    return true;
  default: // everything else
    return false;
  }
}

// x + 3 before relu6, a * x + b before a clip to 0..1: parts of a hard sigmoid,
// which is worth more than an addition saved.
static bool feeds_hard_sigmoid(const xc_adaptor *adaptor) {
  xc_adaptor user;
  if (!xc_single_user(adaptor, &user))
    return false;
  switch (user.info->kind) {
  case XC_TIR_RELU6:
    return adaptor->info->kind == XC_TIR_ADD;
  case XC_TIR_CLIP:
    return xc_attr_float(&user, XC_ATTR_MIN) == 0.0 &&
           (xc_attr_float(&user, XC_ATTR_MAX) == 1.0 ||
            xc_attr_float(&user, XC_ATTR_MAX) == 6.0);
  case XC_TIR_MAX: // a clip in the making
  case XC_TIR_MIN:
    return true;
  case XC_TIR_ADD:
    return adaptor->info->kind == XC_TIR_MUL && feeds_hard_sigmoid(&user);
  default: // no clip
    return false;
  }
}

static bool has_one_number(xc_rewriter *rewriter, const xc_adaptor *adaptor) {
  double number;
  bool binary =
      adaptor->info->kind == XC_TIR_ADD || adaptor->info->kind == XC_TIR_MUL;
  return binary && xc_constant_splat(rewriter, xc_operand(adaptor, 1), &number);
}

MlirValue xc_affine_into_conv(xc_rewriter *rewriter, const xc_adaptor *conv,
                              const double *scale, const double *shift) {
  const MlirValue none = {NULL};
  if (!takes_affine(conv) || !xc_used_once(conv))
    return none;
  xc_shape result = xc_value_shape(xc_result_of(conv));
  int64_t channels = result.dims[result.rank - 1];
  MlirValue operands[] = {xc_operand(conv, 0), xc_operand(conv, 1),
                          xc_operand_or_null(conv, 2)};
  bool ok = true;
  const double *bias = optional_numbers(rewriter, conv, XC_CONV2D_BIAS, &ok);
  if (!ok || (scale && !xc_is_constant(operands[1])))
    return none;
  xc_rewrite_at(rewriter, conv);
  if (scale)
    operands[1] = scale_weight(rewriter, conv, operands[1], scale);
  if (mlirValueIsNull(operands[1]))
    return none;
  if (bias || shift)
    operands[2] = change_bias(rewriter, bias, channels, result.element,
                              (affine){scale, shift});
  return xc_rewrite_like(rewriter, conv, conv->info->kind, operands, 3, NULL,
                         0);
}

// Finds the operator that computes the input of `root`, also through a reshape
// that is its only use and leaves the channels what they are: a one-dimensional
// convolution's.
static bool find_producer(const xc_adaptor *root, xc_adaptor *producer) {
  MlirValue input = xc_operand(root, XC_BATCHNORM_INPUT);
  if (!xc_same_type(input, xc_result_of(root)) ||
      !xc_defining_adaptor(input, producer))
    return false;
  if (producer->info->kind != XC_TIR_RESHAPE)
    return true;
  xc_shape before = xc_operand_shape(producer, 0),
           after = xc_value_shape(input);
  return xc_used_once(producer) && before.rank > 0 && after.rank > 0 &&
         before.dims[before.rank - 1] == after.dims[after.rank - 1] &&
         xc_defining_adaptor(xc_operand(producer, 0), producer);
}

bool xc_canonicalize_affine_into_conv(xc_rewriter *rewriter,
                                      const xc_adaptor *root) {
  xc_adaptor conv;
  affine change;
  xc_shape result = xc_value_shape(xc_result_of(root));
  if (!find_producer(root, &conv) || !takes_affine(&conv) ||
      (has_one_number(rewriter, root) && feeds_hard_sigmoid(root)) ||
      !xc_affine_read(rewriter, root, &change.scale, &change.shift))
    return false;
  MlirValue value =
      xc_affine_into_conv(rewriter, &conv, change.scale, change.shift);
  return !mlirValueIsNull(value) &&
         xc_rewrite_replace(rewriter, root,
                            xc_rewrite_reshape(rewriter, value, &result));
}

static bool may_be_affine(const xc_adaptor *adaptor) {
  return adaptor->info->kind == XC_TIR_BATCHNORM ||
         adaptor->info->kind == XC_TIR_SCALE ||
         adaptor->info->kind == XC_TIR_ADD || adaptor->info->kind == XC_TIR_MUL;
}

/// Both of them, one after the other; false where that is not finite.
static bool merge(xc_rewriter *rewriter, int64_t channels, affine first,
                  affine second, affine *both) {
  double *scale = xc_rewrite_alloc(rewriter, (size_t)channels, sizeof(double));
  double *shift = xc_rewrite_alloc(rewriter, (size_t)channels, sizeof(double));
  for (int64_t i = 0; i < channels; ++i) {
    double factor = second.scale ? second.scale[i] : 1.0;
    scale[i] = (first.scale ? first.scale[i] : 1.0) * factor;
    shift[i] = (first.shift ? first.shift[i] : 0.0) * factor +
               (second.shift ? second.shift[i] : 0.0);
    if (!isfinite((float)scale[i]) || !isfinite((float)shift[i]))
      return false;
  }
  *both = (affine){scale, shift};
  return true;
}

static bool is_float(const xc_shape *shape) {
  return shape->element == XC_ELEMENT_F32 || shape->element == XC_ELEMENT_F64;
}

/// Returns a scale of the last dimension.
static MlirValue build_scale(xc_rewriter *rewriter, MlirValue input,
                             affine change) {
  xc_shape image = xc_value_shape(input);
  xc_shape line = {image.element, 1, {image.dims[image.rank - 1]}, false};
  const MlirValue operands[] = {
      input, xc_rewrite_floats(rewriter, change.scale, &line),
      xc_rewrite_floats(rewriter, change.shift, &line)};
  return xc_rewrite_build(rewriter, XC_TIR_SCALE, operands, 3, NULL, 0,
                          XC_ELEMENT_NONE);
}

bool xc_canonicalize_affine_of_affine(xc_rewriter *rewriter,
                                      const xc_adaptor *root) {
  xc_adaptor inner;
  affine first, second, both;
  MlirValue input = xc_operand(root, XC_BATCHNORM_INPUT);
  xc_shape result = xc_value_shape(xc_result_of(root));
  // Sums of sums and products of products stay what they are.
  bool merges =
      root->info->kind == XC_TIR_ADD || root->info->kind == XC_TIR_MUL;
  if (!is_float(&result) || !xc_defining_adaptor(input, &inner) ||
      !may_be_affine(&inner) || !xc_used_once(&inner) ||
      (merges && inner.info == root->info) ||
      !xc_same_type(input, xc_result_of(root)) ||
      !xc_same_type(xc_operand(&inner, 0), input) ||
      xc_is_constant(xc_operand(&inner, 0)) ||
      (has_one_number(rewriter, root) && feeds_hard_sigmoid(root)) ||
      !xc_affine_read(rewriter, &inner, &first.scale, &first.shift) ||
      !xc_affine_read(rewriter, root, &second.scale, &second.shift) ||
      !merge(rewriter, result.dims[result.rank - 1], first, second, &both))
    return false;
  return xc_rewrite_replace(rewriter, root,
                            build_scale(rewriter, xc_operand(&inner, 0), both));
}

// A convolution along a line is one of an image, between reshapes.
bool xc_canonicalize_affine_before_reshape(xc_rewriter *rewriter,
                                           const xc_adaptor *root) {
  enum { IMAGE = 4 };
  const affine nothing = {NULL, NULL};
  xc_adaptor reshape;
  affine own, change;
  MlirValue input = xc_operand(root, XC_BATCHNORM_INPUT);
  if (!xc_defined_by(input, XC_TIR_RESHAPE, &reshape) ||
      !xc_used_once(&reshape) || !xc_same_type(input, xc_result_of(root)))
    return false;
  MlirValue image = xc_operand(&reshape, 0);
  xc_shape before = xc_value_shape(image), after = xc_value_shape(input);
  if (!is_float(&before) || before.rank != IMAGE || after.rank == 0 ||
      after.rank >= IMAGE || xc_is_constant(image) ||
      before.dims[IMAGE - 1] != after.dims[after.rank - 1] ||
      !xc_affine_read(rewriter, root, &own.scale, &own.shift) ||
      !merge(rewriter, before.dims[IMAGE - 1], nothing, own, &change))
    return false;
  MlirValue value = build_scale(rewriter, image, change);
  return xc_rewrite_replace(
      rewriter, root,
      xc_rewrite_like(rewriter, &reshape, XC_TIR_RESHAPE, &value, 1, NULL, 0));
}
