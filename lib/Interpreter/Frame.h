//===- Frame.h - a run that is under way --------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For callers that run a function step by step and look at its values, or
// change its constants, in between. Several frames of one interpreter may be
// open.
//
//===----------------------------------------------------------------------===//

#ifndef XC_INTERPRETER_FRAME_H
#define XC_INTERPRETER_FRAME_H

#include "Plan.h"
#include "xc-c/Interpreter.h"

/// One execution of a function: the content of its slots.
typedef struct xc_frame {
  XcInterpreter *interpreter;
  const xc_plan *plan;
  void **data; // by slot; null before the first use and after the last one
} xc_frame;

/// That of the interpreter's function.
const xc_plan *xc_interpreter_plan(const XcInterpreter *interpreter);

/// Returns a run of the interpreter's function; the arguments live until the
/// end.
xc_frame xc_frame_open(XcInterpreter *interpreter, void *const *arguments);
/// Executes one step, which all steps before it have prepared, and frees what
/// is not needed any more.
bool xc_frame_step(xc_frame *f, size_t step);
/// Copies the results, after the last step.
void xc_frame_results(const xc_frame *f, void *const *results);
void xc_frame_close(xc_frame *f);

#endif // XC_INTERPRETER_FRAME_H
