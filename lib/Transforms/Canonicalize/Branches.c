//===- Branches.c - sums of convolutions of one tensor --------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// RepVGG, MobileOne and their like are trained with several branches, 3x3, 1x1
// and a BatchNorm, whose sum is one convolution: their kernels add up where
// they read the same pixels. Models are often exported as they were trained.
//
//===----------------------------------------------------------------------===//

#include "Canonicalize.h"

#include "OpParams/Window.h"
#include "Support/Math.h"

enum { CHANNELS = 3, DEPTHWISE_FILTERS = 1 };

/// A convolution, or one number for each channel, of which the sum is taken.
typedef struct branch {
  xc_adaptor op;
  MlirValue input;
  xc_window window;
  bool is_diagonal;      // of each channel by itself
  const double *weights; // [outputs, H, W, inputs]; diagonal: [H, W, channels]
  const double *bias;    // or null
} branch;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static bool read_conv(xc_rewriter *rewriter, branch *b) {
  size_t count;
  b->is_diagonal = b->op.info->kind == XC_TIR_DEPTHWISE_CONV2D;
  if (xc_group_of(&b->op) != 1 ||
      (b->is_diagonal &&
       xc_operand_shape(&b->op, XC_CONV2D_WEIGHT).dims[0] != DEPTHWISE_FILTERS))
    return false;
  b->window = xc_window_of(&b->op);
  b->weights = xc_constant_numbers(
      rewriter, xc_operand(&b->op, XC_CONV2D_WEIGHT), &count);
  bool has_bias = xc_has_operand(&b->op, XC_CONV2D_BIAS);
  b->bias = has_bias ? xc_constant_numbers(
                           rewriter, xc_operand(&b->op, XC_CONV2D_BIAS), &count)
                     : NULL;
  return b->weights && (b->bias || !has_bias);
}

static bool read_affine(xc_rewriter *rewriter, branch *b) {
  const xc_window_axis one = {.kernel = 1, .stride = 1, .dilation = 1};
  if (!xc_affine_read(rewriter, &b->op, &b->weights, &b->bias) || !b->weights)
    return false;
  xc_shape shape = xc_operand_shape(&b->op, 0);
  b->is_diagonal = true;
  b->window = (xc_window){.h = one, .w = one};
  b->window.h.inputs = b->window.h.outputs = shape.dims[1];
  b->window.w.inputs = b->window.w.outputs = shape.dims[2];
  return true;
}

static bool read_branch(xc_rewriter *rewriter, MlirValue value, branch *b) {
  xc_shape shape = xc_value_shape(value);
  if (shape.rank != 4 || shape.element != XC_ELEMENT_F32 ||
      !xc_defining_adaptor(value, &b->op) || !xc_used_once(&b->op))
    return false;
  b->input = xc_operand_or_null(&b->op, 0);
  switch (b->op.info->kind) {
  case XC_TIR_CONV2D:
  case XC_TIR_DEPTHWISE_CONV2D:
    return read_conv(rewriter, b);
  case XC_TIR_BATCHNORM:
  case XC_TIR_SCALE:
    return read_affine(rewriter, b);
  default:
    return false;
  }
}

//===----------------------------------------------------------------------===//
// The kernel of both
//===----------------------------------------------------------------------===//

/// Along one axis, from the first element that one of two kernels reads to the
/// last one; false where they do not read the same grid.
static bool join_axis(const xc_window_axis *a, const xc_window_axis *b,
                      xc_window_axis *all) {
  bool is_plain = (a->dilation == 1 || a->kernel == 1) &&
                  (b->dilation == 1 || b->kernel == 1);
  if (!is_plain || a->stride != b->stride || a->outputs != b->outputs)
    return false;
  *all = *a;
  all->dilation = 1;
  all->before = xc_maximum64(a->before, b->before);
  int64_t behind = xc_maximum64(a->kernel - a->before, b->kernel - b->before);
  all->kernel = all->before + behind;
  int64_t needed = (all->outputs - 1) * all->stride + all->kernel;
  all->after = xc_maximum64(0, needed - all->inputs - all->before);
  return (all->inputs + all->before + all->after - all->kernel) / all->stride +
             1 ==
         all->outputs;
}

