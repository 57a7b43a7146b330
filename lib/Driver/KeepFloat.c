//===- KeepFloat.c - names of operators that stay in floating point -------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Users take the names of --keep-float from the model file. Until it is
// quantised some of its operators become part of others: an addition is the
// bias of a product, a slice of constants is one. Such names are left out, with
// a note; a name that the file does not have is an error.
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include "IR/IR.h"
#include "Support/Diag.h"

#include <string.h>

typedef struct search {
  MlirStringRef name;
  bool found;
} search;

static MlirWalkResult find_name(MlirOperation operation, void *state) {
  search *s = state;
  s->found |= mlirStringRefEqual(xc_op_given_name(operation), s->name);
  return s->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static bool has_operator(const xc_compilation *c, const char *name,
                         size_t length) {
  search s = {mlirStringRefCreate(name, length), false};
  mlirOperationWalk(mlirModuleGetOperation(c->module), find_name, &s,
                    MlirWalkPreOrder);
  return s.found;
}

// Whether a list with commas has the name.
static bool has_name(const char *list, const char *name, size_t length) {
  for (size_t own; *list; list += own + (list[own] == ',')) {
    own = strcspn(list, ",");
    if (own == length && memcmp(list, name, length) == 0)
      return true;
  }
  return false;
}

static void add_name(xc_text *list, const char *name, size_t length) {
  xc_text_printf(list, "%s%.*s", list->length ? "," : "", (int)length, name);
}

void xc_driver_note_kept(xc_compilation *c) {
  const char *at = c->options->keepFloat;
  for (size_t length; at && *at; at += length + (at[length] == ',')) {
    length = strcspn(at, ",");
    if (has_operator(c, at, length))
      add_name(&c->kept, at, length);
  }
}

bool xc_driver_list_kept(xc_compilation *c, xc_text *names) {
  const char *at = c->options->keepFloat;
  XcPlace place = {c->options->model, 0, 0};
  for (size_t length; at && *at; at += length + (at[length] == ',')) {
    length = strcspn(at, ",");
    if (has_operator(c, at, length))
      add_name(names, at, length);
    else if (has_name(xc_text_str(&c->kept), at, length))
      xcDiagReport(c->diag, XcSeverityNote, place,
                   "--keep-float: '%.*s' has become part of another operator",
                   (int)length, at);
    else
      return xc_file_error(c->diag, c->options->model,
                           "--keep-float names '%.*s', which no operator that "
                           "computes at run time is called",
                           (int)length, at);
  }
  return true;
}
