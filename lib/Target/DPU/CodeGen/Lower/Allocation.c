//===- Allocation.c - the buffers of a function ---------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The buffers of a function, with the operators that read and write them. Some
// share bytes (SharedBuffers.c); the others get addresses by their live ranges
// (Addresses.c).
//
//===----------------------------------------------------------------------===//

#include "Lower.h"

#include "IR/Function.h"
#include "IR/IR.h"

#include "Support/Text.h"

#include "mlir-c/Diagnostics.h"

//===----------------------------------------------------------------------===//
// Shapes and images
//===----------------------------------------------------------------------===//

XcDpuImage xc_image_of_shape(const xc_shape *shape) {
  int64_t dims[3] = {1, 1, 1};
  for (size_t i = 0; i < shape->rank; ++i) {
    size_t back = shape->rank - 1 - i;
    dims[back < 2 ? 2 - back : 0] *= shape->dims[i];
  }
  return xcDpuImageDense(0, 0, (int32_t)dims[0], (int32_t)dims[1],
                         (int32_t)dims[2]);
}

bool xc_shape_image_axis(const xc_shape *shape, size_t axis,
                         xc_image_axis *result) {
  size_t back = shape->rank - 1 - axis;
  *result = back == 0 ? XC_AXIS_C : back == 1 ? XC_AXIS_W : XC_AXIS_H;
  for (size_t i = 0; back >= 2 && i < axis; ++i)
    if (shape->dims[i] != 1)
      return false;
  return true;
}

XcDpuImage xc_image_part(XcDpuImage image, xc_image_axis axis, int64_t first,
                         int64_t count) {
  switch (axis) {
  case XC_AXIS_H:
    image.address += (uint32_t)first * image.rowPitch;
    image.height = (int32_t)count;
    break;
  case XC_AXIS_W:
    image.address += (uint32_t)first * image.pixelPitch;
    image.width = (int32_t)count;
    break;
  case XC_AXIS_C:
    image.address += (uint32_t)first;
    image.channels = (int32_t)count;
    break;
  }
  return image;
}

uint64_t xc_allocation_size(const xc_allocation *allocation) {
  const XcDpuImage *image = &allocation->image;
  uint64_t all = (uint64_t)xc_shape_num_elements(&allocation->shape);
  if (allocation->layout)
    all = (uint64_t)image->height * (uint64_t)image->width *
          (uint64_t)image->channels;
  return allocation->frames > 1 ? all / (uint64_t)allocation->frames : all;
}

//===----------------------------------------------------------------------===//
// Collecting
//===----------------------------------------------------------------------===//

xc_allocation *xc_allocation_root(xc_allocation *allocation) {
  while (allocation->parent)
    allocation = allocation->parent;
  return allocation;
}

xc_allocation *xc_allocation_of(const xc_lowering *lowering, MlirValue value) {
  return xc_pointer_map_get(&lowering->allocations, value.ptr);
}

xc_allocation *xc_operand_allocation(const xc_lowering *lowering,
                                     const xc_adaptor *adaptor, size_t slot) {
  return xc_allocation_of(lowering, xc_operand(adaptor, slot));
}

xc_allocation *xc_output_allocation(const xc_lowering *lowering,
                                    const xc_adaptor *adaptor) {
  return xc_operand_allocation(lowering, adaptor,
                               adaptor->info->num_operands - 1);
}

static void add_to_list(xc_lowering *lowering, xc_allocation *allocation) {
  void *list = lowering->list;
  xc_grow(&list, &lowering->allocations_capacity, lowering->num_allocations + 1,
          sizeof *lowering->list);
  lowering->list = list;
  lowering->list[lowering->num_allocations++] = allocation;
}

static bool add_allocation(xc_lowering *lowering, MlirOperation at,
                           MlirValue value, xc_allocation_kind kind) {
  xc_allocation *allocation =
      xc_arena_alloc(&lowering->arena, 1, sizeof *allocation);
  *allocation = (xc_allocation){.value = value, .kind = kind};
  if (!xc_shape_of_type(mlirValueGetType(value), &allocation->shape)) {
    mlirEmitError(mlirOperationGetLocation(at),
                  "cannot run on the DPU: a buffer has no static shape");
    return false;
  }
  if (xc_shape_num_elements(&allocation->shape) > INT32_MAX) {
    mlirEmitError(mlirOperationGetLocation(at),
                  "cannot run on the DPU: a buffer has 2 GiB or more");
    return false;
  }
  allocation->image = xc_image_of_shape(&allocation->shape);
  xc_pointer_map_set(&lowering->allocations, value.ptr, allocation);
  add_to_list(lowering, allocation);
  return true;
}

