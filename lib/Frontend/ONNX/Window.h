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

/// A convolution as read. One spatial dimension has become two.
typedef struct onnx_conv_layer {
  size_t rank; // of the input
  onnx_conv_groups groups;
  onnx_window window;
  MlirValue operands[3]; // input, weight and bias
  size_t num_operands;   // 2 without bias
  /// Kernel, stride, dilation, pad and group, and room for more.
  xc_attribute attributes[13];
  size_t num_attributes;
} onnx_conv_layer;

/// Reads input 0, the window, and weight and bias of these inputs.
bool onnx_read_conv(onnx_importer *im, size_t weight, size_t bias,
                    onnx_conv_layer *layer);
/// Emits the convolution of one of the kinds as output 0.
bool onnx_emit_conv(onnx_importer *im, const onnx_conv_layer *layer,
                    xc_op_kind kind, xc_op_kind depthwise_kind,
                    xc_element element);
xc_graph_value *onnx_as_2d(onnx_importer *im, xc_graph_value *value);
/// Binds an output to an NHWC value, without the height when `rank` is 3.
bool onnx_result_2d(onnx_importer *im, size_t index, MlirValue mlir,
                    size_t rank);

#endif // XC_FRONTEND_ONNX_WINDOW_H
