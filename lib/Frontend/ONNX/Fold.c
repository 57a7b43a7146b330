//===- Fold.c - evaluates nodes whose inputs are constants ----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exporters compute shapes with operators: Shape, Gather, Unsqueeze, Concat.
// What follows from constants is evaluated here, so that no such operator
// reaches the module. Folded bytes come from a budget that is proportional to
// the file; beyond it operators are emitted instead.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { MAX_FOLD_INPUTS = 1 << 16 };

void *onnx_fold_alloc(onnx_importer *importer, int64_t count, size_t size) {
  assert(count >= 0 && size <= 8 && "shapes have been checked");
  size_t bytes = (size_t)count * size;
  if (bytes > importer->fold_budget)
    return NULL;
  importer->fold_budget -= bytes;
  return xc_arena_alloc(&importer->arena, bytes + 1, 1);
}

/// One evaluation. A fold function sets `result` or leaves it null to let the
/// handler do its work; false means an error.
typedef struct folding {
  onnx_importer *importer;
  onnx_value **inputs;
  size_t count;
  onnx_value *result;
} folding;

typedef onnx_number (*scalar_function)(const onnx_number *in);

/// Gives the result a shape and memory; null when the budget is exhausted.
static uint8_t *make_result(folding *f, const xc_shape *shape, bool splat) {
  int64_t count = splat ? 1 : xc_shape_num_elements(shape);
  uint8_t *data =
      onnx_fold_alloc(f->importer, count, xc_element_size(shape->element));
  if (data)
    f->result = onnx_new_constant(f->importer, f->importer->op_name, shape,
                                  data, splat);
  return data;
}

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

static bool broadcast_shape(onnx_value *const *inputs, size_t count,
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

// Steps through a tensor that is broadcast to `shape`.
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

static bool fold_elementwise(folding *f, size_t arity, scalar_function function,
                             xc_element element) {
  enum { MAX_ARITY = 3 };
  xc_shape shape = {.element = element};
  int64_t strides[MAX_ARITY][XC_MAX_RANK], at[MAX_ARITY] = {0};
  int64_t index[XC_MAX_RANK] = {0};
  assert(arity <= MAX_ARITY && "a scalar function has three inputs at most");
  if (f->count != arity || !broadcast_shape(f->inputs, arity, &shape))
    return true; // the handler reports it
  if (!onnx_check_dims(f->importer, f->importer->op_name, shape.dims,
                       shape.rank, element, &shape))
    return false;
  bool splat = true;
  for (size_t i = 0; i < arity; ++i) {
    broadcast_strides(&f->inputs[i]->shape, &shape, strides[i]);
    splat = splat && (f->inputs[i]->splat ||
                      xc_shape_num_elements(&f->inputs[i]->shape) == 1);
  }
  uint8_t *data = make_result(f, &shape, splat);
  int64_t total = splat ? 1 : xc_shape_num_elements(&shape);
  for (int64_t n = 0; data && n < total; ++n) {
    onnx_number in[MAX_ARITY];
    for (size_t i = 0; i < arity; ++i)
      in[i] = onnx_load(f->inputs[i], at[i]);
    onnx_store(element, data, n, function(in));
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

static onnx_number integer(int64_t value) {
  return (onnx_number){.integer = value};
}
static onnx_number real(double value) {
  return (onnx_number){.is_float = true, .real = value};
}
static int64_t wrap(uint64_t value) { return (int64_t)value; }

#define U(x) ((uint64_t)(x))
// Arithmetic on two numbers of one type; integers wrap.
#define BINARY(name, float_form, integer_form)                                 \
  static onnx_number scalar_##name(const onnx_number *in) {                    \
    if (in[0].is_float) {                                                      \
      double a = in[0].real, b = in[1].real;                                   \
      return real(float_form);                                                 \
    }                                                                          \
    int64_t a = in[0].integer, b = in[1].integer;                              \
    return integer(integer_form);                                              \
  }
BINARY(add, a + b, wrap(U(a) + U(b)))
BINARY(sub, a - b, wrap(U(a) - U(b)))
BINARY(mul, a *b, wrap(U(a) * U(b)))
BINARY(div, a / b, b == 0 ? 0 : b == -1 ? wrap(0 - U(a)) : a / b)
BINARY(min, a < b ? a : b, a < b ? a : b)
BINARY(max, a > b ? a : b, a > b ? a : b)

#define COMPARE(name, operator)                                                \
  static onnx_number scalar_##name(const onnx_number *in) {                    \
    return integer(in[0].is_float ? in[0].real operator in[1].real             \
                                  : in[0].integer operator in[1].integer);     \
  }
COMPARE(equal, ==)
COMPARE(less, <)
COMPARE(greater, >)
COMPARE(less_equal, <=)
COMPARE(greater_equal, >=)

#define UNARY(name, float_form, integer_form)                                  \
  static onnx_number scalar_##name(const onnx_number *in) {                    \
    double a = in[0].real;                                                     \
    int64_t i = in[0].integer;                                                 \
    return in[0].is_float ? real(float_form) : integer(integer_form);          \
  }
