//===- FoldColumns.c - columns of few channels share a word ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pixel takes whole words in the banks, and an instruction the cycles of
// whole words: where a buffer has half as many channels as a word or fewer, the
// engines idle. Such a buffer can be taken as one of fewer columns, whose
// pixels have the channels of several: in DDR the bytes are the same.
// Convolutions that write or read it have larger kernels then, with zeros where
// a column does not reach. A depthwise convolution is one of all channels of
// such a pixel, for which the convolution engine takes a fraction of the
// cycles.
//
// What touches a folded buffer is a convolution, or elementwise: then all that
// it reads and writes has as many columns. What moves pixels between DDR and
// DDR takes them as they are. Operators that are linked by such buffers are
// folded together, if that takes fewer cycles.
//
//===----------------------------------------------------------------------===//

#include "FoldColumns.h"

#include "Target/DPU/CodeGen/Plan/Images.h"
#include "Target/DPU/Window.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// What can be folded
//===----------------------------------------------------------------------===//

static const xc_allocation *input_of(const xc_lowering *lowering,
                                     const xc_function_op *op) {
  return xc_operand_allocation(lowering, &op->adaptor, XC_CONV2D_FIX_INPUT);
}

static bool is_depthwise(const xc_function_op *op) {
  return op->adaptor.info->kind == XC_TIR_DEPTHWISE_CONV2D_FIX;
}

/// Whether the operator is one layer of the convolution engine, but for an
/// addition.
static bool can_fold_op(const xc_function_op *op) {
  if (op->is_copy || op->is_done || op->folds_frames ||
      (!is_depthwise(op) && op->adaptor.info->kind != XC_TIR_CONV2D_FIX) ||
      xc_attr_is(&op->adaptor, XC_ATTR_NONLINEAR, XC_ENUM_HSIGMOID))
    return false;
  xc_shape weight = xc_operand_shape(&op->adaptor, XC_CONV2D_FIX_WEIGHT);
  xc_window window = xc_window_of(&op->adaptor);
  return window.w.dilation == 1 && window.h.dilation == 1 &&
         (is_depthwise(op) ? weight.dims[0] == 1
                           : xc_group_of(&op->adaptor) == 1);
}

/// Whether all that the operator touches has the same pixels, which it computes
/// one by one. It may be part of a convolution.
static bool is_elementwise(const xc_function_op *op) {
  const xc_adaptor *adaptor = &op->adaptor;
  xc_op_kind kind = adaptor->info->kind;
  if (op->is_copy || op->folds_frames ||
      (kind != XC_TIR_ELTWISE_FIX && kind != XC_TIR_RELU_FIX &&
       kind != XC_TIR_RELU6_FIX))
    return false;
  xc_shape result = xc_operand_shape(adaptor, 0);
  for (size_t k = 1; k < xc_num_inputs(adaptor); ++k) {
    xc_shape shape = xc_operand_shape(adaptor, k);
    if (shape.rank != result.rank ||
        memcmp(shape.dims, result.dims, shape.rank * sizeof *shape.dims) != 0)
      return false;
  }
  return true;
}

/// Whether the operator takes what it reads from DDR, in whatever pixels.
static bool reads_bytes(const xc_function_op *op) {
  xc_op_kind kind = op->adaptor.info->kind;
  return !op->is_copy && !op->is_done &&
         (kind == XC_TIR_TILE_FIX || kind == XC_TIR_PAD_FIX);
}

/// Whether it writes to DDR, some pixels of each row or some rows at a time.
static bool writes_bytes(const xc_function_op *op) {
  xc_op_kind kind = op->adaptor.info->kind;
  return !op->is_copy && !op->is_done &&
         (kind == XC_TIR_TRANSPOSED_CONV2D_FIX ||
          kind == XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D_FIX);
}

/// Whether it is between operators, or a result of the function, as the masks
/// of segmentation networks are, that no operator reads.
static bool can_fold_buffer(const xc_allocation *allocation) {
  bool is_read = allocation->readers > 0;
  return allocation->shape.rank == 4 && allocation->writers == 1 &&
         !allocation->parent &&
         allocation->kind ==
             (is_read ? XC_ALLOCATION_ALLOC : XC_ALLOCATION_OUTPUT);
}

