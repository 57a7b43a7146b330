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
// operators of different kinds compute them: centres, sizes and scores. Where
// they are of one kind, as the levels of a pyramid, they are one.
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "IR/IR.h"
#include "dialects/Emit.h"

#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

/// The parts that were found so far.
typedef struct search {
  xc_op_kind kinds[XC_QUANTIZE_PARTS];
  size_t inputs[XC_QUANTIZE_PARTS]; // of the concat that joins them
  xc_quantize_parts *parts;
  size_t depth; // of the recursion
} search;

static xc_shape shape_of(MlirValue value) {
  xc_shape shape = {.rank = 0};
  xc_shape_of_type(mlirValueGetType(value), &shape);
  return shape;
}

/// Operators that elements go through as they are, but for a cut.
static bool forwards(const xc_op_info *info) {
  return xc_quantize_is_move(info->kind) || info->kind == XC_TIR_STRIDED_SLICE;
}

/// What computes a value, and the operator to name it by: of a cut of several
/// things the cut. Null where it is an argument.
static MlirOperation find_maker(MlirValue value, MlirOperation *named) {
  MlirOperation cut = {NULL};
  while (mlirValueIsAOpResult(value)) {
    MlirOperation op = mlirOpResultGetOwner(value);
    const xc_op_info *info = xc_op_info_of(op);
    if (!info)
      break;
    if (!forwards(info)) {
      bool is_cut = info->kind == XC_TIR_CONCAT && !mlirOperationIsNull(cut);
      *named = is_cut ? cut : op;
      return op;
    }
    if (info->kind == XC_TIR_STRIDED_SLICE)
      cut = op;
    value = mlirOperationGetOperand(op, 0);
  }
  return (MlirOperation){NULL};
}

/// The part of what an operator of that kind computes for that input; the most
/// parts if there are too many.
static size_t find_part(search *s, xc_op_kind kind, size_t input,
                        MlirOperation named) {
  xc_quantize_parts *parts = s->parts;
  size_t i = 0;
  while (i < parts->count && (s->kinds[i] != kind || s->inputs[i] != input))
    ++i;
  if (i < parts->count || i == XC_QUANTIZE_PARTS)
    return i;
  s->kinds[i] = kind;
  s->inputs[i] = input;
  parts->names[parts->count++] = xc_op_given_name(named);
  return i;
}

static bool fill(search *s, MlirValue value, size_t input, uint8_t *part);

/// All elements are of one kind.
static bool fill_one(search *s, MlirValue value, size_t input, uint8_t *part) {
  xc_shape shape = shape_of(value);
  MlirOperation named, maker = find_maker(value, &named);
  if (mlirOperationIsNull(maker))
    return false;
  size_t found = find_part(s, xc_op_info_of(maker)->kind, input, named);
  memset(part, (int)found, (size_t)xc_shape_num_elements(&shape));
  return found < XC_QUANTIZE_PARTS;
}

static bool fill_transposed(search *s, const xc_adaptor *op, size_t number,
                            uint8_t *part) {
  MlirValue input = mlirOperationGetOperand(op->operation, 0);
  xc_shape from = shape_of(input), to = shape_of(xc_op_result(op->operation));
  int64_t order[XC_MAX_INTS], strides[XC_MAX_RANK], at[XC_MAX_RANK] = {0};
  int64_t count = xc_shape_num_elements(&from), stride = 1;
  xc_attr_ints(op, XC_ATTR_ORDER, order);
  for (size_t i = from.rank; i-- > 0; stride *= from.dims[i])
    strides[i] = stride;
  uint8_t *own = xc_alloc((size_t)count + 1);
  bool ok = fill(s, input, number, own);
  for (int64_t i = 0; ok && i < count; ++i) {
    int64_t index = 0;
    for (size_t d = 0; d < to.rank; ++d)
      index += at[d] * strides[order[d]];
    part[i] = own[index];
    for (size_t d = to.rank; d-- > 0 && ++at[d] == to.dims[d];)
      at[d] = 0;
  }
  free(own);
  return ok;
}

// Whether operators of different kinds compute the inputs.
static bool is_mixed(const xc_adaptor *concat) {
  MlirOperation named, first = find_maker(xc_operand(concat, 0), &named);
  for (size_t k = 1; k < xc_num_inputs(concat); ++k) {
    MlirOperation other = find_maker(xc_operand(concat, k), &named);
    if (mlirOperationIsNull(first) || mlirOperationIsNull(other) ||
        xc_op_info_of(first)->kind != xc_op_info_of(other)->kind)
      return true;
  }
  return false;
}

static bool fill_concat(search *s, const xc_adaptor *op, size_t number,
                        uint8_t *part) {
  xc_shape whole = shape_of(xc_op_result(op->operation));
  int64_t axis = xc_attr_int(op, XC_ATTR_AXIS), inner = 1, begin = 0;
  size_t dim = (size_t)(axis < 0 ? axis + (int64_t)whole.rank : axis);
  for (size_t i = dim + 1; i < whole.rank; ++i)
    inner *= whole.dims[i];
  int64_t row = whole.dims[dim] * inner;
  int64_t rows = row ? xc_shape_num_elements(&whole) / row : 0;
  bool ok = true, mixed = is_mixed(op);
  for (size_t k = 0; ok && k < xc_num_inputs(op); ++k) {
    MlirValue input = xc_operand(op, k);
    int64_t size = shape_of(input).dims[dim] * inner;
    uint8_t *own = xc_alloc((size_t)(rows * size) + 1);
    ok = fill(s, input, mixed ? k : number, own);
    for (int64_t r = 0; ok && r < rows; ++r)
      memcpy(part + r * row + begin, own + r * size, (size_t)size);
    begin += size;
    free(own);
  }
  return ok;
}

// Sets the part of each element. Chains of concats are as deep as a function
// makes them.
static bool fill(search *s, MlirValue value, size_t input, uint8_t *part) {
  enum { DEEPEST = 64 };
  xc_adaptor op;
  if (++s->depth > DEEPEST || !mlirValueIsAOpResult(value) ||
      !xc_adaptor_of(mlirOpResultGetOwner(value), &op))
    return false;
  bool ok;
  if (op.info->kind == XC_TIR_CONCAT)
    ok = fill_concat(s, &op, input, part);
  else if (op.info->kind == XC_TIR_TRANSPOSE)
    ok = fill_transposed(s, &op, input, part);
  else if (op.info->rule == XC_RULE_RESHAPE ||
           op.info->rule == XC_RULE_FLATTEN || op.info->rule == XC_RULE_SQUEEZE)
    ok = fill(s, mlirOperationGetOperand(op.operation, 0), input, part);
  else
    ok = fill_one(s, value, input, part);
  --s->depth;
  return ok;
}

xc_quantize_parts *xc_quantize_find_parts(const xc_quantizer *q,
                                          size_t result) {
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(q->reference, 0));
  MlirValue value =
      mlirOperationGetOperand(mlirBlockGetTerminator(block), (intptr_t)result);
  xc_shape shape = shape_of(value);
  search s = {.parts = xc_alloc(sizeof(*s.parts))};
  *s.parts = (xc_quantize_parts){.count = 0};
  s.parts->of = xc_alloc((size_t)xc_shape_num_elements(&shape) + 1);
  if (fill(&s, value, 0, s.parts->of) && s.parts->count > 1)
    return s.parts;
  xc_quantize_free_parts(s.parts);
  return NULL;
}

void xc_quantize_free_parts(xc_quantize_parts *parts) {
  if (parts)
    free(parts->of);
  free(parts);
}
