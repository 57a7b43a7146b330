//===- Loss.c - the layers that lose most ---------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Errors add up from layer to layer, so that the last layers always have the
// most. A layer's own part is its relative noise without that of the input
// which has least signal to noise.
//
//===----------------------------------------------------------------------===//

#include "Comparison.h"

#include "IR/AttributeNames.h"
#include "IR/IR.h"
#include "Samples/PixelRange.h"
#include "Samples/Samples.h"
#include "Transforms/Quantize/Function/Kinds.h"
#include "dialects/Emit.h"

#include "mlir-c/BuiltinAttributes.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Of what is no number.
#define HUGE_NOISE 1e99

/// A value that is fixed.
typedef struct layer {
  size_t value;
  double noise, before; // relative to the signal
} layer;

static double relative_noise(const xc_quantize_error *sum) {
  if (sum->noise == 0)
    return 0;
  if (!isfinite(sum->noise))
    return HUGE_NOISE;
  return sum->signal == 0 ? 1 : sum->noise / sum->signal;
}

/// The relative noise of each value of the float function. Values that are not
/// fixed forward what they read.
typedef struct noise_map {
  xc_pointer_map by_value; // MlirValue.ptr to an entry
  double *entries;
  size_t count;
} noise_map;

static void set_noise(noise_map *m, MlirValue value, double noise) {
  m->entries[m->count] = noise;
  xc_pointer_map_set(&m->by_value, value.ptr, &m->entries[m->count++]);
}

/// Returns the largest noise of what an operator reads.
static double noise_before(const noise_map *m, MlirOperation op) {
  double most = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    const double *noise =
        xc_pointer_map_get(&m->by_value, mlirOperationGetOperand(op, i).ptr);
    if (noise)
      most = fmax(most, *noise);
  }
  return most;
}

static noise_map open_noises(const xc_quantizer *q, MlirBlock block) {
  size_t count = q->num_arguments;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    ++count;
  return (noise_map){.entries = xc_alloc_array(count + 1, sizeof(double))};
}

static size_t find_layers(const xc_quantize_comparison *r, layer *layers) {
  const xc_quantizer *q = r->q;
  size_t count = 0;
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(q->reference, 0));
  noise_map noises = open_noises(q, block);
  for (size_t i = 0; i < q->num_arguments; ++i) {
    double noise = relative_noise(&r->errors[i]);
    set_noise(&noises, q->values[i].reference, noise);
    if (!mlirValueIsNull(q->values[i].fixed))
      layers[count++] = (layer){i, noise, 0};
  }
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (mlirOperationGetNumResults(op) != 1)
      continue;
    const xc_quantize_value *row =
        xc_pointer_map_get(&q->references, xc_op_result(op).ptr);
    double before = noise_before(&noises, op), noise = before;
    if (row && !mlirValueIsNull(row->fixed)) {
      size_t index = (size_t)(row - q->values);
      noise = relative_noise(&r->errors[index]);
      layers[count++] = (layer){index, noise, before};
    }
    set_noise(&noises, xc_op_result(op), noise);
  }
  xc_pointer_map_free(&noises.by_value);
  free(noises.entries);
  return count;
}

// Orders layers by the noise that each adds; the earlier one comes first where
// they add the same.
static int compare_layers(const void *a, const void *b) {
  const layer *x = a, *y = b;
  double more = (y->noise - y->before) - (x->noise - x->before);
  if (more != 0)
    return more > 0 ? 1 : -1;
  return x->value < y->value ? -1 : 1;
}

//===----------------------------------------------------------------------===//
// As JSON
//===----------------------------------------------------------------------===//

/// Returns a ratio in decibel; null where there is no noise.
static json_t *decibel_json(double ratio) {
  return isfinite(ratio) ? json_real(round(ratio * 100) / 100) : json_null();
}

static json_t *noise_json(double noise) {
  return decibel_json(noise == 0 ? (double)INFINITY : -10 * log10(noise));
}

static json_t *text_json(MlirStringRef text) {
  json_t *json = json_stringn(text.data ? text.data : "", text.length);
  return json ? json : json_string("(no UTF-8)");
}

static json_t *agreement_json(const xc_quantize_comparison *r,
                              const xc_quantize_result *row) {
  return json_real(xc_quantize_share(
      r, row->has_indices ? row->equal : (double)row->agreed));
}

/// Nothing but zeros has no ratio that would say something.
static bool has_no_signal(const xc_quantize_error *sum) {
  return sum->signal == 0 && sum->noise > 0;
}

