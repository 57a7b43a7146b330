//===- Epilogue.h - elementwise operators after a convolution -----*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A float convolution computes the elementwise operators that follow it while
// the sums are in registers, as a list of steps over numbered values: value 0
// is the sum, value i the result of step i - 1. SiLU is
//
//   sigmoid 0
//   mul 0, 1
//
// One other buffer, the residual, may be an operand.
//
//===----------------------------------------------------------------------===//

#ifndef XC_CONVERSION_MTIRTOVECTOR_EPILOGUE_H
#define XC_CONVERSION_MTIRTOVECTOR_EPILOGUE_H

#include "Conversion/Support/IRBuilder.h"
#include "Support/Text.h"

enum {
  XC_EPILOGUE_MAX_STEPS = 8,
  XC_EPILOGUE_RESIDUAL = -1, // as an operand
  XC_EPILOGUE_NUMBER = -2,   // the step's a
};

typedef struct xc_epilogue_step {
  xc_op_kind kind;
  int operands[2];
  double a, b; // attributes of the operator
} xc_epilogue_step;

typedef struct xc_epilogue {
  xc_epilogue_step steps[XC_EPILOGUE_MAX_STEPS];
  int count;
  /// The residual has the rank of the output, or is one number for each
  /// channel.
  bool residual, residual_of_channels;
} xc_epilogue;

/// Whether a kind can be a step; reads its attributes.
bool xc_epilogue_read_step(const xc_adaptor *op, xc_epilogue_step *step);

/// Returns the last value. `residual` may be null where there is none.
MlirValue xc_epilogue_write(const xc_ir *ir, const xc_epilogue *epilogue,
                            MlirValue sum, MlirValue residual);

/// Returns the cycles for one vector, roughly.
double xc_epilogue_cycles(const xc_epilogue *epilogue);

/// Appends all that the code depends on.
void xc_epilogue_key(const xc_epilogue *epilogue, xc_text *key);

#endif // XC_CONVERSION_MTIRTOVECTOR_EPILOGUE_H
