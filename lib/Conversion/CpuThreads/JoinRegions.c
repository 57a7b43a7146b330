//===- JoinRegions.c - fewer hand-overs between threads -------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads wait for each other at the end of a loop, and again at the end of the
// region around it, and the next region has to wake them. Regions that follow
// one another become one, in which threads wait once between two loops, and no
// more after the last.
//
//===----------------------------------------------------------------------===//

#include "IR/IR.h"
#include "Pass/Pass.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>
#include <string.h>

static MlirBlock body_of(MlirOperation region) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(region, 0));
}

static bool is_region(MlirOperation operation) {
  return xc_op_is(operation, "omp.parallel") &&
         mlirOperationGetNumResults(operation) == 0;
}

static bool same_operands(MlirOperation a, MlirOperation b) {
  intptr_t count = mlirOperationGetNumOperands(a);
  if (count != mlirOperationGetNumOperands(b))
    return false;
  for (intptr_t i = 0; i < count; ++i)
    if (!mlirValueEqual(mlirOperationGetOperand(a, i),
                        mlirOperationGetOperand(b, i)))
      return false;
  return true;
}

// Whether an operation neither reads nor writes memory.
static bool may_move(MlirOperation operation) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
  return mlirOperationGetNumRegions(operation) == 0 &&
         name.length > strlen("arith.") &&
         memcmp(name.data, "arith.", strlen("arith.")) == 0;
}

// Returns the next region with nothing but arithmetic before it, or null.
static MlirOperation next_region(MlirOperation region) {
  MlirOperation op = mlirOperationGetNextInBlock(region);
  while (!mlirOperationIsNull(op) && may_move(op))
    op = mlirOperationGetNextInBlock(op);
  return !mlirOperationIsNull(op) && is_region(op) && same_operands(region, op)
             ? op
             : (MlirOperation){NULL};
}

static void join(MlirOperation region, MlirOperation next) {
  for (MlirOperation op = mlirOperationGetNextInBlock(region), following;
       !mlirOperationEqual(op, next); op = following) {
    following = mlirOperationGetNextInBlock(op);
    mlirOperationMoveBefore(op, region);
  }
  MlirOperation end = mlirBlockGetTerminator(body_of(region));
  MlirOperation last = mlirBlockGetTerminator(body_of(next));
  for (MlirOperation op = mlirBlockGetFirstOperation(body_of(next)), following;
       !mlirOperationEqual(op, last); op = following) {
    following = mlirOperationGetNextInBlock(op);
    mlirOperationMoveBefore(op, end);
  }
  mlirOperationDestroy(next);
}

// The end of the region waits anyway.
static void relax_last_loop(MlirOperation region) {
  MlirOperation last = {NULL};
  MlirOperation end = mlirBlockGetTerminator(body_of(region));
  for (MlirOperation op = mlirBlockGetFirstOperation(body_of(region));
       !mlirOperationEqual(op, end); op = mlirOperationGetNextInBlock(op))
    last = op;
  if (!mlirOperationIsNull(last) && xc_op_is(last, "omp.wsloop"))
    mlirOperationSetInherentAttributeByName(
        last, xc_ref("nowait"), mlirUnitAttrGet(mlirOperationGetContext(last)));
}

static MlirWalkResult collect(MlirOperation operation, void *user_data) {
  if (!is_region(operation))
    return MlirWalkResultAdvance;
  xc_op_list_add(user_data, operation);
  return MlirWalkResultSkip;
}

static bool run(xc_pass_run *run) {
  xc_op_list regions = {0};
  mlirOperationWalk(run->root, collect, &regions, MlirWalkPreOrder);
  for (size_t i = 0; i < regions.count; ++i) {
    MlirOperation region = regions.items[i];
    for (MlirOperation next = next_region(region); !mlirOperationIsNull(next);
         next = next_region(region)) {
      join(region, next);
      ++i; // the walk found it right after
      xc_pass_count(run, "num-joined", 1);
    }
    relax_last_loop(region);
  }
  free(regions.items);
  return true;
}

static const xc_pass_statistic statistics[] = {
    {"num-joined", "Regions joined to the one before"},
};

const xc_pass_info xc_pass_cpu_join_regions = {
    .argument = "cpu-join-regions",
    .name = "CpuJoinRegions",
    .summary = "Join OpenMP regions that follow one another",
    .description =
        "`omp.parallel` operations of a block with nothing but arithmetic "
        "between them become one, with a barrier between their loops. The last "
        "`omp.wsloop` of a region gets `nowait`: the region ends with a "
        "barrier of its own. Run it after `convert-scf-to-openmp`.",
    .anchor = "builtin.module",
    .statistics = statistics,
    .num_statistics = sizeof(statistics) / sizeof(*statistics),
    .run = run,
};
