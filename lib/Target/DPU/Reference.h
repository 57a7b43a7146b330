//===- Reference.h - the printed reference of an instruction set --*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_REFERENCE_H
#define XC_TARGET_DPU_REFERENCE_H

#include "xc-c/DPUIsa.h"

#include <stdio.h>

/// Writes the reference of `isa` in Markdown, from its table alone.
void xc_dpu_write_reference(const XcDpuIsa *isa, FILE *output);

#endif // XC_TARGET_DPU_REFERENCE_H
