//===- FuseAdd.c - additions as part of a convolution ---------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sum of a convolution and another buffer that exists by then is computed
// before the result of the convolution leaves the banks. The convolution still
// rounds to its own fix point first, so the bits are the same.
//
//===----------------------------------------------------------------------===//

#include "Lower.h"

#include <string.h>

static bool is_word(const xc_view *view, const char *name, const char *word) {
  return strcmp(xc_view_word(view, name), word) == 0;
}

/// A dilated convolution may be several layers, each with a part of the result.
static bool is_dilated(const xc_view *view) {
  int64_t dilation[XC_MAX_INTS];
  xc_view_ints(view, "dilation", dilation);
  return dilation[0] > 1 || dilation[1] > 1;
}

/// The convolution that writes an allocation which one operator reads, or null.
/// One that adds already cannot add more.
static xc_function_op *only_feeder(xc_lowering *lowering,
                                   const xc_allocation *allocation) {
  if (allocation->kind != XC_ALLOCATION_ALLOC || allocation->readers != 1 ||
      !allocation->writer)
    return NULL;
  xc_function_op *op = &lowering->ops[allocation->writer - 1];
  return !op->is_copy && !op->addition &&
                 op->view.info->kind == XC_TIR_CONV2D_FIX &&
                 !is_word(&op->view, "nonlinear", "HSIGMOID") &&
                 !is_dilated(&op->view)
             ? op
             : NULL;
}

static bool is_addition(const xc_function_op *op) {
  return !op->is_copy && op->view.info->kind == XC_TIR_ELTWISE_FIX &&
         is_word(&op->view, "type", "ADD") &&
         xc_view_num_inputs(&op->view) == 2 &&
         (is_word(&op->view, "nonlinear", "NONE") ||
          is_word(&op->view, "nonlinear", "RELU"));
}

static void fuse(xc_lowering *lowering, xc_function_op *op, size_t operand) {
  const xc_view *view = &op->view;
  xc_allocation *in = xc_operand_allocation(lowering, view, operand);
  xc_allocation *other = xc_operand_allocation(lowering, view, 1 - operand);
  xc_allocation *out = xc_output_allocation(lowering, view);
  xc_function_op *conv = only_feeder(lowering, in);
  if (!conv || other == in || other->writer >= in->writer ||
      other->image.height != out->image.height ||
      other->image.width != out->image.width ||
      other->image.channels != out->image.channels ||
      memcmp(&in->image, &out->image, sizeof in->image) != 0)
    return;
  conv->addition = op;
  conv->addition_operand = operand;
  op->is_done = true;
  // The sum is there earlier, the operand never is.
  out->writer = out->first = in->writer;
  in->first = in->last = 0;
}

void xc_fuse_additions(xc_lowering *lowering) {
  for (size_t i = 0; i < lowering->num_ops; ++i) {
    xc_function_op *op = &lowering->ops[i];
    for (size_t operand = 0; operand < 2; ++operand)
      if (!op->is_done && is_addition(op))
        fuse(lowering, op, operand);
  }
}

void xc_fuse_layer(xc_lowering *lowering, const xc_function_op *op,
                   XcDpuLayer *layer) {
  const xc_view *view = &op->addition->view;
  size_t conv = op->addition_operand;
  int64_t fix_points[XC_MAX_INTS] = {0};
  xc_view_ints(view, "input_fix_point", fix_points);
  int64_t smallest =
      fix_points[0] < fix_points[1] ? fix_points[0] : fix_points[1];
  layer->inputs[1] = xc_allocation_image(
      lowering, xc_operand_allocation(lowering, view, 1 - conv));
  layer->numInputs = 2;
  layer->output = xc_output_image(lowering, view);
  layer->shiftRead[0] = (int32_t)(fix_points[conv] - smallest);
  layer->shiftRead[1] = (int32_t)(fix_points[1 - conv] - smallest);
  layer->shiftWrite =
      (int32_t)(smallest - xc_view_int(view, "output_fix_point"));
  layer->addActivation =
      is_word(view, "nonlinear", "RELU") ? XcActivationRelu : XcActivationNone;
  xc_output_allocation(lowering, view)->fix_point =
      (int32_t)xc_view_int(view, "output_fix_point");
}
