//===- Choose.c - forms with which layers and outputs keep the bound ------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The losses of functions add up along a network: 25 SiLUs of 20 dB each leave
// an output 10. The cheapest forms that keep the bound at their places come
// first. Where an output does not keep it with them, each form is tried by
// itself, and what it costs at the outputs is taken as independent of the
// others. Then the site whose next form takes most of that away for its price
// gets it, until the sum keeps the bound; a trial of all forms together says
// how far the sum is off, and corrects it.
//
//===----------------------------------------------------------------------===//

#include "Trials.h"

#include <math.h>
#include <string.h>

/// A form that a site may have. The cheaper ones come first; the last one is
/// the function itself.
typedef struct option {
  const xc_form *form; // null: itself
  double sqnr;         // at its place
  double price;
  double *noise; // of each output beside a signal of 1, by itself
} option;

enum { MOST_FORMS = 4 };

typedef struct site_options {
  option options[MOST_FORMS + 1];
  size_t count, chosen;
} site_options;

/// A better form for a site.
typedef struct raise {
  size_t site, from, to; // options
} raise;

typedef struct choice {
  xc_approximation *a;
  xc_trials *trials;
  site_options *sites;
  const xc_form **forms; // for a trial
  size_t num_outputs;
  double limit;     // of noise
  double *target;   // what is to be left until the next trial
  double *found;    // noise of each output in the last trial
  double *expected; // the sum over sites
  double *share;    // how many times the sum a trial has found
  size_t samples;   // for each form; 0: the network is too large to try them
  raise *raises;
  size_t num_raises, num_done; // those that count now
  int num_trials;
} choice;

//===----------------------------------------------------------------------===//
// Options of a site
//===----------------------------------------------------------------------===//

static double form_sqnr(const xc_form *form, const xc_gate_site *site) {
  double signal = 0, noise = 0;
  int out = xc_form_point(form, site);
  for (int i = 0; i < XC_GATE_INPUTS; ++i) {
    double x = ldexp(i + INT8_MIN, -site->in);
    double factor = xc_gate_is_product(site->gate) ? x : 1;
    double exact = factor * xc_gate_evaluate(site->gate, x);
    double found =
        factor * ldexp(xc_form_evaluate(form, site, i + INT8_MIN), -out);
    signal += site->counts[i] * exact * exact;
    noise += site->counts[i] * (exact - found) * (exact - found);
  }
  return xc_approximate_decibel(signal, noise);
}

static double count_elements(const xc_gate_site *site) {
  double sum = 0;
  for (int i = 0; i < XC_GATE_INPUTS; ++i)
    sum += site->counts[i];
  return sum;
}

// Tensors that the DPU writes.
static double form_price(const xc_form *form) {
  return (double)form->num_terms + (form->num_terms > 1) +
         xc_form_has(&form->before) + xc_form_has(&form->after);
}

// The CPU takes longer for each element by far, and a DPU that waits for it
// starts once more.
static double price_of_cpu(double elements, double samples) {
  const double each = 64, start = 1e6;
  return each * elements + start * samples;
}

static void find_options(const xc_approximation *a, xc_gate_site *site,
                         double bound, site_options *s) {
  size_t count;
  const xc_form *table = xc_form_table(&count);
  double elements = count_elements(site);
  site->sqnr = -INFINITY;
  for (size_t i = 0; i < count && s->count < MOST_FORMS; ++i) {
    if (!xc_form_fits(&table[i], site, a->target))
      continue;
    double sqnr = form_sqnr(&table[i], site);
    site->sqnr = fmax(site->sqnr, sqnr);
    if (sqnr >= bound)
      s->options[s->count++] =
          (option){&table[i], sqnr, elements * form_price(&table[i]), NULL};
  }
  s->options[s->count++] =
      (option){.sqnr = (double)INFINITY,
               .price = price_of_cpu(elements, (double)a->q.num_samples)};
}

//===----------------------------------------------------------------------===//
// Trials
//===----------------------------------------------------------------------===//

