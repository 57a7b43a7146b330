//===- Observe.h - what samples say of the function ---------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_QUANTIZE_OBSERVE_OBSERVE_H
#define XC_TRANSFORMS_QUANTIZE_OBSERVE_OBSERVE_H

#include "Transforms/Quantize/Function/Function.h"

// Samples.c

/// Sets `ranges`, unless they are, from what quantises the arguments.
void xc_quantize_find_ranges(xc_quantizer *q);
/// Finds data, or makes some up for "random", in the place of what was open;
/// `what` stands in front of messages, `most` is 0 or the largest number.
/// Returns false after a diagnostic.
bool xc_quantize_open_samples(xc_quantizer *q, const char *what,
                              const char *path, int64_t most);
/// Has the next runs use all of them again.
void xc_quantize_take_all(xc_quantizer *q);
/// Returns where a sample stands in the set that was opened.
size_t xc_quantize_place(const xc_quantizer *q, size_t sample);
/// Reads one into `sample`.
bool xc_quantize_read_sample(xc_quantizer *q, size_t sample);
/// Returns the number of bytes of a tensor.
size_t xc_quantize_bytes(const xc_shape *shape);

// Measure.c

/// Makes a range hold a number.
static inline void xc_quantize_widen(double value, double *low, double *high) {
  *low = value < *low ? value : *low;
  *high = value > *high ? value : *high;
}

/// Runs the reference on all samples for the ranges of each value.
bool xc_quantize_measure(xc_quantizer *q);
/// Runs it again, for ranges and for what the candidates lose of the values
/// that are not settled.
bool xc_quantize_score(xc_quantizer *q);
/// Sets the range of a value to that of all its channels.
void xc_quantize_join_ranges(xc_quantize_value *value);
/// Keeps numbers of a value, from element `first` on, within its floors and
/// ceilings.
void xc_quantize_bound(const xc_quantize_value *value, int64_t first,
                       double *reals, int64_t count);

// Headroom.c

/// Moves what is known of a channel by `amount`.
void xc_quantize_move_extremes(xc_quantize_value *value, int64_t channel,
                               double amount);
/// Returns the largest absolute number of a channel, in most other samples,
/// too.
double xc_quantize_reach(const xc_quantizer *q, const xc_quantize_value *value,
                         int64_t channel);
/// Returns how large a channel that a ReLU cuts off in all samples may become
/// in others: the deviation of its largest number in front of the ReLU. 0 where
/// there is none.
double xc_quantize_spread(const xc_quantizer *q, const xc_quantize_value *value,
                          int64_t channel);
/// Returns the squared error of one sample that is to be expected where the
/// extremes of the channels exceed the largest integer times `step`. The
/// channels are scaled by `factors`, unless it is null.
double xc_quantize_excess(const xc_quantizer *q, const xc_quantize_value *value,
                          const double *factors, double step);

// Exact.c: results of the float function that are kept.

// Fitting weights asks what the float function's convolutions give on some of
// the samples, which calibration has run just before. Where they do not take
// too much memory they are kept.

/// Chooses what is kept: nothing, or the convolutions' results on as many
/// samples, spread evenly, as fitting is likely to take.
void xc_exact_begin(xc_quantizer *q);
/// Keeps the result, if it is one of these.
void xc_exact_keep(const xc_quantizer *q, const xc_quantize_value *value,
                   size_t sample, const void *data);
/// Returns null where none is kept.
const float *xc_exact_find(const xc_quantizer *q,
                           const xc_quantize_value *value, size_t sample);
/// Multiplies the results of a value and adds a number.
void xc_exact_move(const xc_quantizer *q, const xc_quantize_value *value,
                   double factor, double amount);
void xc_exact_end(xc_quantizer *q);
/// Products that running the samples for fitting takes at most, and fitting:
/// about two seconds each.
static const double xc_fit_most_products = 1.2e10;
/// How many of all samples fitting takes at most, of so many products each, and
/// which ones.
size_t xc_fit_num_samples(size_t all, double products);
size_t xc_fit_sample(size_t index, size_t count, size_t all);

#endif // XC_TRANSFORMS_QUANTIZE_OBSERVE_OBSERVE_H
