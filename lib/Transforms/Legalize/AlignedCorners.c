//===- AlignedCorners.c - bilinear enlarging with aligned corners ---------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With aligned corners row i of an image of s * n rows lies at i * (n - 1) /
// (s * n - 1) of the n rows: no two rows of the result lie alike between rows
// of the image, so that no kernel interpolates them. But row s * k + j is never
// as far as one row from row k. Columns are the same again. The s images that
// this makes are interleaved by a concatenation along what comes after rows,
// and a reshape.
//
// Twice as many rows: with d = 2 * n - 1, row 2 * k is (1 - k / d) * a[k] +
// k / d * a[k - 1], and row 2 * k + 1 is (n + k) / d * a[k] +
// (n - 1 - k) / d * a[k + 1]. A product with a constant, the ramp
// p[k] = (4 * k / d - 1) * a[k], makes all factors the same for every k:
//
//   3/4 * a[k] - 1/4 * p[k] + (1/4 + 1 / d) * a[k - 1] + 1/4 * p[k - 1]
//   (n / d + 1/4) * a[k] + 1/4 * p[k] + (n / d - 1/4) * a[k + 1] - 1/4 * p[k +
//   1]
//
// Images a and p lie side by side as pixels 2 * x and 2 * x + 1, so that each
// of the two is a depthwise convolution.
//
// More rows: each is row k and a multiple of the slope, the difference to the
// next row or to the one before, and the multiples of all k are a constant.
//
// Each axis rounds twice or more, which a layer after it does not feel much. A
// result is left to the CPU.
//
//===----------------------------------------------------------------------===//

#include "Legalize.h"
#include "Resize.h"

#include "IR/IR.h"
#include "dialects/Resize.h"

enum { LARGEST_SCALE = 8, HEIGHT = 1, WIDTH = 2, CHANNELS = 3 };

/// One axis of an image that becomes `scale` times as long.
typedef struct long_axis {
  size_t dim;
  int64_t scale;
} long_axis;

/// How far result scale * k + j lies beyond pixel k, in pixels.
static double distance(int64_t scale, int64_t count, int64_t j, int64_t k) {
  return (double)((scale * k + j) * (count - 1)) / (double)(scale * count - 1) -
         (double)k;
}

/// A depthwise convolution with the same kernel for every channel.
typedef struct plain_window {
  int64_t kernel[2], stride[2], pad[4]; // width first; left, right, top, bottom
  const double *taps;
} plain_window;

static MlirValue build_depthwise(xc_rewriter *rewriter, MlirValue image,
                                 const plain_window *window) {
  xc_shape input = xc_value_shape(image);
  const int64_t *kernel = window->kernel;
  int64_t channels = input.dims[CHANNELS];
  xc_shape shape = {
      input.element, 4, {1, kernel[1], kernel[0], channels}, false};
  int64_t count = xc_shape_num_elements(&shape);
  double *weights =
      xc_rewrite_alloc(rewriter, (size_t)count + 1, sizeof(*weights));
  for (int64_t i = 0; i < count; ++i)
    weights[i] = window->taps[i / channels];
  const MlirValue operands[] = {image,
                                xc_rewrite_floats(rewriter, weights, &shape)};
  const xc_attribute attributes[] = {xc_ints("kernel", kernel, 2),
                                     xc_ints("stride", window->stride, 2),
                                     xc_ints("pad", window->pad, 4)};
  return xc_rewrite_build(rewriter, XC_TIR_DEPTHWISE_CONV2D, operands, 2,
                          attributes, 3, XC_ELEMENT_NONE);
}

/// Returns the product with a number for each row or column.
static MlirValue multiply_along(xc_rewriter *rewriter, size_t dim,
                                MlirValue image, const double *numbers) {
  xc_shape line = xc_value_shape(image);
  int64_t count = line.dims[dim], channels = line.dims[CHANNELS];
  double *factors = xc_rewrite_alloc(rewriter, (size_t)(count * channels) + 1,
                                     sizeof(*factors));
  for (int64_t i = 0; i < count * channels; ++i)
    factors[i] = numbers[i / channels];
  line.dims[0] = line.dims[HEIGHT] = line.dims[WIDTH] = 1;
  line.dims[dim] = count;
  const MlirValue operands[] = {image,
                                xc_rewrite_floats(rewriter, factors, &line)};
  return xc_rewrite_build(rewriter, XC_TIR_MUL, operands, 2, NULL, 0,
                          XC_ELEMENT_NONE);
}

//===----------------------------------------------------------------------===//
// Slopes
//===----------------------------------------------------------------------===//

