//===- Measure.h - parts of a run over the samples ----------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_QUANTIZE_OBSERVE_MEASURE_H
#define XC_TRANSFORMS_QUANTIZE_OBSERVE_MEASURE_H

#include "Observe.h"

// Headroom.c

/// Makes room for the extremes of a value with channels, and forgets them.
void xc_quantize_make_extremes(xc_quantizer *q, xc_quantize_value *value);
void xc_quantize_clear_extremes(xc_quantize_value *value);
/// Takes over what `tops` and `bottoms` hold of sample `sample`.
void xc_quantize_end_sample(xc_quantize_value *value, size_t sample);

// Exclude.c

/// Has the next runs measure what tells outliers.
void xc_quantize_watch_outliers(xc_quantizer *q);
/// Leaves out the samples that have tensors much larger than those of most, if
/// they are few, and says so in the attribute XC_NAME_OUTLIERS of the function.
/// Returns false when there are none.
bool xc_quantize_drop_outliers(xc_quantizer *q);

// Suspect.c

/// Looks at the sample at hand.
void xc_quantize_judge_sample(xc_quantizer *q, size_t sample);
/// Says what was found in the attribute XC_NAME_SUSPECTS of the function.
void xc_quantize_tell_suspects(xc_quantizer *q);

#endif // XC_TRANSFORMS_QUANTIZE_OBSERVE_MEASURE_H
