//===- Translate.c - the frame of xc-translate ----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "Translate.h"

#include "Support/Diag.h"
#include "Support/File.h"
#include "Support/Memory.h"
#include "Support/SourceReport.h"
#include "xc-c/DPUEffort.h"
#include "xc-c/DPUTarget.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/// The whole command line.
typedef struct settings {
  const char *tool;
  const xc_translation *translation;
  const char *input;
  const char *output;
  bool split;
  const char *split_marker;
  const char *output_split_marker;
  bool errors_only;
  bool verify, only_expected;
  xc_translate_options options;
} settings;

static bool set_split(void *target, const char *name, const char *value,
                      const char **why) {
  (void)name;
  settings *s = target;
  if (value && *value == '\0') {
    *why = "the marker is empty";
    return false;
  }
  s->split = true;
  if (value)
    s->split_marker = value;
  return true;
}

static bool set_verify(void *target, const char *name, const char *value,
                       const char **why) {
  (void)name;
  settings *s = target;
  s->verify = true;
  s->only_expected = value && strcmp(value, "only-expected") == 0;
  *why = "expected all or only-expected";
  return !value || s->only_expected || strcmp(value, "all") == 0;
}

/// Runs one chunk into memory and appends it to `output`: a failing chunk
/// leaves nothing.
static bool translate_chunk(const settings *s, XcDiag *diag,
                            const xc_source *chunk, FILE *output) {
  char *text = NULL;
  size_t size = 0;
  FILE *memory = open_memstream(&text, &size);
  if (!memory)
    return xc_file_error(diag, NULL, "cannot buffer the output: %s",
                         strerror(errno));
  unsigned errors = diag->numErrors;
  const xc_translate_job job = {diag, chunk, &s->options, memory};
  bool ok = s->translation->function(&job);
  ok = ok && diag->numErrors == errors;
  if (fclose(memory) != 0 && ok)
    ok = xc_file_error(diag, NULL, "cannot buffer the output: %s",
                       strerror(errno));
  if (ok && size)
    fwrite(text, 1, size, output);
  free(text);
  return ok;
}

/// The same where comments of the chunk say what is reported: that decides.
static bool verify_chunk(const settings *s, XcDiag *diag,
                         const xc_source *chunk, FILE *output) {
  xc_expectations expectations;
  if (!xc_expectations_create(diag, chunk->name, chunk->first_line,
                              (const char *)chunk->data, chunk->size,
                              &expectations))
    return false;
  xc_source_reporter *reporter = diag->userData;
  reporter->expectations = &expectations;
  reporter->any_unexpected = false;
  translate_chunk(s, diag, chunk, output);
  reporter->expectations = NULL;
  bool ok = xc_expectations_finish(&expectations, diag);
  xc_expectations_destroy(&expectations);
  return ok && !reporter->any_unexpected;
}

static bool run_chunk(const settings *s, XcDiag *diag, const xc_source *chunk,
                      FILE *output) {
  return s->verify ? verify_chunk(s, diag, chunk, output)
                   : translate_chunk(s, diag, chunk, output);
}

static bool translate_chunks(const settings *s, XcDiag *diag,
                             const xc_source *input, FILE *output) {
  xc_source rest = *input, chunk;
  bool ok = true;
  while (xc_source_next_chunk(&rest, s->split_marker, &chunk)) {
    unsigned char *copy = xc_alloc(chunk.size + 1);
    memcpy(copy, chunk.data, chunk.size);
    bool is_first = chunk.data == input->data;
    chunk.data = copy;
    if (!is_first && *s->output_split_marker)
      fprintf(output, "%s\n", s->output_split_marker);
    ok = run_chunk(s, diag, &chunk, output) && ok;
    free(copy);
  }
  return ok;
}

static bool translate(const settings *s, XcDiag *diag,
                      xc_source_reporter *reporter) {
  xc_buffer buffer = {0};
  bool takes_input = s->translation->takes_input;
  if (takes_input && !xc_read_file(diag, s->input, &buffer))
    return false;
  xc_source input = {.name = strcmp(s->input, "-") == 0 ? "<stdin>" : s->input,
                     .data = buffer.data,
                     .size = buffer.size,
                     .first_line = 1};
  reporter->input = takes_input ? &input : NULL;
  xc_output output;
  bool ok = xc_output_open(diag, s->output, &output);
  if (ok) {
    ok = s->split && takes_input
             ? translate_chunks(s, diag, &input, output.stream)
             : run_chunk(s, diag, &input, output.stream);
    // Output on standard output stays: other chunks may be good.
    if (ok || !output.path)
      ok = xc_output_keep(diag, &output) && ok;
    else
      xc_output_discard(&output);
  }
  reporter->input = NULL;
  xc_buffer_free(&buffer);
  return ok;
}

static bool choose_translation(settings *s, const xc_translation *rows,
                               const bool *chosen, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (!chosen[i])
      continue;
    if (s->translation)
      return xc_tool_error(s->tool,
                           "only one translation can be performed, '--%s' and "
                           "'--%s' were given",
                           s->translation->flag, rows[i].flag);
    s->translation = &rows[i];
  }
  if (s->translation)
    return true;
  fputs("Translations to perform option: must be specified at least once!\n",
        stderr);
  return false;
}

