//===- Gate.c - channels through SiLU -------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SiLU, x times its sigmoid, lets no factor through: the sigmoid depends on the
// number as it is. But in floating point that number is easily had: what goes
// into the sigmoid is multiplied by the inverse of the channel's factor, and
// the product has the factor of x.
//
//===----------------------------------------------------------------------===//

#include "Equalize.h"

#include "IR/Builder.h"
#include "IR/IR.h"
#include "Support/Text.h"
#include "dialects/Build.h"

#include <stdlib.h>

// Whether an operator multiplies a value by the sigmoid of it.
static bool multiplies(MlirOperation op, MlirValue value, MlirValue sigmoid) {
  const xc_op_info *info = xc_op_info_of(op);
  if (!info || info->kind != XC_TIR_MUL)
    return false;
  MlirValue a = mlirOperationGetOperand(op, 0);
  MlirValue b = mlirOperationGetOperand(op, 1);
  return (mlirValueEqual(a, value) && mlirValueEqual(b, sigmoid)) ||
         (mlirValueEqual(b, value) && mlirValueEqual(a, sigmoid));
}

static bool is_sigmoid(MlirValue value) {
  const xc_op_info *info = mlirValueIsAOpResult(value)
                               ? xc_op_info_of(mlirOpResultGetOwner(value))
                               : NULL;
  return info && info->kind == XC_TIR_SIGMOID;
}

// A sigmoid that nothing else reads.
static bool visit_sigmoid(xc_equalizer *e, MlirOperation op) {
  MlirValue value = mlirOperationGetOperand(op, 0), result = xc_op_result(op);
  MlirOpOperand use = mlirValueGetFirstUse(result);
  if (!xc_channels_count(value) || mlirOpOperandIsNull(use) ||
      !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)) ||
      !multiplies(mlirOpOperandGetOwner(use), value, result))
    return false;
  void *all = e->gates;
  xc_grow(&all, &e->gate_capacity, e->num_gates + 1, sizeof(*e->gates));
  e->gates = all;
  e->gates[e->num_gates++] = op;
  return true;
}

static bool visit_product(xc_equalizer *e, MlirOperation op) {
  for (intptr_t i = 0; i < 2; ++i) {
    MlirValue sigmoid = mlirOperationGetOperand(op, i);
    MlirValue value = mlirOperationGetOperand(op, 1 - i);
    for (size_t g = e->num_gates; is_sigmoid(sigmoid) && g-- > 0;)
      if (mlirOperationEqual(e->gates[g], mlirOpResultGetOwner(sigmoid)) &&
          multiplies(op, value, sigmoid) &&
          mlirValueEqual(mlirOperationGetOperand(e->gates[g], 0), value)) {
        xc_channels_keep(&e->numbers, value, xc_op_result(op));
        return true;
      }
  }
  return false;
}

bool xc_equal_visit_gate(xc_equalizer *e, MlirOperation op, xc_op_kind kind) {
  if (!xc_pass_bool(e->q->run, "scale-gates"))
    return false;
  return kind == XC_TIR_SIGMOID ? visit_sigmoid(e, op)
                                : kind == XC_TIR_MUL && visit_product(e, op);
}

// The number as it was, in front of the sigmoid.
static bool unscale(MlirOperation sigmoid, const float *inverses,
                    int64_t channels) {
  const xc_builder builder = xc_builder_before(sigmoid);
  const xc_shape shape = {XC_ELEMENT_F32, 4, {1, 1, 1, channels}, false};
  MlirValue operands[] = {mlirOperationGetOperand(sigmoid, 0),
                          xc_build_const_bytes(&builder, inverses, &shape)};
  MlirStringRef name = xc_op_given_name(sigmoid);
  xc_text text = {0};
  xc_text_printf(&text, "%.*s/unscaled", (int)name.length,
                 name.data ? name.data : "");
  const xc_attribute attributes[] = {xc_string("op_name", xc_text_str(&text))};
  MlirValue result = {NULL};
  if (!mlirValueIsNull(operands[1]))
    result = xc_build(&builder, XC_TIR_MUL, operands, 2, attributes,
                      name.length ? 1 : 0, XC_ELEMENT_F32);
  xc_text_free(&text);
  if (mlirValueIsNull(result))
    return false;
  mlirOperationSetOperand(sigmoid, 0, result);
  return true;
}

bool xc_equal_unscale_gates(xc_equalizer *e) {
  bool ok = true;
  for (size_t g = 0; ok && g < e->num_gates; ++g) {
    MlirValue value = mlirOperationGetOperand(e->gates[g], 0);
    int64_t count = xc_channels_count(value);
    const int64_t *numbers = xc_channels_of(&e->numbers, value);
    float *inverses = xc_alloc_array((size_t)count + 1, sizeof(*inverses));
    bool differs = false;
    for (int64_t i = 0; i < count; ++i) {
      const xc_equal_channel *channel =
          &e->channels[xc_channels_root(&e->numbers, numbers[i])];
      inverses[i] = xc_equal_is_free(channel) ? (float)channel->inverse : 1.0F;
      differs |= inverses[i] != 1.0F;
    }
    ok = !differs || unscale(e->gates[g], inverses, count);
    free(inverses);
  }
  return ok;
}
