//===- Dialects.h - the tir, mtir and memtx dialects --------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// xc's dialects in an MlirContext of the caller:
//
//   tir    CNN operators on tensors
//   mtir   the same operators on buffers (memrefs), output last
//   memtx  constants in memory and transfers between buffers
//
// docs/generated/operators.md lists every operator with its operands and
// attributes.
//
//===----------------------------------------------------------------------===//

#ifndef XC_C_DIALECTS_H
#define XC_C_DIALECTS_H

#include "xc-c/Support.h"

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Registers and loads the three dialects. Registering them again does
/// nothing. Fails with a diagnostic of MLIR's when the context already has
/// other dialects of these names.
XC_EXPORTED MlirLogicalResult xcRegisterDialects(MlirContext context);

/// Gives the dialects as IRDL text, in one call of `callback`: what other
/// programs load with mlirLoadIRDLDialects or `mlir-opt --irdl-file`. IRDL
/// refuses dashes, so every dash in the name of an operator is an underscore
/// there (tir.conv2d_fix); IR for such a program must be written so, too.
XC_EXPORTED void xcDialectsPrintIRDL(MlirStringCallback callback,
                                     void *userData);

/// Checks every xc operator within `operation`, itself included. MLIR's own
/// verifier knows only how many operands and results there are and which are
/// tensors or memrefs; this one checks element types and shapes, attributes
/// and their ranges. Emits one error per operator that is wrong.
XC_EXPORTED MlirLogicalResult xcVerify(MlirOperation operation);

#ifdef __cplusplus
}
#endif

#endif // XC_C_DIALECTS_H
