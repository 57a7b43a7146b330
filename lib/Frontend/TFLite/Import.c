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

// The rows stand by number without a gap.
static const operator_row *find_row(int64_t code) {
  return code >= 0 && code < NUM_ROWS ? &rows[code] : NULL;
}

//===----------------------------------------------------------------------===//
// Unsupported operators
//===----------------------------------------------------------------------===//

static void print_operator(const xc_tflite_operator *op, xc_text *text) {
  const operator_row *row = find_row(op->code);
  if (!row)
    xc_text_printf(text, "operator number %" PRId64, op->code);
  else if (op->code == XC_TFL_CUSTOM)
    xc_text_printf(text, "CUSTOM '%s'", op->custom);
  else
    xc_text_puts(text, row->name);
}

static int compare_operators(const void *a, const void *b) {
  const xc_tflite_operator *x = *(const xc_tflite_operator *const *)a;
  const xc_tflite_operator *y = *(const xc_tflite_operator *const *)b;
  if (x->code != y->code)
    return x->code < y->code ? -1 : 1;
  return x->code == XC_TFL_CUSTOM ? strcmp(x->custom, y->custom) : 0;
}

// Names all operators that cannot be imported at once, each with its count.
static bool check_operators(xc_tflite_importer *im) {
  const xc_tflite_operator **missing =
      xc_arena_alloc(&im->arena, im->model.num_operators, sizeof(*missing));
  size_t count = 0;
  for (size_t i = 0; i < im->model.num_operators; ++i) {
    const operator_row *row = find_row(im->model.operators[i].code);
    if (!row || !row->import)
      missing[count++] = &im->model.operators[i];
  }
  if (count == 0)
    return true;
  qsort(missing, count, sizeof(*missing), compare_operators);
  xc_text list = {0};
  for (size_t i = 0, next; i < count; i = next) {
    for (next = i + 1; next < count; ++next)
      if (compare_operators(&missing[i], &missing[next]) != 0)
        break;
    xc_text_puts(&list, i ? ", " : "");
    print_operator(missing[i], &list);
    if (next - i > 1)
      xc_text_printf(&list, " (%zu times)", next - i);
  }
  xc_import_error(&im->base,
                  "the model has operators that xc cannot import: %s",
                  xc_text_str(&list));
  xc_text_free(&list);
  return false;
}

//===----------------------------------------------------------------------===//
// Inputs and outputs of the model
//===----------------------------------------------------------------------===//

static bool check_element(xc_tflite_importer *im,
                          const xc_tflite_tensor *tensor) {
  if (tensor->refused)
    return xc_import_error(&im->base, "tensor '%s' %s, which xc cannot read",
                           tensor->name, tensor->refused);
  if (tensor->element != XC_ELEMENT_NONE)
    return true;
  return xc_import_error(&im->base,
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
  xc_import_error(&im->base,
                  "input '%s' has the shape %s, whose dimension %zu is "
                  "dynamic; give it with --input-shape='%s=...'",
                  tensor->name, xc_text_str(&shape), dim, tensor->name);
  xc_text_free(&shape);
  return false;
}

static bool import_argument(xc_tflite_importer *im, int32_t index) {
  const xc_tflite_tensor *tensor = &im->model.tensors[index];
  if (!mlirValueIsNull(im->values[index]))
    return xc_import_error(&im->base, "input '%s' stands there twice",
                           tensor->name);
  xc_shape shape = {.element = tensor->element, .rank = tensor->rank};
  memcpy(shape.dims, tensor->dims, sizeof(shape.dims));
  bool given;
  if (!check_element(im, tensor) ||
      !xc_import_input_shape(&im->base, tensor->name, &shape, &given))
    return false;
  im->reshaped |= given;
  for (size_t i = 0; i < shape.rank; ++i) {
    if (shape.dims[i] < 0)
      return dynamic_error(im, tensor, i);
    if (shape.dims[i] == 0)
      return xc_import_error(
          &im->base, "input '%s' has size 0 in dimension %zu", tensor->name, i);
  }
  // Too many bytes to count makes a type that nothing can hold.
  xc_shape checked;
  if (!xc_shape_of_type(xc_type_of_shape(im->base.context, &shape), &checked))
    return xc_import_error(&im->base, "input '%s' is too large", tensor->name);
  im->values[index] = xc_import_argument(&im->base, tensor->name, &shape);
  return true;
}

static bool import_results(xc_tflite_importer *im) {
  size_t count = im->model.num_outputs;
  if (count == 0)
    return xc_import_error(&im->base, "the model has no output");
  MlirValue *results = xc_arena_alloc(&im->arena, count, sizeof(*results));
  const char **names = xc_arena_alloc(&im->arena, count, sizeof(*names));
  // An operator without a kind that gives the model's results as inputs.
  const xc_tflite_operator end = {.inputs = im->model.outputs,
                                  .num_inputs = count};
  xc_tflite_context c = {im, &end, "output"};
  for (size_t i = 0; i < count; ++i) {
    names[i] = im->model.tensors[im->model.outputs[i]].name;
    if (!check_element(im, xc_tflite_input(&c, i)))
      return false;
    results[i] = xc_tflite_value(&c, i);
    if (mlirValueIsNull(results[i]))
      return false;
  }
  return xc_import_return(&im->base, *im->model.name ? im->model.name : "main",
                          results, names, count);
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
    return xc_tflite_error(c, "has %zu outputs, expected %s", op->num_outputs,
                           row->results ? "1" : "1 or more");
  if (row->options && op->options_type && op->options_type != row->options)
    return xc_tflite_error(c, "has options of type %u, expected type %u",
                           op->options_type, row->options);
  return true;
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
    if (tensor->data || !mlirValueIsNull(c->importer->values[op->outputs[i]]))
      return xc_tflite_error(c,
                             "output '%s' is a constant, an input of the model "
                             "or written twice",
                             tensor->name);
  }
  return true;
}

