//===- Matmul.c - products as convolutions --------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Legalize.h"

#include "Support/Math.h"

#include <string.h>

// Operands of a join (xc_rewrite_join).
enum { MOST_JOINED = 16 };

// rows x K times K x N, K last in both; `rows` are the leading dimensions.
typedef struct product {
  MlirValue input, weight, bias;
  xc_shape rows;
  int64_t inner, outputs;
  bool columns_last; // the weight is [K, N], else [N, K]
  /// K is all of this but the batch, in that order of dimensions, and the
  /// weight has to follow the values as they stand; rank 0: it does.
  xc_shape planes;
  int64_t order[XC_MAX_INTS];
  int64_t part;    // outputs of one convolution
  int64_t padding; // zeros after the inner values
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
  xc_op_kind found = adaptor->info->float_kind;
  if (found != kind && !(kind == XC_TIR_RESHAPE && found == XC_TIR_FLATTEN))
    return false;
  *value = xc_operand(adaptor, 0);
  return true;
}

// Finds the flattening of what was transposed for it, as an image to NCHW: the
// columns of the weight can be transposed instead.
static void find_planes(product *p) {
  MlirValue source = p->input;
  xc_adaptor reshape, transpose;
  if (p->rows.rank != 1 || !skip_move(&source, XC_TIR_RESHAPE, &reshape) ||
      !skip_move(&source, XC_TIR_TRANSPOSE, &transpose))
    return;
  xc_shape shape = xc_value_shape(source);
  xc_attr_ints(&transpose, XC_ATTR_ORDER, p->order);
  int64_t batch = shape.dims[0];
  if (batch != p->rows.dims[0] || (batch != 1 && p->order[0] != 0))
    return;
  p->planes = shape;
  p->input = source;
}

// Finds the image whose flattening is multiplied, when a kernel can cover it.
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
                            p->part))
    return false;
  p->input = source;
  *image = shape;
  return true;
}

// Whether the rows of a matrix are the images of a batch: no reshape or
// transpose before it has made others of them.
static bool rows_are_images(const product *p) {
  xc_adaptor move;
  return !xc_defining_adaptor(p->input, &move) ||
         (move.info->float_kind != XC_TIR_RESHAPE &&
          move.info->float_kind != XC_TIR_TRANSPOSE) ||
         xc_operand_shape(&move, 0).dims[0] == p->rows.dims[0];
}

// One row per pixel: [N, 1, rows, K], or as it stands with four dimensions.
static bool make_pixels(const product *p, xc_shape *image) {
  *image = (xc_shape){XC_ELEMENT_NONE, 4, {1, 1, 1, p->inner}, false};
  switch (p->rows.rank) {
  case 1:
    image->dims[rows_are_images(p) ? 0 : 2] = p->rows.dims[0];
    return true;
  case 2:
    image->dims[0] = p->rows.dims[0];
    image->dims[2] = p->rows.dims[1];
    return true;
  case 0:
    return false;
  }
  // Those of more dimensions than an image has are rows and columns of it.
  memcpy(image->dims, p->rows.dims, 3 * sizeof(*image->dims));
  for (size_t i = 3; i < p->rows.rank; ++i)
    image->dims[2] *= p->rows.dims[i];
  return true;
}

// More values than channels fit become an image of each row that one kernel
// covers: without zeros after the values if there is such a kernel, and the
// smallest one.
static bool fold_channels(const XcDpuTarget *target, product *p,
                          xc_shape *image) {
  int64_t best = 0;
  *image = (xc_shape){XC_ELEMENT_NONE, 4, {1}, false};
  for (size_t i = 0; i < p->rows.rank; ++i)
    image->dims[0] *= p->rows.dims[i];
  for (int64_t h = 1; h <= target->conv.kernelH.maximum; ++h)
    for (int64_t w = 1; w <= target->conv.kernelW.maximum; ++w) {
      int64_t area = h * w, channels = xc_ceil_div64(p->inner, area);
      int64_t padding = area * channels - p->inner;
      bool better =
          (padding != 0) == (p->padding != 0) ? area < best : padding == 0;
      if ((best && !better) ||
          !xc_target_takes_conv(target, w, h, channels, p->part))
        continue;
      best = area;
      p->padding = padding;
      image->dims[1] = h;
      image->dims[2] = w;
      image->dims[3] = channels;
    }
  return best != 0;
}

