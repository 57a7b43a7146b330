//===- main.c - xc-run: run compiled code on data -------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Run.h"

#ifdef XC_HAVE_MLIR
#include "Frontend/Load/Load.h"
#include "Support/Diag.h"
#include "xc-c/XModelMixed.h"
#endif

#include <stdlib.h>
#include <string.h>

#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))

static bool is_container(const char *path) {
  static const char suffix[] = ".xmodel";
  size_t length = strlen(path), suffix_length = sizeof(suffix) - 1;
  return length > suffix_length &&
         strcmp(path + length - suffix_length, suffix) == 0;
}

/// Groups of options.
enum {
#ifdef XC_HAVE_MLIR
  MODELS,
#endif
  MACHINE_CODE,
  TIMES,
  CONTAINERS,
  EVERYTHING,
  NUM_GROUPS
};

static bool run_as_code(const char *path, const char *const *given,
                        const run_code_options *code,
                        const run_container_options *container) {
  if (is_container(path))
    return run_container(path, container, code);
  const char *option = given[CONTAINERS];
#ifdef XC_HAVE_MLIR
  option = given[MODELS] ? given[MODELS] : option;
#endif
  if (option)
    return xc_tool_error("xc-run",
                         "--%s is for models, but '%s' runs as machine code",
                         option, path);
  return run_code(path, code);
}

#ifdef XC_HAVE_MLIR
// The first option of those that models do not have, or null.
static const char *for_code(const char *const *given) {
  return given[MACHINE_CODE] ? given[MACHINE_CODE] : given[TIMES];
}

/// What an xmodel is. What is wrong with a file is reported when it is read for
/// good.
typedef enum container_kind {
  NO_CONTAINER,
  UNCOMPILED,
  WHOLE_MODEL, // parts for CPU and DPU
  DPU_CODE,
} container_kind;

static container_kind kind_of(const char *path) {
  XcDiag diag = {xc_ignore_error, NULL, 0};
  XcXModel *model = is_container(path) ? xcXModelRead(&diag, path) : NULL;
  container_kind kind = NO_CONTAINER;
  if (model && xcXModelIsMixed(model))
    kind = WHOLE_MODEL;
  else if (model)
    kind = xcXModelGetNumDpuSubgraphs(model) ? DPU_CODE : UNCOMPILED;
  xcXModelDestroy(model);
  return kind;
}

static bool runs_as_model(const char *path, const char *const *given,
                          run_model_options *model) {
  container_kind kind = kind_of(path);
  model->compiled = kind == WHOLE_MODEL || kind == DPU_CODE;
  switch (kind) {
  case NO_CONTAINER:
    return xc_model_is_known(path) && !is_container(path);
  case UNCOMPILED:
    return true;
  case WHOLE_MODEL: // of which one DPU subgraph can be chosen
    return given[MODELS] || !(for_code(given) || model->subgraph);
  case DPU_CODE:
    return given[MODELS];
  }
  return false;
}

static bool run_as_model(const char *path, const char *const *given,
                         const run_model_options *model) {
  if (for_code(given))
    return xc_tool_error("xc-run",
                         "--%s is for machine code, but '%s' runs as a model",
                         for_code(given), path);
  return run_model(path, model);
}

static bool parse_real(void *target, const char *name, const char *value,
                       const char **why) {
  (void)name;
  char *end;
  double real = strtod(value, &end);
  *why = "expected a number of 0 or more";
  if (end == value || *end != '\0' || !(real >= 0))
    return false;
  *(double *)target = real;
  return true;
}
#endif

