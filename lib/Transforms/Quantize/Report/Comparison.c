//===- Comparison.c - the quantised function beside others ----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Comparison.h"

#include "IR/IR.h"
#include "Interpreter/Frame.h"
#include "Transforms/Quantize/Observe/Observe.h"
#include "xc-c/Interpreter.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 256 }; // elements that are converted at a time

static void add_error(xc_quantize_error *sum, double exact, double found) {
  double difference = fabs(exact - found);
  sum->signal += exact * exact;
  sum->noise += difference * difference;
  // No call of fmax: a difference that is no number stays out of it, too.
  sum->largest = difference > sum->largest ? difference : sum->largest;
}

double xc_quantize_decibel(const xc_quantize_error *sum) {
  enum { LOST = -999 };
  if (!isfinite(sum->noise))
    return LOST;
  if (sum->noise == 0)
    return (double)INFINITY;
  return sum->signal == 0 ? 0 : 10 * log10(sum->signal / sum->noise);
}

double xc_quantize_result_decibel(const xc_quantize_result *row) {
  double least = xc_quantize_decibel(&row->error);
  for (size_t i = 0; row->parts && i < row->parts->count; ++i)
    least = fmin(least, xc_quantize_decibel(&row->errors[i]));
  return least;
}

//===----------------------------------------------------------------------===//
// Running both functions
//===----------------------------------------------------------------------===//

static void measure_power(xc_quantize_comparison *r, size_t value,
                          const void *data) {
  double reals[PIECE];
  xc_tensor tensor = {r->q->values[value].shape, (void *)(uintptr_t)data};
  int64_t count = r->q->values[value].is_float ? xc_tensor_count(&tensor) : 0;
  for (int64_t at = 0; at < count; at += PIECE) {
    int64_t piece = count - at < PIECE ? count - at : PIECE;
    xc_get_reals(&tensor, at, piece, reals);
    for (int64_t i = 0; i < piece; ++i)
      reals[i] -= xc_quantize_zero(&r->q->values[value], at + i);
    xc_quantize_note_power(r, value, reals, piece);
  }
}

static bool keep_float(void *user, MlirOperation operation, MlirValue value,
                       const void *data, size_t size) {
  xc_quantize_comparison *r = user;
  (void)operation;
  xc_quantize_value *row = xc_pointer_map_get(&r->q->references, value.ptr);
  if (!row || mlirValueIsNull(row->fixed))
    return true;
  if (xc_pointer_map_get(&r->fixed, row->fixed.ptr) == row) {
    void **slot = &r->floats[row - r->q->values];
    *slot = xc_alloc_uninitialized(size + 1, 1);
    memcpy(*slot, data, size);
  }
  measure_power(r, (size_t)(row - r->q->values), data);
  return true;
}

/// Returns the float tensor of the current sample; null if there is none yet,
/// or none any more.
static void *float_of(const xc_quantize_comparison *r, size_t value) {
  return value < r->q->num_arguments ? r->q->sample[value] : r->floats[value];
}

static bool compare_fixed(void *user, MlirOperation operation, MlirValue value,
                          const void *data, size_t size) {
  xc_quantize_comparison *r = user;
  (void)operation;
  (void)size;
  xc_quantize_value *row = xc_pointer_map_get(&r->fixed, value.ptr);
  if (!row)
    return true;
  size_t index = (size_t)(row - r->q->values);
  xc_tensor exact = {row->shape, float_of(r, index)};
  xc_tensor fixed = {row->shape, (void *)(uintptr_t)data};
  fixed.shape.element = XC_ELEMENT_I8;
  int64_t count = exact.data ? xc_tensor_count(&exact) : 0;
  double reals[PIECE], found[PIECE], unit = ldexp(1, -row->point);
  for (int64_t at = 0; at < count; at += PIECE) {
    int64_t piece = count - at < PIECE ? count - at : PIECE;
    xc_get_reals(&exact, at, piece, reals);
    xc_get_reals(&fixed, at, piece, found);
    for (int64_t i = 0; i < piece; ++i)
      found[i] *= unit;
    xc_quantize_bound(row, at, reals, piece);
    xc_quantize_bound(row, at, found, piece);
    for (int64_t i = 0; i < piece; ++i) {
      double zero = xc_quantize_zero(row, at + i);
      // No fix point has infinities; where they matter the results tell.
      if (isfinite(reals[i]))
        add_error(&r->errors[index], reals[i] - zero, found[i] - zero);
    }
  }
  free(r->floats[index]);
  r->floats[index] = NULL;
  return true;
}

