//===- Isa.c - instruction set of DPUCAHX8H -------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define XC_DPU_SET DPUCAHX8H
#define XC_DPU_TABLE "Target/DPU/DPUCAHX8H/Isa.def"
#include "Target/DPU/IsaTable.inc"
