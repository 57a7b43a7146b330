//===- Resize.c - resampling ----------------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each axis is a table of taps. Coordinates follow ONNX Resize; the two flags
// of the field are `half_pixel` and `align_corners` there, neither of them is
// `asymmetric`. `roi` holds begin and end along W, then along H.
//
//===----------------------------------------------------------------------===//

#include "Resize.h"

#include <math.h>

typedef struct resize_rule {
  double input, output; // sizes
  double ratio;         // output / input, or the given scale
  bool has_scale;
  bool align_corners, half_pixel;
  xc_enum coordinates; // DEFAULT or a further formula
  double roi_begin, roi_end;
} resize_rule;

static resize_rule read_rule(const xc_adaptor *op, int axis) {
  size_t dim = axis == 0 ? 2 : 1;
  resize_rule rule = {
      .input = (double)xc_operand_shape(op, XC_RESIZE_INPUT).dims[dim],
      .output = (double)xc_result_shape(op).dims[dim],
      .align_corners = xc_attr_bool(op, XC_ATTR_ALIGN_CORNERS),
      .half_pixel = xc_attr_bool(op, XC_ATTR_HALF_PIXEL_CENTERS),
      .coordinates = XC_ENUM_DEFAULT,
      .roi_end = 1};
  rule.ratio = rule.output / rule.input;
  if (!xc_has_attr(op, XC_ATTR_COORDINATE_MODE))
    return rule;
  double values[4];
  rule.coordinates = xc_attr_enum(op, XC_ATTR_COORDINATE_MODE);
  if (xc_attr_floats(op, XC_ATTR_SCALE, values, 2) == 2) {
    rule.ratio = values[axis];
    rule.has_scale = true;
  }
  if (xc_attr_floats(op, XC_ATTR_ROI, values, 4) == 4) {
    rule.roi_begin = values[2 * axis];
    rule.roi_end = values[2 * axis + 1];
  }
  return rule;
}

// Without a given scale the quotient of sizes is applied exactly. A given one
// is an f32, and so is what it is applied to, as in ONNX Runtime: whether a
// position lies half way between two pixels depends on it.
static double unscale(const resize_rule *rule, double x) {
  return rule->has_scale ? (double)((float)x / (float)rule->ratio)
                         : x * rule->input / rule->output;
}

static double coordinate(const resize_rule *rule, double i) {
  double half_pixel = unscale(rule, i + 0.5) - 0.5;
  if (rule->coordinates == XC_ENUM_PYTORCH_HALF_PIXEL)
    return rule->output > 1 ? half_pixel : 0;
  if (rule->coordinates == XC_ENUM_HALF_PIXEL_SYMMETRIC) {
    double adjustment =
        rule->has_scale ? rule->output / (rule->ratio * rule->input) : 1;
    return rule->input / 2 * (1 - adjustment) + half_pixel;
  }
  if (rule->coordinates == XC_ENUM_TF_CROP_AND_RESIZE) {
    double last = rule->input - 1;
    if (rule->output <= 1)
      return 0.5 * (rule->roi_begin + rule->roi_end) * last;
    return rule->roi_begin * last +
           i * (rule->roi_end - rule->roi_begin) * last / (rule->output - 1);
  }
  if (rule->align_corners) {
    // A given scale speaks of the size before it was rounded down.
    double output = rule->has_scale ? rule->ratio * rule->input : rule->output;
    return rule->output > 1 ? i * (rule->input - 1) / (output - 1) : 0;
  }
  return rule->half_pixel ? half_pixel : unscale(rule, i);
}

static double nearest(const xc_adaptor *op, double x) {
  xc_enum mode = xc_has_attr(op, XC_ATTR_NEAREST_MODE)
                     ? xc_attr_enum(op, XC_ATTR_NEAREST_MODE)
                     : XC_ENUM_FLOOR;
  if (mode == XC_ENUM_FLOOR)
    return floor(x);
  if (mode == XC_ENUM_CEIL)
    return ceil(x);
  return mode == XC_ENUM_ROUND_PREFER_FLOOR ? ceil(x - 0.5) : floor(x + 0.5);
}

