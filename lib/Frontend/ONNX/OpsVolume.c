//===- OpsVolume.c - convolution and pooling over three dimensions --------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include "Frontend/Graph/Volume.h"
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

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

static bool result_conv(onnx_importer *im, xc_graph_conv3d *conv,
                        xc_graph_value *input, xc_graph_value *bias,
                        const onnx_window *window) {
  xc_graph_window3d *w = &conv->window;
  memcpy(w->kernel, window->kernel, sizeof(w->kernel));
  memcpy(w->stride, window->stride, sizeof(w->stride));
  memcpy(w->dilation, window->dilation, sizeof(w->dilation));
  memcpy(w->pad, window->pad, sizeof(w->pad));
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

static bool pools_nothing(const onnx_window *w, size_t axis) {
  return w->kernel[axis] == 1 && w->stride[axis] == 1 &&
         w->pad[2 * axis] == 0 && w->pad[2 * axis + 1] == 0;
}

// The window over the depth as one over the columns of an image.
static onnx_window depth_window(const onnx_window *w) {
  return (onnx_window){.kernel = {w->kernel[2], 1, 1},
                       .stride = {w->stride[2], 1, 1},
                       .dilation = {w->dilation[2], 1, 1},
                       .pad = {w->pad[4], w->pad[5]}};
}

// Windows side by side that fill the depth stay within it.
static MlirValue pool_depth(onnx_importer *im, xc_op_kind kind,
                            MlirValue volume, const onnx_window *window) {
  if (mlirValueIsNull(volume))
    return volume;
  xc_shape shape = xc_graph_shape_of(volume);
  onnx_window depth = depth_window(window);
  bool fills = depth.kernel[0] == depth.stride[0] && depth.dilation[0] == 1 &&
               depth.pad[0] == 0 && depth.pad[1] == 0 &&
               shape.dims[3] % depth.kernel[0] == 0;
  xc_graph_view view = fills ? XC_GRAPH_ROWS : XC_GRAPH_COLUMNS;
  MlirValue image = xc_graph_emit_image(&im->graph, volume, view);
  image = onnx_emit_pool2d(im, NULL, kind, &image, &depth);
  return xc_graph_emit_volume(&im->graph, image, view, shape.dims[view]);
}

// Over the height and width, and over the depth of that: maxima are the same,
// and so are averages, whose counts are products of one for each dimension.
bool onnx_pool_volume(onnx_importer *im) {
  xc_graph_value *input;
  onnx_window window;
  xc_op_kind kind = (xc_op_kind)im->row->detail;
  if (!onnx_need_input(im, 0, &input) ||
      !onnx_read_window(im, NULL, 5, &window))
    return false;
  if (onnx_has_output(im, 1))
    return onnx_error(im, "gives indices of windows over three dimensions, "
                          "which xc does not support");
  onnx_pad_window(&input->shape, &window);
  bool has_depth = !pools_nothing(&window, 2);
  MlirValue volume = get_volume(im, input);
  if (!has_depth || !pools_nothing(&window, 0) || !pools_nothing(&window, 1)) {
    MlirValue planes = xc_graph_emit_image(&im->graph, volume, XC_GRAPH_PLANES);
    planes = onnx_emit_pool2d(im, has_depth ? "planes" : NULL, kind, &planes,
                              &window);
    volume = xc_graph_emit_volume(&im->graph, planes, XC_GRAPH_PLANES,
                                  input->shape.dims[2]);
  }
  if (has_depth)
    volume = pool_depth(im, kind, volume, &window);
  return result_volume(im, volume);
}
