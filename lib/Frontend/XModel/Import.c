//===- Import.c - xmodels as tir ------------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two walks over the operators in topological order: the first finds all that
// cannot be imported and reports it at once, the second builds.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"
#include "Target/XModel/Tir/Payload.h"

#include "IR/IR.h"
#include "Support/Diag.h"
#include "Support/Preprocess.h"
#include "Target/XModel/Order.h"
#include "dialects/Verify.h"
#include "xc-c/XModelDpu.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct xmodel_importer {
  xc_graph graph;
  XcXModel *model;
  XcXModelOp **order; // topological
  size_t count;
  MlirValue *values; // by rank in the index of operators
  bool *only_shape;  // by rank: whether only shapes are made of it
} xmodel_importer;

static MlirValue *value_of(xmodel_importer *m, const char *name) {
  return &m->values[xc_xmodel_rank(m->model, name)];
}

static bool is_type(const XcXModelOp *op, const char *type) {
  return !strcmp(xcXModelOpGetType(op), type);
}

static bool is_input(const XcXModelOp *op) {
  return is_type(op, "data") || is_type(op, "data-fix");
}

static bool is_constant(const XcXModelOp *op) {
  return is_type(op, "const") || is_type(op, "const-fix");
}

// Operators that only rename their input.
static bool is_identity(const XcXModelOp *op) {
  return is_type(op, "identity") || is_type(op, "placeholder");
}

// Returns the tir row of an operator; null for those of the host.
static const xc_op_info *info_of(const XcXModelOp *op) {
  xc_text name = {0};
  xc_text_printf(&name, "tir.%s", xcXModelOpGetType(op));
  const xc_op_info *info = xc_op_info_find(xc_text_str(&name), name.length);
  xc_text_free(&name);
  bool is_known = info && info->kind != XC_TIR_CUSTOM;
  return is_known ? info : NULL;
}

static bool is_compiled(const xc_op_info *info) {
  return info && (info->kind == XC_TIR_UPLOAD || info->kind == XC_TIR_DOWNLOAD);
}

//===----------------------------------------------------------------------===//
// Arithmetic on shapes
//===----------------------------------------------------------------------===//

// The quantiser of PyTorch leaves what computed a shape in the graph, as second
// argument of a reshape whose tensor says the shape, too.
static bool has_shape_argument(const XcXModelOp *op) {
  const xc_op_info *info = info_of(op);
  return info && xc_xmodel_is_reshape(info);
}

// Marks operators whose results are read as data. The others are read for their
// shapes only, if at all. The order is walked from its end.
static void mark_shapes(xmodel_importer *m) {
  bool *data = xc_alloc_array(m->count + 1, sizeof(*data));
  bool *shape = xc_alloc_array(m->count + 1, sizeof(*shape));
  for (size_t i = m->count; i-- > 0;) {
    const XcXModelOp *op = m->order[i];
    size_t rank = xc_xmodel_rank(m->model, xcXModelOpGetName(op));
    m->only_shape[rank] = shape[rank] && !data[rank];
    for (size_t arg = 0; arg < xcXModelOpGetNumArgs(op); ++arg) {
      bool is_shape = m->only_shape[rank] ||
                      (has_shape_argument(op) &&
                       !strcmp(xcXModelOpGetArgName(op, arg), "shape"));
      for (size_t k = 0; k < xcXModelOpGetNumArgOps(op, arg); ++k)
        (is_shape
             ? shape
             : data)[xc_xmodel_rank(m->model, xcXModelOpGetArgOp(op, arg, k))] =
            true;
    }
  }
  free(data);
  free(shape);
}

static bool is_only_shape(const xmodel_importer *m, const XcXModelOp *op) {
  return m->only_shape[xc_xmodel_rank(m->model, xcXModelOpGetName(op))];
}

//===----------------------------------------------------------------------===//
// First walk: what cannot be imported
//===----------------------------------------------------------------------===//

