//===- Addresses.c - registers and addresses of buffers -------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lower.h"

static unsigned register_of(const XcDpuTarget *target,
                            xc_allocation_kind kind) {
  switch (kind) {
  case XC_ALLOCATION_INPUT:
    return (unsigned)target->inputRegister;
  case XC_ALLOCATION_OUTPUT:
    return (unsigned)target->outputRegister;
  case XC_ALLOCATION_ALLOC:
    return (unsigned)target->workspaceRegister;
  case XC_ALLOCATION_CONST:
    return (unsigned)target->parametersRegister;
  }
  return 0;
}

/// Children follow their parents, which may come later in the list.
static void assign_child(xc_allocation *allocation) {
  uint64_t offset = 0;
  xc_allocation *root = allocation;
  for (; root->parent; root = root->parent)
    offset += root->offset;
  allocation->image.reg = root->image.reg;
  allocation->image.address = root->image.address + (uint32_t)offset;
}

void xc_assign_children(xc_lowering *lowering) {
  for (size_t i = 0; i < lowering->num_allocations; ++i)
    if (lowering->list[i]->parent)
      assign_child(lowering->list[i]);
}

/// Places with one root are parts of one buffer.
static void number_buffers(xc_lowering *lowering) {
  for (size_t i = 0; i < lowering->num_allocations; ++i)
    if (!lowering->list[i]->parent &&
        lowering->list[i]->kind != XC_ALLOCATION_CONST)
      lowering->list[i]->image.buffer = (uint32_t)i + 1;
  for (size_t i = 0; i < lowering->num_allocations; ++i) {
    xc_allocation *root = lowering->list[i];
    while (root->parent)
      root = root->parent;
    lowering->list[i]->image.buffer = root->image.buffer;
  }
}

/// Whether a convolution has a window that reaches beyond the left of the
/// input. Only with few channels its rows are loaded whole.
static bool reads_before(const xc_lowering *lowering, const xc_function_op *op,
                         const xc_allocation *input) {
  return !op->is_copy && op->adaptor.info->kind == XC_TIR_CONV2D_FIX &&
         input->image.channels < lowering->target->channelParallel &&
         xc_operand_allocation(lowering, &op->adaptor, 0) == input &&
         xc_window_of(&op->adaptor).w.before > 0;
}

/// Gives a single input a margin behind it, and one before it if an operator
/// reads there. Between several inputs, margins would be memory that nothing
/// uses. Without a margin before it, an input begins at its register, so that a
/// board's runtime can use the user's memory in place.
static void choose_margins(xc_lowering *lowering) {
  const xc_allocation *input = NULL;
  for (size_t i = 0; i < lowering->num_allocations; ++i) {
    if (lowering->list[i]->kind != XC_ALLOCATION_INPUT)
      continue;
    if (input)
      return;
    input = lowering->list[i];
  }
  lowering->margin_after = input ? XC_INPUT_MARGIN : 0;
  for (size_t i = 0; input && i < lowering->num_ops; ++i)
    if (reads_before(lowering, &lowering->ops[i], input))
      lowering->margin_before = XC_INPUT_MARGIN;
}

/// A convolution and the depthwise layer after it may be interleaved, some
/// channels at a time. The input of the convolution is then still read when the
/// depthwise layer saves, so its live range is extended.
static void extend_interleaved(xc_lowering *lowering) {
  for (size_t i = 1; i < lowering->num_ops; ++i) {
    const xc_function_op *conv = &lowering->ops[i - 1];
    const xc_function_op *next = &lowering->ops[i];
    if (conv->is_copy || next->is_copy ||
        conv->adaptor.info->kind != XC_TIR_CONV2D_FIX ||
        next->adaptor.info->kind != XC_TIR_DEPTHWISE_CONV2D_FIX)
      continue;
    xc_allocation *input = xc_operand_allocation(lowering, &conv->adaptor, 0);
    if (input->last < i + 1)
      input->last = i + 1;
  }
}

/// Lets a root live as long as its parts.
static void extend_roots(xc_lowering *lowering) {
  for (size_t i = 0; i < lowering->num_allocations; ++i) {
    const xc_allocation *allocation = lowering->list[i];
    xc_allocation *root = lowering->list[i];
    while (root->parent)
      root = root->parent;
    if (allocation->first && (!root->first || allocation->first < root->first))
      root->first = allocation->first;
    if (allocation->last > root->last)
      root->last = allocation->last;
  }
}

void xc_allocations_assign(xc_lowering *lowering) {
  choose_margins(lowering);
  extend_interleaved(lowering);
  extend_roots(lowering);
  xc_plan_frames(lowering);
  for (size_t i = 0; i < lowering->num_allocations; ++i) {
    xc_allocation *allocation = lowering->list[i];
    allocation->image.reg = register_of(lowering->target, allocation->kind);
    if (allocation->kind == XC_ALLOCATION_INPUT ||
        allocation->kind == XC_ALLOCATION_OUTPUT) {
      uint64_t *size = &lowering->register_sizes[allocation->image.reg];
      uint64_t unit = (uint64_t)lowering->target->parameterAlignment;
      *size = (*size + unit - 1) / unit * unit;
      bool is_input = allocation->kind == XC_ALLOCATION_INPUT;
      *size += is_input ? lowering->margin_before : 0;
      allocation->image.address = (uint32_t)*size;
      *size += xc_allocation_size(allocation) +
               (is_input ? lowering->margin_after : 0);
    }
  }
  xc_workspace_assign(lowering);
  xc_assign_children(lowering);
  number_buffers(lowering);
}
