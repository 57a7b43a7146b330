//===- Engines.h - engines of DPUCAHX8H ---------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_DPUCAHX8H_ENGINES_H
#define XC_TARGET_DPU_CODEGEN_DPUCAHX8H_ENGINES_H

#include "Target/DPU/CodeGen/Family.h"

/// Pools, by POOL, and depthwise convolutions, by DPTWISE.
extern const xc_channel_engine xc_pool_engine, xc_depthwise_engine;

#endif // XC_TARGET_DPU_CODEGEN_DPUCAHX8H_ENGINES_H
