//===- Isa.h - what the parts of the instruction set library share *- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_ISA_H
#define XC_TARGET_DPU_ISA_H

#include "xc-c/DPUIsa.h"

/// Position of the opcode in word 0.
enum { XC_DPU_OPCODE_LSB = 28 };

/// dpdon and dpdby, which every instruction of every set has.
extern const XcDpuField xc_dpu_token_fields[2];

#endif // XC_TARGET_DPU_ISA_H
