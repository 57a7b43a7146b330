//===- Access.h - the bank words that an instruction touches ------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_MACHINE_ACCESS_H
#define XC_TARGET_DPU_MACHINE_ACCESS_H

#include "Program.h"

typedef enum xc_role {
  XC_ROLE_OUTPUT,
  XC_ROLE_INPUT,
  XC_ROLE_OPERAND, // of ELEW; `part` is its number
  XC_ROLE_WEIGHTS, // `part` is the output channel, or 0 in the misc engine
  XC_ROLE_BIAS,
} xc_role;

/// `count` pieces of `words` words, `step` words apart. Addresses are not
/// reduced modulo the depth of the bank.
typedef struct xc_run {
  xc_role role;
  uint32_t part;
  uint32_t row;    // of the window or of the output
  uint32_t column; // of the first piece
  uint32_t column_step;
  uint32_t bank;
  uint64_t address;
  uint32_t step, count, words;
} xc_run;

typedef void (*xc_run_handler)(void *context, const xc_run *run);

/// Calls `handler` for every run that an op reads, or writes. Masked rows and
/// columns and those between windows have no influence on the result and are
/// left out. The op has passed xc_op_check.
void xc_op_reads(const XcDpuTarget *target, const xc_op *op,
                 xc_run_handler handler, void *context);
void xc_op_writes(const XcDpuTarget *target, const xc_op *op,
                  xc_run_handler handler, void *context);

#endif // XC_TARGET_DPU_MACHINE_ACCESS_H
