//===- OpsPool.c - pooling ------------------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include "Window.h"

#include <float.h>
#include <inttypes.h>

//===----------------------------------------------------------------------===//
// Where the maximum is
//===----------------------------------------------------------------------===//

enum { H = 1, W = 2 };

/// Output 1 of MaxPool, NHWC.
typedef struct index_request {
  const onnx_window *window;
  xc_shape input, output;
  bool by_columns; // storage_order 1: the height is the fastest
} index_request;

// The input in f32 with as much of the lowest number around it as any window
// reaches.
static MlirValue pad_lowest(onnx_importer *im, const index_request *r,
                            MlirValue input) {
  const onnx_window *w = r->window;
  int64_t paddings[8] = {0};
  for (size_t axis = 0; axis < 2; ++axis) { // width first in the window
    size_t dim = axis == 0 ? W : H;
    int64_t reach = (r->output.dims[dim] - 1) * w->stride[axis] +
                    (w->kernel[axis] - 1) * w->dilation[axis] + 1 -
                    w->pad[2 * axis] - r->input.dims[dim];
    paddings[2 * dim] = w->pad[2 * axis];
    paddings[2 * dim + 1] = reach > 0 ? reach : 0;
  }
  if (r->input.element != XC_ELEMENT_F32)
    input = xc_graph_emit_cast(&im->graph, "real", input, XC_ELEMENT_F32);
  xc_attribute attributes[] = {xc_ints("paddings", paddings, 8),
                               xc_float("constant_value", (double)-FLT_MAX)};
  return xc_graph_emit(&im->graph, "pad", XC_TIR_PAD, &input, 1,
                       &(xc_attributes){attributes, 2}, XC_ELEMENT_NONE);
}

// What all windows see through one tap.
static MlirValue emit_tap(onnx_importer *im, const index_request *r,
                          MlirValue padded, int64_t kh, int64_t kw) {
  const onnx_window *w = r->window;
  const int64_t *out = r->output.dims;
  int64_t top = kh * w->dilation[1], left = kw * w->dilation[0];
  int64_t begin[] = {0, top, left, 0};
  int64_t end[] = {out[0], top + (out[H] - 1) * w->stride[1] + 1,
                   left + (out[W] - 1) * w->stride[0] + 1, out[3]};
  int64_t strides[] = {1, w->stride[1], w->stride[0], 1};
  xc_attribute attributes[] = {xc_ints("begin", begin, 4),
                               xc_ints("end", end, 4),
                               xc_ints("strides", strides, 4)};
  return xc_graph_emit(&im->graph, "tap", XC_TIR_STRIDED_SLICE, &padded, 1,
                       &(xc_attributes){attributes, 3}, XC_ELEMENT_NONE);
}

// The index that the upper left tap of each window has in the NCHW input, which
// may lie before it.
static MlirValue emit_origins(onnx_importer *im, const index_request *r) {
  const onnx_window *w = r->window;
  xc_shape shape = r->output;
  shape.element = XC_ELEMENT_I64;
  int64_t *data =
      xc_graph_table(&im->graph, xc_shape_num_elements(&shape), sizeof(*data));
  if (!data)
    return (MlirValue){NULL};
  int64_t *at = data;
  const int64_t *in = r->input.dims;
  for (int64_t n = 0; n < shape.dims[0]; ++n)
    for (int64_t h = 0; h < shape.dims[H]; ++h)
      for (int64_t v = 0; v < shape.dims[W]; ++v)
        for (int64_t c = 0; c < shape.dims[3]; ++c) {
          int64_t y = h * w->stride[1] - w->pad[2];
          int64_t x = v * w->stride[0] - w->pad[0];
          *at++ = (n * in[3] + c) * in[H] * in[W] +
                  (r->by_columns ? x * in[H] + y : y * in[W] + x);
        }
  xc_graph_order plain = xc_graph_identity(4);
  return xc_graph_get(
      &im->graph,
      xc_graph_constant(&im->graph, im->graph.node, &shape, data, false),
      &plain);
}

// Tap by tap: where it is above all before it, it is the place to remember.
static MlirValue emit_indices(onnx_importer *im, const index_request *r,
                              MlirValue input) {
  const onnx_window *w = r->window;
  xc_attribute above = xc_string("predicate", "GT");
  MlirValue padded = pad_lowest(im, r, input), best = {NULL};
  MlirValue place = xc_graph_emit_number(&im->graph, 0, XC_ELEMENT_I64);
  for (int64_t kh = 0; kh < w->kernel[1]; ++kh)
    for (int64_t kw = 0; kw < w->kernel[0]; ++kw) {
      int64_t y = kh * w->dilation[1], x = kw * w->dilation[0];
      MlirValue tap = emit_tap(im, r, padded, kh, kw);
      if (mlirValueIsNull(best)) {
        best = tap;
        continue;
      }
      MlirValue both[] = {tap, best};
      double offset = (double)(r->by_columns ? x * r->input.dims[H] + y
                                             : y * r->input.dims[W] + x);
      MlirValue is_above =
          xc_graph_emit(&im->graph, "above", XC_TIR_COMPARE, both, 2,
                        &(xc_attributes){&above, 1}, XC_ELEMENT_I1);
      MlirValue places[] = {
          is_above, xc_graph_emit_number(&im->graph, offset, XC_ELEMENT_I64),
          place};
      place = xc_graph_emit(&im->graph, "place", XC_TIR_SELECT, places, 3, NULL,
                            XC_ELEMENT_I64);
      best = xc_graph_emit_binary(&im->graph, "best", XC_TIR_MAX, best, tap);
    }
  return xc_graph_emit_binary(&im->graph, "index", XC_TIR_ADD,
                              emit_origins(im, r), place);
}

