//===- OpsVolume.c - convolution and pooling over three dimensions --------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include "Frontend/Graph/Volume.h"

#include <inttypes.h>

// Returns where a width, height or depth stands in a shape or list of the node.
static size_t dim_of(const xc_tf_importer *im, size_t axis) {
  return xc_tf_channel_dim(im, 5) == 1 ? 4 - axis : 3 - axis;
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

// One of the lists of five numbers.
static bool read_list(xc_tf_importer *im, const char *name, int64_t sizes[3]) {
  const int64_t most = UINT16_MAX;
  int64_t list[5] = {1, 1, 1, 1, 1};
  if (!xc_tf_ints(im, name, list, 5))
    return false;
  if (list[0] != 1 || list[xc_tf_channel_dim(im, 5)] != 1)
    return xc_tf_error(im, "its %s reach over batch or channels", name);
  for (size_t axis = 0; axis < 3; ++axis) {
    sizes[axis] = list[dim_of(im, axis)];
    if (sizes[axis] < 1 || sizes[axis] > most)
      return xc_tf_error(im, "its %s have %" PRId64, name, sizes[axis]);
  }
  return true;
}

static int64_t reach_of(const xc_graph_window3d *w, size_t axis) {
  return (w->kernel[axis] - 1) * w->dilation[axis] + 1;
}

// Padding for a volume of this shape.
static bool read_padding(xc_tf_importer *im, const xc_shape *shape,
                         xc_graph_window3d *w) {
  bool is_same = xc_tf_is(im, "padding", "SAME", false);
  if (!is_same && !xc_tf_is(im, "padding", "VALID", false))
    return xc_tf_error(im, "its padding is none of SAME and VALID");
  for (size_t axis = 0; axis < 3; ++axis) {
    int64_t size = shape->dims[dim_of(im, axis)], stride = w->stride[axis];
    int64_t total =
        ((size + stride - 1) / stride - 1) * stride + reach_of(w, axis) - size;
    total = is_same && total > 0 ? total : 0;
    w->pad[2 * axis] = total / 2;
    w->pad[2 * axis + 1] = total - total / 2;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

/// A convolution that may still get a bias.
struct xc_tf_volume_conv {
  MlirValue result;
  xc_graph_conv3d conv;
  xc_tf_volume_conv *next;
};

static bool result_conv(xc_tf_importer *im, const xc_graph_conv3d *conv) {
  xc_graph_order order = xc_tf_image_order(im, 5);
  MlirValue result = xc_graph_emit_conv3d(&im->graph, conv);
  xc_tf_volume_conv *entry =
      xc_arena_alloc(&im->graph.arena, 1, sizeof(*entry));
  *entry = (xc_tf_volume_conv){result, *conv, im->volumes};
  im->volumes = entry;
  return xc_tf_result_computed(im, 0, result, &order);
}

MlirValue xc_tf_add_volume_bias(xc_tf_importer *im,
                                const xc_graph_value *product,
                                xc_graph_value *bias) {
  const char *node = im->graph.node;
  const xc_tf_volume_conv *entry = im->volumes;
  if (!product->forms)
    return (MlirValue){NULL};
  while (entry && !mlirValueEqual(entry->result, product->forms->value))
    entry = entry->next;
  if (!entry || bias->shape.dims[0] != xc_value_shape(entry->result).dims[4])
    return (MlirValue){NULL};
  xc_graph_conv3d conv = entry->conv;
  conv.bias = xc_tf_get_plain(im, bias);
  // The convolution keeps its name; without readers the first one goes.
  im->graph.node = product->op_name;
  MlirValue result = xc_graph_emit_conv3d(&im->graph, &conv);
  im->graph.node = node;
  return result;
}

static bool read_weight(xc_tf_importer *im, xc_graph_conv3d *conv,
                        const xc_graph_value *input, xc_graph_value *weight) {
  // [d, h, w, in, out] or, transposed, [d, h, w, out, in].
  const xc_graph_order order = {{4, 3, 0, 1, 2}};
  const int64_t *d = weight->shape.dims;
  int64_t channels = input->shape.dims[xc_tf_channel_dim(im, 5)];
  int64_t each = d[conv->transposed ? 4 : 3];
  if (weight->note)
    return xc_tf_error(im,
                       "its weight is in fixed point, which volumes are not");
  conv->group = each < 1 || conv->transposed ? 1 : channels / each;
  if (each < 1 || conv->group < 1 || channels != conv->group * each ||
      d[4] % conv->group != 0)
    return xc_tf_error(im,
                       "its weight is for %" PRId64 " channels, the input "
                       "has %" PRId64,
                       each, channels);
  for (size_t axis = 0; axis < 3; ++axis)
    conv->window.kernel[axis] = d[2 - axis];
  conv->weight = xc_graph_transpose(&im->graph, weight, &order);
  return conv->weight != NULL;
}

static bool read_conv(xc_tf_importer *im, xc_graph_conv3d *conv, size_t index,
                      xc_graph_value **input) {
  xc_graph_order order = xc_tf_image_order(im, 5);
  xc_graph_value *weight = xc_tf_input_of_rank(im, 1, 5, 5);
  *input = weight ? xc_tf_input_of_rank(im, index, 5, 5) : NULL;
  if (!*input || !read_list(im, "strides", conv->window.stride) ||
      !read_list(im, "dilations", conv->window.dilation) ||
      !read_weight(im, conv, *input, weight))
    return false;
  conv->input = xc_tf_get(im, *input, &order);
  return !mlirValueIsNull(conv->input);
}

bool xc_tf_conv_volume(xc_tf_importer *im) {
  xc_graph_conv3d conv = {.transposed = false};
  xc_graph_value *input;
  return read_conv(im, &conv, 0, &input) &&
         read_padding(im, &input->shape, &conv.window) &&
         result_conv(im, &conv);
}

// The gradient of a convolution: its padding is that of the convolution from
// the result's shape, input 0, to that of input 2.
bool xc_tf_conv_transpose_volume(xc_tf_importer *im) {
  xc_graph_conv3d conv = {.transposed = true};
  xc_graph_value *input;
  int64_t dims[5];
  size_t count;
  xc_shape wanted;
  xc_graph_window3d *w = &conv.window;
  if (!read_conv(im, &conv, 2, &input) ||
      !xc_tf_input_ints(im, 0, dims, 5, &count))
    return false;
  if (count != 5 || !xc_graph_check_dims(&im->graph, im->graph.node, dims, 5,
                                         input->shape.element, &wanted))
    return xc_tf_error(im, "the shape of its result has %zu dimensions", count);
  if (!read_padding(im, &wanted, w))
    return false;
  for (size_t axis = 0; axis < 3; ++axis) {
    size_t dim = dim_of(im, axis);
    int64_t full =
        (input->shape.dims[dim] - 1) * w->stride[axis] + reach_of(w, axis);
    int64_t out =
        wanted.dims[dim] - full + w->pad[2 * axis] + w->pad[2 * axis + 1];
    if (out < 0 || out > UINT16_MAX)
      return xc_tf_error(im, "the shape of its result does not fit its input");
    conv.output_padding[axis] = out;
  }
  return result_conv(im, &conv);
}

//===----------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------===//

static MlirValue pool_image(void *context, const char *part, MlirValue image,
                            const xc_graph_window3d *w) {
  xc_tf_importer *im = context;
  const xc_attribute attributes[] = {
      xc_ints("kernel", w->kernel, 2), xc_ints("stride", w->stride, 2),
      xc_ints("dilation", w->dilation, 2), xc_ints("pad", w->pad, 4),
      xc_string("pad_mode", "FLOOR")};
  return xc_graph_emit(&im->graph, part, (xc_op_kind)im->node->row->detail,
                       &image, 1, XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
}

bool xc_tf_pool_volume(xc_tf_importer *im) {
  xc_graph_value *input = xc_tf_input_of_rank(im, 0, 5, 5);
  xc_graph_window3d w = {.dilation = {1, 1, 1}};
  xc_graph_order order = xc_tf_image_order(im, 5);
  if (!input || !read_list(im, "ksize", w.kernel) ||
      !read_list(im, "strides", w.stride) ||
      !read_padding(im, &input->shape, &w))
    return false;
  return xc_tf_result_computed(
      im, 0,
      xc_graph_emit_pool3d(&im->graph, xc_tf_get(im, input, &order), &w,
                           pool_image, im),
      &order);
}