static bool check_tensor(const XcXModelOp *op, xc_shape *shape, xc_text *why) {
  const XcXModelTensor *tensor = xcXModelOpGetTensor(op);
  if (!tensor) {
    xc_text_puts(why, "it has no tensor");
    return false;
  }
  *shape = (xc_shape){.element = xc_xmodel_element(tensor),
                      .rank = xcXModelTensorGetRank(tensor)};
  if (shape->element == XC_ELEMENT_NONE) {
    xc_text_printf(
        why,
        "its element type is not known (type %" PRId32 ", %" PRId32 " bits)",
        xcXModelTensorGetDataType(tensor), xcXModelTensorGetBitWidth(tensor));
    return false;
  }
  if (shape->rank > XC_MAX_RANK) {
    xc_text_printf(why,
                   "its tensor has %zu dimensions, at most %d are "
                   "possible",
                   shape->rank, XC_MAX_RANK);
    return false;
  }
  uint64_t bytes = xc_element_size(shape->element);
  for (size_t i = 0; i < shape->rank; ++i) {
    uint32_t size = xcXModelTensorGetDims(tensor)[i];
    if (size == 0 || size > INT32_MAX || bytes > INT64_MAX / 2 / size) {
      xc_text_printf(why, "dimension %zu of its tensor is %" PRIu32, i, size);
      return false;
    }
    bytes *= size;
    shape->dims[i] = size;
  }
  return true;
}

static bool check_constant(const XcXModelOp *op, const xc_shape *shape,
                           xc_text *why) {
  size_t size = 0;
  uint64_t expected =
      (uint64_t)xc_shape_num_elements(shape) * xc_element_size(shape->element);
  xcXModelAttrsGetBytes(xcXModelOpGetAttrs(op), "data", &size);
  if (size == expected)
    return true;
  xc_text_printf(why, "attribute 'data' has %zu bytes, expected %" PRIu64, size,
                 expected);
  return false;
}

static bool check_custom(const XcXModelOp *op, const xc_op_info *custom,
                         xc_text *why) {
  size_t count = 0;
  for (size_t arg = 0; arg < xcXModelOpGetNumArgs(op); ++arg)
    count += xcXModelOpGetNumArgOps(op, arg);
  if (count <= custom->num_operands)
    return true;
  xc_text_printf(why,
                 "it is a custom operator with %zu inputs, at most %zu "
                 "are possible",
                 count, custom->num_operands);
  return false;
}

static bool check_known(const XcXModel *model, const XcXModelOp *op,
                        const xc_op_info *info, xc_text *why) {
  xc_xmodel_inputs inputs;
  if (!xc_xmodel_get_inputs(model, op, info, &inputs, why))
    return false;
  xc_attribute_list list;
  bool ok = xc_xmodel_get_attributes(op, info, &inputs, &list, why);
  xc_xmodel_free_attributes(&list);
  return ok;
}

static bool check_op(const XcXModel *model, const XcXModelOp *op,
                     xc_text *why) {
  xc_shape shape;
  if (!check_tensor(op, &shape, why))
    return false;
  if (is_input(op))
    return true;
  if (is_constant(op))
    return check_constant(op, &shape, why);
  const xc_op_info *info = info_of(op);
  if (is_compiled(info)) {
    xc_text_puts(why, "it belongs to a compiled model");
    return false;
  }
  if (is_identity(op)) {
    bool ok =
        xcXModelOpGetNumArgs(op) == 1 && xcXModelOpGetNumArgOps(op, 0) == 1;
    xc_text_puts(why, ok ? "" : "it does not have one input");
    return ok;
  }
  if (!info)
    return check_custom(op, xc_op_info_get(XC_DIALECT_TIR, XC_TIR_CUSTOM), why);
  return check_known(model, op, info, why);
}

// One error for all operators that have one.
static bool check_all(xmodel_importer *m) {
  enum { MOST = 10 };
  size_t failed = 0;
  xc_text list = {0};
  for (size_t i = 0; i < m->count; ++i) {
    xc_text why = {0};
    if (!is_only_shape(m, m->order[i]) &&
        !check_op(m->model, m->order[i], &why) && failed++ < MOST)
      xc_text_printf(&list, "%s'%s' (%s): %s", failed > 1 ? "; " : "",
                     xcXModelOpGetName(m->order[i]),
                     xcXModelOpGetType(m->order[i]), xc_text_str(&why));
    xc_text_free(&why);
  }
  if (failed > MOST)
    xc_text_printf(&list, "; and %zu more", failed - MOST);
  if (failed)
    xc_graph_error(&m->graph, "%zu operator%s cannot be imported: %s", failed,
                   failed == 1 ? "" : "s", xc_text_str(&list));
  xc_text_free(&list);
  return failed == 0;
}

//===----------------------------------------------------------------------===//
// Second walk: building
//===----------------------------------------------------------------------===//

static xc_shape shape_of(const XcXModelOp *op) {
  xc_shape shape = {0};
  xc_text why = {0};
  (void)check_tensor(op, &shape, &why); // the first walk did
  xc_text_free(&why);
  return shape;
}

