//===- AbsorbFix.c - tir-absorb-fix ---------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The field's quantisers export float operators with a tir.fix after each. A
// fix is a quantisation and its inverse with scale 2^-fix_point:
//
//   fix(x)         dequantize-linear(quantize-linear(x))
//   fix(constant)  dequantize-linear(the integers)
//
// and what remains is the folding that QDQ models need too (Qdq/Fold.h). Only
// 8-bit signed fixes are taken, and of values that are computed only those that
// round as the DPU does: a -fix operator has one rounding, at its end.
//
//===----------------------------------------------------------------------===//

#include "IR/Builder.h"
#include "IR/IR.h"
#include "Pass/Pass.h"
#include "Qdq/Fold.h"
#include "Support/Memory.h"
#include "dialects/Adaptor.h"
#include "xc-c/FixedPoint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct op_list {
  bool (*wanted)(xc_op_kind kind);
  MlirOperation *items;
  size_t count, capacity;
} op_list;

static bool is_fix(xc_op_kind kind) { return kind == XC_TIR_FIX; }

static bool is_move(xc_op_kind kind) {
  return kind == XC_TIR_TRANSPOSE || kind == XC_TIR_RESHAPE ||
         kind == XC_TIR_SQUEEZE || kind == XC_TIR_FLATTEN ||
         kind == XC_TIR_STRIDED_SLICE;
}

static MlirWalkResult collect(MlirOperation operation, void *user_data) {
  op_list *list = user_data;
  const xc_op_info *info = xc_op_info_of(operation);
  if (!info || info->dialect != XC_DIALECT_TIR || !list->wanted(info->kind))
    return MlirWalkResultAdvance;
  void *items = list->items;
  xc_grow(&items, &list->capacity, list->count + 1, sizeof(MlirOperation));
  list->items = items;
  list->items[list->count++] = operation;
  return MlirWalkResultAdvance;
}

static bool round_mode_of(const xc_adaptor *adaptor, XcRoundMode *mode) {
  const char *name = xc_enum_name(xc_attr_enum(adaptor, XC_ATTR_ROUND_MODE));
  return xcRoundModeParse(name, strlen(name), mode);
}

// The integers of a float constant, or a null value when it has no content.
static MlirValue quantise_constant(const xc_builder *builder,
                                   const xc_adaptor *fix,
                                   MlirOperation constant, XcRoundMode mode) {
  size_t size;
  float *real = xc_const_bytes(constant, &size);
  if (!real)
    return (MlirValue){NULL};
  size_t count = size / sizeof(float);
  int8_t *integers = xc_alloc(count);
  XcFixType type = {8, true};
  for (size_t i = 0; i < count; ++i)
    integers[i] = (int8_t)xcFloatToFix(
        (double)real[i], (int)xc_attr_int(fix, XC_ATTR_FIX_POINT), type, mode);
  xc_shape shape = xc_operand_shape(fix, 0);
  shape.element = XC_ELEMENT_I8;
  MlirValue value = xc_build_const_bytes(builder, integers, &shape);
  free(integers);
  free(real);
  return value;
}

static bool is_absorbed(const xc_adaptor *fix, XcRoundMode mode,
                        bool is_constant) {
  return xc_attr_int(fix, XC_ATTR_BIT_WIDTH) == 8 &&
         xc_attr_bool(fix, XC_ATTR_IF_SIGNED) &&
         xc_operand_shape(fix, 0).element == XC_ELEMENT_F32 &&
         (is_constant || mode == XcRoundModeDpu);
}

// False after a diagnostic; a fix that is not taken stays.
static bool split_fix(MlirOperation operation) {
  xc_adaptor fix;
  XcRoundMode mode;
  if (!xc_adaptor_of(operation, &fix) || !round_mode_of(&fix, &mode))
    return true;
  MlirValue source = xc_operand(&fix, 0);
  MlirOperation constant = xc_constant_of(source);
  if (!is_absorbed(&fix, mode, !mlirOperationIsNull(constant)))
    return true;
  xc_builder builder = xc_builder_before(operation);
  float scale = ldexpf(1.0F, -(int)xc_attr_int(&fix, XC_ATTR_FIX_POINT));
  const int64_t zero = 0;
  xc_attribute attributes[3] = {xc_floats("scale", &scale, 1),
                                xc_ints("zero_point", &zero, 1)};
  MlirAttribute name = xc_attr_get(&fix, XC_ATTR_OP_NAME);
  size_t count = 2;
  if (!mlirAttributeIsNull(name))
    attributes[count++] = xc_given("op_name", name);
  MlirValue integers = mlirOperationIsNull(constant)
                           ? xc_build(&builder, XC_TIR_QUANTIZE_LINEAR, &source,
                                      1, attributes, count, XC_ELEMENT_I8)
                           : quantise_constant(&builder, &fix, constant, mode);
  if (mlirValueIsNull(integers))
    return !mlirOperationIsNull(constant);
  MlirValue real = xc_build(&builder, XC_TIR_DEQUANTIZE_LINEAR, &integers, 1,
                            attributes, count, XC_ELEMENT_F32);
  if (mlirValueIsNull(real))
    return false;
  mlirValueReplaceAllUsesOfWith(xc_op_result(operation), real);
  mlirOperationDestroy(operation);
  return true;
}

