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
#include "Support/Text.h"
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

bool xc_quantize_check_gates(const xc_pass_run *run) {
  for (const char *at = xc_pass_string(run, "approximate"); *at;) {
    size_t length = strcspn(at, ","), row = 0;
    while (row < NUM_ROWS && (strlen(rows[row].function) != length ||
                              memcmp(rows[row].function, at, length) != 0))
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
  const char *list = xc_pass_string(q->run, "approximate");
  const xc_op_info *info = xc_op_info_of(operation);
  for (size_t row = 0; info && row < NUM_ROWS; ++row)
    if (info->kind == rows[row].kind &&
        xc_list_has(list, rows[row].function, strlen(rows[row].function)))
      return true;
  return false;
}