UNARY(neg, -a, wrap(0 - U(i)))
UNARY(abs, fabs(a), i < 0 ? wrap(0 - U(i)) : i)
UNARY(floor, floor(a), i)
UNARY(ceil, ceil(a), i)
UNARY(sqrt, sqrt(a), i <= 0 ? 0 : (int64_t)sqrt((double)i))
UNARY(copy, a, i)
UNARY(not, (i = 0, a) == 0, i == 0)

static onnx_number scalar_and(const onnx_number *in) {
  return integer(in[0].integer && in[1].integer);
}
static onnx_number scalar_or(const onnx_number *in) {
  return integer(in[0].integer || in[1].integer);
}
static onnx_number scalar_xor(const onnx_number *in) {
  return integer(!in[0].integer != !in[1].integer);
}
static onnx_number scalar_where(const onnx_number *in) {
  return in[0].integer ? in[1] : in[2];
}

//===----------------------------------------------------------------------===//
// Picking elements
//===----------------------------------------------------------------------===//

static void copy_element(const onnx_value *from, int64_t from_index,
                         uint8_t *to, int64_t to_index) {
  size_t size = xc_element_size(from->shape.element);
  size_t offset = from->splat ? 0 : (size_t)from_index;
  memcpy(to + (size_t)to_index * size, from->data + offset * size, size);
}

// Elements before and behind an axis.
static int64_t product(const xc_shape *shape, size_t begin, size_t end) {
  int64_t result = 1;
  for (size_t i = begin; i < end; ++i)
    result *= shape->dims[i];
  return result;
}

static bool fold_cast(folding *f) {
  xc_element element = onnx_element((int32_t)onnx_int(f->importer, "to", 0));
  return element == XC_ELEMENT_NONE ||
         fold_elementwise(f, 1, scalar_copy, element);
}

