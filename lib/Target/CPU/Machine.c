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
#include <threads.h>

static char *copy(const char *string) { return LLVMCreateMessage(string); }

// A name that several triples have, such as generic, is that of this machine,
// whose row comes first.
static const struct processor {
  const char *name, *triple;  // null: this machine's
  const char *cpu, *features; // null: the name, none
} processors[] = {
#include "CpuNames.inc"
};

static bool is_native(const char *cpu) {
  return !cpu || strcmp(cpu, "native") == 0;
}

// LLVM itself goes on without a word that a caller could catch.
static const struct processor *find_processor(XcDiag *diag, const char *cpu) {
  xc_near_miss miss = xc_near_miss_begin(cpu, strlen(cpu));
  for (size_t i = 0; i < sizeof(processors) / sizeof(*processors); ++i) {
    if (strcmp(processors[i].name, cpu) == 0)
      return &processors[i];
    xc_near_miss_offer(&miss, processors[i].name);
  }
  const char *near = xc_near_miss_get(&miss);
  if (near)
    xc_file_error(diag, NULL,
                  "'%s' is not a processor that LLVM knows; did you mean '%s'?",
                  cpu, near);
  else
    xc_file_error(diag, NULL,
                  "'%s' is not a processor that LLVM knows; others are native, "
                  "generic, x86-64-v3, cortex-a53",
                  cpu);
  return NULL;
}

bool xc_cpu_check(XcDiag *diag, const char *cpu, bool runs_here) {
  if (is_native(cpu))
    return true;
  const struct processor *found = find_processor(diag, cpu);
  return found &&
         (!found->triple || !runs_here ||
          xc_file_error(diag, NULL,
                        "code for '%s' does not run on this machine: it is "
                        "for %s",
                        cpu, found->triple));
}

// LLVM's tables of back ends are those of all threads. They are complete before
// anything reads them, which takes a millisecond.
static once_flag targets_initialized = ONCE_FLAG_INIT;
static bool has_native_target;

static void initialize_targets(void) {
  has_native_target = !LLVMInitializeNativeTarget() &&
                      !LLVMInitializeNativeAsmPrinter() &&
                      !LLVMInitializeNativeAsmParser();
  LLVMInitializeAllTargetInfos();
  LLVMInitializeAllTargets();
  LLVMInitializeAllTargetMCs();
  LLVMInitializeAllAsmPrinters();
  LLVMInitializeAllAsmParsers();
}

// Names of processors of another machine stand for its triple.
static bool choose_triple(XcDiag *diag, const char *cpu,
                          xc_cpu_target *target) {
  const struct processor *found =
      is_native(cpu) ? NULL : find_processor(diag, cpu);
  target->triple = found && found->triple ? copy(found->triple)
                                          : LLVMGetDefaultTargetTriple();
  if (found && found->cpu) {
    LLVMDisposeMessage(target->cpu);
    LLVMDisposeMessage(target->features);
    target->cpu = copy(found->cpu);
    target->features = copy(found->features);
  }
  return is_native(cpu) || found;
}

bool xc_cpu_target_create(XcDiag *diag, const char *cpu,
                          xc_cpu_target *target) {
  *target = (xc_cpu_target){0};
  call_once(&targets_initialized, initialize_targets);
  if (!has_native_target)
    return xc_file_error(diag, NULL, "LLVM has no back end for this machine");
  bool native = is_native(cpu);
  target->cpu = native ? LLVMGetHostCPUName() : copy(cpu);
  target->features = native ? LLVMGetHostCPUFeatures() : copy("");
  if (!choose_triple(diag, cpu, target))
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
