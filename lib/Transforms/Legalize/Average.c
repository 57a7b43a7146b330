//===- Average.c - averages, and pools of whole images --------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The engines divide by the whole kernel. A window over the border that counts
// real elements only is a smaller kernel without padding:
//
//   corner | top    | corner
//   left   | inside | right       each a pool of its own kernel
//   corner | bottom | corner
//
// Only in fixed point, where every bit stays: an average that stays in floating
// point is one operator of the CPU, not slices, pools and concats.
//
//===----------------------------------------------------------------------===//

#include "Legalize.h"

#include "Support/Math.h"
#include "Target/DPU/Window.h"

#include <string.h>

enum { MOST_RUNS = 8 };

// Neighbouring windows of one axis with the same number of real elements.
typedef struct run {
  int64_t begin, end; // elements of the input
  int64_t kernel, stride;
  bool clipped;
} run;

typedef struct runs {
  run items[MOST_RUNS];
  size_t count;
  bool clipped; // any of them
} runs;

static bool read_runs(const xc_adaptor *adaptor, size_t axis, runs *all) {
  int64_t kernel[XC_MAX_INTS], stride[XC_MAX_INTS], pad[XC_MAX_INTS];
  xc_attr_ints(adaptor, XC_ATTR_KERNEL, kernel);
  xc_attr_ints(adaptor, XC_ATTR_STRIDE, stride);
  xc_attr_ints(adaptor, XC_ATTR_PAD, pad);
  int64_t input = xc_operand_shape(adaptor, 0).dims[2 - axis];
  int64_t outputs = xc_value_shape(xc_result_of(adaptor)).dims[2 - axis];
  *all = (runs){.count = 0};
  for (int64_t o = 0; o < outputs; ++o) {
    int64_t begin = o * stride[axis] - pad[2 * axis];
    int64_t end = begin + kernel[axis];
    bool clipped = begin < 0 || end > input;
    run *last = all->count ? &all->items[all->count - 1] : NULL;
    if (last && !clipped && !last->clipped) {
      last->end = end;
      last->stride = stride[axis];
      continue;
    }
    if (all->count == MOST_RUNS)
      return false;
    begin = begin < 0 ? 0 : begin;
    end = end > input ? input : end;
    all->items[all->count++] = (run){begin, end, end - begin, 1, clipped};
    all->clipped |= clipped;
  }
  return true;
}

static bool takes_pools(const XcDpuTarget *target, const runs *w,
                        const runs *h) {
  const XcDpuEngine *engine = xcDpuTargetGetPoolEngine(target);
  for (size_t y = 0; y < h->count; ++y)
    for (size_t x = 0; x < w->count; ++x) {
      const run *row = &h->items[y], *column = &w->items[x];
      if (!xc_engine_takes_window(engine, column->kernel, row->kernel,
                                  column->stride, row->stride) ||
          (target->averagePoolSquareOnly && column->kernel != row->kernel))
        return false;
    }
  return true;
}

static MlirValue build_pool(xc_rewriter *rewriter, const xc_adaptor *root,
                            const run *column, const run *row) {
  static const int64_t no_pad[] = {0, 0, 0, 0};
  xc_shape shape = xc_operand_shape(root, 0);
  const int64_t begin[] = {0, row->begin, column->begin, 0};
  const int64_t kernel[] = {column->kernel, row->kernel};
  const int64_t stride[] = {column->stride, row->stride};
  shape.dims[1] = row->end - row->begin;
  shape.dims[2] = column->end - column->begin;
  MlirValue part =
      xc_rewrite_cut(rewriter, xc_operand(root, 0), begin, shape.dims);
  const xc_attribute window[] = {
      xc_ints("kernel", kernel, 2), xc_ints("stride", stride, 2),
      xc_ints("pad", no_pad, 4), xc_bool("count_include_pad", true)};
  return xc_rewrite_like(rewriter, root, root->info->kind, &part, 1, window, 4);
}

static MlirValue join(xc_rewriter *rewriter, const MlirValue *parts,
                      size_t count, int64_t axis, int64_t point) {
  return count == 1 ? parts[0]
                    : xc_rewrite_join(rewriter, parts, count, axis, point);
}

