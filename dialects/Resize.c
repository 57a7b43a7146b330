//===- Resize.c - what tir.resize does to pixels --------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Resize.h"

#include <string.h>

bool xc_resize_factors(const xc_view *view, int64_t factors[2]) {
  xc_shape in = xc_view_shape(view, 0), out;
  double scale[2];
  size_t count = xc_view_floats(view, "scale", scale, 2);
  xc_shape_of_type(mlirValueGetType(mlirOperationGetResult(view->operation, 0)),
                   &out);
  for (size_t i = 0; i < 2; ++i) {
    int64_t from = in.dims[2 - i], to = out.dims[2 - i];
    if (from == 0 || to < from || to % from != 0)
      return false;
    factors[i] = to / from;
    if (count && scale[i] != (double)factors[i])
      return false;
  }
  return true;
}

// Pixel x of the result lies at x / s, or at (x + 1/2) / s - 1/2, which is
// never half way between two pixels: any rounding to the nearest takes floor(x
// / s).
bool xc_resize_repeats(const xc_view *view, int64_t factors[2]) {
  const char *nearest = xc_view_word(view, "nearest_mode");
  bool half_pixel = xc_view_bool(view, "half_pixel_centers");
  return strcmp(xc_view_word(view, "mode"), "NEAREST") == 0 &&
         strcmp(xc_view_word(view, "coordinate_mode"), "DEFAULT") == 0 &&
         !xc_view_bool(view, "align_corners") &&
         (half_pixel ? strncmp(nearest, "ROUND", strlen("ROUND")) == 0
                     : strcmp(nearest, "FLOOR") == 0) &&
         xc_resize_factors(view, factors);
}
