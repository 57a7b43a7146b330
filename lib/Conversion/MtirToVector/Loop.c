//===- Loop.c - loops that may be parallel --------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Loop.h"

#include "IR/IR.h"

#include "mlir-c/BuiltinAttributes.h"

static void begin_parallel(xc_ir *ir, xc_counted *counted, int64_t size) {
  const MlirValue bounds[] = {xc_ir_index(ir, 0), xc_ir_index(ir, size),
                              xc_ir_index(ir, 1)};
  const int32_t segments[] = {1, 1, 1, 0};
  MlirNamedAttribute attribute =
      xc_named(ir->context, "operandSegmentSizes",
               mlirDenseI32ArrayGet(ir->context, 4, segments));
  MlirBlock body = mlirBlockCreate(1, &ir->index, &ir->location);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, body);
  MlirOperationState state =
      mlirOperationStateGet(xc_ref("scf.parallel"), ir->location);
  mlirOperationStateAddOperands(&state, 3, bounds);
  mlirOperationStateAddAttributes(&state, 1, &attribute);
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  counted->parallel = mlirOperationCreate(&state);
  mlirBlockAppendOwnedOperation(ir->block, counted->parallel);
  counted->outer = ir->block;
  counted->index = mlirBlockGetArgument(body, 0);
  ir->block = body;
}

xc_counted xc_counted_begin(xc_ir *ir, int64_t size, bool parallel) {
  xc_counted counted = {.unrolled = size == 1};
  if (size == 1) {
    counted.index = xc_ir_index(ir, 0);
  } else if (parallel) {
    begin_parallel(ir, &counted, size);
  } else {
    counted.loop = xc_ir_for_size(ir, size, NULL, 0);
    counted.index = counted.loop.index;
  }
  return counted;
}

void xc_counted_end(xc_ir *ir, xc_counted *counted) {
  if (counted->unrolled)
    return;
  if (mlirOperationIsNull(counted->parallel)) {
    xc_ir_end_for(ir, &counted->loop, NULL);
    return;
  }
  xc_ir_operation(ir, "scf.reduce", NULL, 0, NULL, 0);
  ir->block = counted->outer;
}

xc_carrying xc_carrying_begin(xc_ir *ir, int64_t size, MlirValue *values,
                              size_t count) {
  xc_carrying carrying = {.unrolled = size == 1};
  if (size == 1) {
    carrying.index = xc_ir_index(ir, 0);
    return carrying;
  }
  carrying.loop = xc_ir_for_size(ir, size, values, count);
  carrying.index = carrying.loop.index;
  for (size_t i = 0; i < count; ++i)
    values[i] = carrying.loop.carried[i];
  return carrying;
}

void xc_carrying_end(xc_ir *ir, xc_carrying *carrying, MlirValue *values,
                     size_t count) {
  if (carrying->unrolled)
    return;
  xc_ir_end_for(ir, &carrying->loop, values);
  for (size_t i = 0; i < count; ++i)
    values[i] = carrying->loop.results[i];
}