/// As many columns as a word has room for, at most a few, as kernels grow with
/// them: of what is read both its writer's and its readers'.
static int32_t columns_for(const XcDpuTarget *target,
                           const xc_allocation *allocation) {
  enum { MOST = 4, MOST_OF_RESULT = 8 };
  const xc_shape *shape = &allocation->shape;
  if (!can_fold_buffer(allocation))
    return 1;
  int32_t most = allocation->readers > 0 ? MOST : MOST_OF_RESULT;
  for (int32_t columns = most; columns > 1; --columns)
    if (shape->dims[2] % columns == 0 &&
        columns * shape->dims[3] <= target->channelParallel)
      return columns;
  return 1;
}

/// Whether operand `i` of `count`, of which the last one is the result, may be
/// folded.
static bool can_fold_operand(const xc_function_op *op, intptr_t i,
                             intptr_t count) {
  bool is_result = i + 1 == count, is_input = i == XC_CONV2D_FIX_INPUT;
  return is_elementwise(op) || (is_input && reads_bytes(op)) ||
         (is_result && writes_bytes(op)) ||
         (can_fold_op(op) && (is_input || is_result));
}

static xc_allocation *nth_operand(const xc_lowering *lowering,
                                  const xc_function_op *op, intptr_t i) {
  return xc_allocation_of(lowering, mlirOperationGetOperand(op->operation, i));
}

static void forbid_operands(const xc_lowering *lowering,
                            const xc_function_op *op) {
  intptr_t count = mlirOperationGetNumOperands(op->operation);
  for (intptr_t i = 0; i < count; ++i)
    if (!can_fold_operand(op, i, count))
      nth_operand(lowering, op, i)->columns = 1;
}

//===----------------------------------------------------------------------===//
// The layer of an operator
//===----------------------------------------------------------------------===//

