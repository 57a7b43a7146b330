//===- ResizeDepths.c - resampling the depth of volumes -------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Front ends resize the depth of a volume [N, H, W, D, C] as the width of an
// image [N, H * W, D, C], of which every row is a transfer of a few pixels. The
// volume is also an image [N, H, W, D * C]. There the depth is resampled by 1x1
// convolutions with constant weights: one for each block of output channels,
// which reads the depths between which these lie.
//
//===----------------------------------------------------------------------===//

#include "Legalize.h"

#include "IR/IR.h"
#include "OpParams/Resize.h"
#include "Support/Math.h"

enum { N, H, W, C };
enum { MOST_BLOCKS = 16 };

/// A volume whose depth is resized.
typedef struct depth_resize {
  MlirValue planes; // [N, H, W, D * C]
  xc_shape shape;   // of these
  int64_t channels; // C
  int64_t results;  // D' * C
  xc_resize_axis axis;
} depth_resize;

/// Channels from `begin` on.
typedef struct channel_range {
  int64_t begin, size;
} channel_range;

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

// Finds the image of planes that a reshape has made the columns of.
static bool find_planes(const xc_adaptor *root, depth_resize *r) {
  xc_adaptor reshape;
  xc_shape columns = xc_operand_shape(root, XC_RESIZE_INPUT);
  if (!xc_defining_adaptor(xc_operand(root, XC_RESIZE_INPUT), &reshape) ||
      reshape.info->kind != XC_TIR_RESHAPE)
    return false;
  xc_shape source = xc_operand_shape(&reshape, 0);
  int64_t depth = columns.dims[W], channels = columns.dims[C];
  bool is_volume =
      source.rank == 5 && source.dims[3] == depth && source.dims[4] == channels;
  bool is_image = source.rank == 4 && source.dims[C] == depth * channels;
  if ((!is_volume && !is_image) || source.dims[N] != columns.dims[N] ||
      source.dims[H] * source.dims[W] != columns.dims[H])
    return false;
  r->planes = xc_operand(&reshape, 0);
  r->shape = (xc_shape){.element = source.element,
                        .rank = 4,
                        .dims = {source.dims[N], source.dims[H], source.dims[W],
                                 depth * channels}};
  r->channels = channels;
  return true;
}

static bool keeps_rows(const xc_adaptor *root, xc_arena *arena) {
  int64_t rows = xc_operand_shape(root, XC_RESIZE_INPUT).dims[H];
  if (xc_value_shape(xc_result_of(root)).dims[H] != rows)
    return false;
  xc_resize_axis axis = xc_resize_axis_of(root, 1, arena);
  for (int64_t y = 0; y < rows; ++y)
    for (int64_t k = 0; k < axis.taps; ++k)
      if (axis.outside[y] || (axis.source[y * axis.taps + k] != y &&
                              axis.weight[y * axis.taps + k] != 0))
        return false;
  return true;
}

static bool is_inside(const xc_resize_axis *axis, int64_t depths) {
  for (int64_t d = 0; d < depths; ++d)
    if (axis->outside[d])
      return false;
  return true;
}

