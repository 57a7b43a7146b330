//===- TirXModel.h - what importer and exporter of xmodels share --*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_XMODEL_TIR_TIRXMODEL_H
#define XC_TARGET_XMODEL_TIR_TIRXMODEL_H

#include "dialects/Adaptor.h"
#include "dialects/OpInfo.h"
#include "xc-c/XModel.h"

#include "mlir-c/IR.h"

/// Returns the argument of an xmodel operator that a slot belongs to. Several
/// slots can belong to one argument, whose producers then fill them in order.
const char *xc_xmodel_arg_of_slot(const xc_op_info *info, size_t slot);

/// Attributes of xmodel operators that say nothing that the operator, its
/// operands and its tensor do not say.
bool xc_xmodel_attr_is_redundant(const char *name);

/// Attributes with a default in tir that operators of the format state always.
bool xc_xmodel_attr_is_expected(const char *name);

/// Element type of a tensor; XC_ELEMENT_NONE when xc has none.
xc_element xc_xmodel_element(const XcXModelTensor *tensor);
/// The opposite. Returns false for an element type that the format does not
/// have.
bool xc_xmodel_data_type(xc_element element, XcXModelDataType *type,
                         int32_t *bit_width);

/// Gives an operator of the format the attributes of one of tir or mtir, with
/// what the format says besides, and its tensor the fix point. The tensor is
/// set.
void xc_xmodel_write_attributes(const xc_adaptor *adaptor, XcXModelOp *op);
/// The name of the operator that computes the operand of a slot.
typedef const char *(*xc_xmodel_producer)(const xc_adaptor *adaptor,
                                          size_t slot, void *user_data);
/// The same for its arguments.
void xc_xmodel_write_args(const xc_adaptor *adaptor, XcXModelOp *op,
                          xc_xmodel_producer producer, void *user_data);

#endif // XC_TARGET_XMODEL_TIR_TIRXMODEL_H
