//===- Portable.c - a function as bytecode of its own ---------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Portable.h"

#include "IR/Function.h"
#include "IR/IR.h"

#include "Support/Memory.h"
#include "dialects/Adaptor.h"
#include "dialects/Build.h"
#include "dialects/Path.h"
#include "xc-c/XModelMixed.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Nothing of the machine it was made on
//===----------------------------------------------------------------------===//

static MlirStringRef last_part(MlirStringRef path) {
  for (size_t i = path.length; i-- > 0;)
    if (path.data[i] == '/')
      return mlirStringRefCreate(path.data + i + 1, path.length - i - 1);
  return path;
}

static MlirLocation strip_location(MlirContext context, MlirLocation location) {
  MlirLocation place = mlirLocationUnknownGet(context);
  MlirStringRef file;
  unsigned line, column;
  if (xc_location_place(location, &file, &line, &column)) {
    xc_text name = {0};
    MlirStringRef last = last_part(file);
    xc_text_append(&name, last.data, last.length);
    place = mlirLocationFileLineColGet(context, xc_ref(xc_text_str(&name)),
                                       line, column);
    xc_text_free(&name);
  }
  if (!mlirLocationIsAName(location))
    return place;
  return mlirLocationNameGet(
      context, mlirIdentifierStr(mlirLocationNameGetName(location)), place);
}

static void strip_arguments(MlirContext context, MlirOperation operation) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(operation); ++r) {
    MlirBlock block =
        mlirRegionGetFirstBlock(mlirOperationGetRegion(operation, r));
    for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i) {
        MlirValue argument = mlirBlockGetArgument(block, i);
        mlirBlockArgumentSetLocation(
            argument, strip_location(context, mlirValueGetLocation(argument)));
      }
  }
}

// Takes the content of a constant that lies in a file in. A constant that
// cannot be read stays as it is: who runs it is told.
static void take_in(MlirOperation operation) {
  const xc_op_info *info = xc_op_info_of(operation);
  xc_shape shape;
  if (!info || info->kind != XC_TIR_CONST ||
      mlirAttributeIsNull(
          mlirOperationGetAttributeByName(operation, xc_ref("path"))) ||
      !xc_shape_of_type(mlirValueGetType(mlirOperationGetResult(operation, 0)),
                        &shape))
    return;
  size_t size;
  void *bytes = xc_const_bytes(operation, &size);
  if (!bytes)
    return;
  mlirOperationSetAttributeByName(
      operation, xc_ref("value"),
      xc_dense_attribute(mlirOperationGetContext(operation), bytes, &shape));
  (void)mlirOperationRemoveAttributeByName(operation, xc_ref("path"));
  free(bytes);
}

static MlirWalkResult make_portable(MlirOperation operation, void *user_data) {
  MlirContext context = mlirOperationGetContext(operation);
  (void)user_data;
  take_in(operation); // a relative path is beside the file of the location
  mlirOperationSetLocation(
      operation, strip_location(context, mlirOperationGetLocation(operation)));
  strip_arguments(context, operation);
  return MlirWalkResultAdvance;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

typedef struct byte_list {
  unsigned char *data;
  size_t size, capacity;
} byte_list;

static void append(MlirStringRef piece, void *user_data) {
  byte_list *bytes = user_data;
  xc_grow((void **)&bytes->data, &bytes->capacity, bytes->size + piece.length,
          1);
  memcpy(bytes->data + bytes->size, piece.data, piece.length);
  bytes->size += piece.length;
}

// Takes the function over.
static MlirModule make_module(MlirContext context, MlirOperation function) {
  MlirModule module = mlirModuleCreateEmpty(mlirLocationUnknownGet(context));
  mlirBlockAppendOwnedOperation(mlirModuleGetBody(module), function);
  (void)mlirOperationRemoveAttributeByName(function, xc_ref("sym_visibility"));
  mlirOperationWalk(function, make_portable, NULL, MlirWalkPreOrder);
  return module;
}

MlirModule xc_portable_create(MlirOperation function) {
  return make_module(mlirOperationGetContext(function),
                     mlirOperationClone(function));
}

xc_buffer xc_portable_write(MlirModule module) {
  byte_list bytes = {0};
  mlirOperationWriteBytecode(mlirModuleGetOperation(module), append, &bytes);
  mlirModuleDestroy(module);
  return (xc_buffer){bytes.data, bytes.size};
}

//===----------------------------------------------------------------------===//
// Constants that are in the parameters
//===----------------------------------------------------------------------===//

static const xc_dpu_value *find_constant(const xc_dpu_function *function,
                                         const void *bytes, size_t size) {
  for (size_t i = 0; i < function->num_values; ++i) {
    const xc_dpu_value *value = &function->values[i];
    if (value->is_constant && value->recipe_size && value->num_bytes == size &&
        memcmp(value->bytes, bytes, size) == 0)
      return value;
  }
  return NULL;
}

static MlirWalkResult strip_constant(MlirOperation operation, void *user_data) {
  const xc_op_info *info = xc_op_info_of(operation);
  xc_shape shape;
  size_t size;
  if (!info || info->kind != XC_TIR_CONST)
    return MlirWalkResultAdvance;
  MlirType type = mlirValueGetType(mlirOperationGetResult(operation, 0));
  void *bytes = xc_const_bytes(operation, &size);
  const xc_dpu_value *found =
      bytes ? find_constant(user_data, bytes, size) : NULL;
  free(bytes);
  if (!found || !xc_shape_of_type(type, &shape))
    return MlirWalkResultAdvance;
  MlirContext context = mlirOperationGetContext(operation);
  MlirAttribute zero =
      mlirIntegerAttrGet(xc_type_of_element(context, shape.element), 0);
  mlirOperationSetAttributeByName(operation, xc_ref("value"),
                                  mlirDenseElementsAttrSplatGet(type, zero));
  mlirOperationSetAttributeByName(
      operation, xc_ref(XC_MIXED_RECIPE),
      mlirDenseI32ArrayGet(context, (intptr_t)found->recipe_size,
                           found->recipe));
  return MlirWalkResultAdvance;
}

void xc_portable_strip(const xc_dpu_function *function, MlirModule module) {
  mlirOperationWalk(mlirModuleGetOperation(module), strip_constant,
                    (void *)(uintptr_t)function, MlirWalkPreOrder);
}

xc_buffer xc_portable_write_constants(const MlirOperation *constants,
                                      size_t count, const char *name) {
  MlirContext context = mlirOperationGetContext(constants[0]);
  MlirBlock body = mlirBlockCreate(0, NULL, NULL);
  MlirType *types = xc_alloc_array(count, sizeof(*types));
  MlirValue *values = xc_alloc_array(count, sizeof(*values));
  for (size_t i = 0; i < count; ++i) {
    MlirOperation copy = mlirOperationClone(constants[i]);
    mlirBlockAppendOwnedOperation(body, copy);
    values[i] = mlirOperationGetResult(copy, 0);
    types[i] = mlirValueGetType(values[i]);
  }
  MlirLocation unknown = mlirLocationUnknownGet(context);
  const xc_builder builder = xc_builder_in(body, unknown);
  xc_build_return(&builder, values, count);
  MlirOperation function = xc_function_create(
      unknown, name, NULL,
      mlirFunctionTypeGet(context, 0, NULL, (intptr_t)count, types), body, NULL,
      0);
  free(types);
  free(values);
  return xc_portable_write(make_module(context, function));
}
