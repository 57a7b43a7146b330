//===- Conv.h - a fast convolution of floats ------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_QUANTIZE_FASTKERNELS_CONV_H
#define XC_TRANSFORMS_QUANTIZE_FASTKERNELS_CONV_H

#include "Interpreter/Kernel.h"
#include "Loops.h"

/// Computes what xc_interpret_conv does, bit for bit: each sum has the same
/// terms in the same order. Takes that kernel itself where it cannot promise
/// this: for elements other than f32, and for weights that are not finite.
bool xc_calibrate_convolve(const xc_calibrate_loops *loops,
                           xc_kernel_call *call);

/// Computes convolutions in fixed point in the same way.
bool xc_calibrate_convolve_fix(const xc_calibrate_loops *loops,
                               xc_kernel_call *call);

#endif // XC_TRANSFORMS_QUANTIZE_FASTKERNELS_CONV_H
