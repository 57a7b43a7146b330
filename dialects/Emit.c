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

#include <string.h>
#include <threads.h>

// The operation whose error this thread emits, until the handler asks for it.
static _Thread_local MlirOperation emitting;

// An error of a pass that runs on several threads. It reaches the handler
// later, in the order of the IR. The operation may be gone by then, so it is
// printed before. Errors that nothing asks for are overwritten.
typedef struct late_error {
  const void *location;
  xc_text message, operation;
} late_error;

enum { MAX_LATE = 64 };
static late_error late_errors[MAX_LATE];
static size_t num_late;
static mtx_t late_lock;
static once_flag late_once = ONCE_FLAG_INIT;

static void init_late(void) { mtx_init(&late_lock, mtx_plain); }

static void append_text(MlirStringRef piece, void *text) {
  xc_text_append(text, piece.data, piece.length);
}

static void print_operation(MlirOperation operation, xc_text *text) {
  enum { LARGEST_ATTRIBUTE = 16 };
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  mlirOpPrintingFlagsPrintGenericOpForm(flags);
  mlirOpPrintingFlagsUseLocalScope(flags);
  mlirOpPrintingFlagsElideLargeElementsAttrs(flags, LARGEST_ATTRIBUTE);
  mlirOperationPrintWithFlags(operation, flags, append_text, text);
  mlirOpPrintingFlagsDestroy(flags);
}

static void forget(late_error *late) {
  xc_text_free(&late->message);
  xc_text_free(&late->operation);
  *late = (late_error){0};
}

static void keep_for_later(MlirOperation operation, MlirLocation location,
                           const char *message) {
  call_once(&late_once, init_late);
  mtx_lock(&late_lock);
  late_error *late = &late_errors[num_late++ % MAX_LATE];
  forget(late);
  late->location = location.ptr;
  xc_text_puts(&late->message, message);
  print_operation(operation, &late->operation);
  mtx_unlock(&late_lock);
}

void xc_emit_error(MlirOperation operation, MlirLocation location,
                   const char *message) {
  emitting = operation;
  mlirEmitError(location, message);
  if (!mlirOperationIsNull(emitting))
    keep_for_later(operation, location, message);
  emitting = (MlirOperation){NULL};
}

bool xc_emitted_operation(MlirLocation location, const char *message,
                          xc_text *text) {
  if (!mlirOperationIsNull(emitting)) {
    print_operation(emitting, text);
    emitting = (MlirOperation){NULL};
    return true;
  }
  bool found = false;
  call_once(&late_once, init_late);
  mtx_lock(&late_lock);
  for (size_t i = 0; i < MAX_LATE && !found; ++i) {
    late_error *late = &late_errors[i];
    found = late->location == location.ptr &&
            strcmp(xc_text_str(&late->message), message) == 0;
    if (found) {
      xc_text_append(text, late->operation.data, late->operation.length);
      forget(late);
    }
  }
  mtx_unlock(&late_lock);
  return found;
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

bool xc_option_error(MlirOperation root, const char *pass, const char *option,
                     const char *format, ...) {
  xc_text text = {0};
  xc_text_printf(&text, "option '%s' of %s ", option, pass);
  va_list arguments;
  va_start(arguments, format);
  xc_text_vprintf(&text, format, arguments);
  va_end(arguments);
  xc_emit_error((MlirOperation){NULL}, mlirOperationGetLocation(root),
                xc_text_str(&text));
  xc_text_free(&text);
  return false;
}

bool xc_check_call_depth(MlirOperation call, size_t depth) {
  enum { MOST = 64 };
  return depth <= MOST || xc_op_error(call,
                                      "nests calls %zu deep, expected at "
                                      "most %d",
                                      depth, MOST);
}

static void report(void *user_data, XcSeverity severity, XcPlace place,
                   const char *message) {
  const MlirOperation *module = user_data;
  (void)severity;
  MlirLocation location = mlirOperationGetLocation(*module);
  if (place.file)
    location = mlirLocationFileLineColGet(
        mlirOperationGetContext(*module),
        mlirStringRefCreateFromCString(place.file), place.line, place.column);
  xc_emit_error((MlirOperation){NULL}, location, message);
}

XcDiag xc_context_diag(MlirOperation *module) {
  return (XcDiag){.handler = report, .userData = module};
}
