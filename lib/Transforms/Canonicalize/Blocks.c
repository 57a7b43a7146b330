//===- Blocks.c - movements between blocks of pixels and channels ---------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PyTorch writes pixel shuffles as a reshape to six dimensions, a transpose and
// a reshape. With the transposes between NCHW and NHWC around them they are one
// view of an image, which is compared with those of pixel-shuffle.
//
//===----------------------------------------------------------------------===//

#include "View.h"

#include "Canonicalize.h"

// An image in its layout, and the strides of its dimensions.
typedef struct image {
  bool planar; // NCHW
  int64_t n, h, w, c;
  int64_t stride_n, stride_h, stride_w, stride_c;
} image;

static image read_image(const xc_shape *shape, bool planar) {
  const int64_t *d = shape->dims;
  image i = {.planar = planar, .n = d[0], .h = d[1], .w = d[2], .c = d[3]};
  if (planar)
    i = (image){.planar = true, .n = d[0], .h = d[2], .w = d[3], .c = d[1]};
  i.stride_n = i.h * i.w * i.c;
  i.stride_c = planar ? i.h * i.w : 1;
  i.stride_w = planar ? 1 : i.c;
  i.stride_h = i.w * i.stride_w;
  return i;
}

typedef struct shuffle {
  int64_t scale;
  bool to_space; // channels become pixels
  bool crd;      // channel (c * scale + dy) * scale + dx
} shuffle;

// Elements of `from` in the order of `to`.
static bool view_of_shuffle(const image *from, const image *to,
                            const shuffle *s, xc_view *v) {
  // The dimensions of blocks, in the source.
  struct {
    int64_t size, stride;
  } y = {s->to_space ? from->h : from->h / s->scale, from->stride_h}, dy,
    x = {s->to_space ? from->w : from->w / s->scale, from->stride_w}, dx,
    c = {s->to_space ? to->c : from->c, from->stride_c};
  if (s->to_space) {
    dx.stride = from->stride_c * (s->crd ? 1 : to->c);
    dy.stride = dx.stride * s->scale;
    c.stride *= s->crd ? s->scale * s->scale : 1;
  } else {
    dy.stride = from->stride_h;
    dx.stride = from->stride_w;
    y.stride *= s->scale;
    x.stride *= s->scale;
  }
  *v = (xc_view){.count = 0};
  bool fits = xc_view_add(v, from->n, from->stride_n);
  for (int pass = 0; pass < 2; ++pass) {
    if ((pass == 0) != to->planar) { // rows and columns
      fits = fits && xc_view_add(v, y.size, y.stride) &&
             (!s->to_space || xc_view_add(v, s->scale, dy.stride)) &&
             xc_view_add(v, x.size, x.stride) &&
             (!s->to_space || xc_view_add(v, s->scale, dx.stride));
      continue;
    }
    if (s->crd || s->to_space)
      fits = fits && xc_view_add(v, c.size, c.stride);
    if (!s->to_space)
      fits = fits && xc_view_add(v, s->scale, dy.stride) &&
             xc_view_add(v, s->scale, dx.stride);
    if (!s->crd && !s->to_space)
      fits = fits && xc_view_add(v, c.size, c.stride);
  }
  return fits;
}

static bool same_view(const xc_view *a, const xc_view *b) {
  bool same = a->count == b->count;
  for (size_t i = 0; same && i < a->count; ++i)
    same = a->parts[i].size == b->parts[i].size &&
           a->parts[i].stride == b->parts[i].stride;
  return same;
}

// Finds the scale that the sizes say, above 1; blocks of a single one are
// transposes.
static bool find_scale(const image *from, const image *to, shuffle *s) {
  const image *large = s->to_space ? to : from;
  const image *small = s->to_space ? from : to;
  if (from->n != to->n || small->h * small->w <= 1 || small->h == 0 ||
      small->w == 0)
    return false;
  s->scale = large->h / small->h;
  return s->scale > 1 && large->h == small->h * s->scale &&
         large->w == small->w * s->scale &&
         small->c == large->c * s->scale * s->scale;
}

// Finds the shuffle between two layouts that is the view.
static bool find_shuffle(const xc_view *v, const image *from, const image *to,
                         shuffle *s) {
  for (int kind = 0; kind < 4; ++kind) {
    xc_view other;
    *s = (shuffle){.to_space = (kind & 1) != 0, .crd = (kind & 2) == 0};
    if (find_scale(from, to, s) && view_of_shuffle(from, to, s, &other) &&
        same_view(v, &other))
      return true;
  }
  return false;
}

static MlirValue transpose(xc_rewriter *rewriter, MlirValue value, bool fix,
                           bool to_planar) {
  static const int64_t orders[][4] = {{0, 2, 3, 1}, {0, 3, 1, 2}};
  xc_attribute order = xc_ints("order", orders[to_planar], 4);
  return xc_rewrite_build(rewriter,
                          fix ? XC_TIR_TRANSPOSE_FIX : XC_TIR_TRANSPOSE, &value,
                          1, &order, 1, XC_ELEMENT_NONE);
}

static bool replace_moves(xc_rewriter *rewriter, const xc_adaptor *chain,
                          size_t count) {
  MlirValue value = xc_operand(&chain[count - 1], 0);
  xc_shape source = xc_value_shape(value);
  xc_shape result = xc_value_shape(xc_result_of(&chain[0]));
  xc_view v;
  if (source.rank != 4 || result.rank != 4 ||
      !xc_view_of_moves(chain, count, &v))
    return false;
  for (int layout = 0; layout < 4; ++layout) {
    image from = read_image(&source, (layout & 2) != 0);
    image to = read_image(&result, (layout & 1) != 0);
    shuffle s;
    if (!find_shuffle(&v, &from, &to, &s))
      continue;
    bool fix = chain[0].info->float_kind != chain[0].info->kind;
    const xc_attribute attributes[] = {
        xc_int("scale", s.scale), xc_bool("upscale", s.to_space),
        xc_string("mode", s.crd ? "CRD" : "DCR")};
    if (from.planar)
      value = transpose(rewriter, value, fix, false);
    value = xc_rewrite_build(
        rewriter, fix ? XC_TIR_PIXEL_SHUFFLE_FIX : XC_TIR_PIXEL_SHUFFLE, &value,
        1, attributes, 3, XC_ELEMENT_NONE);
    if (to.planar)
      value = transpose(rewriter, value, fix, true);
    return xc_rewrite_replace(rewriter, &chain[0], value);
  }
  return false;
}

bool xc_canonicalize_shuffle_from_moves(xc_rewriter *rewriter,
                                        const xc_adaptor *root) {
  xc_adaptor chain[XC_PATTERN_CHAIN];
  for (size_t count = xc_read_moves(root, chain); count > 1; --count)
    if (replace_moves(rewriter, chain, count))
      return true;
  return false;
}
