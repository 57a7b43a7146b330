//===- Import.c - from an ONNX file to a module ---------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include "IR/AttributeNames.h"
#include "IR/IR.h"
#include "Qdq/Fold.h"
#include "Support/Diag.h"
#include "Support/ProtoScan.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// The graph's frame
//===----------------------------------------------------------------------===//

// Operators changed meaning with these versions; what is older than 6 is read
// as 6, and reported where an attribute then is missing.
static void find_opset(xc_onnx_importer *im) {
  const Onnx__ModelProto *model = im->model;
  const int64_t *opset =
      xc_onnx_opset_of(model->opset_import, model->n_opset_import);
  im->model_opset = opset ? *opset : 1; // what a model says that names none
}

// Newer operators are unknown and reported as such; known ones may have another
// meaning then.
static void warn_of_opset(xc_onnx_importer *im) {
  enum { NEWEST = 24 };
  if (im->model_opset > NEWEST)
    xc_graph_report(&im->graph, XcSeverityWarning,
                    "the model is of operator set %" PRId64
                    ", the newest that xc knows is %d: operators are read as "
                    "those of that set",
                    im->model_opset, (int)NEWEST);
}

// A size of -1 is what some exporters write for an open one.
static bool is_open(const Onnx__Dimension *dim) {
  return dim->value_case != ONNX__DIMENSION__VALUE_DIM_VALUE ||
         dim->dim_value == -1;
}

// An open batch is one image; any other size has to be given.
static bool close_dim(xc_onnx_importer *im, const Onnx__ValueInfoProto *input,
                      size_t index, bool is_batch) {
  const Onnx__Dimension *dim = input->type->tensor_type->shape->dim[index];
  bool is_named =
      dim->value_case == ONNX__DIMENSION__VALUE_DIM_PARAM && *dim->dim_param;
  xc_text which = {0};
  xc_text_printf(&which, "input '%s' leaves dimension %zu%s%s%s open",
                 input->name, index, is_named ? " ('" : "",
                 is_named ? dim->dim_param : "", is_named ? "')" : "");
  if (is_batch)
    xc_graph_report(&im->graph, XcSeverityNote,
                    "%s: a batch of 1 is taken; --input-shape gives another",
                    xc_text_str(&which));
  else
    xc_onnx_error(im, "%s; give its shape with --input-shape",
                  xc_text_str(&which));
  xc_text_free(&which);
  return is_batch;
}

static bool declared_shape(xc_onnx_importer *im,
                           const Onnx__ValueInfoProto *input, xc_shape *shape) {
  const Onnx__TensorTypeProto *type = input->type->tensor_type;
  xc_shape given;
  bool is_given;
  if (!xc_graph_input_shape(&im->graph, input->name, &given, &is_given))
    return false;
  size_t rank = type->shape ? type->shape->n_dim : given.rank;
  if (!type->shape && !is_given)
    return xc_onnx_error(im,
                         "input '%s' has no shape; give one with "
                         "--input-shape=%s=1x3x224x224",
                         input->name, input->name);
  if (is_given && given.rank != rank)
    return xc_onnx_error(im,
                         "input shape of '%s' has %zu dimensions, expected %zu",
                         input->name, given.rank, rank);
  int64_t dims[XC_MAX_RANK];
  for (size_t i = 0; i < rank && i < XC_MAX_RANK; ++i) {
    const Onnx__Dimension *dim = is_given ? NULL : type->shape->dim[i];
    dims[i] = is_given ? given.dims[i] : dim->dim_value;
    bool is_batch = i == 0 && rank > 1;
    if (dim && is_open(dim) && !close_dim(im, input, i, is_batch))
      return false;
    if (dim && is_open(dim))
      dims[i] = 1;
  }
  bool is_fixed =
      is_given && type->shape && rank > 1 && !is_open(type->shape->dim[0]);
  if (is_fixed && type->shape->dim[0]->dim_value != dims[0])
    im->old_batch = type->shape->dim[0]->dim_value;
  return xc_graph_check_dims(&im->graph, input->name, dims, rank,
                             xc_onnx_element(type->elem_type), shape);
}

static bool is_one_of(const char *type, const char *const *names,
                      size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (strcmp(type, names[i]) == 0)
      return true;
  return false;
}

