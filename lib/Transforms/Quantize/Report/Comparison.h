//===- Comparison.h - the quantised function beside others --------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_QUANTIZE_REPORT_COMPARISON_H
#define XC_TRANSFORMS_QUANTIZE_REPORT_COMPARISON_H

#include "Transforms/Quantize/Function/Function.h"

#include <jansson.h>

/// How far one tensor is from its exact form, over all samples.
typedef struct xc_quantize_error {
  double signal, noise, largest;
} xc_quantize_error;

/// Parts of a result that are judged by themselves (Parts.c).
enum { XC_QUANTIZE_PARTS = 8 };
typedef struct xc_quantize_parts {
  size_t count;
  uint8_t *of;                            // by element
  MlirStringRef names[XC_QUANTIZE_PARTS]; // of an operator that computes it
} xc_quantize_parts;

/// The same for a result of the function.
typedef struct xc_quantize_result {
  xc_shape shape;
  xc_quantize_error error;
  const xc_quantize_parts *parts; // null: it is one
  xc_quantize_error errors[XC_QUANTIZE_PARTS];
  bool has_scores; // of classes: all numbers of a sample in one dimension
  size_t agreed;   // samples with the same largest score
  /// Integers that name something, as the class of each pixel: equal or not,
  /// and no signal with noise. Their shares of equal ones, summed.
  bool has_indices;
  double equal;
  double zero; // what stands for 0, where the result is of quantised numbers
} xc_quantize_result;

/// The quantised function beside others, on all samples.
typedef struct xc_quantize_comparison {
  xc_quantizer *q;
  xc_pointer_map fixed; // MlirValue.ptr to the value
  /// By value: the float tensor of the current sample, until it is compared.
  void **floats;
  xc_quantize_error *errors;   // by value
  xc_quantize_result *results; // beside the float function
  // Where there is q->model: beside it, and it beside the float function.
  xc_quantize_result *from_model, *of_model;
  xc_quantize_parts **parts; // by result
  size_t num_results;
  size_t num_samples; // that are compared, of all alike
  size_t sample;      // of these, the one at hand
  double *powers;     // of the float tensors, [value][sample]
  /// Of the float function, the converted one, the float one before its
  /// channels were scaled, and the model. The last two may be null.
  XcInterpreter *exact, *found, *unscaled, *model;
} xc_quantize_comparison;

/// Returns the share in percent of a sum over the samples.
static inline double xc_quantize_share(const xc_quantize_comparison *r,
                                       double sum) {
  return 100 * sum / (double)r->num_samples;
}
/// Signal to noise; infinity without noise, -999 where there are numbers that
/// are none.
double xc_quantize_decibel(const xc_quantize_error *sum);
/// Returns the least of the parts of a result, if it has any.
double xc_quantize_result_decibel(const xc_quantize_result *row);
/// Returns the name of a value that is fixed, and of the operator that makes
/// it.
MlirStringRef xc_quantize_name(const xc_quantizer *q, size_t index);
const char *xc_quantize_operator(const xc_quantize_value *value);

/// Makes room for the errors of values and results, which are zero.
void xc_quantize_begin_comparison(xc_quantize_comparison *r);
/// Compares the functions on all samples. Returns false after a diagnostic.
bool xc_quantize_run_all(xc_quantize_comparison *r);

/// Returns memory for the results of a run, by result.
void **xc_quantize_make_results(const XcInterpreter *interpreter, size_t count);
/// Computes the results that the function should give for a sample.
bool xc_quantize_run_exact(const xc_quantize_comparison *comparison,
                           void **sample, void **results);
/// Adds the errors of one sample's results.
void xc_quantize_compare(xc_quantize_result *rows, size_t count,
                         void *const *exact, void *const *found);
/// Returns a result like `row` that nothing was added to yet.
xc_quantize_result xc_quantize_empty_result(const xc_quantize_result *row);
/// Returns the number of multiply-accumulates of one run of the float function,
/// and numbers that it writes.
double xc_quantize_count_work(const xc_quantizer *q);

// Parts.c

/// Returns the parts of a result of the function; null if it is one.
xc_quantize_parts *xc_quantize_find_parts(const xc_quantizer *q, size_t result);
void xc_quantize_free_parts(xc_quantize_parts *parts);

// Offer.c

/// Returns the output with the least signal to noise beside the float function.
size_t xc_quantize_worst_output(const xc_quantize_comparison *r);

enum { XC_QUANTIZE_OFFERS = 5 };

/// The gain and the cost of layers in floating point.
typedef struct xc_quantize_offer {
  size_t value; // of the layer, where it is one
  bool is_known;
  size_t output; // with the least signal to noise
  double gain;   // in decibel, there
  int64_t macs;
  int64_t elements; // that cross a border between numbers
  bool divides;     // fixed point before it and after it
} xc_quantize_offer;

/// Layers one by one, and those of them that bring most together.
typedef struct xc_quantize_offers {
  xc_quantize_offer items[XC_QUANTIZE_OFFERS];
  size_t count;
  xc_quantize_offer together;
  bool is_together[XC_QUANTIZE_OFFERS];
} xc_quantize_offers;

/// Runs of the function for so many offers: each alone, all together, and all
/// without each, beside none.
static inline size_t xc_quantize_num_trials(size_t offers) {
  return 2 * offers + 2;
}

/// Tries the values of the offers on `num_samples` of the samples, and those
/// that are promising on `num_confirming` of them. Returns false after a
/// diagnostic.
bool xc_quantize_make_offers(const xc_quantize_comparison *comparison,
                             size_t num_samples, size_t num_confirming,
                             xc_quantize_offers *offers);

// Outlier.c

/// Adds numbers of a float tensor of the sample at hand.
void xc_quantize_note_power(xc_quantize_comparison *comparison, size_t value,
                            const double *reals, int64_t count);
/// Returns the samples that have tensors many times as large as most others
/// have.
json_t *xc_quantize_outliers(const xc_quantize_comparison *comparison);

// Loss.c

/// Leaves what is lost at the outputs and in which layers in the attribute
/// `xc.loss` of the function, as JSON. Returns false after a diagnostic.
bool xc_quantize_keep(const xc_quantize_comparison *comparison);

#endif // XC_TRANSFORMS_QUANTIZE_REPORT_COMPARISON_H
