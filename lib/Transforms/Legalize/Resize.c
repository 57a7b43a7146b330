//===- Resize.c - enlarging images ----------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Linear interpolation by s is a transposed convolution with stride s whose
// kernel is a triangle. Elements that the window reaches outside the image
// repeat the edge, which a symmetric pad of one provides.
//
// Bytes may not hold the products of two triangles. Rows come first then, and
// columns in a second convolution. Where one rounding is demanded, pixels stand
// twice in a row before: each of the two has a part of the triangle, a
// trapezoid of half the height, and the stride is s / 2. That is exact, but
// small engines take two to three times as long.
//
//===----------------------------------------------------------------------===//

#include "Resize.h"

#include "Legalize.h"

#include "OpParams/Resize.h"
#include "Support/Math.h"
#include "dialects/Resize.h"

#include <math.h>

static bool uses_half_pixels(const xc_adaptor *adaptor) {
  return xc_attr_bool(adaptor, XC_ATTR_HALF_PIXEL_CENTERS) ||
         xc_attr_is(adaptor, XC_ATTR_COORDINATE_MODE,
                    XC_ENUM_PYTORCH_HALF_PIXEL);
}

bool xc_resize_has_corners(const xc_adaptor *adaptor) {
  return xc_attr_bool(adaptor, XC_ATTR_ALIGN_CORNERS) &&
         xc_attr_is(adaptor, XC_ATTR_COORDINATE_MODE, XC_ENUM_DEFAULT);
}

static bool has_common_coordinates(const xc_adaptor *adaptor) {
  return !xc_attr_bool(adaptor, XC_ATTR_ALIGN_CORNERS) &&
         (xc_attr_is(adaptor, XC_ATTR_COORDINATE_MODE, XC_ENUM_DEFAULT) ||
          (xc_attr_is(adaptor, XC_ATTR_COORDINATE_MODE,
                      XC_ENUM_PYTORCH_HALF_PIXEL) &&
           xc_value_shape(xc_result_of(adaptor)).dims[1] > 1 &&
           xc_value_shape(xc_result_of(adaptor)).dims[2] > 1));
}

//===----------------------------------------------------------------------===//
// Bilinear
//===----------------------------------------------------------------------===//

// How one axis is interpolated: the weight of an element at distance d from the
// centre of the kernel is `top` - d / `step`, and at most `most`.
typedef struct interpolation {
  int64_t kernel, pad_before, pad_after; // of the transposed convolution
  int64_t edge_before, edge_after;       // of the pad in front of it
  int64_t step;                          // from pixel to pixel in the result
  int64_t repeat;                        // of each pixel, before the pad
  double centre, top, most;
} interpolation;

typedef enum positions { PLAIN, HALF_PIXELS, CORNERS } positions;

static positions positions_of(const xc_adaptor *adaptor) {
  if (xc_resize_has_corners(adaptor))
    return CORNERS;
  return uses_half_pixels(adaptor) ? HALF_PIXELS : PLAIN;
}

// Result s * i is input i, and the elements after it lie between inputs i and
// i + 1; where the corners are aligned, none comes after the last one. With
// half pixels result o lies at (o + 1/2) / s - 1/2: one of s is an input where
// s is odd, none where it is even.
static interpolation make_triangle(int64_t s, positions at) {
  interpolation axis = {.kernel = 2 * s - 1,
                        .pad_before = s - 1,
                        .pad_after = s - 1,
                        .step = s,
                        .repeat = 1,
                        .centre = (double)s - 1,
                        .top = 1,
                        .most = 1};
  if (s == 1 || at == CORNERS)
    return axis;
  axis.edge_after = 1;
  if (at == PLAIN) {
    axis.pad_after = s;
    return axis;
  }
  axis.edge_before = 1;
  axis.pad_before = axis.pad_after = 3 * s / 2;
  if (s % 2 == 0) {
    axis.kernel = 2 * s;
    axis.centre = (double)s - 0.5;
  }
  return axis;
}

// The triangle of half pixels is this trapezoid and the same s / 2 later.
static interpolation make_trapezoid(int64_t s) {
  return (interpolation){.kernel = 3 * s / 2,
                         .pad_before = s,
                         .pad_after = s,
                         .edge_before = 1,
                         .edge_after = 1,
                         .step = s,
                         .repeat = 2,
                         .centre = 0.75 * (double)s - 0.5,
                         .top = 0.75,
                         .most = 0.5};
}