static bool same_shape(const xc_shape *a, const xc_shape *b) {
  return a->rank == b->rank && a->element == b->element &&
         memcmp(a->dims, b->dims, a->rank * sizeof(*a->dims)) == 0;
}

// The type by tir's shape rule has to be that of the file.
static bool check_result(xmodel_importer *m, MlirValue result,
                         const xc_shape *expected) {
  xc_shape shape;
  if (xc_shape_of_type(mlirValueGetType(result), &shape) &&
      same_shape(&shape, expected))
    return true;
  xc_text computed = {0}, given = {0};
  xc_shape_print(&shape, &computed);
  xc_shape_print(expected, &given);
  xc_graph_error(&m->graph, "the result is %s, but the file says %s",
                 xc_text_str(&computed), xc_text_str(&given));
  xc_text_free(&computed);
  xc_text_free(&given);
  return false;
}

static MlirValue build_chain(xmodel_importer *m, const xc_op_info *info,
                             const xc_builder *builder,
                             const xc_xmodel_inputs *inputs,
                             const xc_attribute_list *list) {
  MlirValue value = *value_of(m, xcXModelOpGetName(inputs->items[0].op));
  for (size_t i = 1; i < inputs->count && !mlirValueIsNull(value); ++i) {
    bool is_last = i + 1 == inputs->count;
    MlirValue operands[] = {
        value, *value_of(m, xcXModelOpGetName(inputs->items[i].op))};
    value =
        xc_build(builder, info->kind, operands, 2, is_last ? list->items : NULL,
                 is_last ? list->count : 0, XC_ELEMENT_NONE);
  }
  return value;
}

static MlirValue build_known(xmodel_importer *m, const XcXModelOp *op,
                             const xc_op_info *info, const xc_builder *builder,
                             const xc_shape *shape) {
  xc_text why = {0};
  xc_xmodel_inputs inputs;
  xc_attribute_list list;
  (void)xc_xmodel_get_inputs(m->model, op, info, &inputs, &why);
  (void)xc_xmodel_get_attributes(op, info, &inputs, &list, &why);
  xc_text_free(&why);
  MlirValue operands[XC_MAX_OPERANDS] = {{NULL}};
  for (size_t i = 0; !inputs.chain && i < inputs.count; ++i)
    operands[inputs.items[i].slot] =
        *value_of(m, xcXModelOpGetName(inputs.items[i].op));
  MlirValue value =
      inputs.chain ? build_chain(m, info, builder, &inputs, &list)
                   : xc_build(builder, info->kind, operands, info->num_operands,
                              list.items, list.count, shape->element);
  xc_xmodel_free_attributes(&list);
  return value;
}

// The argument names of the operands, unless all are "input".
static bool args_attribute(xmodel_importer *m, const XcXModelOp *op,
                           MlirAttribute *result) {
  MlirAttribute names[XC_MAX_OPERANDS];
  intptr_t count = 0;
  bool all_inputs = true;
  for (size_t arg = 0; arg < xcXModelOpGetNumArgs(op); ++arg)
    for (size_t i = 0; i < xcXModelOpGetNumArgOps(op, arg); ++i) {
      const char *name = xcXModelOpGetArgName(op, arg);
      all_inputs = all_inputs && !strcmp(name, "input");
      names[count++] = mlirStringAttrGet(m->graph.context,
                                         mlirStringRefCreateFromCString(name));
    }
  *result = mlirArrayAttrGet(m->graph.context, count, names);
  return !all_inputs;
}

typedef struct payload_row {
  XcXModelAttr attr;
  size_t position;
} payload_row;

static int compare_payload(const void *a, const void *b) {
  const payload_row *left = a, *right = b;
  int order = strcmp(left->attr.name, right->attr.name);
  if (order)
    return order;
  return (left->position > right->position) -
         (left->position < right->position);
}

static MlirAttribute payload_of(xmodel_importer *m, const XcXModelOp *op) {
  MlirContext context = m->graph.context;
  XcXModelAttrs attrs = xcXModelOpGetAttrs(op);
  size_t count = xcXModelAttrsGetCount(attrs);
  payload_row *rows = xc_alloc_array(count, sizeof(*rows));
  for (size_t i = 0; i < count; ++i)
    rows[i] = (payload_row){xcXModelAttrsGet(attrs, i), i};
  qsort(rows, count, sizeof(*rows), compare_payload);
  MlirNamedAttribute *entries = xc_alloc_array(count + 1, sizeof(*entries));
  intptr_t num_entries = 0;
  for (size_t i = 0; i < count; ++i) {
    const char *name = rows[i].attr.name;
    bool is_last = i + 1 == count || strcmp(name, rows[i + 1].attr.name) != 0;
    if (is_last && strcmp(name, "device") != 0 &&
        strcmp(name, XC_XMODEL_ARGS_KEY) != 0)
      entries[num_entries++] =
          xc_named(context, name, xc_xmodel_payload_get(context, rows[i].attr));
  }
  MlirAttribute args;
  if (args_attribute(m, op, &args))
    entries[num_entries++] = xc_named(context, XC_XMODEL_ARGS_KEY, args);
  MlirAttribute payload = mlirDictionaryAttrGet(context, num_entries, entries);
  free(entries);
  free(rows);
  return payload;
}

