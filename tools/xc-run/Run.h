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

#include "Runtime/Dpu/Kernel.h"
#include "Support/ImportOptions.h"
#include "Support/Text.h"
#include "xc-c/Runtime.h"

/// Options of machine code mode.
typedef struct run_code_options {
  const char *target;
  xc_string_list registers;      // N=FILE
  xc_string_list register_sizes; // N=BYTES
  xc_string_list dump_registers; // N=FILE
  const char *dump_banks;
  const char *kernel;
  int64_t threads;
  int64_t cores; // on one memory; 0: as the target says
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

/// Adds kinds of findings to a set; false after a diagnostic.
bool parse_findings(const xc_string_list *names, uint32_t *set);

/// Prints the kinds of findings of strict mode.
void list_findings(void);

/// Images that are run one after the other, each by the next engine of the
/// target, as all engines of a card would in step.
typedef struct run_images {
  size_t count;
  void (*begin)(void *context, size_t image); // fills the memory
  void (*end)(void *context, size_t image);
  void *context;
} run_images;

/// The same as run_code for a DPU subgraph.
bool run_kernel(const xc_dpu_kernel *kernel, const xc_dpu_memory *memory,
                const run_images *images, const run_code_options *options);

/// Options of container mode.
typedef struct run_container_options {
  const char *subgraph;
  xc_string_list inputs;  // NAME=FILE or FILE
  xc_string_list outputs; // NAME=FILE or FILE
} run_container_options;

/// Runs one DPU subgraph of an xmodel from what the container says.
/// Prints the parts of a compiled model, and inputs and outputs of its DPU
/// subgraphs.
bool list_container(const char *input);

bool run_container(const char *input, const run_container_options *options,
                   const run_code_options *code);

/// Options of model mode. `inputs`, `outputs`, `report`, `threads`, `trusting`
/// and `subgraph` are those of the other modes.
typedef struct run_model_options {
  const char *backend; // null: what fits the model
  const char *compare; // names of backends, with commas
  const char *cpu;     // or null
  const char *target;  // of a compiled model, or null
  const char *function;
  const char *subgraph;
  const char *rounding;
  const char *kernels;           // a library of them, or null
  const char *description;       // of its functions, or null
  const XcKernelPlugin *plugin;  // when it is loaded
  const xc_string_list *inputs;  // NAME=FILE or FILE
  const xc_string_list *outputs; // NAME=FILE or FILE
  xc_string_list expected;       // NAME=FILE or FILE
  double tolerance;
  double relative_tolerance;
  const char *dump_tensors;
  const char *labels;
  const char *report;
  xc_import_arguments import;
  int64_t random_inputs; // seed, -1: none
  int64_t threads;
  int64_t repeat;   // runs that are timed; 0: none
  uint32_t ignored; // kinds of findings
  bool trusting;
  bool portable;
  bool compiled; // the file is a compiled xmodel
  bool list;
  bool quiet;
} run_model_options;

/// Runs a model of any format.
bool run_model(const char *input, const run_model_options *options);

#endif // XC_TOOLS_XC_RUN_RUN_H
