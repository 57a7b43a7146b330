//===- Offer.c - what layers in floating point would bring ----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layers are tried one by one, then all of them together; those without which
// the others bring as much are left out.
//
//===----------------------------------------------------------------------===//

#include "Trial.h"

#include "Interpreter/Frame.h"
#include "Transforms/Quantize/Observe/Observe.h"

#include <math.h>
#include <stdlib.h>

size_t xc_quantize_worst_output(const xc_quantize_comparison *r) {
  size_t worst = 0;
  for (size_t i = 1; i < r->num_results; ++i)
    if (xc_quantize_result_decibel(&r->results[i]) <
        xc_quantize_result_decibel(&r->results[worst]))
      worst = i;
  return worst;
}

/// The exact results of the samples, which all trials are compared with.
typedef struct exact_runs {
  const xc_quantize_comparison *r;
  size_t num_samples;
  void ***exact; // by sample
  size_t worst;  // output of the converted function as it is
  double before; // in decibel, there
} exact_runs;

/// So many that their results do not take more than some memory.
static size_t limit_samples(const xc_quantize_comparison *r, size_t samples) {
  enum { MOST = 1 << 26 };
  const xc_plan *plan = xc_interpreter_plan(r->exact);
  size_t bytes = 1;
  for (size_t i = 0; i < plan->num_results; ++i)
    bytes += plan->slots[plan->results[i]].bytes;
  size_t most = bytes < MOST ? MOST / bytes : 1;
  return samples < most ? samples : most;
}

static bool read_sample(const exact_runs *b, size_t s) {
  return xc_quantize_read_sample(b->r->q,
                                 s * b->r->q->num_samples / b->num_samples);
}

static bool open_exact(exact_runs *b) {
  bool ok = true;
  b->exact = xc_alloc_array(b->num_samples + 1, sizeof(*b->exact));
  for (size_t s = 0; ok && s < b->num_samples; ++s) {
    b->exact[s] = xc_quantize_make_results(b->r->exact, b->r->num_results);
    ok = read_sample(b, s) &&
         xc_quantize_run_exact(b->r, b->r->q->sample, b->exact[s]);
  }
  return ok;
}

static void close_exact(exact_runs *b) {
  for (size_t s = 0; s < b->num_samples && b->exact[s]; ++s) {
    for (size_t i = 0; i < b->r->num_results; ++i)
      free(b->exact[s][i]);
    free(b->exact[s]);
  }
  free(b->exact);
}

/// Runs the samples. Returns false after a diagnostic; null rows where a trial
/// cannot be run.
static bool run_samples(const exact_runs *b, const xc_trial *t,
                        xc_quantize_result **rows) {
  *rows = xc_alloc_array(b->r->num_results, sizeof(**rows));
  for (size_t k = 0; k < b->r->num_results; ++k)
    (*rows)[k] = xc_quantize_empty_result(&b->r->results[k]);
  for (size_t s = 0; s < b->num_samples; ++s) {
    if (!read_sample(b, s))
      return false;
    if (xc_trial_run(t, b->exact[s], *rows))
      continue;
    free(*rows);
    *rows = NULL;
    break;
  }
  return true;
}

static double decibel_at_worst(const exact_runs *b,
                               const xc_quantize_result *rows) {
  return xc_quantize_result_decibel(&rows[b->worst]);
}

/// Numbers that come in more exactly make nothing worse, unless the weights
/// after them were fitted to what is wrong with the others.
static bool run_following(const exact_runs *b, xc_trial *t,
                          xc_quantize_result **rows) {
  const double clearly_db = 1;
  xc_quantize_result *other = NULL;
  if (!*rows || !isfinite(b->before) ||
      decibel_at_worst(b, *rows) > b->before - clearly_db ||
      !xc_trial_follow(t))
    return true;
  bool ok = run_samples(b, t, &other);
  if (ok && other && decibel_at_worst(b, other) > decibel_at_worst(b, *rows)) {
    xc_quantize_result *worse = *rows;
    *rows = other;
    other = worse;
  }
  free(other);
  return ok;
}

/// Runs the function with the chosen layers in floating point. Finds the loss
/// at each output and the cost of these layers; null rows where that cannot be.
static bool run_layers(const exact_runs *b, const xc_quantize_offer *layers,
                       size_t count, const bool *chosen,
                       xc_quantize_result **rows, xc_quantize_offer *price) {
  xc_trial t;
  bool ok = true;
  *rows = NULL;
  if (xc_trial_open(b->r, layers, count, chosen, &t)) {
    ok = run_samples(b, &t, rows) && run_following(b, &t, rows);
    xc_trial_price(&t, price);
  }
  xc_trial_close(&t);
  return ok;
}

