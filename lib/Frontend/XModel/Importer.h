//===- Importer.h - inside of the xmodel importer -----------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_FRONTEND_XMODEL_IMPORTER_H
#define XC_FRONTEND_XMODEL_IMPORTER_H

#include "Frontend/Graph/Emit.h"
#include "Support/Memory.h"
#include "Target/XModel/Tir/TirXModel.h"

/// The attributes of one operator on their way to tir; arrays live in `arena`.
typedef struct xc_attribute_list {
  xc_attribute *items;
  size_t count;
  xc_arena arena;
} xc_attribute_list;

/// A producer of an operator: its slot, and the operator in the file.
typedef struct xc_xmodel_input {
  size_t slot;
  const XcXModelOp *op;
} xc_xmodel_input;

enum {
  /// Inputs of an operator that is built in one piece or as a chain.
  XC_XMODEL_MAX_INPUTS = 64,
};

typedef struct xc_xmodel_inputs {
  xc_xmodel_input items[XC_XMODEL_MAX_INPUTS];
  size_t count;
  /// Inputs after the last slot of an operator that can be a chain.
  bool chain;
} xc_xmodel_inputs;

/// Whether the argument `shape`, and its producers, only repeat the shape of
/// the operator's tensor.
bool xc_xmodel_is_reshape(const xc_op_info *info);

/// Assigns the producers of an operator to the slots of its tir row. On failure
/// `why` says what is wrong.
bool xc_xmodel_get_inputs(const XcXModel *model, const XcXModelOp *op,
                          const xc_op_info *info, xc_xmodel_inputs *inputs,
                          xc_text *why);

/// Converts the attributes of an operator, and adds what the format says
/// elsewhere: defaults that differ, sizes and fix points of tensors. On failure
/// `why` says what is wrong. Free with xc_xmodel_free_attributes in any case.
bool xc_xmodel_get_attributes(const XcXModelOp *op, const xc_op_info *info,
                              const xc_xmodel_inputs *inputs,
                              xc_attribute_list *list, xc_text *why);
void xc_xmodel_free_attributes(xc_attribute_list *list);

#endif // XC_FRONTEND_XMODEL_IMPORTER_H
