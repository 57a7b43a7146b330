//===- Vec.c - vector operations through the C API ------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Vec.h"

#include "IR/IR.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <assert.h>

MlirType xc_vec_type(MlirType element, int64_t lanes) {
  return mlirVectorTypeGet(1, &lanes, element);
}

MlirValue xc_vec_load(const xc_ir *ir, MlirValue buffer, MlirValue at,
                      int64_t offset, MlirType type) {
  const MlirValue operands[] = {buffer, xc_ir_addi(ir, at, offset)};
  return xc_ir_op(ir, "vector.load", operands, 2, type, NULL, 0);
}

void xc_vec_store(const xc_ir *ir, MlirValue value, MlirValue buffer,
                  MlirValue at, int64_t offset) {
  const MlirValue operands[] = {value, buffer, xc_ir_addi(ir, at, offset)};
  xc_ir_operation(ir, "vector.store", operands, 3, NULL, 0);
}

void xc_vec_prefetch(const xc_ir *ir, MlirValue buffer, MlirValue at,
                     int64_t offset) {
  const MlirValue operands[] = {buffer, xc_ir_addi(ir, at, offset)};
  const MlirNamedAttribute attributes[] = {
      xc_named(ir->context, "isWrite", mlirBoolAttrGet(ir->context, false)),
      xc_named(ir->context, "localityHint", mlirIntegerAttrGet(ir->i32, 2)),
      xc_named(ir->context, "isDataCache", mlirBoolAttrGet(ir->context, true))};
  xc_ir_operation(ir, "memref.prefetch", operands, 2, attributes, 3);
}

MlirValue xc_vec_broadcast(const xc_ir *ir, MlirValue value, MlirType type) {
  return xc_ir_op(ir, "vector.broadcast", &value, 1, type, NULL, 0);
}

MlirValue xc_vec_bitcast(const xc_ir *ir, MlirValue value, MlirType type) {
  if (mlirTypeEqual(mlirValueGetType(value), type))
    return value;
  return xc_ir_op(ir, "vector.bitcast", &value, 1, type, NULL, 0);
}

static MlirAttribute one_int(const xc_ir *ir, int64_t value) {
  MlirAttribute attribute = mlirIntegerAttrGet(ir->i64, value);
  return mlirArrayAttrGet(ir->context, 1, &attribute);
}

MlirValue xc_vec_head(const xc_ir *ir, MlirValue value, int64_t lanes) {
  if (mlirShapedTypeGetDimSize(mlirValueGetType(value), 0) == lanes)
    return value;
  const MlirNamedAttribute attributes[] = {
      xc_named(ir->context, "offsets", one_int(ir, 0)),
      xc_named(ir->context, "sizes", one_int(ir, lanes)),
      xc_named(ir->context, "strides", one_int(ir, 1))};
  return xc_ir_op(
      ir, "vector.extract_strided_slice", &value, 1,
      xc_vec_type(xc_ir_element_type(mlirValueGetType(value)), lanes),
      attributes, 3);
}

MlirValue xc_vec_shuffle(const xc_ir *ir, MlirValue a, MlirValue b,
                         const int64_t *lanes, size_t count) {
  const MlirValue operands[] = {a, b};
  MlirNamedAttribute mask =
      xc_named(ir->context, "mask",
               mlirDenseI64ArrayGet(ir->context, (intptr_t)count, lanes));
  return xc_ir_op(
      ir, "vector.shuffle", operands, 2,
      xc_vec_type(xc_ir_element_type(mlirValueGetType(a)), (int64_t)count),
      &mask, 1);
}

MlirValue xc_vec_fma(const xc_ir *ir, MlirValue a, MlirValue b, MlirValue c) {
  const MlirValue operands[] = {a, b, c};
  return xc_ir_op(ir, "vector.fma", operands, 3, mlirValueGetType(c), NULL, 0);
}

MlirValue xc_vec_intrinsic(const xc_ir *ir, const char *name,
                           const MlirValue *operands, size_t count,
                           MlirType type) {
  const int32_t segments[] = {(int32_t)count, 0};
  const MlirNamedAttribute attributes[] = {
      xc_named(
          ir->context, "intrin",
          mlirStringAttrGet(ir->context, mlirStringRefCreateFromCString(name))),
      xc_named(ir->context, "op_bundle_sizes",
               mlirDenseI32ArrayGet(ir->context, 0, NULL)),
      xc_named(ir->context, "operandSegmentSizes",
               mlirDenseI32ArrayGet(ir->context, 2, segments))};
  return xc_ir_op(ir, "llvm.call_intrinsic", operands, count, type, attributes,
                  3);
}

//===----------------------------------------------------------------------===//
// Buffers as one dimension
//===----------------------------------------------------------------------===//

// Returns the number of elements from the first to the last one, gaps included;
// 0 when the type is not flat.
static int64_t span_of(MlirType type, int64_t strides[XC_MAX_RANK],
                       int64_t *offset) {
  if (!mlirTypeIsAMemRef(type) || !mlirShapedTypeHasStaticShape(type))
    return 0;
  intptr_t rank = mlirShapedTypeGetRank(type);
  if (rank == 0 || rank > XC_MAX_RANK ||
      mlirLogicalResultIsFailure(
          mlirMemRefTypeGetStridesAndOffset(type, strides, offset)) ||
      mlirShapedTypeIsDynamicStrideOrOffset(*offset) ||
      (strides[rank - 1] != 1 && mlirShapedTypeGetDimSize(type, rank - 1) > 1))
    return 0;
  int64_t span = 1;
  for (intptr_t i = 0; i < rank; ++i) {
    int64_t size = mlirShapedTypeGetDimSize(type, i);
    if (mlirShapedTypeIsDynamicStrideOrOffset(strides[i]) || strides[i] < 0 ||
        size == 0)
      return 0;
    span += (size - 1) * strides[i];
  }
  return span;
}

bool xc_vec_is_flat(MlirType type) {
  int64_t strides[XC_MAX_RANK], offset;
  return span_of(type, strides, &offset) > 0;
}

MlirValue xc_vec_flatten(const xc_ir *ir, MlirValue buffer,
                         int64_t strides[XC_MAX_RANK]) {
  MlirType type = mlirValueGetType(buffer);
  int64_t offset = 0, span = span_of(type, strides, &offset), one = 1;
  assert(span > 0 && "the pass leaves other buffers alone");
  return xc_ir_reinterpret(ir, buffer, offset, 1, &span, &one);
}
