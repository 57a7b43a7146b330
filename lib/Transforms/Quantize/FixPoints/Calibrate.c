//===- Calibrate.c - fix points from data ---------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/quantiser.md has the rules: the largest fix point without overflow is
// tried first, then the next ones; the smallest sum of squared errors wins.
//
//===----------------------------------------------------------------------===//

#include "FixPoints.h"

#include "Support/Math.h"
#include "Transforms/Quantize/Function/Activation.h"
#include "Transforms/Quantize/Observe/Observe.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const XcFixType fix_type = {XC_QUANTIZE_BITS, true};

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

// Values that are all zero fit any fix point; this one suits what follows.
enum { POINT_OF_ZEROS = 7, POINT_LIMIT = 48 };

// Whether all values between round to zero at the finest candidate: what is
// left of weights that have decayed.
static bool are_zeros(double low, double high) {
  return ldexp(fmax(high, -low), POINT_LIMIT + XC_QUANTIZE_CANDIDATES) < 0.5;
}

static int largest_point(double low, double high) {
  if (are_zeros(low, high))
    return POINT_OF_ZEROS;
  int point = POINT_LIMIT;
  while (point > -POINT_LIMIT) {
    double scaled_high = floor(ldexp(high, point) + 0.5);
    double scaled_low = floor(ldexp(low, point) + 0.5);
    if (scaled_high <= (double)xcFixTypeGetMax(fix_type) &&
        scaled_low >= (double)xcFixTypeGetMin(fix_type))
      break;
    --point;
  }
  return point;
}

// Whether a finer fix point cuts off one of its steps at most, which is what
// the next coarser one may lose of each number by rounding. Pixels of 0 to 1 or
// of 0 to 255 end like that.
static bool nearly_holds(double low, double high, int point) {
  return ldexp(high, point) <= (double)xcFixTypeGetMax(fix_type) + 1 &&
         ldexp(low, point) >= (double)xcFixTypeGetMin(fix_type) - 1;
}

// Of the candidates from the largest fix point without overflow on: each that
// clips, after the first `free`, has to leave no more than `share` of the
// error.
static int best_point(int largest, const double *errors, double share,
                      int free) {
  int best = 0;
  double most = errors[0];
  for (int i = 1; i < XC_QUANTIZE_CANDIDATES; ++i) {
    most *= i <= free ? 1 : share;
    if (errors[i] < most) {
      most = errors[i];
      best = i;
    }
  }
  return largest + best;
}

// Some values at a time: all of a layer may be a gigabyte.
int xc_quantize_search(const xc_tensor *values, XcRoundMode mode) {
  enum { CHUNK = 1024 };
  double own[CHUNK], low = 0, high = 0, errors[XC_CALIBRATE_CANDIDATES] = {0};
  int64_t count = xc_tensor_count(values);
  for (int64_t first = 0; first < count; first += CHUNK) {
    int64_t some = xc_minimum64(CHUNK, count - first);
    xc_get_reals(values, first, some, own);
    for (int64_t i = 0; i < some; ++i)
      xc_quantize_widen(own[i], &low, &high);
  }
  int largest = largest_point(low, high);
  xc_calibrate_candidates candidates =
      xc_calibrate_make_candidates(largest, mode);
  for (int64_t first = 0; first < count; first += CHUNK) {
    int64_t some = xc_minimum64(CHUNK, count - first);
    xc_get_reals(values, first, some, own);
    xc_calibrate_select()->score(&candidates, own, some, errors, NULL);
  }
  return best_point(largest, errors, 1, 0);
}

//===----------------------------------------------------------------------===//
// All tensors
//===----------------------------------------------------------------------===//

static_assert(XC_CALIBRATE_CANDIDATES >= XC_QUANTIZE_CANDIDATES + 2,
              "there is room for the neighbours of an expected fix point");

// The candidates around the one that is expected to be the largest without
// overflow.
static void expect(xc_quantize_value *value, int largest) {
  value->first = largest - 1;
  value->candidates =
      xc_calibrate_make_candidates(value->first, XcRoundModeDpu);
  memset(value->errors, 0, sizeof(value->errors));
  for (int64_t i = 0; i < value->channels; ++i)
    value->sums[i] = 0;
  for (int64_t i = 0; i < XC_CALIBRATE_CANDIDATES * value->channels; ++i)
    value->fixed_sums[i] = 0;
  value->count = 0;
}

// A coarser fix point than the one without overflow rounds all numbers more for
// those that other samples may have: it has to halve the error. So does a finer
// one where nothing tells how much more it clips in other samples; what
// rounding costs is the same for all. Without clipping it is a quarter.
static const double gain = 0.5;

// Whether samples and channels tell it, see add_excess().
static bool knows_excess(const xc_quantizer *q,
                         const xc_quantize_value *value) {
  return mlirValueIsAOpResult(value->original) && value->channels > 0 &&
         q->num_samples > 1;
}

// Adds the expected errors of clipping in other samples. The numbers of sensors
// have the same limits in all of them.
static void add_excess(const xc_quantizer *q, xc_quantize_value *value) {
  double samples = (double)q->num_samples, power = value->power / samples;
  if (!mlirValueIsAOpResult(value->original) || !(power > 0))
    return;
  for (int i = 0; i < XC_CALIBRATE_CANDIDATES; ++i) {
    double step = exp2(-(value->first + i));
    double lost = xc_quantize_excess(q, value, NULL, step) / power;
    value->errors[i] += samples * fmin(lost, 1);
  }
}

// Whether a value saturates where a clamp ends that samples come near: else
// their fix point, `largest` at most, saturates before it.
static bool is_limited(const xc_quantize_value *value, int largest,
                       int *point) {
  bool is_zero = value->low == 0 && value->high == 0;
  return mlirValueIsAOpResult(value->original) &&
         xc_quantize_saturation(mlirOpResultGetOwner(value->original), point) &&
         *point + 1 >= (is_zero ? -POINT_LIMIT : largest);
}

// Returns false when the ranges were not what was expected.
static bool settle(const xc_quantizer *q, xc_quantize_value *value) {
  xc_quantize_join_ranges(value);
  int largest = largest_point(value->low, value->high);
  int offset = largest - value->first;
  if (offset < 0 || offset > XC_CALIBRATE_CANDIDATES - XC_QUANTIZE_CANDIDATES) {
    expect(value, largest);
    return false;
  }
  if (is_limited(value, largest, &value->calibrated))
    return true;
  add_excess(q, value);
  // Measured: having to halve what counts others as well leaves detectors of
  // residual blocks with 0.5 to 2 dB less.
  value->calibrated = best_point(
      largest, value->errors + offset, knows_excess(q, value) ? 1 : gain,
      nearly_holds(value->low, value->high, largest + 1));
  bool needs_room = value->calibrated == largest && offset > 0 &&
                    value->errors[offset - 1] < gain * value->errors[offset];
  value->calibrated -= needs_room;
  return true;
}

bool xc_quantize_calibrate(xc_quantizer *q) {
  xc_exact_begin(q);
  for (size_t i = 0; i < q->num_values; ++i) {
    xc_quantize_value *value = &q->values[i];
    value->is_settled = !value->is_float;
    expect(value, largest_point(value->low, value->high));
  }
  for (bool all = false; !all;) {
    if (!xc_quantize_score(q))
      return false;
    all = true;
    for (size_t i = 0; i < q->num_values; ++i) {
      xc_quantize_value *value = &q->values[i];
      value->is_settled = value->is_settled || settle(q, value);
      all &= value->is_settled;
    }
  }
  return true;
}
