//===- Machine.c - processors to compile for ------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CPU.h"

#include "Support/Diag.h"

#include "llvm-c/Core.h"
#include "llvm-c/Target.h"

#include <string.h>

static char *copy(const char *string) { return LLVMCreateMessage(string); }

bool xc_cpu_target_create(XcDiag *diag, const char *cpu,
                          xc_cpu_target *target) {
  *target = (xc_cpu_target){0};
  if (LLVMInitializeNativeTarget() || LLVMInitializeNativeAsmPrinter() ||
      LLVMInitializeNativeAsmParser())
    return xc_file_error(diag, NULL, "LLVM has no back end for this machine");
  bool native = !cpu || strcmp(cpu, "native") == 0;
  target->triple = LLVMGetDefaultTargetTriple();
  target->cpu = native ? LLVMGetHostCPUName() : copy(cpu);
  target->features = native ? LLVMGetHostCPUFeatures() : copy("");
  LLVMTargetRef found;
  char *message = NULL;
  if (LLVMGetTargetFromTriple(target->triple, &found, &message)) {
    xc_file_error(diag, NULL, "%s", message);
    LLVMDisposeMessage(message);
    return false;
  }
  target->machine = LLVMCreateTargetMachine(
      found, target->triple, target->cpu, target->features,
      LLVMCodeGenLevelDefault, LLVMRelocPIC, LLVMCodeModelDefault);
  return target->machine ||
         xc_file_error(diag, NULL, "LLVM cannot compile for '%s'", target->cpu);
}

void xc_cpu_target_free(xc_cpu_target *target) {
  if (target->machine)
    LLVMDisposeTargetMachine(target->machine);
  LLVMDisposeMessage(target->triple);
  LLVMDisposeMessage(target->cpu);
  LLVMDisposeMessage(target->features);
  *target = (xc_cpu_target){0};
}
