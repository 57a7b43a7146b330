//===- Resize.c - resampling ----------------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Converter.h"

/// One axis: output o reads from (o * step + offset) / factor.
typedef struct axis {
  int64_t factor, step, offset;
  int64_t in, out;
} axis;

static bool read_axes(xc_tosa_converter *c, MlirValue x, axis axes[2]) {
  size_t scales, offsets, borders;
  const int64_t *scale = xc_tosa_dims(c, 1, &scales);
  const int64_t *offset = xc_tosa_dims(c, 2, &offsets);
  const int64_t *border = xc_tosa_dims(c, 3, &borders);
  if (!scale || !offset || !border)
    return false;
  xc_shape from = xc_tosa_shape(x), to = xc_tosa_result_shape(c);
  const int64_t most = 1 << 20; // so that no product overflows
  if (scales != 4 || offsets != 2 || from.rank != 4 || to.rank != 4)
    return xc_tosa_error(c, "has no scale and offset for two dimensions");
  for (int i = 0; i < 2; ++i) {
    axes[i] = (axis){scale[2 * i], scale[2 * i + 1], offset[i],
                     from.dims[1 + i], to.dims[1 + i]};
    const axis *a = &axes[i];
    if (a->factor < 1 || a->step < 1 || a->factor > most || a->step > most ||
        a->offset < -most || a->offset > most || a->in < 1 || a->in > most ||
        a->out < 1 || a->out > most)
      return xc_tosa_error(c,
                           "has a scale, offset or size that is out of range");
  }
  return true;
}

static int64_t hold(int64_t index, const axis *a) {
  return index < 0 ? 0 : index < a->in ? index : a->in - 1;
}

static int64_t divide_down(int64_t a, int64_t b) {
  return a >= 0 ? a / b : -((-a + b - 1) / b);
}

// Returns the nearest element, of two the later.
static int64_t nearest(const axis *a, int64_t at) {
  return hold(
      divide_down(2 * (at * a->step + a->offset) + a->factor, 2 * a->factor),
      a);
}

//===----------------------------------------------------------------------===//
// Nearest
//===----------------------------------------------------------------------===//

// Whether tir.resize without further words picks the same elements.
static bool is_plain_nearest(const axis *a) {
  for (int64_t at = 0; at < a->out; ++at)
    if (nearest(a, at) != at * a->in / a->out)
      return false;
  return true;
}

static MlirValue emit_resize(xc_tosa_converter *c, MlirValue x,
                             const axis *axes, const char *mode,
                             const char *flag) {
  const int64_t size[] = {axes[1].out, axes[0].out};
  const xc_attribute attributes[] = {xc_ints("size", size, 2),
                                     xc_string("mode", mode),
                                     xc_bool(flag ? flag : "", true)};
  return xc_tosa_emit(c, XC_TIR_RESIZE, &x, 1, attributes, flag ? 3 : 2,
                      XC_ELEMENT_NONE);
}

static MlirValue resize_nearest(xc_tosa_converter *c, MlirValue x,
                                const axis *axes) {
  if (is_plain_nearest(&axes[0]) && is_plain_nearest(&axes[1]))
    return emit_resize(c, x, axes, "NEAREST", NULL);
  for (int i = 0; i < 2; ++i) {
    const axis *a = &axes[i];
    int32_t *indices =
        xc_arena_alloc(&c->arena, (size_t)a->out, sizeof(*indices));
    for (int64_t at = 0; at < a->out; ++at)
      indices[at] = (int32_t)nearest(a, at);
    x = xc_tosa_emit_pick(c, x, indices, a->out, 1 + i);
  }
  return x;
}

//===----------------------------------------------------------------------===//
// Bilinear
//===----------------------------------------------------------------------===//

// Whether tir.resize reads at the same places. They are compared as fractions.
static bool is_stretched(const axis *a) {
  return a->offset == 0 && a->step * a->out == a->factor * a->in;
}

static bool has_corners(const axis *a) {
  return a->offset == 0 &&
         (a->out == 1 || a->step * (a->out - 1) == a->factor * (a->in - 1));
}