static int64_t stride_of(const interpolation *axis) {
  return axis->step / axis->repeat;
}

static double weight_at(const interpolation *axis, int64_t element) {
  double distance = fabs((double)element - axis->centre);
  return fmin(axis->most, axis->top - distance / (double)axis->step);
}

static bool is_power_of_two(int64_t s) { return (s & (s - 1)) == 0; }

// Bytes do not hold thirds, and the products of larger kernels, as the model
// has them; calibrated numbers are rounded as coarsely anyhow.
static bool is_offered(int64_t s, bool once) {
  enum { LARGEST_ONCE = 8 };
  return once ? s <= LARGEST_ONCE && is_power_of_two(s)
              : s <= XC_RESIZE_LARGEST;
}

// Whole numbers, width first, by which pixels of the image are apart in the
// result. Where corners are aligned, a scale speaks of the size before it was
// rounded down.
static bool read_steps(const xc_adaptor *adaptor, positions at,
                       int64_t steps[2]) {
  xc_shape in = xc_operand_shape(adaptor, XC_RESIZE_INPUT);
  xc_shape out = xc_value_shape(xc_result_of(adaptor));
  double scale[2];
  size_t scales = xc_attr_floats(adaptor, XC_ATTR_SCALE, scale, 2);
  if (at != CORNERS)
    return xc_resize_factors(adaptor, steps);
  for (size_t i = 0; i < 2; ++i) {
    int64_t gaps = in.dims[2 - i] - 1, all = out.dims[2 - i] - 1;
    bool is_rounded =
        scales && scale[i] * (double)in.dims[2 - i] != (double)out.dims[2 - i];
    if (gaps < 1 || all % gaps != 0 || is_rounded)
      return false;
    steps[i] = all / gaps;
  }
  return true;
}

static MlirValue build_kernel(xc_rewriter *rewriter,
                              const interpolation axes[2], xc_element element,
                              int64_t channels) {
  xc_shape shape = {
      element, 4, {1, axes[1].kernel, axes[0].kernel, channels}, false};
  double *weights = xc_rewrite_alloc(
      rewriter, (size_t)xc_shape_num_elements(&shape) + 1, sizeof(double));
  size_t at = 0;
  for (int64_t y = 0; y < axes[1].kernel; ++y)
    for (int64_t x = 0; x < axes[0].kernel; ++x)
      for (int64_t c = 0; c < channels; ++c)
        weights[at++] = weight_at(&axes[0], x) * weight_at(&axes[1], y);
  return xc_rewrite_floats(rewriter, weights, &shape);
}

// By the rule of the targets the engine works on the phases of the stride.
static bool takes_phases(const XcDpuTarget *target,
                         const interpolation axes[2]) {
  const XcDpuEngine *engine = xcDpuTargetGetDepthwiseEngine(target);
  int64_t phase[2];
  for (size_t i = 0; i < 2; ++i)
    phase[i] = (axes[i].kernel + stride_of(&axes[i]) - 1) / stride_of(&axes[i]);
  return xc_engine_takes_window(engine, phase[0], phase[1], 1, 1);
}

static MlirValue repeat(xc_rewriter *rewriter, MlirValue image,
                        const interpolation axes[2]) {
  xc_shape shape = xc_value_shape(image);
  const int64_t size[] = {shape.dims[2] * axes[0].repeat,
                          shape.dims[1] * axes[1].repeat};
  const xc_attribute nearest[] = {xc_ints("size", size, 2),
                                  xc_string("mode", "NEAREST")};
  if (axes[0].repeat * axes[1].repeat == 1)
    return image;
  return xc_rewrite_build(rewriter, XC_TIR_RESIZE, &image, 1, nearest, 2,
                          XC_ELEMENT_NONE);
}