static bool import_operator(xc_tflite_importer *im, size_t index) {
  const xc_tflite_operator *op = &im->model.operators[index];
  const operator_row *row = find_row(op->code);
  xc_tflite_context c = {im, op, row->name};
  im->base.what.length = 0;
  xc_text_printf(&im->base.what, "operator %zu %s", index, row->name);
  if (op->num_outputs)
    xc_text_printf(&im->base.what, " '%s'", xc_tflite_output(&c, 0)->name);
  if (!check_counts(&c, row) || !check_tensors(&c))
    return false;
  bool folded = false;
  bool ok = xc_tflite_fold(&c, &folded) && (folded || row->import(&c));
  return ok && !im->buffer.failed;
}

static bool import_model(xc_tflite_importer *im) {
  xc_fb_table root;
  if (im->base.options.numBinds != 0)
    return xc_import_error(&im->base,
                           "'%s' cannot be bound: inputs of TensorFlow Lite "
                           "models stay inputs",
                           im->base.options.binds[0]);
  if (!xc_fb_open(&im->buffer, im->base.diag, im->base.file, im->buffer.data,
                  im->buffer.size, "TFL3", &root) ||
      !xc_tflite_read(&im->buffer, &root, &im->arena, &im->model) ||
      !check_operators(im))
    return false;
  im->values =
      xc_arena_alloc(&im->arena, im->model.num_tensors, sizeof(*im->values));
  for (size_t i = 0; i < im->model.num_inputs; ++i)
    if (!import_argument(im, im->model.inputs[i]))
      return false;
  for (size_t i = 0; i < im->model.num_operators; ++i)
    if (!import_operator(im, i))
      return false;
  im->base.what.length = 0;
  return import_results(im);
}

MlirModule xcImportTflite(XcDiag *diag, MlirContext context, const char *name,
                          const void *data, size_t size,
                          const XcImportOptions *options) {
  enum { CONSTANT_FACTOR = 16, CONSTANT_LEAST = 1 << 16 };
  xc_tflite_importer im = {.buffer = {.data = data, .size = size}};
  im.constant_budget = CONSTANT_LEAST + (size < SIZE_MAX / CONSTANT_FACTOR / 2
                                             ? CONSTANT_FACTOR * size
                                             : SIZE_MAX / 2);
  xc_import_begin(&im.base, diag, context, name, options);
  bool ok = import_model(&im);
  MlirModule module = xc_import_end(&im.base, ok);
  xc_arena_free(&im.arena);
  return module;
}
