//===- Module.c - the module of a front end -------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit.h"
#include "Value.h"

#include "IR/Function.h"
#include "IR/IR.h"

#include "Support/Diag.h"
#include "Support/Memory.h"
#include "xc-c/Dialects.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Func.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool xc_graph_failed(const xc_graph *graph) {
  return graph->goes_on ? graph->node_failed
                        : graph->diag->numErrors != graph->errors_before;
}

static void report(xc_graph *graph, XcSeverity severity, const char *format,
                   va_list arguments) {
  xc_text text = {0};
  if (graph->what.length)
    xc_text_printf(&text, "%s: ", xc_text_str(&graph->what));
  xc_text_vprintf(&text, format, arguments);
  xcDiagReport(graph->diag, severity,
               (XcPlace){graph->file, graph->line, graph->column}, "%s",
               xc_text_str(&text));
  xc_text_free(&text);
}

bool xc_graph_error(xc_graph *graph, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  if (!xc_graph_failed(graph))
    report(graph, XcSeverityError, format, arguments);
  va_end(arguments);
  graph->node_failed = true;
  return false;
}

void xc_graph_report(xc_graph *graph, XcSeverity severity, const char *format,
                     ...) {
  va_list arguments;
  va_start(arguments, format);
  report(graph, severity, format, arguments);
  va_end(arguments);
}

void xc_graph_enter(xc_graph *graph, const char *name, const char *format,
                    ...) {
  graph->node = name;
  graph->whole = NULL;
  graph->what.length = 0;
  graph->line = graph->column = 0;
  graph->node_failed = false;
  va_list arguments;
  va_start(arguments, format);
  xc_text_vprintf(&graph->what, format, arguments);
  va_end(arguments);
}

enum { MAX_DISPLAY = 64, MAX_COMPONENTS = 6 };

// The first of names with ';' between them, or a path that is too long.
static const char *first_name(xc_graph *graph, const char *name) {
  const char *end = strchr(name, ';');
  size_t length = end ? (size_t)(end - name) : strlen(name);
  return end || length > MAX_DISPLAY
             ? xc_arena_string(&graph->arena, name, length)
             : NULL;
}

// So many components from the end; null when there are not as many.
static const char *last_components(const char *name, size_t count) {
  const char *at = name + strlen(name);
  while (at > name && count > 0)
    count -= *--at == '/';
  return count > 1 ? NULL : *at == '/' ? at + 1 : at;
}

void xc_graph_display_names(xc_graph *graph, const char **names, size_t count) {
  const char **first = xc_arena_alloc(&graph->arena, count + 1, sizeof(*first));
  for (size_t i = 0; i < count; ++i) {
    first[i] = first_name(graph, names[i]);
    for (size_t k = 1; k <= MAX_COMPONENTS; ++k) {
      const char *end = last_components(first[i] ? first[i] : names[i], k);
      if (end && *end)
        ++xc_graph_mark(graph, end)->displays;
    }
  }
  for (size_t i = 0; i < count; ++i)
    for (size_t k = 1; first[i] && k <= MAX_COMPONENTS; ++k) {
      const char *end = last_components(first[i], k);
      if (end && *end && xc_graph_marks_of(graph, end).displays == 1) {
        names[i] = end;
        break;
      }
    }
}

void xc_graph_leave(xc_graph *graph) {
  graph->node = NULL;
  graph->whole = NULL;
  graph->what.length = 0;
  graph->line = graph->column = 0;
  graph->goes_on = false;
}

static void append(MlirStringRef piece, void *text) {
  xc_text_append(text, piece.data, piece.length);
}

// Forwards errors that verifier and shape rules report while operators are
// built.
static MlirLogicalResult forward(MlirDiagnostic diagnostic, void *graph) {
  if (mlirDiagnosticGetSeverity(diagnostic) != MlirDiagnosticError)
    return mlirLogicalResultSuccess();
  xc_text text = {0};
  mlirDiagnosticPrint(diagnostic, append, &text);
  xc_graph_error(graph, "%s", xc_text_str(&text));
  xc_text_free(&text);
  return mlirLogicalResultSuccess();
}

