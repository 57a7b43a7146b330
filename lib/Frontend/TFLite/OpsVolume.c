//===- OpsVolume.c - convolutions over three dimensions -------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The format has volumes as [N, D, H, W, C]; they are computed as [N, H, W, D,
// C] (Graph/Volume.h) and stay so between layers.
//
//===----------------------------------------------------------------------===//

#include "Frontend/Graph/Volume.h"
#include "Layer.h"

#include <inttypes.h>
#include <string.h>

enum { DEPTH = 2, MOST_SIZE = UINT16_MAX }; // DEPTH of windows, width first

/// A convolution on its way.
typedef struct volume_layer {
  xc_tflite_context *c;
  xc_graph_conv3d conv;
  size_t input, weight, bias; // among the operator's inputs
  xc_shape shape;             // of the input, [N, D, H, W, C]
  const xc_shape *kernel;     // [D, H, W, ...]
  bool same;
  xc_tflite_activation activation;
} volume_layer;

// Returns where the sizes of a width, height or depth stand in [N, D, H, W, C].
static size_t dim_of(size_t axis) { return 3 - axis; }

// In the order in which it is there; null after an error.
static xc_graph_value *value_of(xc_tflite_context *c, size_t index) {
  xc_graph_value *value = xc_tflite_find(c, index);
  if (!value)
    xc_tflite_value(c, index);
  return value;
}

static xc_graph_value *weight_of(volume_layer *l) {
  xc_tflite_context *c = l->c;
  const xc_tflite_tensor *tensor = xc_tflite_input(c, l->weight);
  size_t count;
  if (!tensor->data)
    return value_of(c, l->weight);
  float *floats = xc_tflite_floats(c->importer, tensor, &count);
  if (!floats) {
    xc_tflite_error(c,
                    "weight '%s' of type %s has no quantization that turns it "
                    "into float",
                    tensor->name, tensor->type_name);
    return NULL;
  }
  xc_shape shape = {.element = XC_ELEMENT_F32, .rank = tensor->rank};
  memcpy(shape.dims, tensor->dims, sizeof(shape.dims));
  return xc_graph_constant(&c->importer->graph, tensor->name, &shape, floats,
                           false);
}

static bool read_layer(volume_layer *l) {
  xc_tflite_context *c = l->c;
  const xc_graph_order order = xc_graph_volume_order_last(),
                       channels_first = {{4, 3, 0, 1, 2}};
  if (xc_tflite_is_quantized(xc_tflite_input(c, l->input)))
    return xc_tflite_error(c, "has quantized tensors, which xc cannot import");
  xc_graph_value *weight = weight_of(l), *input = value_of(c, l->input);
  if (!weight || !input)
    return false;
  if (input->shape.rank != 5 || weight->shape.rank != 5)
    return xc_tflite_error(c,
                           "has an input of rank %zu and a weight of rank %zu, "
                           "expected 5 and 5",
                           input->shape.rank, weight->shape.rank);
  l->shape = input->shape;
  l->kernel = &weight->shape;
  l->conv.input = xc_graph_get(&c->importer->graph, input, &order);
  l->conv.weight =
      xc_graph_transpose(&c->importer->graph, weight, &channels_first);
  l->conv.group = 1;
  if (xc_tflite_has_input(c, l->bias))
    l->conv.bias = xc_tflite_float_value(c, l->bias);
  int64_t channels = l->kernel->dims[l->conv.transposed ? 4 : 3];
  if (l->shape.dims[4] != channels)
    return xc_tflite_error(c,
                           "has %" PRId64 " input channels, expected the "
                           "weight's %" PRId64,
                           l->shape.dims[4], channels);
  return l->conv.weight && !mlirValueIsNull(l->conv.input);
}

// Reads all but the padding.
static bool read_window(volume_layer *l) {
  static const xc_tflite_field_id strides[] = {XC_TFL_Conv3DOptions_stride_w,
                                               XC_TFL_Conv3DOptions_stride_h,
                                               XC_TFL_Conv3DOptions_stride_d};
  static const xc_tflite_field_id dilations[] = {
      XC_TFL_Conv3DOptions_dilation_w, XC_TFL_Conv3DOptions_dilation_h,
      XC_TFL_Conv3DOptions_dilation_d};
  xc_graph_window3d *w = &l->conv.window;
  int64_t padding = xc_tflite_option(l->c, XC_TFL_Conv3DOptions_padding);
  if (padding != 0 && padding != 1)
    return xc_tflite_error(
        l->c, "has padding number %" PRId64 ", expected 0 or 1", padding);
  l->same = padding == 0;
  for (size_t axis = 0; axis <= DEPTH; ++axis) {
    w->kernel[axis] = l->kernel->dims[DEPTH - axis];
    w->stride[axis] = xc_tflite_option(l->c, strides[axis]);
    w->dilation[axis] = xc_tflite_option(l->c, dilations[axis]);
    const int64_t sizes[] = {w->kernel[axis], w->stride[axis],
                             w->dilation[axis]};
    for (size_t i = 0; i < 3; ++i)
      if (sizes[i] < 1 || sizes[i] > MOST_SIZE)
        return xc_tflite_error(l->c,
                               "has a kernel, stride or dilation of %" PRId64
                               ", expected 1 to %d",
                               sizes[i], MOST_SIZE);
  }
  return xc_tflite_activation_option(l->c, XC_TFL_Conv3DOptions_activation,
                                     true, &l->activation);
}