// Whether an operator works on NHWC only.
static bool is_image_operator(const Onnx__NodeProto *node) {
  static const char *const names[] = {
      "Conv",        "ConvTranspose",     "QLinearConv",   "MaxPool",
      "AveragePool", "GlobalAveragePool", "GlobalMaxPool", "Resize",
      "Upsample",    "DepthToSpace",      "SpaceToDepth",  "LRN",
      "ConvInteger"};
  return is_one_of(node->op_type, names, sizeof(names) / sizeof(*names));
}

// Whether some operator of the graph does. Then images are transposed at the
// input, and not after the first padding or scaling.
static bool has_image_operators(const Onnx__GraphProto *graph) {
  for (size_t i = 0; i < graph->n_node; ++i) {
    const Onnx__NodeProto *node = graph->node[i];
    if (is_image_operator(node))
      return true;
    for (size_t k = 0; k < node->n_attribute; ++k)
      if (node->attribute[k]->g && has_image_operators(node->attribute[k]->g))
        return true;
  }
  return false;
}

// Whether a node pads, scales or quantises pixels.
static bool is_passed(const Onnx__NodeProto *node) {
  static const char *const names[] = {"Pad", "Add", "Sub",
                                      "Mul", "Div", "BatchNormalization"};
  const xc_onnx_operator *row =
      xc_onnx_operator_find(node->domain, node->op_type);
  return is_one_of(node->op_type, names, sizeof(names) / sizeof(*names)) ||
         (row && (row->handler == xc_onnx_quantize ||
                  row->handler == xc_onnx_fix_neuron));
}

// Whether such an operator reads a value, at most after padding, scaling and
// quantisation. Three dimensions are a line of pixels only where one does: rows
// of tokens have their channels last as they are.
static bool is_line(const Onnx__GraphProto *graph, const char *value) {
  enum { MOST_STEPS = 8 };
  for (int step = 0; value && step < MOST_STEPS; ++step) {
    const char *next = NULL;
    for (size_t i = 0; i < graph->n_node; ++i) {
      const Onnx__NodeProto *node = graph->node[i];
      if (node->n_input == 0 || strcmp(node->input[0], value) != 0)
        continue;
      if (is_image_operator(node))
        return true;
      if (!next && node->n_output > 0 && is_passed(node))
        next = node->output[0];
    }
    value = next;
  }
  return false;
}

static bool add_value(xc_onnx_importer *im, const char *name,
                      const xc_shape *shape) {
  enum { LINE_RANK = 3, IMAGE_RANK = 4 };
  xc_graph_value *value = xc_graph_new_value(&im->graph, name, shape);
  value->wants_channels_last =
      (shape->rank == IMAGE_RANK && im->has_image_operators) ||
      (shape->rank == LINE_RANK && is_line(im->body, name));
  xc_graph_order order = xc_graph_identity(shape->rank);
  xc_graph_add_form(&im->graph, value,
                    xc_graph_argument(&im->graph, name, shape), &order);
  return xc_graph_define(&im->graph, name, value);
}

static bool add_argument(xc_onnx_importer *im,
                         const Onnx__ValueInfoProto *input) {
  if (!input->type || !input->type->tensor_type)
    return xc_onnx_error(im, "input '%s' is not a tensor", input->name);
  int32_t data_type = input->type->tensor_type->elem_type;
  if (xc_onnx_element(data_type) == XC_ELEMENT_NONE)
    return xc_onnx_error(im,
                         "input '%s' has elements of type %s (%" PRId32
                         "), which xc does not support",
                         input->name, xc_onnx_element_name(data_type),
                         data_type);
  xc_shape shape;
  return declared_shape(im, input, &shape) &&
         add_value(im, input->name, &shape);
}

// Returns the file bound to an input, or null.
static const char *binding_of(const xc_onnx_importer *im, const char *name) {
  size_t length = strlen(name);
  const XcImportOptions *options = &im->graph.options;
  for (size_t i = 0; i < options->numBinds; ++i)
    if (strncmp(options->binds[i], name, length) == 0 &&
        options->binds[i][length] == '=')
      return options->binds[i] + length + 1;
  return NULL;
}

static const Onnx__ValueInfoProto *
find_info(const char *name, Onnx__ValueInfoProto *const *infos, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (strcmp(infos[i]->name, name) == 0)
      return infos[i];
  return NULL;
}

