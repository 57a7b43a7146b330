//===- LowerConv.h - convolutions on their way to layers ----------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_LOWER_LOWERCONV_H
#define XC_TARGET_DPU_CODEGEN_LOWER_LOWERCONV_H

#include "AlignChannels.h"
#include "FoldColumns.h"

#include "Target/DPU/Dilation.h"

/// Short names, for these files only.
enum { WIDTH = XC_CONV_WIDTH, HEIGHT = XC_CONV_HEIGHT };

/// Kernel, weights and bias of a convolution as its layers need them.
typedef struct xc_conv {
  bool is_depthwise;
  xc_conv_axis axes[XC_CONV_AXES];
  int32_t in_channels; // that there are weights for, of each output channel
  int32_t out_channels;
  int32_t model_channels; // of these, without padding
  /// Of the pixels that are read and written, or null: no padding.
  const xc_channel_layout *in_layout, *out_layout;
  int32_t pixel_channels; // of the input
  int32_t group_channels; // of these, that an output channel depends on
  XcDpuChannelGroups groups;
  int8_t *weights; // as in the operator, or those of groups only
  /// Layers of the convolution engine compute it whose pixels have several
  /// columns; of the output so many, the channels of each after the other's.
  bool is_folded;
  int32_t columns;
  uint32_t bias;
  bool has_bias;
  bool has_zeros; // in its place, for an engine that always adds one
  XcActivation activation;
  bool has_sigmoid;
  XcFixEpilogue epilogue;
  XcDpuShifts *shifts; // of the words of the output, or null: all the same
} xc_conv;

// ReadConv.c

/// Reads an operator and places its bias. The caller frees `weights`. Returns
/// false after a diagnostic.
bool xc_read_conv(xc_lowering *lowering, const xc_adaptor *op, xc_conv *c,
                  bool is_depthwise);

// PadConv.c

/// Whether the operator reads or writes pixels with padding, for which there
/// are zeros among the weights.
bool xc_conv_has_padding(const xc_conv *c);
/// Replaces the weights by those of such pixels, and counts channels of groups.
void xc_pad_conv_weights(xc_conv *c);
/// Returns the place of an output channel in a pixel.
int32_t xc_conv_place(const xc_conv *c, int32_t channel);
/// Returns the first output channel that is not before that place.
int32_t xc_conv_channel_at(const xc_conv *c, int32_t place);

// ConvGroups.c

/// Finds groups of channels beyond which all weights are zero. If instructions
/// need not read all words of a pixel then, keeps the weights of those that
/// they do.
void xc_find_conv_groups(const xc_lowering *lowering, xc_conv *c);

// ConvKernel.c

/// The part of a kernel that a layer uses: element j of it is element
/// first + j * step of the dilated kernel.
typedef struct xc_conv_taps {
  int64_t first[2], step[2], count[2]; // width, height
} xc_conv_taps;

/// Writes this part of the kernel, [OC][KH][KW][IC] or [KH][KW][C].
void xc_pick_conv_weights(const xc_conv *c, const xc_conv_taps *t, int8_t *to);
/// Places this part of the kernel; the `weights` of the layers.
uint32_t xc_add_conv_weights(xc_lowering *lowering, const xc_conv *c,
                             const xc_conv_taps *t);
/// Returns a layer with this part of the kernel, all but its images' parts, its
/// stride and its padding.
XcDpuLayer xc_begin_conv(xc_lowering *lowering, const xc_adaptor *op,
                         const xc_conv *c, const xc_conv_taps *t,
                         uint32_t weights);
/// Makes a layer one of the convolution engine, whatever the operator is, and
/// places its kernel, of so many output channels.
void xc_set_folded_kernel(xc_lowering *lowering, XcDpuLayer *layer,
                          const int8_t *ohwi, int32_t oc);
/// Returns the operations of `elements` of the kernel at every pixel of the
/// image.
uint64_t xc_conv_operations(const xc_conv *c, const XcDpuImage *image,
                            int64_t elements);

// LowerConv.c

/// Hard sigmoid follows in place: each pixel by itself.
bool xc_add_conv_sigmoid(xc_lowering *lowering, const xc_adaptor *op,
                         const xc_conv *c);

// LowerTransposed.c

/// Returns the number of columns of the output that layers of a transposed
/// convolution compute together: as many as the stride, or 1. Its axes are
/// known.
int32_t xc_joint_phases(const xc_lowering *lowering, const xc_adaptor *op,
                        const xc_conv *c);

#endif // XC_TARGET_DPU_CODEGEN_LOWER_LOWERCONV_H