bool xc_legalize_average_border(xc_rewriter *rewriter, const xc_adaptor *root) {
  runs w, h;
  if (!xc_attr_is(root, XC_ATTR_TYPE, XC_ENUM_AVG) ||
      xc_attr_bool(root, XC_ATTR_GLOBAL) ||
      xc_attr_bool(root, XC_ATTR_COUNT_INCLUDE_PAD) ||
      !xc_attr_is(root, XC_ATTR_PAD_MODE, XC_ENUM_FLOOR) ||
      !xc_attr_all(root, XC_ATTR_DILATION, 1) || !read_runs(root, 0, &w) ||
      !read_runs(root, 1, &h) || (!w.clipped && !h.clipped) ||
      !takes_pools(xc_rewrite_target(rewriter), &w, &h))
    return false;
  int64_t point = xc_attr_int(root, XC_ATTR_OUTPUT_FIX_POINT);
  MlirValue rows[MOST_RUNS];
  for (size_t y = 0; y < h.count; ++y) {
    MlirValue parts[MOST_RUNS];
    for (size_t x = 0; x < w.count; ++x)
      parts[x] = build_pool(rewriter, root, &w.items[x], &h.items[y]);
    rows[y] = join(rewriter, parts, w.count, 2, point);
  }
  return xc_rewrite_replace(rewriter, root,
                            join(rewriter, rows, h.count, 1, point));
}

//===----------------------------------------------------------------------===//
// Windows that reach beyond the padding
//===----------------------------------------------------------------------===//

static bool reaches_beyond(const xc_adaptor *root) {
  int64_t kernel[XC_MAX_INTS], stride[XC_MAX_INTS], pad[XC_MAX_INTS];
  xc_attr_ints(root, XC_ATTR_KERNEL, kernel);
  xc_attr_ints(root, XC_ATTR_STRIDE, stride);
  xc_attr_ints(root, XC_ATTR_PAD, pad);
  xc_shape input = xc_operand_shape(root, 0);
  xc_shape result = xc_value_shape(xc_result_of(root));
  for (size_t axis = 0; axis < 2; ++axis) {
    int64_t last = (result.dims[2 - axis] - 1) * stride[axis] + kernel[axis];
    if (last > input.dims[2 - axis] + pad[2 * axis] + pad[2 * axis + 1])
      return true;
  }
  return false;
}

// The padding that counts becomes part of the image; what is left out is then
// padding that does not count.
bool xc_legalize_average_beyond(xc_rewriter *rewriter, const xc_adaptor *root) {
  static const int64_t no_pad[] = {0, 0, 0, 0};
  int64_t pad[XC_MAX_INTS];
  if (!xc_attr_is(root, XC_ATTR_TYPE, XC_ENUM_AVG) ||
      xc_attr_bool(root, XC_ATTR_GLOBAL) ||
      !xc_attr_bool(root, XC_ATTR_COUNT_INCLUDE_PAD) ||
      xc_attr_bool(root, XC_ATTR_COUNT_INCLUDE_INVALID) ||
      !xc_attr_is(root, XC_ATTR_PAD_MODE, XC_ENUM_CEIL) ||
      !xc_attr_all(root, XC_ATTR_DILATION, 1) || !reaches_beyond(root))
    return false;
  xc_attr_ints(root, XC_ATTR_PAD, pad);
  const int64_t paddings[] = {0, 0, pad[2], pad[3], pad[0], pad[1], 0, 0};
  xc_attribute zeros = xc_ints("paddings", paddings, 8);
  MlirValue image = xc_operand(root, 0);
  if (!xc_attr_all(root, XC_ATTR_PAD, 0))
    image = xc_rewrite_build(rewriter, XC_TIR_PAD_FIX, &image, 1, &zeros, 1,
                             XC_ELEMENT_NONE);
  const xc_attribute changes[] = {xc_ints("pad", no_pad, 4),
                                  xc_bool("count_include_pad", false)};
  return xc_rewrite_replace(
      rewriter, root,
      xc_rewrite_like(rewriter, root, root->info->kind, &image, 1, changes, 2));
}

