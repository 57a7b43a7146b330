//===- Custom.c - operators that only the host knows ----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"

#include "IR/IR.h"
#include "dialects/Emit.h"

#include "mlir-c/BuiltinAttributes.h"

#include <assert.h>
#include <string.h>

static MlirWalkResult find_custom(MlirOperation operation, void *found) {
  const xc_op_info *info = xc_op_info_of(operation);
  if (!info || info->kind != XC_TIR_CUSTOM)
    return MlirWalkResultAdvance;
  *(bool *)found = true;
  return MlirWalkResultInterrupt;
}

bool xc_rt_has_custom(const xc_rt_part *part) {
  bool found = false;
  mlirOperationWalk(mlirModuleGetOperation(part->module), find_custom, &found,
                    MlirWalkPreOrder);
  return found;
}

static const XcCustomKernel *find_kernel(const XcModel *model,
                                         const char *type) {
  for (size_t i = 0; i < model->options.numKernels; ++i)
    if (strcmp(model->options.kernels[i].opType, type) == 0)
      return &model->options.kernels[i];
  return NULL;
}

bool xc_rt_run_custom(void *user_data, MlirOperation operation,
                      const void *const *inputs, size_t num_inputs,
                      void *output) {
  const XcModel *model = user_data;
  XcModel scratch = {.context = model->context};
  XcTensorInfo infos[XC_MAX_OPERANDS];
  assert(num_inputs <= XC_MAX_OPERANDS && "operators have no more");
  for (size_t i = 0; i < num_inputs; ++i)
    infos[i] = xc_rt_tensor_info(
        mlirValueGetType(mlirOperationGetOperand(operation, (intptr_t)i)));
  MlirValue result =
      mlirOperationGetNumResults(operation)
          ? mlirOperationGetResult(operation, 0)
          : mlirOperationGetOperand(operation, (intptr_t)num_inputs);
  MlirAttribute payload = xc_op_attribute(operation, "payload");
  XcCustomCall call = {
      .opType = xc_rt_string(&scratch, mlirStringAttrGetValue(xc_op_attribute(
                                           operation, "op_type"))),
      .numInputs = num_inputs,
      .inputs = infos,
      .inputData = inputs,
      .output = xc_rt_tensor_info(mlirValueGetType(result)),
      .outputData = output,
      .payload = payload.ptr};
  xc_rt_describe(&scratch, operation, &call.output);
  call.opName = call.output.opName;
  const XcCustomKernel *kernel = find_kernel(model, call.opType);
  const char *why = kernel ? kernel->function(kernel->userData, &call) : NULL;
  if (!kernel)
    xc_op_error(operation,
                "'%s' of type '%s' is known to the host only, which has "
                "registered no kernel of that name",
                call.opName, call.opType);
  else if (why)
    xc_op_error(operation, "'%s' of type '%s' failed: %s", call.opName,
                call.opType, why);
  xc_arena_free(&scratch.arena);
  return kernel && !why;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static MlirAttribute payload_get(const XcCustomCall *call, const char *name) {
  if (!call->payload)
    return (MlirAttribute){NULL};
  return mlirDictionaryAttrGetElementByName(
      (MlirAttribute){(void *)call->payload},
      mlirStringRefCreateFromCString(name));
}

static bool get_int(MlirAttribute attribute, int64_t *result) {
  if (mlirAttributeIsNull(attribute))
    return false;
  if (mlirAttributeIsABool(attribute))
    *result = mlirBoolAttrGetValue(attribute);
  else if (mlirAttributeIsAInteger(attribute))
    *result = mlirIntegerAttrGetValueInt(attribute);
  else
    return false;
  return true;
}

bool xcCustomCallGetInt(const XcCustomCall *call, const char *name,
                        int64_t *result) {
  return get_int(payload_get(call, name), result);
}

bool xcCustomCallGetReal(const XcCustomCall *call, const char *name,
                         double *result) {
  MlirAttribute attribute = payload_get(call, name);
  int64_t integer;
  if (get_int(attribute, &integer)) {
    *result = (double)integer;
    return true;
  }
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAFloat(attribute))
    return false;
  *result = mlirFloatAttrGetValueDouble(attribute);
  return true;
}

const char *xcCustomCallGetString(const XcCustomCall *call, const char *name,
                                  size_t *length) {
  MlirAttribute attribute = payload_get(call, name);
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAString(attribute))
    return NULL;
  MlirStringRef string = mlirStringAttrGetValue(attribute);
  *length = string.length;
  return string.data;
}

// Lists of numbers are arrays or dense.
static size_t count_ints(MlirAttribute attribute) {
  if (mlirAttributeIsNull(attribute))
    return SIZE_MAX;
  if (mlirAttributeIsAArray(attribute))
    return (size_t)mlirArrayAttrGetNumElements(attribute);
  if (mlirAttributeIsADenseI8Array(attribute) ||
      mlirAttributeIsADenseI32Array(attribute) ||
      mlirAttributeIsADenseI64Array(attribute))
    return (size_t)mlirDenseArrayGetNumElements(attribute);
  return SIZE_MAX;
}

static bool int_at(MlirAttribute attribute, size_t i, int64_t *result) {
  if (mlirAttributeIsAArray(attribute))
    return get_int(mlirArrayAttrGetElement(attribute, (intptr_t)i), result);
  *result = mlirAttributeIsADenseI8Array(attribute)
                ? mlirDenseI8ArrayGetElement(attribute, (intptr_t)i)
            : mlirAttributeIsADenseI32Array(attribute)
                ? mlirDenseI32ArrayGetElement(attribute, (intptr_t)i)
                : mlirDenseI64ArrayGetElement(attribute, (intptr_t)i);
  return true;
}

size_t xcCustomCallGetInts(const XcCustomCall *call, const char *name,
                           int64_t *result, size_t capacity) {
  MlirAttribute attribute = payload_get(call, name);
  size_t count = count_ints(attribute);
  if (count == SIZE_MAX)
    return SIZE_MAX;
  for (size_t i = 0; i < count && i < capacity; ++i)
    if (!int_at(attribute, i, &result[i]))
      return SIZE_MAX;
  return count;
}