static bool match(const xc_adaptor *root, xc_arena *arena, depth_resize *r) {
  xc_shape result = xc_value_shape(xc_result_of(root));
  if (xc_operand_shape(root, XC_RESIZE_INPUT).element != XC_ELEMENT_F32 ||
      !find_planes(root, r) || !keeps_rows(root, arena))
    return false;
  r->results = result.dims[W] * r->channels;
  r->axis = xc_resize_axis_of(root, 0, arena);
  return is_inside(&r->axis, result.dims[W]);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// Whole words of the input channels that a block of the output is made of.
static channel_range read_by(const depth_resize *r, const channel_range *block,
                             int64_t word) {
  int64_t first = r->shape.dims[C], last = 0;
  for (int64_t o = block->begin; o < block->begin + block->size; ++o)
    for (int64_t k = 0; k < r->axis.taps; ++k) {
      int64_t tap = o / r->channels * r->axis.taps + k;
      int64_t channel = r->axis.source[tap] * r->channels + o % r->channels;
      if (r->axis.weight[tap] == 0)
        continue;
      first = xc_minimum64(first, channel);
      last = xc_maximum64(last, channel);
    }
  int64_t begin = first / word * word;
  int64_t end = xc_minimum64((last / word + 1) * word, r->shape.dims[C]);
  return (channel_range){begin, end - begin};
}

static channel_range block_of(const depth_resize *r, int64_t size, int64_t at) {
  return (channel_range){at, xc_minimum64(size, r->results - at)};
}

/// Returns the cycles of the convolutions of blocks of `size` channels, or a
/// negative number where the target does not take them.
static int64_t cycles_of(const XcDpuTarget *target, const depth_resize *r,
                         int64_t size) {
  enum { LAYER = 100 };
  int64_t pixels = r->shape.dims[N] * r->shape.dims[H] * r->shape.dims[W];
  int64_t steps = xc_ceil_div64(pixels, target->pixelParallel), cycles = 0;
  for (int64_t at = 0; at < r->results; at += size) {
    channel_range block = block_of(r, size, at);
    channel_range read = read_by(r, &block, target->channelParallel);
    if (!xc_target_takes_conv(target, 1, 1, read.size, block.size))
      return -1;
    cycles +=
        LAYER + steps * xc_ceil_div64(read.size, target->inputChannelParallel) *
                    xc_ceil_div64(block.size, target->outputChannelParallel);
  }
  return cycles;
}

/// Returns the size of blocks that takes least, or 0 if the rows of columns do.
static int64_t choose_size(const XcDpuTarget *target, const depth_resize *r) {
  enum { ROW = 40 }; // of which most is latency
  int64_t least = ROW * r->shape.dims[N] * r->shape.dims[H] * r->shape.dims[W];
  int64_t best = 0, size = target->channelParallel;
  while (xc_ceil_div64(r->results, size) > MOST_BLOCKS)
    size *= 2;
  for (bool is_last = false; !is_last; size *= 2) {
    is_last = size >= r->results;
    int64_t cycles = cycles_of(target, r, size);
    if (cycles < 0 || cycles >= least)
      continue;
    least = cycles;
    best = size;
  }
  return best;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

static MlirValue build_block(xc_rewriter *rewriter, const depth_resize *r,
                             const channel_range *block) {
  const XcDpuTarget *target = xc_rewrite_target(rewriter);
  channel_range read = read_by(r, block, target->channelParallel);
  const xc_shape shape = {
      XC_ELEMENT_F32, 4, {block->size, 1, 1, read.size}, false};
  double *weights = xc_rewrite_alloc(
      rewriter, (size_t)(block->size * read.size) + 1, sizeof(*weights));
  for (int64_t i = 0; i < block->size; ++i)
    for (int64_t k = 0; k < r->axis.taps; ++k) {
      int64_t o = block->begin + i;
      int64_t tap = o / r->channels * r->axis.taps + k;
      int64_t channel =
          r->axis.source[tap] * r->channels + o % r->channels - read.begin;
      if (r->axis.weight[tap] != 0)
        weights[i * read.size + channel] += r->axis.weight[tap];
    }
  int64_t begin[XC_MAX_RANK] = {[C] = read.begin};
  int64_t size[XC_MAX_RANK] = {r->shape.dims[N], r->shape.dims[H],
                               r->shape.dims[W], read.size};
  const MlirValue operands[] = {
      read.size < r->shape.dims[C]
          ? xc_rewrite_cut(rewriter, r->planes, begin, size)
          : r->planes,
      xc_rewrite_floats(rewriter, weights, &shape)};
  const int64_t one[] = {1, 1};
  const xc_attribute window[] = {xc_ints("kernel", one, 2),
                                 xc_ints("stride", one, 2)};
  return xc_rewrite_build(rewriter, XC_TIR_CONV2D, operands, 2, window, 2,
                          XC_ELEMENT_NONE);
}

static bool replace(xc_rewriter *rewriter, const xc_adaptor *root,
                    depth_resize *r, int64_t size) {
  MlirValue blocks[MOST_BLOCKS];
  size_t count = 0;
  xc_shape result = xc_value_shape(xc_result_of(root));
  r->planes = xc_rewrite_reshape(rewriter, r->planes, &r->shape);
  for (int64_t at = 0; at < r->results; at += size) {
    channel_range block = block_of(r, size, at);
    blocks[count++] = build_block(rewriter, r, &block);
  }
  MlirValue all =
      count == 1 ? blocks[0] : xc_rewrite_join(rewriter, blocks, count, C, 0);
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_reshape(rewriter, all, &result));
}

bool xc_legalize_resize_of_depths(xc_rewriter *rewriter,
                                  const xc_adaptor *root) {
  depth_resize r;
  xc_arena arena = {0};
  int64_t size = match(root, &arena, &r)
                     ? choose_size(xc_rewrite_target(rewriter), &r)
                     : 0;
  bool is_replaced = size > 0 && replace(rewriter, root, &r, size);
  xc_arena_free(&arena);
  return is_replaced;
}