static int64_t gcd(int64_t a, int64_t b) {
  while (b != 0) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static int64_t minimum(int64_t a, int64_t b) { return a < b ? a : b; }

static int64_t maximum(int64_t a, int64_t b) { return a > b ? a : b; }

static int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

xc_fold xc_fold_of(const xc_lowering *lowering, const xc_function_op *op) {
  xc_fold fold = {
      .in_columns = input_of(lowering, op)->columns,
      .out_columns = xc_output_allocation(lowering, &op->adaptor)->columns,
  };
  xc_window_axis w = xc_window_of(&op->adaptor).w;
  fold.columns = fold.out_columns;
  if (fold.columns == 1) {
    fold.columns = fold.in_columns / (int32_t)gcd(fold.in_columns, w.stride);
    fold.is_apart = fold.columns > 1;
  }
  int64_t step = w.stride * fold.columns;
  int64_t last = (fold.columns - 1) * w.stride + w.kernel - 1 - w.before;
  fold.is_possible =
      step % fold.in_columns == 0 && w.outputs % fold.columns == 0 && last >= 0;
  fold.stride = (int32_t)(step / fold.in_columns);
  fold.before = (int32_t)ceil_div(w.before, fold.in_columns);
  fold.kernel = (int32_t)(last / fold.in_columns) + fold.before + 1;
  return fold;
}

static int64_t words_of(const XcDpuTarget *target, int64_t channels) {
  return ceil_div(channels, target->channelParallel);
}

static bool is_within(XcDpuRange range, int64_t value) {
  return value >= range.minimum && value <= range.maximum;
}

static bool has_padding(XcDpuRange range, int64_t kernel, int64_t before) {
  return before <= (range.maximum < 0 ? kernel - 1 : range.maximum);
}

bool xc_takes_window(const XcDpuEngine *engine, const xc_window *window) {
  const xc_window_axis *w = &window->w, *h = &window->h;
  return is_within(engine->kernelW, w->kernel) &&
         is_within(engine->strideW, w->stride) &&
         has_padding(engine->padLeft, w->kernel, w->before) &&
         is_within(engine->kernelH, h->kernel) &&
         is_within(engine->strideH, h->stride) &&
         has_padding(engine->padTop, h->kernel, h->before);
}

bool xc_has_conv_arithmetic(const XcDpuEngine *engine, const xc_adaptor *op) {
  XcFixEpilogue epilogue;
  return xcDpuSetHas(engine->activations, (uint32_t)xc_activation_of(op)) &&
         xc_fix_epilogue_of(op, &epilogue) &&
         is_within(engine->shiftCut, epilogue.shiftCut) &&
         (!xc_has_operand(op, XC_CONV2D_FIX_BIAS) ||
          is_within(engine->shiftBias, epilogue.shiftBias));
}

/// Whether the weights that one CONV needs fit the banks: those of a word of
/// output channels, or of all columns that are pixels apart.
static bool has_room(const XcDpuTarget *target, const xc_fold *fold,
                     const xc_window_axis *h, int64_t in, int64_t out) {
  int64_t groups = fold->is_apart ? words_of(target, out) * fold->columns : 1;
  return groups * h->kernel * fold->kernel *
             words_of(target, in * fold->in_columns) <=
         target->weights.depth;
}

/// Whether a window fits the banks of the images.
static bool has_window_room(const XcDpuTarget *target, const xc_fold *fold,
                            const xc_window *window, int64_t in) {
  const xc_window_axis *h = &window->h;
  int64_t stride =
      xc_window_band_stride(target, h->kernel, h->stride, h->outputs);
  int64_t row =
      xc_window_row_words(fold->kernel, window->w.inputs / fold->in_columns,
                          words_of(target, in * fold->in_columns));
  return (stride == 1 || row <= xc_window_max_row_step(target)) &&
         xc_window_words(target, h->kernel, stride, row) <= target->image.depth;
}

static bool can_take(const xc_lowering *lowering, const xc_function_op *op) {
  const XcDpuTarget *target = lowering->target;
  xc_fold fold = xc_fold_of(lowering, op);
  xc_window plain = xc_window_of(&op->adaptor);
  xc_window_axis h = plain.h;
  const xc_window window = {.h = h,
                            .w = {.kernel = fold.kernel,
                                  .stride = fold.stride,
                                  .before = fold.before}};
  int64_t in = input_of(lowering, op)->shape.dims[3];
  int64_t out = xc_output_allocation(lowering, &op->adaptor)->shape.dims[3];
  // The layers that add know no pixels apart.
  return fold.is_possible && !(fold.is_apart && op->addition) &&
         xc_takes_window(&target->conv, &window) &&
         xc_has_conv_arithmetic(&target->conv, &op->adaptor) &&
         has_room(target, &fold, &h, in, out) &&
         has_window_room(target, &fold, &plain, in);
}

/// All operands of an elementwise operator have the columns of that with the
/// fewest. Whether anything changed.
static bool make_equal(const xc_lowering *lowering, const xc_function_op *op) {
  intptr_t count = mlirOperationGetNumOperands(op->operation);
  int32_t least = INT32_MAX;
  bool has_changed = false;
  for (intptr_t i = 0; i < count; ++i) {
    int32_t columns = nth_operand(lowering, op, i)->columns;
    least = columns < least ? columns : least;
  }
  for (intptr_t i = 0; i < count; ++i) {
    xc_allocation *allocation = nth_operand(lowering, op, i);
    has_changed |= allocation->columns != least;
    allocation->columns = least;
  }
  return has_changed;
}

/// Forbids to fold what an operator cannot take, or lets a result have fewer
/// columns. Whether anything changed.
static bool forbid_misfits(xc_lowering *lowering) {
  bool has_changed = false;
  for (size_t i = 0; i < lowering->num_ops; ++i) {
    const xc_function_op *op = &lowering->ops[i];
    if (is_elementwise(op))
      has_changed |= make_equal(lowering, op);
    if (!can_fold_op(op))
      continue;
    xc_allocation *in =
        xc_operand_allocation(lowering, &op->adaptor, XC_CONV2D_FIX_INPUT);
    xc_allocation *out = xc_output_allocation(lowering, &op->adaptor);
    if ((in->columns == 1 && out->columns == 1) || can_take(lowering, op))
      continue;
    if (in->columns == 1 && out->readers == 0)
      out->columns = out->columns % 2 == 0 ? out->columns / 2 : 1;
    else
      in->columns = out->columns = 1;
    has_changed = true;
  }
  return has_changed;
}

//===----------------------------------------------------------------------===//
// What it gains
//===----------------------------------------------------------------------===//

int64_t xc_window_words_of_row(const XcDpuTarget *target, int64_t kernel,
                               int64_t channels) {
  int64_t apart = kernel * words_of(target, channels);
  int64_t bytes = kernel * channels;
  if (channels < target->channelParallel && bytes <= target->augmentationMax)
    return minimum(apart, words_of(target, bytes));
  return apart;
}

int64_t xc_weight_loads(const XcDpuTarget *target, int64_t channels) {
  return minimum(channels, target->weights.numBanks);
}

/// LOADs of weights that an operator has more as it is folded.
static int64_t more_loads(const xc_lowering *lowering, const xc_function_op *op,
                          const xc_fold *fold) {
  enum { DEPTHWISE = 2 }; // weights and bias
  int64_t out = xc_output_allocation(lowering, &op->adaptor)->shape.dims[3];
  int64_t folded = xc_weight_loads(lowering->target, out * fold->columns);
  return folded - (is_depthwise(op) ? DEPTHWISE
                                    : xc_weight_loads(lowering->target, out));
}

/// Cycles of the convolution engine for an operator as it is folded.
static int64_t folded_cycles(const xc_lowering *lowering,
                             const xc_function_op *op) {
  const XcDpuTarget *target = lowering->target;
  xc_window window = xc_window_of(&op->adaptor);
  xc_fold fold = xc_fold_of(lowering, op);
  int64_t in = input_of(lowering, op)->shape.dims[3];
  int64_t out = xc_output_allocation(lowering, &op->adaptor)->shape.dims[3];
  int64_t blocks = ceil_div(window.h.outputs, target->conv.rows);
  int64_t words = words_of(target, out) * (fold.is_apart ? fold.columns : 1);
  return blocks * window.h.kernel * (window.w.outputs / fold.columns) * words *
         xc_window_words_of_row(target, fold.kernel, in * fold.in_columns);
}

/// Cycles that an operator takes less as it is folded, times 3.
static int64_t gain_of(const xc_lowering *lowering, const xc_function_op *op) {
  const XcDpuTarget *target = lowering->target;
  xc_window window = xc_window_of(&op->adaptor);
  int64_t in = input_of(lowering, op)->shape.dims[3];
  int64_t out = xc_output_allocation(lowering, &op->adaptor)->shape.dims[3];
  int64_t blocks = ceil_div(window.h.outputs, target->conv.rows);
  int64_t pixels = blocks * window.h.kernel * window.w.outputs;
  int64_t words = words_of(target, out);
  // Both engines at once compute depthwise layers in two thirds of the cycles.
  int64_t apart = is_depthwise(op)
                      ? 2 * pixels * window.w.kernel * words
                      : 3 * pixels * words *
                            xc_window_words_of_row(target, window.w.kernel, in);
  xc_fold fold = xc_fold_of(lowering, op);
  return apart - 3 * folded_cycles(lowering, op) -
         3 * more_loads(lowering, op, &fold) * target->timing.loadStart;
}

/// Cycles that an elementwise operator takes less, times 3.
static int64_t elementwise_gain(const xc_lowering *lowering,
                                const xc_function_op *op) {
  const XcDpuTarget *target = lowering->target;
  const xc_allocation *in = input_of(lowering, op);
  int64_t inputs = (int64_t)xc_num_inputs(&op->adaptor);
  int64_t pixels = ceil_div(in->shape.dims[1], target->conv.rows) *
                   (in->shape.dims[2] - in->shape.dims[2] / in->columns);
  return op->is_done ? 0 : 3 * inputs * pixels;
}

/// Cycles of the LOADs of what is no longer in the banks: all rows, of a tiling
/// for each row of a block of pixels.
static int64_t bytes_cycles(const xc_lowering *lowering,
                            const xc_function_op *op) {
  const XcDpuTarget *target = lowering->target;
  const xc_shape *shape = &input_of(lowering, op)->shape;
  bool is_tiling = op->adaptor.info->kind == XC_TIR_TILE_FIX;
  int64_t times = is_tiling ? xc_attr_int(&op->adaptor, XC_ATTR_STRIDE) : 1;
  int64_t loads =
      times * shape->dims[1] * ceil_div(shape->dims[2], xc_max_length(target));
  return loads * target->timing.loadStart +
         xc_shape_num_elements(shape) / target->timing.loadBytesPerCycle;
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

/// Cycles of the LOADs of an input that the first of folded operators reads:
/// its rows by themselves, with the bytes below a window as the channels of a
/// pixel, or as they are in DDR, where those of a bank come together.
static int64_t input_cycles(const xc_lowering *lowering,
                            const xc_function_op *op) {
  const XcDpuTarget *target = lowering->target;
  xc_window window = xc_window_of(&op->adaptor);
  xc_fold fold = xc_fold_of(lowering, op);
  int64_t channels = input_of(lowering, op)->shape.dims[3];
  int64_t loads = window.h.inputs, bytes = window.w.inputs * channels;
  if (fold.in_columns == 1 && fold.kernel * channels <= target->augmentationMax)
    bytes = window.w.outputs / fold.columns * target->channelParallel *
            words_of(target, fold.kernel * channels);
  else if (window.w.inputs % fold.in_columns == 0)
    loads = ceil_div(loads, window.h.stride);
  return loads * target->timing.loadStart +
         window.h.inputs * bytes / target->timing.loadBytesPerCycle;
}

/// Folds the input of an operator whose result is folded, so that a pixel has
/// the bytes of one position, if that lets LOADs no longer be slower than the
/// engine, which computes all that is linked in `cycles` otherwise.
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
  int64_t apart = maximum(cycles, input_cycles(lowering, op));
  in->columns = (int32_t)columns;
  int64_t folded =
      maximum(others + folded_cycles(lowering, op), input_cycles(lowering, op));
  if (!can_take(lowering, op) || folded >= apart)
    in->columns = 1;
}

/// Whether a test wants all that can be folded.
static bool is_forced(const xc_lowering *lowering) {
  return lowering->engines == XcDpuEngineChoiceInStrips;
}

/// Whether rows can be taken as pixels of so many columns: of the last one, the
/// columns beyond may be anything that no window reads, if there is memory.
static bool has_whole_pixels(const xc_lowering *lowering,
                             const xc_window_axis *w, int64_t channels,
                             int64_t columns) {
  int64_t beyond = (columns - w->inputs % columns) % columns;
  int64_t last = (w->outputs - 1) * w->stride + w->kernel - w->before;
  return beyond == 0 || (last <= w->inputs &&
                         beyond * channels <= (int64_t)lowering->margin_after);
}

/// Folds the input of an operator whose result is not folded, if the engine
/// takes clearly less time so, and LOADs no more: of kernels of many columns,
/// few channels leave most of each word empty.
static void fold_input_alone(const xc_lowering *lowering,
                             const xc_function_op *op) {
  enum { PART = 8 }; // that is gained at least
  int32_t width = lowering->target->channelParallel, best = 1;
  xc_allocation *in =
      xc_operand_allocation(lowering, &op->adaptor, XC_CONV2D_FIX_INPUT);
  if (is_depthwise(op) || in->kind != XC_ALLOCATION_INPUT || in->readers != 1 ||
      in->shape.rank != 4 || in->parent)
    return;
  int64_t channels = in->shape.dims[3];
  int64_t least = folded_cycles(lowering, op);
  int64_t loads = maximum(least, input_cycles(lowering, op));
  least = is_forced(lowering) ? INT64_MAX : least - least / PART;
  for (int32_t columns = 2; columns * channels <= width; ++columns) {
    xc_window_axis w = xc_window_of(&op->adaptor).w;
    in->columns = columns;
    if (!has_whole_pixels(lowering, &w, channels, columns) ||
        !can_take(lowering, op) || folded_cycles(lowering, op) >= least ||
        (input_cycles(lowering, op) > loads && !is_forced(lowering)))
      continue;
    best = columns;
    least = folded_cycles(lowering, op);
  }
  in->columns = best;
}

/// Of operators that buffers link, the first one, by their numbers.
static size_t find_first(size_t *parents, size_t i) {
  while (parents[i] != i)
    i = parents[i] = parents[parents[i]];
  return i;
}

/// Of the operators that `parents` link, which compute together.
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
    else if (can_fold_op(op))
      fold_input_alone(lowering, op);
  }
  free(cycles);
}

