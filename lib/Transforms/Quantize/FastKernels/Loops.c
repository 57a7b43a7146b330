//===- Loops.c - choosing the inner loops ---------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Loops.h"

#include <assert.h>
#include <math.h>

static const xc_calibrate_loops *const all_loops[] = {
#ifdef XC_CALIBRATE_X86
    &xc_calibrate_avx512,
    &xc_calibrate_avx2,
#endif
    &xc_calibrate_plain,
};

const xc_calibrate_loops *xc_calibrate_get(size_t index) {
  return index < sizeof all_loops / sizeof *all_loops ? all_loops[index] : NULL;
}

const xc_calibrate_loops *xc_calibrate_select(void) {
  size_t i = 0;
  while (!all_loops[i]->is_supported())
    ++i;
  return all_loops[i];
}

xc_calibrate_candidates xc_calibrate_make_candidates(int first,
                                                     XcRoundMode mode) {
  assert(mode != XcRoundModeStd && "nothing is calibrated for this mode");
  xc_calibrate_candidates candidates = {.tie = mode == XcRoundModeDpu};
  for (int i = 0; i < XC_CALIBRATE_CANDIDATES; ++i) {
    candidates.up[i] = ldexp(1, first + i);
    candidates.down[i] = ldexp(1, -first - i);
  }
  return candidates;
}
