//===- CPU.h - models as machine code of the host -----------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles the functions of a module and calls them, in this process or, from
// the object file, in any other:
//
//   XcCpuCode *code = xcCpuCompile(&diag, module, NULL);
//   XcCpuProgram *program = xcCpuProgramCreate(&diag, object, size);
//   XcCpuEntry entry = xcCpuProgramGetEntry(&diag, program, function->symbol);
//   int32_t status = entry(inputs, outputs, arena, params);
//
// A function is a plain C function. It allocates nothing, keeps nothing
// between calls, and may run on several threads at once with different arenas.
// Buffers are dense, row-major, in host byte order; i1 is a byte of 0 or 1.
//
//===----------------------------------------------------------------------===//

#ifndef XC_C_CPU_H
#define XC_C_CPU_H

#include "xc-c/Support.h"

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How arena and parameters must be aligned. Inputs and outputs need the
/// alignment of their elements only.
enum { XC_CPU_ALIGNMENT = 64 };

/// A compiled function. `inputs` and `outputs` hold one pointer each, in the
/// order of the model; no output overlaps another buffer. `arena` holds the
/// intermediate tensors during the call and `params` the constants, which are
/// only read. Returns XcCpuStatusOk, or what was wrong with the data.
typedef int32_t (*XcCpuEntry)(const void *const *inputs, void *const *outputs,
                              void *arena, const void *params);

typedef enum XcCpuStatus {
  XcCpuStatusOk = 0,
  XcCpuStatusDivideByZero = 1, ///< an integer was divided by zero
  XcCpuStatusIndexOutside = 2, ///< a gather index was outside of its dimension
} XcCpuStatus;

/// A function of an object file, as its callers need it.
typedef struct XcCpuFunction {
  const char *name;   ///< in the module
  const char *symbol; ///< in the object file
  size_t numInputs, numOutputs;
  const int64_t *inputBytes, *outputBytes;
  /// For people: "'data' 1x224x224x3xf32".
  const char *const *inputNotes, *const *outputNotes;
  int64_t arenaBytes, paramsBytes;
} XcCpuFunction;

typedef struct XcCpuOptions {
  /// "native" (or null): the processor of this machine. Else a name that LLVM
  /// knows: "x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4", "cortex-a53", ...
  const char *cpu;
  /// Threads that one call may use, at most XC_MAX_THREADS; 0 counts as 1.
  unsigned threads;
  /// Puts the parameters into the object too, as the symbol of
  /// xcCpuCodeGetParamsSymbol.
  bool embedParams;
  /// A kernel library (docs/own-kernels.md), or null. The code calls its
  /// functions, which must be linked to it.
  const char *kernels;
} XcCpuOptions;

/// Object code of a module.
typedef struct XcCpuCode XcCpuCode;

/// Compiles the public functions of a module of tir (on tensors or buffers), or
/// mtir. The module is not changed. `options` may be null. Returns null after a
/// diagnostic: about operations through their context, else to `diag`. The
/// caller destroys the code.
XC_EXPORTED XcCpuCode *xcCpuCompile(XcDiag *diag, MlirModule module,
                                    const XcCpuOptions *options);
/// Null is fine.
XC_EXPORTED void xcCpuCodeDestroy(XcCpuCode *code);

XC_EXPORTED size_t xcCpuCodeGetNumFunctions(const XcCpuCode *code);
XC_EXPORTED const XcCpuFunction *xcCpuCodeGetFunction(const XcCpuCode *code,
                                                      size_t index);
/// Returns the function with this name in the module, or null.
XC_EXPORTED const XcCpuFunction *xcCpuCodeFindFunction(const XcCpuCode *code,
                                                       const char *name);
/// Returns a relocatable object file of position-independent code. Borrowed, as
/// all that follows.
XC_EXPORTED const void *xcCpuCodeGetObject(const XcCpuCode *code, size_t *size);
/// Returns the parameters that all functions share; null when there are none.
/// Aligned to XC_CPU_ALIGNMENT.
XC_EXPORTED const void *xcCpuCodeGetParams(const XcCpuCode *code, size_t *size);
/// Returns the symbol of parameters in the object: that of the first function
/// with "_params" after it.
XC_EXPORTED const char *xcCpuCodeGetParamsSymbol(const XcCpuCode *code);
/// The target the object was made for.
XC_EXPORTED const char *xcCpuCodeGetTriple(const XcCpuCode *code);
XC_EXPORTED const char *xcCpuCodeGetCpu(const XcCpuCode *code);
/// "+avx2,+fma,..."; empty where `cpu` says everything.
XC_EXPORTED const char *xcCpuCodeGetFeatures(const XcCpuCode *code);

/// Returns a C header (C99, also C++) that declares the functions, the sizes of
/// their buffers and, where they are embedded, the parameters. The caller frees
/// it with free().
XC_EXPORTED char *xcCpuCodePrintHeader(const XcCpuCode *code);

/// Links a shared library by the C compiler of the system: `$CC`, or `cc`.
/// Returns false after a diagnostic; there is no file then.
XC_EXPORTED bool xcCpuCodeWriteSharedLibrary(XcDiag *diag,
                                             const XcCpuCode *code,
                                             const char *path);

/// An object file in this process.
typedef struct XcCpuProgram XcCpuProgram;

/// A function that code calls by its name.
typedef struct XcCpuSymbol {
  const char *name;
  void (*function)(void);
} XcCpuSymbol;

/// Links an object file, which is copied. Returns null after a diagnostic. The
/// caller destroys the program when its functions are no longer called.
XC_EXPORTED XcCpuProgram *xcCpuProgramCreate(XcDiag *diag, const void *object,
                                             size_t size);
/// Links an object file whose code calls functions of the caller by name.
XC_EXPORTED XcCpuProgram *
xcCpuProgramCreateWithSymbols(XcDiag *diag, const void *object, size_t size,
                              const XcCpuSymbol *symbols, size_t numSymbols);
/// Null is fine.
XC_EXPORTED void xcCpuProgramDestroy(XcCpuProgram *program);
/// Returns the function of a symbol; null after a diagnostic.
XC_EXPORTED XcCpuEntry xcCpuProgramGetEntry(XcDiag *diag, XcCpuProgram *program,
                                            const char *symbol);

#ifdef __cplusplus
}
#endif

#endif // XC_C_CPU_H
