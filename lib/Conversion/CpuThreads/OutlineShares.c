//===- OutlineShares.c - the work of a thread as a function ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's OpenMP code hands buffers over in a structure, and with that it is
// forgotten that they do not overlap: loops are not made vectors, and weights
// are loaded again after every store. So each parallel loop calls a function
// that has the buffers as arguments, and their attributes, once for each
// thread.
//
//===----------------------------------------------------------------------===//

#include "Shares.h"

#include "Bufferize/Buffers.h"
#include "Conversion/Support/IRBuilder.h"
#include "Conversion/Support/Outline.h"
#include "IR/Function.h"
#include "IR/IR.h"
#include "Pass/Pass.h"
#include "Support/PointerMap.h"
#include "Support/Text.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>
#include <string.h>

/// The function that is made of a loop's body.
typedef struct body {
  MlirOperation loop;
  MlirBlock block;
  xc_pointer_map inner; // value outside -> value in the function
  MlirValue captured[XC_OUTLINE_MAX_ARGUMENTS];
  bool alone[XC_OUTLINE_MAX_ARGUMENTS];
  intptr_t count;
} body;

static bool is_inside(MlirOperation loop, MlirValue value) {
  MlirOperation op =
      mlirValueIsAOpResult(value)
          ? mlirOpResultGetOwner(value)
          : mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetParentOperation(op))
    if (mlirOperationEqual(op, loop))
      return true;
  return false;
}

static MlirOperation function_of(MlirOperation operation) {
  while (!xc_op_is(operation, "func.func"))
    operation = mlirOperationGetParentOperation(operation);
  return operation;
}

static MlirValue pass_as_argument(body *b, MlirValue value) {
  b->captured[b->count] = value;
  b->alone[b->count] = mlirValueIsABlockArgument(value) &&
                       mlirOperationEqual(mlirBlockGetParentOperation(
                                              mlirBlockArgumentGetOwner(value)),
                                          function_of(b->loop)) &&
                       xc_is_apart(mlirBlockArgumentGetOwner(value), value);
  ++b->count;
  return mlirBlockAddArgument(b->block, mlirValueGetType(value),
                              mlirOperationGetLocation(b->loop));
}

// Returns the value in the function for one outside: constants and views are
// made again.
static MlirValue capture(body *b, MlirValue value) {
  void *known = xc_pointer_map_get(&b->inner, value.ptr);
  if (known)
    return (MlirValue){known};
  MlirValue result;
  if (mlirValueIsAOpResult(value) &&
      (xc_op_is(mlirOpResultGetOwner(value), "arith.constant") ||
       xc_is_view(mlirOpResultGetOwner(value)))) {
    MlirOperation copy = mlirOperationClone(mlirOpResultGetOwner(value));
    intptr_t operands = mlirOperationGetNumOperands(copy);
    for (intptr_t i = 0; i < operands; ++i)
      mlirOperationSetOperand(copy, i,
                              capture(b, mlirOperationGetOperand(copy, i)));
    mlirBlockAppendOwnedOperation(b->block, copy);
    result = mlirOperationGetResult(copy, 0);
  } else {
    result = pass_as_argument(b, value);
  }
  xc_pointer_map_set(&b->inner, value.ptr, (void *)result.ptr);
  return result;
}

static MlirWalkResult capture_operands(MlirOperation operation,
                                       void *user_data) {
  body *b = user_data;
  intptr_t operands = mlirOperationGetNumOperands(operation);
  for (intptr_t i = 0; i < operands; ++i) {
    MlirValue value = mlirOperationGetOperand(operation, i);
    if (!is_inside(b->loop, value))
      mlirOperationSetOperand(operation, i, capture(b, value));
  }
  return MlirWalkResultAdvance;
}

typedef struct counting {
  MlirOperation loop;
  xc_pointer_map seen;
  intptr_t count;
} counting;

static MlirWalkResult count_operands(MlirOperation operation, void *user_data) {
  counting *c = user_data;
  intptr_t operands = mlirOperationGetNumOperands(operation);
  for (intptr_t i = 0; i < operands; ++i) {
    MlirValue value = mlirOperationGetOperand(operation, i);
    if (is_inside(c->loop, value) || xc_pointer_map_has(&c->seen, value.ptr))
      continue;
    xc_pointer_map_set(&c->seen, value.ptr, c);
    // Not fewer than become arguments: a view is one of one buffer.
    c->count += !mlirValueIsAOpResult(value) ||
                !xc_op_is(mlirOpResultGetOwner(value), "arith.constant");
  }
  return MlirWalkResultAdvance;
}

static MlirBlock loop_body(MlirOperation loop) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
}

