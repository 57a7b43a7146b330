//===- Matchers.c - what patterns ask about operators ---------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include "IR/IR.h"
#include "OpParams/Fix.h"

#include <stdlib.h>
#include <string.h>

const XcDpuTarget *xc_rewrite_target(const xc_rewriter *rewriter) {
  return rewriter->target;
}

//===----------------------------------------------------------------------===//
// Operators and values
//===----------------------------------------------------------------------===//

bool xc_defining_adaptor(MlirValue value, xc_adaptor *adaptor) {
  return !mlirValueIsNull(value) && mlirValueIsAOpResult(value) &&
         xc_adaptor_of_tir(mlirOpResultGetOwner(value), adaptor);
}

bool xc_defined_by(MlirValue value, xc_op_kind kind, xc_adaptor *adaptor) {
  return xc_defining_adaptor(value, adaptor) && adaptor->info->kind == kind;
}

MlirValue xc_result_of(const xc_adaptor *adaptor) {
  return xc_op_result(adaptor->operation);
}

bool xc_is_one_of(xc_op_kind kind, const xc_op_kind *kinds, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (kinds[i] == kind)
      return true;
  return false;
}

bool xc_used_once(const xc_adaptor *adaptor) {
  return xc_value_has_one_use(xc_result_of(adaptor));
}

bool xc_used_by_one(const xc_adaptor *adaptor) {
  MlirOpOperand use = mlirValueGetFirstUse(xc_result_of(adaptor));
  if (mlirOpOperandIsNull(use))
    return false;
  MlirOperation owner = mlirOpOperandGetOwner(use);
  while (!mlirOpOperandIsNull(use = mlirOpOperandGetNextUse(use)))
    if (!mlirOperationEqual(mlirOpOperandGetOwner(use), owner))
      return false;
  return true;
}

bool xc_single_user(const xc_adaptor *adaptor, xc_adaptor *user) {
  return xc_used_once(adaptor) &&
         xc_adaptor_of_tir(
             mlirOpOperandGetOwner(mlirValueGetFirstUse(xc_result_of(adaptor))),
             user);
}

bool xc_same_value(MlirValue a, MlirValue b) { return mlirValueEqual(a, b); }

bool xc_same_type(MlirValue a, MlirValue b) {
  return mlirTypeEqual(mlirValueGetType(a), mlirValueGetType(b));
}

MlirValue xc_operand_or_null(const xc_adaptor *adaptor, size_t slot) {
  return xc_has_operand(adaptor, slot) ? xc_operand(adaptor, slot)
                                       : (MlirValue){NULL};
}

bool xc_keeps_numbers(const xc_adaptor *adaptor) {
  bool has_points = xc_has_attr(adaptor, XC_ATTR_INPUT_FIX_POINT) &&
                    xc_has_attr(adaptor, XC_ATTR_OUTPUT_FIX_POINT);
  xc_element element = xc_value_shape(xc_result_of(adaptor)).element;
  for (size_t slot = 0; slot < adaptor->info->num_operands; ++slot) {
    if (!xc_has_operand(adaptor, slot))
      continue;
    if (xc_operand_shape(adaptor, slot).element != element)
      return false;
    if (has_points && xc_input_fix_point(adaptor, slot) !=
                          xc_fix_point(adaptor, XC_ATTR_OUTPUT_FIX_POINT))
      return false;
  }
  return true;
}

bool xc_is_same_fix(const xc_adaptor *a, const xc_adaptor *b) {
  return xc_attr_int(a, XC_ATTR_BIT_WIDTH) ==
             xc_attr_int(b, XC_ATTR_BIT_WIDTH) &&
         xc_attr_int(a, XC_ATTR_FIX_POINT) ==
             xc_attr_int(b, XC_ATTR_FIX_POINT) &&
         xc_attr_bool(a, XC_ATTR_IF_SIGNED) ==
             xc_attr_bool(b, XC_ATTR_IF_SIGNED);
}

static bool moves_integers(const xc_op_info *info) {
  static const xc_op_kind kinds[] = {XC_TIR_EXPAND, XC_TIR_GATHER,
                                     XC_TIR_CONCAT, XC_TIR_PAD, XC_TIR_RESIZE};
  return info->only_moves || XC_IS_ONE_OF(info->kind, kinds);
}

bool xc_is_scaled(MlirValue value) {
  enum { LONGEST = 32 };
  xc_adaptor producer;
  for (int i = 0; i < LONGEST && xc_defining_adaptor(value, &producer); ++i) {
    if (producer.info->kind == XC_TIR_QUANTIZE_LINEAR ||
        xc_has_attr(&producer, XC_ATTR_OUTPUT_SCALE))
      return true;
    if (!moves_integers(producer.info))
      return false;
    value = xc_operand(&producer, 0);
  }
  return false;
}

