//===- OpsLpPool.c - pools that are norms ---------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include "Window.h"

#include <inttypes.h>

// |x|^p.
static MlirValue emit_power(xc_onnx_importer *im, MlirValue x, double p) {
  const MlirValue none = {NULL};
  if (p == 2)
    return xc_graph_emit_binary(&im->graph, "square", XC_TIR_MUL, x, x);
  x = xc_graph_emit_binary(&im->graph, "abs", XC_TIR_ABS, x, none);
  return p == 1 ? x : xc_graph_emit_with(&im->graph, "power", XC_TIR_POW, x, p);
}

static MlirValue emit_root(xc_onnx_importer *im, MlirValue x, double p) {
  const MlirValue none = {NULL};
  if (p == 2)
    return xc_graph_emit_binary(&im->graph, NULL, XC_TIR_SQRT, x, none);
  return p == 1 ? x
                : xc_graph_emit_with(&im->graph, NULL, XC_TIR_POW, x, 1 / p);
}

static bool read_norm(xc_onnx_importer *im, double *p) {
  int64_t given = xc_onnx_int(im, "p", 2);
  *p = (double)given;
  return given > 0 || xc_onnx_error(im,
                                    "attribute 'p' is %" PRId64
                                    ", expected a number above 0",
                                    given);
}

// The sum of a window is its average times its size, with zeros around.
static MlirValue sum_image(void *context, const char *part, MlirValue x,
                           const xc_graph_window3d *window) {
  (void)part;
  xc_onnx_importer *im = context;
  xc_onnx_window w = xc_onnx_window_of(window);
  if (mlirValueIsNull(x))
    return x;
  xc_shape shape = xc_value_shape(x);
  xc_onnx_extend_pool(im, &shape, &w);
  x = xc_onnx_pad_pool(im, &w, 0, x);
  const xc_attribute attributes[] = {
      xc_ints("kernel", w.kernel, 2), xc_ints("stride", w.stride, 2),
      xc_ints("dilation", w.dilation, 2), xc_ints("pad", w.pad, 4),
      xc_string("pad_mode", "FLOOR")};
  x = xc_graph_emit(&im->graph, "mean", XC_TIR_AVGPOOL2D, &x, 1,
                    XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
  return xc_graph_emit_with(&im->graph, "sum", XC_TIR_MUL, x,
                            (double)(w.kernel[0] * w.kernel[1]));
}

bool xc_onnx_lp_pool(xc_onnx_importer *im) {
  xc_onnx_window w;
  double p;
  xc_graph_value *input;
  if (!read_norm(im, &p) || !xc_onnx_need_input(im, 0, &input) ||
      !xc_onnx_check_rank(im, input, 3, 5))
    return false;
  size_t rank = input->shape.rank;
  input = rank == 3 ? xc_onnx_as_2d(im, input) : input;
  if (!input || !xc_onnx_read_window(im, NULL, rank, &w))
    return false;
  xc_onnx_pad_window(&input->shape, &w);
  xc_graph_window3d window = xc_onnx_window3d(&w);
  xc_graph_order volume = xc_graph_volume_order();
  if (rank < 5) {
    MlirValue x = xc_graph_get_channels_last(&im->graph, input);
    x = sum_image(im, NULL, emit_power(im, x, p), &window);
    return xc_onnx_result_2d(im, 0, emit_root(im, x, p), rank);
  }
  MlirValue x = xc_graph_get(&im->graph, input, &volume);
  x = xc_graph_emit_pool3d(&im->graph, emit_power(im, x, p), &window, sum_image,
                           im);
  return xc_onnx_result(im, 0, emit_root(im, x, p), &volume);
}

bool xc_onnx_global_lp_pool(xc_onnx_importer *im) {
  double p;
  xc_graph_value *input;
  if (!read_norm(im, &p) || !xc_onnx_need_input(im, 0, &input) ||
      !xc_onnx_check_rank(im, input, 3, XC_MAX_RANK))
    return false;
  xc_onnx_reduction_axes r = {.order = xc_graph_cheapest(input),
                              .count = input->shape.rank - 2,
                              .keep_dims = true};
  for (size_t i = 0; i < r.count; ++i)
    r.axes[i] = (int64_t)xc_graph_position(&r.order, i + 2);
  MlirValue x = xc_graph_get(&im->graph, input, &r.order);
  x = xc_onnx_emit_reduction(im, XC_TIR_REDUCTION_SUM, emit_power(im, x, p),
                             &r);
  return xc_onnx_result(im, 0, emit_root(im, x, p), &r.order);
}
