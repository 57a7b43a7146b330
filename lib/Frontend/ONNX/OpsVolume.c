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

static bool result_volume(onnx_importer *im, MlirValue volume) {
  xc_graph_order order = xc_graph_volume_order();
  return onnx_result(im, 0, volume, &order);
}

static MlirValue get_volume(onnx_importer *im, xc_graph_value *value) {
  xc_graph_order order = xc_graph_volume_order();
  if (xc_shape_num_elements(&value->shape) == 0) {
    onnx_error(im, "value '%s' has no elements", value->name);
    return (MlirValue){NULL};
  }
  return xc_graph_get(&im->graph, value, &order);
}

xc_graph_window3d onnx_window3d(const onnx_window *window) {
  xc_graph_window3d w;
  memcpy(w.kernel, window->kernel, sizeof(w.kernel));
  memcpy(w.stride, window->stride, sizeof(w.stride));
  memcpy(w.dilation, window->dilation, sizeof(w.dilation));
  memcpy(w.pad, window->pad, sizeof(w.pad));
  return w;
}

onnx_window onnx_window_of(const xc_graph_window3d *window) {
  onnx_window w = {.auto_pad = ONNX_NOTSET};
  memcpy(w.kernel, window->kernel, sizeof(w.kernel));
  memcpy(w.stride, window->stride, sizeof(w.stride));
  memcpy(w.dilation, window->dilation, sizeof(w.dilation));
  memcpy(w.pad, window->pad, sizeof(w.pad));
  return w;
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

static bool result_conv(onnx_importer *im, xc_graph_conv3d *conv,
                        xc_graph_value *input, xc_graph_value *bias,
                        const onnx_window *window) {
  conv->window = onnx_window3d(window);
  conv->input = get_volume(im, input);
  if (bias)
    conv->bias = xc_graph_get_plain(&im->graph, bias);
  return result_volume(im, xc_graph_emit_conv3d(&im->graph, conv));
}

bool onnx_conv_volume(onnx_importer *im) {
  xc_graph_value *input, *weight, *bias = onnx_input(im, 2);
  onnx_conv_groups groups;
  onnx_window window;
  if (!onnx_need_input(im, 0, &input) || !onnx_need_input(im, 1, &weight) ||
      !onnx_check_conv(im, input, weight, 5, &groups) ||
      !onnx_read_window(im, &weight->shape, 5, &window))
    return false;
  onnx_pad_window(&input->shape, &window);
  xc_graph_conv3d conv = {.weight = weight, .group = groups.group};
  return result_conv(im, &conv, input, bias, &window);
}

bool onnx_conv_transpose_volume(onnx_importer *im) {
  xc_graph_value *input, *weight, *bias = onnx_input(im, 2);
  onnx_conv_groups groups;
  onnx_window window;
  xc_graph_conv3d conv = {.transposed = true};
  if (!onnx_need_input(im, 0, &input) || !onnx_need_input(im, 1, &weight) ||
      !onnx_check_conv_transpose(im, input, weight, &groups) ||
      !onnx_read_window(im, &weight->shape, 5, &window) ||
      !onnx_pad_transposed(im, &input->shape, 5, &window, conv.output_padding))
    return false;
  conv.weight = weight;
  conv.group = groups.group;
  return result_conv(im, &conv, input, bias, &window);
}

//===----------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------===//

// What onnx_emit_pool2d is to make of the node.
typedef struct pooling {
  onnx_importer *im;
  xc_op_kind kind;
} pooling;

static MlirValue pool_image(void *context, const char *part, MlirValue image,
                            const xc_graph_window3d *window) {
  const pooling *p = context;
  onnx_window w = onnx_window_of(window);
  return onnx_emit_pool2d(p->im, part, p->kind, &image, &w);
}

bool onnx_pool_volume(onnx_importer *im) {
  xc_graph_value *input;
  onnx_window window;
  pooling p = {im, (xc_op_kind)im->row->detail};
  if (!onnx_need_input(im, 0, &input) ||
      !onnx_read_window(im, NULL, 5, &window))
    return false;
  onnx_pad_window(&input->shape, &window);
  xc_graph_window3d w = onnx_window3d(&window);
  MlirValue volume = get_volume(im, input);
  MlirValue result =
      xc_graph_emit_pool3d(&im->graph, volume, &w, pool_image, &p);
  return result_volume(im, result) &&
         (p.kind != XC_TIR_MAXPOOL2D || !onnx_has_output(im, 1) ||
          onnx_result_indices(im, &window, volume, result, 5));
}
