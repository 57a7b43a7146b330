//===- Import.c - from an ONNX file to a module ---------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include "Support/ProtoScan.h"
#include "Transforms/Qdq/FoldQdq.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// The graph's frame
//===----------------------------------------------------------------------===//

static void make_table(onnx_importer *importer) {
  const Onnx__GraphProto *graph = importer->model->graph;
  size_t names = graph->n_input + graph->n_initializer;
  for (size_t i = 0; i < graph->n_node; ++i)
    names += graph->node[i]->n_output;
  importer->table_size = 16;
  while (importer->table_size < 2 * names)
    importer->table_size *= 2;
  importer->table = xc_arena_alloc(&importer->arena, importer->table_size,
                                   sizeof(*importer->table));
}

// Operators changed meaning with these versions; what is older than 6 is read
// as 6, and reported where an attribute then is missing.
static void find_opset(onnx_importer *importer) {
  const Onnx__ModelProto *model = importer->model;
  importer->opset = 1; // what a model says that names none
  for (size_t i = 0; i < model->n_opset_import; ++i)
    if (*model->opset_import[i]->domain == '\0' ||
        strcmp(model->opset_import[i]->domain, "ai.onnx") == 0)
      importer->opset = model->opset_import[i]->version;
}

static bool add_initializers(onnx_importer *importer) {
  const Onnx__GraphProto *graph = importer->model->graph;
  for (size_t i = 0; i < graph->n_initializer; ++i) {
    const Onnx__TensorProto *tensor = graph->initializer[i];
    onnx_value *value;
    if (!onnx_read_tensor(importer, tensor, tensor->name, &value) ||
        !onnx_define(importer, tensor->name, value))
      return false;
  }
  return true;
}

static bool declared_shape(onnx_importer *importer,
                           const Onnx__ValueInfoProto *input, xc_shape *shape) {
  const Onnx__TensorTypeProto *type = input->type->tensor_type;
  xc_shape given;
  bool is_given;
  if (!xc_import_input_shape(&importer->base, input->name, &given, &is_given))
    return false;
  size_t rank = type->shape ? type->shape->n_dim : given.rank;
  if (!type->shape && !is_given)
    return onnx_error(importer,
                      "input '%s' has no shape; give one with --input-shape",
                      input->name);
  if (is_given && given.rank != rank)
    return onnx_error(importer,
                      "input shape of '%s' has %zu dimensions, expected %zu",
                      input->name, given.rank, rank);
  for (size_t i = 0; i < rank && !is_given; ++i) {
    const Onnx__Dimension *dim = type->shape->dim[i];
    if (dim->value_case == ONNX__DIMENSION__VALUE_DIM_VALUE)
      continue;
    bool is_named = dim->value_case == ONNX__DIMENSION__VALUE_DIM_PARAM;
    return onnx_error(importer,
                      "input '%s' leaves dimension %zu%s%s%s open; give its "
                      "shape with --input-shape",
                      input->name, i, is_named ? " ('" : "",
                      is_named ? dim->dim_param : "", is_named ? "')" : "");
  }
  int64_t dims[XC_MAX_RANK];
  for (size_t i = 0; i < rank && i < XC_MAX_RANK; ++i)
    dims[i] = is_given ? given.dims[i] : type->shape->dim[i]->dim_value;
  return onnx_check_dims(importer, input->name, dims, rank,
                         onnx_element(type->elem_type), shape);
}

// Whether some operator of the graph works on NHWC only. Then images are
// transposed at the door, and not behind the first padding or scaling.
static bool has_image_operators(const Onnx__GraphProto *graph) {
  static const char *const names[] = {
      "Conv",        "ConvTranspose",     "QLinearConv",   "MaxPool",
      "AveragePool", "GlobalAveragePool", "GlobalMaxPool", "Resize",
      "Upsample",    "DepthToSpace",      "SpaceToDepth",  "LRN"};
  for (size_t i = 0; i < graph->n_node; ++i)
    for (size_t k = 0; k < sizeof(names) / sizeof(*names); ++k)
      if (strcmp(graph->node[i]->op_type, names[k]) == 0)
        return true;
  return false;
}

