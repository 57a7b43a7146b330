//===- Keep.c - operators that are to stay in floating point --------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KeepFloat.h"

#include "IR/IR.h"
#include "Transforms/Quantize/Function/Activation.h"
#include "dialects/Emit.h"

#include <string.h>

// Calls `visit` for each of the names in the option; false when it is.
static bool visit_names(const xc_quantizer *q, void *state,
                        bool (*visit)(const xc_quantizer *q, void *state,
                                      MlirStringRef name)) {
  for (const char *at = xc_pass_string(q->run, "keep-float"); *at;) {
    size_t length = strcspn(at, ",");
    if (!visit(q, state, mlirStringRefCreate(at, length)))
      return false;
    at += length + (at[length] == ',');
  }
  return true;
}

static bool has_name(MlirOperation operation, MlirStringRef name) {
  return mlirStringRefEqual(xc_op_given_name(operation), name);
}

// By its own name or that of the activation that it would take up, which is
// what reports call it by.
static bool differs(const xc_quantizer *q, void *state, MlirStringRef name) {
  const MlirOperation *operation = state;
  (void)q;
  if (has_name(*operation, name))
    return false;
  MlirOpOperand use = mlirValueGetFirstUse(xc_op_result(*operation));
  if (mlirOpOperandIsNull(use) ||
      !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)))
    return true;
  MlirOperation reader = mlirOpOperandGetOwner(use);
  return !xc_nonlinear_of(reader) || !has_name(reader, name);
}

bool xc_quantize_is_kept(const xc_quantizer *q, MlirOperation operation) {
  return !visit_names(q, &operation, differs);
}

static bool find_name(const xc_quantizer *q, void *state, MlirStringRef name) {
  (void)state;
  for (MlirOperation op = mlirBlockGetFirstOperation(q->block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (has_name(op, name))
      return true;
  return xc_option_error(q->function, "tir-quantize", "keep-float",
                         "names '%.*s', which no operator is called",
                         (int)name.length, name.data);
}

bool xc_quantize_check_kept(const xc_quantizer *q) {
  return visit_names(q, NULL, find_name);
}
