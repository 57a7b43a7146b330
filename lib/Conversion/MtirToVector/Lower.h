//===- Lower.h - operators that become vector code ------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_CONVERSION_MTIRTOVECTOR_LOWER_H
#define XC_CONVERSION_MTIRTOVECTOR_LOWER_H

#include "Epilogue.h"
#include "Function.h"
#include "Machine.h"

/// The target of all lowerings.
typedef struct xc_vec_target {
  xc_outliner outliner;
  xc_machine machine;
  int threads;
} xc_vec_target;

/// Elementwise operators after a float convolution that it does itself.
typedef struct xc_vec_fusion {
  MlirValue output;   // of the last one
  MlirValue residual; // another operand, or null
  xc_epilogue epilogue;
  MlirOperation fused[XC_EPILOGUE_MAX_STEPS]; // the operators of its steps
  MlirOperation place;                        // the last of all
} xc_vec_fusion;

/// Finds them. With none, `output` is the operation's own.
xc_vec_fusion xc_vec_find_fusion(MlirOperation operation);

/// Builds a call in front of fusion->place that computes an operation and what
/// is fused; false when it is left.
bool xc_vec_lower_conv(xc_vec_target *target, MlirOperation operation,
                       const xc_vec_fusion *fusion);

#endif // XC_CONVERSION_MTIRTOVECTOR_LOWER_H
