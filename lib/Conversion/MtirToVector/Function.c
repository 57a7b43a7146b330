//===- Function.c - private functions of vector code ----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Function.h"

#include "Conversion/Support/Kernel.h"
#include "IR/Builder.h"
#include "IR/IR.h"
#include "dialects/Adaptor.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <assert.h>

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

static size_t add_argument(xc_vec_call *call, MlirValue value, bool written) {
  assert(call->count < XC_VEC_MAX_ARGUMENTS && "functions take few arguments");
  call->arguments[call->count] = value;
  call->written[call->count] = written;
  return call->count++;
}

size_t xc_vec_call_buffer(xc_vec_call *call, MlirValue buffer, bool written) {
  MlirType type = xc_outline_signless(mlirValueGetType(buffer));
  return add_argument(call, xc_build_cast(&call->builder, buffer, type),
                      written);
}

size_t xc_vec_call_const(xc_vec_call *call, const void *elements,
                         xc_element element, int64_t count) {
  MlirContext context = call->builder.context;
  xc_shape shape = {element, 1, {count}, true};
  MlirNamedAttribute value =
      xc_named(context, "value", xc_dense_attribute(context, elements, &shape));
  MlirValue constant =
      xc_build_value(&call->builder, "memtx.const",
                     xc_type_of_shape(context, &shape), NULL, 0, &value, 1);
  return add_argument(call, constant, false);
}

size_t xc_vec_call_scratch(xc_vec_call *call, xc_element element,
                           int64_t count) {
  xc_shape shape = {element, 1, {count}, true};
  MlirType type = xc_type_of_shape(call->builder.context, &shape);
  return add_argument(call, xc_build_alloc(&call->builder, type, NULL), true);
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

void xc_vec_call_build(xc_vec_call *call,
                       void (*write)(xc_ir *ir, xc_vec_call *call, void *state),
                       void *state) {
  xc_outliner *outliner = call->outliner;
  MlirAttribute key = key_of(call);
  const char *name = xc_pointer_map_get(&outliner->functions, key.ptr);
  if (!name) {
    MlirLocation location = call->builder.location;
    MlirBlock body = mlirBlockCreate(0, NULL, NULL);
    for (size_t i = 0; i < call->count; ++i)
      call->inside[i] = mlirBlockAddArgument(
          body, mlirValueGetType(call->arguments[i]), location);
    xc_ir ir = xc_ir_create(outliner->context, location, body);
    write(&ir, call, state);
    xc_text full = {0};
    xc_text_printf(&full, "vector.%s", call->name);
    name =
        xc_outline(outliner, location, xc_text_str(&full), body, call->written);
    xc_text_free(&full);
    xc_pointer_map_set(&outliner->functions, key.ptr, (void *)(uintptr_t)name);
  }
  xc_build_call(&call->builder, name, call->arguments, call->count, NULL, 0);
}
