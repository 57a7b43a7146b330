//===- Objects.c - machine code for the CPU parts of an xmodel ------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Objects.h"

#include "IRReader/IRReader.h"
#include "Support/Threads.h"
#include "Target/CPU/CPU.h"
#include "Target/XModel/Mixed.h"

#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
static const char baseline[] = "x86-64-v3";
#else
static const char baseline[] = "generic";
#endif

// Keeps the first error.
static void keep_error(void *user_data, XcSeverity severity, XcPlace place,
                       const char *message) {
  xc_text *text = user_data;
  (void)place;
  if (severity == XcSeverityError && !text->length)
    xc_text_puts(text, message);
}

static void set_object(XcXModelSubgraph *subgraph, const XcCpuCode *code) {
  const XcCpuFunction *function = xcCpuCodeGetFunction(code, 0);
  XcXModelObject object = {.symbol = function->symbol,
                           .triple = xcCpuCodeGetTriple(code),
                           .cpu = xcCpuCodeGetCpu(code),
                           .features = xcCpuCodeGetFeatures(code),
                           .arenaSize = (uint64_t)function->arenaBytes};
  object.code = xcCpuCodeGetObject(code, &object.codeSize);
  object.params = xcCpuCodeGetParams(code, &object.paramsSize);
  xcXModelSubgraphAddObject(subgraph, &object);
}

// A context of its own keeps what cannot be compiled from the caller's errors.
static XcCpuCode *compile(XcDiag *diag, MlirContext context, const void *data,
                          size_t size, const XcCpuOptions *options) {
  MlirModule module = mlirModuleCreateParse(
      context, mlirStringRefCreate((const char *)data, size));
  if (mlirModuleIsNull(module))
    return NULL;
  XcCpuCode *code = xcCpuCompile(diag, module, options);
  mlirModuleDestroy(module);
  return code;
}

/// A part, the processor it is compiled for, and its code or why it has none.
typedef struct object {
  XcXModelSubgraph *subgraph;
  const char *kernels;
  bool is_of_board; // kept where the subgraph has all others
  xc_text cpu;
  XcCpuCode *code;
  xc_text error;
} object;

static const void *find_portable(const XcXModelSubgraph *subgraph,
                                 size_t *size) {
  return xcXModelAttrsGetBytes(xcXModelSubgraphGetAttrs(subgraph),
                               XC_MIXED_PORTABLE, size);
}

// Contexts share nothing, so that every object may have a thread.
static void compile_object(void *objects, uint32_t index) {
  object *o = (object *)objects + index;
  const XcCpuOptions options = {.cpu = xc_text_str(&o->cpu),
                                .kernels = o->kernels};
  size_t size;
  const void *data = find_portable(o->subgraph, &size);
  MlirContext context = xc_context_create(false);
  XcDiag diag = {keep_error, &o->error, 0};
  xc_diagnostic_bridge bridge = {.hide_notes = true};
  xc_bridge_attach(&bridge, context, &diag);
  o->code = compile(&diag, context, data, size, &options);
  xc_bridge_detach(&bridge);
  mlirContextDestroy(context);
  if (o->code && xcCpuCodeGetNumFunctions(o->code) != 1) {
    xcCpuCodeDestroy(o->code);
    o->code = NULL;
  }
}

static bool keep_object(const object *o, xc_text *log) {
  const char *name = xcXModelSubgraphGetName(o->subgraph);
  if (!o->code) {
    xc_text_printf(log, "%s: portable only: %s\n", name,
                   xc_text_str(&o->error));
    return false;
  }
  size_t size;
  set_object(o->subgraph, o->code);
  xcCpuCodeGetObject(o->code, &size);
  xc_text_printf(log, "%s: %zu bytes of code for %s\n", name, size,
                 xcCpuCodeGetCpu(o->code));
  return true;
}

//===----------------------------------------------------------------------===//
// Lists of processors: "cortex-a53,x86-64-v3"
//===----------------------------------------------------------------------===//

static bool compiles(const char *cpu) {
  return !cpu || strcmp(cpu, "none") != 0;
}

