//===- UpsampleStages.c - columns repeated before rows --------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A repeated image is saved once for each place of a pixel among its copies,
// row by row. Of a narrow image, such as the one pixel of a global pool that
// becomes a map again, each SAVE moves next to nothing. Repeated columns first
// are a row that later SAVEs move as a whole.
//
//===----------------------------------------------------------------------===//

#include "Legalize.h"

#include "Support/Math.h"

enum { HEIGHT = 1, WIDTH = 2, CHANNELS = 3 };

/// Returns the cycles of a transfer for each of `rows` rows of `columns`
/// pixels.
static int64_t transfer_cycles(int64_t start, int64_t bytes_per_cycle,
                               int64_t rows, int64_t columns,
                               int64_t pixel_bytes) {
  return rows * (start + xc_ceil_div64(columns * pixel_bytes, bytes_per_cycle));
}

/// Whether a tenth of the time, at least, is saved.
static bool is_faster(const XcDpuTarget *target, const xc_shape *input,
                      const int64_t scale[2]) {
  const XcDpuTiming *timing = &target->timing;
  int64_t height = input->dims[HEIGHT], width = input->dims[WIDTH];
  int64_t bytes =
      xc_ceil_div64(input->dims[CHANNELS], target->channelParallel) *
      target->channelParallel;
  int64_t start = timing->saveStart, rate = timing->saveBytesPerCycle;
  int64_t at_once =
      transfer_cycles(start, rate, height * scale[0] * scale[1], width, bytes);
  int64_t columns =
      transfer_cycles(start, rate, height * scale[0], width, bytes);
  int64_t rows =
      transfer_cycles(start, rate, height * scale[1], width * scale[0], bytes);
  int64_t loads = transfer_cycles(timing->loadStart, timing->loadBytesPerCycle,
                                  height, width * scale[0], bytes);
  int64_t staged = (columns + rows) / target->savePorts + loads;
  return 10 * staged <= 9 * (at_once / target->savePorts);
}

bool xc_legalize_upsample_in_stages(xc_rewriter *rewriter,
                                    const xc_adaptor *root) {
  int64_t scale[XC_MAX_INTS];
  MlirValue image = xc_operand(root, 0);
  xc_shape input = xc_value_shape(image);
  xc_attr_ints(root, XC_ATTR_SCALE, scale);
  if (input.rank != 4 || scale[0] == 1 || scale[1] == 1 ||
      !is_faster(xc_rewrite_target(rewriter), &input, scale))
    return false;
  const int64_t across[] = {scale[0], 1}, down[] = {1, scale[1]};
  const xc_attribute columns[] = {xc_ints("scale", across, 2)};
  const xc_attribute rows[] = {
      xc_ints("scale", down, 2),
      xc_int("input_fix_point", xc_attr_int(root, XC_ATTR_OUTPUT_FIX_POINT))};
  image =
      xc_rewrite_like(rewriter, root, root->info->kind, &image, 1, columns, 1);
  return xc_rewrite_replace(
      rewriter, root,
      xc_rewrite_like(rewriter, root, root->info->kind, &image, 1, rows, 2));
}
