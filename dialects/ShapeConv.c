//===- ShapeConv.c - windows and matrix products --------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Output sizes of a window of (k - 1) * d + 1 elements that moves by s over i
// elements and a border:
//   FLOOR, CEIL  (i + pads - window) / s rounded down or up, plus 1
//   VALID        (i + pads - window + 1) / s rounded up
//   SAME         (i + pads) / s rounded up
// and of its transpose: (i - 1) * s + window - pads, or i * s for SAME.
//
//===----------------------------------------------------------------------===//

#include "Shape.h"

#include <inttypes.h>
#include <string.h>

enum { WIDTH, HEIGHT };

typedef struct window {
  int64_t kernel[2], stride[2], dilation[2];
  int64_t pad[4]; // left, right, top, bottom
  const char *mode;
} window;

static int64_t ceil_div(int64_t a, int64_t b) {
  return a / b + (a % b != 0 && (a > 0) == (b > 0));
}
static int64_t floor_div(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a > 0) != (b > 0));
}

static void read_pair(const xc_view *view, const char *name, int64_t pair[2]) {
  int64_t ints[XC_MAX_INTS];
  xc_view_ints(view, name, ints);
  pair[0] = ints[0];
  pair[1] = ints[1];
}

static bool read_window(const xc_view *view, window *w) {
  int64_t ints[XC_MAX_INTS];
  read_pair(view, "kernel", w->kernel);
  read_pair(view, "stride", w->stride);
  read_pair(view, "dilation", w->dilation);
  xc_view_ints(view, "pad", ints);
  memcpy(w->pad, ints, sizeof(w->pad));
  w->mode = xc_view_word(view, "pad_mode");
  bool padded = w->pad[0] || w->pad[1] || w->pad[2] || w->pad[3];
  if (padded && strcmp(w->mode, "SAME") == 0)
    return xc_view_error(view, "attribute 'pad' must be zero with pad_mode "
                               "SAME, which computes its own padding");
  return true;
}

static int64_t window_size(const window *w, int axis) {
  return (w->kernel[axis] - 1) * w->dilation[axis] + 1;
}

static int64_t forward_size(const window *w, int axis, int64_t input) {
  int64_t padded = input + w->pad[2 * axis] + w->pad[2 * axis + 1];
  int64_t size = window_size(w, axis), stride = w->stride[axis];
  if (strcmp(w->mode, "SAME") == 0)
    return ceil_div(padded, stride);
  if (strcmp(w->mode, "VALID") == 0)
    return ceil_div(padded - size + 1, stride);
  if (strcmp(w->mode, "CEIL") == 0)
    return ceil_div(padded - size, stride) + 1;
  return floor_div(padded - size, stride) + 1;
}

static int64_t backward_size(const window *w, int axis, int64_t input) {
  if (strcmp(w->mode, "SAME") == 0)
    return input * w->stride[axis];
  return (input - 1) * w->stride[axis] + window_size(w, axis) -
         w->pad[2 * axis] - w->pad[2 * axis + 1];
}

static bool set_nhwc(const xc_view *view, xc_shape *result, int64_t batch,
                     int64_t height, int64_t width, int64_t channels) {
  if (height < 1 || width < 1)
    return xc_view_error(view,
                         "window does not fit: the result would have %" PRId64
                         " rows and %" PRId64 " columns",
                         height, width);
  result->rank = 4;
  result->dims[0] = batch;
  result->dims[1] = height;
  result->dims[2] = width;
  result->dims[3] = channels;
  return true;
}

static bool check_dim(const xc_view *view, size_t slot, size_t dim,
                      int64_t expected, const char *because) {
  int64_t found = xc_view_shape(view, slot).dims[dim];
  if (found == expected)
    return true;
  return xc_view_error(view,
                       "operand '%s' has size %" PRId64
                       " in dimension %zu, expected %" PRId64 " (%s)",
                       view->info->operands[slot].name, found, dim, expected,
                       because);
}

enum { INPUT, WEIGHT };

static bool check_weight_window(const xc_view *view, const window *w) {
  return check_dim(view, WEIGHT, 1, w->kernel[HEIGHT], "kernel height") &&
         check_dim(view, WEIGHT, 2, w->kernel[WIDTH], "kernel width");
}

