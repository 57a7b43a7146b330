//===- Quantize.c - the pass tir-quantize ---------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Canonicalize/Canonicalize.h"
#include "Transforms/Legalize/Legalize.h"
#include "Transforms/Quantize/Convert/Convert.h"
#include "Transforms/Quantize/Equalize/Equalize.h"
#include "Transforms/Quantize/Equalize/SortChannels.h"
#include "Transforms/Quantize/Fit/Fit.h"
#include "Transforms/Quantize/FixPoints/FixPoints.h"
#include "Transforms/Quantize/KeepFloat/KeepFloat.h"
#include "Transforms/Quantize/Observe/Observe.h"
#include "Transforms/Quantize/Report/Report.h"
#include "Transforms/Quantize/Requantize/Requantize.h"
#include "Transforms/Quantize/Rewrite/Rewrite.h"
#include "dialects/Emit.h"
#include "dialects/Macs.h"

#include <stdlib.h>
#include <string.h>

static void permute(double *numbers, const int64_t *order, int64_t count) {
  size_t bytes = (size_t)count * sizeof(*numbers);
  double *old = xc_alloc(bytes + 1);
  memcpy(old, numbers, bytes);
  for (int64_t i = 0; i < count; ++i)
    numbers[i] = old[order[i]];
  free(old);
}

// Moves the findings of equalisation about each channel with it.
static void follow_order(void *user, MlirValue moved, const int64_t *order) {
  const xc_quantizer *q = user;
  xc_quantize_value *value = xc_pointer_map_get(&q->originals, moved.ptr);
  if (value && value->floors) {
    permute(value->floors, order, value->channels);
    permute(value->ceilings, order, value->channels);
  }
  if (value && value->zeros)
    permute(value->zeros, order, value->channels);
}

// The copy has the weights that it was made with.
static bool change_weights(xc_quantizer *q) {
  bool changed = false;
  bool weakened = false;
  if (!xc_quantize_loosen_clamps(q, &changed) ||
      !xc_quantize_scale_dead_channels(q, &weakened))
    return false;
  changed |= q->num_multiplied > 0;
  if ((xc_pass_bool(q->run, "equalize") &&
       !xc_quantize_equalize(q, &changed)) ||
      !xc_quantize_drop_slopes(q, &weakened))
    return false;
  changed |= weakened;
  xc_quantize_drop_ones(q);
  int64_t group = xc_pass_int(q->run, "group-channels");
  bool sorts = group > 0 && xc_pass_bool(q->run, "sort-channels");
  const xc_sort_listener listener = {follow_order, q};
  int64_t sorted = sorts ? xc_sort_channels(q->function, group, &listener) : 0;
  if (sorted < 0)
    return false;
  if (!changed && !sorted)
    return true;
  // On other samples than these, limits, slopes and dead channels may differ.
  for (size_t i = 0; i < q->num_values; ++i)
    if ((weakened || q->values[i].saturates) &&
        !mlirOperationIsNull(q->reference)) {
      q->unscaled = q->reference;
      q->reference = (MlirOperation){NULL};
    }
  xc_quantize_drop_copy(q);
  xc_quantize_take_copy(q);
  return true;
}

static bool report(xc_quantizer *q) {
  const char *path = xc_pass_string(q->run, "report");
  const char *validation = xc_pass_string(q->run, "validation");
  bool keep = xc_pass_bool(q->run, "loss");
  if (!*path && !keep)
    return true;
  return (!*validation ||
          xc_quantize_open_samples(q, "validation", validation, 0)) &&
         xc_quantize_report(q, path, keep);
}

// Fitted weights make good what rounding biases of moved zero points costs.
static bool move_zeros(xc_quantizer *q) {
  bool changed = false;
  if (!xc_pass_bool(q->run, "fit") || !xc_pass_bool(q->run, "zero-points"))
    return true;
  if (!xc_quantize_move_zeros(q, &changed))
    return false;
  if (changed) {
    xc_quantize_drop_copy(q);
    xc_quantize_take_copy(q);
  }
  return true;
}

static bool measure(xc_quantizer *q) {
  xc_quantize_take_copy(q);
  xc_quantize_keep_statistics(q);
  xc_quantize_keep_processing(q);
  xc_quantize_keep_operands(q);
  xc_quantize_keep_islands(q);
  if (!xc_quantize_measure(q))
    return false;
  xc_quantize_keep_spectra(q);
  return true;
}

