//===- AbsorbFix.c - tir-absorb-fix ---------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The field's quantisers export float operators with a tir.fix after each. A
// fix is a quantisation and its inverse with scale 2^-fix_point:
//
//   fix(x)         dequantize-linear(quantize-linear(x))
//   fix(constant)  dequantize-linear(the integers)
//
// and what remains is the folding that QDQ models need too (Qdq/Fold.h). Only
// 8-bit signed fixes are taken, and of values that are computed only those that
// round as the DPU does: a -fix operator has one rounding, at its end.
//
// Weights without a fix, as tir-legalize makes them for a bilinear resize, are
// integers too where they are so exactly. For such operators the pass takes up
// again what float2fix and fix2float it left itself.
//
//===----------------------------------------------------------------------===//

#include "IR/Builder.h"
#include "IR/IR.h"
#include "Pass/Pass.h"
#include "Qdq/Fold.h"
#include "Support/Memory.h"
#include "dialects/Adaptor.h"
#include "xc-c/FixedPoint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct op_list {
  bool (*wanted)(xc_op_kind kind);
  MlirOperation *items;
  size_t count, capacity;
} op_list;

static bool is_fix(xc_op_kind kind) { return kind == XC_TIR_FIX; }

static bool is_boundary(xc_op_kind kind) {
  return kind == XC_TIR_FLOAT2FIX || kind == XC_TIR_FIX2FLOAT;
}

static bool is_convolution(xc_op_kind kind) {
  return kind == XC_TIR_CONV2D || kind == XC_TIR_DEPTHWISE_CONV2D ||
         kind == XC_TIR_TRANSPOSED_CONV2D ||
         kind == XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D;
}

static MlirWalkResult collect(MlirOperation operation, void *user_data) {
  op_list *list = user_data;
  const xc_op_info *info = xc_op_info_of(operation);
  if (!info || info->dialect != XC_DIALECT_TIR || !list->wanted(info->kind))
    return MlirWalkResultAdvance;
  void *items = list->items;
  xc_grow(&items, &list->capacity, list->count + 1, sizeof(MlirOperation));
  list->items = items;
  list->items[list->count++] = operation;
  return MlirWalkResultAdvance;
}

static bool round_mode_of(const xc_adaptor *adaptor, XcRoundMode *mode) {
  const char *name = xc_enum_name(xc_attr_enum(adaptor, XC_ATTR_ROUND_MODE));
  return xcRoundModeParse(name, strlen(name), mode);
}

// Returns the integers of a float constant, or a null value when it has no
// content.
static MlirValue quantise_constant(const xc_builder *builder,
                                   const xc_adaptor *fix,
                                   MlirOperation constant, XcRoundMode mode) {
  size_t size;
  float *real = xc_const_bytes(constant, &size);
  if (!real)
    return (MlirValue){NULL};
  size_t count = size / sizeof(float);
  int8_t *integers = xc_alloc(count);
  XcFixType type = {8, true};
  for (size_t i = 0; i < count; ++i)
    integers[i] = (int8_t)xcFloatToFix(
        (double)real[i], (int)xc_attr_int(fix, XC_ATTR_FIX_POINT), type, mode);
  xc_shape shape = xc_operand_shape(fix, 0);
  shape.element = XC_ELEMENT_I8;
  MlirValue value = xc_build_const_bytes(builder, integers, &shape);
  free(integers);
  free(real);
  return value;
}

static bool is_absorbed(const xc_adaptor *fix, XcRoundMode mode,
                        bool is_constant) {
  return xc_attr_int(fix, XC_ATTR_BIT_WIDTH) == 8 &&
         xc_attr_bool(fix, XC_ATTR_IF_SIGNED) &&
         (is_constant || mode == XcRoundModeDpu);
}

// Attributes of a quantisation by 2^-point, which point into this.
typedef struct linear {
  float scale;
  int64_t zero;
  xc_attribute list[3];
  size_t count;
} linear;

