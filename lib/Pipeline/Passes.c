//===- Passes.c - the passes of xc in a host's pass manager ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xc-c/Passes.h"

#include "IR/IR.h"
#include "Pipeline.h"

#include <string.h>

typedef struct listener {
  MlirStringCallback on_error;
  void *user_data;
} listener;

static void tell(void *user_data, XcSeverity severity, XcPlace place,
                 const char *message) {
  (void)place;
  const listener *l = user_data;
  if (severity == XcSeverityError && l->on_error)
    l->on_error(xc_ref(message), l->user_data);
}

MlirLogicalResult xcPassManagerAddPipeline(MlirOpPassManager manager,
                                           MlirStringRef anchor,
                                           MlirStringRef elements,
                                           MlirStringCallback onError,
                                           void *userData) {
  listener l = {onError, userData};
  XcDiag diag = {tell, &l, 0};
  xc_text text = {0};
  xc_text_printf(&text, "%.*s(%.*s)", (int)anchor.length, anchor.data,
                 (int)elements.length, elements.data);
  xc_pipeline pipeline;
  bool ok = xc_pipeline_parse(&diag, xc_text_str(&text), &pipeline) &&
            xc_pipeline_build(&diag, &pipeline, manager, NULL);
  xc_pipeline_free(&pipeline);
  xc_text_free(&text);
  return ok ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

MlirPass xcCreatePass(MlirStringRef argument, MlirStringRef options,
                      MlirStringCallback onError, void *userData) {
  listener l = {onError, userData};
  XcDiag diag = {tell, &l, 0};
  const xc_pass_info *info = xc_pass_find(argument.data, argument.length);
  xc_arena arena = {0};
  const char *values[XC_PASS_MAX_OPTIONS] = {0};
  const char *why = info ? "it is a pipeline: use xcPassManagerAddPipeline"
                         : "no pass of xc has this name";
  bool ok =
      info && info->run &&
      xc_pass_parse_options(
          &arena, info, xc_arena_string(&arena, options.data, options.length),
          values, &why);
  MlirPass pass = {NULL};
  if (ok)
    pass = xc_pass_create(info, values, NULL);
  else
    xcDiagReport(&diag, XcSeverityError, (XcPlace){0}, "'%.*s': %s",
                 (int)argument.length, argument.data, why);
  xc_arena_free(&arena);
  return pass;
}

intptr_t xcGetNumPasses(void) {
  size_t count;
  xc_pass_table(&count);
  return (intptr_t)count;
}

MlirStringRef xcPassGetArgument(intptr_t index) {
  size_t count;
  return xc_ref(xc_pass_table(&count)[index]->argument);
}

MlirStringRef xcPassGetSummary(intptr_t index) {
  size_t count;
  return xc_ref(xc_pass_table(&count)[index]->summary);
}