static MlirValue enlarge(xc_rewriter *rewriter, MlirValue image,
                         const interpolation axes[2]) {
  const interpolation *w = &axes[0], *h = &axes[1];
  xc_shape shape = xc_value_shape(image);
  image = repeat(rewriter, image, axes);
  const int64_t paddings[] = {
      0, 0, h->edge_before, h->edge_after, w->edge_before, w->edge_after, 0, 0};
  const xc_attribute edges[] = {xc_ints("paddings", paddings, 8),
                                xc_string("mode", "SYMMETRIC")};
  if (w->edge_after + h->edge_after > 0)
    image = xc_rewrite_build(rewriter, XC_TIR_PAD, &image, 1, edges, 2,
                             XC_ELEMENT_NONE);
  const MlirValue operands[] = {
      image, build_kernel(rewriter, axes, shape.element, shape.dims[3])};
  const int64_t kernel[] = {w->kernel, h->kernel};
  const int64_t stride[] = {stride_of(w), stride_of(h)};
  const int64_t pad[] = {w->pad_before, w->pad_after, h->pad_before,
                         h->pad_after};
  const xc_attribute window[] = {xc_ints("kernel", kernel, 2),
                                 xc_ints("stride", stride, 2),
                                 xc_ints("pad", pad, 4)};
  return xc_rewrite_build(rewriter, XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D,
                          operands, 2, window, 3, XC_ELEMENT_NONE);
}

// Whether bytes hold the products of both axes: they have steps of 1 / s, or,
// where no element is that of a pixel, of 1 / 2s.
static bool is_exact(const interpolation axes[2]) {
  enum { STEPS = 127 };
  int64_t steps = 1;
  double most = 1;
  for (size_t i = 0; i < 2; ++i) {
    if (!is_power_of_two(axes[i].step))
      return false;
    bool has_pixel = axes[i].kernel % 2 == 1;
    steps *= has_pixel ? axes[i].step : 2 * axes[i].step;
    most *= has_pixel ? 1 : 1 - 0.5 / (double)axes[i].step;
  }
  return (double)steps * most <= STEPS;
}

static bool converts(xc_op_kind kind) {
  return kind == XC_TIR_FIX || kind == XC_TIR_FLOAT2FIX ||
         kind == XC_TIR_FIX2FLOAT;
}

bool xc_resize_rounds_once(const xc_adaptor *root) {
  xc_adaptor before, after;
  return xc_defining_adaptor(xc_operand(root, XC_RESIZE_INPUT), &before) &&
         converts(before.info->kind) && xc_single_user(root, &after) &&
         converts(after.info->kind);
}

bool xc_legalize_bilinear_as_conv(xc_rewriter *rewriter,
                                  const xc_adaptor *root) {
  int64_t factors[2];
  positions at = positions_of(root);
  const bool once = xc_resize_rounds_once(root);
  xc_shape input = xc_operand_shape(root, XC_RESIZE_INPUT);
  if (!xc_attr_is(root, XC_ATTR_MODE, XC_ENUM_BILINEAR) ||
      (input.element != XC_ELEMENT_F32 && input.element != XC_ELEMENT_F64) ||
      (at != CORNERS && !has_common_coordinates(root)) ||
      !read_steps(root, at, factors) ||
      xc_attr_bool(root, XC_ATTR_EXCLUDE_OUTSIDE) ||
      !is_offered(factors[0], once) || !is_offered(factors[1], once) ||
      factors[0] * factors[1] == 1)
    return false;
  interpolation axes[] = {make_triangle(factors[0], at),
                          make_triangle(factors[1], at)};
  const bool exact = is_exact(axes);
  if (!exact && once)
    axes[0] = make_trapezoid(factors[0]);
  if (!takes_phases(xc_rewrite_target(rewriter), axes))
    return false;
  MlirValue image = xc_operand(root, XC_RESIZE_INPUT);
  if (exact || once)
    return xc_rewrite_replace(rewriter, root, enlarge(rewriter, image, axes));
  const interpolation one = make_triangle(1, at);
  const interpolation down[] = {one, axes[1]}, across[] = {axes[0], one};
  if (factors[1] > 1)
    image = enlarge(rewriter, image, down);
  if (factors[0] > 1)
    image = enlarge(rewriter, image, across);
  return xc_rewrite_replace(rewriter, root, image);
}

// Reads the window whose mean is a pixel of a bilinear image n times as small:
// with half pixels pixel o lies at n * o + (n - 1) / 2, between two where n is
// even.
static bool read_mean(int64_t input, int64_t output, bool half_pixel,
                      int64_t *begin, int64_t *kernel, int64_t *stride) {
  if (output == 0 || input % output != 0)
    return false;
  *stride = input / output;
  *kernel = half_pixel && *stride % 2 == 0 ? 2 : 1;
  *begin = half_pixel ? (*stride - 1) / 2 : 0;
  return true;
}

