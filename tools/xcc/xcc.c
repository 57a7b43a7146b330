//===- xcc.c - the compiler driver ----------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Xcc.h"

#include "Support/File.h"
#include "Support/Memory.h"
#include "Target/DPU/Target.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    return xcc_print_constraints(&diag, &arguments->print_constraints);
  if (arguments->list_phases)
    return xcc_list_phases();
  if (arguments->diff_reports)
    return xcc_diff_reports(&diag, arguments, positional);
  size_t num_models = positional->count + (arguments->model != NULL);
  if (num_models > 1)
    return xc_tool_error("xcc", "%zu models are given, expected one",
                         num_models);
  if (num_models == 1)
    return xcc_compile(&diag, arguments,
                       arguments->model ? arguments->model
                                        : positional->items[0]);
  return xc_tool_error("xcc", "nothing to do.  Try: 'xcc --help'");
}

//===----------------------------------------------------------------------===//
// Values of options
//===----------------------------------------------------------------------===//

/// A number with a unit of 1000 (k, M, G) or 1024 (Ki, Mi, Gi), 1 or more.
static bool parse_amount(void *target, const char *name, const char *value,
                         const char **why) {
  static const struct {
    const char *unit;
    int64_t factor;
  } units[] = {{"", 1},           {"k", 1000},     {"M", 1000000},
               {"G", 1000000000}, {"Ki", 1 << 10}, {"Mi", 1 << 20},
               {"Gi", 1 << 30}};
  (void)name;
  char *end;
  double number = strtod(value, &end);
  for (size_t i = 0; end != value && i < sizeof(units) / sizeof(*units); ++i) {
    double amount = number * (double)units[i].factor;
    if (strcmp(end, units[i].unit) != 0 || !(amount >= 1) || amount > 1e15)
      continue;
    *(int64_t *)target = (int64_t)amount;
    return true;
  }
  *why = "expected a number such as 250000, 2.5M or 64Mi";
  return false;
}

/// 0 to 100, with or without a percent sign.
static bool parse_percent(void *target, const char *name, const char *value,
                          const char **why) {
  (void)name;
  char *end;
  double number = strtod(value, &end);
  if (end != value && (strcmp(end, "") == 0 || strcmp(end, "%") == 0) &&
      number >= 0 && number <= 100) {
    *(double *)target = number;
    return true;
  }
  *why = "expected a percentage, 0 to 100";
  return false;
}

int main(int argc, char **argv) {
  xcc_arguments arguments = {.random_weights = -1, .tolerance = 1};
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
      {.name = "calibration-samples",
       .kind = XC_OPTION_INT,
       .value_name = "number",
       .help = "Use so many samples at most",
       .target = &arguments.calibration_samples,
       .maximum = INT32_MAX},
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
      // What the vendor's compilers call the same.
      {.name = "x", .kind = XC_OPTION_STRING, .target = &arguments.model},
      {.name = "xmodel", .kind = XC_OPTION_STRING, .target = &arguments.model},
      {.name = "arch", .kind = XC_OPTION_STRING, .target = &arguments.target},
      {.name = "output_dir",
       .kind = XC_OPTION_STRING,
       .target = &arguments.directory},
      {.name = "net_name", .kind = XC_OPTION_STRING, .target = &arguments.name},
  };
  const xc_option budgets[] = {
      {.name = "require-offload",
       .kind = XC_OPTION_CALL,
       .value_name = "percent",
       .help =
           "Fail unless this share of the multiply-accumulates is on the DPU",
       .target = &arguments.require_offload,
       .handler = parse_percent},
      {.name = "max-cycles",
       .kind = XC_OPTION_CALL,
       .value_name = "number",
       .help = "Fail when all DPU subgraphs together take more cycles",
       .target = &arguments.max_cycles,
       .handler = parse_amount},
      {.name = "max-instructions",
       .kind = XC_OPTION_CALL,
       .value_name = "number",
       .help = "Fail when they have more instructions",
       .target = &arguments.max_instructions,
       .handler = parse_amount},
      {.name = "max-ddr",
       .kind = XC_OPTION_CALL,
       .value_name = "bytes",
       .help = "Fail when they need more memory behind the registers",
       .target = &arguments.max_ddr,
       .handler = parse_amount},
  };
  const xc_option reporting[] = {
      {.name = "report",
       .kind = XC_OPTION_LIST,
       .value_name = "file",
       .help =
           "Write placement, times and memory: a page when the name ends in "
           ".html, JSON otherwise",
       .target = &arguments.reports},
      {.name = "diff-reports",
       .kind = XC_OPTION_FLAG,
       .help = "Compare two JSON reports, given as arguments; fail when the "
               "second is worse",
       .target = &arguments.diff_reports},
      {.name = "tolerance",
       .kind = XC_OPTION_CALL,
       .value_name = "percent",
       .help = "What --diff-reports lets pass",
       .target = &arguments.tolerance,
       .handler = parse_percent},
      {.name = "progress",
       .kind = XC_OPTION_STRING,
       .value_name = "auto, always or never",
       .help = "Show the phase at hand on stderr; auto: on a terminal",
       .target = &arguments.progress},
  };
  const xc_option phases[] = {
      {.name = "list-phases",
       .kind = XC_OPTION_FLAG,
       .help = "List the phases of a compilation",
       .target = &arguments.list_phases},
      {.name = "save-temps",
       .kind = XC_OPTION_STRING,
       .value_name = "directory",
       .help = "Keep the module behind every phase, and the machine code as "
               "text",
       .target = &arguments.save_temps},
      {.name = "compile-to",
       .kind = XC_OPTION_STRING,
       .value_name = "phase",
       .help = "Stop behind a phase and write NAME.mlir",
       .target = &arguments.compile_to},
      {.name = "compile-from",
       .kind = XC_OPTION_STRING,
       .value_name = "phase",
       .help = "The model is a module saved behind this phase: go on",
       .target = &arguments.compile_from},
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
      {"Budgets", budgets, sizeof(budgets) / sizeof(*budgets)},
      {"Reports", reporting, sizeof(reporting) / sizeof(*reporting)},
      {"Phases", phases, sizeof(phases) / sizeof(*phases)},
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
  xc_string_list_free(&arguments.reports);
  xc_string_list_free(&arguments.input_shapes);
  xc_string_list_free(&arguments.binds);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
