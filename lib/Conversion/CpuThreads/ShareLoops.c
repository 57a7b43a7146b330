//===- ShareLoops.c - loops of operators for several threads --------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Convolutions and products are written as parallel loops where that pays. Here
// the outermost loops of all other operators are: those in which every store
// goes to the row of its iteration, so that no two iterations touch the same
// element. Each thread takes a contiguous part, the same one in all loops of
// an operator and, roughly, in the operators before and after it: rows stay in
// the cache of the processor that wrote them.
//
//===----------------------------------------------------------------------===//

#include "Shares.h"

#include "Bufferize/Buffers.h"
#include "Conversion/Support/Threads.h"
#include "IR/AttributeNames.h"
#include "IR/Function.h"
#include "IR/IR.h"
#include "Support/Memory.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ACCESSES = 64, MAX_LOOPS = 32 };

/// A load or store in a loop.
typedef struct access {
  MlirValue buffer;  // as it is indexed
  MlirValue root;    // the argument of the function behind it
  intptr_t own_axis; // where the index is the loop's own; -1: nowhere
  bool stores;
} access;

/// An outermost loop with independent iterations.
typedef struct shared_loop {
  MlirOperation operation;
  int64_t trips;
  double cycles;
  access accesses[MAX_ACCESSES];
  size_t num_accesses;
} shared_loop;

typedef struct group {
  MlirBlock body; // of the function
  shared_loop loops[MAX_LOOPS];
  size_t count;
} group;

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static bool is_of_dialect(MlirOperation operation, const char *dialect) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
  size_t length = strlen(dialect);
  return name.length > length && name.data[length] == '.' &&
         memcmp(name.data, dialect, length) == 0;
}

// From 0 by 1 to a constant, carrying nothing.
static bool is_counting(MlirOperation loop, int64_t *trips) {
  int64_t low, step;
  return xc_op_is(loop, "scf.for") && mlirOperationGetNumResults(loop) == 0 &&
         xc_read_constant(mlirOperationGetOperand(loop, 0), &low) && low == 0 &&
         xc_read_constant(mlirOperationGetOperand(loop, 1), trips) &&
         xc_read_constant(mlirOperationGetOperand(loop, 2), &step) && step == 1;
}

//===----------------------------------------------------------------------===//
// Cycles
//===----------------------------------------------------------------------===//

static double block_cycles(MlirBlock block);

