//===- Supports.h - keys of targets that back ends restrict -------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A target file describes more machines than a back end builds code for. Every
// key that it does not act on has a row here, so that a value that asks for
// something else is an error at its place and not ignored.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_MACHINE_SUPPORTS_H
#define XC_TARGET_DPU_MACHINE_SUPPORTS_H

#include "Machine.h"

/// Who does not take other values; the back end is both.
typedef enum xc_back_end_part {
  XC_BACK_END,
  XC_CODE_GENERATOR,
  XC_SIMULATOR,
} xc_back_end_part;

/// The values that a back end takes for a key: `minimum` to `maximum` or, if
/// `like` is not null, what the target has for that key.
typedef struct xc_support {
  const char *path;
  int32_t minimum, maximum;
  const char *like;
  xc_back_end_part part;
} xc_support;

/// Reports the first value that the simulator or, if `generates`, the code
/// generator of the target's family does not take.
bool xc_machine_supports(const xc_machine *machine, const XcDpuTarget *target,
                         bool generates, XcDiag *diag);

/// Returns the machine of a target; null after a diagnostic that there is none.
/// `file` names the code in it and may be null.
const xc_machine *xc_machine_require(const XcDpuTarget *target,
                                     const char *file, XcDiag *diag);

#endif // XC_TARGET_DPU_MACHINE_SUPPORTS_H