static bool add_argument(onnx_importer *importer,
                         const Onnx__ValueInfoProto *input) {
  enum { IMAGE_RANK = 4 };
  if (!input->type || !input->type->tensor_type)
    return onnx_error(importer, "input '%s' is no tensor", input->name);
  int32_t data_type = input->type->tensor_type->elem_type;
  if (onnx_element(data_type) == XC_ELEMENT_NONE)
    return onnx_error(importer,
                      "input '%s' has elements of type %s (%" PRId32
                      "), which xc does not support",
                      input->name, onnx_element_name(data_type), data_type);
  xc_shape shape;
  if (!declared_shape(importer, input, &shape))
    return false;
  onnx_value *value = onnx_new_value(importer, input->name, &shape);
  value->wants_channels_last =
      shape.rank == IMAGE_RANK && importer->has_image_operators;
  onnx_order order = onnx_identity(shape.rank);
  onnx_add_form(importer, value,
                xc_import_argument(&importer->base, input->name, &shape),
                &order);
  return onnx_define(importer, input->name, value);
}

// The file bound to an input, or null.
static const char *binding_of(const onnx_importer *importer, const char *name) {
  size_t length = strlen(name);
  const XcImportOptions *options = &importer->base.options;
  for (size_t i = 0; i < options->numBinds; ++i)
    if (strncmp(options->binds[i], name, length) == 0 &&
        options->binds[i][length] == '=')
      return options->binds[i] + length + 1;
  return NULL;
}

static bool add_inputs(onnx_importer *importer) {
  const Onnx__GraphProto *graph = importer->model->graph;
  importer->has_image_operators = has_image_operators(graph);
  for (size_t i = 0; i < graph->n_input; ++i) {
    const Onnx__ValueInfoProto *input = graph->input[i];
    const char *path = binding_of(importer, input->name);
    onnx_value *value;
    if (onnx_find(importer, input->name))
      continue; // up to IR 3 initializers are inputs too
    if (path ? !onnx_read_binding(importer, path, input->name, &value) ||
                   !onnx_define(importer, input->name, value)
             : !add_argument(importer, input))
      return false;
  }
  return true;
}

