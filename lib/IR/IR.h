//===- IR.h - names, attributes and operations --------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_IR_IR_H
#define XC_IR_IR_H

#include "mlir-c/IR.h"

#include <stdbool.h>
#include <stddef.h>

MlirStringRef xc_ref(const char *string);
bool xc_ref_is(MlirStringRef string, const char *expected);

MlirNamedAttribute xc_named(MlirContext context, const char *name,
                            MlirAttribute value);
/// Returns an attribute of an operation, or null.
MlirAttribute xc_op_attribute(MlirOperation operation, const char *name);
/// Returns the name that an operation was given: `op_name`, or that of its
/// location. Empty if it has none.
MlirStringRef xc_op_given_name(MlirOperation operation);
/// Returns all attributes; the caller frees.
MlirNamedAttribute *xc_op_attributes(MlirOperation operation, size_t *count);
void xc_op_set_string(MlirOperation operation, const char *name,
                      const char *value);

/// Whether an operation has this name ("func.return").
bool xc_op_is(MlirOperation operation, const char *name);
/// Returns the only result of an operation.
MlirValue xc_op_result(MlirOperation operation);
bool xc_value_is_used(MlirValue value);
bool xc_value_has_one_use(MlirValue value);
/// Whether any operand or result is a tensor, ranked or not.
bool xc_op_has_tensors(MlirOperation operation);

/// Operations that a walk collects, in its order. Zero-initialise; free the
/// items.
typedef struct xc_op_list {
  MlirOperation *items;
  size_t count, capacity;
} xc_op_list;

void xc_op_list_add(xc_op_list *list, MlirOperation operation);

#endif // XC_IR_IR_H
