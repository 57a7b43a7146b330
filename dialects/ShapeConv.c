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
#include "Support/Math.h"

#include <inttypes.h>
#include <string.h>

enum { WIDTH, HEIGHT };

typedef struct window {
  int64_t kernel[2], stride[2], dilation[2];
  int64_t pad[4]; // left, right, top, bottom
  xc_enum mode;
} window;

static int64_t floor_div(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a > 0) != (b > 0));
}

static void read_pair(const xc_adaptor *op, xc_attr id, int64_t pair[2]) {
  int64_t ints[XC_MAX_INTS];
  xc_attr_ints(op, id, ints);
  pair[0] = ints[0];
  pair[1] = ints[1];
}

static bool read_window(const xc_adaptor *op, window *w) {
  int64_t ints[XC_MAX_INTS];
  read_pair(op, XC_ATTR_KERNEL, w->kernel);
  read_pair(op, XC_ATTR_STRIDE, w->stride);
  read_pair(op, XC_ATTR_DILATION, w->dilation);
  xc_attr_ints(op, XC_ATTR_PAD, ints);
  memcpy(w->pad, ints, sizeof(w->pad));
  w->mode = xc_attr_enum(op, XC_ATTR_PAD_MODE);
  bool padded = w->pad[0] || w->pad[1] || w->pad[2] || w->pad[3];
  if (padded && w->mode == XC_ENUM_SAME)
    return xc_adaptor_error(op, "attribute 'pad' must be zero with pad_mode "
                                "SAME, which computes its own padding");
  return true;
}

static int64_t window_size(const window *w, int axis) {
  return (w->kernel[axis] - 1) * w->dilation[axis] + 1;
}

static int64_t forward_size(const window *w, int axis, int64_t input) {
  int64_t padded = input + w->pad[2 * axis] + w->pad[2 * axis + 1];
  int64_t size = window_size(w, axis), stride = w->stride[axis];
  if (w->mode == XC_ENUM_SAME)
    return xc_ceil_div64(padded, stride);
  if (w->mode == XC_ENUM_VALID)
    return xc_ceil_div64(padded - size + 1, stride);
  if (w->mode == XC_ENUM_CEIL)
    return xc_ceil_div64(padded - size, stride) + 1;
  return floor_div(padded - size, stride) + 1;
}

static int64_t backward_size(const window *w, int axis, int64_t input) {
  if (w->mode == XC_ENUM_SAME)
    return input * w->stride[axis];
  return (input - 1) * w->stride[axis] + window_size(w, axis) -
         w->pad[2 * axis] - w->pad[2 * axis + 1];
}