static void walk_body(MlirOperation loop,
                      MlirWalkResult (*visit)(MlirOperation, void *),
                      void *state) {
  for (MlirOperation op = mlirBlockGetFirstOperation(loop_body(loop));
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    mlirOperationWalk(op, visit, state, MlirWalkPreOrder);
}

// From 0 by 1 to a constant, with one index, no results and few buffers.
static bool can_be_outlined(MlirOperation loop, int64_t *trips) {
  int64_t low, step;
  if (mlirOperationGetNumOperands(loop) != 3 ||
      mlirOperationGetNumResults(loop) != 0 ||
      !xc_read_constant(mlirOperationGetOperand(loop, 0), &low) || low != 0 ||
      !xc_read_constant(mlirOperationGetOperand(loop, 1), trips) ||
      !xc_read_constant(mlirOperationGetOperand(loop, 2), &step) || step != 1)
    return false;
  counting c = {.loop = loop};
  walk_body(loop, count_operands, &c);
  xc_pointer_map_free(&c.seen);
  return c.count + 2 <= XC_OUTLINE_MAX_ARGUMENTS;
}

// for i = low to high by 1 { what the loop does }
static void write_body(body *b) {
  MlirLocation location = mlirOperationGetLocation(b->loop);
  MlirContext context = mlirLocationGetContext(location);
  walk_body(b->loop, capture_operands, b);
  xc_ir ir = xc_ir_create(context, location, b->block);
  MlirValue low = mlirBlockAddArgument(b->block, ir.index, location);
  MlirValue high = mlirBlockAddArgument(b->block, ir.index, location);
  xc_ir_loop made = xc_ir_for(&ir, low, high, xc_ir_index(&ir, 1), NULL, 0);
  MlirBlock from = loop_body(b->loop);
  xc_end_with_body(&ir, &made, from);
}

// Replaces a loop by one over shares that calls the function.
static void write_call(const body *b, const char *callee, int64_t trips,
                       int64_t threads) {
  int64_t shares = threads < trips ? threads : trips;
  MlirValue operands[XC_OUTLINE_MAX_ARGUMENTS];
  memcpy(operands, b->captured, (size_t)b->count * sizeof(*operands));
  MlirBlock made = mlirBlockCreate(0, NULL, NULL);
  MlirLocation location = mlirOperationGetLocation(b->loop);
  xc_ir ir = xc_ir_create(mlirLocationGetContext(location), location, made);
  xc_ir_loop parallel = xc_ir_parallel(&ir, shares);
  xc_share share = xc_share_of(&ir, parallel.index, trips, shares);
  operands[b->count] = share.low;
  operands[b->count + 1] = share.high;
  const xc_builder builder = xc_builder_in(ir.block, location);
  xc_build_call(&builder, callee, operands, (size_t)b->count + 2, NULL, 0);
  xc_ir_end_parallel(&ir, &parallel);
  xc_move_before(made, b->loop);
}

static const char *name_function(MlirOperation loop, xc_text *text) {
  MlirStringRef name = xc_function_name(function_of(loop));
  size_t prefix = strlen("xc.");
  if (name.length > prefix && memcmp(name.data, "xc.", prefix) == 0)
    name = mlirStringRefCreate(name.data + prefix, name.length - prefix);
  xc_text_printf(text, "%.*s.share", (int)name.length, name.data);
  return xc_text_str(text);
}

static bool outline(xc_outliner *outliner, MlirOperation loop,
                    int64_t threads) {
  int64_t trips;
  if (!can_be_outlined(loop, &trips))
    return false;
  body b = {.loop = loop, .block = mlirBlockCreate(0, NULL, NULL)};
  write_body(&b);
  xc_text name = {0};
  const char *callee = xc_outline(outliner, mlirOperationGetLocation(loop),
                                  name_function(loop, &name), b.block, b.alone);
  write_call(&b, callee, trips, threads);
  mlirOperationDestroy(loop);
  xc_text_free(&name);
  xc_pointer_map_free(&b.inner);
  return true;
}

static MlirWalkResult collect(MlirOperation operation, void *user_data) {
  if (!xc_op_is(operation, "scf.parallel"))
    return MlirWalkResultAdvance;
  xc_op_list_add(user_data, operation);
  return MlirWalkResultSkip;
}

static bool run(xc_pass_run *run) {
  int64_t threads = xc_pass_int(run, "threads");
  xc_op_list loops = {0};
  mlirOperationWalk(run->root, collect, &loops, MlirWalkPreOrder);
  xc_outliner outliner = xc_outliner_begin(run->root);
  for (size_t i = 0; i < loops.count; ++i)
    if (outline(&outliner, loops.items[i], threads))
      xc_pass_count(run, "num-functions", 1);
  xc_outliner_end(&outliner);
  free(loops.items);
  return true;
}

static const xc_pass_option options[] = {
    {"threads", XC_PASS_OPTION_THREADS, "1", "Threads that share the loops"},
};
static const xc_pass_statistic statistics[] = {
    {"num-functions", "Functions made of loops"},
};

const xc_pass_info xc_pass_cpu_outline_shares = {
    .argument = "cpu-outline-shares",
    .name = "CpuOutlineShares",
    .summary = "Make functions of the bodies of parallel loops",
    .description =
        "An `scf.parallel` from 0 by 1 to a constant becomes one over threads "
        "that calls a private function for a contiguous part of the "
        "iterations. The function gets the buffers as arguments with their "
        "attribute `llvm.noalias`, which LLVM does not see through OpenMP's "
        "structures. Run it after `cpu-share-loops`.",
    .anchor = "builtin.module",
    .builds_upstream = true,
    .options = options,
    .num_options = sizeof(options) / sizeof(*options),
    .statistics = statistics,
    .num_statistics = sizeof(statistics) / sizeof(*statistics),
    .run = run,
};
