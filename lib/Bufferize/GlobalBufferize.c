//===- GlobalBufferize.c - global-bufferize -------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns the tensors at the edges of functions into buffers:
//
//   argument      memref argument, tir.upload at the start of the function
//   result        memref argument after the others, tir.download before the
//                 return
//   tir.const     memtx.const and tir.upload; rank 0 stays
//   func.call     operands are downloaded into new buffers, results are
//                 uploaded from new buffers that the callee fills
//
// Everything that could fail is checked before anything is changed.
//
//===----------------------------------------------------------------------===//

#include "IR/Function.h"
#include "IR/IR.h"
#include "Pass/Pass.h"
#include "Support/Memory.h"
#include "Tensors.h"
#include "dialects/Build.h"
#include "dialects/Emit.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

typedef struct checks {
  bool whole_module;
  bool ok;
} checks;

static bool signature_has_tensors(MlirType type) {
  intptr_t inputs = mlirFunctionTypeGetNumInputs(type);
  for (intptr_t i = 0; i < inputs; ++i)
    if (mlirTypeIsATensor(mlirFunctionTypeGetInput(type, i)))
      return true;
  intptr_t results = mlirFunctionTypeGetNumResults(type);
  for (intptr_t i = 0; i < results; ++i)
    if (mlirTypeIsATensor(mlirFunctionTypeGetResult(type, i)))
      return true;
  return false;
}

// A function that is used as a value keeps its type; ours changes it.
static bool check_reference(MlirOperation operation) {
  intptr_t results = mlirOperationGetNumResults(operation);
  for (intptr_t i = 0; i < results; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(operation, i));
    if (mlirTypeIsAFunction(type) && signature_has_tensors(type))
      return xc_op_error(operation, "cannot be bufferized: it takes a function "
                                    "with tensors as a value");
  }
  return true;
}

static bool check_operation(MlirOperation operation, bool whole_module) {
  if (!check_reference(operation))
    return false;
  if (!xc_op_has_tensors(operation))
    return true;
  if (xc_op_is(operation, "func.call") && !whole_module)
    return xc_op_error(operation,
                       "cannot be bufferized inside one function: run "
                       "global-bufferize on the module");
  if (xc_op_info_of(operation) || xc_op_is(operation, "func.return") ||
      xc_op_is(operation, "func.call"))
    return xc_check_tensors(operation);
  if (mlirOperationGetNumSuccessors(operation) != 0)
    return xc_op_error(operation, "cannot be bufferized: a branch carries "
                                  "tensors");
  return xc_op_error(operation, "cannot be bufferized: it has tensors but is "
                                "not a tir operator");
}

static MlirWalkResult check_walk(MlirOperation operation, void *user_data) {
  checks *c = user_data;
  if (xc_op_is(operation, "func.func"))
    return MlirWalkResultAdvance;
  c->ok = check_operation(operation, c->whole_module);
  return c->ok ? MlirWalkResultAdvance : MlirWalkResultInterrupt;
}

static bool check_function(void *user_data, MlirOperation func) {
  checks *c = user_data;
  MlirType type = xc_function_type(func);
  intptr_t inputs = mlirFunctionTypeGetNumInputs(type);
  for (intptr_t i = 0; i < inputs; ++i)
    if (!xc_check_tensor_type(func, "argument",
                              mlirFunctionTypeGetInput(type, i)))
      return false;
  intptr_t results = mlirFunctionTypeGetNumResults(type);
  for (intptr_t i = 0; i < results; ++i)
    if (!xc_check_tensor_type(func, "result",
                              mlirFunctionTypeGetResult(type, i)))
      return false;
  mlirOperationWalk(func, check_walk, c, MlirWalkPreOrder);
  return c->ok;
}

//===----------------------------------------------------------------------===//
// Building blocks
//===----------------------------------------------------------------------===//

static MlirValue build_upload(const xc_builder *builder, MlirValue memory,
                              MlirType tensor) {
  return xc_build_value(builder, "tir.upload", tensor, &memory, 1, NULL, 0);
}