/// Links an operator with those that write what it reads folded, and with what
/// it adds.
static void link_writers(const xc_lowering *lowering, size_t *parents,
                         size_t i) {
  const xc_function_op *op = &lowering->ops[i];
  intptr_t count = mlirOperationGetNumOperands(op->operation);
  for (intptr_t k = 0; k < count; ++k) {
    const xc_allocation *allocation = nth_operand(lowering, op, k);
    if (allocation->columns > 1 && allocation->writer > 0)
      parents[find_first(parents, i)] =
          find_first(parents, allocation->writer - 1);
  }
}

/// Cycles that folding takes less because of an operator, times 3.
static int64_t gain_or_loss(const xc_lowering *lowering,
                            const xc_function_op *op) {
  if (xc_is_folded(lowering, op))
    return gain_of(lowering, op);
  if (input_of(lowering, op)->columns == 1)
    return 0;
  if (is_elementwise(op))
    return elementwise_gain(lowering, op);
  return reads_bytes(op) ? -3 * bytes_cycles(lowering, op) : 0;
}

/// Folds what gains something together, or all that can be if that is asked
/// for.
static void choose(xc_lowering *lowering) {
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
    if (gains[find_first(parents, i)] <= 0 && !is_forced(lowering))
      xc_output_allocation(lowering, &lowering->ops[i].adaptor)->columns = 1;
  fold_inputs(lowering, parents);
  free(parents);
  free(gains);
}

