//===- Import.h - model files in, tir modules out -----------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An importer turns the bytes of a model file into a module of the tir dialect:
//
//   XcDiag diag = {0};
//   MlirModule module = xcImportTflite(&diag, context, "model.tflite", data,
//                                      size, NULL);
//   if (mlirModuleIsNull(module))
//     ... // diag has got one error
//
// The module holds one func.func with tensor arguments and results in the
// model's own order, layout and element types, and with the attributes
//
//   input_names   array of strings, one per argument
//   output_names  array of strings, one per result
//   input_num     i64, number of arguments
//
// Every operator has `op_name` and a name location with the name that its
// result has in the model. The module passes xcVerify.
//
// A file is read as hostile input: whatever its bytes are, the outcome is a
// module or one error (of Caffe, TensorFlow and TOSA: one for each layer, node
// or operator that cannot be imported), with memory bounded by a small multiple
// of its size. All calls register xc's dialects in `context`; the caller owns
// the module. Nothing is kept of `data`. Notes and warnings say what was
// assumed (an open batch is 1) and what looks wrong (a declared shape that does
// not follow).
//
//===----------------------------------------------------------------------===//

#ifndef XC_C_IMPORT_H
#define XC_C_IMPORT_H

#include "xc-c/ImportOptions.h"
#include "xc-c/Support.h"

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Imports an ONNX model. `path` is for messages and for finding external data
/// files beside the model; it may be null. `options` may be null.
XC_EXPORTED MlirModule xcImportOnnx(XcDiag *diag, MlirContext context,
                                    const char *path, const void *data,
                                    size_t size,
                                    const XcImportOptions *options);

/// Imports an uncompiled xmodel: float operators, each followed by a `fix`, as
/// Vitis AI's quantisers export them, or what xcExportXModel wrote. Operators
/// that xc has no meaning for become tir.custom. `path` is for messages;
/// `options` may be null.
XC_EXPORTED MlirModule xcImportXModel(XcDiag *diag, MlirContext context,
                                      const char *path, const void *data,
                                      size_t size,
                                      const XcImportOptions *options);

/// Imports a TensorFlow Lite model (schema version 3). `path` is the file's
/// name for diagnostics, `options` may be null.
XC_EXPORTED MlirModule xcImportTflite(XcDiag *diag, MlirContext context,
                                      const char *path, const void *data,
                                      size_t size,
                                      const XcImportOptions *options);

/// Imports a Caffe net: `data` is the prototxt, `options->caffemodel` names the
/// file with its weights, which may be missing with `options->randomWeights`.
/// `path` is the prototxt's name for diagnostics, which have the place of a
/// layer in it.
XC_EXPORTED MlirModule xcImportCaffe(XcDiag *diag, MlirContext context,
                                     const char *path, const void *data,
                                     size_t size,
                                     const XcImportOptions *options);

/// Imports a frozen TensorFlow graph (GraphDef), in floating point or as
/// vai_q_tensorflow writes it with FixNeuron nodes (quantize_eval_model.pb).
/// `path` is its name for diagnostics, `options` may be null.
XC_EXPORTED MlirModule xcImportTensorFlow(XcDiag *diag, MlirContext context,
                                          const char *path, const void *data,
                                          size_t size,
                                          const XcImportOptions *options);

/// Imports a module of MLIR's TOSA dialect, as text or bytecode: the pass
/// convert-tosa-to-tir on each of its functions. Names of inputs, outputs and
/// operators are what the module has. Operators of tir in it stay, so that a
/// module of tir is read, too. `path` is its name for diagnostics, `options`
/// may be null and changes nothing. Registers MLIR's dialects in `context`,
/// too.
XC_EXPORTED MlirModule xcImportTosa(XcDiag *diag, MlirContext context,
                                    const char *path, const void *data,
                                    size_t size,
                                    const XcImportOptions *options);

#ifdef __cplusplus
}
#endif

#endif // XC_C_IMPORT_H
