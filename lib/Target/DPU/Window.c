//===- Window.c - what a window takes of the image banks ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Window.h"

#include "Isa.h"

int32_t xc_window_max_row_step(const XcDpuTarget *target) {
  return XC_DPU_FIELD_MAX(target, ConvInit, jump_read_endl);
}
