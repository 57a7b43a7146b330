//===- Reduce.h - what the reduction kernels share ----------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_INTERPRETER_REDUCE_H
#define XC_INTERPRETER_REDUCE_H

#include "Kernel.h"

/// Walks over operand 0; offset 0 is the result element that each element
/// belongs to by the attribute `axis`. `count` is the number of elements per
/// result.
xc_walk xc_walk_reduction(const xc_kernel_call *call, int64_t *count);

#endif // XC_INTERPRETER_REDUCE_H