//===----------------------------------------------------------------------===//
// Averages as convolutions
//===----------------------------------------------------------------------===//

/// Whether convolutions read the image as well, or what it is a part of. They
/// run while the pool does, which then needs no help.
static bool is_beside_convs(MlirValue image) {
  static const xc_op_kind kinds[] = {XC_TIR_CONV2D_FIX,
                                     XC_TIR_DEPTHWISE_CONV2D_FIX,
                                     XC_TIR_TRANSPOSED_CONV2D_FIX};
  xc_adaptor slice, reader;
  if (xc_defined_by(image, XC_TIR_STRIDED_SLICE_FIX, &slice))
    image = xc_operand(&slice, 0);
  for (MlirOpOperand use = mlirValueGetFirstUse(image);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (xc_adaptor_of_tir(mlirOpOperandGetOwner(use), &reader) &&
        XC_IS_ONE_OF(reader.info->kind, kinds))
      return true;
  return false;
}

/// Whether the average takes so long that its engine may need help. A pool that
/// needs none is left one, as pools have no weights and may be divided by
/// channels.
static bool is_long(const XcDpuTarget *target, const xc_adaptor *root,
                    const int64_t kernel[2], const int64_t stride[2]) {
  enum { LEAST_CYCLES = 1024, LEAST_OVERLAP = 4 };
  xc_shape result = xc_value_shape(xc_result_of(root));
  const XcDpuEngine *engine = xcDpuTargetGetDepthwiseEngine(target);
  return xc_ceil_div64(result.dims[1], engine->rows) * result.dims[2] *
                 xc_ceil_div64(result.dims[3], target->channelParallel) *
                 kernel[0] * kernel[1] >=
             LEAST_CYCLES &&
         kernel[0] * kernel[1] >= LEAST_OVERLAP * stride[0] * stride[1];
}

/// Whether the engine of pools takes the depthwise convolution, and that of
/// convolutions, too.
static bool takes_weights(const XcDpuTarget *target, const xc_adaptor *root,
                          const int64_t kernel[2], const int64_t stride[2],
                          XcAvgFactor factor) {
  const XcDpuEngine *engine = xcDpuTargetGetDepthwiseEngine(target);
  int64_t cut = xc_attr_int(root, XC_ATTR_INPUT_FIX_POINT) + factor.shift -
                xc_attr_int(root, XC_ATTR_OUTPUT_FIX_POINT);
  return engine && engine == xcDpuTargetGetPoolEngine(target) &&
         factor.factor <= INT8_MAX && xc_range_has(engine->shiftCut, cut) &&
         xc_range_has(target->conv.shiftCut, cut) &&
         xc_engine_takes_window(engine, kernel[0], kernel[1], stride[0],
                                stride[1]) &&
         xc_engine_takes_window(&target->conv, kernel[0], kernel[1], stride[0],
                                stride[1]);
}

bool xc_legalize_average_by_weights(xc_rewriter *rewriter,
                                    const xc_adaptor *root) {
  const XcDpuTarget *target = xc_rewrite_target(rewriter);
  bool counts_all = xc_attr_bool(root, XC_ATTR_COUNT_INCLUDE_PAD) ||
                    xc_attr_all(root, XC_ATTR_PAD, 0);
  int64_t kernel[XC_MAX_INTS], stride[XC_MAX_INTS];
  if (!xc_attr_is(root, XC_ATTR_TYPE, XC_ENUM_AVG) || !counts_all ||
      !xc_attr_is(root, XC_ATTR_PAD_MODE, XC_ENUM_FLOOR) ||
      !xc_attr_is(root, XC_ATTR_ROUND_MODE, XC_ENUM_DPU_ROUND) ||
      xc_attr_bool(root, XC_ATTR_GLOBAL) || xc_attr_bool(root, XC_ATTR_EXACT) ||
      !xc_attr_all(root, XC_ATTR_DILATION, 1) ||
      xc_value_shape(xc_operand(root, 0)).element != XC_ELEMENT_I8)
    return false;
  xc_attr_ints(root, XC_ATTR_KERNEL, kernel);
  xc_attr_ints(root, XC_ATTR_STRIDE, stride);
  // A window that is alone overlaps with none.
  for (size_t axis = 0; axis < 2; ++axis)
    if (xc_value_shape(xc_result_of(root)).dims[2 - axis] == 1)
      stride[axis] = kernel[axis];
  XcAvgFactor factor = xcAvgPoolFactor(kernel[1], kernel[0]);
  if (!takes_weights(target, root, kernel, stride, factor) ||
      !is_long(target, root, kernel, stride) ||
      is_beside_convs(xc_operand(root, 0)))
    return false;
  int64_t channels = xc_value_shape(xc_result_of(root)).dims[3];
  xc_shape shape = {
      XC_ELEMENT_I8, 4, {1, kernel[1], kernel[0], channels}, false};
  size_t count = (size_t)(kernel[0] * kernel[1] * channels);
  int8_t *weights = xc_rewrite_alloc(rewriter, count, sizeof *weights);
  memset(weights, factor.factor, count);
  const MlirValue operands[] = {xc_operand(root, 0),
                                xc_rewrite_const(rewriter, weights, &shape)};
  const xc_attribute changes[] = {xc_int("weight_fix_point", factor.shift)};
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_like(rewriter, root,
                                            XC_TIR_DEPTHWISE_CONV2D_FIX,
                                            operands, 2, changes, 1));
}

