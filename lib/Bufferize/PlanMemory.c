//===- PlanMemory.c - mtir-plan-memory ------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every allocation of a function's block gets an offset in one arena. Two
// buffers may share bytes when their lives, from first to last use, do not
// meet. lib/Bufferize/Arena.c finds the offsets.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "IR/AttributeNames.h"
#include "IR/Function.h"
#include "IR/IR.h"
#include "Pass/Pass.h"
#include "Support/Memory.h"
#include "Support/PointerMap.h"
#include "Support/StaticAllocation.h"
#include "dialects/Build.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { ALIGNMENT = 64 }; // a cache line, and the widest vector load

typedef struct plan {
  MlirBlock block;
  bool single_block;
  xc_pointer_map positions; // operation -> position, from 1
  size_t last_position;
  MlirOperation *allocs;
  xc_lifetime *lives;
  size_t count, capacity, lives_capacity;
} plan;

//===----------------------------------------------------------------------===//
// Lives
//===----------------------------------------------------------------------===//

typedef struct extender {
  const plan *plan;
  xc_lifetime *life;
} extender;

static void extend_life(void *user_data, MlirOperation user, unsigned access) {
  const extender *e = user_data;
  xc_lifetime *life = e->life;
  if (access & XC_ACCESS_VIEW)
    return;
  size_t at = xc_position_in_block(&e->plan->positions, user);
  bool for_ever = (access & XC_ACCESS_ESCAPE) != 0;
  life->first = at < life->first ? at : life->first;
  life->last = at > life->last ? at : life->last;
  life->last = for_ever ? e->plan->last_position : life->last;
}

static bool is_freed(MlirValue buffer) {
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (xc_buffer_access(use) & XC_ACCESS_FREE)
      return true;
  return false;
}

// An allocation of a static, contiguous buffer that nothing frees.
static bool can_plan(MlirOperation operation, int64_t *size) {
  if (!xc_op_is(operation, "memref.alloc"))
    return false;
  MlirValue buffer = xc_op_result(operation);
  MlirType type = mlirValueGetType(buffer);
  xc_shape shape;
  if (!xc_shape_of_type(type, &shape) || shape.element == XC_ELEMENT_NONE ||
      is_freed(buffer))
    return false;
  shape.memref = true;
  if (!mlirTypeEqual(type, xc_type_of_shape(mlirTypeGetContext(type), &shape)))
    return false;
  *size =
      xc_shape_num_elements(&shape) * (int64_t)xc_element_size(shape.element);
  *size = (*size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  return true;
}

static void add_buffer(plan *p, MlirOperation alloc, int64_t size) {
  void *allocs = p->allocs, *lives = p->lives;
  xc_grow(&allocs, &p->capacity, p->count + 1, sizeof(*p->allocs));
  xc_grow(&lives, &p->lives_capacity, p->count + 1, sizeof(*p->lives));
  p->allocs = allocs;
  p->lives = lives;
  xc_lifetime life = {.size = size, .first = SIZE_MAX, .last = 0};
  if (p->single_block)
    xc_for_each_access(xc_op_result(alloc), extend_life, &(extender){p, &life});
  else // a loop may come back to any use
    life.first = 0, life.last = p->last_position;
  if (life.first == SIZE_MAX) // never used
    life.first = life.last = xc_position_in_block(&p->positions, alloc);
  p->allocs[p->count] = alloc;
  p->lives[p->count++] = life;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

static MlirValue build_arena(const xc_builder *builder, int64_t size) {
  MlirContext context = builder->context;
  xc_shape bytes = {XC_ELEMENT_I8, 1, {size}, true};
  const MlirNamedAttribute alignment =
      xc_named(context, "alignment",
               mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), ALIGNMENT));
  return xc_build_alloc(builder, xc_type_of_shape(context, &bytes), &alignment);
}

static MlirValue build_view(MlirOperation alloc, MlirValue arena,
                            int64_t offset) {
  xc_builder builder = xc_builder_before(alloc);
  const MlirValue operands[] = {arena, xc_build_index(&builder, offset)};
  MlirType type = mlirValueGetType(xc_op_result(alloc));
  MlirAttribute name = xc_op_attribute(alloc, "name");
  bool is_named = !mlirAttributeIsNull(name);
  MlirNamedAttribute carried = {0};
  if (is_named)
    carried = xc_named(builder.context, "name", name);
  return xc_build_value(&builder, "memref.view", type, operands, 2, &carried,
                        is_named);
}

