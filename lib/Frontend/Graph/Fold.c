//===- Fold.c - constants computed from constants -------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exporters compute shapes with operators: Shape, Gather, Unsqueeze, Concat.
// Operators on constants are evaluated here, so that no such operator reaches
// the module. Folded bytes come from a budget that is proportional to the file;
// beyond it operators are emitted instead.
//
//===----------------------------------------------------------------------===//

#include "Fold.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { MAX_ARITY = 3 };

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

static bool broadcast_shape(xc_graph_value *const *inputs, size_t count,
                            xc_shape *shape) {
  shape->rank = 0;
  for (size_t i = 0; i < count; ++i)
    if (inputs[i]->shape.rank > shape->rank)
      shape->rank = inputs[i]->shape.rank;
  for (size_t d = 0; d < shape->rank; ++d)
    shape->dims[d] = 1;
  for (size_t i = 0; i < count; ++i) {
    const xc_shape *input = &inputs[i]->shape;
    size_t lead = shape->rank - input->rank;
    for (size_t d = 0; d < input->rank; ++d) {
      int64_t *size = &shape->dims[lead + d];
      if (*size != 1 && input->dims[d] != 1 && *size != input->dims[d])
        return false;
      if (*size == 1)
        *size = input->dims[d];
    }
  }
  return true;
}