static MlirValue build_custom(xmodel_importer *m, const XcXModelOp *op,
                              const xc_builder *builder,
                              const xc_shape *shape) {
  MlirValue operands[XC_MAX_OPERANDS];
  size_t count = 0;
  for (size_t arg = 0; arg < xcXModelOpGetNumArgs(op); ++arg)
    for (size_t i = 0; i < xcXModelOpGetNumArgOps(op, arg); ++i)
      operands[count++] = *value_of(m, xcXModelOpGetArgOp(op, arg, i));
  const xc_attribute attributes[] = {
      xc_string("op_name", xcXModelOpGetName(op)),
      xc_string("op_type", xcXModelOpGetType(op)),
      xc_given("payload", payload_of(m, op)),
  };
  return xc_build_shaped(builder, XC_TIR_CUSTOM, operands, count, attributes, 3,
                         shape);
}

static MlirValue build_argument(xmodel_importer *m, const char *name,
                                xc_shape shape) {
  bool given;
  if (!xc_graph_input_shape(&m->graph, name, &shape, &given))
    return (MlirValue){NULL};
  return xc_graph_argument(&m->graph, name, &shape);
}

static MlirValue build_constant(xmodel_importer *m, const XcXModelOp *op,
                                const xc_builder *builder,
                                const xc_shape *shape) {
  size_t size;
  const void *data =
      xcXModelAttrsGetBytes(xcXModelOpGetAttrs(op), "data", &size);
  const xc_attribute attributes[] = {
      xc_string("op_name", xcXModelOpGetName(op)),
      xc_given("value", xc_dense_attribute(m->graph.context, data, shape)),
  };
  return xc_build_shaped(builder, XC_TIR_CONST, NULL, 0, attributes, 2, shape);
}

static bool build_op(xmodel_importer *m, const XcXModelOp *op) {
  const char *name = xcXModelOpGetName(op);
  const xc_builder builder = xc_graph_builder(&m->graph, name);
  xc_shape shape = shape_of(op);
  xc_graph_enter(&m->graph, name, "operator \'%s\' (%s)", name,
                 xcXModelOpGetType(op));
  const xc_op_info *info = info_of(op);
  MlirValue value;
  bool is_shaped = false;
  if (is_input(op)) {
    value = build_argument(m, name, shape);
  } else if (is_constant(op)) {
    value = build_constant(m, op, &builder, &shape);
  } else if (is_identity(op)) {
    value = *value_of(m, xcXModelOpGetArgOp(op, 0, 0));
  } else if (!info) {
    value = build_custom(m, op, &builder, &shape);
  } else {
    value = build_known(m, op, info, &builder, &shape);
    is_shaped = true;
  }
  if (mlirValueIsNull(value))
    return false;
  *value_of(m, name) = value;
  // With shapes of the user's the file's are out of date.
  bool compare = is_shaped && m->graph.options.numInputShapes == 0;
  return !compare || check_result(m, value, &shape);
}

