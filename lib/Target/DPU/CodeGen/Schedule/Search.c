//===- Search.c - prices of schedules, each found once --------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search.h"

#include "Support/Memory.h"
#include "Support/Progress.h"

#include <stdlib.h>
#include <string.h>

/// The budget by effort: the number of prices after which no other kind of
/// schedule is begun.
static const size_t budgets[] = {1, 1u << 18, 1u << 19, 1u << 20};

xc_search xc_search_begin(xc_schedule_estimator estimator, XcDpuEffort effort) {
  return (xc_search){
      .estimator = estimator, .effort = effort, .budget = budgets[effort]};
}

void xc_search_end(xc_search *search) {
  free(search->entries);
  free(search->ends);
  *search = (xc_search){0};
}

bool xc_search_goes_on(const xc_search *search, XcDpuEffort needed) {
  return search->effort >= needed && search->num_priced < search->budget;
}

XcDpuSearchReport xc_search_report(const xc_search *search) {
  return (XcDpuSearchReport){.effort = search->effort,
                             .priced = search->num_priced,
                             .kept = search->num_kept,
                             .budget = search->budget};
}

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

static void mix(xc_price_key *key, uint64_t value) {
  key->low = (key->low ^ value) * UINT64_C(0x9e3779b97f4a7c15);
  key->low ^= key->low >> 29;
  key->high = (key->high + value) * UINT64_C(0xc2b2ae3d27d4eb4f);
  key->high ^= key->high >> 32;
}

static void mix_bytes(xc_price_key *key, const void *bytes, size_t size) {
  const unsigned char *at = bytes;
  uint64_t value;
  for (; size >= sizeof value; size -= sizeof value, at += sizeof value) {
    memcpy(&value, at, sizeof value);
    mix(key, value);
  }
  value = 0;
  memcpy(&value, at, size);
  mix(key, value);
}

/// Adds an image in the banks to a key, by its contents: the images of a
/// cascade have words of their own.
static void mix_image(xc_price_key *key, const xc_bank_image *image) {
  mix(key, image != NULL);
  if (image)
    mix_bytes(key, image, sizeof *image);
}

static void mix_unit(xc_price_key *key, const xc_unit *source, size_t index) {
  xc_unit unit;
  memcpy(&unit, source, sizeof unit);
  for (size_t k = 0; k < XC_DPU_MAX_INPUTS; ++k) {
    mix_image(key, unit.layout.inputs[k]);
    unit.layout.inputs[k] = NULL;
  }
  mix_image(key, unit.layout.output);
  unit.layout.output = NULL;
  // Neither names and numbers are code, nor strips that a plan may have and
  // does not.
  unit.layer.name = unit.layer.location = NULL;
  unit.number = 0;
  if (unit.plan.tiles.strips.rows == 0)
    unit.layout.allows_strips = unit.plan.request.allows_strips = false;
  unit.cascade_last = xc_units_together(source, index);
  mix_bytes(key, &unit, sizeof unit);
}

static xc_price_key key_of(const xc_schedule *schedule, size_t first,
                           size_t last) {
  xc_price_key key = {0};
  const xc_unit *units = schedule->units.items;
  // Readers wait for all SAVEs to a register that anything is saved to.
  uint64_t saved = 0;
  for (size_t u = 0; u < schedule->units.count; ++u)
    saved |= UINT64_C(1) << units[u].layer.output.reg;
  mix(&key, saved);
  for (size_t u = first; u <= last; ++u)
    mix_unit(&key, &units[u], u);
  return key;
}

xc_price_key xc_schedule_key(const xc_schedule *schedule) {
  size_t count = schedule->units.count;
  return count ? key_of(schedule, 0, count - 1) : (xc_price_key){0};
}

//===----------------------------------------------------------------------===//
// Prices that are known
//===----------------------------------------------------------------------===//

static xc_price_entry *find(xc_price_entry *entries, size_t capacity,
                            const xc_price_key *key) {
  size_t at = (size_t)key->low & (capacity - 1);
  while (entries[at].is_used &&
         (entries[at].key.low != key->low || entries[at].key.high != key->high))
    at = (at + 1) & (capacity - 1);
  return &entries[at];
}