// Reorders the columns, which follow the flattened image, to those of the
// transposed one.
static MlirValue follow_planes(xc_rewriter *rewriter, const product *p,
                               MlirValue weight) {
  xc_shape shape = {XC_ELEMENT_NONE, p->planes.rank, {p->outputs}, false};
  int64_t back[XC_MAX_RANK] = {0}, at = 1;
  for (size_t i = 0; i < p->planes.rank; ++i) {
    if (p->order[i] == 0)
      continue;
    shape.dims[at] = p->planes.dims[p->order[i]];
    back[p->order[i]] = at++;
  }
  xc_attribute order = xc_ints("order", back, p->planes.rank);
  weight = xc_rewrite_reshape(rewriter, weight, &shape);
  return xc_rewrite_build(rewriter, XC_TIR_TRANSPOSE, &weight, 1, &order, 1,
                          XC_ELEMENT_NONE);
}

static MlirValue arrange_weight(xc_rewriter *rewriter, const product *p,
                                const xc_shape *kernel) {
  MlirValue weight = p->weight;
  if (p->columns_last) {
    const int64_t swap[] = {1, 0};
    xc_attribute order = xc_ints("order", swap, 2);
    weight = xc_rewrite_build(rewriter, XC_TIR_TRANSPOSE, &weight, 1, &order, 1,
                              XC_ELEMENT_NONE);
  }
  if (p->planes.rank)
    weight = follow_planes(rewriter, p, weight);
  if (p->padding) {
    const int64_t paddings[] = {0, 0, 0, p->padding};
    xc_shape rows = {XC_ELEMENT_NONE, 2, {p->outputs, p->inner}, false};
    xc_attribute zeros = xc_ints("paddings", paddings, 4);
    weight = xc_rewrite_reshape(rewriter, weight, &rows);
    weight = xc_rewrite_build(rewriter, XC_TIR_PAD, &weight, 1, &zeros, 1,
                              XC_ELEMENT_NONE);
  }
  return xc_rewrite_reshape(rewriter, weight, kernel);
}

// Zeros after the values of each row are further columns of an image of one
// row; those of as many channels as the lengths let.
static MlirValue arrange_input(xc_rewriter *rewriter, const product *p,
                               const xc_shape *image) {
  MlirValue input = p->input;
  if (p->padding) {
    int64_t column = xc_gcd64(p->inner, p->padding);
    const int64_t paddings[] = {0, 0, 0, 0, 0, p->padding / column, 0, 0};
    xc_attribute zeros = xc_ints("paddings", paddings, 8);
    xc_shape line = {XC_ELEMENT_NONE,
                     4,
                     {image->dims[0], 1, p->inner / column, column},
                     false};
    bool fix = xc_value_shape(input).element == XC_ELEMENT_I8;
    input = xc_rewrite_reshape(rewriter, input, &line);
    input = xc_rewrite_build(rewriter, fix ? XC_TIR_PAD_FIX : XC_TIR_PAD,
                             &input, 1, &zeros, 1, XC_ELEMENT_NONE);
  }
  return xc_rewrite_reshape(rewriter, input, image);
}

// Returns the rows `first` to `first + count` of the weight or bias.
static MlirValue cut_outputs(xc_rewriter *rewriter, MlirValue constant,
                             int64_t first, int64_t count) {
  int64_t begin[XC_MAX_RANK] = {first};
  xc_shape shape = xc_value_shape(constant);
  if (mlirValueIsNull(constant) || shape.dims[0] == count)
    return constant;
  shape.dims[0] = count;
  return xc_rewrite_cut(rewriter, constant, begin, shape.dims);
}

static MlirValue build_conv(xc_rewriter *rewriter, const xc_adaptor *root,
                            const xc_shape *kernel,
                            const MlirValue operands[3]) {
  const int64_t size[] = {kernel->dims[2], kernel->dims[1]}, unit[] = {1, 1};
  xc_attribute changes[4] = {xc_ints("kernel", size, 2),
                             xc_ints("stride", unit, 2)};
  if (root->info->kind != XC_TIR_MATMUL_FIX)
    return xc_rewrite_like(rewriter, root, XC_TIR_CONV2D, operands, 3, changes,
                           2);
  int64_t points[XC_MAX_INTS];
  xc_attr_ints(root, XC_ATTR_INPUT_FIX_POINT, points);
  changes[2] = xc_int("input_fix_point", points[0]);
  changes[3] = xc_int("weight_fix_point", points[1]);
  return xc_rewrite_like(rewriter, root, XC_TIR_CONV2D_FIX, operands, 3,
                         changes, 4);
}

