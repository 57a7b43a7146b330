//===- JoinCalls.c - one team of threads for a chain of operators ---------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every operator that threads share wakes them and waits for them, which takes
// several times as long as a barrier. OpenMP lets a function be called by all
// threads of a region: its loops are shared by them. So regions move from the
// functions to their callers, around as many calls as follow one another, with
// a barrier between two calls. What one thread does in between, the first one
// does while the others wait at that barrier.
//
//===----------------------------------------------------------------------===//

#include "Shares.h"

#include "Bufferize/Buffers.h"
#include "IR/AttributeNames.h"
#include "IR/Builder.h"
#include "IR/Function.h"
#include "IR/IR.h"
#include "Pass/Pass.h"
#include "Support/PointerMap.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/LLVM.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// The role of an operation in a region that threads run.
typedef enum role {
  ROLE_NONE,   // cannot be in one
  ROLE_ALL,    // every thread computes the value for itself
  ROLE_SHARED, // has loops that threads share
  ROLE_ONE,    // one thread does it
} role;

typedef struct joiner {
  xc_pass_run *run;
  // Identifier of a function's name -> one of the two below, or nothing.
  xc_pointer_map functions;
  MlirOperation region; // the form of a region, empty
  bool deals;           // whether threads ask for their numbers
} joiner;

/// Marks of functions. Of others, as those of the user, it is not known whether
/// they want the threads for themselves.
static char shared_by_all, done_by_one;

static MlirBlock body_of(MlirOperation operation) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(operation, 0));
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

static MlirWalkResult find_region(MlirOperation operation, void *user_data) {
  bool *found = user_data;
  *found = *found || xc_op_is(operation, "omp.parallel");
  return *found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static bool has_region(MlirOperation operation) {
  bool found = false;
  mlirOperationWalk(operation, find_region, &found, MlirWalkPreOrder);
  return found;
}

static void *callee_of(const joiner *j, MlirOperation call) {
  MlirIdentifier name = mlirIdentifierGet(
      mlirOperationGetContext(call),
      mlirFlatSymbolRefAttrGetValue(xc_op_attribute(call, "callee")));
  return xc_pointer_map_get(&j->functions, name.ptr);
}

static bool is_shared_call(const joiner *j, MlirOperation operation) {
  return xc_op_is(operation, "func.call") &&
         callee_of(j, operation) == &shared_by_all;
}

typedef struct looking {
  const joiner *joiner;
  bool ok;
} looking;

static MlirWalkResult look(MlirOperation operation, void *user_data) {
  looking *l = user_data;
  l->ok = !xc_op_is(operation, "omp.parallel") &&
          (!xc_op_is(operation, "func.call") ||
           callee_of(l->joiner, operation) == &done_by_one);
  return l->ok ? MlirWalkResultAdvance : MlirWalkResultInterrupt;
}

static bool one_thread_may(const joiner *j, MlirOperation operation) {
  looking l = {j, true};
  mlirOperationWalk(operation, look, &l, MlirWalkPreOrder);
  return l.ok;
}

static bool is_value_of_all(MlirOperation operation) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
  return xc_is_view(operation) || xc_op_is(operation, "llvm.mlir.constant") ||
         (mlirOperationGetNumRegions(operation) == 0 &&
          name.length > strlen("arith.") &&
          memcmp(name.data, "arith.", strlen("arith.")) == 0);
}

static bool can_be_called(const joiner *j, MlirBlock block);

static role role_of(const joiner *j, MlirOperation operation) {
  if (is_value_of_all(operation))
    return ROLE_ALL;
  if (is_shared_call(j, operation))
    return ROLE_SHARED;
  if (xc_op_is(operation, "omp.parallel"))
    return mlirOperationGetNumResults(operation) == 0 &&
                   mlirOperationGetNumOperands(operation) == 1
               ? ROLE_SHARED
               : ROLE_NONE;
  if (xc_op_is(operation, "scf.for") &&
      mlirOperationGetNumResults(operation) == 0 && has_region(operation))
    return can_be_called(j, body_of(operation)) ? ROLE_SHARED : ROLE_NONE;
  return one_thread_may(j, operation) ? ROLE_ONE : ROLE_NONE;
}

/// The operations of a block that one thread does, those that use what they
/// give among them, and the number of the run of them that each is in.
typedef struct alone {
  xc_pointer_map runs;
  uintptr_t run;   // of the operation looked at
  bool none, same; // whether it uses no result of any, none of other runs
} alone;

