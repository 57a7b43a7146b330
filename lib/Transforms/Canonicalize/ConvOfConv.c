//===- ConvOfConv.c - two convolutions in a row ---------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks that end without an activation in front of ones that begin with a 1x1
// convolution compute a product of two matrices for each pixel. It is one
// matrix, with less work where the channels between are many. Where they are
// few, the two are a matrix of low rank, and stay.
//
//===----------------------------------------------------------------------===//

#include "Canonicalize.h"

#include "OpParams/Window.h"
#include "dialects/Macs.h"

#include <math.h>

enum { CHANNELS = 3 };

/// A convolution with constant weights, [outputs, taps, inputs].
typedef struct layer {
  xc_adaptor op;
  const double *weights, *bias; // bias may be null
  int64_t outputs, taps, inputs;
  bool is_pixelwise; // 1x1, each pixel once
} layer;

static bool read_layer(xc_rewriter *rewriter, const xc_adaptor *op, layer *l) {
  size_t count;
  xc_shape shape = xc_operand_shape(op, XC_CONV2D_WEIGHT);
  bool has_bias = xc_has_operand(op, XC_CONV2D_BIAS);
  if (op->info->kind != XC_TIR_CONV2D || xc_group_of(op) != 1 ||
      (shape.element != XC_ELEMENT_F32 && shape.element != XC_ELEMENT_F64))
    return false;
  *l = (layer){
      .op = *op,
      .weights = xc_constant_numbers(rewriter, xc_operand(op, XC_CONV2D_WEIGHT),
                                     &count),
      .bias = has_bias ? xc_constant_numbers(
                             rewriter, xc_operand(op, XC_CONV2D_BIAS), &count)
                       : NULL,
      .outputs = shape.dims[0],
      .taps = shape.dims[1] * shape.dims[2],
      .inputs = shape.dims[CHANNELS],
      .is_pixelwise = xc_is_pixelwise(op)};
  return l->weights && (l->bias || !has_bias) && l->inputs > 0 &&
         l->outputs > 0;
}

static bool has_zero_bias(const layer *l) {
  for (int64_t o = 0; l->bias && o < l->outputs; ++o)
    if (l->bias[o] != 0)
      return false;
  return true;
}

// Whether both are one. In the padding of the second one there is no bias of
// the first.
static bool can_merge(const layer *first, const layer *second) {
  return second->is_pixelwise ||
         (first->is_pixelwise &&
          (has_zero_bias(first) || xc_window_reads_input_only(&second->op)));
}

// Multiply-accumulates of both, and of the one in their place.
static bool saves_work(const layer *first, const layer *second) {
  int64_t both = xc_count_macs(&first->op) + xc_count_macs(&second->op);
  int64_t one =
      second->is_pixelwise
          ? xc_count_macs(&first->op) / first->outputs * second->outputs
          : xc_count_macs(&second->op) / second->inputs * first->inputs;
  return one <= both;
}

/// Whether the product of the weights takes seconds here at most.
static bool is_small(const layer *first, const layer *second) {
  const double most = 4e9;
  return (double)second->outputs * (double)second->taps *
             (double)second->inputs * (double)first->taps *
             (double)first->inputs <=
         most;
}

/// The weights of both, [outputs, taps, inputs], and the bias: one of the two
/// has a single tap. Returns false where a number is not finite.
static bool multiply(const layer *first, const layer *second, double *weights,
                     double *bias) {
  int64_t row = first->taps * first->inputs; // of one channel between
  for (int64_t o = 0; o < second->outputs; ++o) {
    bias[o] = second->bias ? second->bias[o] : 0;
    for (int64_t tap = 0; tap < second->taps; ++tap) {
      double *sums = weights + (o * second->taps + tap) * row;
      for (int64_t m = 0; m < second->inputs; ++m) {
        double factor =
            second->weights[(o * second->taps + tap) * second->inputs + m];
        const double *terms = first->weights + m * row;
        for (int64_t i = 0; i < row; ++i)
          sums[i] += factor * terms[i];
        bias[o] += first->bias ? factor * first->bias[m] : 0;
      }
      for (int64_t i = 0; i < row; ++i)
        if (!isfinite((float)sums[i]))
          return false;
    }
    if (!isfinite((float)bias[o]))
      return false;
  }
  return true;
}

bool xc_canonicalize_conv_of_conv(xc_rewriter *rewriter,
                                  const xc_adaptor *root) {
  xc_adaptor before;
  layer first, second;
  if (!xc_defined_by(xc_operand(root, XC_CONV2D_INPUT), XC_TIR_CONV2D,
                     &before) ||
      !xc_used_once(&before) || !read_layer(rewriter, &before, &first) ||
      !read_layer(rewriter, root, &second) || !can_merge(&first, &second) ||
      !saves_work(&first, &second) || !is_small(&first, &second))
    return false;
  const layer *window = second.is_pixelwise ? &first : &second;
  xc_shape shape = xc_operand_shape(&window->op, XC_CONV2D_WEIGHT);
  shape.dims[0] = second.outputs;
  shape.dims[CHANNELS] = first.inputs;
  const xc_shape line = {shape.element, 1, {second.outputs}, false};
  double *weights = xc_rewrite_alloc(
      rewriter, (size_t)xc_shape_num_elements(&shape) + 1, sizeof(double));
  double *bias =
      xc_rewrite_alloc(rewriter, (size_t)second.outputs, sizeof(double));
  if (!multiply(&first, &second, weights, bias))
    return false;
  const MlirValue operands[] = {xc_operand(&before, XC_CONV2D_INPUT),
                                xc_rewrite_floats(rewriter, weights, &shape),
                                xc_rewrite_floats(rewriter, bias, &line)};
  // The name is that of the root.
  const xc_attribute unnamed = xc_given("op_name", (MlirAttribute){NULL});
  return xc_rewrite_replace(
      rewriter, root,
      xc_rewrite_like(rewriter, &window->op, XC_TIR_CONV2D, operands,
                      first.bias || second.bias ? 3 : 2, &unnamed, 1));
}
