//===- OwnPoints.h - models that bring fix points of their own ----*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_DRIVER_OWNPOINTS_H
#define XC_DRIVER_OWNPOINTS_H

#include "Driver.h"

/// How the operators of a model are quantised already.
typedef struct xc_own_points {
  bool has_fixed;    // at fix points
  bool has_moved;    // integers that are moved, at any scale
  bool has_boundary; // conversions to fix points and back
  bool has_scaled;   // with scales of any size
  /// Convolutions and products, and those of them whose tensors are not all of
  /// signed bytes.
  size_t num_working, num_misfits;
} xc_own_points;

xc_own_points xc_driver_own_points(MlirModule module);
/// Notes what samples do not change in a model with fix points.
void xc_driver_warn_of_own_points(const xc_compilation *c,
                                  const xc_own_points *own);
/// Rounds biases to the fix points that a DPU adds them at.
bool xc_driver_round_biases(xc_compilation *c);
/// Reads the model without its fix points if most of its work is not as a DPU
/// computes and there are samples. Otherwise reports the loss of rounding.
/// Returns false if the model could not be read.
bool xc_driver_drop_own_points(xc_compilation *c,
                               const XcImportOptions *options);
/// Returns text to append to an error if most of the work is not as a DPU
/// computes; otherwise an empty string.
const char *xc_driver_own_points_remedy(const xc_compilation *c);

#endif // XC_DRIVER_OWNPOINTS_H
