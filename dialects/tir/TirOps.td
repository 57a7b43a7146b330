//===- TirOps.td - every operator of the tir dialect ----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TIR_OPS_TD
#define XC_TIR_OPS_TD

include "tir/TirBase.td"
include "tir/TirStorage.td"
include "tir/TirConv.td"
include "tir/TirElementwise.td"
include "tir/TirShape.td"
include "tir/TirFix.td"
include "tir/TirQLinear.td"

#endif // XC_TIR_OPS_TD
