//===- OpsNormalize.c - numbers for each channel --------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/// The pairs of fix points of a layer with weights.
enum { WEIGHT_PAIR = 2, BIAS_PAIR = 3 };

enum { CHANNELS = 1 };

//===----------------------------------------------------------------------===//
// scale * x + bias
//===----------------------------------------------------------------------===//

// In fixed point it is a convolution of one element for each channel.
static bool emit_fixed_affine(xc_caffe_importer *im, xc_graph_value *value,
                              xc_graph_value *scale, xc_graph_value *bias) {
  static const int64_t one[] = {1, 1};
  int64_t dims[] = {1, 1, 1, value->shape.dims[CHANNELS]};
  xc_graph *g = &im->graph;
  MlirValue operands[] = {
      xc_graph_get_channels_last(g, value),
      xc_caffe_fix_weight(
          im, "weight_fix",
          xc_graph_get_plain(g, xc_graph_reshape(g, scale, dims, 4)),
          WEIGHT_PAIR),
      bias ? xc_caffe_fix_weight(im, "bias_fix", xc_graph_get_plain(g, bias),
                                 BIAS_PAIR)
           : (MlirValue){NULL}};
  const xc_attribute attributes[] = {xc_ints("kernel", one, 2),
                                     xc_ints("stride", one, 2)};
  xc_graph_order order = xc_graph_channels_last(4);
  return xc_caffe_top_computed(
      im, 0,
      xc_graph_emit(g, NULL, XC_TIR_DEPTHWISE_CONV2D, operands, bias ? 3 : 2,
                    XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE),
      &order);
}

// `scale` and `bias` are vectors over dimension `axis`; `bias` may be null.
static bool emit_affine(xc_caffe_importer *im, xc_graph_value *value,
                        xc_graph_value *scale, xc_graph_value *bias,
                        size_t axis) {
  xc_caffe_position ignored;
  if (value->shape.rank == 4 && axis == CHANNELS &&
      xc_caffe_find_position(im, WEIGHT_PAIR, &ignored))
    return emit_fixed_affine(im, value, scale, bias);
  xc_graph_order order = xc_graph_cheapest(value);
  MlirValue operands[] = {xc_graph_get(&im->graph, value, &order),
                          xc_graph_get_plain(&im->graph, scale),
                          bias ? xc_graph_get_plain(&im->graph, bias)
                               : (MlirValue){NULL}};
  const xc_attribute attributes[] = {
      xc_int("axis", (int64_t)xc_graph_position(&order, axis))};
  return xc_caffe_top_computed(
      im, 0,
      xc_graph_emit(&im->graph, NULL, XC_TIR_SCALE, operands, bias ? 3 : 2,
                    XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE),
      &order);
}

// The dimensions [axis, axis + num_axes) of the bottom, others 1, and how many
// there are.
static bool affine_dims(xc_caffe_importer *im, const xc_graph_value *value,
                        size_t axis, int64_t dims[XC_MAX_RANK], size_t *count) {
  int64_t given = xc_caffe_int(im, "num_axes", 1);
  size_t rank = value->shape.rank;
  if (given < -1 || given > (int64_t)(rank - axis))
    return xc_caffe_error(im, "its num_axes is %" PRId64, given);
  *count = given < 0 ? rank - axis : (size_t)given;
  for (size_t i = 0; i < rank; ++i)
    dims[i] = i >= axis && i < axis + *count ? value->shape.dims[i] : 1;
  return true;
}

static MlirValue emit_broadcast(xc_caffe_importer *im, const char *part,
                                xc_op_kind kind, xc_graph_value *value,
                                xc_graph_value *with, xc_graph_order *order) {
  xc_graph_value *values[] = {value, with};
  MlirValue operands[2];
  if (!xc_graph_broadcast(&im->graph, values, 2, operands, order))
    return (MlirValue){NULL};
  return xc_graph_emit(&im->graph, part, kind, operands, 2, NULL,
                       XC_ELEMENT_NONE);
}

// One operand of the layer, blob `index` or bottom 1, in the rank of the
// bottom.
static xc_graph_value *affine_operand(xc_caffe_importer *im, size_t index,
                                      xc_caffe_role role,
                                      const xc_graph_value *value,
                                      size_t axis) {
  int64_t dims[XC_MAX_RANK];
  size_t count = 0, rank = value->shape.rank;
  if (im->layer->num_bottoms < 2 || role == CAFFE_BIAS)
    return affine_dims(im, value, axis, dims, &count)
               ? xc_caffe_blob(im, index, role, dims, rank, 0)
               : NULL;
  xc_graph_value *other = xc_caffe_bottom(im, 1);
  if (!other)
    return NULL;
  if (axis + other->shape.rank > rank) {
    xc_caffe_error(im,
                   "bottom '%s' has %zu dimensions from axis %zu on, '%s' %zu",
                   im->layer->bottoms[0], rank - axis, axis,
                   im->layer->bottoms[1], other->shape.rank);
    return NULL;
  }
  for (size_t i = 0; i < rank; ++i)
    dims[i] = i >= axis && i < axis + other->shape.rank
                  ? other->shape.dims[i - axis]
                  : 1;
  return xc_graph_reshape(&im->graph, other, dims, rank);
}

