//===- Import.c - from a frozen graph to a module -------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include "Qdq/Fold.h"
#include "Support/ProtoScan.h"
#include "xc-c/Import.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/// Errors after which the rest is not looked at any more.
enum { MOST_ERRORS = 100 };

//===----------------------------------------------------------------------===//
// Files that are no frozen graphs
//===----------------------------------------------------------------------===//

static bool starts_with(const uint8_t *data, size_t size, const char *text) {
  size_t length = strlen(text);
  return size >= length && memcmp(data, text, length) == 0;
}

// Checks the first bytes of a file. Returns false after an error.
static bool check_file(xc_tf_importer *im, const uint8_t *data, size_t size) {
  size_t first = 0;
  while (first < size && (data[first] == ' ' || data[first] == '\n' ||
                          data[first] == '\t' || data[first] == '#'))
    ++first;
  if (starts_with(data, size, "\x08\x01\x12"))
    return xc_tf_error(im, "this is a SavedModel: freeze it first, so that its "
                           "variables are constants of one GraphDef");
  if (starts_with(data + first, size - first, "model_checkpoint_path"))
    return xc_tf_error(im, "this is the list of checkpoints of a training run: "
                           "freeze the graph with one of them");
  if (starts_with(data + first, size - first, "node {") ||
      starts_with(data + first, size - first, "versions {"))
    return xc_tf_error(im, "this is a graph as text: write it in binary form");
  if (size == 0)
    return xc_tf_error(im, "the file is empty");
  return true;
}

static bool has_attribute(const xc_tf_node *node, const char *name) {
  for (size_t i = 0; node->def && i < node->def->n_attr; ++i)
    if (node->def->attr[i]->key && strcmp(node->def->attr[i]->key, name) == 0)
      return true;
  return false;
}

/// A reason to refuse a whole graph.
typedef struct refusal {
  xc_tf_handler handler;
  const char *what, *advice;
} refusal;

static bool refuse(xc_tf_importer *im, const refusal *r, size_t count,
                   const char *first) {
  const char *ends =
      r->handler == xc_tf_variable ? NULL : xc_tf_ends_before(im, r->handler);
  return xc_tf_error(im, "the graph has %zu %s, '%s' first: %s%s%s%s", count,
                     r->what, first, r->advice, ends ? "; --outputs=" : "",
                     ends ? ends : "",
                     ends ? " ends the model before them" : "");
}

// One error for all nodes of a kind that cannot be in a frozen graph.
static bool check_refusals(xc_tf_importer *im) {
  static const refusal refusals[] = {
      {xc_tf_variable, "variables",
       "freeze it, so that they become constants (with the checkpoint that "
       "holds them)"},
      {xc_tf_loop, "nodes of loops",
       "cut them off with --inputs and --outputs, or export a graph without"},
      {xc_tf_control, "branches and loops with functions of their own",
       "cut them off with --inputs and --outputs, or export a graph without"}};
  for (size_t r = 0; r < sizeof(refusals) / sizeof(*refusals); ++r) {
    size_t count = 0;
    const char *first = NULL;
    for (size_t i = 0; i < im->num_nodes; ++i) {
      const xc_tf_node *node = im->order[i];
      if (im->cut[i].is_skipped || !node->row ||
          node->row->handler != refusals[r].handler)
        continue;
      first = first ? first : node->name;
      ++count;
    }
    if (count)
      return refuse(im, &refusals[r], count, first);
  }
  return true;
}