static double region_cycles(MlirOperation operation) {
  double cycles = 0;
  intptr_t count = mlirOperationGetNumRegions(operation);
  for (intptr_t i = 0; i < count; ++i)
    for (MlirBlock block =
             mlirRegionGetFirstBlock(mlirOperationGetRegion(operation, i));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      cycles += block_cycles(block);
  return cycles;
}

// Returns the cycles of an operation that makes or stores a value of this type,
// roughly. LLVM makes vectors of most scalars; addresses cost nothing beside
// them.
static double value_cycles(MlirType type) {
  const double scalar = 0.25, vector = 1;
  if (mlirTypeIsAIndex(type) || mlirTypeIsAMemRef(type))
    return 0;
  return mlirTypeIsAVector(type) ? vector : scalar;
}

static double operation_cycles(MlirOperation operation) {
  const double unknown_trips = 4; // taps of a window, for example
  if (mlirOperationGetNumRegions(operation) > 0) {
    int64_t trips;
    double cycles = region_cycles(operation);
    if (is_counting(operation, &trips))
      return (double)trips * cycles;
    return xc_op_is(operation, "scf.if") ? cycles : unknown_trips * cycles;
  }
  if (xc_op_is(operation, "memref.store") ||
      xc_op_is(operation, "vector.store"))
    return value_cycles(
        mlirValueGetType(mlirOperationGetOperand(operation, 0)));
  if (mlirOperationGetNumResults(operation) == 0 ||
      xc_op_is(operation, "arith.constant"))
    return 0;
  return value_cycles(mlirValueGetType(mlirOperationGetResult(operation, 0)));
}

static double block_cycles(MlirBlock block) {
  double cycles = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    cycles += operation_cycles(op);
  return cycles;
}

//===----------------------------------------------------------------------===//
// Independent iterations
//===----------------------------------------------------------------------===//

typedef struct looking {
  MlirBlock body;
  MlirValue index; // of the loop
  shared_loop *loop;
  bool ok;
} looking;

// Returns the argument that a buffer is, or is a view of; null for anything
// else.
static MlirValue root_of(MlirBlock body, MlirValue buffer) {
  while (mlirValueIsAOpResult(buffer)) {
    MlirOperation owner = mlirOpResultGetOwner(buffer);
    // Views of other layouts may have elements that are the same.
    if (!xc_is_view(owner) || !xc_ir_is_contiguous(mlirValueGetType(buffer)))
      return (MlirValue){NULL};
    buffer = mlirOperationGetOperand(owner, 0);
  }
  return mlirBlockEqual(mlirBlockArgumentGetOwner(buffer), body)
             ? buffer
             : (MlirValue){NULL};
}

static bool note_access(looking *l, MlirOperation operation, intptr_t position,
                        MlirType moved) {
  if (l->loop->num_accesses == MAX_ACCESSES)
    return false;
  MlirValue buffer = mlirOperationGetOperand(operation, position);
  access *a = &l->loop->accesses[l->loop->num_accesses++];
  *a = (access){buffer, root_of(l->body, buffer), -1, position > 0};
  // A vector covers several elements of the last axes.
  intptr_t rank = mlirShapedTypeGetRank(mlirValueGetType(buffer));
  intptr_t scalar_axes =
      mlirTypeIsAVector(moved) ? rank - mlirShapedTypeGetRank(moved) : rank;
  for (intptr_t axis = 0; axis < scalar_axes && a->own_axis < 0; ++axis)
    if (mlirValueEqual(mlirOperationGetOperand(operation, position + 1 + axis),
                       l->index))
      a->own_axis = axis;
  return a->root.ptr != NULL;
}

static bool has_buffers(MlirOperation operation) {
  intptr_t operands = mlirOperationGetNumOperands(operation);
  for (intptr_t i = 0; i < operands; ++i)
    if (mlirTypeIsAMemRef(
            mlirValueGetType(mlirOperationGetOperand(operation, i))))
      return true;
  return false;
}

static bool examine(looking *l, MlirOperation operation) {
  if (xc_op_is(operation, "memref.load") || xc_op_is(operation, "vector.load"))
    return note_access(l, operation, 0,
                       mlirValueGetType(mlirOperationGetResult(operation, 0)));
  if (xc_op_is(operation, "memref.store") ||
      xc_op_is(operation, "vector.store"))
    return note_access(l, operation, 1,
                       mlirValueGetType(mlirOperationGetOperand(operation, 0)));
  if (xc_op_is(operation, "scf.parallel"))
    return false;
  return !has_buffers(operation) && (is_of_dialect(operation, "arith") ||
                                     is_of_dialect(operation, "math") ||
                                     is_of_dialect(operation, "vector") ||
                                     is_of_dialect(operation, "scf") ||
                                     xc_op_is(operation, "affine.apply"));
}

static MlirWalkResult look(MlirOperation operation, void *user_data) {
  looking *l = user_data;
  l->ok = examine(l, operation);
  return l->ok ? MlirWalkResultAdvance : MlirWalkResultInterrupt;
}

// Whether what one access stores and another reaches is the same element only
// when both are of the same iteration.
static bool is_of_one_iteration(MlirBlock body, const access *store,
                                const access *other) {
  if (mlirValueEqual(store->root, other->root))
    return mlirValueEqual(store->buffer, other->buffer) &&
           store->own_axis == other->own_axis;
  // An operator in place reads and writes the same elements.
  return xc_is_apart(body, store->root) ||
         (mlirTypeEqual(mlirValueGetType(store->buffer),
                        mlirValueGetType(other->buffer)) &&
          store->own_axis == other->own_axis);
}

// Whether iteration i of one loop has to do with none but iteration i of the
// other. The loops may be the same one.
static bool agree(MlirBlock body, const shared_loop *a, const shared_loop *b) {
  for (size_t i = 0; i < a->num_accesses; ++i)
    for (size_t k = 0; k < b->num_accesses; ++k) {
      const access *x = &a->accesses[i], *y = &b->accesses[k];
      if ((x->stores && !is_of_one_iteration(body, x, y)) ||
          (y->stores && !is_of_one_iteration(body, y, x)))
        return false;
    }
  return a->trips == b->trips;
}

static bool stores_by_row(const shared_loop *loop) {
  for (size_t i = 0; i < loop->num_accesses; ++i)
    if (loop->accesses[i].stores && loop->accesses[i].own_axis < 0)
      return false;
  return true;
}

static bool read_loop(MlirBlock body, MlirOperation operation,
                      shared_loop *loop) {
  *loop = (shared_loop){.operation = operation};
  if (!is_counting(operation, &loop->trips) || loop->trips < 2)
    return false;
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(operation, 0));
  looking l = {body, mlirBlockGetArgument(block, 0), loop, true};
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op) && l.ok; op = mlirOperationGetNextInBlock(op))
    mlirOperationWalk(op, look, &l, MlirWalkPreOrder);
  loop->cycles = operation_cycles(operation);
  return l.ok && stores_by_row(loop) && agree(body, loop, loop);
}

