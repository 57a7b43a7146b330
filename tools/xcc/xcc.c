//===- xcc.c - the compiler driver ----------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/CommandLine.h"
#include "Support/File.h"
#include "Support/Memory.h"
#include "Target/DPU/Target.h"
#if XC_HAVE_MLIR
#include "xc-c/Driver.h"
#include "xc-c/Partition.h"
#endif

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct xcc_arguments {
  bool list_targets;
  const char *print_target;
  bool print_target_reference;
  xc_string_list print_constraints;
  const char *model, *target, *directory, *name;
  const char *calibration, *rounding, *placement, *cpu, *save_temps, *report;
  xc_string_list input_shapes, binds;
  int64_t random_weights; // -1: none
  int64_t require_offload;
} xcc_arguments;

static bool list_targets(XcDiag *diag) {
  printf("%-22s %14s %10s  %s\n", "target", "peak ops/cycle", "image RAM",
         "description");
  for (size_t i = 0; i < xcDpuTargetGetNumBuiltin(); ++i) {
    const XcDpuTarget *target =
        xcDpuTargetCreate(diag, xcDpuTargetGetBuiltinName(i));
    if (!target)
      return false;
    printf("%-22s %14" PRId64 " %6" PRId64 " KiB  %s\n", target->name,
           target->derived.peakOpsPerCycle, target->derived.imageBytes / 1024,
           target->description ? target->description : "");
    xcDpuTargetDestroy(target);
  }
  return true;
}

static bool print_target(XcDiag *diag, const char *name) {
  const XcDpuTarget *target = xcDpuTargetCreate(diag, name);
  if (!target)
    return false;
  char *json = xcDpuTargetToJson(target);
  fputs(json, stdout);
  free(json);
  xcDpuTargetDestroy(target);
  return true;
}

static void print_target_reference(void) {
  xc_text text = {0};
  xc_target_reference(&text);
  fputs(xc_text_str(&text), stdout);
  xc_text_free(&text);
}

#if XC_HAVE_MLIR
static bool print_constraints(XcDiag *diag, const xc_string_list *names) {
  const XcDpuTarget **targets = xc_alloc_array(names->count, sizeof(*targets));
  bool ok = true;
  for (size_t i = 0; i < names->count && ok; ++i) {
    targets[i] = xcDpuTargetCreate(diag, names->items[i]);
    ok = targets[i] != NULL;
  }
  if (ok) {
    char *page = xcConstraintsToMarkdown(targets, names->count);
    fputs(page, stdout);
    free(page);
  }
  for (size_t i = 0; i < names->count; ++i)
    xcDpuTargetDestroy(targets[i]);
  free(targets);
  return ok;
}

static bool compile(XcDiag *diag, const xcc_arguments *a, const char *model) {
  const struct {
    const char *option, *value;
  } needed[] = {{"-a", a->target}, {"-o", a->directory}, {"-n", a->name}};
  for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); ++i)
    if (!needed[i].value)
      return xc_tool_error("xcc", "compiling '%s' needs the option %s", model,
                           needed[i].option);
  const XcCompileOptions options = {
      .model = model,
      .target = a->target,
      .directory = a->directory,
      .name = a->name,
      .import = {.inputShapes = a->input_shapes.items,
                 .numInputShapes = a->input_shapes.count,
                 .binds = a->binds.items,
                 .numBinds = a->binds.count,
                 .randomWeights = a->random_weights >= 0,
                 .seed = (uint64_t)a->random_weights},
      .calibration = a->calibration,
      .rounding = a->rounding,
      .placement = a->placement,
      .cpu = a->cpu,
      .requireOffload = (double)a->require_offload,
      .saveTemps = a->save_temps,
      .report = a->report,
      .log = stderr};
  return xcCompile(diag, &options);
}
#else
static bool print_constraints(XcDiag *diag, const xc_string_list *names) {
  (void)diag;
  (void)names;
  return xc_tool_error("xcc", "this build has no MLIR, which the table of "
                              "constraints needs");
}

static bool compile(XcDiag *diag, const xcc_arguments *a, const char *model) {
  (void)diag;
  (void)a;
  return xc_tool_error("xcc", "cannot compile '%s': this build has no MLIR",
                       model);
}
#endif

static bool run(const xcc_arguments *arguments,
                const xc_string_list *positional) {
  XcDiag diag = {0};
  if (arguments->list_targets)
    return list_targets(&diag);
  if (arguments->print_target)
    return print_target(&diag, arguments->print_target);
  if (arguments->print_target_reference) {
    print_target_reference();
    return true;
  }
  if (arguments->print_constraints.count)
    return print_constraints(&diag, &arguments->print_constraints);
  size_t num_models = positional->count + (arguments->model != NULL);
  if (num_models > 1)
    return xc_tool_error("xcc", "%zu models are given, expected one",
                         num_models);
  if (num_models == 1)
    return compile(&diag, arguments,
                   arguments->model ? arguments->model : positional->items[0]);
  return xc_tool_error("xcc", "nothing to do.  Try: 'xcc --help'");
}

