//===- Load.h - model files of any format -------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_FRONTEND_LOAD_LOAD_H
#define XC_FRONTEND_LOAD_LOAD_H

#include "Support/File.h"
#include "Support/ImportOptions.h"
#include "Support/Preprocess.h"
#include "xc-c/Import.h"

/// Returns the options that a tool's command line gave; borrows from the
/// arguments.
XcImportOptions xc_import_options(const xc_import_arguments *arguments);

/// How a format lays out images.
typedef enum xc_model_layout {
  XC_MODEL_LAYOUT_OPEN, // it does not say
  XC_MODEL_LAYOUT_NHWC,
  XC_MODEL_LAYOUT_NCHW,
} xc_model_layout;

/// Whether the name is that of a model file, or else its contents.
bool xc_model_is_known(const char *path);

xc_model_layout xc_model_layout_of(const char *path, const xc_buffer *file);

/// Returns the layout of an image of these dimensions in a format: the
/// format's, unless its channels would be 1, 3 or 4 in the other one only. ONNX
/// files that were made of TensorFlow graphs have theirs last.
xc_model_layout xc_model_image_layout(xc_model_layout format,
                                      const int64_t dims[4]);

/// Whether the file is an xmodel, compiled or not.
bool xc_model_is_container(const char *path, const xc_buffer *file);

/// Whether the file is a module, as text or bytecode.
bool xc_model_is_mlir(const char *path, const xc_buffer *file);

/// Imports or reads a model: TFLite files and bytecode are known by their first
/// bytes, all others by their names, or by their contents where these say
/// nothing. Returns null after a diagnostic.
MlirModule xc_model_load(XcDiag *diag, MlirContext context, const char *path,
                         const xc_buffer *file, const XcImportOptions *options);

/// Reads the attribute `preprocess` of a function, which tells how pictures
/// become inputs.
bool xc_model_preprocess(XcDiag *diag, const char *file, MlirOperation function,
                         xc_preprocess *preprocess);

/// Sets the rounding ("dpu", "std" or "py3") of every operator that has one.
bool xc_model_set_rounding(XcDiag *diag, MlirModule module,
                           const char *rounding);

#endif // XC_FRONTEND_LOAD_LOAD_H