static MlirWalkResult look_at_operands(MlirOperation operation,
                                       void *user_data) {
  alone *a = user_data;
  intptr_t operands = mlirOperationGetNumOperands(operation);
  for (intptr_t i = 0; i < operands; ++i) {
    MlirValue value = mlirOperationGetOperand(operation, i);
    uintptr_t run = mlirValueIsAOpResult(value)
                        ? (uintptr_t)xc_pointer_map_get(
                              &a->runs, mlirOpResultGetOwner(value).ptr)
                        : 0;
    a->none = a->none && run == 0;
    a->same = a->same && (run == 0 || run == a->run);
  }
  return MlirWalkResultAdvance;
}

static role role_in_block(const joiner *j, MlirOperation operation, alone *a) {
  role r = role_of(j, operation);
  a->none = a->same = true;
  mlirOperationWalk(operation, look_at_operands, a, MlirWalkPreOrder);
  if (r == ROLE_ALL && !a->none)
    r = ROLE_ONE;
  if (r == ROLE_SHARED)
    ++a->run;
  if (r == ROLE_ONE)
    xc_pointer_map_set(&a->runs, operation.ptr, (void *)a->run);
  return (r == ROLE_SHARED && !a->none) || !a->same ? ROLE_NONE : r;
}

// Whether all threads of a region may run through a block.
static bool can_be_called(const joiner *j, MlirBlock block) {
  MlirOperation end = mlirBlockGetTerminator(block);
  alone a = {.run = 1};
  bool can = mlirOperationGetNumOperands(end) == 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       can && !mlirOperationEqual(op, end);
       op = mlirOperationGetNextInBlock(op))
    can = role_in_block(j, op, &a) != ROLE_NONE;
  xc_pointer_map_free(&a.runs);
  return can;
}

//===----------------------------------------------------------------------===//
// Blocks that all threads run through
//===----------------------------------------------------------------------===//

static void wait_before(MlirOperation operation) {
  const xc_builder builder = xc_builder_before(operation);
  xc_build_operation(&builder, "omp.barrier", &(xc_parts){0});
}

// Only the first thread does what is in there.
static MlirOperation mask_before(MlirOperation operation) {
  MlirOperationState state = mlirOperationStateGet(
      xc_ref("omp.masked"), mlirOperationGetLocation(operation));
  MlirRegion region = mlirRegionCreate();
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(region, block);
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  const xc_builder inside =
      xc_builder_in(block, mlirOperationGetLocation(operation));
  xc_build_operation(&inside, "omp.terminator", &(xc_parts){0});
  MlirOperation masked = mlirOperationCreate(&state);
  const xc_builder builder = xc_builder_before(operation);
  xc_builder_insert(&builder, masked);
  return masked;
}

static const char thread_number[] = "__kmpc_bound_thread_num",
                  thread_count[] = "__kmpc_bound_num_threads";

static MlirType question_type(MlirContext context) {
  MlirType place = mlirLLVMPointerTypeGet(context, 0);
  MlirType answer = mlirIntegerTypeGet(context, 32);
  return mlirFunctionTypeGet(context, 1, &place, 1, &answer);
}

static MlirValue ask(const xc_ir *ir, const char *question) {
  const xc_builder builder = xc_builder_in(ir->block, ir->location);
  MlirType answer = mlirIntegerTypeGet(ir->context, 32);
  MlirValue nowhere =
      xc_build_value(&builder, "llvm.mlir.zero",
                     mlirLLVMPointerTypeGet(ir->context, 0), NULL, 0, NULL, 0);
  MlirOperation call =
      xc_build_call(&builder, question, &nowhere, 1, &answer, 1);
  return xc_ir_index_cast(ir, xc_op_result(call), ir->index);
}

// Whether a loop has no more iterations than the region has threads.
static bool has_few_iterations(MlirOperation region, MlirOperation loop) {
  if (!xc_op_is(loop, "omp.wsloop") || mlirOperationGetNumOperands(loop) > 0)
    return false;
  MlirOperation nest = mlirBlockGetFirstOperation(body_of(loop));
  MlirAttribute threads = xc_op_attribute(
      mlirOpResultGetOwner(mlirOperationGetOperand(region, 0)), "value");
  int64_t low, high, step;
  return xc_op_is(nest, "omp.loop_nest") &&
         mlirOperationGetNumOperands(nest) == 3 &&
         xc_read_constant(mlirOperationGetOperand(nest, 0), &low) && low == 0 &&
         xc_read_constant(mlirOperationGetOperand(nest, 1), &high) &&
         xc_read_constant(mlirOperationGetOperand(nest, 2), &step) &&
         step == 1 && mlirAttributeIsAInteger(threads) &&
         high <= mlirIntegerAttrGetValueInt(threads);
}

