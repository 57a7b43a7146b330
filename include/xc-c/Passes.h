//===- Passes.h - the passes of xc in a host's pass manager -------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// xc's passes run in the MLIR pass manager of the caller, mixed with passes of
// MLIR and of anybody else:
//
//   xcRegisterDialects(context);
//   MlirPassManager manager = mlirPassManagerCreateOnOperation(
//       context, mlirStringRefCreateFromCString("builtin.module"));
//   xcPassManagerAddPipeline(mlirPassManagerGetAsOpPassManager(manager),
//       mlirStringRefCreateFromCString("builtin.module"),
//       mlirStringRefCreateFromCString(
//           "func.func(canonicalize),global-bufferize,convert-tir-to-mtir"),
//       onError, NULL);
//   mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module));
//
// Passes report through the diagnostics of their context.
//
//===----------------------------------------------------------------------===//

#ifndef XC_C_PASSES_H
#define XC_C_PASSES_H

#include "xc-c/Support.h"

#include "mlir-c/Pass.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Adds pipeline elements to a pass manager of `anchor` operations, for example
/// "builtin.module". Elements that are not passes of xc go to MLIR, which must
/// know them (mlirRegisterAllPasses). `onError` receives the message of a
/// failure; passes before the faulty one have been added then.
XC_EXPORTED MlirLogicalResult xcPassManagerAddPipeline(
    MlirOpPassManager manager, MlirStringRef anchor, MlirStringRef elements,
    MlirStringCallback onError, void *userData);

/// Creates one pass of xc by its argument ("global-bufferize") with options in
/// pipeline syntax ("print=false"; may be empty). Returns null after `onError`
/// was called. The caller adds it to a pass manager, which then owns it.
XC_EXPORTED MlirPass xcCreatePass(MlirStringRef argument, MlirStringRef options,
                                  MlirStringCallback onError, void *userData);

/// Returns the number of passes, and the argument and summary of each, ordered
/// by argument. The strings live as long as the program.
XC_EXPORTED intptr_t xcGetNumPasses(void);
XC_EXPORTED MlirStringRef xcPassGetArgument(intptr_t index);
XC_EXPORTED MlirStringRef xcPassGetSummary(intptr_t index);

#ifdef __cplusplus
}
#endif

#endif // XC_C_PASSES_H
