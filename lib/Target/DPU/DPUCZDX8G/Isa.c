//===- Isa.c - instruction set of DPUCZDX8G -------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define XC_DPU_SET DPUCZDX8G
#define XC_DPU_TABLE "Target/DPU/DPUCZDX8G/Isa.def"
#include "Target/DPU/IsaTable.inc"
