//===- AlignedCorners.c - bilinear enlarging by slopes --------------------===//
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
typedef struct slope_axis {
  size_t dim;
  int64_t scale;
} slope_axis;

/// How far result scale * k + j lies beyond pixel k, in pixels.
static double distance(int64_t scale, int64_t count, int64_t j, int64_t k) {
  return (double)((scale * k + j) * (count - 1)) / (double)(scale * count - 1) -
         (double)k;
}

/// Differences of neighbours, with those before the first and after the last
/// pixel, which are zero.
static MlirValue build_slopes(xc_rewriter *rewriter, MlirValue image,
                              size_t dim) {
  xc_shape image_shape = xc_value_shape(image);
  int64_t channels = image_shape.dims[CHANNELS];
  int64_t paddings[8] = {0}, kernel[] = {1, 1};
  const int64_t stride[] = {1, 1};
  paddings[2 * dim] = paddings[2 * dim + 1] = 1;
  kernel[dim == HEIGHT] = 2;
  const xc_attribute edges[] = {xc_ints("paddings", paddings, 8),
                                xc_string("mode", "SYMMETRIC")};
  xc_shape shape = {
      image_shape.element, 4, {1, kernel[1], kernel[0], channels}, false};
  double *weights =
      xc_rewrite_alloc(rewriter, (size_t)(2 * channels) + 1, sizeof(*weights));
  for (int64_t c = 0; c < channels; ++c) {
    weights[c] = -1;
    weights[channels + c] = 1;
  }
  const MlirValue operands[] = {xc_rewrite_build(rewriter, XC_TIR_PAD, &image,
                                                 1, edges, 2, XC_ELEMENT_NONE),
                                xc_rewrite_floats(rewriter, weights, &shape)};
  const xc_attribute window[] = {xc_ints("kernel", kernel, 2),
                                 xc_ints("stride", stride, 2)};
  return xc_rewrite_build(rewriter, XC_TIR_DEPTHWISE_CONV2D, operands, 2,
                          window, 2, XC_ELEMENT_NONE);
}

/// Adds a multiple of the slopes after the pixels, or of those before, where
/// results lie on that side.
static MlirValue add_slopes(xc_rewriter *rewriter, const slope_axis *axis,
                            int64_t j, bool after, MlirValue slopes,
                            MlirValue image) {
  xc_shape shape = xc_value_shape(image), row = shape;
  int64_t count = shape.dims[axis->dim], channels = shape.dims[CHANNELS];
  int64_t begin[XC_MAX_RANK] = {0};
  bool any = false;
  double *factors = xc_rewrite_alloc(rewriter, (size_t)(count * channels) + 1,
                                     sizeof(*factors));
  for (int64_t i = 0; i < count * channels; ++i) {
    double far = distance(axis->scale, count, j, i / channels);
    factors[i] = (far > 0) == after ? far : 0;
    any |= factors[i] != 0;
  }
  if (!any)
    return image;
  row.dims[0] = row.dims[HEIGHT] = row.dims[WIDTH] = 1;
  row.dims[axis->dim] = count;
  begin[axis->dim] = after;
  const MlirValue factor_operands[] = {
      xc_rewrite_cut(rewriter, slopes, begin, shape.dims),
      xc_rewrite_floats(rewriter, factors, &row)};
  const MlirValue terms[] = {image, xc_rewrite_build(rewriter, XC_TIR_MUL,
                                                     factor_operands, 2, NULL,
                                                     0, XC_ELEMENT_NONE)};
  return xc_rewrite_build(rewriter, XC_TIR_ADD, terms, 2, NULL, 0,
                          XC_ELEMENT_NONE);
}

static void enlarge_by_slopes(xc_rewriter *rewriter, const slope_axis *axis,
                              MlirValue image, MlirValue *parts) {
  MlirValue slopes = build_slopes(rewriter, image, axis->dim);
  for (int64_t j = 0; j < axis->scale; ++j) {
    parts[j] = add_slopes(rewriter, axis, j, true, slopes, image);
    parts[j] = add_slopes(rewriter, axis, j, false, slopes, parts[j]);
  }
}

