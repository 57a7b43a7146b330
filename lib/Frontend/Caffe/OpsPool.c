//===- OpsPool.c - pools, reductions and windows of channels --------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include "xc-c/FixedPoint.h"

#include <inttypes.h>

/// Positions in a shape of NCHW.
enum { N, C, H, W };

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// A pool's window along one axis.
typedef struct pool_axis {
  int64_t kernel, stride, pad;
  int64_t tail;  // the padding behind, with which rounding down is right
  bool extends;  // the last window reaches beyond the padding
  bool is_empty; // the last window holds nothing
  bool reaches;  // it would do so with tir's CEIL though it must not
} pool_axis;

static bool read_axis(xc_caffe_importer *im, bool is_width, int64_t size,
                      pool_axis *axis) {
  const int64_t most = UINT16_MAX;
  axis->kernel = xc_caffe_int(im, is_width ? "kernel_w" : "kernel_h",
                              xc_caffe_int(im, "kernel_size", 0));
  axis->stride = xc_caffe_int(im, is_width ? "stride_w" : "stride_h",
                              xc_caffe_int(im, "stride", 1));
  axis->pad = xc_caffe_int(im, is_width ? "pad_w" : "pad_h",
                           xc_caffe_int(im, "pad", 0));
  if (xc_caffe_bool(im, "global_pooling", false))
    *axis = (pool_axis){.kernel = size, .stride = 1};
  if (xc_graph_failed(&im->graph))
    return false;
  if (axis->kernel < 1 || axis->kernel > most || axis->stride < 1 ||
      axis->stride > most || axis->pad < 0 || axis->pad >= axis->kernel)
    return xc_caffe_error(im,
                          "its window has size %" PRId64 ", stride %" PRId64
                          " and padding %" PRId64,
                          axis->kernel, axis->stride, axis->pad);
  if (size + 2 * axis->pad < axis->kernel)
    return xc_caffe_error(im,
                          "its window of %" PRId64 " is larger than the "
                          "padded image of %" PRId64,
                          axis->kernel, size + 2 * axis->pad);
  return true;
}

// Caffe rounds the number of windows up, but of a pool that is padded along any
// axis none begins after the image and its first padding.
static void place_windows(int64_t size, bool rounds_down, bool is_padded,
                          pool_axis *axis) {
  int64_t free = size + 2 * axis->pad - axis->kernel;
  int64_t last = free / axis->stride * axis->stride;
  if (!rounds_down && last < free)
    last += axis->stride;
  if (is_padded && last >= size + axis->pad)
    last -= axis->stride;
  axis->is_empty = last >= size + axis->pad;
  int64_t tail = last + axis->kernel - size - axis->pad;
  axis->extends = tail > axis->pad;
  axis->tail = tail < 0 ? 0 : axis->extends ? axis->pad : tail;
  int64_t rest = size + axis->pad + axis->tail - axis->kernel;
  axis->reaches = !axis->extends && rest % axis->stride != 0;
}

//===----------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------===//

static MlirValue emit_pool(xc_caffe_importer *im, const char *part,
                           bool average, MlirValue input, const pool_axis *h,
                           const pool_axis *w) {
  bool ceils = h->extends || w->extends;
  int64_t kernel[] = {w->kernel, h->kernel}, stride[] = {w->stride, h->stride};
  int64_t pad[] = {w->pad, w->tail, h->pad, h->tail};
  const xc_attribute attributes[] = {
      xc_ints("kernel", kernel, 2), xc_ints("stride", stride, 2),
      xc_ints("pad", pad, 4), xc_string("pad_mode", ceils ? "CEIL" : "FLOOR"),
      xc_bool("count_include_pad", true)};
  return xc_graph_emit(
      &im->graph, part, average ? XC_TIR_AVGPOOL2D : XC_TIR_MAXPOOL2D, &input,
      1, &(xc_attributes){attributes, average ? 5 : 4}, XC_ELEMENT_NONE);
}

// How much larger the DPU's average of a kernel is than the quotient.
static double dpu_ratio(const pool_axis *h, const pool_axis *w) {
  XcAvgFactor f = xcAvgPoolFactor(h->kernel, w->kernel);
  return (double)(f.factor * h->kernel * w->kernel) /
         (double)(INT64_C(1) << f.shift);
}