static void build_download(const xc_builder *builder, MlirValue tensor,
                           MlirValue memory) {
  const MlirValue operands[] = {tensor, memory};
  xc_build_operation(builder, "tir.download",
                     &(xc_parts){.operands = operands, .num_operands = 2});
}

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

// Inputs, then one buffer per tensor result; the other results stay results.
static MlirType buffer_signature(MlirContext context, MlirType type) {
  intptr_t inputs = mlirFunctionTypeGetNumInputs(type);
  intptr_t results = mlirFunctionTypeGetNumResults(type);
  MlirType *types =
      xc_alloc_array((size_t)(inputs + 2 * results), sizeof(MlirType));
  MlirType *kept = types + inputs + results;
  intptr_t num_inputs = 0, num_kept = 0;
  for (intptr_t i = 0; i < inputs; ++i)
    types[num_inputs++] =
        xc_memref_of_tensor(mlirFunctionTypeGetInput(type, i));
  for (intptr_t i = 0; i < results; ++i) {
    MlirType result = mlirFunctionTypeGetResult(type, i);
    if (mlirTypeIsATensor(result))
      types[num_inputs++] = xc_memref_of_tensor(result);
    else
      kept[num_kept++] = result;
  }
  MlirType changed =
      mlirFunctionTypeGet(context, num_inputs, types, num_kept, kept);
  free(types);
  return changed;
}

// Moves the attributes of tensor results to their new arguments.
static void move_result_attributes(MlirOperation func, MlirType type) {
  MlirContext context = mlirOperationGetContext(func);
  MlirAttribute arguments =
      mlirOperationGetInherentAttributeByName(func, xc_ref("arg_attrs"));
  MlirAttribute results =
      mlirOperationGetInherentAttributeByName(func, xc_ref("res_attrs"));
  if (mlirAttributeIsNull(arguments) && mlirAttributeIsNull(results))
    return;
  MlirAttribute none = mlirDictionaryAttrGet(context, 0, NULL);
  intptr_t num_inputs = mlirFunctionTypeGetNumInputs(type);
  intptr_t num_results = mlirFunctionTypeGetNumResults(type);
  MlirAttribute *all = xc_alloc_array((size_t)(num_inputs + 2 * num_results),
                                      sizeof(MlirAttribute));
  MlirAttribute *kept = all + num_inputs + num_results;
  intptr_t count = 0, num_kept = 0;
  for (intptr_t i = 0; i < num_inputs; ++i)
    all[count++] = mlirAttributeIsNull(arguments)
                       ? none
                       : mlirArrayAttrGetElement(arguments, i);
  for (intptr_t i = 0; i < num_results; ++i) {
    MlirAttribute one = mlirAttributeIsNull(results)
                            ? none
                            : mlirArrayAttrGetElement(results, i);
    if (mlirTypeIsATensor(mlirFunctionTypeGetResult(type, i)))
      all[count++] = one;
    else
      kept[num_kept++] = one;
  }
  mlirOperationSetInherentAttributeByName(
      func, xc_ref("arg_attrs"), mlirArrayAttrGet(context, count, all));
  if (!mlirAttributeIsNull(results))
    mlirOperationSetInherentAttributeByName(
        func, xc_ref("res_attrs"), mlirArrayAttrGet(context, num_kept, kept));
  free(all);
}

// Returns the first return of a function; all return the same types.
static MlirOperation return_of(MlirBlock entry) {
  for (MlirBlock block = entry; !mlirBlockIsNull(block);
       block = mlirBlockGetNextInRegion(block)) {
    MlirOperation last = mlirBlockGetTerminator(block);
    if (!mlirOperationIsNull(last) && xc_op_is(last, "func.return"))
      return last;
  }
  return (MlirOperation){NULL};
}