// A value that only moved is still fixed: the pair after it says so, and the
// operator after it can be folded.
static bool fix_again(MlirOperation mover) {
  MlirValue source = mlirOperationGetOperand(mover, 0);
  if (!mlirValueIsAOpResult(source))
    return true;
  MlirOperation dequantize = mlirOpResultGetOwner(source);
  const xc_op_info *info = xc_op_info_of(dequantize);
  xc_adaptor adaptor;
  if (!info || info->kind != XC_TIR_DEQUANTIZE_LINEAR ||
      !xc_adaptor_of(dequantize, &adaptor) ||
      xc_attr_floats(&adaptor, XC_ATTR_SCALE, NULL, 0) != 1)
    return true;
  MlirValue moved = xc_op_result(mover);
  xc_builder builder = xc_builder_before(mover);
  builder.before = mlirOperationGetNextInBlock(mover);
  const xc_attribute attributes[] = {
      xc_given("scale", xc_attr_get(&adaptor, XC_ATTR_SCALE)),
      xc_given("zero_point", xc_attr_get(&adaptor, XC_ATTR_ZERO_POINT))};
  xc_element element = xc_operand_shape(&adaptor, 0).element;
  MlirValue integers = xc_build(&builder, XC_TIR_QUANTIZE_LINEAR, &moved, 1,
                                attributes, 2, element);
  if (mlirValueIsNull(integers))
    return false;
  MlirValue real = xc_build(&builder, XC_TIR_DEQUANTIZE_LINEAR, &integers, 1,
                            attributes, 2, XC_ELEMENT_F32);
  if (mlirValueIsNull(real))
    return false;
  MlirOperation quantize = mlirOpResultGetOwner(integers);
  mlirValueReplaceAllUsesExcept(moved, real, 1, &quantize);
  return true;
}

static bool for_all(MlirOperation root, bool (*wanted)(xc_op_kind kind),
                    bool (*visit)(MlirOperation operation), size_t *count) {
  op_list list = {.wanted = wanted};
  mlirOperationWalk(root, collect, &list, MlirWalkPreOrder);
  bool ok = true;
  for (size_t i = 0; i < list.count && ok; ++i)
    ok = visit(list.items[i]);
  *count = list.count;
  free(list.items);
  return ok;
}

static bool absorb(MlirOperation function) {
  MlirBlock entry =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  size_t fixes, moves;
  if (!for_all(function, is_fix, split_fix, &fixes))
    return false;
  // Models without a fix are not ours to fold.
  return fixes == 0 ||
         (for_all(function, is_move, fix_again, &moves) && xc_fold_qdq(entry));
}

static MlirWalkResult absorb_in(MlirOperation operation, void *ok) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
  if (!xc_ref_is(name, "func.func"))
    return MlirWalkResultAdvance;
  *(bool *)ok = absorb(operation);
  return *(bool *)ok ? MlirWalkResultSkip : MlirWalkResultInterrupt;
}

static bool run(xc_pass_run *run) {
  bool ok = true;
  mlirOperationWalk(run->root, absorb_in, &ok, MlirWalkPreOrder);
  return ok;
}

const xc_pass_info xc_pass_tir_absorb_fix = {
    .argument = "tir-absorb-fix",
    .name = "TirAbsorbFix",
    .summary = "Turn float operators between tir.fix into -fix operators",
    .description =
        "The field's quantisers export float operators, each with a `tir.fix` "
        "after it. An operator whose inputs and result are fixed becomes its "
        "`-fix` form; the fixes at the edge become `float2fix` and "
        "`fix2float`. Fixes of constants take their own rounding mode; "
        "computed "
        "values are taken only with DPU_ROUND, 8 bits, signed. After an error "
        "the function may be partly changed.",
    .anchor = "func.func",
    .run = run,
};
