//===- LongKernel.c - kernels and strides that the target does not have ---===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Networks on sound begin with a kernel of 80 samples and a stride of 4 or 16,
// which no engine has. Pixels of a row lie one after the other, so a block of
// them is one pixel of more channels, by a reshape that moves nothing. A
// convolution of blocks has a kernel and stride smaller by the size of a block,
// if that divides the stride. Where it is a multiple of the stride instead,
// each position computes the results that begin within a block, as channels of
// one, whose kernels are the same but further along; they are next to each
// other, too. Elements that only some of these kernels have are zeros in the
// others, so that every result is the same sum. This is done in fixed point,
// when it is known what a DPU computes: a CPU would compute the zeros, too.
//
//===----------------------------------------------------------------------===//

#include "BlockAxis.h"
#include "Legalize.h"

#include "Support/Math.h"

#include <string.h>

enum { HEIGHT = 1, WIDTH = 2, CHANNELS = 3 };

/// A convolution along one axis of an image.
typedef struct line {
  size_t dim; // WIDTH or HEIGHT
  xc_window_axis axis, other;
  xc_shape input, weight, result;
} line;

/// The same of blocks, and what it takes.
typedef struct block_plan {
  xc_block_axis axis;
  int64_t cost;
} block_plan;

//===----------------------------------------------------------------------===//
// Kernels in one line
//===----------------------------------------------------------------------===//

static bool lacks_window(const XcDpuEngine *engine, const xc_window_axis *axis,
                         size_t dim) {
  return !xc_range_has(dim == WIDTH ? engine->kernelW : engine->kernelH,
                       axis->kernel) ||
         !xc_range_has(dim == WIDTH ? engine->strideW : engine->strideH,
                       axis->stride);
}

static bool read_line(const XcDpuTarget *target, const xc_adaptor *root,
                      line *l) {
  const xc_window window = xc_window_of(root);
  l->input = xc_operand_shape(root, XC_CONV2D_INPUT);
  l->weight = xc_operand_shape(root, XC_CONV2D_WEIGHT);
  l->result = xc_value_shape(xc_result_of(root));
  if (lacks_window(&target->conv, &window.w, WIDTH)) {
    l->dim = WIDTH;
    l->axis = window.w;
    l->other = window.h;
  } else if (lacks_window(&target->conv, &window.h, HEIGHT)) {
    l->dim = HEIGHT;
    l->axis = window.h;
    l->other = window.w;
  } else {
    return false;
  }
  // Rows follow each other only where they are of one pixel.
  bool is_contiguous =
      l->dim == WIDTH || (l->input.dims[WIDTH] == 1 && window.w.outputs == 1);
  return is_contiguous;
}

//===----------------------------------------------------------------------===//
// Size of a block
//===----------------------------------------------------------------------===//

static bool is_taken(const XcDpuTarget *target, const line *l,
                     const block_plan *p) {
  int64_t kernel[] = {l->other.kernel, l->other.kernel};
  int64_t stride[] = {l->other.stride, l->other.stride};
  kernel[l->dim == HEIGHT] = p->axis.kernel;
  stride[l->dim == HEIGHT] = p->axis.stride;
  return xc_target_takes_conv(target, kernel[0], kernel[1],
                              p->axis.pixels * l->input.dims[CHANNELS],
                              p->axis.results * l->result.dims[CHANNELS]) &&
         xc_engine_takes_window(&target->conv, kernel[0], kernel[1], stride[0],
                                stride[1]);
}

/// Returns the number of steps of the engine, and words to be moved: weights,
/// and pixels where the lengths do not fit.
static int64_t cost_of(const XcDpuTarget *target, const line *l,
                       const block_plan *p) {
  int64_t inputs = p->axis.pixels * l->input.dims[CHANNELS],
          outputs = p->axis.results * l->result.dims[CHANNELS];
  int64_t moved = p->axis.kernel * inputs * outputs;
  if (p->axis.inputs * p->axis.pixels != l->axis.inputs)
    moved += p->axis.inputs * inputs;
  if (p->axis.outputs * p->axis.results != l->axis.outputs)
    moved += p->axis.outputs * outputs;
  return p->axis.outputs * p->axis.kernel *
             xc_ceil_div64(inputs, target->inputChannelParallel) *
             xc_ceil_div64(outputs, target->outputChannelParallel) +
         xc_ceil_div64(moved, target->inputChannelParallel);
}

