//===- Trial.h - layers in floating point, on samples -------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// keep-float is tried on samples: where a run of the converted function comes
// to a layer that is left in floating point, the operators of the float
// function compute it from what is there before it. The layers after it stay as
// they were fitted, so that the real thing may bring more. Where they were
// fitted to what the layer had lost, that says nothing: then they have float
// weights and rounded results, which is what fitted weights come close to.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_QUANTIZE_REPORT_TRIAL_H
#define XC_TRANSFORMS_QUANTIZE_REPORT_TRIAL_H

#include "Comparison.h"

#include "Interpreter/Plan.h"

/// A value that a member reads, and that is none.
typedef struct xc_trial_source {
  int64_t fixed; // slot of the converted function
  int64_t real;  // slot of the float function
  int point;     // of numbers that are fixed
  bool is_fixed;
} xc_trial_source;

/// A value that is computed in floating point.
typedef struct xc_trial_member {
  const xc_quantize_value *value;
  int64_t fixed, real; // slots, as those of a source
} xc_trial_member;

/// A part of the float function that a trial runs.
typedef struct xc_trial_part {
  size_t *owners; // by step: its member, from 1; 0: none
  xc_trial_source *sources;
  size_t num_sources;
} xc_trial_part;

/// A trial of some layers.
typedef struct xc_trial {
  const xc_quantize_comparison *r;
  const xc_plan *found, *exact;
  /// In floating point first; from `num_kept` on those that follow with float
  /// weights. What a member reads comes before it.
  xc_trial_member *members;
  size_t num_members, num_kept;
  xc_trial_part kept, following;
} xc_trial;

/// The layers of the offers that are chosen; none: the converted function as it
/// is. Returns false where they cannot be tried. Closed in any case.
bool xc_trial_open(const xc_quantize_comparison *r,
                   const xc_quantize_offer *offers, size_t count,
                   const bool *chosen, xc_trial *trial);
void xc_trial_close(xc_trial *trial);

/// Gives the layers that read what the others change float weights. Returns
/// false where there are none, or where they cannot be tried.
bool xc_trial_follow(xc_trial *trial);

/// Runs the sample at hand, and adds what the results lose beside the exact
/// ones. Returns false where that cannot be.
bool xc_trial_run(const xc_trial *trial, void *const *exact,
                  xc_quantize_result *rows);

/// Sets what the layers take on a CPU.
void xc_trial_price(const xc_trial *trial, xc_quantize_offer *offer);

#endif // XC_TRANSFORMS_QUANTIZE_REPORT_TRIAL_H
