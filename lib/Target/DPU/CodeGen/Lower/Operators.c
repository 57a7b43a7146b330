//===- Operators.c - what a compiled function keeps of its operators ------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AlignChannels.h"

#include "dialects/Build.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Buffers that the code accesses
//===----------------------------------------------------------------------===//

/// Buffers share addresses one after the other; all that have this one count.
static void touch(xc_lowering *lowering, uint32_t reg, uint64_t address) {
  if ((int32_t)reg != lowering->target->workspaceRegister)
    return;
  for (size_t i = 0; i < lowering->num_allocations; ++i) {
    xc_allocation *a = lowering->list[i];
    if (!a->is_touched && !a->parent && a->kind == XC_ALLOCATION_ALLOC &&
        address >= a->image.address &&
        address - a->image.address < xc_allocation_size(a))
      a->is_touched = true;
  }
}

static void touch_all(xc_lowering *lowering, const XcDpuProgram *program) {
  for (size_t i = 0; i < xcDpuProgramGetNumInstructions(program); ++i) {
    XcDpuInstruction instruction;
    xcDpuProgramGetInstruction(program, i, &instruction);
    if (instruction.opcode == XcDpuOpcodeLoad)
      touch(lowering, instruction.load.reg_id, instruction.load.ddr_addr);
    else if (instruction.opcode == XcDpuOpcodeSave)
      touch(lowering, instruction.save.reg_id, instruction.save.ddr_addr);
  }
}

/// Buffers that never leave the chip need no memory.
static void trim_workspace(xc_lowering *lowering) {
  uint64_t end = 0;
  for (size_t i = 0; i < lowering->num_allocations; ++i) {
    const xc_allocation *a = lowering->list[i];
    uint64_t own = a->image.address + xc_allocation_size(a);
    if (!a->parent && a->is_touched && own > end)
      end = own;
  }
  uint64_t *size =
      &lowering->register_sizes[lowering->target->workspaceRegister];
  *size = end < *size ? end : *size;
  if (lowering->workspace_bound > *size)
    lowering->workspace_bound = *size;
}

//===----------------------------------------------------------------------===//
// Values and operators
//===----------------------------------------------------------------------===//

/// Keeps what a constant is, and its recipe if that gives the same.
static void keep_constant(const xc_lowering *lowering, const xc_allocation *a,
                          xc_dpu_function *result, xc_dpu_value *value) {
  XcDpuContents contents[XC_DPU_NUM_REGISTERS];
  for (unsigned reg = 0; reg < XC_DPU_NUM_REGISTERS; ++reg)
    contents[reg] = (XcDpuContents){lowering->parameters[reg].bytes,
                                    (size_t)lowering->register_sizes[reg]};
  size_t size;
  void *copy;
  const void *bytes =
      xc_const_contents(mlirOpResultGetOwner(a->value), &size, &copy);
  if (!bytes)
    return;
  value->bytes = bytes;
  value->num_bytes = size;
  if (copy) {
    void *kept = xc_arena_alloc(&result->arena, size + 1, 1);
    memcpy(kept, copy, size);
    free(copy);
    value->bytes = kept;
  }
  void *read = xc_alloc_uninitialized(size + 1, 1);
  bool is_read = xcDpuReadParameters(
      lowering->target, contents, a->recipe, a->recipe_size,
      (size_t)xc_element_size(a->shape.element), read, size);
  if (!is_read || memcmp(read, value->bytes, size) != 0)
    value->recipe_size = 0;
  free(read);
}

/// Whether no strides tell where its channels are.
static bool has_inner_padding(const xc_allocation *allocation) {
  return allocation->layout && !xc_is_plain_layout(allocation->layout);
}

static void list_values(xc_lowering *lowering, xc_dpu_function *result) {
  xc_dpu_value *values =
      xc_arena_alloc(&result->arena, lowering->num_allocations, sizeof *values);
  result->values = values;
  result->num_values = lowering->num_allocations;
  for (size_t i = 0; i < lowering->num_allocations; ++i) {
    xc_allocation *a = lowering->list[i];
    const xc_allocation *root = xc_allocation_root(a);
    values[i] =
        (xc_dpu_value){.image = a->image,
                       .shape = a->shape,
                       .fix_point = a->fix_point,
                       .is_constant = a->kind == XC_ALLOCATION_CONST,
                       .is_on_chip = root->kind == XC_ALLOCATION_ALLOC &&
                                     (!root->is_touched || root->frames > 1 ||
                                      has_inner_padding(a)),
                       .recipe_size = a->recipe_size};
    if (a->recipe_size)
      values[i].image.address = xc_recipe_address(a->recipe, &values[i].layout);
    int32_t *recipe =
        xc_arena_alloc(&result->arena, a->recipe_size + 1, sizeof *recipe);
    if (a->recipe_size)
      memcpy(recipe, a->recipe, a->recipe_size * sizeof *recipe);
    values[i].recipe = recipe;
    if (a->value.ptr)
      xc_pointer_map_set(&result->value_map, a->value.ptr, &values[i]);
    if (values[i].is_constant)
      keep_constant(lowering, a, result, &values[i]);
  }
}

