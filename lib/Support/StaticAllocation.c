//===- StaticAllocation.c - static allocation by live ranges --------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StaticAllocation.h"

#include "Memory.h"

#include <assert.h>
#include <stdlib.h>

enum {
  NONE = -1,
  // Gaps are binned by their size: 8 steps per power of two.
  STEP_BITS = 3,
  NUM_BINS = 64 << STEP_BITS,
  LARGEST_QUADRATIC = 4096
};

//===----------------------------------------------------------------------===//
// Orders
//===----------------------------------------------------------------------===//

typedef struct order_entry {
  int64_t key;
  size_t index;
} order_entry;

static int compare_entries(const void *a, const void *b) {
  const order_entry *x = a, *y = b;
  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return x->index < y->index ? -1 : 1;
}

typedef int64_t (*key_function)(const xc_lifetime *life);
static int64_t first_use(const xc_lifetime *life) {
  return (int64_t)life->first;
}
static int64_t last_use(const xc_lifetime *life) { return (int64_t)life->last; }
static int64_t largest_first(const xc_lifetime *life) { return -life->size; }

static order_entry *sorted_by(const xc_lifetime *lives, size_t count,
                              key_function key) {
  order_entry *order = xc_alloc_array(count, sizeof(*order));
  for (size_t i = 0; i < count; ++i)
    order[i] = (order_entry){key(&lives[i]), i};
  qsort(order, count, sizeof(*order), compare_entries);
  return order;
}

//===----------------------------------------------------------------------===//
// Gaps
//===----------------------------------------------------------------------===//

// A piece of the arena, used or free; pieces are linked by address, free ones
// also within their bin.
typedef struct piece {
  int64_t offset, size;
  int before, after;
  int bin_before, bin_after;
  int is_free;
} piece;

typedef struct gaps {
  piece *pieces;
  size_t count, capacity;
  int last;  // the piece with the highest address
  int spare; // unused entries of `pieces`, linked by `after`
  int bins[NUM_BINS];
  int64_t end; // of the last piece
  int64_t peak;
} gaps;

// Sizes of one bin differ by less than an eighth.
static int bin_of(int64_t size) {
  int exponent = 0;
  for (int64_t rest = size; rest > 1; rest >>= 1)
    ++exponent;
  int64_t step = exponent >= STEP_BITS ? size >> (exponent - STEP_BITS)
                                       : size << (STEP_BITS - exponent);
  return (exponent << STEP_BITS) + (int)(step & ((1 << STEP_BITS) - 1));
}

static void bin_insert(gaps *g, int at) {
  int *head = &g->bins[bin_of(g->pieces[at].size)];
  g->pieces[at].is_free = 1;
  g->pieces[at].bin_before = NONE;
  g->pieces[at].bin_after = *head;
  if (*head != NONE)
    g->pieces[*head].bin_before = at;
  *head = at;
}

static void bin_remove(gaps *g, int at) {
  piece *p = &g->pieces[at];
  p->is_free = 0;
  if (p->bin_before != NONE)
    g->pieces[p->bin_before].bin_after = p->bin_after;
  else
    g->bins[bin_of(p->size)] = p->bin_after;
  if (p->bin_after != NONE)
    g->pieces[p->bin_after].bin_before = p->bin_before;
}

static int new_piece(gaps *g, piece value) {
  int at = g->spare;
  if (at != NONE) {
    g->spare = g->pieces[at].after;
  } else {
    void *pieces = g->pieces;
    xc_grow(&pieces, &g->capacity, g->count + 1, sizeof(piece));
    g->pieces = pieces;
    at = (int)g->count++;
  }
  g->pieces[at] = value;
  return at;
}

static void release_piece(gaps *g, int at) {
  g->pieces[at].after = g->spare;
  g->spare = at;
}

// Joins `right` to its left neighbour `left`; neither is in a bin.
static void join(gaps *g, int left, int right) {
  g->pieces[left].size += g->pieces[right].size;
  int after = g->pieces[right].after;
  g->pieces[left].after = after;
  if (after != NONE)
    g->pieces[after].before = left;
  else
    g->last = left;
  release_piece(g, right);
}

// Cuts a used piece to `size`; the rest becomes a gap.
static void trim(gaps *g, int at, int64_t size) {
  int64_t rest = g->pieces[at].size - size;
  if (rest == 0)
    return;
  piece tail = {.offset = g->pieces[at].offset + size,
                .size = rest,
                .before = at,
                .after = g->pieces[at].after};
  int cut = new_piece(g, tail);
  if (tail.after != NONE)
    g->pieces[tail.after].before = cut;
  else
    g->last = cut;
  g->pieces[at].size = size;
  g->pieces[at].after = cut;
  bin_insert(g, cut);
}

// Returns the smallest gap of the bins that can hold `size`, or NONE.
static int find_gap(const gaps *g, int64_t size) {
  for (int bin = bin_of(size); bin < NUM_BINS; ++bin) {
    int best = NONE;
    // Within the first bin gaps may be too small; a bounded look is enough,
    // for any gap of the next bins fits.
    int looks = 64;
    for (int at = g->bins[bin]; at != NONE && looks > 0;
         at = g->pieces[at].bin_after, --looks)
      if (g->pieces[at].size >= size &&
          (best == NONE || g->pieces[at].size < g->pieces[best].size))
        best = at;
    if (best != NONE)
      return best;
  }
  return NONE;
}

