//===- Elementwise.h - fast operators on single elements ----------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_QUANTIZE_FASTKERNELS_ELEMENTWISE_H
#define XC_TRANSFORMS_QUANTIZE_FASTKERNELS_ELEMENTWISE_H

#include "Interpreter/Kernel.h"

/// Has operators computed in loops without a choice in them, with the bits of
/// the interpreter's kernels: ReLU, ReLU6 and sigmoid of f32, sums and products
/// of two tensors of f32, of which one may have the last dimension only, f32 to
/// i8 and back, the largest of windows of f32, and sums of tensors of i8 of one
/// shape. Others are left to those kernels.
void xc_calibrate_replace_elementwise(XcInterpreter *interpreter);

#endif // XC_TRANSFORMS_QUANTIZE_FASTKERNELS_ELEMENTWISE_H
