//===- Conv.h - what the convolution kernels share ----------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_INTERPRETER_CONV_H
#define XC_INTERPRETER_CONV_H

#include "Kernel.h"
#include "OpParams/Window.h"

/// Receives the exact sum of products of one output element: its index and
/// its channel.
typedef void (*xc_sum_handler)(void *state, int64_t at, int64_t channel,
                               int64_t sum);

/// Convolves integers: operand 0 with operand 1, both already without their
/// zero points. The operator's kind says which convolution it is.
void xc_convolve_ints(xc_kernel_call *call, const int32_t *input,
                      const int32_t *weight, xc_sum_handler finish,
                      void *state);

/// Multiplies integer matrices the same way: operand 0 times operand 1 with
/// transpose_a and transpose_b.
void xc_matmul_ints(xc_kernel_call *call, const int32_t *a, const int32_t *b,
                    xc_sum_handler finish, void *state);

#endif // XC_INTERPRETER_CONV_H
