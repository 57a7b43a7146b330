//===- Options.c - options of xc-opt --------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "mlir-c/RegisterEverything.h"

#include <stdlib.h>
#include <string.h>

static const char default_marker[] = "// -----";

static bool set_split(void *target, const char *name, const char *value,
                      const char **why) {
  (void)name;
  (void)why;
  *(const char **)target = value && *value ? value : default_marker;
  return true;
}

static bool set_verify_diagnostics(void *target, const char *name,
                                   const char *value, const char **why) {
  (void)name;
  xc_verify_diagnostics *mode = target;
  if (!value || strcmp(value, "all") == 0)
    *mode = XC_VERIFY_ALL;
  else if (strcmp(value, "only-expected") == 0)
    *mode = XC_VERIFY_ONLY_EXPECTED;
  else {
    *why = "expected all or only-expected";
    return false;
  }
  return true;
}

static void ignore_text(MlirStringRef text, void *user_data) {
  (void)text;
  (void)user_data;
}

// MLIR's registry can only be asked by adding a pass to a pass manager. A pass
// of another anchor is refused with another message, hence both attempts.
static bool is_upstream_pass(const char *name) {
  MlirContext context = mlirContextCreateWithThreading(false);
  static const char *const anchors[] = {"any", "builtin.module", "func.func"};
  bool known = false;
  for (size_t i = 0; i < sizeof(anchors) / sizeof(*anchors) && !known; ++i) {
    MlirPassManager manager = mlirPassManagerCreateOnOperation(
        context, mlirStringRefCreateFromCString(anchors[i]));
    known = mlirLogicalResultIsSuccess(mlirOpPassManagerAddPipeline(
        mlirPassManagerGetAsOpPassManager(manager),
        mlirStringRefCreateFromCString(name), ignore_text, NULL));
    mlirPassManagerDestroy(manager);
  }
  mlirContextDestroy(context);
  return known;
}

static bool is_known_pass(const char *name) {
  return xc_pass_find(name, strlen(name)) || is_upstream_pass(name);
}

// MLIR has no list of its passes: ours are proposed, and its commonest.
static const char *explain_unknown_pass(xc_arena *arena, const char *name) {
  static const char *const common[] = {"canonicalize", "cse", "inline", "sccp",
                                       "symbol-dce"};
  xc_near_miss miss = xc_near_miss_begin(name, strlen(name));
  for (size_t i = 0; i < sizeof(common) / sizeof(*common); ++i)
    xc_near_miss_offer(&miss, common[i]);
  size_t count;
  const xc_pass_info *const *table = xc_pass_table(&count);
  for (size_t i = 0; i < count; ++i)
    xc_near_miss_offer(&miss, table[i]->argument);
  const char *near = xc_near_miss_get(&miss);
  xc_text text = {0};
  xc_text_printf(&text, "no pass is named '%s'", name);
  if (near)
    xc_text_printf(&text, "; did you mean '%s'?", near);
  const char *why = xc_arena_string(arena, text.data, text.length);
  xc_text_free(&text);
  return why;
}

// --mlir-print-ir-after=cse,canonicalize
static bool add_dump_passes(void *target, const char *name, const char *value,
                            const char **why) {
  (void)name;
  xc_dump_filter *filter = target;
  for (const char *at = value; *at;) {
    size_t length = strcspn(at, ",");
    const char *pass = xc_arena_string(&filter->arena, at, length);
    if (!is_known_pass(pass)) {
      *why = explain_unknown_pass(&filter->arena, pass);
      return false;
    }
    xc_string_list_add(&filter->passes, pass);
    at += length + (at[length] == ',');
  }
  return true;
}

static bool set_list(void *target, const char *value, const char *other,
                     const char **why) {
  if (strcmp(value, "list") != 0 && strcmp(value, other) != 0) {
    *why = "expected list, or tree (timing) or pipeline (statistics)";
    return false;
  }
  *(bool *)target = strcmp(value, "list") == 0;
  return true;
}

static bool set_timing_display(void *target, const char *name,
                               const char *value, const char **why) {
  (void)name;
  return set_list(target, value, "tree", why);
}

static bool set_statistics_display(void *target, const char *name,
                                   const char *value, const char **why) {
  (void)name;
  return set_list(target, value, "pipeline", why);
}

static bool set_output_format(void *target, const char *name, const char *value,
                              const char **why) {
  (void)name;
  if (strcmp(value, "text") != 0 && strcmp(value, "json") != 0) {
    *why = "expected text or json";
    return false;
  }
  *(bool *)target = strcmp(value, "json") == 0;
  return true;
}

