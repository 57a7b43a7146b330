//===- TirXModel.h - what importer and exporter of xmodels share --*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_FRONTEND_XMODEL_TIRXMODEL_H
#define XC_FRONTEND_XMODEL_TIRXMODEL_H

#include "dialects/Adaptor.h"
#include "dialects/OpInfo.h"
#include "xc-c/XModel.h"

#include "mlir-c/IR.h"

/// The argument of an xmodel operator that a slot belongs to. Several slots can
/// belong to one argument, whose producers then fill them in order.
const char *xc_xmodel_arg_of_slot(const xc_op_info *info, size_t slot);

/// Attributes of xmodel operators that say nothing that the operator, its
/// operands and its tensor do not say.
bool xc_xmodel_attr_is_redundant(const char *name);

/// Attributes with a default in tir that operators of the format state always.
bool xc_xmodel_attr_is_expected(const char *name);

/// Element type of a tensor; XC_ELEMENT_NONE when xc has none.
xc_element xc_xmodel_element(const XcXModelTensor *tensor);
/// The opposite. False for an element type that the format does not have.
bool xc_xmodel_data_type(xc_element element, XcXModelDataType *type,
                         int32_t *bit_width);

/// An attribute of an operator that xc has no meaning for, and back.
MlirAttribute xc_xmodel_payload_get(MlirContext context, XcXModelAttr attr);
/// False when no attribute of the format holds the value.
bool xc_xmodel_payload_set(XcXModelAttrs attrs, const char *name,
                           MlirAttribute value);

/// Entry of a custom operator's payload: the argument names of its operands,
/// when they are not all "input".
#define XC_XMODEL_ARGS_KEY "xmodel.args"

#endif // XC_FRONTEND_XMODEL_TIRXMODEL_H