int main(int argc, char **argv) {
  run_code_options code = {.threads = 1};
  run_container_options container = {0};
#ifdef XC_HAVE_MLIR
  run_model_options model = {.random_inputs = -1, .random_weights = -1};
  const xc_option model_rows[] = {
      {.name = "backend",
       .kind = XC_OPTION_STRING,
       .value_name = "name",
       .help = "What runs a model: reference (the interpreter), cpu (machine "
               "code) or, for the DPU parts of a compiled one, sim",
       .target = &model.backend},
      {.name = "mcpu",
       .kind = XC_OPTION_STRING,
       .value_name = "name",
       .help = "The processor to compile for with --backend=cpu (native)",
       .target = &model.cpu},
      {.name = "compare",
       .kind = XC_OPTION_STRING,
       .value_name = "names",
       .help = "Run several backends, with commas, and compare every tensor",
       .target = &model.compare},
      {.name = "function",
       .kind = XC_OPTION_STRING,
       .value_name = "name",
       .help = "Function to run (the first that is not private)",
       .target = &model.function},
      {.name = "list",
       .kind = XC_OPTION_FLAG,
       .help = "Show inputs and outputs and do not run",
       .target = &model.list},
      {.name = "expected",
       .kind = XC_OPTION_LIST,
       .value_name = "name=file",
       .help = "What an output must be, bit for bit unless a tolerance is "
               "given",
       .target = &model.expected},
      {.name = "tolerance",
       .kind = XC_OPTION_CALL,
       .value_name = "number",
       .help = "Allowed difference of an element",
       .target = &model.tolerance,
       .handler = parse_real},
      {.name = "relative-tolerance",
       .kind = XC_OPTION_CALL,
       .value_name = "number",
       .help = "Allowed difference in addition, times the expected element",
       .target = &model.relative_tolerance,
       .handler = parse_real},
      {.name = "mean",
       .kind = XC_OPTION_STRING,
       .value_name = "numbers",
       .help = "Subtract from the channels of an image (0..255), with commas",
       .target = &model.mean},
      {.name = "scale",
       .kind = XC_OPTION_STRING,
       .value_name = "numbers",
       .help = "Multiply the channels of an image afterwards, with commas",
       .target = &model.scale},
      {.name = "repeat",
       .kind = XC_OPTION_INT,
       .value_name = "count",
       .help = "Run this often again and show the time",
       .target = &model.repeat,
       .minimum = 1,
       .maximum = 1000000},
      {.name = "rounding",
       .kind = XC_OPTION_STRING,
       .value_name = "mode",
       .help = "Round in every fixed-point operator by dpu, std or py3",
       .target = &model.rounding},
      {.name = "dump-tensors",
       .kind = XC_OPTION_STRING,
       .value_name = "directory",
       .help = "Write every tensor to a .npy file, with an index.json",
       .target = &model.dump_tensors},
      {.name = "labels",
       .kind = XC_OPTION_STRING,
       .value_name = "file",
       .help = "Names of classes, one per line: print the five largest",
       .target = &model.labels},
      {.name = "input-shape",
       .kind = XC_OPTION_LIST,
       .value_name = "NAME=1x3x224x224",
       .help = "Shape of a graph input, in place of the file's",
       .target = &model.input_shapes},
      {.name = "bind",
       .kind = XC_OPTION_LIST,
       .value_name = "NAME=file",
       .help = "Turn a graph input into a constant (ONNX)",
       .target = &model.binds},
      {.name = "random-inputs",
       .kind = XC_OPTION_INT,
       .value_name = "seed",
       .help = "Fill inputs that have no file with numbers",
       .target = &model.random_inputs,
       .minimum = 0,
       .maximum = INT64_MAX},
      {.name = "random-weights",
       .kind = XC_OPTION_INT,
       .value_name = "seed",
       .help = "Fill the weights with numbers (ONNX)",
       .target = &model.random_weights,
       .minimum = 0,
       .maximum = INT64_MAX},
      {.name = "dequantize-weights",
       .kind = XC_OPTION_FLAG,
       .help = "Compute layers with 8-bit weights and float inputs in floating "
               "point (TFLite)",
       .target = &model.dequantize_weights},
      {.name = "portable",
       .kind = XC_OPTION_FLAG,
       .help = "Do not use the machine code for CPUs in a compiled model",
       .target = &model.portable},
      {.name = "quiet",
       .kind = XC_OPTION_FLAG,
       .help = "Print differences only",
       .target = &model.quiet},
  };
#endif
  const xc_option code_rows[] = {
      {.name = "target",
       .kind = XC_OPTION_STRING,
       .value_name = "name or file",
       .help = "The DPU that the code was made for",
       .target = &code.target},
      {.name = "reg",
       .kind = XC_OPTION_LIST,
       .value_name = "N=file",
       .help = "Fill the memory behind base register N from a file",
       .target = &code.registers},
      {.name = "reg-size",
       .kind = XC_OPTION_LIST,
       .value_name = "N=bytes",
       .help = "Give base register N this much memory (zeros, or the file of "
               "--reg and zeros behind it)",
       .target = &code.register_sizes},
      {.name = "dump-reg",
       .kind = XC_OPTION_LIST,
       .value_name = "N=file",
       .help = "Write the memory behind base register N after the run",
       .target = &code.dump_registers},
      {.name = "dump-banks",
       .kind = XC_OPTION_STRING,
       .value_name = "file",
       .help = "Write all banks after the run, in order",
       .target = &code.dump_banks},
      {.name = "kernel",
       .kind = XC_OPTION_STRING,
       .value_name = "name",
       .help = "Inner loops: plain, avx2 or avx512vnni (the fastest)",
       .target = &code.kernel},
      {.name = "no-run",
       .kind = XC_OPTION_FLAG,
       .help = "Do not execute: only time, report and verify",
       .target = &code.no_run},
      {.name = "strict",
       .kind = XC_OPTION_FLAG,
       .help = "Verify tokens, hazards, limits and addresses first",
       .target = &code.strict},
      {.name = "ignore",
       .kind = XC_OPTION_LIST,
       .value_name = "finding",
       .help = "Leave out a kind of finding of --strict",
       .target = &code.ignored},
      {.name = "list-findings",
       .kind = XC_OPTION_FLAG,
       .help = "List what --strict can find",
       .target = &code.list_findings},
      {.name = "debug",
       .kind = XC_OPTION_FLAG,
       .help = "Run under commands from standard input ('help' lists them)",
       .target = &code.debug},
  };
  const xc_option container_rows[] = {
      {.name = "subgraph",
       .kind = XC_OPTION_STRING,
       .value_name = "name or number",
       .help = "DPU subgraph of an xmodel, where it has several",
       .target = &container.subgraph},
      {.name = "input",
       .kind = XC_OPTION_LIST,
       .value_name = "name=file",
       .help = "Contents of an input: .npy, an image, otherwise its bytes; a "
               "single input needs no name",
       .target = &container.inputs},
      {.name = "output",
       .kind = XC_OPTION_LIST,
       .value_name = "name=file",
       .help = "Where an output goes: .npy, otherwise its bytes",
       .target = &container.outputs},
  };
  const xc_option time_rows[] = {
      {.name = "timing",
       .kind = XC_OPTION_FLAG,
       .help = "Print cycles, stalls and bounds as a table",
       .target = &code.timing},
      {.name = "trace",
       .kind = XC_OPTION_STRING,
       .value_name = "file",
       .help = "Write a trace for chrome://tracing and Perfetto",
       .target = &code.trace},
      {.name = "layers",
       .kind = XC_OPTION_STRING,
       .value_name = "file",
       .help = "Names of layers, one per line: the index of the first "
               "instruction, the true number of operations or 0, the name",
       .target = &code.layers},
  };
  const xc_option shared_rows[] = {
      {.name = "threads",
       .kind = XC_OPTION_INT,
       .value_name = "count",
       .help = "Threads that share the work (1)",
       .target = &code.threads,
       .minimum = 1,
       .maximum = 256},
      {.name = "no-strict",
       .kind = XC_OPTION_FLAG,
       .help = "Do not verify what xc compiled either (it is by default)",
       .target = &code.trusting},
      {.name = "report",
       .kind = XC_OPTION_STRING,
       .value_name = "file",
       .help = "Write what was found, or the times, as JSON",
       .target = &code.report},
  };
  const xc_option_group groups[NUM_GROUPS] = {
#ifdef XC_HAVE_MLIR
      [MODELS] = {"Models (.onnx, .tflite, .mlir, .mlirbc, .xmodel)",
                  model_rows, COUNT(model_rows)},
#endif
      [MACHINE_CODE] = {"Machine code", code_rows, COUNT(code_rows)},
      [TIMES] = {"Time of machine code", time_rows, COUNT(time_rows)},
      [CONTAINERS] = {"Models and compiled models (.xmodel)", container_rows,
                      COUNT(container_rows)},
      [EVERYTHING] = {"All of them", shared_rows, COUNT(shared_rows)},
  };
  const char *given[NUM_GROUPS] = {NULL};
  const xc_command_line spec = {
      .tool = "xc-run",
      .overview = "runs models and compiled code on data",
      .usage = "[options] <model, xmodel or machine code>",
      .groups = groups,
      .num_groups = NUM_GROUPS,
      .given = given,
  };
  xc_string_list positional = {0};
  xc_command_line_result result =
      xc_command_line_parse(&spec, argc, argv, &positional);
  bool ok = result == XC_COMMAND_LINE_DONE;
  if (result == XC_COMMAND_LINE_RUN && code.list_findings) {
    list_findings();
    ok = true;
  } else if (result == XC_COMMAND_LINE_RUN && positional.count != 1) {
    xc_tool_error("xc-run", "expected one input file, got %zu",
                  positional.count);
  } else if (result == XC_COMMAND_LINE_RUN) {
    const char *path = positional.items[0];
#ifdef XC_HAVE_MLIR
    model.inputs = &container.inputs;
    model.outputs = &container.outputs;
    model.subgraph = container.subgraph;
    model.report = code.report;
    model.threads = code.threads;
    model.trusting = code.trusting;
    ok = runs_as_model(path, given, &model)
             ? run_as_model(path, given, &model)
             : run_as_code(path, given, &code, &container);
#else
    ok = run_as_code(path, given, &code, &container);
#endif
  }
  xc_string_list_free(&code.ignored);
  xc_string_list_free(&code.registers);
  xc_string_list_free(&code.register_sizes);
  xc_string_list_free(&code.dump_registers);
  xc_string_list_free(&container.inputs);
  xc_string_list_free(&container.outputs);
#ifdef XC_HAVE_MLIR
  xc_string_list_free(&model.expected);
  xc_string_list_free(&model.input_shapes);
  xc_string_list_free(&model.binds);
#endif
  xc_string_list_free(&positional);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
