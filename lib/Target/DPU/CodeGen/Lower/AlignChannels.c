//===- AlignChannels.c - concatenations of whole words --------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Engines write whole words of channels into the banks. An input of a
// concatenation that begins in the middle of a word can only be joined with the
// others in DDR, so networks of narrow concatenations (ShuffleNetV2, GhostNet)
// wait for transfers of images that the banks have room for. Here each input is
// padded to whole words of channels: convolutions that write it get filters of
// zeros, and those that read it get weights of zeros.
//
// Operators that compute channel by channel keep the layout, and the buffers
// that they link form a class. Buffers that other operators touch are packed,
// which means without padding, and so are inputs and results of the function,
// and classes that would need two layouts.
//
//===----------------------------------------------------------------------===//

#include "AlignChannels.h"

#include "Support/Math.h"

#include <stdlib.h>
#include <string.h>

/// Buffers with one layout.
typedef struct xc_channel_class {
  struct xc_channel_class *merged; // the class that this one is a part of
  bool is_packed;                  // has no padding
  bool is_used; // by a concatenation that has padding between its inputs
  bool is_concat;
  xc_channel_layout layout;
} channel_class;

static channel_class *class_of(const xc_allocation *allocation) {
  channel_class *found = allocation->channel_class;
  while (found->merged) {
    if (found->merged->merged)
      found->merged = found->merged->merged;
    found = found->merged;
  }
  return found;
}

