//===- xc-run.c - run compiled code on data -------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "Run.h"

#include "Support/Diag.h"

#ifdef XC_HAVE_MLIR
#include "Frontend/Load/Load.h"
#include "Support/Compiled.h"
#include "xc-c/XModelMixed.h"
#endif

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
  IMPORT,
  PICTURES,
#endif
  MACHINE_CODE,
  TIMES,
  CONTAINERS,
  EVERYTHING,
  NUM_GROUPS
};

#ifdef XC_HAVE_MLIR
// Returns the first option of those that only models have, or null.
static const char *for_models(const char *const *given) {
  for (int group = MODELS; group <= PICTURES; ++group)
    if (given[group])
      return given[group];
  return NULL;
}
#endif

// Nothing is known of a file that is not there, least of all what it is.
static bool is_there(const char *path) {
  XcDiag diag = {0};
  return strcmp(path, "-") == 0 || access(path, F_OK) == 0 ||
         xc_file_error(&diag, NULL, "cannot open input file '%s': %s", path,
                       strerror(errno));
}

static bool run_as_code(const char *path, const char *const *given,
                        const run_code_options *code,
                        const run_container_options *container) {
  if (!is_there(path))
    return false;
  if (is_container(path))
    return run_container(path, container, code);
  const char *option = given[CONTAINERS];
#ifdef XC_HAVE_MLIR
  option = for_models(given) ? for_models(given) : option;
#endif
  if (option)
    return xc_tool_error("xc-run",
                         "--%s is for models, but '%s' runs as machine code",
                         option, path);
  return run_code(path, code);
}

#ifdef XC_HAVE_MLIR
// Returns the first option of those that models do not have, or null.
static const char *for_code(const char *const *given) {
  return given[MACHINE_CODE] ? given[MACHINE_CODE] : given[TIMES];
}

/// The kind of an xmodel. Faults of a file are reported when it is read for
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
    return for_models(given) || !(for_code(given) || model->subgraph);
  case DPU_CODE:
    return for_models(given);
  }
  return false;
}