/// Adds the keys of one comparison of an output.
static void add_result(const xc_quantize_comparison *r,
                       const xc_quantize_result *row, const char *sqnr,
                       const char *agreement, json_t *json) {
  if (!row->has_indices)
    json_object_set_new(json, sqnr,
                        decibel_json(xc_quantize_decibel(&row->error)));
  if (row->has_scores || row->has_indices)
    json_object_set_new(json, agreement, agreement_json(r, row));
}

static json_t *parts_json(const xc_quantize_result *row) {
  json_t *json = json_array();
  for (size_t i = 0; i < row->parts->count; ++i) {
    json_t *part =
        json_pack("{so so}", "name", text_json(row->parts->names[i]), "sqnr_db",
                  decibel_json(xc_quantize_decibel(&row->errors[i])));
    if (has_no_signal(&row->errors[i]))
      json_object_set_new(part, "no_signal", json_true());
    json_array_append_new(json, part);
  }
  return json;
}

/// A quantised model has noise of its own: what it loses itself stands beside
/// what the fixed point loses.
static json_t *result_json(const xc_quantize_comparison *r, size_t index) {
  bool has_model = !mlirOperationIsNull(r->q->model);
  json_t *json = json_object();
  json_object_set_new(json, "name",
                      text_json(xc_quantize_output_name(r->q, index)));
  const xc_quantize_result *row =
      has_model ? &r->from_model[index] : &r->results[index];
  add_result(r, row, "sqnr_db", "agreement", json);
  if (has_no_signal(&row->error))
    json_object_set_new(json, "no_signal", json_true());
  if (row->parts)
    json_object_set_new(json, "parts", parts_json(row));
  if (!has_model)
    return json;
  add_result(r, &r->results[index], "float_sqnr_db", "float_agreement", json);
  add_result(r, &r->of_model[index], "model_float_sqnr_db",
             "model_float_agreement", json);
  return json;
}

/// A layer of the float function has this name: keep-float takes it.
static bool has_operator(const xc_quantizer *q, MlirStringRef name) {
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(q->reference, 0));
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (name.length > 0 && mlirStringRefEqual(xc_op_given_name(op), name))
      return true;
  return false;
}

/// Whether something is bad enough to look for help.
static bool is_bad(const xc_quantize_comparison *r) {
  // A thousandth of the power is noise (docs/report.md#loss).
  const double good_db = 30;
  for (size_t i = 0; i < r->num_results; ++i)
    if (xc_quantize_result_decibel(&r->results[i]) < good_db)
      return true;
  return false;
}

/// Adds a value that an operator computes to those that are to be looked at.
static void push_once(const xc_quantizer *q, size_t value, bool *seen,
                      size_t *open, size_t *num_open) {
  if (value < q->num_arguments || seen[value])
    return;
  seen[value] = true;
  open[(*num_open)++] = value;
}

static bool is_worse(const xc_quantize_comparison *r, size_t value,
                     size_t other) {
  return other == r->q->num_values ||
         relative_noise(&r->errors[value]) > relative_noise(&r->errors[other]);
}

/// Returns the layer that may be left in floating point for the loss in a
/// value. A value that is in floating point anyhow, or only moved, owes its
/// loss to its operands, of which the noisiest counts. The number of values if
/// there is none.
static size_t find_candidate(const xc_quantize_comparison *r, size_t value) {
  const xc_quantizer *q = r->q;
  bool *seen = xc_alloc_array(q->num_values + 1, sizeof(*seen));
  size_t *open = xc_alloc_array(q->num_values + 1, sizeof(*open));
  size_t num_open = 0, best = q->num_values;
  push_once(q, value, seen, open, &num_open);
  while (num_open) {
    size_t at = open[--num_open];
    const xc_quantize_value *row = &q->values[at];
    MlirOperation op = mlirOpResultGetOwner(row->reference);
    const xc_op_info *info = xc_op_info_of(op);
    bool moves = info && xc_quantize_is_move(info->kind);
    bool is_layer = row->replaced && !moves && !mlirValueIsNull(row->fixed);
    if (is_layer && has_operator(q, xc_quantize_name(q, at)) &&
        is_worse(r, at, best))
      best = at;
    for (intptr_t i = mlirOperationGetNumOperands(op); !is_layer && i-- > 0;) {
      const xc_quantize_value *read = xc_pointer_map_get(
          &q->references, mlirOperationGetOperand(op, i).ptr);
      if (read)
        push_once(q, (size_t)(read - q->values), seen, open, &num_open);
    }
  }
  free(open);
  free(seen);
  return best;
}

