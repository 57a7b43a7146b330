//===- Offer.c - what a layer in floating point would bring ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What keep-float would do is tried on samples: where a run of the converted
// function comes to the layer, the operators of the float function compute it
// from what is there in front of it. The layers behind it stay as they were
// fitted, so that the real thing may bring more.
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "IR/IR.h"
#include "Interpreter/Frame.h"
#include "Interpreter/Kernel.h"
#include "dialects/Macs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// A value that the layer reads.
typedef struct crossing {
  int64_t fixed; // slot of the converted function
  int64_t real;  // slot of the float function
  int point;     // of numbers that are fixed
  bool is_fixed;
} crossing;

/// A trial of one layer.
typedef struct trial {
  const xc_quantize_comparison *r;
  const xc_plan *found, *exact;
  const xc_quantize_value *layer;
  int64_t fixed, real; // slots of its result
  bool *needed;        // steps of the float function
  crossing *sources;
  size_t num_sources;
} trial;

static int64_t slot_of(const xc_plan *plan, MlirValue value) {
  for (size_t i = 0; i < plan->num_slots; ++i)
    if (plan->slots[i].value.ptr == value.ptr)
      return (int64_t)i;
  return XC_NO_SLOT;
}

//===----------------------------------------------------------------------===//
// What belongs to the layer
//===----------------------------------------------------------------------===//

static int64_t step_of(const xc_plan *plan, int64_t slot) {
  for (size_t i = 0; i < plan->num_steps; ++i)
    if (plan->steps[i].num_results == 1 && plan->steps[i].results[0] == slot)
      return (int64_t)i;
  return -1;
}

static void add_source(trial *t, const crossing *source) {
  for (size_t i = 0; i < t->num_sources; ++i)
    if (t->sources[i].real == source->real)
      return;
  t->sources[t->num_sources++] = *source;
}

static bool need(trial *t, int64_t slot);

/// A value that a layer reads. False where neither function has it.
static bool need_operand(trial *t, int64_t slot) {
  if (slot == XC_NO_SLOT || t->exact->slots[slot].constant ||
      (size_t)slot < t->exact->num_arguments)
    return true;
  MlirValue value = t->exact->slots[slot].value;
  const xc_quantizer *q = t->r->q;
  const xc_quantize_value *row = xc_pointer_map_get(&q->references, value.ptr);
  if (!row)
    return false;
  bool is_fixed = row->replaced && !mlirValueIsNull(row->fixed);
  if (row->is_fused || (row->replaced && !is_fixed))
    return need(t, slot);
  crossing source = {.real = slot, .point = row->point, .is_fixed = is_fixed};
  source.fixed = slot_of(t->found, is_fixed ? row->fixed : row->original);
  if (source.fixed == XC_NO_SLOT)
    return false;
  add_source(t, &source);
  return true;
}

static bool need(trial *t, int64_t slot) {
  int64_t step = step_of(t->exact, slot);
  if (step < 0)
    return false;
  t->needed[step] = true;
  const xc_step *row = &t->exact->steps[step];
  for (size_t i = 0; i < row->num_operands; ++i)
    if (!need_operand(t, row->operands[i]))
      return false;
  return true;
}

static bool open_trial(const xc_quantize_comparison *r, size_t value,
                       trial *t) {
  *t = (trial){.r = r,
               .found = xc_interpreter_plan(r->found),
               .exact = xc_interpreter_plan(r->exact),
               .layer = &r->q->values[value]};
  t->needed = xc_alloc_array(t->exact->num_steps + 1, sizeof(*t->needed));
  t->sources = xc_alloc_array(t->exact->num_slots + 1, sizeof(*t->sources));
  if (!t->layer->replaced)
    return false;
  t->fixed = slot_of(t->found, t->layer->fixed);
  t->real = slot_of(t->exact, t->layer->reference);
  return t->fixed != XC_NO_SLOT && t->real != XC_NO_SLOT && need(t, t->real);
}

/// The converted function as it is.
static trial open_base(const xc_quantize_comparison *r) {
  return (trial){.r = r,
                 .found = xc_interpreter_plan(r->found),
                 .exact = xc_interpreter_plan(r->exact),
                 .fixed = XC_NO_SLOT,
                 .real = XC_NO_SLOT};
}

static void close_trial(trial *t) {
  free(t->needed);
  free(t->sources);
}

//===----------------------------------------------------------------------===//
// Running it
//===----------------------------------------------------------------------===//

