//===- Operators.c - operators as the board's runtime defines them --------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"

#include "Support/Memory.h"
#include "Support/Text.h"
#include "Target/XModel/Model.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct definition {
  const char *type;
  bool is_old; // release 2.5 has it
  const char *args, *attrs;
} definition;

static const definition definitions[] = {
#define XC_DEFINITION(type, is_old, args, attrs) {type, is_old, args, attrs},
#include "Definitions.def"
};

static const definition *find_definition(const char *type) {
  for (size_t i = 0; i < sizeof definitions / sizeof *definitions; ++i)
    if (strcmp(definitions[i].type, type) == 0)
      return &definitions[i];
  return NULL;
}

//===----------------------------------------------------------------------===//
// Lists of words: "input weights bias?"
//===----------------------------------------------------------------------===//

typedef struct list_word {
  const char *name;
  size_t length;
  const char *kind; // behind a colon, or null
  size_t kind_length;
  char mark; // '?', '*', '+' or 0
} list_word;

/// The next word of a list; false at its end.
static bool next_word(const char **list, list_word *result) {
  const char *at = *list + strspn(*list, " ");
  size_t length = strcspn(at, " ");
  *list = at + length;
  if (length == 0)
    return false;
  *result = (list_word){.name = at};
  if (strchr("?*+", at[length - 1]))
    result->mark = at[--length];
  const char *colon = memchr(at, ':', length);
  result->length = colon ? (size_t)(colon - at) : length;
  if (colon) {
    result->kind = colon + 1;
    result->kind_length = length - result->length - 1;
  }
  return true;
}

static bool is_word(const list_word *w, const char *text) {
  return strlen(text) == w->length && memcmp(text, w->name, w->length) == 0;
}

static bool is_kind(const list_word *w, XcXModelKind kind) {
  const char *name = xcXModelKindGetName(kind);
  return name && strlen(name) == w->kind_length &&
         memcmp(name, w->kind, w->kind_length) == 0;
}

//===----------------------------------------------------------------------===//
// Definitions
//===----------------------------------------------------------------------===//

static void check_args(xc_checker *c, const XcXModelOp *op,
                       const definition *d) {
  const char *name = xcXModelOpGetName(op), *list = d->args;
  size_t found = 0;
  list_word w;
  while (next_word(&list, &w)) {
    size_t count = 0;
    for (size_t a = 0; a < xcXModelOpGetNumArgs(op); ++a)
      if (is_word(&w, xcXModelOpGetArgName(op, a))) {
        count += xcXModelOpGetNumArgOps(op, a);
        ++found;
      }
    bool many = w.mark == '*' || w.mark == '+';
    if ((count > 1 && !many) || (count == 0 && (!w.mark || w.mark == '+')))
      xc_finding(c, XC_RULE_OpDefinition,
                 "operator '%s' (%s) has %zu producers of '%.*s'", name,
                 d->type, count, (int)w.length, w.name);
  }
  if (found < xcXModelOpGetNumArgs(op))
    xc_finding(c, XC_RULE_OpDefinition,
               "operator '%s' (%s) has an argument beside '%s'", name, d->type,
               d->args);
}

static void check_attrs(xc_checker *c, const XcXModelOp *op,
                        const definition *d) {
  XcXModelAttrs attrs = xcXModelOpGetAttrs(op);
  const char *list = d->attrs;
  list_word w;
  while (next_word(&list, &w)) {
    xc_text name = {0};
    xc_text_append(&name, w.name, w.length);
    XcXModelAttr attr = xcXModelAttrsFind(attrs, xc_text_str(&name));
    if (!attr.value && !w.mark)
      xc_finding(c, XC_RULE_OpDefinition,
                 "operator '%s' (%s) has no attribute '%s'",
                 xcXModelOpGetName(op), d->type, xc_text_str(&name));
    else if (attr.value && !is_kind(&w, xcXModelAttrGetKind(attr)))
      xc_finding(c, XC_RULE_OpDefinition,
                 "attribute '%s' of operator '%s' (%s) is not of kind %.*s",
                 xc_text_str(&name), xcXModelOpGetName(op), d->type,
                 (int)w.kind_length, w.kind);
    xc_text_free(&name);
  }
}

static void check_opaque(xc_checker *c, const XcXModelOp *op) {
  XcXModelAttrs attrs = xcXModelOpGetAttrs(op);
  const char *name = xcXModelOpGetName(op), *type = xcXModelOpGetType(op);
  for (size_t a = 0; a < xcXModelOpGetNumArgs(op); ++a)
    if (strcmp(xcXModelOpGetArgName(op, a), "input") != 0)
      xc_finding(c, XC_RULE_OpOpaque,
                 "operator '%s' of the unknown type '%s' has an argument '%s'",
                 name, type, xcXModelOpGetArgName(op, a));
  if (xcXModelAttrGetKind(xcXModelAttrsFind(attrs, "shape")) !=
          XcXModelKindInt32Vec ||
      !xcXModelAttrsGetString(attrs, "data_type"))
    xc_finding(c, XC_RULE_OpOpaque,
               "operator '%s' of the unknown type '%s' does not say 'shape' "
               "and 'data_type'",
               name, type);
}

/// Types that the file defines itself are those of other programs.
static bool is_defined_by_file(const XcXModel *model, const char *type) {
  for (size_t i = 0; i < xcXModelGetNumOpDefs(model); ++i)
    if (strcmp(xcXModelGetOpDefName(model, i), type) == 0)
      return true;
  return false;
}