static const Onnx__ValueInfoProto *declaration_of(const xc_onnx_importer *im,
                                                  const char *name) {
  const Onnx__GraphProto *graph = im->scope;
  const Onnx__ValueInfoProto *info =
      find_info(name, graph->value_info, graph->n_value_info);
  return info ? info : find_info(name, graph->output, graph->n_output);
}

bool xc_onnx_declared_output(xc_onnx_importer *im, const char *name,
                             xc_shape *shape) {
  const Onnx__ValueInfoProto *info = declaration_of(im, name);
  const Onnx__TensorTypeProto *type =
      info && info->type ? info->type->tensor_type : NULL;
  xc_shape given;
  bool is_given;
  if (!xc_graph_input_shape(&im->graph, name, &given, &is_given))
    return false;
  bool is_known = is_given || (type && type->shape);
  for (size_t i = 0; is_known && !is_given && i < type->shape->n_dim; ++i)
    is_known = !is_open(type->shape->dim[i]);
  if (!is_known)
    return xc_onnx_error(im,
                         "the model does not declare the shape of output '%s'; "
                         "give it with --input-shape",
                         name);
  int64_t dims[XC_MAX_RANK];
  size_t rank = is_given ? given.rank : type->shape->n_dim;
  for (size_t i = 0; i < rank && i < XC_MAX_RANK; ++i)
    dims[i] = is_given ? given.dims[i] : type->shape->dim[i]->dim_value;
  xc_element element = type ? xc_onnx_element(type->elem_type) : XC_ELEMENT_F32;
  if (element == XC_ELEMENT_NONE)
    return xc_onnx_error(im,
                         "output '%s' has elements of type %s, which xc does "
                         "not support",
                         name, xc_onnx_element_name(type->elem_type));
  return xc_graph_check_dims(&im->graph, name, dims, rank, element, shape);
}

/// Sets the shapes that the user gives inputs of the model.
static void keep_own_shapes(xc_onnx_importer *im, XcImportOptions *options) {
  const char **kept = xc_arena_alloc(&im->graph.arena,
                                     options->numInputShapes + 1, sizeof *kept);
  size_t count = 0;
  for (size_t i = 0; i < options->numInputShapes; ++i) {
    const char *equals = strrchr(options->inputShapes[i], '=');
    size_t length = equals ? (size_t)(equals - options->inputShapes[i]) : 0;
    const char *name =
        xc_arena_string(&im->graph.arena, options->inputShapes[i], length);
    if (!find_info(name, im->body->input, im->body->n_input))
      continue;
    kept[count++] = options->inputShapes[i];
    xc_graph_mark(&im->graph, name)->is_shaped = true; // it has an effect
  }
  options->inputShapes = kept;
  options->numInputShapes = count;
}

/// Imports what the model computes up to a value, for its shape. False, without
/// a diagnostic, where it cannot.
static bool infer_shape(xc_onnx_importer *im, const char *name,
                        xc_shape *shape) {
  XcDiag silent = {xc_ignore_error, NULL, 0};
  XcImportOptions options = im->graph.options;
  keep_own_shapes(im, &options);
  options.numInputs = 0;
  options.outputs = &name;
  options.numOutputs = 1;
  options.keepQdq = true;
  MlirModule module = xcImportOnnx(&silent, im->graph.context, im->graph.file,
                                   im->file_data, im->file_size, &options);
  if (mlirModuleIsNull(module))
    return false;
  MlirOperation function =
      mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  MlirType type = mlirTypeAttrGetValue(
      mlirOperationGetAttributeByName(function, xc_ref("function_type")));
  bool ok = xc_shape_of_type(mlirFunctionTypeGetResult(type, 0), shape);
  mlirModuleDestroy(module);
  return ok;
}

static bool is_declared(const Onnx__ValueInfoProto *info) {
  return info && info->type && info->type->tensor_type &&
         info->type->tensor_type->shape;
}