bool xc_legalize_bilinear_as_pool(xc_rewriter *rewriter,
                                  const xc_adaptor *root) {
  xc_shape input = xc_operand_shape(root, XC_RESIZE_INPUT);
  xc_shape result = xc_value_shape(xc_result_of(root));
  bool half_pixel = uses_half_pixels(root);
  double scale[2];
  size_t scales = xc_attr_floats(root, XC_ATTR_SCALE, scale, 2);
  int64_t begin[4] = {0}, kernel[2], stride[2];
  if (!xc_attr_is(root, XC_ATTR_MODE, XC_ENUM_BILINEAR) ||
      (input.element != XC_ELEMENT_F32 && input.element != XC_ELEMENT_F64) ||
      !has_common_coordinates(root) || xc_attr_bool(root, XC_ATTR_ANTIALIAS))
    return false;
  for (size_t i = 0; i < 2; ++i)
    if (!read_mean(input.dims[2 - i], result.dims[2 - i], half_pixel,
                   &begin[2 - i], &kernel[i], &stride[i]) ||
        (scales && scale[i] * (double)stride[i] != 1))
      return false;
  if (stride[0] * stride[1] == 1 ||
      !xc_engine_takes_window(
          xcDpuTargetGetPoolEngine(xc_rewrite_target(rewriter)), kernel[0],
          kernel[1], stride[0], stride[1]))
    return false;
  MlirValue image = xc_operand(root, XC_RESIZE_INPUT);
  int64_t size[4];
  for (size_t i = 0; i < 4; ++i)
    size[i] = input.dims[i] - begin[i];
  if (begin[1] || begin[2])
    image = xc_rewrite_cut(rewriter, image, begin, size);
  const xc_attribute window[] = {xc_ints("kernel", kernel, 2),
                                 xc_ints("stride", stride, 2)};
  bool mean = kernel[0] * kernel[1] > 1;
  return xc_rewrite_replace(
      rewriter, root,
      xc_rewrite_build(rewriter, mean ? XC_TIR_AVGPOOL2D : XC_TIR_MAXPOOL2D,
                       &image, 1, window, 2, XC_ELEMENT_NONE));
}

//===----------------------------------------------------------------------===//
// Nearest
//===----------------------------------------------------------------------===//

static MlirValue build_repeated(xc_rewriter *rewriter, MlirValue image,
                                const int64_t size[2]) {
  const xc_attribute attributes[] = {xc_ints("size", size, 2),
                                     xc_string("mode", "NEAREST")};
  return xc_rewrite_build(rewriter, XC_TIR_RESIZE, &image, 1, attributes, 2,
                          XC_ELEMENT_NONE);
}

bool xc_legalize_resize_of_one(xc_rewriter *rewriter, const xc_adaptor *root) {
  xc_shape input = xc_operand_shape(root, XC_RESIZE_INPUT);
  xc_shape result = xc_value_shape(xc_result_of(root));
  int64_t factors[2], size[] = {result.dims[2], result.dims[1]};
  // The sum of an interpolation's factors may be less than one, and of integers
  // what is after the point is cut off.
  bool exact = xc_element_is_float(input.element) ||
               xc_attr_is(root, XC_ATTR_MODE, XC_ENUM_NEAREST);
  if (!exact || xc_resize_repeats(root, factors) ||
      xc_attr_is(root, XC_ATTR_COORDINATE_MODE, XC_ENUM_TF_CROP_AND_RESIZE))
    return false;
  for (size_t i = 1; i <= 2; ++i)
    if (input.dims[i] != 1 && input.dims[i] != result.dims[i])
      return false;
  // Along an axis that keeps its size a scale could still move pixels.
  if (input.dims[1] * input.dims[2] != 1 &&
      xc_attr_floats(root, XC_ATTR_SCALE, NULL, 0) > 0)
    return false;
  return xc_rewrite_replace(
      rewriter, root,
      build_repeated(rewriter, xc_operand(root, XC_RESIZE_INPUT), size));
}

/// Position i of the result is position (begin + i * stride) / repeat of the
/// input.
typedef struct nearest_axis {
  int64_t repeat, begin, stride;
} nearest_axis;

static bool follows(const xc_resize_axis *axis, int64_t count, int64_t inputs,
                    const nearest_axis *by) {
  for (int64_t i = 0; i < count; ++i) {
    int64_t at = by->begin + i * by->stride;
    if (axis->outside[i] || at >= inputs * by->repeat ||
        axis->source[i] != at / by->repeat)
      return false;
  }
  return true;
}

