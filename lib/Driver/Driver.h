//===- Driver.h - what the files of the driver share --------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_DRIVER_DRIVER_H
#define XC_DRIVER_DRIVER_H

#include "Mixed.h"

#include "Support/File.h"
#include "Support/Preprocess.h"
#include "Support/Text.h"
#include "Target/DPU/CodeGen/Lower/Function.h"
#include "xc-c/Driver.h"
#include "xc-c/Partition.h"
#include "xc-c/XModel.h"

#include "mlir-c/IR.h"

#include <jansson.h>

//===----------------------------------------------------------------------===//
// Outputs.c
//===----------------------------------------------------------------------===//

typedef struct xc_driver_output {
  char *path;
  void *data;
  size_t size;
} xc_driver_output;

/// Files that appear together or not at all.
typedef struct xc_driver_outputs {
  xc_driver_output *files;
  size_t count, capacity;
} xc_driver_outputs;

/// `data` is freed with free() by xc_driver_outputs_free; `path` is copied.
void xc_driver_outputs_add(xc_driver_outputs *outputs, const char *path,
                           void *data, size_t size);
/// Whether the directory can be made or written to, and a file can be made, as
/// far as that can be known before: not after minutes of compiling.
bool xc_driver_check_directory(XcDiag *diag, const char *path);
bool xc_driver_check_file(XcDiag *diag, const char *path);
/// Makes `directory` when it is missing and writes the files.
bool xc_driver_outputs_write(XcDiag *diag, const xc_driver_outputs *outputs,
                             const char *directory);
void xc_driver_outputs_free(xc_driver_outputs *outputs);

/// Makes a directory unless it is there. `*made` (may be null) says whether.
bool xc_driver_make_directory(XcDiag *diag, const char *path, bool *made);

//===----------------------------------------------------------------------===//
// The compilation
//===----------------------------------------------------------------------===//

/// What the first operators of a model make of each channel of an input x:
/// factor * x + offset.
typedef struct xc_input_arithmetic {
  bool is_known;
  bool is_opaque; // they compute something else
  double factors[XC_MAX_CHANNELS], offsets[XC_MAX_CHANNELS];
} xc_input_arithmetic;

/// Inputs that are looked at for it.
enum { XC_DRIVER_PICTURES = 8 };

typedef struct xc_compilation {
  XcDiag *diag;
  const XcCompileOptions *options;
  const XcDpuTarget *target;
  xc_buffer file; // the model
  MlirContext context;
  MlirModule module;
  size_t phase; // the current one
  /// It has fix points, but most of its work is not as a DPU computes.
  bool has_misfits;
  char *model;        // name of the model file, without directories
  XcXModel *code;     // what the last phase makes
  json_t *kernels;    // names of the DPU subgraphs
  json_t *subgraphs;  // their reports
  json_t *board;      // who computes the operators of CPU parts there
  json_t *placement;  // or null, before the model is divided
  xc_mixed *mixed;    // its parts
  xc_text divided;    // it as it was then, as text, when it is to be saved
  xc_buffer original; // the model before it was divided, as an xmodel
  xc_text log;        // written when everything went well
  xc_text kept;       // names, with commas (KeepFloat.c)
  xc_input_arithmetic arithmetic[XC_DRIVER_PICTURES]; // by input (Pictures.c)
  xc_driver_outputs outputs;
} xc_compilation;

/// `DIRECTORY/NAME` and a suffix. The caller frees the text.
xc_text xc_driver_output_path(const xc_compilation *c, const char *suffix);

//===----------------------------------------------------------------------===//
// Phases.c
//===----------------------------------------------------------------------===//

/// Runs the phases that the options ask for.
bool xc_driver_run_phases(xc_compilation *c);

typedef struct xc_option_value {
  const char *option, *value;
} xc_option_value;

/// The handler of an XcProgress whose data is an xc_compilation: tells that of
/// the options. `work` is null when a phase begins.
void xc_driver_report_progress(void *compilation, const char *work, size_t done,
                               size_t total);

/// Runs a pass with options. Values do not go through pipeline syntax: they may
/// hold any character.
bool xc_driver_run_pass(xc_compilation *c, const char *argument,
                        const xc_option_value *given, size_t num_given);

//===----------------------------------------------------------------------===//
// KeepFloat.c
//===----------------------------------------------------------------------===//

/// Notes in `kept` which operators of --keep-float the imported model has.
void xc_driver_note_kept(xc_compilation *c);
/// Appends those that are operators of their own still, with commas; says which
/// are not. False after an error: the model did not have one.
bool xc_driver_list_kept(xc_compilation *c, xc_text *names);

//===----------------------------------------------------------------------===//
// Pictures.c
//===----------------------------------------------------------------------===//

/// Notes what the imported model computes of its inputs first.
void xc_driver_note_arithmetic(xc_compilation *c);
/// Says where pictures reach the rest of the model with numbers that few models
/// expect. After tir-quantize.
void xc_driver_judge_pictures(const xc_compilation *c);

//===----------------------------------------------------------------------===//
// Steps.c: what the phases do
//===----------------------------------------------------------------------===//

