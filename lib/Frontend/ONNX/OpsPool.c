//===- OpsPool.c - pooling ------------------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include "Window.h"

enum { H = 1, W = 2 };

//===----------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------===//

/// The effect of ceil_mode along one axis.
typedef enum rounding {
  SAME,    // rounding up makes no difference
  EXTENDS, // the last window reaches beyond the padding
  DROPS,   // it would begin in the padding after the input: there is none
} rounding;

// Sets `tail` to the padding with which rounding down gives as many windows of
// an NHWC input.
static rounding round_up(const xc_shape *input, const xc_onnx_window *w,
                         size_t axis, int64_t *tail) {
  int64_t size = input->dims[W - axis], stride = w->stride[axis];
  int64_t reach = (w->kernel[axis] - 1) * w->dilation[axis] + 1;
  int64_t head = w->pad[2 * axis];
  int64_t free = head + size + w->pad[2 * axis + 1] - reach;
  *tail = w->pad[2 * axis + 1];
  if (free < 0 || free % stride == 0)
    return SAME;
  int64_t last = (free / stride + 1) * stride; // where the last window begins
  if (last >= size + head)
    return DROPS;
  *tail = last + reach - size - head;
  return EXTENDS;
}

MlirValue xc_onnx_pad_pool(xc_onnx_importer *im, xc_onnx_window *w, double zero,
                           MlirValue input) {
  const int64_t paddings[8] = {0,         0,         w->pad[2], w->pad[3],
                               w->pad[0], w->pad[1], 0,         0};
  const xc_attribute attributes[] = {xc_ints("paddings", paddings, 8),
                                     xc_float("constant_value", zero)};
  w->pad[0] = w->pad[1] = w->pad[2] = w->pad[3] = 0;
  return xc_graph_emit(&im->graph, "pad", XC_TIR_PAD, &input, 1,
                       XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
}

/// Which windows there are, and what an average counts: padding, and with it
/// what lies beyond, as ONNX Runtime's averages of integers do.
typedef struct pool_counts {
  bool ceils, pad, beyond;
} pool_counts;

// Windows that tir's CEIL would begin in the padding do not exist in ONNX.
// Where one axis drops its last window, windows are counted by rounding down.
static MlirValue resolve_ceil(xc_onnx_importer *im, xc_onnx_window *w,
                              MlirValue operand, double zero,
                              pool_counts *counts) {
  int64_t tails[2];
  rounding axes[2];
  xc_shape input = xc_value_shape(operand);
  for (size_t axis = 0; axis < 2; ++axis)
    axes[axis] = round_up(&input, w, axis, &tails[axis]);
  if (axes[0] != DROPS && axes[1] != DROPS)
    return operand;
  counts->ceils = false;
  for (size_t axis = 0; axis < 2; ++axis) {
    if (axes[axis] != EXTENDS)
      continue;
    int64_t added = tails[axis] - w->pad[2 * axis + 1];
    if (counts->pad && !counts->beyond) {
      operand = xc_onnx_pad_pool(im, w, zero, operand);
      counts->pad = false;
    }
    w->pad[2 * axis + 1] += added;
  }
  return operand;
}

void xc_onnx_extend_pool(xc_onnx_importer *im, const xc_shape *input,
                         xc_onnx_window *w) {
  int64_t tail;
  for (size_t axis = 0; axis < 2 && xc_onnx_int(im, "ceil_mode", 0); ++axis)
    if (round_up(input, w, axis, &tail) == EXTENDS)
      w->pad[2 * axis + 1] = tail;
}

// A quantised pool can have its channels last: as if it were renamed.
static xc_graph_value *take_image(xc_onnx_importer *im) {
  xc_graph_value *input;
  if (!xc_onnx_need_input(im, 0, &input) ||
      !xc_onnx_check_rank(im, input, 3, 4))
    return NULL;
  xc_graph_order back = {{0, 3, 1, 2}};
  if (!xc_onnx_int(im, "channels_last", 0))
    return input;
  return xc_onnx_check_rank(im, input, 4, 4)
             ? xc_graph_transpose(&im->graph, input, &back)
             : NULL;
}

static bool result_pool(xc_onnx_importer *im, MlirValue result, size_t rank) {
  return xc_onnx_int(im, "channels_last", 0)
             ? xc_onnx_result_plain(im, 0, result)
             : xc_onnx_result_2d(im, 0, result, rank);
}

MlirValue xc_onnx_emit_pool2d(xc_onnx_importer *im, const char *part,
                              xc_op_kind kind, MlirValue *input,
                              xc_onnx_window *window) {
  enum { WINDOW = 5, WITH_PAD = 6, MOST = WITH_PAD + ONNX_IN_OUT + 2 };
  const MlirValue none = {NULL};
  bool is_average = kind != XC_TIR_MAXPOOL2D;
  xc_attribute attributes[MOST];
  size_t count = is_average ? WITH_PAD : WINDOW;
  double zero = 0;
  if (kind == XC_TIR_QLINEAR_POOL) {
    if (!xc_onnx_read_in_out(im, attributes + count))
      return none;
    zero = (double)attributes[count + 1].number;
    count += ONNX_IN_OUT;
    attributes[count++] = xc_string("type", "AVG");
  }
  pool_counts counts = {.ceils = xc_onnx_int(im, "ceil_mode", 0) != 0,
                        .pad = is_average &&
                               xc_onnx_int(im, "count_include_pad", 0) != 0};
  counts.beyond = counts.ceils && counts.pad && kind == XC_TIR_QLINEAR_POOL;
  if (counts.ceils && !mlirValueIsNull(*input))
    *input = resolve_ceil(im, window, *input, zero, &counts);
  attributes[0] = xc_ints("kernel", window->kernel, 2);
  attributes[1] = xc_ints("stride", window->stride, 2);
  attributes[2] = xc_ints("dilation", window->dilation, 2);
  attributes[3] = xc_ints("pad", window->pad, 4);
  attributes[4] = xc_string("pad_mode", counts.ceils ? "CEIL" : "FLOOR");
  if (is_average)
    attributes[WINDOW] = xc_bool("count_include_pad", counts.pad);
  if (counts.beyond)
    attributes[count++] = xc_bool("count_include_invalid", true);
  return xc_graph_emit(&im->graph, part, kind, input, 1,
                       &(xc_attributes){attributes, count}, XC_ELEMENT_NONE);
}

// detail: XC_TIR_MAXPOOL2D, XC_TIR_AVGPOOL2D, or XC_TIR_QLINEAR_POOL for an
// average of integers.
bool xc_onnx_pool(xc_onnx_importer *im) {
  xc_onnx_window window;
  xc_op_kind kind = (xc_op_kind)im->row->detail;
  xc_graph_value *input = xc_onnx_input(im, 0);
  if (input && input->shape.rank == 5 && kind != XC_TIR_QLINEAR_POOL)
    return xc_onnx_pool_volume(im);
  input = take_image(im);
  if (!input)
    return false;
  size_t rank = input->shape.rank;
  input = xc_onnx_as_2d(im, input);
  if (!input || !xc_onnx_read_window(im, NULL, rank, &window))
    return false;
  xc_onnx_pad_window(&input->shape, &window);
  MlirValue operand = xc_graph_get_channels_last(&im->graph, input);
  MlirValue result = xc_onnx_emit_pool2d(im, NULL, kind, &operand, &window);
  return result_pool(im, result, rank) &&
         (kind != XC_TIR_MAXPOOL2D || !xc_onnx_has_output(im, 1) ||
          xc_onnx_result_indices(im, &window, operand, result, rank));
}

// One window over all spatial dimensions.
bool xc_onnx_global_pool(xc_onnx_importer *im) {
  xc_graph_value *input;
  if (!xc_onnx_need_input(im, 0, &input) ||
      !xc_onnx_check_rank(im, input, 3, XC_MAX_RANK))
    return false;
  size_t rank = input->shape.rank;
  const int64_t *d = input->shape.dims;
  int64_t flat[] = {d[0], d[1], 1, 1}, ones[XC_MAX_RANK] = {d[0], d[1]};
  for (size_t i = 2; i < rank; ++i) {
    flat[i == 2 ? 2 : 3] *= d[i];
    ones[i] = 1;
  }
  if (rank == 3) {
    flat[2] = 1;
    flat[3] = d[2];
  }
  xc_graph_order depth_last = {{0, 1, 3, 4, 2}};
  if (rank == 5) { // rows of pixels of all depths
    flat[2] = d[3];
    flat[3] = d[4] * d[2];
    input = xc_graph_transpose(&im->graph, input, &depth_last);
  }
  xc_graph_value *value = rank == 4 || !input
                              ? input
                              : xc_graph_reshape(&im->graph, input, flat, 4);
  if (!value)
    return false;
  MlirValue operand = xc_graph_get_channels_last(&im->graph, value);
  xc_attribute attribute = xc_bool("global", true);
  MlirValue mlir =
      xc_graph_emit(&im->graph, NULL, (xc_op_kind)im->row->detail, &operand, 1,
                    &(xc_attributes){&attribute, 1}, XC_ELEMENT_NONE);
  xc_graph_order order = xc_graph_channels_last(4);
  xc_graph_value *result =
      xc_graph_computed(&im->graph, im->graph.node, mlir, &order);
  if (!result)
    return false;
  if (rank != 4)
    result = xc_graph_reshape(&im->graph, result, ones, rank);
  return xc_onnx_result_alias(im, 0, result);
}
