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

#define _POSIX_C_SOURCE 200809L

#include "Interpreter/Kernel.h"
#include "Samples/Samples.h"
#include "Transforms/Quantize/FastKernels/Conv.h"
#include "Transforms/Quantize/FastKernels/Elementwise.h"
#include "Transforms/Quantize/Function/Function.h"
#include "Transforms/Quantize/Observe/Exact.h"
#include "dialects/Emit.h"
#include "dialects/Macs.h"
#include "xc-c/Interpreter.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static void widen(double value, double *low, double *high) {
  *low = value < *low ? value : *low;
  *high = value > *high ? value : *high;
}

int xc_quantize_search(const double *values, int64_t count, XcRoundMode mode) {
  double low = 0, high = 0, errors[XC_CALIBRATE_CANDIDATES] = {0};
  for (int64_t i = 0; i < count; ++i)
    widen(values[i], &low, &high);
  int largest = largest_point(low, high);
  xc_calibrate_candidates candidates =
      xc_calibrate_make_candidates(largest, mode);
  xc_calibrate_select()->score(&candidates, values, count, errors, NULL);
  return best_point(largest, errors, 1, 0);
}

//===----------------------------------------------------------------------===//
// One tensor of one run
//===----------------------------------------------------------------------===//

typedef struct measurement {
  xc_quantizer *q;
  const xc_calibrate_loops *loops;
  const char *what;
  bool scores;   // of the values that are not settled, besides ranges
  bool judges;   // the samples themselves
  size_t sample; // the one at hand
} measurement;

/// Numbers that follow each other in a tensor, those of an image in one pixel.
typedef struct piece {
  const double *reals;
  int64_t channel, count; // the first channel
} piece;

static void measure_ranges(xc_quantize_value *value, const piece *p) {
  const double *reals = p->reals;
  int64_t count = p->count;
  if (!value->channels) {
    for (int64_t i = 0; i < count; ++i)
      widen(reals[i], &value->low, &value->high);
    return;
  }
  double *tops = value->tops + p->channel;
  double *bottoms = value->bottoms + p->channel;
  for (int64_t i = 0; i < count; ++i) {
    tops[i] = reals[i] > tops[i] ? reals[i] : tops[i];
    bottoms[i] = -reals[i] > bottoms[i] ? -reals[i] : bottoms[i];
  }
}

// One after the other, as everywhere.
static double add_squares(double sum, const double *reals, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    sum += reals[i] * reals[i];
  return sum;
}

static void measure_power(xc_quantize_value *value, const piece *p) {
  if (!value->channels)
    return;
  double *squares = value->squares + p->channel;
  double *filled = value->filled + p->channel;
  for (int64_t i = 0; i < p->count; ++i) {
    squares[i] += p->reals[i] * p->reals[i];
    filled[i] += p->reals[i] != 0 ? 1 : 0;
  }
}

/// What the candidates make of one tensor of one sample.
typedef struct sample_errors {
  double power, errors[XC_CALIBRATE_CANDIDATES];
} sample_errors;

static void measure_errors(const measurement *m, xc_quantize_value *value,
                           const piece *p, sample_errors *sample) {
  bool is_image = value->channels > 0;
  m->loops->score(&value->candidates, p->reals, p->count, sample->errors,
                  is_image
                      ? value->fixed_sums + XC_CALIBRATE_CANDIDATES * p->channel
                      : NULL);
  sample->power = add_squares(sample->power, p->reals, p->count);
  for (int64_t i = 0; is_image && i < p->count; ++i)
    value->sums[p->channel + i] += p->reals[i];
  value->count += p->channel == 0;
}

// Each sample counts by the share of it that is lost, at most all: one of very
// large numbers, for which the others would lose everything, does not decide
// for all.
static void add_sample(xc_quantize_value *value, const sample_errors *sample) {
  value->power += sample->power;
  for (int i = 0; sample->power > 0 && i < XC_CALIBRATE_CANDIDATES; ++i)
    value->errors[i] += fmin(sample->errors[i] / sample->power, 1);
}

void xc_quantize_bound(const xc_quantize_value *value, int64_t first,
                       double *reals, int64_t count) {
  for (int64_t i = 0; value->floors && i < count; ++i) {
    int64_t channel = (first + i) % value->channels;
    reals[i] = fmax(reals[i], value->floors[channel]);
    reals[i] = fmin(reals[i], value->ceilings[channel]);
  }
}

