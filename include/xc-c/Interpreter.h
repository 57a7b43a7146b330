//===- Interpreter.h - the reference interpreter ------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a function of tir (or mtir) operators on the caller's buffers, one
// operator after the other in plain loops. It is the reference semantics that
// compiled code is compared with:
//
//   float       terms are summed in double, rounded once to the element type
//   -fix        exact, rounded once by round_mode (docs/fixed-point.md)
//   qlinear-*   bit for bit as the flavor's reference kernels
//
// Besides tir, mtir and memtx it knows func.call, func.return, memref.alloc and
// memref.dealloc. Functions are single blocks; call xcVerify on the module
// first.
//
//   XcInterpreter *i = xcInterpreterCreate(function);
//   if (i && xcInterpreterRun(i, arguments, results)) ...
//   xcInterpreterDestroy(i);
//
// Errors are MLIR diagnostics at the operation; the call then returns null or
// false. An interpreter may be used by one thread at a time; several
// interpreters may share a module.
//
//===----------------------------------------------------------------------===//

#ifndef XC_C_INTERPRETER_H
#define XC_C_INTERPRETER_H

#include "xc-c/Support.h"

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct XcInterpreter XcInterpreter;

/// Prepares a func.func: reads constants, checks that all operations and
/// called functions are known. The function must outlive the interpreter and
/// not change.
XC_EXPORTED XcInterpreter *xcInterpreterCreate(MlirOperation function);
/// Null is fine.
XC_EXPORTED void xcInterpreterDestroy(XcInterpreter *interpreter);

/// Arguments and results of the function, with their sizes in bytes: dense,
/// row-major, host byte order, i1 as a byte of 0 or 1.
XC_EXPORTED size_t
xcInterpreterGetNumArguments(const XcInterpreter *interpreter);
XC_EXPORTED size_t xcInterpreterGetNumResults(const XcInterpreter *interpreter);
XC_EXPORTED size_t
xcInterpreterGetArgumentSize(const XcInterpreter *interpreter, size_t index);
XC_EXPORTED size_t xcInterpreterGetResultSize(const XcInterpreter *interpreter,
                                              size_t index);

/// Called with every tensor that an operation computes, constants not
/// included, in the order of execution. `value` is the result (for mtir the
/// output buffer) and `operation` what computed it; `data` lives during the
/// call. Returning false ends the run, which then fails without a diagnostic.
typedef bool (*XcInterpreterObserver)(void *userData, MlirOperation operation,
                                      MlirValue value, const void *data,
                                      size_t size);
/// A null observer ends the observation.
XC_EXPORTED void xcInterpreterSetObserver(XcInterpreter *interpreter,
                                          XcInterpreterObserver observer,
                                          void *userData);

/// Computes a tir.custom or mtir.custom operator. Inputs are the operands that
/// are given, in order. False after a diagnostic.
typedef bool (*XcInterpreterCustom)(void *userData, MlirOperation operation,
                                    const void *const *inputs, size_t numInputs,
                                    void *output);
/// Without one, or with null, such operators are errors.
XC_EXPORTED void xcInterpreterSetCustom(XcInterpreter *interpreter,
                                        XcInterpreterCustom custom,
                                        void *userData);

/// Runs the function. Tensor arguments are read only, memref arguments are read
/// and written in place. Tensors are freed after their last use.
XC_EXPORTED bool xcInterpreterRun(XcInterpreter *interpreter,
                                  void *const *arguments, void *const *results);

#ifdef __cplusplus
}
#endif

#endif // XC_C_INTERPRETER_H