// Gives the entry block its new arguments and uploads the old ones. The buffer
// of a result has the location of what computes it.
static void convert_arguments(MlirOperation func, MlirBlock entry,
                              MlirType type) {
  xc_builder builder = xc_builder_in(entry, mlirOperationGetLocation(func));
  builder.before = mlirBlockGetFirstOperation(entry);
  MlirOperation last = return_of(entry);
  intptr_t results = mlirFunctionTypeGetNumResults(type);
  for (intptr_t i = 0; i < results; ++i) {
    MlirType result = mlirFunctionTypeGetResult(type, i);
    if (mlirTypeIsATensor(result))
      mlirBlockAddArgument(
          entry, xc_memref_of_tensor(result),
          mlirOperationIsNull(last)
              ? builder.location
              : mlirValueGetLocation(mlirOperationGetOperand(last, i)));
  }
  intptr_t inputs = mlirFunctionTypeGetNumInputs(type);
  for (intptr_t i = 0; i < inputs; ++i) {
    MlirType tensor = mlirFunctionTypeGetInput(type, i);
    if (!mlirTypeIsATensor(tensor))
      continue;
    MlirValue argument = mlirBlockGetArgument(entry, i);
    mlirBlockArgumentSetType(argument, xc_memref_of_tensor(tensor));
    MlirValue upload = build_upload(&builder, argument, tensor);
    MlirOperation user = mlirOpResultGetOwner(upload);
    mlirValueReplaceAllUsesExcept(argument, upload, 1, &user);
  }
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static void convert_const(MlirOperation operation) {
  MlirType tensor = mlirValueGetType(xc_op_result(operation));
  if (mlirShapedTypeGetRank(tensor) == 0)
    return;
  xc_builder builder = xc_builder_before(operation);
  size_t count;
  MlirNamedAttribute *attributes = xc_op_attributes(operation, &count);
  MlirValue constant =
      xc_build_value(&builder, "memtx.const", xc_memref_of_tensor(tensor), NULL,
                     0, attributes, count);
  free(attributes);
  MlirValue upload = build_upload(&builder, constant, tensor);
  mlirValueReplaceAllUsesOfWith(xc_op_result(operation), upload);
  mlirOperationDestroy(operation);
}

// The output buffers are the last arguments of the function.
static void convert_return(MlirOperation operation, MlirBlock entry) {
  intptr_t count = mlirOperationGetNumOperands(operation);
  intptr_t tensors = 0;
  for (intptr_t i = 0; i < count; ++i)
    tensors += mlirTypeIsATensor(
        mlirValueGetType(mlirOperationGetOperand(operation, i)));
  if (tensors == 0)
    return;
  xc_builder builder = xc_builder_before(operation);
  intptr_t output = mlirBlockGetNumArguments(entry) - tensors;
  MlirValue *kept = xc_alloc_array((size_t)count, sizeof(*kept));
  size_t num_kept = 0;
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue value = mlirOperationGetOperand(operation, i);
    if (mlirTypeIsATensor(mlirValueGetType(value)))
      build_download(&builder, value, mlirBlockGetArgument(entry, output++));
    else
      kept[num_kept++] = value;
  }
  xc_build_return(&builder, kept, num_kept);
  free(kept);
  mlirOperationDestroy(operation);
}

// Inputs, then a buffer per tensor result; the other results stay results.
typedef struct call_parts {
  MlirValue *operands;
  size_t num_operands;
  MlirType *results;
  size_t num_results;
} call_parts;

static void call_operands(const xc_builder *builder, MlirOperation call,
                          call_parts *parts) {
  intptr_t count = mlirOperationGetNumOperands(call);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue value = mlirOperationGetOperand(call, i);
    MlirType type = mlirValueGetType(value);
    if (mlirTypeIsATensor(type)) {
      MlirValue buffer =
          xc_build_alloc(builder, xc_memref_of_tensor(type), NULL);
      build_download(builder, value, buffer);
      value = buffer;
    }
    parts->operands[parts->num_operands++] = value;
  }
  intptr_t results = mlirOperationGetNumResults(call);
  for (intptr_t i = 0; i < results; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(call, i));
    if (mlirTypeIsATensor(type))
      parts->operands[parts->num_operands++] =
          xc_build_alloc(builder, xc_memref_of_tensor(type), NULL);
    else
      parts->results[parts->num_results++] = type;
  }
}

