//===- Shifts.h - shifts that differ between channels -------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An INIT instruction sets one shift for all channels that the next instruction
// computes. If the words of the output have different shifts, each run of words
// with the same shifts is computed by itself.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_PLAN_SHIFTS_H
#define XC_TARGET_DPU_CODEGEN_PLAN_SHIFTS_H

#include "xc-c/DPUCodeGen.h"

/// Returns the shifts of a word of the output.
XcDpuShifts xc_word_shifts(const XcDpuLayer *layer, int32_t word);

/// Returns how many words from `first` on, of `words`, share their shifts.
int32_t xc_shift_run(const XcDpuLayer *layer, int32_t first, int32_t words);

/// How many runs `words` words are.
int32_t xc_count_shift_runs(const XcDpuLayer *layer, int32_t words);

/// Requires that the engine has all of them. An engine that adds no bias does
/// not shift it.
void xc_require_shifts(XcDpuRefusal *refusal, const XcDpuTarget *target,
                       const XcDpuLayer *layer, const XcDpuEngine *engine,
                       bool adds_bias);

#endif // XC_TARGET_DPU_CODEGEN_PLAN_SHIFTS_H