//===----------------------------------------------------------------------===//
// Whole images
//===----------------------------------------------------------------------===//

// Windows of width and height `kernel`, in parts of width and height `part`.
typedef struct stages {
  int64_t kernel[2], part[2];
} stages;

// Whether the pool engine has the windows, and the banks have room for one.
static bool takes_windows(const XcDpuTarget *target, const int64_t kernel[2],
                          const int64_t stride[2], int64_t rows) {
  int64_t band = xc_window_band_stride(target, kernel[1], stride[1], rows);
  return xc_engine_takes_window(xcDpuTargetGetPoolEngine(target), kernel[0],
                                kernel[1], stride[0], stride[1]) &&
         xc_window_bands(target, kernel[1], band) <= XC_MAX_BANDS &&
         xc_window_words(target, kernel[1], band, kernel[0]) <=
             target->image.depth;
}

static bool can_divide(const XcDpuTarget *target, const stages *s,
                       bool is_mean) {
  static const int64_t unit[] = {1, 1};
  const int64_t *kernel = s->kernel, *part = s->part;
  const int64_t parts[] = {kernel[0] / part[0], kernel[1] / part[1]};
  bool is_square = part[0] == part[1] && kernel[0] == kernel[1];
  return takes_windows(target, part, part, parts[1]) &&
         takes_windows(target, parts, unit, 1) &&
         (!is_mean || !target->averagePoolSquareOnly || is_square);
}

// Returns the cycles for each word of channels: the engine computes rows of the
// result at once, of which there is one in the end.
static int64_t cycles_of(const XcDpuEngine *engine, const stages *s) {
  int64_t rows = s->kernel[1] / s->part[1];
  int64_t columns = s->kernel[0] / s->part[0];
  return xc_ceil_div64(rows, engine->rows) * s->part[1] * s->kernel[0] +
         rows * columns;
}

// Parts of the whole that take the fewest cycles; where the target could do
// without, if another layer is worth it. Then there are some of them, so that
// what rounding each of them loses is lost in the mean.
static bool find_parts(const XcDpuTarget *target, stages *s, bool is_mean,
                       int64_t channels) {
  enum { LEAST_PARTS = 32, LEAST_GAIN = 512 };
  static const int64_t unit[] = {1, 1};
  const XcDpuEngine *engine = xcDpuTargetGetPoolEngine(target);
  int64_t words = xc_ceil_div64(channels, target->channelParallel);
  int64_t whole = s->kernel[0] * s->kernel[1];
  bool fits = takes_windows(target, s->kernel, unit, 1);
  int64_t least = fits ? whole - xc_ceil_div64(LEAST_GAIN, words) : INT64_MAX;
  stages now = *s;
  for (int64_t h = 1; h <= s->kernel[1] && h <= engine->kernelH.maximum; ++h)
    for (int64_t w = 1; w <= s->kernel[0] && w <= engine->kernelW.maximum;
         ++w) {
      now.part[0] = w;
      now.part[1] = h;
      if (s->kernel[1] % h != 0 || s->kernel[0] % w != 0 || h * w == 1 ||
          (fits && whole / (h * w) < LEAST_PARTS) ||
          cycles_of(engine, &now) >= least ||
          !can_divide(target, &now, is_mean))
        continue;
      least = cycles_of(engine, &now);
      *s = now;
    }
  return s->part[0] > 0;
}

