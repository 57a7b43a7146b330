//===- Gates.c - functions that tir-approximate will replace --------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function in floating point that tir-approximate replaces afterwards runs on
// the DPU. Channels cannot be scaled through it as through one on the CPU, and
// arithmetic around it lies between layers.
//
//===----------------------------------------------------------------------===//

#include "KeepFloat.h"

#include "IR/IR.h"
#include "OpParams/Gates.h"

bool xc_quantize_read_gates(xc_quantizer *q) {
  return xc_gates_read(q->run->root, "tir-quantize", "approximate",
                       xc_pass_string(q->run, "approximate"), &q->gates);
}

bool xc_quantize_is_gate(const xc_quantizer *q, MlirOperation operation) {
  const xc_op_info *info = xc_op_info_of(operation);
  return info && (xc_gates_of(info->kind) & q->gates) != 0;
}
