//===- FoldColumns.c - columns of few channels share a word ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pixel takes whole words in the banks, and an instruction takes the cycles
// of whole words. If a buffer has half as many channels as a word or fewer, the
// engines are partly idle. Such a buffer can be folded: it is taken as one of
// fewer columns, whose pixels have the channels of several. The bytes in DDR
// stay the same. Convolutions that write or read it then have larger kernels,
// with zeros where a column does not reach. A depthwise convolution becomes a
// convolution of all channels of such a pixel, for which the convolution engine
// takes a fraction of the cycles.
//
// Operators that touch a folded buffer are convolutions; or elementwise, and
// then everything that they read and write has as many columns; or they move
// pixels between DDR and DDR, and take them as they are. Operators that are
// linked by such buffers are folded together, if that takes fewer cycles.
//
//===----------------------------------------------------------------------===//

#include "Fold.h"

#include "Support/Math.h"
#include "Target/DPU/Window.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Operators that can be folded
//===----------------------------------------------------------------------===//

const xc_allocation *xc_fold_input_of(const xc_lowering *lowering,
                                      const xc_function_op *op) {
  return xc_operand_allocation(lowering, &op->adaptor, XC_CONV2D_FIX_INPUT);
}

bool xc_fold_is_depthwise(const xc_function_op *op) {
  return op->adaptor.info->kind == XC_TIR_DEPTHWISE_CONV2D_FIX;
}

bool xc_can_fold_op(const xc_function_op *op) {
  if (op->is_copy || op->is_done || op->folds_frames ||
      (!xc_fold_is_depthwise(op) &&
       op->adaptor.info->kind != XC_TIR_CONV2D_FIX) ||
      xc_attr_is(&op->adaptor, XC_ATTR_NONLINEAR, XC_ENUM_HSIGMOID))
    return false;
  xc_shape weight = xc_operand_shape(&op->adaptor, XC_CONV2D_FIX_WEIGHT);
  xc_window window = xc_window_of(&op->adaptor);
  return window.w.dilation == 1 && window.h.dilation == 1 &&
         (xc_fold_is_depthwise(op) ? weight.dims[0] == 1
                                   : xc_group_of(&op->adaptor) == 1);
}

bool xc_fold_is_elementwise(const xc_function_op *op) {
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

bool xc_fold_reads_bytes(const xc_function_op *op) {
  xc_op_kind kind = op->adaptor.info->kind;
  return !op->is_copy && !op->is_done &&
         (kind == XC_TIR_TILE_FIX || kind == XC_TIR_PAD_FIX);
}

/// Whether the operator writes to DDR, some pixels of each row or some rows at
/// a time.
static bool writes_bytes(const xc_function_op *op) {
  xc_op_kind kind = op->adaptor.info->kind;
  return !op->is_copy && !op->is_done &&
         (kind == XC_TIR_TRANSPOSED_CONV2D_FIX ||
          kind == XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D_FIX);
}

/// Whether a buffer is between operators, or a result of the function that no
/// operator reads, such as the mask of a segmentation network.
static bool can_fold_buffer(const xc_allocation *allocation) {
  bool is_read = allocation->readers > 0;
  return allocation->shape.rank == 4 && allocation->writers == 1 &&
         !allocation->parent && !allocation->layout &&
         allocation->kind ==
             (is_read ? XC_ALLOCATION_ALLOC : XC_ALLOCATION_OUTPUT);
}

/// As many columns as a word has room for, but only a few, as kernels grow with
/// them. For a buffer that is read, the kernels of its writer and of its
/// readers grow.
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
  return xc_fold_is_elementwise(op) || (is_input && xc_fold_reads_bytes(op)) ||
         (is_result && writes_bytes(op)) ||
         (xc_can_fold_op(op) && (is_input || is_result));
}

xc_allocation *xc_fold_nth_operand(const xc_lowering *lowering,
                                   const xc_function_op *op, intptr_t i) {
  return xc_allocation_of(lowering, mlirOperationGetOperand(op->operation, i));
}

static void forbid_operands(const xc_lowering *lowering,
                            const xc_function_op *op) {
  intptr_t count = mlirOperationGetNumOperands(op->operation);
  for (intptr_t i = 0; i < count; ++i)
    if (!can_fold_operand(op, i, count))
      xc_fold_nth_operand(lowering, op, i)->columns = 1;
}

//===----------------------------------------------------------------------===//
// The layer of an operator
//===----------------------------------------------------------------------===//

xc_fold xc_fold_of(const xc_lowering *lowering, const xc_function_op *op) {
  xc_fold fold = {
      .in_columns = xc_fold_input_of(lowering, op)->columns,
      .out_columns = xc_output_allocation(lowering, &op->adaptor)->columns,
  };
  xc_window_axis w = xc_window_of(&op->adaptor).w;
  fold.columns = fold.out_columns;
  if (fold.columns == 1) {
    fold.columns =
        fold.in_columns / (int32_t)xc_gcd64(fold.in_columns, w.stride);
    fold.is_apart = fold.columns > 1;
  }
  int64_t step = w.stride * fold.columns;
  int64_t last = (fold.columns - 1) * w.stride + w.kernel - 1 - w.before;
  fold.is_possible =
      step % fold.in_columns == 0 && w.outputs % fold.columns == 0 && last >= 0;
  fold.stride = (int32_t)(step / fold.in_columns);
  fold.before = (int32_t)xc_ceil_div64(w.before, fold.in_columns);
  fold.kernel = (int32_t)(last / fold.in_columns) + fold.before + 1;
  return fold;
}