static void measure_piece(measurement *m, xc_quantize_value *value,
                          const piece *p, sample_errors *sample) {
  measure_ranges(value, p);
  if (!m->scores)
    measure_power(value, p);
  if (value->powers)
    value->powers[m->sample] =
        add_squares(value->powers[m->sample], p->reals, p->count);
  if (m->scores && !value->is_settled)
    measure_errors(m, value, p, sample);
}

// Infinities saturate at any fix point, which the other numbers choose. Returns
// whether there are none.
static bool drop_infinities(double *reals, int64_t count) {
  bool are_finite = true;
  for (int64_t i = 0; i < count; ++i)
    if (!isfinite(reals[i])) {
      are_finite = false;
      reals[i] = 0;
    }
  return are_finite;
}

// In pieces so small that sums one after the other and what can be done side by
// side are worked on at the same time.
// Returns whether all numbers are finite.
static bool measure_tensor(measurement *m, xc_quantize_value *value,
                           const void *data) {
  enum { PIECE = 32 };
  xc_tensor tensor = {value->shape, (void *)(uintptr_t)data};
  sample_errors sample = {0};
  double reals[PIECE];
  bool are_finite = true;
  int64_t total = xc_tensor_count(&tensor);
  for (int64_t at = 0; at < total;) {
    int64_t channel = value->channels ? at % value->channels : 0;
    int64_t left = value->channels ? value->channels - channel : total - at;
    piece p = {reals, channel, left < PIECE ? left : PIECE};
    xc_get_reals(&tensor, at, p.count, reals);
    for (int64_t i = 0; value->factor != 1 && i < p.count; ++i)
      reals[i] *= value->factor;
    are_finite &= drop_infinities(reals, p.count);
    xc_quantize_bound(value, at, reals, p.count);
    measure_piece(m, value, &p, &sample);
    at += p.count;
  }
  xc_quantize_end_sample(value, m->sample);
  add_sample(value, &sample);
  return are_finite;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

// The same bits as the interpreter's own, in less time.
static bool convolve(xc_kernel_call *call) {
  return xc_calibrate_convolve(xc_calibrate_select(), call);
}

static bool convolve_fix(xc_kernel_call *call) {
  return xc_calibrate_convolve_fix(xc_calibrate_select(), call);
}

XcInterpreter *xc_quantize_interpreter(MlirOperation function) {
  XcInterpreter *interpreter = xcInterpreterCreate(function);
  if (interpreter) {
    xc_interpreter_replace(interpreter, xc_interpret_conv, convolve);
    xc_interpreter_replace(interpreter, xc_interpret_conv_fix, convolve_fix);
    xc_calibrate_replace_elementwise(interpreter);
  }
  return interpreter;
}

// Others may have infinite results on purpose, as a mask before a maximum.
static bool check_product(const measurement *m, MlirOperation operation) {
  xc_adaptor adaptor;
  if (!xc_adaptor_of(operation, &adaptor) || xc_count_macs(&adaptor) == 0)
    return true;
  xc_text name = {0};
  xc_samples_name(m->q->samples, xc_quantize_place(m->q, m->sample), &name);
  xc_op_error(operation,
              "a result is not finite on sample '%s': a weight or a bias, of "
              "this or an earlier operator, is not a number or too large",
              xc_text_str(&name));
  xc_text_free(&name);
  return false;
}

static bool observe(void *user, MlirOperation operation, MlirValue value,
                    const void *data, size_t size) {
  measurement *m = user;
  (void)size;
  xc_quantize_value *row = xc_pointer_map_get(&m->q->references, value.ptr);
  if (!row || !row->is_float)
    return true;
  if (!measure_tensor(m, row, data) && !check_product(m, operation))
    return false;
  xc_exact_keep(m->q, row, m->sample, data);
  return true;
}

static void show_progress(const char *what, size_t done, size_t total) {
  if (!isatty(STDERR_FILENO))
    return;
  fprintf(stderr, "\r%s: %zu of %zu runs%s", what, done, total,
          done == total ? "\n" : "");
}

static bool run_samples(measurement *m, XcInterpreter *interpreter) {
  xc_quantizer *q = m->q;
  size_t num_results = xcInterpreterGetNumResults(interpreter);
  void **results = xc_alloc_array(num_results + 1, sizeof(*results));
  for (size_t i = 0; i < num_results; ++i)
    results[i] = xc_alloc(xcInterpreterGetResultSize(interpreter, i));
  xcInterpreterSetObserver(interpreter, observe, m);
  bool ok = true;
  for (size_t s = 0; ok && s < q->num_samples; ++s) {
    m->sample = s;
    ok = xc_quantize_read_sample(q, s);
    if (ok && m->judges)
      xc_quantize_judge_sample(q, s);
    for (size_t i = 0; ok && i < q->num_arguments; ++i)
      if (q->values[i].is_float)
        measure_tensor(m, &q->values[i], q->sample[i]);
    ok = ok && xcInterpreterRun(interpreter, q->sample, results);
    show_progress(m->what, s + 1, q->num_samples);
  }
  for (size_t i = 0; i < num_results; ++i)
    free(results[i]);
  free(results);
  return ok;
}

static bool measure(measurement *m) {
  m->loops = xc_calibrate_select();
  XcInterpreter *interpreter = xc_quantize_interpreter(m->q->reference);
  bool ok = interpreter && run_samples(m, interpreter);
  xcInterpreterDestroy(interpreter);
  return ok;
}

//===----------------------------------------------------------------------===//
// All tensors
//===----------------------------------------------------------------------===//

static double *channel_memory(xc_quantizer *q, int64_t count) {
  return xc_arena_alloc(&q->arena, (size_t)count + 1, sizeof(double));
}

static void make_channels(xc_quantizer *q, xc_quantize_value *value) {
  if (!value->is_float || value->shape.rank != 4)
    return;
  value->channels = value->shape.dims[3];
  value->lows = channel_memory(q, value->channels);
  value->highs = channel_memory(q, value->channels);
  xc_quantize_make_extremes(q, value);
  value->squares = channel_memory(q, value->channels);
  value->filled = channel_memory(q, value->channels);
  value->sums = channel_memory(q, value->channels);
  value->fixed_sums =
      channel_memory(q, XC_CALIBRATE_CANDIDATES * value->channels);
}

static void clear_ranges(xc_quantize_value *value) {
  value->low = value->high = 0;
  for (int64_t i = 0; i < value->channels; ++i)
    value->lows[i] = value->highs[i] = 0;
  xc_quantize_clear_extremes(value);
}

static void clear_powers(xc_quantize_value *value) {
  for (int64_t i = 0; i < value->channels; ++i)
    value->squares[i] = value->filled[i] = 0;
}

static void join_channels(xc_quantize_value *value) {
  for (int64_t i = 0; i < value->channels; ++i) {
    widen(value->lows[i], &value->low, &value->high);
    widen(value->highs[i], &value->low, &value->high);
  }
}

bool xc_quantize_measure(xc_quantizer *q) {
  measurement ranges = {.q = q, .what = "measuring ranges", .judges = true};
  for (size_t i = 0; i < q->num_values; ++i)
    make_channels(q, &q->values[i]);
  xc_quantize_watch_outliers(q);
  if (!measure(&ranges))
    return false;
  xc_quantize_tell_suspects(q);
  ranges.judges = false;
  if (xc_quantize_drop_outliers(q)) {
    for (size_t i = 0; i < q->num_values; ++i) {
      clear_ranges(&q->values[i]);
      clear_powers(&q->values[i]);
    }
    if (!measure(&ranges))
      return false;
  }
  for (size_t i = 0; i < q->num_values; ++i)
    join_channels(&q->values[i]);
  return true;
}

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

// A finer fix point clips numbers, and other samples have more and larger ones
// of these, in the same places; what rounding costs is the same for all. So it
// has to halve the error: without clipping it is a quarter. So does a coarser
// one, which rounds all numbers more for those that other samples may have.
static const double gain = 0.5;

// What clipping costs in other samples. What sensors give has the same limits
// in all of them.
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

// False when the ranges were not what was expected.
static bool settle(const xc_quantizer *q, xc_quantize_value *value) {
  join_channels(value);
  int largest = largest_point(value->low, value->high);
  int offset = largest - value->first;
  if (offset < 0 || offset > XC_CALIBRATE_CANDIDATES - XC_QUANTIZE_CANDIDATES) {
    expect(value, largest);
    return false;
  }
  if (is_limited(value, largest, &value->calibrated))
    return true;
  add_excess(q, value);
  value->calibrated =
      best_point(largest, value->errors + offset, gain,
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
    measurement errors = {.q = q, .what = "calibrating", .scores = true};
    for (size_t i = 0; i < q->num_values; ++i)
      clear_ranges(&q->values[i]);
    if (!measure(&errors))
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
