//===- EmitEntryPoints.c - functions that C can call ----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/Support/IRBuilder.h"
#include "IR/AttributeNames.h"
#include "IR/Function.h"
#include "IR/IR.h"
#include "Pass/Pass.h"
#include "Support/Memory.h"
#include "Support/PointerMap.h"
#include "dialects/Emit.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/LLVM.h"

#include <stdlib.h>

// Returns the pointer at a place of an array of pointers.
static MlirValue load_pointer(const xc_ir *ir, MlirValue array, size_t index) {
  MlirType pointer = mlirValueGetType(array);
  int32_t at = (int32_t)index;
  const MlirNamedAttribute attributes[] = {
      xc_named(ir->context, "elem_type", mlirTypeAttrGet(pointer)),
      xc_named(ir->context, "rawConstantIndices",
               mlirDenseI32ArrayGet(ir->context, 1, &at))};
  MlirValue place =
      xc_ir_op(ir, "llvm.getelementptr", &array, 1, pointer, attributes, 2);
  return xc_ir_op(ir, "llvm.load", &place, 1, pointer, NULL, 0);
}

static MlirValue llvm_int(const xc_ir *ir, int64_t value) {
  MlirNamedAttribute attribute =
      xc_named(ir->context, "value", mlirIntegerAttrGet(ir->i32, value));
  return xc_ir_op(ir, "llvm.mlir.constant", NULL, 0, ir->i32, &attribute, 1);
}

static MlirValue make_status(const xc_ir *ir, MlirType pointer) {
  MlirValue one = llvm_int(ir, 1);
  MlirNamedAttribute element =
      xc_named(ir->context, "elem_type", mlirTypeAttrGet(ir->i32));
  MlirValue status = xc_ir_op(ir, "llvm.alloca", &one, 1, pointer, &element, 1);
  const MlirValue operands[] = {llvm_int(ir, 0), status};
  xc_ir_operation(ir, "llvm.store", operands, 2, NULL, 0);
  return status;
}

static void call_body(const xc_ir *ir, MlirOperation function,
                      const MlirValue *operands, size_t count) {
  const int32_t segments[] = {(int32_t)count, 0};
  const MlirNamedAttribute attributes[] = {
      xc_named(
          ir->context, "callee",
          mlirFlatSymbolRefAttrGet(ir->context, xc_function_name(function))),
      xc_named(ir->context, "operandSegmentSizes",
               mlirDenseI32ArrayGet(ir->context, 2, segments)),
      xc_named(ir->context, "op_bundle_sizes",
               mlirDenseI32ArrayGet(ir->context, 0, NULL))};
  xc_ir_operation(ir, "llvm.call", operands, count, attributes, 3);
}

// Loads what the body is called with: pointers to inputs and outputs, then
// arena and parameters as they came, and a place for the status.
static MlirValue *load_operands(const xc_ir *ir, MlirOperation function,
                                size_t *count) {
  MlirValue inputs = mlirBlockGetArgument(ir->block, 0);
  size_t num_inputs = (size_t)mlirDenseArrayGetNumElements(
      xc_op_attribute(function, XC_NAME_INPUT_BYTES));
  size_t num_outputs = (size_t)mlirDenseArrayGetNumElements(
      xc_op_attribute(function, XC_NAME_OUTPUT_BYTES));
  *count = num_inputs + num_outputs + 3;
  MlirValue *operands = xc_alloc_array(*count, sizeof(*operands));
  for (size_t i = 0; i < num_inputs; ++i)
    operands[i] = load_pointer(ir, inputs, i);
  for (size_t i = 0; i < num_outputs; ++i)
    operands[num_inputs + i] =
        load_pointer(ir, mlirBlockGetArgument(ir->block, 1), i);
  operands[*count - 3] = mlirBlockGetArgument(ir->block, 2);
  operands[*count - 2] = mlirBlockGetArgument(ir->block, 3);
  operands[*count - 1] = make_status(ir, mlirValueGetType(inputs));
  return operands;
}

static void return_status(const xc_ir *ir, MlirValue status) {
  MlirValue result = xc_ir_op(ir, "llvm.load", &status, 1, ir->i32, NULL, 0);
  xc_ir_operation(ir, "llvm.return", &result, 1, NULL, 0);
}

// Makes the body of a function that nothing calls that of its entry point. LLVM
// would inline it, too, but its inliner takes quadratic time to drop many
// internal functions (GlobalsAA scans what it knows of all the others).
static void move_body(const xc_ir *ir, MlirOperation function, MlirRegion entry,
                      const MlirValue *operands, size_t count) {
  MlirRegion body = mlirOperationGetRegion(function, 0);
  MlirBlock first = mlirRegionGetFirstBlock(body);
  for (size_t i = 0; i < count; ++i)
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(first, (intptr_t)i),
                                  operands[i]);
  // The operations move, not the block: their allocas stay in the first one.
  for (MlirOperation op = mlirBlockGetFirstOperation(first), next;
       !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    mlirOperationRemoveFromParent(op);
    mlirBlockAppendOwnedOperation(ir->block, op);
  }
  for (MlirBlock block = mlirBlockGetNextInRegion(first), next;
       !mlirBlockIsNull(block); block = next) {
    next = mlirBlockGetNextInRegion(block);
    mlirBlockDetach(block);
    mlirRegionAppendOwnedBlock(entry, block);
  }
  xc_ir end = *ir;
  for (MlirBlock block = ir->block; !mlirBlockIsNull(block);
       block = mlirBlockGetNextInRegion(block)) {
    MlirOperation last = mlirBlockGetTerminator(block);
    if (!xc_op_is(last, "llvm.return"))
      continue;
    mlirOperationDestroy(last);
    end.block = block;
    return_status(&end, operands[count - 1]);
  }
}