static void make_function(xc_graph *graph) {
  MlirContext context = graph->context;
  MlirLocation location = mlirLocationUnknownGet(context);
  graph->module = mlirModuleCreateEmpty(location);
  graph->block = mlirBlockCreate(0, NULL, NULL);
  // The real name and type come when they are known.
  graph->function = xc_function_create(
      location, "main", NULL, mlirFunctionTypeGet(context, 0, NULL, 0, NULL),
      graph->block, NULL, 0);
  mlirBlockAppendOwnedOperation(mlirModuleGetBody(graph->module),
                                graph->function);
  graph->builder = xc_builder_at_end(graph->block);
}

void xc_graph_begin(xc_graph *graph, XcDiag *diag, MlirContext context,
                    const char *file, const XcImportOptions *options) {
  *graph = (xc_graph){.diag = diag,
                      .file = file,
                      .context = context,
                      .errors_before = diag->numErrors};
  if (options)
    graph->options = *options;
  graph->handler =
      mlirContextAttachDiagnosticHandler(context, forward, graph, NULL);
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__func__(), context);
  // A context with foreign dialects of our names has been reported by now.
  (void)xcRegisterDialects(context);
  make_function(graph);
}

// The name of an option "NAME=value" ends at the last '='.
static size_t name_length(const char *option) {
  const char *equals = strrchr(option, '=');
  return equals ? (size_t)(equals - option) : strlen(option);
}

static bool names(const char *option, const char *name) {
  size_t length = name_length(option);
  return strlen(name) == length && memcmp(option, name, length) == 0;
}

bool xc_graph_parse_dims(const char *text, xc_shape *shape) {
  const int64_t largest = INT32_MAX;
  shape->rank = 0;
  if (*text == '\0')
    return true; // a scalar
  for (;;) {
    int64_t size = 0;
    if (*text < '0' || *text > '9' || shape->rank == XC_MAX_RANK)
      return false;
    for (; *text >= '0' && *text <= '9'; ++text) {
      size = 10 * size + (*text - '0');
      if (size > largest)
        return false;
    }
    shape->dims[shape->rank++] = size;
    if (size == 0)
      return false;
    if (*text == '\0')
      return true;
    if (*text++ != 'x')
      return false;
  }
}

// Takes the shape from `name=1x2` if it is that name's.
static bool take_shape(xc_graph *graph, const char *option, const char *name,
                       xc_shape *shape, bool *given) {
  size_t length = name_length(option);
  if (option[length] == '\0' && xc_graph_parse_dims(option, shape))
    return xc_graph_error(graph,
                          "input shape '%s' does not say of what, expected "
                          "'%s=%s'",
                          option, name, option);
  if (!names(option, name))
    return true;
  if (option[length] == '\0' ||
      !xc_graph_parse_dims(option + length + 1, shape))
    return xc_graph_error(graph,
                          "input shape '%s' has the wrong form, expected "
                          "for example '%s=1x224x224x3' with at most %d "
                          "dimensions from 1 to 2147483647",
                          option, name, XC_MAX_RANK);
  *given = true;
  xc_graph_mark(graph, name)->is_shaped = true;
  return true;
}

// An entry of --inputs is names with commas, each with a shape or without.
static bool take_shapes(xc_graph *graph, const char *list, const char *name,
                        xc_shape *shape, bool *given) {
  for (const char *rest = list; rest;) {
    const char *comma = strchr(rest, ',');
    size_t length = comma ? (size_t)(comma - rest) : strlen(rest);
    const char *entry = xc_arena_string(&graph->arena, rest, length);
    if (strchr(entry, '=') && !take_shape(graph, entry, name, shape, given))
      return false;
    rest = comma ? comma + 1 : NULL;
  }
  return true;
}

bool xc_graph_input_shape(xc_graph *graph, const char *name, xc_shape *shape,
                          bool *given) {
  const XcImportOptions *options = &graph->options;
  *given = false;
  for (size_t i = 0; i < options->numInputs; ++i)
    if (!take_shapes(graph, options->inputs[i], name, shape, given))
      return false;
  for (size_t i = 0; i < options->numInputShapes; ++i)
    if (!take_shape(graph, options->inputShapes[i], name, shape, given))
      return false;
  return true;
}

