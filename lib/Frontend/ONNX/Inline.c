//===- Inline.c - the nodes of functions in place of their calls ----------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function (FunctionProto) has formal inputs and outputs and its own names.
// For each call its nodes are copied; in the copy
//
//   a formal input     is what the call gives it, or absent
//   a formal output    is the call's output; a formal input, or an output
//                      before it, that is an output too goes through Identity
//   every other value  is CALL/VALUE, with a number where that name is taken
//   a node             is CALL/NODE
//   a reference to an  is the call's attribute or the function's default, or
//   attribute          is left out where there is neither
//   an operator        has the version of the function's operator set
//
// Calls within functions, and within the graphs of If, are replaced too. The
// copies share all that does not change with the file; what they take is
// bounded, for calls within calls grow exponentially.
//
//===----------------------------------------------------------------------===//

#include "Functions.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  MAX_NESTING = 64,
  BUDGET_BASE = 1 << 26, // bytes for copies: a base and a multiple of the file
  BUDGET_FACTOR = 64,
};

/// The meaning of a name before a graph within the function defined it.
typedef struct shadow {
  const char *key, *name;
  struct shadow *next;
} shadow;

/// The call whose function is being copied.
typedef struct frame {
  const Onnx__FunctionProto *function;
  const Onnx__NodeProto *call;
  const char *prefix; // of the names in it
  const int64_t *opset;
  const struct frame *caller;
  unsigned nesting;
  /// From interned names to what they are in the copy.
  xc_pointer_map names;
  /// From formal outputs, and not yet computed, to the call's outputs.
  xc_pointer_map results;
  unsigned depth; // of graphs within the function
  shadow *shadows;
} frame;

typedef struct node_list {
  Onnx__NodeProto **items;
  size_t count, capacity;
} node_list;

typedef struct inliner {
  xc_onnx_importer *im;
  xc_onnx_functions functions;
  size_t budget;
  unsigned number; // in names that were taken
} inliner;

// `f` is null in the model's graph, where names stay what they are.

static bool expand_nodes(inliner *in, frame *f, Onnx__NodeProto *const *nodes,
                         size_t count, node_list *list);

//===----------------------------------------------------------------------===//
// Memory and messages
//===----------------------------------------------------------------------===//

// Notes the node of an error to come.
static void enter(inliner *in, const frame *f, const Onnx__NodeProto *node) {
  xc_graph_enter(&in->im->graph, xc_onnx_node_name(node), "node '%s%s%s' (%s)",
                 f ? f->prefix : "", f ? "/" : "", xc_onnx_node_name(node),
                 node->op_type);
}

static bool take(inliner *in, size_t count, size_t size) {
  if (count > in->budget / size)
    return xc_onnx_error(
        in->im,
        "functions that call functions make the model too large: "
        "their copies take more than %d MiB and %d times the "
        "file",
        BUDGET_BASE >> 20, BUDGET_FACTOR);
  in->budget -= count * size;
  return true;
}

// Returns null after an error.
static void *copy(inliner *in, const void *items, size_t count, size_t size) {
  if (!take(in, count + 1, size))
    return NULL;
  void *result = xc_arena_alloc(&in->im->graph.arena, count + 1, size);
  if (count)
    memcpy(result, items, count * size);
  return result;
}

// PREFIX/NAME, with a number if there is one.
static const char *join(inliner *in, const char *prefix, const char *name,
                        unsigned number) {
  size_t length = strlen(prefix) + strlen(name) + sizeof("/_4294967295");
  if (!take(in, length, 1))
    return NULL;
  char *text = xc_arena_alloc(&in->im->graph.arena, length, 1);
  int end = snprintf(text, length, "%s/%s", prefix, name);
  if (number)
    snprintf(text + end, length - (size_t)end, "_%u", number);
  return text;
}

// Returns the number of bytes that each copy of a node may make of what all
// share.
static size_t tensor_bytes(const Onnx__TensorProto *tensor) {
  return tensor->raw_data.len +
         tensor->n_float_data * sizeof(*tensor->float_data) +
         tensor->n_double_data * sizeof(*tensor->double_data) +
         tensor->n_int32_data * sizeof(*tensor->int32_data) +
         tensor->n_int64_data * sizeof(*tensor->int64_data) +
         tensor->n_uint64_data * sizeof(*tensor->uint64_data);
}

