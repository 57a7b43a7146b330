//===- Compose.c - operators of several formats, composed of tir's --------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compose.h"

#include "Value.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

static const MlirValue none = {NULL};

MlirValue xc_graph_emit_compare(xc_graph *graph, const char *predicate,
                                MlirValue a, MlirValue b) {
  const xc_attribute attributes[] = {xc_string("predicate", predicate)};
  const MlirValue operands[] = {a, b};
  return xc_graph_emit(graph, "compare", XC_TIR_COMPARE, operands, 2,
                       XC_ATTRIBUTES(attributes), XC_ELEMENT_I1);
}

MlirValue xc_graph_emit_compare_with(xc_graph *graph, const char *predicate,
                                     MlirValue a, double number) {
  if (mlirValueIsNull(a))
    return a;
  return xc_graph_emit_compare(
      graph, predicate, a,
      xc_graph_emit_number(graph, number, xc_value_shape(a).element));
}

MlirValue xc_graph_emit_select(xc_graph *graph, MlirValue condition,
                               MlirValue yes, MlirValue no) {
  const MlirValue operands[] = {condition, yes, no};
  if (mlirValueIsNull(yes))
    return yes;
  return xc_graph_emit(graph, "select", XC_TIR_SELECT, operands, 3, NULL,
                       xc_value_shape(yes).element);
}

