//===- Search.h - prices of schedules, each found once ------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A search compares many schedules that have most units in common. Prices,
// which are static estimates, are therefore remembered by the contents of the
// units. The effort says how far a search goes. Its budget is a number of
// prices, never time, so that the same layers give the same schedule
// everywhere.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_SCHEDULE_SEARCH_H
#define XC_TARGET_DPU_CODEGEN_SCHEDULE_SEARCH_H

#include "Schedule.h"

/// Networks with more units are mostly moves of images, which gain nothing in
/// cascades, tiles and other orders: they are not searched for these.
enum { XC_MAX_SEARCHED_UNITS = 2048 };

/// Identifies units, as they are laid out and planned.
typedef struct xc_price_key {
  uint64_t low, high;
} xc_price_key;

typedef struct xc_price_entry {
  xc_price_key key;
  size_t ends; // the first of them among those of all entries
  bool is_used;
} xc_price_entry;

typedef struct xc_search {
  xc_schedule_estimator estimator;
  XcDpuEffort effort;
  size_t budget;
  XcProgress progress;
  /// The only way of the strategy that is tried; null: all ways.
  const xc_schedule_way *only_way;
  /// If several ways are tried: whether cascades may release buffers that are
  /// held.
  bool may_release;
  /// For tests: last rows are computed in strips, and elementwise units
  /// flattened, wherever they can be.
  bool forces_forms;
  /// How many schedules and parts of schedules were priced, and how many of
  /// them were the best so far.
  size_t num_priced, num_kept;
  xc_price_entry *entries; // a hash table
  size_t count, capacity;
  int64_t *ends;
  size_t num_ends, ends_capacity;
} xc_search;

xc_search xc_search_begin(xc_schedule_estimator estimator, XcDpuEffort effort);
void xc_search_end(xc_search *search);

/// As an xc_schedule_estimator does.
void xc_search_price(xc_search *search, const xc_schedule *schedule,
                     size_t first, size_t last, int64_t *ends);

/// Returns the end of the units from `first` to `last`, as if there were no
/// others.
int64_t xc_search_end_of(xc_search *search, const xc_schedule *schedule,
                         size_t first, size_t last);

/// Returns the end of the last unit.
int64_t xc_search_cycles(xc_search *search, const xc_schedule *schedule);
/// Returns the end of the last unit of a schedule that has been priced before,
/// which does not count as a new price.
int64_t xc_search_recall(xc_search *search, const xc_schedule *schedule);

/// Returns the key of all units, before they take parameters from transfers.
/// Later decisions are the same for schedules with the same key.
xc_price_key xc_schedule_key(const xc_schedule *schedule);
bool xc_is_same_schedule(const xc_schedule *schedule, const xc_price_key *key);

/// Takes the faster one of two schedules, and frees the other one.
xc_schedule xc_search_faster(xc_search *search, xc_schedule *a, xc_schedule *b);

/// Whether an alternative is faster by more than the error of the estimate.
/// More effort tries so many alternatives that some seem faster by this error
/// alone.
bool xc_is_clearly_faster(int64_t cycles, int64_t than);
/// Takes the second one of two schedules if it is clearly faster, else the
/// first one, and frees the other.
xc_schedule xc_search_clearly_faster(xc_search *search, xc_schedule *a,
                                     xc_schedule *b);

XcDpuSearchReport xc_search_report(const xc_search *search);

/// Whether there may be more schedules beside those of the default effort.
bool xc_search_goes_on(const xc_search *search, XcDpuEffort needed);

#endif // XC_TARGET_DPU_CODEGEN_SCHEDULE_SEARCH_H
