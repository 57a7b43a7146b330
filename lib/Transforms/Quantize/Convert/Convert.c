//===- Convert.c - from float operators to their -fix forms ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One walk over the function. A -fix operator is built in front of the float
// operator that it replaces; values cross over by float2fix and fix2float where
// a reader needs the other form. What was replaced is erased at the end.
//
//===----------------------------------------------------------------------===//

#include "Convert.h"
#include "Conversion.h"

#include "IR/IR.h"
#include "Transforms/Partition/Facts.h"
#include "Transforms/Quantize/Function/Activation.h"
#include "Transforms/Quantize/KeepFloat/KeepFloat.h"
#include "dialects/Resize.h"

#include <assert.h>
#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Operators and their forms
//===----------------------------------------------------------------------===//

typedef enum condition {
  WHEN_WEIGHTS_CONSTANT, // and the bias, if there
  WHEN_INPUT_FIXED,      // one of the inputs comes in fixed point
  WHEN_EITHER_FIXED,     // or all readers want the result in fixed point
} condition;

static const struct convert_row {
  xc_op_kind from, to; // the same: its own form in fixed point
  condition when;
  bool (*convert)(xc_conversion *c, xc_op_kind to);
} rows[] = {
#define FORM_AS(from, to, when, convert)                                       \
  {XC_TIR_##from, XC_TIR_##to, WHEN_##when, xc_convert_##convert},
#define FORM(from, when, convert) FORM_AS(from, from, when, convert)
#include "Transforms/Quantize/Function/Forms.def"
};

// Whether an operator gives the same result if its operand saturates earlier,
// as long as the result does.
static bool takes_clamp(xc_op_kind kind) {
  return kind == XC_TIR_LEAKY_RELU || kind == XC_TIR_PRELU ||
         kind == XC_TIR_CONCAT;
}

// Returns the operator that computes a value, seen through moves.
static MlirOperation source_of(MlirValue value) {
  MlirOperation writer = {NULL};
  while (mlirValueIsAOpResult(value)) {
    writer = mlirOpResultGetOwner(value);
    const xc_op_info *info = xc_op_info_of(writer);
    if (!info ||
        (info->kind != XC_TIR_RESHAPE && info->kind != XC_TIR_FLATTEN &&
         info->kind != XC_TIR_SQUEEZE && info->kind != XC_TIR_TRANSPOSE &&
         info->kind != XC_TIR_STRIDED_SLICE))
      break;
    value = mlirOperationGetOperand(writer, 0);
  }
  return writer;
}

// A concatenation of probabilities that were computed as floats, on their way
// to the results only: next to coordinates they would be left with the few bits
// of these, for nothing.
static bool joins_floats(const xc_conversion *c,
                         const struct convert_row *row) {
  if (row->from != XC_TIR_CONCAT || c->result->is_summed)
    return false;
  for (size_t slot = 0; slot < c->adaptor.info->num_operands; ++slot) {
    if (!xc_has_operand(&c->adaptor, slot))
      continue;
    MlirValue operand = xc_operand(&c->adaptor, slot);
    const xc_quantize_value *value = xc_convert_value(c, operand);
    MlirOperation source = source_of(operand);
    if (value && !value->replaced && !mlirOperationIsNull(source) &&
        (xc_op_is(source, "tir.sigmoid") || xc_op_is(source, "tir.softmax")))
      return true;
  }
  return false;
}

// Whether the form takes what the operator's attributes and constants say.
static bool has_form(const xc_conversion *c, const struct convert_row *row) {
  const xc_adaptor *adaptor = &c->adaptor;
  int64_t scale[2];
  switch (row->from) {
  case XC_TIR_HARD_SIGMOID:
    return xc_nonlinear_of(adaptor->operation) != NULL;
  case XC_TIR_RESIZE:
    return xc_resize_repeats(adaptor, scale);
  case XC_TIR_PRELU:
    return xc_convert_is_constant(c, 1);
  default:
    return row->when != WHEN_WEIGHTS_CONSTANT ||
           (xc_convert_is_constant(c, 1) &&
            (!xc_has_operand(adaptor, 2) || xc_convert_is_constant(c, 2)));
  }
}

static bool is_reached(const xc_conversion *c, const struct convert_row *row) {
  const xc_adaptor *adaptor = &c->adaptor;
  if (row->when == WHEN_WEIGHTS_CONSTANT)
    return !xc_convert_is_constant(c, 0);
  if (row->when == WHEN_EITHER_FIXED && c->result->is_wanted)
    return true;
  for (size_t slot = 0; slot < adaptor->info->num_operands; ++slot)
    if (xc_has_operand(adaptor, slot) && xc_convert_is_fixed(c, slot))
      return true;
  return false;
}

static xc_float_reason why_it_stays(const xc_conversion *c,
                                    const struct convert_row *row) {
  if (c->result->stays_float)
    return c->result->stays_float;
  if (xc_quantize_is_kept(c->q, c->adaptor.operation))
    return XC_FLOAT_NAMED;
  if (joins_floats(c, row))
    return XC_FLOAT_SCORES;
  if (!has_form(c, row))
    return XC_FLOAT_FUNCTION;
  return is_reached(c, row) ? XC_FLOAT_NOT : XC_FLOAT_INPUT;
}

static bool applies(const xc_conversion *c, const struct convert_row *row) {
  return why_it_stays(c, row) == XC_FLOAT_NOT;
}

static const struct convert_row *find_row(xc_op_kind kind) {
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i)
    if (rows[i].from == kind)
      return &rows[i];
  return NULL;
}

