//===- TargetFuzz.c - fuzzes the target loader ----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Input: a target file. It is refused with one error, or it is read, and what
// it prints is read to the same target.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"

#include "xc-c/DPUTarget.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  XcDiag diag = xc_fuzz_silent_diag();
  const XcDpuTarget *target =
      xcDpuTargetCreateFromText(&diag, "input.json", (const char *)data, size);
  xc_fuzz_require(diag.numErrors == !target);
  if (!target)
    return 0;
  char *json = xcDpuTargetToJson(target);
  const XcDpuTarget *again =
      xcDpuTargetCreateFromText(&diag, "again.json", json, strlen(json));
  xc_fuzz_require(again);
  char *json_again = xcDpuTargetToJson(again);
  xc_fuzz_require(!strcmp(json, json_again));
  free(json);
  free(json_again);
  xcDpuTargetDestroy(target);
  xcDpuTargetDestroy(again);
  return 0;
}
