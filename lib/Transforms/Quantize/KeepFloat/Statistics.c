//===- Statistics.c - normalisation by statistics of the tensor -----------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// InstanceNormalization and its like divide by the root of a variance. No DPU
// has roots and quotients, so that the tensor comes to the CPU anyhow. Squares
// and means of 8 bits on the way lose most of what the network computes: a
// channel whose numbers are a tenth of the largest ones has squares of a
// hundredth, which is one step. All that leads from the tensor to the root
// stays in floating point, and so does what is computed of the quotient element
// by element, so that one rounding is left.
//
// What goes in may have any factor and zero point in each channel, as for
// activations on the CPU (FloatActivation.c): a channel of small numbers, whose
// rounding errors the division would make large, has all bits then.
//
//===----------------------------------------------------------------------===//

#include "IR/AttributeNames.h"
#include "IR/IR.h"
#include "Interpreter/Kernel.h"
#include "Support/Text.h"
#include "Transforms/Quantize/Equalize/FloatActivation.h"

#include "mlir-c/BuiltinAttributes.h"

#include <inttypes.h>

//===----------------------------------------------------------------------===//
// Kinds of operators
//===----------------------------------------------------------------------===//

bool xc_float_is_scale(const xc_adaptor *op) {
  switch (op->info->kind) {
  case XC_TIR_BATCHNORM:
  case XC_TIR_SCALE:
    return true;
  case XC_TIR_DEPTHWISE_CONV2D: // how tir-legalize writes one
    return xc_attr_all(op, XC_ATTR_KERNEL, 1) &&
           xc_attr_all(op, XC_ATTR_STRIDE, 1) &&
           xc_attr_all(op, XC_ATTR_PAD, 0) &&
           !mlirOperationIsNull(xc_constant_of(xc_operand(op, 1)));
  default:
    return false;
  }
}

// What computes one number of those in the same place or in constants.
static bool is_elementwise(const xc_adaptor *op) {
  return xc_float_is_scale(op) || xc_interpret_is_elementwise(op->info->kind);
}

// A 1x1 convolution with one number throughout is a mean or sum of channels.
static bool sums_channels(const xc_adaptor *op) {
  MlirOperation weight = xc_constant_of(xc_operand(op, XC_CONV2D_WEIGHT));
  if (mlirOperationIsNull(weight) || !xc_attr_all(op, XC_ATTR_KERNEL, 1))
    return false;
  MlirAttribute value = xc_op_attribute(weight, "value");
  return mlirAttributeIsADenseElements(value) &&
         mlirDenseElementsAttrIsSplat(value);
}

bool xc_float_is_reduction(const xc_adaptor *op) {
  switch (op->info->kind) {
  case XC_TIR_AVGPOOL2D:
  case XC_TIR_REDUCTION_MEAN:
  case XC_TIR_REDUCTION_SUM:
    return true;
  case XC_TIR_CONV2D:
    return sums_channels(op);
  default:
    return false;
  }
}

static bool has_exponent(const xc_adaptor *op, double exponent) {
  double number;
  return op->info->kind == XC_TIR_POW &&
         xc_const_number(xc_operand(op, 1), &number) && number == exponent;
}

static bool is_root(const xc_adaptor *op) {
  return op->info->kind == XC_TIR_SQRT || op->info->kind == XC_TIR_RSQRT ||
         has_exponent(op, 0.5) || has_exponent(op, -0.5);
}

bool xc_float_is_square(const xc_adaptor *op) {
  return has_exponent(op, 2) ||
         (op->info->kind == XC_TIR_MUL &&
          mlirValueEqual(xc_operand(op, 0), xc_operand(op, 1)));
}

//===----------------------------------------------------------------------===//
// Which stay in floating point
//===----------------------------------------------------------------------===//

/// What is known of the values, by their index.
typedef struct statistics {
  const xc_quantizer *q;
  bool *of_means; // computed of a mean or sum, element by element
  bool *from_root;
  int64_t num_roots;
  MlirOperation first_root;
} statistics;

static size_t index_of(const statistics *s, const xc_quantize_value *value) {
  return (size_t)(value - s->q->values);
}

bool xc_float_read_writer(const xc_quantize_value *value, xc_adaptor *op) {
  return value->is_float && mlirValueIsAOpResult(value->original) &&
         xc_op_info_of(mlirOpResultGetOwner(value->original)) &&
         xc_adaptor_of(mlirOpResultGetOwner(value->original), op);
}