// An operator that stays: its operands have to be there as floats.
static bool keep(xc_quantizer *q, MlirOperation operation) {
  intptr_t count = mlirOperationGetNumOperands(operation);
  xc_builder builder = xc_builder_before(operation);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue operand = mlirOperationGetOperand(operation, i);
    xc_quantize_value *value = xc_pointer_map_get(&q->originals, operand.ptr);
    // Values that float operators compute are there as they always were.
    if (!value || mlirValueIsNull(value->fixed) || !value->replaced)
      continue;
    MlirValue real = xc_convert_real_value(value, &builder);
    if (mlirValueIsNull(real))
      return false;
    mlirOperationSetOperand(operation, i, real);
  }
  return true;
}

// Without a row of Forms.def.
static xc_float_reason why_it_has_no_form(const xc_conversion *c) {
  // With --approximate, those stay that would lose too much by it.
  if (c->adaptor.info->kind == XC_TIR_SIGMOID)
    return c->q->gates ? XC_FLOAT_FUNCTION : XC_FLOAT_SIGMOID;
  return c->result && c->result->stays_float ? c->result->stays_float
                                             : XC_FLOAT_FUNCTION;
}

// For those who wonder why a DPU does not compute it, as it could.
static void note_reason(const xc_conversion *c, const struct convert_row *row) {
  MlirOperation operation = c->adaptor.operation;
  if (xc_fit_class_of(c->adaptor.info->kind) != XC_FIT_FLOATING && !row)
    return;
  // Equalize has made it, or knows the reason.
  if (!c->result && xc_float_reason_of(operation))
    return;
  xc_float_reason_set(operation, !c->result             ? XC_FLOAT_ACTIVATION
                                 : !row                 ? why_it_has_no_form(c)
                                 : !c->result->is_float ? XC_FLOAT_INTEGER
                                                        : why_it_stays(c, row));
}

// `fused` are operators that the new one stands for as well, or null.
static bool convert_one(xc_quantizer *q, MlirOperation operation,
                        bool *replaced, MlirOperation fused[2]) {
  const xc_op_info *info = xc_op_info_of(operation);
  const struct convert_row *row = info ? find_row(info->kind) : NULL;
  xc_conversion c = {.q = q, .builder = xc_builder_before(operation)};
  *replaced = false;
  if (!info || !info->has_result || !xc_adaptor_of(operation, &c.adaptor))
    return keep(q, operation);
  c.location = c.adaptor.location;
  c.result = xc_convert_value(&c, xc_op_result(operation));
  if (!row || !c.result || !c.result->is_float || !applies(&c, row)) {
    note_reason(&c, row);
    return keep(q, operation);
  }
  *replaced = true;
  if (takes_clamp(row->from))
    xc_convert_take_clamp(&c);
  const xc_op_kind own = c.adaptor.info->fix_kind;
  assert(row->to != row->from || own != row->from);
  bool ok = row->convert(&c, row->to == row->from ? own : row->to);
  c.result->replaced = true;
  fused[0] = c.activation;
  fused[1] = c.clamp;
  return ok;
}

// Erases the float weights.
static void erase_constants(MlirBlock block) {
  MlirOperation next;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    const xc_op_info *info = xc_op_info_of(op);
    if (info && info->kind == XC_TIR_CONST &&
        !xc_value_is_used(xc_op_result(op)))
      mlirOperationDestroy(op);
  }
}