//===----------------------------------------------------------------------===//
// Sharing
//===----------------------------------------------------------------------===//

// Puts one parallel loop in place of all loops of a group.
static void share_group(const group *g, int64_t threads) {
  MlirOperation last = g->loops[g->count - 1].operation;
  MlirOperation next = mlirOperationGetNextInBlock(last);
  int64_t trips = g->loops[0].trips;
  int64_t shares = threads < trips ? threads : trips;
  MlirBlock made = mlirBlockCreate(0, NULL, NULL);
  xc_ir ir = xc_ir_create(mlirOperationGetContext(last),
                          mlirOperationGetLocation(last), made);
  xc_ir_loop parallel = xc_ir_parallel(&ir, shares);
  xc_share share = xc_share_of(&ir, parallel.index, trips, shares);
  for (size_t i = 0; i < g->count; ++i) {
    MlirOperation loop = g->loops[i].operation;
    mlirOperationSetOperand(loop, 0, share.low);
    mlirOperationSetOperand(loop, 1, share.high);
    mlirOperationRemoveFromParent(loop);
    mlirBlockAppendOwnedOperation(ir.block, loop);
  }
  xc_ir_end_parallel(&ir, &parallel);
  xc_move_before(made, next);
}

static void close_group(xc_pass_run *run, group *g, int64_t threads) {
  double cycles = 0;
  for (size_t i = 0; i < g->count; ++i)
    cycles += g->loops[i].cycles;
  if (cycles >= XC_LEAST_SHARED_MAP_CYCLES) {
    xc_pass_count(run, "num-loops", (int64_t)g->count);
    share_group(g, threads);
  }
  g->count = 0;
}

static bool joins(const group *g, const shared_loop *loop) {
  for (size_t i = 0; i < g->count; ++i)
    if (!agree(g->body, &g->loops[i], loop))
      return false;
  return g->count < MAX_LOOPS;
}

static bool may_stand_between(MlirOperation operation) {
  return xc_is_view(operation) || (is_of_dialect(operation, "arith") &&
                                   mlirOperationGetNumRegions(operation) == 0);
}

static void share_function(xc_pass_run *run, MlirOperation function,
                           int64_t threads, group *g) {
  g->body = mlirRegionGetFirstBlock(xc_function_body(function));
  g->count = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(g->body), next;
       !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (may_stand_between(op))
      continue;
    shared_loop loop;
    bool is_shared = read_loop(g->body, op, &loop);
    if (!is_shared || !joins(g, &loop))
      close_group(run, g, threads);
    if (is_shared)
      g->loops[g->count++] = loop;
  }
  assert(g->count == 0 && "the terminator closes the last group");
}

typedef struct state {
  xc_pass_run *run;
  int64_t threads;
  group group;
} state;

static bool visit(void *user_data, MlirOperation function) {
  state *s = user_data;
  if (!mlirRegionIsNull(xc_function_body(function)) &&
      !mlirAttributeIsNull(xc_op_attribute(function, XC_NAME_KERNEL)))
    share_function(s->run, function, s->threads, &s->group);
  return true;
}

static bool run(xc_pass_run *run) {
  int64_t threads = xc_pass_int(run, "threads");
  state *s = xc_alloc(sizeof(*s));
  s->run = run;
  s->threads = threads;
  if (threads > 1)
    xc_for_each_function(run->root, visit, s);
  free(s);
  return true;
}

static const xc_pass_option options[] = {
    {"threads", XC_PASS_OPTION_THREADS, "1", "Threads that share the loops"},
};
static const xc_pass_statistic statistics[] = {
    {"num-loops", "Loops shared"},
};

const xc_pass_info xc_pass_cpu_share_loops = {
    .argument = "cpu-share-loops",
    .name = "CpuShareLoops",
    .summary = "Make parallel loops of the outermost loops of operators",
    .description =
        "In functions that `convert-mtir-to-linalg` has made, an `scf.for` of "
        "the outermost level whose iterations store to different elements "
        "becomes an `scf.parallel` over threads, each with a contiguous part "
        "of the iterations, where the work is estimated to be enough. Loops "
        "that follow one another share one `scf.parallel` when iteration i of "
        "one has to do with none but iteration i of the other. Run it after "
        "`convert-linalg-to-loops` and `canonicalize`.",
    .anchor = "builtin.module",
    .builds_upstream = true,
    .options = options,
    .num_options = sizeof(options) / sizeof(*options),
    .statistics = statistics,
    .num_statistics = sizeof(statistics) / sizeof(*statistics),
    .run = run,
};
