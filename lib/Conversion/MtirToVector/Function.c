//===- Function.c - private functions of vector code ----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Function.h"

#include "Bufferize/Functions.h"
#include "Conversion/Support/Kernel.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <assert.h>

xc_vec_functions xc_vec_functions_begin(MlirOperation module) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0));
  return (xc_vec_functions){.context = mlirOperationGetContext(module),
                            .module = body,
                            .first = mlirBlockGetFirstOperation(body)};
}

void xc_vec_functions_end(xc_vec_functions *functions) {
  xc_pointer_map_free(&functions->symbols);
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

static size_t add_argument(xc_vec_call *call, MlirValue value, bool written) {
  assert(call->count < XC_VEC_MAX_ARGUMENTS && "functions take few arguments");
  call->arguments[call->count] = value;
  call->written[call->count] = written;
  return call->count++;
}

static MlirType signless(MlirType type) {
  MlirType element = mlirShapedTypeGetElementType(type);
  if (!mlirTypeIsAInteger(element) || mlirIntegerTypeIsSignless(element))
    return type;
  MlirContext context = mlirTypeGetContext(type);
  int64_t dims[XC_MAX_RANK];
  intptr_t rank = mlirShapedTypeGetRank(type);
  for (intptr_t i = 0; i < rank; ++i)
    dims[i] = mlirShapedTypeGetDimSize(type, i);
  return mlirMemRefTypeGet(
      mlirIntegerTypeGet(context, mlirIntegerTypeGetWidth(element)), rank, dims,
      mlirMemRefTypeGetLayout(type), mlirMemRefTypeGetMemorySpace(type));
}

size_t xc_vec_call_buffer(xc_vec_call *call, MlirValue buffer, bool written) {
  MlirType from = mlirValueGetType(buffer), to = signless(from);
  if (!mlirTypeEqual(from, to))
    buffer = mlirOperationGetResult(
        xc_build_operation(&call->builder, "builtin.unrealized_conversion_cast",
                           call->location, &buffer, 1, &to, 1, NULL, 0),
        0);
  return add_argument(call, buffer, written);
}

size_t xc_vec_call_const(xc_vec_call *call, const void *elements,
                         xc_element element, int64_t count) {
  MlirContext context = call->builder.context;
  xc_shape shape = {element, 1, {count}, true};
  MlirNamedAttribute value = xc_ir_named(
      context, "value", xc_dense_attribute(context, elements, &shape));
  MlirType type = xc_type_of_shape(context, &shape);
  MlirOperation constant =
      xc_build_operation(&call->builder, "memtx.const", call->location, NULL, 0,
                         &type, 1, &value, 1);
  return add_argument(call, mlirOperationGetResult(constant, 0), false);
}

size_t xc_vec_call_scratch(xc_vec_call *call, xc_element element,
                           int64_t count) {
  MlirContext context = call->builder.context;
  xc_shape shape = {element, 1, {count}, true};
  const int32_t segments[] = {0, 0};
  MlirNamedAttribute attribute =
      xc_ir_named(context, "operandSegmentSizes",
                  mlirDenseI32ArrayGet(context, 2, segments));
  MlirType type = xc_type_of_shape(context, &shape);
  MlirOperation alloc =
      xc_build_operation(&call->builder, "memref.alloc", call->location, NULL,
                         0, &type, 1, &attribute, 1);
  return add_argument(call, mlirOperationGetResult(alloc, 0), true);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static MlirAttribute key_of(const xc_vec_call *call) {
  MlirContext context = call->builder.context;
  MlirAttribute parts[1 + XC_VEC_MAX_ARGUMENTS] = {mlirStringAttrGet(
      context, mlirStringRefCreate(call->key->data, call->key->length))};
  for (size_t i = 0; i < call->count; ++i)
    parts[1 + i] = mlirTypeAttrGet(mlirValueGetType(call->arguments[i]));
  return mlirArrayAttrGet(context, 1 + (intptr_t)call->count, parts);
}

// A dot keeps the name apart from names of models.
static MlirAttribute next_name(const xc_vec_call *call) {
  xc_text text = {0};
  xc_text_printf(&text, "xc.vector.%s.%zu", call->name,
                 call->functions->symbols.count);
  MlirAttribute name = mlirStringAttrGet(
      call->builder.context, mlirStringRefCreate(text.data, text.length));
  xc_text_free(&text);
  return name;
}

void xc_vec_call_build(xc_vec_call *call,
                       void (*write)(xc_ir *ir, xc_vec_call *call, void *state),
                       void *state) {
  xc_vec_functions *functions = call->functions;
  MlirAttribute key = key_of(call);
  MlirAttribute name = {xc_pointer_map_get(&functions->symbols, key.ptr)};
  if (mlirAttributeIsNull(name)) {
    name = next_name(call);
    MlirBlock body = mlirBlockCreate(0, NULL, NULL);
    for (size_t i = 0; i < call->count; ++i)
      call->inside[i] = mlirBlockAddArgument(
          body, mlirValueGetType(call->arguments[i]), call->location);
    xc_ir ir = xc_ir_create(functions->context, call->location, body);
    write(&ir, call, state);
    xc_ir_operation(&ir, "func.return", NULL, 0, NULL, 0, NULL, 0);
    mlirBlockInsertOwnedOperationBefore(
        functions->module, functions->first,
        xc_kernel_function_create(call->location, name, body, call->written));
    xc_pointer_map_set(&functions->symbols, key.ptr,
                       (void *)(uintptr_t)name.ptr);
  }
  MlirNamedAttribute callee =
      xc_ir_named(call->builder.context, "callee",
                  mlirFlatSymbolRefAttrGet(call->builder.context,
                                           mlirStringAttrGetValue(name)));
  xc_build_operation(&call->builder, "func.call", call->location,
                     call->arguments, call->count, NULL, 0, &callee, 1);
}
