//===- Check.c - the reference run that everything is compared with -------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Graph.h"
#include "Random.h"

#include "Support/Memory.h"
#include "xc-c/Dialects.h"
#include "xc-c/Interpreter.h"
#include "xc-c/Passes.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *fuzz_verdict_word(fuzz_verdict verdict) {
  static const char *const words[] = {
#define FUZZ_WORD(NAME, word, meaning) word,
      FUZZ_VERDICTS(FUZZ_WORD)
#undef FUZZ_WORD
  };
  return words[verdict];
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

MlirBlock fuzz_body(MlirOperation function) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
}

MlirOperation fuzz_find_function(MlirModule module, MlirStringRef name) {
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    MlirAttribute symbol = mlirOperationGetAttributeByName(
        op, mlirStringRefCreateFromCString("sym_name"));
    if (!mlirAttributeIsNull(symbol) &&
        mlirStringRefEqual(mlirStringAttrGetValue(symbol), name))
      return op;
  }
  return op;
}

MlirOperation fuzz_main_function(MlirModule module) {
  return fuzz_find_function(module, mlirStringRefCreateFromCString("main"));
}

MlirModule fuzz_clone(MlirModule module) {
  return mlirModuleFromOperation(
      mlirOperationClone(mlirModuleGetOperation(module)));
}

static void ignore(MlirStringRef message, void *user_data) {
  (void)message;
  (void)user_data;
}

bool fuzz_run_passes(MlirModule module, const char *pipeline) {
  MlirContext context = mlirModuleGetContext(module);
  MlirStringRef anchor = mlirStringRefCreateFromCString("builtin.module");
  MlirPassManager manager = mlirPassManagerCreateOnOperation(context, anchor);
  bool ok = mlirLogicalResultIsSuccess(xcPassManagerAddPipeline(
                mlirPassManagerGetAsOpPassManager(manager), anchor,
                mlirStringRefCreateFromCString(pipeline), ignore, NULL)) &&
            mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(
                manager, mlirModuleGetOperation(module)));
  mlirPassManagerDestroy(manager);
  return ok;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

size_t fuzz_tensor_size(const xc_shape *shape) {
  return (size_t)xc_shape_num_elements(shape) * xc_element_size(shape->element);
}

void fuzz_tensors_of_types(fuzz_tensors *tensors, const MlirType *types,
                           size_t count) {
  tensors->count = count;
  tensors->data = xc_alloc_array(count, sizeof(void *));
  tensors->shapes = xc_alloc_array(count, sizeof(xc_shape));
  for (size_t i = 0; i < count; ++i) {
    xc_shape_of_type(types[i], &tensors->shapes[i]);
    tensors->data[i] = xc_alloc(fuzz_tensor_size(&tensors->shapes[i]));
  }
}

void fuzz_tensors_free(fuzz_tensors *tensors) {
  for (size_t i = 0; i < tensors->count; ++i)
    free(tensors->data[i]);
  free(tensors->data);
  free(tensors->shapes);
  *tensors = (fuzz_tensors){0};
}

// Of magnitude 2^-9 to 4, so that sums neither vanish nor overflow; the bits
// below those of the format are cut off.
static uint16_t to_half(float value) {
  int exponent;
  float fraction = frexpf(fabsf(value), &exponent); // 0.5 to 1
  unsigned mantissa = (unsigned)(fraction * 2048.0F) & 1023u;
  return (uint16_t)((value < 0 ? 0x8000u : 0u) |
                    (unsigned)(exponent + 14) << 10 | mantissa);
}

static void store_real(xc_element element, double value, unsigned char *at) {
  float single = (float)value;
  uint32_t bits;
  memcpy(&bits, &single, sizeof(bits));
  uint16_t half = to_half(single), brain = (uint16_t)(bits >> 16);
  switch (element) {
  case XC_ELEMENT_F16:
    memcpy(at, &half, sizeof(half));
    return;
  case XC_ELEMENT_BF16:
    memcpy(at, &brain, sizeof(brain));
    return;
  case XC_ELEMENT_F64:
    memcpy(at, &value, sizeof(value));
    return;
  default:
    memcpy(at, &single, sizeof(single));
    return;
  }
}

static double some_real(fuzz_random *random) {
  double value = fuzz_real(random, 0.002, 2.0);
  return fuzz_chance(random, 50) ? value : -value;
}

void fuzz_fill(uint64_t seed, const xc_shape *shape, void *data) {
  fuzz_random random = {seed};
  size_t size = xc_element_size(shape->element);
  size_t count = (size_t)xc_shape_num_elements(shape);
  unsigned char *bytes = data;
  for (size_t i = 0; i < count; ++i) {
    unsigned char *at = bytes + i * size;
    if (xc_element_is_float(shape->element)) {
      store_real(shape->element, some_real(&random), at);
      continue;
    }
    uint64_t value = fuzz_next(&random);
    bool is_wide = size > 2 && fuzz_chance(&random, 90);
    if (shape->element == XC_ELEMENT_I1)
      value &= 1;
    else if (is_wide) // sums of small numbers as well as overflows
      value = (uint64_t)((int64_t)(value % 2001) - 1000);
    else if (fuzz_chance(&random, 5)) // the ends of the range
      value = fuzz_chance(&random, 50) ? UINT64_C(0x7f7f7f7f7f7f7f7f)
                                       : UINT64_C(0x8080808080808080);
    memcpy(at, &value, size);
  }
}