// Lists the options of a pass that stand after "=", with their defaults.
static const char *describe_options(xc_arena *arena, const xc_pass_info *pass) {
  enum { COLUMN = 40 };
  xc_text text = {0};
  for (size_t i = 0; i < pass->num_options; ++i) {
    const xc_pass_option *option = &pass->options[i];
    size_t start = text.length;
    xc_text_printf(&text, "      %s=%s", option->name, option->default_value);
    size_t width = text.length - start;
    xc_text_printf(&text, "%*s- %s\n",
                   width < COLUMN ? (int)(COLUMN - width) : 1, "",
                   option->help);
  }
  const char *lines =
      text.length ? xc_arena_string(arena, text.data, text.length) : NULL;
  xc_text_free(&text);
  return lines;
}

// The rows point into the options, so that there may be several sets of them.
static xc_option_group keep_group(xc_opt_options *o, const char *title,
                                  const xc_option *rows, size_t count) {
  xc_option *copy = xc_arena_alloc(&o->arena, count, sizeof(*copy));
  memcpy(copy, rows, count * sizeof(*copy));
  return (xc_option_group){title, copy, count};
}

static xc_option_group general_options(xc_opt_options *o) {
  const xc_option rows[] = {
      XC_STRING_ROW("o", "file", &o->output,
                    "Output file, - for standard output"),
      XC_STRING_ROW("pass-pipeline", "text", &o->pipeline_text,
                    "Passes to run, e.g. builtin.module(func.func(cse))"),
      XC_STRING_ROW("p", "text", &o->pipeline_text, NULL),
      XC_FLAG_ROW("allow-unregistered-dialect", &o->allow_unregistered,
                  "Accept operations of unknown dialects"),
      XC_FLAG_ROW("no-implicit-module", &o->no_implicit_module,
                  "Parse the top-level operation as it is"),
      XC_LIST_ROW("irdl-file", "file", &o->irdl_files,
                  "Register the IRDL dialects of a file first"),
      XC_CALL_ROW("split-input-file", XC_OPTION_CALL_OPT, "marker",
                  &o->split_marker, set_split,
                  "Process the chunks between markers (// -----) apart"),
      XC_STRING_ROW("output-split-marker", "marker", &o->output_split_marker,
                    "What to print between chunks (default // -----)"),
      XC_FLAG_ROW("verify-each", &o->verify_each,
                  "Verify after each pass (default true)"),
      XC_FLAG_ROW("verify-roundtrip", &o->verify_roundtrip,
                  "Print, parse and compare as text and as bytecode"),
      XC_CALL_ROW("verify-diagnostics", XC_OPTION_CALL_OPT, "all|only-expected",
                  &o->verify_diagnostics, set_verify_diagnostics,
                  "Check diagnostics against expected-* comments"),
      XC_FLAG_ROW("dump-pass-pipeline", &o->dump_pipeline,
                  "Print the pipeline that is run to stderr"),
      XC_FLAG_ROW("list-passes", &o->list_passes,
                  "List the passes of xc and exit"),
      XC_FLAG_ROW("show-dialects", &o->show_dialects,
                  "List the dialects of xc and exit"),
      XC_FLAG_ROW("print-irdl", &o->print_irdl,
                  "Print the dialects of xc for mlir-opt --irdl-file and exit"),
      XC_FLAG_ROW("pass-reference", &o->pass_reference, NULL),
      XC_FLAG_ROW("bytecode-to-text", &o->bytecode_to_text, NULL),
      XC_FLAG_ROW("run-reproducer", &o->run_reproducer,
                  "Run the pipeline that the input's reproducer section holds"),
      XC_FLAG_ROW("mlir-disable-threading", &o->disable_threading,
                  "Use one thread only"),
  };
  return keep_group(o, "General Options", rows, sizeof(rows) / sizeof(*rows));
}