static bool choose_input(settings *s, const xc_string_list *positional) {
  size_t most = s->translation->takes_input ? 1 : 0;
  if (positional->count > most) {
    xc_tool_error(s->tool, "Too many positional arguments specified!");
    fprintf(stderr,
            "Can specify at most %zu positional arguments: See: %s --help\n",
            most, s->tool);
    return false;
  }
  s->input = positional->count ? positional->items[0] : "-";
  return true;
}

static int run(settings *s) {
  xc_source_reporter reporter = {.errors_only = s->errors_only,
                                 .only_expected = s->only_expected};
  XcDiag diag = {xc_source_report, &reporter, 0};
  return translate(s, &diag, &reporter) ? EXIT_SUCCESS : EXIT_FAILURE;
}

static xc_command_line_result
parse_command_line(settings *s, const xc_option *translations, size_t count,
                   int argc, char **argv, xc_string_list *positional) {
  xc_translate_options *options = &s->options;
  const xc_option import[] = {XC_IMPORT_ROWS(&options->import)};
  // clang-format off
  const xc_option common[] = {
      XC_STRING_ROW("o", "filename", &s->output, "Output filename"),
      XC_STRING_ROW("target", "name", &options->target,
                    "Target, for example " XC_DPU_DEFAULT_TARGET " (also -a)"),
      XC_STRING_ROW("a", NULL, &options->target, NULL),
      XC_STRING_ROW("mcpu", "name", &options->mcpu,
                    "Processor to compile for: native or a name that LLVM "
                    "knows (also --cpu)"),
      XC_STRING_ROW("cpu", NULL, &options->mcpu, NULL),
      XC_STRING_ROW("kernels", "file", &options->kernels,
                    "A library of functions of your own, which code and C "
                    "source call"),
      XC_INT_ROW("threads", "count", &options->threads, 1,
 XC_MAX_THREADS,
                 "Threads that one call of compiled code may use (1)"),
      XC_INT_ROW("effort", "0 to 3", &options->effort, 0, 3,
                 "How far to search for faster schedules (1)"),
      XC_CALL_ROW("byte-price", XC_OPTION_CALL, "cycles", &options->byte_price,
                  xc_option_price,
                  "What moving a byte counts for when schedules are compared "
                  "(0)"),
      XC_STRING_ROW("params", "file", &options->params,
                    "Write the parameters of compiled code there instead of "
                    "into it"),
      XC_STRING_ROW("layers", "file", &options->layers,
                    "Names of layers for the disassembly, as for xc-run"),
      XC_STRING_ROW("subgraph", "name or number", &options->subgraph,
                    "DPU subgraph of an xmodel, where it has several"),
      XC_FLAG_ROW("mlir-print-debuginfo", &options->print_debuginfo,
                  "Print MLIR with locations"),
      XC_CALL_ROW("split-input-file", XC_OPTION_CALL_OPT, "marker", s,
                  set_split, "Translate the parts between the markers one by "
                  "one"),
      XC_STRING_ROW("output-split-marker", "string", &s->output_split_marker,
                    "Line between the parts of the output (default: none)"),
      XC_CALL_ROW("verify-diagnostics", XC_OPTION_CALL_OPT,
                  "all|only-expected", s, set_verify,
                  "Check that the diagnostics are those of expected-* "
                  "comments"),
      XC_FLAG_ROW("error-diagnostics-only", &s->errors_only,
                  "Print no warnings, remarks and notes"),
      XC_FLAG_ROW("allow-unregistered-dialect",
                  &options->allow_unregistered_dialect,
                  "Accept operations of unknown dialects"),
      XC_FLAG_ROW("no-implicit-module", &options->no_implicit_module,
                  "Parse the top-level operation as it stands"),
  };
  // clang-format on
  const xc_option_group groups[] = {
      {"Translations to perform", translations, count},
      XC_OPTION_GROUP("Common Options", common),
      XC_OPTION_GROUP("Importing models", import)};
  const xc_command_line spec = {.tool = s->tool,
                                .overview = "translates between formats",
                                .usage = "[options] <input file>",
                                .groups = groups,
                                .num_groups = sizeof(groups) / sizeof(*groups)};
  return xc_command_line_parse(&spec, argc, argv, positional);
}

int xc_translate_main(int argc, char **argv, const char *tool,
                      const xc_translation *translations, size_t count) {
  xc_tool_begin();
  settings s = {.tool = tool,
                .output = "-",
                .split_marker = "// -----",
                .output_split_marker = "",
                .options.import = XC_IMPORT_ARGUMENTS,
                .options.effort = XcDpuEffortDefault};
  bool *chosen = xc_alloc_array(count, sizeof(*chosen));
  xc_option *rows = xc_alloc_array(count, sizeof(*rows));
  for (size_t i = 0; i < count; ++i)
    rows[i] = (xc_option){.name = translations[i].flag,
                          .kind = XC_OPTION_FLAG,
                          .help = translations[i].help,
                          .target = &chosen[i]};
  xc_string_list positional = {0};
  int code = EXIT_FAILURE;
  switch (parse_command_line(&s, rows, count, argc, argv, &positional)) {
  case XC_COMMAND_LINE_DONE:
    code = EXIT_SUCCESS;
    break;
  case XC_COMMAND_LINE_ERROR:
    break;
  case XC_COMMAND_LINE_RUN:
    if (choose_translation(&s, translations, chosen, count) &&
        choose_input(&s, &positional))
      code = run(&s);
    break;
  }
  xc_string_list_free(&positional);
  xc_import_arguments_free(&s.options.import);
  free(rows);
  free(chosen);
  return xc_tool_end(tool, code == EXIT_SUCCESS);
}
