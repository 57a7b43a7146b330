//===- Check.c - whether the board's runtime can run an xmodel ------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"

#include "Support/Diag.h"
#include "Support/Memory.h"
#include "Support/Text.h"
#include "xc-c/XModelCheck.h"

#include <stdlib.h>
#include <string.h>

static const XcXModelRule rules[XC_NUM_RULES] = {
#define XC_RULE(Name, name, what, otherwise) {name, what, otherwise},
#include "Rules.def"
};

size_t xcXModelGetNumRules(void) { return XC_NUM_RULES; }

XcXModelRule xcXModelGetRule(size_t index) { return rules[index]; }

void xc_finding(xc_checker *checker, xc_rule rule, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  xc_text text = {0};
  xc_text_vprintf(&text, format, arguments);
  va_end(arguments);
  xc_file_error(checker->diag, xcXModelGetFile(checker->model), "%s [%s: %s]",
                xc_text_str(&text), rules[rule].name, rules[rule].otherwise);
  xc_text_free(&text);
  checker->ok = false;
}

xc_checked_op *xc_checked_find(const xc_checker *checker, const char *name) {
  const XcXModelOp *op = xcXModelFindOp(checker->model, name);
  return op ? xc_pointer_map_get(&checker->by_op, op) : NULL;
}

bool xc_op_is_type(const XcXModelOp *op, const char *type) {
  return strcmp(xcXModelOpGetType(op), type) == 0;
}

bool xc_check_attr(xc_checker *checker, const char *what, XcXModelAttrs attrs,
                   const char *name, XcXModelKind kind) {
  XcXModelAttr attr = xcXModelAttrsFind(attrs, name);
  if (!attr.value)
    return false;
  XcXModelKind found = xcXModelAttrGetKind(attr);
  if (found == kind)
    return true;
  const char *word = xcXModelKindGetName(found);
  xc_finding(checker, XC_RULE_Kind, "%s: '%s' is of kind %s, expected %s", what,
             name, word ? word : "unknown", xcXModelKindGetName(kind));
  return true;
}

//===----------------------------------------------------------------------===//
// Operators and their subgraphs
//===----------------------------------------------------------------------===//

static void list_operators(xc_checker *c) {
  size_t count = xcXModelGetNumOps(c->model);
  c->ops = xc_alloc_array(count, sizeof *c->ops);
  for (size_t i = 0; i < count; ++i) {
    c->ops[i].position = i;
    xc_pointer_map_set(&c->by_op, xcXModelGetOp(c->model, i), &c->ops[i]);
  }
}

static void note_leaf(xc_checker *c, const XcXModelSubgraph *leaf,
                      const XcXModelSubgraph *child) {
  for (size_t i = 0; i < xcXModelSubgraphGetNumOps(leaf); ++i) {
    const char *name = xcXModelSubgraphGetOp(leaf, i);
    xc_checked_op *op = xc_checked_find(c, name);
    if (op->leaf)
      xc_finding(c, XC_RULE_Leaf,
                 "operator '%s' belongs to the subgraphs '%s' and '%s'", name,
                 xcXModelSubgraphGetName(op->leaf),
                 xcXModelSubgraphGetName(leaf));
    op->leaf = leaf;
    op->child = child;
  }
}

/// Recursion is bounded: the reader limits the nesting of messages.
static void note_subgraph(xc_checker *c, const XcXModelSubgraph *subgraph,
                          const XcXModelSubgraph *child) {
  size_t num_children = xcXModelSubgraphGetNumChildren(subgraph);
  if (num_children == 0 || xcXModelSubgraphGetNumOps(subgraph))
    note_leaf(c, subgraph, child);
  for (size_t i = 0; i < num_children; ++i) {
    const XcXModelSubgraph *inner = xcXModelSubgraphGetChild(subgraph, i);
    note_subgraph(c, inner, child ? child : inner);
  }
}

static void note_consumers(xc_checker *c, size_t consumer) {
  const XcXModelOp *op = xcXModelGetOp(c->model, consumer);
  for (size_t a = 0; a < xcXModelOpGetNumArgs(op); ++a)
    for (size_t i = 0; i < xcXModelOpGetNumArgOps(op, a); ++i) {
      xc_checked_op *producer =
          xc_checked_find(c, xcXModelOpGetArgOp(op, a, i));
      if (producer->child == c->ops[consumer].child)
        ++producer->inner_consumers;
      else
        producer->is_consumed_outside = true;
    }
}

bool xcXModelCheck(XcDiag *diag, const XcXModel *model) {
  if (!xcXModelVerify(diag, model))
    return false;
  xc_checker c = {.diag = diag, .model = model, .ok = true};
  list_operators(&c);
  if (xcXModelGetRoot(model))
    note_subgraph(&c, xcXModelGetRoot(model), NULL);
  for (size_t i = 0; i < xcXModelGetNumOps(model); ++i)
    note_consumers(&c, i);
  xc_check_operators(&c);
  xc_check_subgraphs(&c);
  xc_pointer_map_free(&c.by_op);
  free(c.ops);
  return c.ok;
}

char *xcXModelRulesToMarkdown(void) {
  xc_text text = {0};
  xc_text_puts(&text,
               "# Rules of the board's runtime\n\n"
               "Generated from "
               "[`Rules.def`](../../lib/Target/XModel/Check/Rules.def); "
               "`xc-translate --check-xmodel` checks them, and quotes them by "
               "name. See [board.md](../board.md).\n\n"
               "| rule | what must be | otherwise |\n|---|---|---|\n");
  for (size_t i = 0; i < XC_NUM_RULES; ++i)
    xc_text_printf(&text, "| `%s` | %s | %s |\n", rules[i].name, rules[i].what,
                   rules[i].otherwise);
  return text.data;
}