static bool fold_gather(folding *f) {
  if (f->count != 2)
    return true;
  const onnx_value *input = f->inputs[0], *indices = f->inputs[1];
  size_t axis, rank = input->shape.rank + indices->shape.rank - 1;
  if (!onnx_axis(f->importer, onnx_int(f->importer, "axis", 0),
                 input->shape.rank, &axis))
    return false;
  xc_shape shape = {.element = input->shape.element, .rank = rank};
  if (rank > XC_MAX_RANK)
    return true;
  memcpy(shape.dims, input->shape.dims, axis * sizeof(int64_t));
  memcpy(shape.dims + axis, indices->shape.dims,
         indices->shape.rank * sizeof(int64_t));
  memcpy(shape.dims + axis + indices->shape.rank, input->shape.dims + axis + 1,
         (input->shape.rank - axis - 1) * sizeof(int64_t));
  int64_t outer = product(&input->shape, 0, axis);
  int64_t size = input->shape.dims[axis];
  int64_t inner = product(&input->shape, axis + 1, input->shape.rank);
  int64_t picks = xc_shape_num_elements(&indices->shape);
  if (!onnx_check_dims(f->importer, f->importer->op_name, shape.dims, rank,
                       shape.element, &shape))
    return false;
  uint8_t *data = make_result(f, &shape, false);
  for (int64_t p = 0; data && p < picks; ++p) {
    int64_t index = onnx_load(indices, p).integer;
    if (index < -size || index >= size)
      return onnx_error(f->importer,
                        "index %lld is outside dimension %zu of size %lld",
                        (long long)index, axis, (long long)size);
  }
  int64_t n = 0;
  for (int64_t o = 0; data && o < outer; ++o)
    for (int64_t p = 0; p < picks; ++p) {
      int64_t index = onnx_load(indices, p).integer;
      index += index < 0 ? size : 0;
      for (int64_t i = 0; i < inner; ++i)
        copy_element(input, (o * size + index) * inner + i, data, n++);
    }
  return true;
}

static bool fold_concat(folding *f) {
  size_t axis;
  xc_shape shape = f->inputs[0]->shape;
  if (!onnx_axis(f->importer, onnx_int(f->importer, "axis", 1), shape.rank,
                 &axis))
    return false;
  int64_t outer = product(&shape, 0, axis);
  int64_t inner = product(&shape, axis + 1, shape.rank);
  shape.dims[axis] = 0;
  for (size_t i = 0; i < f->count; ++i) {
    const xc_shape *input = &f->inputs[i]->shape;
    if (input->rank != shape.rank || input->element != shape.element ||
        product(input, 0, axis) != outer ||
        product(input, axis + 1, shape.rank) != inner)
      return true; // the handler reports it
    shape.dims[axis] += input->dims[axis];
  }
  if (!onnx_check_dims(f->importer, f->importer->op_name, shape.dims,
                       shape.rank, shape.element, &shape))
    return false;
  uint8_t *data = make_result(f, &shape, false);
  int64_t n = 0;
  for (int64_t o = 0; data && o < outer; ++o)
    for (size_t i = 0; i < f->count; ++i) {
      int64_t length = f->inputs[i]->shape.dims[axis] * inner;
      for (int64_t k = 0; k < length; ++k)
        copy_element(f->inputs[i], o * length + k, data, n++);
    }
  return true;
}

static bool fold_slice(folding *f) {
  xc_shape shape = f->inputs[0]->shape;
  int64_t begin[XC_MAX_RANK], end[XC_MAX_RANK], step[XC_MAX_RANK];
  int64_t strides[XC_MAX_RANK], index[XC_MAX_RANK] = {0}, at = 0;
  if (!onnx_slice_bounds(f->importer, &shape, begin, end, step))
    return false;
  broadcast_strides(&shape, &shape, strides);
  for (size_t d = 0; d < shape.rank; ++d) {
    int64_t distance = step[d] > 0 ? end[d] - begin[d] : begin[d] - end[d];
    int64_t pace = step[d] > 0 ? step[d] : -step[d];
    shape.dims[d] = distance <= 0 ? 0 : (distance + pace - 1) / pace;
    at += begin[d] * strides[d];
    strides[d] *= step[d];
  }
  uint8_t *data = make_result(f, &shape, false);
  int64_t total = xc_shape_num_elements(&shape);
  for (int64_t n = 0; data && n < total; ++n) {
    copy_element(f->inputs[0], at, data, n);
    for (size_t d = shape.rank; d-- > 0;) {
      if (++index[d] < shape.dims[d]) {
        at += strides[d];
        break;
      }
      at -= strides[d] * (shape.dims[d] - 1);
      index[d] = 0;
    }
  }
  return true;
}

