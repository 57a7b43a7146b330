//===- KeepFloat.c - names of operators that stay in floating point -------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Users take the names of --keep-float from the model file, or from the tables
// that xcc prints, which show long names by a part (NameSearch.h). Until it is
// quantised some of the model's operators become part of others, as an addition
// that is the bias of a product. Such names are left out, with a note; a name
// that no operator of the imported model has is an error.
//
//===----------------------------------------------------------------------===//

#include "KeepFloat.h"

#include "IR/IR.h"
#include "Support/Diag.h"
#include "Support/Memory.h"
#include "Support/NameSearch.h"
#include "dialects/Emit.h"

#include <stdlib.h>
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

//===----------------------------------------------------------------------===//
// Names as tables show them
//===----------------------------------------------------------------------===//

typedef struct named_operator {
  MlirOperation operation;
  const char *name;
} named_operator;

typedef struct operator_list {
  xc_arena arena;
  named_operator *items;
  size_t count, capacity;
} operator_list;

static void push(operator_list *list, named_operator item) {
  void *items = list->items;
  xc_grow(&items, &list->capacity, list->count + 1, sizeof(*list->items));
  list->items = items;
  list->items[list->count++] = item;
}

static MlirWalkResult list_operator(MlirOperation operation, void *state) {
  operator_list *list = state;
  const xc_op_info *info = xc_op_info_of(operation);
  MlirStringRef name = xc_op_given_name(operation);
  if (info && info->kind != XC_TIR_CONST && name.length > 0 &&
      mlirOperationGetNumResults(operation) > 0)
    push(list,
         (named_operator){
             operation, xc_arena_string(&list->arena, name.data, name.length)});
  return MlirWalkResultAdvance;
}

static operator_list list_operators(const xc_compilation *c) {
  operator_list list = {0};
  mlirOperationWalk(mlirModuleGetOperation(c->module), list_operator, &list,
                    MlirWalkPreOrder);
  return list;
}

static void free_list(operator_list *list) {
  free(list->items);
  xc_arena_free(&list->arena);
}

static bool is_activation(MlirOperation operation) {
  static const xc_op_kind kinds[] = {XC_TIR_RELU,         XC_TIR_RELU6,
                                     XC_TIR_CLIP,         XC_TIR_LEAKY_RELU,
                                     XC_TIR_HARD_SIGMOID, XC_TIR_HARD_SWISH};
  const xc_op_info *info = xc_op_info_of(operation);
  for (size_t i = 0; info && i < sizeof(kinds) / sizeof(*kinds); ++i)
    if (info->kind == kinds[i])
      return true;
  return false;
}

// Tables call a layer by the activation that it takes up.
static bool is_taken_up(const named_operator *op, const char *shown) {
  MlirValue result = xc_op_result(op->operation);
  if (!xc_value_has_one_use(result))
    return false;
  MlirOperation reader = mlirOpOperandGetOwner(mlirValueGetFirstUse(result));
  MlirStringRef name = xc_op_given_name(reader);
  xc_text text = {0};
  xc_text_append(&text, name.data, name.length);
  bool found =
      is_activation(reader) && xc_name_shown_as(xc_text_str(&text), shown);
  xc_text_free(&text);
  return found;
}

static bool has_item(const operator_list *list, const char *name) {
  for (size_t i = 0; i < list->count; ++i)
    if (strcmp(list->items[i].name, name) == 0)
      return true;
  return false;
}

/// The names that are best shown as that, each once; the list of all operators
/// owns them.
static operator_list find_shown(const operator_list *all, const char *shown) {
  operator_list found = {0};
  xc_shown best = XC_SHOWN_IN_PARTS;
  for (size_t i = 0; i < all->count; ++i) {
    const named_operator *op = &all->items[i];
    xc_shown here = xc_name_shown_as(op->name, shown);
    if (here < best || is_taken_up(op, shown))
      continue;
    found.count = here > best ? 0 : found.count;
    best = here;
    if (!has_item(&found, op->name))
      push(&found, *op);
  }
  return found;
}

static void report_several(const xc_compilation *c, const char *shown,
                           const operator_list *found) {
  enum { MOST = 3 };
  xc_text names = {0};
  for (size_t i = 0; i < found->count && i < MOST; ++i)
    xc_text_printf(&names, "%s'%s'", i > 0 ? ", " : "", found->items[i].name);
  if (found->count > MOST)
    xc_text_printf(&names, " and %zu more", found->count - MOST);
  xc_file_error(c->diag, c->options->model,
                "--keep-float names '%s', which is part of several names: %s",
                shown, xc_text_str(&names));
  xc_text_free(&names);
}

static void report_unknown(const xc_compilation *c, const char *name,
                           const operator_list *all) {
  xc_near_names near = {.given = name};
  for (size_t i = 0; i < all->count; ++i)
    xc_near_names_offer(&near, all->items[i].name);
  xc_text text = {0};
  xc_near_names_print(&near, &text);
  xc_file_error(c->diag, c->options->model,
                "--keep-float: no operator that computes at run time is named "
                "'%s'%s",
                name, xc_text_str(&text));
  xc_text_free(&text);
}

/// The quantiser names what it adds by the operator that it adds it to.
static size_t length_without_suffix(const char *name) {
  static const char *const suffixes[] = {"/fix", "/unscaled"};
  size_t length = strlen(name);
  for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); ++i) {
    size_t suffix = strlen(suffixes[i]);
    if (length > suffix && strcmp(name + length - suffix, suffixes[i]) == 0)
      return length - suffix;
  }
  return length;
}

static bool add_shown(const xc_compilation *c, const char *name,
                      xc_text *names) {
  operator_list all = list_operators(c), found = find_shown(&all, name);
  if (found.count == 0) {
    free_list(&found);
    found = find_shown(
        &all, xc_arena_string(&all.arena, name, length_without_suffix(name)));
  }
  bool ok = found.count == 1;
  if (ok)
    add_name(names, xc_ref(found.items[0].name));
  else if (found.count > 1)
    report_several(c, name, &found);
  else
    report_unknown(c, name, &all);
  free_list(&found);
  free_list(&all);
  return ok;
}

//===----------------------------------------------------------------------===//
// The option
//===----------------------------------------------------------------------===//

static bool list_name(const xc_compilation *c, MlirStringRef name,
                      xc_text *names) {
  if (has_operator(c, name)) {
    add_name(names, name);
    return true;
  }
  if (has_name(xc_text_str(&c->kept), name)) {
    XcPlace place = {c->options->model, 0, 0};
    xcDiagReport(c->diag, XcSeverityNote, place,
                 "--keep-float: '%.*s' has become part of another operator",
                 (int)name.length, name.data);
    return true;
  }
  xc_text text = {0};
  xc_text_append(&text, name.data, name.length);
  bool ok = add_shown(c, xc_text_str(&text), names);
  xc_text_free(&text);
  return ok;
}

// Operators without a name are not meant.
static bool has_empty_name(const char *list) {
  size_t length = list ? strlen(list) : 0;
  return length > 0 && (list[0] == ',' || list[length - 1] == ',' ||
                        strstr(list, ",,") != NULL);
}

bool xc_driver_list_kept(xc_compilation *c, xc_text *names) {
  const char *list = c->options->keepFloat;
  MlirStringRef name;
  if (has_empty_name(list))
    return xc_file_error(c->diag, c->options->model,
                         "--keep-float: there is an empty name in '%s'", list);
  while (next_name(&list, &name))
    if (!list_name(c, name, names))
      return false;
  return true;
}