static void add_candidate(const xc_quantize_comparison *r, size_t value,
                          xc_quantize_offers *offers) {
  value = find_candidate(r, value);
  if (value == r->q->num_values)
    return;
  for (size_t i = 0; i < offers->count; ++i)
    if (mlirStringRefEqual(xc_quantize_name(r->q, offers->items[i].value),
                           xc_quantize_name(r->q, value)))
      return;
  offers->items[offers->count++] = (xc_quantize_offer){.value = value};
}

/// Returns the values of the float function that an output is computed from;
/// keys are MlirValue.ptr.
static xc_pointer_map find_sources(const xc_quantizer *q, size_t output) {
  xc_pointer_map found = {0};
  xc_op_list ops = {0};
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(q->reference, 0));
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    xc_op_list_add(&ops, op);
  MlirValue value =
      mlirOperationGetOperand(mlirBlockGetTerminator(block), (intptr_t)output);
  xc_pointer_map_set(&found, value.ptr, &ops);
  // Users come after what they use, so one way back sees everything.
  for (size_t i = ops.count; i-- > 0;) {
    MlirOperation op = ops.items[i];
    bool is_read = false;
    for (intptr_t k = 0; k < mlirOperationGetNumResults(op); ++k)
      is_read |= xc_pointer_map_has(&found, mlirOperationGetResult(op, k).ptr);
    for (intptr_t k = 0; is_read && k < mlirOperationGetNumOperands(op); ++k)
      xc_pointer_map_set(&found, mlirOperationGetOperand(op, k).ptr, &ops);
  }
  free(ops.items);
  return found;
}

/// Adds up to `most` layers, those first that lose most on the way to the worst
/// output: others would bring nothing there.
static void find_candidates(const xc_quantize_comparison *r,
                            const layer *layers, size_t num_layers, size_t most,
                            xc_quantize_offers *offers) {
  xc_pointer_map sources = find_sources(r->q, xc_quantize_worst_output(r));
  for (size_t i = 0; i < num_layers && offers->count < most; ++i)
    if (layers[i].noise > layers[i].before &&
        xc_pointer_map_has(&sources,
                           r->q->values[layers[i].value].reference.ptr))
      add_candidate(r, layers[i].value, offers);
  xc_pointer_map_free(&sources);
}

/// So many of the samples, or all; one at least.
static size_t samples_for(const xc_quantize_comparison *r, double samples) {
  return samples > (double)r->num_samples ? r->num_samples
         : samples < 1                    ? 1
                                          : (size_t)samples;
}

/// Finds the gain of the first layers in floating point. As many runs as the
/// option trial-work allows; none of networks that are too large. Returns false
/// after a diagnostic.
static bool make_offers(const xc_quantize_comparison *r, const layer *layers,
                        size_t num_layers, xc_quantize_offers *offers) {
  enum { LEAST = 2 };
  double most_work = 1000 * (double)xc_pass_int(r->q->run, "trial-work");
  double runs = most_work / (xc_quantize_count_work(r->q) + 1);
  size_t most = runs >= (double)xc_quantize_num_trials(XC_QUANTIZE_OFFERS)
                    ? XC_QUANTIZE_OFFERS
                : runs >= (double)xc_quantize_num_trials(LEAST) / 2 ? LEAST
                                                                    : 0;
  if (is_bad(r))
    find_candidates(r, layers, num_layers, most, offers);
  if (offers->count == 0)
    return true;
  const double confirming = 2; // times the runs of the first trials
  double trials = (double)xc_quantize_num_trials(offers->count);
  double confirmed = (double)offers->count + 2;
  return xc_quantize_make_offers(
      r, samples_for(r, runs / 2 / trials),
      samples_for(r, confirming * runs / 2 / confirmed), offers);
}

static json_t *offer_json(const xc_quantize_comparison *r,
                          const xc_quantize_offer *offer) {
  MlirStringRef output = xc_quantize_output_name(r->q, offer->output);
  return json_pack("{so so sI sI sb}", "output", text_json(output), "gain_db",
                   decibel_json(offer->gain), "macs", (json_int_t)offer->macs,
                   "elements", (json_int_t)offer->elements, "divides",
                   offer->divides);
}

/// Returns null where the value was not tried.
static const xc_quantize_offer *offer_of(const xc_quantize_offers *offers,
                                         size_t value) {
  for (size_t i = 0; i < offers->count; ++i)
    if (offers->items[i].value == value && offers->items[i].is_known)
      return &offers->items[i];
  return NULL;
}

