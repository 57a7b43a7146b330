//===- Window.h - kernels, strides and pads of a node -------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_FRONTEND_ONNX_WINDOW_H
#define XC_FRONTEND_ONNX_WINDOW_H

#include "Importer.h"

typedef enum onnx_auto_pad {
  ONNX_NOTSET,
  ONNX_SAME_UPPER,
  ONNX_SAME_LOWER,
  ONNX_VALID,
} onnx_auto_pad;

/// Width first, as tir has it; one spatial dimension has a height of 1.
typedef struct onnx_window {
  int64_t kernel[2], stride[2], dilation[2];
  int64_t pad[4]; // left, right, top, bottom
  onnx_auto_pad auto_pad;
} onnx_window;

/// Reads kernel_shape (or takes it from a 4-D weight), strides, dilations, pads
/// and auto_pad of a node whose input has `rank` dimensions.
bool onnx_read_window(onnx_importer *im, const xc_shape *weight, size_t rank,
                      onnx_window *window);

/// Turns auto_pad into pads for an input (NCHW).
void onnx_pad_window(const xc_shape *input, onnx_window *window);

typedef struct onnx_conv_groups {
  int64_t group;
  bool is_depthwise; // group = input channels > 1
} onnx_conv_groups;

// Shared by float and quantised convolutions (OpsConv.c).

bool onnx_conv_check(onnx_importer *im, const xc_graph_value *input,
                     const xc_graph_value *weight, onnx_conv_groups *conv);
MlirValue onnx_conv_weight(onnx_importer *im, xc_graph_value *weight,
                           int64_t channels, bool is_depthwise);
xc_graph_value *onnx_as_2d(onnx_importer *im, xc_graph_value *value);
/// Binds an output to an NHWC value, without the height when `rank` is 3.
bool onnx_result_2d(onnx_importer *im, size_t index, MlirValue mlir,
                    size_t rank);

#endif // XC_FRONTEND_ONNX_WINDOW_H
