//===- Report.c - what quantisation costs ---------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "Comparison.h"

#include "IR/IR.h"
#include "Support/File.h"
#include "Support/Text.h"
#include "Transforms/Quantize/FastKernels/Interpreter.h"
#include "Transforms/Quantize/Function/Kinds.h"
#include "dialects/Emit.h"
#include "dialects/Macs.h"
#include "xc-c/Interpreter.h"

#include <assert.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static MlirStringRef list_entry(const xc_quantizer *q, const char *list,
                                size_t index) {
  return xc_quantize_list_entry(q->function, list, index);
}

static MlirOperation maker_of(const xc_quantize_value *value) {
  return mlirOpResultGetOwner(value->fixed);
}

/// Returns the producer of a value, seen through moves in front of its
/// rounding. Returns null if that is an argument, whose number is set.
static MlirOperation source_of(const xc_quantizer *q, size_t *index) {
  for (;;) {
    const xc_quantize_value *value = &q->values[*index];
    if (*index < q->num_arguments)
      return (MlirOperation){NULL};
    MlirOperation op = mlirOpResultGetOwner(value->reference);
    const xc_op_info *info = xc_op_info_of(op);
    const xc_quantize_value *read =
        info && xc_quantize_is_move(info->kind)
            ? xc_pointer_map_get(&q->references,
                                 mlirOperationGetOperand(op, 0).ptr)
            : NULL;
    if (!read)
      return op;
    *index = (size_t)(read - q->values);
  }
}

MlirStringRef xc_quantize_name(const xc_quantizer *q, size_t index) {
  const xc_quantize_value *value = &q->values[index];
  MlirOperation op = value->replaced ? maker_of(value) : source_of(q, &index);
  if (mlirOperationIsNull(op))
    return list_entry(q, "input_names", index);
  MlirStringRef name = xc_op_given_name(op);
  return name.data ? name : xc_ref("");
}

const char *xc_quantize_operator(const xc_quantize_value *value) {
  return xc_op_info_of(maker_of(value))->mnemonic;
}

static void print_decibel(double value, xc_text *text) {
  if (isinf(value))
    xc_text_printf(text, "%8s", "exact");
  else
    xc_text_printf(text, "%8.2f", value);
}

static void print_row(xc_text *text, const char *kind, const char *point,
                      const xc_quantize_error *sum, MlirStringRef name) {
  xc_text_printf(text, "%-32s %5s ", kind, point);
  print_decibel(xc_quantize_decibel(sum), text);
  xc_text_printf(text, " %12.6g  %.*s\n", sum->largest, (int)name.length,
                 name.data);
}

static char *make_table(const xc_quantize_comparison *r) {
  xc_text text = {0};
  xc_text_printf(&text, "%-32s %5s %8s %12s  %s\n", "operator", "point",
                 "SQNR dB", "max error", "tensor");
  for (size_t i = 0; i < r->q->num_values; ++i) {
    const xc_quantize_value *value = &r->q->values[i];
    char point[16];
    if (mlirValueIsNull(value->fixed))
      continue;
    snprintf(point, sizeof(point), "%d", value->point);
    print_row(&text, xc_quantize_operator(value), point, &r->errors[i],
              xc_quantize_name(r->q, i));
  }
  for (size_t i = 0; i < r->num_results; ++i) {
    const xc_quantize_result *row = &r->results[i];
    MlirStringRef name = list_entry(r->q, "output_names", i);
    if (row->has_indices)
      xc_text_printf(&text, "%-38s %7.2f%% %12s  %.*s\n", "equal indices",
                     xc_quantize_share(r, row->equal), "", (int)name.length,
                     name.data);
    else
      print_row(&text, "end to end", "", &row->error, name);
  }
  return text.data;
}

static json_t *row_json(const xc_quantize_error *sum, MlirStringRef name) {
  double decibel = xc_quantize_decibel(sum);
  return json_pack("{ss% so sf}", "tensor", name.data, name.length, "sqnr_db",
                   isinf(decibel) ? json_null() : json_real(decibel),
                   "max_error", isfinite(sum->largest) ? sum->largest : -1.0);
}