// Returns the value of a clamp that its input's operator takes, or null.
static const xc_quantize_value *clamped_by(xc_quantizer *q,
                                           MlirOperation reader) {
  MlirValue input = mlirOperationGetOperand(reader, 0);
  if (!xc_op_is(reader, "tir.clip") || !mlirValueIsAOpResult(input))
    return NULL;
  const xc_op_info *info = xc_op_info_of(mlirOpResultGetOwner(input));
  bool is_taken = info && takes_clamp(info->kind) &&
                  !mlirOperationIsNull(xc_quantize_clamp_of(input));
  return is_taken ? xc_pointer_map_get(&q->originals, xc_op_result(reader).ptr)
                  : NULL;
}

// Whether a reader of a value will take it in fixed point.
static bool is_wanted_by(xc_quantizer *q, MlirOperation reader) {
  const xc_quantize_value *clamped = clamped_by(q, reader);
  if (clamped)
    return clamped->is_wanted;
  const xc_op_info *info = xc_op_info_of(reader);
  const struct convert_row *row = info ? find_row(info->kind) : NULL;
  xc_conversion c = {.q = q};
  if (!row || !xc_adaptor_of(reader, &c.adaptor))
    return false;
  c.result = xc_convert_value(&c, xc_op_result(reader));
  if (!c.result || !c.result->is_float)
    return false;
  return row->when == WHEN_EITHER_FIXED
             ? c.result->is_wanted
             : row->when == WHEN_WEIGHTS_CONSTANT && applies(&c, row);
}

// Whether a convolution, product or mean comes of it, over operators that have
// a -fix form.
static bool is_summed_by(xc_quantizer *q, MlirOperation reader) {
  const xc_quantize_value *clamped = clamped_by(q, reader);
  if (clamped)
    return clamped->is_summed;
  const xc_op_info *info = xc_op_info_of(reader);
  const struct convert_row *row = info ? find_row(info->kind) : NULL;
  if (!row)
    return false;
  const xc_quantize_value *result =
      xc_pointer_map_get(&q->originals, xc_op_result(reader).ptr);
  return row->when == WHEN_WEIGHTS_CONSTANT ||
         info->kind == XC_TIR_REDUCTION_MEAN ||
         info->kind == XC_TIR_AVGPOOL2D || (result && result->is_summed);
}

// From the last value to the first: readers come before what they read.
static void find_wanted(xc_quantizer *q) {
  for (size_t i = q->num_values; i-- > 0;) {
    xc_quantize_value *value = &q->values[i];
    MlirOpOperand use = mlirValueGetFirstUse(value->original);
    for (MlirOpOperand any = use; !mlirOpOperandIsNull(any);
         any = mlirOpOperandGetNextUse(any))
      value->is_summed |= is_summed_by(q, mlirOpOperandGetOwner(any));
    value->is_wanted = value->is_float && !mlirOpOperandIsNull(use);
    for (; value->is_wanted && !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use))
      value->is_wanted = is_wanted_by(q, mlirOpOperandGetOwner(use));
  }
}

bool xc_quantize_convert(xc_quantizer *q) {
  MlirOperation *dead = NULL;
  size_t num_dead = 0, capacity = 0;
  xc_pointer_map done = {0};
  bool ok = true;
  MlirOperation next;
  find_wanted(q);
  for (MlirOperation op = mlirBlockGetFirstOperation(q->block);
       ok && !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    MlirOperation fused[2] = {{NULL}, {NULL}};
    bool replaced = xc_pointer_map_has(&done, op.ptr);
    if (!replaced)
      ok = convert_one(q, op, &replaced, fused);
    for (size_t i = 0; i < 2; ++i)
      if (!mlirOperationIsNull(fused[i]))
        xc_pointer_map_set(&done, fused[i].ptr, fused[i].ptr);
    if (!replaced)
      continue;
    void *all = dead;
    xc_grow(&all, &capacity, num_dead + 1, sizeof(*dead));
    dead = all;
    dead[num_dead++] = op;
    xc_pass_count(q->run, "num-quantized", 1);
  }
  for (size_t i = num_dead; ok && i-- > 0;)
    mlirOperationDestroy(dead[i]);
  free(dead);
  xc_pointer_map_free(&done);
  if (ok)
    erase_constants(q->block);
  return ok;
}