// The function has other values.
static bool measure_again(xc_quantizer *q) {
  xc_quantize_drop_copy(q);
  xc_quantize_forget_values(q);
  xc_quantize_take_all(q);
  return xc_quantize_collect_values(q) && measure(q);
}

// The numbers that are added go into convolutions where they can.
static bool change_clamps(xc_quantizer *q) {
  bool changed = false;
  return xc_quantize_shift_clamps(q, &changed) &&
         (!changed || (xc_canonicalize(q->function) && measure_again(q)));
}

// Changes arguments and results so that fixed point suits them. Those of a
// model that is quantised to 8 bits fit as they are.
static bool change_borders(xc_quantizer *q) {
  bool changed = false;
  if (!mlirOperationIsNull(q->model))
    return true;
  // Splitting destroys operators, whose values nothing may look up any more.
  if ((xc_pass_bool(q->run, "equalize") &&
       !xc_quantize_multiply_arguments(q, &changed)) ||
      !xc_quantize_split_results(q, &changed))
    return false;
  if (!changed)
    return true;
  if (!measure_again(q))
    return false;
  xc_quantize_keep_arguments(q);
  return true;
}

static bool quantize(xc_quantizer *q) {
  const char *path = xc_pass_string(q->run, "calibration");
  int64_t most = xc_pass_int(q->run, "samples");
  if (!xc_quantize_check_kept(q) || !xc_quantize_collect_values(q) ||
      !xc_quantize_open_samples(q, "calibration", path, most))
    return false;
  q->num_calibrated = q->num_samples;
  if (!measure(q) || !change_clamps(q) || !change_borders(q) ||
      !change_weights(q) || !xc_quantize_calibrate(q))
    return false;
  xc_quantize_keep_offsets(q);
  xc_quantize_join(q);
  return move_zeros(q) && xc_quantize_convert(q) && xc_quantize_avoid_ties(q) &&
         (!xc_pass_bool(q->run, "fit") || xc_quantize_fit(q)) && report(q);
}

static bool check_options(xc_pass_run *run) {
  const char *requantize = xc_pass_string(run, "requantize");
  if (*requantize && strcmp(requantize, "pof2") != 0)
    return xc_option_error(run->root, "tir-quantize", "requantize",
                           "is '%s', expected pof2", requantize);
  if (!*xc_pass_string(run, "calibration"))
    return xc_option_error(run->root, "tir-quantize", "calibration",
                           "is missing, expected a file, a folder or random");
  return true;
}

// Whether an operator computes with scales of any size.
static bool is_scaled(MlirOperation op) {
  static const char prefix[] = "tir.qlinear-";
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  size_t length = sizeof(prefix) - 1;
  return name.length > length && memcmp(name.data, prefix, length) == 0;
}

