//===- Widen.c - tir-widen ------------------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Models in half precision were trained in single precision. What becomes of
// them is int8, so the passes on the way need one kind of numbers only:
// arguments and constants are converted once, every operator computes in f32,
// and results are converted back.
//
//===----------------------------------------------------------------------===//

#include "IR/Builder.h"
#include "IR/IR.h"
#include "Interpreter/Kernel.h"
#include "Pass/Pass.h"
#include "Support/Memory.h"
#include "dialects/Adaptor.h"
#include "dialects/Build.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

static bool is_half(MlirValue value) {
  xc_shape shape;
  return xc_shape_of_type(mlirValueGetType(value), &shape) && !shape.memref &&
         (shape.element == XC_ELEMENT_F16 || shape.element == XC_ELEMENT_BF16);
}

// All uses read the value in f32 instead. Returns false after a diagnostic.
static bool convert_uses(const xc_builder *builder, MlirValue value) {
  MlirValue wide =
      xc_build(builder, XC_TIR_CAST, &value, 1, NULL, 0, XC_ELEMENT_F32);
  if (mlirValueIsNull(wide))
    return false;
  mlirValueReplaceAllUsesOfWith(value, wide);
  mlirOperationSetOperand(mlirOpResultGetOwner(wide), 0, value);
  return true;
}

static bool widen_constant(MlirOperation constant) {
  xc_shape shape;
  xc_shape_of_type(mlirValueGetType(xc_op_result(constant)), &shape);
  size_t size, count = (size_t)xc_shape_num_elements(&shape);
  void *bytes = xc_const_bytes(constant, &size);
  xc_builder builder = xc_builder_before(mlirOperationGetNextInBlock(constant));
  if (!bytes) // without content
    return convert_uses(&builder, xc_op_result(constant));
  const xc_tensor tensor = {.shape = shape, .data = bytes};
  float *numbers = xc_alloc((count + 1) * sizeof(*numbers));
  for (size_t i = 0; i < count; ++i)
    numbers[i] = (float)xc_get_any_real(&tensor, (int64_t)i);
  shape.element = XC_ELEMENT_F32;
  MlirValue wide = xc_build_const_bytes(&builder, numbers, &shape);
  free(numbers);
  free(bytes);
  if (mlirValueIsNull(wide))
    return false;
  MlirAttribute name = xc_op_attribute(constant, "op_name");
  if (!mlirAttributeIsNull(name))
    mlirOperationSetAttributeByName(mlirOpResultGetOwner(wide),
                                    xc_ref("op_name"), name);
  mlirValueReplaceAllUsesOfWith(xc_op_result(constant), wide);
  mlirOperationDestroy(constant);
  return true;
}

// The operand is what the type says again.
static bool convert_operand(MlirOperation operation, intptr_t index,
                            MlirType type) {
  MlirValue operand = mlirOperationGetOperand(operation, index);
  if (mlirTypeEqual(mlirValueGetType(operand), type))
    return true;
  xc_builder builder = xc_builder_before(operation);
  xc_shape shape;
  xc_shape_of_type(type, &shape);
  operand =
      xc_build(&builder, XC_TIR_CAST, &operand, 1, NULL, 0, shape.element);
  if (mlirValueIsNull(operand))
    return false;
  mlirOperationSetOperand(operation, index, operand);
  return true;
}

static void widen_result(MlirOperation operation) {
  MlirValue result = xc_op_result(operation);
  xc_shape shape;
  xc_shape_of_type(mlirValueGetType(result), &shape);
  shape.element = XC_ELEMENT_F32;
  mlirValueSetType(
      result, xc_type_of_shape(mlirOperationGetContext(operation), &shape));
}

static bool is_return(MlirOperation operation) {
  return xc_op_is(operation, "func.return");
}

// Whether every operator takes f32 as well: what the host computes has the
// types of the model.
static bool can_widen(MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    const xc_op_info *info = xc_op_info_of(op);
    if (!is_return(op) && (!info || info->dialect != XC_DIALECT_TIR ||
                           info->kind == XC_TIR_CUSTOM))
      return false;
  }
  return true;
}

static bool widen_operation(MlirOperation op) {
  const xc_op_info *info = xc_op_info_of(op);
  if (!info->has_result || !is_half(xc_op_result(op)))
    return true;
  if (info->kind == XC_TIR_CONST)
    return widen_constant(op);
  widen_result(op);
  return true;
}

static bool widen(MlirOperation function, MlirBlock block) {
  MlirOperation first = mlirBlockGetFirstOperation(block);
  MlirOperation last = mlirBlockGetTerminator(block);
  MlirType type = mlirTypeAttrGetValue(
      mlirOperationGetAttributeByName(function, xc_ref("function_type")));
  xc_builder builder = xc_builder_before(first);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i) {
    MlirValue argument = mlirBlockGetArgument(block, i);
    if (is_half(argument) && !convert_uses(&builder, argument))
      return false;
  }
  for (MlirOperation op = first, next; !mlirOperationEqual(op, last);
       op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (!widen_operation(op))
      return false;
  }
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(last); ++i)
    if (!convert_operand(last, i, mlirFunctionTypeGetResult(type, i)))
      return false;
  return true;
}

static MlirWalkResult widen_in(MlirOperation operation, void *ok) {
  if (!xc_op_is(operation, "func.func"))
    return MlirWalkResultAdvance;
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(operation, 0));
  if (mlirBlockIsNull(block) || !can_widen(block))
    return MlirWalkResultSkip;
  *(bool *)ok = widen(operation, block);
  return *(bool *)ok ? MlirWalkResultSkip : MlirWalkResultInterrupt;
}

static bool run(xc_pass_run *run) {
  bool ok = true;
  mlirOperationWalk(run->root, widen_in, &ok, MlirWalkPreOrder);
  return ok;
}

const xc_pass_info xc_pass_tir_widen = {
    .argument = "tir-widen",
    .name = "TirWiden",
    .summary = "Compute in f32 what a model computes in half precision",
    .description =
        "Tensors of f16 and bf16 become f32; arguments and results keep their "
        "types, with a `tir.cast` at each. Functions with operators of the "
        "host, or of other dialects, stay as they are.",
    .anchor = "func.func",
    .run = run,
};
