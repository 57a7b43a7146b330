//===- Compile.c - object code --------------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CPU.h"

#include "Support/Diag.h"

#include "llvm-c/Core.h"

#include <stdlib.h>
#include <string.h>

static bool emit_object(XcDiag *diag, LLVMModuleRef module, XcCpuCode *code) {
  char *message = NULL;
  if (!LLVMTargetMachineEmitToMemoryBuffer(code->target.machine, module,
                                           LLVMObjectFile, &message,
                                           &code->object))
    return true;
  xc_file_error(diag, NULL, "%s", message);
  LLVMDisposeMessage(message);
  return false;
}

static bool compile(XcDiag *diag, MlirOperation module,
                    const XcCpuOptions *options, XcCpuCode *code) {
  if (!xc_cpu_target_create(diag, options->cpu, &code->target))
    return false;
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef llvm;
  bool ok = xc_cpu_make_llvm(diag, module, options, &code->target, context,
                             code, &llvm);
  if (ok) {
    ok = emit_object(diag, llvm, code);
    LLVMDisposeModule(llvm);
  }
  LLVMContextDispose(context);
  return ok;
}

XcCpuCode *xcCpuCompile(XcDiag *diag, MlirModule module,
                        const XcCpuOptions *options) {
  static const XcCpuOptions defaults = {0};
  XcCpuCode *code = xc_alloc(sizeof(*code));
  if (compile(diag, mlirModuleGetOperation(module),
              options ? options : &defaults, code))
    return code;
  xcCpuCodeDestroy(code);
  return NULL;
}

void xcCpuCodeDestroy(XcCpuCode *code) {
  if (!code)
    return;
  if (code->object)
    LLVMDisposeMemoryBuffer(code->object);
  xc_cpu_target_free(&code->target);
  free(code->params);
  xc_arena_free(&code->arena);
  free(code);
}

size_t xcCpuCodeGetNumFunctions(const XcCpuCode *code) {
  return code->num_functions;
}

const XcCpuFunction *xcCpuCodeGetFunction(const XcCpuCode *code, size_t index) {
  return &code->functions[index];
}

const XcCpuFunction *xcCpuCodeFindFunction(const XcCpuCode *code,
                                           const char *name) {
  for (size_t i = 0; i < code->num_functions; ++i)
    if (strcmp(code->functions[i].name, name) == 0)
      return &code->functions[i];
  return NULL;
}

const void *xcCpuCodeGetObject(const XcCpuCode *code, size_t *size) {
  *size = LLVMGetBufferSize(code->object);
  return LLVMGetBufferStart(code->object);
}

const void *xcCpuCodeGetParams(const XcCpuCode *code, size_t *size) {
  *size = code->params_size;
  return code->params;
}

const char *xcCpuCodeGetParamsSymbol(const XcCpuCode *code) {
  return code->params_symbol;
}

const char *xcCpuCodeGetTriple(const XcCpuCode *code) {
  return code->target.triple;
}
const char *xcCpuCodeGetCpu(const XcCpuCode *code) { return code->target.cpu; }
const char *xcCpuCodeGetFeatures(const XcCpuCode *code) {
  return code->target.features;
}
