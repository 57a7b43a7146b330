//===- PipelineBuild.c - from the tree to an MLIR pass manager ------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pipeline.h"

#include "IR/IR.h"

#include "Support/Diag.h"

#include "mlir-c/Dialect/Arith.h"
#include "mlir-c/Dialect/Func.h"
#include "mlir-c/Dialect/LLVM.h"
#include "mlir-c/Dialect/Linalg.h"
#include "mlir-c/Dialect/Math.h"
#include "mlir-c/Dialect/MemRef.h"
#include "mlir-c/Dialect/SCF.h"
#include "mlir-c/Dialect/Vector.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Our passes as external passes
//===----------------------------------------------------------------------===//

// The data that one pass object owns. MLIR clones passes to run them on several
// threads and destroys each clone.
typedef struct pass_data {
  const xc_pass_info *info;
  xc_arena arena; // of the values
  const char *values[XC_PASS_MAX_OPTIONS];
  const xc_pipeline_hooks *hooks;
} pass_data;

static pass_data *make_pass_data(const xc_pass_info *info,
                                 const char *const *values,
                                 const xc_pipeline_hooks *hooks) {
  pass_data *data = xc_alloc(sizeof(*data));
  data->info = info;
  data->hooks = hooks;
  for (size_t i = 0; values && i < info->num_options; ++i)
    if (values[i])
      data->values[i] =
          xc_arena_string(&data->arena, values[i], strlen(values[i]));
  return data;
}

static void construct(void *user_data) { (void)user_data; }

static void destruct_pass(void *user_data) {
  pass_data *data = user_data;
  xc_arena_free(&data->arena);
  free(data);
}

static void *clone_pass(void *user_data) {
  const pass_data *data = user_data;
  return make_pass_data(data->info, data->values, data->hooks);
}

static void run_pass(MlirOperation operation, MlirExternalPass pass,
                     void *user_data) {
  const pass_data *data = user_data;
  xc_pass_run run = {.info = data->info, .root = operation};
  memcpy(run.values, data->values, sizeof(run.values));
  if (data->hooks)
    run.progress = data->hooks->progress;
  bool ok = data->info->run(&run);
  if (data->hooks && data->hooks->statistics)
    data->hooks->statistics(data->hooks->user_data, &run);
  if (!ok)
    mlirExternalPassSignalFailure(pass);
}

MlirPass xc_pass_create(const xc_pass_info *info, const char *const *values,
                        const xc_pipeline_hooks *hooks) {
  // A pass for modules and functions is generic to MLIR; where it is nested was
  // checked before.
  bool is_generic = info->on_function || strcmp(info->anchor, "func.func") == 0;
  const char *anchor = is_generic ? "" : info->anchor;
  MlirDialectHandle upstream[] = {
      mlirGetDialectHandle__arith__(),  mlirGetDialectHandle__func__(),
      mlirGetDialectHandle__linalg__(), mlirGetDialectHandle__llvm__(),
      mlirGetDialectHandle__math__(),   mlirGetDialectHandle__memref__(),
      mlirGetDialectHandle__scf__(),    mlirGetDialectHandle__vector__()};
  intptr_t dialects = (intptr_t)(sizeof(upstream) / sizeof(*upstream));
  return mlirCreateExternalPass(
      mlirTypeIDCreate(info), xc_ref(info->name), xc_ref(info->argument),
      xc_ref(info->summary), xc_ref(anchor),
      info->builds_upstream ? dialects : 0, upstream,
      (MlirExternalPassCallbacks){construct, destruct_pass, NULL, clone_pass,
                                  run_pass},
      make_pass_data(info, values, hooks));
}

//===----------------------------------------------------------------------===//
// Hooks as external passes
//===----------------------------------------------------------------------===//

typedef struct hook_data {
  const xc_pipeline_element *element;
  bool (*hook)(void *user_data, const xc_pipeline_element *element,
               MlirOperation operation);
  void *user_data;
} hook_data;

static void destruct(void *user_data) { free(user_data); }

static void *clone_hook(void *user_data) {
  hook_data *copy = xc_alloc(sizeof(*copy));
  memcpy(copy, user_data, sizeof(*copy));
  return copy;
}

static void run_hook(MlirOperation operation, MlirExternalPass pass,
                     void *user_data) {
  const hook_data *data = user_data;
  if (!data->hook(data->user_data, data->element, operation))
    mlirExternalPassSignalFailure(pass);
}

static void add_hook(MlirOpPassManager manager,
                     bool (*hook)(void *, const xc_pipeline_element *,
                                  MlirOperation),
                     void *user_data, const xc_pipeline_element *element) {
  static const max_align_t before_and_after;
  hook_data *data = xc_alloc(sizeof(*data));
  *data = (hook_data){element, hook, user_data};
  mlirOpPassManagerAddOwnedPass(
      manager, mlirCreateExternalPass(
                   mlirTypeIDCreate(&before_and_after), xc_ref("(V) xc"),
                   xc_ref("xc-hook"), xc_ref("checks and dumps between passes"),
                   xc_ref(""), 0, NULL,
                   (MlirExternalPassCallbacks){construct, destruct, NULL,
                                               clone_hook, run_hook},
                   data));
}

//===----------------------------------------------------------------------===//
// The tree
//===----------------------------------------------------------------------===//

typedef struct build {
  XcDiag *diag;
  const xc_pipeline *pipeline;
  const xc_pipeline_hooks *hooks;
} build;

