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

#include "Quantize.h"

#include "IR/IR.h"
#include "dialects/Emit.h"

#include <string.h>

/// What a function computes with. Any sigmoid may be that of a SiLU.
typedef struct gate_row {
  const char *function;
  xc_op_kind kind;
} gate_row;

static const gate_row rows[] = {
    {"sigmoid", XC_TIR_SIGMOID}, {"silu", XC_TIR_SIGMOID},
    {"tanh", XC_TIR_TANH},       {"mish", XC_TIR_TANH},
    {"mish", XC_TIR_SOFTPLUS},   {"gelu", XC_TIR_ERF},
};

enum { NUM_ROWS = sizeof(rows) / sizeof(*rows) };

static bool is_named(const gate_row *row, const char *name, size_t length) {
  return strlen(row->function) == length &&
         memcmp(row->function, name, length) == 0;
}

bool xc_quantize_check_gates(const xc_pass_run *run) {
  for (const char *at = xc_pass_string(run, "approximate"); *at;) {
    size_t length = strcspn(at, ","), row = 0;
    while (row < NUM_ROWS && !is_named(&rows[row], at, length))
      ++row;
    if (row == NUM_ROWS)
      return xc_option_error(run->root, "tir-quantize", "approximate",
                             "names '%.*s', expected a list of sigmoid, silu, "
                             "tanh, mish and gelu",
                             (int)length, at);
    at += length + (at[length] == ',');
  }
  return true;
}

bool xc_quantize_is_gate(const xc_quantizer *q, MlirOperation operation) {
  const xc_op_info *info = xc_op_info_of(operation);
  for (const char *at = xc_pass_string(q->run, "approximate"); info && *at;) {
    size_t length = strcspn(at, ",");
    for (size_t row = 0; row < NUM_ROWS; ++row)
      if (info->kind == rows[row].kind && is_named(&rows[row], at, length))
        return true;
    at += length + (at[length] == ',');
  }
  return false;
}
