//===- Parameters.c - reads constants back from DPU parameters ------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The weights of a DPU subgraph stand once in a file: as its machine code loads
// them. The portable form says how to find them there.
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"

#include "IR/IR.h"
#include "Support/Diag.h"
#include "dialects/Adaptor.h"
#include "dialects/Build.h"
#include "xc-c/DPUCodeGen.h"
#include "xc-c/XModelMixed.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>

typedef struct filler {
  const XcDpuTarget *target;
  XcDpuContents contents[XC_DPU_NUM_REGISTERS];
  bool ok;
} filler;

static bool fill(const filler *f, MlirOperation operation,
                 MlirAttribute recipe) {
  xc_shape shape;
  if (!mlirAttributeIsADenseI32Array(recipe) ||
      mlirOperationGetNumResults(operation) != 1 ||
      !xc_shape_of_type(mlirValueGetType(mlirOperationGetResult(operation, 0)),
                        &shape))
    return false;
  size_t count = (size_t)mlirDenseArrayGetNumElements(recipe);
  int32_t *numbers = xc_alloc_array(count, sizeof *numbers);
  for (size_t i = 0; i < count; ++i)
    numbers[i] = mlirDenseI32ArrayGetElement(recipe, (intptr_t)i);
  size_t width = (size_t)xc_element_size(shape.element);
  size_t size = (size_t)xc_shape_num_elements(&shape) * width;
  void *bytes = xc_alloc(size);
  bool ok = xcDpuReadParameters(f->target, f->contents, numbers, count, width,
                                bytes, size);
  if (ok)
    mlirOperationSetAttributeByName(
        operation, xc_ref("value"),
        xc_dense_attribute(mlirOperationGetContext(operation), bytes, &shape));
  (void)mlirOperationRemoveAttributeByName(operation, xc_ref(XC_MIXED_RECIPE));
  free(bytes);
  free(numbers);
  return ok;
}

static MlirWalkResult visit(MlirOperation operation, void *user_data) {
  filler *f = user_data;
  const xc_op_info *info = xc_op_info_of(operation);
  MlirAttribute recipe = xc_op_attribute(operation, XC_MIXED_RECIPE);
  if (!mlirAttributeIsNull(recipe))
    f->ok = f->ok && info && info->kind == XC_TIR_CONST &&
            info->dialect == XC_DIALECT_TIR && fill(f, operation, recipe);
  return MlirWalkResultAdvance;
}

static bool fill_all(const XcModel *model, MlirOperation operation,
                     XcDiag *diag, const XcXModelDpu *dpu) {
  const char *target = model->options.target;
  filler f = {.ok = true};
  f.target = target ? xcDpuTargetCreate(diag, target)
                    : xcXModelDpuCreateTarget(diag, dpu);
  if (!f.target)
    return false;
  for (size_t i = 0; i < dpu->numRegisters; ++i)
    if (dpu->registers[i].id < XC_DPU_NUM_REGISTERS)
      f.contents[dpu->registers[i].id] = (XcDpuContents){
          dpu->registers[i].initial, dpu->registers[i].initialSize};
  mlirOperationWalk(operation, visit, &f, MlirWalkPreOrder);
  xcDpuTargetDestroy(f.target);
  return f.ok || xc_file_error(diag, model->name,
                               "the parameters of part '%s' do not hold its "
                               "constants",
                               dpu->name);
}

static MlirWalkResult find_recipe(MlirOperation operation, void *user_data) {
  bool *found = user_data;
  *found = !mlirAttributeIsNull(xc_op_attribute(operation, XC_MIXED_RECIPE));
  return *found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

bool xc_rt_fill_constants(XcDiag *diag, const XcModel *model,
                          MlirOperation operation,
                          const XcXModelSubgraph *subgraph) {
  bool found = false;
  mlirOperationWalk(operation, find_recipe, &found, MlirWalkPreOrder);
  if (!found)
    return true;
  const XcXModelDpu *dpu = xcXModelDpuCreate(diag, model->container, subgraph);
  bool ok = dpu && fill_all(model, operation, diag, dpu);
  xcXModelDpuDestroy(dpu);
  return ok;
}
