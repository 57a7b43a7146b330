//===- Engines.h - engines of DPUCZDX8G ---------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_DPUCZDX8G_ENGINES_H
#define XC_TARGET_DPU_CODEGEN_DPUCZDX8G_ENGINES_H

#include "Target/DPU/CodeGen/Family.h"

/// Depthwise convolutions, pools and activations.
extern const xc_channel_engine xc_alu_engine;

#endif // XC_TARGET_DPU_CODEGEN_DPUCZDX8G_ENGINES_H