static void set_linear(linear *l, int64_t point, MlirAttribute name) {
  *l = (linear){.scale = ldexpf(1.0F, -(int)point), .count = 2};
  l->list[0] = xc_floats("scale", &l->scale, 1);
  l->list[1] = xc_ints("zero_point", &l->zero, 1);
  if (!mlirAttributeIsNull(name))
    l->list[l->count++] = xc_given("op_name", name);
}

// Returns false after a diagnostic; a fix that is not taken stays.
static bool split_fix(MlirOperation operation) {
  xc_adaptor fix;
  XcRoundMode mode;
  if (!xc_adaptor_of(operation, &fix) || !round_mode_of(&fix, &mode))
    return true;
  MlirValue source = xc_operand(&fix, 0);
  MlirOperation constant = xc_constant_of(source);
  if (xc_operand_shape(&fix, 0).element != XC_ELEMENT_F32 ||
      !is_absorbed(&fix, mode, !mlirOperationIsNull(constant)))
    return true;
  xc_builder builder = xc_builder_before(operation);
  linear l;
  set_linear(&l, xc_attr_int(&fix, XC_ATTR_FIX_POINT),
             xc_attr_get(&fix, XC_ATTR_OP_NAME));
  MlirValue integers = mlirOperationIsNull(constant)
                           ? xc_build(&builder, XC_TIR_QUANTIZE_LINEAR, &source,
                                      1, l.list, l.count, XC_ELEMENT_I8)
                           : quantise_constant(&builder, &fix, constant, mode);
  if (mlirValueIsNull(integers))
    return !mlirOperationIsNull(constant);
  MlirValue real = xc_build(&builder, XC_TIR_DEQUANTIZE_LINEAR, &integers, 1,
                            l.list, l.count, XC_ELEMENT_F32);
  if (mlirValueIsNull(real))
    return false;
  mlirValueReplaceAllUsesOfWith(xc_op_result(operation), real);
  mlirOperationDestroy(operation);
  return true;
}

// float2fix and fix2float are quantisations and dequantisations.
static bool open_boundary(MlirOperation operation) {
  xc_adaptor boundary;
  XcRoundMode mode;
  if (!xc_adaptor_of(operation, &boundary) || !round_mode_of(&boundary, &mode))
    return true;
  bool quantizes = boundary.info->kind == XC_TIR_FLOAT2FIX;
  MlirValue source = xc_operand(&boundary, 0);
  xc_shape real =
      quantizes ? xc_operand_shape(&boundary, 0) : xc_result_shape(&boundary);
  if (real.element != XC_ELEMENT_F32 ||
      !is_absorbed(&boundary, mode, !quantizes))
    return true;
  xc_builder builder = xc_builder_before(operation);
  linear l;
  set_linear(&l, xc_attr_int(&boundary, XC_ATTR_FIX_POINT),
             xc_attr_get(&boundary, XC_ATTR_OP_NAME));
  MlirValue value = quantizes
                        ? xc_build(&builder, XC_TIR_QUANTIZE_LINEAR, &source, 1,
                                   l.list, l.count, XC_ELEMENT_I8)
                        : xc_build(&builder, XC_TIR_DEQUANTIZE_LINEAR, &source,
                                   1, l.list, l.count, XC_ELEMENT_F32);
  if (mlirValueIsNull(value))
    return false;
  mlirValueReplaceAllUsesOfWith(xc_op_result(operation), value);
  mlirOperationDestroy(operation);
  return true;
}

// The largest fix point at which all numbers fit; false where some number is
// then no integer.
static bool exact_point(const float *numbers, size_t count, int *point) {
  // Of 127 above zero and 128 below it.
  double largest = 0.0;
  for (size_t i = 0; i < count; ++i)
    largest = fmax(largest,
                   (double)numbers[i] / (numbers[i] < 0 ? INT8_MIN : INT8_MAX));
  int exponent;
  if (largest == 0.0 || !isfinite(largest))
    return false;
  frexp(1 / largest, &exponent);
  *point = exponent - 1;
  for (size_t i = 0; i < count; ++i) {
    double scaled = ldexp((double)numbers[i], *point);
    if (scaled != nearbyint(scaled))
      return false;
  }
  return *point >= -128 && *point <= 127;
}

