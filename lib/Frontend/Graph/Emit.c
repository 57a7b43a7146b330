//===- Emit.c - creation of operators -------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit.h"

#include "Fold.h"

#include "IR/IR.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

xc_builder xc_graph_builder(const xc_graph *graph, const char *name) {
  return xc_builder_at(
      &graph->builder,
      mlirLocationNameGet(
          graph->context, xc_ref(name),
          graph->whole
              ? mlirLocationNameGet(graph->context, xc_ref(graph->whole),
                                    mlirLocationUnknownGet(graph->context))
              : mlirLocationUnknownGet(graph->context)));
}

// Checks that integers fit their attributes: they must not be cut off.
static bool check_attributes(xc_graph *graph, const xc_attributes *attributes) {
  for (size_t i = 0; i < attributes->count; ++i) {
    const xc_attribute *a = &attributes->items[i];
    bool is_list = a->type == XC_ATTRIBUTE_INTS;
    size_t length = is_list ? a->count : a->type == XC_ATTRIBUTE_INT;
    for (size_t k = 0; k < length; ++k) {
      int64_t value = is_list ? a->ints[k] : a->number;
      if (value < INT32_MIN || value > INT32_MAX)
        return xc_graph_error(
            graph, "asks for '%s' of %" PRId64 ", which does not fit 32 bits",
            a->name, value);
    }
  }
  return true;
}

MlirValue xc_graph_build(xc_graph *graph, const char *name, xc_op_kind kind,
                         const MlirValue *operands, size_t num_operands,
                         const xc_attributes *attributes, xc_element element) {
  enum { MAX_ATTRIBUTES = 28 };
  xc_attribute all[MAX_ATTRIBUTES + 1];
  size_t count = attributes ? attributes->count : 0;
  assert(count <= MAX_ATTRIBUTES && "there is room for every operator's");
  if (xc_graph_failed(graph) || // an operand may be missing
      (attributes && !check_attributes(graph, attributes)))
    return (MlirValue){NULL};
  if (count)
    memcpy(all, attributes->items, count * sizeof(*all));
  all[count] = xc_string("op_name", name);
  const xc_builder builder = xc_graph_builder(graph, name);
  return xc_build(&builder, kind, operands, num_operands, all, count + 1,
                  element);
}

MlirValue xc_graph_emit(xc_graph *graph, const char *part, xc_op_kind kind,
                        const MlirValue *operands, size_t num_operands,
                        const xc_attributes *attributes, xc_element element) {
  xc_text name = {0};
  xc_text_puts(&name, graph->node);
  if (part)
    xc_text_printf(&name, "/%s", part);
  MlirValue value = xc_graph_build(graph, xc_text_str(&name), kind, operands,
                                   num_operands, attributes, element);
  xc_text_free(&name);
  return value;
}

MlirValue xc_graph_emit_binary(xc_graph *graph, const char *part,
                               xc_op_kind kind, MlirValue a, MlirValue b) {
  MlirValue operands[] = {a, b};
  return xc_graph_emit(graph, part, kind, operands, mlirValueIsNull(b) ? 1 : 2,
                       NULL, XC_ELEMENT_NONE);
}

MlirValue xc_graph_emit_with(xc_graph *graph, const char *part, xc_op_kind kind,
                             MlirValue a, double number) {
  xc_shape shape;
  if (mlirValueIsNull(a))
    return a;
  xc_shape_of_type(mlirValueGetType(a), &shape);
  return xc_graph_emit_binary(
      graph, part, kind, a, xc_graph_emit_number(graph, number, shape.element));
}

MlirValue xc_graph_emit_custom(xc_graph *graph, const char *type,
                               const MlirValue *operands, size_t num_operands,
                               MlirAttribute payload, const xc_shape *shape) {
  size_t most = xc_op_info_get(XC_DIALECT_TIR, XC_TIR_CUSTOM)->num_operands;
  if (num_operands > most)
    xc_graph_error(graph,
                   "it is a custom operator with %zu inputs, at most %zu are "
                   "possible",
                   num_operands, most);
  if (xc_graph_failed(graph))
    return (MlirValue){NULL};
  const xc_attribute attributes[] = {xc_string("op_name", graph->node),
                                     xc_string("op_type", type),
                                     xc_given("payload", payload)};
  const xc_builder builder = xc_graph_builder(graph, graph->node);
  return xc_build_shaped(&builder, XC_TIR_CUSTOM, operands, num_operands,
                         attributes, 3, shape);
}

MlirValue xc_graph_emit_cast(xc_graph *graph, const char *part, MlirValue value,
                             xc_element element) {
  return xc_graph_emit(graph, part, XC_TIR_CAST, &value, 1, NULL, element);
}

static MlirValue emit_scalar(xc_graph *graph, xc_graph_number number,
                             xc_element element) {
  uint8_t *data = xc_arena_alloc(&graph->arena, 1, 8);
  xc_graph_store(element, data, 0, number);
  xc_shape shape = {.element = element};
  return xc_graph_get_plain(
      graph, xc_graph_constant(graph, graph->node, &shape, data, false));
}

MlirValue xc_graph_emit_number(xc_graph *graph, double number,
                               xc_element element) {
  return emit_scalar(graph, (xc_graph_number){.is_float = true, .real = number},
                     element);
}

MlirValue xc_graph_emit_reverse(xc_graph *graph, const char *part,
                                MlirValue x) {
  xc_shape shape;
  if (mlirValueIsNull(x))
    return x;
  xc_shape_of_type(mlirValueGetType(x), &shape);
  if (xc_element_is_float(shape.element))
    return xc_graph_emit_binary(graph, part, XC_TIR_NEG, x, (MlirValue){NULL});
  // All bits set: -1, or the largest.
  MlirValue ones =
      emit_scalar(graph, (xc_graph_number){.integer = -1}, shape.element);
  return xc_graph_emit_binary(graph, part, XC_TIR_SUB, ones, x);
}
