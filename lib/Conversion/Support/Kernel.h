//===- Kernel.h - operators as functions of loops -----------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions take operands in order, the output last, then tables. The
// model's function is left with calls; operators that differ in nothing but
// their buffers share one.
//
//   bool lower(xc_lowering *l) { ... l->ir, l->buffers, l->output ... }
//   xc_outliner outliner = xc_outliner_begin(module);
//   ok = xc_kernel_lower(&outliner, operation, lower);
//   xc_outliner_end(&outliner);
//
// Inside, elements are signless; ui8 and i1 buffers have become i8.
//
//===----------------------------------------------------------------------===//

#ifndef XC_CONVERSION_SUPPORT_KERNEL_H
#define XC_CONVERSION_SUPPORT_KERNEL_H

#include "IRBuilder.h"
#include "Outline.h"

#include "dialects/Build.h"

/// Writes down how many arguments of each function are inputs, as long as its
/// operators show it.
void xc_note_num_inputs(MlirOperation module);

/// An operator whose function is being written.
typedef struct xc_lowering {
  xc_ir ir; // in the function's body
  const xc_adaptor *op;
  xc_shape shapes[XC_MAX_OPERANDS]; // operands by slot
  xc_shape result;
  xc_arena *arena; // freed after the lowering
  xc_outliner *outliner;
  MlirValue buffers[XC_MAX_OPERANDS]; // operands by slot
  MlirValue output;
  struct xc_kernel_function *function;
} xc_lowering;

/// Replaces an mtir operation or memtx.copy by a call of a function that
/// `lower` fills. Returns false after a diagnostic.
bool xc_kernel_lower(xc_outliner *outliner, MlirOperation operation,
                     bool (*lower)(xc_lowering *lowering));

/// xc_arena_alloc in the arena of the lowering.
void *xc_lowering_alloc(xc_lowering *lowering, int64_t count, size_t size);

/// Returns a constant table for the function: an argument that is filled by a
/// memtx.const of the caller. `bytes` are copied.
MlirValue xc_lowering_table(xc_lowering *lowering, const void *bytes,
                            xc_element element, size_t rank,
                            const int64_t *dims);

/// Returns a buffer that is the function's alone while it runs: an argument
/// that the caller allocates.
MlirValue xc_lowering_scratch(xc_lowering *lowering, xc_element element,
                              size_t rank, const int64_t *dims);

/// Upstream passes no empty buffer as a bare pointer: functions take one
/// element instead, and both sides cast between that type and the empty one.
bool xc_kernel_is_empty(MlirType memref);
MlirType xc_kernel_one_element(MlirType memref);
MlirValue xc_kernel_cast_empty(const xc_builder *builder, MlirValue value,
                               MlirType type);

/// The status that a compiled function returns when data, not the program, is
/// at fault.
typedef enum xc_status {
  XC_STATUS_OK = 0,
  XC_STATUS_DIVIDE_BY_ZERO = 1,
  XC_STATUS_INDEX_OUTSIDE = 2,
} xc_status;

/// Notes a status when the condition holds; the function goes on.
void xc_lowering_fail_if(xc_lowering *lowering, MlirValue condition,
                         xc_status status);

#endif // XC_CONVERSION_SUPPORT_KERNEL_H
