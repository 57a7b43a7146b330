//===- OpsAttention.c - scaled dot product attention ----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two matrix products with a softmax in between. Where several heads of the
// queries share one of the keys, their queries are rows of one matrix, so that
// keys and values need not be repeated.
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include <inttypes.h>
#include <math.h>

static const MlirValue none = {NULL};

/// Inputs of Attention.
enum { Q, K, V, MASK, PAST_KEY, PAST_VALUE, LENGTHS };

typedef struct attention {
  xc_element element;
  bool is_flat;          // heads side by side in the last dimension
  int64_t batch, heads;  // of the queries
  int64_t shared;        // heads of keys and values
  int64_t queries, size; // per head, and the elements of one
  int64_t past, keys;    // before the new ones, and all
  int64_t value_size;    // the elements of a value
  double scale, softcap; // softcap 0: none
  xc_element precision;  // of the softmax
} attention;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

// Returns an input as [batch, heads, sequence, size].
static xc_graph_value *take_heads(xc_onnx_importer *im, size_t index,
                                  const char *attribute) {
  const xc_graph_order order = {{0, 2, 1, 3}};
  int64_t heads = xc_onnx_int(im, attribute, 0);
  xc_graph_value *value;
  if (!xc_onnx_need_input(im, index, &value) ||
      !xc_onnx_check_rank(im, value, 3, 4))
    return NULL;
  const int64_t *dims = value->shape.dims;
  if (value->shape.rank == 4) {
    if (heads == 0 || heads == dims[1])
      return value;
    xc_onnx_error(im, "attribute '%s' is %" PRId64 ", but '%s' has %" PRId64,
                  attribute, heads, value->name, dims[1]);
    return NULL;
  }
  if (heads < 1 || dims[2] % heads != 0) {
    xc_onnx_error(im,
                  "attribute '%s' is %" PRId64
                  ", expected a divisor of the last dimension, %" PRId64,
                  attribute, heads, dims[2]);
    return NULL;
  }
  const int64_t apart[] = {dims[0], dims[1], heads, dims[2] / heads};
  value = xc_graph_reshape(&im->graph, value, apart, 4);
  return value ? xc_graph_transpose(&im->graph, value, &order) : NULL;
}

static bool read_numbers(xc_onnx_importer *im, attention *a) {
  int64_t precision = xc_onnx_int(im, "softmax_precision", 0);
  a->scale =
      (double)xc_onnx_float(im, "scale", (float)(1 / sqrt((double)a->size)));
  a->softcap = (double)xc_onnx_float(im, "softcap", 0);
  a->precision = precision ? xc_onnx_element((int32_t)precision) : a->element;
  if (!(a->scale >= 0) || !(a->softcap >= 0))
    return xc_onnx_error(im, "attribute '%s' is below 0",
                         a->scale >= 0 ? "softcap" : "scale");
  return xc_element_is_float(a->precision) ||
         xc_onnx_error(im,
                       "attribute 'softmax_precision' is %" PRId64
                       ", expected a type of floats",
                       precision);
}

// in: queries, keys and values as heads.
static bool read_attention(xc_onnx_importer *im, xc_graph_value **in,
                           attention *a) {
  if (!(in[Q] = take_heads(im, Q, "q_num_heads")) ||
      !(in[K] = take_heads(im, K, "kv_num_heads")) ||
      !(in[V] = take_heads(im, V, "kv_num_heads")))
    return false;
  const int64_t *q = in[Q]->shape.dims, *k = in[K]->shape.dims,
                *v = in[V]->shape.dims;
  *a = (attention){.element = in[Q]->shape.element,
                   .is_flat = xc_onnx_input(im, Q)->shape.rank == 3,
                   .batch = q[0],
                   .heads = q[1],
                   .shared = k[1],
                   .queries = q[2],
                   .size = q[3],
                   .keys = k[2],
                   .value_size = v[3]};
  if (k[0] != q[0] || v[0] != q[0] || v[1] != k[1] || v[2] != k[2] ||
      k[3] != q[3] || k[1] == 0 || q[1] % k[1] != 0)
    return xc_onnx_error(im,
                         "has queries %" PRId64 "x%" PRId64 "x%" PRId64
                         "x%" PRId64 ", keys %" PRId64 "x%" PRId64 "x%" PRId64
                         "x%" PRId64 " and values %" PRId64 "x%" PRId64
                         "x%" PRId64 "x%" PRId64 " of heads, which do not fit",
                         q[0], q[1], q[2], q[3], k[0], k[1], k[2], k[3], v[0],
                         v[1], v[2], v[3]);
  return read_numbers(im, a);
}