// Reads what all convolutions share: ranks, window and the filter's window.
static bool begin_conv(const xc_view *view, window *w) {
  return xc_shape_check_rank(view, INPUT, 4) &&
         xc_shape_check_rank(view, WEIGHT, 4) && read_window(view, w) &&
         check_weight_window(view, w);
}

// Checks the filter's channels; group divides input and output channels.
static bool check_grouped(const xc_view *view) {
  int64_t channels = xc_view_shape(view, INPUT).dims[3];
  int64_t outputs = xc_view_shape(view, WEIGHT).dims[0];
  int64_t group = xc_view_int(view, "group");
  if (channels % group != 0 || outputs % group != 0)
    return xc_view_error(view,
                         "attribute 'group' is %" PRId64
                         ", which does not divide %" PRId64
                         " input and %" PRId64 " output channels",
                         group, channels, outputs);
  return check_dim(view, WEIGHT, 3, channels / group,
                   "input channels / group") &&
         xc_shape_check_vector(view, "bias", outputs);
}

static bool check_depthwise(const xc_view *view, int64_t *outputs) {
  xc_shape input = xc_view_shape(view, INPUT);
  xc_shape weight = xc_view_shape(view, WEIGHT);
  *outputs = weight.dims[0] * input.dims[3];
  return check_dim(view, WEIGHT, 3, input.dims[3], "input channels") &&
         xc_shape_check_vector(view, "bias", *outputs);
}

static bool end_forward(const xc_view *view, const window *w, int64_t outputs,
                        xc_shape *result) {
  xc_shape input = xc_view_shape(view, INPUT);
  return set_nhwc(view, result, input.dims[0],
                  forward_size(w, HEIGHT, input.dims[1]),
                  forward_size(w, WIDTH, input.dims[2]), outputs);
}

static bool end_backward(const xc_view *view, const window *w, int64_t outputs,
                         xc_shape *result) {
  xc_shape input = xc_view_shape(view, INPUT);
  int64_t extra[2];
  read_pair(view, "output_padding", extra);
  for (int axis = WIDTH; axis <= HEIGHT; ++axis)
    if (extra[axis] >= w->stride[axis] && extra[axis] >= w->dilation[axis])
      return xc_view_error(view,
                           "attribute 'output_padding' has entry %" PRId64
                           ", expected less than the stride %" PRId64
                           " or the dilation %" PRId64,
                           extra[axis], w->stride[axis], w->dilation[axis]);
  return set_nhwc(view, result, input.dims[0],
                  backward_size(w, HEIGHT, input.dims[1]) + extra[HEIGHT],
                  backward_size(w, WIDTH, input.dims[2]) + extra[WIDTH],
                  outputs);
}

bool xc_shape_conv2d(const xc_view *view, xc_shape *result) {
  window w;
  return begin_conv(view, &w) && check_grouped(view) &&
         end_forward(view, &w, xc_view_shape(view, WEIGHT).dims[0], result);
}

bool xc_shape_depthwise_conv2d(const xc_view *view, xc_shape *result) {
  window w;
  int64_t outputs;
  return begin_conv(view, &w) && check_depthwise(view, &outputs) &&
         end_forward(view, &w, outputs, result);
}

bool xc_shape_transposed_conv2d(const xc_view *view, xc_shape *result) {
  window w;
  return begin_conv(view, &w) && check_grouped(view) &&
         end_backward(view, &w, xc_view_shape(view, WEIGHT).dims[0], result);
}

bool xc_shape_transposed_depthwise_conv2d(const xc_view *view,
                                          xc_shape *result) {
  window w;
  int64_t outputs;
  return begin_conv(view, &w) && check_depthwise(view, &outputs) &&
         end_backward(view, &w, outputs, result);
}

static bool check_global(const xc_view *view, const xc_shape *input) {
  static const char *const names[] = {"kernel", "stride"};
  int64_t ints[XC_MAX_INTS];
  // The window may be spelled out; then it has to be the whole input.
  if (xc_view_ints(view, names[0], ints) != 0 &&
      (ints[WIDTH] != input->dims[2] || ints[HEIGHT] != input->dims[1]))
    return xc_view_error(
        view,
        "attribute 'kernel' is [%" PRId64 ", %" PRId64
        "], expected the whole input [%" PRId64 ", %" PRId64 "] with 'global'",
        ints[WIDTH], ints[HEIGHT], input->dims[2], input->dims[1]);
  xc_view_ints(view, "pad", ints);
  if (ints[0] || ints[1] || ints[2] || ints[3])
    return xc_view_error(view, "attribute 'pad' must be zero with 'global'");
  return true;
}

