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
#else
static bool print_constraints(XcDiag *diag, const xc_string_list *names) {
  (void)diag;
  (void)names;
  return xc_tool_error("xcc", "this build has no MLIR, which the table of "
                              "constraints needs");
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
  if (positional->count)
    return xc_tool_error("xcc",
                         "cannot compile '%s': this build of xcc has "
                         "no compiler, only --list-targets and "
                         "--print-target",
                         positional->items[0]);
  return xc_tool_error("xcc", "nothing to do.  Try: 'xcc --help'");
}

int main(int argc, char **argv) {
  xcc_arguments arguments = {0};
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
      {"Targets", targets, sizeof(targets) / sizeof(*targets)},
  };
  const xc_command_line spec = {
      .tool = "xcc",
      .overview = "compiles a quantised CNN for a DPU",
      .usage = "[options]",
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
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
