//===- ChannelOrder.c - channels of similar size side by side -------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Several orders are tried: by the weights of one of the writers, by the
// largest of all of them, and by mixes of depthwise and other writers.
//
//===----------------------------------------------------------------------===//

#include "ChannelOrder.h"

#include "Support/Math.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef xc_order_problem problem;
typedef xc_order_writer writer;

// Returns the loss of the weights of a writer where each group of channels has
// the step that its largest weight asks for: relative to each channel, at most
// all of it.
static double loss_of(const problem *p, const writer *w, const int64_t *order) {
  const double steps = 127;
  double loss = 0;
  for (int64_t at = 0; at < p->size;) {
    int64_t end =
        xc_minimum64(p->size, at + p->group - (w->first + at) % p->group);
    double peak = 0;
    for (int64_t i = at; i < end; ++i)
      peak = fmax(peak, w->peaks[order[i]]);
    for (; at < end; ++at) {
      double power = w->powers[order[at]];
      if (power > 0)
        loss += fmin(1, peak * peak / (12 * steps * steps * power));
    }
  }
  return loss;
}

static double loss_of_all(const problem *p, const int64_t *order) {
  double loss = 0;
  for (size_t i = 0; i < p->count; ++i)
    loss += loss_of(p, &p->writers[i], order);
  return loss;
}

typedef struct ranked {
  int part;
  float size;
  int64_t channel;
} ranked;

static int compare_ranked(const void *a, const void *b) {
  const ranked *x = a, *y = b;
  if (x->part != y->part)
    return x->part - y->part;
  if (x->size != y->size)
    return x->size > y->size ? -1 : 1;
  return x->channel < y->channel ? -1 : 1;
}

// Negative slopes are side by side, as engines take longer for words of
// channels with such: those of the first PReLU alone, of both, of the second
// one alone, and none.
static int part_of(const problem *p, int64_t channel) {
  static const int parts[] = {3, 0, 2, 1};
  int mask = 0;
  for (size_t i = 0; i < p->num_signs; ++i)
    mask |= p->signs[i][channel] << i;
  return parts[mask];
}

static void sort_by(const problem *p, const double *sizes, int64_t *order) {
  ranked *all = xc_alloc_array((size_t)p->size + 1, sizeof(*all));
  for (int64_t i = 0; i < p->size; ++i)
    all[i] = (ranked){part_of(p, i), sizes ? (float)sizes[i] : 0, i};
  qsort(all, (size_t)p->size, sizeof(*all), compare_ranked);
  for (int64_t i = 0; i < p->size; ++i)
    order[i] = all[i].channel;
  free(all);
}

// A channel without weights is as small as can be.
static double log_size(const writer *w, int64_t channel) {
  const double least = 0x1p-40;
  return log2(fmax(w->peaks[channel], least));
}

// Mixes the logarithms of the largest weights: `share` of those of the
// depthwise writers, the rest of the others.
static void mix_sizes(const problem *p, double share, double *sizes) {
  for (int64_t c = 0; c < p->size; ++c)
    sizes[c] = 0;
  for (size_t i = 0; i < p->count; ++i) {
    const writer *w = &p->writers[i];
    double own = w->is_depthwise ? share : 1 - share;
    for (int64_t c = 0; c < p->size; ++c)
      sizes[c] += own * log_size(w, c);
  }
}

static void largest_sizes(const problem *p, double *sizes) {
  for (int64_t c = 0; c < p->size; ++c) {
    sizes[c] = log_size(&p->writers[0], c);
    for (size_t i = 1; i < p->count; ++i)
      sizes[c] = fmax(sizes[c], log_size(&p->writers[i], c));
  }
}

// Keeps the order of least loss; of two that differ by rounding the first.
static void try_order(const problem *p, const double *sizes, int64_t *best,
                      double *least) {
  const double clearly = 1 - 0x1p-10;
  int64_t *order = xc_alloc_array((size_t)p->size + 1, sizeof(*order));
  sort_by(p, sizes, order);
  double loss = loss_of_all(p, order);
  if (loss < clearly * *least) {
    *least = loss;
    memcpy(best, order, (size_t)p->size * sizeof(*order));
  }
  free(order);
}

// Keeps the PReLUs whose negative slopes fill fewer words than there are.
static void keep_useful_signs(problem *p) {
  size_t kept = 0;
  for (size_t i = 0; i < p->num_signs; ++i) {
    int64_t count = 0;
    for (int64_t c = 0; c < p->size; ++c)
      count += p->signs[i][c];
    if (count > 0 &&
        xc_ceil_div64(count, p->group) < xc_ceil_div64(p->size, p->group))
      p->signs[kept++] = p->signs[i];
  }
  p->num_signs = kept;
}

static bool is_old(const int64_t *order, int64_t size) {
  for (int64_t i = 0; i < size; ++i)
    if (order[i] != i)
      return false;
  return true;
}

int64_t *xc_order_channels(xc_arena *arena, const xc_order_problem *given) {
  static const double shares[] = {0, 0.25, 0.5, 0.75, 1};
  const double clearly = 0.95;
  problem p = *given;
  if (p.size <= p.group || p.count == 0)
    return NULL;
  double *sizes = xc_alloc_array((size_t)p.size + 1, sizeof(*sizes));
  int64_t *order = xc_arena_alloc(arena, (size_t)p.size + 1, sizeof(*order));
  keep_useful_signs(&p);
  sort_by(&p, NULL, order);
  double least = clearly * loss_of_all(&p, order);
  for (size_t i = 0; i < sizeof(shares) / sizeof(*shares); ++i) {
    mix_sizes(&p, shares[i], sizes);
    try_order(&p, sizes, order, &least);
  }
  largest_sizes(&p, sizes);
  try_order(&p, sizes, order, &least);
  for (size_t i = 0; i < p.count; ++i) {
    for (int64_t c = 0; c < p.size; ++c)
      sizes[c] = log_size(&p.writers[i], c);
    try_order(&p, sizes, order, &least);
  }
  free(sizes);
  return is_old(order, p.size) ? NULL : order;
}
