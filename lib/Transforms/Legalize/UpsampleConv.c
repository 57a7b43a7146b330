//===- UpsampleConv.c - pixels repeated by the convolution engine ---------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A repeated image is saved once for each place of a pixel among its copies.
// Such pixels have gaps between them, so that each takes a burst, however few
// channels it has. The transposed depthwise convolution with ones has the same
// bytes. Its lowering computes the copies of a row as channels of one pixel,
// which are saved without gaps. In front of other layers, what is saved in less
// time has to outweigh what the convolution engine, which these layers need as
// well, computes for that.
//
//===----------------------------------------------------------------------===//

#include "Legalize.h"

#include "Support/Math.h"

#include <string.h>

enum { ACROSS, DOWN };
enum { HEIGHT = 1, WIDTH = 2, CHANNELS = 3 };

/// Cycles of the copies of all rows that are at the same place among the copies
/// of a row.
typedef struct row_cycles {
  int64_t conv, weights, save;
} row_cycles;

/// Returns the number of bytes that are moved for so many that follow each
/// other.
static int64_t moved_bytes(const XcDpuTarget *target, int64_t bytes) {
  int64_t burst = target->timing.burstBytes;
  return burst > 0 ? xc_ceil_div64(bytes, burst) * burst : bytes;
}

static int64_t save_cycles(const XcDpuTarget *target, int64_t rows,
                           int64_t row_bytes) {
  const XcDpuTiming *timing = &target->timing;
  int64_t bytes = moved_bytes(target, row_bytes);
  return rows * (timing->saveStart + bytes / timing->saveBytesPerCycle) /
         target->savePorts;
}

static int64_t upsample_cycles(const XcDpuTarget *target, const xc_shape *image,
                               const int64_t scale[2]) {
  int64_t pixel = moved_bytes(target, image->dims[CHANNELS]);
  return scale[ACROSS] * scale[DOWN] *
         save_cycles(target, image->dims[HEIGHT], image->dims[WIDTH] * pixel);
}

static row_cycles conv_cycles(const XcDpuTarget *target, const xc_shape *image,
                              int64_t across) {
  int64_t height = image->dims[HEIGHT], width = image->dims[WIDTH];
  int64_t channels = image->dims[CHANNELS], outputs = across * channels;
  int64_t blocks = xc_ceil_div64(height, target->conv.rows);
  int64_t words = xc_ceil_div64(channels, target->channelParallel) *
                  xc_ceil_div64(outputs, target->channelParallel);
  int64_t banks = target->weights.numBanks;
  return (row_cycles){.conv = blocks * width * words,
                      .weights = (outputs < banks ? outputs : banks) *
                                 target->timing.loadStart,
                      .save = save_cycles(target, height, width * outputs)};
}

/// Whether an operator of the DPU may read the value.
static bool is_read_by_layers(MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    xc_adaptor user;
    if (!xc_adaptor_of_tir(mlirOpOperandGetOwner(use), &user) ||
        user.info->kind == XC_TIR_FIX2FLOAT)
      continue;
    if (user.info->kind != XC_TIR_RESHAPE_FIX ||
        is_read_by_layers(xc_result_of(&user)))
      return true;
  }
  return false;
}

static bool is_faster(const XcDpuTarget *target, const xc_shape *image,
                      const int64_t scale[2], bool is_read) {
  int64_t before = upsample_cycles(target, image, scale);
  row_cycles row = conv_cycles(target, image, scale[ACROSS]);
  int64_t most = row.conv > row.weights ? row.conv : row.weights;
  int64_t after = scale[DOWN] * (most > row.save ? most : row.save);
  if (10 * after > 9 * before)
    return false;
  return !is_read || before - after >= scale[DOWN] * (row.conv + row.weights);
}

/// Whether the engine computes all copies of a pixel in a row at once.
static bool takes_copies(const XcDpuTarget *target, const xc_shape *image,
                         const int64_t scale[2]) {
  enum { LARGEST = 8, MOST_WORDS = 8 };
  const XcDpuEngine *engine = xcDpuTargetGetDepthwiseEngine(target);
  int64_t channels = image->dims[CHANNELS] * scale[ACROSS];
  return scale[ACROSS] > 1 && scale[ACROSS] <= LARGEST &&
         scale[DOWN] <= LARGEST && engine &&
         moved_bytes(target, image->dims[CHANNELS]) > image->dims[CHANNELS] &&
         xc_engine_takes_window(engine, 1, 1, 1, 1) &&
         channels <= (int64_t)MOST_WORDS * target->channelParallel &&
         xc_target_takes_conv(target, 1, 1, image->dims[CHANNELS], channels);
}

static MlirValue build_ones(xc_rewriter *rewriter, const int64_t scale[2],
                            int64_t channels) {
  xc_shape shape = {
      XC_ELEMENT_I8, 4, {1, scale[DOWN], scale[ACROSS], channels}, false};
  size_t count = (size_t)xc_shape_num_elements(&shape);
  int8_t *ones = xc_rewrite_alloc(rewriter, count, sizeof *ones);
  memset(ones, 1, count);
  return xc_rewrite_const(rewriter, ones, &shape);
}

bool xc_legalize_upsample_as_conv(xc_rewriter *rewriter,
                                  const xc_adaptor *root) {
  int64_t scale[XC_MAX_INTS];
  MlirValue image = xc_operand(root, 0);
  xc_shape input = xc_value_shape(image);
  const XcDpuTarget *target = xc_rewrite_target(rewriter);
  xc_attr_ints(root, XC_ATTR_SCALE, scale);
  // A sum or product repeats a single row or column by itself.
  if (input.rank != 4 || input.element != XC_ELEMENT_I8 ||
      xc_shape_num_elements(&input) == 0 || input.dims[HEIGHT] == 1 ||
      input.dims[WIDTH] == 1 || !xc_is_of_dpu(image) ||
      xc_attr_int(root, XC_ATTR_INPUT_FIX_POINT) !=
          xc_attr_int(root, XC_ATTR_OUTPUT_FIX_POINT) ||
      !takes_copies(target, &input, scale) ||
      !is_faster(target, &input, scale, is_read_by_layers(xc_result_of(root))))
    return false;
  const MlirValue operands[] = {
      image, build_ones(rewriter, scale, input.dims[CHANNELS])};
  const int64_t none[4] = {0};
  const xc_attribute window[] = {
      xc_ints("kernel", scale, 2), xc_ints("stride", scale, 2),
      xc_ints("pad", none, 4), xc_int("weight_fix_point", 0)};
  return xc_rewrite_replace(
      rewriter, root,
      xc_rewrite_like(rewriter, root, XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D_FIX,
                      operands, 2, window, 4));
}
