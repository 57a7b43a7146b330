//===- OpsLayerNorm.c - normalisations over the last dimensions -----------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// detail, of all handlers: 1 divides by the root of the mean square (RMS), 0
// by the deviation from the mean.
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include <inttypes.h>

static const MlirValue none = {NULL};

/// A normalisation: its type, its precision, and the axes that it runs over.
typedef struct layer {
  xc_element element, stash;
  xc_onnx_reduction_axes axes;
  double epsilon;
} layer;

// Statistics of short floats are computed in `stash_type`; long ones stay.
static bool read_layer(xc_onnx_importer *im, const xc_shape *shape,
                       int64_t first, float epsilon, layer *l) {
  enum { FLOAT = 1 };
  int64_t type = xc_onnx_int(im, "stash_type", FLOAT);
  size_t axis;
  *l = (layer){.element = shape->element,
               .stash = xc_onnx_element((int32_t)type),
               .axes = {.order = xc_graph_identity(shape->rank)},
               .epsilon = (double)xc_onnx_float(im, "epsilon", epsilon)};
  if (!xc_element_is_float(l->stash))
    return xc_onnx_error(
        im, "attribute 'stash_type' is %" PRId64 ", expected a type of floats",
        type);
  if (xc_element_size(l->stash) <= xc_element_size(l->element))
    l->stash = l->element;
  if (!xc_graph_axis(&im->graph, first, shape->rank, &axis))
    return false;
  for (size_t i = axis; i < shape->rank; ++i)
    l->axes.axes[l->axes.count++] = (int64_t)i;
  return true;
}

// x / sqrt(mean of x^2 + epsilon)
static xc_onnx_moments emit_by_root(xc_onnx_importer *im, MlirValue x,
                                    layer *l) {
  xc_graph *graph = &im->graph;
  MlirValue y = xc_graph_emit_binary(graph, "square", XC_TIR_MUL, x, x);
  l->axes.keep_dims = true;
  y = xc_onnx_emit_reduction(im, XC_TIR_REDUCTION_MEAN, y, &l->axes);
  y = xc_graph_emit_with(graph, "epsilon", XC_TIR_ADD, y, l->epsilon);
  y = xc_graph_emit_binary(graph, "sqrt", XC_TIR_SQRT, y, none);
  return (xc_onnx_moments){
      .deviation = y,
      .normal = xc_graph_emit_binary(graph, "normal", XC_TIR_DIV, x, y)};
}

static MlirValue emit_as(xc_onnx_importer *im, MlirValue x, xc_element from,
                         xc_element to) {
  return from == to ? x : xc_graph_emit_cast(&im->graph, "cast", x, to);
}

// normal * scale + bias in the input's type; inputs of these numbers.
static MlirValue emit_normal(xc_onnx_importer *im, MlirValue x, layer *l,
                             size_t scale, size_t bias, xc_onnx_moments *m) {
  x = emit_as(im, x, l->element, l->stash);
  *m = im->row->detail ? emit_by_root(im, x, l)
                       : xc_onnx_emit_moments(im, x, &l->axes, l->epsilon);
  const size_t inputs[] = {scale, bias};
  MlirValue y = emit_as(im, m->normal, l->stash, l->element);
  for (size_t i = 0; i < 2; ++i) {
    xc_graph_value *factor = inputs[i] ? xc_onnx_input(im, inputs[i]) : NULL;
    if (factor)
      y = xc_graph_emit_binary(&im->graph, i == 0 ? "scale" : "bias",
                               i == 0 ? XC_TIR_MUL : XC_TIR_ADD, y,
                               xc_graph_get_plain(&im->graph, factor));
  }
  return y;
}

// Outputs of training: the mean, and 1 / deviation.
static bool result_statistics(xc_onnx_importer *im, const layer *l,
                              const xc_onnx_moments *m, size_t inverse) {
  if (!im->row->detail && xc_onnx_has_output(im, 1) &&
      !xc_onnx_result_plain(im, 1, m->mean))
    return false;
  if (!xc_onnx_has_output(im, inverse))
    return true;
  MlirValue one = xc_graph_emit_number(&im->graph, 1, l->stash);
  return xc_onnx_result_plain(im, inverse,
                              xc_graph_emit_binary(&im->graph, "inverse",
                                                   XC_TIR_DIV, one,
                                                   m->deviation));
}

// Over the dimensions from `axis` on, with a scale and bias of their shape.
bool xc_onnx_layer_normalization(xc_onnx_importer *im) {
  xc_graph_value *value;
  layer l;
  xc_onnx_moments m;
  bool by_root = im->row->detail != 0;
  if (!xc_onnx_need_input(im, 0, &value) ||
      !read_layer(im, &value->shape, xc_onnx_int(im, "axis", -1), 1e-5f, &l))
    return false;
  MlirValue y = emit_normal(im, xc_graph_get_plain(&im->graph, value), &l, 1,
                            by_root ? 0 : 2, &m);
  return xc_onnx_result_plain(im, 0, y) &&
         result_statistics(im, &l, &m, by_root ? 1 : 2);
}

// The same of input + skip + bias over the last dimension; output 3 is that
// sum.
bool xc_onnx_skip_layer_normalization(xc_onnx_importer *im) {
  enum { SUM = 3 };
  xc_graph_value *input, *skip, *bias;
  layer l;
  xc_onnx_moments m;
  bool by_root = im->row->detail != 0;
  if (!xc_onnx_need_input(im, 0, &input) || !xc_onnx_need_input(im, 1, &skip) ||
      !read_layer(im, &input->shape, -1, 1e-12f, &l))
    return false;
  xc_graph *graph = &im->graph;
  MlirValue x = xc_graph_emit_binary(graph, "skip", XC_TIR_ADD,
                                     xc_graph_get_plain(graph, input),
                                     xc_graph_get_plain(graph, skip));
  if ((bias = xc_onnx_input(im, by_root ? 3 : 4)))
    x = xc_graph_emit_binary(graph, "sum", XC_TIR_ADD, x,
                             xc_graph_get_plain(graph, bias));
  MlirValue y = emit_normal(im, x, &l, 2, by_root ? 0 : 3, &m);
  return xc_onnx_result_plain(im, 0, y) && result_statistics(im, &l, &m, 2) &&
         (!xc_onnx_has_output(im, SUM) || xc_onnx_result_plain(im, SUM, x));
}
