//===- Parts.c - results that join what is not alike ----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Detectors give boxes in pixels and scores of classes in one tensor. The ratio
// of its signal and noise is that of the boxes, because of their size, and says
// nothing of the scores. Inputs of a concat are judged by themselves where
// operators of different kinds compute them, or operators of one kind from what
// others do: centres, sizes and scores. Where they are alike, as the levels of
// a pyramid, they are one.
//
//===----------------------------------------------------------------------===//

#include "Comparison.h"

#include "IR/IR.h"
#include "Transforms/Quantize/Function/Kinds.h"
#include "dialects/Emit.h"
#include "dialects/Macs.h"
#include "dialects/Shape.h"

#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

/// More than are told of: a slice takes some of those that it reads.
enum { MOST_FOUND = 64 };

/// The parts that were found so far.
typedef struct search {
  xc_op_kind kinds[MOST_FOUND];
  size_t places[MOST_FOUND]; // among the inputs of the concats that join them
  MlirStringRef names[MOST_FOUND];
  size_t count;
  size_t depth; // of the recursion
} search;

/// Returns the operation that computes a value before it is moved; null where
/// it is an argument. Of a concat the first input stands for all, unless
/// something is cut out of it.
static MlirOperation find_maker(MlirValue value) {
  bool is_cut = false;
  while (mlirValueIsAOpResult(value)) {
    MlirOperation op = mlirOpResultGetOwner(value);
    const xc_op_info *info = xc_op_info_of(op);
    if (!info)
      break;
    if (!xc_quantize_is_move(info->kind) ||
        (is_cut && info->kind == XC_TIR_CONCAT))
      return op;
    is_cut |= info->kind == XC_TIR_STRIDED_SLICE;
    value = mlirOperationGetOperand(op, 0);
  }
  return (MlirOperation){NULL};
}

static bool is_constant(MlirValue value) {
  return !mlirOperationIsNull(xc_constant_of(value));
}

/// Whether operators of the same kinds compute two values from the same things,
/// for some steps or up to layers.
static bool are_alike(MlirValue a, MlirValue b, int steps) {
  MlirOperation x = find_maker(a), y = find_maker(b);
  xc_adaptor op;
  if (mlirOperationIsNull(x) || mlirOperationIsNull(y) ||
      xc_op_info_of(x)->kind != xc_op_info_of(y)->kind ||
      mlirOperationGetNumOperands(x) != mlirOperationGetNumOperands(y))
    return false;
  bool is_layer = xc_adaptor_of(x, &op) && xc_count_macs(&op) > 0 &&
                  !xc_float_is_scale(&op);
  if (steps == 0 || is_layer)
    return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(x); ++i) {
    MlirValue from = mlirOperationGetOperand(x, i);
    MlirValue other = mlirOperationGetOperand(y, i);
    if (is_constant(from) != is_constant(other) ||
        (!is_constant(from) && !are_alike(from, other, steps - 1)))
      return false;
  }
  return true;
}

/// Returns the part of what an operator of that kind computes for that place;
/// too large if there are too many.
static size_t find_part(search *s, xc_op_kind kind, size_t place,
                        MlirOperation maker) {
  size_t i = 0;
  while (i < s->count && (s->kinds[i] != kind || s->places[i] != place))
    ++i;
  if (i < s->count || i == MOST_FOUND)
    return i;
  s->kinds[i] = kind;
  s->places[i] = place;
  s->names[i] = xc_op_given_name(maker);
  ++s->count;
  return i;
}

static bool fill(search *s, MlirValue value, size_t place, uint8_t *part);

/// All elements are of one kind.
static bool fill_one(search *s, const xc_adaptor *op, size_t place,
                     uint8_t *part) {
  xc_shape shape = xc_result_shape(op);
  size_t found = find_part(s, op->info->kind, place, op->operation);
  memset(part, (int)found, (size_t)xc_shape_num_elements(&shape));
  return found < MOST_FOUND;
}