/// Multiply-accumulates and numbers of all trials of single forms, and of all
/// forms together: some seconds.
static const double work_of_forms = 2e9, work_of_all = 8e9;

/// Other samples than those of trials may lose more.
static const double room_for_others = 0.8;

enum { MOST_TRIALS = 8, FORMS_ON_AVERAGE = 2 };

// So many samples that all runs stay within the work; 0 is none.
static size_t samples_for(const choice *c, double work, double runs) {
  double all = (double)c->a->q.num_samples;
  return (size_t)fmin(all, work / (runs * xc_trials_work(c->trials) + 1));
}

static const option *chosen_of(const choice *c, size_t site) {
  return &c->sites[site].options[c->sites[site].chosen];
}

// Whether all outputs keep the bound with the forms that are chosen.
static bool try_all(choice *c, bool *keeps) {
  size_t samples = samples_for(c, work_of_all, MOST_TRIALS);
  ++c->num_trials;
  for (size_t i = 0; i < c->a->num_sites; ++i)
    c->forms[i] = chosen_of(c, i)->form;
  *keeps = true;
  if (!xc_trials_run(c->trials, c->forms, samples ? samples : 1, c->found))
    return false;
  for (size_t k = 0; k < c->num_outputs; ++k)
    *keeps &= c->found[k] <= c->limit;
  return true;
}

// A network that is too large to try each form loses at its outputs what is
// lost at the place.
static bool measure_form(choice *c, size_t site, option *form) {
  form->noise =
      xc_arena_alloc(&c->a->q.arena, c->num_outputs + 1, sizeof(*form->noise));
  for (size_t k = 0; k < c->num_outputs; ++k)
    form->noise[k] = form->form ? pow(10, -form->sqnr / 10) : 0;
  if (!form->form || c->samples == 0)
    return true;
  memset(c->forms, 0, c->a->num_sites * sizeof(*c->forms));
  c->forms[site] = form->form;
  return xc_trials_run(c->trials, c->forms, c->samples, form->noise);
}