//===----------------------------------------------------------------------===//
// The reference run
//===----------------------------------------------------------------------===//

// The largest number that anything computes: what rounding errors are measured
// with.
static bool note_largest(void *user_data, MlirOperation operation,
                         MlirValue value, const void *data, size_t size) {
  (void)operation;
  (void)size;
  xc_shape shape;
  fuzz_tensors *outputs = user_data;
  if (xc_shape_of_type(mlirValueGetType(value), &shape))
    outputs->largest = fmax(
        outputs->largest, fuzz_largest(&shape, data, &outputs->has_no_number));
  return true;
}

static bool run_reference(MlirOperation function, fuzz_tensors *inputs,
                          fuzz_tensors *outputs) {
  for (size_t i = 0; i < inputs->count; ++i)
    outputs->largest =
        fmax(outputs->largest, fuzz_largest(&inputs->shapes[i], inputs->data[i],
                                            &outputs->has_no_number));
  XcInterpreter *interpreter = xcInterpreterCreate(function);
  if (interpreter)
    xcInterpreterSetObserver(interpreter, note_largest, outputs);
  bool ok =
      interpreter && xcInterpreterRun(interpreter, inputs->data, outputs->data);
  xcInterpreterDestroy(interpreter);
  return ok;
}

static void make_tensors(MlirModule module, uint64_t seed, fuzz_tensors *inputs,
                         fuzz_tensors *outputs) {
  MlirType type = mlirTypeAttrGetValue(mlirOperationGetAttributeByName(
      fuzz_main_function(module),
      mlirStringRefCreateFromCString("function_type")));
  intptr_t num_inputs = mlirFunctionTypeGetNumInputs(type);
  intptr_t num_outputs = mlirFunctionTypeGetNumResults(type);
  MlirType *types =
      xc_alloc_array((size_t)(num_inputs + num_outputs), sizeof(MlirType));
  for (intptr_t i = 0; i < num_inputs; ++i)
    types[i] = mlirFunctionTypeGetInput(type, i);
  for (intptr_t i = 0; i < num_outputs; ++i)
    types[num_inputs + i] = mlirFunctionTypeGetResult(type, i);
  fuzz_tensors_of_types(inputs, types, (size_t)num_inputs);
  fuzz_tensors_of_types(outputs, types + num_inputs, (size_t)num_outputs);
  free(types);
  for (size_t i = 0; i < inputs->count; ++i)
    fuzz_fill(seed + i, &inputs->shapes[i], inputs->data[i]);
}

static void count_operators(MlirModule module, fuzz_counts *counts) {
  MlirOperation op =
      mlirBlockGetFirstOperation(fuzz_body(fuzz_main_function(module)));
  ++counts->graphs;
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    const xc_op_info *info = xc_op_info_of(op);
    if (!info || info->rule == XC_RULE_CONST)
      continue;
    ++counts->operators;
    ++counts->made[info->kind];
  }
}

static bool has_operator(MlirModule module, const char *mnemonic) {
  MlirOperation op =
      mlirBlockGetFirstOperation(fuzz_body(fuzz_main_function(module)));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    const xc_op_info *info = xc_op_info_of(op);
    if (info && strcmp(info->mnemonic, mnemonic) == 0)
      return true;
  }
  return false;
}

fuzz_verdict fuzz_check(MlirModule module, const fuzz_setting *setting,
                        xc_text *why) {
  if (mlirLogicalResultIsFailure(xcVerify(mlirModuleGetOperation(module))) ||
      !mlirOperationVerify(mlirModuleGetOperation(module)))
    return FUZZ_INVALID;
  if (setting->fault && has_operator(module, setting->fault)) {
    xc_text_printf(why, "there is a %s", setting->fault);
    return FUZZ_DIFFERS;
  }
  fuzz_tensors inputs = {0}, outputs = {0};
  make_tensors(module, setting->seed, &inputs, &outputs);
  fuzz_verdict verdict = FUZZ_REFERENCE;
  count_operators(module, setting->counts);
  if (run_reference(fuzz_main_function(module), &inputs, &outputs))
    verdict = (setting->mode == FUZZ_DPU ? fuzz_check_dpu : fuzz_check_cpu)(
        module, setting, &inputs, &outputs, why);
  for (size_t i = 0; i < outputs.count; ++i)
    setting->counts->values +=
        (uint64_t)xc_shape_num_elements(&outputs.shapes[i]);
  fuzz_tensors_free(&inputs);
  fuzz_tensors_free(&outputs);
  return verdict;
}