/// The elements of the input from `first` on, by steps for each dimension of
/// the result.
static bool fill_picked(search *s, const xc_adaptor *op, size_t place,
                        int64_t first, const int64_t *steps, uint8_t *part) {
  xc_shape from = xc_operand_shape(op, 0), to = xc_result_shape(op);
  int64_t at[XC_MAX_RANK] = {0}, count = xc_shape_num_elements(&to);
  uint8_t *own = xc_alloc((size_t)xc_shape_num_elements(&from) + 1);
  bool ok = fill(s, xc_operand(op, 0), place, own);
  for (int64_t i = 0; ok && i < count; ++i) {
    int64_t index = first;
    for (size_t d = 0; d < to.rank; ++d)
      index += at[d] * steps[d];
    part[i] = own[index];
    for (size_t d = to.rank; d-- > 0 && ++at[d] == to.dims[d];)
      at[d] = 0;
  }
  free(own);
  return ok;
}

static void find_strides(const xc_shape *shape, int64_t *strides) {
  int64_t stride = 1;
  for (size_t i = shape->rank; i-- > 0; stride *= shape->dims[i])
    strides[i] = stride;
}

static bool fill_transposed(search *s, const xc_adaptor *op, size_t place,
                            uint8_t *part) {
  xc_shape from = xc_operand_shape(op, 0);
  int64_t order[XC_MAX_INTS], strides[XC_MAX_RANK], steps[XC_MAX_RANK];
  xc_attr_ints(op, XC_ATTR_ORDER, order);
  find_strides(&from, strides);
  for (size_t d = 0; d < from.rank; ++d)
    steps[d] = strides[order[d]];
  return fill_picked(s, op, place, 0, steps, part);
}

static bool fill_slice(search *s, const xc_adaptor *op, size_t place,
                       uint8_t *part) {
  xc_shape from = xc_operand_shape(op, 0);
  int64_t begin[XC_MAX_INTS], by[XC_MAX_INTS], strides[XC_MAX_RANK];
  int64_t first = 0, steps[XC_MAX_RANK];
  xc_attr_ints(op, XC_ATTR_BEGIN, begin);
  xc_attr_ints(op, XC_ATTR_STRIDES, by);
  find_strides(&from, strides);
  for (size_t d = 0; d < from.rank; ++d) {
    first += xc_slice_begin(begin[d], by[d], from.dims[d]) * strides[d];
    steps[d] = by[d] * strides[d];
  }
  return fill_picked(s, op, place, first, steps, part);
}

// Whether operators that are not alike compute the inputs.
static bool is_mixed(const xc_adaptor *concat) {
  enum { STEPS = 3 };
  for (size_t k = 1; k < xc_num_inputs(concat); ++k)
    if (!are_alike(xc_operand(concat, 0), xc_operand(concat, k), STEPS))
      return true;
  return false;
}

static bool fill_concat(search *s, const xc_adaptor *op, size_t place,
                        uint8_t *part) {
  enum { MOST_INPUTS = 64 };
  xc_shape whole = xc_value_shape(xc_op_result(op->operation));
  int64_t axis = xc_attr_int(op, XC_ATTR_AXIS), inner = 1, begin = 0;
  size_t dim = (size_t)(axis < 0 ? axis + (int64_t)whole.rank : axis);
  for (size_t i = dim + 1; i < whole.rank; ++i)
    inner *= whole.dims[i];
  int64_t row = whole.dims[dim] * inner;
  int64_t rows = row ? xc_shape_num_elements(&whole) / row : 0;
  bool ok = true, mixed = is_mixed(op);
  for (size_t k = 0; ok && k < xc_num_inputs(op); ++k) {
    MlirValue input = xc_operand(op, k);
    int64_t size = xc_value_shape(input).dims[dim] * inner;
    uint8_t *own = xc_alloc((size_t)(rows * size) + 1);
    ok = fill(s, input, mixed ? (place + 1) * MOST_INPUTS + k : place, own);
    for (int64_t r = 0; ok && r < rows; ++r)
      memcpy(part + r * row + begin, own + r * size, (size_t)size);
    begin += size;
    free(own);
  }
  return ok;
}

