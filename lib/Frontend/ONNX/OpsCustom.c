//===- OpsCustom.c - operators that xc has no meaning for -----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include "IR/IR.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// AttributeProto.type.
typedef enum attribute_type {
  TYPE_FLOAT = 1,
  TYPE_INT = 2,
  TYPE_STRING = 3,
  TYPE_FLOATS = 6,
  TYPE_INTS = 7,
  TYPE_STRINGS = 8,
} attribute_type;

static MlirAttribute string_of(MlirContext context, ProtobufCBinaryData bytes) {
  return mlirStringAttrGet(
      context, mlirStringRefCreate((const char *)bytes.data, bytes.len));
}

static MlirAttribute strings_of(MlirContext context,
                                const Onnx__AttributeProto *a) {
  MlirAttribute *entries = xc_alloc_array(a->n_strings, sizeof(*entries));
  for (size_t i = 0; i < a->n_strings; ++i)
    entries[i] = string_of(context, a->strings[i]);
  MlirAttribute array =
      mlirArrayAttrGet(context, (intptr_t)a->n_strings, entries);
  free(entries);
  return array;
}

// Returns null after an error.
static MlirAttribute payload_entry(xc_onnx_importer *im,
                                   const Onnx__AttributeProto *a) {
  MlirContext context = im->graph.context;
  switch (a->type) {
  case TYPE_FLOAT:
    return mlirFloatAttrDoubleGet(context, mlirF32TypeGet(context),
                                  (double)a->f);
  case TYPE_INT:
    return mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), a->i);
  case TYPE_STRING:
    return string_of(context, a->s);
  case TYPE_FLOATS:
    return mlirDenseF32ArrayGet(context, (intptr_t)a->n_floats, a->floats);
  case TYPE_INTS:
    return mlirDenseI64ArrayGet(context, (intptr_t)a->n_ints, a->ints);
  case TYPE_STRINGS:
    return strings_of(context, a);
  default:
    xc_onnx_error(im,
                  "attribute '%s' is neither numbers nor text (type %" PRId32
                  "), which an operator of the host cannot have",
                  a->name, a->type);
    return (MlirAttribute){NULL};
  }
}

static MlirAttribute payload_of(xc_onnx_importer *im, size_t output) {
  const Onnx__NodeProto *node = im->node;
  MlirContext context = im->graph.context;
  MlirNamedAttribute *entries =
      xc_arena_alloc(&im->graph.arena, node->n_attribute + 1, sizeof(*entries));
  intptr_t count = 0;
  for (size_t i = 0; i < node->n_attribute; ++i) {
    const Onnx__AttributeProto *a = node->attribute[i];
    MlirAttribute value = payload_entry(im, a);
    if (mlirAttributeIsNull(value))
      return value;
    if (xc_onnx_attribute(im, a->name) == a) // the first of that name
      entries[count++] = xc_named(context, a->name, value);
  }
  if (node->n_output > 1 && !xc_onnx_attribute(im, "output_index"))
    entries[count++] = xc_named(
        context, "output_index",
        mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), (int64_t)output));
  return mlirDictionaryAttrGet(context, count, entries);
}

// One operator for each result, since operators have one.
static bool add_result(xc_onnx_importer *im, size_t output,
                       const MlirValue *operands, size_t num_operands) {
  xc_shape shape;
  MlirAttribute payload = payload_of(im, output);
  if (mlirAttributeIsNull(payload) ||
      !xc_onnx_declared_output(im, im->node->output[output], &shape))
    return false;
  xc_text type = {0};
  xc_text_printf(&type, "%s%s%s", im->node->domain,
                 *im->node->domain ? "." : "", im->node->op_type);
  MlirValue value = xc_graph_emit_custom(
      &im->graph, xc_text_str(&type), operands, num_operands, payload, &shape);
  xc_text_free(&type);
  return xc_onnx_result_plain(im, output, value);
}

bool xc_onnx_custom(xc_onnx_importer *im) {
  size_t count = 0;
  MlirValue *operands = xc_arena_alloc(
      &im->graph.arena, xc_onnx_num_inputs(im) + 1, sizeof(*operands));
  for (size_t i = 0; i < xc_onnx_num_inputs(im); ++i)
    if (xc_onnx_has_input(im, i))
      operands[count++] = xc_graph_get_plain(&im->graph, xc_onnx_input(im, i));
  for (size_t i = 0; i < im->node->n_output; ++i)
    if (xc_onnx_has_output(im, i) && !add_result(im, i, operands, count))
      return false;
  return true;
}