// for i = number of the thread to high by number of threads. OpenMP's way to
// find that out takes several times as long as a barrier.
static void deal_out(joiner *j, MlirOperation loop) {
  MlirLocation location = mlirOperationGetLocation(loop);
  MlirBlock from = body_of(mlirBlockGetFirstOperation(body_of(loop)));
  MlirBlock made = mlirBlockCreate(0, NULL, NULL);
  xc_ir ir = xc_ir_create(mlirLocationGetContext(location), location, made);
  MlirValue first = ask(&ir, thread_number), step = ask(&ir, thread_count);
  MlirValue high =
      mlirOperationGetOperand(mlirBlockGetParentOperation(from), 1);
  xc_ir_loop dealt = xc_ir_for(&ir, first, high, step, NULL, 0);
  xc_end_with_body(&ir, &dealt, from);
  xc_move_before(made, loop);
  if (mlirAttributeIsNull(xc_op_attribute(loop, "nowait")))
    wait_before(loop);
  mlirOperationDestroy(loop);
  j->deals = true;
}

static void declare(MlirOperation module, const char *question) {
  mlirBlockInsertOwnedOperation(
      body_of(module), 0,
      xc_function_create(mlirOperationGetLocation(module), question, "private",
                         question_type(mlirOperationGetContext(module)),
                         (MlirBlock){NULL}, NULL, 0));
}

static void unwrap(joiner *j, MlirOperation region) {
  MlirBlock body = body_of(region);
  MlirOperation end = mlirBlockGetTerminator(body);
  for (MlirOperation op = mlirBlockGetFirstOperation(body), next;
       !mlirOperationEqual(op, end); op = next) {
    next = mlirOperationGetNextInBlock(op);
    mlirOperationMoveBefore(op, region);
    if (has_few_iterations(region, op))
      deal_out(j, op);
  }
  if (mlirOperationIsNull(j->region)) {
    mlirOperationRemoveFromParent(region);
    j->region = region;
  } else {
    mlirOperationDestroy(region);
  }
}

// Threads wait between two things that are done, not after the last one;
// returns whether one was done last.
static bool share_block(joiner *j, MlirBlock block) {
  MlirOperation end = mlirBlockGetTerminator(block), masked = {NULL};
  bool busy = false;
  alone a = {.run = 1};
  for (MlirOperation op = mlirBlockGetFirstOperation(block), next;
       !mlirOperationEqual(op, end); op = next) {
    next = mlirOperationGetNextInBlock(op);
    role r = role_in_block(j, op, &a);
    if (r == ROLE_ALL) {
      if (!mlirOperationIsNull(masked))
        mlirOperationMoveBefore(op, masked);
      continue;
    }
    if (busy && (r != ROLE_ONE || mlirOperationIsNull(masked)))
      wait_before(op);
    busy = true;
    if (r == ROLE_ONE) {
      if (mlirOperationIsNull(masked))
        masked = mask_before(op);
      mlirOperationMoveBefore(op, mlirBlockGetTerminator(body_of(masked)));
      continue;
    }
    masked = (MlirOperation){NULL};
    if (xc_op_is(op, "omp.parallel")) {
      unwrap(j, op);
    } else if (xc_op_is(op, "scf.for")) {
      if (share_block(j, body_of(op)))
        wait_before(mlirBlockGetTerminator(body_of(op)));
      busy = false;
    }
  }
  xc_pointer_map_free(&a.runs);
  return busy;
}

//===----------------------------------------------------------------------===//
// Callers
//===----------------------------------------------------------------------===//

// Maps a value of the function to one of the region. Views are built again
// there: captured values are passed in memory, so there should be few.
static MlirValue capture(xc_pointer_map *inner, MlirOperation end,
                         MlirValue value) {
  if (!mlirValueIsAOpResult(value) || !xc_is_view(mlirOpResultGetOwner(value)))
    return value;
  void *known = xc_pointer_map_get(inner, value.ptr);
  if (known)
    return (MlirValue){known};
  MlirOperation copy = mlirOperationClone(mlirOpResultGetOwner(value));
  intptr_t operands = mlirOperationGetNumOperands(copy);
  for (intptr_t i = 0; i < operands; ++i)
    mlirOperationSetOperand(
        copy, i, capture(inner, end, mlirOperationGetOperand(copy, i)));
  const xc_builder builder = xc_builder_before(end);
  xc_builder_insert(&builder, copy);
  MlirValue result = mlirOperationGetResult(copy, 0);
  xc_pointer_map_set(inner, value.ptr, (void *)result.ptr);
  return result;
}

static MlirOperation region_before(const joiner *j, MlirOperation operation) {
  const xc_builder builder = xc_builder_before(operation);
  MlirOperation threads = mlirOperationClone(
      mlirOpResultGetOwner(mlirOperationGetOperand(j->region, 0)));
  xc_builder_insert(&builder, threads);
  MlirOperation region = mlirOperationClone(j->region);
  mlirOperationSetOperand(region, 0, mlirOperationGetResult(threads, 0));
  xc_builder_insert(&builder, region);
  return region;
}