void xc_fold_columns(xc_lowering *lowering) {
  bool is_wanted =
      lowering->engines == XcDpuEngineChoiceFastest || is_forced(lowering);
  for (size_t i = 0; i < lowering->num_allocations; ++i)
    lowering->list[i]->columns =
        is_wanted ? columns_for(lowering->target, lowering->list[i]) : 1;
  if (!is_wanted)
    return;
  for (size_t i = 0; i < lowering->num_allocations; ++i)
    if (lowering->list[i]->parent)
      lowering->list[i]->parent->columns = 1;
  for (size_t i = 0; i < lowering->num_ops; ++i) {
    forbid_operands(lowering, &lowering->ops[i]);
    if (lowering->ops[i].scratch)
      lowering->ops[i].scratch->columns = 1;
  }
  while (forbid_misfits(lowering))
    ;
  choose(lowering);
}

//===----------------------------------------------------------------------===//
// Folding
//===----------------------------------------------------------------------===//

bool xc_is_folded(const xc_lowering *lowering, const xc_function_op *op) {
  return can_fold_op(op) &&
         (input_of(lowering, op)->columns > 1 ||
          xc_output_allocation(lowering, &op->adaptor)->columns > 1);
}

void xc_fold_layer(const xc_lowering *lowering, const xc_adaptor *op,
                   XcDpuLayer *layer) {
  int32_t columns = xc_output_allocation(lowering, op)->columns;
  for (size_t k = 0; k < layer->numInputs; ++k)
    layer->inputs[k] = xc_fold_image(layer->inputs[k], columns);
  layer->output = xc_fold_image(layer->output, columns);
}