static void unite(const xc_allocation *a, const xc_allocation *b) {
  channel_class *to = class_of(a), *from = class_of(b);
  if (to == from)
    return;
  to->is_packed |= from->is_packed;
  to->is_concat |= from->is_concat;
  from->merged = to;
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

static void begin_classes(xc_lowering *lowering) {
  for (size_t i = 0; i < lowering->num_allocations; ++i) {
    xc_allocation *a = lowering->list[i];
    channel_class *own = xc_arena_alloc(&lowering->arena, 1, sizeof *own);
    own->is_packed = a->kind != XC_ALLOCATION_ALLOC || a->shape.rank != 4 ||
                     a->shape.dims[0] != 1;
    own->layout.channels = a->image.channels;
    a->channel_class = own;
  }
}

static xc_allocation *nth_operand(const xc_lowering *lowering,
                                  const xc_function_op *op, intptr_t i) {
  return xc_allocation_of(lowering, mlirOperationGetOperand(op->operation, i));
}

static void pack_operands(const xc_lowering *lowering,
                          const xc_function_op *op) {
  intptr_t count = mlirOperationGetNumOperands(op->operation);
  for (intptr_t i = 0; i < count; ++i)
    class_of(nth_operand(lowering, op, i))->is_packed = true;
}

static bool is_channel_concat(const xc_function_op *op) {
  enum { CHANNELS = 3 };
  return !op->is_copy && op->adaptor.info->kind == XC_TIR_CONCAT_FIX &&
         xc_axis_of(&op->adaptor) == CHANNELS;
}

/// Whether an operator computes each channel from the same channel of its first
/// `*inputs` operands, which are images.
static bool keeps_channels(const xc_function_op *op, size_t *inputs) {
  const xc_adaptor *adaptor = &op->adaptor;
  *inputs = 1;
  switch (adaptor->info->kind) {
  case XC_TIR_DEPTHWISE_CONV2D_FIX:
    return xc_operand_shape(adaptor, XC_CONV2D_FIX_WEIGHT).dims[0] == 1;
  case XC_TIR_ELTWISE_FIX:
    *inputs = xc_num_inputs(adaptor);
    for (size_t k = 1; k < *inputs; ++k) {
      xc_shape first = xc_operand_shape(adaptor, 0);
      xc_shape shape = xc_operand_shape(adaptor, k);
      if (shape.rank != first.rank ||
          memcmp(shape.dims, first.dims, shape.rank * sizeof *shape.dims) != 0)
        return false;
    }
    return true;
  case XC_TIR_POOL_FIX:
  case XC_TIR_RELU_FIX:
  case XC_TIR_RELU6_FIX:
  case XC_TIR_LEAKY_RELU_FIX:
  case XC_TIR_UPSAMPLE_FIX:
    return !op->scratch;
  default:
    return false;
  }
}

static void read_op(const xc_lowering *lowering, const xc_function_op *op) {
  const xc_adaptor *adaptor = &op->adaptor;
  size_t inputs;
  if (op->is_copy) {
    pack_operands(lowering, op);
  } else if (is_channel_concat(op)) {
    class_of(xc_output_allocation(lowering, adaptor))->is_concat = true;
  } else if (keeps_channels(op, &inputs)) {
    const xc_allocation *out = xc_output_allocation(lowering, adaptor);
    for (size_t k = 0; k < inputs; ++k)
      unite(out, xc_operand_allocation(lowering, adaptor, k));
  } else if (adaptor->info->kind != XC_TIR_CONV2D_FIX ||
             xc_group_of(adaptor) != 1) {
    pack_operands(lowering, op);
  }
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

static bool is_aligned(const xc_lowering *lowering, const channel_class *c) {
  return c->layout.channels % lowering->target->channelParallel == 0;
}

/// The inputs of a packed concatenation are packed. A concatenation is packed
/// if an input is packed and does not fill its words. Returns whether anything
/// changed.
static bool pack_linked(const xc_lowering *lowering, const xc_function_op *op) {
  if (!is_channel_concat(op))
    return false;
  channel_class *out = class_of(xc_output_allocation(lowering, &op->adaptor));
  bool has_changed = false;
  for (size_t k = 0; k < xc_num_inputs(&op->adaptor); ++k) {
    channel_class *in =
        class_of(xc_operand_allocation(lowering, &op->adaptor, k));
    channel_class *other = out->is_packed ? in : out;
    bool packs = out->is_packed || (in->is_packed && !is_aligned(lowering, in));
    has_changed |= packs && !other->is_packed;
    other->is_packed |= packs;
  }
  return has_changed;
}

static void pack_all_linked(const xc_lowering *lowering) {
  bool has_changed = true;
  while (has_changed) {
    has_changed = false;
    for (size_t i = 0; i < lowering->num_ops; ++i)
      has_changed |= pack_linked(lowering, &lowering->ops[i]);
    for (size_t i = lowering->num_ops; i-- > 0;)
      has_changed |= pack_linked(lowering, &lowering->ops[i]);
  }
}

/// Sets a layout whose channels follow each other without padding between them.
static void set_plain_layout(xc_lowering *lowering, xc_channel_layout *layout) {
  int32_t width = lowering->target->channelParallel;
  layout->padded = xc_ceil_div(layout->channels, width) * width;
  layout->places = xc_arena_alloc(
      &lowering->arena, (size_t)layout->channels + 1, sizeof *layout->places);
  for (int32_t i = 0; i < layout->channels; ++i)
    layout->places[i] = i;
}

/// Sets the layout of a concatenation. Returns false if the layout of an input
/// is not known.
static bool set_concat_layout(xc_lowering *lowering, const xc_function_op *op,
                              xc_channel_layout *layout) {
  layout->padded = 0;
  layout->places = xc_arena_alloc(
      &lowering->arena, (size_t)layout->channels + 1, sizeof *layout->places);
  int32_t *to = layout->places;
  for (size_t k = 0; k < xc_num_inputs(&op->adaptor); ++k) {
    const xc_channel_layout *in =
        &class_of(xc_operand_allocation(lowering, &op->adaptor, k))->layout;
    if (!in->places)
      return false;
    for (int32_t i = 0; i < in->channels; ++i)
      *to++ = layout->padded + in->places[i];
    layout->padded += in->padded;
  }
  return true;
}

static bool same_layout(const xc_channel_layout *a,
                        const xc_channel_layout *b) {
  return a->padded == b->padded &&
         memcmp(a->places, b->places,
                (size_t)a->channels * sizeof *a->places) == 0;
}

/// Sets the layouts of all classes that are not packed, concatenations in their
/// order. Returns false when a class would need two layouts, which packs it.
static bool set_layouts(xc_lowering *lowering) {
  for (size_t i = 0; i < lowering->num_allocations; ++i)
    class_of(lowering->list[i])->layout.places = NULL;
  for (size_t i = 0; i < lowering->num_allocations; ++i) {
    channel_class *c = class_of(lowering->list[i]);
    if (!c->layout.places && (c->is_packed || !c->is_concat))
      set_plain_layout(lowering, &c->layout);
  }
  for (size_t i = 0; i < lowering->num_ops; ++i) {
    const xc_function_op *op = &lowering->ops[i];
    if (!is_channel_concat(op))
      continue;
    channel_class *c = class_of(xc_output_allocation(lowering, &op->adaptor));
    xc_channel_layout layout = c->layout;
    if (c->is_packed)
      continue;
    c->is_packed = !set_concat_layout(lowering, op, &layout) ||
                   (c->layout.places && !same_layout(&c->layout, &layout));
    if (c->is_packed)
      return false;
    c->layout = layout;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Fix points
//===----------------------------------------------------------------------===//

/// Whether the channels of each word share their fix points.
static bool has_word_points(const xc_lowering *lowering, const xc_adaptor *op,
                            const xc_channel_layout *layout) {
  int32_t width = lowering->target->channelParallel;
  xc_fix_groups groups = xc_fix_groups_of(op, layout->channels);
  for (int32_t i = 1; groups.count > 1 && i < layout->channels; ++i) {
    int64_t a = (i - 1) / groups.channels, b = i / groups.channels;
    if (layout->places[i - 1] / width == layout->places[i] / width && a != b &&
        (xc_fix_weight_point(op, a) != xc_fix_weight_point(op, b) ||
         xc_fix_bias_point(op, a) != xc_fix_bias_point(op, b)))
      return false;
  }
  return true;
}

/// Packs buffers that a convolution cannot write with padding. Returns whether
/// anything changed.
static bool pack_misfits(const xc_lowering *lowering) {
  bool has_changed = false;
  for (size_t i = 0; i < lowering->num_ops; ++i) {
    const xc_function_op *op = &lowering->ops[i];
    if (op->is_copy || (op->adaptor.info->kind != XC_TIR_CONV2D_FIX &&
                        op->adaptor.info->kind != XC_TIR_DEPTHWISE_CONV2D_FIX))
      continue;
    channel_class *c = class_of(xc_output_allocation(lowering, &op->adaptor));
    bool packs =
        !c->is_packed && !has_word_points(lowering, &op->adaptor, &c->layout);
    c->is_packed |= packs;
    has_changed |= packs;
  }
  return has_changed;
}

//===----------------------------------------------------------------------===//
// Applying layouts
//===----------------------------------------------------------------------===//

/// Marks the layouts that are used: those of concatenations with padding, and
/// of their inputs. Goes backwards, as inputs may be concatenations.
static bool mark_used(const xc_lowering *lowering) {
  bool is_any = false;
  for (size_t i = lowering->num_ops; i-- > 0;) {
    const xc_function_op *op = &lowering->ops[i];
    if (!is_channel_concat(op))
      continue;
    channel_class *out = class_of(xc_output_allocation(lowering, &op->adaptor));
    if (out->is_packed ||
        (!out->is_used && out->layout.padded == out->layout.channels))
      continue;
    out->is_used = is_any = true;
    for (size_t k = 0; k < xc_num_inputs(&op->adaptor); ++k)
      class_of(xc_operand_allocation(lowering, &op->adaptor, k))->is_used =
          true;
  }
  return is_any;
}

static void use_layouts(xc_lowering *lowering) {
  for (size_t i = 0; i < lowering->num_allocations; ++i) {
    xc_allocation *a = lowering->list[i];
    channel_class *c = class_of(a);
    if (!c->is_used || c->is_packed || c->layout.padded == c->layout.channels)
      continue;
    a->layout = &c->layout;
    a->image = xcDpuImageDense(0, 0, a->image.height, a->image.width,
                               c->layout.padded);
  }
}

bool xc_align_channels(xc_lowering *lowering) {
  begin_classes(lowering);
  for (size_t i = 0; i < lowering->num_ops; ++i)
    read_op(lowering, &lowering->ops[i]);
  do
    pack_all_linked(lowering);
  while (!set_layouts(lowering) || pack_misfits(lowering));
  if (!mark_used(lowering))
    return false;
  use_layouts(lowering);
  return true;
}

bool xc_is_plain_layout(const xc_channel_layout *layout) {
  int32_t last = layout->channels - 1;
  return layout->places[last] == last;
}

void xc_pad_channels(const xc_channel_layout *layout, size_t count,
                     const int8_t *from, int8_t *to) {
  for (size_t k = 0; k < count;
       ++k, from += layout->channels, to += layout->padded)
    for (int32_t i = 0; i < layout->channels; ++i)
      to[layout->places[i]] = from[i];
}