// Joins [N, H, W, O] for all parts of O. A target that has no more outputs has
// no more channels to join: they are columns of an image of each row, of as
// many channels as the parts let.
static MlirValue join_outputs(xc_rewriter *rewriter, const xc_adaptor *root,
                              const product *p, MlirValue *parts,
                              int64_t count) {
  int64_t last = p->outputs - (count - 1) * p->part;
  int64_t column = xc_gcd64(p->part, last);
  bool fix = root->info->kind == XC_TIR_MATMUL_FIX;
  int64_t point = fix ? xc_attr_int(root, XC_ATTR_OUTPUT_FIX_POINT) : 0;
  for (int64_t i = 0; i < count; ++i) {
    xc_shape shape = xc_value_shape(parts[i]);
    xc_shape line = {XC_ELEMENT_NONE, 4, {1, 1, 0, column}, false};
    line.dims[0] = shape.dims[0] * shape.dims[1] * shape.dims[2];
    line.dims[2] = shape.dims[3] / column;
    parts[i] = xc_rewrite_reshape(rewriter, parts[i], &line);
  }
  while (count > 1) {
    int64_t joined = 0;
    for (int64_t i = 0; i < count; i += MOST_JOINED) {
      int64_t some = count - i < MOST_JOINED ? count - i : MOST_JOINED;
      parts[joined++] = some == 1 ? parts[i]
                                  : xc_rewrite_join(rewriter, parts + i,
                                                    (size_t)some, 2, point);
    }
    count = joined;
  }
  return parts[0];
}

// Finds the image that the convolution reads; as many zeros and outputs as it
// has are in `p`.
static bool find_image(const XcDpuTarget *target, product *p, xc_shape *image,
                       bool *covers) {
  find_planes(p);
  *covers = find_feature_map(target, p, image);
  if (*covers)
    return true;
  if (xc_target_takes_conv(target, 1, 1, p->inner, p->part))
    return make_pixels(p, image);
  *covers = fold_channels(target, p, image);
  return *covers;
}

bool xc_legalize_transposed_product(xc_rewriter *rewriter,
                                    const xc_adaptor *root) {
  xc_shape a = xc_operand_shape(root, XC_MATMUL_A);
  MlirValue operands[] = {xc_operand(root, XC_MATMUL_A),
                          xc_operand(root, XC_MATMUL_B),
                          xc_operand_or_null(root, XC_MATMUL_BIAS)};
  if (!xc_attr_bool(root, XC_ATTR_TRANSPOSE_A) ||
      !xc_is_constant(operands[1]) || xc_value_shape(operands[1]).rank != 2)
    return false;
  int64_t order[XC_MAX_RANK];
  for (size_t i = 0; i < a.rank; ++i)
    order[i] = (int64_t)i;
  order[a.rank - 2] = (int64_t)a.rank - 1;
  order[a.rank - 1] = (int64_t)a.rank - 2;
  xc_attribute swap = xc_ints("order", order, a.rank);
  xc_attribute plain = xc_bool("transpose_a", false);
  operands[0] = xc_rewrite_build(
      rewriter,
      a.element == XC_ELEMENT_I8 ? XC_TIR_TRANSPOSE_FIX : XC_TIR_TRANSPOSE,
      operands, 1, &swap, 1, XC_ELEMENT_NONE);
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_like(rewriter, root, root->info->kind,
                                            operands, 3, &plain, 1));
}

// Whether an operator computes each element from one by the same numbers.
static bool converts(const xc_adaptor *op) {
  switch (op->info->kind) {
  case XC_TIR_FIX2FLOAT:
  case XC_TIR_FLOAT2FIX:
    return true;
  case XC_TIR_QUANTIZE_LINEAR:
  case XC_TIR_DEQUANTIZE_LINEAR:
    return xc_attr_floats(op, XC_ATTR_SCALE, NULL, 0) == 1;
  default:
    return false;
  }
}