static bool build_all(xmodel_importer *m) {
  for (size_t i = 0; i < m->count; ++i)
    if (!is_only_shape(m, m->order[i]) && !build_op(m, m->order[i]))
      return false;
  xc_graph_leave(&m->graph);
  return true;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

typedef struct result_list {
  MlirValue *values;
  const char **names;
  size_t count;
} result_list;

// Operators that the file names, or else those that feed no other.
static bool named_results(xmodel_importer *m, XcXModelAttr attr,
                          result_list *results) {
  size_t count = xcXModelAttrGetNumRows(attr);
  results->values = xc_alloc_array(count, sizeof(*results->values));
  results->names = xc_alloc_array(count, sizeof(*results->names));
  for (size_t i = 0; i < count; ++i) {
    const char *name = xcXModelAttrGetValue(attr, i, 0).data;
    if (!xcXModelFindOp(m->model, name))
      return xc_graph_error(&m->graph,
                            "'return_ops' names operator '%s', which does "
                            "not exist",
                            name);
    results->names[results->count] = name;
    results->values[results->count++] = *value_of(m, name);
  }
  return true;
}

static void found_results(xmodel_importer *m, result_list *results) {
  bool *used = xc_alloc_array(m->count, sizeof(*used));
  for (size_t i = 0; i < m->count; ++i)
    for (size_t arg = 0; arg < xcXModelOpGetNumArgs(m->order[i]); ++arg)
      for (size_t j = 0; j < xcXModelOpGetNumArgOps(m->order[i], arg); ++j)
        used[xc_xmodel_rank(m->model,
                            xcXModelOpGetArgOp(m->order[i], arg, j))] = true;
  results->values = xc_alloc_array(m->count, sizeof(*results->values));
  results->names = xc_alloc_array(m->count, sizeof(*results->names));
  for (size_t i = 0; i < m->count; ++i) {
    const char *name = xcXModelOpGetName(m->order[i]);
    if (used[xc_xmodel_rank(m->model, name)] || is_input(m->order[i]) ||
        is_constant(m->order[i]))
      continue;
    results->names[results->count] = name;
    results->values[results->count++] = *value_of(m, name);
  }
  free(used);
}

// Takes the names of results from the model's list, which the exporter writes
// where they are not those of operators.
static void rename_results(const xmodel_importer *m, result_list *results) {
  XcXModelAttr attr =
      xcXModelAttrsFind(xcXModelGetAttrs(m->model), "output_names");
  if (xcXModelAttrGetKind(attr) != XcXModelKindStringVec ||
      xcXModelAttrGetNumRows(attr) != results->count)
    return;
  for (size_t i = 0; i < results->count; ++i)
    results->names[i] = xcXModelAttrGetValue(attr, i, 0).data;
}

static bool return_results(xmodel_importer *m) {
  result_list results = {0};
  XcXModelAttr attr =
      xcXModelAttrsFind(xcXModelGetAttrs(m->model), "return_ops");
  bool ok = true;
  if (xcXModelAttrGetKind(attr) == XcXModelKindStringVec)
    ok = named_results(m, attr, &results);
  else
    found_results(m, &results);
  rename_results(m, &results);
  const char *name = xcXModelGetName(m->model);
  ok = ok && xc_graph_return(&m->graph, *name ? name : "main", results.values,
                             results.names, results.count);
  free(results.values);
  free(results.names);
  const char *preprocess =
      xcXModelAttrsGetString(xcXModelGetAttrs(m->model), XC_PREPROCESS);
  if (ok && preprocess)
    mlirOperationSetAttributeByName(
        m->graph.function, xc_ref(XC_PREPROCESS),
        mlirStringAttrGet(m->graph.context, xc_ref(preprocess)));
  return ok;
}

static bool import_model(xmodel_importer *m) {
  if (!xcXModelVerify(m->graph.diag, m->model))
    return false;
  for (size_t i = 0; i < xcXModelGetNumDpuSubgraphs(m->model); ++i) {
    size_t size;
    if (xcXModelAttrsGetBytes(
            xcXModelSubgraphGetAttrs(xcXModelGetDpuSubgraph(m->model, i)),
            "mc_code", &size))
      return xc_graph_error(&m->graph,
                            "the model is compiled; 'xc-translate "
                            "--xmodel-to-text' and 'xc-run' look into it");
  }
  if (m->graph.options.numInputs || m->graph.options.numOutputs)
    return xc_graph_error(&m->graph, "--inputs and --outputs cut ONNX and "
                                     "TensorFlow Lite models only");
  m->order = xc_xmodel_topological_order(m->model, &m->count);
  m->values = xc_alloc_array(m->count, sizeof(*m->values));
  m->only_shape = xc_alloc_array(m->count, sizeof(*m->only_shape));
  mark_shapes(m);
  return check_all(m) && build_all(m) && return_results(m);
}

MlirModule xcImportXModel(XcDiag *diag, MlirContext context, const char *path,
                          const void *data, size_t size,
                          const XcImportOptions *options) {
  xmodel_importer m = {.model = xcXModelReadFromMemory(diag, path, data, size)};
  if (!m.model)
    return (MlirModule){NULL};
  xc_graph_begin(&m.graph, diag, context, path, options);
  bool ok = import_model(&m);
  MlirModule module = xc_graph_end(&m.graph, ok);
  free(m.order);
  free(m.values);
  free(m.only_shape);
  xcXModelDestroy(m.model);
  return module;
}
