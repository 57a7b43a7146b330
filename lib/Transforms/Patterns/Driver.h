//===- Driver.h - state of the pattern driver ---------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The internals of the pattern driver. Patterns see Pattern.h only.
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_PATTERNS_DRIVER_H
#define XC_TRANSFORMS_PATTERNS_DRIVER_H

#include "IR/IR.h"
#include "Pattern.h"
#include "Support/Memory.h"
#include "Support/PointerMap.h"

/// A stack of operations, each in it at most once; one that is erased is taken
/// out of the middle.
typedef struct xc_worklist {
  MlirOperation *stack; // null where one was taken out
  size_t count, capacity;
  xc_pointer_map places; // operation -> 1 + its index in the stack
} xc_worklist;

void xc_worklist_push(xc_worklist *list, MlirOperation operation);
void xc_worklist_remove(xc_worklist *list, MlirOperation operation);
/// Returns null when the list is empty.
MlirOperation xc_worklist_pop(xc_worklist *list);
void xc_worklist_free(xc_worklist *list);

struct xc_rewriter {
  xc_pass_run *run;
  const XcDpuTarget *target;
  const char *kept; // names that stay, with commas
  MlirContext context;
  xc_worklist worklist;
  // Of the pattern that runs:
  MlirOperation root;
  MlirLocation location;
  xc_arena arena;
  void **scratch; // freed with free()
  size_t num_scratch, scratch_capacity;
  /// An error has been reported; nothing may be changed any more.
  bool failed;
};

/// Puts the users of a value, or what computes it, on the worklist.
void xc_revisit_users(xc_rewriter *rewriter, MlirValue value);
/// Erases an operation without uses; what computed its operands is revisited.
void xc_erase(xc_rewriter *rewriter, MlirOperation operation);
/// Frees what a pattern has borrowed.
void xc_release(xc_rewriter *rewriter);

/// Returns all tir operations within `root`, in program order. The caller
/// frees.
xc_op_list xc_collect_tir(MlirOperation root);

/// Merges equal operators of each block into the first (Cse.c). Returns true
/// when something has changed.
bool xc_merge_equal(xc_rewriter *rewriter, MlirOperation root);

/// Replaces an operator on constants by a constant (Fold.c).
bool xc_fold(xc_rewriter *rewriter, const xc_adaptor *adaptor);

#endif // XC_TRANSFORMS_PATTERNS_DRIVER_H