// int32_t NAME(const void *const *inputs, void *const *outputs, void *arena,
// const void *params), with what is known of it as attributes.
static MlirOperation create_entry(MlirOperation function, const xc_ir *ir,
                                  MlirRegion region) {
  MlirContext context = ir->context;
  MlirType pointer = mlirLLVMPointerTypeGet(context, 0);
  MlirType types[] = {pointer, pointer, pointer, pointer};
  static const char *const carried[] = {
      XC_NAME_FUNCTION,    XC_NAME_INPUT_BYTES,  XC_NAME_OUTPUT_BYTES,
      XC_NAME_INPUT_NOTES, XC_NAME_OUTPUT_NOTES, XC_NAME_ARENA_BYTES,
      XC_NAME_PARAMS_BYTES};
  enum { CARRIED = sizeof(carried) / sizeof(*carried) };
  MlirNamedAttribute attributes[3 + CARRIED] = {
      xc_named(context, "sym_name", xc_op_attribute(function, XC_NAME_ENTRY)),
      xc_named(
          context, "function_type",
          mlirTypeAttrGet(mlirLLVMFunctionTypeGet(ir->i32, 4, types, false))),
      xc_named(context, "linkage",
               mlirLLVMLinkageAttrGet(context, MlirLLVMLinkageExternal))};
  for (size_t i = 0; i < CARRIED; ++i) {
    attributes[3 + i] =
        xc_named(context, carried[i], xc_op_attribute(function, carried[i]));
    mlirOperationRemoveAttributeByName(function, xc_ref(carried[i]));
  }
  mlirOperationRemoveAttributeByName(function, xc_ref(XC_NAME_ENTRY));
  MlirOperationState state =
      mlirOperationStateGet(xc_ref("llvm.func"), ir->location);
  mlirOperationStateAddAttributes(&state, 3 + CARRIED, attributes);
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  return mlirOperationCreate(&state);
}

// Returns the entry point, which stands after the function or in its place.
static MlirOperation emit_entry(MlirOperation function, bool is_called) {
  MlirContext context = mlirOperationGetContext(function);
  MlirLocation location = mlirOperationGetLocation(function);
  MlirType pointer = mlirLLVMPointerTypeGet(context, 0);
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  for (int i = 0; i < 4; ++i)
    mlirBlockAddArgument(block, pointer, location);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, block);
  xc_ir ir = xc_ir_create(context, location, block);
  size_t count = 0;
  MlirValue *operands = load_operands(&ir, function, &count);
  if (is_called) {
    call_body(&ir, function, operands, count);
    return_status(&ir, operands[count - 1]);
  } else {
    move_body(&ir, function, region, operands, count);
  }
  free(operands);
  MlirOperation entry = create_entry(function, &ir, region);
  mlirBlockInsertOwnedOperationAfter(mlirOperationGetBlock(function), function,
                                     entry);
  if (!is_called)
    mlirOperationDestroy(function);
  return entry;
}

static const void *key_of(MlirContext context, MlirStringRef name) {
  return mlirStringAttrGet(context, name).ptr;
}

static MlirWalkResult note_call(MlirOperation operation, void *called) {
  if (!xc_op_is(operation, "llvm.call"))
    return MlirWalkResultAdvance;
  MlirAttribute callee = xc_op_attribute(operation, "callee");
  if (!mlirAttributeIsNull(callee))
    xc_pointer_map_set(called,
                       key_of(mlirOperationGetContext(operation),
                              mlirFlatSymbolRefAttrGetValue(callee)),
                       called);
  return MlirWalkResultAdvance;
}

static bool run(xc_pass_run *run) {
  xc_pointer_map called = {0};
  mlirOperationWalk(run->root, note_call, &called, MlirWalkPreOrder);
  MlirContext context = mlirOperationGetContext(run->root);
  MlirBlock module =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(run->root, 0));
  bool ok = true;
  for (MlirOperation op = mlirBlockGetFirstOperation(module);
       ok && !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (mlirAttributeIsNull(xc_op_attribute(op, XC_NAME_ENTRY)))
      continue;
    if (xc_op_is(op, "llvm.func"))
      op = emit_entry(op, xc_pointer_map_has(
                              &called, key_of(context, xc_function_name(op))));
    else
      ok = xc_op_error(op, "is not a function of the llvm dialect");
  }
  xc_pointer_map_free(&called);
  return ok;
}

const xc_pass_info xc_pass_cpu_emit_entry_points = {
    .argument = "cpu-emit-entry-points",
    .name = "CpuEmitEntryPoints",
    .summary = "Make model functions callable from C",
    .description =
        "Adds, for each function that `cpu-bind-memory` has described, "
        "`int32_t "
        "NAME(const void *const *inputs, void *const *outputs, void *arena, "
        "const void *params)`. It returns 0, or a status when the data were at "
        "fault. What no other function calls is moved into its entry point. "
        "Runs on the llvm dialect, with buffers as bare pointers.",
    .anchor = "builtin.module",
    .builds_upstream = true,
    .run = run,
};
