//===- Frames.c - the order of operators and frames of a batch ------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the frames of a batch go through the operators. A frame goes through a
// run of operators before the next one does, so that what passes between these
// stays in the banks, as it does for a single image. Buffers inside a run have
// the memory of one frame. If weights take longer to load than everything else,
// they are loaded once: the frames become rows of one image, as in fully
// connected layers, or the operator is a run by itself, whose frames share the
// weights.
//
//===----------------------------------------------------------------------===//

#include "Lower.h"

#include <assert.h>
#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Frames as rows
//===----------------------------------------------------------------------===//

/// Whether windows never reach from one frame into the next if each frame
/// begins where the one before it ends.
static bool has_separate_rows(const xc_window_axis *axis) {
  return axis->before == 0 && axis->after == 0 && axis->dilation == 1 &&
         ((axis->kernel == 1 && axis->stride == 1) ||
          (axis->outputs == 1 && axis->kernel == axis->inputs));
}

/// Returns a convolution of so many frames, to be priced. Those of more than
/// one have rows of their own.
static XcDpuLayer layer_of_frames(const xc_lowering *lowering,
                                  const xc_adaptor *op, int64_t frames,
                                  int64_t batch) {
  xc_window window = xc_window_of(op);
  XcDpuImage in = xc_operand_allocation(lowering, op, 0)->image;
  XcDpuImage out = xc_output_allocation(lowering, op)->image;
  XcDpuLayer layer = {.kind = XcDpuLayerKindConv, .numInputs = 1};
  layer.inputs[0] = xcDpuImageDense(0, 0, (int32_t)(in.height / batch * frames),
                                    in.width, in.channels);
  layer.output = xcDpuImageDense(0, 0, (int32_t)(out.height / batch * frames),
                                 out.width, out.channels);
  layer.kernelH = (int32_t)window.h.kernel;
  layer.strideH = frames > 1 ? layer.kernelH : (int32_t)window.h.stride;
  layer.padTop = (int32_t)window.h.before;
  layer.kernelW = (int32_t)window.w.kernel;
  layer.strideW = (int32_t)window.w.stride;
  layer.padLeft = (int32_t)window.w.before;
  return layer;
}

/// Returns the cycles to save and load what lives before or after operator
/// `at`, of one frame. If its frames become one image, or follow each other,
/// all frames are live there at once.
static int64_t live_cycles(const xc_lowering *lowering, size_t at,
                           int64_t batch) {
  const XcDpuTiming *timing = &lowering->target->timing;
  int64_t sum = 0;
  for (size_t i = 0; i < lowering->num_allocations; ++i) {
    const xc_allocation *a = lowering->list[i];
    if (a->parent || a->kind != XC_ALLOCATION_ALLOC || a->first > at ||
        a->last < at)
      continue;
    sum += a->image.height * (timing->loadStart + timing->saveStart) +
           2 * (int64_t)(xc_allocation_size(a) /
                         (uint64_t)timing->loadBytesPerCycle);
  }
  return sum / batch;
}

/// The cost of an operator for one frame, in cycles.
typedef struct frame_price {
  XcDpuLayerPrice layer;
  int64_t moved; // if what lives beside it goes through DDR
} frame_price;

static bool price_frame(const xc_lowering *lowering, size_t index,
                        int64_t batch, frame_price *price) {
  const xc_function_op *op = &lowering->ops[index];
  if (op->adaptor.info->kind != XC_TIR_CONV2D_FIX)
    return false;
  XcDpuLayer one = layer_of_frames(lowering, &op->adaptor, 1, batch);
  price->moved = live_cycles(lowering, index + 1, batch);
  return xcDpuCodeGenPriceLayer(lowering->gen, &one, &price->layer);
}

/// Whether weights that are loaded once save more than they take, with all that
/// has to move then, if they do not come while other operators run.
static bool is_faster_alone(const frame_price *price, int64_t batch) {
  return (batch - 1) * price->layer.weights >
         batch * (price->layer.compute + price->moved);
}