static xc_shape result_shape(const xc_quantizer *q, size_t index) {
  MlirType type =
      mlirTypeAttrGetValue(xc_op_attribute(q->function, "function_type"));
  xc_shape shape;
  xc_shape_of_type(mlirFunctionTypeGetResult(type, (intptr_t)index), &shape);
  return shape;
}

/// Numbers of quantised results count from their zero point; others that only
/// move them lie behind it.
static double zero_of_result(const xc_quantizer *q, size_t index) {
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(q->reference, 0));
  MlirValue value =
      mlirOperationGetOperand(mlirBlockGetTerminator(block), (intptr_t)index);
  while (mlirValueIsAOpResult(value)) {
    xc_adaptor op;
    if (!xc_adaptor_of(mlirOpResultGetOwner(value), &op))
      return 0;
    if (op.info->kind == XC_TIR_QUANTIZE_LINEAR)
      return (double)xc_attr_int_at(&op, XC_ATTR_ZERO_POINT, 0);
    bool moves =
        op.info->rule == XC_RULE_RESHAPE || op.info->rule == XC_RULE_FLATTEN ||
        op.info->rule == XC_RULE_SQUEEZE || op.info->rule == XC_RULE_TRANSPOSE;
    if (!moves)
      return 0;
    value = mlirOperationGetOperand(op.operation, 0);
  }
  return 0;
}

/// The scores of one sample lie in one dimension: the last one, or that of
/// channels in NCHW. A last dimension of 1 after it means one score for each of
/// many places, as detectors have them.
static bool is_scores(const xc_shape *shape) {
  size_t wide = 0, last = 0;
  for (size_t i = 0; i < shape->rank; ++i)
    if (shape->dims[i] != 1) {
      ++wide;
      last = i;
    }
  return wide == 1 && last + 2 != shape->rank &&
         shape->element != XC_ELEMENT_I1;
}

static int64_t largest_of(const xc_tensor *scores) {
  int64_t best = 0, count = xc_tensor_count(scores);
  for (int64_t i = 1; i < count; ++i)
    if (xc_get_real(scores, i) > xc_get_real(scores, best))
      best = i;
  return best;
}

/// Whether a tensor has indices, as the results of ArgMax, TopK and the
/// selection of boxes.
static bool are_indices(const xc_shape *shape) {
  return shape->element == XC_ELEMENT_I64 || shape->element == XC_ELEMENT_I32;
}

static double share_of_equal(const xc_tensor *a, const xc_tensor *b) {
  int64_t equal = 0, count = xc_tensor_count(a);
  for (int64_t i = 0; i < count; ++i)
    equal += xc_get_real(a, i) == xc_get_real(b, i);
  return count ? (double)equal / (double)count : 1;
}

void xc_quantize_compare(xc_quantize_result *rows, size_t count,
                         void *const *exact, void *const *found) {
  for (size_t i = 0; i < count; ++i) {
    xc_quantize_result *row = &rows[i];
    xc_tensor a = {row->shape, exact[i]}, b = {row->shape, found[i]};
    int64_t elements = xc_tensor_count(&a);
    row->has_indices = are_indices(&row->shape);
    if (row->has_indices) {
      row->equal += share_of_equal(&a, &b);
      continue;
    }
    for (int64_t k = 0; k < elements; ++k) {
      double x = xc_get_real(&a, k) - row->zero;
      double y = xc_get_real(&b, k) - row->zero;
      if (isinf(x) && x == y)
        continue;
      add_error(&row->error, x, y);
      if (row->parts)
        add_error(&row->errors[row->parts->of[k]], x, y);
    }
    row->has_scores = is_scores(&row->shape);
    row->agreed += row->has_scores && largest_of(&a) == largest_of(&b);
  }
}

void **xc_quantize_make_results(const XcInterpreter *interpreter,
                                size_t count) {
  void **results = xc_alloc_array(count + 1, sizeof(*results));
  for (size_t i = 0; i < count; ++i)
    results[i] = xc_alloc(xcInterpreterGetResultSize(interpreter, i));
  return results;
}

static void free_all(void **pointers, size_t count) {
  for (size_t i = 0; i < count; ++i)
    free(pointers[i]);
  free(pointers);
}

bool xc_quantize_run_exact(const xc_quantize_comparison *r, void **sample,
                           void **results) {
  return xcInterpreterRun(r->exact, sample, results) &&
         (!r->unscaled || xcInterpreterRun(r->unscaled, sample, results));
}

/// Whether what the next step gives has a float tensor to be compared with, or
/// needs none.
static bool can_follow(const xc_quantize_comparison *r, const xc_step *step,
                       const xc_plan *plan) {
  const xc_quantize_value *row =
      step->num_results > 0
          ? xc_pointer_map_get(&r->fixed,
                               plan->slots[step->results[0]].value.ptr)
          : NULL;
  return !row || float_of(r, (size_t)(row - r->q->values));
}

