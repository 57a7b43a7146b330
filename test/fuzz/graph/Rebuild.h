//===- Rebuild.h - a graph with one change ------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TEST_FUZZ_GRAPH_REBUILD_H
#define XC_TEST_FUZZ_GRAPH_REBUILD_H

#include "Graph.h"

typedef enum fuzz_change_kind {
  FUZZ_DROP_RESULT,     // result `index` of the function
  FUZZ_BYPASS,          // users of operator `index` use operand `value`
  FUZZ_MAKE_ARGUMENT,   // they use a new argument
  FUZZ_RETURN_OPERANDS, // its operands are results in its place
  FUZZ_DROP_OPERAND,    // slot `value` of operator `index`
  FUZZ_DROP_ATTRIBUTE,  // `name` of operator `index`
  FUZZ_SET_INT,         // `entry` of attribute `name` becomes `value`
  FUZZ_SET_DIM,         // dimension `entry` of argument `index`
  FUZZ_SET_CONST_DIM,   // the first dimension of constant `index`
  FUZZ_SPLAT,           // constant `index` is its first element everywhere
} fuzz_change_kind;

typedef struct fuzz_change {
  fuzz_change_kind kind;
  size_t index; // of an operation in the body, an argument or a result
  size_t entry;
  int64_t value;
  const char *name;
} fuzz_change;

/// A copy with the change, verified; null when there is no such graph.
MlirModule fuzz_rebuild(MlirModule module, const fuzz_change *change);

#endif // XC_TEST_FUZZ_GRAPH_REBUILD_H
