//===- ModelRun.h - model mode: a model with its tensors ----------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TOOLS_XC_RUN_MODELRUN_H
#define XC_TOOLS_XC_RUN_MODELRUN_H

#include "Run.h"

#include "dialects/View.h"

/// An input or output of the function that runs.
typedef struct model_tensor {
  MlirStringRef name; // empty when the model has none
  xc_shape shape;
  void *data;
  size_t size;
  const char *expected_path; // null: nothing expected
  void *expected;
} model_tensor;

/// How an output differs from what was expected.
typedef struct model_difference {
  int64_t count;         // elements that differ
  int64_t first;         // the first of them
  double largest;        // |found - expected|
  double expected_range; // largest |expected|
} model_difference;

typedef struct model_run {
  XcDiag diag;
  const char *path;
  const run_model_options *options;
  MlirContext context;
  MlirOperation module;
  MlirOperation function;
  model_tensor *inputs, *outputs;
  size_t num_inputs, num_outputs;
} model_run;

/// Prints inputs and outputs with their types.
void model_list(const model_run *run);
/// Prints a table of the outputs, and the largest classes with --labels.
bool model_print_outputs(model_run *run);
/// Compares outputs with what is expected; reports the first difference of
/// each on stderr. True when there is none.
bool model_compare(model_run *run);
/// Writes --report.
bool model_write_report(model_run *run);

/// The tensor that `name` or a number means; reports when there is none.
/// `what` is "input" or "output".
model_tensor *model_find(model_tensor *tensors, size_t count, const char *what,
                         const char *name, size_t length);

#endif // XC_TOOLS_XC_RUN_MODELRUN_H