// Appends the keys or values of this call to those of earlier calls; the result
// is output `index` too.
static MlirValue emit_present(xc_onnx_importer *im, xc_graph_value *now,
                              size_t past, size_t index, attention *a) {
  MlirValue all = xc_graph_get_plain(&im->graph, now);
  xc_graph_value *before = xc_onnx_input(im, past);
  if (before) {
    const MlirValue parts[] = {xc_graph_get_plain(&im->graph, before), all};
    const xc_attribute attributes[] = {xc_int("axis", 2)};
    if (!xc_onnx_check_rank(im, before, 4, 4))
      return none;
    a->past = before->shape.dims[2];
    all = xc_graph_emit(&im->graph, "present", XC_TIR_CONCAT, parts, 2,
                        XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
  }
  return !mlirValueIsNull(all) && xc_onnx_result_plain(im, index, all) ? all
                                                                       : none;
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

// Returns the scores where `seen`, and -inf elsewhere.
static MlirValue emit_seen(xc_onnx_importer *im, MlirValue scores,
                           MlirValue seen, const attention *a) {
  MlirValue unseen =
      xc_graph_emit_number(&im->graph, -(double)INFINITY, a->element);
  return xc_graph_emit_select(&im->graph, seen, scores, unseen);
}

// A mask of [batch, heads, queries, keys], of which all but the last may be 1
// or, from the left, be left out.
static bool check_mask(xc_onnx_importer *im, const xc_graph_value *mask,
                       const attention *a) {
  const int64_t wanted[] = {a->batch, a->heads, a->queries, a->keys};
  const xc_shape *shape = &mask->shape;
  if (!xc_onnx_check_rank(im, mask, 2, 4))
    return false;
  bool fits = shape->dims[shape->rank - 1] == a->keys;
  for (size_t i = 0; fits && i < shape->rank; ++i) {
    int64_t size = shape->dims[i];
    fits = size == 1 || size == wanted[i + 4 - shape->rank];
  }
  return fits ||
         xc_onnx_error(im,
                       "has a mask '%s' that does not broadcast to the "
                       "scores, %" PRId64 "x%" PRId64 "x%" PRId64 "x%" PRId64,
                       mask->name, wanted[0], wanted[1], wanted[2], wanted[3]);
}

static MlirValue emit_mask(xc_onnx_importer *im, MlirValue scores,
                           const attention *a) {
  xc_graph_value *mask = xc_onnx_input(im, MASK);
  if (!mask)
    return scores;
  const xc_shape *shape = &mask->shape;
  if (!check_mask(im, mask, a))
    return none;
  MlirValue mlir = xc_graph_get_plain(&im->graph, mask);
  if (shape->element == XC_ELEMENT_I1)
    return emit_seen(im, scores, mlir, a);
  if (shape->element != a->element)
    mlir = xc_graph_emit_cast(&im->graph, "mask", mlir, a->element);
  return xc_graph_emit_binary(&im->graph, "masked", XC_TIR_ADD, scores, mlir);
}

// `count` numbers per entry of the batch as [batch, 1, 1, 1] in i64.
static MlirValue emit_lengths(xc_onnx_importer *im, const attention *a) {
  xc_graph_value *lengths = xc_onnx_input(im, LENGTHS);
  const int64_t dims[] = {a->batch, 1, 1, 1};
  if (!lengths || !xc_onnx_check_rank(im, lengths, 1, 1))
    return none;
  MlirValue mlir = xc_graph_get_plain(&im->graph, lengths);
  if (lengths->shape.element != XC_ELEMENT_I64)
    mlir = xc_graph_emit_cast(&im->graph, "lengths", mlir, XC_ELEMENT_I64);
  return xc_graph_emit_reshape(&im->graph, mlir, dims, 4);
}

// Keys up to the query's own, which is the first after the past, or, when the
// keys have a length, the last of as many.
static MlirValue emit_causal(xc_onnx_importer *im, MlirValue scores,
                             MlirValue lengths, const attention *a) {
  xc_graph *graph = &im->graph;
  MlirValue last = xc_graph_emit_iota(graph, 4, 2, a->queries);
  if (a->past == 0 && !mlirValueIsNull(lengths))
    last =
        xc_graph_emit_binary(graph, "last", XC_TIR_ADD, last,
                             xc_graph_emit_with(graph, "first", XC_TIR_SUB,
                                                lengths, (double)a->queries));
  else if (a->past)
    last = xc_graph_emit_with(graph, "last", XC_TIR_ADD, last, (double)a->past);
  MlirValue keys = xc_graph_emit_iota(graph, 4, 3, a->keys);
  if (mlirValueIsNull(keys))
    return none;
  return emit_seen(im, scores, xc_graph_emit_compare(graph, "LE", keys, last),
                   a);
}

static MlirValue emit_visible(xc_onnx_importer *im, MlirValue scores,
                              const attention *a) {
  xc_graph *graph = &im->graph;
  bool has_lengths = xc_onnx_has_input(im, LENGTHS);
  MlirValue lengths = emit_lengths(im, a);
  scores = emit_mask(im, scores, a);
  if (mlirValueIsNull(scores) || (has_lengths && mlirValueIsNull(lengths)))
    return none;
  if (xc_onnx_int(im, "is_causal", 0))
    scores = emit_causal(im, scores, lengths, a);
  if (!has_lengths)
    return scores;
  MlirValue keys = xc_graph_emit_iota(graph, 4, 3, a->keys);
  return emit_seen(im, scores,
                   xc_graph_emit_compare(graph, "LT", keys, lengths), a);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

// [batch, shared, queries of all heads that share, n] from or to heads.
static MlirValue emit_shared(xc_onnx_importer *im, MlirValue x,
                             const attention *a, int64_t columns,
                             bool by_head) {
  const int64_t joined[] = {a->batch, a->shared,
                            a->heads / a->shared * a->queries, columns};
  const int64_t apart[] = {a->batch, a->heads, a->queries, columns};
  return a->heads == a->shared
             ? x
             : xc_graph_emit_reshape(&im->graph, x, by_head ? apart : joined,
                                     4);
}

static MlirValue emit_scores(xc_onnx_importer *im, MlirValue q, MlirValue k,
                             const attention *a) {
  xc_graph *graph = &im->graph;
  double root = sqrt(a->scale);
  const MlirValue operands[] = {
      emit_shared(im, xc_graph_emit_with(graph, "queries", XC_TIR_MUL, q, root),
                  a, a->size, false),
      xc_graph_emit_with(graph, "keys", XC_TIR_MUL, k, root)};
  const xc_attribute attributes[] = {xc_bool("transpose_a", false),
                                     xc_bool("transpose_b", true)};
  MlirValue scores = xc_graph_emit(graph, "scores", XC_TIR_MATMUL, operands, 2,
                                   XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
  return emit_shared(im, scores, a, a->keys, true);
}

// softcap * tanh(scores / softcap)
static MlirValue emit_capped(xc_onnx_importer *im, MlirValue scores,
                             double softcap) {
  xc_graph *graph = &im->graph;
  if (softcap == 0)
    return scores;
  scores = xc_graph_emit_with(graph, "small", XC_TIR_DIV, scores, softcap);
  scores = xc_graph_emit_binary(graph, "tanh", XC_TIR_TANH, scores, none);
  return xc_graph_emit_with(graph, "capped", XC_TIR_MUL, scores, softcap);
}

static MlirValue emit_shares(xc_onnx_importer *im, MlirValue scores,
                             const attention *a) {
  xc_graph *graph = &im->graph;
  const xc_attribute attributes[] = {xc_int("axis", 3)};
  if (a->precision != a->element)
    scores = xc_graph_emit_cast(graph, "precise", scores, a->precision);
  scores = xc_graph_emit(graph, "softmax", XC_TIR_SOFTMAX, &scores, 1,
                         XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
  return a->precision == a->element
             ? scores
             : xc_graph_emit_cast(graph, "shares", scores, a->element);
}

static bool result_values(xc_onnx_importer *im, MlirValue y,
                          const attention *a) {
  const xc_graph_order plain = xc_graph_identity(4), order = {{0, 2, 1, 3}};
  const int64_t dims[] = {a->batch, a->queries, a->heads * a->value_size};
  if (!a->is_flat)
    return xc_onnx_result_plain(im, 0, y);
  xc_graph_value *value =
      xc_graph_computed(&im->graph, im->graph.node, y, &plain);
  value = value ? xc_graph_transpose(&im->graph, value, &order) : NULL;
  value = value ? xc_graph_reshape(&im->graph, value, dims, 3) : NULL;
  return value && xc_onnx_result_alias(im, 0, value);
}

// The kinds of output 3 that all versions of the specification agree on.
static bool check_scores_output(xc_onnx_importer *im, int64_t mode) {
  return !xc_onnx_has_output(im, 3) || mode == 0 || mode == 3 ||
         xc_onnx_error(im,
                       "attribute 'qk_matmul_output_mode' is %" PRId64
                       ", expected 0 or 3",
                       mode);
}

bool xc_onnx_attention(xc_onnx_importer *im) {
  enum { SHARES = 3 };
  xc_graph_value *in[3];
  attention a;
  int64_t mode = xc_onnx_int(im, "qk_matmul_output_mode", 0);
  if (!read_attention(im, in, &a) || !check_scores_output(im, mode))
    return false;
  if (xc_onnx_has_input(im, PAST_KEY) != xc_onnx_has_input(im, PAST_VALUE))
    return xc_onnx_error(im, "has only one of the past keys and values");
  MlirValue k = emit_present(im, in[K], PAST_KEY, 1, &a);
  MlirValue v = emit_present(im, in[V], PAST_VALUE, 2, &a);
  a.keys += a.past;
  if (mlirValueIsNull(k) || mlirValueIsNull(v))
    return false;
  MlirValue raw = emit_scores(im, xc_graph_get_plain(&im->graph, in[Q]), k, &a);
  MlirValue scores = emit_capped(im, raw, a.softcap);
  MlirValue shares = emit_shares(im, emit_visible(im, scores, &a), &a);
  const MlirValue operands[] = {emit_shared(im, shares, &a, a.keys, false), v};
  MlirValue y = emit_shared(im,
                            xc_graph_emit(&im->graph, NULL, XC_TIR_MATMUL,
                                          operands, 2, NULL, XC_ELEMENT_NONE),
                            &a, a.value_size, true);
  return !mlirValueIsNull(y) && result_values(im, y, &a) &&
         (!xc_onnx_has_output(im, 3) ||
          xc_onnx_result_plain(im, 3, mode == SHARES ? shares : raw));
}