static bool run_as_model(const char *path, const char *const *given,
                         const run_model_options *model) {
  if (for_code(given))
    return xc_tool_error("xc-run",
                         "--%s is for machine code, but '%s' runs as a model",
                         for_code(given), path);
  if (model->target && !model->compiled)
    return xc_tool_error(
        "xc-run", "--target is for machine code, but '%s' has none", path);
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

//===----------------------------------------------------------------------===//
// The command line
//===----------------------------------------------------------------------===//

static run_code_options code = {.threads = 1};
static run_container_options container;

// clang-format off
#ifdef XC_HAVE_MLIR
static run_model_options model = {.inputs = &container.inputs,
                                  .outputs = &container.outputs,
                                  .import = XC_IMPORT_ARGUMENTS,
                                  .random_inputs = -1};

static const xc_option model_rows[] = {
    XC_STRING_ROW("backend", "name", &model.backend,
                  "What runs a model: reference (the interpreter), cpu "
                  "(machine code) or, for the DPU parts of a compiled one, "
                  "sim"),
    XC_STRING_ROW("mcpu", "name", &model.cpu,
                  "The processor to compile for with --backend=cpu (native; "
                  "also --cpu)"),
    XC_STRING_ROW("cpu", NULL, &model.cpu, NULL),
    XC_STRING_ROW("compare", "names", &model.compare,
                  "Run several backends, with commas, and compare every "
                  "tensor"),
    XC_STRING_ROW("function", "name", &model.function,
                  "Function to run (the first that is not private)"),
    XC_FLAG_ROW("list", &model.list,
                "Show inputs and outputs and do not run"),
    XC_LIST_ROW("expected", "name=file", &model.expected,
                "What an output must be, bit for bit unless a tolerance is "
                "given"),
    XC_CALL_ROW("tolerance", XC_OPTION_CALL, "number", &model.tolerance,
                parse_real, "Allowed difference of an element"),
    XC_CALL_ROW("relative-tolerance", XC_OPTION_CALL, "number",
                &model.relative_tolerance, parse_real,
                "Allowed difference in addition, times the expected element"),
    XC_INT_ROW("repeat", "count", &model.repeat, 1, 1000000,
               "Run this often again and show the time"),
    XC_STRING_ROW("kernels", "library", &model.kernels,
                  "Compute custom operators by functions of a shared library, "
                  "and with DESCRIPTION.json,LIBRARY the operators that the "
                  "description names, in compiled code"),
    XC_STRING_ROW("rounding", "mode", &model.rounding,
                  "Round in every fixed-point operator by dpu, std or py3"),
    XC_STRING_ROW("dump-tensors", "directory", &model.dump_tensors,
                  "Write every tensor to a .npy file, with an index.json"),
    XC_STRING_ROW("labels", "file", &model.labels,
                  "Names of classes, one per line: print the five largest"),
    XC_INT_ROW("random-inputs", "seed", &model.random_inputs, 0, INT64_MAX,
               "Fill inputs that have no file with numbers"),
    XC_FLAG_ROW("portable", &model.portable,
                "Do not use the machine code for CPUs in a compiled model"),
    XC_FLAG_ROW("quiet", &model.quiet, "Print differences only"),
};
static const char *net; // in place of the argument
static const xc_option import_rows[] = {XC_IMPORT_ROWS(&model.import),
                                        XC_STRING_ROW("p", NULL, &net, NULL)};
static const xc_option picture_rows[] = {XC_PICTURE_ROWS(&model.import)};
#endif
static const xc_option code_rows[] = {
    XC_LIST_ROW("reg", "N=file", &code.registers,
                "Fill the memory of base register N from a file"),
    XC_LIST_ROW("reg-size", "N=bytes", &code.register_sizes,
                "Give base register N this much memory (zeros, or the file of "
                "--reg and zeros after it)"),
    XC_LIST_ROW("dump-reg", "N=file", &code.dump_registers,
                "Write the memory of base register N after the run"),
    XC_STRING_ROW("dump-banks", "file", &code.dump_banks,
                  "Write all banks after the run, in order"),
    XC_STRING_ROW("kernel", "name", &code.kernel,
                  "Inner loops: plain, avx2 or avx512vnni (the fastest)"),
    XC_FLAG_ROW("no-run", &code.no_run,
                "Do not execute: only time, report and verify"),
    XC_FLAG_ROW("strict", &code.strict,
                "Verify tokens, hazards, limits and addresses first"),
    XC_FLAG_ROW("list-findings", &code.list_findings,
                "List what --strict can find"),
    XC_FLAG_ROW("debug", &code.debug,
                "Run under commands from standard input ('help' lists them)"),
};
static const xc_option time_rows[] = {
    XC_FLAG_ROW("timing", &code.timing,
                "Print cycles, stalls and bounds as a table"),
    XC_INT_ROW("cores", "count", &code.cores, 1, 16,
               "Images are run by so many cores, and timed on one memory"),
    XC_STRING_ROW("trace", "file", &code.trace,
                  "Write a trace for chrome://tracing and Perfetto"),
    XC_STRING_ROW("layers", "file", &code.layers,
                  "Names of layers, one per line: the index of the first "
                  "instruction, the true number of operations or 0, the name"),
};
static const xc_option container_rows[] = {
    XC_STRING_ROW("subgraph", "name or number", &container.subgraph,
                  "DPU subgraph of an xmodel, where it has several"),
    XC_LIST_ROW("input", "name=file", &container.inputs,
                "Contents of an input: .npy, an image, otherwise its bytes; a "
                "single input needs no name"),
    XC_LIST_ROW("output", "name=file", &container.outputs,
                "Where an output goes: .npy, otherwise its bytes"),
};
static const xc_option shared_rows[] = {
    XC_STRING_ROW("target", "name or file", &code.target,
                  "The DPU that the code was made for (also -a)"),
    XC_STRING_ROW("a", NULL, &code.target, NULL),
    XC_INT_ROW("threads", "count", &code.threads, 1, XC_MAX_THREADS,
               "Threads that share the work (1)"),
    XC_LIST_ROW("ignore", "finding", &code.ignored,
                "Leave out a kind of finding of --strict"),
    XC_FLAG_ROW("no-strict", &code.trusting,
                "Do not verify what xc compiled either (it is by default)"),
    XC_STRING_ROW("report", "file", &code.report,
                  "Write what was found, or the times, as JSON"),
};
// clang-format on

static const xc_option_group groups[NUM_GROUPS] = {
#ifdef XC_HAVE_MLIR
    [MODELS] = XC_OPTION_GROUP(
        "Models (.onnx, .tflite, .prototxt, .pb, .mlir, .mlirbc, .xmodel)",
        model_rows),
    [IMPORT] = XC_OPTION_GROUP("Importing models", import_rows),
    [PICTURES] = XC_OPTION_GROUP("Pictures as inputs", picture_rows),
#endif
    [MACHINE_CODE] = XC_OPTION_GROUP("Machine code", code_rows),
    [TIMES] = XC_OPTION_GROUP("Time of machine code", time_rows),
    [CONTAINERS] =
        XC_OPTION_GROUP("Models and compiled models (.xmodel)", container_rows),
    [EVERYTHING] = XC_OPTION_GROUP("All of them", shared_rows),
};

static bool run_file(const char *const *given, const char *path) {
#ifdef XC_HAVE_MLIR
  model.subgraph = container.subgraph;
  model.target = code.target;
  model.report = code.report;
  model.threads = code.threads;
  model.trusting = code.trusting;
  if (model.list && !model.subgraph && kind_of(path) == DPU_CODE)
    return list_container(path);
  if (runs_as_model(path, given, &model))
    return parse_findings(&code.ignored, &model.ignored) &&
           run_as_model(path, given, &model);
#endif
  return run_as_code(path, given, &code, &container);
}

static bool run(const char *const *given, const xc_string_list *positional) {
  if (code.list_findings) {
    list_findings();
    return true;
  }
  const char *path = positional->count ? positional->items[0] : NULL;
  size_t count = positional->count;
#ifdef XC_HAVE_MLIR
  path = net ? net : path;
  count += net != NULL;
#endif
  if (count != 1)
    return xc_tool_error("xc-run", "expected one input file, got %zu", count);
#ifdef XC_HAVE_MLIR
  xc_text found = {0};
  bool ok = xc_find_compiled("xc-run", path, &found) &&
            run_file(given, xc_text_str(&found));
  xc_text_free(&found);
  return ok;
#else
  return run_file(given, path);
#endif
}

int main(int argc, char **argv) {
  xc_tool_begin();
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
  bool ok = result == XC_COMMAND_LINE_DONE ||
            (result == XC_COMMAND_LINE_RUN && run(given, &positional));
  xc_string_list_free(&code.ignored);
  xc_string_list_free(&code.registers);
  xc_string_list_free(&code.register_sizes);
  xc_string_list_free(&code.dump_registers);
  xc_string_list_free(&container.inputs);
  xc_string_list_free(&container.outputs);
#ifdef XC_HAVE_MLIR
  xc_string_list_free(&model.expected);
  xc_import_arguments_free(&model.import);
#endif
  xc_string_list_free(&positional);
  return xc_tool_end("xc-run", ok);
}
