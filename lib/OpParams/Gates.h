//===- Gates.h - functions that a DPU can approximate -------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_OPPARAMS_GATES_H
#define XC_OPPARAMS_GATES_H

#include "dialects/Adaptor.h"

/// Functions that networks compute of a number between layers, in floating
/// point, and that tir-approximate can replace by hard sigmoids.
typedef enum xc_gate {
  XC_GATE_SIGMOID,
  XC_GATE_SILU, // a sigmoid that is multiplied with its own input
  XC_GATE_TANH,
  XC_GATE_MISH, // tanh(softplus(x)), which is multiplied with x
  XC_GATE_GELU, // (1 + erf(x / sqrt(2))) / 2, which is multiplied with x
  XC_NUM_GATES,
} xc_gate;

/// Returns the name of a gate in options and reports.
const char *xc_gate_name(xc_gate gate);
/// Those that operators of a kind compute, or a part of: bits 1 << xc_gate. Any
/// sigmoid may be that of a SiLU.
unsigned xc_gates_of(xc_op_kind kind);
/// Those that a list with commas names, an option of a pass. Returns false
/// after a diagnostic at `root`: it has another word.
bool xc_gates_read(MlirOperation root, const char *pass, const char *option,
                   const char *list, unsigned *gates);

#endif // XC_OPPARAMS_GATES_H