// The concat that it scales, of several things, by constants of all elements.
static bool scales_mixed(const xc_adaptor *op) {
  bool is_product =
      op->info->kind == XC_TIR_MUL || op->info->kind == XC_TIR_DIV;
  if (!is_product && !xc_float_is_scale(op))
    return false;
  xc_adaptor concat;
  xc_shape from = xc_operand_shape(op, 0), to = xc_result_shape(op);
  MlirValue input = xc_operand(op, 0);
  return is_constant(xc_operand(op, 1)) && mlirValueIsAOpResult(input) &&
         xc_shape_num_elements(&from) == xc_shape_num_elements(&to) &&
         xc_adaptor_of(mlirOpResultGetOwner(input), &concat) &&
         concat.info->kind == XC_TIR_CONCAT && is_mixed(&concat);
}

// Sets the part of each element. Chains of concats are as deep as a function
// makes them.
static bool fill(search *s, MlirValue value, size_t place, uint8_t *part) {
  enum { DEEPEST = 64 };
  xc_adaptor op;
  if (++s->depth > DEEPEST || !mlirValueIsAOpResult(value) ||
      !xc_adaptor_of(mlirOpResultGetOwner(value), &op))
    return false;
  bool ok;
  if (op.info->kind == XC_TIR_CONCAT)
    ok = fill_concat(s, &op, place, part);
  else if (op.info->kind == XC_TIR_TRANSPOSE)
    ok = fill_transposed(s, &op, place, part);
  else if (op.info->kind == XC_TIR_STRIDED_SLICE)
    ok = fill_slice(s, &op, place, part);
  else if (op.info->rule == XC_RULE_RESHAPE ||
           op.info->rule == XC_RULE_FLATTEN ||
           op.info->rule == XC_RULE_SQUEEZE || scales_mixed(&op))
    ok = fill(s, xc_operand(&op, 0), place, part);
  else
    ok = fill_one(s, &op, place, part);
  --s->depth;
  return ok;
}

// Leaves out what slices do not take. Returns false where there are too many
// parts.
static bool number_parts(const search *s, xc_quantize_parts *parts,
                         int64_t elements) {
  size_t numbers[MOST_FOUND];
  for (size_t i = 0; i < s->count; ++i)
    numbers[i] = MOST_FOUND;
  for (int64_t i = 0; i < elements; ++i) {
    size_t found = parts->of[i];
    if (numbers[found] == MOST_FOUND) {
      if (parts->count == XC_QUANTIZE_PARTS)
        return false;
      parts->names[parts->count] = s->names[found];
      numbers[found] = parts->count++;
    }
    parts->of[i] = (uint8_t)numbers[found];
  }
  return true;
}

xc_quantize_parts *xc_quantize_find_parts(const xc_quantizer *q,
                                          size_t result) {
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(q->reference, 0));
  MlirValue value =
      mlirOperationGetOperand(mlirBlockGetTerminator(block), (intptr_t)result);
  xc_shape shape = xc_value_shape(value);
  int64_t elements = xc_shape_num_elements(&shape);
  search s = {.count = 0};
  xc_quantize_parts *parts = xc_alloc(sizeof(*parts));
  *parts = (xc_quantize_parts){.count = 0};
  parts->of = xc_alloc((size_t)elements + 1);
  if (fill(&s, value, 0, parts->of) && number_parts(&s, parts, elements) &&
      parts->count > 1)
    return parts;
  xc_quantize_free_parts(parts);
  return NULL;
}

void xc_quantize_free_parts(xc_quantize_parts *parts) {
  if (parts)
    free(parts->of);
  free(parts);
}
