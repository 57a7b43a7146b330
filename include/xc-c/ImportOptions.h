//===- ImportOptions.h - what is said about a model file ----------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A header of its own: hosts of xc-c/Runtime.h and xc-c/Driver.h pass these
// options without MLIR's headers.
//
//===----------------------------------------------------------------------===//

#ifndef XC_C_IMPORTOPTIONS_H
#define XC_C_IMPORTOPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// How pictures become the inputs of a model; docs/running.md explains the
/// options of the same names. Null: as the model says, if it does. The imported
/// module keeps what is given here.
typedef struct XcPictureOptions {
  const char *resize;   // "256", "256x320", "letterbox"
  const char *crop;     // "224", "224x288"
  const char *pixels;   // "0..255", "0..1": what the next three are about
  const char *mean;     // "127.5", "123.7,116.3,103.5"
  const char *scale;    // "0.0078125", "0.0171,0.0175,0.0174"
  const char *std;      // "127.5", "0.229,0.224,0.225"; or else scale
  const char *channels; // "rgb", "bgr"
  const char *layout;   // "nhwc", "nchw"
} XcPictureOptions;

/// Facts about a model that the user can add. All strings are borrowed.
typedef struct XcImportOptions {
  /// "NAME=1x3x224x224": the shape of a graph input, in place of the file's.
  const char *const *inputShapes;
  size_t numInputShapes;
  /// Names of values, each entry one name or several with commas: these values
  /// become inputs and outputs of the function, and only what lies between is
  /// imported. If no outputs are given, they are the model's.
  const char *const *inputs;
  size_t numInputs;
  const char *const *outputs;
  size_t numOutputs;
  /// "NAME=FILE.npy" or "NAME=FILE.pb": turns a graph input into a constant.
  /// ONNX only.
  const char *const *binds;
  size_t numBinds;
  /// Fills the weights with numbers made from `seed`, for models that come
  /// without. ONNX and Caffe only.
  bool randomWeights;
  uint64_t seed;
  /// The file with the weights of a Caffe net, or null.
  const char *caffemodel;
  /// Leaves pairs of quantise and dequantise operators as they stand instead of
  /// folding them into quantised operators. ONNX only.
  bool keepQdq;
  /// Turns 8-bit weights of layers with float inputs into floats. Quantising
  /// such a model by calibration needs that. Otherwise the module quantises the
  /// inputs of these layers at run time, as TensorFlow Lite and ONNX's
  /// DynamicQuantizeLinear do. TFLite and ONNX only.
  bool dequantizeWeights;
  /// Quantises to signed bytes, as a DPU has them, what a model whose scales
  /// are powers of two quantises to unsigned ones. Those without a zero point
  /// lose a bit. ONNX only.
  bool signBytes;
  /// Imports operators that xc does not know as tir.custom, for which the host
  /// registers kernels. Otherwise they are errors.
  bool allowCustom;
  XcPictureOptions pictures;
} XcImportOptions;

#endif // XC_C_IMPORTOPTIONS_H
