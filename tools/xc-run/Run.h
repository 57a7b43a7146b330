//===- Run.h - the modes of xc-run --------------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// xc-run runs what xc compiles. Its modes share one command line; each mode is
// one file that looks at the options it knows.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TOOLS_XC_RUN_RUN_H
#define XC_TOOLS_XC_RUN_RUN_H

#include "Support/CommandLine.h"
#include "Support/File.h"
#include "xc-c/DPUSim.h"
#include "xc-c/XModelDpu.h"

/// Options of machine code mode.
typedef struct run_code_options {
  const char *target;
  xc_string_list registers;      // N=FILE
  xc_string_list register_sizes; // N=BYTES
  xc_string_list dump_registers; // N=FILE
  const char *dump_banks;
  const char *kernel;
  int64_t threads;
  bool no_run;
  bool strict;
  bool trusting;          // do not verify what xc compiled either
  xc_string_list ignored; // kinds of findings
  bool list_findings;
  bool debug;
  bool timing;
  const char *report;
  const char *trace;
  const char *layers;
} run_code_options;

/// Runs machine code on the simulator.
bool run_code(const char *input, const run_code_options *options);

/// Prints the kinds of findings of strict mode.
void list_findings(void);

/// Machine code that did not come from a file of its own.
typedef struct run_code_image {
  const char *name;          // for diagnostics
  const XcDpuTarget *target; // it stays the caller's
  const unsigned char *code;
  size_t code_size;
  bool compiled_by_xc; // strict mode is on by default
  uint64_t operations; // true ones, 0: unknown
  /// In the order of the code; none: the whole code is one layer.
  const XcXModelDpuLayer *layers;
  size_t num_layers;
  /// Memory behind the base registers; it stays the caller's.
  xc_buffer registers[XC_DPU_NUM_REGISTERS];
} run_code_image;

/// The same as run_code, but registers are those of the image.
bool run_image(const run_code_image *image, const run_code_options *options);

/// Options of container mode.
typedef struct run_container_options {
  const char *subgraph;
  xc_string_list inputs;  // NAME=FILE or FILE
  xc_string_list outputs; // NAME=FILE or FILE
} run_container_options;

/// Runs one DPU subgraph of an xmodel from what the container says.
bool run_container(const char *input, const run_container_options *options,
                   const run_code_options *code);

/// Options of model mode. `inputs`, `outputs`, `report`, `threads`, `trusting`
/// and `subgraph` are those of the other modes.
typedef struct run_model_options {
  const char *backend; // null: what fits the model
  const char *compare; // names of backends, with commas
  const char *cpu;     // or null
  const char *function;
  const char *subgraph;
  const char *rounding;
  const xc_string_list *inputs;  // NAME=FILE or FILE
  const xc_string_list *outputs; // NAME=FILE or FILE
  xc_string_list expected;       // NAME=FILE or FILE
  double tolerance;
  double relative_tolerance;
  const char *mean, *scale; // of images: NUMBER,NUMBER..., or null
  const char *dump_tensors;
  const char *labels;
  const char *report;
  xc_string_list input_shapes;
  xc_string_list binds;
  int64_t random_inputs;  // seed, -1: none
  int64_t random_weights; // seed, -1: none
  int64_t threads;
  int64_t repeat;          // runs that are timed; 0: none
  bool dequantize_weights; // of a TFLite model
  bool trusting;
  bool portable;
  bool compiled; // the file is a compiled xmodel
  bool list;
  bool quiet;
} run_model_options;

/// Runs a model of any format.
bool run_model(const char *input, const run_model_options *options);

#endif // XC_TOOLS_XC_RUN_RUN_H
