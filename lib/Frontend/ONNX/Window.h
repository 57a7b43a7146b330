//===- Window.h - kernels, strides and pads of a node -------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_FRONTEND_ONNX_WINDOW_H
#define XC_FRONTEND_ONNX_WINDOW_H

#include "Frontend/Graph/Volume.h"
#include "Importer.h"

typedef enum xc_onnx_auto_pad {
  ONNX_NOTSET,
  ONNX_SAME_UPPER,
  ONNX_SAME_LOWER,
  ONNX_VALID,
} xc_onnx_auto_pad;

/// Width first, as tir has it, then height and depth; one spatial dimension has
/// a height of 1, two have a depth of 1.
typedef struct xc_onnx_window {
  int64_t kernel[3], stride[3], dilation[3];
  int64_t pad[6]; // left, right, top, bottom, front, back
  xc_onnx_auto_pad auto_pad;
} xc_onnx_window;

/// Reads kernel_shape (or takes it from a weight of at least four dimensions),
/// strides, dilations, pads and auto_pad of a node whose input has `rank`
/// dimensions.
bool xc_onnx_read_window(xc_onnx_importer *im, const xc_shape *weight,
                         size_t rank, xc_onnx_window *window);

/// Turns auto_pad into pads for an input (NCHW or NCDHW).
void xc_onnx_pad_window(const xc_shape *input, xc_onnx_window *window);

/// The indices of a MaxPool, channels last, and its input, in which they are
/// positions within a window.
struct xc_onnx_pool_indices {
  MlirValue indices;
  xc_onnx_window window;
  xc_shape input;  // NHWC
  bool by_columns; // the height is the fastest
  xc_onnx_pool_indices *next;
};

typedef struct xc_onnx_conv_groups {
  int64_t group;
  bool is_depthwise; // group = input channels > 1
} xc_onnx_conv_groups;

/// Reads the groups and checks them and the ranks, which are 3 to `most`.
bool xc_onnx_check_conv(xc_onnx_importer *im, const xc_graph_value *input,
                        const xc_graph_value *weight, size_t most,
                        xc_onnx_conv_groups *conv);
/// Reads the groups of a transposed convolution and checks them and the ranks.
bool xc_onnx_check_conv_transpose(xc_onnx_importer *im,
                                  const xc_graph_value *input,
                                  const xc_graph_value *weight,
                                  xc_onnx_conv_groups *conv);
/// Output padding, width first, and what auto_pad and output_shape make of it
/// and of the window's pads.
bool xc_onnx_pad_transposed(xc_onnx_importer *im, const xc_shape *input,
                            size_t rank, xc_onnx_window *window,
                            int64_t output_padding[3]);

// Shared by float and quantised convolutions (OpsConv.c).

/// A convolution as read. One spatial dimension has become two.
typedef struct xc_onnx_conv_layer {
  size_t rank; // of the input
  xc_onnx_conv_groups groups;
  xc_onnx_window window;
  MlirValue operands[3]; // input, weight and bias
  size_t num_operands;   // 2 without bias
  /// Kernel, stride, dilation, pad and group, and room for more.
  xc_attribute attributes[13];
  size_t num_attributes;
} xc_onnx_conv_layer;

/// Reads input 0, the window, and weight and bias of these inputs.
bool xc_onnx_read_conv(xc_onnx_importer *im, size_t weight, size_t bias,
                       xc_onnx_conv_layer *layer);
/// Emits the convolution of one of the kinds as output 0.
bool xc_onnx_emit_conv(xc_onnx_importer *im, const xc_onnx_conv_layer *layer,
                       xc_op_kind kind, xc_op_kind depthwise_kind,
                       xc_element element);
/// Conv without its result, NHWC; null after an error.
MlirValue xc_onnx_emit_float_conv(xc_onnx_importer *im,
                                  xc_onnx_conv_layer *layer);
xc_graph_value *xc_onnx_as_2d(xc_onnx_importer *im, xc_graph_value *value);
/// Binds an output to an NHWC value, without the height when `rank` is 3.
bool xc_onnx_result_2d(xc_onnx_importer *im, size_t index, MlirValue mlir,
                       size_t rank);

/// Pools the H and W of an NHWC value, with the node's ceil_mode and
/// count_include_pad. Where zeros around the input have to become elements of
/// it, `input` is the padded one and the window has no pads. `kind` is
/// XC_TIR_MAXPOOL2D, XC_TIR_AVGPOOL2D or XC_TIR_QLINEAR_POOL (OpsPool.c).
MlirValue xc_onnx_emit_pool2d(xc_onnx_importer *im, const char *part,
                              xc_op_kind kind, MlirValue *input,
                              xc_onnx_window *window);

/// Returns the zeros of the padding as elements of the input, of which one
/// stands for 0 (OpsPool.c).
MlirValue xc_onnx_pad_pool(xc_onnx_importer *im, xc_onnx_window *window,
                           double zero, MlirValue input);
/// With ceil_mode, the padding with which rounding down gives as many windows
/// of an NHWC input (OpsPool.c).
void xc_onnx_extend_pool(xc_onnx_importer *im, const xc_shape *input,
                         xc_onnx_window *window);
/// Output 1 of a MaxPool, whose model has that rank, from its input and result,
/// [N, H, W, C] or [N, H, W, D, C] (OpsPoolIndex.c).
bool xc_onnx_result_indices(xc_onnx_importer *im, const xc_onnx_window *window,
                            MlirValue input, MlirValue output, size_t rank);

// Windows over three dimensions (OpsVolume.c).

xc_graph_window3d xc_onnx_window3d(const xc_onnx_window *window);
xc_onnx_window xc_onnx_window_of(const xc_graph_window3d *window);

bool xc_onnx_conv_volume(xc_onnx_importer *im);
bool xc_onnx_conv_transpose_volume(xc_onnx_importer *im);
bool xc_onnx_pool_volume(xc_onnx_importer *im);

#endif // XC_FRONTEND_ONNX_WINDOW_H
