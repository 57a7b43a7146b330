//===- Check.h - rules of the board's runtime ---------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_XMODEL_CHECK_CHECK_H
#define XC_TARGET_XMODEL_CHECK_CHECK_H

#include "Support/PointerMap.h"
#include "xc-c/XModelDpu.h"

typedef enum xc_rule {
#define XC_RULE(Name, name, what, otherwise) XC_RULE_##Name,
#include "Rules.def"
  XC_NUM_RULES
} xc_rule;

/// An operator and its place in the graph. Operators in no subgraph have
/// neither leaf nor child.
typedef struct xc_checked_op {
  const XcXModelSubgraph *leaf;  // or null
  const XcXModelSubgraph *child; // of the root, or null
  size_t position;               // in the file
  size_t inner_consumers;        // in the same child of the root
  bool is_consumed_outside;      // by an operator of another child
} xc_checked_op;

typedef struct xc_checker {
  XcDiag *diag;
  const XcXModel *model;
  xc_checked_op *ops; // by position
  xc_pointer_map by_op;
  bool ok;
} xc_checker;

/// Reports a finding; the checks go on.
void xc_finding(xc_checker *checker, xc_rule rule, const char *format, ...)
    XC_PRINTF_FORMAT(3, 4);

/// Returns the row of an operator; null when there is no operator of that name.
xc_checked_op *xc_checked_find(const xc_checker *checker, const char *name);
bool xc_op_is_type(const XcXModelOp *op, const char *type);

/// Whether an attribute is there and of a kind. One of another kind is a
/// finding of the rule Kind, `what` names what it belongs to.
bool xc_check_attr(xc_checker *checker, const char *what, XcXModelAttrs attrs,
                   const char *name, XcXModelKind kind);

void xc_check_operators(xc_checker *checker);
void xc_check_subgraphs(xc_checker *checker);
/// Checks one DPU subgraph: its registers and tensors.
void xc_check_dpu(xc_checker *checker, const XcXModelSubgraph *subgraph);

#endif // XC_TARGET_XMODEL_CHECK_CHECK_H
