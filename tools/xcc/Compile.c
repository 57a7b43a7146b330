//===- Compile.c - what xcc does with MLIR --------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "Xcc.h"

#include "Frontend/Load/Load.h"
#include "Support/Memory.h"
#include "Support/Time.h"
#include "xc-c/Driver.h"
#include "xc-c/Partition.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool xcc_print_constraints(XcDiag *diag, const xc_string_list *names) {
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

bool xcc_list_phases(void) {
  for (size_t i = 0; i < xcCompileGetNumPhases(); ++i)
    printf("%-18s %s\n", xcCompilePhaseGetName(i), xcCompilePhaseGetMeaning(i));
  return true;
}

bool xcc_diff_reports(XcDiag *diag, const xcc_arguments *arguments,
                      const xc_string_list *files) {
  if (files->count != 2)
    return xc_tool_error("xcc",
                         "--diff-reports compares 2 reports, %zu %s "
                         "given",
                         files->count, files->count == 1 ? "is" : "are");
  XcReportDifference difference;
  const XcReportCompareOptions options = {arguments->tolerance,
                                          arguments->force};
  if (!xcReportCompare(diag, files->items[0], files->items[1], &options,
                       &difference))
    return false;
  fputs(difference.table, stdout);
  free(difference.table);
  return !difference.isWorse;
}

//===----------------------------------------------------------------------===//
// Progress
//===----------------------------------------------------------------------===//

/// Whether a tenth of a second has gone since the last line, or a phase begins.
static bool is_due(double *last, const XcCompileProgress *progress) {
  double seconds = xc_seconds();
  if (progress->work && seconds - *last < 0.1)
    return false;
  *last = seconds;
  return true;
}

/// The line is written over, and cleared by an empty one.
static void show_progress(void *last, const XcCompileProgress *progress) {
  if (!is_due(last, progress))
    return;
  fprintf(stderr, "\r\033[K[%zu/%zu] %s", progress->number, progress->numPhases,
          progress->phase);
  if (progress->work)
    fprintf(stderr, ": %s, %zu", progress->work, progress->done);
  if (progress->total > 0)
    fprintf(stderr, " of %zu", progress->total);
  fflush(stderr);
}

static void clear_progress(void) {
  fputs("\r\033[K", stderr);
  fflush(stderr);
}

/// Messages do not go after a line of progress.
static void report_below(void *user_data, XcSeverity severity, XcPlace place,
                         const char *message) {
  XcDiag plain = {0};
  (void)user_data;
  clear_progress();
  xcDiagReport(&plain, severity, place, "%s", message);
}

static bool wants_progress(const char *word, bool *wanted) {
  *wanted = isatty(STDERR_FILENO) != 0;
  if (!word || strcmp(word, "auto") == 0)
    return true;
  *wanted = strcmp(word, "always") == 0;
  return *wanted || strcmp(word, "never") == 0 ||
         xc_tool_error("xcc",
                       "--progress is '%s', expected auto, always or "
                       "never",
                       word);
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

static bool check_needed(const xcc_arguments *a, const char *model) {
  const struct {
    const char *option, *value;
  } needed[] = {{"-o", a->directory},
                {"-a", a->emit == XcEmitC ? "none" : a->target}};
  for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); ++i)
    if (!needed[i].value)
      return xc_tool_error("xcc", "compiling '%s' needs the option %s", model,
                           needed[i].option);
  return true;
}

// Prints tables. Compiled files are kept even where that fails.
static bool print_tables(const char *tables) {
  return !tables || (fputs(tables, stdout) >= 0 && fflush(stdout) == 0) ||
         xc_tool_error("xcc", "cannot write to standard output: %s",
                       strerror(errno));
}

bool xcc_compile(XcDiag *diag, const xcc_arguments *a, const char *model) {
  bool progress;
  double shown = 0;
  if (!check_needed(a, model) || !wants_progress(a->progress, &progress))
    return false;
  XcCompileOptions options = {
      .emit = a->emit,
      .paramsFile = a->params_file,
      .kernels = a->kernels,
      .model = model,
      .target = a->target,
      .directory = a->directory,
      .name = a->name,
      .import = xc_import_options(&a->import),
      .calibration = a->calibration,
      .validation = a->validation,
      .calibrationSamples = a->calibration_samples,
      .keepFloat = a->keep_float,
      .weightFixPoints = a->weight_fix_points,
      .approximate = a->approximate,
      .approximateBound = a->approximate_bound,
      .rounding = a->rounding,
      .placement = a->placement,
      .dropIslands = a->drop_islands,
      .cpu = a->cpu,
      .noLayerCode = a->no_layer_code,
      .hasEffort = a->effort >= 0,
      .effort = a->effort < 0 ? XcDpuEffortDefault : (XcDpuEffort)a->effort,
      .hasBytePrice = !isnan(a->byte_price),
      .bytePrice = isnan(a->byte_price) ? 0 : a->byte_price,
      .requireOffload = a->require_offload,
      .hasMinSqnr = !isnan(a->min_sqnr),
      .minSqnr = a->min_sqnr,
      .minAgreement = a->min_agreement,
      .maxCycles = a->max_cycles,
      .maxInstructions = a->max_instructions,
      .maxDdrBytes = a->max_ddr,
      .saveTemps = a->save_temps,
      .compileFrom = a->compile_from,
      .compileTo = a->compile_to,
      .reports = a->reports.items,
      .numReports = a->reports.count};
  XcDiag below = {.handler = report_below};
  if (progress) {
    options.progress = show_progress;
    options.progressData = &shown;
    diag = &below;
  }
  // Kept back until the line of progress is gone.
  char *tables = NULL;
  size_t size = 0;
  options.log = a->quiet ? NULL : open_memstream(&tables, &size);
  bool ok = xcCompile(diag, &options);
  if (options.log)
    fclose(options.log);
  if (progress)
    clear_progress();
  ok = ok && print_tables(tables);
  free(tables);
  return ok;
}
