//===- xc-eval.c - how good a compiled model is ---------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Eval.h"

#include "Support/Compiled.h"
#include "Support/Diag.h"

static eval_arguments given = {.import = XC_IMPORT_ARGUMENTS};

// clang-format off
static const xc_option evaluating[] = {
    XC_STRING_ROW("dataset", "path", &given.dataset,
                  "The samples: a folder of pictures and arrays, or a file"),
    XC_STRING_ROW("labels", "file", &given.labels,
                  "Their classes: lines of a name and a number, or of a number "
                  "each, or .npy; folders: by the folders of the dataset"),
    XC_INT_ROW("label-offset", "number", &given.label_offset, -1000000, 1000000,
               "Add this to every class"),
    XC_INT_ROW("samples", "number", &given.samples, 1, INT32_MAX,
               "Use so many samples at most, spread evenly"),
    XC_STRING_ROW("float", "model", &given.exact,
                  "The model in floating point, to compare with"),
    XC_STRING_ROW("backends", "names", &given.backends,
                  "What to run, with commas: float, reference, cpu, sim (all "
                  "that there is)"),
    XC_STRING_ROW("output", "name", &given.output,
                  "The output with the scores (the first that is one list)"),
    XC_INT_ROW("threads", "count", &given.threads, 1, XC_MAX_THREADS,
               "Samples that run at the same time (one for each processor)"),
};
static const xc_option results[] = {
    XC_STRING_ROW("results", "file", &given.results,
                  "Keep what every sample gives; samples that are in the file "
                  "are not run again"),
    XC_STRING_ROW("shard", "I/N", &given.shard,
                  "Run every N-th sample only, from the I-th on"),
    XC_FLAG_ROW("merge", &given.merge,
                "Put results files, given as arguments, together"),
    XC_FLAG_ROW("partial", &given.partial,
                "Let --merge do without some samples"),
    XC_STRING_ROW("report", "file", &given.report, "Write the table as JSON"),
    XC_FLAG_ROW("quiet", &given.quiet, "Do not print the table"),
    XC_STRING_ROW("progress", "auto, always or never", &given.progress,
                  "Show how many samples are done on stderr; auto: on a "
                  "terminal"),
};
static const xc_option importing[] = {XC_IMPORT_ROWS(&given.import)};
static const xc_option pictures[] = {XC_PICTURE_ROWS(&given.import)};
static const xc_option compiled[] = {
    XC_STRING_ROW("target", "name or file", &given.target,
                  "The DPU that the code was made for (also -a)"),
    XC_STRING_ROW("a", NULL, &given.target, NULL),
    XC_FLAG_ROW("no-strict", &given.trusting,
                "Do not verify machine code that xc compiled"),
    XC_FLAG_ROW("portable", &given.portable,
                "Do not use the machine code for CPUs in a compiled model"),
};
// clang-format on

static const xc_option_group groups[] = {
    XC_OPTION_GROUP("Evaluating", evaluating),
    XC_OPTION_GROUP("Results", results),
    XC_OPTION_GROUP("Importing models", importing),
    XC_OPTION_GROUP("Pictures as inputs", pictures),
    XC_OPTION_GROUP("Compiled models", compiled),
};
enum { NUM_GROUPS = sizeof(groups) / sizeof(*groups) };

static bool run(const xc_string_list *positional) {
  XcDiag diag = {0};
  if (given.merge)
    return eval_merge(&diag, &given, positional);
  if (given.partial)
    return xc_tool_error("xc-eval", "--partial is for --merge");
  if (positional->count != 1)
    return xc_tool_error("xc-eval", "expected one model, got %zu",
                         positional->count);
  if (!given.dataset)
    return xc_tool_error("xc-eval", "--dataset says where the samples are");
  xc_text model = {0};
  bool ok = xc_find_compiled("xc-eval", positional->items[0], &model) &&
            eval_run(&diag, &given, xc_text_str(&model));
  xc_text_free(&model);
  return ok;
}

int main(int argc, char **argv) {
  xc_tool_begin();
  const xc_command_line spec = {
      .tool = "xc-eval",
      .overview = "judges a model on a set of samples",
      .usage = "[options] <model, or results files>",
      .groups = groups,
      .num_groups = NUM_GROUPS,
  };
  xc_string_list positional = {0};
  xc_command_line_result result =
      xc_command_line_parse(&spec, argc, argv, &positional);
  bool ok = result == XC_COMMAND_LINE_DONE ||
            (result == XC_COMMAND_LINE_RUN && run(&positional));
  xc_string_list_free(&positional);
  xc_import_arguments_free(&given.import);
  return xc_tool_end("xc-eval", ok);
}