static bool find_nearest(const xc_resize_axis *axis, int64_t count,
                         int64_t inputs, nearest_axis *by) {
  *by = (nearest_axis){1, axis->source[0], 1};
  if (count > 1 && axis->source[1] > axis->source[0])
    by->stride = axis->source[1] - axis->source[0];
  if (follows(axis, count, inputs, by))
    return true;
  by->stride = 1;
  by->repeat = xc_ceil_div64(count, inputs);
  for (by->begin = 0; by->repeat > 1 && by->begin < by->repeat; ++by->begin)
    if (follows(axis, count, inputs, by))
      return true;
  return false;
}

bool xc_legalize_expand_as_resize(xc_rewriter *rewriter,
                                  const xc_adaptor *root) {
  MlirValue image = xc_operand(root, XC_EXPAND_INPUT);
  xc_shape input = xc_value_shape(image);
  xc_shape result = xc_value_shape(xc_result_of(root));
  const int64_t size[] = {result.dims[2], result.dims[1]};
  if (input.element != XC_ELEMENT_F32 || input.rank != 4 || result.rank != 4 ||
      xc_is_constant(image) || xc_shape_num_elements(&result) == 0 ||
      input.dims[0] != result.dims[0] || input.dims[3] != result.dims[3])
    return false;
  return xc_rewrite_replace(rewriter, root,
                            build_repeated(rewriter, image, size));
}

bool xc_legalize_nearest_by_slice(xc_rewriter *rewriter,
                                  const xc_adaptor *root) {
  xc_shape input = xc_operand_shape(root, XC_RESIZE_INPUT);
  xc_shape result = xc_value_shape(xc_result_of(root));
  int64_t factors[2], size[2], begin[4] = {0}, end[4],
                               strides[4] = {1, 1, 1, 1};
  if (!xc_attr_is(root, XC_ATTR_MODE, XC_ENUM_NEAREST) ||
      xc_resize_repeats(root, factors) || xc_shape_num_elements(&input) == 0 ||
      xc_shape_num_elements(&result) == 0 ||
      xc_is_scaled(xc_operand(root, XC_RESIZE_INPUT)))
    return false;
  bool fix = xc_is_bytes(xc_operand(root, XC_RESIZE_INPUT));
  for (size_t i = 0; i < 4; ++i)
    end[i] = result.dims[i];
  bool found = true, is_larger = false;
  xc_arena arena = {0};
  for (size_t i = 0; i < 2 && found; ++i) {
    const size_t dim = 2 - i;
    nearest_axis by;
    xc_resize_axis axis = xc_resize_axis_of(root, (int)i, &arena);
    found = find_nearest(&axis, result.dims[dim], input.dims[dim], &by);
    size[i] = input.dims[dim] * by.repeat;
    begin[dim] = by.begin;
    strides[dim] = by.stride;
    end[dim] = by.begin + (result.dims[dim] - 1) * by.stride + 1;
    is_larger |= by.repeat > 1;
  }
  xc_arena_free(&arena);
  if (!found)
    return false;
  MlirValue value = xc_operand(root, XC_RESIZE_INPUT);
  const xc_attribute window[] = {xc_ints("begin", begin, 4),
                                 xc_ints("end", end, 4),
                                 xc_ints("strides", strides, 4)};
  if (is_larger)
    value = build_repeated(rewriter, value, size);
  return xc_rewrite_replace(
      rewriter, root,
      xc_rewrite_build(rewriter,
                       fix ? XC_TIR_STRIDED_SLICE_FIX : XC_TIR_STRIDED_SLICE,
                       &value, 1, window, 3, XC_ELEMENT_NONE));
}

bool xc_legalize_nearest_as_upsample(xc_rewriter *rewriter,
                                     const xc_adaptor *root) {
  int64_t factors[2];
  if (!xc_is_bytes(xc_operand(root, XC_RESIZE_INPUT)) ||
      !xc_resize_repeats(root, factors))
    return false;
  MlirValue input = xc_operand(root, XC_RESIZE_INPUT);
  if (xc_is_scaled(input))
    return false;
  // Equal fix points, whatever they are, change no number.
  xc_attribute scale = xc_ints("scale", factors, 2);
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_like(rewriter, root, XC_TIR_UPSAMPLE_FIX,
                                            &input, 1, &scale, 1));
}