static bool take_content(inliner *in, const Onnx__AttributeProto *attribute) {
  return take(in, attribute->n_floats, sizeof(*attribute->floats)) &&
         take(in, attribute->n_ints, sizeof(*attribute->ints)) &&
         (!attribute->t || take(in, tensor_bytes(attribute->t), 1));
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static void take_name(inliner *in, const char *name) {
  xc_graph_mark(&in->im->graph, name)->is_taken = true;
}

static void take_infos(inliner *in, Onnx__ValueInfoProto *const *infos,
                       size_t count) {
  for (size_t i = 0; i < count; ++i)
    take_name(in, infos[i]->name);
}

static void take_names(inliner *in, const Onnx__GraphProto *graph) {
  take_infos(in, graph->input, graph->n_input);
  for (size_t i = 0; i < graph->n_initializer; ++i)
    take_name(in, graph->initializer[i]->name);
  for (size_t i = 0; i < graph->n_node; ++i) {
    const Onnx__NodeProto *node = graph->node[i];
    for (size_t k = 0; k < node->n_output; ++k)
      take_name(in, node->output[k]);
    for (size_t k = 0; k < node->n_attribute; ++k)
      if (node->attribute[k]->g)
        take_names(in, node->attribute[k]->g);
  }
}

// Returns a name for a value of the function that no other has; null after an
// error.
static const char *fresh_name(inliner *in, const frame *f, const char *name) {
  const char *fresh = join(in, f->prefix, name, 0);
  while (fresh && xc_graph_marks_of(&in->im->graph, fresh).is_taken)
    fresh = join(in, f->prefix, name, ++in->number);
  if (fresh)
    take_name(in, fresh);
  return fresh;
}

// Sets what a name of the function is. Graphs within it may hide a name.
static void bind(inliner *in, frame *f, const char *key, const char *name) {
  if (f->depth) {
    shadow *hidden = xc_arena_alloc(&in->im->graph.arena, 1, sizeof(*hidden));
    *hidden = (shadow){key, xc_pointer_map_get(&f->names, key), f->shadows};
    f->shadows = hidden;
  }
  xc_pointer_map_set(&f->names, key, (void *)name);
}

static void restore(frame *f, const shadow *until) {
  for (; f->shadows != until; f->shadows = f->shadows->next)
    xc_pointer_map_set(&f->names, f->shadows->key, (void *)f->shadows->name);
}

static bool define(inliner *in, frame *f, char **name) {
  if (!f || !**name)
    return true;
  const char *key = xc_graph_intern(&in->im->graph, *name);
  const char *result = f->depth ? NULL : xc_pointer_map_get(&f->results, key);
  if (!f->depth && xc_pointer_map_get(&f->names, key))
    return xc_onnx_error(in->im, "value '%s' is defined twice in function %s",
                         *name, xc_onnx_function_name(in->im, f->function));
  const char *fresh = result ? result : fresh_name(in, f, *name);
  if (!fresh || !take(in, 1, sizeof(shadow)))
    return false;
  bind(in, f, key, fresh);
  *name = (char *)fresh;
  return true;
}

static bool look_up(inliner *in, const frame *f, char **name) {
  if (!f || !**name)
    return true;
  const char *known =
      xc_pointer_map_get(&f->names, xc_graph_intern(&in->im->graph, *name));
  if (!known)
    return xc_onnx_error(in->im,
                         "value '%s' is defined nowhere in "
                         "function %s",
                         *name, xc_onnx_function_name(in->im, f->function));
  *name = (char *)known;
  return true;
}

//===----------------------------------------------------------------------===//
// Graphs within functions
//===----------------------------------------------------------------------===//

typedef bool (*name_function)(inliner *in, frame *f, char **name);

static bool look_up_name(inliner *in, frame *f, char **name) {
  return look_up(in, f, name);
}

static bool rename_infos(inliner *in, frame *f, Onnx__ValueInfoProto ***infos,
                         size_t count, name_function function) {
  if (!f)
    return true;
  *infos = copy(in, *infos, count, sizeof(**infos));
  for (size_t i = 0; *infos && i < count; ++i) {
    Onnx__ValueInfoProto *info = copy(in, (*infos)[i], 1, sizeof(*info));
    if (!info || !function(in, f, &info->name))
      return false;
    (*infos)[i] = info;
  }
  return *infos != NULL;
}

static bool rename_initializers(inliner *in, frame *f,
                                Onnx__GraphProto *graph) {
  size_t count = graph->n_initializer;
  if (!f)
    return true;
  graph->initializer =
      copy(in, graph->initializer, count, sizeof(*graph->initializer));
  for (size_t i = 0; graph->initializer && i < count; ++i) {
    Onnx__TensorProto *tensor =
        copy(in, graph->initializer[i], 1, sizeof(*tensor));
    if (!tensor || !take(in, tensor_bytes(tensor), 1) ||
        !define(in, f, &tensor->name))
      return false;
    graph->initializer[i] = tensor;
  }
  return graph->initializer != NULL;
}

// The nodes of a graph or function in one array.
static bool set_nodes(inliner *in, node_list *list, Onnx__GraphProto *graph) {
  graph->node = copy(in, list->items, list->count, sizeof(*list->items));
  graph->n_node = list->count;
  return graph->node != NULL;
}

// Replaces a graph by its copy.
static bool expand_graph(inliner *in, frame *f, Onnx__GraphProto **at) {
  Onnx__GraphProto *graph = copy(in, *at, 1, sizeof(*graph));
  if (!graph)
    return false;
  const shadow *outside = f ? f->shadows : NULL;
  node_list list = {0};
  if (f) {
    ++f->depth;
    graph->n_value_info = 0; // of names that are no more
  }
  bool ok =
      rename_infos(in, f, &graph->input, graph->n_input, define) &&
      rename_initializers(in, f, graph) &&
      expand_nodes(in, f, graph->node, graph->n_node, &list) &&
      rename_infos(in, f, &graph->output, graph->n_output, look_up_name) &&
      set_nodes(in, &list, graph);
  free(list.items);
  if (f) {
    restore(f, outside);
    --f->depth;
  }
  *at = graph;
  return ok;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static const char *type_name(int32_t type) {
  static const char *const names[] = {"?",       "float",   "int",    "string",
                                      "tensor",  "graph",   "floats", "ints",
                                      "strings", "tensors", "graphs"};
  size_t count = sizeof(names) / sizeof(*names);
  return names[type > 0 && (size_t)type < count ? type : 0];
}

// Type 0 is what files of IR version 1 have.
static bool is_of_type(inliner *in, const Onnx__AttributeProto *wanted,
                       const Onnx__AttributeProto *given) {
  return !wanted->type || !given->type || wanted->type == given->type ||
         xc_onnx_error(
             in->im,
             "attribute '%s' refers to '%s' of the function, which is "
             "of type %s, expected %s",
             wanted->name, wanted->ref_attr_name, type_name(given->type),
             type_name(wanted->type));
}

// The attribute with what it refers to. Null in `resolved`: it is absent.
static bool resolve(inliner *in, const frame *f,
                    const Onnx__AttributeProto *attribute,
                    Onnx__AttributeProto **resolved) {
  const char *name = attribute->ref_attr_name;
  *resolved = NULL;
  if (!f)
    return xc_onnx_error(
        in->im,
        "attribute '%s' refers to attribute '%s' of a function, "
        "but the node is in none",
        attribute->name, name);
  const Onnx__AttributeProto *given =
      xc_onnx_function_attribute(f->function, f->call, name);
  if (!given)
    return true;
  if (!is_of_type(in, attribute, given) || !take_content(in, given) ||
      !(*resolved = copy(in, given, 1, sizeof(**resolved))))
    return false;
  (*resolved)->name = attribute->name;
  return true;
}

static bool expand_attribute(inliner *in, frame *f,
                             const Onnx__AttributeProto *attribute,
                             Onnx__AttributeProto **result) {
  if (*attribute->ref_attr_name)
    return resolve(in, f, attribute, result);
  *result = (Onnx__AttributeProto *)attribute;
  if (f && !take_content(in, attribute))
    return false;
  if (!attribute->g)
    return true;
  *result = copy(in, attribute, 1, sizeof(**result));
  return *result && expand_graph(in, f, &(*result)->g);
}

static bool expand_attributes(inliner *in, frame *f, Onnx__NodeProto *node) {
  Onnx__AttributeProto *const *old = node->attribute;
  size_t count = node->n_attribute;
  node->attribute = copy(in, old, count, sizeof(*node->attribute));
  node->n_attribute = 0;
  for (size_t i = 0; node->attribute && i < count; ++i) {
    Onnx__AttributeProto *attribute;
    if (!expand_attribute(in, f, old[i], &attribute))
      return false;
    if (attribute)
      node->attribute[node->n_attribute++] = attribute;
  }
  return node->attribute != NULL;
}

//===----------------------------------------------------------------------===//
// Nodes and calls
//===----------------------------------------------------------------------===//

static bool rename_values(inliner *in, frame *f, char ***names, size_t count,
                          name_function function) {
  *names = copy(in, *names, count, sizeof(**names));
  for (size_t i = 0; *names && i < count; ++i)
    if (!function(in, f, &(*names)[i]))
      return false;
  return *names != NULL;
}

// Absent inputs at the end are none, for operators that count them.
static void trim_inputs(Onnx__NodeProto *node) {
  while (node->n_input && !*node->input[node->n_input - 1])
    --node->n_input;
}

static bool set_opset(inliner *in, const frame *f,
                      const Onnx__NodeProto *node) {
  if (xc_onnx_is_default_domain(node->domain) && !f->opset)
    return xc_onnx_error(
        in->im,
        "function %s has operators of ONNX, but imports no set "
        "of them",
        xc_onnx_function_name(in->im, f->function));
  if (f->opset)
    xc_pointer_map_set(&in->im->opsets, node, (void *)f->opset);
  return true;
}

// Returns a node of a function as it is for this call.
static Onnx__NodeProto *copy_node(inliner *in, frame *f,
                                  const Onnx__NodeProto *original) {
  Onnx__NodeProto *node = copy(in, original, 1, sizeof(*node));
  if (!node ||
      !rename_values(in, f, &node->input, node->n_input, look_up_name) ||
      !expand_attributes(in, f, node) ||
      !rename_values(in, f, &node->output, node->n_output, define))
    return NULL;
  trim_inputs(node);
  if (*node->name &&
      !(node->name = (char *)join(in, f->prefix, original->name, 0)))
    return NULL;
  return node;
}

// Returns a node of the model's graph: itself unless an attribute changes.
static Onnx__NodeProto *expand_node(inliner *in, Onnx__NodeProto *original) {
  bool changes = false;
  for (size_t i = 0; i < original->n_attribute; ++i)
    changes |= original->attribute[i]->g != NULL ||
               *original->attribute[i]->ref_attr_name;
  if (!changes)
    return original;
  Onnx__NodeProto *node = copy(in, original, 1, sizeof(*node));
  return node && expand_attributes(in, NULL, node) ? node : NULL;
}

static void append(node_list *list, Onnx__NodeProto *node) {
  xc_grow((void **)&list->items, &list->capacity, list->count + 1,
          sizeof(*list->items));
  list->items[list->count++] = node;
}

static bool add_identity(inliner *in, const char *from, const char *to,
                         node_list *list) {
  static const Onnx__NodeProto initial = ONNX__NODE_PROTO__INIT;
  Onnx__NodeProto *node = copy(in, &initial, 1, sizeof(*node));
  char **names = copy(in, (const char *[]){from, to}, 2, sizeof(*names));
  if (!node || !names)
    return false;
  node->op_type = (char *)"Identity";
  node->input = names;
  node->output = names + 1;
  node->n_input = node->n_output = 1;
  append(list, node);
  return true;
}

static bool check_call(inliner *in, const frame *f) {
  const Onnx__FunctionProto *function = f->function;
  const Onnx__NodeProto *call = f->call;
  const char *name = xc_onnx_function_name(in->im, function);
  for (const frame *caller = f->caller; caller; caller = caller->caller)
    if (caller->function == function)
      return xc_onnx_error(in->im, "function %s calls itself", name);
  if (f->nesting > MAX_NESTING)
    return xc_onnx_error(
        in->im, "function %s is called at depth %u, expected at most %d", name,
        f->nesting, MAX_NESTING);
  if (call->n_input > function->n_input || call->n_output > function->n_output)
    return xc_onnx_error(
        in->im,
        "has %zu inputs and %zu outputs, but function %s has %zu "
        "and %zu",
        call->n_input, call->n_output, name, function->n_input,
        function->n_output);
  return true;
}

// Formal inputs and outputs are those of the call.
static bool bind_call(inliner *in, frame *f) {
  const Onnx__FunctionProto *function = f->function;
  const Onnx__NodeProto *call = f->call;
  if (!take(in, function->n_input + function->n_output + 1, sizeof(frame)))
    return false;
  for (size_t i = 0; i < function->n_input; ++i) {
    const char *key = xc_graph_intern(&in->im->graph, function->input[i]);
    if (xc_pointer_map_has(&f->names, key))
      return xc_onnx_error(in->im, "function %s has input '%s' twice",
                           xc_onnx_function_name(in->im, function), key);
    bind(in, f, key, i < call->n_input ? call->input[i] : "");
  }
  for (size_t i = 0; i < call->n_output; ++i) {
    const char *key = xc_graph_intern(&in->im->graph, function->output[i]);
    if (*call->output[i] && !xc_pointer_map_has(&f->results, key))
      xc_pointer_map_set(&f->results, key, call->output[i]);
  }
  return true;
}

static bool finish_call(inliner *in, const frame *f, node_list *list) {
  const Onnx__NodeProto *call = f->call;
  for (size_t i = 0; i < call->n_output; ++i) {
    const char *name = f->function->output[i];
    const char *actual =
        xc_pointer_map_get(&f->names, xc_graph_intern(&in->im->graph, name));
    if (!*call->output[i] || actual == call->output[i])
      continue;
    if (!actual || !*actual)
      return xc_onnx_error(in->im,
                           "output '%s' of function %s is computed by no node",
                           name, xc_onnx_function_name(in->im, f->function));
    if (!add_identity(in, actual, call->output[i], list))
      return false;
  }
  return true;
}

static bool expand_call(inliner *in, const frame *caller,
                        const Onnx__NodeProto *call,
                        const Onnx__FunctionProto *function, node_list *list) {
  frame f = {.function = function,
             .call = call,
             .prefix = xc_onnx_node_name(call),
             .opset = xc_onnx_opset_of(function->opset_import,
                                       function->n_opset_import),
             .caller = caller,
             .nesting = caller ? caller->nesting + 1 : 1};
  enter(in, NULL, call);
  bool ok = check_call(in, &f) && bind_call(in, &f) &&
            expand_nodes(in, &f, function->node, function->n_node, list);
  if (ok) {
    enter(in, NULL, call);
    ok = finish_call(in, &f, list);
  }
  xc_pointer_map_free(&f.names);
  xc_pointer_map_free(&f.results);
  return ok;
}

static bool expand_nodes(inliner *in, frame *f, Onnx__NodeProto *const *nodes,
                         size_t count, node_list *list) {
  for (size_t i = 0; i < count; ++i) {
    enter(in, f, nodes[i]);
    Onnx__NodeProto *node =
        f ? copy_node(in, f, nodes[i]) : expand_node(in, nodes[i]);
    if (!node)
      return false;
    const Onnx__FunctionProto *function =
        xc_onnx_called_function(&in->functions, node);
    if (function) {
      if (!expand_call(in, f, node, function, list))
        return false;
      continue;
    }
    if (f && !set_opset(in, f, node))
      return false;
    append(list, node);
  }
  return true;
}

bool xc_onnx_inline_functions(xc_onnx_importer *im) {
  inliner in = {.im = im, .budget = BUDGET_BASE};
  Onnx__GraphProto *body = im->model->graph;
  in.budget += BUDGET_FACTOR * im->file_size;
  if (!xc_onnx_collect_functions(im, &in.functions))
    return false;
  if (in.functions.count)
    take_names(&in, body);
  bool ok = expand_graph(&in, NULL, &body);
  im->body = body;
  xc_graph_leave(&im->graph);
  return ok;
}
