//===- TargetValue.h - reads the values of a target ---------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_TARGETVALUE_H
#define XC_TARGET_DPU_TARGETVALUE_H

#include "Target.h"
#include "TargetJson.h"

#include "Support/Memory.h"

/// A value of a file, and the target that it is stored in.
typedef struct xc_target_value {
  XcDiag *diag;
  XcDpuTarget *target;
  xc_arena *arena; // owns the strings of the target
  xc_json json;
  xc_json_path path;
} xc_target_value;

/// Reports an error at the value. Returns false.
bool xc_target_value_error(xc_target_value *s, const char *format, ...)
    XC_PRINTF_FORMAT(2, 3);

/// "a list" and so on.
const char *xc_json_type_name(const json_t *value);

/// Checks the value against the row of its key and stores it.
bool xc_target_read_value(xc_target_value *s, const xc_target_key *key,
                          json_t *value);

#endif // XC_TARGET_DPU_TARGETVALUE_H
