//===- Constraints.h - the constraint table and its users ---------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_PARTITION_CONSTRAINTS_H
#define XC_TRANSFORMS_PARTITION_CONSTRAINTS_H

#include "Facts.h"
#include "Support/Text.h"
#include "xc-c/DPUTarget.h"

typedef enum xc_constraint_form {
  XC_CONSTRAINT_NEED,
  XC_CONSTRAINT_RANGE,
  XC_CONSTRAINT_ONE_OF,
} xc_constraint_form;

/// The measured value of a constraint, and the values that the target allows.
typedef struct xc_bounds {
  int64_t actual;
  int64_t low, high; // NEED, RANGE; inclusive
  uint32_t set;      // ONE_OF: bit 1 << value
} xc_bounds;

#define XC_NO_LIMIT INT64_MAX

/// Values of `change` that are no fact: another kind of operator, or nothing.
enum { XC_CHANGE_KIND = -1, XC_CHANGE_NOTHING = -2 };

typedef struct xc_constraint {
  const char *id; // "kernel-width"
  uint32_t classes;
  xc_constraint_form form;
  xc_bounds (*measure)(const xc_facts *facts, const XcDpuTarget *target);
  int change;        // an xc_fact, XC_CHANGE_KIND or XC_CHANGE_NOTHING
  const char *looks; // "kernel[0]"
  const char *key;   // of the target file; null: the same on every target
  const char *what;
} xc_constraint;

const xc_constraint *xc_constraint_table(size_t *count);

/// Returns the engine that slides the window of an operator, as target files
/// name it.
const char *xc_fit_engine_name(const xc_facts *facts,
                               const XcDpuTarget *target);

bool xc_bounds_hold(const xc_constraint *row, const xc_bounds *bounds);

/// Returns the first row that the facts break, or null when a DPU of this
/// target can run the operator.
const xc_constraint *xc_fit_check(const xc_facts *facts,
                                  const XcDpuTarget *target, xc_bounds *bounds);

/// One step of a suggestion: a fact gets a value, or the operator is replaced.
typedef struct xc_change {
  int fact; // xc_fact or XC_CHANGE_KIND
  int64_t from, to;
} xc_change;

enum { XC_MAX_CHANGES = 8 };

/// The nearest change that keeps one broken row; false when there is none.
bool xc_fit_nearest(const xc_facts *facts, const XcDpuTarget *target,
                    const xc_constraint *row, xc_change *change);
void xc_fit_apply(xc_facts *facts, const xc_change *change);

/// Finds the changes after which the operator fits, which was judged again with
/// all of them. 0 when no such list was found.
size_t xc_fit_suggest(const xc_facts *facts, const XcDpuTarget *target,
                      xc_change changes[XC_MAX_CHANGES]);

/// "kernel width is 17, expected 1 to 16"; the bounds are those of the facts.
void xc_fit_print_reason(const xc_constraint *row, const xc_bounds *bounds,
                         const xc_facts *facts, xc_text *text);
/// "1 to 16"; "RELU or NONE".
void xc_fit_print_limit(const xc_constraint *row, const xc_bounds *bounds,
                        xc_text *text);
/// Prints the row's keys for an operator: "conv.kernel_w" for
/// "ENGINE.kernel_w". The row must have keys.
void xc_fit_print_key(const xc_constraint *row, const xc_facts *facts,
                      const XcDpuTarget *target, xc_text *text);
/// "kernel width 17 -> 16".
void xc_fit_print_change(const xc_change *change, xc_text *text);

#endif // XC_TRANSFORMS_PARTITION_CONSTRAINTS_H
