//===- EngineSearch.h - schedules with divided depthwise layers ---*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state of a search for the division of depthwise layers between the
// engines (Engines.c). A candidate is a schedule with one split for each layer.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_SCHEDULE_ENGINESEARCH_H
#define XC_TARGET_DPU_CODEGEN_SCHEDULE_ENGINESEARCH_H

#include "Search.h"

enum { XC_MAX_ENGINE_CANDIDATES = 32 };

/// How times are estimated: with parameters that come together, as they will in
/// the end, or with the parameters of each unit by themselves. The loads of the
/// convolution engine for a depthwise layer may take longer by themselves than
/// the engine.
typedef enum xc_estimate_kind {
  XC_ESTIMATE_JOINT,
  XC_ESTIMATE_APART,
  XC_NUM_ESTIMATE_KINDS,
} xc_estimate_kind;

typedef struct xc_engine_candidate {
  xc_engine_split *splits;
  xc_schedule schedule;
  /// For each layer, when its units and those of all layers before it have
  /// ended; -1: some of them are after units of later layers, or in a cascade
  /// with these.
  int64_t *ends[XC_NUM_ESTIMATE_KINDS];
  int64_t cycles; // with joint parameters
} xc_engine_candidate;

typedef struct xc_engine_search {
  const xc_schedule *layers;
  xc_search *search;
  xc_strategy strategy;
  size_t num_layers;
  xc_engine_candidate candidates[XC_MAX_ENGINE_CANDIDATES];
  size_t count;
} xc_engine_search;

//===----------------------------------------------------------------------===//
// Candidates (EngineCandidates.c)
//===----------------------------------------------------------------------===//

/// Makes the schedule of the splits, and takes ownership of these. Returns
/// false if there is none.
bool xc_make_candidate(xc_engine_search *search, xc_engine_split *splits,
                       xc_engine_candidate *c);
void xc_free_candidate(xc_engine_candidate *c);

/// Adds the schedule of the splits to the candidates, and takes ownership of
/// these. Returns whether it is the fastest one.
bool xc_try_splits(xc_engine_search *search, xc_engine_split *splits);

/// Returns the cycles by which candidates are compared. Later decisions gain
/// less where a convolution already runs beside a depthwise layer.
int64_t xc_likely_cycles(const xc_engine_search *search,
                         const xc_engine_candidate *c);

/// Returns the candidate that is likely to be the fastest one after later
/// decisions.
size_t xc_fastest_candidate(const xc_engine_search *search);

//===----------------------------------------------------------------------===//
// Combinations of candidates (EngineJoin.c)
//===----------------------------------------------------------------------===//

/// Adds the fastest paths through all candidates as candidates of their own.
void xc_try_ways(xc_engine_search *search, XcDpuEffort effort);

/// Combines the candidates that are fastest in each part of the network.
void xc_join_candidates(xc_engine_search *search);

/// Gives one layer after the other the split of any candidate that makes the
/// schedule fastest while the other layers stay as they are.
void xc_improve_layers(xc_engine_search *search);

#endif // XC_TARGET_DPU_CODEGEN_SCHEDULE_ENGINESEARCH_H