static void try_plan(const XcDpuTarget *target, const line *l, int64_t pixels,
                     int64_t results, block_plan *best) {
  block_plan p = {.axis = {.pixels = pixels, .results = results}};
  if (!xc_complete_blocks(&l->axis, &p.axis) || !is_taken(target, l, &p))
    return;
  p.cost = cost_of(target, l, &p);
  if (best->axis.pixels == 0 || p.cost < best->cost)
    *best = p;
}

static bool find_plan(const XcDpuTarget *target, const line *l, bool can_repeat,
                      block_plan *best) {
  const int64_t stride = l->axis.stride, channels = l->input.dims[CHANNELS];
  const int64_t most =
      target->derived.maxConvInputChannels / (channels ? channels : 1);
  *best = (block_plan){.cost = 0};
  for (int64_t pixels = 2; pixels <= stride && pixels <= most; ++pixels)
    if (stride % pixels == 0)
      try_plan(target, l, pixels, 1, best);
  for (int64_t results = 2;
       can_repeat && results <= l->axis.outputs && results * stride <= most;
       ++results)
    try_plan(target, l, results * stride, results, best);
  return best->axis.pixels > 0;
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

/// Returns the element of the kernel that block element `pixel` of the kernel
/// of blocks is for result `result`; -1 where it has none.
static int64_t tap_of(const line *l, const block_plan *p, int64_t pixel,
                      int64_t result) {
  int64_t tap = pixel - p->axis.lead - result * l->axis.stride;
  if (tap < 0 || tap % l->axis.dilation != 0 ||
      tap / l->axis.dilation >= l->axis.kernel)
    return -1;
  return tap / l->axis.dilation;
}

/// Returns the weight [O, KH, KW, C] as [results * O, .., kernel, .., pixels *
/// C].
static MlirValue block_weight(xc_rewriter *rewriter, const line *l,
                              const block_plan *p, MlirValue weight) {
  const xc_shape *old = &l->weight;
  const int64_t channels = old->dims[CHANNELS];
  xc_shape shape = *old;
  shape.dims[0] *= p->axis.results;
  shape.dims[l->dim] = p->axis.kernel;
  shape.dims[CHANNELS] *= p->axis.pixels;
  int64_t *from = xc_rewrite_alloc(
      rewriter, (size_t)xc_shape_num_elements(&shape) + 1, sizeof(int64_t));
  size_t at = 0;
  for (int64_t o = 0; o < shape.dims[0]; ++o)
    for (int64_t y = 0; y < shape.dims[HEIGHT]; ++y)
      for (int64_t x = 0; x < shape.dims[WIDTH]; ++x)
        for (int64_t c = 0; c < shape.dims[CHANNELS]; ++c) {
          int64_t block = l->dim == WIDTH ? x : y;
          int64_t tap = tap_of(l, p, block * p->axis.pixels + c / channels,
                               o / old->dims[0]);
          int64_t h = l->dim == WIDTH ? y : tap, w = l->dim == WIDTH ? tap : x;
          from[at++] = tap < 0 ? -1
                               : ((o % old->dims[0] * old->dims[HEIGHT] + h) *
                                      old->dims[WIDTH] +
                                  w) * channels +
                                     c % channels;
        }
  return xc_rewrite_gather(rewriter, weight, from, &shape);
}

static MlirValue repeat_bias(xc_rewriter *rewriter, MlirValue bias,
                             int64_t times) {
  if (mlirValueIsNull(bias) || times == 1)
    return bias;
  xc_shape shape = xc_value_shape(bias);
  int64_t count = shape.dims[0];
  shape.dims[0] *= times;
  int64_t *from =
      xc_rewrite_alloc(rewriter, (size_t)shape.dims[0] + 1, sizeof(int64_t));
  for (int64_t i = 0; i < shape.dims[0]; ++i)
    from[i] = i % count;
  return xc_rewrite_gather(rewriter, bias, from, &shape);
}

/// Whether the fix points of groups of channels are those of each result.
static bool can_repeat_points(const xc_adaptor *root, const line *l) {
  return !xc_has_fix_groups(root) ||
         l->result.dims[CHANNELS] %
                 xc_attr_int(root, XC_ATTR_FIX_POINT_CHANNELS) ==
             0;
}

/// Adds a list of fix points as often as there are results, unless it is empty.
static void repeat_points(xc_rewriter *rewriter, const xc_adaptor *root,
                          xc_attr list, int64_t times, xc_attribute *changes,
                          size_t *num_changes) {
  int64_t ints[XC_MAX_INTS];
  if (times == 1 || !xc_has_attr(root, list) ||
      xc_attr_ints(root, list, ints) == 0)
    return;
  size_t each = (size_t)(xc_value_shape(xc_result_of(root)).dims[CHANNELS] /
                         xc_attr_int(root, XC_ATTR_FIX_POINT_CHANNELS));
  size_t count = each * (size_t)times;
  int64_t *points = xc_rewrite_alloc(rewriter, count, sizeof(*points));
  for (size_t i = 0; i < count; ++i)
    points[i] = xc_attr_int_at(root, list, i % each);
  changes[(*num_changes)++] = xc_ints(xc_attr_name(list), points, count);
}

/// Returns the image as blocks, with zeros at its end or without what is not
/// read.
static MlirValue block_input(xc_rewriter *rewriter, const line *l,
                             const block_plan *p, MlirValue input) {
  xc_shape shape = l->input;
  input = xc_rewrite_span(rewriter, input, l->dim, 0,
                          p->axis.inputs * p->axis.pixels);
  shape.dims[l->dim] = p->axis.inputs;
  shape.dims[CHANNELS] *= p->axis.pixels;
  return xc_rewrite_reshape(rewriter, input, &shape);
}

/// Returns the results one after the other, without those beyond the last one.
static MlirValue unblock_result(xc_rewriter *rewriter, const line *l,
                                const block_plan *p, MlirValue value) {
  const int64_t begin[XC_MAX_RANK] = {0};
  xc_shape shape = l->result;
  shape.dims[l->dim] = p->axis.outputs * p->axis.results;
  value = xc_rewrite_reshape(rewriter, value, &shape);
  return shape.dims[l->dim] == l->result.dims[l->dim]
             ? value
             : xc_rewrite_cut(rewriter, value, begin, l->result.dims);
}

static MlirValue build_conv(xc_rewriter *rewriter, const xc_adaptor *root,
                            const line *l, const block_plan *p,
                            const MlirValue operands[3]) {
  size_t axis = l->dim == HEIGHT;
  int64_t kernel[XC_MAX_INTS], stride[XC_MAX_INTS], pad[XC_MAX_INTS],
      dilation[XC_MAX_INTS];
  xc_attr_ints(root, XC_ATTR_KERNEL, kernel);
  xc_attr_ints(root, XC_ATTR_STRIDE, stride);
  xc_attr_ints(root, XC_ATTR_PAD, pad);
  xc_attr_ints(root, XC_ATTR_DILATION, dilation);
  kernel[axis] = p->axis.kernel;
  stride[axis] = p->axis.stride;
  pad[2 * axis] = p->axis.before;
  pad[2 * axis + 1] = p->axis.after;
  dilation[axis] = 1;
  xc_attribute changes[6] = {
      xc_ints("kernel", kernel, 2), xc_ints("stride", stride, 2),
      xc_ints("pad", pad, 4), xc_ints("dilation", dilation, 2)};
  size_t count = 4;
  repeat_points(rewriter, root, XC_ATTR_WEIGHT_FIX_POINTS, p->axis.results,
                changes, &count);
  repeat_points(rewriter, root, XC_ATTR_BIAS_FIX_POINTS, p->axis.results,
                changes, &count);
  return xc_rewrite_like(rewriter, root, root->info->kind, operands, 3, changes,
                         count);
}

bool xc_legalize_line_into_channels(xc_rewriter *rewriter,
                                    const xc_adaptor *root) {
  const XcDpuTarget *target = xc_rewrite_target(rewriter);
  int64_t pieces = xc_kernel_pieces_steps(target, root);
  MlirValue weight = xc_operand(root, XC_CONV2D_WEIGHT),
            bias = xc_operand_or_null(root, XC_CONV2D_BIAS);
  line l;
  block_plan p;
  if (xc_attr_int(root, XC_ATTR_GROUP) != 1 ||
      !xc_attr_is(root, XC_ATTR_PAD_MODE, XC_ENUM_FLOOR) ||
      !xc_attr_is(root, XC_ATTR_ROUND_MODE, XC_ENUM_DPU_ROUND) ||
      !xc_constant_bytes(rewriter, weight) ||
      !(mlirValueIsNull(bias) || xc_constant_bytes(rewriter, bias)) ||
      !read_line(target, root, &l) ||
      !find_plan(target, &l, can_repeat_points(root, &l), &p) ||
      (pieces > 0 && pieces < p.cost))
    return false;
  const MlirValue operands[] = {
      block_input(rewriter, &l, &p, xc_operand(root, XC_CONV2D_INPUT)),
      block_weight(rewriter, &l, &p, weight),
      repeat_bias(rewriter, bias, p.axis.results)};
  MlirValue value = build_conv(rewriter, root, &l, &p, operands);
  return xc_rewrite_replace(rewriter, root,
                            unblock_result(rewriter, &l, &p, value));
}
