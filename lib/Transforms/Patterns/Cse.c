//===- Cse.c - merging what is computed twice -----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include "IR/IR.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>
#include <string.h>

// Operations met so far by their hash. Different ones rarely share it: they
// form a list.
typedef struct entry {
  MlirOperation operation;
  struct entry *next;
} entry;

static uint64_t mix(uint64_t hash, const void *pointer) {
  hash ^= (uint64_t)(uintptr_t)pointer;
  hash *= UINT64_C(0xFF51AFD7ED558CCD);
  return hash ^ hash >> 29;
}

// Names do not say what an operator computes.
static bool is_name(MlirStringRef attribute) {
  static const char *const names[] = {"op_name", "id"};
  for (size_t i = 0; i < sizeof(names) / sizeof(*names); ++i)
    if (xc_ref_is(attribute, names[i]))
      return true;
  return false;
}

// Returns the next attribute from `index` on that counts, or a null one.
static MlirNamedAttribute next_attribute(MlirOperation operation,
                                         intptr_t *index) {
  intptr_t count = mlirOperationGetNumAttributes(operation);
  while (*index < count) {
    MlirNamedAttribute named = mlirOperationGetAttribute(operation, (*index)++);
    if (!is_name(mlirIdentifierStr(named.name)))
      return named;
  }
  return (MlirNamedAttribute){.attribute = mlirAttributeGetNull()};
}

static uint64_t hash_of(MlirOperation operation) {
  uint64_t hash = mix(0, mlirOperationGetBlock(operation).ptr);
  hash = mix(hash, mlirOperationGetName(operation).ptr);
  hash = mix(hash, mlirValueGetType(xc_op_result(operation)).ptr);
  intptr_t operands = mlirOperationGetNumOperands(operation);
  for (intptr_t i = 0; i < operands; ++i)
    hash = mix(hash, mlirOperationGetOperand(operation, i).ptr);
  intptr_t index = 0;
  for (MlirNamedAttribute named; named = next_attribute(operation, &index),
                                 !mlirAttributeIsNull(named.attribute);)
    hash = mix(mix(hash, named.name.ptr), named.attribute.ptr);
  return hash;
}

static bool same_attributes(MlirOperation a, MlirOperation b) {
  intptr_t i = 0, j = 0;
  for (;;) {
    MlirNamedAttribute x = next_attribute(a, &i), y = next_attribute(b, &j);
    bool end = mlirAttributeIsNull(x.attribute);
    if (end || mlirAttributeIsNull(y.attribute))
      return end && mlirAttributeIsNull(y.attribute);
    if (!mlirIdentifierEqual(x.name, y.name) ||
        !mlirAttributeEqual(x.attribute, y.attribute))
      return false;
  }
}

static bool same_operation(MlirOperation a, MlirOperation b) {
  intptr_t operands = mlirOperationGetNumOperands(a);
  if (!mlirBlockEqual(mlirOperationGetBlock(a), mlirOperationGetBlock(b)) ||
      !mlirIdentifierEqual(mlirOperationGetName(a), mlirOperationGetName(b)) ||
      operands != mlirOperationGetNumOperands(b) ||
      !mlirTypeEqual(mlirValueGetType(xc_op_result(a)),
                     mlirValueGetType(xc_op_result(b))))
    return false;
  for (intptr_t i = 0; i < operands; ++i)
    if (!mlirValueEqual(mlirOperationGetOperand(a, i),
                        mlirOperationGetOperand(b, i)))
      return false;
  return same_attributes(a, b);
}

// Returns the operation equal to this one that came first: itself when it is
// new.
static MlirOperation first_equal(xc_pointer_map *all, MlirOperation operation,
                                 entry *free_entry) {
  // A key is not null.
  const void *key = (const void *)(uintptr_t)(hash_of(operation) | 1);
  entry *same_hash = xc_pointer_map_get(all, key);
  for (entry *e = same_hash; e; e = e->next)
    if (same_operation(e->operation, operation))
      return e->operation;
  *free_entry = (entry){operation, same_hash};
  xc_pointer_map_set(all, key, free_entry);
  return operation;
}

bool xc_merge_equal(xc_rewriter *rewriter, MlirOperation root) {
  int64_t merged = 0;
  xc_op_list operations = xc_collect_tir(root);
  xc_pointer_map all = {0};
  entry *entries = xc_alloc_array(operations.count, sizeof(*entries));
  for (size_t i = 0; i < operations.count; ++i) {
    if (!xc_op_may_merge(xc_op_info_of(operations.items[i])))
      continue;
    MlirOperation first = first_equal(&all, operations.items[i], &entries[i]);
    if (mlirOperationEqual(first, operations.items[i]))
      continue;
    MlirValue old = xc_op_result(operations.items[i]);
    xc_revisit_users(rewriter, old);
    mlirValueReplaceAllUsesOfWith(old, xc_op_result(first));
    xc_erase(rewriter, operations.items[i]);
    ++merged;
  }
  xc_pointer_map_free(&all);
  free(entries);
  free(operations.items);
  xc_pass_count(rewriter->run, "num-merged", merged);
  return merged > 0;
}
