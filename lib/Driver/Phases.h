//===- Phases.h - phases of a compilation -------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_DRIVER_PHASES_H
#define XC_DRIVER_PHASES_H

#include "Driver.h"

//===----------------------------------------------------------------------===//
// The sequence of phases (Phases.c)
//===----------------------------------------------------------------------===//

/// Runs the phases that the options ask for.
bool xc_driver_run_phases(xc_compilation *c);

/// The handler of an XcProgress whose data is an xc_compilation: calls that of
/// the options. `work` is null when a phase begins.
void xc_driver_report_progress(void *compilation, const char *work, size_t done,
                               size_t total);

typedef struct xc_option_value {
  const char *option, *value;
} xc_option_value;

/// Runs a pass with options. Values do not go through pipeline syntax: they may
/// hold any character.
bool xc_driver_run_pass(xc_compilation *c, const char *argument,
                        const xc_option_value *given, size_t num_given);

/// Returns the JSON that a pass left in an attribute of a function, such as the
/// loss of quantisation; null if no function has it.
json_t *xc_driver_read_json(const xc_compilation *c, const char *name);
/// Does the same, and removes the attribute.
json_t *xc_driver_take_json(xc_compilation *c, const char *name);

//===----------------------------------------------------------------------===//
// Each phase (Steps.c, Calibrate.c)
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
/// have fix points of their own. Sets `done` unless there are no samples, or
/// all of the model has fix points; options about a calibration are errors
/// then.
bool xc_driver_quantize(xc_compilation *c, bool *done);

//===----------------------------------------------------------------------===//
// Modules between two phases (Saved.c)
//===----------------------------------------------------------------------===//

/// Writes the module as it is after the current phase, with the data that later
/// phases need besides.
bool xc_driver_save(xc_compilation *c, const char *directory, const char *stem);
/// Keeps the data that a saved module needs and later phases change. To be
/// called after each phase once its module is saved.
void xc_driver_keep_divided(xc_compilation *c);
/// Adds the same files as xc_driver_save writes to the outputs.
void xc_driver_add_saved(xc_compilation *c);
/// Reads a module that was saved after `phase`.
bool xc_driver_resume(xc_compilation *c, const char *phase);

#endif // XC_DRIVER_PHASES_H