bool xc_legalize_pool_in_stages(xc_rewriter *rewriter, const xc_adaptor *root) {
  const XcDpuTarget *target = xc_rewrite_target(rewriter);
  xc_shape input = xc_operand_shape(root, 0);
  xc_shape result = xc_value_shape(xc_result_of(root));
  int64_t kernel[XC_MAX_INTS] = {input.dims[2], input.dims[1]};
  if (!xcDpuTargetGetPoolEngine(target) || result.dims[1] != 1 ||
      result.dims[2] != 1 || !xc_attr_all(root, XC_ATTR_PAD, 0) ||
      !xc_attr_all(root, XC_ATTR_DILATION, 1))
    return false;
  if (!xc_attr_bool(root, XC_ATTR_GLOBAL))
    xc_attr_ints(root, XC_ATTR_KERNEL, kernel);
  stages s = {.kernel = {kernel[0], kernel[1]}};
  if (kernel[0] != input.dims[2] || kernel[1] != input.dims[1] ||
      !find_parts(target, &s, root->info->kind == XC_TIR_AVGPOOL2D,
                  input.dims[3]))
    return false;
  static const int64_t unit[] = {1, 1};
  const int64_t parts[] = {kernel[0] / s.part[0], kernel[1] / s.part[1]};
  const xc_attribute first[] = {xc_ints("kernel", s.part, 2),
                                xc_ints("stride", s.part, 2)};
  const xc_attribute second[] = {xc_ints("kernel", parts, 2),
                                 xc_ints("stride", unit, 2)};
  MlirValue value = xc_operand(root, 0);
  value = xc_rewrite_build(rewriter, root->info->kind, &value, 1, first, 2,
                           XC_ELEMENT_NONE);
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_build(rewriter, root->info->kind, &value,
                                             1, second, 2, XC_ELEMENT_NONE));
}

bool xc_legalize_sum_of_channels(xc_rewriter *rewriter,
                                 const xc_adaptor *root) {
  static const int64_t unit[] = {1, 1};
  MlirValue image = xc_operand(root, XC_REDUCTION_MEAN_INPUT);
  xc_shape input = xc_value_shape(image);
  int64_t axes[XC_MAX_INTS];
  if (input.rank != 4 || input.element != XC_ELEMENT_F32 ||
      xc_attr_ints(root, XC_ATTR_AXIS, axes) != 1 ||
      (axes[0] != 3 && axes[0] != -1) || !xc_is_of_layer(image) ||
      !xc_target_takes_conv(xc_rewrite_target(rewriter), 1, 1, input.dims[3],
                            1))
    return false;
  const xc_shape shape = {XC_ELEMENT_F32, 4, {1, 1, 1, input.dims[3]}, false};
  double *share =
      xc_rewrite_alloc(rewriter, (size_t)input.dims[3] + 1, sizeof(*share));
  bool is_mean = root->info->kind == XC_TIR_REDUCTION_MEAN;
  for (int64_t i = 0; i < input.dims[3]; ++i)
    share[i] = is_mean ? 1.0 / (double)input.dims[3] : 1.0;
  const MlirValue operands[] = {image,
                                xc_rewrite_floats(rewriter, share, &shape)};
  const xc_attribute window[] = {xc_ints("kernel", unit, 2),
                                 xc_ints("stride", unit, 2)};
  xc_shape result = xc_value_shape(xc_result_of(root));
  return xc_rewrite_replace(
      rewriter, root,
      xc_rewrite_reshape(rewriter,
                         xc_rewrite_build(rewriter, XC_TIR_CONV2D, operands, 2,
                                          window, 2, XC_ELEMENT_NONE),
                         &result));
}
