//===- FoldGains.c - which columns share a word ---------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cycles that folding gains. There is no schedule yet, so cycles are added
// up: those of the engines, and those of the LOADs of weights, of inputs, and
// of images that can no longer be held in the banks.
//===----------------------------------------------------------------------===//

#include "Fold.h"

#include "Support/Math.h"
#include "Target/DPU/CodeGen/Plan/Images.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Gains of one operator
//===----------------------------------------------------------------------===//

int64_t xc_window_words_of_row(const XcDpuTarget *target, int64_t kernel,
                               int64_t channels) {
  int64_t apart = kernel * xc_fold_words(target, channels);
  int64_t bytes = kernel * channels;
  if (channels < target->channelParallel && bytes <= target->augmentationMax)
    return xc_minimum64(apart, xc_fold_words(target, bytes));
  return apart;
}

int64_t xc_weight_loads(const XcDpuTarget *target, int64_t channels) {
  return xc_minimum64(channels, target->weights.numBanks);
}

/// How many more LOADs of weights an operator has when it is folded.
static int64_t more_loads(const xc_lowering *lowering, const xc_function_op *op,
                          const xc_fold *fold) {
  enum { DEPTHWISE = 2 }; // weights and bias
  int64_t out = xc_output_allocation(lowering, &op->adaptor)->shape.dims[3];
  int64_t folded = xc_weight_loads(lowering->target, out * fold->columns);
  return folded - (xc_fold_is_depthwise(op)
                       ? DEPTHWISE
                       : xc_weight_loads(lowering->target, out));
}

/// Returns the cycles of the convolution engine for a folded operator.
static int64_t folded_cycles(const xc_lowering *lowering,
                             const xc_function_op *op) {
  const XcDpuTarget *target = lowering->target;
  xc_window window = xc_window_of(&op->adaptor);
  xc_fold fold = xc_fold_of(lowering, op);
  int64_t in = xc_fold_input_of(lowering, op)->shape.dims[3];
  int64_t out = xc_output_allocation(lowering, &op->adaptor)->shape.dims[3];
  int64_t blocks = xc_ceil_div64(window.h.outputs, target->conv.rows);
  int64_t words =
      xc_fold_words(target, out) * (fold.is_apart ? fold.columns : 1);
  return blocks * window.h.kernel * (window.w.outputs / fold.columns) * words *
         xc_window_words_of_row(target, fold.kernel, in * fold.in_columns);
}

/// Returns the cycles that folding saves for an operator, times 3.
static int64_t gain_of(const xc_lowering *lowering, const xc_function_op *op) {
  const XcDpuTarget *target = lowering->target;
  xc_window window = xc_window_of(&op->adaptor);
  int64_t in = xc_fold_input_of(lowering, op)->shape.dims[3];
  int64_t out = xc_output_allocation(lowering, &op->adaptor)->shape.dims[3];
  int64_t blocks = xc_ceil_div64(window.h.outputs, target->conv.rows);
  int64_t pixels = blocks * window.h.kernel * window.w.outputs;
  int64_t words = xc_fold_words(target, out);
  // Both engines at once compute depthwise layers in two thirds of the cycles.
  int64_t apart = xc_fold_is_depthwise(op)
                      ? 2 * pixels * window.w.kernel * words
                      : 3 * pixels * words *
                            xc_window_words_of_row(target, window.w.kernel, in);
  xc_fold fold = xc_fold_of(lowering, op);
  return apart - 3 * folded_cycles(lowering, op) -
         3 * more_loads(lowering, op, &fold) * target->timing.loadStart;
}

/// Returns the cycles that folding saves for an elementwise operator, times 3.
static int64_t elementwise_gain(const xc_lowering *lowering,
                                const xc_function_op *op) {
  const XcDpuTarget *target = lowering->target;
  const xc_allocation *in = xc_fold_input_of(lowering, op);
  int64_t inputs = (int64_t)xc_num_inputs(&op->adaptor);
  int64_t pixels = xc_ceil_div64(in->shape.dims[1], target->conv.rows) *
                   (in->shape.dims[2] - in->shape.dims[2] / in->columns);
  return op->is_done ? 0 : 3 * inputs * pixels;
}

