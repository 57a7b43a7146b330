//===- Fold.c - evaluating shape arithmetic -------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Files compute the shapes of RESHAPE, RESIZE and others from the shapes of
// other tensors. All shapes are known here, so the operators between are
// evaluated: on vectors and scalars of 32- and 64-bit integers.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include "dialects/Shape.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_ENTRIES = 64 };

/// Integers that are known, of rank 0 or 1.
typedef struct known {
  int64_t entries[MOST_ENTRIES];
  size_t count;
  size_t rank;
} known;

static bool is_index(const xc_tflite_tensor *tensor) {
  return tensor->element == XC_ELEMENT_I32 || tensor->element == XC_ELEMENT_I64;
}

// Whether an input is known; reads it if so.
static bool read_known(const xc_tflite_context *c, size_t index, known *k) {
  if (!xc_tflite_has_input(c, index))
    return false;
  const xc_tflite_tensor *tensor = xc_tflite_input(c, index);
  if (!tensor->data || !is_index(tensor) || tensor->rank > 1)
    return false;
  k->count = tensor->size / xc_element_size(tensor->element);
  k->rank = tensor->rank;
  if (k->count > MOST_ENTRIES)
    return false;
  for (size_t i = 0; i < k->count; ++i)
    k->entries[i] = xc_tflite_load_int(tensor->data, tensor->element, i);
  return true;
}

/// What evaluating an operator came to.
typedef enum outcome { UNKNOWN, FOLDED, FAILED } outcome;

typedef outcome (*evaluator)(xc_tflite_context *c, known *result);