static MlirValue emit_ratio(xc_caffe_importer *im, MlirValue average,
                            double ratio) {
  return ratio == 1 ? average
                    : xc_graph_emit_with(&im->graph, "dpu_factor", XC_TIR_MUL,
                                         average, ratio);
}

/// The windows of a pool along one axis that have one size.
typedef struct pool_part {
  pool_axis axis;
  int64_t begin, end; // of the padded image
} pool_part;

// Only the last window of an axis can be cut off.
static size_t split_axis(const pool_axis *axis, int64_t size,
                         pool_part parts[2]) {
  int64_t padded = size + axis->pad + axis->tail, count = 0;
  int64_t whole = (padded - axis->kernel) / axis->stride + 1;
  parts[count++] =
      (pool_part){{.kernel = axis->kernel, .stride = axis->stride}, 0, padded};
  if (axis->extends) {
    int64_t begin = whole * axis->stride;
    parts[count++] =
        (pool_part){{.kernel = padded - begin, .stride = 1}, begin, padded};
  }
  return (size_t)count;
}

static MlirValue emit_part(xc_caffe_importer *im, MlirValue input, double ratio,
                           const pool_part *h, const pool_part *w) {
  xc_shape shape;
  if (mlirValueIsNull(input))
    return input;
  xc_shape_of_type(mlirValueGetType(input), &shape);
  int64_t begin[] = {0, h->begin, w->begin, 0}, one[] = {1, 1, 1, 1};
  int64_t end[] = {shape.dims[0], h->end, w->end, shape.dims[3]};
  const xc_attribute attributes[] = {xc_ints("begin", begin, 4),
                                     xc_ints("end", end, 4),
                                     xc_ints("strides", one, 4)};
  if (h->begin || w->begin)
    input = xc_graph_emit(&im->graph, "edge", XC_TIR_STRIDED_SLICE, &input, 1,
                          XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
  return emit_ratio(im, emit_pool(im, "part", true, input, &h->axis, &w->axis),
                    ratio);
}

// Every window's average is multiplied with the factor of the whole kernel;
// those that the edge cuts off are pools of their own.
static MlirValue emit_cut_average(xc_caffe_importer *im, const xc_shape *shape,
                                  MlirValue input, const pool_axis *h,
                                  const pool_axis *w) {
  pool_part rows[2], columns[2];
  size_t num_rows = split_axis(h, shape->dims[H], rows);
  size_t num_columns = split_axis(w, shape->dims[W], columns);
  double ratio = dpu_ratio(h, w);
  int64_t paddings[] = {0, 0, h->pad, h->tail, w->pad, w->tail, 0, 0};
  const xc_attribute attributes[] = {xc_ints("paddings", paddings, 8)};
  const xc_attribute across[] = {xc_int("axis", 2)};
  const xc_attribute down[] = {xc_int("axis", 1)};
  if (h->pad || h->tail || w->pad || w->tail)
    input = xc_graph_emit(&im->graph, "pad", XC_TIR_PAD, &input, 1,
                          XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
  MlirValue bands[2];
  for (size_t r = 0; r < num_rows; ++r) {
    MlirValue parts[2];
    for (size_t c = 0; c < num_columns; ++c)
      parts[c] = emit_part(im, input, ratio, &rows[r], &columns[c]);
    bands[r] = num_columns == 1
                   ? parts[0]
                   : xc_graph_emit(&im->graph, num_rows == 1 ? NULL : "row",
                                   XC_TIR_CONCAT, parts, 2,
                                   XC_ATTRIBUTES(across), XC_ELEMENT_NONE);
  }
  return num_rows == 1 ? bands[0]
                       : xc_graph_emit(&im->graph, NULL, XC_TIR_CONCAT, bands,
                                       2, XC_ATTRIBUTES(down), XC_ELEMENT_NONE);
}

bool xc_caffe_pooling(xc_caffe_importer *im) {
  enum { MAX, AVE, STOCHASTIC };
  static const char *const kinds[] = {"MAX", "AVE", "STOCHASTIC"};
  static const char *const modes[] = {"CEIL", "FLOOR"};
  xc_graph_value *input = xc_caffe_bottom_of_rank(im, 0, 4, 4);
  pool_axis h, w;
  size_t kind = xc_caffe_enum(im, "pool", kinds, 3, MAX);
  bool rounds_down = xc_caffe_enum(im, "round_mode", modes, 2, 0) == 1;
  if (!input || !read_axis(im, false, input->shape.dims[H], &h) ||
      !read_axis(im, true, input->shape.dims[W], &w))
    return false;
  if (kind == STOCHASTIC)
    return xc_caffe_error(im, "STOCHASTIC pools are for training");
  if (im->layer->num_tops > 1)
    return xc_caffe_error(im, "the mask of a pool ('%s') is not supported",
                          im->layer->tops[1]);
  bool is_padded = h.pad > 0 || w.pad > 0;
  place_windows(input->shape.dims[H], rounds_down, is_padded, &h);
  place_windows(input->shape.dims[W], rounds_down, is_padded, &w);
  if (h.is_empty || w.is_empty)
    return xc_caffe_error(im, "its last window lies beyond the image");
  bool ceils = h.extends || w.extends, is_fixed = xc_caffe_is_fixed(im);
  if (ceils && (h.reaches || w.reaches))
    return xc_caffe_error(im, "one axis of its windows reaches beyond the "
                              "padding and the other does not come to its end");
  MlirValue x = xc_graph_get_channels_last(&im->graph, input);
  if (kind == AVE && is_fixed && ceils)
    x = emit_cut_average(im, &input->shape, x, &h, &w);
  else
    x = emit_pool(im, NULL, kind == AVE, x, &h, &w);
  if (kind == AVE && is_fixed && !ceils)
    x = emit_ratio(im, x, dpu_ratio(&h, &w));
  xc_graph_order order = xc_graph_channels_last(4);
  return xc_caffe_top_computed(im, 0, x, &order);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

// Over all dimensions from `axis` on.
bool xc_caffe_reduction(xc_caffe_importer *im) {
  enum { SUM = 1, ASUM, SUMSQ, MEAN };
  static const char *const words[] = {"NONE", "SUM", "ASUM", "SUMSQ", "MEAN"};
  xc_graph_value *value = xc_caffe_bottom(im, 0);
  size_t operation = xc_caffe_enum(im, "operation", words, 5, SUM), axis;
  double factor = xc_caffe_real(im, "coeff", 1);
  if (!value || xc_graph_failed(&im->graph))
    return false;
  size_t rank = value->shape.rank;
  if (!xc_graph_axis(&im->graph, xc_caffe_int(im, "axis", 0), rank, &axis))
    return false;
  xc_graph_order order = xc_graph_cheapest(value);
  for (size_t i = 0; i < axis; ++i)
    if (order.dim[i] != i)
      order = xc_graph_identity(rank);
  int64_t axes[XC_MAX_RANK];
  for (size_t i = axis; i < rank; ++i)
    axes[i - axis] = (int64_t)i;
  MlirValue x = xc_graph_get(&im->graph, value, &order);
  if (operation == ASUM)
    x = xc_graph_emit_binary(&im->graph, "abs", XC_TIR_ABS, x,
                             (MlirValue){NULL});
  if (operation == SUMSQ)
    x = xc_graph_emit_binary(&im->graph, "square", XC_TIR_MUL, x, x);
  const xc_attribute attributes[] = {xc_ints("axis", axes, rank - axis)};
  x = xc_graph_emit(&im->graph, factor == 1 ? NULL : "reduced",
                    operation == MEAN ? XC_TIR_REDUCTION_MEAN
                                      : XC_TIR_REDUCTION_SUM,
                    &x, 1, XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
  if (factor != 1)
    x = xc_graph_emit_with(&im->graph, NULL, XC_TIR_MUL, x, factor);
  xc_graph_order plain = xc_graph_identity(axis);
  return xc_caffe_top_computed(im, 0, x, &plain);
}

// The largest along an axis; its index as a float.
bool xc_caffe_argmax(xc_caffe_importer *im) {
  xc_graph_value *value = xc_caffe_bottom(im, 0);
  size_t axis;
  bool has_axis = xc_caffe_field(im, "axis") != NULL;
  if (xc_caffe_int(im, "top_k", 1) != 1 ||
      xc_caffe_bool(im, "out_max_val", false) || !has_axis)
    return xc_caffe_error(im, "only the index of the largest along an axis is "
                              "supported");
  if (!value || !xc_graph_axis(&im->graph, xc_caffe_int(im, "axis", 0),
                               value->shape.rank, &axis))
    return false;
  xc_graph_order order = xc_graph_cheapest(value);
  MlirValue x = xc_graph_get(&im->graph, value, &order);
  const xc_attribute attributes[] = {
      xc_int("axis", (int64_t)xc_graph_position(&order, axis)),
      xc_bool("keep_dims", true)};
  x = xc_graph_emit(&im->graph, "index", XC_TIR_ARGMAX, &x, 1,
                    XC_ATTRIBUTES(attributes), XC_ELEMENT_I64);
  return xc_caffe_top_computed(
      im, 0, xc_graph_emit_cast(&im->graph, NULL, x, XC_ELEMENT_F32), &order);
}

//===----------------------------------------------------------------------===//
// Local response normalisation
//===----------------------------------------------------------------------===//

/// The parameters of the layer.
typedef struct lrn_param {
  int64_t size;
  double alpha, beta, bias;
} lrn_param;

// x * (1 + alpha * average of squares over size x size)^-beta
static bool lrn_within(xc_caffe_importer *im, MlirValue x, const lrn_param *p) {
  int64_t kernel[] = {p->size, p->size}, stride[] = {1, 1};
  int64_t half = (p->size - 1) / 2, pad[] = {half, half, half, half};
  const xc_attribute attributes[] = {
      xc_ints("kernel", kernel, 2), xc_ints("stride", stride, 2),
      xc_ints("pad", pad, 4), xc_string("pad_mode", "FLOOR"),
      xc_bool("count_include_pad", true)};
  xc_graph *g = &im->graph;
  MlirValue square = xc_graph_emit_binary(g, "square", XC_TIR_MUL, x, x);
  MlirValue average = xc_graph_emit(g, "average", XC_TIR_AVGPOOL2D, &square, 1,
                                    XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
  MlirValue scaled =
      xc_graph_emit_with(g, "alpha", XC_TIR_MUL, average, p->alpha);
  MlirValue shifted = xc_graph_emit_with(g, "one", XC_TIR_ADD, scaled, 1);
  MlirValue power =
      xc_graph_emit_with(g, "power", XC_TIR_POW, shifted, -p->beta);
  xc_graph_order order = xc_graph_channels_last(4);
  return xc_caffe_top_computed(
      im, 0, xc_graph_emit_binary(g, NULL, XC_TIR_MUL, x, power), &order);
}

bool xc_caffe_lrn(xc_caffe_importer *im) {
  static const char *const regions[] = {"ACROSS_CHANNELS", "WITHIN_CHANNEL"};
  xc_graph_value *input = xc_caffe_bottom_of_rank(im, 0, 4, 4);
  lrn_param p = {xc_caffe_int(im, "local_size", 5),
                 xc_caffe_real(im, "alpha", 1), xc_caffe_real(im, "beta", 0.75),
                 xc_caffe_real(im, "k", 1)};
  bool is_within = xc_caffe_enum(im, "norm_region", regions, 2, 0) == 1;
  if (!input || xc_graph_failed(&im->graph))
    return false;
  if (p.size < 1 || p.size > UINT16_MAX || p.size % 2 == 0)
    return xc_caffe_error(
        im, "its local_size is %" PRId64 ", expected an odd number", p.size);
  MlirValue x = xc_graph_get_channels_last(&im->graph, input);
  if (is_within)
    return lrn_within(im, x, &p);
  const xc_attribute attributes[] = {
      xc_int("size", p.size), xc_float("alpha", p.alpha),
      xc_float("beta", p.beta), xc_float("bias", p.bias)};
  xc_graph_order order = xc_graph_channels_last(4);
  return xc_caffe_top_computed(im, 0,
                               xc_graph_emit(&im->graph, NULL, XC_TIR_LRN, &x,
                                             1, XC_ATTRIBUTES(attributes),
                                             XC_ELEMENT_NONE),
                               &order);
}
