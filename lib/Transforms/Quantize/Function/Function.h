//===- Function.h - the function that is quantised ----------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_QUANTIZE_FUNCTION_FUNCTION_H
#define XC_TRANSFORMS_QUANTIZE_FUNCTION_FUNCTION_H

#include "IR/AttributeNames.h"
#include "IR/FloatReason.h"
#include "Pass/Pass.h"
#include "Support/Memory.h"
#include "Support/PointerMap.h"
#include "Transforms/Quantize/FastKernels/Loops.h"
#include "dialects/Build.h"
#include "xc-c/FixedPoint.h"
#include "xc-c/Interpreter.h"

#include <assert.h>

enum {
  /// Fix points that calibration tries, from the largest without overflow.
  XC_QUANTIZE_CANDIDATES = 6,
  XC_QUANTIZE_BITS = 8,
  /// So many poolings in a row are looked through: a pyramid of them has three.
  XC_QUANTIZE_POOLS = 8,
};

/// How far a channel goes to one side, from sample to sample.
typedef struct xc_quantize_extreme {
  double mean, squares; // of distances from the mean
} xc_quantize_extreme;

/// Whether nothing but results comes of a value, and how: the least of what its
/// readers make of it.
typedef enum xc_quantize_tail {
  XC_TAIL_NONE,    // layers read it, or what comes of it
  XC_TAIL_WEIGHTS, // cheap convolutions and products have a part in them
  XC_TAIL_PLAIN,
} xc_quantize_tail;

/// One tensor of the function: an argument or a result.
typedef struct xc_quantize_value {
  MlirValue original;  // in the function that is changed
  MlirValue reference; // in the copy that stays float
  xc_shape shape;
  bool is_float;
  bool replaced;                // its operator has become a -fix one
  bool is_fused;                // only its activation's result is left
  bool is_wanted;               // in fixed point, by all who read it
  bool is_summed;               // by a convolution, product or mean, in the end
  xc_float_reason stays_float;  // why, if it does
  xc_float_reason feeds_floats; // the same if functions on the CPU, or what
                                // stays in floating point, read it alone
  xc_quantize_tail tail;
  bool is_preprocessed;  // of integers that are cast
  bool is_postprocessed; // of probabilities in floating point
  bool is_moved_out;     // results and what has no -fix form read it, moved
  bool is_result;        // nothing but results does
  bool saturates;        // what limits it was a clamp before equalisation

  /// The factor by which an average of the DPU is too large; 1 elsewhere.
  double factor;
  /// The number that stands for 0: see FixPoints/ZeroPoint.c. 0 elsewhere.
  double zero;
  /// The same of each channel beside activations on the CPU; null elsewhere.
  double *zeros;
  double low, high; // of all samples; what is expected of the next runs
  /// The same for each channel of an image. Null and no channels for others.
  int64_t channels;
  double *lows, *highs;
  /// Of each channel: what lies beyond is as good as these, for all who read
  /// it. Null: all counts.
  double *floors, *ceilings;
  /// Of each channel of the sample at hand: the largest number, and the
  /// largest one of the other sign.
  double *tops, *bottoms;
  /// The same from sample to sample.
  xc_quantize_extreme *top, *bottom;
  double power; // while errors are measured: the sum of squares so far
  /// Of each channel before equalisation: the sum of squares, and how many
  /// numbers are not zero.
  double *squares, *filled;
  /// While outliers are looked for: the sum of squares of each sample. Else
  /// null.
  double *powers;
  /// Errors of the candidates from fix point `first` on.
  int first;
  xc_calibrate_candidates candidates;
  double errors[XC_CALIBRATE_CANDIDATES];
  bool is_settled; // the candidates are the right ones
  int calibrated;  // fix point with the least error
  /// Of each channel over all samples: the sum, and the sums of what each
  /// candidate makes of it, [channels][XC_CALIBRATE_CANDIDATES].
  double *sums, *fixed_sums;
  double count; // of terms in each sum

  /// The converted value. Null values are made on demand.
  MlirValue fixed, real;
  int point; // of `fixed`
  /// The result of a convolution before its activation, if `fixed` is the one
  /// after it.
  struct xc_quantize_value *product;
} xc_quantize_value;