/// Whether the frames of a convolution become rows of one image.
static bool folds_frames(const xc_lowering *lowering, size_t index,
                         int64_t batch, const frame_price *price) {
  const xc_adaptor *op = &lowering->ops[index].adaptor;
  xc_window window = xc_window_of(op);
  if (!has_separate_rows(&window.h) || window.w.dilation != 1 ||
      price->layer.weights <= price->layer.compute + price->moved)
    return false;
  XcDpuLayer all = layer_of_frames(lowering, op, batch, batch);
  XcDpuLayerPrice together;
  return xcDpuCodeGenPriceLayer(lowering->gen, &all, &together) &&
         together.cycles < batch * price->layer.cycles;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

/// The frames of an operator before runs are formed.
typedef struct run_member {
  int64_t in_run; // how many there are in a run with its neighbours
  bool is_alone;  // it is a run by itself
} run_member;

static void count_frames(xc_lowering *lowering, run_member *members) {
  for (size_t i = 0; i < lowering->num_ops; ++i) {
    xc_function_op *op = &lowering->ops[i];
    op->run_size = 1;
    op->num_frames = 1;
    members[i] = (run_member){.in_run = 1};
    if (op->is_done)
      continue;
    xc_frame_counts counts = xc_count_frames(lowering, op);
    members[i].in_run = counts.in_run;
    op->num_frames = counts.alone;
    frame_price price;
    if (counts.alone <= 1 || !price_frame(lowering, i, counts.alone, &price))
      continue;
    op->folds_frames = folds_frames(lowering, i, counts.alone, &price);
    members[i].is_alone = is_faster_alone(&price, counts.alone);
    if (op->folds_frames)
      op->num_frames = members[i].in_run = 1;
  }
}

/// Returns the number of operators from `first` on that a frame goes through;
/// those that are done already do not count.
static size_t run_from(const xc_lowering *lowering, const run_member *members,
                       size_t first) {
  size_t size = 1;
  for (size_t i = first + 1; i < lowering->num_ops && !members[first].is_alone;
       ++i) {
    if (lowering->ops[i].is_done)
      continue;
    if (members[i].in_run != members[first].in_run || members[i].is_alone)
      break;
    size = i + 1 - first;
  }
  return size;
}

/// Sets for each operator the one at which its run begins.
static void form_runs(xc_lowering *lowering, const run_member *members,
                      size_t *runs) {
  for (size_t i = 0; i < lowering->num_ops;) {
    size_t size = 1;
    if (members[i].in_run > 1 && !lowering->ops[i].is_done)
      size = run_from(lowering, members, i);
    lowering->ops[i].run_size = size;
    for (size_t k = i; k < i + size; ++k) {
      runs[k] = i;
      if (size > 1)
        lowering->ops[k].num_frames = members[i].in_run;
    }
    i += size;
  }
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// Returns the number of frames of a run if the buffer is used in no other run,
/// else 1.
static int64_t frames_of_root(const xc_lowering *lowering, const size_t *runs,
                              const xc_allocation *root) {
  if (root->kind != XC_ALLOCATION_ALLOC || !root->first ||
      runs[root->first - 1] != runs[root->last - 1])
    return 1;
  const xc_function_op *run = &lowering->ops[runs[root->first - 1]];
  return run->run_size > 1 ? run->num_frames : 1;
}

/// Whether the first dimension is frames.
static bool has_frames(const xc_allocation *allocation, int64_t frames) {
  const xc_shape *shape = &allocation->shape;
  return shape->rank >= 2 && shape->dims[0] == frames;
}

static void keep_one_frame(xc_allocation *allocation) {
  if (allocation->shape.rank == 2)
    allocation->image.width /= (int32_t)allocation->frames;
  else
    allocation->image.height /= (int32_t)allocation->frames;
}

/// Gives buffers the memory of one frame. All their parts must have frames.
static void share_frames(xc_lowering *lowering, const size_t *runs) {
  xc_allocation **list = lowering->list;
  for (size_t i = 0; i < lowering->num_allocations; ++i)
    if (!list[i]->parent)
      list[i]->frames = frames_of_root(lowering, runs, list[i]);
  for (size_t i = 0; i < lowering->num_allocations; ++i) {
    xc_allocation *root = xc_allocation_root(list[i]);
    uint64_t one = root->frames > 1 ? xc_allocation_size(root) : 0;
    if (root->frames > 1 &&
        (!has_frames(list[i], root->frames) ||
         list[i]->shape.rank != root->shape.rank || list[i]->offset >= one))
      root->frames = 1;
  }
  for (size_t i = 0; i < lowering->num_allocations; ++i) {
    list[i]->frames = xc_allocation_root(list[i])->frames;
    if (list[i]->frames > 1)
      keep_one_frame(list[i]);
  }
}

/// Lets the other buffers that a run reads or writes live for all of the run.
static void extend_over_runs(xc_lowering *lowering, const size_t *runs) {
  for (size_t i = 0; i < lowering->num_allocations; ++i) {
    xc_allocation *a = lowering->list[i];
    if (!a->first || a->frames > 1)
      continue;
    size_t last = runs[a->last - 1];
    a->first = runs[a->first - 1] + 1;
    a->last = last + lowering->ops[last].run_size;
  }
}

void xc_plan_frames(xc_lowering *lowering) {
  run_member *members = xc_alloc_array(lowering->num_ops, sizeof *members);
  size_t *runs = xc_alloc_array(lowering->num_ops, sizeof *runs);
  count_frames(lowering, members);
  form_runs(lowering, members, runs);
  share_frames(lowering, runs);
  extend_over_runs(lowering, runs);
  free(members);
  free(runs);
}