bool xc_caffe_scale(xc_caffe_importer *im) {
  xc_graph_value *value = xc_caffe_bottom(im, 0);
  int64_t dims[XC_MAX_RANK];
  size_t axis, count = 0;
  if (!value ||
      !xc_graph_axis(&im->graph, xc_caffe_int(im, "axis", 1), value->shape.rank,
                     &axis) ||
      !affine_dims(im, value, axis, dims, &count))
    return false;
  bool has_two = im->layer->num_bottoms > 1;
  bool has_bias = xc_caffe_bool(im, "bias_term", false);
  xc_graph_value *scale = affine_operand(im, 0, CAFFE_GAIN, value, axis);
  xc_graph_value *bias =
      has_bias && scale
          ? affine_operand(im, has_two ? 0 : 1, CAFFE_BIAS, value, axis)
          : NULL;
  if (!scale || (has_bias && !bias))
    return false;
  if (!has_two && count == 1)
    return emit_affine(
        im, value, xc_graph_reshape(&im->graph, scale, &dims[axis], 1),
        has_bias ? xc_graph_reshape(&im->graph, bias, &dims[axis], 1) : NULL,
        axis);
  xc_graph_order order;
  MlirValue x = emit_broadcast(im, has_bias ? "scaled" : NULL, XC_TIR_MUL,
                               value, scale, &order);
  if (has_bias && !mlirValueIsNull(x)) {
    xc_graph_value *scaled =
        xc_graph_computed(&im->graph, im->graph.node, x, &order);
    x = emit_broadcast(im, NULL, XC_TIR_ADD, scaled, bias, &order);
  }
  return xc_caffe_top_computed(im, 0, x, &order);
}

bool xc_caffe_bias(xc_caffe_importer *im) {
  xc_graph_value *value = xc_caffe_bottom(im, 0);
  size_t axis;
  xc_graph_order order;
  if (!value || !xc_graph_axis(&im->graph, xc_caffe_int(im, "axis", 1),
                               value->shape.rank, &axis))
    return false;
  xc_caffe_role role = im->layer->num_bottoms > 1 ? CAFFE_GAIN : CAFFE_BIAS;
  xc_graph_value *bias = affine_operand(im, 0, role, value, axis);
  return bias &&
         xc_caffe_top_computed(
             im, 0, emit_broadcast(im, NULL, XC_TIR_ADD, value, bias, &order),
             &order);
}

//===----------------------------------------------------------------------===//
// Batch normalisation
//===----------------------------------------------------------------------===//

/// Vectors over the channels; gamma and beta may be null.
typedef struct statistics {
  xc_graph_value *gamma, *beta, *mean, *variance;
} statistics;

// Returns a blob divided by the factor in blob 2, which counts what was added
// up.
static xc_graph_value *divided(xc_caffe_importer *im, xc_graph_value *sum,
                               const char *part, int64_t channels) {
  static const int64_t one = 1;
  float *data;
  xc_graph_value *factor =
      sum ? xc_caffe_blob(im, 2, CAFFE_GAIN, &one, 1, 0) : NULL;
  xc_graph_value *result =
      factor ? xc_caffe_new_constant(im, part, &channels, 1, &data) : NULL;
  if (!result)
    return NULL;
  float by = im->graph.options.randomWeights ? 1 : *xc_caffe_floats(im, factor);
  const float *from = xc_caffe_floats(im, sum);
  for (int64_t i = 0; i < channels; ++i)
    data[i] = by == 0 ? 0 : from[i] / by;
  return result;
}

static bool read_statistics(xc_caffe_importer *im, int64_t channels,
                            statistics *s) {
  bool has_affine = xc_caffe_num_blobs(im) >= 4 || im->layer->row->blobs >= 4;
  *s = (statistics){.gamma = NULL};
  if (has_affine) {
    s->gamma = xc_caffe_blob(im, 0, CAFFE_GAIN, &channels, 1, 0);
    s->beta = xc_caffe_blob(im, 1, CAFFE_BIAS, &channels, 1, 0);
    s->mean = xc_caffe_blob(im, 2, CAFFE_BIAS, &channels, 1, 0);
    s->variance = xc_caffe_blob(im, 3, CAFFE_VARIANCE, &channels, 1, 0);
    return s->variance != NULL;
  }
  s->mean = divided(im, xc_caffe_blob(im, 0, CAFFE_BIAS, &channels, 1, 0),
                    "mean", channels);
  s->variance =
      divided(im, xc_caffe_blob(im, 1, CAFFE_VARIANCE, &channels, 1, 0),
              "variance", channels);
  return s->mean && s->variance;
}

