//===- Operators.c - what a compiled function keeps of its operators ------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lower.h"

#include "dialects/Build.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// What the code touches
//===----------------------------------------------------------------------===//

static xc_allocation *root_of(xc_allocation *allocation) {
  while (allocation->parent)
    allocation = allocation->parent;
  return allocation;
}

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
  void *bytes = xc_const_bytes(mlirOpResultGetOwner(a->value), &size);
  if (!bytes)
    return;
  void *kept = xc_arena_alloc(&result->arena, size + 1, 1);
  if (size)
    memcpy(kept, bytes, size);
  value->bytes = kept;
  value->num_bytes = size;
  bool is_read = xcDpuReadParameters(
      lowering->target, contents, a->recipe, a->recipe_size,
      (size_t)xc_element_size(a->shape.element), bytes, size);
  if (!is_read || memcmp(bytes, kept, size) != 0)
    value->recipe_size = 0;
  free(bytes);
}

static void list_values(xc_lowering *lowering, xc_dpu_function *result) {
  xc_dpu_value *values =
      xc_arena_alloc(&result->arena, lowering->num_allocations, sizeof *values);
  result->values = values;
  result->num_values = lowering->num_allocations;
  for (size_t i = 0; i < lowering->num_allocations; ++i) {
    xc_allocation *a = lowering->list[i];
    const xc_allocation *root = root_of(a);
    values[i] =
        (xc_dpu_value){.image = a->image,
                       .shape = a->shape,
                       .fix_point = a->fix_point,
                       .is_constant = a->kind == XC_ALLOCATION_CONST,
                       .is_on_chip = root->kind == XC_ALLOCATION_ALLOC &&
                                     (!root->is_touched || root->frames > 1),
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

/// Operators without a layer follow the one before.
static void place_operators(const xc_lowering *lowering,
                            xc_dpu_function *result) {
  const XcDpuCodeGen *gen = result->gen;
  for (size_t row = 0; row < xcDpuCodeGenGetNumRows(gen); ++row) {
    size_t first, last;
    xcDpuCodeGenGetRow(gen, row, &first, &last);
    for (size_t l = first; l <= last; ++l) {
      const XcDpuLayer *layer = xcDpuCodeGenGetLayer(gen, l);
      xc_dpu_operator *op = &result->operators[layer->tag - 1];
      op->row = row > op->row ? row : op->row;
      op->operations += layer->operations;
      op->has_layers = true;
    }
  }
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
  for (size_t i = 0; i < lowering->num_ops; ++i) {
    const xc_function_op *op = &lowering->ops[i];
    const char *name = xc_operator_name(lowering, &op->adaptor);
    result->operators[i] = (xc_dpu_operator){
        .name = xc_arena_string(&result->arena, name, strlen(name)),
        .adaptor = op->adaptor,
        .is_copy = op->is_copy};
  }
  place_operators(lowering, result);
}
