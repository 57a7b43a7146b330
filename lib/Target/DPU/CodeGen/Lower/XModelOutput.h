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

typedef struct xc_dpu_xmodel_options {
  /// Names become prefix/name; or null.
  const char *prefix;
  /// Leave out the code of single layers.
  bool no_layer_code;
  /// Whether a name is kept for an operator that comes later, or null.
  bool (*is_kept)(void *user_data, const char *name);
  void *user_data;
} xc_dpu_xmodel_options;

/// Appends a DPU subgraph for a compiled function to a model: its operators
/// with their places in memory, a child for each row of the program with one
/// for each layer of a cascade in it, uploads and downloads at its border.
/// When the model has operators of all the inputs' names, the inputs come from
/// those, else from new ones. Constants that can be read back from the
/// parameters have a recipe instead of contents.
void xc_dpu_add_to_xmodel(XcXModel *model, const XcDpuTarget *target,
                          const xc_dpu_function *function,
                          const xc_dpu_xmodel_options *options);

#endif // XC_TARGET_DPU_CODEGEN_LOWER_XMODELOUTPUT_H
