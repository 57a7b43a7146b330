//===- Measure.c - runs of the float function on the samples --------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "Measure.h"

#include "Interpreter/Kernel.h"
#include "Samples/Samples.h"
#include "Support/Progress.h"
#include "Transforms/Quantize/FastKernels/Interpreter.h"
#include "dialects/Emit.h"
#include "dialects/Macs.h"
#include "xc-c/Interpreter.h"

#include <math.h>
#include <stdlib.h>

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
      xc_quantize_widen(reals[i], &value->low, &value->high);
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

/// The errors of the candidates for one tensor of one sample.
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
    xc_report_progress(&q->run->progress, m->what, s + 1, q->num_samples);
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

void xc_quantize_join_ranges(xc_quantize_value *value) {
  for (int64_t i = 0; i < value->channels; ++i) {
    xc_quantize_widen(value->lows[i], &value->low, &value->high);
    xc_quantize_widen(value->highs[i], &value->low, &value->high);
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
    xc_quantize_join_ranges(&q->values[i]);
  return true;
}

bool xc_quantize_score(xc_quantizer *q) {
  measurement errors = {.q = q, .what = "calibrating", .scores = true};
  for (size_t i = 0; i < q->num_values; ++i)
    clear_ranges(&q->values[i]);
  return measure(&errors);
}