static bool result_indices(onnx_importer *im, const onnx_window *window,
                           MlirValue input, MlirValue output, size_t rank) {
  enum { MOST_TAPS = 1024 };
  index_request r = {.window = window,
                     .by_columns = onnx_int(im, "storage_order", 0) != 0};
  if (mlirValueIsNull(output))
    return false;
  xc_shape_of_type(mlirValueGetType(input), &r.input);
  xc_shape_of_type(mlirValueGetType(output), &r.output);
  if (window->kernel[0] * window->kernel[1] > MOST_TAPS)
    return onnx_error(im,
                      "gives indices of windows of %" PRId64
                      " elements, at most %d are supported",
                      window->kernel[0] * window->kernel[1], MOST_TAPS);
  MlirValue indices = emit_indices(im, &r, input);
  const int64_t line[] = {r.output.dims[0], r.output.dims[W], r.output.dims[3]};
  if (rank == 3)
    indices = xc_graph_emit_reshape(&im->graph, indices, line, 3);
  onnx_pool_indices *entry =
      xc_arena_alloc(&im->graph.arena, 1, sizeof(*entry));
  *entry =
      (onnx_pool_indices){indices, *window, r.input, r.by_columns, im->pools};
  im->pools = entry;
  xc_graph_order order = xc_graph_channels_last(rank);
  return onnx_result(im, 1, indices, &order);
}

//===----------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------===//

/// What ceil_mode does along one axis.
typedef enum rounding {
  SAME,    // rounding up makes no difference
  EXTENDS, // the last window reaches beyond the padding
  DROPS,   // it would begin in the padding after the input: there is none
} rounding;

// Sets `tail` to the padding with which rounding down gives as many windows of
// an NHWC input.
static rounding round_up(const xc_shape *input, const onnx_window *w,
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

// The zeros of the padding as elements of the input, of which one stands for 0.
static MlirValue pad_zeros(onnx_importer *im, onnx_window *w, double zero,
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
static MlirValue resolve_ceil(onnx_importer *im, onnx_window *w,
                              MlirValue operand, double zero,
                              pool_counts *counts) {
  int64_t tails[2];
  rounding axes[2];
  xc_shape input = xc_graph_shape_of(operand);
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
      operand = pad_zeros(im, w, zero, operand);
      counts->pad = false;
    }
    w->pad[2 * axis + 1] += added;
  }
  return operand;
}

// A quantised pool can have its channels last: as if it were renamed.
static xc_graph_value *take_image(onnx_importer *im) {
  xc_graph_value *input;
  if (!onnx_need_input(im, 0, &input) || !onnx_check_rank(im, input, 3, 4))
    return NULL;
  xc_graph_order back = {{0, 3, 1, 2}};
  if (!onnx_int(im, "channels_last", 0))
    return input;
  return onnx_check_rank(im, input, 4, 4)
             ? xc_graph_transpose(&im->graph, input, &back)
             : NULL;
}

static bool result_pool(onnx_importer *im, MlirValue result, size_t rank) {
  return onnx_int(im, "channels_last", 0) ? onnx_result_plain(im, 0, result)
                                          : onnx_result_2d(im, 0, result, rank);
}