/// Differences of neighbours, with those before the first and after the last
/// pixel, which are zero.
static MlirValue build_slopes(xc_rewriter *rewriter, MlirValue image,
                              size_t dim) {
  static const double taps[] = {-1, 1};
  int64_t paddings[8] = {0};
  paddings[2 * dim] = paddings[2 * dim + 1] = 1;
  const xc_attribute edges[] = {xc_ints("paddings", paddings, 8),
                                xc_string("mode", "SYMMETRIC")};
  plain_window window = {.kernel = {1, 1}, .stride = {1, 1}, .taps = taps};
  window.kernel[dim == HEIGHT] = 2;
  return build_depthwise(rewriter,
                         xc_rewrite_build(rewriter, XC_TIR_PAD, &image, 1,
                                          edges, 2, XC_ELEMENT_NONE),
                         &window);
}

/// Adds a multiple of the slopes after the pixels, or of those before, where
/// results lie on that side.
static MlirValue add_slopes(xc_rewriter *rewriter, const long_axis *axis,
                            int64_t j, bool after, MlirValue slopes,
                            MlirValue image) {
  xc_shape shape = xc_value_shape(image);
  int64_t count = shape.dims[axis->dim], begin[XC_MAX_RANK] = {0};
  bool any = false;
  double *factors =
      xc_rewrite_alloc(rewriter, (size_t)count + 1, sizeof(*factors));
  for (int64_t k = 0; k < count; ++k) {
    double far = distance(axis->scale, count, j, k);
    factors[k] = (far > 0) == after ? far : 0;
    any |= factors[k] != 0;
  }
  if (!any)
    return image;
  begin[axis->dim] = after;
  const MlirValue terms[] = {
      image, multiply_along(rewriter, axis->dim,
                            xc_rewrite_cut(rewriter, slopes, begin, shape.dims),
                            factors)};
  return xc_rewrite_build(rewriter, XC_TIR_ADD, terms, 2, NULL, 0,
                          XC_ELEMENT_NONE);
}

static void enlarge_by_slopes(xc_rewriter *rewriter, const long_axis *axis,
                              MlirValue image, MlirValue *parts) {
  MlirValue slopes = build_slopes(rewriter, image, axis->dim);
  for (int64_t j = 0; j < axis->scale; ++j) {
    parts[j] = add_slopes(rewriter, axis, j, true, slopes, image);
    parts[j] = add_slopes(rewriter, axis, j, false, slopes, parts[j]);
  }
}

//===----------------------------------------------------------------------===//
// Ramps
//===----------------------------------------------------------------------===//

/// Returns the image, and beside each of its pixels the product with the ramp.
static MlirValue join_ramp(xc_rewriter *rewriter, size_t dim, MlirValue image) {
  xc_shape shape = xc_value_shape(image);
  int64_t count = shape.dims[dim];
  double *ramp = xc_rewrite_alloc(rewriter, (size_t)count + 1, sizeof(*ramp));
  for (int64_t k = 0; k < count; ++k)
    ramp[k] = (double)(4 * k) / (double)(2 * count - 1) - 1;
  const MlirValue pair[] = {image, multiply_along(rewriter, dim, image, ramp)};
  shape.dims[WIDTH] *= 2;
  return xc_rewrite_reshape(
      rewriter, xc_rewrite_join(rewriter, pair, 2, CHANNELS, 0), &shape);
}

/// Returns a part of the result from pairs of pixels: the factors of the image
/// and of its ramp before, at and after the result.
static MlirValue blend_pairs(xc_rewriter *rewriter, size_t dim,
                             const double factors[6], MlirValue pairs) {
  plain_window rows = {{2, 3}, {2, 1}, {0, 0, 1, 1}, factors};
  plain_window columns = {{6, 1}, {2, 1}, {2, 2, 0, 0}, factors};
  return build_depthwise(rewriter, pairs, dim == HEIGHT ? &rows : &columns);
}

static void enlarge_by_ramp(xc_rewriter *rewriter, size_t dim, MlirValue image,
                            MlirValue *parts) {
  double count = (double)xc_value_shape(image).dims[dim];
  double d = 2 * count - 1, part = count / d;
  const double even[] = {0.25 + 1 / d, 0.25, 0.75, -0.25, 0, 0};
  const double odd[] = {0, 0, part + 0.25, 0.25, part - 0.25, -0.25};
  MlirValue pairs = join_ramp(rewriter, dim, image);
  parts[0] = blend_pairs(rewriter, dim, even, pairs);
  parts[1] = blend_pairs(rewriter, dim, odd, pairs);
}

//===----------------------------------------------------------------------===//
// Both axes
//===----------------------------------------------------------------------===//