static bool has_centres(const axis *a) {
  return 2 * a->offset == a->step - a->factor &&
         a->step * a->out == a->factor * a->in;
}

// Returns the numbers by which an axis multiplies its two neighbours: as they
// are on integers, their sum is the factor; shares of one on floats.
static MlirValue emit_weights(xc_tosa_converter *c, const axis *a, size_t rank,
                              bool second, xc_element element) {
  const xc_shape shape = {.element = element == XC_ELEMENT_I32 ? XC_ELEMENT_I32
                                                               : XC_ELEMENT_F32,
                          .rank = rank,
                          .dims = {a->out, 1, 1}};
  union {
    int32_t i;
    float f;
  } *numbers = xc_arena_alloc(&c->arena, (size_t)a->out, sizeof(*numbers));
  for (int64_t at = 0; at < a->out; ++at) {
    int64_t place = at * a->step + a->offset;
    int64_t beyond = place - divide_down(place, a->factor) * a->factor;
    int64_t number = second ? beyond : a->factor - beyond;
    if (shape.element == XC_ELEMENT_I32)
      numbers[at].i = (int32_t)number;
    else
      numbers[at].f = (float)number / (float)a->factor;
  }
  return xc_tosa_emit_cast(c, xc_tosa_emit_const(c, numbers, &shape), element);
}

// Returns the neighbours before or after all places.
static MlirValue emit_neighbours(xc_tosa_converter *c, MlirValue x,
                                 const axis *a, int64_t dimension,
                                 bool second) {
  int32_t *indices =
      xc_arena_alloc(&c->arena, (size_t)a->out, sizeof(*indices));
  for (int64_t at = 0; at < a->out; ++at)
    indices[at] = (int32_t)hold(
        divide_down(at * a->step + a->offset, a->factor) + second, a);
  return xc_tosa_emit_pick(c, x, indices, a->out, dimension);
}

// Rows, then columns: sums of weighted neighbours, exact on integers.
static MlirValue interpolate(xc_tosa_converter *c, MlirValue x,
                             const axis *axes) {
  xc_element element = xc_tosa_result_shape(c).element;
  x = xc_tosa_emit_cast(c, x, element);
  for (int i = 0; i < 2; ++i) {
    MlirValue terms[2];
    for (int k = 0; k < 2; ++k)
      terms[k] = xc_tosa_emit_binary(
          c, XC_TIR_MUL, emit_neighbours(c, x, &axes[i], 1 + i, k == 1),
          emit_weights(c, &axes[i], (size_t)(3 - i), k == 1, element));
    x = xc_tosa_emit_binary(c, XC_TIR_ADD, terms[0], terms[1]);
  }
  return x;
}

static MlirValue resize_bilinear(xc_tosa_converter *c, MlirValue x,
                                 const axis *axes) {
  static const struct {
    const char *flag;
    bool (*fits)(const axis *a);
  } ways[] = {{NULL, is_stretched},
              {"align_corners", has_corners},
              {"half_pixel_centers", has_centres}};
  if (xc_element_is_float(xc_tosa_shape(x).element))
    for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); ++i)
      if (ways[i].fits(&axes[0]) && ways[i].fits(&axes[1]))
        return emit_resize(c, x, axes, "BILINEAR", ways[i].flag);
  return interpolate(c, x, axes);
}

bool xc_tosa_resize(xc_tosa_converter *c) {
  MlirValue x = xc_tosa_operand(c, 0);
  axis axes[2];
  if (mlirValueIsNull(x) || !read_axes(c, x, axes))
    return false;
  if (!xc_tosa_word_is(c->op, "mode", "BILINEAR"))
    return xc_tosa_done(c, resize_nearest(c, x, axes));
  xc_element from = xc_tosa_shape(x).element,
             to = xc_tosa_result_shape(c).element;
  if (from != to && (from != XC_ELEMENT_I8 || to != XC_ELEMENT_I32))
    return xc_tosa_error(c, "has sums of another type than 32 bits");
  return xc_tosa_done(c, resize_bilinear(c, x, axes));
}
