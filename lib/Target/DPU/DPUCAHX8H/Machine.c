//===- Machine.c - the instructions of DPUCAHX8H --------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Target/DPU/Machine/Machine.h"

// Assembler, disassembler and placement know the family; nothing executes it.
const xc_machine xc_machine_DPUCAHX8H = {.isa = &xc_dpu_isa_DPUCAHX8H};