static bool note_operand(xc_lowering *lowering, MlirOperation operation,
                         MlirValue value, bool is_write, size_t at) {
  xc_allocation *allocation = xc_allocation_of(lowering, value);
  if (!allocation) {
    mlirEmitError(mlirOperationGetLocation(operation),
                  "cannot run on the DPU: an operand is neither an argument "
                  "nor allocated here nor a constant");
    return false;
  }
  if (is_write &&
      (allocation->writers > 0 || allocation->kind == XC_ALLOCATION_CONST)) {
    mlirEmitError(mlirOperationGetLocation(operation),
                  "cannot run on the DPU: the output buffer is written a "
                  "second time");
    return false;
  }
  allocation->writers += is_write;
  if (is_write)
    allocation->writer = at;
  allocation->readers += !is_write;
  if (is_write && allocation->kind == XC_ALLOCATION_INPUT)
    allocation->kind = XC_ALLOCATION_OUTPUT;
  if (!allocation->first)
    allocation->first = at;
  allocation->last = at;
  return true;
}

/// The shape of an intermediate result of an operator; false if there is none.
static bool scratch_shape(const xc_lowering *lowering,
                          const xc_adaptor *adaptor, xc_shape *shape) {
  switch (adaptor->info->kind) {
  case XC_TIR_HARD_SWISH_FIX: // the gate
    *shape = xc_operand_shape(adaptor, 0);
    return true;
  case XC_TIR_POOL_FIX:
    return xc_pool_is_staged(lowering->target, adaptor, shape);
  default:
    return false;
  }
}

static xc_allocation *add_scratch(xc_lowering *lowering,
                                  const xc_adaptor *adaptor) {
  xc_shape shape;
  if (!scratch_shape(lowering, adaptor, &shape))
    return NULL;
  xc_allocation *allocation =
      xc_arena_alloc(&lowering->arena, 1, sizeof *allocation);
  *allocation = (xc_allocation){.kind = XC_ALLOCATION_ALLOC,
                                .shape = shape,
                                .writers = 1,
                                .readers = 1,
                                .first = lowering->num_ops,
                                .last = lowering->num_ops,
                                .writer = lowering->num_ops};
  allocation->image = xc_image_of_shape(&allocation->shape);
  add_to_list(lowering, allocation);
  return allocation;
}

static bool add_op(xc_lowering *lowering, MlirOperation operation) {
  void *ops = lowering->ops;
  xc_grow(&ops, &lowering->ops_capacity, lowering->num_ops + 1,
          sizeof *lowering->ops);
  lowering->ops = ops;
  xc_function_op *op = &lowering->ops[lowering->num_ops++];
  *op = (xc_function_op){.operation = operation,
                         .is_copy = xc_op_is(operation, "memtx.copy")};
  if (!xc_adaptor_of(operation, &op->adaptor) ||
      (!op->is_copy && op->adaptor.info->dialect != XC_DIALECT_MTIR)) {
    MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
    xc_text text = {0};
    xc_text_printf(&text,
                   "'%.*s' op cannot run on the DPU: it is not an operator "
                   "on buffers",
                   (int)name.length, name.data);
    mlirEmitError(mlirOperationGetLocation(operation), xc_text_str(&text));
    xc_text_free(&text);
    return false;
  }
  intptr_t count = mlirOperationGetNumOperands(operation);
  for (intptr_t i = 0; i < count; ++i)
    if (!note_operand(lowering, operation,
                      mlirOperationGetOperand(operation, i), i + 1 == count,
                      lowering->num_ops))
      return false;
  if (!op->is_copy)
    op->scratch = add_scratch(lowering, &op->adaptor);
  return true;
}

/// Collects the buffer of an operation that makes one.
static bool collect_buffer(xc_lowering *lowering, MlirOperation operation) {
  bool is_alloc = xc_op_is(operation, "memref.alloc");
  return (!is_alloc && !xc_op_is(operation, "memtx.const")) ||
         add_allocation(lowering, operation,
                        mlirOperationGetResult(operation, 0),
                        is_alloc ? XC_ALLOCATION_ALLOC : XC_ALLOCATION_CONST);
}

static bool collect_op(xc_lowering *lowering, MlirOperation operation) {
  static const char *const no_operators[] = {"memref.alloc", "memtx.const",
                                             "func.return", "memref.dealloc"};
  for (size_t i = 0; i < sizeof no_operators / sizeof *no_operators; ++i)
    if (xc_op_is(operation, no_operators[i]))
      return true;
  return add_op(lowering, operation);
}

bool xc_allocations_collect(xc_lowering *lowering, MlirOperation func) {
  MlirBlock block = mlirRegionGetFirstBlock(xc_function_body(func));
  if (!mlirBlockIsNull(mlirBlockGetNextInRegion(block))) {
    mlirEmitError(mlirOperationGetLocation(func),
                  "cannot run on the DPU: the function has several blocks");
    return false;
  }
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
    if (!add_allocation(lowering, func, mlirBlockGetArgument(block, i),
                        XC_ALLOCATION_INPUT))
      return false;
  // An operator may be lowered before the buffer that it writes is made.
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (!collect_buffer(lowering, op))
      return false;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (!mlirOperationIsNull(xc_lowered_before(op)))
      continue;
    MlirOperation first = xc_lowered_first(op);
    if ((!mlirOperationIsNull(first) && !collect_op(lowering, first)) ||
        !collect_op(lowering, op))
      return false;
  }
  return true;
}
