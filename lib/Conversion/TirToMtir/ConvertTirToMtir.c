//===- ConvertTirToMtir.c - convert-tir-to-mtir ---------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives every tensor a buffer:
//
//   tir.upload     memref.alloc, memtx.copy into it
//   tir.download   memtx.copy
//   tir.<op>       memref.alloc, mtir.<op> with the buffer as last operand
//
// Buffers are made for all results first and operations second, so that a
// block may use values of a block that is listed after it.
//
//===----------------------------------------------------------------------===//

#include "Bufferize/Tensors.h"
#include "IR/Function.h"
#include "IR/IR.h"
#include "Pass/Pass.h"
#include "Support/Memory.h"
#include "Support/PointerMap.h"
#include "Support/Text.h"
#include "dialects/Build.h"
#include "dialects/Emit.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static bool is_scalar_const(MlirOperation operation, const xc_op_info *info) {
  return info->dialect == XC_DIALECT_TIR && info->kind == XC_TIR_CONST &&
         mlirShapedTypeGetRank(
             mlirValueGetType(mlirOperationGetResult(operation, 0))) == 0;
}

static bool check_operation(MlirOperation operation) {
  const xc_op_info *info = xc_op_info_of(operation);
  if (info) {
    if (!xc_check_tensors(operation))
      return false;
    if (info->dialect == XC_DIALECT_TIR && info->kind == XC_TIR_CONST &&
        !is_scalar_const(operation, info))
      return xc_op_error(operation, "is not a buffer yet: run global-bufferize "
                                    "first");
    return true;
  }
  if (!xc_op_has_tensors(operation))
    return true;
  if (xc_op_is(operation, "func.return") || xc_op_is(operation, "func.call"))
    return xc_op_error(operation, "has tensors: run global-bufferize first");
  if (mlirOperationGetNumSuccessors(operation) != 0)
    return xc_op_error(operation, "cannot be converted: a branch carries "
                                  "tensors");
  return xc_op_error(operation,
                     "cannot be converted: it has tensors but is not "
                     "a tir operator");
}

static MlirWalkResult check_walk(MlirOperation operation, void *ok) {
  if (xc_op_is(operation, "func.func"))
    return MlirWalkResultAdvance;
  *(bool *)ok = check_operation(operation);
  return *(bool *)ok ? MlirWalkResultAdvance : MlirWalkResultInterrupt;
}