static xc_option_group printing_options(xc_opt_options *o) {
  const xc_option rows[] = {
      XC_FLAG_ROW("emit-bytecode", &o->emit_bytecode,
                  "Write bytecode instead of text"),
      XC_INT_ROW("emit-bytecode-version", "number", &o->bytecode_version, 0,
                 1000, "Write this version of bytecode"),
      XC_FLAG_ROW("mlir-print-op-generic", &o->print_generic,
                  "Print operations in their generic form"),
      XC_FLAG_ROW("mlir-print-debuginfo", &o->debug_info, "Print locations"),
      XC_FLAG_ROW("mlir-pretty-debuginfo", &o->pretty_debug_info,
                  "Print locations in a readable form"),
      XC_FLAG_ROW("mlir-print-local-scope", &o->local_scope,
                  "Print without aliases, each operation by itself"),
      XC_FLAG_ROW("mlir-print-assume-verified", &o->assume_verified,
                  "Do not verify again before printing"),
      XC_FLAG_ROW("mlir-print-skip-regions", &o->skip_regions,
                  "Print no regions"),
      XC_FLAG_ROW("mlir-use-nameloc-as-prefix", &o->name_loc_as_prefix,
                  "Name values after their name locations"),
      XC_INT_ROW("mlir-elide-elementsattrs-if-larger", "number",
                 &o->elide_elements, 0, INT32_MAX,
                 "Elide elements attributes with more elements"),
      XC_INT_ROW("mlir-elide-resource-strings-if-larger", "number",
                 &o->elide_resources, 0, INT32_MAX,
                 "Elide resources with more characters"),
  };
  return keep_group(o, "Printing Options", rows, sizeof(rows) / sizeof(*rows));
}

// Passes that are named again are added to those before.
#define DUMP_ROW(flag, where, text)                                            \
  {.name = flag,                                                               \
   .kind = XC_OPTION_CALL,                                                     \
   .value_name = "passes",                                                     \
   .help = text,                                                               \
   .target = where,                                                            \
   .handler = add_dump_passes,                                                 \
   .repeats = true}

static xc_option_group instrumentation_options(xc_opt_options *o) {
  const xc_option rows[] = {
      DUMP_ROW("mlir-print-ir-before", &o->dump_before,
               "Dump IR before these passes"),
      DUMP_ROW("mlir-print-ir-after", &o->dump_after,
               "Dump IR after these passes"),
      XC_FLAG_ROW("mlir-print-ir-before-all", &o->dump_before.all,
                  "Dump IR before each pass"),
      XC_FLAG_ROW("mlir-print-ir-after-all", &o->dump_after.all,
                  "Dump IR after each pass"),
      XC_FLAG_ROW("mlir-print-ir-after-change", &o->dump_after_change,
                  "Dump after a pass only if it changed the IR"),
      XC_FLAG_ROW("mlir-print-ir-after-failure", &o->dump_after_failure,
                  "Dump IR after a pass that failed"),
      XC_FLAG_ROW("mlir-print-ir-module-scope", &o->dump_module_scope,
                  "Dump the whole module always"),
      XC_STRING_ROW("mlir-print-ir-tree-dir", "directory", &o->dump_tree_dir,
                    "Dump into files of a directory tree"),
      XC_FLAG_ROW("mlir-timing", &o->timing, "Print how long each pass took"),
      XC_CALL_ROW("mlir-timing-display", XC_OPTION_CALL, "list|tree",
                  &o->timing_as_list, set_timing_display,
                  "Shape of the timing report"),
      XC_CALL_ROW("mlir-output-format", XC_OPTION_CALL, "text|json",
                  &o->timing_as_json, set_output_format,
                  "Format of the timing report"),
      XC_FLAG_ROW("mlir-pass-statistics", &o->statistics,
                  "Print statistics of passes"),
      XC_CALL_ROW("mlir-pass-statistics-display", XC_OPTION_CALL,
                  "list|pipeline", &o->statistics_as_list,
                  set_statistics_display, "Shape of the statistics report"),
      XC_STRING_ROW("mlir-pass-pipeline-crash-reproducer", "file",
                    &o->crash_reproducer,
                    "Write a reproducer if a pass fails or crashes"),
      XC_FLAG_ROW("mlir-pass-pipeline-local-reproducer", &o->local_reproducer,
                  "Let the reproducer hold the failing pass only"),
      XC_STRING_ROW("mlir-generate-reproducer", "file", &o->generate_reproducer,
                    "Write a reproducer before the passes run"),
  };
  return keep_group(o, "Pass Options", rows, sizeof(rows) / sizeof(*rows));
}

static xc_option_group diagnostic_options(xc_opt_options *o) {
  const xc_option rows[] = {
      XC_FLAG_ROW("mlir-print-op-on-diagnostic", &o->op_on_diagnostic,
                  "Show the operation below an error (default true)"),
      XC_FLAG_ROW("mlir-disable-diagnostic-notes", &o->disable_notes,
                  "Print no notes"),
  };
  return keep_group(o, "Diagnostic Options", rows,
                    sizeof(rows) / sizeof(*rows));
}