static bool check_bindings(onnx_importer *importer) {
  const Onnx__GraphProto *graph = importer->model->graph;
  const XcImportOptions *options = &importer->base.options;
  for (size_t b = 0; b < options->numBinds; ++b) {
    bool found = false;
    for (size_t i = 0; i < graph->n_input && !found; ++i) {
      size_t length = strlen(graph->input[i]->name);
      found = strncmp(options->binds[b], graph->input[i]->name, length) == 0 &&
              options->binds[b][length] == '=';
    }
    if (!found)
      return onnx_error(importer,
                        "binding '%s' names no input of the model, expected "
                        "NAME=FILE",
                        options->binds[b]);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

static const char *full_name(xc_arena *arena, const Onnx__NodeProto *node) {
  if (*node->domain == '\0')
    return node->op_type;
  size_t length = strlen(node->domain) + strlen(node->op_type) + 2;
  char *name = xc_arena_alloc(arena, length, 1);
  strcat(strcat(strcpy(name, node->domain), "."), node->op_type);
  return name;
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// Reports every operator without a row, once each.
static bool check_operators(onnx_importer *importer) {
  const Onnx__GraphProto *graph = importer->model->graph;
  const char **names =
      xc_arena_alloc(&importer->arena, graph->n_node + 1, sizeof(*names));
  size_t count = 0;
  for (size_t i = 0; i < graph->n_node; ++i)
    if (!onnx_operator_find(graph->node[i]->domain, graph->node[i]->op_type))
      names[count++] = full_name(&importer->arena, graph->node[i]);
  if (count == 0)
    return true;
  qsort(names, count, sizeof(*names), compare_names);
  xc_text text = {0};
  for (size_t i = 0, run; i < count; i += run) {
    for (run = 1; i + run < count && strcmp(names[i], names[i + run]) == 0;)
      ++run;
    xc_text_printf(&text, "%s'%s'", i ? ", " : "", names[i]);
    if (run > 1)
      xc_text_printf(&text, " (%zu times)", run);
  }
  onnx_error(importer, "the model uses operators that xc does not support: %s",
             xc_text_str(&text));
  xc_text_free(&text);
  return false;
}

static const char *name_of_node(const Onnx__NodeProto *node) {
  if (*node->name)
    return node->name;
  for (size_t i = 0; i < node->n_output; ++i)
    if (*node->output[i])
      return node->output[i];
  return node->op_type;
}

static bool check_inputs(onnx_importer *importer) {
  const Onnx__NodeProto *node = importer->node;
  for (size_t i = 0; i < node->n_input; ++i)
    if (*node->input[i] && !onnx_find(importer, node->input[i]))
      return onnx_error(importer,
                        "input %zu, '%s', is defined nowhere before this node",
                        i, node->input[i]);
  return true;
}

static bool import_node(onnx_importer *importer, const Onnx__NodeProto *node) {
  importer->node = node;
  importer->row = onnx_operator_find(node->domain, node->op_type);
  importer->op_name = name_of_node(node);
  xc_text *what = &importer->base.what;
  what->length = 0;
  xc_text_printf(what, "node '%s' (%s)", importer->op_name, node->op_type);
  bool done = false;
  if (!check_inputs(importer) || !onnx_random_weights(importer) ||
      !onnx_fold(importer, &done))
    return false;
  if (done || importer->row->handler(importer))
    return true;
  assert(xc_import_failed(&importer->base) && "a failure has been reported");
  return false;
}

static bool import_nodes(onnx_importer *importer) {
  const Onnx__GraphProto *graph = importer->model->graph;
  for (size_t i = 0; i < graph->n_node; ++i)
    if (!import_node(importer, graph->node[i]))
      return false;
  importer->node = NULL;
  importer->op_name = NULL;
  importer->base.what.length = 0;
  return true;
}

//===----------------------------------------------------------------------===//
// The end of the function
//===----------------------------------------------------------------------===//

static bool add_outputs(onnx_importer *importer) {
  const Onnx__GraphProto *graph = importer->model->graph;
  size_t count = graph->n_output;
  MlirValue *results =
      xc_arena_alloc(&importer->arena, count + 1, sizeof(*results));
  const char **names =
      xc_arena_alloc(&importer->arena, count + 1, sizeof(*names));
  for (size_t i = 0; i < count; ++i) {
    names[i] = graph->output[i]->name;
    onnx_value *value = onnx_find(importer, names[i]);
    if (!value)
      return onnx_error(importer, "output '%s' is computed by no node",
                        names[i]);
    results[i] = onnx_get_plain(importer, value);
    if (mlirValueIsNull(results[i]))
      return false;
  }
  return xc_import_return(&importer->base, *graph->name ? graph->name : "main",
                          results, names, count);
}

static bool import_graph(onnx_importer *importer) {
  if (!importer->model->graph)
    return onnx_error(importer, "the model has no graph");
  find_opset(importer);
  make_table(importer);
  return check_operators(importer) && check_bindings(importer) &&
         add_initializers(importer) && add_inputs(importer) &&
         import_nodes(importer) && add_outputs(importer);
}

static void free_files(onnx_importer *importer) {
  for (onnx_file *file = importer->files; file; file = file->next)
    xc_buffer_free(&file->buffer);
}

MlirModule xcImportOnnx(XcDiag *diag, MlirContext context, const char *path,
                        const void *data, size_t size,
                        const XcImportOptions *options) {
  onnx_importer importer = {0};
  Onnx__ModelProto *model = NULL;
  xc_import_begin(&importer.base, diag, context, path, options);
  bool ok = xc_proto_scan(diag, path, "ONNX model",
                          &onnx__model_proto__descriptor, data, size);
  if (ok) {
    model = onnx__model_proto__unpack(NULL, size, data);
    ok = model || onnx_error(&importer, "not a valid ONNX model");
  }
  if (ok) {
    importer.model = model;
    importer.fold_budget = ONNX_FOLD_BASE + ONNX_FOLD_FACTOR * size;
    ok = import_graph(&importer);
  }
  if (ok) {
    xc_remove_dead(importer.base.block);
    if (!importer.base.options.keepQdq)
      ok = xc_fold_qdq(importer.base.block);
  }
  free_files(&importer);
  xc_arena_free(&importer.arena);
  if (model)
    onnx__model_proto__free_unpacked(model, NULL);
  return xc_import_end(&importer.base, ok);
}