static bool fold_expand(folding *f) {
  const int64_t *dims;
  size_t rank;
  xc_shape wanted;
  if (!onnx_input_ints(f->importer, 1, &dims, &rank) ||
      !onnx_check_dims(f->importer, f->importer->op_name, dims, rank,
                       f->inputs[0]->shape.element, &wanted))
    return false;
  static const uint8_t zero[8] = {0};
  // Copies broadcast against a tensor of the wanted shape.
  onnx_value *other = onnx_new_constant(f->importer, "", &wanted, zero, true);
  onnx_value *both[] = {f->inputs[0], other};
  xc_shape shape = {.element = wanted.element};
  if (!broadcast_shape(both, 2, &shape) ||
      !onnx_check_dims(f->importer, f->importer->op_name, shape.dims,
                       shape.rank, shape.element, &shape))
    return true;
  bool splat =
      f->inputs[0]->splat || xc_shape_num_elements(&f->inputs[0]->shape) == 1;
  if (!splat)
    return true; // a tensor, not a shape: leave it to the operator
  uint8_t *data = make_result(f, &shape, true);
  if (data)
    copy_element(f->inputs[0], 0, data, 0);
  return true;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

static onnx_number reduce(scalar_function function, onnx_number a,
                          onnx_number b) {
  onnx_number in[] = {a, b};
  return function(in);
}

static bool fold_reduction(folding *f, int64_t since,
                           scalar_function function) {
  const onnx_value *input = f->inputs[0];
  size_t axes[XC_MAX_RANK], count;
  if (!onnx_axes(f->importer, since, input->shape.rank, axes, &count))
    return false;
  // Shape arithmetic reduces lists to a number.
  if ((count != 0 && count != input->shape.rank) || input->shape.rank > 1)
    return true;
  int64_t total = xc_shape_num_elements(&input->shape);
  xc_shape shape = {.element = input->shape.element};
  if (total == 0 || total > ONNX_MAX_LIST)
    return true;
  if (onnx_int(f->importer, "keepdims", 1) && input->shape.rank == 1) {
    shape.rank = 1;
    shape.dims[0] = 1;
  }
  uint8_t *data = make_result(f, &shape, false);
  if (!data)
    return true;
  onnx_number result = onnx_load(input, 0);
  for (int64_t i = 1; i < total; ++i)
    result = reduce(function, result, onnx_load(input, i));
  onnx_store(shape.element, data, 0, result);
  return true;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static xc_element first_element(const folding *f) {
  return f->inputs[0]->shape.element;
}

static bool same_elements(const folding *f) {
  for (size_t i = 1; i < f->count; ++i)
    if (f->inputs[i]->shape.element != first_element(f))
      return false;
  return true;
}

#define FOLD_SAME(name, arity)                                                 \
  static bool fold_##name(folding *f) {                                        \
    return !same_elements(f) ||                                                \
           fold_elementwise(f, arity, scalar_##name, first_element(f));        \
  }
#define FOLD_BOOL(name, arity)                                                 \
  static bool fold_##name(folding *f) {                                        \
    return !same_elements(f) ||                                                \
           fold_elementwise(f, arity, scalar_##name, XC_ELEMENT_I1);           \
  }
#define FOLD_REDUCTION(name, since, function)                                  \
  static bool fold_##name(folding *f) {                                        \
    return fold_reduction(f, since, function);                                 \
  }
// clang-format off
FOLD_SAME(add, 2) FOLD_SAME(sub, 2) FOLD_SAME(mul, 2)
FOLD_SAME(min, 2) FOLD_SAME(max, 2)
FOLD_SAME(neg, 1) FOLD_SAME(abs, 1) FOLD_SAME(floor, 1) FOLD_SAME(ceil, 1)
FOLD_SAME(sqrt, 1)
FOLD_BOOL(equal, 2) FOLD_BOOL(less, 2) FOLD_BOOL(greater, 2)
FOLD_BOOL(less_equal, 2) FOLD_BOOL(greater_equal, 2)
FOLD_BOOL(and, 2) FOLD_BOOL(or, 2) FOLD_BOOL(xor, 2) FOLD_BOOL(not, 1)
FOLD_REDUCTION(reduce_sum, 13, scalar_add)
FOLD_REDUCTION(reduce_prod, 18, scalar_mul)
FOLD_REDUCTION(reduce_max, 18, scalar_max)
FOLD_REDUCTION(reduce_min, 18, scalar_min)
    // clang-format on

    static bool fold_div(folding *f) {
  if (f->count != 2 || !same_elements(f))
    return true;
  int64_t count =
      f->inputs[1]->splat ? 1 : xc_shape_num_elements(&f->inputs[1]->shape);
  for (int64_t i = 0; i < count; ++i) {
    onnx_number divisor = onnx_load(f->inputs[1], i);
    if (!divisor.is_float && divisor.integer == 0)
      return onnx_error(f->importer, "divides the integer constant '%s' by 0",
                        f->inputs[0]->name);
  }
  return fold_elementwise(f, 2, scalar_div, first_element(f));
}

static bool fold_where(folding *f) {
  if (f->count != 3 ||
      f->inputs[1]->shape.element != f->inputs[2]->shape.element)
    return true;
  return fold_elementwise(f, 3, scalar_where, f->inputs[1]->shape.element);
}

typedef struct fold_row {
  const char *name;
  bool (*function)(folding *f);
} fold_row;

// clang-format off
static const fold_row rows[] = {
    {"Abs", fold_abs},                 {"Add", fold_add},
    {"And", fold_and},                 {"Cast", fold_cast},
    {"Ceil", fold_ceil},               {"Concat", fold_concat},
    {"Div", fold_div},                 {"Equal", fold_equal},
    {"Expand", fold_expand},           {"Floor", fold_floor},
    {"Gather", fold_gather},           {"Greater", fold_greater},
    {"GreaterOrEqual", fold_greater_equal}, {"Less", fold_less},
    {"LessOrEqual", fold_less_equal},  {"Max", fold_max},
    {"Min", fold_min},                 {"Mul", fold_mul},
    {"Neg", fold_neg},                 {"Not", fold_not},
    {"Or", fold_or},                   {"ReduceMax", fold_reduce_max},
    {"ReduceMin", fold_reduce_min},    {"ReduceProd", fold_reduce_prod},
    {"ReduceSum", fold_reduce_sum},    {"Slice", fold_slice},
    {"Sqrt", fold_sqrt},               {"Sub", fold_sub},
    {"Where", fold_where},             {"Xor", fold_xor},
};
// clang-format on

static const fold_row *row_of(const onnx_importer *importer) {
  if (*importer->node->domain && strcmp(importer->node->domain, "ai.onnx") != 0)
    return NULL;
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i)
    if (strcmp(rows[i].name, importer->node->op_type) == 0)
      return &rows[i];
  return NULL;
}

bool onnx_fold(onnx_importer *importer, bool *done) {
  const fold_row *row = row_of(importer);
  size_t count = importer->node->n_input;
  *done = false;
  if (!row || count == 0 || count > MAX_FOLD_INPUTS)
    return true;
  for (size_t i = 0; i < count; ++i) {
    const onnx_value *value = onnx_input(importer, i);
    if (onnx_has_input(importer, i) && !value->data)
      return true;
  }
  folding f = {.importer = importer, .count = count};
  f.inputs = xc_arena_alloc(&importer->arena, count, sizeof(*f.inputs));
  for (size_t i = 0; i < count; ++i)
    if (!(f.inputs[i] = onnx_input(importer, i)) && i == 0)
      return true;
  // Absent inputs can only stand at the end of Slice and reductions, which
  // read them by themselves.
  for (size_t i = 0; i < count; ++i)
    if (!f.inputs[i])
      f.inputs[i] = f.inputs[0];
  if (!row->function(&f))
    return false;
  *done = f.result != NULL;
  return !*done || onnx_result_alias(importer, 0, f.result);
}
