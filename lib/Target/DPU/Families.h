//===- Families.h - the families of DPUs --------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_FAMILIES_H
#define XC_TARGET_DPU_FAMILIES_H

#include "xc-c/DPUIsa.h"

/// One row per family. Each has a folder of that name with its instruction set
/// (Isa.def) and what else is only its own; `isa` of its targets is the name.
#define XC_DPU_FAMILIES(FAMILY)                                                \
  FAMILY(DPUCZDX8G)                                                            \
  FAMILY(DPUCAHX8H)

#define FAMILY(Name) extern const XcDpuIsa xc_dpu_isa_##Name;
XC_DPU_FAMILIES(FAMILY)
#undef FAMILY

#endif // XC_TARGET_DPU_FAMILIES_H
