//===- View.c - chains of movements of the same elements ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "View.h"

#include "Canonicalize.h"

bool xc_view_add(xc_view *v, int64_t size, int64_t stride) {
  if (size == 1)
    return true;
  if (v->count > 0 && v->parts[v->count - 1].stride == size * stride) {
    v->parts[v->count - 1].size *= size;
    v->parts[v->count - 1].stride = stride;
    return true;
  }
  if (v->count == XC_VIEW_PARTS)
    return false;
  v->parts[v->count].size = size;
  v->parts[v->count++].stride = stride;
  return true;
}

// The parts that make up each dimension of `shape`, in the order `order`.
static bool regroup(const xc_view *from, const xc_shape *shape,
                    const int64_t *order, xc_view *to) {
  xc_view dims[XC_MAX_RANK] = {0};
  size_t at = 0;
  int64_t left = from->count ? from->parts[0].size : 1;
  for (size_t i = 0; i < shape->rank; ++i) {
    for (int64_t need = shape->dims[i]; need > 1;) {
      if (left == 1 && ++at < from->count)
        left = from->parts[at].size;
      int64_t take = need < left ? need : left;
      if (take <= 1 || left % take != 0 || need % take != 0)
        return false;
      left /= take;
      need /= take;
      if (!xc_view_add(&dims[i], take, from->parts[at].stride * left))
        return false;
    }
  }
  *to = (xc_view){.count = 0};
  for (size_t i = 0; i < shape->rank; ++i)
    for (size_t k = 0; k < dims[order[i]].count; ++k)
      if (!xc_view_add(to, dims[order[i]].parts[k].size,
                       dims[order[i]].parts[k].stride))
        return false;
  return true;
}

// Splits parts where a dimension of a shape begins: of the source by strides
// there, or of what the view is an image of by strides in the view.
static bool split_at(xc_view *v, const xc_shape *shape, bool in_source) {
  int64_t strides[XC_MAX_RANK];
  xc_shape_strides(shape, strides);
  xc_view parts = {.count = 0};
  int64_t after = xc_shape_num_elements(shape);
  for (size_t i = 0; i < v->count; ++i) {
    int64_t size = v->parts[i].size, stride = v->parts[i].stride;
    after /= size;
    int64_t unit = in_source ? stride : after;
    for (size_t d = 0; d < shape->rank; ++d) {
      if (strides[d] <= unit || strides[d] >= unit * size)
        continue;
      int64_t low = strides[d] / unit;
      if (strides[d] % unit != 0 || size % low != 0 ||
          parts.count + 1 >= XC_VIEW_PARTS)
        return false;
      parts.parts[parts.count].size = size / low;
      parts.parts[parts.count++].stride = stride * low;
      size = low;
    }
    if (parts.count == XC_VIEW_PARTS)
      return false;
    parts.parts[parts.count].size = size;
    parts.parts[parts.count++].stride = stride;
  }
  *v = parts;
  return v->count <= XC_MAX_RANK;
}

// Where part `i` is among the parts in the order of the source.
static size_t place_of(const xc_view *v, size_t i) {
  size_t place = 0;
  for (size_t k = 0; k < v->count; ++k)
    place += v->parts[k].stride > v->parts[i].stride;
  return place;
}

// A transpose between two shapes that have ones besides the parts: the order,
// and what comes out, which is `wanted` where ones are left to fill it up.
typedef struct exchange {
  xc_shape from, to;
  int64_t order[XC_MAX_RANK];
} exchange;

// Of the dimensions of `from`, those of the parts and the ones.
static bool sort_dims(const xc_shape *from, size_t parts[XC_MAX_RANK],
                      size_t *num_parts, size_t ones[XC_MAX_RANK]) {
  size_t num_ones = 0;
  *num_parts = 0;
  for (size_t i = 0; i < from->rank; ++i)
    if (from->dims[i] == 1)
      ones[num_ones++] = i;
    else
      parts[(*num_parts)++] = i;
  return num_ones > 0;
}

// Ones go where `wanted` has them, as far as there are any; the rest in front.
static void plan_exchange(const xc_view *v, const xc_shape *wanted,
                          exchange *e) {
  size_t parts[XC_MAX_RANK], ones[XC_MAX_RANK], num_parts, used = 0, next = 0;
  sort_dims(&e->from, parts, &num_parts, ones);
  size_t num_ones = e->from.rank - num_parts;
  bool fits = wanted->rank == e->from.rank;
  for (size_t i = 0; fits && i < wanted->rank; ++i)
    fits = wanted->dims[i] == 1
               ? used++ < num_ones
               : next < v->count && wanted->dims[i] == v->parts[next++].size;
  used = next = 0;
  e->to.rank = e->from.rank;
  for (size_t i = 0; i < e->to.rank; ++i) {
    bool one = fits ? wanted->dims[i] == 1 : used < num_ones;
    e->order[i] = (int64_t)(one ? ones[used++] : parts[place_of(v, next++)]);
    e->to.dims[i] = e->from.dims[e->order[i]];
  }
}

