//===- Function.h - functions of a module -------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_IR_FUNCTION_H
#define XC_IR_FUNCTION_H

#include "mlir-c/IR.h"

#include <stdbool.h>
#include <stddef.h>

/// Calls `visit` for every func.func of a module, nested modules included, or
/// for `root` itself when it is one. Stops and returns false when a call does.
bool xc_for_each_function(MlirOperation root,
                          bool (*visit)(void *user_data, MlirOperation func),
                          void *user_data);

/// Returns the body of a func.func; null for a declaration.
MlirRegion xc_function_body(MlirOperation func);
MlirType xc_function_type(MlirOperation func);
MlirStringRef xc_function_name(MlirOperation func);

/// Returns a func.func that the caller inserts; `body` may be null for a
/// declaration, else the function owns it. `visibility` is "private" or null.
MlirOperation xc_function_create(MlirLocation location, const char *name,
                                 const char *visibility, MlirType type,
                                 MlirBlock body,
                                 const MlirNamedAttribute *attributes,
                                 size_t num_attributes);

#endif // XC_IR_FUNCTION_H