static int take(gaps *g, int64_t size) {
  int at = find_gap(g, size);
  if (at != NONE) {
    bin_remove(g, at);
    trim(g, at, size);
    return at;
  }
  // Grow the arena, from the gap at its end if there is one.
  if (g->last != NONE && g->pieces[g->last].is_free) {
    at = g->last;
    bin_remove(g, at);
    g->end += size - g->pieces[at].size;
    g->pieces[at].size = size;
  } else {
    at = new_piece(g, (piece){.offset = g->end,
                              .size = size,
                              .before = g->last,
                              .after = NONE});
    if (g->last != NONE)
      g->pieces[g->last].after = at;
    g->last = at;
    g->end += size;
  }
  g->peak = g->end > g->peak ? g->end : g->peak;
  return at;
}

static void give_back(gaps *g, int at) {
  int after = g->pieces[at].after, before = g->pieces[at].before;
  if (after != NONE && g->pieces[after].is_free) {
    bin_remove(g, after);
    join(g, at, after);
  }
  if (before != NONE && g->pieces[before].is_free) {
    bin_remove(g, before);
    join(g, before, at);
    at = before;
  }
  bin_insert(g, at);
}

static int64_t place_by_time(xc_lifetime *lives, size_t count) {
  gaps g = {.last = NONE, .spare = NONE};
  for (int i = 0; i < NUM_BINS; ++i)
    g.bins[i] = NONE;
  order_entry *starts = sorted_by(lives, count, first_use);
  order_entry *ends = sorted_by(lives, count, last_use);
  int *pieces = xc_alloc_array(count, sizeof(int));
  size_t done = 0;
  for (size_t i = 0; i < count; ++i) {
    xc_lifetime *life = &lives[starts[i].index];
    for (; done < count && lives[ends[done].index].last < life->first; ++done)
      if (lives[ends[done].index].size > 0)
        give_back(&g, pieces[ends[done].index]);
    if (life->size == 0)
      continue;
    pieces[starts[i].index] = take(&g, life->size);
    life->offset = g.pieces[pieces[starts[i].index]].offset;
  }
  free(pieces);
  free(starts);
  free(ends);
  free(g.pieces);
  return g.peak;
}

//===----------------------------------------------------------------------===//
// Largest first
//===----------------------------------------------------------------------===//

static int lives_meet(const xc_lifetime *a, const xc_lifetime *b) {
  return a->first <= b->last && b->first <= a->last;
}

// `placed` is ordered by offset.
static int64_t lowest_gap(const xc_lifetime *lives, const size_t *placed,
                          size_t num_placed, const xc_lifetime *life) {
  int64_t offset = 0;
  for (size_t i = 0; i < num_placed; ++i) {
    const xc_lifetime *other = &lives[placed[i]];
    if (!lives_meet(life, other))
      continue;
    if (other->offset >= offset + life->size)
      break;
    int64_t end = other->offset + other->size;
    offset = end > offset ? end : offset;
  }
  return offset;
}

static int64_t place_by_size(xc_lifetime *lives, size_t count) {
  order_entry *order = sorted_by(lives, count, largest_first);
  size_t *placed = xc_alloc_array(count, sizeof(*placed));
  int64_t peak = 0;
  for (size_t i = 0; i < count; ++i) {
    xc_lifetime *life = &lives[order[i].index];
    life->offset = lowest_gap(lives, placed, i, life);
    size_t at = i;
    for (; at > 0 && lives[placed[at - 1]].offset > life->offset; --at)
      placed[at] = placed[at - 1];
    placed[at] = order[i].index;
    int64_t end = life->offset + life->size;
    peak = end > peak ? end : peak;
  }
  free(placed);
  free(order);
  return peak;
}

static int64_t largest_sum(const xc_lifetime *lives, size_t count,
                           int64_t *total) {
  order_entry *starts = sorted_by(lives, count, first_use);
  order_entry *ends = sorted_by(lives, count, last_use);
  int64_t alive = 0, largest = 0;
  size_t done = 0;
  *total = 0;
  for (size_t i = 0; i < count; ++i) {
    const xc_lifetime *life = &lives[starts[i].index];
    for (; done < count && lives[ends[done].index].last < life->first; ++done)
      alive -= lives[ends[done].index].size;
    alive += life->size;
    *total += life->size;
    largest = alive > largest ? alive : largest;
  }
  free(starts);
  free(ends);
  return largest;
}

xc_static_allocation xc_allocate_statically(xc_lifetime *lives, size_t count) {
  xc_static_allocation plan = {0};
  plan.lower_bound = largest_sum(lives, count, &plan.total);
  plan.peak = place_by_time(lives, count);
  if (plan.peak == plan.lower_bound || count > LARGEST_QUADRATIC)
    return plan;
  int64_t *by_time = xc_alloc_array(count, sizeof(*by_time));
  for (size_t i = 0; i < count; ++i)
    by_time[i] = lives[i].offset;
  int64_t peak = place_by_size(lives, count);
  if (peak < plan.peak)
    plan.peak = peak;
  else
    for (size_t i = 0; i < count; ++i)
      lives[i].offset = by_time[i];
  free(by_time);
  assert(plan.peak >= plan.lower_bound && "no arena is below the bound");
  return plan;
}
