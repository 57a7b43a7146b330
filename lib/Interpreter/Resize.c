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
#include <string.h>

typedef struct resize_rule {
  double input, output; // sizes
  double ratio;         // output / input, or the given scale
  bool has_scale;
  bool align_corners, half_pixel;
  const char *coordinates; // "DEFAULT" or a further formula
  double roi_begin, roi_end;
} resize_rule;

static bool has_row(const xc_kernel_call *call, const char *name) {
  return xc_attribute_info_find(call->view->info, name, strlen(name)) != NULL;
}

static resize_rule read_rule(const xc_kernel_call *call, int axis) {
  size_t dim = axis == 0 ? 2 : 1;
  resize_rule rule = {
      .input = (double)call->operands[0].shape.dims[dim],
      .output = (double)call->output.shape.dims[dim],
      .align_corners = xc_view_bool(call->view, "align_corners"),
      .half_pixel = xc_view_bool(call->view, "half_pixel_centers"),
      .coordinates = "DEFAULT",
      .roi_end = 1};
  rule.ratio = rule.output / rule.input;
  if (!has_row(call, "coordinate_mode"))
    return rule;
  double values[4];
  rule.coordinates = xc_view_word(call->view, "coordinate_mode");
  if (xc_view_floats(call->view, "scale", values, 2) == 2) {
    rule.ratio = values[axis];
    rule.has_scale = true;
  }
  if (xc_view_floats(call->view, "roi", values, 4) == 4) {
    rule.roi_begin = values[2 * axis];
    rule.roi_end = values[2 * axis + 1];
  }
  return rule;
}

// Without a given scale the quotient of sizes is applied exactly.
static double unscale(const resize_rule *rule, double x) {
  return rule->has_scale ? x / rule->ratio : x * rule->input / rule->output;
}

static double coordinate(const resize_rule *rule, double i) {
  double half_pixel = unscale(rule, i + 0.5) - 0.5;
  if (strcmp(rule->coordinates, "PYTORCH_HALF_PIXEL") == 0)
    return rule->output > 1 ? half_pixel : 0;
  if (strcmp(rule->coordinates, "HALF_PIXEL_SYMMETRIC") == 0) {
    double adjustment = rule->output / (rule->ratio * rule->input);
    return rule->input / 2 * (1 - adjustment) + half_pixel;
  }
  if (strcmp(rule->coordinates, "TF_CROP_AND_RESIZE") == 0) {
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

static double nearest(const xc_kernel_call *call, double x) {
  const char *mode = has_row(call, "nearest_mode")
                         ? xc_view_word(call->view, "nearest_mode")
                         : "FLOOR";
  if (strcmp(mode, "FLOOR") == 0)
    return floor(x);
  if (strcmp(mode, "CEIL") == 0)
    return ceil(x);
  return strcmp(mode, "ROUND_PREFER_FLOOR") == 0 ? ceil(x - 0.5)
                                                 : floor(x + 0.5);
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

static tap_rule read_taps(const xc_kernel_call *call, const resize_rule *rule) {
  tap_rule taps = {.is_nearest = xc_call_is(call, "mode", "NEAREST"),
                   .is_cubic = xc_call_is(call, "mode", "BICUBIC"),
                   .stretch = 1};
  if (has_row(call, "antialias")) {
    taps.a = xc_view_float(call->view, "cubic_coeff_a");
    taps.exclude_outside = xc_view_bool(call->view, "exclude_outside");
    // A given scale may be anything; more taps than the input has are not
    // needed.
    if (xc_view_bool(call->view, "antialias") && rule->ratio < 1)
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

xc_resize_axis xc_resize_axis_create(xc_kernel_call *call, int axis) {
  size_t dim = axis == 0 ? 2 : 1;
  int64_t size = call->operands[0].shape.dims[dim];
  int64_t outputs = call->output.shape.dims[dim];
  resize_rule rule = read_rule(call, axis);
  tap_rule taps = read_taps(call, &rule);
  bool crop = strcmp(rule.coordinates, "TF_CROP_AND_RESIZE") == 0;
  xc_resize_axis result = {.taps = taps.taps};
  result.source = xc_call_alloc(call, outputs * taps.taps, sizeof(int64_t));
  result.weight = xc_call_alloc(call, outputs * taps.taps, sizeof(double));
  result.outside = xc_call_alloc(call, outputs, sizeof(bool));
  for (int64_t i = 0; i < outputs; ++i) {
    double x = coordinate(&rule, (double)i);
    int64_t *source = result.source + i * taps.taps;
    double *weight = result.weight + i * taps.taps;
    result.outside[i] = crop && !(x >= 0 && x <= rule.input - 1);
    if (taps.is_nearest) {
      *source = clamp_position(nearest(call, x), size);
      *weight = 1;
    } else {
      fill_position(&taps, x, size, source, weight);
    }
  }
  return result;
}

static double interpolate(const xc_tensor *input, const xc_resize_axis *h,
                          const xc_resize_axis *w, const int64_t at[4]) {
  const int64_t *dims = input->shape.dims;
  double sum = 0;
  for (int64_t i = 0; i < h->taps; ++i) {
    int64_t y = h->source[at[1] * h->taps + i];
    double weight = h->weight[at[1] * h->taps + i];
    for (int64_t j = 0; weight != 0 && j < w->taps; ++j) {
      int64_t x = w->source[at[2] * w->taps + j];
      int64_t index = ((at[0] * dims[1] + y) * dims[2] + x) * dims[3] + at[3];
      sum +=
          weight * w->weight[at[2] * w->taps + j] * xc_get_real(input, index);
    }
  }
  return sum;
}

bool xc_interpret_resize(xc_kernel_call *call) {
  const xc_tensor *input = &call->operands[0];
  if (input->shape.dims[1] == 0 || input->shape.dims[2] == 0)
    return xc_view_error(call->view, "resizes an empty image");
  xc_resize_axis w = xc_resize_axis_create(call, 0);
  xc_resize_axis h = xc_resize_axis_create(call, 1);
  double extrapolation = xc_view_float(call->view, "extrapolation_value");
  bool copies = xc_call_is(call, "mode", "NEAREST") &&
                !xc_element_is_float(input->shape.element);
  xc_walk walk = xc_walk_begin(&call->output.shape);
  for (int64_t i = 0; walk.left > 0; xc_walk_next(&walk), ++i) {
    const int64_t *at = walk.position;
    if (h.outside[at[1]] || w.outside[at[2]])
      xc_set_real(&call->output, i, extrapolation);
    else if (copies)
      xc_set_int(
          &call->output, i,
          xc_get_int(input, ((at[0] * input->shape.dims[1] + h.source[at[1]]) *
                                 input->shape.dims[2] +
                             w.source[at[2]]) *
                                    input->shape.dims[3] +
                                at[3]));
    else
      xc_set_real(&call->output, i, interpolate(input, &h, &w, at));
  }
  return true;
}