int64_t xc_fold_words(const XcDpuTarget *target, int64_t channels) {
  return xc_ceil_div64(channels, target->channelParallel);
}

static bool is_within(XcDpuRange range, int64_t value) {
  return value >= range.minimum && value <= range.maximum;
}

static bool has_padding(XcDpuRange range, int64_t kernel, int64_t before) {
  return before <= xcDpuRangeMaxPadding(range, kernel);
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
  int64_t groups =
      fold->is_apart ? xc_fold_words(target, out) * fold->columns : 1;
  return groups * h->kernel * fold->kernel *
             xc_fold_words(target, in * fold->in_columns) <=
         target->weights.depth;
}

/// Whether a window fits the banks of the images.
static bool has_window_room(const XcDpuTarget *target, const xc_fold *fold,
                            const xc_window *window, int64_t in) {
  const xc_window_axis *h = &window->h;
  int64_t stride =
      xc_window_band_stride(target, h->kernel, h->stride, h->outputs);
  int64_t row = xc_window_row_words(
      fold->kernel, xc_ceil_div64(window->w.inputs, fold->in_columns),
      xc_fold_words(target, in * fold->in_columns));
  return (stride == 1 || row <= xc_window_max_row_step(target)) &&
         xc_window_words(target, h->kernel, stride, row) <= target->image.depth;
}

bool xc_can_take_fold(const xc_lowering *lowering, const xc_function_op *op) {
  const XcDpuTarget *target = lowering->target;
  xc_fold fold = xc_fold_of(lowering, op);
  xc_window plain = xc_window_of(&op->adaptor);
  xc_window_axis h = plain.h;
  const xc_window window = {.h = h,
                            .w = {.kernel = fold.kernel,
                                  .stride = fold.stride,
                                  .before = fold.before}};
  const xc_allocation *from = xc_fold_input_of(lowering, op);
  const xc_allocation *to = xc_output_allocation(lowering, &op->adaptor);
  int64_t in = from->shape.dims[3], out = to->shape.dims[3];
  // The layers that add know no pixels apart.
  return fold.is_possible && !from->layout && !to->layout &&
         !(fold.is_apart && op->addition) &&
         xc_takes_window(&target->conv, &window) &&
         xc_has_conv_arithmetic(&target->conv, &op->adaptor) &&
         has_room(target, &fold, &h, in, out) &&
         has_window_room(target, &fold, &plain, in);
}

/// Gives all operands of an elementwise operator the columns of the one with
/// the fewest. Returns whether anything changed.
static bool make_equal(const xc_lowering *lowering, const xc_function_op *op) {
  intptr_t count = mlirOperationGetNumOperands(op->operation);
  int32_t least = INT32_MAX;
  bool has_changed = false;
  for (intptr_t i = 0; i < count; ++i) {
    int32_t columns = xc_fold_nth_operand(lowering, op, i)->columns;
    least = columns < least ? columns : least;
  }
  for (intptr_t i = 0; i < count; ++i) {
    xc_allocation *allocation = xc_fold_nth_operand(lowering, op, i);
    has_changed |= allocation->columns != least;
    allocation->columns = least;
  }
  return has_changed;
}

/// Forbids folding what an operator cannot take, or lets a result have fewer
/// columns. Returns whether anything changed.
static bool forbid_misfits(xc_lowering *lowering) {
  bool has_changed = false;
  for (size_t i = 0; i < lowering->num_ops; ++i) {
    const xc_function_op *op = &lowering->ops[i];
    if (xc_fold_is_elementwise(op))
      has_changed |= make_equal(lowering, op);
    if (!xc_can_fold_op(op))
      continue;
    xc_allocation *in =
        xc_operand_allocation(lowering, &op->adaptor, XC_CONV2D_FIX_INPUT);
    xc_allocation *out = xc_output_allocation(lowering, &op->adaptor);
    if ((in->columns == 1 && out->columns == 1) ||
        xc_can_take_fold(lowering, op))
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
// The choice
//===----------------------------------------------------------------------===//

bool xc_fold_is_forced(const xc_lowering *lowering) {
  return lowering->engines == XcDpuEngineChoiceInStrips;
}

void xc_fold_columns(xc_lowering *lowering) {
  bool is_wanted = lowering->engines == XcDpuEngineChoiceFastest ||
                   xc_fold_is_forced(lowering);
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
  xc_choose_folds(lowering);
}

//===----------------------------------------------------------------------===//
// Folding
//===----------------------------------------------------------------------===//

bool xc_is_folded(const xc_lowering *lowering, const xc_function_op *op) {
  return xc_can_fold_op(op) &&
         (xc_fold_input_of(lowering, op)->columns > 1 ||
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