static bool measure_forms(choice *c) {
  for (size_t i = 0; i < c->a->num_sites; ++i)
    for (size_t k = 0; k < c->sites[i].count; ++k)
      if (!measure_form(c, i, &c->sites[i].options[k]))
        return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Raising options
//===----------------------------------------------------------------------===//

static void expect(choice *c) {
  memset(c->expected, 0, c->num_outputs * sizeof(*c->expected));
  for (size_t i = 0; i < c->a->num_sites; ++i)
    for (size_t k = 0; k < c->num_outputs; ++k)
      c->expected[k] += chosen_of(c, i)->noise[k];
}

static bool exceeds(const choice *c, size_t output) {
  return c->expected[output] * c->share[output] > c->target[output];
}

static bool is_enough(const choice *c) {
  for (size_t k = 0; k < c->num_outputs; ++k)
    if (exceeds(c, k))
      return false;
  return true;
}

// Returns the gain of outputs that are beyond the bound for the price.
static double gain_of(const choice *c, const option *from, const option *to) {
  double gain = 0;
  for (size_t k = 0; k < c->num_outputs; ++k)
    if (exceeds(c, k))
      gain += (from->noise[k] - to->noise[k]) / c->expected[k];
  return gain / fmax(to->price - from->price, 1);
}

// A function goes to the CPU, where it divides the network, only where a trial
// has found that it counts.
static bool may_have(const choice *c, const option *o) {
  return o->form || c->samples > 0;
}

// Gives the site a better form that gains most. Returns false where none gains.
static bool raise_one(choice *c) {
  size_t best_site = 0, best = 0;
  double most = 0;
  for (size_t i = 0; i < c->a->num_sites; ++i)
    for (size_t k = c->sites[i].chosen + 1; k < c->sites[i].count; ++k) {
      const option *o = &c->sites[i].options[k];
      double gain = may_have(c, o) ? gain_of(c, chosen_of(c, i), o) : 0;
      if (gain <= most)
        continue;
      most = gain;
      best_site = i;
      best = k;
    }
  if (!(most > 0))
    return false;
  c->raises[c->num_raises++] =
      (raise){best_site, c->sites[best_site].chosen, best};
  c->num_done = c->num_raises;
  c->sites[best_site].chosen = best;
  return true;
}

// Undoes the last raises, or does them again.
static void go_to(choice *c, size_t count) {
  for (; c->num_done > count; --c->num_done) {
    const raise *last = &c->raises[c->num_done - 1];
    c->sites[last->site].chosen = last->from;
  }
  for (; c->num_done < count; ++c->num_done) {
    const raise *next = &c->raises[c->num_done];
    c->sites[next->site].chosen = next->to;
  }
}

static void raise_until_enough(choice *c) {
  // Far from the bound the sum says little: large errors have to do with each
  // other.
  const double step = 0.4;
  expect(c);
  for (size_t k = 0; k < c->num_outputs; ++k) {
    c->share[k] = c->expected[k] > 0 ? c->found[k] / c->expected[k] : 0;
    c->target[k] = fmax(c->limit, step * c->found[k]);
  }
  while (!is_enough(c) && raise_one(c))
    expect(c);
}

// The fewest of the raises with which the outputs keep the bound: so many, and
// more than `few`.
static bool take_fewest(choice *c, size_t few) {
  size_t enough = c->num_raises;
  while (enough - few > 1 && c->num_trials < MOST_TRIALS) {
    size_t middle = few + (enough - few) / 2;
    bool keeps;
    go_to(c, middle);
    if (!try_all(c, &keeps))
      return false;
    *(keeps ? &enough : &few) = middle;
  }
  go_to(c, enough);
  return true;
}

static bool keep_outputs(choice *c) {
  bool keeps;
  size_t few = 0;
  if (!try_all(c, &keeps) || (!keeps && !measure_forms(c)))
    return false;
  while (!keeps && c->num_trials < MOST_TRIALS) {
    few = c->num_raises;
    raise_until_enough(c);
    if (c->num_raises == few)
      break;
    if (!try_all(c, &keeps))
      return false;
  }
  return !keeps || take_fewest(c, few);
}

static void *alloc(const choice *c, size_t count, size_t size) {
  return xc_arena_alloc(&c->a->q.arena, count + 1, size);
}

static void open_choice(choice *c) {
  const size_t sites = c->a->num_sites, outputs = c->num_outputs;
  c->sites = alloc(c, sites, sizeof(*c->sites));
  c->forms = alloc(c, sites, sizeof(*c->forms));
  c->raises = alloc(c, sites * MOST_FORMS, sizeof(*c->raises));
  c->found = alloc(c, outputs, sizeof(*c->found));
  c->expected = alloc(c, outputs, sizeof(*c->expected));
  c->target = alloc(c, outputs, sizeof(*c->target));
  c->share = alloc(c, outputs, sizeof(*c->share));
  c->samples = samples_for(c, work_of_forms, FORMS_ON_AVERAGE * (double)sites);
  c->limit = pow(10, -c->a->bound / 10);
  if (samples_for(c, work_of_all, MOST_TRIALS) < c->a->q.num_samples)
    c->limit *= room_for_others;
}

// Where more is asked of the outputs, trials tell which places have to be
// better.
static double bound_of_places(const choice *c) {
  const double most_asked = 20;
  return c->samples ? fmin(c->a->bound, most_asked) : c->a->bound;
}

bool xc_approximate_choose(xc_approximation *a) {
  choice c = {.a = a,
              .trials = xc_trials_open(a),
              .num_outputs = xc_approximate_num_results(a)};
  if (!c.trials)
    return false;
  open_choice(&c);
  for (size_t i = 0; i < a->num_sites; ++i)
    find_options(a, &a->sites[i], bound_of_places(&c), &c.sites[i]);
  bool ok = keep_outputs(&c);
  xc_trials_close(c.trials);
  for (size_t i = 0; i < a->num_sites; ++i) {
    const option *o = chosen_of(&c, i);
    a->sites[i].form = o->form;
    a->sites[i].sqnr = o->form ? o->sqnr : a->sites[i].sqnr;
  }
  return ok;
}
