//===- Loops.h - inner loops of calibration -------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loops in which a calibration spends its time, in several variants: plain
// C and, where the compiler and the processor have them, vector instructions.
// Every variant gives the same bits: vectors hold different sums, never parts
// of one, so that each sum has its terms in the order of the data.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_QUANTIZE_FASTKERNELS_LOOPS_H
#define XC_TRANSFORMS_QUANTIZE_FASTKERNELS_LOOPS_H

#include "xc-c/FixedPoint.h"

/// xcFloatToFix for 8 bits with sign, without branches: `scaled` is the number
/// times 2^fixPoint, `tie` 1 for DPU_ROUND and 0 for PY3_ROUND. For numbers
/// only: what a NaN gives is no use to anybody.
static inline double xc_calibrate_round(double scaled, double tie) {
  // Numbers of this size have no fraction: adding it rounds, half to even. The
  // limits are whole, so that it is the same to saturate first.
  const double whole = 0x1.8p52;
  scaled = scaled > -128 ? scaled : -128;
  scaled = scaled < 127 ? scaled : 127;
  double even = (scaled + whole) - whole;
  return even + (scaled - even == 0.5 ? tie : 0);
}

enum {
  XC_CALIBRATE_CANDIDATES = 8,
  XC_CALIBRATE_SUMS = 32,
  XC_CALIBRATE_FEW = 4,
};

/// Fix points that are tried side by side: the first one and those above it.
typedef struct xc_calibrate_candidates {
  double up[XC_CALIBRATE_CANDIDATES];   // 2^point
  double down[XC_CALIBRATE_CANDIDATES]; // 2^-point
  double tie;                           // of xc_calibrate_round
} xc_calibrate_candidates;

/// Factors of two terms that follow each other.
typedef struct xc_calibrate_pair {
  int16_t first, second;
} xc_calibrate_pair;

typedef struct xc_calibrate_loops {
  const char *name;
  bool (*is_supported)(void);

  /// Sizes of the tile that `multiply` works on.
  int64_t points, outputs;
  /// sums[p * pitch + o] += inputs[k * points + p] * weights[k * outputs + o],
  /// for k from 0 to count - 1 in this order. The products are exact: inputs
  /// and weights are floats. It does not matter then whether the processor
  /// rounds between product and sum.
  void (*multiply)(double *sums, int64_t pitch, const double *inputs,
                   const double *weights, int64_t count);
  /// The same for the first XC_CALIBRATE_FEW points of a tile, which is as
  /// wide: the last one mostly has no more.
  void (*multiply_few)(double *sums, int64_t pitch, const double *inputs,
                       const double *weights, int64_t count);
  /// Packs factors for a tile: to[k * unit + i] = from[i][k] for `rows` rows.
  void (*interleave)(double *to, int64_t unit, const float *const *from,
                     int64_t rows, int64_t count);
  /// The same as `multiply` for any numbers: products are rounded before they
  /// are added.
  void (*multiply_rounded)(double *sums, int64_t pitch, const double *inputs,
                           const double *weights, int64_t count);

  /// The same for pairs of small integers, whose sums fit 32 bits. A tile has
  /// twice as many outputs:
  /// sums[p * pitch + o] += inputs[k * points + p] . weights[k * 2 outputs +
  /// o].
  void (*multiply_pairs)(int32_t *sums, int64_t pitch,
                         const xc_calibrate_pair *inputs,
                         const xc_calibrate_pair *weights, int64_t count);

  /// Of XC_CALIBRATE_SUMS sums side by side, to[i][s] -= factor * from[k][s]
  /// for each row i, and k from 0 to count - 1 in this order. The factor is
  /// factors[i + k * step]; each product is rounded.
  void (*subtract)(double *to, int64_t rows, const double *factors,
                   int64_t step, const double *from, int64_t count);

  /// Rounds `count` numbers by each candidate, saturated to 8 bits with sign:
  /// errors[k] += (value - rounded)^2, and, when there are sums, sums[i *
  /// XC_CALIBRATE_CANDIDATES + k] += rounded for value i.
  void (*score)(const xc_calibrate_candidates *candidates, const double *values,
                int64_t count, double *errors, double *sums);
} xc_calibrate_loops;

/// The vector variants exist on x86-64 only.
extern const xc_calibrate_loops xc_calibrate_plain;
#ifdef XC_CALIBRATE_X86
extern const xc_calibrate_loops xc_calibrate_avx2;
extern const xc_calibrate_loops xc_calibrate_avx512;
#endif

/// Returns the fastest loops that this processor can run.
const xc_calibrate_loops *xc_calibrate_select(void);
/// Returns all loops of this build, fastest first; null after the last.
const xc_calibrate_loops *xc_calibrate_get(size_t index);

/// XC_CALIBRATE_CANDIDATES candidates from `first` on.
xc_calibrate_candidates xc_calibrate_make_candidates(int first,
                                                     XcRoundMode mode);

#endif // XC_TRANSFORMS_QUANTIZE_FASTKERNELS_LOOPS_H
