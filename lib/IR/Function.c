//===- Function.c - functions of a module ---------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Function.h"

#include "IR.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

typedef struct visitor {
  bool (*visit)(void *user_data, MlirOperation func);
  void *user_data;
  bool ok;
} visitor;

static MlirWalkResult visit_one(MlirOperation operation, void *user_data) {
  visitor *v = user_data;
  if (xc_op_is(operation, "func.func")) {
    v->ok = v->visit(v->user_data, operation);
    return v->ok ? MlirWalkResultSkip : MlirWalkResultInterrupt;
  }
  return MlirWalkResultAdvance;
}

bool xc_for_each_function(MlirOperation root,
                          bool (*visit)(void *user_data, MlirOperation func),
                          void *user_data) {
  visitor v = {visit, user_data, true};
  mlirOperationWalk(root, visit_one, &v, MlirWalkPreOrder);
  return v.ok;
}

MlirRegion xc_function_body(MlirOperation func) {
  MlirRegion region = mlirOperationGetRegion(func, 0);
  if (mlirBlockIsNull(mlirRegionGetFirstBlock(region)))
    return (MlirRegion){NULL};
  return region;
}

MlirType xc_function_type(MlirOperation func) {
  return mlirTypeAttrGetValue(
      mlirOperationGetInherentAttributeByName(func, xc_ref("function_type")));
}

MlirStringRef xc_function_name(MlirOperation func) {
  return mlirStringAttrGetValue(
      mlirOperationGetInherentAttributeByName(func, xc_ref("sym_name")));
}

MlirOperation xc_function_create(MlirLocation location, const char *name,
                                 const char *visibility, MlirType type,
                                 MlirBlock body,
                                 const MlirNamedAttribute *attributes,
                                 size_t num_attributes) {
  MlirContext context = mlirLocationGetContext(location);
  MlirRegion region = mlirRegionCreate();
  if (!mlirBlockIsNull(body))
    mlirRegionAppendOwnedBlock(region, body);
  const MlirNamedAttribute own[] = {
      xc_named(context, "sym_name", mlirStringAttrGet(context, xc_ref(name))),
      xc_named(context, "function_type", mlirTypeAttrGet(type)),
      xc_named(
          context, "sym_visibility",
          mlirStringAttrGet(context, xc_ref(visibility ? visibility : "")))};
  MlirOperationState state =
      mlirOperationStateGet(xc_ref("func.func"), location);
  mlirOperationStateAddAttributes(&state, visibility ? 3 : 2, own);
  mlirOperationStateAddAttributes(&state, (intptr_t)num_attributes, attributes);
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  return mlirOperationCreate(&state);
}
