//===- Outline.c - private functions that operators share -----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Outline.h"

#include "IR/AttributeNames.h"
#include "IR/Function.h"
#include "IR/IR.h"
#include "Support/Text.h"
#include "dialects/OpInfo.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/LLVM.h"

#include <assert.h>
#include <inttypes.h>

xc_outliner xc_outliner_begin(MlirOperation module) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0));
  return (xc_outliner){.context = mlirOperationGetContext(module),
                       .module = body,
                       .first = mlirBlockGetFirstOperation(body)};
}

void xc_outliner_end(xc_outliner *outliner) {
  xc_pointer_map_free(&outliner->functions);
  xc_pointer_map_free(&outliner->numbers);
  xc_pointer_map_free(&outliner->external);
  xc_arena_free(&outliner->arena);
}

static const char *number_name(xc_outliner *outliner, const char *name) {
  const void *key = mlirIdentifierGet(outliner->context, xc_ref(name)).ptr;
  uintptr_t number = (uintptr_t)xc_pointer_map_get(&outliner->numbers, key);
  xc_pointer_map_set(&outliner->numbers, key, (void *)(number + 1));
  xc_text text = {0};
  xc_text_printf(&text, "xc.%s.%" PRIuPTR, name, number);
  const char *full = xc_arena_string(&outliner->arena, text.data, text.length);
  xc_text_free(&text);
  return full;
}

static MlirOperation create(MlirLocation location, const char *name,
                            MlirBlock body, const bool *alone) {
  MlirContext context = mlirLocationGetContext(location);
  MlirType types[XC_OUTLINE_MAX_ARGUMENTS];
  MlirAttribute argument_attributes[XC_OUTLINE_MAX_ARGUMENTS];
  intptr_t count = mlirBlockGetNumArguments(body);
  assert(count <= XC_OUTLINE_MAX_ARGUMENTS && "functions take few arguments");
  MlirNamedAttribute noalias =
      xc_named(context, "llvm.noalias", mlirUnitAttrGet(context));
  for (intptr_t i = 0; i < count; ++i) {
    types[i] = mlirValueGetType(mlirBlockGetArgument(body, i));
    argument_attributes[i] = mlirDictionaryAttrGet(context, alone[i], &noalias);
  }
  MlirAttribute noinline = mlirStringAttrGet(context, xc_ref("noinline"));
  const MlirNamedAttribute attributes[] = {
      xc_named(context, "arg_attrs",
               mlirArrayAttrGet(context, count, argument_attributes)),
      xc_named(context, "llvm.linkage",
               mlirLLVMLinkageAttrGet(context, MlirLLVMLinkageInternal)),
      xc_named(context, "passthrough", mlirArrayAttrGet(context, 1, &noinline)),
      xc_named(context, XC_NAME_KERNEL, mlirUnitAttrGet(context))};
  return xc_function_create(location, name, "private",
                            mlirFunctionTypeGet(context, count, types, 0, NULL),
                            body, attributes,
                            sizeof(attributes) / sizeof(*attributes));
}

const char *xc_outline(xc_outliner *outliner, MlirLocation location,
                       const char *name, MlirBlock body, const bool *alone) {
  const xc_builder builder = xc_builder_in(body, location);
  xc_build_return(&builder, NULL, 0);
  const char *full = number_name(outliner, name);
  mlirBlockInsertOwnedOperationBefore(outliner->module, outliner->first,
                                      create(location, full, body, alone));
  return full;
}

const char *xc_outline_declare(xc_outliner *outliner, MlirLocation location,
                               const char *name, const MlirType *types,
                               size_t count) {
  MlirType type =
      mlirFunctionTypeGet(outliner->context, (intptr_t)count, types, 0, NULL);
  const char *full = number_name(outliner, name);
  MlirOperation declaration = xc_function_create(
      location, full, "private", type, (MlirBlock){NULL}, NULL, 0);
  mlirBlockInsertOwnedOperationBefore(outliner->module, outliner->first,
                                      declaration);
  return full;
}

void xc_outline_declare_external(xc_outliner *outliner, MlirLocation location,
                                 const char *name, const MlirType *types,
                                 size_t count) {
  const void *key = mlirIdentifierGet(outliner->context, xc_ref(name)).ptr;
  if (xc_pointer_map_has(&outliner->external, key))
    return;
  xc_pointer_map_set(&outliner->external, key, outliner);
  MlirType type =
      mlirFunctionTypeGet(outliner->context, (intptr_t)count, types, 0, NULL);
  mlirBlockInsertOwnedOperationBefore(
      outliner->module, outliner->first,
      xc_function_create(location, name, "private", type, (MlirBlock){NULL},
                         NULL, 0));
}

MlirType xc_outline_signless(MlirType type) {
  MlirType element = mlirShapedTypeGetElementType(type);
  bool small = mlirTypeIsAF16(element) || mlirTypeIsABF16(element);
  if (!small && !mlirTypeIsAInteger(element))
    return type;
  unsigned width = small ? 16 : mlirIntegerTypeGetWidth(element);
  MlirType plain =
      mlirIntegerTypeGet(mlirTypeGetContext(type), width == 1 ? 8 : width);
  if (mlirTypeEqual(element, plain))
    return type;
  int64_t dims[XC_MAX_RANK];
  intptr_t rank = mlirShapedTypeGetRank(type);
  for (intptr_t i = 0; i < rank; ++i)
    dims[i] = mlirShapedTypeGetDimSize(type, i);
  return mlirMemRefTypeGet(plain, rank, dims, mlirMemRefTypeGetLayout(type),
                           mlirMemRefTypeGetMemorySpace(type));
}
