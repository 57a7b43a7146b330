//===- Interpreter.c - an interpreter with fast kernels -------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"
#include "Conv.h"
#include "Elementwise.h"
#include "Loops.h"

#include "Interpreter/Kernel.h"

// The same bits as the interpreter's own, in less time.
static bool convolve(xc_kernel_call *call) {
  return xc_calibrate_convolve(xc_calibrate_select(), call);
}

static bool convolve_fix(xc_kernel_call *call) {
  return xc_calibrate_convolve_fix(xc_calibrate_select(), call);
}

XcInterpreter *xc_quantize_interpreter(MlirOperation function) {
  XcInterpreter *interpreter = xcInterpreterCreate(function);
  if (interpreter) {
    xc_interpreter_replace(interpreter, xc_interpret_conv, convolve);
    xc_interpreter_replace(interpreter, xc_interpret_conv_fix, convolve_fix);
    xc_calibrate_replace_elementwise(interpreter);
  }
  return interpreter;
}
