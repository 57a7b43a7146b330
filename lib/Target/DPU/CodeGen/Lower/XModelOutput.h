//===- XModelOutput.h - compiled functions as an xmodel -----------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_LOWER_XMODELOUTPUT_H
#define XC_TARGET_DPU_CODEGEN_LOWER_XMODELOUTPUT_H

#include "Function.h"

#include "xc-c/XModel.h"

/// Appends a DPU subgraph for a compiled function to a model, with the
/// operators at its border: for each input the data and its upload, for each
/// output an operator that stands for the subgraph and its download. With a
/// `prefix` names become prefix/name. When the model has operators of all the
/// inputs' names, the inputs come from those.
void xc_dpu_add_to_xmodel(XcXModel *model, const XcDpuTarget *target,
                          const xc_dpu_function *function, const char *prefix);

#endif // XC_TARGET_DPU_CODEGEN_LOWER_XMODELOUTPUT_H
