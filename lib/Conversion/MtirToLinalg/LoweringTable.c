//===- LoweringTable.c - which lowering computes which operator -----------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

xc_lowering_function xc_lowering_find(xc_op_kind kind) {
  static const xc_lowering_function lowerings[XC_NUM_OP_KINDS] = {
#define XC_LOWERING(name, function) [XC_##name] = function,
#define XC_LOWERING_TOO(name, function) [XC_##name] = function,
#include "Lowerings.def"
#undef XC_LOWERING
  };
  return lowerings[kind];
}