static int64_t reach_of(const volume_layer *l, size_t axis) {
  const xc_graph_window3d *w = &l->conv.window;
  return (w->kernel[axis] - 1) * w->dilation[axis] + 1;
}

static bool finish(volume_layer *l) {
  xc_graph *graph = &l->c->importer->graph;
  xc_graph_order order = xc_graph_volume_order_last();
  const char *output = graph->node;
  xc_text name = {0};
  bool fused = l->activation != XC_TFL_ACTIVATION_NONE;
  xc_text_printf(&name, "%s/conv3d", output);
  if (fused)
    graph->node =
        xc_arena_string(&graph->arena, xc_text_str(&name), name.length);
  MlirValue value = xc_graph_emit_conv3d(graph, &l->conv);
  graph->node = output;
  xc_text_free(&name);
  return !mlirValueIsNull(value) &&
         xc_tflite_set_ordered(
             l->c, 0, xc_tflite_activate(l->c, value, l->activation), &order);
}

bool xc_tflite_conv3d(xc_tflite_context *c) {
  volume_layer l = {.c = c, .input = 0, .weight = 1, .bias = 2};
  if (!read_layer(&l) || !read_window(&l))
    return false;
  for (size_t axis = 0; axis <= DEPTH && l.same; ++axis) {
    int64_t size = l.shape.dims[dim_of(axis)];
    int64_t stride = l.conv.window.stride[axis];
    int64_t outputs = (size + stride - 1) / stride;
    int64_t total = (outputs - 1) * stride + reach_of(&l, axis) - size;
    total = total > 0 ? total : 0;
    l.conv.window.pad[2 * axis] = total / 2;
    l.conv.window.pad[2 * axis + 1] = total - total / 2;
  }
  return finish(&l);
}

// A convolution over the result has to give as many elements as the input has.
static bool place_axis(volume_layer *l, size_t axis, int64_t output) {
  xc_graph_window3d *w = &l->conv.window;
  int64_t size = l->shape.dims[dim_of(axis)], stride = w->stride[axis];
  int64_t reach = reach_of(l, axis);
  int64_t back = l->same ? (output + stride - 1) / stride
                         : (output - reach + stride) / stride;
  if (output < 1 || output > INT32_MAX || back != size)
    return xc_tflite_error(
        l->c,
        "cannot have %" PRId64 " elements in dimension %zu: a convolution over "
        "so many gives %" PRId64 ", but the input has %" PRId64,
        output, dim_of(axis), back, size);
  xc_tflite_transposed_axis a =
      xc_tflite_place_transposed(size, output, reach, stride, l->same);
  w->pad[2 * axis] = a.before;
  w->pad[2 * axis + 1] = a.after;
  l->conv.output_padding[axis] = a.extra;
  return true;
}

bool xc_tflite_transpose_conv3d(xc_tflite_context *c) {
  enum { SHAPE_INPUT = 0 };
  volume_layer l = {.c = c, .input = 2, .weight = 1, .bias = 3};
  int64_t output[5];
  size_t count;
  l.conv.transposed = true;
  if (!xc_tflite_ints(c, SHAPE_INPUT, output, 5, &count) || !read_layer(&l) ||
      !read_window(&l))
    return false;
  if (count != 5)
    return xc_tflite_error(c, "output shape has %zu entries, expected 5",
                           count);
  if (output[0] != l.shape.dims[0] || output[4] != l.kernel->dims[3])
    return xc_tflite_error(
        c,
        "output shape asks for batch %" PRId64 " and %" PRId64
        " channels, expected %" PRId64 " and %" PRId64,
        output[0], output[4], l.shape.dims[0], l.kernel->dims[3]);
  for (size_t axis = 0; axis <= DEPTH; ++axis)
    if (!place_axis(&l, axis, output[dim_of(axis)]))
      return false;
  return finish(&l);
}
