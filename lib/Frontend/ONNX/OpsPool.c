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
static MlirValue pad_lowest(onnx_importer *importer, const index_request *r,
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
    input = onnx_emit_helper(importer, "real", XC_TIR_CAST, &input, 1, NULL, 0,
                             XC_ELEMENT_F32);
  xc_attribute attributes[] = {xc_ints("paddings", paddings, 8),
                               xc_float("constant_value", (double)-FLT_MAX)};
  return onnx_emit_helper(importer, "pad", XC_TIR_PAD, &input, 1, attributes, 2,
                          XC_ELEMENT_NONE);
}

// What all windows see through one tap.
static MlirValue emit_tap(onnx_importer *importer, const index_request *r,
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
  return onnx_emit_helper(importer, "tap", XC_TIR_STRIDED_SLICE, &padded, 1,
                          attributes, 3, XC_ELEMENT_NONE);
}

// The index that the upper left tap of each window has in the NCHW input, which
// may lie before it.
static MlirValue emit_origins(onnx_importer *importer, const index_request *r) {
  const onnx_window *w = r->window;
  xc_shape shape = r->output;
  shape.element = XC_ELEMENT_I64;
  int64_t *data =
      onnx_fold_alloc(importer, xc_shape_num_elements(&shape), sizeof(*data));
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
  onnx_order plain = onnx_identity(4);
  return onnx_get(
      importer,
      onnx_new_constant(importer, importer->op_name, &shape, data, false),
      &plain);
}

// Tap by tap: where it is above all before it, it is the place to remember.
static MlirValue emit_indices(onnx_importer *importer, const index_request *r,
                              MlirValue input) {
  const onnx_window *w = r->window;
  xc_attribute above = xc_string("predicate", "GT");
  MlirValue padded = pad_lowest(importer, r, input), best = {NULL};
  MlirValue place = onnx_emit_number(importer, 0, XC_ELEMENT_I64);
  for (int64_t kh = 0; kh < w->kernel[1]; ++kh)
    for (int64_t kw = 0; kw < w->kernel[0]; ++kw) {
      int64_t y = kh * w->dilation[1], x = kw * w->dilation[0];
      MlirValue tap = emit_tap(importer, r, padded, kh, kw);
      if (mlirValueIsNull(best)) {
        best = tap;
        continue;
      }
      MlirValue both[] = {tap, best};
      double offset = (double)(r->by_columns ? x * r->input.dims[H] + y
                                             : y * r->input.dims[W] + x);
      MlirValue is_above = onnx_emit_helper(importer, "above", XC_TIR_COMPARE,
                                            both, 2, &above, 1, XC_ELEMENT_I1);
      MlirValue places[] = {
          is_above, onnx_emit_number(importer, offset, XC_ELEMENT_I64), place};
      place = onnx_emit_helper(importer, "place", XC_TIR_SELECT, places, 3,
                               NULL, 0, XC_ELEMENT_I64);
      best = onnx_emit_step(importer, "best", XC_TIR_MAX, best, tap);
    }
  return onnx_emit_step(importer, "index", XC_TIR_ADD,
                        emit_origins(importer, r), place);
}

static bool result_indices(onnx_importer *importer, const onnx_window *window,
                           MlirValue input, MlirValue output, size_t rank) {
  enum { MOST_TAPS = 1024 };
  index_request r = {.window = window,
                     .by_columns = onnx_int(importer, "storage_order", 0) != 0};
  if (mlirValueIsNull(output))
    return false;
  xc_shape_of_type(mlirValueGetType(input), &r.input);
  xc_shape_of_type(mlirValueGetType(output), &r.output);
  if (window->kernel[0] * window->kernel[1] > MOST_TAPS)
    return onnx_error(importer,
                      "gives indices of windows of %" PRId64
                      " elements, at most %d are supported",
                      window->kernel[0] * window->kernel[1], MOST_TAPS);
  return onnx_result_2d(importer, 1, emit_indices(importer, &r, input), rank);
}

//===----------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------===//

// detail: XC_TIR_MAXPOOL2D or XC_TIR_AVGPOOL2D.
bool onnx_pool(onnx_importer *importer) {
  onnx_value *input;
  onnx_window window;
  bool is_average = importer->row->detail == XC_TIR_AVGPOOL2D;
  if (!onnx_need_input(importer, 0, &input) ||
      !onnx_check_rank(importer, input, 3, 4))
    return false;
  size_t rank = input->shape.rank;
  input = onnx_as_2d(importer, input);
  if (!input || !onnx_read_window(importer, NULL, rank, &window))
    return false;
  onnx_pad_window(&input->shape, &window);
  MlirValue operand = onnx_get_channels_last(importer, input);
  xc_attribute attributes[] = {
      xc_ints("kernel", window.kernel, 2),
      xc_ints("stride", window.stride, 2),
      xc_ints("dilation", window.dilation, 2),
      xc_ints("pad", window.pad, 4),
      xc_string("pad_mode",
                onnx_int(importer, "ceil_mode", 0) ? "CEIL" : "FLOOR"),
      xc_bool("count_include_pad",
              onnx_int(importer, "count_include_pad", 0) != 0)};
  MlirValue result =
      onnx_emit(importer, (xc_op_kind)importer->row->detail, &operand, 1,
                attributes, is_average ? 6 : 5, XC_ELEMENT_NONE);
  return onnx_result_2d(importer, 0, result, rank) &&
         (is_average || !onnx_has_output(importer, 1) ||
          result_indices(importer, &window, operand, result, rank));
}

// One window over all spatial dimensions.
bool onnx_global_pool(onnx_importer *importer) {
  onnx_value *input;
  if (!onnx_need_input(importer, 0, &input) ||
      !onnx_check_rank(importer, input, 3, XC_MAX_RANK))
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
  onnx_value *value =
      rank == 4 ? input : onnx_reshaped(importer, input, flat, 4);
  if (!value)
    return false;
  MlirValue operand = onnx_get_channels_last(importer, value);
  xc_attribute attribute = xc_bool("global", true);
  MlirValue mlir = onnx_emit(importer, (xc_op_kind)importer->row->detail,
                             &operand, 1, &attribute, 1, XC_ELEMENT_NONE);
  if (mlirValueIsNull(mlir))
    return false;
  xc_shape shape = {
      .element = value->shape.element, .rank = 4, .dims = {d[0], d[1], 1, 1}};
  onnx_order order = onnx_channels_last(4);
  onnx_value *result = onnx_new_value(importer, importer->op_name, &shape);
  onnx_add_form(importer, result, mlir, &order);
  if (rank != 4)
    result = onnx_reshaped(importer, result, ones, rank);
  return onnx_result_alias(importer, 0, result);
}
