//===- Driver.h - the state of a compilation ----------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_DRIVER_DRIVER_H
#define XC_DRIVER_DRIVER_H

#include "Mixed.h"
#include "Outputs.h"

#include "Support/File.h"
#include "Support/Preprocess.h"
#include "Support/Text.h"
#include "Target/DPU/CodeGen/Lower/Function.h"
#include "xc-c/Driver.h"
#include "xc-c/Partition.h"
#include "xc-c/XModel.h"

#include "mlir-c/IR.h"

#include <jansson.h>

/// The arithmetic that the first operators of a model apply to each channel of
/// an input x: factor * x + offset.
typedef struct xc_input_arithmetic {
  bool is_known;
  bool is_opaque; // they compute something that is not of this form
  double factors[XC_MAX_CHANNELS], offsets[XC_MAX_CHANNELS];
} xc_input_arithmetic;

/// The first inputs, which are looked at for it.
enum { XC_DRIVER_PICTURES = 8 };

/// The state of a compilation, which its phases share.
typedef struct xc_compilation {
  XcDiag *diag;
  const XcCompileOptions *options;
  const XcDpuTarget *target;
  xc_buffer file; // the model
  MlirContext context;
  MlirModule module;
  size_t phase; // the current one
  /// The model has fix points, but most of its work is not as a DPU computes.
  bool has_misfits;
  char *model;        // name of the model file, without directories
  XcXModel *code;     // the result of the last phase
  json_t *kernels;    // names of the DPU subgraphs
  json_t *subgraphs;  // their reports
  json_t *board;      // what computes the operators of CPU parts on a board
  json_t *placement;  // or null, before the model is divided
  xc_mixed *mixed;    // its parts
  xc_text divided;    // the divided model as text, when it is to be saved
  xc_buffer original; // the model before it was divided, as an xmodel
  xc_text log;        // written when everything went well
  xc_text kept;       // names, with commas (KeepFloat.c)
  xc_input_arithmetic arithmetic[XC_DRIVER_PICTURES]; // by input (Pictures.c)
  xc_driver_outputs outputs;
} xc_compilation;

/// Returns `DIRECTORY/NAME` and a suffix. The caller frees the text.
xc_text xc_driver_output_path(const xc_compilation *c, const char *suffix);

#endif // XC_DRIVER_DRIVER_H
