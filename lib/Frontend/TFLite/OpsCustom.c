//===- OpsCustom.c - operators that have a name only ----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FlexBuffer.h"
#include "Importer.h"

#include "IR/IR.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <inttypes.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Operators that xc has no meaning for
//===----------------------------------------------------------------------===//

static MlirAttribute payload_entry(MlirContext context,
                                   const xc_flex_value *value) {
  switch (value->kind) {
  case XC_FLEX_OTHER:
    break;
  case XC_FLEX_INT:
    return mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), value->integer);
  case XC_FLEX_BOOL:
    return mlirBoolAttrGet(context, value->integer != 0);
  case XC_FLEX_REAL:
    return mlirFloatAttrDoubleGet(context, mlirF32TypeGet(context),
                                  value->real);
  case XC_FLEX_STRING:
    return mlirStringAttrGet(context,
                             mlirStringRefCreate(value->string, value->length));
  }
  return (MlirAttribute){NULL};
}

// Returns the map of the options as a dictionary, or the bytes as they are
// where they are no map.
static MlirAttribute payload_of(xc_tflite_context *c, size_t output) {
  enum { OWN = 2 };
  const xc_tflite_operator *op = c->operator;
  MlirContext context = c->importer->graph.context;
  xc_flex_map map;
  bool is_map = xc_flex_open(op->custom_options, op->custom_size, &map);
  MlirNamedAttribute *entries = xc_arena_alloc(
      &c->importer->graph.arena, map.count + OWN, sizeof(*entries));
  intptr_t count = 0;
  if (!is_map)
    entries[count++] =
        xc_named(context, "custom_options",
                 mlirDenseI8ArrayGet(context, (intptr_t)op->custom_size,
                                     (const int8_t *)op->custom_options));
  entries[count++] = xc_named(
      context, "output_index",
      mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), (int64_t)output));
  for (size_t i = 0; i < map.count; ++i) {
    const char *key = xc_flex_key(&map, i);
    xc_flex_value value = xc_flex_get(&map, i);
    MlirAttribute entry = payload_entry(context, &value);
    bool is_new = key && *key && !mlirAttributeIsNull(entry);
    for (intptr_t k = 0; is_new && k < count; ++k)
      is_new = !xc_ref_is(mlirIdentifierStr(entries[k].name), key);
    if (is_new)
      entries[count++] = xc_named(context, key, entry);
  }
  return mlirDictionaryAttrGet(context, count, entries);
}

bool xc_tflite_custom(xc_tflite_context *c) {
  const xc_tflite_operator *op = c->operator;
  xc_graph *graph = &c->importer->graph;
  MlirValue *operands =
      xc_arena_alloc(&graph->arena, op->num_inputs + 1, sizeof(*operands));
  size_t count = 0;
  for (size_t i = 0; i < op->num_inputs; ++i)
    if (xc_tflite_has_input(c, i))
      operands[count++] = xc_tflite_value(c, i);
  for (size_t i = 0; i < op->num_outputs; ++i) {
    const xc_tflite_tensor *tensor = xc_tflite_output(c, i);
    xc_shape shape = {.element = tensor->element, .rank = tensor->rank};
    memcpy(shape.dims, tensor->dims, sizeof(shape.dims));
    bool is_given;
    if (!xc_graph_input_shape(graph, tensor->name, &shape, &is_given))
      return false;
    for (size_t d = 0; d < shape.rank; ++d)
      if (shape.dims[d] < 1)
        return xc_tflite_error(c,
                               "output '%s' has size %" PRId64
                               " in dimension %zu; give its shape with "
                               "--input-shape",
                               tensor->name, shape.dims[d], d);
    xc_tflite_select_output(c, i);
    if (!xc_tflite_set(c, i,
                       xc_graph_emit_custom(graph, op->custom, operands, count,
                                            payload_of(c, i), &shape)))
      return false;
  }
  return true;
}