/// Returns the parts along what comes after the axis, which is their order in
/// memory.
static MlirValue interleave(xc_rewriter *rewriter, const long_axis *axis,
                            const MlirValue *parts) {
  return xc_rewrite_join(rewriter, parts, (size_t)axis->scale,
                         (int64_t)axis->dim + 1, 0);
}

/// Returns the result in memory. Parts of an axis that becomes twice as long
/// are enlarged along the other axes before they are interleaved, so that they
/// need not be read for that.
static MlirValue enlarge(xc_rewriter *rewriter, const long_axis *axes,
                         size_t count, MlirValue image) {
  MlirValue parts[LARGEST_SCALE];
  if (count == 0)
    return image;
  if (axes->scale == 1)
    return enlarge(rewriter, axes + 1, count - 1, image);
  if (axes->scale > 2) {
    xc_shape shape = xc_value_shape(image);
    shape.dims[axes->dim] *= axes->scale;
    enlarge_by_slopes(rewriter, axes, image, parts);
    image = interleave(rewriter, axes, parts);
    image = xc_rewrite_reshape(rewriter, image, &shape);
    return enlarge(rewriter, axes + 1, count - 1, image);
  }
  enlarge_by_ramp(rewriter, axes->dim, image, parts);
  for (size_t j = 0; j < 2; ++j)
    parts[j] = enlarge(rewriter, axes + 1, count - 1, parts[j]);
  return interleave(rewriter, axes, parts);
}

static bool takes_factors(const XcDpuTarget *target) {
  return target->elementwiseBroadcast &&
         xcDpuSetHas(target->elementwiseKinds, XcDpuElementwiseKindMul) &&
         xcDpuSetHas(target->elementwiseKinds, XcDpuElementwiseKindAdd);
}

/// Whether an operator is one that the CPU applies to a result, which it
/// touches as a whole.
static bool is_last(const xc_op_info *info) {
  return info->rule == XC_RULE_RESHAPE || info->rule == XC_RULE_FLATTEN ||
         info->rule == XC_RULE_SQUEEZE || info->rule == XC_RULE_TRANSPOSE ||
         info->kind == XC_TIR_SIGMOID || info->kind == XC_TIR_SOFTMAX ||
         info->kind == XC_TIR_LOG_SOFTMAX;
}

/// Whether a value is nothing but a result, perhaps moved or as probabilities.
/// Such a value needs no DPU: the CPU has to touch all of it anyhow, and rounds
/// nothing.
static bool is_only_returned(MlirValue value, int depth) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation reader = mlirOpOperandGetOwner(use);
    const xc_op_info *info = xc_op_info_of(reader);
    if (!xc_op_is(reader, "func.return") &&
        !(depth > 0 && info && is_last(info) &&
          is_only_returned(xc_op_result(reader), depth - 1)))
      return false;
  }
  return true;
}

/// Scales of both axes, of which pixels that are alone stay so.
static bool read_scales(const xc_adaptor *root, int64_t scales[2]) {
  xc_shape input = xc_operand_shape(root, XC_RESIZE_INPUT);
  if (!xc_resize_factors(root, scales) || scales[0] * scales[1] == 1)
    return false;
  for (size_t i = 0; i < 2; ++i)
    if (scales[i] > LARGEST_SCALE ||
        (scales[i] > 1 && input.dims[WIDTH - i] == 1))
      return false;
  return true;
}

bool xc_legalize_bilinear_with_corners(xc_rewriter *rewriter,
                                       const xc_adaptor *root) {
  int64_t scales[2];
  xc_element element = xc_operand_shape(root, XC_RESIZE_INPUT).element;
  if (!xc_attr_is(root, XC_ATTR_MODE, XC_ENUM_BILINEAR) ||
      !xc_resize_has_corners(root) ||
      xc_attr_bool(root, XC_ATTR_EXCLUDE_OUTSIDE) ||
      (element != XC_ELEMENT_F32 && element != XC_ELEMENT_F64) ||
      !takes_factors(xc_rewrite_target(rewriter)) ||
      xc_resize_rounds_once(root) ||
      is_only_returned(xc_result_of(root), XC_PATTERN_CHAIN) ||
      !read_scales(root, scales))
    return false;
  const long_axis axes[] = {{HEIGHT, scales[1]}, {WIDTH, scales[0]}};
  MlirValue image = xc_operand(root, XC_RESIZE_INPUT);
  xc_shape shape = xc_value_shape(xc_result_of(root));
  image = enlarge(rewriter, axes, 2, image);
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_reshape(rewriter, image, &shape));
}
