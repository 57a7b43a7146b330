//===- Plan.h - a function prepared for interpretation ------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_INTERPRETER_PLAN_H
#define XC_INTERPRETER_PLAN_H

#include "Kernel.h"

enum { XC_NO_SLOT = -1 };

typedef enum xc_step_kind {
  XC_STEP_KERNEL, // operands by slot of the operator's table row
  XC_STEP_COPY,   // operand 0 to operand 1 (or the result)
  XC_STEP_ALLOC,  // a zeroed buffer
  XC_STEP_CALL,
} xc_step_kind;

typedef struct xc_plan xc_plan;

/// One operation to execute. Values are numbers of the function's slots.
typedef struct xc_step {
  xc_step_kind kind;
  MlirOperation operation;
  xc_kernel kernel;
  const xc_plan *callee;
  size_t num_operands;
  int64_t *operands; // XC_NO_SLOT: absent
  size_t num_results;
  int64_t *results;
  int64_t first_dead; // slots used here for the last time, see next_dead
} xc_step;

typedef struct xc_slot {
  MlirValue value;
  xc_shape shape;
  size_t bytes;
  const void *constant; // content, or null
  void *copy;           // the same where it is not an attribute's
  int64_t last_use;     // number of a step
  int64_t next_dead;
} xc_slot;

struct xc_plan {
  MlirOperation function;
  bool complete; // false while it is being made: a call back is recursion
  size_t depth;  // of nested calls down to it
  size_t height; // of nested calls below it
  xc_slot *slots;
  size_t num_slots, slot_capacity;
  size_t num_arguments; // the first slots
  xc_step *steps;
  size_t num_steps, step_capacity;
  int64_t *results;
  size_t num_results;
  uint64_t peak_bytes; // of values that are alive at once, those of calls too
  xc_arena arena;
};

/// All functions that one function reaches.
typedef struct xc_plans {
  xc_plan **items;
  size_t count, capacity;
  uint64_t constant_bytes;
} xc_plans;

/// Lets the content of a constant be changed in place, before frames are
/// opened.
void xc_slot_copy_constant(xc_slot *slot);

/// Returns the plan of a function, made when it is not there yet. Returns null
/// after a diagnostic.
const xc_plan *xc_plans_get(xc_plans *plans, MlirOperation function);
void xc_plans_free(xc_plans *plans);

#endif // XC_INTERPRETER_PLAN_H
