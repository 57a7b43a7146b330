//===- Trials.c - the function with forms in the place of gates -----------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nothing is built to know what forms cost at the outputs: the function runs as
// it is, and where a gate has been computed, the integers that its form gives
// take its place.
//
//===----------------------------------------------------------------------===//

#include "Trials.h"

#include "IR/IR.h"
#include "Interpreter/Frame.h"
#include "Transforms/Quantize/FastKernels/Interpreter.h"
#include "dialects/Macs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// A gate whose form is tried.
typedef struct place {
  int64_t input, gate; // slots
  int8_t table[XC_GATE_INPUTS];
  int8_t *numbers; // of the input, once they are there
} place;

struct xc_trials {
  xc_approximation *a;
  XcInterpreter *interpreter;
  const xc_plan *plan;
  place *places; // by site
};

static int64_t slot_of(const xc_plan *plan, MlirValue value) {
  for (size_t i = 0; i < plan->num_slots; ++i)
    if (mlirValueEqual(plan->slots[i].value, value))
      return (int64_t)i;
  return XC_NO_SLOT;
}

xc_trials *xc_trials_open(xc_approximation *a) {
  xc_trials *t = xc_arena_alloc(&a->q.arena, 1, sizeof(*t));
  *t = (xc_trials){.a = a,
                   .interpreter = xc_quantize_interpreter(a->q.function)};
  if (!t->interpreter)
    return NULL;
  t->plan = xc_interpreter_plan(t->interpreter);
  t->places = xc_arena_alloc(&a->q.arena, a->num_sites + 1, sizeof(*t->places));
  for (size_t i = 0; i < a->num_sites; ++i) {
    t->places[i].input = slot_of(t->plan, a->sites[i].input);
    t->places[i].gate = slot_of(t->plan, xc_op_result(a->sites[i].quantise));
  }
  return t;
}

void xc_trials_close(xc_trials *t) {
  if (t)
    xcInterpreterDestroy(t->interpreter);
}

double xc_trials_work(const xc_trials *t) {
  double sum = 0;
  for (size_t i = 0; i < t->plan->num_steps; ++i) {
    const xc_step *step = &t->plan->steps[i];
    xc_adaptor op;
    if (xc_adaptor_of_tir(step->operation, &op))
      sum += (double)xc_count_macs(&op);
    for (size_t k = 0; k < step->num_results; ++k)
      sum += (double)xc_shape_num_elements(
          &t->plan->slots[step->results[k]].shape);
  }
  return sum;
}

// A form may have another fix point than the gate, which its readers are told.
static void fill_table(const xc_gate_site *site, const xc_form *form,
                       int8_t *table) {
  int up = site->out - xc_form_point(form, site);
  for (int i = 0; i < XC_GATE_INPUTS; ++i)
    table[i] = xcSaturate8((int64_t)floor(
        ldexp(xc_form_evaluate(form, site, i + INT8_MIN), up) + 0.5));
}

static void take_input(const xc_frame *frame, place *p) {
  size_t bytes = frame->plan->slots[p->input].bytes;
  p->numbers = xc_alloc(bytes + 1);
  memcpy(p->numbers, frame->data[p->input], bytes);
}

static void put_gate(const xc_frame *frame, const place *p) {
  int8_t *gate = frame->data[p->gate];
  for (size_t i = 0; gate && i < frame->plan->slots[p->gate].bytes; ++i)
    gate[i] = p->table[p->numbers[i] - INT8_MIN];
}

static bool run_step(xc_trials *t, xc_frame *frame, size_t number,
                     const xc_form *const *forms) {
  if (!xc_frame_step(frame, number))
    return false;
  const xc_step *step = &t->plan->steps[number];
  for (size_t i = 0; step->num_results == 1 && i < t->a->num_sites; ++i) {
    place *p = &t->places[i];
    if (!forms[i])
      continue;
    if (step->results[0] == p->input)
      take_input(frame, p);
    if (step->results[0] == p->gate)
      put_gate(frame, p);
  }
  return true;
}

static void forget_inputs(const xc_trials *t) {
  for (size_t i = 0; i < t->a->num_sites; ++i) {
    free(t->places[i].numbers);
    t->places[i].numbers = NULL;
  }
}

static bool run_sample(xc_trials *t, const xc_form *const *forms, size_t sample,
                       double *signal, double *noise) {
  void **found = xc_alloc_array(t->plan->num_results + 1, sizeof(*found));
  xc_frame frame = xc_frame_open(t->interpreter, t->a->q.sample);
  bool ok = true;
  for (size_t i = 0; ok && i < t->plan->num_steps; ++i)
    ok = run_step(t, &frame, i, forms);
  for (size_t i = 0; i < t->plan->num_results; ++i)
    found[i] = frame.data[t->plan->results[i]];
  if (ok)
    xc_approximate_compare(t->a, sample, found, signal, noise);
  xc_frame_close(&frame);
  forget_inputs(t);
  free(found);
  return ok;
}

bool xc_trials_run(xc_trials *t, const xc_form *const *forms, size_t samples,
                   double *noise) {
  size_t count = t->plan->num_results, all = t->a->q.num_samples;
  double *signal = xc_alloc_array(count + 1, sizeof(*signal));
  bool ok = true;
  memset(noise, 0, count * sizeof(*noise));
  for (size_t i = 0; i < t->a->num_sites; ++i)
    if (forms[i])
      fill_table(&t->a->sites[i], forms[i], t->places[i].table);
  for (size_t i = 0; ok && i < samples; ++i) {
    size_t sample = i * all / samples;
    ok = xc_quantize_read_sample(&t->a->q, sample) &&
         run_sample(t, forms, sample, signal, noise);
  }
  // A result that is zero in all samples has no ratio to keep, nor have numbers
  // of classes.
  for (size_t i = 0; i < count; ++i)
    noise[i] = signal[i] > 0 && xc_approximate_has_noise(t->a, i)
                   ? noise[i] / signal[i]
                   : 0;
  free(signal);
  return ok;
}
