//===- DilatedRegions.c - dilations as large as the map -------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// If a kernel is dilated by a third of the map or more, as in the pyramids of
// DeepLab, many of its elements meet padding. Which ones depends on the region
// of the result: near a corner of a 3x3 kernel's result it is four that do not,
// and where the dilation is more than half of the map, it is a single one in
// the middle. Each region is a convolution with only the elements that meet the
// image there. The pixels that they read are copied next to each other, so that
// it steps over them by its own size: there is no dilation, and no padding.
//
//===----------------------------------------------------------------------===//

#include "Legalize.h"

#include "Support/Math.h"

enum {
  HEIGHT = 1,
  WIDTH = 2,
  CHANNELS = 3,
  /// A kernel of three elements has three bands or fewer on each axis.
  MOST_BANDS = 3,
  /// Tenths of the estimated cycles. Many small copies take longer than their
  /// words.
  TENTHS = 11,
};

/// Results on one axis that the same elements of the kernel reach the image
/// from.
typedef struct region_band {
  int64_t first, count; // results
  int64_t tap, taps;    // elements
} region_band;

typedef struct region_axis {
  region_band bands[MOST_BANDS];
  size_t count;
} region_axis;

/// The convolution.
typedef struct regions_plan {
  xc_window window;
  xc_shape input, weight;
  region_axis h, w;
  const XcDpuEngine *engine;
  bool is_depthwise;
  int64_t fix_point;
} regions_plan;

/// Returns the elements of the kernel that meet the image for a result.
static region_band taps_of(const xc_window_axis *axis, int64_t result) {
  int64_t at = result - axis->before;
  int64_t first = at < 0 ? xc_ceil_div64(-at, axis->dilation) : 0;
  int64_t end =
      at < axis->inputs ? (axis->inputs - 1 - at) / axis->dilation + 1 : 0;
  if (end > axis->kernel)
    end = axis->kernel;
  return (region_band){result, 1, first, end - first};
}

