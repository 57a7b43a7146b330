//===- Builder.c - building operations ------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builder.h"

#include "IR.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

xc_builder xc_builder_at_end(MlirBlock block) {
  MlirOperation parent = mlirBlockGetParentOperation(block);
  return xc_builder_in(block, mlirOperationGetLocation(parent));
}

xc_builder xc_builder_in(MlirBlock block, MlirLocation location) {
  return (xc_builder){.context = mlirLocationGetContext(location),
                      .location = location,
                      .block = block};
}

xc_builder xc_builder_before(MlirOperation operation) {
  return (xc_builder){.context = mlirOperationGetContext(operation),
                      .location = mlirOperationGetLocation(operation),
                      .block = mlirOperationGetBlock(operation),
                      .before = operation};
}

xc_builder xc_builder_at(const xc_builder *builder, MlirLocation location) {
  xc_builder other = *builder;
  other.location = location;
  return other;
}

void xc_builder_insert(const xc_builder *builder, MlirOperation operation) {
  if (mlirOperationIsNull(builder->before))
    mlirBlockAppendOwnedOperation(builder->block, operation);
  else
    mlirBlockInsertOwnedOperationBefore(builder->block, builder->before,
                                        operation);
}

MlirOperation xc_build_operation(const xc_builder *builder, const char *name,
                                 const xc_parts *parts) {
  MlirOperationState state =
      mlirOperationStateGet(xc_ref(name), builder->location);
  mlirOperationStateAddOperands(&state, (intptr_t)parts->num_operands,
                                parts->operands);
  mlirOperationStateAddResults(&state, (intptr_t)parts->num_results,
                               parts->results);
  mlirOperationStateAddAttributes(&state, (intptr_t)parts->num_attributes,
                                  parts->attributes);
  MlirOperation operation = mlirOperationCreate(&state);
  xc_builder_insert(builder, operation);
  return operation;
}

MlirValue xc_build_value(const xc_builder *builder, const char *name,
                         MlirType type, const MlirValue *operands,
                         size_t num_operands,
                         const MlirNamedAttribute *attributes,
                         size_t num_attributes) {
  return xc_op_result(
      xc_build_operation(builder, name,
                         &(xc_parts){operands, num_operands, &type, 1,
                                     attributes, num_attributes}));
}

MlirValue xc_build_alloc(const xc_builder *builder, MlirType memref,
                         const MlirNamedAttribute *attribute) {
  // No dynamic sizes, no symbols.
  const int32_t segments[] = {0, 0};
  MlirNamedAttribute attributes[2] = {
      xc_named(builder->context, "operandSegmentSizes",
               mlirDenseI32ArrayGet(builder->context, 2, segments))};
  if (attribute)
    attributes[1] = *attribute;
  return xc_build_value(builder, "memref.alloc", memref, NULL, 0, attributes,
                        attribute ? 2 : 1);
}

MlirValue xc_build_cast(const xc_builder *builder, MlirValue value,
                        MlirType type) {
  if (mlirTypeEqual(mlirValueGetType(value), type))
    return value;
  return xc_build_value(builder, "builtin.unrealized_conversion_cast", type,
                        &value, 1, NULL, 0);
}

MlirValue xc_build_index(const xc_builder *builder, int64_t value) {
  MlirType index = mlirIndexTypeGet(builder->context);
  MlirNamedAttribute attribute =
      xc_named(builder->context, "value", mlirIntegerAttrGet(index, value));
  return xc_build_value(builder, "arith.constant", index, NULL, 0, &attribute,
                        1);
}

void xc_build_return(const xc_builder *builder, const MlirValue *values,
                     size_t count) {
  xc_build_operation(builder, "func.return",
                     &(xc_parts){.operands = values, .num_operands = count});
}

MlirOperation xc_build_call(const xc_builder *builder, const char *callee,
                            const MlirValue *operands, size_t num_operands,
                            const MlirType *results, size_t num_results) {
  MlirNamedAttribute attribute =
      xc_named(builder->context, "callee",
               mlirFlatSymbolRefAttrGet(builder->context, xc_ref(callee)));
  return xc_build_operation(
      builder, "func.call",
      &(xc_parts){operands, num_operands, results, num_results, &attribute, 1});
}
