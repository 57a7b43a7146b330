//===- Pattern.c - the pattern driver -------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include "IR/IR.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static MlirWalkResult collect(MlirOperation operation, void *all) {
  const xc_op_info *info = xc_op_info_of(operation);
  if (info && info->dialect == XC_DIALECT_TIR)
    xc_op_list_add(all, operation);
  return MlirWalkResultAdvance;
}

xc_op_list xc_collect_tir(MlirOperation root) {
  xc_op_list all = {0};
  mlirOperationWalk(root, collect, &all, MlirWalkPreOrder);
  return all;
}

static void revisit(xc_rewriter *rewriter, MlirOperation operation) {
  const xc_op_info *info = xc_op_info_of(operation);
  if (info && info->dialect == XC_DIALECT_TIR)
    xc_worklist_push(&rewriter->worklist, operation);
}

static bool is_move(MlirOperation operation) {
  const xc_op_info *info = xc_op_info_of(operation);
  if (!info || info->dialect != XC_DIALECT_TIR)
    return false;
  xc_op_kind kind = info->float_kind;
  return kind == XC_TIR_RESHAPE || kind == XC_TIR_TRANSPOSE;
}

static void revisit_users(xc_rewriter *rewriter, MlirValue value, int depth) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    revisit(rewriter, user);
    if (depth > 1 && is_move(user))
      revisit_users(rewriter, xc_op_result(user), depth - 1);
  }
}

void xc_revisit_users(xc_rewriter *rewriter, MlirValue value) {
  revisit_users(rewriter, value, XC_PATTERN_CHAIN);
}

// After a use of `value` has gone: what computes it may be dead, and a pattern
// that wants a single use may now match at the last user.
static void revisit_after_use(xc_rewriter *rewriter, MlirValue value) {
  if (!mlirValueIsAOpResult(value))
    return;
  MlirOpOperand use = mlirValueGetFirstUse(value);
  if (mlirOpOperandIsNull(use))
    revisit(rewriter, mlirOpResultGetOwner(value));
  else if (mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)))
    revisit(rewriter, mlirOpOperandGetOwner(use));
}

void xc_erase(xc_rewriter *rewriter, MlirOperation operation) {
  MlirValue operands[XC_MAX_OPERANDS];
  intptr_t count = mlirOperationGetNumOperands(operation);
  for (intptr_t i = 0; i < count; ++i)
    operands[i] = mlirOperationGetOperand(operation, i);
  xc_worklist_remove(&rewriter->worklist, operation);
  mlirOperationDestroy(operation);
  for (intptr_t i = 0; i < count; ++i)
    revisit_after_use(rewriter, operands[i]);
}

static bool is_dead(MlirOperation operation, const xc_op_info *info) {
  return xc_op_may_erase(info) && !xc_value_is_used(xc_op_result(operation));
}

void xc_release(xc_rewriter *rewriter) {
  for (size_t i = 0; i < rewriter->num_scratch; ++i)
    free(rewriter->scratch[i]);
  rewriter->num_scratch = 0;
  xc_arena_free(&rewriter->arena);
}

//===----------------------------------------------------------------------===//
// The driver
//===----------------------------------------------------------------------===//

// The patterns of each kind, in the order of the table: those of kind k are
// list[first[k]] to list[first[k + 1] - 1].
typedef struct index_by_kind {
  size_t *first;
  const xc_pattern **list;
} index_by_kind;

static bool is_wanted(const xc_pattern *pattern, const char *only) {
  return *only == '\0' || strcmp(pattern->name, only) == 0;
}

static index_by_kind index_patterns(const xc_pattern *patterns,
                                    size_t num_patterns, const char *only,
                                    xc_arena *arena) {
  size_t total = 0;
  for (size_t i = 0; i < num_patterns; ++i)
    total += patterns[i].num_roots;
  index_by_kind index = {
      .first = xc_arena_alloc(arena, XC_NUM_OP_KINDS + 1, sizeof(size_t)),
      .list = xc_arena_alloc(arena, total + 1, sizeof(xc_pattern *))};
  size_t count = 0;
  for (size_t kind = 0; kind < XC_NUM_OP_KINDS; ++kind) {
    index.first[kind] = count;
    for (size_t i = 0; i < num_patterns; ++i)
      for (size_t j = 0; j < patterns[i].num_roots; ++j)
        if ((size_t)patterns[i].roots[j] == kind &&
            is_wanted(&patterns[i], only))
          index.list[count++] = &patterns[i];
  }
  index.first[XC_NUM_OP_KINDS] = count;
  return index;
}

static bool apply_one(xc_rewriter *rewriter, const index_by_kind *index,
                      const xc_adaptor *adaptor) {
  size_t kind = (size_t)adaptor->info->kind;
  for (size_t i = index->first[kind]; i < index->first[kind + 1]; ++i) {
    if (!index->list[i]->apply(rewriter, adaptor)) {
      if (rewriter->failed)
        return false;
      continue;
    }
    xc_pass_count(rewriter->run, "num-rewritten", 1);
    return true;
  }
  return false;
}

static void visit(xc_rewriter *rewriter, const index_by_kind *index,
                  MlirOperation operation, bool fold) {
  xc_adaptor adaptor;
  const xc_op_info *info = xc_op_info_of(operation);
  if (is_dead(operation, info)) {
    xc_erase(rewriter, operation);
    xc_pass_count(rewriter->run, "num-erased", 1);
    return;
  }
  if (!xc_adaptor_of(operation, &adaptor))
    return;
  rewriter->root = operation;
  rewriter->location = adaptor.location;
  if (fold && xc_fold(rewriter, &adaptor))
    xc_pass_count(rewriter->run, "num-folded", 1);
  else if (!rewriter->failed && !xc_rewrite_keeps(rewriter, &adaptor))
    apply_one(rewriter, index, &adaptor);
  xc_release(rewriter);
}

static void push_all(xc_rewriter *rewriter, MlirOperation root) {
  xc_op_list all = xc_collect_tir(root);
  // Last in, first out: program order.
  for (size_t i = all.count; i-- > 0;)
    xc_worklist_push(&rewriter->worklist, all.items[i]);
  free(all.items);
}

bool xc_apply_patterns(xc_pass_run *run, const xc_pattern *patterns,
                       size_t num_patterns, const char *only, const char *kept,
                       const XcDpuTarget *target) {
  xc_arena arena = {0};
  xc_rewriter rewriter = {.run = run,
                          .target = target,
                          .kept = kept,
                          .context = mlirOperationGetContext(run->root)};
  index_by_kind index = index_patterns(patterns, num_patterns, only, &arena);
  bool all = *only == '\0';
  push_all(&rewriter, run->root);
  do {
    MlirOperation next;
    while (!rewriter.failed &&
           !mlirOperationIsNull(next = xc_worklist_pop(&rewriter.worklist)))
      visit(&rewriter, &index, next, all);
  } while (!rewriter.failed && all && xc_merge_equal(&rewriter, run->root));
  xc_worklist_free(&rewriter.worklist);
  free(rewriter.scratch);
  xc_arena_free(&arena);
  return !rewriter.failed;
}