/// The image, and beside each of its pixels the product with the ramp.
static MlirValue join_ramp(xc_rewriter *rewriter, size_t dim, MlirValue image) {
  xc_shape shape = xc_value_shape(image), row = shape;
  int64_t count = shape.dims[dim], channels = shape.dims[CHANNELS];
  double *ramp =
      xc_rewrite_alloc(rewriter, (size_t)(count * channels) + 1, sizeof(*ramp));
  for (int64_t i = 0; i < count * channels; ++i)
    ramp[i] = (double)(4 * (i / channels)) / (double)(2 * count - 1) - 1;
  row.dims[0] = row.dims[HEIGHT] = row.dims[WIDTH] = 1;
  row.dims[dim] = count;
  const MlirValue factors[] = {image, xc_rewrite_floats(rewriter, ramp, &row)};
  const MlirValue pair[] = {image,
                            xc_rewrite_build(rewriter, XC_TIR_MUL, factors, 2,
                                             NULL, 0, XC_ELEMENT_NONE)};
  shape.dims[WIDTH] *= 2;
  return xc_rewrite_reshape(
      rewriter, xc_rewrite_join(rewriter, pair, 2, CHANNELS, 0), &shape);
}

/// A part of the result from pairs of pixels: the factors of the image and of
/// its ramp before, at and after the result.
static MlirValue blend_pairs(xc_rewriter *rewriter, size_t dim,
                             const double factors[6], MlirValue pairs) {
  xc_shape shape = xc_value_shape(pairs);
  int64_t channels = shape.dims[CHANNELS];
  const int64_t stride[] = {2, 1};
  const int64_t kernel[] = {dim == HEIGHT ? 2 : 6, dim == HEIGHT ? 3 : 1};
  int64_t pad[4] = {0}; // left, right, top, bottom
  pad[dim == HEIGHT ? 2 : 0] = pad[dim == HEIGHT ? 3 : 1] = (int64_t)dim;
  double *weights =
      xc_rewrite_alloc(rewriter, (size_t)(6 * channels) + 1, sizeof(*weights));
  for (int64_t i = 0; i < 6 * channels; ++i)
    weights[i] = factors[i / channels];
  xc_shape weight = {
      shape.element, 4, {1, kernel[1], kernel[0], channels}, false};
  const MlirValue operands[] = {pairs,
                                xc_rewrite_floats(rewriter, weights, &weight)};
  const xc_attribute window[] = {xc_ints("kernel", kernel, 2),
                                 xc_ints("stride", stride, 2),
                                 xc_ints("pad", pad, 4)};
  return xc_rewrite_build(rewriter, XC_TIR_DEPTHWISE_CONV2D, operands, 2,
                          window, 3, XC_ELEMENT_NONE);
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

/// The parts along what comes after the axis, which is their order in memory.
static MlirValue interleave(xc_rewriter *rewriter, const slope_axis *axis,
                            const MlirValue *parts) {
  return xc_rewrite_join(rewriter, parts, (size_t)axis->scale,
                         (int64_t)axis->dim + 1, 0);
}

/// The result in memory. Parts of an axis that becomes twice as long are
/// enlarged along the other axes before they are interleaved, so that they need
/// not be read for that.
static MlirValue enlarge(xc_rewriter *rewriter, const slope_axis *axes,
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

/// What the CPU does with a result, which it touches as a whole.
static bool is_last(const xc_op_info *info) {
  return info->rule == XC_RULE_RESHAPE || info->rule == XC_RULE_FLATTEN ||
         info->rule == XC_RULE_SQUEEZE || info->rule == XC_RULE_TRANSPOSE ||
         info->kind == XC_TIR_SIGMOID || info->kind == XC_TIR_SOFTMAX ||
         info->kind == XC_TIR_LOG_SOFTMAX;
}

/// What is only a result, perhaps moved or as probabilities, needs no DPU: the
/// CPU has to touch all of it anyhow, and rounds nothing.
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

bool xc_legalize_bilinear_by_slopes(xc_rewriter *rewriter,
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
  const slope_axis axes[] = {{HEIGHT, scales[1]}, {WIDTH, scales[0]}};
  MlirValue image = xc_operand(root, XC_RESIZE_INPUT);
  xc_shape shape = xc_value_shape(xc_result_of(root));
  image = enlarge(rewriter, axes, 2, image);
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_reshape(rewriter, image, &shape));
}
