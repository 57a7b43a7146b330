//===- Tokens.h - tokens from dependences -------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_ORDER_TOKENS_H
#define XC_TARGET_DPU_CODEGEN_ORDER_TOKENS_H

#include "Code.h"
#include "Dependences.h"

/// Sets the tokens, and the ports of SAVEs, of finished code so that every
/// execution that they allow gives the result of program order. `dependences`
/// are those of all instructions.
void xc_assign_tokens(xc_code *code, const xc_dependence *dependences);

#endif // XC_TARGET_DPU_CODEGEN_ORDER_TOKENS_H