static bool set_nhwc(const xc_adaptor *op, xc_shape *result, int64_t batch,
                     int64_t height, int64_t width, int64_t channels) {
  if (height < 1 || width < 1)
    return xc_adaptor_error(
        op,
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

static bool check_dim(const xc_adaptor *op, size_t slot, size_t dim,
                      int64_t expected, const char *because) {
  int64_t found = xc_operand_shape(op, slot).dims[dim];
  if (found == expected)
    return true;
  return xc_adaptor_error(op,
                          "operand '%s' has size %" PRId64
                          " in dimension %zu, expected %" PRId64 " (%s)",
                          op->info->operands[slot].name, found, dim, expected,
                          because);
}

static bool check_weight_window(const xc_adaptor *op, const window *w) {
  return check_dim(op, XC_CONV2D_WEIGHT, 1, w->kernel[HEIGHT],
                   "kernel height") &&
         check_dim(op, XC_CONV2D_WEIGHT, 2, w->kernel[WIDTH], "kernel width");
}

// Reads what all convolutions share: ranks, window and the filter's window.
static bool begin_conv(const xc_adaptor *op, window *w) {
  return xc_shape_check_rank(op, XC_CONV2D_INPUT, 4) &&
         xc_shape_check_rank(op, XC_CONV2D_WEIGHT, 4) && read_window(op, w) &&
         check_weight_window(op, w);
}

// Checks the filter's channels; group divides input and output channels.
static bool check_grouped(const xc_adaptor *op) {
  int64_t channels = xc_operand_shape(op, XC_CONV2D_INPUT).dims[3];
  int64_t outputs = xc_operand_shape(op, XC_CONV2D_WEIGHT).dims[0];
  int64_t group = xc_attr_int(op, XC_ATTR_GROUP);
  if (channels % group != 0 || outputs % group != 0)
    return xc_adaptor_error(op,
                            "attribute 'group' is %" PRId64
                            ", which does not divide %" PRId64
                            " input and %" PRId64 " output channels",
                            group, channels, outputs);
  return check_dim(op, XC_CONV2D_WEIGHT, 3, channels / group,
                   "input channels / group") &&
         xc_shape_check_vector(op, XC_CONV2D_BIAS, outputs);
}

static bool check_depthwise(const xc_adaptor *op, int64_t *outputs) {
  xc_shape input = xc_operand_shape(op, XC_CONV2D_INPUT);
  xc_shape weight = xc_operand_shape(op, XC_CONV2D_WEIGHT);
  *outputs = weight.dims[0] * input.dims[3];
  return check_dim(op, XC_CONV2D_WEIGHT, 3, input.dims[3], "input channels") &&
         xc_shape_check_vector(op, XC_CONV2D_BIAS, *outputs);
}

static bool end_forward(const xc_adaptor *op, const window *w, int64_t outputs,
                        xc_shape *result) {
  xc_shape input = xc_operand_shape(op, XC_CONV2D_INPUT);
  return set_nhwc(op, result, input.dims[0],
                  forward_size(w, HEIGHT, input.dims[1]),
                  forward_size(w, WIDTH, input.dims[2]), outputs);
}

static bool end_backward(const xc_adaptor *op, const window *w, int64_t outputs,
                         xc_shape *result) {
  xc_shape input = xc_operand_shape(op, XC_CONV2D_INPUT);
  int64_t extra[2];
  read_pair(op, XC_ATTR_OUTPUT_PADDING, extra);
  for (int axis = WIDTH; axis <= HEIGHT; ++axis)
    if (extra[axis] >= w->stride[axis] && extra[axis] >= w->dilation[axis])
      return xc_adaptor_error(op,
                              "attribute 'output_padding' has entry %" PRId64
                              ", expected less than the stride %" PRId64
                              " or the dilation %" PRId64,
                              extra[axis], w->stride[axis], w->dilation[axis]);
  return set_nhwc(op, result, input.dims[0],
                  backward_size(w, HEIGHT, input.dims[1]) + extra[HEIGHT],
                  backward_size(w, WIDTH, input.dims[2]) + extra[WIDTH],
                  outputs);
}

bool xc_shape_conv2d(const xc_adaptor *op, xc_shape *result) {
  window w;
  return begin_conv(op, &w) && check_grouped(op) &&
         end_forward(op, &w, xc_operand_shape(op, XC_CONV2D_WEIGHT).dims[0],
                     result);
}

bool xc_shape_depthwise_conv2d(const xc_adaptor *op, xc_shape *result) {
  window w;
  int64_t outputs;
  return begin_conv(op, &w) && check_depthwise(op, &outputs) &&
         end_forward(op, &w, outputs, result);
}

bool xc_shape_transposed_conv2d(const xc_adaptor *op, xc_shape *result) {
  window w;
  return begin_conv(op, &w) && check_grouped(op) &&
         end_backward(op, &w, xc_operand_shape(op, XC_CONV2D_WEIGHT).dims[0],
                      result);
}

bool xc_shape_transposed_depthwise_conv2d(const xc_adaptor *op,
                                          xc_shape *result) {
  window w;
  int64_t outputs;
  return begin_conv(op, &w) && check_depthwise(op, &outputs) &&
         end_backward(op, &w, outputs, result);
}

static bool check_global(const xc_adaptor *op, const xc_shape *input) {
  int64_t ints[XC_MAX_INTS];
  // The window may be spelled out; then it has to be the whole input.
  if (xc_attr_ints(op, XC_ATTR_KERNEL, ints) != 0 &&
      (ints[WIDTH] != input->dims[2] || ints[HEIGHT] != input->dims[1]))
    return xc_adaptor_error(
        op,
        "attribute 'kernel' is [%" PRId64 ", %" PRId64
        "], expected the whole input [%" PRId64 ", %" PRId64 "] with 'global'",
        ints[WIDTH], ints[HEIGHT], input->dims[2], input->dims[1]);
  xc_attr_ints(op, XC_ATTR_PAD, ints);
  if (ints[0] || ints[1] || ints[2] || ints[3])
    return xc_adaptor_error(op, "attribute 'pad' must be zero with 'global'");
  return true;
}

bool xc_shape_pool2d(const xc_adaptor *op, xc_shape *result) {
  if (!xc_shape_check_rank(op, XC_MAXPOOL2D_INPUT, 4))
    return false;
  xc_shape input = xc_operand_shape(op, XC_MAXPOOL2D_INPUT);
  if (xc_attr_bool(op, XC_ATTR_GLOBAL))
    return check_global(op, &input) &&
           set_nhwc(op, result, input.dims[0], 1, 1, input.dims[3]);
  static const xc_attr needed[] = {XC_ATTR_KERNEL, XC_ATTR_STRIDE};
  for (size_t i = 0; i < 2; ++i)
    if (mlirAttributeIsNull(xc_attr_get(op, needed[i])))
      return xc_adaptor_error(op,
                              "requires attribute '%s' unless 'global' is true",
                              xc_attr_name(needed[i]));
  window w;
  if (!read_window(op, &w))
    return false;
  for (int axis = WIDTH; axis <= HEIGHT; ++axis)
    for (int side = 0; side < 2; ++side)
      if (w.pad[2 * axis + side] >= window_size(&w, axis))
        return xc_adaptor_error(
            op,
            "attribute 'pad' has entry %" PRId64
            ", expected less than the window's size %" PRId64,
            w.pad[2 * axis + side], window_size(&w, axis));
  return end_forward(op, &w, input.dims[3], result);
}

// One operand of a matrix product: rows and columns after transposing.
static void matrix_dims(const xc_shape *shape, bool transpose, int64_t *rows,
                        int64_t *columns) {
  *rows = shape->dims[shape->rank - 2 + transpose];
  *columns = shape->dims[shape->rank - 1 - transpose];
}

static bool broadcast_batches(const xc_adaptor *op, const xc_shape *a,
                              const xc_shape *b, xc_shape *result) {
  size_t rank = a->rank > b->rank ? a->rank : b->rank;
  result->rank = rank;
  for (size_t i = 0; i + 2 < rank; ++i) {
    int64_t x = i + a->rank >= rank ? a->dims[i + a->rank - rank] : 1;
    int64_t y = i + b->rank >= rank ? b->dims[i + b->rank - rank] : 1;
    if (x != y && x != 1 && y != 1)
      return xc_adaptor_error(op,
                              "operands 'a' and 'b' do not broadcast: %" PRId64
                              " and %" PRId64 " in dimension %zu",
                              x, y, i);
    result->dims[i] = x == 1 ? y : x;
  }
  return true;
}

bool xc_shape_matmul(const xc_adaptor *op, xc_shape *result) {
  xc_shape a = xc_operand_shape(op, XC_MATMUL_A),
           b = xc_operand_shape(op, XC_MATMUL_B);
  if (a.rank < 2 || b.rank < 2)
    return xc_adaptor_error(op, "operand '%s' has rank %zu, expected 2 or more",
                            a.rank < 2 ? "a" : "b",
                            a.rank < 2 ? a.rank : b.rank);
  int64_t rows, inner, inner_b, columns;
  matrix_dims(&a, xc_attr_bool(op, XC_ATTR_TRANSPOSE_A), &rows, &inner);
  matrix_dims(&b, xc_attr_bool(op, XC_ATTR_TRANSPOSE_B), &inner_b, &columns);
  if (inner != inner_b)
    return xc_adaptor_error(op,
                            "operand 'a' has %" PRId64
                            " columns but operand 'b' has %" PRId64 " rows",
                            inner, inner_b);
  if (!broadcast_batches(op, &a, &b, result) ||
      !xc_shape_check_vector(op, XC_MATMUL_BIAS, columns))
    return false;
  result->dims[result->rank - 2] = rows;
  result->dims[result->rank - 1] = columns;
  return true;
}

bool xc_shape_inner_product(const xc_adaptor *op, xc_shape *result) {
  xc_shape input = xc_operand_shape(op, XC_INNER_PRODUCT_INPUT);
  size_t axis;
  if (!xc_shape_check_rank(op, XC_INNER_PRODUCT_WEIGHT, 2) ||
      !xc_shape_axis(op, XC_ATTR_AXIS, input.rank, &axis))
    return false;
  int64_t inner = 1;
  for (size_t i = axis; i < input.rank; ++i)
    inner *= input.dims[i];
  xc_shape weight = xc_operand_shape(op, XC_INNER_PRODUCT_WEIGHT);
  if (!check_dim(op, XC_INNER_PRODUCT_WEIGHT, 1, inner, "flattened input") ||
      !xc_shape_check_vector(op, XC_INNER_PRODUCT_BIAS, weight.dims[0]))
    return false;
  result->rank = axis + 1;
  for (size_t i = 0; i < axis; ++i)
    result->dims[i] = input.dims[i];
  result->dims[axis] = weight.dims[0];
  return true;
}