static bool element_error(const build *b, const xc_pipeline_element *element,
                          const char *message) {
  xc_text text = {0};
  xc_text_puts(&text, message);
  bool in_text = b->pipeline->text[0] != '\0';
  if (in_text)
    xc_text_printf(&text, "\n%s\n%*s^", b->pipeline->text, (int)element->offset,
                   "");
  XcPlace place = {"MLIR Textual PassPipeline Parser", 1,
                   in_text ? (unsigned)element->offset + 1 : 1};
  xcDiagReport(b->diag, XcSeverityError, place, "%s", xc_text_str(&text));
  xc_text_free(&text);
  return false;
}

static void append_text(MlirStringRef piece, void *text) {
  xc_text_append(text, piece.data, piece.length);
}

// MLIR's message is several lines around the element's text; the first says it.
static void first_line(const xc_text *text, xc_text *line) {
  const char *start = xc_text_str(text);
  const char *error = strstr(start, "error: ");
  if (error)
    start = error + strlen("error: ");
  xc_text_append(line, start, strcspn(start, "\n"));
}

static bool add_text(MlirOpPassManager manager, const char *text,
                     xc_text *message) {
  xc_text raw = {0};
  bool ok = mlirLogicalResultIsSuccess(
      mlirOpPassManagerAddPipeline(manager, xc_ref(text), append_text, &raw));
  message->length = 0;
  if (!ok)
    first_line(&raw, message);
  xc_text_free(&raw);
  return ok;
}

// "... restricted to 'func.func' on a PassManager intended ..."
static bool restricted_anchor(const char *message, xc_text *anchor) {
  static const char marker[] = "restricted to '";
  const char *start = strstr(message, marker);
  if (!start)
    return false;
  start += strlen(marker);
  xc_text_append(anchor, start, strcspn(start, "'"));
  return true;
}

static void suggest(const char *name, xc_text *message) {
  xc_near_miss miss = xc_near_miss_begin(name, strlen(name));
  size_t count;
  const xc_pass_info *const *passes = xc_pass_table(&count);
  for (size_t i = 0; i < count; ++i)
    xc_near_miss_offer(&miss, passes[i]->argument);
  const char *near = xc_near_miss_get(&miss);
  if (near)
    xc_text_printf(message, "; did you mean '%s'?", near);
}

// Where a flag names a pass of another anchor, nests it, as mlir-opt does.
static bool add_upstream(const build *b, const xc_pipeline_element *element,
                         MlirOpPassManager manager) {
  xc_text text = {0}, message = {0}, anchor = {0};
  xc_text_puts(&text, element->name);
  if (element->options)
    xc_text_printf(&text, "{%s}", element->options);
  bool ok = add_text(manager, xc_text_str(&text), &message);
  bool from_flag = b->pipeline->text[0] == '\0';
  if (!ok && from_flag && restricted_anchor(xc_text_str(&message), &anchor)) {
    xc_text nested = {0};
    xc_text_printf(&nested, "%s(%s)", anchor.data, text.data);
    ok = add_text(manager, xc_text_str(&nested), &message);
    xc_text_free(&nested);
  }
  if (!ok) {
    if (strstr(xc_text_str(&message), "does not refer to a registered pass"))
      suggest(element->name, &message);
    element_error(b, element, xc_text_str(&message));
  }
  xc_text_free(&text);
  xc_text_free(&message);
  xc_text_free(&anchor);
  return ok;
}

static bool fits_anchor(const xc_pass_info *pass, const char *anchor) {
  return strcmp(anchor, pass->anchor) == 0 || strcmp(anchor, "any") == 0 ||
         (pass->on_function && strcmp(anchor, "func.func") == 0);
}

static bool add_ours(const build *b, const xc_pipeline_element *element,
                     const char *anchor, MlirOpPassManager manager) {
  bool from_flag = b->pipeline->text[0] == '\0';
  bool fits = fits_anchor(element->pass, anchor);
  bool is_nested = !fits && strcmp(anchor, "builtin.module") == 0 &&
                   strcmp(element->pass->anchor, "func.func") == 0;
  if (!fits && !is_nested && !from_flag) {
    xc_text text = {0};
    xc_text_printf(&text,
                   "can't add pass '%s' restricted to '%s' on a PassManager "
                   "intended to run on '%s', did you intend to nest?",
                   element->pass->name, element->pass->anchor, anchor);
    element_error(b, element, xc_text_str(&text));
    xc_text_free(&text);
    return false;
  }
  if (!fits)
    manager =
        mlirOpPassManagerGetNestedUnder(manager, xc_ref(element->pass->anchor));
  mlirOpPassManagerAddOwnedPass(
      manager, xc_pass_create(element->pass, element->values, b->hooks));
  return true;
}

static bool add_elements(const build *b, const xc_pipeline_element *element,
                         const char *anchor, MlirOpPassManager manager) {
  const xc_pipeline_hooks *hooks = b->hooks;
  for (; element; element = element->next) {
    if (element->expanded) {
      if (!add_elements(b, element->children, anchor, manager))
        return false;
      continue;
    }
    if (element->nested) {
      if (!add_elements(
              b, element->children, element->name,
              mlirOpPassManagerGetNestedUnder(manager, xc_ref(element->name))))
        return false;
      continue;
    }
    if (hooks && hooks->before)
      add_hook(manager, hooks->before, hooks->user_data, element);
    if (!(element->pass ? add_ours(b, element, anchor, manager)
                        : add_upstream(b, element, manager)))
      return false;
    if (hooks && hooks->after)
      add_hook(manager, hooks->after, hooks->user_data, element);
  }
  return true;
}

bool xc_pipeline_build(XcDiag *diag, const xc_pipeline *pipeline,
                       MlirOpPassManager manager,
                       const xc_pipeline_hooks *hooks) {
  const build b = {diag, pipeline, hooks};
  return add_elements(&b, pipeline->root->children, pipeline->root->name,
                      manager);
}
