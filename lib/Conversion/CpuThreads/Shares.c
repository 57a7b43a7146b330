//===- Shares.c - loops in parts for threads ------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shares.h"

#include "IR/IR.h"
#include "dialects/Emit.h"

#include "mlir-c/BuiltinAttributes.h"

bool xc_read_constant(MlirValue value, int64_t *constant) {
  if (!mlirValueIsAOpResult(value))
    return false;
  MlirOperation operation = mlirOpResultGetOwner(value);
  if (!xc_op_is(operation, "arith.constant"))
    return false;
  MlirAttribute attribute = xc_op_attribute(operation, "value");
  if (!mlirAttributeIsAInteger(attribute))
    return false;
  *constant = mlirIntegerAttrGetValueInt(attribute);
  return true;
}

bool xc_is_apart(MlirBlock body, MlirValue argument) {
  MlirAttribute all = mlirOperationGetInherentAttributeByName(
      mlirBlockGetParentOperation(body), xc_ref("arg_attrs"));
  if (mlirAttributeIsNull(all))
    return false;
  intptr_t number = mlirBlockArgumentGetArgNumber(argument);
  return !mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(
      mlirArrayAttrGetElement(all, number), xc_ref("llvm.noalias")));
}

xc_share xc_share_of(xc_ir *ir, MlirValue number, int64_t trips,
                     int64_t shares) {
  MlirValue next = xc_ir_addi(ir, number, 1);
  if (trips == shares)
    return (xc_share){number, next};
  MlirValue count = xc_ir_index(ir, shares);
  return (xc_share){xc_ir_divu(ir, xc_ir_muli(ir, number, trips), count),
                    xc_ir_divu(ir, xc_ir_muli(ir, next, trips), count)};
}

void xc_move_before(MlirBlock block, MlirOperation operation) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirBlockGetFirstOperation(block))
    mlirOperationMoveBefore(op, operation);
  mlirBlockDestroy(block);
}

void xc_end_with_body(xc_ir *ir, xc_ir_loop *loop, MlirBlock body) {
  MlirOperation end = mlirBlockGetTerminator(body);
  for (MlirOperation op = mlirBlockGetFirstOperation(body), next;
       !mlirOperationEqual(op, end); op = next) {
    next = mlirOperationGetNextInBlock(op);
    mlirOperationRemoveFromParent(op);
    mlirBlockAppendOwnedOperation(ir->block, op);
  }
  mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(body, 0), loop->index);
  xc_ir_end_for(ir, loop, NULL);
}
