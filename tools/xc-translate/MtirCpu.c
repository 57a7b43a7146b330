//===- MtirCpu.c - translations of mtir to LLVM IR and object code --------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Translations.h"

#include "IRReader/IRReader.h"
#include "Support/Diag.h"
#include "Target/CPU/CPU.h"

#include "llvm-c/Core.h"

static bool write_llvm(XcDiag *diag, MlirOperation module,
                       const XcCpuOptions *options, FILE *output) {
  XcCpuCode *code = xc_alloc(sizeof(*code));
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef llvm;
  bool ok = xc_cpu_target_create(diag, options->cpu, &code->target) &&
            xc_cpu_make_llvm(diag, module, options, &code->target, context,
                             code, &llvm);
  if (ok) {
    char *text = LLVMPrintModuleToString(llvm);
    fputs(text, output);
    LLVMDisposeMessage(text);
    LLVMDisposeModule(llvm);
  }
  LLVMContextDispose(context);
  xcCpuCodeDestroy(code);
  return ok;
}

bool xc_translate_mtir_to_llvmir(XcDiag *diag, const xc_translate_input *input,
                                 const xc_translate_options *options,
                                 FILE *output) {
  MlirContext context = xc_context_create(false);
  xc_diagnostic_bridge bridge = {.input = input};
  xc_bridge_attach(&bridge, context, diag);
  xc_read_options read = {.allow_unregistered =
                              options->allow_unregistered_dialect,
                          .no_implicit_module = options->no_implicit_module};
  MlirOperation module = xc_read_ir(context, diag, input, &read);
  XcCpuOptions cpu = {.cpu = options->mcpu};
  bool ok = !mlirOperationIsNull(module);
  if (ok) {
    ok = write_llvm(diag, module, &cpu, output);
    mlirOperationDestroy(module);
  }
  xc_bridge_detach(&bridge);
  mlirContextDestroy(context);
  return ok;
}