MlirValue xc_graph_emit_reshape(xc_graph *graph, MlirValue value,
                                const int64_t *dims, size_t rank) {
  const xc_attribute attributes[] = {xc_ints("shape", dims, rank)};
  return xc_graph_emit(graph, "reshape", XC_TIR_RESHAPE, &value, 1,
                       XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
}

MlirValue xc_graph_emit_ints(xc_graph *graph, const int64_t *ints,
                             const int64_t *dims, size_t rank) {
  xc_shape shape = {.element = XC_ELEMENT_I64, .rank = rank};
  memcpy(shape.dims, dims, rank * sizeof(*dims));
  return xc_graph_get_plain(
      graph, xc_graph_constant(graph, graph->node, &shape, ints, false));
}

MlirValue xc_graph_emit_iota(xc_graph *graph, size_t rank, size_t axis,
                             int64_t size) {
  int64_t dims[XC_MAX_RANK];
  int64_t *ints = xc_graph_table(graph, size, sizeof(int64_t));
  if (!ints)
    return none;
  for (int64_t i = 0; i < size; ++i)
    ints[i] = i;
  for (size_t i = 0; i < rank; ++i)
    dims[i] = i == axis ? size : 1;
  return xc_graph_emit_ints(graph, ints, dims, rank);
}

MlirValue xc_graph_emit_reduction(xc_graph *graph, xc_op_kind kind,
                                  MlirValue input, const int64_t *axes,
                                  size_t count, bool keep_dims) {
  const xc_attribute attributes[] = {xc_ints("axis", axes, count),
                                     xc_bool("keep_dims", keep_dims)};
  return xc_graph_emit(graph, "reduced", kind, &input, 1,
                       XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
}

// Whether one dimension of several entries is repeated a few times, and no
// other.
static bool is_join(const xc_shape *shape, const int64_t *repeats,
                    size_t *axis) {
  enum { MOST = 8 };
  size_t count = 0;
  for (size_t i = 0; i < shape->rank; ++i)
    if (repeats[i] != 1) {
      *axis = i;
      ++count;
    }
  return count == 1 && shape->dims[*axis] > 1 && repeats[*axis] > 1 &&
         repeats[*axis] <= MOST;
}

static MlirValue emit_copies(xc_graph *graph, MlirValue value, int64_t count,
                             size_t axis) {
  MlirValue copies[XC_MAX_OPERANDS];
  for (int64_t i = 0; i < count; ++i)
    copies[i] = value;
  return xc_graph_emit_concat(graph, copies, (size_t)count, axis);
}

// Whether what is repeated are dimensions of one entry each.
static bool is_expansion(const xc_shape *shape, const int64_t *repeats) {
  for (size_t i = 0; i < shape->rank; ++i)
    if (repeats[i] != 1 && (shape->dims[i] != 1 || repeats[i] < 1))
      return false;
  return true;
}

static MlirValue emit_expansion(xc_graph *graph, MlirValue value,
                                const xc_shape *shape, const int64_t *repeats) {
  int64_t dims[XC_MAX_RANK];
  xc_shape result;
  for (size_t i = 0; i < shape->rank; ++i)
    dims[i] = shape->dims[i] * repeats[i];
  const xc_attribute attributes[] = {xc_ints("shape", dims, shape->rank)};
  return xc_graph_check_dims(graph, graph->node, dims, shape->rank,
                             shape->element, &result)
             ? xc_graph_emit(graph, "tile", XC_TIR_EXPAND, &value, 1,
                             XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE)
             : none;
}

// One dimension at a time: [outer, 1, inner] is expanded to [outer, n, inner].
MlirValue xc_graph_emit_tile(xc_graph *graph, MlirValue value,
                             const int64_t *repeats) {
  if (mlirValueIsNull(value))
    return value;
  xc_shape shape = xc_value_shape(value);
  size_t joined;
  if (is_join(&shape, repeats, &joined))
    return emit_copies(graph, value, repeats[joined], joined);
  if (is_expansion(&shape, repeats))
    return emit_expansion(graph, value, &shape, repeats);
  for (size_t axis = 0; axis < shape.rank; ++axis) {
    if (repeats[axis] == 1)
      continue;
    if (repeats[axis] < 0 || repeats[axis] > INT32_MAX) {
      xc_graph_error(graph, "repeats dimension %zu %" PRId64 " times", axis,
                     repeats[axis]);
      return none;
    }
    int64_t dims[3] = {1, 1, 1};
    for (size_t i = 0; i < shape.rank; ++i)
      dims[i < axis ? 0 : 2] *= shape.dims[i];
    const int64_t wide[3] = {dims[0], repeats[axis], dims[2]};
    xc_shape result;
    shape.dims[axis] *= repeats[axis];
    value = xc_graph_emit_reshape(graph, value, dims, 3);
    if (mlirValueIsNull(value) ||
        !xc_graph_check_dims(graph, graph->node, shape.dims, shape.rank,
                             shape.element, &result))
      return none;
    const xc_attribute attributes[] = {xc_ints("shape", wide, 3)};
    value = xc_graph_emit(graph, "tile", XC_TIR_EXPAND, &value, 1,
                          XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
    value = xc_graph_emit_reshape(graph, value, shape.dims, shape.rank);
  }
  return value;
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

MlirValue xc_graph_emit_gelu(xc_graph *graph, MlirValue x, bool by_tanh) {
  const double cube_share = 0.044715, root = 0.7978845608028654; // sqrt(2 / pi)
  const double half_root = 0.7071067811865476;                   // sqrt(1 / 2)
  MlirValue y;
  if (by_tanh) {
    y = xc_graph_emit_binary(graph, "square", XC_TIR_MUL, x, x);
    y = xc_graph_emit_with(graph, "share", XC_TIR_MUL, y, cube_share);
    y = xc_graph_emit_with(graph, "one", XC_TIR_ADD, y, 1);
    y = xc_graph_emit_binary(graph, "inner", XC_TIR_MUL, y, x);
    y = xc_graph_emit_with(graph, "scaled", XC_TIR_MUL, y, root);
    y = xc_graph_emit_binary(graph, "tanh", XC_TIR_TANH, y, none);
  } else {
    y = xc_graph_emit_with(graph, "scaled", XC_TIR_MUL, x, half_root);
    y = xc_graph_emit_binary(graph, "erf", XC_TIR_ERF, y, none);
  }
  y = xc_graph_emit_with(graph, "one", XC_TIR_ADD, y, 1);
  y = xc_graph_emit_with(graph, "half", XC_TIR_MUL, y, 0.5);
  return xc_graph_emit_binary(graph, NULL, XC_TIR_MUL, x, y);
}

MlirValue xc_graph_emit_sign(xc_graph *graph, MlirValue x) {
  if (mlirValueIsNull(x))
    return x;
  xc_element element = xc_value_shape(x).element;
  MlirValue sign =
      xc_graph_emit_select(graph, xc_graph_emit_compare_with(graph, "GT", x, 0),
                           xc_graph_emit_number(graph, 1, element), x);
  if (!xc_element_is_float(element) && xc_element_min(element) == 0)
    return sign;
  return xc_graph_emit_select(graph,
                              xc_graph_emit_compare_with(graph, "LT", x, 0),
                              xc_graph_emit_number(graph, -1, element), sign);
}

// Returns the angle within a quadrant, and that turned over.
MlirValue xc_graph_emit_atan2(xc_graph *graph, MlirValue y, MlirValue x) {
  const double half_turn = 3.14159265358979323846;
  if (mlirValueIsNull(y) || mlirValueIsNull(x))
    return none;
  MlirValue height = xc_graph_emit_binary(graph, "height", XC_TIR_ABS, y, none);
  MlirValue width = xc_graph_emit_binary(graph, "width", XC_TIR_ABS, x, none);
  MlirValue angle = xc_graph_emit_binary(
      graph, "angle", XC_TIR_ATAN,
      xc_graph_emit_binary(graph, "tangent", XC_TIR_DIV, height, width), none);
  // 0 / 0 is no number.
  MlirValue flat = xc_graph_emit_compare_with(graph, "EQ", height, 0);
  angle = xc_graph_emit_select(graph, flat, height, angle);
  MlirValue beyond = xc_graph_emit_with(
      graph, "beyond", XC_TIR_ADD,
      xc_graph_emit_binary(graph, "back", XC_TIR_NEG, angle, none), half_turn);
  angle = xc_graph_emit_select(
      graph, xc_graph_emit_compare_with(graph, "LT", x, 0), beyond, angle);
  return xc_graph_emit_select(
      graph, xc_graph_emit_compare_with(graph, "LT", y, 0),
      xc_graph_emit_binary(graph, "below", XC_TIR_NEG, angle, none), angle);
}

MlirValue xc_graph_emit_fake_quant(xc_graph *graph, MlirValue x,
                                   const xc_graph_fake_quant *q) {
  double low = q->is_narrow ? 1 : 0;
  double high = (double)(INT64_C(1) << q->bits) - 1;
  double scale = (q->max - q->min) / (high - low);
  double zero = low - q->min / scale;
  zero = zero < low ? low : zero > high ? high : floor(zero + 0.5);
  double from = (low - zero) * scale, to = (high - zero) * scale;
  const xc_attribute clip[] = {xc_float("min", from), xc_float("max", to)};
  x = xc_graph_emit(graph, "clamp", XC_TIR_CLIP, &x, 1, XC_ATTRIBUTES(clip),
                    XC_ELEMENT_NONE);
  x = xc_graph_emit_with(graph, "shift", XC_TIR_SUB, x, from);
  x = xc_graph_emit_with(graph, "steps", XC_TIR_MUL, x, 1 / scale);
  x = xc_graph_emit_with(graph, "half", XC_TIR_ADD, x, 0.5);
  x = xc_graph_emit_binary(graph, "floor", XC_TIR_FLOOR, x, none);
  x = xc_graph_emit_with(graph, "real", XC_TIR_MUL, x, scale);
  return xc_graph_emit_with(graph, NULL, XC_TIR_ADD, x, from);
}

static MlirValue emit_xor(xc_graph *graph, MlirValue a, MlirValue b) {
  const xc_attribute attributes[] = {xc_string("type", "XOR")};
  const MlirValue operands[] = {a, b};
  return xc_graph_emit(graph, "differ", XC_TIR_LOGICAL, operands, 2,
                       XC_ATTRIBUTES(attributes), XC_ELEMENT_I1);
}

// remainder + step where the remainder is not 0 and its sign not that of
// `like`.
static MlirValue emit_sign(xc_graph *graph, MlirValue remainder, MlirValue like,
                           MlirValue step) {
  MlirValue zero =
      xc_graph_emit_number(graph, 0, xc_value_shape(remainder).element);
  MlirValue wrong =
      emit_xor(graph, xc_graph_emit_compare(graph, "LT", remainder, zero),
               xc_graph_emit_compare(graph, "LT", like, zero));
  MlirValue moved =
      xc_graph_emit_binary(graph, "moved", XC_TIR_ADD, remainder, step);
  MlirValue sum = xc_graph_emit_select(graph, wrong, moved, remainder);
  MlirValue is_zero = xc_graph_emit_compare(graph, "EQ", remainder, zero);
  return mlirValueIsNull(sum)
             ? sum
             : xc_graph_emit_select(graph, is_zero, remainder, sum);
}

// Returns the quotient without its fraction, towards zero.
static MlirValue emit_whole(xc_graph *graph, MlirValue a, MlirValue b) {
  MlirValue quotient =
      xc_graph_emit_binary(graph, "quotient", XC_TIR_DIV, a, b);
  if (mlirValueIsNull(quotient) ||
      !xc_element_is_float(xc_value_shape(quotient).element))
    return quotient;
  MlirValue up = xc_graph_emit_binary(graph, "up", XC_TIR_CEIL, quotient, none);
  MlirValue down =
      xc_graph_emit_binary(graph, "down", XC_TIR_FLOOR, quotient, none);
  return xc_graph_emit_select(
      graph, xc_graph_emit_compare_with(graph, "LT", quotient, 0), up, down);
}

typedef MlirValue subtract(xc_graph *graph, MlirValue a, MlirValue whole,
                           MlirValue b);

// a - whole * b.
static MlirValue emit_less(xc_graph *graph, MlirValue a, MlirValue whole,
                           MlirValue b) {
  return xc_graph_emit_binary(
      graph, "rest", XC_TIR_SUB, a,
      xc_graph_emit_binary(graph, "product", XC_TIR_MUL, whole, b));
}

// a - whole * b without the product's rounding, which would show for a rest of
// 0 what is nearly 0 or nearly b. b in two halves of 26 bits (Veltkamp) makes
// both products exact where `whole` has no more bits than those.
static MlirValue emit_exact_less(xc_graph *graph, MlirValue a, MlirValue whole,
                                 MlirValue b) {
  const double splitter = 0x1p27 + 1;
  MlirValue scaled =
      xc_graph_emit_with(graph, "scaled", XC_TIR_MUL, b, splitter);
  MlirValue high = xc_graph_emit_binary(
      graph, "high", XC_TIR_SUB, scaled,
      xc_graph_emit_binary(graph, "beyond", XC_TIR_SUB, scaled, b));
  MlirValue low = xc_graph_emit_binary(graph, "low", XC_TIR_SUB, b, high);
  return emit_less(graph, emit_less(graph, a, whole, high), whole, low);
}

// A quotient of floats can be rounded across an integer, which the signs show.
static MlirValue emit_remainder(xc_graph *graph, MlirValue a, MlirValue b,
                                bool floors, subtract *less) {
  MlirValue rest = less(graph, a, emit_whole(graph, a, b), b);
  if (mlirValueIsNull(rest))
    return rest;
  if (xc_element_is_float(xc_value_shape(rest).element)) {
    MlirValue size = xc_graph_emit_binary(graph, "size", XC_TIR_ABS, b, none);
    MlirValue back =
        xc_graph_emit_binary(graph, "back", XC_TIR_NEG, size, none);
    rest = emit_sign(
        graph, rest, a,
        xc_graph_emit_select(
            graph, xc_graph_emit_compare_with(graph, "LT", a, 0), back, size));
  }
  return floors && !mlirValueIsNull(rest) ? emit_sign(graph, rest, b, b) : rest;
}

// Other floats than those of 64 bits are divided with more digits than they
// have, or the product would not be exact.
MlirValue xc_graph_emit_modulo(xc_graph *graph, MlirValue a, MlirValue b,
                               bool floors) {
  if (mlirValueIsNull(a) || mlirValueIsNull(b))
    return none;
  xc_element element = xc_value_shape(a).element;
  xc_element wide = element == XC_ELEMENT_F32 ? XC_ELEMENT_F64 : XC_ELEMENT_F32;
  if (element == XC_ELEMENT_F64)
    return emit_remainder(graph, a, b, floors, emit_exact_less);
  if (!xc_element_is_float(element))
    return emit_remainder(graph, a, b, floors, emit_less);
  MlirValue rest = emit_remainder(
      graph, xc_graph_emit_cast(graph, "wide", a, wide),
      xc_graph_emit_cast(graph, "wide", b, wide), floors, emit_less);
  return xc_graph_emit_cast(graph, "remainder", rest, element);
}

MlirValue xc_graph_emit_floor_div(xc_graph *graph, MlirValue a, MlirValue b) {
  if (mlirValueIsNull(a) || mlirValueIsNull(b))
    return none;
  if (xc_element_is_float(xc_value_shape(a).element))
    return xc_graph_emit_binary(
        graph, NULL, XC_TIR_FLOOR,
        xc_graph_emit_binary(graph, "quotient", XC_TIR_DIV, a, b), none);
  MlirValue whole = xc_graph_emit_binary(
      graph, "whole", XC_TIR_SUB, a, xc_graph_emit_modulo(graph, a, b, true));
  return xc_graph_emit_binary(graph, NULL, XC_TIR_DIV, whole, b);
}

//===----------------------------------------------------------------------===//
// Movement
//===----------------------------------------------------------------------===//

// With corners aligned the formats round half away from zero, and positions are
// not negative. At half pixels they round (x + 0.5) * scale down, which is the
// source coordinate plus one half.
const char *xc_graph_nearest_mode(bool align_corners, bool half_pixel) {
  return align_corners || half_pixel ? "ROUND_PREFER_CEIL" : "FLOOR";
}

MlirValue xc_graph_emit_concat(xc_graph *graph, MlirValue *operands,
                               size_t count, size_t axis) {
  enum { MOST_OPERANDS = 16 };
  const xc_attribute attributes[] = {xc_int("axis", (int64_t)axis)};
  while (count > MOST_OPERANDS) {
    size_t groups = 0;
    for (size_t i = 0; i < count; i += MOST_OPERANDS) {
      size_t size = count - i < MOST_OPERANDS ? count - i : MOST_OPERANDS;
      operands[groups++] =
          size == 1
              ? operands[i]
              : xc_graph_emit(graph, "part", XC_TIR_CONCAT, &operands[i], size,
                              XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
    }
    count = groups;
  }
  return xc_graph_emit(graph, NULL, XC_TIR_CONCAT, operands, count,
                       XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
}

//===----------------------------------------------------------------------===//
// Detection
//===----------------------------------------------------------------------===//

MlirValue xc_graph_emit_nms(xc_graph *graph, MlirValue boxes, MlirValue scores,
                            const xc_graph_nms *nms, xc_element element) {
  int64_t most = nms->max_boxes;
  most = most < 0 ? 0 : most > INT32_MAX ? INT32_MAX : most;
  const MlirValue operands[] = {boxes, scores};
  const xc_attribute attributes[] = {
      xc_int("max_boxes", most), xc_float("iou_threshold", nms->iou_threshold),
      xc_float("score_threshold", nms->score_threshold),
      xc_bool("center_point_box", nms->center_point_box)};
  return xc_graph_emit(graph, NULL, XC_TIR_NMS, operands, 2,
                       XC_ATTRIBUTES(attributes), element);
}
