//===- ReadParameters.c - constants of the model out of the parameters ----===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Family.h"

#include "xc-c/DPUCodeGen.h"

#include "Support/Memory.h"

#include <stdlib.h>
#include <string.h>

typedef struct reader {
  const XcDpuTarget *target;
  const XcDpuContents *contents;
  const int32_t *recipe;
  size_t count;
  unsigned char *bytes;
  size_t width, num_elements;
} reader;

/// Returns the bytes of a register from an address on; null when they are not
/// there.
static const int8_t *bytes_at(const reader *r, int32_t reg, int32_t address,
                              size_t size) {
  const XcDpuContents *contents = &r->contents[reg];
  if (!contents->data || address < 0 || size > contents->size ||
      (size_t)address > contents->size - size)
    return NULL;
  return (const int8_t *)contents->data + address;
}

/// Elements that follow each other.
static void put(const reader *r, size_t element, const int8_t *values,
                size_t count) {
  unsigned char *to = r->bytes + element * r->width;
  if (r->width == 1) {
    memcpy(to, values, count);
    return;
  }
  for (size_t i = 0; i < count; ++i, to += r->width) {
    memset(to, values[i] < 0 ? 0xff : 0, r->width);
    to[0] = (unsigned char)values[i];
  }
}

static bool read_bytes(const reader *r) {
  const int8_t *from = r->count == 2
                           ? bytes_at(r, r->target->parametersRegister,
                                      r->recipe[1], r->num_elements)
                           : NULL;
  if (from)
    put(r, 0, from, r->num_elements);
  return from;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

enum { WIDTH, HEIGHT, AXES };

typedef struct kernel {
  size_t outputs, inputs; // channels
  int32_t elements[AXES], dilation[AXES];
} kernel;

typedef struct kernel_part {
  XcDpuKernelLayout layout;
  size_t first_output, outputs;
  /// The output columns that a pixel serves, and their distance
  /// (xcDpuLayoutColumnWeights). The layout of the part follows from them.
  int32_t columns, stride;
  XcDpuJointLayout joint;
  int32_t address;
  int32_t first[AXES], step[AXES], count[AXES];
} kernel_part;

enum {
  HEAD = 8,
  PART = 7,
  CHANNELS_HEAD = 7,
  LAYOUT_NUMBERS = 6,
  CHANNELS_PART = 5 + LAYOUT_NUMBERS + PART,
  MAX_COLUMNS = 64,
  MAX_SIDE = 4096,
  MAX_CHANNELS = 1 << 24,
  MAX_PITCH = 1 << 20,
};

static bool in_range(int32_t value, int32_t least, int32_t most) {
  return value >= least && value <= most;
}

/// `sides` are the elements and the dilation of the kernel.
static bool read_head(const reader *r, const int32_t *sides, int32_t outputs,
                      int32_t inputs, kernel *k) {
  if (!in_range(outputs, 1, MAX_CHANNELS) || !in_range(inputs, 1, MAX_CHANNELS))
    return false;
  *k = (kernel){.outputs = (size_t)outputs, .inputs = (size_t)inputs};
  for (int axis = 0; axis < AXES; ++axis) {
    k->elements[axis] = sides[axis];
    k->dilation[axis] = sides[AXES + axis];
    if (!in_range(k->elements[axis], 1, MAX_SIDE) ||
        !in_range(k->dilation[axis], 1, MAX_SIDE))
      return false;
  }
  size_t pixels = (size_t)k->elements[WIDTH] * (size_t)k->elements[HEIGHT];
  return k->outputs * k->inputs <= r->num_elements &&
         pixels <= r->num_elements &&
         k->outputs * k->inputs * pixels == r->num_elements;
}

static bool read_part(const int32_t *numbers, kernel_part *part) {
  part->address = numbers[0];
  for (int axis = 0; axis < AXES; ++axis) {
    part->first[axis] = numbers[1 + axis];
    part->step[axis] = numbers[3 + axis];
    part->count[axis] = numbers[5 + axis];
    if (!in_range(part->first[axis], 0, MAX_SIDE) ||
        !in_range(part->step[axis], 1, MAX_SIDE) ||
        !in_range(part->count[axis], 1, MAX_SIDE))
      return false;
  }
  return true;
}

/// Returns the element of the kernel along an axis, or -1.
static int32_t element_of(const kernel *k, const kernel_part *part, int axis,
                          int32_t j) {
  int64_t at = part->first[axis] + (int64_t)j * part->step[axis];
  int64_t element = at / k->dilation[axis];
  return at % k->dilation[axis] || element >= k->elements[axis]
             ? -1
             : (int32_t)element;
}

static bool is_conv(const kernel_part *part) {
  return part->layout == XcDpuKernelLayoutConv;
}

static XcDpuColumnWeights conv_weights_of(const kernel *k,
                                          const kernel_part *part) {
  return (XcDpuColumnWeights){.oc = (int32_t)part->outputs,
                              .kh = part->count[HEIGHT],
                              .kw = part->count[WIDTH],
                              .ic = (int32_t)k->inputs,
                              .columns = part->columns,
                              .stride = part->stride,
                              .layout = part->joint};
}

static XcDpuDiagonalWeights diagonal_weights_of(const kernel_part *part) {
  return (XcDpuDiagonalWeights){.channels = (int32_t)part->outputs,
                                .kh = part->count[HEIGHT],
                                .kw = part->count[WIDTH],
                                .layout = part->joint};
}

/// Returns the number of weights of a part.
static size_t size_of_part(const kernel *k, const kernel_part *part) {
  return part->outputs * k->inputs * (size_t)part->count[WIDTH] *
         (size_t)part->count[HEIGHT];
}

/// Takes the values of a part, [OC][KH][KW][IC] or [KH][KW][C].
static void take_part(const reader *r, const kernel *k, const kernel_part *part,
                      const int8_t *values) {
  size_t channels = is_conv(part) ? k->inputs : part->outputs;
  size_t pitch = is_conv(part) ? k->inputs : k->outputs;
  size_t outer = is_conv(part) ? part->outputs : 1;
  size_t first_outer = is_conv(part) ? part->first_output : 0;
  size_t first = is_conv(part) ? 0 : part->first_output;
  for (size_t o = 0; o < outer; ++o)
    for (int32_t i = 0; i < part->count[HEIGHT]; ++i)
      for (int32_t j = 0; j < part->count[WIDTH]; ++j, values += channels) {
        int32_t y = element_of(k, part, HEIGHT, i);
        int32_t x = element_of(k, part, WIDTH, j);
        if (y < 0 || x < 0)
          continue;
        size_t at =
            ((first_outer + o) * (size_t)k->elements[HEIGHT] + (size_t)y) *
                (size_t)k->elements[WIDTH] +
            (size_t)x;
        put(r, at * pitch + first, values, channels);
      }
}

static size_t weight_bytes(const reader *r, const kernel *k,
                           const kernel_part *part) {
  XcDpuColumnWeights weights = conv_weights_of(k, part);
  XcDpuDiagonalWeights diagonal = diagonal_weights_of(part);
  return is_conv(part) ? xcDpuColumnWeightBytes(r->target, &weights)
                       : xcDpuDiagonalWeightBytes(r->target, &diagonal);
}

static bool read_laid_out_part(const reader *r, const kernel *k,
                               const kernel_part *part) {
  const int8_t *from[XC_DPU_NUM_REGISTERS];
  size_t size = weight_bytes(r, k, part);
  for (int32_t w = 0; w < r->target->numWeightsRegisters; ++w) {
    from[w] = bytes_at(r, r->target->weightsRegister[w], part->address, size);
    if (!from[w])
      return false;
  }
  XcDpuColumnWeights weights = conv_weights_of(k, part);
  XcDpuDiagonalWeights diagonal = diagonal_weights_of(part);
  int8_t *values = xc_alloc(size_of_part(k, part));
  if (is_conv(part))
    xc_read_column_weights(r->target, &weights, from, values);
  else
    xc_read_diagonal_weights(r->target, &diagonal, from, values);
  take_part(r, k, part, values);
  free(values);
  return true;
}

static bool read_depthwise_part(const reader *r, const kernel *k,
                                const kernel_part *part) {
  size_t pixels = (size_t)part->count[WIDTH] * (size_t)part->count[HEIGHT];
  size_t row = part->outputs, step = part->joint.step ? part->joint.step : row;
  const int8_t *from = bytes_at(r, r->target->parametersRegister, part->address,
                                (pixels - 1) * step + row);
  if (!from || step < row)
    return false;
  int8_t *values = xc_alloc(pixels * row);
  for (size_t i = 0; i < pixels; ++i)
    memcpy(values + i * row, from + i * step, row);
  take_part(r, k, part, values);
  free(values);
  return true;
}

/// Whether the part as it lies there is no larger than what a register has.
static bool is_small(const reader *r, const kernel *k,
                     const kernel_part *part) {
  size_t word = (size_t)r->target->channelParallel;
  size_t most = UINT32_MAX / (size_t)part->columns;
  size_t width = (size_t)part->count[WIDTH] +
                 (size_t)(part->columns - 1) * (size_t)part->stride;
  return (size_t)part->count[HEIGHT] * width <=
         most / ((k->outputs + word) * k->inputs);
}

/// `numbers` are those of the part without its channels.
static bool take_placed_part(const reader *r, const kernel *k,
                             const int32_t *numbers, kernel_part *part) {
  return read_part(numbers, part) && is_small(r, k, part) &&
         (part->layout == XcDpuKernelLayoutDepthwise
              ? read_depthwise_part(r, k, part)
              : read_laid_out_part(r, k, part));
}

static bool read_kernel(const reader *r) {
  const int32_t *numbers = r->recipe;
  kernel k;
  if (r->count < HEAD + PART || (r->count - HEAD) % PART ||
      !in_range(numbers[1], XcDpuKernelLayoutConv, XcDpuKernelLayoutDiagonal) ||
      !read_head(r, numbers + 4, numbers[2], numbers[3], &k))
    return false;
  kernel_part part = {.layout = (XcDpuKernelLayout)numbers[1],
                      .outputs = k.outputs,
                      .columns = 1};
  bool ok = is_conv(&part) || k.inputs == 1;
  for (size_t at = HEAD; ok && at < r->count; at += PART)
    ok = take_placed_part(r, &k, numbers + at, &part);
  return ok;
}

static bool read_layout(const int32_t *numbers, kernel_part *part) {
  part->joint = (XcDpuJointLayout){.run = (uint32_t)numbers[0],
                                   .step = (uint32_t)numbers[1],
                                   .pitch = (uint32_t)numbers[2],
                                   .wide = (uint32_t)numbers[3],
                                   .narrowPitch = (uint32_t)numbers[4],
                                   .tail = (uint32_t)numbers[5]};
  for (int i = 0; i < LAYOUT_NUMBERS; ++i)
    if (!in_range(numbers[i], 0, MAX_PITCH))
      return false;
  return !numbers[1] || part->layout == XcDpuKernelLayoutDepthwise ||
         in_range(numbers[0], 1, numbers[1]);
}

static bool read_channels_part(const reader *r, const kernel *k,
                               const int32_t *numbers) {
  enum { LAYOUT = 5, REST = LAYOUT + LAYOUT_NUMBERS };
  if (!in_range(numbers[0], XcDpuKernelLayoutConv, XcDpuKernelLayoutDiagonal) ||
      !in_range(numbers[1], 0, MAX_CHANNELS) ||
      !in_range(numbers[2], 1, MAX_CHANNELS) ||
      !in_range(numbers[3], 1, MAX_COLUMNS) ||
      !in_range(numbers[4], 0, MAX_SIDE))
    return false;
  kernel_part part = {.layout = (XcDpuKernelLayout)numbers[0],
                      .first_output = (size_t)numbers[1],
                      .outputs = (size_t)numbers[2],
                      .columns = numbers[3],
                      .stride = numbers[4]};
  return read_layout(numbers + LAYOUT, &part) &&
         (is_conv(&part) || (k->inputs == 1 && part.columns == 1)) &&
         part.first_output + part.outputs <= k->outputs &&
         take_placed_part(r, k, numbers + REST, &part);
}

static bool read_channels(const reader *r) {
  const int32_t *numbers = r->recipe;
  kernel k;
  bool ok = r->count >= CHANNELS_HEAD + CHANNELS_PART &&
            (r->count - CHANNELS_HEAD) % CHANNELS_PART == 0 &&
            read_head(r, numbers + 3, numbers[1], numbers[2], &k);
  for (size_t at = CHANNELS_HEAD; ok && at < r->count; at += CHANNELS_PART)
    ok = read_channels_part(r, &k, numbers + at);
  return ok;
}

static bool read_recipe(const reader *r);

/// Takes the weights of a grouped convolution, [OC][KH * KW][inputs], out of
/// `values`.
static void take_groups(const reader *r, const XcDpuChannelGroups *groups,
                        const kernel *k, size_t channels,
                        const int8_t *values) {
  size_t width = (size_t)r->target->channelParallel;
  size_t pixels = (size_t)k->elements[WIDTH] * (size_t)k->elements[HEIGHT];
  for (size_t o = 0; o < k->outputs; ++o) {
    size_t first = width * (size_t)xcDpuGroupFirstWord(
                               r->target, groups, (int32_t)channels,
                               (int32_t)(o / width * width));
    size_t left = channels - first;
    for (size_t i = 0; i < pixels; ++i, values += k->inputs)
      put(r, (o * pixels + i) * channels + first, values,
          left < k->inputs ? left : k->inputs);
  }
}

/// Reads the weights that there are, whose recipe begins after these numbers.
static bool read_groups(const reader *r) {
  reader inner = *r;
  inner.recipe += XC_DPU_GROUPS_HEAD;
  inner.count -= XC_DPU_GROUPS_HEAD;
  inner.width = 1;
  bool is_kernel = inner.recipe[0] == XcDpuRecipeKernel;
  const int32_t *head = inner.recipe + (is_kernel ? 2 : 1);
  const XcDpuChannelGroups groups = {r->recipe[1], r->recipe[2], r->recipe[3]};
  int32_t width = r->target->channelParallel;
  if (!in_range(groups.inputs, 1, MAX_CHANNELS) ||
      !in_range(groups.outputs, 1, MAX_CHANNELS) ||
      !in_range(groups.words, 1, MAX_CHANNELS / width) ||
      !in_range(head[0], 1, MAX_CHANNELS) || head[1] != groups.words * width ||
      !in_range(head[2], 1, MAX_SIDE) || !in_range(head[3], 1, MAX_SIDE))
    return false;
  kernel k = {.outputs = (size_t)head[0],
              .inputs = (size_t)head[1],
              .elements = {head[2], head[3]}};
  size_t rows = k.outputs * (size_t)head[2] * (size_t)head[3];
  size_t channels = r->num_elements / rows;
  if (rows > r->num_elements || channels * rows != r->num_elements ||
      channels > MAX_CHANNELS || k.inputs >= channels + (size_t)width ||
      head[0] % groups.outputs ||
      (int64_t)(head[0] / groups.outputs) * groups.inputs != (int64_t)channels)
    return false;
  inner.num_elements = rows * k.inputs;
  inner.bytes = xc_alloc(inner.num_elements);
  bool ok = read_recipe(&inner);
  if (ok)
    take_groups(r, &groups, &k, channels, (const int8_t *)inner.bytes);
  free(inner.bytes);
  return ok;
}

static bool read_recipe(const reader *r) {
  enum { LEAST = 8 }; // of a recipe in another one
  switch ((XcDpuRecipe)r->recipe[0]) {
  case XcDpuRecipeBytes:
    return read_bytes(r);
  case XcDpuRecipeKernel:
    return read_kernel(r);
  case XcDpuRecipeChannels:
    return read_channels(r);
  case XcDpuRecipeGroups:
    return r->count > XC_DPU_GROUPS_HEAD + LEAST &&
           r->recipe[XC_DPU_GROUPS_HEAD] != XcDpuRecipeGroups && read_groups(r);
  }
  return false;
}

bool xcDpuReadParameters(const XcDpuTarget *target,
                         const XcDpuContents contents[XC_DPU_NUM_REGISTERS],
                         const int32_t *recipe, size_t count, size_t width,
                         void *bytes, size_t size) {
  if (count == 0 || width == 0 || size % width)
    return false;
  const reader r = {.target = target,
                    .contents = contents,
                    .recipe = recipe,
                    .count = count,
                    .bytes = bytes,
                    .width = width,
                    .num_elements = size / width};
  memset(bytes, 0, size);
  return read_recipe(&r);
}