/// A model that is quantised already is compared with as it is: requantising
/// turns it into floating point first.
static void keep_model(xc_quantizer *q) {
  if (!xc_pass_bool(q->run, "loss") || !*xc_pass_string(q->run, "requantize"))
    return;
  for (MlirOperation op = mlirBlockGetFirstOperation(q->block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (is_scaled(op)) {
      q->model = mlirOperationClone(q->function);
      return;
    }
}

/// Operators with scales of any size could not get the forms that a DPU has. In
/// fixed point some of them cannot either, as few rewritings keep every bit:
/// the function in floating point gets them, before its fix points are chosen.
static bool make_float(xc_quantizer *q) {
  const char *target = xc_pass_string(q->run, "target");
  if (!*xc_pass_string(q->run, "requantize"))
    return true;
  return xc_quantize_to_float(q->function, &q->was_quantised) &&
         (!q->was_quantised || !*target ||
          xc_legalize_floats(q->function, target));
}

static bool is_double(MlirValue value) {
  xc_shape shape;
  return xc_shape_of_type(mlirValueGetType(value), &shape) &&
         shape.element == XC_ELEMENT_F64;
}

// Weights are single precision, and so is what they are fitted to. Elementwise
// operators may compute in double precision on the CPU.
static bool check_precision(const xc_quantizer *q) {
  for (MlirOperation op = mlirBlockGetFirstOperation(q->block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    xc_adaptor adaptor;
    if (!xc_op_info_of(op) || !xc_adaptor_of(op, &adaptor) ||
        xc_count_macs(&adaptor) == 0)
      continue;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
      if (is_double(mlirOperationGetOperand(op, i)))
        return xc_op_error(op,
                           "computes in double precision, which calibration "
                           "does not take; export the model in single "
                           "precision");
  }
  return true;
}

static bool run(xc_pass_run *pass) {
  xc_quantizer q = {.run = pass,
                    .context = mlirOperationGetContext(pass->root)};
  if (!check_options(pass) || !xc_quantize_read_gates(&q) ||
      !xc_quantize_find_function(&q, pass->root) || !check_precision(&q))
    return false;
  xc_quantize_find_ranges(&q);
  keep_model(&q);
  bool ok = make_float(&q) && quantize(&q);
  xc_exact_end(&q);
  xc_quantize_end(&q);
  return ok;
}

static const xc_pass_option options[] = {
    {"calibration", XC_PASS_OPTION_STRING, "",
     "Samples of the input: a picture, a .npy or raw file with one or more, a "
     "folder of such files, or random"},
    {"samples", XC_PASS_OPTION_COUNT, "0",
     "Use this many samples at most, spread evenly; 0 is all of them, or 4 "
     "random ones"},
    {"report", XC_PASS_OPTION_STRING, "",
     "Write the error of every tensor to this file: JSON when it ends in "
     ".json, else a table; - is standard error"},
    {"loss", XC_PASS_OPTION_BOOL, "false",
     "Leave what is lost at the outputs and in which layers in the attribute "
     "xc.loss of the function"},
    {"validation", XC_PASS_OPTION_STRING, "",
     "Other samples, on which report and loss are measured; those of the "
     "calibration flatter"},
    {"trial-work", XC_PASS_OPTION_COUNT, "6000000",
     "With loss: try layers in floating point on as many samples as take so "
     "many thousand multiply-accumulates and numbers written, a second or two; "
     "0: none"},
    {"equalize", XC_PASS_OPTION_BOOL, "true",
     "Scale channels between convolutions so that their ranges are alike and "
     "fill those of their fix points"},
    {"approximate", XC_PASS_OPTION_STRING, "",
     "Functions that tir-approximate will replace, with commas: what lies "
     "between them is between layers of the DPU, and equalize scales no "
     "channels through activations"},
    {"float-statistics", XC_PASS_OPTION_BOOL, "true",
     "Leave normalisation by the variance of the tensor itself, as by "
     "InstanceNormalization, in floating point, and sums and products that "
     "only functions like logarithms and quotients, or products of two "
     "computed matrices, read, or that lie between functions on the CPU, and "
     "filters under squares and a logarithm"},
    {"fit", XC_PASS_OPTION_BOOL, "true",
     "Choose the integers of weights by what convolutions give on the samples"},
    {"zero-points", XC_PASS_OPTION_BOOL, "true",
     "With fit: let results of ReLU use all integers, the lowest one for 0, "
     "and channels beside activations on the CPU all integers of their range, "
     "where the biases of what makes or reads them can take that along"},
    {"group-channels", XC_PASS_OPTION_COUNT, "0",
     "So many output channels of a convolution may have fix points of their "
     "own for weights and bias, as a DPU computes them at a time; 0: all of "
     "them share one"},
    {"sort-channels", XC_PASS_OPTION_BOOL, "false",
     "With group-channels: also give channels an order in which those of such "
     "a group have weights of similar size, see tir-sort-channels"},
    {"keep-float", XC_PASS_OPTION_STRING, "",
     "Names of operators, with commas, that stay in floating point"},
    {"requantize", XC_PASS_OPTION_STRING, "",
     "With pof2: also turn qlinear operators into fixed point"},
    {"target", XC_PASS_OPTION_STRING, "",
     "With requantize: name or file of the DPU that gets forms of what was a "
     "qlinear operator which tir-legalize only makes of floating point"},
};
static const xc_pass_statistic statistics[] = {
    {"num-quantized", "Float operators replaced"},
};

const xc_pass_info xc_pass_tir_quantize = {
    .argument = "tir-quantize",
    .name = "TirQuantize",
    .summary = "Turn float operators into int8 ones with powers of two as "
               "scales",
    .description =
        "Runs the function on samples as the reference interpreter does, "
        "chooses a fix point for every tensor (docs/quantiser.md has the "
        "rules) and replaces each operator that has a `-fix` form, its "
        "activation included. The others stay in floating point between "
        "`fix2float` and "
        "`float2fix`. Run `tir-canonicalize` and `tir-legalize` first: they "
        "fold normalisation into convolutions. When the pass fails after "
        "calibration the function may be changed in part.",
    .anchor = "builtin.module",
    .options = options,
    .num_options = sizeof(options) / sizeof(*options),
    .statistics = statistics,
    .num_statistics = sizeof(statistics) / sizeof(*statistics),
    .run = run,
};