// In quantised nets gamma holds the whole factor and beta the whole bias; the
// mean is 0 and the variance 1, to which epsilon is not added.
static bool emit_bound(xc_caffe_importer *im, xc_graph_value *value,
                       const statistics *s) {
  int64_t channels = value->shape.dims[CHANNELS];
  float *scale, *bias;
  xc_graph_value *factor =
      xc_caffe_new_constant(im, "scale", &channels, 1, &scale);
  xc_graph_value *offset =
      factor ? xc_caffe_new_constant(im, "bias", &channels, 1, &bias) : NULL;
  if (!offset)
    return false;
  const float *gamma = xc_caffe_floats(im, s->gamma);
  const float *beta = xc_caffe_floats(im, s->beta);
  const float *mean = xc_caffe_floats(im, s->mean);
  const float *variance = xc_caffe_floats(im, s->variance);
  for (int64_t i = 0; i < channels; ++i) {
    scale[i] = gamma[i] / sqrtf(variance[i]);
    bias[i] = beta[i] - mean[i] * scale[i];
  }
  return emit_affine(im, value, factor, offset, CHANNELS);
}

bool xc_caffe_batch_norm(xc_caffe_importer *im) {
  statistics s;
  xc_caffe_position ignored;
  xc_graph *g = &im->graph;
  xc_graph_value *value = xc_caffe_bottom_of_rank(im, 0, 2, XC_MAX_RANK);
  double epsilon = xc_caffe_real(im, "eps", 1e-5);
  if (!value || !read_statistics(im, value->shape.dims[CHANNELS], &s))
    return false;
  if (s.gamma && xc_caffe_find_position(im, WEIGHT_PAIR, &ignored))
    return emit_bound(im, value, &s);
  xc_graph_order order = xc_graph_cheapest(value);
  MlirValue operands[] = {
      xc_graph_get(g, value, &order), xc_graph_get_plain(g, s.mean),
      xc_graph_get_plain(g, s.variance),
      s.gamma ? xc_graph_get_plain(g, s.gamma) : (MlirValue){NULL},
      s.beta ? xc_graph_get_plain(g, s.beta) : (MlirValue){NULL}};
  const xc_attribute attributes[] = {
      xc_float("epsilon", epsilon),
      xc_int("axis", (int64_t)xc_graph_position(&order, CHANNELS))};
  return xc_caffe_top_computed(
      im, 0,
      xc_graph_emit(g, NULL, XC_TIR_BATCHNORM, operands, s.gamma ? 5 : 3,
                    XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE),
      &order);
}

//===----------------------------------------------------------------------===//
// Normalisation by the length
//===----------------------------------------------------------------------===//

// x / sqrt(sum of squares + eps), over the channels or over all of an image,
// times blob 0.
bool xc_caffe_normalize(xc_caffe_importer *im) {
  xc_graph *g = &im->graph;
  xc_graph_value *value = xc_caffe_bottom_of_rank(im, 0, 4, 4);
  bool across = xc_caffe_bool(im, "across_spatial", true);
  bool shared = xc_caffe_bool(im, "channel_shared", true);
  double epsilon = xc_caffe_real(im, "eps", 1e-10);
  if (!value)
    return false;
  int64_t dims[] = {1, shared ? 1 : value->shape.dims[CHANNELS], 1, 1};
  xc_graph_value *gain = xc_caffe_blob(im, 0, CAFFE_GAIN, dims, 4, 0);
  if (!gain)
    return false;
  static const int64_t axes[] = {3, 1, 2};
  const xc_attribute attributes[] = {xc_ints("axis", axes, across ? 3 : 1),
                                     xc_bool("keep_dims", true)};
  MlirValue x = xc_graph_get_channels_last(g, value);
  MlirValue square = xc_graph_emit_binary(g, "square", XC_TIR_MUL, x, x);
  MlirValue sum = xc_graph_emit(g, "sum", XC_TIR_REDUCTION_SUM, &square, 1,
                                XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
  sum = xc_graph_emit_with(g, "eps", XC_TIR_ADD, sum, epsilon);
  MlirValue length =
      xc_graph_emit_binary(g, "length", XC_TIR_SQRT, sum, (MlirValue){NULL});
  MlirValue unit = xc_graph_emit_binary(g, "unit", XC_TIR_DIV, x, length);
  MlirValue factor = xc_caffe_fix_weight(
      im, "weight_fix", xc_graph_get_channels_last(g, gain), WEIGHT_PAIR);
  xc_graph_order order = xc_graph_channels_last(4);
  return xc_caffe_top_computed(
      im, 0, xc_graph_emit_binary(g, NULL, XC_TIR_MUL, unit, factor), &order);
}
