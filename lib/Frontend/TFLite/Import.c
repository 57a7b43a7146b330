//===- Import.c - a TensorFlow Lite model as a tir module -----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct operator_row {
  const char *name;
  int64_t code;
  unsigned options;
  size_t least, most, results; // results 0: any number
  xc_tflite_function import;   // null: unsupported
} operator_row;

static const operator_row rows[] = {
#define XC_TFLITE_UNSUPPORTED(name, code) {#name, code, 0, 0, 0, 0, NULL},
#define XC_TFLITE_OPERATOR(name, code, options, least, most, results, import)  \
  {#name, code, options, least, most, results, import},
#include "Operators.def"
};
enum { NUM_ROWS = sizeof(rows) / sizeof(*rows) };

// Custom operators, which have a name in place of a number.
static const operator_row custom_rows[] = {
#define XC_TFLITE_CUSTOM(name, least, most, results, import)                   \
  {name, XC_TFL_CUSTOM, 0, least, most, results, import},
#include "Operators.def"
    // Any other one, with --allow-custom.
    {NULL, XC_TFL_CUSTOM, 0, 0, SIZE_MAX, 0, xc_tflite_custom},
};

// The rows stand by number without a gap.
static const operator_row *find_row(const xc_tflite_importer *im,
                                    const xc_tflite_operator *op) {
  const operator_row *row = custom_rows;
  if (op->code != XC_TFL_CUSTOM)
    return op->code >= 0 && op->code < NUM_ROWS ? &rows[op->code] : NULL;
  while (row->name && strcmp(row->name, op->custom) != 0)
    ++row;
  return row->name || im->graph.options.allowCustom ? row : NULL;
}

//===----------------------------------------------------------------------===//
// Unsupported operators
//===----------------------------------------------------------------------===//

static const char *missing_name(xc_tflite_importer *im,
                                const xc_tflite_operator *op) {
  const operator_row *row = find_row(im, op);
  xc_text name = {0};
  if (op->code == XC_TFL_CUSTOM)
    xc_text_printf(&name, "CUSTOM '%s'", op->custom);
  else if (!row)
    xc_text_printf(&name, "operator number %" PRId64, op->code);
  else
    xc_text_puts(&name, row->name);
  const char *copy =
      xc_arena_string(&im->graph.arena, xc_text_str(&name), name.length);
  xc_text_free(&name);
  return copy;
}

static bool check_operators(xc_tflite_importer *im) {
  const char **missing = xc_arena_alloc(
      &im->graph.arena, im->model.num_operators, sizeof(*missing));
  const char *before = NULL;
  size_t count = 0;
  for (size_t i = 0; i < im->model.num_operators; ++i) {
    const operator_row *row = find_row(im, &im->model.operators[i]);
    if (im->nodes[i].is_skipped)
      continue;
    if (row && row->import)
      continue;
    if (count == 0)
      before = xc_graph_values_before(&im->graph, im->nodes, i);
    missing[count++] = missing_name(im, &im->model.operators[i]);
  }
  return xc_graph_report_missing(&im->graph, missing, count, before);
}

//===----------------------------------------------------------------------===//
// Inputs and outputs of the model
//===----------------------------------------------------------------------===//

static bool check_element(xc_tflite_importer *im,
                          const xc_tflite_tensor *tensor) {
  if (tensor->refused)
    return xc_graph_error(&im->graph, "tensor '%s' %s, which xc cannot read",
                          tensor->name, tensor->refused);
  if (tensor->element != XC_ELEMENT_NONE)
    return true;
  return xc_graph_error(&im->graph,
                        "tensor '%s' has elements of type %s, which xc does "
                        "not hold",
                        tensor->name, tensor->type_name);
}

static bool dynamic_error(xc_tflite_importer *im,
                          const xc_tflite_tensor *tensor, size_t dim) {
  xc_text shape = {0};
  for (size_t i = 0; i < tensor->rank; ++i)
    if (tensor->dims[i] < 0)
      xc_text_printf(&shape, "%s?", i ? "x" : "");
    else
      xc_text_printf(&shape, "%s%" PRId64, i ? "x" : "", tensor->dims[i]);
  xc_graph_error(&im->graph,
                 "input '%s' has the shape %s, whose dimension %zu is "
                 "dynamic; give it with --input-shape='%s=...'",
                 tensor->name, xc_text_str(&shape), dim, tensor->name);
  xc_text_free(&shape);
  return false;
}

// The file has a size for every dimension, also for those that its signature
// leaves to the caller; the batch is 1 with all converters.
static void note_open_dims(xc_tflite_importer *im,
                           const xc_tflite_tensor *tensor) {
  for (size_t i = 1; i < tensor->signature_rank && i < tensor->rank; ++i)
    if (tensor->signature[i] == -1 && tensor->dims[i] > 0)
      xc_graph_report(&im->graph, XcSeverityNote,
                      "input '%s' leaves dimension %zu open: %" PRId64
                      ", which the file has, is taken; --input-shape gives "
                      "another",
                      tensor->name, i, tensor->dims[i]);
}

static bool import_argument(xc_tflite_importer *im, int32_t index) {
  const xc_tflite_tensor *tensor = &im->model.tensors[index];
  if (!xc_graph_is_needed(&im->graph, tensor->name))
    return true;
  if (im->values[index])
    return xc_graph_error(&im->graph, "input '%s' stands there twice",
                          tensor->name);
  xc_shape shape = {.element = tensor->element, .rank = tensor->rank};
  memcpy(shape.dims, tensor->dims, sizeof(shape.dims));
  bool given;
  if (!check_element(im, tensor) ||
      !xc_graph_input_shape(&im->graph, tensor->name, &shape, &given))
    return false;
  im->reshaped |= given;
  if (!given)
    note_open_dims(im, tensor);
  for (size_t i = 0; i < shape.rank; ++i) {
    if (shape.dims[i] < 0)
      return dynamic_error(im, tensor, i);
    if (shape.dims[i] == 0)
      return xc_graph_error(&im->graph,
                            "input '%s' has size 0 in dimension %zu",
                            tensor->name, i);
  }
  // Too many bytes to count makes a type that nothing can hold.
  xc_shape checked;
  if (!xc_shape_of_type(xc_type_of_shape(im->graph.context, &shape), &checked))
    return xc_graph_error(&im->graph, "input '%s' is too large", tensor->name);
  xc_graph_order order = xc_graph_identity(shape.rank);
  im->values[index] = xc_graph_computed(
      &im->graph, tensor->name,
      xc_graph_argument(&im->graph, tensor->name, &shape), &order);
  return true;
}

// Which tensors --inputs and --outputs name. Only inputs and what operators
// compute are named, so that a constant of the same name does not matter.
static bool find_tensors(xc_tflite_importer *im, const char *const *names,
                         size_t count, int32_t *tensors) {
  for (size_t i = 0; i < count; ++i) {
    size_t found = 0;
    for (size_t t = 0; t < im->model.num_tensors; ++t)
      if (!im->model.tensors[t].data &&
          strcmp(im->model.tensors[t].name, names[i]) == 0) {
        tensors[i] = (int32_t)t;
        ++found;
      }
    if (found != 1)
      return xc_graph_error(&im->graph, "%zu tensors have the name '%s'", found,
                            names[i]);
  }
  return true;
}

static const char **tensor_names(xc_tflite_importer *im, const int32_t *indices,
                                 size_t count) {
  const char **names =
      xc_arena_alloc(&im->graph.arena, count + 1, sizeof(*names));
  for (size_t i = 0; i < count; ++i)
    names[i] = indices[i] < 0 ? NULL : im->model.tensors[indices[i]].name;
  return names;
}

static bool cut_model(xc_tflite_importer *im) {
  xc_tflite_model *model = &im->model;
  im->nodes = xc_arena_alloc(&im->graph.arena, model->num_operators + 1,
                             sizeof(*im->nodes));
  for (size_t i = 0; i < model->num_operators; ++i) {
    const xc_tflite_operator *op = &model->operators[i];
    im->nodes[i] = (xc_graph_node){
        .inputs = tensor_names(im, op->inputs, op->num_inputs),
        .outputs = tensor_names(im, op->outputs, op->num_outputs),
        .num_inputs = op->num_inputs,
        .num_outputs = op->num_outputs,
        .reads_shape = op->code == XC_TFL_SHAPE};
  }
  const xc_graph_node ends = {
      .inputs = tensor_names(im, model->inputs, model->num_inputs),
      .outputs = tensor_names(im, model->outputs, model->num_outputs),
      .num_inputs = model->num_inputs,
      .num_outputs = model->num_outputs};
  xc_graph *graph = &im->graph;
  if (!xc_graph_cut(graph, im->nodes, model->num_operators, &ends))
    return false;
  if (graph->num_outputs == 0)
    return xc_graph_error(graph, "the model has no output");
  if (graph->outputs == ends.outputs)
    return true;
  int32_t *outputs =
      xc_arena_alloc(&graph->arena, graph->num_outputs, sizeof(*outputs));
  model->outputs = outputs;
  model->num_outputs = graph->num_outputs;
  return find_tensors(im, graph->outputs, graph->num_outputs, outputs);
}

static void find_names(xc_tflite_importer *im) {
  const xc_tflite_model *model = &im->model;
  im->display = xc_arena_alloc(&im->graph.arena, model->num_operators + 1,
                               sizeof(*im->display));
  for (size_t i = 0; i < model->num_operators; ++i)
    im->display[i] = model->operators[i].num_outputs
                         ? model->tensors[model->operators[i].outputs[0]].name
                         : "";
  xc_graph_display_names(&im->graph, im->display, model->num_operators);
}

static bool import_arguments(xc_tflite_importer *im) {
  for (size_t i = 0; i < im->model.num_inputs; ++i)
    if (!import_argument(im, im->model.inputs[i]))
      return false;
  size_t count = im->graph.num_cut_inputs;
  int32_t *cut = xc_arena_alloc(&im->graph.arena, count + 1, sizeof(*cut));
  if (!find_tensors(im, im->graph.cut_inputs, count, cut))
    return false;
  for (size_t i = 0; i < count; ++i)
    if (!import_argument(im, cut[i]))
      return false;
  return true;
}

static bool import_results(xc_tflite_importer *im) {
  size_t count = im->model.num_outputs;
  MlirValue *results =
      xc_arena_alloc(&im->graph.arena, count, sizeof(*results));
  // An operator without a kind that gives the model's results as inputs.
  const xc_tflite_operator end = {.inputs = im->model.outputs,
                                  .num_inputs = count};
  xc_tflite_context c = {im, &end, "output"};
  for (size_t i = 0; i < count; ++i) {
    if (!check_element(im, xc_tflite_input(&c, i)))
      return false;
    results[i] = xc_tflite_value(&c, i);
    if (mlirValueIsNull(results[i]))
      return false;
  }
  return xc_graph_return(&im->graph, *im->model.name ? im->model.name : "main",
                         results, im->graph.outputs, count);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

static bool check_counts(xc_tflite_context *c, const operator_row *row) {
  const xc_tflite_operator *op = c->operator;
  if (row->least == row->most && op->num_inputs != row->least)
    return xc_tflite_error(c, "has %zu inputs, expected %zu", op->num_inputs,
                           row->least);
  if (op->num_inputs < row->least || op->num_inputs > row->most)
    return xc_tflite_error(c, "has %zu inputs, expected %zu to %zu",
                           op->num_inputs, row->least, row->most);
  for (size_t i = 0; i < row->least; ++i)
    if (op->inputs[i] < 0)
      return xc_tflite_error(c, "input %zu is absent", i);
  if (row->results ? op->num_outputs != row->results : op->num_outputs == 0)
    return xc_tflite_error(c, "has %zu outputs, expected %zu%s",
                           op->num_outputs, row->results ? row->results : 1,
                           row->results ? "" : " or more");
  if (row->options && op->options_type && op->options_type != row->options)
    return xc_tflite_error(c, "has options of type %u, expected type %u",
                           op->options_type, row->options);
  return true;
}

static bool is_cut_input(const xc_tflite_importer *im, int32_t tensor) {
  return xc_graph_is_cut_input(&im->graph, im->model.tensors[tensor].name);
}

static bool check_tensors(xc_tflite_context *c) {
  const xc_tflite_operator *op = c->operator;
  for (size_t i = 0; i < op->num_inputs; ++i)
    if (op->inputs[i] >= 0 &&
        !check_element(c->importer, xc_tflite_input(c, i)))
      return false;
  for (size_t i = 0; i < op->num_outputs; ++i) {
    const xc_tflite_tensor *tensor = xc_tflite_output(c, i);
    if (!check_element(c->importer, tensor))
      return false;
    if (tensor->data || (c->importer->values[op->outputs[i]] &&
                         !is_cut_input(c->importer, op->outputs[i])))
      return xc_tflite_error(c,
                             "output '%s' is a constant, an input of the model "
                             "or written twice",
                             tensor->name);
  }
  return true;
}

static bool import_operator(xc_tflite_importer *im, size_t index) {
  const xc_tflite_operator *op = &im->model.operators[index];
  const operator_row *row = find_row(im, op);
  xc_tflite_context c = {im, op, row->name ? row->name : op->custom};
  const char *whole = op->num_outputs ? xc_tflite_output(&c, 0)->name : "";
  const char *name = im->display[index];
  xc_graph_enter(&im->graph, name, "operator %zu %s%s%s%s", index,
                 c.operator_name, *name ? " '" : "", name, *name ? "'" : "");
  im->graph.whole = strcmp(name, whole) ? whole : NULL;
  if (!check_counts(&c, row) || !check_tensors(&c))
    return false;
  bool folded = false;
  bool ok = xc_tflite_fold(&c, &folded) && (folded || row->import(&c));
  return ok && !im->buffer.failed;
}

static bool import_model(xc_tflite_importer *im) {
  xc_fb_table root;
  if (im->graph.options.numBinds != 0)
    return xc_graph_error(&im->graph,
                          "'%s' cannot be bound: inputs of TensorFlow Lite "
                          "models stay inputs",
                          im->graph.options.binds[0]);
  if (!xc_fb_open(&im->buffer, im->graph.diag, im->graph.file, im->buffer.data,
                  im->buffer.size, "TFL3", &root) ||
      !xc_tflite_read(&im->buffer, &root, &im->graph.arena, &im->model) ||
      !cut_model(im) || !check_operators(im))
    return false;
  im->values = xc_arena_alloc(&im->graph.arena, im->model.num_tensors,
                              sizeof(*im->values));
  find_names(im);
  if (!import_arguments(im))
    return false;
  for (size_t i = 0; i < im->model.num_operators; ++i)
    if (!im->nodes[i].is_skipped && !import_operator(im, i))
      return false;
  xc_graph_leave(&im->graph);
  return import_results(im);
}

MlirModule xcImportTflite(XcDiag *diag, MlirContext context, const char *name,
                          const void *data, size_t size,
                          const XcImportOptions *options) {
  xc_tflite_importer im = {.buffer = {.data = data, .size = size}};
  xc_graph_begin(&im.graph, diag, context, name, options);
  xc_graph_set_budget(&im.graph, size);
  bool ok = import_model(&im);
  return xc_graph_end(&im.graph, ok);
}