XcDpuImage xc_fold_image(XcDpuImage image, int32_t columns) {
  image.width = (image.width + columns - 1) / columns;
  image.channels *= columns;
  image.pixelPitch *= (uint32_t)columns;
  return image;
}

void xc_fold_weights(const xc_fold *fold, const xc_fold_kernel *kernel,
                     const int8_t *from, int8_t *to) {
  size_t in = (size_t)kernel->in_channels;
  for (int32_t j = 0; j < fold->columns; ++j)
    for (int32_t o = 0; o < kernel->out_channels; ++o)
      for (int32_t y = 0; y < kernel->height; ++y)
        for (int32_t x = 0; x < kernel->width; ++x) {
          // Column of the input, from that of pixel 0 of the window on.
          int32_t column = fold->before * fold->in_columns - kernel->before +
                           j * kernel->stride + x;
          size_t output = (size_t)(j * kernel->channels_apart + o);
          size_t row = output * (size_t)kernel->height + (size_t)y;
          int8_t *at = to + (row * (size_t)(fold->kernel * fold->in_columns) +
                             (size_t)column) *
                                in;
          size_t element = (size_t)(y * kernel->width + x);
          if (kernel->is_depthwise)
            at[o] = from[element * in + (size_t)o];
          else
            memcpy(at,
                   from + ((size_t)(o * kernel->height * kernel->width) +
                           element) *
                              in,
                   in);
        }
}