static bool check_function(void *user_data, MlirOperation func) {
  (void)user_data;
  MlirType type = xc_function_type(func);
  intptr_t inputs = mlirFunctionTypeGetNumInputs(type);
  for (intptr_t i = 0; i < inputs; ++i)
    if (mlirTypeIsATensor(mlirFunctionTypeGetInput(type, i)))
      return xc_op_error(func, "has tensor arguments: run global-bufferize "
                               "first");
  bool ok = true;
  mlirOperationWalk(func, check_walk, &ok, MlirWalkPreOrder);
  return ok;
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

typedef struct conversion {
  xc_pointer_map buffers; // tensor value -> memref value
  xc_op_list work;        // to convert, in order
} conversion;

// The buffer of an operator with an `id` is named after it.
static MlirAttribute buffer_name(MlirOperation operation,
                                 const xc_op_info *info) {
  MlirAttribute id = xc_op_attribute(operation, "id");
  if (mlirAttributeIsNull(id) || !mlirAttributeIsAInteger(id))
    return mlirAttributeGetNull();
  xc_text text = {0};
  xc_text_printf(&text, "%s.%" PRId64 ".out", info->mnemonic,
                 mlirIntegerAttrGetValueInt(id));
  MlirAttribute name = mlirStringAttrGet(mlirOperationGetContext(operation),
                                         xc_ref(xc_text_str(&text)));
  xc_text_free(&text);
  return name;
}

static MlirValue build_buffer(MlirOperation operation, const xc_op_info *info) {
  xc_builder builder = xc_builder_before(operation);
  MlirAttribute name = info->kind == XC_TIR_UPLOAD
                           ? mlirAttributeGetNull()
                           : buffer_name(operation, info);
  MlirType type =
      xc_memref_of_tensor(mlirValueGetType(xc_op_result(operation)));
  if (mlirAttributeIsNull(name))
    return xc_build_alloc(&builder, type, NULL);
  MlirNamedAttribute named = xc_named(builder.context, "name", name);
  return xc_build_alloc(&builder, type, &named);
}

static MlirWalkResult collect(MlirOperation operation, void *user_data) {
  conversion *c = user_data;
  const xc_op_info *info = xc_op_info_of(operation);
  if (!info || info->dialect != XC_DIALECT_TIR ||
      is_scalar_const(operation, info))
    return MlirWalkResultAdvance;
  xc_op_list_add(&c->work, operation);
  return MlirWalkResultAdvance;
}

static void make_buffers(conversion *c) {
  for (size_t i = 0; i < c->work.count; ++i) {
    const xc_op_info *info = xc_op_info_of(c->work.items[i]);
    if (!info->has_result)
      continue;
    MlirValue buffer = build_buffer(c->work.items[i], info);
    MlirValue result = mlirOperationGetResult(c->work.items[i], 0);
    xc_pointer_map_set(&c->buffers, result.ptr, (void *)buffer.ptr);
  }
}

// Returns the buffer of a tensor; a rank-0 constant stands for itself.
static MlirValue buffer_of(const conversion *c, MlirValue tensor) {
  void *buffer = xc_pointer_map_get(&c->buffers, tensor.ptr);
  return buffer ? (MlirValue){buffer} : tensor;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

// A copy needs a buffer even of a rank-0 constant.
static MlirValue copy_source(const conversion *c, const xc_builder *builder,
                             MlirValue tensor) {
  MlirValue value = buffer_of(c, tensor);
  if (!mlirTypeIsATensor(mlirValueGetType(value)))
    return value;
  MlirOperation constant = mlirOpResultGetOwner(value);
  const xc_builder at =
      xc_builder_at(builder, mlirOperationGetLocation(constant));
  size_t count;
  MlirNamedAttribute *attributes = xc_op_attributes(constant, &count);
  MlirValue buffer = xc_build_value(
      &at, "memtx.const", xc_memref_of_tensor(mlirValueGetType(value)), NULL, 0,
      attributes, count);
  free(attributes);
  return buffer;
}

static void build_copy(const xc_builder *builder, MlirValue source,
                       MlirValue target) {
  const MlirValue operands[] = {source, target};
  xc_build_operation(builder, "memtx.copy",
                     &(xc_parts){.operands = operands, .num_operands = 2});
}

// Returns the attributes of the twin: the same, one segment more.
static MlirNamedAttribute *twin_attributes(MlirOperation operation,
                                           size_t *count) {
  MlirContext context = mlirOperationGetContext(operation);
  MlirNamedAttribute *attributes = xc_op_attributes(operation, count);
  for (size_t i = 0; i < *count; ++i) {
    if (!xc_ref_is(mlirIdentifierStr(attributes[i].name),
                   "operandSegmentSizes"))
      continue;
    int32_t sizes[XC_MAX_OPERANDS];
    intptr_t slots = mlirDenseArrayGetNumElements(attributes[i].attribute);
    for (intptr_t slot = 0; slot < slots; ++slot)
      sizes[slot] = mlirDenseI32ArrayGetElement(attributes[i].attribute, slot);
    sizes[slots] = 1;
    attributes[i].attribute = mlirDenseI32ArrayGet(context, slots + 1, sizes);
  }
  return attributes;
}

static void build_twin(const conversion *c, const xc_builder *builder,
                       MlirOperation operation, const xc_op_info *info) {
  MlirValue operands[XC_MAX_OPERANDS];
  intptr_t inputs = mlirOperationGetNumOperands(operation);
  for (intptr_t i = 0; i < inputs; ++i)
    operands[i] = buffer_of(c, mlirOperationGetOperand(operation, i));
  operands[inputs] = buffer_of(c, mlirOperationGetResult(operation, 0));
  size_t count;
  MlirNamedAttribute *attributes = twin_attributes(operation, &count);
  xc_text name = {0};
  xc_text_printf(&name, "mtir.%s", info->mnemonic);
  xc_build_operation(builder, xc_text_str(&name),
                     &(xc_parts){.operands = operands,
                                 .num_operands = (size_t)inputs + 1,
                                 .attributes = attributes,
                                 .num_attributes = count});
  xc_text_free(&name);
  free(attributes);
}

static void convert_operation(const conversion *c, MlirOperation operation) {
  const xc_op_info *info = xc_op_info_of(operation);
  xc_builder builder = xc_builder_before(operation);
  if (info->kind == XC_TIR_UPLOAD)
    build_copy(&builder, mlirOperationGetOperand(operation, 0),
               buffer_of(c, mlirOperationGetResult(operation, 0)));
  else if (info->kind == XC_TIR_DOWNLOAD)
    build_copy(&builder,
               copy_source(c, &builder, mlirOperationGetOperand(operation, 0)),
               mlirOperationGetOperand(operation, 1));
  else
    build_twin(c, &builder, operation, info);
}

static bool convert_function(void *user_data, MlirOperation func) {
  (void)user_data;
  conversion c = {0};
  mlirOperationWalk(func, collect, &c, MlirWalkPreOrder);
  make_buffers(&c);
  for (size_t i = 0; i < c.work.count; ++i)
    convert_operation(&c, c.work.items[i]);
  // A user may be listed before its producer: cut all uses, then destroy.
  for (size_t i = 0; i < c.work.count; ++i)
    mlirOperationSetOperands(c.work.items[i], 0, NULL);
  for (size_t i = 0; i < c.work.count; ++i)
    mlirOperationDestroy(c.work.items[i]);
  xc_pointer_map_free(&c.buffers);
  free(c.work.items);
  return true;
}

static bool run(xc_pass_run *run) {
  return xc_for_each_function(run->root, check_function, NULL) &&
         xc_for_each_function(run->root, convert_function, NULL);
}

const xc_pass_info xc_pass_convert_tir_to_mtir = {
    .argument = "convert-tir-to-mtir",
    .name = "ConvertTirToMtir",
    .summary = "Convert tir operators on tensors to mtir operators on buffers",
    .description =
        "`tir.upload` becomes an allocation and a `memtx.copy`, `tir.download` "
        "a `memtx.copy`, every other operator an allocation and its `mtir` "
        "twin. A rank-0 `tir.const` stays and is read in place. An operator "
        "with an `id` names its buffer `<op>.<id>.out`. Redundant copies "
        "are removed by `mtir-eliminate-copies`. Expects "
        "`global-bufferize` to have run; on an error the function is not "
        "changed.",
    .anchor = "func.func",
    .run = run,
};
