//===- Emit.c - errors at operations --------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit.h"

#include "Support/Text.h"

#include "mlir-c/Diagnostics.h"

// Set only while mlirEmitError runs, which calls the handler synchronously.
static _Thread_local MlirOperation emitting;

void xc_emit_error(MlirOperation operation, MlirLocation location,
                   const char *message) {
  emitting = operation;
  mlirEmitError(location, message);
  emitting = (MlirOperation){NULL};
}

bool xc_op_error(MlirOperation operation, const char *format, ...) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
  xc_text text = {0};
  xc_text_printf(&text, "'%.*s' op ", (int)name.length, name.data);
  va_list arguments;
  va_start(arguments, format);
  xc_text_vprintf(&text, format, arguments);
  va_end(arguments);
  xc_emit_error(operation, mlirOperationGetLocation(operation),
                xc_text_str(&text));
  xc_text_free(&text);
  return false;
}

MlirOperation xc_emitting_operation(void) { return emitting; }
