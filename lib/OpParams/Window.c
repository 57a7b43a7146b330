//===- Window.c - windows that move over H and W --------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Window.h"

enum { WIDTH, HEIGHT };

bool xc_is_depthwise(const xc_adaptor *op) {
  return op->info->rule == XC_RULE_DEPTHWISE_CONV2D ||
         op->info->rule == XC_RULE_TRANSPOSED_DEPTHWISE_CONV2D;
}

bool xc_is_transposed(const xc_adaptor *op) {
  return op->info->rule == XC_RULE_TRANSPOSED_CONV2D ||
         op->info->rule == XC_RULE_TRANSPOSED_DEPTHWISE_CONV2D;
}

int64_t xc_group_of(const xc_adaptor *op) {
  return xc_is_depthwise(op) ? 1 : xc_attr_int(op, XC_ATTR_GROUP);
}

int64_t xc_window_span(const xc_window_axis *axis) {
  return (axis->kernel - 1) * axis->dilation + 1;
}

static int64_t entry(const xc_adaptor *op, xc_attr id, int index) {
  int64_t ints[XC_MAX_INTS];
  return xc_attr_ints(op, id, ints) ? ints[index] : 1;
}

// SAME pads by what the outputs need, a transposed convolution as the one that
// goes the other way; an odd element goes after the input.
static void pad_same(const xc_adaptor *op, xc_window_axis *axis) {
  int64_t span = xc_window_span(axis);
  int64_t total = xc_is_transposed(op) ? span - axis->stride
                                       : (axis->outputs - 1) * axis->stride +
                                             span - axis->inputs;
  total = total > 0 ? total : 0;
  axis->before = total / 2;
  axis->after = total - axis->before;
}

static xc_window_axis axis_of(const xc_adaptor *op, int which) {
  size_t dim = which == WIDTH ? 2 : 1;
  int64_t inputs = xc_operand_shape(op, XC_CONV2D_INPUT).dims[dim];
  xc_window_axis axis = {.inputs = inputs,
                         .outputs = xc_result_shape(op).dims[dim],
                         .kernel = inputs,
                         .stride = 1,
                         .dilation = 1};
  if (xc_has_attr(op, XC_ATTR_GLOBAL) && xc_attr_bool(op, XC_ATTR_GLOBAL))
    return axis;
  int64_t pad[XC_MAX_INTS];
  xc_attr_ints(op, XC_ATTR_PAD, pad);
  axis.kernel = entry(op, XC_ATTR_KERNEL, which);
  axis.stride = entry(op, XC_ATTR_STRIDE, which);
  axis.dilation = entry(op, XC_ATTR_DILATION, which);
  axis.before = pad[2 * which];
  axis.after = pad[2 * which + 1];
  if (xc_attr_is(op, XC_ATTR_PAD_MODE, XC_ENUM_SAME))
    pad_same(op, &axis);
  return axis;
}

xc_window xc_window_of(const xc_adaptor *op) {
  return (xc_window){.h = axis_of(op, HEIGHT), .w = axis_of(op, WIDTH)};
}

//===----------------------------------------------------------------------===//
// Taps
//===----------------------------------------------------------------------===//

static int64_t forward_source(const xc_window_axis *axis, int64_t o,
                              int64_t k) {
  int64_t at = o * axis->stride - axis->before + k * axis->dilation;
  if (at >= 0 && at < axis->inputs)
    return at;
  return at < axis->inputs + axis->after ? XC_TAP_PAD : XC_TAP_BEYOND;
}

// Reads the input dilated by the stride with zeros, at stride 1.
static int64_t transposed_source(const xc_window_axis *axis, int64_t o,
                                 int64_t k) {
  int64_t shift = xc_window_span(axis) - 1 - axis->before;
  int64_t at = o - shift + k * axis->dilation;
  bool hit =
      at >= 0 && at % axis->stride == 0 && at / axis->stride < axis->inputs;
  return hit ? at / axis->stride : XC_TAP_PAD;
}

static xc_axis_taps taps_of(const xc_window_axis *axis, bool transposed,
                            xc_arena *arena) {
  xc_axis_taps table = {.outputs = axis->outputs, .taps = axis->kernel};
  table.source = xc_arena_alloc(arena, (size_t)(table.outputs * table.taps),
                                sizeof(*table.source));
  for (int64_t o = 0; o < table.outputs; ++o)
    for (int64_t k = 0; k < table.taps; ++k)
      table.source[o * table.taps + k] = transposed
                                             ? transposed_source(axis, o, k)
                                             : forward_source(axis, o, k);
  return table;
}

xc_taps xc_taps_of(const xc_adaptor *op, xc_arena *arena) {
  xc_window window = xc_window_of(op);
  bool transposed = xc_is_transposed(op);
  return (xc_taps){.h = taps_of(&window.h, transposed, arena),
                   .w = taps_of(&window.w, transposed, arena)};
}

int64_t xc_taps_count(const xc_axis_taps *axis, int64_t o, bool pad,
                      bool beyond) {
  int64_t count = 0;
  for (int64_t k = 0; k < axis->taps; ++k) {
    int64_t source = axis->source[o * axis->taps + k];
    count += source >= 0 || (source == XC_TAP_PAD ? pad : beyond);
  }
  return count;
}

static bool is_inside(const xc_axis_taps *axis) {
  for (int64_t i = 0; i < axis->outputs * axis->taps; ++i)
    if (axis->source[i] < 0)
      return false;
  return true;
}

bool xc_window_reads_input_only(const xc_adaptor *op) {
  xc_arena arena = {0};
  const xc_taps window = xc_taps_of(op, &arena);
  bool inside = is_inside(&window.h) && is_inside(&window.w);
  xc_arena_free(&arena);
  return inside;
}