static void check_definition(xc_checker *c, const XcXModelOp *op) {
  const definition *d = find_definition(xcXModelOpGetType(op));
  bool is_carried = is_defined_by_file(c->model, xcXModelOpGetType(op));
  if (d) {
    check_args(c, op, d);
    check_attrs(c, op, d);
  }
  if (!is_carried && !(d && d->is_old))
    check_opaque(c, op);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

static bool says_shape(const XcXModelOp *op, const XcXModelTensor *tensor) {
  int64_t dims[XC_XMODEL_MAX_RANK];
  size_t count;
  XcXModelAttrs attrs = xcXModelOpGetAttrs(op);
  if (xcXModelAttrGetKind(xcXModelAttrsFind(attrs, "shape")) !=
          XcXModelKindInt32Vec ||
      !xcXModelAttrsGetInts(attrs, "shape", dims, XC_XMODEL_MAX_RANK, &count) ||
      count != xcXModelTensorGetRank(tensor))
    return false;
  for (size_t i = 0; i < count; ++i)
    if (dims[i] != (int64_t)xcXModelTensorGetDims(tensor)[i])
      return false;
  return true;
}

static bool says_type(const XcXModelOp *op, const XcXModelTensor *tensor) {
  const char *word =
      xcXModelAttrsGetString(xcXModelOpGetAttrs(op), "data_type");
  xc_text expected = {0};
  xc_xmodel_type_word(tensor, &expected);
  bool ok = word && strcmp(word, xc_text_str(&expected)) == 0;
  xc_text_free(&expected);
  return ok;
}

static void check_shape(xc_checker *c, const XcXModelOp *op) {
  const XcXModelTensor *tensor = xcXModelOpGetTensor(op);
  bool has_shape = xc_op_is_type(op, "data") || xc_op_is_type(op, "data-fix") ||
                   xc_op_is_type(op, "const") || xc_op_is_type(op, "const-fix");
  if (!has_shape)
    return;
  const char *wrong = !tensor                   ? "tensor"
                      : !says_shape(op, tensor) ? "shape"
                      : !says_type(op, tensor)  ? "data_type"
                                                : NULL;
  if (wrong)
    xc_finding(c, XC_RULE_OpShape,
               "operator '%s' (%s): '%s' is not that of its tensor",
               xcXModelOpGetName(op), xcXModelOpGetType(op), wrong);
}

//===----------------------------------------------------------------------===//
// Order, names, kinds
//===----------------------------------------------------------------------===//

static void check_order(xc_checker *c, const XcXModelOp *op, size_t position) {
  for (size_t a = 0; a < xcXModelOpGetNumArgs(op); ++a)
    for (size_t i = 0; i < xcXModelOpGetNumArgOps(op, a); ++i) {
      const char *producer = xcXModelOpGetArgOp(op, a, i);
      if (xc_checked_find(c, producer)->position > position)
        xc_finding(c, XC_RULE_OpOrder,
                   "operator '%s' stands before '%s', which it reads",
                   xcXModelOpGetName(op), producer);
    }
}

static void check_kinds(xc_checker *c, const XcXModelOp *op) {
  static const struct {
    const char *name;
    XcXModelKind kind;
    bool of_tensor;
  } rows[] = {
      {"reg_id", XcXModelKindInt32, true},
      {"ddr_addr", XcXModelKindInt32, true},
      {"location", XcXModelKindInt32, true},
      {"stride", XcXModelKindInt32Vec, true},
      {"fix_point", XcXModelKindInt32, true},
      {"bit_width", XcXModelKindInt32, true},
      {"if_signed", XcXModelKindBool, true},
      {"round_mode", XcXModelKindString, true},
      {"workload", XcXModelKindUint64, false},
      {"workload_on_arch", XcXModelKindUint64, false},
      {"device", XcXModelKindString, false},
  };
  const XcXModelTensor *tensor = xcXModelOpGetTensor(op);
  xc_text what = {0};
  xc_text_printf(&what, "operator '%s'", xcXModelOpGetName(op));
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (!rows[i].of_tensor || tensor)
      (void)xc_check_attr(c, xc_text_str(&what),
                          rows[i].of_tensor ? xcXModelTensorGetAttrs(tensor)
                                            : xcXModelOpGetAttrs(op),
                          rows[i].name, rows[i].kind);
  xc_text_free(&what);
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void check_tensor_names(xc_checker *c) {
  size_t count = xcXModelGetNumOps(c->model), found = 0;
  const char **names = xc_alloc_array(count, sizeof *names);
  for (size_t i = 0; i < count; ++i) {
    const XcXModelOp *op = xcXModelGetOp(c->model, i);
    const XcXModelTensor *tensor = xcXModelOpGetTensor(op);
    if (tensor)
      names[found++] = xcXModelTensorGetName(tensor);
    else
      xc_finding(c, XC_RULE_TensorName, "operator '%s' has no tensor",
                 xcXModelOpGetName(op));
  }
  qsort(names, found, sizeof *names, compare_names);
  for (size_t i = 1; i < found; ++i)
    if (strcmp(names[i - 1], names[i]) == 0)
      xc_finding(c, XC_RULE_TensorName, "two tensors have the name '%s'",
                 names[i]);
  free(names);
}

void xc_check_operators(xc_checker *c) {
  check_tensor_names(c);
  for (size_t i = 0; i < xcXModelGetNumOps(c->model); ++i) {
    const XcXModelOp *op = xcXModelGetOp(c->model, i);
    check_definition(c, op);
    check_shape(c, op);
    check_order(c, op, i);
    check_kinds(c, op);
  }
}