bool xc_phase_import(xc_compilation *c);
bool xc_phase_absorb_fix(xc_compilation *c);
bool xc_phase_legalize(xc_compilation *c);
bool xc_phase_quantize(xc_compilation *c);
bool xc_phase_partition(xc_compilation *c);
bool xc_phase_bufferize(xc_compilation *c);
bool xc_phase_convert(xc_compilation *c);
bool xc_phase_eliminate_copies(xc_compilation *c);
bool xc_phase_codegen(xc_compilation *c);

/// Quantises a model with the samples of the options, but for operators that
/// have fix points of their own. Not `done` where there are no samples, or all
/// of it has fix points; options about a calibration are errors then.
bool xc_driver_quantize(xc_compilation *c, bool *done);

//===----------------------------------------------------------------------===//
// OwnPoints.c
//===----------------------------------------------------------------------===//

/// How the operators of a model are quantised already.
typedef struct xc_own_points {
  bool has_fixed;    // at fix points
  bool has_moved;    // integers that are moved, at any scale
  bool has_boundary; // conversions to fix points and back
  bool has_scaled;   // with scales of any size
  /// Convolutions and products, and those of them whose tensors are not all of
  /// signed bytes.
  size_t num_working, num_misfits;
} xc_own_points;

xc_own_points xc_driver_own_points(MlirModule module);
/// Says what samples do not change.
void xc_driver_warn_of_own_points(const xc_compilation *c,
                                  const xc_own_points *own);
/// Rounds biases that are not those of a DPU.
bool xc_driver_round_biases(xc_compilation *c);
/// Reads the model without its fix points if most of its work is not as a DPU
/// computes and there are samples; else says what rounding lost. False if it
/// could not be read.
bool xc_driver_drop_own_points(xc_compilation *c,
                               const XcImportOptions *options);
/// What to add to an error because most of the work is like that, or nothing.
const char *xc_driver_own_points_remedy(const xc_compilation *c);

//===----------------------------------------------------------------------===//
// Approximations.c
//===----------------------------------------------------------------------===//

/// Whether the options about approximations go together.
bool xc_driver_check_approximate(XcDiag *diag, const XcCompileOptions *options);
/// Runs tir-approximate on the quantised module.
bool xc_driver_approximate(xc_compilation *c);
/// Takes from the module what tir-approximate did; null when it did nothing.
json_t *xc_driver_take_approximations(xc_compilation *c);
/// Adds the loss of the approximations to that of fixed point at the outputs:
/// their errors are independent. Either may be null.
void xc_driver_add_approximation_loss(json_t *loss,
                                      const json_t *approximations);

/// Says what they cost at the outputs, where a higher bound would leave more,
/// and which outputs do not keep the bound. Either may be null.
void xc_driver_judge_approximations(xc_compilation *c, const json_t *loss,
                                    const json_t *approximations);

//===----------------------------------------------------------------------===//
// Suggest.c
//===----------------------------------------------------------------------===//

/// Names the functions for --approximate that divide the DPU's part. Before the
/// placement is outlined.
void xc_driver_suggest_approximations(xc_compilation *c, XcPlacement placement);

//===----------------------------------------------------------------------===//
// Source.c: --emit=c
//===----------------------------------------------------------------------===//

/// Reads the model and writes it as C, without a target.
bool xc_driver_compile_source(xc_compilation *c);

//===----------------------------------------------------------------------===//
// Saved.c: modules between two phases
//===----------------------------------------------------------------------===//

/// Writes the module as it is after the current phase, with what later phases
/// need besides.
bool xc_driver_save(xc_compilation *c, const char *directory, const char *stem);
/// To be called after each phase once its module is saved: what later phases
/// change and a saved module needs is kept.
void xc_driver_keep_divided(xc_compilation *c);
/// The same as output files.
void xc_driver_add_saved(xc_compilation *c);
/// Reads a module that was saved after `phase`.
bool xc_driver_resume(xc_compilation *c, const char *phase);

//===----------------------------------------------------------------------===//
// Loss.c, KeepFloatCost.c, Budgets.c
//===----------------------------------------------------------------------===//

/// The JSON that a pass left in an attribute of a function, such as the loss of
/// quantisation; null if no function has it. `take` removes the attribute.
json_t *xc_driver_read_json(const xc_compilation *c, const char *name);
json_t *xc_driver_take_json(xc_compilation *c, const char *name);
/// The loss as a table, and whether the budgets allow it.
void xc_driver_loss_table(const json_t *report, xc_text *text);
bool xc_driver_check_loss(const xc_compilation *c, const json_t *report);
/// Says where calibration had few samples. After tir-quantize.
void xc_driver_note_samples(const xc_compilation *c);
/// Says which outputs lost so much that they are hardly of use.
void xc_driver_warn_of_loss(const xc_compilation *c, const json_t *report);
/// Adds the estimated times of layers that might stay in floating point.
void xc_driver_price_offers(const xc_compilation *c, json_t *report);
/// Whether the DPU has something to do without the layers of an offer.
bool xc_driver_leaves_dpu(const json_t *offer);

/// Fails with an explanation when the report exceeds a budget.
bool xc_driver_check_budgets(const xc_compilation *c, const json_t *report);

#endif // XC_DRIVER_DRIVER_H