static char *make_json(const xc_quantize_comparison *r) {
  json_t *tensors = json_array(), *outputs = json_array();
  for (size_t i = 0; i < r->q->num_values; ++i) {
    const xc_quantize_value *value = &r->q->values[i];
    if (mlirValueIsNull(value->fixed))
      continue;
    json_t *row = row_json(&r->errors[i], xc_quantize_name(r->q, i));
    if (row) {
      json_object_set_new(row, "operator",
                          json_string(xc_quantize_operator(value)));
      json_object_set_new(row, "fix_point", json_integer(value->point));
    }
    json_array_append_new(tensors, row);
  }
  for (size_t i = 0; i < r->num_results; ++i) {
    json_t *row =
        row_json(&r->results[i].error, list_entry(r->q, "output_names", i));
    if (row && r->results[i].has_scores)
      json_object_set_new(row, "same_largest",
                          json_integer((json_int_t)r->results[i].agreed));
    if (row && r->results[i].has_indices)
      json_object_set_new(row, "equal",
                          json_real(xc_quantize_share(r, r->results[i].equal)));
    if (row && r->from_model[i].has_scores)
      json_object_set_new(row, "same_largest_as_model",
                          json_integer((json_int_t)r->from_model[i].agreed));
    json_array_append_new(outputs, row);
  }
  json_t *root = json_pack("{sI so so}", "samples", (json_int_t)r->num_samples,
                           "tensors", tensors, "outputs", outputs);
  char *text = root ? json_dumps(root, JSON_INDENT(1)) : NULL;
  json_decref(root);
  return text;
}

static void report_at_function(void *user, XcSeverity severity, XcPlace place,
                               const char *message) {
  xc_quantizer *q = user;
  (void)severity;
  (void)place;
  xc_op_error(q->function, "%s", message);
}

static bool write_report(xc_quantize_comparison *r, const char *path) {
  size_t length = strlen(path);
  bool json = length > 5 && strcmp(path + length - 5, ".json") == 0;
  char *text = json ? make_json(r) : make_table(r);
  assert(text); // names have lost what is not UTF-8
  XcDiag diag = {report_at_function, r->q, 0};
  bool ok = true;
  if (strcmp(path, "-") == 0)
    fputs(text, stderr);
  else
    ok = xc_write_file(&diag, path, text, strlen(text));
  free(text);
  return ok;
}

// Nothing is fine, and stays null.
static bool open_function(MlirOperation function, XcInterpreter **result) {
  if (!mlirOperationIsNull(function))
    *result = xc_quantize_interpreter(function);
  return *result || mlirOperationIsNull(function);
}

double xc_quantize_count_work(const xc_quantizer *q) {
  double sum = 0;
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(q->reference, 0));
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    xc_adaptor adaptor;
    const xc_op_info *info = xc_op_info_of(op);
    if (!info || !info->has_result || info->kind == XC_TIR_CONST ||
        !xc_adaptor_of(op, &adaptor))
      continue;
    xc_shape result = xc_result_shape(&adaptor);
    sum += (double)xc_count_macs(&adaptor) +
           (double)xc_shape_num_elements(&result);
  }
  return sum;
}

/// A report or other samples are asked for; what xcc says by itself should not
/// take longer than the calibration does.
static size_t choose_samples(const xc_quantizer *q, const char *path) {
  const double most_products = 6e9;
  size_t all = q->num_samples;
  if (*path || *xc_pass_string(q->run, "validation"))
    return all;
  double most = most_products / (xc_quantize_count_work(q) + 1) + 1;
  return (double)all < most ? all : (size_t)most;
}

bool xc_quantize_report(xc_quantizer *q, const char *path, bool keep) {
  xc_quantize_comparison r = {.q = q, .num_samples = choose_samples(q, path)};
  bool has_model = keep && !mlirOperationIsNull(q->model);
  bool ok = open_function(q->reference, &r.exact) &&
            open_function(q->function, &r.found) &&
            open_function(q->unscaled, &r.unscaled) &&
            (!has_model || open_function(q->model, &r.model));
  if (ok) {
    r.num_results = xcInterpreterGetNumResults(r.exact);
    xc_quantize_begin_comparison(&r);
    ok = xc_quantize_run_all(&r) && (!*path || write_report(&r, path)) &&
         (!keep || xc_quantize_keep(&r));
  }
  for (size_t i = 0; r.parts && i < r.num_results; ++i)
    xc_quantize_free_parts(r.parts[i]);
  free(r.floats);
  free(r.parts);
  free(r.errors);
  free(r.powers);
  free(r.results);
  free(r.from_model);
  free(r.of_model);
  xc_pointer_map_free(&r.fixed);
  xcInterpreterDestroy(r.exact);
  xcInterpreterDestroy(r.found);
  xcInterpreterDestroy(r.unscaled);
  xcInterpreterDestroy(r.model);
  return ok;
}