int main(int argc, char **argv) {
  xcc_arguments arguments = {.random_weights = -1};
  const xc_option compiling[] = {
      {.name = "a",
       .kind = XC_OPTION_STRING,
       .value_name = "name or file",
       .help = "Target to compile for",
       .target = &arguments.target},
      {.name = "f",
       .kind = XC_OPTION_STRING,
       .value_name = "file",
       .help = "The model, in place of the argument",
       .target = &arguments.model},
      {.name = "o",
       .kind = XC_OPTION_STRING,
       .value_name = "directory",
       .help = "Directory of the output, made when missing",
       .target = &arguments.directory},
      {.name = "n",
       .kind = XC_OPTION_STRING,
       .value_name = "name",
       .help = "Name of the output: NAME.xmodel, NAME_org.xmodel",
       .target = &arguments.name},
      {.name = "calibration",
       .kind = XC_OPTION_STRING,
       .value_name = "path",
       .help = "Quantise a model in floating point with these samples of its "
               "input; random makes some up",
       .target = &arguments.calibration},
      {.name = "rounding",
       .kind = XC_OPTION_STRING,
       .value_name = "dpu, std or py3",
       .help = "Rounding of every operator, in place of what the model says",
       .target = &arguments.rounding},
      {.name = "input-shape",
       .kind = XC_OPTION_LIST,
       .value_name = "name=1x3x224x224",
       .help = "Shape of an input, in place of the one in the file",
       .target = &arguments.input_shapes},
      {.name = "bind",
       .kind = XC_OPTION_LIST,
       .value_name = "name=file",
       .help = "Make an input of an ONNX model a constant",
       .target = &arguments.binds},
      {.name = "random-weights",
       .kind = XC_OPTION_INT,
       .value_name = "seed",
       .help = "Make up the weights of an ONNX model that comes without",
       .target = &arguments.random_weights,
       .maximum = INT64_MAX},
      {.name = "cpu",
       .kind = XC_OPTION_STRING,
       .value_name = "name",
       .help = "Compile CPU parts for a processor (x86-64-v3 ...), or none",
       .target = &arguments.cpu},
      {.name = "placement",
       .kind = XC_OPTION_STRING,
       .value_name = "file",
       .help = "Rules that force operators to a device, or a saved placement",
       .target = &arguments.placement},
      {.name = "require-offload",
       .kind = XC_OPTION_INT,
       .value_name = "percent",
       .help =
           "Fail unless this share of the multiply-accumulates is on the DPU",
       .target = &arguments.require_offload,
       .maximum = 100},
      {.name = "save-temps",
       .kind = XC_OPTION_STRING,
       .value_name = "directory",
       .help = "Keep the module behind every phase",
       .target = &arguments.save_temps},
      {.name = "report",
       .kind = XC_OPTION_STRING,
       .value_name = "file",
       .help = "Write placement and times as JSON",
       .target = &arguments.report},
  };
  const xc_option targets[] = {
      {.name = "list-targets",
       .kind = XC_OPTION_FLAG,
       .help = "List the built-in targets",
       .target = &arguments.list_targets},
      {.name = "print-target",
       .kind = XC_OPTION_STRING,
       .value_name = "name or file",
       .help = "Print a target as JSON, with what is computed from it",
       .target = &arguments.print_target},
      {.name = "print-target-reference",
       .kind = XC_OPTION_FLAG,
       .help = "Print the keys of a target file as a table",
       .target = &arguments.print_target_reference},
      {.name = "print-constraints",
       .kind = XC_OPTION_LIST,
       .value_name = "name or file",
       .help = "Print what operators must be to run on the DPU, with the "
               "limits of a target; several targets stand side by side",
       .target = &arguments.print_constraints},
  };
  const xc_option_group groups[] = {
      {"Compiling", compiling, sizeof(compiling) / sizeof(*compiling)},
      {"Targets", targets, sizeof(targets) / sizeof(*targets)},
  };
  const xc_command_line spec = {
      .tool = "xcc",
      .overview = "compiles a CNN for a DPU",
      .usage = "[options] <model file>",
      .groups = groups,
      .num_groups = sizeof(groups) / sizeof(*groups),
  };
  xc_string_list positional = {0};
  xc_command_line_result result =
      xc_command_line_parse(&spec, argc, argv, &positional);
  bool ok = result == XC_COMMAND_LINE_DONE ||
            (result == XC_COMMAND_LINE_RUN && run(&arguments, &positional));
  xc_string_list_free(&positional);
  xc_string_list_free(&arguments.print_constraints);
  xc_string_list_free(&arguments.input_shapes);
  xc_string_list_free(&arguments.binds);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