static void set_scalar(known *result, int64_t value) {
  *result = (known){.count = 1, .rank = 0};
  result->entries[0] = value;
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

static size_t read_dims(xc_tflite_context *c, int64_t dims[XC_MAX_RANK]) {
  const xc_tflite_tensor *tensor = xc_tflite_input(c, 0);
  MlirValue value = c->importer->values[c->operator->inputs[0]];
  xc_shape shape = {.rank = tensor->rank};
  memcpy(shape.dims, tensor->dims, sizeof(shape.dims));
  if (!mlirValueIsNull(value))
    shape = xc_tflite_shape(value);
  else if (!tensor->data)
    return SIZE_MAX; // the operator itself will say that it has no value
  memcpy(dims, shape.dims, sizeof(shape.dims));
  return shape.rank;
}

static outcome fold_shape(xc_tflite_context *c, known *result) {
  int64_t dims[XC_MAX_RANK];
  size_t rank = read_dims(c, dims);
  if (rank == SIZE_MAX || rank == 0)
    return UNKNOWN;
  *result = (known){.count = rank, .rank = 1};
  memcpy(result->entries, dims, rank * sizeof(*dims));
  return FOLDED;
}

static outcome fold_rank(xc_tflite_context *c, known *result) {
  int64_t dims[XC_MAX_RANK];
  size_t rank = read_dims(c, dims);
  if (rank == SIZE_MAX)
    return UNKNOWN;
  set_scalar(result, (int64_t)rank);
  return FOLDED;
}

static outcome join(xc_tflite_context *c, known *result, size_t rank) {
  *result = (known){.rank = 1};
  for (size_t i = 0; i < c->operator->num_inputs; ++i) {
    known part;
    if (!read_known(c, i, &part) || part.rank != rank ||
        part.count > MOST_ENTRIES - result->count)
      return UNKNOWN;
    memcpy(result->entries + result->count, part.entries,
           part.count * sizeof(*part.entries));
    result->count += part.count;
  }
  return FOLDED;
}

static outcome fold_pack(xc_tflite_context *c, known *result) {
  return join(c, result, 0);
}
static outcome fold_concat(xc_tflite_context *c, known *result) {
  return join(c, result, 1);
}

static outcome fold_strided_slice(xc_tflite_context *c, known *result) {
  known input;
  xc_tflite_slice slice;
  if (!read_known(c, 0, &input) || input.rank != 1)
    return UNKNOWN;
  const int64_t dims[] = {(int64_t)input.count};
  if (!xc_tflite_read_slice(c, dims, 1, &slice))
    return FAILED;
  if (slice.rank > 1)
    return UNKNOWN;
  *result = (known){.rank = slice.rank};
  int64_t step = slice.strides[0];
  int64_t last = slice.end[0] == INT32_MIN ? -1 : slice.end[0];
  for (int64_t i = slice.begin[0]; step > 0 ? i < last : i > last; i += step)
    result->entries[result->count++] = input.entries[i];
  return FOLDED;
}

static outcome fold_slice(xc_tflite_context *c, known *result) {
  known input, begin, size;
  if (!read_known(c, 0, &input) || !read_known(c, 1, &begin) ||
      !read_known(c, 2, &size) || input.rank != 1 || begin.count != 1 ||
      size.count != 1)
    return UNKNOWN;
  int64_t all = (int64_t)input.count, first = begin.entries[0];
  if (first < 0 || first > all)
    return UNKNOWN;
  int64_t count = size.entries[0] == -1 ? all - first : size.entries[0];
  if (count < 0 || count > all - first)
    return UNKNOWN;
  *result = (known){.count = (size_t)count, .rank = 1};
  memcpy(result->entries, input.entries + first,
         (size_t)count * sizeof(*input.entries));
  return FOLDED;
}

static outcome fold_gather(xc_tflite_context *c, known *result) {
  known input, indices;
  if (!read_known(c, 0, &input) || !read_known(c, 1, &indices) ||
      input.rank != 1 ||
      xc_tflite_option(c, XC_TFL_GatherOptions_batch_dims) != 0)
    return UNKNOWN;
  *result = (known){.count = indices.count, .rank = indices.rank};
  for (size_t i = 0; i < indices.count; ++i) {
    int64_t at = indices.entries[i];
    if (at < 0 || at >= (int64_t)input.count) {
      xc_tflite_error(c, "has index %" PRId64 ", expected 0 to %zu", at,
                      input.count - 1);
      return FAILED;
    }
    result->entries[i] = input.entries[at];
  }
  return FOLDED;
}

static outcome fold_copy(xc_tflite_context *c, known *result) {
  return read_known(c, 0, result) ? FOLDED : UNKNOWN;
}

static outcome fold_squeeze(xc_tflite_context *c, known *result) {
  if (!read_known(c, 0, result) || result->count != 1)
    return UNKNOWN;
  result->rank = 0;
  return FOLDED;
}

static outcome fold_expand_dims(xc_tflite_context *c, known *result) {
  if (!read_known(c, 0, result) || result->rank != 0)
    return UNKNOWN;
  result->rank = 1;
  return FOLDED;
}

static outcome fold_reshape(xc_tflite_context *c, known *result) {
  known shape;
  if (!read_known(c, 0, result) || !read_known(c, 1, &shape) ||
      shape.rank != 1 || shape.count > 1)
    return UNKNOWN;
  if (shape.count == 1 && shape.entries[0] != -1 &&
      shape.entries[0] != (int64_t)result->count)
    return UNKNOWN;
  if (shape.count == 0 && result->count != 1)
    return UNKNOWN;
  result->rank = shape.count;
  return FOLDED;
}

// Integers wrap, as they do where the file runs.
static int64_t wrap(uint64_t value) {
  int64_t result;
  memcpy(&result, &value, sizeof(result));
  return result;
}

static outcome fold_product(xc_tflite_context *c, known *result) {
  known input, axes;
  if (!read_known(c, 0, &input) || !read_known(c, 1, &axes) ||
      input.rank != 1 || axes.count != 1)
    return UNKNOWN;
  uint64_t product = 1;
  for (size_t i = 0; i < input.count; ++i)
    product *= (uint64_t)input.entries[i];
  set_scalar(result, wrap(product));
  result->rank = xc_tflite_option(c, XC_TFL_ReducerOptions_keep_dims) ? 1 : 0;
  return FOLDED;
}

static int64_t divide(int64_t a, int64_t b, bool floor) {
  if (b == -1)
    return wrap(0 - (uint64_t)a);
  return a / b - (floor && a % b != 0 && (a < 0) != (b < 0));
}

static int64_t combine(int64_t code, int64_t a, int64_t b) {
  switch (code) {
  case XC_TFL_ADD:
    return wrap((uint64_t)a + (uint64_t)b);
  case XC_TFL_SUB:
    return wrap((uint64_t)a - (uint64_t)b);
  case XC_TFL_MUL:
    return wrap((uint64_t)a * (uint64_t)b);
  case XC_TFL_MAXIMUM:
    return a > b ? a : b;
  case XC_TFL_MINIMUM:
    return a < b ? a : b;
  case XC_TFL_FLOOR_DIV:
    return divide(a, b, true);
  }
  return divide(a, b, false);
}

static outcome fold_binary(xc_tflite_context *c, known *result) {
  known a, b;
  int64_t code = c->operator->code;
  bool divides = code == XC_TFL_DIV || code == XC_TFL_FLOOR_DIV;
  if (!read_known(c, 0, &a) || !read_known(c, 1, &b) ||
      (a.count != b.count && a.count != 1 && b.count != 1))
    return UNKNOWN;
  bool is_fused = code == XC_TFL_ADD || code == XC_TFL_SUB ||
                  code == XC_TFL_MUL || code == XC_TFL_DIV;
  if (is_fused && xc_tflite_option(c, XC_TFL_Activation_activation) !=
                      XC_TFL_ACTIVATION_NONE)
    return UNKNOWN;
  *result = (known){.count = a.count == 1 ? b.count : a.count,
                    .rank = a.rank > b.rank ? a.rank : b.rank};
  for (size_t i = 0; i < result->count; ++i) {
    int64_t x = a.entries[a.count == 1 ? 0 : i];
    int64_t y = b.entries[b.count == 1 ? 0 : i];
    if (divides && y == 0) {
      xc_tflite_error(c, "divides by zero");
      return FAILED;
    }
    result->entries[i] = combine(code, x, y);
  }
  return FOLDED;
}

// clang-format off
static const struct {
  int64_t code;
  evaluator evaluate;
} rows[] = {
    {XC_TFL_SHAPE, fold_shape},
    {XC_TFL_RANK, fold_rank},
    {XC_TFL_PACK, fold_pack},
    {XC_TFL_CONCATENATION, fold_concat},
    {XC_TFL_STRIDED_SLICE, fold_strided_slice},
    {XC_TFL_SLICE, fold_slice},
    {XC_TFL_GATHER, fold_gather},
    {XC_TFL_CAST, fold_copy},
    {XC_TFL_SQUEEZE, fold_squeeze},
    {XC_TFL_EXPAND_DIMS, fold_expand_dims},
    {XC_TFL_RESHAPE, fold_reshape},
    {XC_TFL_REDUCE_PROD, fold_product},
    {XC_TFL_ADD, fold_binary},
    {XC_TFL_SUB, fold_binary},
    {XC_TFL_MUL, fold_binary},
    {XC_TFL_DIV, fold_binary},
    {XC_TFL_FLOOR_DIV, fold_binary},
    {XC_TFL_MAXIMUM, fold_binary},
    {XC_TFL_MINIMUM, fold_binary},
};
// clang-format on

//===----------------------------------------------------------------------===//
// Entry
//===----------------------------------------------------------------------===//

static bool store(xc_tflite_context *c, const known *result) {
  xc_element element = xc_tflite_output(c, 0)->element;
  size_t each = xc_element_size(element);
  unsigned char *bytes =
      xc_arena_alloc(&c->importer->arena, result->count, each);
  for (size_t i = 0; i < result->count; ++i)
    for (size_t j = 0; j < each; ++j)
      bytes[i * each + j] =
          (unsigned char)((uint64_t)result->entries[i] >> (8 * j));
  xc_shape shape = {.element = element, .rank = result->rank};
  shape.dims[0] = (int64_t)result->count;
  return xc_tflite_set_constant(c, 0, &shape, bytes);
}

bool xc_tflite_fold(xc_tflite_context *c, bool *folded) {
  *folded = false;
  if (!is_index(xc_tflite_output(c, 0)))
    return true;
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i) {
    if (rows[i].code != c->operator->code)
      continue;
    known result;
    outcome end = rows[i].evaluate(c, &result);
    *folded = end == FOLDED;
    return end == UNKNOWN || (end == FOLDED && store(c, &result));
  }
  return true;
}

bool xc_tflite_only_folds(xc_tflite_context *c) {
  return xc_tflite_error(c, "has no inputs that are known while the model is "
                            "imported");
}
