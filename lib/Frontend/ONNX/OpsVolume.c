//===- OpsVolume.c - convolution and pooling over three dimensions --------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include "Window.h"

#include <string.h>

static bool result_volume(xc_onnx_importer *im, MlirValue volume) {
  xc_graph_order order = xc_graph_volume_order();
  return xc_onnx_result(im, 0, volume, &order);
}

static MlirValue get_volume(xc_onnx_importer *im, xc_graph_value *value) {
  xc_graph_order order = xc_graph_volume_order();
  if (xc_shape_num_elements(&value->shape) == 0) {
    xc_onnx_error(im, "value '%s' has no elements", value->name);
    return (MlirValue){NULL};
  }
  return xc_graph_get(&im->graph, value, &order);
}

xc_graph_window3d xc_onnx_window3d(const xc_onnx_window *window) {
  xc_graph_window3d w;
  memcpy(w.kernel, window->kernel, sizeof(w.kernel));
  memcpy(w.stride, window->stride, sizeof(w.stride));
  memcpy(w.dilation, window->dilation, sizeof(w.dilation));
  memcpy(w.pad, window->pad, sizeof(w.pad));
  return w;
}

xc_onnx_window xc_onnx_window_of(const xc_graph_window3d *window) {
  xc_onnx_window w = {.auto_pad = ONNX_NOTSET};
  memcpy(w.kernel, window->kernel, sizeof(w.kernel));
  memcpy(w.stride, window->stride, sizeof(w.stride));
  memcpy(w.dilation, window->dilation, sizeof(w.dilation));
  memcpy(w.pad, window->pad, sizeof(w.pad));
  return w;
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

static bool result_conv(xc_onnx_importer *im, xc_graph_conv3d *conv,
                        xc_graph_value *input, xc_graph_value *bias,
                        const xc_onnx_window *window) {
  conv->window = xc_onnx_window3d(window);
  conv->input = get_volume(im, input);
  if (bias)
    conv->bias = xc_graph_get_plain(&im->graph, bias);
  return result_volume(im, xc_graph_emit_conv3d(&im->graph, conv));
}

bool xc_onnx_conv_volume(xc_onnx_importer *im) {
  xc_graph_value *input, *weight, *bias = xc_onnx_input(im, 2);
  xc_onnx_conv_groups groups;
  xc_onnx_window window;
  if (!xc_onnx_need_input(im, 0, &input) ||
      !xc_onnx_need_input(im, 1, &weight) ||
      !xc_onnx_check_conv(im, input, weight, 5, &groups) ||
      !xc_onnx_read_window(im, &weight->shape, 5, &window))
    return false;
  xc_onnx_pad_window(&input->shape, &window);
  xc_graph_conv3d conv = {.weight = weight, .group = groups.group};
  return result_conv(im, &conv, input, bias, &window);
}

bool xc_onnx_conv_transpose_volume(xc_onnx_importer *im) {
  xc_graph_value *input, *weight, *bias = xc_onnx_input(im, 2);
  xc_onnx_conv_groups groups;
  xc_onnx_window window;
  xc_graph_conv3d conv = {.transposed = true};
  if (!xc_onnx_need_input(im, 0, &input) ||
      !xc_onnx_need_input(im, 1, &weight) ||
      !xc_onnx_check_conv_transpose(im, input, weight, &groups) ||
      !xc_onnx_read_window(im, &weight->shape, 5, &window) ||
      !xc_onnx_pad_transposed(im, &input->shape, 5, &window,
                              conv.output_padding))
    return false;
  conv.weight = weight;
  conv.group = groups.group;
  return result_conv(im, &conv, input, bias, &window);
}

//===----------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------===//

// The operator that xc_onnx_emit_pool2d makes of the node.
typedef struct pooling {
  xc_onnx_importer *im;
  xc_op_kind kind;
} pooling;

static MlirValue pool_image(void *context, const char *part, MlirValue image,
                            const xc_graph_window3d *window) {
  const pooling *p = context;
  xc_onnx_window w = xc_onnx_window_of(window);
  return xc_onnx_emit_pool2d(p->im, part, p->kind, &image, &w);
}

bool xc_onnx_pool_volume(xc_onnx_importer *im) {
  xc_graph_value *input;
  xc_onnx_window window;
  pooling p = {im, (xc_op_kind)im->row->detail};
  if (!xc_onnx_need_input(im, 0, &input) ||
      !xc_onnx_read_window(im, NULL, 5, &window))
    return false;
  xc_onnx_pad_window(&input->shape, &window);
  xc_graph_window3d w = xc_onnx_window3d(&window);
  MlirValue volume = get_volume(im, input);
  MlirValue result =
      xc_graph_emit_pool3d(&im->graph, volume, &w, pool_image, &p);
  return result_volume(im, result) &&
         (p.kind != XC_TIR_MAXPOOL2D || !xc_onnx_has_output(im, 1) ||
          xc_onnx_result_indices(im, &window, volume, result, 5));
}
