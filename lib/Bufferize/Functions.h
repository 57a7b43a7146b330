//===- Functions.h - what the bufferization passes share ----------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_BUFFERIZE_FUNCTIONS_H
#define XC_BUFFERIZE_FUNCTIONS_H

#include "dialects/View.h"

#include "mlir-c/IR.h"

#include <stdbool.h>

MlirStringRef xc_ref(const char *string);

/// Whether an operation has this name ("func.return").
bool xc_op_is(MlirOperation operation, const char *name);

/// Operations that a walk collects, in its order. Zero-initialise; free the
/// items.
typedef struct xc_op_list {
  MlirOperation *items;
  size_t count, capacity;
} xc_op_list;

void xc_op_list_add(xc_op_list *list, MlirOperation operation);

/// Calls `visit` for every func.func of a module, nested modules included, or
/// for `root` itself when it is one. Stops and returns false when a call does.
bool xc_for_each_function(MlirOperation root,
                          bool (*visit)(void *user_data, MlirOperation func),
                          void *user_data);

/// The body of a func.func; null for a declaration.
MlirRegion xc_function_body(MlirOperation func);
MlirType xc_function_type(MlirOperation func);
MlirStringRef xc_function_name(MlirOperation func);

bool xc_type_is_tensor(MlirType type);
/// Whether any operand or result is a tensor, ranked or not.
bool xc_op_has_tensors(MlirOperation operation);

/// Checks that every tensor of an operation can become a buffer: ranked,
/// static, without encoding, of one of our element types. Reports at the
/// operation otherwise.
bool xc_check_tensors(MlirOperation operation);
/// The same for one type; `what` names it in the message.
bool xc_check_tensor_type(MlirOperation operation, const char *what,
                          MlirType type);

/// memref<1x8xf32> for tensor<1x8xf32>; other types as they are.
MlirType xc_memref_of_tensor(MlirType type);

#endif // XC_BUFFERIZE_FUNCTIONS_H
