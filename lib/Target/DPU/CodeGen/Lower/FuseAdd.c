//===- FuseAdd.c - additions as part of a convolution ---------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An addition of a convolution's result and of another buffer, which exists by
// then, is computed before the result of the convolution leaves the banks. The
// convolution still rounds to its own fix point first, so the bits are the
// same.
//
//===----------------------------------------------------------------------===//

#include "FoldColumns.h"

#include <assert.h>
#include <string.h>

/// A dilated convolution may be several layers, each with a part of the result.
static bool is_dilated(const xc_adaptor *adaptor) {
  xc_window window = xc_window_of(adaptor);
  return window.w.dilation > 1 || window.h.dilation > 1;
}

/// Returns the convolution that writes an allocation which only one operator
/// reads, or null. A convolution that computes an addition already cannot
/// compute another one.
static xc_function_op *only_feeder(xc_lowering *lowering,
                                   const xc_allocation *allocation) {
  if (allocation->kind != XC_ALLOCATION_ALLOC || allocation->readers != 1 ||
      !allocation->writer)
    return NULL;
  xc_function_op *op = &lowering->ops[allocation->writer - 1];
  return !op->is_copy && !op->addition &&
                 op->adaptor.info->kind == XC_TIR_CONV2D_FIX &&
                 !xc_attr_is(&op->adaptor, XC_ATTR_NONLINEAR,
                             XC_ENUM_HSIGMOID) &&
                 !is_dilated(&op->adaptor)
             ? op
             : NULL;
}

static bool is_addition(const xc_function_op *op) {
  return !op->is_copy && op->adaptor.info->kind == XC_TIR_ELTWISE_FIX &&
         xc_attr_is(&op->adaptor, XC_ATTR_TYPE, XC_ENUM_ADD) &&
         xc_num_inputs(&op->adaptor) == 2 &&
         (xc_attr_is(&op->adaptor, XC_ATTR_NONLINEAR, XC_ENUM_NONE) ||
          xc_attr_is(&op->adaptor, XC_ATTR_NONLINEAR, XC_ENUM_RELU));
}

static void fuse(xc_lowering *lowering, xc_function_op *op, size_t operand) {
  const xc_adaptor *adaptor = &op->adaptor;
  xc_allocation *in = xc_operand_allocation(lowering, adaptor, operand);
  xc_allocation *other = xc_operand_allocation(lowering, adaptor, 1 - operand);
  xc_allocation *out = xc_output_allocation(lowering, adaptor);
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
  const xc_adaptor *adaptor = &op->addition->adaptor;
  size_t conv = op->addition_operand;
  xc_fix_sum sum;
  bool plain = xc_fix_sum_of(adaptor, &sum);
  assert(plain && "additions with NONE or RELU are fused");
  (void)plain;
  xc_allocation *output = xc_output_allocation(lowering, adaptor);
  layer->inputs[1] = xc_fold_image(
      xc_allocation_image(lowering,
                          xc_operand_allocation(lowering, adaptor, 1 - conv)),
      output->columns);
  layer->numInputs = 2;
  layer->output =
      xc_fold_image(xc_output_image(lowering, adaptor), output->columns);
  layer->shiftRead[0] = sum.shifts[conv];
  layer->shiftRead[1] = sum.shifts[1 - conv];
  layer->shiftWrite = xc_lower_sum_shift(&sum);
  layer->addActivation = sum.epilogue.activation;
  output->fix_point = sum.epilogue.outputFixPoint;
}
