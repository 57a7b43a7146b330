//===- Rewrite.h - float forms that suit fixed point --------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_QUANTIZE_REWRITE_REWRITE_H
#define XC_TRANSFORMS_QUANTIZE_REWRITE_REWRITE_H

#include "Transforms/Quantize/Function/Function.h"

// ShiftedClamps.c

/// Writes clamps between layers as what engines compute: those that do not
/// begin at zero, and those without an upper or a lower end. Ranges are known;
/// an end far beyond them is none. Sets `changed` if there is any; the values
/// are no longer those of the function then. Returns false after a diagnostic.
bool xc_quantize_shift_clamps(xc_quantizer *q, bool *changed);

// Arguments.c

/// Puts multiplications by ones after arguments whose channels have to have
/// factors to share a fix point with each other, or with what a concatenation
/// joins them with. Ranges are known. Sets `changed` if there is any; the
/// values are no longer those of the function then. Returns false after a
/// diagnostic.
bool xc_quantize_multiply_arguments(xc_quantizer *q, bool *changed);
/// Leaves them, and what leads there, in floating point.
void xc_quantize_keep_arguments(xc_quantizer *q);
/// Removes them when equalisation has put factors in their place.
void xc_quantize_drop_ones(xc_quantizer *q);

// Results.c

/// Splits layers of which nothing but results comes and whose channels have
/// sizes that one fix point cannot hold. Ranges are known. Sets `changed` if
/// there is any; the values are no longer those of the function then. Returns
/// false after a diagnostic.
bool xc_quantize_split_results(xc_quantizer *q, bool *changed);

// ImpliedClamps.c

/// Puts a ReLU, or nothing, in the place of each clamp that was beside what the
/// operator does anyhow, if no sample exceeds it, and of clamps that saturation
/// comes before. Their ranges are known. Sets `changed` if there is any; false
/// after a diagnostic.
bool xc_quantize_loosen_clamps(xc_quantizer *q, bool *changed);

// DeadChannels.c

/// Scales down the numbers of channels that a ReLU passes in no sample. Sets
/// whether it has changed the function. Returns false after a diagnostic.
bool xc_quantize_scale_dead_channels(xc_quantizer *q, bool *changed);

// SmallSlopes.c

/// Sets negative slopes of PReLUs to zero whose products round to zero in all
/// samples. Sets `changed` if there is any. Returns false after a diagnostic.
bool xc_quantize_drop_slopes(xc_quantizer *q, bool *changed);

#endif // XC_TRANSFORMS_QUANTIZE_REWRITE_REWRITE_H