bool xc_shape_pool2d(const xc_view *view, xc_shape *result) {
  if (!xc_shape_check_rank(view, INPUT, 4))
    return false;
  xc_shape input = xc_view_shape(view, INPUT);
  if (xc_view_bool(view, "global"))
    return check_global(view, &input) &&
           set_nhwc(view, result, input.dims[0], 1, 1, input.dims[3]);
  static const char *const needed[] = {"kernel", "stride"};
  for (size_t i = 0; i < 2; ++i)
    if (mlirAttributeIsNull(xc_view_attribute(view, needed[i])))
      return xc_view_error(
          view, "requires attribute '%s' unless 'global' is true", needed[i]);
  window w;
  if (!read_window(view, &w))
    return false;
  for (int axis = WIDTH; axis <= HEIGHT; ++axis)
    for (int side = 0; side < 2; ++side)
      if (w.pad[2 * axis + side] >= window_size(&w, axis))
        return xc_view_error(view,
                             "attribute 'pad' has entry %" PRId64
                             ", expected less than the window's size %" PRId64,
                             w.pad[2 * axis + side], window_size(&w, axis));
  return end_forward(view, &w, input.dims[3], result);
}

// One operand of a matrix product: rows and columns after transposing.
static void matrix_dims(const xc_shape *shape, bool transpose, int64_t *rows,
                        int64_t *columns) {
  *rows = shape->dims[shape->rank - 2 + transpose];
  *columns = shape->dims[shape->rank - 1 - transpose];
}

static bool broadcast_batches(const xc_view *view, const xc_shape *a,
                              const xc_shape *b, xc_shape *result) {
  size_t rank = a->rank > b->rank ? a->rank : b->rank;
  result->rank = rank;
  for (size_t i = 0; i + 2 < rank; ++i) {
    int64_t x = i + a->rank >= rank ? a->dims[i + a->rank - rank] : 1;
    int64_t y = i + b->rank >= rank ? b->dims[i + b->rank - rank] : 1;
    if (x != y && x != 1 && y != 1)
      return xc_view_error(view,
                           "operands 'a' and 'b' do not broadcast: %" PRId64
                           " and %" PRId64 " in dimension %zu",
                           x, y, i);
    result->dims[i] = x == 1 ? y : x;
  }
  return true;
}

bool xc_shape_matmul(const xc_view *view, xc_shape *result) {
  xc_shape a = xc_view_shape(view, 0), b = xc_view_shape(view, 1);
  if (a.rank < 2 || b.rank < 2)
    return xc_view_error(view, "operand '%s' has rank %zu, expected 2 or more",
                         a.rank < 2 ? "a" : "b", a.rank < 2 ? a.rank : b.rank);
  int64_t rows, inner, inner_b, columns;
  matrix_dims(&a, xc_view_bool(view, "transpose_a"), &rows, &inner);
  matrix_dims(&b, xc_view_bool(view, "transpose_b"), &inner_b, &columns);
  if (inner != inner_b)
    return xc_view_error(view,
                         "operand 'a' has %" PRId64
                         " columns but operand 'b' has %" PRId64 " rows",
                         inner, inner_b);
  if (!broadcast_batches(view, &a, &b, result) ||
      !xc_shape_check_vector(view, "bias", columns))
    return false;
  result->dims[result->rank - 2] = rows;
  result->dims[result->rank - 1] = columns;
  return true;
}

bool xc_shape_inner_product(const xc_view *view, xc_shape *result) {
  xc_shape input = xc_view_shape(view, INPUT);
  size_t axis;
  if (!xc_shape_check_rank(view, WEIGHT, 2) ||
      !xc_shape_axis(view, "axis", xc_view_int(view, "axis"), input.rank,
                     &axis))
    return false;
  int64_t inner = 1;
  for (size_t i = axis; i < input.rank; ++i)
    inner *= input.dims[i];
  xc_shape weight = xc_view_shape(view, WEIGHT);
  if (!check_dim(view, WEIGHT, 1, inner, "flattened input") ||
      !xc_shape_check_vector(view, "bias", weight.dims[0]))
    return false;
  result->rank = axis + 1;
  for (size_t i = 0; i < axis; ++i)
    result->dims[i] = input.dims[i];
  result->dims[axis] = weight.dims[0];
  return true;
}
