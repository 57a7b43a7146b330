//===- xcc.c - the compiler driver ----------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Xcc.h"

#include "Support/Diag.h"
#include "Support/File.h"
#include "Support/Memory.h"
#include "Target/DPU/Target.h"
#include "xc-c/DPUCodeGen.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __GLIBC__ // which any of the headers above defines
#include <malloc.h>
#endif

static bool list_targets(XcDiag *diag) {
  printf("%-22s %4s %14s %10s  %s\n", "target", "code", "peak ops/cycle",
         "image RAM", "description");
  XcDiag silent = {xc_ignore_error, NULL, 0};
  for (size_t i = 0; i < xcDpuTargetGetNumBuiltin(); ++i) {
    const XcDpuTarget *target =
        xcDpuTargetCreate(diag, xcDpuTargetGetBuiltinName(i));
    if (!target)
      return false;
    printf("%-22s %4s %14" PRId64 " %6" PRId64 " KiB  %s\n", target->name,
           xcDpuCodeGenSupports(&silent, target) ? "yes" : "no",
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

//===----------------------------------------------------------------------===//
// Values of options
//===----------------------------------------------------------------------===//

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

static bool parse_decibel(void *target, const char *name, const char *value,
                          const char **why) {
  (void)name;
  char *end;
  double number = strtod(value, &end);
  if (end != value && (strcmp(end, "") == 0 || strcmp(end, "dB") == 0) &&
      isfinite(number)) {
    *(double *)target = number;
    return true;
  }
  *why = "expected a number of decibel";
  return false;
}

/// Parses a number of decibel as it is given.
static bool parse_bound(void *target, const char *name, const char *value,
                        const char **why) {
  double number;
  if (!parse_decibel(&number, name, value, why))
    return false;
  *(const char **)target = value;
  return true;
}

static bool parse_emit(void *target, const char *name, const char *value,
                       const char **why) {
  (void)name;
  bool is_c = strcmp(value, "c") == 0;
  *(XcEmit *)target = is_c ? XcEmitC : XcEmitXModel;
  *why = "expected xmodel or c";
  return is_c || strcmp(value, "xmodel") == 0;
}

//===----------------------------------------------------------------------===//
// The command line
//===----------------------------------------------------------------------===//

static xcc_arguments given = {.import = XC_IMPORT_ARGUMENTS,
                              .tolerance = 1,
                              .min_sqnr = (double)NAN,
                              .effort = -1,
                              .byte_price = (double)NAN};

// clang-format off
static const xc_option compiling[] = {
    XC_STRING_ROW("target", "name or file", &given.target,
                  "Target to compile for (also -a)"),
    XC_STRING_ROW("a", NULL, &given.target, NULL),
    XC_STRING_ROW("f", "file", &given.model,
                  "The model, in place of the argument (also -p, -x)"),
    XC_STRING_ROW("o", "directory", &given.directory,
                  "Directory of the output, made when missing"),
    XC_STRING_ROW("n", "name", &given.name,
                  "Name of the output: NAME.xmodel, NAME_org.xmodel (that of "
                  "the model file)"),
    XC_STRING_ROW("calibration", "path", &given.calibration,
                  "Quantise a model in floating point with these samples of "
                  "its input: a picture, a .npy or raw file, or a folder of "
                  "them; random makes some up"),
    XC_STRING_ROW("validation", "path", &given.validation,
                  "Measure what calibration loses on these samples, not on its "
                  "own, which flatter"),
    XC_INT_ROW("calibration-samples", "number", &given.calibration_samples, 1,
               INT32_MAX, "Use so many samples at most, spread evenly"),
    XC_STRING_ROW("keep-float", "names", &given.keep_float,
                  "Leave these operators in floating point, on the CPU: those "
                  "that lose most"),
    XC_STRING_ROW("weight-fix-points", "one, groups or sorted",
                  &given.weight_fix_points,
                  "One for all weights of a convolution, for each group of "
                  "output channels that the target computes at a time, or for "
                  "such groups of channels of similar size"),
    XC_STRING_ROW("approximate", "functions", &given.approximate,
                  "Compute these by hard sigmoids on the DPU: sigmoid, silu, "
                  "tanh, mish, gelu"),
    XC_CALL_ROW("approximate-bound", XC_OPTION_CALL, "decibel",
                &given.approximate_bound, parse_bound,
                "So that outputs keep this ratio of signal and noise (20)"),
    XC_STRING_ROW("rounding", "dpu, std or py3", &given.rounding,
                  "Rounding of every operator, in place of what the model "
                  "says"),
    XC_STRING_ROW("mcpu", "name,...", &given.cpu,
                  "Compile CPU parts for processors (x86-64-v3, cortex-a53 "
                  "...), or none (also --cpu)"),
    XC_STRING_ROW("cpu", NULL, &given.cpu, NULL),
    XC_FLAG_ROW("no-layer-code", &given.no_layer_code,
                "Leave out the code of single layers, which boards run in their "
                "debug mode only"),
    XC_INT_ROW("effort", "0 to 3", &given.effort, XcDpuEffortNone,
               XcDpuEffortMost,
               "How far to search for faster schedules: not at all, as far as "
               "mostly pays off (1), or with more alternatives"),
    XC_CALL_ROW("byte-price", XC_OPTION_CALL, "cycles", &given.byte_price,
                xc_option_price,
                "What moving a byte counts for when schedules are compared "
                "(0; a hundredth saves most of what can be saved)"),
    XC_STRING_ROW("placement", "file", &given.placement,
                  "Rules that force operators to a device, or a saved "
                  "placement"),
    XC_FLAG_ROW("drop-islands", &given.drop_islands,
                "Leave small DPU subgraphs on the CPU where starting and "
                "feeding them takes longer"),
    XC_CALL_ROW("emit", XC_OPTION_CALL, "xmodel or c", &given.emit, parse_emit,
                "What to write: an xmodel for the target, or C source that "
                "needs none"),
    XC_STRING_ROW("kernels", "file", &given.kernels,
                  "A library of functions of your own that compute operators: C "
                  "source and the code of CPU parts call them"),
    XC_FLAG_ROW("params-file", &given.params_file,
                "With --emit=c: constants in NAME_params.bin, not in an array"),
    // Spellings of the vendor's compilers.
    XC_STRING_ROW("p", NULL, &given.model, NULL),
    XC_STRING_ROW("prototxt", NULL, &given.model, NULL),
    XC_STRING_ROW("frozen_pb", NULL, &given.model, NULL),
    XC_STRING_ROW("x", NULL, &given.model, NULL),
    XC_STRING_ROW("xmodel", NULL, &given.model, NULL),
    XC_STRING_ROW("arch", NULL, &given.target, NULL),
    XC_STRING_ROW("output_dir", NULL, &given.directory, NULL),
    XC_STRING_ROW("net_name", NULL, &given.name, NULL),
};
static const xc_option importing[] = {XC_IMPORT_ROWS(&given.import)};
static const xc_option pictures[] = {XC_PICTURE_ROWS(&given.import)};
static const xc_option budgets[] = {
    XC_CALL_ROW("require-offload", XC_OPTION_CALL, "percent",
                &given.require_offload, parse_percent,
                "Fail unless this share of the multiply-accumulates is on the "
                "DPU"),
    XC_CALL_ROW("min-sqnr", XC_OPTION_CALL, "decibel", &given.min_sqnr,
                parse_decibel,
                "Fail when an output has less signal to noise after "
                "calibration, on its samples"),
    XC_CALL_ROW("min-agreement", XC_OPTION_CALL, "percent",
                &given.min_agreement, parse_percent,
                "Fail when fewer samples keep the class with the largest "
                "score"),
    XC_CALL_ROW("max-cycles", XC_OPTION_CALL, "number", &given.max_cycles,
                xc_option_amount,
                "Fail when all DPU subgraphs together take more cycles"),
    XC_CALL_ROW("max-instructions", XC_OPTION_CALL, "number",
                &given.max_instructions, xc_option_amount,
                "Fail when they have more instructions"),
    XC_CALL_ROW("max-ddr", XC_OPTION_CALL, "bytes", &given.max_ddr,
                xc_option_amount,
                "Fail when they need more DDR memory"),
};
static const xc_option reporting[] = {
    XC_LIST_ROW("report", "file", &given.reports,
                "Write placement, times and memory: a page when the name ends "
                "in .html, JSON when it ends in .json"),
    XC_FLAG_ROW("diff-reports", &given.diff_reports,
                "Compare two JSON reports, given as arguments; fail when the "
                "second is worse"),
    XC_FLAG_ROW("force", &given.force,
                "Let --diff-reports compare different models or targets"),
    XC_CALL_ROW("tolerance", XC_OPTION_CALL, "percent", &given.tolerance,
                parse_percent,
                "Growth that --diff-reports tolerates, in percent (1)"),
    XC_FLAG_ROW("quiet", &given.quiet, "Print diagnostics only"),
    XC_STRING_ROW("progress", "auto, always or never", &given.progress,
                  "Show the phase at hand on stderr; auto: on a terminal"),
};
static const xc_option phases[] = {
    XC_FLAG_ROW("list-phases", &given.list_phases,
                "List the phases of a compilation"),
    XC_STRING_ROW("save-temps", "directory", &given.save_temps,
                  "Keep the module after every phase, and the machine code as "
                  "text"),
    XC_STRING_ROW("compile-to", "phase", &given.compile_to,
                  "Stop after a phase and write NAME.mlir"),
    XC_STRING_ROW("compile-from", "phase", &given.compile_from,
                  "The model is a module saved after this phase: go on"),
};
static const xc_option targets[] = {
    XC_FLAG_ROW("list-targets", &given.list_targets,
                "List the built-in targets"),
    XC_STRING_ROW("print-target", "name or file", &given.print_target,
                  "Print a target as JSON, with what is computed from it"),
    XC_FLAG_ROW("print-target-reference", &given.print_target_reference,
                "Print the keys of a target file as a table"),
    XC_LIST_ROW("print-constraints", "name or file", &given.print_constraints,
                "Print what operators must be to run on the DPU, with the "
                "limits of a target; several targets stand side by side"),
};
// clang-format on

static const xc_option_group groups[] = {
    XC_OPTION_GROUP("Compiling", compiling),
    XC_OPTION_GROUP("Importing models", importing),
    XC_OPTION_GROUP("Pictures as inputs", pictures),
    XC_OPTION_GROUP("Budgets", budgets),
    XC_OPTION_GROUP("Reports", reporting),
    XC_OPTION_GROUP("Phases", phases),
    XC_OPTION_GROUP("Targets", targets),
};

// Checks options that make xcc print one thing about itself, without a model.
// Returns false after an error.
static bool check_infos(const xcc_arguments *arguments, const char *model) {
  const struct {
    const char *option;
    bool is_given;
  } infos[] = {
      {"list-targets", arguments->list_targets},
      {"print-target", arguments->print_target != NULL},
      {"print-target-reference", arguments->print_target_reference},
      {"print-constraints", arguments->print_constraints.count > 0},
      {"list-phases", arguments->list_phases},
  };
  const char *first = NULL;
  for (size_t i = 0; i < sizeof(infos) / sizeof(*infos); ++i) {
    if (!infos[i].is_given)
      continue;
    if (first)
      return xc_tool_error("xcc", "--%s and --%s are given, expected one",
                           first, infos[i].option);
    first = infos[i].option;
  }
  return !first || xc_takes_no_input("xcc", first, model);
}

static bool run(const xcc_arguments *arguments,
                const xc_string_list *positional) {
  XcDiag diag = {0};
  if (!check_infos(arguments,
                   positional->count ? positional->items[0] : arguments->model))
    return false;
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
  return xc_tool_error("xcc", "no model is given.  Try: 'xcc --help'");
}

// `-e key_word=value` of the vendor's compilers is --key-word=value.
static char *setting(const char *text) {
  size_t length = strlen(text);
  char *option = xc_alloc(length + 3);
  memcpy(option, "--", 2);
  memcpy(option + 2, text, length + 1);
  for (char *c = option; *c && *c != '='; ++c)
    if (*c == '_')
      *c = '-';
  return option;
}

static bool is_setting(const char *argument) {
  static const char *const names[] = {"-e", "--e", "-options", "--options"};
  for (size_t i = 0; i < sizeof(names) / sizeof(*names); ++i)
    if (strcmp(argument, names[i]) == 0)
      return true;
  return false;
}

// Sets `expanded` to the arguments with settings written as options, which
// `made` owns.
static int expand_settings(int argc, char **argv, char **expanded,
                           char **made) {
  int count = 0, settings = 0;
  for (int i = 0; i < argc; ++i) {
    bool is_pair = is_setting(argv[i]) && i + 1 < argc;
    expanded[count++] =
        is_pair ? (made[settings++] = setting(argv[++i])) : argv[i];
  }
  return count;
}

// The constants of a model pass through buffers of several megabytes, in MLIR
// as well as here. glibc gives most of them back when they are freed, and the
// next one costs as many page faults again: it keeps them for what little time
// a compilation takes.
static void keep_freed_memory(void) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20); // the most that glibc takes
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

int main(int argc, char **argv) {
  xc_tool_begin();
  keep_freed_memory();
  char **expanded = xc_alloc_array((size_t)argc + 1, sizeof(*expanded));
  char **made = xc_alloc_array((size_t)argc + 1, sizeof(*made));
  argc = expand_settings(argc, argv, expanded, made);
  const xc_command_line spec = {
      .tool = "xcc",
      .overview = "compiles a CNN for a DPU",
      .usage = "[options] <model file>",
      .groups = groups,
      .num_groups = sizeof(groups) / sizeof(*groups),
  };
  xc_string_list positional = {0};
  xc_command_line_result result =
      xc_command_line_parse(&spec, argc, expanded, &positional);
  bool ok = result == XC_COMMAND_LINE_DONE ||
            (result == XC_COMMAND_LINE_RUN && run(&given, &positional));
  xc_string_list_free(&positional);
  xc_string_list_free(&given.print_constraints);
  xc_string_list_free(&given.reports);
  xc_import_arguments_free(&given.import);
  for (char **option = made; *option; ++option)
    free(*option);
  free(made);
  free(expanded);
  return xc_tool_end("xcc", ok);
}
