//===- Trials.h - the function with forms in the place of gates ---*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_APPROXIMATE_TRIALS_H
#define XC_TRANSFORMS_APPROXIMATE_TRIALS_H

#include "Approximate.h"

typedef struct xc_trials xc_trials;

/// Returns null after a diagnostic. Null may be closed.
xc_trials *xc_trials_open(xc_approximation *a);
void xc_trials_close(xc_trials *trials);

/// Returns the number of multiply-accumulates and numbers written of one run.
double xc_trials_work(const xc_trials *trials);

/// Runs so many samples, evenly spread, with a form for each site, or null for
/// the gate itself. `noise`: of each result, beside a signal of 1. Returns
/// false after a diagnostic.
bool xc_trials_run(xc_trials *trials, const xc_form *const *forms,
                   size_t samples, double *noise);

#endif // XC_TRANSFORMS_APPROXIMATE_TRIALS_H