// Returns the calls and what is done between them from this call on.
static xc_op_list chain_from(const joiner *j, MlirOperation call) {
  xc_op_list chain = {0};
  MlirOperation end = mlirBlockGetTerminator(mlirOperationGetBlock(call));
  size_t count = 0;
  for (MlirOperation op = call; !mlirOperationEqual(op, end);
       op = mlirOperationGetNextInBlock(op)) {
    role r = role_of(j, op);
    if (r == ROLE_NONE || (r == ROLE_SHARED && !is_shared_call(j, op)) ||
        (r == ROLE_ONE && mlirOperationGetNumResults(op) > 0))
      break;
    if (r == ROLE_ALL)
      continue;
    xc_op_list_add(&chain, op);
    if (r == ROLE_SHARED)
      count = chain.count;
  }
  chain.count = count;
  return chain;
}

static void join_from(joiner *j, MlirOperation call) {
  xc_op_list chain = chain_from(j, call);
  MlirOperation region = region_before(j, call), last;
  MlirOperation end = mlirBlockGetTerminator(body_of(region));
  last = chain.items[chain.count - 1];
  // Values first.
  for (MlirOperation op = call, next; !mlirOperationEqual(op, last);
       op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (is_value_of_all(op))
      mlirOperationMoveBefore(op, region);
  }
  xc_pointer_map inner = {0};
  for (size_t i = 0; i < chain.count; ++i) {
    MlirOperation op = chain.items[i];
    intptr_t operands = mlirOperationGetNumOperands(op);
    for (intptr_t k = 0; k < operands; ++k)
      mlirOperationSetOperand(
          op, k, capture(&inner, end, mlirOperationGetOperand(op, k)));
    mlirOperationMoveBefore(op, end);
    xc_pass_count(j->run, "num-calls", is_shared_call(j, op));
  }
  xc_pointer_map_free(&inner);
  share_block(j, body_of(region));
  xc_pass_count(j->run, "num-regions", 1);
  free(chain.items);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

// Functions come before their callers.
static bool share_function(void *user_data, MlirOperation function) {
  joiner *j = user_data;
  MlirRegion body = xc_function_body(function);
  if (mlirRegionIsNull(body) ||
      mlirAttributeIsNull(xc_op_attribute(function, XC_NAME_KERNEL)))
    return true;
  MlirIdentifier name = mlirIdentifierGet(mlirOperationGetContext(function),
                                          xc_function_name(function));
  if (one_thread_may(j, function)) {
    xc_pointer_map_set(&j->functions, name.ptr, &done_by_one);
  } else if (has_region(function) &&
             can_be_called(j, mlirRegionGetFirstBlock(body))) {
    share_block(j, mlirRegionGetFirstBlock(body));
    xc_pointer_map_set(&j->functions, name.ptr, &shared_by_all);
  }
  return true;
}

static MlirWalkResult collect(MlirOperation operation, void *user_data) {
  if (xc_op_is(operation, "func.call"))
    xc_op_list_add(user_data, operation);
  return MlirWalkResultAdvance;
}

static bool run(xc_pass_run *run) {
  joiner j = {.run = run};
  xc_op_list calls = {0};
  xc_for_each_function(run->root, share_function, &j);
  mlirOperationWalk(run->root, collect, &calls, MlirWalkPreOrder);
  for (size_t i = 0; i < calls.count; ++i)
    if (is_shared_call(&j, calls.items[i]) &&
        !xc_op_is(mlirOperationGetParentOperation(calls.items[i]),
                  "omp.parallel"))
      join_from(&j, calls.items[i]);
  free(calls.items);
  if (j.deals) {
    declare(run->root, thread_number);
    declare(run->root, thread_count);
  }
  if (!mlirOperationIsNull(j.region))
    mlirOperationDestroy(j.region);
  xc_pointer_map_free(&j.functions);
  return true;
}

static const xc_pass_statistic statistics[] = {
    {"num-regions", "Regions around calls"},
    {"num-calls", "Calls in them that threads share"},
};

const xc_pass_info xc_pass_cpu_join_calls = {
    .argument = "cpu-join-calls",
    .name = "CpuJoinCalls",
    .summary = "Make one OpenMP region of calls that follow one another",
    .description =
        "Functions of operators lose their `omp.parallel`: all threads call "
        "them and share the `omp.wsloop` operations there. Callers get one "
        "`omp.parallel` around all such calls that follow one another, with an "
        "`omp.barrier` after each; what stands between them and is not shared "
        "goes into `omp.masked`. Run it after `cpu-join-regions`.",
    .anchor = "builtin.module",
    .statistics = statistics,
    .num_statistics = sizeof(statistics) / sizeof(*statistics),
    .run = run,
};