/// Tries the chosen layers together: the offer is known if that can be.
static bool try_layers(const exact_runs *b, const xc_quantize_offers *offers,
                       const bool *chosen, xc_quantize_offer *offer) {
  xc_quantize_result *rows;
  bool ok = run_layers(b, offers->items, offers->count, chosen, &rows, offer);
  offer->is_known = false;
  if (ok && rows) {
    offer->output = b->worst;
    offer->gain = decibel_at_worst(b, rows) - b->before;
    offer->is_known = isfinite(offer->gain);
  }
  free(rows);
  return ok;
}

/// Leaves layers out, those first that bring least by themselves, without which
/// the others bring as much.
static bool drop_layers(const exact_runs *b, xc_quantize_offers *offers) {
  const double lost_db = 0.5;
  xc_quantize_offer *all = &offers->together;
  double enough = all->gain - lost_db;
  bool tried[XC_QUANTIZE_OFFERS] = {false};
  for (size_t round = 0; round < offers->count; ++round) {
    size_t least = offers->count;
    for (size_t i = 0; i < offers->count; ++i)
      if (offers->is_together[i] && !tried[i] &&
          (least == offers->count ||
           offers->items[i].gain < offers->items[least].gain))
        least = i;
    if (least == offers->count)
      break;
    tried[least] = true;
    offers->is_together[least] = false;
    xc_quantize_offer without = *all;
    if (!try_layers(b, offers, offers->is_together, &without))
      return false;
    if (without.is_known && without.gain >= enough)
      *all = without;
    else
      offers->is_together[least] = true;
  }
  return true;
}

static bool try_all(const exact_runs *b, xc_quantize_offers *offers) {
  size_t known = 0;
  for (size_t i = 0; i < offers->count; ++i) {
    bool only[XC_QUANTIZE_OFFERS] = {false};
    only[i] = true;
    if (!try_layers(b, offers, only, &offers->items[i]))
      return false;
    offers->is_together[i] = offers->items[i].is_known;
    known += offers->is_together[i];
  }
  if (known < 2)
    return true;
  if (!try_layers(b, offers, offers->is_together, &offers->together))
    return false;
  return !offers->together.is_known || drop_layers(b, offers);
}

/// Begins trials on some of the samples. The worst output is the one of all
/// samples, as reports show it: on a few another one may be worse. Returns
/// false after a diagnostic.
static bool begin(exact_runs *b, const xc_quantize_comparison *r,
                  size_t num_samples) {
  *b = (exact_runs){.r = r,
                    .num_samples = limit_samples(r, num_samples),
                    .worst = xc_quantize_worst_output(r),
                    .before = (double)NAN};
  xc_quantize_result *rows = NULL;
  xc_quantize_offer none;
  bool ok = open_exact(b) && run_layers(b, NULL, 0, NULL, &rows, &none);
  if (ok && rows)
    b->before = decibel_at_worst(b, rows);
  free(rows);
  return ok;
}

static bool is_promising(const xc_quantize_offer *offer) {
  const double worth_db = 0.5;
  return offer->is_known && offer->gain >= worth_db;
}

/// Of many layers on a few samples one seems to bring something by chance. What
/// is promising is measured on more samples.
static bool confirm(const exact_runs *few, size_t num_samples,
                    xc_quantize_offers *offers) {
  exact_runs b;
  if (limit_samples(few->r, num_samples) <= few->num_samples)
    return true;
  bool ok = begin(&b, few->r, num_samples);
  for (size_t i = 0; ok && i < offers->count; ++i) {
    bool only[XC_QUANTIZE_OFFERS] = {false};
    only[i] = true;
    if (is_promising(&offers->items[i]))
      ok = try_layers(&b, offers, only, &offers->items[i]);
  }
  if (ok && is_promising(&offers->together))
    ok = try_layers(&b, offers, offers->is_together, &offers->together);
  close_exact(&b);
  return ok;
}

bool xc_quantize_make_offers(const xc_quantize_comparison *r,
                             size_t num_samples, size_t num_confirming,
                             xc_quantize_offers *offers) {
  exact_runs b;
  if (r->num_results == 0)
    return true;
  xcInterpreterSetObserver(r->exact, NULL, NULL);
  xcInterpreterSetObserver(r->found, NULL, NULL);
  bool ok = begin(&b, r, num_samples);
  if (ok && isfinite(b.before))
    ok = try_all(&b, offers) && confirm(&b, num_confirming, offers);
  close_exact(&b);
  return ok;
}