/// Returns the cycles of the LOADs of an image that can no longer be in the
/// banks: all its rows, and for a tiling all of them for each row of a block of
/// pixels.
static int64_t bytes_cycles(const xc_lowering *lowering,
                            const xc_function_op *op) {
  const XcDpuTarget *target = lowering->target;
  const xc_shape *shape = &xc_fold_input_of(lowering, op)->shape;
  bool is_tiling = op->adaptor.info->kind == XC_TIR_TILE_FIX;
  int64_t times = is_tiling ? xc_attr_int(&op->adaptor, XC_ATTR_STRIDE) : 1;
  int64_t loads = times * shape->dims[1] *
                  xc_ceil_div64(shape->dims[2], xc_max_length(target));
  return loads * target->timing.loadStart +
         xc_shape_num_elements(shape) / target->timing.loadBytesPerCycle;
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

/// Returns the cycles of the LOADs of an input that the first folded operator
/// reads. If it is augmented, with the bytes below a window as the channels of
/// a pixel, each row has a LOAD. If it is loaded as it is in DDR, the rows of a
/// bank come together.
static int64_t input_cycles(const xc_lowering *lowering,
                            const xc_function_op *op) {
  const XcDpuTarget *target = lowering->target;
  xc_window window = xc_window_of(&op->adaptor);
  xc_fold fold = xc_fold_of(lowering, op);
  int64_t channels = xc_fold_input_of(lowering, op)->shape.dims[3];
  int64_t loads = window.h.inputs, bytes = window.w.inputs * channels;
  if (fold.in_columns == 1 && fold.kernel * channels <= target->augmentationMax)
    bytes = window.w.outputs / fold.columns * target->channelParallel *
            xc_fold_words(target, fold.kernel * channels);
  else if (window.w.inputs % fold.in_columns == 0)
    loads = xc_ceil_div64(loads, window.h.stride);
  return loads * target->timing.loadStart +
         window.h.inputs * bytes / target->timing.loadBytesPerCycle;
}

/// Folds the input of an operator whose result is folded, so that a pixel has
/// the bytes of one position, if LOADs would otherwise be slower than the
/// engine. Without that, the engine computes all linked operators in `cycles`.
static void fold_input(xc_lowering *lowering, const xc_function_op *op,
                       int64_t cycles) {
  const XcDpuTarget *target = lowering->target;
  xc_allocation *in =
      xc_operand_allocation(lowering, &op->adaptor, XC_CONV2D_FIX_INPUT);
  int64_t stride = xc_window_of(&op->adaptor).w.stride;
  int64_t columns =
      stride * xc_output_allocation(lowering, &op->adaptor)->columns;
  int64_t channels = columns * in->shape.dims[3];
  if (in->kind != XC_ALLOCATION_INPUT || in->readers != 1 ||
      in->shape.dims[2] % columns != 0 || channels > target->channelParallel ||
      2 * channels <= target->channelParallel)
    return;
  int64_t others = cycles - folded_cycles(lowering, op);
  int64_t apart = xc_maximum64(cycles, input_cycles(lowering, op));
  in->columns = (int32_t)columns;
  int64_t folded = xc_maximum64(others + folded_cycles(lowering, op),
                                input_cycles(lowering, op));
  if (!xc_can_take_fold(lowering, op) || folded >= apart)
    in->columns = 1;
}

/// Whether rows can be taken as pixels of so many columns. The last pixel may
/// have columns beyond the row that no window reads, if there is memory for
/// them.
static bool has_whole_pixels(const xc_lowering *lowering,
                             const xc_window_axis *w, int64_t channels,
                             int64_t columns) {
  int64_t beyond = (columns - w->inputs % columns) % columns;
  int64_t last = (w->outputs - 1) * w->stride + w->kernel - w->before;
  return beyond == 0 || (last <= w->inputs &&
                         beyond * channels <= (int64_t)lowering->margin_after);
}

/// Folds the input of an operator whose result is not folded, if the engine
/// then takes clearly less time, and LOADs no more. This helps kernels of many
/// columns, where few channels leave most of each word empty.
static void fold_input_alone(const xc_lowering *lowering,
                             const xc_function_op *op) {
  enum { PART = 8 }; // that is gained at least
  int32_t width = lowering->target->channelParallel, best = 1;
  xc_allocation *in =
      xc_operand_allocation(lowering, &op->adaptor, XC_CONV2D_FIX_INPUT);
  if (xc_fold_is_depthwise(op) || in->kind != XC_ALLOCATION_INPUT ||
      in->readers != 1 || in->shape.rank != 4 || in->parent)
    return;
  int64_t channels = in->shape.dims[3];
  int64_t least = folded_cycles(lowering, op);
  int64_t loads = xc_maximum64(least, input_cycles(lowering, op));
  least = xc_fold_is_forced(lowering) ? INT64_MAX : least - least / PART;
  for (int32_t columns = 2; columns * channels <= width; ++columns) {
    xc_window_axis w = xc_window_of(&op->adaptor).w;
    in->columns = columns;
    if (!has_whole_pixels(lowering, &w, channels, columns) ||
        !xc_can_take_fold(lowering, op) ||
        folded_cycles(lowering, op) >= least ||
        (input_cycles(lowering, op) > loads && !xc_fold_is_forced(lowering)))
      continue;
    best = columns;
    least = folded_cycles(lowering, op);
  }
  in->columns = best;
}

/// Returns the first one of the operators that are linked with operator `i` by
/// buffers.
static size_t find_first(size_t *parents, size_t i) {
  while (parents[i] != i)
    i = parents[i] = parents[parents[i]];
  return i;
}

/// Folds inputs of the function, with the gains of the operators that `parents`
/// link.
static void fold_inputs(xc_lowering *lowering, size_t *parents) {
  size_t count = lowering->num_ops;
  int64_t *cycles = xc_alloc_array(count, sizeof *cycles);
  for (size_t i = 0; i < count; ++i)
    if (xc_is_folded(lowering, &lowering->ops[i]))
      cycles[find_first(parents, i)] +=
          folded_cycles(lowering, &lowering->ops[i]);
  for (size_t i = 0; i < count; ++i) {
    const xc_function_op *op = &lowering->ops[i];
    if (xc_is_folded(lowering, op))
      fold_input(lowering, op, cycles[find_first(parents, i)]);
    else if (xc_can_fold_op(op))
      fold_input_alone(lowering, op);
  }
  free(cycles);
}

/// Links an operator with the writers of the folded buffers that it reads or
/// adds.
static void link_writers(const xc_lowering *lowering, size_t *parents,
                         size_t i) {
  const xc_function_op *op = &lowering->ops[i];
  intptr_t count = mlirOperationGetNumOperands(op->operation);
  for (intptr_t k = 0; k < count; ++k) {
    const xc_allocation *allocation = xc_fold_nth_operand(lowering, op, k);
    if (allocation->columns > 1 && allocation->writer > 0)
      parents[find_first(parents, i)] =
          find_first(parents, allocation->writer - 1);
  }
}

/// Returns the cycles that folding saves, or costs, because of an operator,
/// times 3.
static int64_t gain_or_loss(const xc_lowering *lowering,
                            const xc_function_op *op) {
  if (xc_is_folded(lowering, op))
    return gain_of(lowering, op);
  if (xc_fold_input_of(lowering, op)->columns == 1)
    return 0;
  if (xc_fold_is_elementwise(op))
    return elementwise_gain(lowering, op);
  return xc_fold_reads_bytes(op) ? -3 * bytes_cycles(lowering, op) : 0;
}

/// Folds the linked operators that gain something together, or everything that
/// can be folded if a test asks for that.
void xc_choose_folds(xc_lowering *lowering) {
  size_t count = lowering->num_ops;
  size_t *parents = xc_alloc_array(count, sizeof *parents);
  int64_t *gains = xc_alloc_array(count, sizeof *gains);
  for (size_t i = 0; i < count; ++i)
    parents[i] = i;
  for (size_t i = 0; i < count; ++i)
    link_writers(lowering, parents, i);
  for (size_t i = 0; i < count; ++i)
    gains[find_first(parents, i)] += gain_or_loss(lowering, &lowering->ops[i]);
  for (size_t i = 0; i < count; ++i)
    if (gains[find_first(parents, i)] <= 0 && !xc_fold_is_forced(lowering))
      xc_output_allocation(lowering, &lowering->ops[i].adaptor)->columns = 1;
  fold_inputs(lowering, parents);
  free(parents);
  free(gains);
}