MlirValue onnx_emit_pool2d(onnx_importer *im, const char *part, xc_op_kind kind,
                           MlirValue *input, onnx_window *window) {
  enum { WINDOW = 5, WITH_PAD = 6, MOST = WITH_PAD + ONNX_IN_OUT + 2 };
  const MlirValue none = {NULL};
  bool is_average = kind != XC_TIR_MAXPOOL2D;
  xc_attribute attributes[MOST];
  size_t count = is_average ? WITH_PAD : WINDOW;
  double zero = 0;
  if (kind == XC_TIR_QLINEAR_POOL) {
    if (!onnx_read_in_out(im, attributes + count))
      return none;
    zero = (double)attributes[count + 1].number;
    count += ONNX_IN_OUT;
    attributes[count++] = xc_string("type", "AVG");
  }
  pool_counts counts = {.ceils = onnx_int(im, "ceil_mode", 0) != 0,
                        .pad = is_average &&
                               onnx_int(im, "count_include_pad", 0) != 0};
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
bool onnx_pool(onnx_importer *im) {
  onnx_window window;
  xc_op_kind kind = (xc_op_kind)im->row->detail;
  xc_graph_value *input = onnx_input(im, 0);
  if (input && input->shape.rank == 5 && kind != XC_TIR_QLINEAR_POOL)
    return onnx_pool_volume(im);
  input = take_image(im);
  if (!input)
    return false;
  size_t rank = input->shape.rank;
  input = onnx_as_2d(im, input);
  if (!input || !onnx_read_window(im, NULL, rank, &window))
    return false;
  onnx_pad_window(&input->shape, &window);
  MlirValue operand = xc_graph_get_channels_last(&im->graph, input);
  MlirValue result = onnx_emit_pool2d(im, NULL, kind, &operand, &window);
  return result_pool(im, result, rank) &&
         (kind != XC_TIR_MAXPOOL2D || !onnx_has_output(im, 1) ||
          result_indices(im, &window, operand, result, rank));
}

// One window over all spatial dimensions.
bool onnx_global_pool(onnx_importer *im) {
  xc_graph_value *input;
  if (!onnx_need_input(im, 0, &input) ||
      !onnx_check_rank(im, input, 3, XC_MAX_RANK))
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
  return onnx_result_alias(im, 0, result);
}

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

// |x|^p.
static MlirValue emit_power(onnx_importer *im, MlirValue x, double p) {
  const MlirValue none = {NULL};
  if (p == 2)
    return xc_graph_emit_binary(&im->graph, "square", XC_TIR_MUL, x, x);
  x = xc_graph_emit_binary(&im->graph, "abs", XC_TIR_ABS, x, none);
  return p == 1 ? x : xc_graph_emit_with(&im->graph, "power", XC_TIR_POW, x, p);
}

static MlirValue emit_root(onnx_importer *im, MlirValue x, double p) {
  const MlirValue none = {NULL};
  if (p == 2)
    return xc_graph_emit_binary(&im->graph, NULL, XC_TIR_SQRT, x, none);
  return p == 1 ? x
                : xc_graph_emit_with(&im->graph, NULL, XC_TIR_POW, x, 1 / p);
}

static bool read_norm(onnx_importer *im, double *p) {
  int64_t given = onnx_int(im, "p", 2);
  *p = (double)given;
  return given > 0 ||
         onnx_error(im,
                    "attribute 'p' is %" PRId64 ", expected a number above 0",
                    given);
}

// The sum of a window is its average times its size, with zeros around.
bool onnx_lp_pool(onnx_importer *im) {
  onnx_window w;
  double p;
  int64_t tail;
  xc_graph_value *input;
  if (!read_norm(im, &p) || !onnx_need_input(im, 0, &input) ||
      !onnx_check_rank(im, input, 3, 4))
    return false;
  size_t rank = input->shape.rank;
  input = onnx_as_2d(im, input);
  if (!input || !onnx_read_window(im, NULL, rank, &w))
    return false;
  onnx_pad_window(&input->shape, &w);
  MlirValue x = xc_graph_get_channels_last(&im->graph, input);
  if (mlirValueIsNull(x))
    return false;
  xc_shape shape = xc_graph_shape_of(x);
  for (size_t axis = 0; axis < 2 && onnx_int(im, "ceil_mode", 0); ++axis)
    if (round_up(&shape, &w, axis, &tail) == EXTENDS)
      w.pad[2 * axis + 1] = tail;
  x = pad_zeros(im, &w, 0, emit_power(im, x, p));
  const xc_attribute attributes[] = {
      xc_ints("kernel", w.kernel, 2), xc_ints("stride", w.stride, 2),
      xc_ints("dilation", w.dilation, 2), xc_ints("pad", w.pad, 4),
      xc_string("pad_mode", "FLOOR")};
  x = xc_graph_emit(&im->graph, "mean", XC_TIR_AVGPOOL2D, &x, 1,
                    XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
  x = xc_graph_emit_with(&im->graph, "sum", XC_TIR_MUL, x,
                         (double)(w.kernel[0] * w.kernel[1]));
  return onnx_result_2d(im, 0, emit_root(im, x, p), rank);
}

bool onnx_global_lp_pool(onnx_importer *im) {
  double p;
  xc_graph_value *input;
  if (!read_norm(im, &p) || !onnx_need_input(im, 0, &input) ||
      !onnx_check_rank(im, input, 3, XC_MAX_RANK))
    return false;
  onnx_reduction_axes r = {.order = xc_graph_cheapest(input),
                           .count = input->shape.rank - 2,
                           .keep_dims = true};
  for (size_t i = 0; i < r.count; ++i)
    r.axes[i] = (int64_t)xc_graph_position(&r.order, i + 2);
  MlirValue x = xc_graph_get(&im->graph, input, &r.order);
  x = onnx_emit_reduction(im, XC_TIR_REDUCTION_SUM, emit_power(im, x, p), &r);
  return onnx_result(im, 0, emit_root(im, x, p), &r.order);
}