bool xc_has_fix_groups(const xc_adaptor *conv) {
  static const xc_attr lists[] = {XC_ATTR_WEIGHT_FIX_POINTS,
                                  XC_ATTR_BIAS_FIX_POINTS};
  int64_t points[XC_MAX_INTS];
  for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); ++i)
    if (xc_has_attr(conv, lists[i]) && xc_attr_ints(conv, lists[i], points) > 0)
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

void *xc_rewrite_alloc(xc_rewriter *rewriter, size_t count, size_t size) {
  return xc_arena_alloc(&rewriter->arena, count, size);
}

bool xc_is_constant(MlirValue value) {
  xc_adaptor adaptor;
  return xc_defined_by(value, XC_TIR_CONST, &adaptor);
}

const void *xc_constant_bytes(xc_rewriter *rewriter, MlirValue value) {
  xc_adaptor adaptor;
  size_t size;
  if (rewriter->failed || !xc_defined_by(value, XC_TIR_CONST, &adaptor))
    return NULL;
  void *copy;
  const void *bytes = xc_const_contents(adaptor.operation, &size, &copy);
  if (!bytes) {
    // Without content there is nothing to see; a file that cannot be read has
    // been reported.
    rewriter->failed =
        !mlirAttributeIsNull(xc_attr_get(&adaptor, XC_ATTR_PATH));
    return NULL;
  }
  if (!copy)
    return bytes;
  if (rewriter->num_scratch == rewriter->scratch_capacity)
    xc_grow((void **)&rewriter->scratch, &rewriter->scratch_capacity,
            rewriter->num_scratch + 1, sizeof(void *));
  rewriter->scratch[rewriter->num_scratch++] = copy;
  return bytes;
}

// The value of element `i`; false for element types that are not read here.
static bool number_at(xc_element element, const void *bytes, size_t i,
                      double *number) {
#define XC_READ(kind, type)                                                    \
  case XC_ELEMENT_##kind:                                                      \
    *number = (double)((const type *)bytes)[i];                                \
    return true;
  switch (element) {
    XC_READ(F32, float)
    XC_READ(F64, double)
    XC_READ(I8, int8_t)
    XC_READ(I16, int16_t)
    XC_READ(I32, int32_t)
    XC_READ(I64, int64_t)
    XC_READ(UI8, uint8_t)
    XC_READ(UI16, uint16_t)
    XC_READ(UI32, uint32_t)
    XC_READ(UI64, uint64_t)
  case XC_ELEMENT_F16:
  case XC_ELEMENT_BF16:
  case XC_ELEMENT_I1:
  case XC_ELEMENT_NONE:
    break;
  }
#undef XC_READ
  return false;
}

const double *xc_constant_numbers(xc_rewriter *rewriter, MlirValue value,
                                  size_t *count) {
  xc_shape shape = xc_value_shape(value);
  const void *bytes = xc_constant_bytes(rewriter, value);
  double probe;
  if (!bytes)
    return NULL;
  *count = (size_t)xc_shape_num_elements(&shape);
  if (*count > 0 && !number_at(shape.element, bytes, 0, &probe))
    return NULL;
  double *numbers =
      xc_arena_alloc(&rewriter->arena, *count + 1, sizeof(double));
  for (size_t i = 0; i < *count; ++i)
    number_at(shape.element, bytes, i, &numbers[i]);
  return numbers;
}

bool xc_constant_splat(xc_rewriter *rewriter, MlirValue value, double *number) {
  xc_shape shape = xc_value_shape(value);
  const void *bytes = xc_constant_bytes(rewriter, value);
  if (!bytes || xc_shape_num_elements(&shape) == 0 ||
      !number_at(shape.element, bytes, 0, number))
    return false;
  // Equal bytes are enough: a constant that mixes 0 and -0 is no splat.
  size_t each = xc_element_size(shape.element);
  size_t size = (size_t)xc_shape_num_elements(&shape) * each;
  return memcmp(bytes, (const char *)bytes + each, size - each) == 0;
}

const double *xc_constant_per_channel(xc_rewriter *rewriter, MlirValue value,
                                      size_t rank, int64_t channels) {
  xc_shape shape = xc_value_shape(value);
  size_t count;
  if (!xc_is_constant(value) || shape.rank > rank)
    return NULL;
  for (size_t i = 0; i + 1 < shape.rank; ++i)
    if (shape.dims[i] != 1)
      return NULL;
  int64_t last = shape.rank ? shape.dims[shape.rank - 1] : 1;
  if (last != 1 && last != channels)
    return NULL;
  const double *numbers = xc_constant_numbers(rewriter, value, &count);
  if (!numbers || last == channels)
    return numbers;
  double *all = xc_rewrite_alloc(rewriter, (size_t)channels, sizeof(double));
  for (int64_t i = 0; i < channels; ++i)
    all[i] = numbers[0];
  return all;
}