static json_t *layer_json(const xc_quantize_comparison *r, const layer *row,
                          const xc_quantize_offer *offer) {
  json_t *json = json_pack(
      "{so ss so so}", "name", text_json(xc_quantize_name(r->q, row->value)),
      "operator", xc_quantize_operator(&r->q->values[row->value]), "sqnr_db",
      noise_json(row->noise), "inputs_db", noise_json(row->before));
  if (offer)
    json_object_set_new(json, "keep_float", offer_json(r, offer));
  return json;
}

/// Returns the layers that lose most, and those that would bring something.
static json_t *layers_json(const xc_quantize_comparison *r, const layer *layers,
                           size_t count, const xc_quantize_offers *offers) {
  enum { MOST = 10 };
  json_t *json = json_array();
  for (size_t i = 0; i < count; ++i) {
    const xc_quantize_offer *offer = offer_of(offers, layers[i].value);
    if (offer || (i < MOST && layers[i].noise > layers[i].before))
      json_array_append_new(json, layer_json(r, &layers[i], offer));
  }
  return json;
}

/// Returns null where no layers bring more together than one of them does.
static json_t *together_json(const xc_quantize_comparison *r,
                             const xc_quantize_offers *offers) {
  const double worth_db = 0.5;
  const xc_quantize_offer *together = &offers->together;
  json_t *names = json_array();
  double most = -INFINITY;
  for (size_t i = 0; i < offers->count; ++i) {
    if (offers->items[i].is_known)
      most = fmax(most, offers->items[i].gain);
    if (offers->is_together[i])
      json_array_append_new(
          names, text_json(xc_quantize_name(r->q, offers->items[i].value)));
  }
  bool is_worth = together->is_known && json_array_size(names) > 1 &&
                  together->gain >= worth_db + fmax(most, 0);
  json_t *json = is_worth ? offer_json(r, together) : NULL;
  if (json)
    json_object_set(json, "names", names);
  json_decref(names);
  return json;
}

/// Returns the ranges that pictures have as inputs; null where the samples are
/// none.
static json_t *inputs_json(const xc_quantizer *q) {
  json_t *list = NULL;
  for (size_t i = 0; i < q->num_arguments; ++i) {
    const xc_preprocess *how;
    const xc_sample_input *input =
        xc_samples_picture_input(q->samples, i, &how);
    if (!input)
      continue;
    xc_pixel_range range = xc_pixel_range_of(how);
    xc_text text = {0}, oddity = {0};
    xc_pixel_range_print(input, how, &text);
    bool is_settled = xc_pixel_range_is_said(how) ||
                      xc_pixel_range_judge(input, how, &oddity);
    list = list ? list : json_array();
    json_array_append_new(
        list,
        json_pack("{so sI sf sf sb so}", "name", text_json(xc_ref(input->name)),
                  "number", (json_int_t)i, "low", range.low, "high", range.high,
                  "settled", is_settled, "pictures",
                  text_json(xc_ref(xc_text_str(&text)))));
    xc_text_free(&text);
    xc_text_free(&oddity);
  }
  return list;
}

bool xc_quantize_keep(const xc_quantize_comparison *r) {
  layer *layers = xc_alloc_array(r->q->num_values + 1, sizeof(*layers));
  size_t count = find_layers(r, layers);
  if (count > 0)
    qsort(layers, count, sizeof(*layers), compare_layers);
  xc_quantize_offers offers = {0};
  json_t *rows = NULL;
  if (make_offers(r, layers, count, &offers))
    rows = layers_json(r, layers, count, &offers);
  free(layers);
  if (!rows)
    return false;
  bool has_model = !mlirOperationIsNull(r->q->model);
  json_t *outputs = json_array();
  for (size_t i = 0; i < r->num_results; ++i)
    json_array_append_new(outputs, result_json(r, i));
  const char *validation = xc_pass_string(r->q->run, "validation");
  json_t *json = json_pack("{ss ss sI sI so so so sI}", "reference",
                           has_model ? "quantised model" : "floating point",
                           "on", *validation ? "validation" : "calibration",
                           "samples", (json_int_t)r->num_samples, "of",
                           (json_int_t)r->q->num_samples, "outputs", outputs,
                           "layers", rows, "outliers", xc_quantize_outliers(r),
                           "calibrated", (json_int_t)r->q->num_calibrated);
  json_t *together = together_json(r, &offers), *inputs = inputs_json(r->q);
  if (together)
    json_object_set_new(json, "keep_float", together);
  if (inputs)
    json_object_set_new(json, "inputs", inputs);
  char *text = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(12));
  json_decref(json);
  mlirOperationSetAttributeByName(
      r->q->function, xc_ref(XC_NAME_LOSS),
      mlirStringAttrGet(r->q->context, xc_ref(text)));
  free(text);
  return true;
}