/// One run of both functions, of the float one only the layer.
typedef struct run {
  const trial *t;
  xc_frame found, exact;
  bool done;
  void *result; // of the layer
} run;

static void take_source(run *r, const crossing *source) {
  const xc_slot *to = &r->t->exact->slots[source->real];
  xc_tensor reals = {to->shape, xc_alloc(to->bytes + 1)};
  free(r->exact.data[source->real]);
  r->exact.data[source->real] = reals.data;
  if (!source->is_fixed) {
    memcpy(reals.data, r->found.data[source->fixed], to->bytes);
    return;
  }
  xc_tensor fixed = {r->t->found->slots[source->fixed].shape,
                     r->found.data[source->fixed]};
  double unit = ldexp(1, -source->point);
  int64_t count = xc_tensor_count(&fixed);
  for (int64_t i = 0; i < count; ++i)
    xc_set_real(&reals, i, xc_get_real(&fixed, i) * unit);
}

/// The operators in the float function, and a copy of what they give.
static bool compute_layer(run *r) {
  const xc_plan *plan = r->t->exact;
  const xc_slot *slot = &plan->slots[r->t->real];
  for (size_t i = 0; i < r->t->num_sources; ++i)
    if (!r->exact.data[r->t->sources[i].real])
      return false;
  for (size_t i = 0; i < plan->num_steps; ++i)
    if (r->t->needed[i] && !xc_frame_step(&r->exact, i))
      return false;
  const void *data = r->exact.data[r->t->real];
  if (!data)
    return false;
  r->result = xc_alloc(slot->bytes + 1);
  memcpy(r->result, data, slot->bytes);
  return true;
}

static void store_fixed(const run *r) {
  xc_tensor reals = {r->t->exact->slots[r->t->real].shape, r->result};
  xc_tensor fixed = {r->t->found->slots[r->t->fixed].shape,
                     r->found.data[r->t->fixed]};
  int point = r->t->layer->point;
  int64_t count = xc_tensor_count(&fixed);
  XcFixType type = {XC_QUANTIZE_BITS, true};
  for (int64_t i = 0; i < count; ++i)
    xc_set_real(&fixed, i,
                (double)xcFloatToFix(xc_get_real(&reals, i), point, type,
                                     XcRoundModeDpu));
}

/// Who reads it in floating point reads what was computed.
static void store_real(const run *r, const xc_step *step) {
  const xc_op_info *info = xc_op_info_of(step->operation);
  if (!info || info->kind != XC_TIR_FIX2FLOAT || step->num_results != 1 ||
      step->operands[0] != r->t->fixed)
    return;
  const xc_slot *to = &r->t->found->slots[step->results[0]];
  if (to->bytes == r->t->exact->slots[r->t->real].bytes &&
      r->found.data[step->results[0]])
    memcpy(r->found.data[step->results[0]], r->result, to->bytes);
}

static bool run_step(run *r, size_t number) {
  const trial *t = r->t;
  const xc_step *step = &t->found->steps[number];
  if (!xc_frame_step(&r->found, number))
    return false;
  if (step->num_results != 1)
    return true;
  int64_t slot = step->results[0];
  if (r->done) {
    store_real(r, step);
    return true;
  }
  for (size_t i = 0; i < t->num_sources; ++i)
    if (t->sources[i].fixed == slot)
      take_source(r, &t->sources[i]);
  if (slot != t->fixed)
    return true;
  r->done = true;
  if (!compute_layer(r))
    return false;
  if (r->found.data[slot])
    store_fixed(r);
  return true;
}

/// Adds what the results lose beside the exact ones.
static void add_results(const run *r, void *const *exact,
                        xc_quantize_result *rows) {
  size_t count = r->t->found->num_results;
  void **found = xc_alloc_array(count + 1, sizeof(*found));
  for (size_t i = 0; i < count; ++i)
    found[i] = r->found.data[r->t->found->results[i]];
  xc_quantize_compare(rows, count, exact, found);
  free(found);
}