// Returns false at the end of the list. An empty name is one, too.
static bool next_cpu(const char **list, xc_text *name) {
  if (!*list)
    return false;
  size_t length = strcspn(*list, ",");
  xc_text_free(name);
  xc_text_append(name, *list, length);
  *list = (*list)[length] ? *list + length + 1 : NULL;
  return true;
}

bool xc_driver_check_cpu(XcDiag *diag, const char *cpu) {
  if (!cpu || !compiles(cpu))
    return true;
  xc_text name = {0};
  bool ok = true;
  while (ok && next_cpu(&cpu, &name))
    ok = xc_cpu_check(diag, xc_text_str(&name), false);
  xc_text_free(&name);
  return ok;
}

//===----------------------------------------------------------------------===//
// All parts
//===----------------------------------------------------------------------===//

static bool is_for_cpu(const XcXModelSubgraph *subgraph) {
  const char *device =
      xcXModelAttrsGetString(xcXModelSubgraphGetAttrs(subgraph), "device");
  return device && strcmp(device, "CPU") == 0;
}

// Others are operators of the board's runtime.
static bool needs_plugin(const XcXModel *model,
                         const XcXModelSubgraph *subgraph) {
  for (size_t i = 0; i < xcXModelSubgraphGetNumOps(subgraph); ++i) {
    const XcXModelOp *op =
        xcXModelFindOp(model, xcXModelSubgraphGetOp(subgraph, i));
    if (op && strcmp(xcXModelOpGetType(op), XC_MIXED_CPU_TYPE) == 0)
      return true;
  }
  return false;
}

typedef struct object_list {
  object *items;
  size_t count, capacity;
} object_list;

static object *append_object(object_list *list, XcXModelSubgraph *subgraph,
                             const char *kernels) {
  void *all = list->items;
  xc_grow(&all, &list->capacity, list->count + 1, sizeof(*list->items));
  list->items = all;
  list->items[list->count] = (object){.subgraph = subgraph, .kernels = kernels};
  return &list->items[list->count++];
}

static void list_objects(object_list *list, const XcXModel *model,
                         const char *cpu, const XcDpuTarget *target,
                         const char *kernels) {
  XcXModelSubgraph *root = xcXModelGetRoot(model);
  for (size_t i = 0; i < xcXModelSubgraphGetNumChildren(root); ++i) {
    XcXModelSubgraph *child = xcXModelSubgraphGetChild(root, i);
    size_t size;
    if (!is_for_cpu(child) || !find_portable(child, &size))
      continue;
    const char *rest = cpu ? cpu : baseline;
    xc_text name = {0};
    for (; next_cpu(&rest, &name); name = (xc_text){0})
      append_object(list, child, kernels)->cpu = name;
    if (cpu || !target->hostCpu || !needs_plugin(model, child))
      continue;
    object *of_board = append_object(list, child, kernels);
    of_board->is_of_board = true;
    xc_text_puts(&of_board->cpu, target->hostCpu);
  }
}

static void keep_objects(const object_list *list, xc_text *log) {
  bool ok = true;
  for (size_t i = 0; i < list->count; ++i) {
    const object *o = &list->items[i];
    if (i == 0 || o->subgraph != o[-1].subgraph)
      ok = true;
    if (ok || !o->is_of_board)
      ok &= keep_object(o, log);
  }
}

void xc_driver_add_objects(XcXModel *model, const char *cpu,
                           const XcDpuTarget *target, const char *kernels,
                           xc_text *log) {
  if (!compiles(cpu))
    return;
  object_list list = {0};
  list_objects(&list, model, cpu, target, kernels);
  xc_threads *threads = list.count > 1 ? xc_threads_create(0) : NULL;
  xc_threads_for(threads, (uint32_t)list.count, compile_object, list.items);
  xc_threads_destroy(threads);
  keep_objects(&list, log);
  for (size_t i = 0; i < list.count; ++i) {
    xcCpuCodeDestroy(list.items[i].code);
    xc_text_free(&list.items[i].cpu);
    xc_text_free(&list.items[i].error);
  }
  free(list.items);
}
