//===- Extract.h - a part of the code as a program ----------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_ORDER_EXTRACT_H
#define XC_TARGET_DPU_CODEGEN_ORDER_EXTRACT_H

#include "Code.h"
#include "Dependences.h"

/// Makes a program of instructions begin..end-1 of finished code and appends it
/// to `result`, which is empty. It begins with the INIT instructions that they
/// lack, its tokens are among themselves only, and it ends with END. `inits`
/// are the INIT instructions in force before them (xc_code.last_init),
/// `dependences` those of all of `code`.
void xc_extract_code(const xc_code *code, const xc_dependence *dependences,
                     const uint32_t inits[XC_DPU_NUM_OPCODES], size_t begin,
                     size_t end, xc_code *result);

#endif // XC_TARGET_DPU_CODEGEN_ORDER_EXTRACT_H
