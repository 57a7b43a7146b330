//===- Payload.h - attributes of custom operators -----------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_XMODEL_TIR_PAYLOAD_H
#define XC_TARGET_XMODEL_TIR_PAYLOAD_H

#include "xc-c/XModel.h"

#include "mlir-c/IR.h"

/// Returns an attribute of an operator that xc has no meaning for, and back.
MlirAttribute xc_xmodel_payload_get(MlirContext context, XcXModelAttr attr);
/// Returns false when no attribute of the format holds the value.
bool xc_xmodel_payload_set(XcXModelAttrs attrs, const char *name,
                           MlirAttribute value);

/// Entry of a custom operator's payload: the argument names of its operands,
/// when they are not all "input".
#define XC_XMODEL_ARGS_KEY "xmodel.args"

#endif // XC_TARGET_XMODEL_TIR_PAYLOAD_H
