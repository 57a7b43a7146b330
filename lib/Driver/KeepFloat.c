//===- KeepFloat.c - names of operators that stay in floating point -------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Users take the names of --keep-float from the model file. Until it is
// quantised some of its operators become part of others, as an addition that is
// the bias of a product. Such names are left out, with a note; a name that no
// operator of the imported model has is an error.
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

static bool has_operator(const xc_compilation *c, MlirStringRef name) {
  search s = {name, false};
  mlirOperationWalk(mlirModuleGetOperation(c->module), find_name, &s,
                    MlirWalkPreOrder);
  return s.found;
}

// Takes the first name off a list with commas; false when there is none.
static bool next_name(const char **list, MlirStringRef *name) {
  if (!*list || !**list)
    return false;
  *name = mlirStringRefCreate(*list, strcspn(*list, ","));
  *list += name->length + ((*list)[name->length] == ',');
  return true;
}

static bool has_name(const char *list, MlirStringRef name) {
  MlirStringRef other;
  while (next_name(&list, &other))
    if (mlirStringRefEqual(other, name))
      return true;
  return false;
}

static void add_name(xc_text *list, MlirStringRef name) {
  xc_text_printf(list, "%s%.*s", list->length ? "," : "", (int)name.length,
                 name.data);
}

void xc_driver_note_kept(xc_compilation *c) {
  const char *list = c->options->keepFloat;
  MlirStringRef name;
  while (next_name(&list, &name))
    if (has_operator(c, name))
      add_name(&c->kept, name);
}

bool xc_driver_list_kept(xc_compilation *c, xc_text *names) {
  const char *list = c->options->keepFloat;
  XcPlace place = {c->options->model, 0, 0};
  MlirStringRef name;
  while (next_name(&list, &name)) {
    if (has_operator(c, name))
      add_name(names, name);
    else if (has_name(xc_text_str(&c->kept), name))
      xcDiagReport(c->diag, XcSeverityNote, place,
                   "--keep-float: '%.*s' has become part of another operator",
                   (int)name.length, name.data);
    else
      return xc_file_error(c->diag, c->options->model,
                           "--keep-float names '%.*s', which no operator that "
                           "computes at run time is called",
                           (int)name.length, name.data);
  }
  return true;
}
