//===- Dilation.h - dilated convolutions without dilation ---------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hardware knows no dilation. Either zeros are put between the elements of
// the kernel, or the convolution is one without dilation for each position of
// an output pixel modulo the dilation, a phase: it reads every dilation-th row
// and column of the input. The partition and the code generator ask here which
// of the two there are.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_DILATION_H
#define XC_TARGET_DPU_DILATION_H

#include "xc-c/DPUTarget.h"

/// One axis of a convolution.
typedef struct xc_conv_axis {
  int64_t kernel, stride, dilation;
  int64_t before; // padding
  int64_t inputs, outputs;
} xc_conv_axis;

enum { XC_CONV_WIDTH, XC_CONV_HEIGHT, XC_CONV_AXES };

/// Of the kernel with the zeros in it.
static inline int64_t xc_conv_span(const xc_conv_axis *axis) {
  return (axis->kernel - 1) * axis->dilation + 1;
}

/// Output pixels that are so far apart read the same pixels of the input modulo
/// the dilation.
int64_t xc_dilation_phases(const xc_conv_axis *axis);

/// Returns the stride of a phase, in steps of the dilation.
int64_t xc_dilation_stride(const xc_conv_axis *axis);

/// Returns the padding of a phase, in steps of the dilation, and the first
/// pixel of the input that its kernel can meet.
int64_t xc_dilation_padding(const xc_conv_axis *axis, int64_t phase);
int64_t xc_dilation_first_input(const xc_conv_axis *axis, int64_t phase);

/// Whether the kernel of some phase meets no pixel of the input.
bool xc_dilation_has_empty_phase(const xc_conv_axis *axis);

/// Whether the engine and the banks take the kernel with zeros in it. `axes`
/// are width and height.
bool xc_dilation_fits_expanded(const XcDpuTarget *target, bool is_depthwise,
                               int64_t input_channels,
                               const xc_conv_axis axes[XC_CONV_AXES]);

#endif // XC_TARGET_DPU_DILATION_H
