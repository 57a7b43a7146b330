//===- Function.h - the parts of tir-quantize ---------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_QUANTIZE_FUNCTION_FUNCTION_H
#define XC_TRANSFORMS_QUANTIZE_FUNCTION_FUNCTION_H

#include "IR/AttributeNames.h"
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
  bool replaced;     // its operator has become a -fix one
  bool is_fused;     // only its activation's result is left
  bool is_wanted;    // in fixed point, by all who read it
  bool is_summed;    // by a convolution, product or mean, in the end
  bool stays_float;  // part of an activation or normalisation on the CPU
  bool feeds_floats; // such parts and functions on the CPU read it alone
  xc_quantize_tail tail;
  bool is_preprocessed;  // of integers that are cast
  bool is_postprocessed; // of probabilities in floating point
  bool is_moved_out;     // results and what has no -fix form read it, moved
  bool is_result;        // nothing but results does
  bool saturates;        // what limits it was a clamp before equalisation

  /// What an average of the DPU is too large by; 1 elsewhere.
  double factor;
  /// What stands for 0: see ZeroPoint.c. 0 elsewhere.
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

  /// What became of it. Null values are made on demand.
  MlirValue fixed, real;
  int point; // of `fixed`
  /// What a convolution computes, before its activation, if `fixed` is its
  /// result.
  struct xc_quantize_value *product;
} xc_quantize_value;

/// What stands for 0 in an element of a value.
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
  struct xc_samples *samples;
  const char *reading; // what they are, for messages
  size_t num_samples;
  struct xc_float_site *sites; // activations whose results have factors
  size_t num_sites;
  /// Multiplications by ones that Arguments.c has made.
  MlirOperation *multiplied;
  size_t num_multiplied;
  size_t *taken;  // those of `samples` that are used; null: all
  void **sample;  // the one at hand, by argument
  double *ranges; // of made-up arguments: low and high of each, or both 0
  struct xc_exact_results *exact;        // see Exact.h; null: none
  struct xc_quantize_suspects *suspects; // by argument; null: not judged
} xc_quantizer;

/// What is known of a tensor; null where there is nothing.
static inline xc_quantize_value *xc_quantize_value_of(const xc_quantizer *q,
                                                      MlirValue original) {
  xc_quantize_value *value = xc_pointer_map_get(&q->originals, original.ptr);
  assert((!value || value->original.ptr == original.ptr) &&
         "no value that is gone had the address");
  return value;
}

// Equalize.c

/// Scales the channels between convolutions so that their ranges are alike;
/// what the function computes stays the same but for rounding. Says whether it
/// has changed any weights; the ranges of values are then those that the new
/// weights should give. False after a diagnostic.
bool xc_quantize_equalize(xc_quantizer *q, bool *changed);

// FloatStatistics.c

/// Marks what leads to roots of statistics, and what is computed of these, to
/// stay in floating point; if there is any the function has the attribute
/// XC_NAME_STATISTICS.
void xc_quantize_keep_statistics(xc_quantizer *q);

// FloatTies.c

/// Moves the factors of activations on the CPU so that no result of any integer
/// lies on half a step. False after a diagnostic.
bool xc_quantize_avoid_ties(xc_quantizer *q);

// Samples.c

/// Sets `ranges`, unless they are, from what quantises the arguments.
void xc_quantize_find_ranges(xc_quantizer *q);
/// Finds data, or makes some up for "random", in the place of what was open;
/// `what` stands in front of messages, `most` is 0 or the largest number. False
/// after a diagnostic.
bool xc_quantize_open_samples(xc_quantizer *q, const char *what,
                              const char *path, int64_t most);
/// Has the next runs use all of them again.
void xc_quantize_take_all(xc_quantizer *q);
/// Where a sample stands in the set that was opened.
size_t xc_quantize_place(const xc_quantizer *q, size_t sample);
/// Reads one into `sample`.
bool xc_quantize_read_sample(xc_quantizer *q, size_t sample);
/// Bytes of a tensor.
size_t xc_quantize_bytes(const xc_shape *shape);

// Calibrate.c

/// An interpreter whose convolutions are fast, with the same bits; null after a
/// diagnostic.
XcInterpreter *xc_quantize_interpreter(MlirOperation function);
/// Runs the reference on all samples for the ranges of each value.
bool xc_quantize_measure(xc_quantizer *q);
/// Runs it again and sets `calibrated` of each value. A range that is far from
/// what was expected takes one more time.
bool xc_quantize_calibrate(xc_quantizer *q);
/// Keeps numbers of a value, from element `first` on, within its floors and
/// ceilings.
void xc_quantize_bound(const xc_quantize_value *value, int64_t first,
                       double *reals, int64_t count);