// The weight follows the order of floats only.
bool xc_legalize_product_of_bytes(xc_rewriter *rewriter,
                                  const xc_adaptor *root) {
  enum { MOST = 4 };
  MlirValue operands[] = {xc_operand(root, 0), xc_operand(root, 1),
                          xc_operand_or_null(root, 2)};
  MlirValue value = operands[0];
  xc_adaptor conversions[MOST], reshape, transpose;
  size_t count = 0;
  while (count < MOST && xc_defining_adaptor(value, &conversions[count]) &&
         converts(&conversions[count]))
    value = xc_operand(&conversions[count++], 0);
  if (count == 0 || !xc_is_constant(operands[1]) ||
      !skip_move(&value, XC_TIR_RESHAPE, &reshape) ||
      !skip_move(&value, XC_TIR_TRANSPOSE, &transpose))
    return false;
  const xc_shape rows = xc_value_shape(operands[0]);
  int64_t numbers[XC_MAX_INTS];
  size_t rank = xc_attr_ints(&transpose, XC_ATTR_ORDER, numbers);
  xc_attribute order = xc_ints("order", numbers, rank);
  while (count-- > 0)
    value = xc_rewrite_like(rewriter, &conversions[count],
                            conversions[count].info->kind, &value, 1, NULL, 0);
  value = xc_rewrite_build(rewriter, XC_TIR_TRANSPOSE, &value, 1, &order, 1,
                           XC_ELEMENT_NONE);
  operands[0] = xc_rewrite_reshape(rewriter, value, &rows);
  return xc_rewrite_replace(
      rewriter, root,
      xc_rewrite_like(rewriter, root, root->info->kind, operands, 3, NULL, 0));
}

bool xc_legalize_product_as_conv(xc_rewriter *rewriter,
                                 const xc_adaptor *root) {
  const XcDpuTarget *target = xc_rewrite_target(rewriter);
  product p;
  xc_shape image;
  bool covers;
  if (!read_product(root, &p) || p.inner == 0 || p.outputs == 0)
    return false;
  int64_t count =
      xc_ceil_div64(p.outputs, target->derived.maxConvOutputChannels);
  p.part = xc_ceil_div64(xc_ceil_div64(p.outputs, count),
                         target->outputChannelParallel) *
           target->outputChannelParallel;
  if (p.part > p.outputs)
    p.part = p.outputs;
  count = xc_ceil_div64(p.outputs, p.part);
  if (!find_image(target, &p, &image, &covers))
    return false;
  xc_shape kernel = {XC_ELEMENT_NONE, 4, {p.outputs, 1, 1, p.inner}, false};
  if (covers)
    memcpy(kernel.dims + 1, image.dims + 1, 3 * sizeof(*kernel.dims));
  MlirValue input = arrange_input(rewriter, &p, &image);
  MlirValue weight = arrange_weight(rewriter, &p, &kernel);
  MlirValue *parts = xc_rewrite_alloc(rewriter, (size_t)count, sizeof(*parts));
  for (int64_t i = 0; i < count; ++i) {
    int64_t first = i * p.part, rest = p.outputs - first;
    int64_t size = rest < p.part ? rest : p.part;
    const MlirValue operands[] = {input,
                                  cut_outputs(rewriter, weight, first, size),
                                  cut_outputs(rewriter, p.bias, first, size)};
    parts[i] = build_conv(rewriter, root, &kernel, operands);
  }
  MlirValue outputs =
      count == 1 ? parts[0] : join_outputs(rewriter, root, &p, parts, count);
  xc_shape result = xc_value_shape(xc_result_of(root));
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_reshape(rewriter, outputs, &result));
}

bool xc_legalize_product_of_pixels(xc_rewriter *rewriter,
                                   const xc_adaptor *root) {
  enum { BATCH = 0, IMAGE = 4, CHANNELS = 3 };
  xc_adaptor reshape;
  if (!xc_attr_all(root, XC_ATTR_KERNEL, 1) ||
      !xc_attr_all(root, XC_ATTR_STRIDE, 1) ||
      !xc_attr_all(root, XC_ATTR_PAD, 0) ||
      !xc_defining_adaptor(xc_operand(root, XC_CONV2D_INPUT), &reshape) ||
      reshape.info->float_kind != XC_TIR_RESHAPE || !xc_keeps_numbers(&reshape))
    return false;
  const xc_shape images = xc_result_shape(&reshape);
  const xc_shape source = xc_operand_shape(&reshape, 0);
  if (source.rank != IMAGE || source.dims[BATCH] >= images.dims[BATCH] ||
      source.dims[CHANNELS] != images.dims[CHANNELS])
    return false;
  const MlirValue operands[] = {xc_operand(&reshape, 0),
                                xc_operand(root, XC_CONV2D_WEIGHT),
                                xc_operand_or_null(root, XC_CONV2D_BIAS)};
  const xc_shape result = xc_result_shape(root);
  MlirValue pixels =
      xc_rewrite_like(rewriter, root, root->info->kind, operands, 3, NULL, 0);
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_reshape(rewriter, pixels, &result));
}