/// Runs the float function and the converted one beside each other, so that
/// each float tensor is compared, and freed, as soon as there is its fixed
/// form. Those of all layers would take more memory than anything else.
static bool run_beside(xc_quantize_comparison *r, void *const *exact_results,
                       void *const *found_results) {
  xc_frame exact = xc_frame_open(r->exact, r->q->sample);
  xc_frame found = xc_frame_open(r->found, r->q->sample);
  size_t num_exact = exact.plan->num_steps, next = 0;
  bool ok = true;
  for (size_t i = 0; ok && i <= num_exact; ++i) {
    ok = i == num_exact || xc_frame_step(&exact, i);
    for (; ok && next < found.plan->num_steps; ++next) {
      if (i < num_exact && !can_follow(r, &found.plan->steps[next], found.plan))
        break;
      ok = xc_frame_step(&found, next);
    }
  }
  if (ok) {
    xc_frame_results(&exact, exact_results);
    xc_frame_results(&found, found_results);
  }
  xc_frame_close(&exact);
  xc_frame_close(&found);
  return ok;
}

static bool run_sample(xc_quantize_comparison *r, void *const *exact_results,
                       void *const *found_results) {
  const xc_quantizer *q = r->q;
  for (size_t i = 0; i < q->num_arguments; ++i)
    measure_power(r, i, q->sample[i]);
  bool ok = run_beside(r, exact_results, found_results);
  for (size_t i = 0; i < q->num_values; ++i) {
    free(r->floats[i]);
    r->floats[i] = NULL;
  }
  return ok && (!r->unscaled ||
                xcInterpreterRun(r->unscaled, q->sample, exact_results));
}

bool xc_quantize_run_all(xc_quantize_comparison *r) {
  xc_quantizer *q = r->q;
  XcInterpreter *model = r->model;
  void **model_results =
      model ? xc_quantize_make_results(model, r->num_results) : NULL;
  void **exact_results = xc_quantize_make_results(r->exact, r->num_results);
  void **found_results = xc_quantize_make_results(r->found, r->num_results);
  xcInterpreterSetObserver(r->exact, keep_float, r);
  xcInterpreterSetObserver(r->found, compare_fixed, r);
  bool ok = true;
  for (size_t s = 0; ok && s < r->num_samples; ++s) {
    r->sample = s;
    ok = xc_quantize_read_sample(q, s * q->num_samples / r->num_samples);
    ok = ok && run_sample(r, exact_results, found_results);
    if (ok)
      xc_quantize_compare(r->results, r->num_results, exact_results,
                          found_results);
    ok = ok && (!model || xcInterpreterRun(model, q->sample, model_results));
    if (!ok || !model)
      continue;
    xc_quantize_compare(r->from_model, r->num_results, model_results,
                        found_results);
    xc_quantize_compare(r->of_model, r->num_results, exact_results,
                        model_results);
  }
  if (model)
    free_all(model_results, r->num_results);
  free_all(exact_results, r->num_results);
  free_all(found_results, r->num_results);
  return ok;
}

xc_quantize_result xc_quantize_empty_result(const xc_quantize_result *row) {
  return (xc_quantize_result){
      .shape = row->shape, .zero = row->zero, .parts = row->parts};
}

void xc_quantize_begin_comparison(xc_quantize_comparison *r) {
  xc_quantizer *q = r->q;
  r->floats = xc_alloc_array(q->num_values + 1, sizeof(*r->floats));
  r->powers =
      xc_alloc_array(q->num_values * r->num_samples + 1, sizeof(*r->powers));
  r->errors = xc_alloc_array(q->num_values + 1, sizeof(*r->errors));
  r->results = xc_alloc_array(r->num_results + 1, sizeof(*r->results));
  r->parts = xc_alloc_array(r->num_results + 1, sizeof(*r->parts));
  r->from_model = xc_alloc_array(r->num_results + 1, sizeof(*r->from_model));
  r->of_model = xc_alloc_array(r->num_results + 1, sizeof(*r->of_model));
  for (size_t i = 0; i < r->num_results; ++i) {
    r->results[i].shape = result_shape(q, i);
    r->results[i].zero = zero_of_result(q, i);
    r->results[i].parts = r->parts[i] = xc_quantize_find_parts(q, i);
    r->from_model[i] = r->of_model[i] = r->results[i];
  }
  for (size_t i = 0; i < q->num_values; ++i)
    if (!mlirValueIsNull(q->values[i].fixed))
      xc_pointer_map_set(&r->fixed, q->values[i].fixed.ptr, &q->values[i]);
}
