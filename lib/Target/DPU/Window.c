//===- Window.c - what a window takes of the image banks ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Window.h"

#include "xc-c/DPUIsa.h"

#include <string.h>

int32_t xc_window_max_row_step(const XcDpuTarget *target) {
  const XcDpuIsa *isa = xcDpuIsaGet(target->isa);
  for (unsigned opcode = 0; isa && opcode < XC_DPU_NUM_OPCODES; ++opcode) {
    const XcDpuOpcodeInfo *info = xcDpuIsaGetInfo(isa, opcode);
    if (!info || !info->name || strcmp(info->name, "CONVINIT") != 0)
      continue;
    for (size_t i = 0; i < info->numFields; ++i)
      if (strcmp(info->fields[i].name, "jump_read_endl") == 0)
        return (int32_t)xcDpuFieldGetMax(&info->fields[i]);
  }
  return INT32_MAX;
}