MlirValue xc_graph_argument(xc_graph *graph, const char *name,
                            const xc_shape *shape) {
  xc_grow((void **)&graph->input_names, &graph->input_capacity,
          graph->num_inputs + 1, sizeof(*graph->input_names));
  graph->input_names[graph->num_inputs++] =
      mlirStringAttrGet(graph->context, xc_ref(name));
  return mlirBlockAddArgument(graph->block,
                              xc_type_of_shape(graph->context, shape),
                              xc_graph_builder(graph, name).location);
}

// An option for an input that the model does not have is a mistake.
static bool check_option(xc_graph *graph, const char *option) {
  xc_text inputs = {0};
  const char *shaped =
      xc_arena_string(&graph->arena, option, name_length(option));
  if (xc_graph_marks_of(graph, shaped).is_shaped)
    return true;
  for (size_t i = 0; i < graph->num_inputs; ++i) {
    MlirStringRef name = mlirStringAttrGetValue(graph->input_names[i]);
    xc_text_printf(&inputs, "%s'%.*s'", i ? ", " : "", (int)name.length,
                   name.data);
  }
  xc_graph_error(graph, "input shape '%s' names no input; there %s %s", option,
                 graph->num_inputs == 1 ? "is" : "are",
                 graph->num_inputs ? xc_text_str(&inputs) : "none");
  xc_text_free(&inputs);
  return false;
}

static void set_attribute(const xc_graph *graph, const char *name,
                          MlirAttribute value) {
  mlirOperationSetAttributeByName(graph->function, xc_ref(name), value);
}

static void set_type(xc_graph *graph, const MlirValue *results, size_t count) {
  size_t num_inputs = graph->num_inputs;
  MlirType *types = xc_alloc_array(num_inputs + count, sizeof(*types));
  for (size_t i = 0; i < num_inputs; ++i)
    types[i] =
        mlirValueGetType(mlirBlockGetArgument(graph->block, (intptr_t)i));
  for (size_t i = 0; i < count; ++i)
    types[num_inputs + i] = mlirValueGetType(results[i]);
  set_attribute(graph, "function_type",
                mlirTypeAttrGet(mlirFunctionTypeGet(
                    graph->context, (intptr_t)num_inputs, types,
                    (intptr_t)count, types + num_inputs)));
  free(types);
}

static MlirAttribute name_array(const xc_graph *graph,
                                const char *const *strings, size_t count) {
  MlirAttribute *entries = xc_alloc_array(count, sizeof(*entries));
  for (size_t i = 0; i < count; ++i)
    entries[i] = mlirStringAttrGet(graph->context, xc_ref(strings[i]));
  MlirAttribute array =
      mlirArrayAttrGet(graph->context, (intptr_t)count, entries);
  free(entries);
  return array;
}

bool xc_graph_return(xc_graph *graph, const char *function,
                     const MlirValue *results, const char *const *result_names,
                     size_t count) {
  for (size_t i = 0; i < graph->options.numInputShapes; ++i)
    if (!check_option(graph, graph->options.inputShapes[i]))
      return false;
  MlirContext context = graph->context;
  set_attribute(graph, "sym_name",
                mlirStringAttrGet(context, xc_ref(function)));
  set_attribute(graph, "input_names",
                mlirArrayAttrGet(context, (intptr_t)graph->num_inputs,
                                 graph->input_names));
  set_attribute(graph, "input_num",
                mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64),
                                   (int64_t)graph->num_inputs));
  set_attribute(graph, "output_names", name_array(graph, result_names, count));
  set_type(graph, results, count);
  xc_build_return(&graph->builder, results, count);
  return true;
}

MlirModule xc_graph_end(xc_graph *graph, bool ok) {
  assert((ok || xc_graph_failed(graph)) && "a failure has been reported");
  mlirContextDetachDiagnosticHandler(graph->context, graph->handler);
  free(graph->input_names);
  free(graph->names);
  xc_text_free(&graph->what);
  xc_arena_free(&graph->arena);
  if (ok && !xc_graph_failed(graph))
    return graph->module;
  mlirModuleDestroy(graph->module);
  return (MlirModule){NULL};
}
