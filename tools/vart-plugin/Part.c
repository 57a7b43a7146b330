//===- Part.c - a part of a model that is machine code --------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define _DEFAULT_SOURCE

#include "Part.h"

#include "Code.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The memory of one call of the code, with its results.
typedef struct call {
  struct call *next;
  bool is_busy, is_done; // done: the results are those of the inputs
  uint64_t last_use;
  void *arena;
  unsigned char *inputs; // all of them, one after the other
  size_t inputs_size;
  void **results;
} call;

struct xc_part {
  struct xc_part *next;
  void *subgraph;
  size_t users;
  xc_code code;
  size_t *sizes; // of results
  size_t num_results;
  pthread_mutex_t lock; // of what follows
  call *calls;
  size_t num_calls;
  uint64_t uses;
};

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static void free_call(const xc_part *part, call *c) {
  for (size_t i = 0; c->results && i < part->num_results; ++i)
    free(c->results[i]);
  free(c->results);
  free(c->inputs);
  free(c->arena);
  free(c);
}

static call *make_call(const xc_part *part) {
  call *c = calloc(1, sizeof(*c));
  if (!c)
    return NULL;
  c->arena = xc_aligned_alloc(part->code.arena_size);
  c->results = calloc(part->num_results + 1, sizeof(*c->results));
  bool ok = c->arena && c->results;
  for (size_t i = 0; ok && i < part->num_results; ++i)
    ok = (c->results[i] = xc_aligned_alloc(part->sizes[i]));
  if (ok)
    return c;
  free_call(part, c);
  return NULL;
}

static bool has_inputs(const call *c, const xc_vart_memory *inputs,
                       size_t count) {
  size_t at = 0;
  if (!c->is_done)
    return false;
  for (size_t i = 0; i < count; at += inputs[i++].size)
    if (inputs[i].size > c->inputs_size - at ||
        memcmp(c->inputs + at, (void *)(uintptr_t)inputs[i].address,
               inputs[i].size) != 0)
      return false;
  return at == c->inputs_size;
}

static bool keep_inputs(call *c, const xc_vart_memory *inputs, size_t count) {
  size_t size = 0, at = 0;
  for (size_t i = 0; i < count; ++i)
    size += inputs[i].size;
  unsigned char *kept = realloc(c->inputs, size + 1);
  if (!kept)
    return false;
  c->inputs = kept;
  c->inputs_size = size;
  for (size_t i = 0; i < count; at += inputs[i++].size)
    memcpy(kept + at, (void *)(uintptr_t)inputs[i].address, inputs[i].size);
  return true;
}

// One that has computed these inputs, or else the one that was not used for
// longest.
static call *take_call(xc_part *part, const xc_vart_memory *inputs,
                       size_t count) {
  enum { KEPT = 4 };
  call *found = NULL;
  pthread_mutex_lock(&part->lock);
  for (call *c = part->calls; c; c = c->next) {
    if (c->is_busy)
      continue;
    if (has_inputs(c, inputs, count)) {
      found = c;
      break;
    }
    if (part->num_calls >= KEPT && (!found || c->last_use < found->last_use))
      found = c;
  }
  if (!found && (found = make_call(part))) {
    found->next = part->calls;
    part->calls = found;
    ++part->num_calls;
  }
  if (found) {
    found->is_busy = true;
    found->last_use = ++part->uses;
  }
  pthread_mutex_unlock(&part->lock);
  return found;
}

static void give_back(xc_part *part, call *c) {
  pthread_mutex_lock(&part->lock);
  c->is_busy = false;
  pthread_mutex_unlock(&part->lock);
}

static bool compute(const xc_part *part, call *c, const xc_vart_memory *inputs,
                    size_t count) {
  c->is_done = false;
  const void **arguments = calloc(count + 1, sizeof(*arguments));
  if (!arguments || !keep_inputs(c, inputs, count)) {
    free(arguments);
    return false;
  }
  for (size_t i = 0; i < count; ++i)
    arguments[i] = (void *)(uintptr_t)inputs[i].address;
  int32_t status =
      part->code.entry(arguments, c->results, c->arena, part->code.params);
  free(arguments);
  if (status)
    fprintf(stderr, "xc-cpu: %s\n",
            status == 1 ? "an integer is divided by zero"
                        : "an index is outside of its dimension");
  c->is_done = status == 0;
  return c->is_done;
}