/// The fix point of least squared error for constants.
int xc_quantize_search(const double *values, int64_t count, XcRoundMode mode);

// Headroom.c

/// Makes room for the extremes of a value with channels, and forgets them.
void xc_quantize_make_extremes(xc_quantizer *q, xc_quantize_value *value);
void xc_quantize_clear_extremes(xc_quantize_value *value);
/// Takes over what `tops` and `bottoms` hold of sample `sample`.
void xc_quantize_end_sample(xc_quantize_value *value, size_t sample);
/// Moves what is known of a channel by `amount`.
void xc_quantize_move_extremes(xc_quantize_value *value, int64_t channel,
                               double amount);
/// The largest absolute number of a channel, in most other samples, too.
double xc_quantize_reach(const xc_quantizer *q, const xc_quantize_value *value,
                         int64_t channel);
/// What a channel that a ReLU cuts off in all samples may have in others: the
/// deviation of its largest number in front of the ReLU. 0 where there is none.
double xc_quantize_spread(const xc_quantizer *q, const xc_quantize_value *value,
                          int64_t channel);
/// The squared error of one sample that is to be expected where the extremes of
/// the channels exceed the largest integer times `step`. The channels are
/// scaled by `factors`, unless it is null.
double xc_quantize_excess(const xc_quantizer *q, const xc_quantize_value *value,
                          const double *factors, double step);

// Exclude.c

/// Has the next runs measure what tells outliers.
void xc_quantize_watch_outliers(xc_quantizer *q);
/// Leaves out the samples that have tensors much larger than those of most, if
/// they are few, and says so in the attribute XC_NAME_OUTLIERS of the function.
/// False when there are none.
bool xc_quantize_drop_outliers(xc_quantizer *q);

// Suspect.c

/// Looks at the sample at hand.
void xc_quantize_judge_sample(xc_quantizer *q, size_t sample);
/// Says what was found in the attribute XC_NAME_SUSPECTS of the function.
void xc_quantize_tell_suspects(xc_quantizer *q);

// Arguments.c

/// Puts multiplications by ones after arguments whose channels have to have
/// factors to share a fix point with each other, or with what a concatenation
/// joins them with. Ranges are known. Sets `changed` if there is any; the
/// values are no longer those of the function then. False after a diagnostic.
bool xc_quantize_multiply_arguments(xc_quantizer *q, bool *changed);
/// Leaves them, and what leads there, in floating point.
void xc_quantize_keep_arguments(xc_quantizer *q);
/// Removes them when equalisation has put factors in their place.
void xc_quantize_drop_ones(xc_quantizer *q);

// Results.c

/// Splits layers of which nothing but results comes and whose channels have
/// sizes that one fix point cannot hold. Ranges are known. Sets `changed` if
/// there is any; the values are no longer those of the function then. False
/// after a diagnostic.
bool xc_quantize_split_results(xc_quantizer *q, bool *changed);

// Join.c

/// Whether an operator only moves numbers.
bool xc_quantize_is_move(xc_op_kind kind);
/// Whether it is a sum, difference, product or comparison of two numbers at a
/// time, or one of them with its other sign.
bool xc_quantize_is_arithmetic(xc_op_kind kind);
/// Sets `is_moved_out` and `is_result` of all values.
void xc_quantize_find_moved_out(xc_quantizer *q);
/// Leaves concatenations in floating point of which nothing but results comes
/// and that would cost an input several bits. Gives what only another one reads
/// the fix point of its result, where that is the coarser one.
void xc_quantize_join(xc_quantizer *q);

// ShiftedClamps.c

/// Writes clamps between layers as what engines compute: those that do not
/// begin at zero, and those without an upper or a lower end. Ranges are known;
/// an end far beyond them is none. Sets `changed` if there is any; the values
/// are no longer those of the function then. False after a diagnostic.
bool xc_quantize_shift_clamps(xc_quantizer *q, bool *changed);

// ZeroPoint.c

/// Has the results of ReLUs use all integers, where all that reads them takes
/// the zero point into its bias; `calibrated` is the new fix point. Says
/// whether it has changed the function. False after a diagnostic.
bool xc_quantize_move_zeros(xc_quantizer *q, bool *changed);

