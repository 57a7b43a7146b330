//===- NumInputs.c - which arguments of a function are inputs -------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NumInputs.h"

#include "IR/Function.h"
#include "IR/IR.h"
#include "Support/PointerMap.h"
#include "dialects/Adaptor.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

MlirValue xc_whole_buffer(MlirValue buffer) {
  while (mlirValueIsAOpResult(buffer)) {
    MlirOperation owner = mlirOpResultGetOwner(buffer);
    if (!xc_op_is(owner, "memref.subview") &&
        !xc_op_is(owner, "memref.reinterpret_cast") &&
        !xc_op_is(owner, "memref.collapse_shape") &&
        !xc_op_is(owner, "memref.expand_shape") &&
        !xc_op_is(owner, "memref.cast"))
      break;
    buffer = mlirOperationGetOperand(owner, 0);
  }
  return buffer;
}

MlirValue xc_output_root(MlirOperation operation) {
  intptr_t last = mlirOperationGetNumOperands(operation) - 1;
  return xc_whole_buffer(mlirOperationGetOperand(operation, last));
}

static MlirWalkResult note_output(MlirOperation operation, void *user_data) {
  xc_pointer_map *written = user_data;
  const xc_op_info *info = xc_op_info_of(operation);
  if (info && (info->dialect == XC_DIALECT_MTIR || info->kind == XC_MEMTX_COPY))
    xc_pointer_map_set(written, xc_output_root(operation).ptr, written);
  return MlirWalkResultAdvance;
}

// How many of the last arguments operators do not write.
static intptr_t count_unwritten(MlirOperation function, intptr_t count) {
  MlirRegion region = xc_function_body(function);
  if (mlirRegionIsNull(region))
    return count;
  MlirBlock block = mlirRegionGetFirstBlock(region);
  xc_pointer_map written = {0};
  mlirOperationWalk(function, note_output, &written, MlirWalkPreOrder);
  while (count > 0 && xc_pointer_map_has(
                          &written, mlirBlockGetArgument(block, count - 1).ptr))
    --count;
  xc_pointer_map_free(&written);
  return count;
}

intptr_t xc_function_num_inputs(MlirOperation function) {
  MlirType type = xc_function_type(function);
  intptr_t count = mlirFunctionTypeGetNumInputs(type);
  if (mlirFunctionTypeGetNumResults(type) != 0)
    return count;
  MlirAttribute given = xc_op_attribute(function, "input_num");
  if (mlirAttributeIsNull(given) || !mlirAttributeIsAInteger(given))
    return count_unwritten(function, count);
  int64_t number = mlirIntegerAttrGetValueInt(given);
  return number >= 0 && number < count ? (intptr_t)number : count;
}
