//===- Shifts.c - shifts that differ between channels ---------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shifts.h"

#include "LayerKind.h"

XcDpuShifts xc_word_shifts(const XcDpuLayer *layer, int32_t word) {
  return layer->wordShifts ? layer->wordShifts[word]
                           : (XcDpuShifts){layer->shiftCut, layer->shiftBias};
}

int32_t xc_shift_run(const XcDpuLayer *layer, int32_t first, int32_t words) {
  if (!layer->wordShifts)
    return words - first;
  const XcDpuShifts *all = layer->wordShifts;
  int32_t end = first + 1;
  while (end < words && all[end].cut == all[first].cut &&
         all[end].bias == all[first].bias)
    ++end;
  return end - first;
}

int32_t xc_count_shift_runs(const XcDpuLayer *layer, int32_t words) {
  int32_t runs = 0;
  for (int32_t word = 0; word < words; ++runs)
    word += xc_shift_run(layer, word, words);
  return runs;
}

void xc_require_shifts(XcDpuRefusal *refusal, const XcDpuTarget *target,
                       const XcDpuLayer *layer, const XcDpuEngine *engine,
                       bool adds_bias) {
  int32_t words = xc_words_of(target, layer->output.channels);
  for (int32_t word = 0; word < words;
       word += xc_shift_run(layer, word, words)) {
    XcDpuShifts shifts = xc_word_shifts(layer, word);
    xc_require_range(refusal, XcDpuRefusalReasonShiftCut, shifts.cut,
                     engine->shiftCut);
    if (adds_bias)
      xc_require_range(refusal, XcDpuRefusalReasonShiftBias, shifts.bias,
                       engine->shiftBias);
  }
}
