//===- Verify.c - names and arguments of an xmodel fit together -----------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model.h"

#include "Support/Diag.h"
#include "Support/Memory.h"
#include "Support/Text.h"

#include <stdlib.h>
#include <string.h>

// A depth-first walk with its own stack: chains are as long as the model.
typedef struct frame {
  XcXModelOp *op;
  size_t arg, position; // the producer to look at next
} frame;

typedef enum walk_state { UNSEEN, OPEN, DONE } walk_state;

typedef struct walk {
  const XcXModel *model;
  walk_state *states; // by rank in the index of operators
  frame *stack;
  size_t depth;
  XcXModelOp **order;
  size_t count;
} walk;

static walk_state *state_of(const walk *w, const XcXModelOp *op) {
  return &w->states[xc_xmodel_rank(w->model, xcXModelOpGetName(op))];
}

static void push(walk *w, XcXModelOp *op) {
  *state_of(w, op) = OPEN;
  w->stack[w->depth++] = (frame){op, 0, 0};
}

// Returns the next producer of the operator on top; null when there is none
// left.
static const char *next_producer(frame *top) {
  while (top->arg < xcXModelOpGetNumArgs(top->op)) {
    if (top->position < xcXModelOpGetNumArgOps(top->op, top->arg))
      return xcXModelOpGetArgOp(top->op, top->arg, top->position++);
    ++top->arg;
    top->position = 0;
  }
  return NULL;
}

// Places an operator after its producers; false in a circle.
static bool walk_from(walk *w, XcXModelOp *start) {
  push(w, start);
  while (w->depth) {
    frame *top = &w->stack[w->depth - 1];
    const char *name = next_producer(top);
    if (!name) {
      *state_of(w, top->op) = DONE;
      w->order[w->count++] = top->op;
      --w->depth;
      continue;
    }
    XcXModelOp *producer = xcXModelFindOp(w->model, name);
    if (!producer)
      continue;
    walk_state state = *state_of(w, producer);
    if (state == OPEN)
      return false;
    if (state == UNSEEN)
      push(w, producer);
  }
  return true;
}

XcXModelOp **xc_xmodel_topological_order(const XcXModel *model, size_t *count) {
  size_t num_ops = xcXModelGetNumOps(model);
  walk w = {.model = model,
            .states = xc_alloc_array(num_ops, sizeof(walk_state)),
            .stack = xc_alloc_array(num_ops, sizeof(frame)),
            .order = xc_alloc_array(num_ops, sizeof(XcXModelOp *))};
  for (size_t i = 0; i < num_ops; ++i) {
    XcXModelOp *op = xcXModelGetOp(model, i);
    if (*state_of(&w, op) == UNSEEN && !walk_from(&w, op))
      break;
  }
  free(w.states);
  free(w.stack);
  *count = w.count;
  return w.order;
}

static bool check_names(XcDiag *diag, const XcXModel *model) {
  const xc_op_index *index = xc_xmodel_op_index(model);
  for (size_t i = 1; i < index->count; ++i) {
    const char *name = xcXModelOpGetName(index->ops[i]);
    if (!strcmp(name, xcXModelOpGetName(index->ops[i - 1])))
      return xc_file_error(diag, model->file,
                           "two operators have the name '%s'", name);
  }
  return true;
}

static bool check_args(XcDiag *diag, const XcXModel *model,
                       const XcXModelOp *op) {
  for (size_t a = 0; a < xcXModelOpGetNumArgs(op); ++a)
    for (size_t i = 0; i < xcXModelOpGetNumArgOps(op, a); ++i)
      if (!xcXModelFindOp(model, xcXModelOpGetArgOp(op, a, i)))
        return xc_file_error(
            diag, model->file,
            "argument '%s' of operator '%s' names '%s', which does not exist",
            xcXModelOpGetArgName(op, a), xcXModelOpGetName(op),
            xcXModelOpGetArgOp(op, a, i));
  return true;
}

// Recursion is bounded: the reader limits the nesting of messages, and a
// built tree is as deep as its builder made it.
static bool check_subgraph(XcDiag *diag, const XcXModel *model,
                           const XcXModelSubgraph *subgraph) {
  for (size_t i = 0; i < xcXModelSubgraphGetNumOps(subgraph); ++i)
    if (!xcXModelFindOp(model, xcXModelSubgraphGetOp(subgraph, i)))
      return xc_file_error(
          diag, model->file,
          "subgraph '%s' names operator '%s', which does not exist",
          xcXModelSubgraphGetName(subgraph),
          xcXModelSubgraphGetOp(subgraph, i));
  for (size_t i = 0; i < xcXModelSubgraphGetNumChildren(subgraph); ++i)
    if (!check_subgraph(diag, model, xcXModelSubgraphGetChild(subgraph, i)))
      return false;
  return true;
}

bool xcXModelVerify(XcDiag *diag, const XcXModel *model) {
  if (!check_names(diag, model))
    return false;
  for (size_t i = 0; i < xcXModelGetNumOps(model); ++i)
    if (!check_args(diag, model, xcXModelGetOp(model, i)))
      return false;
  const XcXModelSubgraph *root = xcXModelGetRoot(model);
  if (root && !check_subgraph(diag, model, root))
    return false;
  size_t count;
  XcXModelOp **order = xc_xmodel_topological_order(model, &count);
  free(order);
  if (count == xcXModelGetNumOps(model))
    return true;
  return xc_file_error(diag, model->file,
                       "the operators feed themselves in a circle");
}
