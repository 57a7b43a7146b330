//===- Objects.c - machine code for the CPU parts of an xmodel ------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Objects.h"

#include "IRReader/IRReader.h"
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

static bool add_object(MlirContext context, XcXModelSubgraph *subgraph,
                       const XcCpuOptions *options, xc_text *log) {
  size_t size;
  const void *data = xcXModelAttrsGetBytes(xcXModelSubgraphGetAttrs(subgraph),
                                           XC_MIXED_PORTABLE, &size);
  if (!data)
    return false;
  xc_text error = {0};
  XcDiag diag = {keep_error, &error, 0};
  xc_diagnostic_bridge bridge = {.hide_notes = true};
  xc_bridge_attach(&bridge, context, &diag);
  XcCpuCode *code = compile(&diag, context, data, size, options);
  xc_bridge_detach(&bridge);
  const char *name = xcXModelSubgraphGetName(subgraph);
  bool ok = code && xcCpuCodeGetNumFunctions(code) == 1;
  if (ok) {
    set_object(subgraph, code);
    xcCpuCodeGetObject(code, &size);
    xc_text_printf(log, "%s: %zu bytes of code for %s\n", name, size,
                   xcCpuCodeGetCpu(code));
  } else {
    xc_text_printf(log, "%s: portable only: %s\n", name, xc_text_str(&error));
  }
  xcCpuCodeDestroy(code);
  xc_text_free(&error);
  return ok;
}

//===----------------------------------------------------------------------===//
// Lists of processors: "cortex-a53,x86-64-v3"
//===----------------------------------------------------------------------===//

static bool compiles(const char *cpu) {
  return !cpu || strcmp(cpu, "none") != 0;
}

// False at the end of the list. An empty name is one, too.
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

/// Whether there is code for all of the list.
static bool add_objects(MlirContext context, XcXModelSubgraph *subgraph,
                        const char *list, const char *kernels, xc_text *log) {
  xc_text name = {0};
  bool ok = true;
  while (next_cpu(&list, &name)) {
    const XcCpuOptions options = {.cpu = xc_text_str(&name),
                                  .kernels = kernels};
    ok &= add_object(context, subgraph, &options, log);
  }
  xc_text_free(&name);
  return ok;
}

void xc_driver_add_objects(XcXModel *model, const char *cpu,
                           const XcDpuTarget *target, const char *kernels,
                           xc_text *log) {
  if (!compiles(cpu))
    return;
  XcXModelSubgraph *root = xcXModelGetRoot(model);
  MlirContext context = xc_context_create(false);
  for (size_t i = 0; i < xcXModelSubgraphGetNumChildren(root); ++i) {
    XcXModelSubgraph *child = xcXModelSubgraphGetChild(root, i);
    if (!is_for_cpu(child))
      continue;
    bool ok = add_objects(context, child, cpu ? cpu : baseline, kernels, log);
    if (ok && !cpu && target->hostCpu && needs_plugin(model, child))
      add_objects(context, child, target->hostCpu, kernels, log);
  }
  mlirContextDestroy(context);
}