// Adds an input for a value that --inputs names. Its type is the declared one,
// else the one inferred; elements are floats where neither is known.
static bool add_cut_input(xc_onnx_importer *im, const char *name) {
  const Onnx__ValueInfoProto *info = declaration_of(im, name);
  xc_shape shape;
  bool is_given;
  if (!xc_graph_input_shape(&im->graph, name, &shape, &is_given))
    return false;
  if (!is_given && !is_declared(info) && infer_shape(im, name, &shape)) {
    xc_text text = {0};
    xc_shape_print(&shape, &text);
    xc_graph_report(&im->graph, XcSeverityNote,
                    "the model does not declare '%s': its nodes make it %s",
                    name, xc_text_str(&text));
    xc_text_free(&text);
    return add_value(im, name, &shape);
  }
  if (info)
    return add_argument(im, info);
  Onnx__TensorTypeProto tensor = ONNX__TENSOR_TYPE_PROTO__INIT;
  Onnx__TypeProto type = ONNX__TYPE_PROTO__INIT;
  Onnx__ValueInfoProto unknown = ONNX__VALUE_INFO_PROTO__INIT;
  tensor.elem_type = 1; // float
  type.tensor_type = &tensor;
  unknown.name = (char *)name;
  unknown.type = &type;
  xc_graph_report(&im->graph, XcSeverityNote,
                  "the model does not declare '%s': its elements are taken as "
                  "float",
                  name);
  return add_argument(im, &unknown);
}

static bool add_inputs(xc_onnx_importer *im) {
  const Onnx__GraphProto *graph = im->body;
  im->has_image_operators = has_image_operators(graph);
  for (size_t i = 0; i < graph->n_input; ++i) {
    const Onnx__ValueInfoProto *input = graph->input[i];
    const char *path = binding_of(im, input->name);
    xc_graph_value *value;
    if (!xc_graph_is_needed(&im->graph, input->name) ||
        xc_graph_find(&im->graph, input->name))
      continue; // up to IR 3 initializers are inputs too
    if (path ? !xc_onnx_read_binding(im, path, input->name, &value) ||
                   !xc_graph_define(&im->graph, input->name, value)
             : !add_argument(im, input))
      return false;
  }
  for (size_t i = 0; i < im->graph.num_cut_inputs; ++i)
    if (!add_cut_input(im, im->graph.cut_inputs[i]))
      return false;
  return true;
}