static int64_t area_of(const xc_window *window) {
  return window->h.kernel * window->w.kernel;
}

/// Adds the weights of a branch to those of both: [outputs, H, W, inputs], or
/// [H, W, channels].
static void add_weights(const branch *b, const xc_window *all, bool is_diagonal,
                        int64_t outputs, int64_t inputs, double *sum) {
  int64_t top = all->h.before - b->window.h.before;
  int64_t left = all->w.before - b->window.w.before;
  int64_t filters = b->is_diagonal ? 1 : outputs;
  const double *weight = b->weights;
  for (int64_t o = 0; o < filters; ++o)
    for (int64_t y = 0; y < b->window.h.kernel; ++y)
      for (int64_t x = 0; x < b->window.w.kernel; ++x)
        for (int64_t i = 0; i < inputs; ++i) {
          int64_t filter = is_diagonal ? 0 : b->is_diagonal ? i : o;
          int64_t row = filter * all->h.kernel + top + y;
          sum[(row * all->w.kernel + left + x) * inputs + i] += *weight++;
        }
}

static void add_bias(const branch *b, int64_t outputs, double *sum) {
  for (int64_t o = 0; b->bias && o < outputs; ++o)
    sum[o] += b->bias[o];
}

static MlirValue build(xc_rewriter *rewriter, const branch both[2],
                       const xc_window *all, int64_t outputs) {
  int64_t inputs = xc_value_shape(both[0].input).dims[CHANNELS];
  bool is_diagonal = both[0].is_diagonal && both[1].is_diagonal;
  const xc_shape shape = {
      XC_ELEMENT_F32,
      4,
      {is_diagonal ? 1 : outputs, all->h.kernel, all->w.kernel, inputs},
      false};
  const xc_shape vector = {XC_ELEMENT_F32, 1, {outputs}, false};
  double *weights = xc_rewrite_alloc(
      rewriter, (size_t)xc_shape_num_elements(&shape) + 1, sizeof(double));
  double *bias =
      xc_rewrite_alloc(rewriter, (size_t)outputs + 1, sizeof(double));
  for (size_t i = 0; i < 2; ++i) {
    add_weights(&both[i], all, is_diagonal, outputs, inputs, weights);
    add_bias(&both[i], outputs, bias);
  }
  const int64_t kernel[] = {all->w.kernel, all->h.kernel};
  const int64_t stride[] = {all->w.stride, all->h.stride};
  const int64_t pad[] = {all->w.before, all->w.after, all->h.before,
                         all->h.after};
  const xc_attribute window[] = {
      xc_ints("kernel", kernel, 2), xc_ints("stride", stride, 2),
      xc_ints("pad", pad, 4), xc_string("pad_mode", "FLOOR")};
  const MlirValue operands[] = {both[0].input,
                                xc_rewrite_floats(rewriter, weights, &shape),
                                xc_rewrite_floats(rewriter, bias, &vector)};
  return xc_rewrite_build(
      rewriter, is_diagonal ? XC_TIR_DEPTHWISE_CONV2D : XC_TIR_CONV2D, operands,
      both[0].bias || both[1].bias ? 3 : 2, window, 4, XC_ELEMENT_NONE);
}

bool xc_canonicalize_sum_of_branches(xc_rewriter *rewriter,
                                     const xc_adaptor *root) {
  branch both[2];
  xc_window all;
  for (size_t i = 0; i < 2; ++i)
    if (!read_branch(rewriter, xc_operand(root, i), &both[i]))
      return false;
  int64_t outputs = xc_value_shape(xc_result_of(root)).dims[CHANNELS];
  bool is_mixed = both[0].is_diagonal != both[1].is_diagonal;
  if (!mlirValueEqual(both[0].input, both[1].input) ||
      !join_axis(&both[0].window.h, &both[1].window.h, &all.h) ||
      !join_axis(&both[0].window.w, &both[1].window.w, &all.w) ||
      area_of(&all) > area_of(&both[0].window) + area_of(&both[1].window) ||
      (is_mixed && xc_value_shape(both[0].input).dims[CHANNELS] != outputs))
    return false;
  return xc_rewrite_replace(rewriter, root,
                            build(rewriter, both, &all, outputs));
}