static double cubic(double x, double a) {
  x = fabs(x);
  if (x <= 1)
    return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

static double linear(double x) {
  x = fabs(x);
  return x < 1 ? 1 - x : 0;
}

// Weights of taps at floor(x) + first .. of one output position.
typedef struct tap_rule {
  bool is_nearest, is_cubic, exclude_outside;
  double a;       // of the cubic
  double stretch; // antialiasing: the filter is wider by 1 / stretch
  int64_t first, taps;
} tap_rule;

static tap_rule read_taps(const xc_adaptor *op, const resize_rule *rule) {
  tap_rule taps = {.is_nearest = xc_attr_is(op, XC_ATTR_MODE, XC_ENUM_NEAREST),
                   .is_cubic = xc_attr_is(op, XC_ATTR_MODE, XC_ENUM_BICUBIC),
                   .stretch = 1};
  if (xc_has_attr(op, XC_ATTR_ANTIALIAS)) {
    taps.a = xc_attr_float(op, XC_ATTR_CUBIC_COEFF_A);
    taps.exclude_outside = xc_attr_bool(op, XC_ATTR_EXCLUDE_OUTSIDE);
    // A given scale may be anything; more taps than the input has are not
    // needed.
    if (xc_attr_bool(op, XC_ATTR_ANTIALIAS) && rule->ratio < 1)
      taps.stretch = fmax(rule->ratio, 1 / rule->input);
  }
  double reach = (taps.is_cubic ? 2 : 1) / taps.stretch;
  taps.first = (int64_t)floor(-reach) + 1;
  taps.taps = taps.is_nearest ? 1 : 2 - 2 * taps.first;
  return taps;
}

static void fill_position(const tap_rule *rule, double x, int64_t size,
                          int64_t *source, double *weight) {
  double base = floor(x), sum = 0;
  for (int64_t k = 0; k < rule->taps; ++k) {
    double at = base + (double)(rule->first + k);
    bool inside = at >= 0 && at < (double)size;
    double distance = (at - x) * rule->stretch;
    weight[k] = rule->is_cubic ? cubic(distance, rule->a) : linear(distance);
    if (rule->exclude_outside && !inside)
      weight[k] = 0;
    sum += weight[k];
    source[k] = inside ? (int64_t)at : at < 0 ? 0 : size - 1;
  }
  for (int64_t k = 0; sum != 0 && k < rule->taps; ++k)
    weight[k] /= sum;
}

static int64_t clamp_position(double x, int64_t size) {
  return !(x > 0) ? 0 : x < (double)size ? (int64_t)x : size - 1;
}

xc_resize_axis xc_resize_axis_of(const xc_adaptor *op, int axis,
                                 xc_arena *arena) {
  size_t dim = axis == 0 ? 2 : 1;
  int64_t size = xc_operand_shape(op, XC_RESIZE_INPUT).dims[dim];
  int64_t outputs = xc_result_shape(op).dims[dim];
  resize_rule rule = read_rule(op, axis);
  tap_rule taps = read_taps(op, &rule);
  bool crop = rule.coordinates == XC_ENUM_TF_CROP_AND_RESIZE;
  xc_resize_axis result = {.taps = taps.taps};
  result.source =
      xc_arena_alloc(arena, (size_t)(outputs * taps.taps), sizeof(int64_t));
  result.weight =
      xc_arena_alloc(arena, (size_t)(outputs * taps.taps), sizeof(double));
  result.outside = xc_arena_alloc(arena, (size_t)(outputs), sizeof(bool));
  for (int64_t i = 0; i < outputs; ++i) {
    double x = coordinate(&rule, (double)i);
    int64_t *source = result.source + i * taps.taps;
    double *weight = result.weight + i * taps.taps;
    result.outside[i] = crop && !(x >= 0 && x <= rule.input - 1);
    if (taps.is_nearest) {
      *source = clamp_position(nearest(op, x), size);
      *weight = 1;
    } else {
      fill_position(&taps, x, size, source, weight);
    }
  }
  return result;
}

bool xc_resize_check(const xc_adaptor *op) {
  xc_shape input = xc_operand_shape(op, XC_RESIZE_INPUT);
  return (input.dims[1] != 0 && input.dims[2] != 0) ||
         xc_adaptor_error(op, "resizes an empty image");
}

//===----------------------------------------------------------------------===//
// TFLite
//===----------------------------------------------------------------------===//

xc_tflite_axis xc_tflite_axis_of(const xc_adaptor *op, size_t dim) {
  xc_tflite_axis axis = {
      .input = (int32_t)xc_operand_shape(op, XC_QLINEAR_RESIZE_INPUT).dims[dim],
      .output = (int32_t)xc_result_shape(op).dims[dim],
      .align = xc_attr_bool(op, XC_ATTR_ALIGN_CORNERS),
      .half_pixel = xc_attr_bool(op, XC_ATTR_HALF_PIXEL_CENTERS)};
  int64_t in = axis.input, out = axis.output;
  axis.scale_10 = (int32_t)((1024 * in + out / 2) / out);
  if (axis.align && out > 1)
    axis.scale_10 = (int32_t)((1024 * (in - 1) + (out - 1) / 2) / (out - 1));
  return axis;
}

// From positions of the output to positions of the input.
static float float_scale(const xc_tflite_axis *axis) {
  return axis->align && axis->output > 1
             ? (float)(axis->input - 1) / (float)(axis->output - 1)
             : (float)axis->input / (float)axis->output;
}

int64_t xc_tflite_nearest(const xc_tflite_axis *axis, int64_t at) {
  float scale = float_scale(axis);
  float x = ((float)at + (axis->half_pixel ? 0.5f : 0.0f)) * scale;
  x = axis->align ? roundf(x) : floorf(x);
  int64_t last = axis->input - 1;
  return !(x > 0) ? 0 : x < (float)last ? (int64_t)x : last;
}

xc_tflite_bilinear xc_tflite_bilinear_at(const xc_tflite_axis *axis,
                                         int64_t at) {
  int64_t x = at * axis->scale_10;
  if (axis->half_pixel)
    x += axis->scale_10 / 2 - 512;
  xc_tflite_bilinear result = {x / 1024, (x + 1023) / 1024, 0};
  if (result.low < 0)
    result.low = 0;
  if (result.high > axis->input - 1)
    result.high = axis->input - 1;
  result.weight = x - 1024 * result.low;
  return result;
}

bool xc_tflite_bilinear_is_float(xc_element element) {
  return element == XC_ELEMENT_UI8;
}

xc_tflite_float_bilinear xc_tflite_float_bilinear_at(const xc_tflite_axis *axis,
                                                     int64_t at) {
  float x = axis->half_pixel ? ((float)at + 0.5f) * float_scale(axis) - 0.5f
                             : (float)at * float_scale(axis);
  int64_t last = axis->input - 1;
  int64_t low = (int64_t)floorf(x), high = (int64_t)ceilf(x);
  low = low < 0 ? 0 : low;
  return (xc_tflite_float_bilinear){low > last ? last : low,
                                    high > last ? last : high, x - (float)low};
}
