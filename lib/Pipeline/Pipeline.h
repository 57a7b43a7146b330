//===- Pipeline.h - textual pipelines of both kinds of passes -----*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// External passes are not in MLIR's pass registry, so text that names them
// cannot be parsed by MLIR. This parser reads the whole text into a tree, keeps
// our passes and hands every other element to MLIR, one by one and in order.
//
//   pipeline ::= anchor `(` elements `)`
//   elements ::= element (`,` element)*
//   element  ::= anchor `(` elements? `)` | name (`{` options `}`)?
//
//===----------------------------------------------------------------------===//

#ifndef XC_PIPELINE_PIPELINE_H
#define XC_PIPELINE_PIPELINE_H

#include "Pass/Pass.h"
#include "Support/Memory.h"
#include "Support/Text.h"

#include "mlir-c/Pass.h"

/// All our passes, ordered by argument.
const xc_pass_info *const *xc_pass_table(size_t *count);
/// Returns the pass of an argument, or null.
const xc_pass_info *xc_pass_find(const char *argument, size_t length);

typedef struct xc_pipeline_element xc_pipeline_element;
struct xc_pipeline_element {
  const char *name;         // pass argument or anchor; terminated
  const char *options;      // text between the braces, or null
  bool nested;              // `children` stand for it:
  bool expanded;            // not below an anchor, but as a pipeline of xc
  size_t offset;            // in the pipeline text
  const xc_pass_info *pass; // one of xc, else null
  const char *values[XC_PASS_MAX_OPTIONS];
  xc_pipeline_element *children;
  xc_pipeline_element *next;
};

typedef struct xc_pipeline {
  xc_arena arena;
  const char *text;
  xc_pipeline_element *root; // an anchor
} xc_pipeline;

/// Parses a whole pipeline with its outermost anchor. On failure reports in
/// the shape of MLIR's own pipeline parser (place, line, caret) and returns
/// false. Free it in both cases.
bool xc_pipeline_parse(XcDiag *diag, const char *text, xc_pipeline *pipeline);
void xc_pipeline_free(xc_pipeline *pipeline);
/// Starts an empty pipeline on `anchor` for xc_pipeline_append.
void xc_pipeline_begin(xc_pipeline *pipeline, const char *anchor);
/// Appends elements in pipeline syntax, as a single-pass flag does.
bool xc_pipeline_append(XcDiag *diag, xc_pipeline *pipeline,
                        const char *elements);
void xc_pipeline_print(const xc_pipeline *pipeline, xc_text *text);
size_t xc_pipeline_num_passes(const xc_pipeline *pipeline);

/// Called around every pass of a built pipeline, on the operation it runs on.
/// The after hook is not called when the pass fails.
typedef struct xc_pipeline_hooks {
  /// May return false to fail the pipeline after a diagnostic.
  bool (*before)(void *user_data, const xc_pipeline_element *element,
                 MlirOperation operation);
  bool (*after)(void *user_data, const xc_pipeline_element *element,
                MlirOperation operation);
  /// Statistics of a pass of xc after a run of it.
  void (*statistics)(void *user_data, const xc_pass_run *run);
  void *user_data;
  /// Receives how far passes have come.
  XcProgress progress;
} xc_pipeline_hooks;

/// Adds the pipeline's elements (not its outermost anchor) to a pass manager.
/// The pipeline and the hooks must outlive the pass manager; hooks may be null.
bool xc_pipeline_build(XcDiag *diag, const xc_pipeline *pipeline,
                       MlirOpPassManager manager,
                       const xc_pipeline_hooks *hooks);

/// Returns an MLIR pass that runs a pass of xc. `values` are copied.
MlirPass xc_pass_create(const xc_pass_info *info, const char *const *values,
                        const xc_pipeline_hooks *hooks);

/// Splits "a=1 b={x y}" into the option values of a pass of xc. Values are
/// allocated in the arena. On failure `*why` (in the arena too) says why.
bool xc_pass_parse_options(xc_arena *arena, const xc_pass_info *info,
                           const char *options,
                           const char *values[XC_PASS_MAX_OPTIONS],
                           const char **why);

#endif // XC_PIPELINE_PIPELINE_H
