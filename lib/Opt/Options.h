//===- Options.h - options of xc-opt ------------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_OPT_OPTIONS_H
#define XC_OPT_OPTIONS_H

#include "Pipeline/Pipeline.h"
#include "Support/CommandLine.h"

typedef enum xc_verify_diagnostics {
  XC_VERIFY_NONE,
  XC_VERIFY_ALL,          // every diagnostic must be expected
  XC_VERIFY_ONLY_EXPECTED // the expected ones must come
} xc_verify_diagnostics;

/// Which passes an IR dump concerns: all, or those named in the list.
typedef struct xc_dump_filter {
  bool all;
  xc_string_list passes;
  xc_arena arena; // of their names
} xc_dump_filter;

typedef struct xc_opt_options {
  xc_arena arena;    // of texts of --help
  const char *input; // "-" when absent
  const char *output;
  const char *pipeline_text; // --pass-pipeline
  xc_pipeline flags;         // passes given as flags, in order
  bool has_flags;
  // Reading
  const char *split_marker; // null: no splitting
  const char *output_split_marker;
  xc_verify_diagnostics verify_diagnostics;
  bool allow_unregistered, no_implicit_module;
  bool bytecode_to_text; // for an xc-opt that asks, not in --help
  xc_string_list irdl_files;
  // Checking
  bool verify_each, verify_roundtrip;
  // Writing
  bool emit_bytecode;
  int64_t bytecode_version; // -1: newest
  bool print_generic, debug_info, pretty_debug_info, local_scope,
      assume_verified, skip_regions, name_loc_as_prefix;
  int64_t elide_elements, elide_resources; // -1: never
  // Looking at passes
  xc_dump_filter dump_before, dump_after;
  bool dump_after_change, dump_after_failure, dump_module_scope;
  const char *dump_tree_dir;
  bool timing, timing_as_list, timing_as_json;
  bool statistics, statistics_as_list;
  const char *crash_reproducer, *generate_reproducer;
  bool local_reproducer, run_reproducer;
  bool dump_pipeline, list_passes, show_dialects, print_irdl, disable_threading;
  bool pass_reference; // docs/generated/passes.md, not in --help
  // Diagnostics
  bool op_on_diagnostic, disable_notes;
} xc_opt_options;

/// Parses argv. Any flag that is no option names a pass.
xc_command_line_result xc_opt_parse_options(int argc, char **argv,
                                            xc_opt_options *options);
void xc_opt_free_options(xc_opt_options *options);

#endif // XC_OPT_OPTIONS_H
