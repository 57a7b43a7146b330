//===- UnreportedError.c - errors that MLIR's parser keeps to itself ------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations that IRDL defines, ours among them, have the generic form only.
// Where text holds another, MLIR's parser fails without a diagnostic, at the
// first operation of that kind: the search here finds it by parsing its name
// alone, which fails as silently.
//
//===----------------------------------------------------------------------===//

#include "UnreportedError.h"

#include "Support/Diag.h"
#include "Support/Memory.h"
#include "Support/PointerMap.h"

#include <ctype.h>
#include <string.h>

static MlirLogicalResult count_diagnostic(MlirDiagnostic diagnostic,
                                          void *count) {
  (void)diagnostic;
  ++*(unsigned *)count;
  return mlirLogicalResultSuccess();
}

/// Whether the parser refuses an operation of that name without a word.
static bool is_silent(MlirContext context, MlirStringRef name) {
  unsigned count = 0;
  MlirDiagnosticHandlerID id = mlirContextAttachDiagnosticHandler(
      context, count_diagnostic, &count, NULL);
  MlirOperation operation = mlirOperationCreateParse(
      context, name, mlirStringRefCreateFromCString("-"));
  mlirContextDetachDiagnosticHandler(context, id);
  if (mlirOperationIsNull(operation))
    return count == 0;
  mlirOperationDestroy(operation);
  return false;
}

static bool is_word(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '.';
}

static const char *skip_line(const char *at, const char *end) {
  const char *newline = memchr(at, '\n', (size_t)(end - at));
  return newline ? newline : end;
}

static const char *skip_string(const char *at, const char *end) {
  for (++at; at < end && *at != '"' && *at != '\n'; ++at)
    at += *at == '\\' && at + 1 < end;
  return at < end ? at + 1 : end;
}

/// The next bare identifier with a dot in it, which may name an operation;
/// those of values, types, attributes, symbols and blocks begin with a sign.
static bool next_name(const char **at, const char *end, MlirStringRef *name) {
  while (*at < end) {
    const char *start = *at;
    if (*start == '"') {
      *at = skip_string(start, end);
    } else if (*start == '/' && start + 1 < end && start[1] == '/') {
      *at = skip_line(start, end);
    } else if (!is_word(*start) && !strchr("%#!@^", *start)) {
      ++*at;
    } else {
      for (++*at; *at < end && is_word(**at);)
        ++*at;
      *name = mlirStringRefCreate(start, (size_t)(*at - start));
      if (is_word(*start) && memchr(start, '.', name->length))
        return true;
    }
  }
  return false;
}

static XcPlace place_of(const xc_source *input, const char *at) {
  XcPlace place = {input->name, input->first_line, 1};
  for (const char *c = (const char *)input->data; c < at; ++c) {
    ++place.column;
    if (*c != '\n')
      continue;
    ++place.line;
    place.column = 1;
  }
  return place;
}

void xc_report_unreported(MlirContext context, XcDiag *diag,
                          const xc_source *input) {
  const char *at = (const char *)input->data, *end = at + input->size;
  xc_pointer_map seen = {0};
  MlirStringRef name;
  bool found = false;
  while (!found && !xc_is_bytecode(input) && next_name(&at, end, &name)) {
    const void *key = mlirIdentifierGet(context, name).ptr;
    if (xc_pointer_map_has(&seen, key))
      continue;
    xc_pointer_map_set(&seen, key, NULL);
    found = mlirContextIsRegisteredOperation(context, name) &&
            is_silent(context, name);
  }
  xc_pointer_map_free(&seen);
  if (found)
    xc_place_error(diag, place_of(input, name.data),
                   "'%.*s' has the generic form only, as in "
                   "\"%.*s\"(%%x) : (type of %%x) -> type of the result",
                   (int)name.length, name.data, (int)name.length, name.data);
  else
    xc_file_error(diag, input->name,
                  "not a module: the parser gives no reason");
}
