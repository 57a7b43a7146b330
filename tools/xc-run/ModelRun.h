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

#include "Runtime/TensorShape.h"
#include "Support/Text.h"

/// An input or output of the model.
typedef struct model_tensor {
  const XcTensorInfo *info;
  xc_shape shape; // of all images
  void *data;
  const char *expected_path; // null: nothing expected
  void *expected;
} model_tensor;

/// How two tensors differ.
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
  XcBackend backend;
  XcModel *model;
  XcSession *session;   // the first one
  XcSession **sessions; // of images in lockstep
  size_t num_sessions;
  model_tensor *inputs, *outputs;
  size_t num_inputs, num_outputs;
  size_t images;   // that the inputs hold; 0: not known yet
  double *seconds; // of --repeat
} model_run;

//===----------------------------------------------------------------------===//
// Model.c
//===----------------------------------------------------------------------===//

/// Returns the options of the command line for loading the model.
XcModelOptions model_load_options(const run_model_options *options,
                                  XcBackend backend);
/// Makes the tensors of the model.
void model_make_tensors(model_run *run);
bool model_read_inputs(model_run *run);
/// Reports what is for one image only, if there are several.
bool model_has_one_image(const model_run *run);
/// Frees everything that hangs on the run.
void model_release(model_run *run);

//===----------------------------------------------------------------------===//
// ModelOutputs.c
//===----------------------------------------------------------------------===//

/// Prints inputs and outputs with their types, and the parts of a model that
/// has several.
void model_list(const model_run *run);
/// Prints a table of the outputs, and the largest classes with --labels.
bool model_print_outputs(model_run *run);
/// Compares outputs with what is expected; reports the first difference of each
/// on stderr. Returns true when there is none.
bool model_compare(model_run *run);
/// Prints how long the runs of --repeat took.
void model_print_latency(const model_run *run);
/// Writes --report.
bool model_write_report(model_run *run);

/// Element by element, by the tolerances of the options.
model_difference model_measure(const run_model_options *options,
                               const xc_shape *shape, const void *found,
                               const void *expected);
/// "element [0, 1] is 3, expected 4 by BY; 2 of 8 elements differ, by at most
/// 1".
void model_print_difference(const xc_shape *shape, const void *found,
                            const void *expected, const char *by,
                            const model_difference *difference, xc_text *text);

//===----------------------------------------------------------------------===//
// ModelDump.c
//===----------------------------------------------------------------------===//

/// --dump-tensors: runs the session and writes every tensor.
bool model_dump_run(model_run *run);

//===----------------------------------------------------------------------===//
// ModelCompare.c
//===----------------------------------------------------------------------===//

/// --compare
bool model_compare_backends(model_run *run);

#endif // XC_TOOLS_XC_RUN_MODELRUN_H
