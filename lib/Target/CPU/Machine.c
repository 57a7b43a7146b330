//===- Machine.c - processors to compile for ------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CPU.h"

#include "Support/Diag.h"
#include "Support/Text.h"

#include "llvm-c/Core.h"
#include "llvm-c/Target.h"

#include <string.h>

static char *copy(const char *string) { return LLVMCreateMessage(string); }

// LLVM itself goes on without a word that a caller could catch.
static bool check_name(XcDiag *diag, const char *cpu, const char *triple) {
  static const char *const names[] = {
#include "CpuNames.inc"
  };
  xc_near_miss miss = xc_near_miss_begin(cpu, strlen(cpu));
  for (size_t i = 0; i < sizeof(names) / sizeof(*names); ++i) {
    if (strcmp(names[i], cpu) == 0)
      return true;
    xc_near_miss_offer(&miss, names[i]);
  }
  const char *near = xc_near_miss_get(&miss);
  return xc_file_error(
      diag, NULL, "'%s' is no processor that LLVM knows for %.*s%s%s%s", cpu,
      (int)strcspn(triple, "-"), triple, near ? "; did you mean '" : "",
      near ? near : "", near ? "'?" : "");
}

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
  if (!native && !check_name(diag, cpu, target->triple))
    return false;
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
