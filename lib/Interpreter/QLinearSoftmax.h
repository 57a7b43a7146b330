//===- QLinearSoftmax.h - tables of 16-bit softmax ----------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_INTERPRETER_QLINEARSOFTMAX_H
#define XC_INTERPRETER_QLINEARSOFTMAX_H

#include "Quant.h"

enum { XC_SOFTMAX_TABLE_SIZE = 513 };

/// exp on [-10, 0] and 1 / (1 + x) on [0, 1], in the call's arena.
int16_t *xc_softmax_exp_table(xc_kernel_call *call);
int16_t *xc_softmax_inverse_table(xc_kernel_call *call);

#endif // XC_INTERPRETER_QLINEARSOFTMAX_H