static void rewrite(const plan *p, int64_t size) {
  xc_builder builder =
      xc_builder_in(p->block, mlirOperationGetLocation(p->allocs[0]));
  builder.before = mlirBlockGetFirstOperation(p->block);
  MlirValue arena = build_arena(&builder, size);
  for (size_t i = 0; i < p->count; ++i) {
    MlirValue view = build_view(p->allocs[i], arena, p->lives[i].offset);
    mlirValueReplaceAllUsesOfWith(xc_op_result(p->allocs[i]), view);
    mlirOperationDestroy(p->allocs[i]);
  }
}

static void note_sizes(MlirOperation func, const xc_static_allocation *arena) {
  MlirContext context = mlirOperationGetContext(func);
  MlirType i64 = mlirIntegerTypeGet(context, 64);
  mlirOperationSetAttributeByName(func, xc_ref(XC_NAME_ARENA_BYTES),
                                  mlirIntegerAttrGet(i64, arena->peak));
  mlirOperationSetAttributeByName(func, xc_ref(XC_NAME_ARENA_LOWER_BOUND),
                                  mlirIntegerAttrGet(i64, arena->lower_bound));
}

static void collect(plan *p) {
  for (MlirBlock block = p->block; !mlirBlockIsNull(block);
       block = mlirBlockGetNextInRegion(block))
    for (MlirOperation op = mlirBlockGetFirstOperation(block);
         !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
      xc_pointer_map_set(&p->positions, op.ptr,
                         (void *)(uintptr_t)++p->last_position);
  for (MlirOperation op = mlirBlockGetFirstOperation(p->block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    int64_t size;
    if (can_plan(op, &size))
      add_buffer(p, op, size);
  }
}

static bool plan_function(void *user_data, MlirOperation func) {
  xc_pass_run *run = user_data;
  MlirRegion body = xc_function_body(func);
  if (mlirRegionIsNull(body))
    return true;
  plan p = {.block = mlirRegionGetFirstBlock(body)};
  p.single_block = mlirBlockIsNull(mlirBlockGetNextInRegion(p.block));
  collect(&p);
  if (p.count > 0) {
    xc_static_allocation arena = xc_allocate_statically(p.lives, p.count);
    rewrite(&p, arena.peak);
    note_sizes(func, &arena);
    MlirStringRef name = xc_function_name(func);
    if (xc_pass_bool(run, "print"))
      fprintf(stderr,
              "@%.*s: arena %" PRId64 " bytes, lower bound %" PRId64
              " bytes, %zu buffers of %" PRId64 " bytes\n",
              (int)name.length, name.data, arena.peak, arena.lower_bound,
              p.count, arena.total);
    xc_pass_count(run, "num-buffers", (int64_t)p.count);
    xc_pass_count(run, "arena-bytes", arena.peak);
  }
  free(p.allocs);
  free(p.lives);
  xc_pointer_map_free(&p.positions);
  return true;
}

static bool run(xc_pass_run *run) {
  return xc_for_each_function(run->root, plan_function, run);
}

static const xc_pass_option options[] = {
    {"print", XC_PASS_OPTION_BOOL, "true",
     "Print arena size and lower bound of each function to stderr"},
};
static const xc_pass_statistic statistics[] = {
    {"num-buffers", "Buffers placed"},
    {"arena-bytes", "Bytes of all arenas"},
};

const xc_pass_info xc_pass_mtir_plan_memory = {
    .argument = "mtir-plan-memory",
    .name = "MtirPlanMemory",
    .summary = "Place all buffers of a function in one arena",
    .description =
        "Replaces the allocations at the top of a function by `memref.view`s "
        "of one arena. Buffers whose lives do not meet share bytes; offsets "
        "are multiples of 64. The size of the arena and the lower bound (the "
        "largest sum of sizes alive at once) are printed and kept in the "
        "function's attributes `xc.arena_bytes` and `xc.arena_lower_bound`.",
    .anchor = "builtin.module",
    .on_function = true,
    .options = options,
    .num_options = sizeof(options) / sizeof(*options),
    .statistics = statistics,
    .num_statistics = sizeof(statistics) / sizeof(*statistics),
    .run = run,
};
