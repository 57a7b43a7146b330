//===- Program.c - object files in this process ---------------------------===//
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
#include "llvm-c/LLJIT.h"
#include "llvm-c/Target.h"

#include <stdlib.h>
#include <string.h>

struct XcCpuProgram {
  LLVMOrcLLJITRef jit;
  xc_text missing; // what LLVM says about symbols
};

// Returns true without an error; else reports it.
static bool succeeded(XcDiag *diag, LLVMErrorRef error) {
  if (!error)
    return true;
  char *message = LLVMGetErrorMessage(error);
  xc_file_error(diag, NULL, "the object file cannot be linked: %.*s",
                (int)strcspn(message, "\n"), message);
  LLVMDisposeErrorMessage(message);
  return false;
}

// LLVM prints the names of symbols that nothing has, and returns another error.
static void keep_missing(void *user_data, LLVMErrorRef error) {
  XcCpuProgram *program = user_data;
  char *message = LLVMGetErrorMessage(error);
  xc_text_free(&program->missing);
  xc_text_puts(&program->missing, message);
  LLVMDisposeErrorMessage(message);
}

// Code may call the C library and whatever this process has besides.
static bool add_process_symbols(XcDiag *diag, LLVMOrcLLJITRef jit) {
  LLVMOrcDefinitionGeneratorRef generator;
  if (!succeeded(diag,
                 LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(
                     &generator, LLVMOrcLLJITGetGlobalPrefix(jit), NULL, NULL)))
    return false;
  LLVMOrcJITDylibAddGenerator(LLVMOrcLLJITGetMainJITDylib(jit), generator);
  return true;
}

bool xc_cpu_uses_openmp(const void *object, size_t size) {
  static const char symbol[] = "__kmpc_fork_call";
  const char *at = object, *end = at + size;
  while ((at = memchr(at, symbol[0], (size_t)(end - at)))) {
    if ((size_t)(end - at) < sizeof(symbol))
      return false;
    if (memcmp(at, symbol, sizeof(symbol)) == 0)
      return true;
    ++at;
  }
  return false;
}

// Code for several threads calls LLVM's OpenMP library.
static bool add_openmp(XcDiag *diag, LLVMOrcLLJITRef jit) {
  LLVMOrcDefinitionGeneratorRef generator;
  LLVMErrorRef error = LLVMOrcCreateDynamicLibrarySearchGeneratorForPath(
      &generator, XC_CPU_OPENMP_LIBRARY, LLVMOrcLLJITGetGlobalPrefix(jit), NULL,
      NULL);
  if (error) {
    LLVMConsumeError(error);
    return xc_file_error(diag, NULL,
                         "code for several threads needs the library "
                         "'" XC_CPU_OPENMP_LIBRARY "', which cannot be loaded");
  }
  LLVMOrcJITDylibAddGenerator(LLVMOrcLLJITGetMainJITDylib(jit), generator);
  return true;
}

static bool add_symbols(XcDiag *diag, LLVMOrcLLJITRef jit,
                        const XcCpuSymbol *symbols, size_t count) {
  if (count == 0)
    return true;
  LLVMOrcCSymbolMapPair *pairs = xc_alloc_array(count, sizeof(*pairs));
  for (size_t i = 0; i < count; ++i) {
    uintptr_t address;
    memcpy(&address, &symbols[i].function, sizeof(address));
    pairs[i] = (LLVMOrcCSymbolMapPair){
        LLVMOrcLLJITMangleAndIntern(jit, symbols[i].name),
        {address,
         {LLVMJITSymbolGenericFlagsExported | LLVMJITSymbolGenericFlagsCallable,
          0}}};
  }
  LLVMErrorRef error = LLVMOrcJITDylibDefine(
      LLVMOrcLLJITGetMainJITDylib(jit), LLVMOrcAbsoluteSymbols(pairs, count));
  free(pairs);
  return succeeded(diag, error);
}

static bool link_object(XcDiag *diag, XcCpuProgram *program, const void *object,
                        size_t size) {
  if (LLVMInitializeNativeTarget() || LLVMInitializeNativeAsmPrinter())
    return xc_file_error(diag, NULL, "LLVM has no back end for this machine");
  if (!succeeded(diag, LLVMOrcCreateLLJIT(&program->jit, NULL)))
    return false;
  LLVMOrcExecutionSessionSetErrorReporter(
      LLVMOrcLLJITGetExecutionSession(program->jit), keep_missing, program);
  if (!add_process_symbols(diag, program->jit) ||
      (xc_cpu_uses_openmp(object, size) && !add_openmp(diag, program->jit)))
    return false;
  LLVMMemoryBufferRef buffer =
      LLVMCreateMemoryBufferWithMemoryRangeCopy(object, size, "model");
  return succeeded(
      diag, LLVMOrcLLJITAddObjectFile(program->jit,
                                      LLVMOrcLLJITGetMainJITDylib(program->jit),
                                      buffer));
}

XcCpuProgram *xcCpuProgramCreate(XcDiag *diag, const void *object,
                                 size_t size) {
  return xcCpuProgramCreateWithSymbols(diag, object, size, NULL, 0);
}

XcCpuProgram *xcCpuProgramCreateWithSymbols(XcDiag *diag, const void *object,
                                            size_t size,
                                            const XcCpuSymbol *symbols,
                                            size_t count) {
  XcCpuProgram *program = xc_alloc(sizeof(*program));
  if (link_object(diag, program, object, size) &&
      add_symbols(diag, program->jit, symbols, count))
    return program;
  xcCpuProgramDestroy(program);
  return NULL;
}

void xcCpuProgramDestroy(XcCpuProgram *program) {
  if (!program)
    return;
  if (program->jit)
    LLVMConsumeError(LLVMOrcDisposeLLJIT(program->jit));
  xc_text_free(&program->missing);
  free(program);
}

XcCpuEntry xcCpuProgramGetEntry(XcDiag *diag, XcCpuProgram *program,
                                const char *symbol) {
  LLVMOrcExecutorAddress address = 0;
  LLVMErrorRef error = LLVMOrcLLJITLookup(program->jit, &address, symbol);
  if (error && program->missing.length) {
    LLVMConsumeError(error);
    xc_file_error(diag, NULL, "the object file cannot be linked: %s",
                  xc_text_str(&program->missing));
    return NULL;
  }
  if (!succeeded(diag, error))
    return NULL;
  XcCpuEntry entry;
  uintptr_t pointer = (uintptr_t)address;
  memcpy(&entry, &pointer, sizeof(entry));
  return entry;
}
