//===- Buffers.c - who reads and writes a buffer --------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"

#include "IR/IR.h"
#include "dialects/Adaptor.h"

#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

bool xc_is_view(MlirOperation operation) {
  static const char *const names[] = {
      "memref.view",           "memref.subview",      "memref.cast",
      "memref.collapse_shape", "memref.expand_shape", "memref.reinterpret_cast",
  };
  for (size_t i = 0; i < sizeof(names) / sizeof(*names); ++i)
    if (xc_op_is(operation, names[i]))
      return true;
  // The same bytes as another element type: ui8 as i8.
  return xc_op_is(operation, "builtin.unrealized_conversion_cast") &&
         mlirOperationGetNumOperands(operation) == 1 &&
         mlirOperationGetNumResults(operation) == 1 &&
         mlirTypeIsAMemRef(mlirValueGetType(xc_op_result(operation)));
}

static unsigned our_access(const xc_op_info *info, MlirOperation operation,
                           unsigned operand) {
  // Only inputs of mtir operators are optional, and all of them are read, so
  // that counting from both ends finds a slot with the right effects.
  bool is_last =
      (intptr_t)operand + 1 == mlirOperationGetNumOperands(operation);
  size_t slot = is_last ? info->num_operands - 1 : operand;
  if (slot >= info->num_operands)
    return XC_ACCESS_ESCAPE;
  unsigned effects = info->operands[slot].effects;
  return ((effects & XC_EFFECT_READ) ? XC_ACCESS_READ : 0) |
         ((effects & XC_EFFECT_WRITE) ? XC_ACCESS_WRITE : 0);
}

unsigned xc_buffer_access(MlirOpOperand use) {
  MlirOperation user = mlirOpOperandGetOwner(use);
  unsigned operand = mlirOpOperandGetOperandNumber(use);
  const xc_op_info *info = xc_op_info_of(user);
  if (info)
    return our_access(info, user, operand);
  if (xc_is_view(user))
    return XC_ACCESS_VIEW;
  if (xc_op_is(user, "memref.dealloc"))
    return XC_ACCESS_FREE;
  if (xc_op_is(user, "memref.load") || xc_op_is(user, "memref.dim"))
    return XC_ACCESS_READ;
  if (xc_op_is(user, "memref.store"))
    return operand == 1 ? XC_ACCESS_WRITE : XC_ACCESS_ESCAPE;
  if (xc_op_is(user, "memref.copy"))
    return operand == 0 ? XC_ACCESS_READ : XC_ACCESS_WRITE;
  if (xc_op_is(user, "func.call"))
    return XC_ACCESS_READ | XC_ACCESS_WRITE;
  return XC_ACCESS_ESCAPE;
}

void xc_for_each_access(MlirValue buffer,
                        void (*visit)(void *user_data, MlirOperation user,
                                      unsigned access),
                        void *user_data) {
  xc_op_list views = {0}; // whose uses have not been looked at
  for (;;) {
    for (MlirOpOperand use = mlirValueGetFirstUse(buffer);
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      unsigned access = xc_buffer_access(use);
      MlirOperation user = mlirOpOperandGetOwner(use);
      visit(user_data, user, access);
      if (access & XC_ACCESS_VIEW)
        xc_op_list_add(&views, user);
    }
    if (views.count == 0)
      break;
    buffer = xc_op_result(views.items[--views.count]);
  }
  free(views.items);
}

MlirValue xc_buffer_root(MlirValue buffer) {
  while (mlirValueIsAOpResult(buffer) &&
         xc_is_view(mlirOpResultGetOwner(buffer)))
    buffer = mlirOperationGetOperand(mlirOpResultGetOwner(buffer), 0);
  return buffer;
}

size_t xc_position_in_block(const xc_pointer_map *positions,
                            MlirOperation operation) {
  void *at = xc_pointer_map_get(positions, operation.ptr);
  while (!at) {
    operation = mlirOperationGetParentOperation(operation);
    at = xc_pointer_map_get(positions, operation.ptr);
  }
  return (size_t)(uintptr_t)at;
}