/// Returns the number that stands for 0 in an element of a value.
static inline double xc_quantize_zero(const xc_quantize_value *value,
                                      int64_t element) {
  return value->zeros ? value->zeros[element % value->channels] : value->zero;
}

typedef struct xc_quantizer {
  xc_pass_run *run;
  MlirContext context;
  MlirOperation function, reference;
  /// The float function before channels were scaled, where saturation now
  /// limits what ReLU6 did; else null.
  MlirOperation unscaled;
  MlirOperation model; // as it was, where it was quantised already, else null
  bool was_quantised;
  MlirBlock block;
  xc_quantize_value *values;
  size_t num_values, num_arguments;
  xc_pointer_map originals, references; // MlirValue.ptr to xc_quantize_value
  xc_arena arena;
  unsigned gates; // that tir-approximate will replace, by xc_gate
  struct xc_samples *samples;
  const char *reading; // what they are, for messages
  size_t num_samples;
  size_t num_calibrated;       // that there were for calibration
  struct xc_float_site *sites; // activations whose results have factors
  size_t num_sites;
  /// Multiplications by ones that Rewrite/Arguments.c has made.
  MlirOperation *multiplied;
  size_t num_multiplied;
  size_t *taken;  // those of `samples` that are used; null: all
  void **sample;  // the one at hand, by argument
  double *ranges; // of made-up arguments: low and high of each, or both 0
  struct xc_exact_results *exact;        // see Observe/Exact.c; null: none
  struct xc_quantize_suspects *suspects; // by argument; null: not judged
} xc_quantizer;

/// Returns the record of a tensor; null where there is none.
static inline xc_quantize_value *xc_quantize_value_of(const xc_quantizer *q,
                                                      MlirValue original) {
  xc_quantize_value *value = xc_pointer_map_get(&q->originals, original.ptr);
  assert((!value || value->original.ptr == original.ptr) &&
         "no value that is gone had the address");
  return value;
}

// Function.c

/// Finds the function of `q->run` and its values; what it takes is freed by the
/// second call. Returns false after a diagnostic.
bool xc_quantize_begin(xc_quantizer *q);
void xc_quantize_end(xc_quantizer *q);
/// Finds the parts of it: the one function of `root`, its values, and the copy
/// that stays float.
bool xc_quantize_find_function(xc_quantizer *q, MlirOperation root);
bool xc_quantize_collect_values(xc_quantizer *q);
void xc_quantize_forget_values(xc_quantizer *q);
void xc_quantize_take_copy(xc_quantizer *q);
void xc_quantize_drop_copy(xc_quantizer *q);
/// Returns the text of a string attribute; empty when it is none.
MlirStringRef xc_quantize_string(MlirAttribute attribute);
/// An entry of a list of names that the function has, such as input_names;
/// nothing when it is not there.
MlirStringRef xc_quantize_list_entry(MlirOperation function, const char *list,
                                     size_t index);
/// Returns the name of an output, or its number where it has none; the
/// quantizer owns it.
MlirStringRef xc_quantize_output_name(xc_quantizer *q, size_t index);
/// How many channels a value has: the last dimension of an image of floats, 0
/// for everything else.
int64_t xc_channels_count(MlirValue value);

// MovedOut.c

/// Sets `is_moved_out` and `is_result` of all values.
void xc_quantize_find_moved_out(xc_quantizer *q);

// Pool.c

/// Whether a window reaches beyond the input, so that it matters what counts.
bool xc_pool_touches_border(const xc_adaptor *adaptor);
/// Returns the average pool's factor for the value, see `factor`.
double xc_quantize_pool_factor(MlirOperation operation);

#endif // XC_TRANSFORMS_QUANTIZE_FUNCTION_FUNCTION_H
