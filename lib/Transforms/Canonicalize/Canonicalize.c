//===- Canonicalize.c - the pass tir-canonicalize -------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Canonicalize.h"

#define KINDS(...) {__VA_ARGS__}
#define NUM_KINDS(...)                                                         \
  (sizeof((const xc_op_kind[]){__VA_ARGS__}) / sizeof(xc_op_kind))

static const xc_pattern patterns[] = {
#define PATTERN(function, name, roots, statement)                              \
  {name, statement, (const xc_op_kind[])KINDS roots, NUM_KINDS roots,          \
   xc_canonicalize_##function},
#include "Patterns.def"
#undef PATTERN
};

static bool run(xc_pass_run *pass) {
  return xc_apply_patterns(pass, patterns, sizeof(patterns) / sizeof(*patterns),
                           xc_pass_string(pass, "only"), "", NULL);
}

static const xc_pass_option options[] = {
    {"only", XC_PASS_OPTION_STRING, "",
     "Apply this pattern alone; no folding, no merging"},
};
static const xc_pass_statistic statistics[] = {XC_PATTERN_STATISTICS};

#define PATTERN(function, name, roots, statement)                              \
  "| `" name "` | " statement " |\n"
const xc_pass_info xc_pass_tir_canonicalize = {
    .argument = "tir-canonicalize",
    .name = "TirCanonicalize",
    .summary = "Simplify tensor-level operators",
    .description =
        "Brings tir operators into the form that later passes expect, without "
        "regard to a target. Besides the patterns below it erases what nothing "
        "uses, computes operators on constants with the interpreter's "
        "arithmetic, and merges equal operators of a block. Operators of other "
        "dialects are left alone. Results stay the same bit for bit in fixed "
        "point; in floating point where data is only moved, else up to "
        "rounding.\n\n"
        "| pattern | what it does |\n|---|---|\n"
#include "Patterns.def"
    ,
    .anchor = "func.func",
    .options = options,
    .num_options = sizeof(options) / sizeof(*options),
    .statistics = statistics,
    .num_statistics = sizeof(statistics) / sizeof(*statistics),
    .run = run,
};
#undef PATTERN

bool xc_canonicalize(MlirOperation function) {
  xc_pass_run pass = {.info = &xc_pass_tir_canonicalize, .root = function};
  return run(&pass);
}