// Our own passes only: MLIR has no list of its passes.
static xc_option_group pass_options(xc_opt_options *o,
                                    xc_option_fallback fallback) {
  size_t count;
  const xc_pass_info *const *table = xc_pass_table(&count);
  xc_option *rows = xc_arena_alloc(&o->arena, count, sizeof(*rows));
  for (size_t i = 0; i < count; ++i)
    rows[i] =
        (xc_option){.name = table[i]->argument,
                    .kind = XC_OPTION_CALL_OPT,
                    .value_name = table[i]->num_options ? "options" : NULL,
                    .help = table[i]->summary,
                    .target = o,
                    .handler = fallback,
                    .repeats = true,
                    .details = describe_options(&o->arena, table[i])};
  return (xc_option_group){"Passes of xc (every pass of MLIR is accepted too)",
                           rows, count};
}

static xc_command_line_result parse(int argc, char **argv, xc_opt_options *o,
                                    xc_string_list *positional,
                                    xc_option_fallback fallback) {
  const xc_option_group groups[] = {
      general_options(o), pass_options(o, fallback), printing_options(o),
      instrumentation_options(o), diagnostic_options(o)};
  const xc_command_line spec = {.tool = "xc-opt",
                                .overview =
                                    "runs passes of xc and MLIR on a module",
                                .usage = "[options] <input file>",
                                .groups = groups,
                                .num_groups = sizeof(groups) / sizeof(*groups),
                                .fallback = fallback,
                                .fallback_target = o};
  return xc_command_line_parse(&spec, argc, argv, positional);
}

typedef struct reason {
  xc_arena *arena;
  const char *text;
} reason;

static void keep_first_line(void *user_data, XcSeverity severity, XcPlace place,
                            const char *message) {
  (void)severity;
  (void)place;
  reason *why = user_data;
  why->text = xc_arena_string(why->arena, message, strcspn(message, "\n"));
}

// --canonicalize="max-iterations=2" appends canonicalize{max-iterations=2}.
static bool add_pass_flag(void *target, const char *name, const char *value,
                          const char **why) {
  xc_opt_options *o = target;
  if (!is_known_pass(name)) {
    *why = NULL;
    return false;
  }
  if (!o->has_flags)
    xc_pipeline_begin(&o->flags, "builtin.module");
  o->has_flags = true;
  xc_text element = {0};
  xc_text_puts(&element, name);
  if (value)
    xc_text_printf(&element, "{%s}", value);
  reason first = {&o->flags.arena, NULL};
  XcDiag diag = {keep_first_line, &first, 0};
  bool ok = xc_pipeline_append(&diag, &o->flags, xc_text_str(&element));
  *why = first.text;
  xc_text_free(&element);
  return ok;
}

xc_command_line_result xc_opt_parse_options(int argc, char **argv,
                                            xc_opt_options *options) {
  *options = (xc_opt_options){.input = "-",
                              .output = "-",
                              .output_split_marker = default_marker,
                              .verify_each = true,
                              .bytecode_version = -1,
                              .elide_elements = -1,
                              .elide_resources = -1,
                              .op_on_diagnostic = true};
  mlirRegisterAllPasses();
  xc_string_list positional = {0};
  xc_command_line_result result =
      parse(argc, argv, options, &positional, add_pass_flag);
  if (result == XC_COMMAND_LINE_RUN && positional.count > 1) {
    xc_tool_error("xc-opt", "Too many positional arguments specified: '%s'",
                  positional.items[1]);
    result = XC_COMMAND_LINE_ERROR;
  }
  const char *info = options->list_passes      ? "list-passes"
                     : options->show_dialects  ? "show-dialects"
                     : options->print_irdl     ? "print-irdl"
                     : options->pass_reference ? "pass-reference"
                                               : NULL;
  if (result == XC_COMMAND_LINE_RUN && info && positional.count > 0 &&
      !xc_takes_no_input("xc-opt", info, positional.items[0]))
    result = XC_COMMAND_LINE_ERROR;
  if (result == XC_COMMAND_LINE_RUN && options->has_flags &&
      options->pipeline_text) {
    xc_tool_error("xc-opt", "--pass-pipeline cannot be mixed with passes given "
                            "as flags");
    result = XC_COMMAND_LINE_ERROR;
  }
  if (positional.count > 0)
    options->input = positional.items[0];
  xc_string_list_free(&positional);
  return result;
}

static void free_filter(xc_dump_filter *filter) {
  xc_string_list_free(&filter->passes);
  xc_arena_free(&filter->arena);
}

void xc_opt_free_options(xc_opt_options *options) {
  xc_arena_free(&options->arena);
  xc_pipeline_free(&options->flags);
  xc_string_list_free(&options->irdl_files);
  free_filter(&options->dump_before);
  free_filter(&options->dump_after);
}