// Returns false where a result has no elements, or there are more bands.
static bool find_bands(const xc_window_axis *axis, region_axis *found) {
  if (axis->stride != 1 || axis->kernel < 1 || axis->outputs < 1)
    return false;
  found->count = 0;
  for (int64_t o = 0; o < axis->outputs; ++o) {
    region_band now = taps_of(axis, o);
    region_band *last =
        found->count > 0 ? &found->bands[found->count - 1] : NULL;
    if (now.taps < 1)
      return false;
    if (last && last->tap == now.tap && last->taps == now.taps) {
      ++last->count;
      continue;
    }
    if (found->count == MOST_BANDS)
      return false;
    found->bands[found->count++] = now;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Cost
//===----------------------------------------------------------------------===//

/// The kernel of a region on its copied pixels.
typedef struct region_kernel {
  int64_t width, height;
} region_kernel;

static region_kernel kernel_of(const XcDpuEngine *engine,
                               const region_band *down,
                               const region_band *across) {
  int64_t taps = down->taps * across->taps;
  // All pixels of a window in one row.
  if (xc_engine_takes_window(engine, taps, 1, taps, 1))
    return (region_kernel){taps, 1};
  return (region_kernel){across->taps, down->taps};
}

static bool takes_region(const XcDpuTarget *target, const regions_plan *p,
                         const region_band *down, const region_band *across) {
  region_kernel k = kernel_of(p->engine, down, across);
  return xc_engine_takes_window(p->engine, k.width, k.height, k.width,
                                k.height) &&
         (p->is_depthwise ||
          xc_target_takes_conv(target, k.width, k.height,
                               p->input.dims[CHANNELS], p->weight.dims[0])) &&
         down->taps * across->taps <= XC_MAX_OPERANDS;
}

/// Returns the cycles of a region: steps of the engine, and the words that are
/// copied.
static int64_t region_cycles(const XcDpuTarget *target, const regions_plan *p,
                             const region_band *down,
                             const region_band *across) {
  int64_t taps = down->taps * across->taps;
  int64_t inputs =
      xc_ceil_div64(p->input.dims[CHANNELS], target->inputChannelParallel);
  int64_t outputs =
      xc_ceil_div64(p->weight.dims[0], target->outputChannelParallel);
  int64_t steps = xc_ceil_div64(down->count, target->conv.rows) *
                  across->count * taps * inputs * outputs;
  int64_t copied = taps > 1 ? down->count * across->count * taps * inputs : 0;
  return steps + copied;
}

static bool takes_regions(const XcDpuTarget *target, const regions_plan *p) {
  for (size_t y = 0; y < p->h.count; ++y)
    for (size_t x = 0; x < p->w.count; ++x)
      if (!takes_region(target, p, &p->h.bands[y], &p->w.bands[x]))
        return false;
  return true;
}

/// An engine that computes channel by channel takes hardly longer for an
/// element than its copy takes: three in a band are too many.
static bool has_few_taps(const region_axis *axis) {
  for (size_t i = 0; i < axis->count; ++i)
    if (axis->bands[i].taps > 2)
      return false;
  return true;
}

static bool is_faster(const XcDpuTarget *target, const xc_adaptor *root,
                      const regions_plan *p) {
  if (p->is_depthwise)
    return has_few_taps(&p->h) && has_few_taps(&p->w);
  int64_t cycles = 0;
  for (size_t y = 0; y < p->h.count; ++y)
    for (size_t x = 0; x < p->w.count; ++x)
      cycles += region_cycles(target, p, &p->h.bands[y], &p->w.bands[x]);
  return cycles * TENTHS <= xc_dilated_rows_cycles(target, root) * 10;
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

// Returns the pixels that element (i, j) of the kernel reads for a region.
static MlirValue cut_tap(xc_rewriter *rewriter, MlirValue input,
                         const regions_plan *p, const region_band *down,
                         const region_band *across, int64_t i, int64_t j) {
  const xc_window_axis *h = &p->window.h, *w = &p->window.w;
  const int64_t begin[] = {
      0, down->first - h->before + (down->tap + i) * h->dilation,
      across->first - w->before + (across->tap + j) * w->dilation, 0};
  const int64_t size[] = {p->input.dims[0], down->count, across->count,
                          p->input.dims[CHANNELS]};
  return xc_rewrite_cut(rewriter, input, begin, size);
}

// Returns the pixels that each window reads next to each other, for rows i to i
// + rows - 1 of the kernel.
static MlirValue copy_pixels(xc_rewriter *rewriter, MlirValue input,
                             const regions_plan *p, const region_band *down,
                             const region_band *across, int64_t i,
                             int64_t rows) {
  MlirValue parts[XC_MAX_OPERANDS];
  size_t count = 0;
  for (int64_t row = i; row < i + rows; ++row)
    for (int64_t j = 0; j < across->taps; ++j)
      parts[count++] = cut_tap(rewriter, input, p, down, across, row, j);
  if (count == 1)
    return parts[0];
  MlirValue joined =
      xc_rewrite_join(rewriter, parts, count, CHANNELS, p->fix_point);
  xc_shape shape = p->input;
  shape.dims[HEIGHT] = down->count;
  shape.dims[WIDTH] = across->count * (int64_t)count;
  return xc_rewrite_reshape(rewriter, joined, &shape);
}

static MlirValue copy_input(xc_rewriter *rewriter, MlirValue input,
                            const regions_plan *p, const region_band *down,
                            const region_band *across,
                            const region_kernel *kernel) {
  if (kernel->height == 1)
    return copy_pixels(rewriter, input, p, down, across, 0, down->taps);
  // Rows side by side are rows below each other.
  MlirValue parts[XC_MAX_OPERANDS];
  for (int64_t i = 0; i < down->taps; ++i)
    parts[i] = copy_pixels(rewriter, input, p, down, across, i, 1);
  MlirValue beside =
      xc_rewrite_join(rewriter, parts, (size_t)down->taps, WIDTH, p->fix_point);
  xc_shape shape = p->input;
  shape.dims[HEIGHT] = down->count * down->taps;
  shape.dims[WIDTH] = across->count * across->taps;
  return xc_rewrite_reshape(rewriter, beside, &shape);
}

static MlirValue cut_weights(xc_rewriter *rewriter, const xc_adaptor *root,
                             const regions_plan *p, const region_band *down,
                             const region_band *across,
                             const region_kernel *kernel) {
  const xc_kernel_part part = {down->tap, down->taps, across->tap,
                               across->taps};
  xc_shape shape = p->weight;
  const int64_t *elements = xc_kernel_part_elements(rewriter, &part, &shape);
  shape.dims[HEIGHT] = kernel->height;
  shape.dims[WIDTH] = kernel->width;
  return xc_rewrite_gather(rewriter, xc_operand(root, XC_CONV2D_WEIGHT),
                           elements, &shape);
}

static MlirValue build_region(xc_rewriter *rewriter, const xc_adaptor *root,
                              const regions_plan *p, const region_band *down,
                              const region_band *across) {
  region_kernel k = kernel_of(p->engine, down, across);
  const MlirValue operands[] = {
      copy_input(rewriter, xc_operand(root, XC_CONV2D_INPUT), p, down, across,
                 &k),
      cut_weights(rewriter, root, p, down, across, &k),
      xc_operand_or_null(root, XC_CONV2D_BIAS)};
  static const int64_t none[4], unit[] = {1, 1};
  const int64_t size[] = {k.width, k.height};
  const xc_attribute changes[] = {
      xc_ints("kernel", size, 2), xc_ints("stride", size, 2),
      xc_ints("pad", none, 4), xc_ints("dilation", unit, 2)};
  return xc_rewrite_like(rewriter, root, root->info->kind, operands, 3, changes,
                         4);
}

static MlirValue join(xc_rewriter *rewriter, const MlirValue *parts,
                      size_t count, int64_t axis, const xc_adaptor *root) {
  return count == 1
             ? parts[0]
             : xc_rewrite_join(rewriter, parts, count, axis,
                               xc_attr_int(root, XC_ATTR_OUTPUT_FIX_POINT));
}

bool xc_legalize_dilated_regions(xc_rewriter *rewriter,
                                 const xc_adaptor *root) {
  const XcDpuTarget *target = xc_rewrite_target(rewriter);
  regions_plan p = {.window = xc_window_of(root),
                    .input = xc_operand_shape(root, XC_CONV2D_INPUT),
                    .weight = xc_operand_shape(root, XC_CONV2D_WEIGHT),
                    .engine = xc_engine_of_conv(target, root),
                    .is_depthwise =
                        root->info->kind == XC_TIR_DEPTHWISE_CONV2D_FIX,
                    .fix_point = xc_attr_int(root, XC_ATTR_INPUT_FIX_POINT)};
  if (!p.engine || xc_attr_all(root, XC_ATTR_DILATION, 1) ||
      xc_attr_int(root, XC_ATTR_GROUP) != 1 ||
      !xc_attr_is(root, XC_ATTR_PAD_MODE, XC_ENUM_FLOOR) ||
      !xc_is_of_dpu(xc_operand(root, XC_CONV2D_INPUT)) ||
      !xc_constant_bytes(rewriter, xc_operand(root, XC_CONV2D_WEIGHT)) ||
      !find_bands(&p.window.h, &p.h) || !find_bands(&p.window.w, &p.w) ||
      !takes_regions(target, &p) || !is_faster(target, root, &p))
    return false;
  MlirValue rows[MOST_BANDS];
  for (size_t y = 0; y < p.h.count; ++y) {
    MlirValue parts[MOST_BANDS];
    for (size_t x = 0; x < p.w.count; ++x)
      parts[x] = build_region(rewriter, root, &p, &p.h.bands[y], &p.w.bands[x]);
    rows[y] = join(rewriter, parts, p.w.count, WIDTH, root);
  }
  return xc_rewrite_replace(rewriter, root,
                            join(rewriter, rows, p.h.count, HEIGHT, root));
}
