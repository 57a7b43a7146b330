//===- Matmul.c - products as convolutions --------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Legalize.h"

#include <string.h>

// rows x K times K x N, K last in both; `rows` are the leading dimensions.
typedef struct product {
  MlirValue input, weight, bias;
  xc_shape rows;
  int64_t inner, outputs;
  bool columns_last; // the weight is [K, N], else [N, K]
  /// K is C, H, W of this NHWC image, whose values the weight has to follow;
  /// rank 0: it is as it stands.
  xc_shape planes;
} product;

static bool read_matmul(const xc_adaptor *adaptor, product *p) {
  xc_shape a = xc_operand_shape(adaptor, 0), b = xc_operand_shape(adaptor, 1);
  if (xc_attr_bool(adaptor, XC_ATTR_TRANSPOSE_A) || b.rank != 2)
    return false;
  p->columns_last = !xc_attr_bool(adaptor, XC_ATTR_TRANSPOSE_B);
  p->outputs = b.dims[p->columns_last ? 1 : 0];
  p->inner = a.dims[a.rank - 1];
  p->rows = a;
  --p->rows.rank;
  return true;
}

static bool read_inner_product(const xc_adaptor *adaptor, product *p) {
  xc_shape input = xc_operand_shape(adaptor, 0),
           weight = xc_operand_shape(adaptor, 1);
  int64_t axis = xc_attr_int(adaptor, XC_ATTR_AXIS);
  p->rows = input;
  p->rows.rank = (size_t)(axis < 0 ? axis + (int64_t)input.rank : axis);
  p->outputs = weight.dims[0];
  p->inner = weight.dims[1];
  return true;
}

static bool read_product(const xc_adaptor *adaptor, product *p) {
  *p = (product){.input = xc_operand(adaptor, 0),
                 .weight = xc_operand(adaptor, 1),
                 .bias = xc_operand_or_null(adaptor, 2)};
  xc_element element = xc_value_shape(p->weight).element;
  bool fix = adaptor->info->kind == XC_TIR_MATMUL_FIX;
  if (!xc_is_constant(p->weight) ||
      (fix ? element != XC_ELEMENT_I8 || !xc_has_plain_activation(adaptor)
           : !xc_element_is_float(element)))
    return false;
  return adaptor->info->kind == XC_TIR_INNER_PRODUCT
             ? read_inner_product(adaptor, p)
             : read_matmul(adaptor, p);
}

// The operand of a reshape, flatten or transpose that changes no number.
static bool skip_move(MlirValue *value, xc_op_kind kind, xc_adaptor *adaptor) {
  if (!xc_defining_adaptor(*value, adaptor) || !xc_keeps_numbers(adaptor))
    return false;
  xc_op_kind found = xc_float_kind(adaptor->info->kind);
  if (found != kind && !(kind == XC_TIR_RESHAPE && found == XC_TIR_FLATTEN))
    return false;
  *value = xc_operand(adaptor, 0);
  return true;
}

// The flattening of an image that was transposed to NCHW for it.
static void find_planes(product *p) {
  static const int64_t planar[] = {0, 3, 1, 2};
  MlirValue source = p->input;
  xc_adaptor reshape, transpose;
  int64_t order[XC_MAX_INTS];
  if (p->rows.rank != 1 || !skip_move(&source, XC_TIR_RESHAPE, &reshape) ||
      !skip_move(&source, XC_TIR_TRANSPOSE, &transpose))
    return;
  xc_shape image = xc_value_shape(source);
  if (xc_attr_ints(&transpose, XC_ATTR_ORDER, order) != 4 ||
      memcmp(order, planar, sizeof(planar)) != 0 ||
      image.dims[0] != p->rows.dims[0])
    return;
  p->planes = image;
  p->input = source;
}

// The image whose flattening is multiplied, when a kernel can cover it.
static bool find_feature_map(const XcDpuTarget *target, product *p,
                             xc_shape *image) {
  if (p->rows.rank != 1)
    return false;
  MlirValue source = p->input;
  xc_adaptor adaptor;
  if (xc_value_shape(source).rank != 4 &&
      xc_defining_adaptor(source, &adaptor) &&
      (adaptor.info->kind == XC_TIR_RESHAPE ||
       adaptor.info->kind == XC_TIR_FLATTEN ||
       (adaptor.info->kind == XC_TIR_RESHAPE_FIX &&
        xc_keeps_numbers(&adaptor))))
    source = xc_operand(&adaptor, 0);
  xc_shape shape = xc_value_shape(source);
  if (shape.rank != 4 || shape.dims[0] != p->rows.dims[0] ||
      shape.dims[1] * shape.dims[2] == 1 ||
      !xc_target_takes_conv(target, shape.dims[2], shape.dims[1], shape.dims[3],
                            p->outputs))
    return false;
  p->input = source;
  *image = shape;
  return true;
}