static bool has_operand_in(const statistics *s, const xc_adaptor *op,
                           const bool *set) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op->operation); ++i) {
    const xc_quantize_value *operand =
        xc_quantize_value_of(s->q, mlirOperationGetOperand(op->operation, i));
    if (operand && set[index_of(s, operand)])
      return true;
  }
  return false;
}

// Whether the rest of the operands is computed of the root, too, or constant,
// or what a statistic is applied to, which is smaller than that.
static bool follows_root(const statistics *s, const xc_adaptor *op) {
  int64_t size = 0;
  xc_shape result;
  bool has_others = false, is_applied = false;
  if (!xc_shape_of_type(mlirValueGetType(xc_op_result(op->operation)), &result))
    return false;
  size = xc_shape_num_elements(&result);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op->operation); ++i) {
    MlirValue operand = mlirOperationGetOperand(op->operation, i);
    const xc_quantize_value *value = xc_quantize_value_of(s->q, operand);
    if (value && s->from_root[index_of(s, value)])
      is_applied |= xc_shape_num_elements(&value->shape) < size;
    else
      has_others |= mlirOperationIsNull(xc_constant_of(operand));
  }
  return !has_others || is_applied;
}

static void find_roots(statistics *s) {
  for (size_t i = 0; i < s->q->num_values; ++i) {
    xc_adaptor op;
    if (!xc_float_read_writer(&s->q->values[i], &op))
      continue;
    bool is_step = is_elementwise(&op);
    s->of_means[i] = xc_float_is_reduction(&op) ||
                     (is_step && has_operand_in(s, &op, s->of_means));
    bool begins = is_root(&op) && s->of_means[i];
    s->from_root[i] =
        begins || (is_step && has_operand_in(s, &op, s->from_root) &&
                   follows_root(s, &op));
    if (begins && s->num_roots++ == 0)
      s->first_root = op.operation;
  }
}

static bool all_readers_stay(const statistics *s, MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  if (mlirOpOperandIsNull(use))
    return false;
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation reader = mlirOpOperandGetOwner(use);
    const xc_quantize_value *result =
        mlirOperationGetNumResults(reader) == 1
            ? xc_quantize_value_of(s->q, mlirOperationGetResult(reader, 0))
            : NULL;
    if (!result || !result->stays_float)
      return false;
  }
  return true;
}

// From the last value to the first, so that readers come before.
static void mark(const statistics *s) {
  for (size_t i = s->q->num_values; i-- > 0;) {
    xc_quantize_value *value = &s->q->values[i];
    xc_adaptor op;
    if (!xc_float_read_writer(value, &op))
      continue;
    value->stays_float =
        s->from_root[i] || ((s->of_means[i] || xc_float_is_square(&op)) &&
                            all_readers_stay(s, value->original));
  }
}

// For the user, who may have expected all of it on the DPU.
static void describe(const statistics *s) {
  MlirStringRef name = xc_op_given_name(s->first_root);
  xc_text text = {0};
  xc_text_printf(&text, "%" PRId64 " normalisation%s by statistics of a tensor",
                 s->num_roots, s->num_roots == 1 ? "" : "s");
  if (name.length)
    xc_text_printf(&text, ", %s'%.*s',", s->num_roots == 1 ? "" : "as at ",
                   (int)name.length, name.data);
  xc_text_printf(&text, " in floating point, on the CPU: 8 bits lose most of a "
                        "variance");
  xc_op_set_string(s->q->function, XC_NAME_STATISTICS, xc_text_str(&text));
  xc_text_free(&text);
}

void xc_quantize_keep_statistics(xc_quantizer *q) {
  statistics s = {.q = q};
  if (!xc_pass_bool(q->run, "float-statistics"))
    return;
  s.of_means = xc_arena_alloc(&q->arena, q->num_values + 1, sizeof(bool));
  s.from_root = xc_arena_alloc(&q->arena, q->num_values + 1, sizeof(bool));
  find_roots(&s);
  if (s.num_roots == 0)
    return;
  mark(&s);
  describe(&s);
}

//===----------------------------------------------------------------------===//
// As a part with factors on its sides
//===----------------------------------------------------------------------===//

static bool has_operation(const xc_float_activation *a, MlirOperation op) {
  for (int i = 0; i < a->num_operations; ++i)
    if (mlirOperationEqual(a->operations[i], op))
      return true;
  return false;
}

