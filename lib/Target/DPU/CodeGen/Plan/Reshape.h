//===- Reshape.h - pixels in other rows and columns ---------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A convolution with a kernel of one element computes pixel by pixel. If the
// rows of its images follow each other in DDR without gaps, the same pixels may
// be taken as any rows and columns. This helps in two ways:
//
// * Rows that are too long for the banks need tiles of columns, which exclude
//   cascades. Shorter rows do not.
// * Rows can be chosen such that fewer lanes of the engine are idle. With eight
//   lanes, 14 x 14 pixels are two blocks of 14 columns, while 8 x 25 pixels are
//   one block of 25.
//
// If the pixels do not fill the last row, it begins as many pixels earlier as
// it needs to end with the image. Its first pixels are computed twice and saved
// once.
//
// An elementwise layer does not see pixels but elements. If all its images are
// without gaps, pixels may have other channels as well.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_PLAN_RESHAPE_H
#define XC_TARGET_DPU_CODEGEN_PLAN_RESHAPE_H

#include "Unit.h"

/// Gives the images of a layer shorter rows if those of its input are longer
/// than the banks are deep. Returns whether there are such rows.
bool xc_reshape_long_rows(const XcDpuTarget *target, XcDpuLayer *layer);
/// Gives the images of a layer that takes its pixels one by one, or in windows
/// that do not overlap, rows for all lanes, if they are signals of one row.
/// Returns whether they are.
bool xc_reshape_signal(const XcDpuTarget *target, XcDpuLayer *layer);
/// Gives the images of such a unit with windows as many rows as are fastest.
/// Returns whether these are others.
bool xc_reshape_blocks(const XcDpuTarget *target, xc_unit *unit);
/// Whether the pixels of a unit may be taken as other rows.
bool xc_can_reshape_unit(const xc_unit *unit);
/// Returns the number of pixels of its output.
int32_t xc_unit_pixels(const xc_unit *unit);
/// Gives its images rows of at most as many pixels as they have. It has to be
/// planned again.
void xc_reshape_unit(xc_unit *unit, int32_t width);

/// An elementwise layer of a list, such as the 4420 x 2 numbers of boxes,
/// leaves most of a word, and the lanes of three rows, idle. Takes the elements
/// of such a unit, with all its images in DDR, as fuller pixels in more rows,
/// if it is then more than `times` times as fast. Returns whether it is.
bool xc_flatten_unit(const XcDpuTarget *target, xc_unit *unit, int32_t times);

#endif // XC_TARGET_DPU_CODEGEN_PLAN_RESHAPE_H