static bool run_sample(const trial *t, void *const *exact,
                       xc_quantize_result *rows) {
  const xc_quantizer *q = t->r->q;
  run r = {.t = t,
           .found = xc_frame_open(t->r->found, q->sample),
           .exact = xc_frame_open(t->r->exact, q->sample)};
  bool ok = true;
  for (size_t i = 0; ok && i < t->found->num_steps; ++i)
    ok = run_step(&r, i);
  if (ok)
    add_results(&r, exact, rows);
  xc_frame_close(&r.found);
  xc_frame_close(&r.exact);
  free(r.result);
  return ok;
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

/// Whether anything goes on with it in fixed point.
static bool is_read_fixed(MlirValue fixed) {
  for (MlirOpOperand use = mlirValueGetFirstUse(fixed);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    const xc_op_info *info = xc_op_info_of(mlirOpOperandGetOwner(use));
    if (info && info->kind != XC_TIR_FIX2FLOAT)
      return true;
  }
  return false;
}

/// What the layer takes on a CPU.
static void count_price(const trial *t, xc_quantize_offer *offer) {
  for (size_t i = 0; i < t->exact->num_steps; ++i) {
    xc_adaptor op;
    if (t->needed[i] && xc_adaptor_of(t->exact->steps[i].operation, &op))
      offer->macs += xc_count_macs(&op);
  }
  for (size_t i = 0; i < t->num_sources; ++i) {
    if (!t->sources[i].is_fixed)
      continue;
    offer->elements +=
        xc_shape_num_elements(&t->exact->slots[t->sources[i].real].shape);
    offer->divides = is_read_fixed(t->layer->fixed);
  }
  offer->elements += xc_shape_num_elements(&t->exact->slots[t->real].shape);
}

static size_t find_worst(const xc_quantize_result *rows, size_t count) {
  size_t worst = 0;
  for (size_t i = 1; i < count; ++i)
    if (xc_quantize_decibel(&rows[i].error) <
        xc_quantize_decibel(&rows[worst].error))
      worst = i;
  return worst;
}

typedef struct trials {
  const xc_quantize_comparison *r;
  trial *items; // the first has no layer
  xc_quantize_result **rows;
  bool *failed;
  size_t count;
} trials;

static bool run_trials(trials *all, size_t num_samples) {
  const xc_quantize_comparison *r = all->r;
  void **exact = xc_quantize_make_results(r->exact, r->num_results);
  bool ok = true;
  for (size_t s = 0; ok && s < num_samples; ++s) {
    ok = xc_quantize_read_sample(r->q, s * r->q->num_samples / num_samples) &&
         xc_quantize_run_exact(r, r->q->sample, exact);
    for (size_t i = 0; ok && i < all->count; ++i)
      all->failed[i] =
          all->failed[i] || !run_sample(&all->items[i], exact, all->rows[i]);
  }
  for (size_t i = 0; i < r->num_results; ++i)
    free(exact[i]);
  free(exact);
  return ok;
}

static void judge(const trials *all, xc_quantize_offer *offers) {
  size_t worst = find_worst(all->rows[0], all->r->num_results);
  double before = xc_quantize_decibel(&all->rows[0][worst].error);
  for (size_t i = 1; i < all->count; ++i) {
    xc_quantize_offer *offer = &offers[i - 1];
    if (all->failed[i] || all->failed[0] || !isfinite(before))
      continue;
    offer->output = worst;
    offer->gain = xc_quantize_decibel(&all->rows[i][worst].error) - before;
    offer->is_known = isfinite(offer->gain);
    count_price(&all->items[i], offer);
  }
}

bool xc_quantize_make_offers(const xc_quantize_comparison *r,
                             size_t num_samples, xc_quantize_offer *offers,
                             size_t count) {
  trials all = {.r = r, .count = count + 1};
  if (r->num_results == 0)
    return true;
  xcInterpreterSetObserver(r->exact, NULL, NULL);
  xcInterpreterSetObserver(r->found, NULL, NULL);
  all.items = xc_alloc_array(all.count, sizeof(*all.items));
  all.rows = xc_alloc_array(all.count, sizeof(*all.rows));
  all.failed = xc_alloc_array(all.count, sizeof(*all.failed));
  for (size_t i = 0; i < all.count; ++i) {
    all.rows[i] = xc_alloc_array(r->num_results + 1, sizeof(**all.rows));
    for (size_t k = 0; k < r->num_results; ++k)
      all.rows[i][k] = xc_quantize_empty_result(&r->results[k]);
    if (i > 0)
      all.failed[i] = !open_trial(r, offers[i - 1].value, &all.items[i]);
    else
      all.items[i] = open_base(r);
  }
  bool ok = run_trials(&all, num_samples);
  if (ok)
    judge(&all, offers);
  for (size_t i = 0; i < all.count; ++i) {
    close_trial(&all.items[i]);
    free(all.rows[i]);
  }
  free(all.items);
  free(all.rows);
  free(all.failed);
  return ok;
}
