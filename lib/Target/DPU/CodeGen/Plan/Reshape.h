//===- Reshape.h - pixels in other rows and columns ---------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A convolution of one element computes pixel by pixel. Where the rows of its
// images follow each other in DDR without gaps, the same pixels may be taken as
// any rows and columns. Rows that are too long for the banks would be cut into
// tiles of columns, which cannot be a cascade; shorter ones can.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_PLAN_RESHAPE_H
#define XC_TARGET_DPU_CODEGEN_PLAN_RESHAPE_H

#include "Images.h"

/// Gives the images of a layer shorter rows if those of its input are longer
/// than the banks are deep. Whether there are such rows.
bool xc_reshape_long_rows(const XcDpuTarget *target, XcDpuLayer *layer);

#endif // XC_TARGET_DPU_CODEGEN_PLAN_RESHAPE_H