static bool fix_exact_weight(MlirOperation operation) {
  xc_adaptor conv;
  if (!xc_adaptor_of(operation, &conv))
    return true;
  MlirOperation constant = xc_constant_of(xc_operand(&conv, XC_CONV2D_WEIGHT));
  xc_shape shape = xc_operand_shape(&conv, XC_CONV2D_WEIGHT);
  size_t size;
  int point;
  if (mlirOperationIsNull(constant) || shape.element != XC_ELEMENT_F32)
    return true;
  float *numbers = xc_const_bytes(constant, &size);
  size_t count = numbers ? size / sizeof(float) : 0;
  bool ok = true;
  if (numbers && exact_point(numbers, count, &point)) {
    int8_t *integers = xc_alloc(count);
    for (size_t i = 0; i < count; ++i)
      integers[i] = (int8_t)ldexp((double)numbers[i], point);
    shape.element = XC_ELEMENT_I8;
    xc_builder builder = xc_builder_before(operation);
    linear l;
    MlirValue value = xc_build_const_bytes(&builder, integers, &shape);
    set_linear(&l, point, (MlirAttribute){NULL});
    value = xc_build(&builder, XC_TIR_DEQUANTIZE_LINEAR, &value, 1, l.list,
                     l.count, XC_ELEMENT_F32);
    ok = !mlirValueIsNull(value);
    if (ok)
      mlirOperationSetOperand(operation, XC_CONV2D_WEIGHT, value);
    free(integers);
  }
  free(numbers);
  return ok;
}

static bool for_all(MlirOperation root, bool (*wanted)(xc_op_kind kind),
                    bool (*visit)(MlirOperation operation), size_t *count) {
  op_list list = {.wanted = wanted};
  mlirOperationWalk(root, collect, &list, MlirWalkPreOrder);
  bool ok = true;
  for (size_t i = 0; i < list.count && ok; ++i)
    ok = visit(list.items[i]);
  *count = list.count;
  free(list.items);
  return ok;
}

typedef struct absorption {
  bool rounds_bias, ok;
} absorption;

static bool absorb(MlirOperation function, bool rounds_bias) {
  MlirBlock entry =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  size_t fixes, boundaries, count;
  if (!for_all(function, is_fix, split_fix, &fixes) ||
      !for_all(function, is_boundary, open_boundary, &boundaries))
    return false;
  // Models without a fix are not ours to fold.
  return fixes + boundaries == 0 ||
         (for_all(function, is_convolution, fix_exact_weight, &count) &&
          xc_fold_qdq(entry, rounds_bias));
}

static MlirWalkResult absorb_in(MlirOperation operation, void *user_data) {
  absorption *a = user_data;
  if (!xc_op_is(operation, "func.func"))
    return MlirWalkResultAdvance;
  a->ok = absorb(operation, a->rounds_bias);
  return a->ok ? MlirWalkResultSkip : MlirWalkResultInterrupt;
}

static bool run(xc_pass_run *run) {
  absorption a = {.rounds_bias = xc_pass_bool(run, "round-bias"), .ok = true};
  mlirOperationWalk(run->root, absorb_in, &a, MlirWalkPreOrder);
  return a.ok;
}

static const xc_pass_option options[] = {
    {"round-bias", XC_PASS_OPTION_BOOL, "false",
     "Take a bias in floating point between fixes as integers of the sum"}};

const xc_pass_info xc_pass_tir_absorb_fix = {
    .argument = "tir-absorb-fix",
    .name = "TirAbsorbFix",
    .summary = "Turn float operators between tir.fix into -fix operators",
    .description =
        "The field's quantisers export float operators, each with a `tir.fix` "
        "after it. An operator whose inputs and result are fixed becomes its "
        "`-fix` form; the fixes at the edge become `float2fix` and "
        "`fix2float`. Fixes of constants take their own rounding mode; "
        "computed "
        "values are taken only with DPU_ROUND, 8 bits, signed. After an error "
        "the function may be partly changed.",
    .anchor = "func.func",
    .options = options,
    .num_options = sizeof(options) / sizeof(*options),
    .run = run,
};
