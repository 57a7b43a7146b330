//===- XModelExport.h - tir out as an xmodel ----------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_C_XMODELEXPORT_H
#define XC_C_XMODELEXPORT_H

#include "xc-c/XModel.h"

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Returns the uncompiled graph (`NAME_org.xmodel`) of a module with one
/// function of tir operators: arguments become `data` operators, results
/// `return_ops`, tir.custom the operator of its op_type. Operators keep their
/// `op_name`, or else the name of their location; names are made unique.
/// Importing the model gives the same function again. Returns null after a
/// diagnostic at the operation that has no place in the format; the caller
/// destroys the model.
XC_EXPORTED XcXModel *xcExportXModel(MlirModule module);

#ifdef __cplusplus
}
#endif

#endif // XC_C_XMODELEXPORT_H