// Makes a shape of rank `rank` of the parts, ones in front.
static void shape_of_parts(const xc_view *v, size_t rank, xc_shape *shape) {
  shape->rank = rank;
  for (size_t i = 0; i < rank; ++i)
    shape->dims[i] = 1;
  for (size_t i = 0; i < v->count; ++i)
    shape->dims[rank - v->count + place_of(v, i)] = v->parts[i].size;
}

// At most two movements: without a reshape before the transpose, or without one
// after it.
static bool plan_view(const xc_view *v, const xc_shape *source,
                      const xc_shape *result, exchange *e) {
  xc_view parts = *v;
  xc_shape shape = *source;
  if (split_at(&parts, source, true)) {
    size_t dims[XC_MAX_RANK], ones[XC_MAX_RANK], num_dims;
    bool direct = true;
    sort_dims(source, dims, &num_dims, ones);
    for (size_t i = 0; i < parts.count && direct; ++i)
      direct = num_dims == parts.count &&
               source->dims[dims[place_of(&parts, i)]] == parts.parts[i].size;
    e->from = *source;
    if (direct) {
      plan_exchange(&parts, result, e);
      return true;
    }
  }
  parts = *v;
  if (!split_at(&parts, result, false) || parts.count > result->rank)
    return false;
  shape_of_parts(&parts, result->rank, &shape);
  e->from = shape;
  plan_exchange(&parts, result, e);
  return xc_same_dims(&e->to, result);
}

size_t xc_read_moves(const xc_adaptor *root,
                     xc_adaptor chain[XC_PATTERN_CHAIN]) {
  size_t count = 0;
  xc_adaptor next = *root;
  do {
    xc_op_kind kind = next.info->float_kind;
    if ((kind != XC_TIR_RESHAPE && kind != XC_TIR_TRANSPOSE) ||
        !xc_keeps_numbers(&next))
      break;
    chain[count++] = next;
  } while (count < XC_PATTERN_CHAIN &&
           xc_defining_adaptor(xc_operand(&chain[count - 1], 0), &next));
  return count;
}

bool xc_view_of_moves(const xc_adaptor *chain, size_t count, xc_view *v) {
  static const int64_t same[XC_MAX_RANK] = {0, 1, 2, 3, 4, 5, 6, 7};
  xc_shape source = xc_operand_shape(&chain[count - 1], 0);
  *v = (xc_view){.count = 0};
  if (xc_shape_num_elements(&source) == 0 ||
      !xc_view_add(v, xc_shape_num_elements(&source), 1))
    return false;
  for (size_t i = count; i-- > 0;) {
    xc_shape shape = xc_operand_shape(&chain[i], 0);
    int64_t order[XC_MAX_INTS];
    xc_view before = *v;
    bool moves = chain[i].info->float_kind == XC_TIR_TRANSPOSE;
    if (moves)
      xc_attr_ints(&chain[i], XC_ATTR_ORDER, order);
    if (!regroup(&before, &shape, moves ? order : same, v))
      return false;
  }
  return true;
}

// Replaces the first `count` of the chain unless that takes as many.
static bool replace_chain(xc_rewriter *rewriter, const xc_adaptor *chain,
                          size_t count) {
  MlirValue value = xc_operand(&chain[count - 1], 0);
  xc_shape source = xc_value_shape(value);
  xc_shape result = xc_value_shape(xc_result_of(&chain[0]));
  xc_view v;
  exchange e;
  if (!xc_view_of_moves(chain, count, &v))
    return false;
  if (v.count <= 1)
    return xc_rewrite_replace(rewriter, &chain[0],
                              xc_rewrite_reshape(rewriter, value, &result));
  if (!plan_view(&v, &source, &result, &e))
    return false;
  size_t needed = 1;
  needed += xc_same_dims(&e.from, &source) ? 0 : 1;
  needed += xc_same_dims(&e.to, &result) ? 0 : 1;
  const xc_adaptor *transpose = chain;
  while (transpose < chain + count &&
         transpose->info->float_kind != XC_TIR_TRANSPOSE)
    ++transpose;
  if (needed >= count || transpose == chain + count)
    return false;
  xc_attribute change = xc_ints("order", e.order, e.from.rank);
  value = xc_rewrite_reshape(rewriter, value, &e.from);
  value = xc_rewrite_like(rewriter, transpose, transpose->info->kind, &value, 1,
                          &change, 1);
  return xc_rewrite_replace(rewriter, &chain[0],
                            xc_rewrite_reshape(rewriter, value, &result));
}

bool xc_canonicalize_chain_of_moves(xc_rewriter *rewriter,
                                    const xc_adaptor *root) {
  xc_adaptor chain[XC_PATTERN_CHAIN];
  for (size_t count = xc_read_moves(root, chain); count > 1; --count)
    if (replace_chain(rewriter, chain, count))
      return true;
  return false;
}
