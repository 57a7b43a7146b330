//===- KeepFloat.h - what stays in floating point -----------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_QUANTIZE_KEEPFLOAT_KEEPFLOAT_H
#define XC_TRANSFORMS_QUANTIZE_KEEPFLOAT_KEEPFLOAT_H

#include "Transforms/Quantize/Function/Function.h"

// Keep.c: operators that the option keep-float names.

/// Whether the names in the option keep-float are those of operators; else a
/// diagnostic.
bool xc_quantize_check_kept(const xc_quantizer *q);
/// Whether the user wants the operator in floating point.
bool xc_quantize_is_kept(const xc_quantizer *q, MlirOperation operation);

// Gates.c: functions of the option approximate.

/// Sets `gates`. Returns false after a diagnostic: the option names another
/// function.
bool xc_quantize_read_gates(xc_quantizer *q);
/// Whether the operator computes such a function, or a part of one.
bool xc_quantize_is_gate(const xc_quantizer *q, MlirOperation operation);

// Statistics.c

/// Marks producers of roots of statistics, and operators computed of these, to
/// stay in floating point; if there are any the function has the attribute
/// XC_NAME_STATISTICS.
void xc_quantize_keep_statistics(xc_quantizer *q);

// Processing.c

/// Leaves in floating point what only computes results of probabilities that
/// are there in floating point, and what the CPU makes of pixels that it casts.
void xc_quantize_keep_processing(xc_quantizer *q);
/// Leaves in floating point the first operators of arguments that would be left
/// with few steps, now that ranges and fix points are known.
void xc_quantize_keep_offsets(xc_quantizer *q);

// Operands.c

/// Leaves arithmetic in floating point that only functions on the CPU read,
/// which have no table.
void xc_quantize_keep_operands(xc_quantizer *q);

// Islands.c

/// Leaves arithmetic and moves in floating point that exchange more numbers
/// with the CPU than with the DPU.
void xc_quantize_keep_islands(xc_quantizer *q);

// Spectra.c

/// Leaves the convolutions and products of spectra in floating point that
/// logarithms show, now that ranges are known; if there are any the function
/// has the attribute XC_NAME_SPECTRA.
void xc_quantize_keep_spectra(xc_quantizer *q);

#endif // XC_TRANSFORMS_QUANTIZE_KEEPFLOAT_KEEPFLOAT_H