// One row per pixel: [N, 1, rows, K], or as it stands with four dimensions.
static bool make_pixels(const product *p, xc_shape *image) {
  *image = p->rows;
  image->rank = 4;
  image->dims[3] = p->inner;
  switch (p->rows.rank) {
  case 1:
    image->dims[1] = image->dims[2] = 1;
    return true;
  case 2:
    image->dims[2] = p->rows.dims[1];
    image->dims[1] = 1;
    return true;
  case 3:
    return true;
  }
  return false;
}

// More values than channels fit become an image that one kernel covers; the
// smallest one.
static bool fold_channels(const XcDpuTarget *target, const product *p,
                          xc_shape *image) {
  int64_t best = 0;
  if (p->rows.rank != 1)
    return false;
  for (int64_t h = 1; h <= target->conv.kernelH.maximum; ++h)
    for (int64_t w = 1; w <= target->conv.kernelW.maximum; ++w) {
      int64_t area = h * w;
      if (p->inner % area != 0 || (best && area >= best) ||
          !xc_target_takes_conv(target, w, h, p->inner / area, p->outputs))
        continue;
      best = area;
      image->dims[1] = h;
      image->dims[2] = w;
      image->dims[3] = p->inner / area;
    }
  return best != 0;
}

// [N, C, H, W] as [N, H, W, C].
static MlirValue follow_planes(xc_rewriter *rewriter, const product *p,
                               MlirValue weight) {
  static const int64_t channels_last[] = {0, 2, 3, 1};
  const int64_t *d = p->planes.dims;
  xc_shape shape = {XC_ELEMENT_NONE, 4, {p->outputs, d[3], d[1], d[2]}, false};
  xc_attribute order = xc_ints("order", channels_last, 4);
  weight = xc_rewrite_reshape(rewriter, weight, &shape);
  return xc_rewrite_build(rewriter, XC_TIR_TRANSPOSE, &weight, 1, &order, 1,
                          XC_ELEMENT_NONE);
}

static MlirValue arrange_weight(xc_rewriter *rewriter, const product *p,
                                const int64_t kernel[2], int64_t channels) {
  MlirValue weight = p->weight;
  if (p->columns_last) {
    const int64_t swap[] = {1, 0};
    xc_attribute order = xc_ints("order", swap, 2);
    weight = xc_rewrite_build(rewriter, XC_TIR_TRANSPOSE, &weight, 1, &order, 1,
                              XC_ELEMENT_NONE);
  }
  if (p->planes.rank)
    weight = follow_planes(rewriter, p, weight);
  xc_shape shape = {
      XC_ELEMENT_NONE, 4, {p->outputs, kernel[1], kernel[0], channels}, false};
  return xc_rewrite_reshape(rewriter, weight, &shape);
}

bool xc_legalize_product_as_conv(xc_rewriter *rewriter,
                                 const xc_adaptor *root) {
  const XcDpuTarget *target = xc_rewrite_target(rewriter);
  product p;
  xc_shape image;
  if (!read_product(root, &p) || p.inner == 0)
    return false;
  int64_t kernel[] = {1, 1};
  find_planes(&p);
  bool covers = find_feature_map(target, &p, &image);
  if (!covers) {
    if (!make_pixels(&p, &image))
      return false;
    if (!xc_target_takes_conv(target, 1, 1, p.inner, p.outputs))
      covers = fold_channels(target, &p, &image);
    if (!covers && !xc_target_takes_conv(target, 1, 1, p.inner, p.outputs))
      return false;
  }
  if (covers) {
    kernel[0] = image.dims[2];
    kernel[1] = image.dims[1];
  }
  const MlirValue operands[] = {
      xc_rewrite_reshape(rewriter, p.input, &image),
      arrange_weight(rewriter, &p, kernel, image.dims[3]), p.bias};
  const int64_t stride[] = {1, 1};
  xc_attribute changes[4] = {xc_ints("kernel", kernel, 2),
                             xc_ints("stride", stride, 2)};
  bool fix = root->info->kind == XC_TIR_MATMUL_FIX;
  if (fix) {
    int64_t points[XC_MAX_INTS];
    xc_attr_ints(root, XC_ATTR_INPUT_FIX_POINT, points);
    changes[2] = xc_int("input_fix_point", points[0]);
    changes[3] = xc_int("weight_fix_point", points[1]);
  }
  MlirValue conv =
      xc_rewrite_like(rewriter, root, fix ? XC_TIR_CONV2D_FIX : XC_TIR_CONV2D,
                      operands, 3, changes, fix ? 4 : 2);
  xc_shape result = xc_value_shape(xc_result_of(root));
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_reshape(rewriter, conv, &result));
}