static bool stays(const xc_quantizer *q, MlirOperation op) {
  const xc_quantize_value *value =
      mlirOperationGetNumResults(op) == 1
          ? xc_quantize_value_of(q, mlirOperationGetResult(op, 0))
          : NULL;
  return value && value->stays_float;
}

// In the order of the block. False when it is full.
static bool insert(xc_float_activation *a, MlirOperation op) {
  int at = a->num_operations;
  if (at == XC_FLOAT_OPERATIONS)
    return false;
  for (; at > 0 && mlirOperationIsBeforeInBlock(op, a->operations[at - 1]);
       --at)
    a->operations[at] = a->operations[at - 1];
  a->operations[at] = op;
  ++a->num_operations;
  return true;
}

/// Operators whose neighbours are to be looked at.
typedef struct pending {
  MlirOperation operations[XC_FLOAT_OPERATIONS];
  int count;
} pending;

static bool add(const xc_quantizer *q, xc_float_activation *a, pending *p,
                MlirOperation op) {
  if (!stays(q, op) || has_operation(a, op))
    return true;
  if (!insert(a, op))
    return false;
  p->operations[p->count++] = op;
  return true;
}

// All that stays in floating point and is connected with the first one.
static bool collect(const xc_quantizer *q, xc_float_activation *a,
                    MlirOperation first) {
  pending p = {.count = 0};
  bool ok = add(q, a, &p, first);
  for (int i = 0; ok && i < p.count; ++i) {
    MlirOperation op = p.operations[i];
    for (intptr_t k = 0; ok && k < mlirOperationGetNumOperands(op); ++k) {
      MlirValue operand = mlirOperationGetOperand(op, k);
      if (mlirValueIsAOpResult(operand))
        ok = add(q, a, &p, mlirOpResultGetOwner(operand));
    }
    for (MlirOpOperand use = mlirValueGetFirstUse(xc_op_result(op));
         ok && !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
      ok = add(q, a, &p, mlirOpOperandGetOwner(use));
  }
  return ok;
}

// The one tensor that is read from outside.
static bool find_input(xc_float_activation *a) {
  for (int i = 0; i < a->num_operations; ++i)
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(a->operations[i]);
         ++k) {
      MlirValue operand = mlirOperationGetOperand(a->operations[i], k);
      bool own = mlirValueIsAOpResult(operand) &&
                 has_operation(a, mlirOpResultGetOwner(operand));
      if (own || !mlirOperationIsNull(xc_constant_of(operand)) ||
          (!mlirValueIsNull(a->input) && mlirValueEqual(a->input, operand)))
        continue;
      if (!mlirValueIsNull(a->input))
        return false;
      a->input = operand;
    }
  return !mlirValueIsNull(a->input);
}

static bool is_read_outside(const xc_float_activation *a, MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (!has_operation(a, mlirOpOperandGetOwner(use)))
      return true;
  return false;
}

// The one tensor that is read outside.
static bool find_result(xc_float_activation *a) {
  for (int i = 0; i < a->num_operations; ++i) {
    MlirValue value = xc_op_result(a->operations[i]);
    if (!is_read_outside(a, value))
      continue;
    if (!mlirValueIsNull(a->result))
      return false;
    a->result = value;
  }
  return !mlirValueIsNull(a->result);
}

// Products have channels of their own between them.
static bool has_product(const xc_float_activation *a) {
  for (int i = 0; i < a->num_operations; ++i)
    switch (xc_op_info_of(a->operations[i])->kind) {
    case XC_TIR_CONV2D:
    case XC_TIR_MATMUL:
    case XC_TIR_INNER_PRODUCT:
      return true;
    default:
      break;
    }
  return false;
}

bool xc_float_statistics_of(const xc_quantizer *q, MlirOperation op,
                            xc_float_activation *a) {
  *a = (xc_float_activation){.is_statistic = true};
  if (!stays(q, op) || !collect(q, a, op) || has_product(a) || !find_input(a) ||
      !find_result(a))
    return false;
  a->channels = xc_channels_count(a->input);
  a->is_alone = !is_read_outside(a, a->input);
  return a->channels > 1 && a->channels == xc_channels_count(a->result) &&
         xc_quantize_value_of(q, a->input) &&
         xc_quantize_value_of(q, a->result);
}