// DeadChannels.c

/// Scales down the numbers of channels that a ReLU passes in no sample. Sets
/// whether it has changed the function. False after a diagnostic.
bool xc_quantize_scale_dead_channels(xc_quantizer *q, bool *changed);

// SmallSlopes.c

/// Sets negative slopes of PReLUs to zero whose products round to zero in all
/// samples. Sets `changed` if there is any. False after a diagnostic.
bool xc_quantize_drop_slopes(xc_quantizer *q, bool *changed);

// Processing.c

/// Leaves in floating point what only computes results of probabilities that
/// are there in floating point, and what the CPU makes of pixels that it casts.
void xc_quantize_keep_processing(xc_quantizer *q);
/// The same of the first operators of arguments that would be left with few
/// steps, now that ranges and fix points are known.
void xc_quantize_keep_offsets(xc_quantizer *q);

// FloatOperands.c

/// Leaves arithmetic in floating point that only functions on the CPU read,
/// which have no table.
void xc_quantize_keep_operands(xc_quantizer *q);

// FloatSpectra.c

/// Leaves the convolutions and products of spectra in floating point that
/// logarithms show, now that ranges are known; if there are any the function
/// has the attribute XC_NAME_SPECTRA.
void xc_quantize_keep_spectra(xc_quantizer *q);

// FloatIslands.c

/// Leaves arithmetic and moves in floating point that exchange more numbers
/// with the CPU than with the DPU.
void xc_quantize_keep_islands(xc_quantizer *q);

// Convert.c

/// Replaces operators by their -fix forms. False after a diagnostic.
bool xc_quantize_convert(xc_quantizer *q);

// ImpliedClamps.c

/// Puts a ReLU, or nothing, in the place of each clamp that was beside what the
/// operator does anyhow, if no sample exceeds it, and of clamps that saturation
/// comes before. Their ranges are known. Sets `changed` if there is any; false
/// after a diagnostic.
bool xc_quantize_loosen_clamps(xc_quantizer *q, bool *changed);

// Activation.c

/// Marks a tir.clip that stands for the range of a quantised type. Where no fix
/// point has this range, the next larger one does. True where the activation is
/// implied, too, false where it was there beside the range, or the operator has
/// none.

/// Whether 8 bits at some fix point saturate where a tir.clip does, give or
/// take one step, or a few where it stands for a range; then gives the fix
/// point. False for other operations.
bool xc_quantize_saturation(MlirOperation clip, int *point);
/// The clamp that is all that reads a value and that saturation of this value
/// does, or null: of what is no product or sum, which have ReLUs, too.
MlirOperation xc_quantize_clamp_of(MlirValue value);

// Pool.c

/// The average pool's factor for the value, see `factor`.
double xc_quantize_pool_factor(MlirOperation operation);

// Keep.c

/// Whether the names in the option keep-float are those of operators; else a
/// diagnostic.
bool xc_quantize_check_kept(const xc_quantizer *q);
/// Whether the user wants the operator in floating point.
bool xc_quantize_is_kept(const xc_quantizer *q, MlirOperation operation);

// Gates.c: functions of the option approximate.

/// False after a diagnostic: the option names another function.
bool xc_quantize_check_gates(const xc_pass_run *run);
/// Whether the operator computes such a function, or a part of one.
bool xc_quantize_is_gate(const xc_quantizer *q, MlirOperation operation);

// Report.c

/// Compares the functions on the samples, writes the report unless the path is
/// empty, and keeps the loss in the attribute `xc.loss`.
bool xc_quantize_report(xc_quantizer *q, const char *path, bool keep);

// Requantize.c

/// Turns qlinear-* operators into float ones whose constants are dequantised;
/// the boundary keeps its types. Sets `changed`. False after a diagnostic.
bool xc_quantize_to_float(MlirOperation function, bool *changed);

// Quantize.c

/// Finds the function of `q->run` and its values; what it takes is freed by the
/// second call. False after a diagnostic.
bool xc_quantize_begin(xc_quantizer *q);
void xc_quantize_end(xc_quantizer *q);
/// What a string attribute says; nothing when it is none.
MlirStringRef xc_quantize_string(MlirAttribute attribute);
/// An entry of a list of names that the function has, such as input_names;
/// nothing when it is not there.
MlirStringRef xc_quantize_list_entry(MlirOperation function, const char *list,
                                     size_t index);

#endif // XC_TRANSFORMS_QUANTIZE_FUNCTION_FUNCTION_H
