//===- NumInputs.h - which arguments of a function are inputs -----*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_BUFFERIZE_NUMINPUTS_H
#define XC_BUFFERIZE_NUMINPUTS_H

#include "mlir-c/IR.h"

/// How many arguments of a func.func are inputs. Those of a bufferized function
/// stand in front of its outputs: the attribute `input_num` says their number;
/// where it is missing, the last arguments that operators write are outputs.
intptr_t xc_function_num_inputs(MlirOperation func);

/// Returns the buffer that others are subviews and casts of. Buffers in an
/// arena stand for themselves: those that are alive at once do not meet there.
MlirValue xc_whole_buffer(MlirValue buffer);
/// The same for what an operation writes: its last operand.
MlirValue xc_output_root(MlirOperation operation);

#endif // XC_BUFFERIZE_NUMINPUTS_H