static void convert_call(MlirOperation call) {
  if (!xc_op_has_tensors(call))
    return;
  xc_builder builder = xc_builder_before(call);
  intptr_t inputs = mlirOperationGetNumOperands(call);
  intptr_t results = mlirOperationGetNumResults(call);
  call_parts parts = {
      .operands = xc_alloc_array((size_t)(inputs + results), sizeof(MlirValue)),
      .results = xc_alloc_array((size_t)results, sizeof(MlirType))};
  call_operands(&builder, call, &parts);
  size_t count;
  MlirNamedAttribute *attributes = xc_op_attributes(call, &count);
  MlirOperation changed = xc_build_operation(
      &builder, "func.call",
      &(xc_parts){parts.operands, parts.num_operands, parts.results,
                  parts.num_results, attributes, count});
  intptr_t kept = 0, buffer = inputs;
  for (intptr_t i = 0; i < results; ++i) {
    MlirValue old = mlirOperationGetResult(call, i);
    MlirType type = mlirValueGetType(old);
    MlirValue value =
        mlirTypeIsATensor(type)
            ? build_upload(&builder, parts.operands[buffer++], type)
            : mlirOperationGetResult(changed, kept++);
    mlirValueReplaceAllUsesOfWith(old, value);
  }
  mlirOperationDestroy(call);
  free(attributes);
  free(parts.operands);
  free(parts.results);
}

static void convert_body(MlirRegion body, MlirBlock entry) {
  for (MlirBlock block = mlirRegionGetFirstBlock(body); !mlirBlockIsNull(block);
       block = mlirBlockGetNextInRegion(block)) {
    MlirOperation next = mlirBlockGetFirstOperation(block);
    while (!mlirOperationIsNull(next)) {
      MlirOperation operation = next;
      next = mlirOperationGetNextInBlock(operation);
      const xc_op_info *info = xc_op_info_of(operation);
      intptr_t regions = mlirOperationGetNumRegions(operation);
      for (intptr_t i = 0; i < regions; ++i)
        convert_body(mlirOperationGetRegion(operation, i), entry);
      if (info && info->kind == XC_TIR_CONST && info->dialect == XC_DIALECT_TIR)
        convert_const(operation);
      else if (xc_op_is(operation, "func.return"))
        convert_return(operation, entry);
      else if (xc_op_is(operation, "func.call"))
        convert_call(operation);
    }
  }
}

// The outputs among the arguments cannot be told from inputs any more.
static void note_num_inputs(MlirOperation func, MlirType type) {
  MlirContext context = mlirOperationGetContext(func);
  mlirOperationSetAttributeByName(
      func, xc_ref("input_num"),
      mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64),
                         mlirFunctionTypeGetNumInputs(type)));
}

static bool convert_function(void *user_data, MlirOperation func) {
  (void)user_data;
  MlirType type = xc_function_type(func);
  MlirType changed = buffer_signature(mlirOperationGetContext(func), type);
  if (!mlirTypeEqual(type, changed)) {
    move_result_attributes(func, type);
    note_num_inputs(func, type);
    mlirOperationSetInherentAttributeByName(func, xc_ref("function_type"),
                                            mlirTypeAttrGet(changed));
  }
  MlirRegion body = xc_function_body(func);
  if (mlirRegionIsNull(body))
    return true;
  MlirBlock entry = mlirRegionGetFirstBlock(body);
  convert_arguments(func, entry, type);
  convert_body(body, entry);
  return true;
}

static bool run(xc_pass_run *run) {
  checks c = {!xc_op_is(run->root, "func.func"), true};
  return xc_for_each_function(run->root, check_function, &c) &&
         xc_for_each_function(run->root, convert_function, NULL);
}

const xc_pass_info xc_pass_global_bufferize = {
    .argument = "global-bufferize",
    .name = "GlobalBufferize",
    .summary = "Turn tensor arguments, results and constants into buffers",
    .description =
        "Tensor arguments become memref arguments with a `tir.upload` each; "
        "tensor results become memref arguments after the others, filled by "
        "a `tir.download` before the return; the attribute `input_num` says "
        "how many of the arguments are inputs; `tir.const` becomes "
        "`memtx.const` "
        "and `tir.upload` (rank 0 stays); calls allocate the buffers that "
        "their callee fills. Runs on a module, or on a function without calls "
        "that carry tensors. On an error nothing is changed.",
    .anchor = "builtin.module",
    .on_function = true,
    .run = run,
};