static bool check_bindings(xc_onnx_importer *im) {
  const Onnx__GraphProto *graph = im->body;
  const XcImportOptions *options = &im->graph.options;
  for (size_t b = 0; b < options->numBinds; ++b) {
    bool found = false;
    for (size_t i = 0; i < graph->n_input && !found; ++i) {
      size_t length = strlen(graph->input[i]->name);
      found = strncmp(options->binds[b], graph->input[i]->name, length) == 0 &&
              options->binds[b][length] == '=';
    }
    if (!found)
      return xc_onnx_error(im,
                           "binding '%s' names no input of the model, expected "
                           "NAME=FILE",
                           options->binds[b]);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// The end of the function
//===----------------------------------------------------------------------===//

static bool agrees(const Onnx__TensorShapeProto *declared,
                   const xc_shape *shape) {
  bool agrees = declared->n_dim == shape->rank;
  for (size_t i = 0; agrees && i < shape->rank; ++i)
    agrees = is_open(declared->dim[i]) ||
             declared->dim[i]->dim_value == shape->dims[i];
  return agrees;
}

static void print_declared(const Onnx__TensorShapeProto *declared,
                           xc_text *text) {
  for (size_t i = 0; i < declared->n_dim; ++i) {
    xc_text_puts(text, i ? "x" : "");
    if (is_open(declared->dim[i]))
      xc_text_puts(text, "?");
    else
      xc_text_printf(text, "%" PRId64, declared->dim[i]->dim_value);
  }
}

// The first value whose declared shape is not the one that was inferred, and
// how many there are: either the file or this importer is wrong.
static void compare_declared(xc_onnx_importer *im,
                             Onnx__ValueInfoProto *const *infos, size_t count,
                             const char *what) {
  const char *first = NULL;
  size_t differ = 0;
  xc_text declared = {0}, inferred = {0};
  for (size_t i = 0; i < count; ++i) {
    const Onnx__TypeProto *type = infos[i]->type;
    const xc_graph_value *value = xc_graph_find(&im->graph, infos[i]->name);
    if (!value || !type || !type->tensor_type || !type->tensor_type->shape ||
        agrees(type->tensor_type->shape, &value->shape) || differ++)
      continue;
    first = infos[i]->name;
    print_declared(type->tensor_type->shape, &declared);
    for (size_t d = 0; d < value->shape.rank; ++d)
      xc_text_printf(&inferred, "%s%" PRId64, d ? "x" : "",
                     value->shape.dims[d]);
  }
  if (first)
    xc_graph_report(&im->graph, XcSeverityWarning,
                    "%s '%s' is declared as '%s', but its shape is '%s'%s",
                    what, first, xc_text_str(&declared), xc_text_str(&inferred),
                    differ > 1 ? ", and others differ too" : "");
  xc_text_free(&declared);
  xc_text_free(&inferred);
}

// With shapes of the user's those of the file are out of date.
static void check_declared(xc_onnx_importer *im) {
  const Onnx__GraphProto *graph = im->body;
  if (im->graph.options.numInputShapes)
    return;
  compare_declared(im, graph->value_info, graph->n_value_info, "value");
  compare_declared(im, graph->output, graph->n_output, "output");
}

static bool add_outputs(xc_onnx_importer *im) {
  const Onnx__GraphProto *graph = im->body;
  const char *const *names = im->graph.outputs;
  size_t count = im->graph.num_outputs;
  MlirValue *results =
      xc_arena_alloc(&im->graph.arena, count + 1, sizeof(*results));
  for (size_t i = 0; i < count; ++i) {
    xc_graph_value *value = xc_graph_find(&im->graph, names[i]);
    if (!value)
      return xc_onnx_error(im, "output '%s' is computed by no node", names[i]);
    if (xc_onnx_is_sequence(value))
      return xc_onnx_error(im, "output '%s' is a sequence, expected a tensor",
                           names[i]);
    results[i] = xc_graph_get_plain(&im->graph, value);
    if (mlirValueIsNull(results[i]))
      return false;
  }
  check_declared(im);
  return xc_graph_return(&im->graph, *graph->name ? graph->name : "main",
                         results, names, count);
}

static void add_name(const char **names, size_t *count, const char *name) {
  if (names)
    names[*count] = name;
  ++*count;
}

// Appends the names that a graph reads; a subgraph reads its own values, too.
// Without `names`, only counts them.
static void add_reads(const Onnx__GraphProto *graph, const char **names,
                      size_t *count);

static void add_inputs_of(const Onnx__NodeProto *node, const char **names,
                          size_t *count) {
  for (size_t i = 0; i < node->n_input; ++i)
    add_name(names, count, node->input[i]);
  for (size_t i = 0; i < node->n_attribute; ++i)
    if (node->attribute[i]->g)
      add_reads(node->attribute[i]->g, names, count);
}

static void add_reads(const Onnx__GraphProto *graph, const char **names,
                      size_t *count) {
  for (size_t i = 0; i < graph->n_node; ++i)
    add_inputs_of(graph->node[i], names, count);
  for (size_t i = 0; i < graph->n_output; ++i)
    add_name(names, count, graph->output[i]->name);
}

static const char **names_of(xc_onnx_importer *im,
                             Onnx__ValueInfoProto *const *infos, size_t count) {
  const char **names =
      xc_arena_alloc(&im->graph.arena, count + 1, sizeof(*names));
  for (size_t i = 0; i < count; ++i)
    names[i] = infos[i]->name;
  return names;
}

static bool reads_shape(const Onnx__NodeProto *node) {
  return *node->domain == '\0' && (strcmp(node->op_type, "Shape") == 0 ||
                                   strcmp(node->op_type, "Size") == 0);
}

static bool cut_graph(xc_onnx_importer *im) {
  const Onnx__GraphProto *graph = im->body;
  im->nodes =
      xc_arena_alloc(&im->graph.arena, graph->n_node + 1, sizeof(*im->nodes));
  for (size_t i = 0; i < graph->n_node; ++i) {
    const Onnx__NodeProto *node = graph->node[i];
    size_t count = 0;
    add_inputs_of(node, NULL, &count);
    const char **inputs =
        xc_arena_alloc(&im->graph.arena, count + 1, sizeof(*inputs));
    count = 0;
    add_inputs_of(node, inputs, &count);
    im->nodes[i] = (xc_graph_node){.name = node->name,
                                   .inputs = inputs,
                                   .outputs = (const char *const *)node->output,
                                   .num_inputs = count,
                                   .num_outputs = node->n_output,
                                   .reads_shape = reads_shape(node)};
  }
  const xc_graph_node ends = {
      .inputs = names_of(im, graph->input, graph->n_input),
      .outputs = names_of(im, graph->output, graph->n_output),
      .num_inputs = graph->n_input,
      .num_outputs = graph->n_output};
  return xc_graph_cut(&im->graph, im->nodes, graph->n_node, &ends);
}

static bool sign_bytes(xc_onnx_importer *im) {
  size_t halved = 0;
  if (!im->graph.options.signBytes)
    return true;
  if (!xc_sign_qdq(im->graph.block, &halved))
    return false;
  MlirType type = mlirIntegerTypeGet(im->graph.context, 64);
  if (halved)
    mlirOperationSetAttributeByName(im->graph.function, xc_ref(XC_NAME_HALVED),
                                    mlirIntegerAttrGet(type, (int64_t)halved));
  return true;
}

// Sums whose addends have unlike fix points, which the DPU adds with two bits
// below the coarser step.
static void note_sums(xc_onnx_importer *im) {
  size_t count = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(im->graph.block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    xc_adaptor adaptor;
    const xc_op_info *info = xc_op_info_of(op);
    if (info && info->kind == XC_TIR_ELTWISE_FIX && xc_adaptor_of(op, &adaptor))
      count +=
          !xc_attr_all(&adaptor, XC_ATTR_INPUT_FIX_POINT,
                       xc_attr_int_at(&adaptor, XC_ATTR_INPUT_FIX_POINT, 0));
  }
  if (count)
    xc_graph_report(&im->graph, XcSeverityNote,
                    "%zu sum%s of unlike fix points keep%s two bits below the "
                    "coarser step, as the DPU; --keep-qdq is exact",
                    count, count == 1 ? "" : "s", count == 1 ? "s" : "");
}

static void warn_of_training(xc_onnx_importer *im) {
  if (im->num_training)
    xc_graph_report(&im->graph, XcSeverityWarning,
                    "%zu BatchNormalization%s in training mode: statistics "
                    "are those of the input at hand, not those that were "
                    "learned, unless the model is exported for inference",
                    im->num_training, im->num_training == 1 ? "" : "s");
}

static bool import_graph(xc_onnx_importer *im) {
  if (!im->model->graph)
    return xc_onnx_error(im, "the model has no graph");
  find_opset(im);
  warn_of_opset(im);
  if (!xc_onnx_sort_nodes(im) || !xc_onnx_inline_functions(im))
    return false;
  im->scope = im->body;
  return cut_graph(im) && xc_onnx_check_operators(im, im->nodes) &&
         check_bindings(im) && xc_onnx_add_initializers(im) && add_inputs(im) &&
         xc_onnx_import_nodes(im, im->nodes) && add_outputs(im);
}

static void free_files(xc_onnx_importer *im) {
  for (xc_onnx_file *file = im->files; file; file = file->next)
    xc_buffer_free(&file->buffer);
}

MlirModule xcImportOnnx(XcDiag *diag, MlirContext context, const char *path,
                        const void *data, size_t size,
                        const XcImportOptions *options) {
  xc_onnx_importer im = {0};
  Onnx__ModelProto *model = NULL;
  xc_graph_begin(&im.graph, diag, context, path, options);
  bool ok = xc_proto_scan(diag, path, "ONNX model",
                          &onnx__model_proto__descriptor, data, size);
  if (ok) {
    model = onnx__model_proto__unpack(NULL, size, data);
    ok = model || xc_onnx_error(&im, "not a valid ONNX model");
  }
  if (ok) {
    im.model = model;
    im.file_data = data;
    im.file_size = size;
    xc_graph_set_budget(&im.graph, size);
    ok = import_graph(&im);
  }
  if (ok) {
    xc_remove_dead(im.graph.block);
    if (!im.graph.options.keepQdq)
      ok = sign_bytes(&im) && xc_fold_qdq(im.graph.block, false);
    if (ok)
      note_sums(&im);
    if (ok)
      warn_of_training(&im);
  }
  free_files(&im);
  xc_pointer_map_free(&im.opsets);
  if (model)
    onnx__model_proto__free_unpacked(model, NULL);
  return xc_graph_end(&im.graph, ok);
}