/// At least half of the table is free.
static void grow(xc_search *search) {
  enum { FIRST = 1024 };
  if (2 * (search->count + 1) <= search->capacity)
    return;
  size_t capacity = search->capacity ? 2 * search->capacity : FIRST;
  xc_price_entry *entries = xc_alloc_array(capacity, sizeof *entries);
  for (size_t i = 0; i < search->capacity; ++i)
    if (search->entries[i].is_used)
      *find(entries, capacity, &search->entries[i].key) = search->entries[i];
  free(search->entries);
  search->entries = entries;
  search->capacity = capacity;
}

static void remember(xc_search *search, xc_price_entry *entry,
                     const xc_price_key *key, const int64_t *ends,
                     size_t count) {
  void *all = search->ends;
  xc_grow(&all, &search->ends_capacity, search->num_ends + count, sizeof *ends);
  search->ends = all;
  memcpy(search->ends + search->num_ends, ends, count * sizeof *ends);
  *entry = (xc_price_entry){*key, search->num_ends, true};
  search->num_ends += count;
  ++search->count;
}

static void report_progress(const xc_search *search) {
  enum { STEP = 16 };
  if (search->count % STEP == 0)
    xc_report_progress(&search->progress, "schedules priced", search->count, 0);
}

static void find_ends(xc_search *search, const xc_schedule *schedule,
                      size_t first, size_t last, int64_t *ends) {
  size_t count = last - first + 1;
  xc_price_key key = key_of(schedule, first, last);
  grow(search);
  xc_price_entry *entry = find(search->entries, search->capacity, &key);
  if (entry->is_used) {
    memcpy(ends, search->ends + entry->ends, count * sizeof *ends);
    return;
  }
  xc_estimate(search->estimator, schedule, first, last, ends);
  remember(search, entry, &key, ends, count);
  report_progress(search);
}

void xc_search_price(xc_search *search, const xc_schedule *schedule,
                     size_t first, size_t last, int64_t *ends) {
  ++search->num_priced;
  find_ends(search, schedule, first, last, ends);
}

//===----------------------------------------------------------------------===//
// Whole schedules
//===----------------------------------------------------------------------===//

int64_t xc_search_recall(xc_search *search, const xc_schedule *schedule) {
  size_t count = schedule->units.count;
  if (count == 0)
    return 0;
  int64_t *ends = xc_alloc_array(count, sizeof *ends);
  find_ends(search, schedule, 0, count - 1, ends);
  int64_t cycles = ends[count - 1];
  free(ends);
  return cycles;
}

int64_t xc_search_end_of(xc_search *search, const xc_schedule *schedule,
                         size_t first, size_t last) {
  int64_t *ends = xc_alloc_array(last - first + 1, sizeof *ends);
  xc_search_price(search, schedule, first, last, ends);
  int64_t end = ends[last - first];
  free(ends);
  return end;
}

int64_t xc_search_cycles(xc_search *search, const xc_schedule *schedule) {
  search->num_priced += schedule->units.count > 0;
  return xc_search_recall(search, schedule);
}

bool xc_is_same_schedule(const xc_schedule *schedule, const xc_price_key *key) {
  xc_price_key own = xc_schedule_key(schedule);
  return own.low == key->low && own.high == key->high;
}

static xc_schedule take(xc_search *search, bool is_better, xc_schedule *a,
                        xc_schedule *b) {
  search->num_kept += is_better;
  xc_schedule_free(is_better ? a : b);
  return is_better ? *b : *a;
}

xc_schedule xc_search_faster(xc_search *search, xc_schedule *a,
                             xc_schedule *b) {
  bool is_better = xc_search_cycles(search, b) < xc_search_cycles(search, a);
  return take(search, is_better, a, b);
}

bool xc_is_clearly_faster(int64_t cycles, int64_t than) {
  enum { PART = 1000 };
  return cycles < than - than / PART;
}

xc_schedule xc_search_clearly_faster(xc_search *search, xc_schedule *a,
                                     xc_schedule *b) {
  bool is_better = xc_is_clearly_faster(xc_search_cycles(search, b),
                                        xc_search_cycles(search, a));
  return take(search, is_better, a, b);
}