static bool check_graph(xc_tf_importer *im) {
  for (size_t i = 0; i < im->num_nodes; ++i) {
    const xc_tf_node *node = &im->nodes[i];
    const char *op = node->def && node->def->op ? node->def->op : "Identity";
    if (*op == '\0' || *node->name == '\0')
      return xc_tf_error(im,
                         "node %zu has no name or operator: expected "
                         "a GraphDef, not a MetaGraph or a checkpoint",
                         i);
    if (has_attribute(node, "opos"))
      return xc_tf_error(im,
                         "this is the deploy_model.pb for an older DPU: take "
                         "the quantize_eval_model.pb that was written beside "
                         "it");
    if (strncmp(op, "Apply", 5) == 0 || strncmp(op, "ResourceApply", 13) == 0)
      return xc_tf_error(im,
                         "the graph trains ('%s' is of type %s): export it "
                         "for inference",
                         node->name, op);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Results and the nodes that are imported
//===----------------------------------------------------------------------===//

static bool is_summary(const xc_tf_node *node) {
  const char *op = node->def && node->def->op ? node->def->op : "";
  return strstr(op, "Summary") != NULL || strcmp(op, "Print") == 0;
}

// Nodes that are no result, though nothing reads them.
static bool is_no_result(const xc_tf_node *node) {
  static const char *const ops[] = {"NoOp",
                                    "Assert",
                                    "Const",
                                    "Placeholder",
                                    "SaveV2",
                                    "RestoreV2",
                                    "MergeV2Checkpoints",
                                    "ShardedFilename",
                                    "Enter"};
  const char *op = node->def && node->def->op ? node->def->op : "";
  for (size_t i = 0; i < sizeof(ops) / sizeof(*ops); ++i)
    if (strcmp(op, ops[i]) == 0)
      return true;
  return is_summary(node);
}

static bool is_placeholder(const xc_tf_node *node) {
  return node->row && node->row->handler == xc_tf_placeholder;
}

// Finds the values that are unused but to show them, in the order of the file.
// What feeds an Assert is no result.
static size_t find_results(xc_tf_importer *im, const char **names) {
  size_t count = 0;
  bool *read =
      xc_arena_alloc(&im->graph.arena, im->num_nodes + 1, sizeof(*read));
  for (size_t i = 0; i < im->num_nodes; ++i)
    for (size_t k = 0; k < im->nodes[i].num_inputs; ++k) {
      const xc_tf_node *node = xc_tf_node_of(im, im->nodes[i].inputs[k]);
      if (node && !is_summary(&im->nodes[i]))
        read[node - im->nodes] = true;
    }
  for (size_t i = 0; i < im->def->n_node; ++i) {
    const char *name = im->def->node[i]->name;
    const xc_tf_node *node = name ? xc_tf_node_of(im, name) : NULL;
    if (node && !read[node - im->nodes] && !is_no_result(node))
      names[count++] = node->name;
  }
  return count;
}

static bool cut_graph(xc_tf_importer *im) {
  xc_arena *arena = &im->graph.arena;
  const char **inputs =
      xc_arena_alloc(arena, im->num_nodes + 1, sizeof(*inputs));
  const char **outputs =
      xc_arena_alloc(arena, im->def->n_node + 1, sizeof(*outputs));
  xc_graph_node ends = {.inputs = inputs, .outputs = outputs};
  im->cut = xc_arena_alloc(arena, im->num_nodes + 1, sizeof(*im->cut));
  for (size_t i = 0; i < im->num_nodes; ++i) {
    const xc_tf_node *node = im->order[i];
    im->cut[i] = (xc_graph_node){.name = node->name,
                                 .inputs = node->inputs,
                                 .num_inputs = node->num_inputs};
    if (is_placeholder(node)) {
      inputs[ends.num_inputs++] = node->name;
      continue;
    }
    im->cut[i].outputs = node->outputs;
    im->cut[i].num_outputs = node->num_outputs;
  }
  ends.num_outputs = find_results(im, outputs);
  if (ends.num_outputs == 0 && im->graph.options.numOutputs == 0)
    return xc_tf_error(im,
                       "every node is read by another: name the outputs with "
                       "--outputs");
  if (!xc_graph_cut(&im->graph, im->cut, im->num_nodes, &ends))
    return false;
  for (size_t i = 0; im->graph.is_cut && i < im->num_nodes; ++i)
    if (is_placeholder(im->order[i]))
      im->cut[i].is_skipped =
          !xc_graph_is_needed(&im->graph, im->order[i]->name);
  if (im->graph.is_cut)
    return true;
  // Only what leads to a result is imported in any case.
  for (size_t i = 0; i < ends.num_outputs; ++i)
    xc_graph_mark(&im->graph, outputs[i])->is_needed = true;
  for (size_t i = im->num_nodes; i-- > 0;) {
    const xc_tf_node *node = im->order[i];
    bool needed = false;
    for (size_t k = 0; k < node->num_outputs; ++k)
      needed =
          needed || xc_graph_marks_of(&im->graph, node->outputs[k]).is_needed;
    im->cut[i].is_skipped = !needed;
    for (size_t k = 0; needed && k < node->num_inputs; ++k)
      xc_graph_mark(&im->graph, node->inputs[k])->is_needed = true;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

// The shape that a Placeholder declares. An open batch is 1.
static bool declared_shape(xc_tf_importer *im,
                           const Tensorflow__TensorShapeProto *proto,
                           xc_shape *shape) {
  shape->rank = proto ? proto->n_dim : 0;
  if (shape->rank > XC_MAX_RANK)
    return xc_tf_error(im, "it has %zu dimensions, expected at most %d",
                       shape->rank, XC_MAX_RANK);
  for (size_t i = 0; i < shape->rank; ++i) {
    shape->dims[i] = proto->dim[i]->size;
    if (shape->dims[i] == -1 && i == 0)
      shape->dims[i] = 1;
    if (shape->dims[i] < 1)
      return xc_tf_error(im,
                         "dimension %zu of '%s' is open: give the shape as "
                         "--input-shape=%s=1x224x224x3",
                         i, im->graph.node, im->graph.node);
  }
  return true;
}

static xc_graph_value *add_argument(xc_tf_importer *im, const char *name,
                                    const xc_shape *wanted) {
  xc_shape shape;
  if (!xc_graph_check_dims(&im->graph, name, wanted->dims, wanted->rank,
                           wanted->element, &shape))
    return NULL;
  xc_graph_value *value = xc_graph_new_value(&im->graph, name, &shape);
  xc_graph_order order = xc_graph_identity(shape.rank);
  xc_graph_add_form(&im->graph, value,
                    xc_graph_argument(&im->graph, name, &shape), &order);
  return value;
}

bool xc_tf_placeholder(xc_tf_importer *im) {
  const Tensorflow__AttrValue *attribute = xc_tf_attribute(im, "shape");
  const Tensorflow__TensorShapeProto *proto =
      attribute ? attribute->shape : NULL;
  xc_shape shape = {.element = xc_tf_type(im, "dtype", XC_ELEMENT_F32)};
  bool given;
  static const uint8_t no = 0;
  if (shape.element == XC_ELEMENT_NONE)
    return xc_tf_error(im,
                       "its elements are of a type that xc does not support");
  if (!xc_graph_input_shape(&im->graph, im->node->name, &shape, &given))
    return false;
  if (shape.element == XC_ELEMENT_I1 && !given) {
    // Whether the graph is training.
    shape.rank = 0;
    xc_graph_report(&im->graph, XcSeverityNote,
                    "is taken as false: the graph does not train");
    return xc_tf_result(
        im, 0,
        xc_graph_constant(&im->graph, im->node->name, &shape, &no, false));
  }
  if (!given && (!proto || proto->unknown_rank))
    return xc_tf_error(im,
                       "its shape is not in the graph: give it as "
                       "--input-shape=%s=1x224x224x3",
                       im->node->name);
  return (given || declared_shape(im, proto, &shape)) &&
         xc_tf_result(im, 0, add_argument(im, im->node->name, &shape));
}

// The elements of a value that --inputs names are taken as floats.
static bool add_cut_inputs(xc_tf_importer *im) {
  for (size_t i = 0; i < im->graph.num_cut_inputs; ++i) {
    const char *name = im->graph.cut_inputs[i];
    xc_shape shape = {.element = XC_ELEMENT_F32};
    bool given;
    if (!xc_graph_input_shape(&im->graph, name, &shape, &given))
      return false;
    if (!given)
      return xc_tf_error(im,
                         "the shape of '%s' is not in the graph: give it as "
                         "--input-shape=%s=1x224x224x3",
                         name, name);
    if (!xc_graph_define(&im->graph, name, add_argument(im, name, &shape)))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

// A node without a value among its inputs has none either, but a Merge takes
// what there is.
static bool reads(const xc_tf_importer *im, const xc_graph_value *marker) {
  for (size_t i = 0; i < im->node->num_inputs; ++i)
    if (xc_graph_find(&im->graph, im->node->inputs[i]) == marker)
      return true;
  return false;
}

static void define_rest(xc_tf_importer *im, xc_graph_value *marker) {
  for (size_t k = 0; k < im->node->num_outputs; ++k)
    if (!xc_graph_find(&im->graph, im->node->outputs[k]))
      xc_graph_define(&im->graph, im->node->outputs[k], marker);
}

// An operator that xc does not have. They are reported together.
static bool add_missing(xc_tf_importer *im, const char *op) {
  im->missing[im->num_missing++] = op;
  return false;
}

static bool import_node(xc_tf_importer *im) {
  const xc_tf_node *node = im->node;
  const char *op = node->def && node->def->op ? node->def->op : "Identity";
  xc_graph_enter(&im->graph, node->name, "node '%s' (%s)", node->name, op);
  if (reads(im, im->failed))
    return node->row ? false : add_missing(im, op);
  if (reads(im, im->dead) &&
      !(node->row && node->row->handler == xc_tf_merge)) {
    define_rest(im, im->dead);
    return true;
  }
  if (!node->row)
    return add_missing(im, op);
  return node->row->handler(im) && !xc_graph_failed(&im->graph);
}

static bool import_nodes(xc_tf_importer *im) {
  unsigned before = im->graph.diag->numErrors;
  const xc_shape scalar = {.element = XC_ELEMENT_F32};
  im->failed = xc_graph_new_value(&im->graph, "", &scalar);
  im->dead = xc_graph_new_value(&im->graph, "", &scalar);
  im->missing =
      xc_arena_alloc(&im->graph.arena, im->num_nodes + 1, sizeof(*im->missing));
  im->graph.goes_on = true;
  for (size_t i = 0; i < im->num_nodes; ++i) {
    im->node = im->order[i];
    if (im->cut[i].is_skipped)
      continue;
    if (!import_node(im))
      define_rest(im, im->failed);
    if (im->graph.diag->numErrors - before >= MOST_ERRORS)
      break;
  }
  im->node = NULL;
  if (im->num_missing || im->num_open || im->graph.diag->numErrors != before)
    xc_tf_report_missing(im);
  xc_graph_leave(&im->graph);
  return !xc_graph_failed(&im->graph);
}

static bool add_outputs(xc_tf_importer *im) {
  size_t count = im->graph.num_outputs;
  MlirValue *results =
      xc_arena_alloc(&im->graph.arena, count + 1, sizeof(*results));
  for (size_t i = 0; i < count; ++i) {
    const char *name = im->graph.outputs[i];
    xc_graph_value *value = xc_graph_find(&im->graph, name);
    if (!value || value == im->dead || value == im->failed)
      return xc_tf_error(im, "output '%s' is not computed", name);
    results[i] = xc_tf_get_plain(im, value);
    if (mlirValueIsNull(results[i]))
      return false;
  }
  return xc_graph_return(&im->graph, "main", results, im->graph.outputs, count);
}

MlirModule xcImportTensorFlow(XcDiag *diag, MlirContext context,
                              const char *path, const void *data, size_t size,
                              const XcImportOptions *options) {
  xc_tf_importer im = {.node = NULL};
  Tensorflow__GraphDef *def = NULL;
  xc_graph_begin(&im.graph, diag, context, path, options);
  bool ok = check_file(&im, data, size) &&
            xc_proto_scan(diag, path, "TensorFlow graph",
                          &tensorflow__graph_def__descriptor, data, size);
  if (ok) {
    def = tensorflow__graph_def__unpack(NULL, size, data);
    ok = def || xc_tf_error(&im, "not a valid TensorFlow graph");
  }
  im.def = def;
  xc_graph_set_budget(&im.graph, size);
  ok = ok && xc_tf_collect_nodes(&im) && check_graph(&im) &&
       xc_tf_order_nodes(&im) && cut_graph(&im) && check_refusals(&im) &&
       add_cut_inputs(&im) && import_nodes(&im) && add_outputs(&im);
  if (ok)
    xc_remove_dead(im.graph.block);
  if (def)
    tensorflow__graph_def__free_unpacked(def, NULL);
  return xc_graph_end(&im.graph, ok);
}