bool xc_part_run(xc_part *part, size_t result, const xc_vart_memory *inputs,
                 size_t num_inputs, xc_vart_memory output) {
  if (result >= part->num_results || output.size < part->sizes[result]) {
    fprintf(stderr, "xc-cpu: a result of %zu bytes has a buffer of %zu\n",
            result < part->num_results ? part->sizes[result] : 0, output.size);
    return false;
  }
  call *c = take_call(part, inputs, num_inputs);
  bool ok = c && (has_inputs(c, inputs, num_inputs) ||
                  compute(part, c, inputs, num_inputs));
  if (ok)
    memcpy((void *)(uintptr_t)output.address, c->results[result],
           part->sizes[result]);
  if (c)
    give_back(part, c);
  return ok;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

typedef struct result_list {
  const xc_vart *vart;
  size_t *sizes, count;
  bool is_complete;
} result_list;

// The runtime's order of operators is none.
static void add_result(void *data, void *op) {
  result_list *list = data;
  uint64_t index, size;
  void *attrs = list->vart->xir_op_get_attrs(op);
  if (!xc_vart_int(list->vart, attrs, "xc_result", &index) ||
      !xc_vart_int(list->vart, attrs, "xc_bytes", &size) || index > 65535) {
    list->is_complete = false;
    return;
  }
  if (index >= list->count) {
    size_t *sizes = realloc(list->sizes, (index + 1) * sizeof(*sizes));
    if (!sizes) {
      list->is_complete = false;
      return;
    }
    for (size_t i = list->count; i <= index; ++i)
      sizes[i] = SIZE_MAX;
    list->sizes = sizes;
    list->count = (size_t)index + 1;
  }
  list->sizes[index] = (size_t)size;
}

static bool find_results(const xc_vart *vart, xc_part *part) {
  result_list list = {.vart = vart, .is_complete = true};
  vart->xir_subgraph_get_ops(part->subgraph, &list, add_result);
  part->sizes = list.sizes;
  part->num_results = list.count;
  for (size_t i = 0; i < list.count; ++i)
    list.is_complete = list.is_complete && list.sizes[i] != SIZE_MAX;
  if (!list.is_complete)
    fprintf(stderr, "xc-cpu: results of a part are not described\n");
  return list.is_complete;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

static pthread_mutex_t parts_lock = PTHREAD_MUTEX_INITIALIZER;
static xc_part *parts;

static void destroy(xc_part *part) {
  while (part->calls) {
    call *c = part->calls;
    part->calls = c->next;
    free_call(part, c);
  }
  xc_code_free(&part->code);
  free(part->sizes);
  pthread_mutex_destroy(&part->lock);
  free(part);
}

static xc_part *make(const xc_vart *vart, void *subgraph) {
  xc_part *part = calloc(1, sizeof(*part));
  if (!part)
    return NULL;
  part->subgraph = subgraph;
  pthread_mutex_init(&part->lock, NULL);
  if (find_results(vart, part) && xc_code_load(vart, subgraph, &part->code))
    return part;
  destroy(part);
  return NULL;
}

xc_part *xc_part_acquire(const xc_vart *vart, void *op) {
  void *subgraph =
      vart->xir_graph_get_leaf_subgraph(vart->xir_op_get_graph(op), op);
  if (!subgraph)
    return NULL;
  pthread_mutex_lock(&parts_lock);
  xc_part *part = parts;
  while (part && part->subgraph != subgraph)
    part = part->next;
  if (!part && (part = make(vart, subgraph))) {
    part->next = parts;
    parts = part;
  }
  if (part)
    ++part->users;
  pthread_mutex_unlock(&parts_lock);
  return part;
}

void xc_part_release(xc_part *part) {
  if (!part)
    return;
  pthread_mutex_lock(&parts_lock);
  if (--part->users == 0) {
    xc_part **link = &parts;
    while (*link != part)
      link = &(*link)->next;
    *link = part->next;
    destroy(part);
  }
  pthread_mutex_unlock(&parts_lock);
}
