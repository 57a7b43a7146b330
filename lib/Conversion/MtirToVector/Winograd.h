//===- Winograd.h - 3 x 3 convolutions with fewer products --------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_CONVERSION_MTIRTOVECTOR_WINOGRAD_H
#define XC_CONVERSION_MTIRTOVECTOR_WINOGRAD_H

#include "Conv.h"
#include "Lower.h"

/// Outputs and inputs along the side of a tile.
enum { XC_WINOGRAD_OUT = 2, XC_WINOGRAD_IN = 4 };

/// A convolution of floats as products of transformed tiles.
typedef struct xc_winograd {
  const xc_conv *conv;
  xc_conv_plan plan;     // of the padded copy that tiles are read from
  xc_conv product;       // a band's 16 matrix products, as groups
  xc_conv_plan products; // how they are computed
  int64_t tiles_h, tiles_w;
  int64_t band_tiles; // rows of tiles of a band
} xc_winograd;

/// Whether transforms pay for what they save. The weights are in the arena of
/// `conv`.
bool xc_winograd_make(xc_conv *conv, const xc_machine *machine, int threads,
                      xc_winograd *winograd);

/// Returns the number of elements of the transformed inputs and outputs that
/// one thread needs.
int64_t xc_winograd_inputs(const xc_winograd *winograd);
int64_t xc_winograd_outputs(const xc_winograd *winograd);

/// Replaces the convolution by a call.
void xc_winograd_build(xc_vec_target *target, MlirOperation operation,
                       const xc_vec_fusion *fusion,
                       const xc_winograd *winograd);

#endif // XC_CONVERSION_MTIRTOVECTOR_WINOGRAD_H