// Strides of a tensor that is broadcast to `shape`.
static void broadcast_strides(const xc_shape *input, const xc_shape *shape,
                              int64_t strides[XC_MAX_RANK]) {
  int64_t stride = 1;
  size_t lead = shape->rank - input->rank;
  memset(strides, 0, XC_MAX_RANK * sizeof(*strides));
  for (size_t d = input->rank; d-- > 0;) {
    if (input->dims[d] != 1)
      strides[lead + d] = stride;
    stride *= input->dims[d];
  }
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

xc_graph_slice xc_graph_whole(const xc_shape *shape) {
  xc_graph_slice slice = {{0}, {0}, {0}};
  for (size_t i = 0; i < shape->rank; ++i) {
    slice.end[i] = shape->dims[i];
    slice.step[i] = 1;
  }
  return slice;
}

// Gives the result memory; null when the budget is exhausted.
static uint8_t *make_result(xc_graph *graph, const xc_shape *shape, bool splat,
                            xc_graph_value **result) {
  int64_t count = splat ? 1 : xc_shape_num_elements(shape);
  uint8_t *data = xc_graph_alloc(graph, count, xc_element_size(shape->element));
  if (data)
    *result = xc_graph_constant(graph, graph->node, shape, data, splat);
  return data;
}

static bool is_single(const xc_graph_value *value) {
  return value->splat || xc_shape_num_elements(&value->shape) == 1;
}

static void copy_element(const xc_graph_value *from, int64_t from_index,
                         uint8_t *to, int64_t to_index) {
  size_t size = xc_element_size(from->shape.element);
  size_t offset = from->splat ? 0 : (size_t)from_index;
  memcpy(to + (size_t)to_index * size, from->data + offset * size, size);
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

static xc_graph_number integer(int64_t value) {
  return (xc_graph_number){.integer = value};
}
static xc_graph_number real(double value) {
  return (xc_graph_number){.is_float = true, .real = value};
}

static int64_t divide(int64_t a, int64_t b, bool floors) {
  if (b == -1)
    return (int64_t)(0 - (uint64_t)a);
  return a / b - (floors && a % b != 0 && (a < 0) != (b < 0));
}

// As an element of that type, to whose precision it is rounded.
static double round_to(xc_element element, double number) {
  uint64_t data = 0;
  xc_graph_store(element, &data, 0, real(number));
  const xc_graph_value value = {.shape.element = element,
                                .data = (const uint8_t *)&data};
  return xc_graph_load(&value, 0).real;
}

// Of floats of that type; comparisons give integers. Results are rounded when
// they are stored; what is rounded to an integer is a quotient of such floats
// already: 0.3 / 0.1 is 3 in f32, and a little less in double.
static xc_graph_number compute_real(xc_graph_scalar scalar, xc_element element,
                                    const xc_graph_number *in) {
  double a = in[0].real, b = in[1].real;
  switch (scalar) {
    // clang-format off
  case XC_GRAPH_ADD: return real(a + b);
  case XC_GRAPH_SUB: return real(a - b);
  case XC_GRAPH_MUL: return real(a * b);
  case XC_GRAPH_DIV: return real(a / b);
  case XC_GRAPH_FLOOR_DIV: return real(floor(round_to(element, a / b)));
  case XC_GRAPH_REM: return real(fmod(a, b));
  case XC_GRAPH_FLOOR_MOD: return real(a - floor(a / b) * b);
  case XC_GRAPH_MIN: return real(a < b ? a : b);
  case XC_GRAPH_MAX: return real(a > b ? a : b);
  case XC_GRAPH_EQUAL: return integer(a == b);
  case XC_GRAPH_LESS: return integer(a < b);
  case XC_GRAPH_GREATER: return integer(a > b);
  case XC_GRAPH_LESS_EQUAL: return integer(a <= b);
  case XC_GRAPH_GREATER_EQUAL: return integer(a >= b);
  case XC_GRAPH_AND: return integer(a != 0 && b != 0);
  case XC_GRAPH_OR: return integer(a != 0 || b != 0);
  case XC_GRAPH_XOR: return integer((a != 0) != (b != 0));
  case XC_GRAPH_COPY: return real(a);
  case XC_GRAPH_NEG: return real(-a);
  case XC_GRAPH_ABS: return real(fabs(a));
  case XC_GRAPH_FLOOR: return real(floor(a));
  case XC_GRAPH_CEIL: return real(ceil(a));
  case XC_GRAPH_SQRT: return real(sqrt(a));
  case XC_GRAPH_NOT: return integer(a == 0);
  case XC_GRAPH_SELECT: return a != 0 ? in[1] : in[2];
    // clang-format on
  }
  return in[0];
}

static int64_t compute_integer(xc_graph_scalar scalar, int64_t a, int64_t b) {
  uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
  switch (scalar) {
    // clang-format off
  case XC_GRAPH_ADD: return (int64_t)(ua + ub);
  case XC_GRAPH_SUB: return (int64_t)(ua - ub);
  case XC_GRAPH_MUL: return (int64_t)(ua * ub);
  case XC_GRAPH_DIV: return divide(a, b, false);
  case XC_GRAPH_FLOOR_DIV: return divide(a, b, true);
  case XC_GRAPH_REM: return (int64_t)(ua - (uint64_t)divide(a, b, false) * ub);
  case XC_GRAPH_FLOOR_MOD: return (int64_t)(ua - (uint64_t)divide(a, b, true) * ub);
  case XC_GRAPH_MIN: return a < b ? a : b;
  case XC_GRAPH_MAX: return a > b ? a : b;
  case XC_GRAPH_EQUAL: return a == b;
  case XC_GRAPH_LESS: return a < b;
  case XC_GRAPH_GREATER: return a > b;
  case XC_GRAPH_LESS_EQUAL: return a <= b;
  case XC_GRAPH_GREATER_EQUAL: return a >= b;
  case XC_GRAPH_AND: return a && b;
  case XC_GRAPH_OR: return a || b;
  case XC_GRAPH_XOR: return !a != !b;
  case XC_GRAPH_NEG: return (int64_t)(0 - ua);
  case XC_GRAPH_ABS: return a < 0 ? (int64_t)(0 - ua) : a;
  case XC_GRAPH_SQRT: return a <= 0 ? 0 : (int64_t)sqrt((double)a);
  case XC_GRAPH_NOT: return a == 0;
  case XC_GRAPH_COPY:
  case XC_GRAPH_FLOOR:
  case XC_GRAPH_CEIL:
  case XC_GRAPH_SELECT: return a;
    // clang-format on
  }
  return a;
}

static xc_graph_number compute(xc_graph_scalar scalar, xc_element element,
                               const xc_graph_number *in) {
  if (in[0].is_float)
    return compute_real(scalar, element, in);
  if (scalar == XC_GRAPH_SELECT)
    return in[0].integer ? in[1] : in[2];
  return integer(compute_integer(scalar, in[0].integer, in[1].integer));
}

size_t xc_graph_scalar_arity(xc_graph_scalar scalar) {
  static const uint8_t arities[] = {
#define ARITY(name, arity) arity,
      XC_GRAPH_SCALARS(ARITY)
#undef ARITY
  };
  return arities[scalar];
}

static bool check_divisor(xc_graph *graph, xc_graph_scalar scalar,
                          xc_graph_value *const *inputs) {
  if (scalar != XC_GRAPH_DIV && scalar != XC_GRAPH_FLOOR_DIV &&
      scalar != XC_GRAPH_REM && scalar != XC_GRAPH_FLOOR_MOD)
    return true;
  const xc_graph_value *by = inputs[1];
  int64_t count = by->splat ? 1 : xc_shape_num_elements(&by->shape);
  for (int64_t i = 0; i < count; ++i) {
    xc_graph_number divisor = xc_graph_load(by, i);
    if (!divisor.is_float && divisor.integer == 0)
      return xc_graph_error(graph, "divides the integer constant '%s' by 0",
                            inputs[0]->name);
  }
  return true;
}

bool xc_graph_fold_elementwise(xc_graph *graph, xc_graph_scalar scalar,
                               xc_graph_value *const *inputs,
                               xc_element element, xc_graph_value **result) {
  xc_shape shape = {.element = element};
  int64_t strides[MAX_ARITY][XC_MAX_RANK], at[MAX_ARITY] = {0};
  int64_t index[XC_MAX_RANK] = {0};
  size_t arity = xc_graph_scalar_arity(scalar);
  *result = NULL;
  if (!check_divisor(graph, scalar, inputs))
    return false;
  if (!broadcast_shape(inputs, arity, &shape))
    return true; // the operator reports it
  if (!xc_graph_check_dims(graph, graph->node, shape.dims, shape.rank, element,
                           &shape))
    return false;
  bool splat = true;
  for (size_t i = 0; i < arity; ++i) {
    broadcast_strides(&inputs[i]->shape, &shape, strides[i]);
    splat = splat && is_single(inputs[i]);
  }
  uint8_t *data = make_result(graph, &shape, splat, result);
  int64_t total = splat ? 1 : xc_shape_num_elements(&shape);
  for (int64_t n = 0; data && n < total; ++n) {
    xc_graph_number in[MAX_ARITY] = {0};
    for (size_t i = 0; i < arity; ++i)
      in[i] = xc_graph_load(inputs[i], at[i]);
    xc_graph_store(element, data, n,
                   compute(scalar, inputs[0]->shape.element, in));
    for (size_t d = shape.rank; d-- > 0;) {
      bool carry = ++index[d] == shape.dims[d];
      for (size_t i = 0; i < arity; ++i)
        at[i] += carry ? -strides[i][d] * (shape.dims[d] - 1) : strides[i][d];
      if (!carry)
        break;
      index[d] = 0;
    }
  }
  return true;
}

bool xc_graph_fold_reduction(xc_graph *graph, xc_graph_scalar scalar,
                             const xc_graph_value *input, const xc_shape *shape,
                             xc_graph_value **result) {
  int64_t total = xc_shape_num_elements(&input->shape);
  assert(xc_shape_num_elements(shape) == 1 && "everything is reduced");
  *result = NULL;
  uint8_t *data = total ? make_result(graph, shape, false, result) : NULL;
  if (!data)
    return true;
  xc_graph_number in[MAX_ARITY] = {xc_graph_load(input, 0)};
  for (int64_t i = 1; i < total; ++i) {
    in[1] = xc_graph_load(input, i);
    in[0] = compute(scalar, input->shape.element, in);
  }
  xc_graph_store(shape->element, data, 0, in[0]);
  return true;
}

//===----------------------------------------------------------------------===//
// Movement
//===----------------------------------------------------------------------===//

static bool check_indices(xc_graph *graph, const xc_graph_value *indices,
                          size_t axis, int64_t size) {
  int64_t picks = xc_shape_num_elements(&indices->shape);
  for (int64_t p = 0; p < picks; ++p) {
    int64_t index = xc_graph_load(indices, p).integer;
    if (index < -size || index >= size)
      return xc_graph_error(
          graph, "index %" PRId64 " is outside dimension %zu of size %" PRId64,
          index, axis, size);
  }
  return true;
}

bool xc_graph_fold_gather(xc_graph *graph, const xc_graph_value *input,
                          const xc_graph_value *indices, size_t axis,
                          xc_graph_value **result) {
  const xc_shape *from = &input->shape, *picked = &indices->shape;
  size_t rank = from->rank + picked->rank - 1;
  xc_shape shape = {.element = from->element, .rank = rank};
  *result = NULL;
  if (rank > XC_MAX_RANK)
    return true;
  memcpy(shape.dims, from->dims, axis * sizeof(int64_t));
  memcpy(shape.dims + axis, picked->dims, picked->rank * sizeof(int64_t));
  memcpy(shape.dims + axis + picked->rank, from->dims + axis + 1,
         (from->rank - axis - 1) * sizeof(int64_t));
  int64_t outer = xc_graph_product(from, 0, axis), size = from->dims[axis];
  int64_t inner = xc_graph_product(from, axis + 1, from->rank);
  int64_t picks = xc_shape_num_elements(picked), n = 0;
  if (!xc_graph_check_dims(graph, graph->node, shape.dims, rank, shape.element,
                           &shape))
    return false;
  uint8_t *data = make_result(graph, &shape, false, result);
  if (data && !check_indices(graph, indices, axis, size))
    return false;
  for (int64_t o = 0; data && o < outer; ++o)
    for (int64_t p = 0; p < picks; ++p) {
      int64_t index = xc_graph_load(indices, p).integer;
      index += index < 0 ? size : 0;
      for (int64_t i = 0; i < inner; ++i)
        copy_element(input, (o * size + index) * inner + i, data, n++);
    }
  return true;
}

bool xc_graph_fold_concat(xc_graph *graph, xc_graph_value *const *inputs,
                          size_t count, size_t axis, xc_graph_value **result) {
  xc_shape shape = inputs[0]->shape;
  int64_t outer = xc_graph_product(&shape, 0, axis), n = 0;
  int64_t inner = xc_graph_product(&shape, axis + 1, shape.rank);
  *result = NULL;
  shape.dims[axis] = 0;
  for (size_t i = 0; i < count; ++i) {
    const xc_shape *input = &inputs[i]->shape;
    if (input->rank != shape.rank || input->element != shape.element ||
        xc_graph_product(input, 0, axis) != outer ||
        xc_graph_product(input, axis + 1, shape.rank) != inner)
      return true; // the operator reports it
    shape.dims[axis] += input->dims[axis];
  }
  if (!xc_graph_check_dims(graph, graph->node, shape.dims, shape.rank,
                           shape.element, &shape))
    return false;
  uint8_t *data = make_result(graph, &shape, false, result);
  for (int64_t o = 0; data && o < outer; ++o)
    for (size_t i = 0; i < count; ++i) {
      int64_t length = inputs[i]->shape.dims[axis] * inner;
      for (int64_t k = 0; k < length; ++k)
        copy_element(inputs[i], o * length + k, data, n++);
    }
  return true;
}

// Fills a tensor of that shape from `at` on, a stride for each dimension.
static void copy_strided(const xc_graph_value *input, int64_t at,
                         const int64_t *strides, const xc_shape *shape,
                         uint8_t *data) {
  int64_t index[XC_MAX_RANK] = {0}, total = xc_shape_num_elements(shape);
  for (int64_t n = 0; n < total; ++n) {
    copy_element(input, at, data, n);
    for (size_t d = shape->rank; d-- > 0;) {
      if (++index[d] < shape->dims[d]) {
        at += strides[d];
        break;
      }
      at -= strides[d] * (shape->dims[d] - 1);
      index[d] = 0;
    }
  }
}

bool xc_graph_fold_slice(xc_graph *graph, const xc_graph_value *input,
                         const xc_graph_slice *slice, xc_graph_value **result) {
  xc_shape shape = input->shape;
  int64_t strides[XC_MAX_RANK], at = 0;
  *result = NULL;
  broadcast_strides(&shape, &shape, strides);
  for (size_t d = 0; d < shape.rank; ++d) {
    int64_t begin = slice->begin[d], end = slice->end[d], step = slice->step[d];
    int64_t distance = step > 0 ? end - begin : begin - end;
    int64_t pace = step > 0 ? step : -step;
    shape.dims[d] = distance <= 0 ? 0 : (distance + pace - 1) / pace;
    at += begin * strides[d];
    strides[d] *= step;
  }
  uint8_t *data = make_result(graph, &shape, false, result);
  if (data)
    copy_strided(input, at, strides, &shape, data);
  return true;
}

bool xc_graph_fold_expand(xc_graph *graph, xc_graph_value *input,
                          const xc_shape *wanted, xc_graph_value **result) {
  static const uint8_t zero[8] = {0};
  // Copies broadcast against a tensor of the wanted shape.
  xc_graph_value *both[] = {input,
                            xc_graph_constant(graph, "", wanted, zero, true)};
  xc_shape shape = {.element = wanted->element};
  *result = NULL;
  if (!broadcast_shape(both, 2, &shape) ||
      !xc_graph_check_dims(graph, graph->node, shape.dims, shape.rank,
                           shape.element, &shape))
    return !xc_graph_failed(graph);
  bool splat = is_single(input);
  if (!splat && xc_element_is_float(shape.element))
    return true; // data, not indices: leave it to the operator
  int64_t strides[XC_MAX_RANK];
  broadcast_strides(&input->shape, &shape, strides);
  uint8_t *data = make_result(graph, &shape, splat, result);
  if (data && splat)
    copy_element(input, 0, data, 0);
  else if (data)
    copy_strided(input, 0, strides, &shape, data);
  return true;
}
