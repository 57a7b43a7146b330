//===- FoldColumns.h - columns of few channels share a word -------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_LOWER_FOLDCOLUMNS_H
#define XC_TARGET_DPU_CODEGEN_LOWER_FOLDCOLUMNS_H

#include "Lower.h"

/// A convolution on folded buffers. Kernel, stride and padding are along rows,
/// in pixels of the input as it is folded.
typedef struct xc_fold {
  int32_t in_columns, out_columns; // of a pixel
  /// Columns of the output that a window computes: all of a pixel, or pixels
  /// apart, each by weights of its own.
  int32_t columns;
  bool is_apart;
  int32_t kernel, stride, before;
  bool is_possible;
} xc_fold;

/// Returns the number of words of a row of a window of the convolution engine:
/// of pixels, or of columns as channels.
int64_t xc_window_words_of_row(const XcDpuTarget *target, int64_t kernel,
                               int64_t channels);

/// LOADs of the weights of so many output channels: one for each bank that has
/// any.
int64_t xc_weight_loads(const XcDpuTarget *target, int64_t channels);

/// Whether the engine takes the kernel, the stride and the padding before the
/// image.
bool xc_takes_window(const XcDpuEngine *engine, const xc_window *window);

/// Whether the engine does what one of depthwise convolutions does.
bool xc_has_conv_arithmetic(const XcDpuEngine *engine, const xc_adaptor *op);

/// Chooses the buffers that are folded; none if the choice of engines tests
/// something else.
void xc_fold_columns(xc_lowering *lowering);

/// Whether the operator reads or writes folded buffers.
bool xc_is_folded(const xc_lowering *lowering, const xc_function_op *op);
xc_fold xc_fold_of(const xc_lowering *lowering, const xc_function_op *op);

/// Returns the image as it is folded.
XcDpuImage xc_fold_image(XcDpuImage image, int32_t columns);
/// All images of the layer of an elementwise operator as its result is folded.
void xc_fold_layer(const xc_lowering *lowering, const xc_adaptor *op,
                   XcDpuLayer *layer);

/// The kernel of the operator.
typedef struct xc_fold_kernel {
  bool is_depthwise;
  int32_t in_channels, out_channels, height, width, stride, before;
  /// From the output channels of one column of a window to those of the next.
  int32_t channels_apart;
} xc_fold_kernel;

/// From [OC][KH][KW][IC], or [KH][KW][C], to that of the layer: [columns][OC]
/// [KH][kernel][in_columns][IC], all zero before.
void xc_fold_weights(const xc_fold *fold, const xc_fold_kernel *kernel,
                     const int8_t *from, int8_t *to);

#endif // XC_TARGET_DPU_CODEGEN_LOWER_FOLDCOLUMNS_H
