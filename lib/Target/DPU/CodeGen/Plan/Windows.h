//===- Windows.h - plans of units that read by windows ------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_PLAN_WINDOWS_H
#define XC_TARGET_DPU_CODEGEN_PLAN_WINDOWS_H

#include "Unit.h"

/// Checks kernel, strides and padding at the top and left. A limit of the
/// padding that is negative stands for what the kernel covers.
void xc_windows_check(const XcDpuEngine *engine, const XcDpuLayer *layer,
                      XcDpuRefusal *refusal);

/// Begins a plan with the input and the request of a unit. The engine's own
/// parts of the request are for the caller to set.
void xc_windows_request(const XcDpuTarget *target, const xc_unit *unit,
                        xc_unit_plan *plan);

/// If it helps, turns the planned convolution into one with a kernel of width 1
/// that computes the same, whose input is loaded with kernel columns as
/// channels: those of as many output columns as the unit says.
void xc_augment(const XcDpuTarget *target, const xc_unit *unit,
                xc_unit_plan *plan);

/// Returns the most output columns that a pixel of an augmented input may
/// serve.
int32_t xc_max_augmented_columns(const XcDpuTarget *target,
                                 const XcDpuLayer *layer);

/// Returns the number of bytes of column `x` of an augmented input that lie
/// beyond the end of the row; may be negative.
int32_t xc_augmentation_beyond(const xc_augmentation *augmentation, int32_t x);

/// Returns the number of bytes of the last word of a pixel that it does not
/// fill.
int32_t xc_augmentation_slack(const XcDpuTarget *target, int32_t channels);

/// Finds the tiles of the request.
XcDpuRefusal xc_windows_plan(xc_unit_plan *plan);

#endif // XC_TARGET_DPU_CODEGEN_PLAN_WINDOWS_H