//===----------------------------------------------------------------------===//
// Order of operators
//===----------------------------------------------------------------------===//

/// An operator, and how many are run when it has been.
typedef struct ranked_op {
  size_t rank;
  size_t index; // of the lowering
} ranked_op;

static int compare_ops(const void *a, const void *b) {
  const ranked_op *x = a, *y = b;
  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

/// For each tag, the place of its layers among those of all tags.
static size_t *rank_tags(const xc_lowering *lowering) {
  size_t *ranks = xc_alloc_array(lowering->num_ops + 1, sizeof *ranks);
  size_t count = 0;
  for (size_t l = 0; l < xcDpuCodeGenGetNumLayers(lowering->gen); ++l) {
    size_t tag = xcDpuCodeGenGetLayer(lowering->gen, l)->tag;
    if (!ranks[tag])
      ranks[tag] = ++count;
  }
  return ranks;
}

/// Returns the operators as they run. One without a layer follows the last of
/// those that write what it reads. The caller frees it.
static ranked_op *rank_operators(const xc_lowering *lowering) {
  ranked_op *ops = xc_alloc_array(lowering->num_ops, sizeof *ops);
  size_t *ranks = rank_tags(lowering);
  for (size_t i = 0; i < lowering->num_ops; ++i) {
    MlirOperation op = lowering->ops[i].operation;
    intptr_t count = mlirOperationGetNumOperands(op);
    size_t rank = ranks[i + 1];
    for (intptr_t k = 0; k + 1 < count; ++k) {
      const xc_allocation *input =
          xc_allocation_of(lowering, mlirOperationGetOperand(op, k));
      rank = input->rank > rank ? input->rank : rank;
    }
    xc_allocation_of(lowering, mlirOperationGetOperand(op, count - 1))->rank =
        rank;
    ops[i] = (ranked_op){rank, i};
  }
  free(ranks);
  if (lowering->num_ops > 0)
    qsort(ops, lowering->num_ops, sizeof *ops, compare_ops);
  return ops;
}

/// Finds the last layer of each operator; an operator without layers follows
/// the one before.
static void place_operators(const xc_lowering *lowering,
                            xc_dpu_function *result) {
  const XcDpuCodeGen *gen = result->gen;
  size_t *places = xc_alloc_array(lowering->num_ops + 1, sizeof *places);
  for (size_t i = 0; i < lowering->num_ops; ++i)
    places[result->operators[i].tag] = i;
  for (size_t row = 0; row < xcDpuCodeGenGetNumRows(gen); ++row) {
    size_t first, last;
    xcDpuCodeGenGetRow(gen, row, &first, &last);
    for (size_t l = first; l <= last; ++l) {
      const XcDpuLayer *layer = xcDpuCodeGenGetLayer(gen, l);
      xc_dpu_operator *op = &result->operators[places[layer->tag]];
      op->row = row > op->row ? row : op->row;
      op->operations += layer->operations;
      op->has_layers = true;
    }
  }
  free(places);
  for (size_t i = 1; i < lowering->num_ops; ++i)
    if (result->operators[i].row < result->operators[i - 1].row)
      result->operators[i].row = result->operators[i - 1].row;
}

void xc_list_operators(xc_lowering *lowering, xc_dpu_function *result) {
  if (lowering->num_apart == 0) {
    touch_all(lowering, result->program);
    trim_workspace(lowering);
  }
  list_values(lowering, result);
  result->operators = xc_arena_alloc(&result->arena, lowering->num_ops + 1,
                                     sizeof *result->operators);
  result->num_operators = lowering->num_ops;
  ranked_op *order = rank_operators(lowering);
  for (size_t i = 0; i < lowering->num_ops; ++i) {
    const xc_function_op *op = &lowering->ops[order[i].index];
    const char *name = xc_operator_name(lowering, &op->adaptor);
    result->operators[i] = (xc_dpu_operator){
        .name = xc_arena_string(&result->arena, name, strlen(name)),
        .adaptor = op->adaptor,
        .tag = order[i].index + 1,
        .is_copy = op->is_copy};
  }
  free(order);
  place_operators(lowering, result);
}
