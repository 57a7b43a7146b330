//===- Subject.c - operators as kernels see them --------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Match.h"

#include "IR/IR.h"
#include "OpParams/Fix.h"
#include "OpParams/Quant.h"

#include "mlir-c/BuiltinTypes.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// Kinds
//===----------------------------------------------------------------------===//

typedef struct kind_row {
  xc_op_kind kind;
  xc_kernel_operation operation;
  bool is_float, is_qlinear;
} kind_row;

static const kind_row kinds[] = {
    {XC_TIR_CONV2D, XC_KERNEL_CONV2D, true, false},
    {XC_TIR_CONV2D_FIX, XC_KERNEL_CONV2D, false, false},
    {XC_TIR_QLINEAR_CONV2D, XC_KERNEL_CONV2D, false, true},
    {XC_TIR_DEPTHWISE_CONV2D, XC_KERNEL_DEPTHWISE, true, false},
    {XC_TIR_DEPTHWISE_CONV2D_FIX, XC_KERNEL_DEPTHWISE, false, false},
    {XC_TIR_QLINEAR_DEPTHWISE_CONV2D, XC_KERNEL_DEPTHWISE, false, true},
    {XC_TIR_MATMUL, XC_KERNEL_DENSE, true, false},
    {XC_TIR_INNER_PRODUCT, XC_KERNEL_DENSE, true, false},
    {XC_TIR_MATMUL_FIX, XC_KERNEL_DENSE, false, false},
    {XC_TIR_QLINEAR_MATMUL, XC_KERNEL_DENSE, false, true},
};

static const kind_row *find_kind(xc_op_kind kind) {
  for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); ++i)
    if (kinds[i].kind == kind)
      return &kinds[i];
  return NULL;
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

// inner-product has no attributes: its weights are transposed.
static bool swaps_weights(const xc_adaptor *op) {
  return op->info->kind == XC_TIR_INNER_PRODUCT ||
         xc_attr_bool(op, XC_ATTR_TRANSPOSE_B);
}

static void dense_sizes(const xc_adaptor *op, const xc_shape *shapes,
                        int64_t *sizes) {
  const xc_shape *weights = &shapes[XC_MATMUL_B];
  bool swap = swaps_weights(op);
  size_t last = weights->rank - 1;
  sizes[XC_KERNEL_IN_CHANNELS] = weights->dims[swap ? last : last - 1];
  sizes[XC_KERNEL_OUT_CHANNELS] = weights->dims[swap ? last - 1 : last];
  int64_t inputs = xc_shape_num_elements(&shapes[XC_MATMUL_A]);
  sizes[XC_KERNEL_BATCH] =
      sizes[XC_KERNEL_IN_CHANNELS] ? inputs / sizes[XC_KERNEL_IN_CHANNELS] : 0;
}

static void conv_sizes(const xc_adaptor *op, const xc_shape *shapes,
                       const xc_shape *result, int64_t *sizes) {
  const int64_t *in = shapes[XC_CONV2D_INPUT].dims;
  xc_window window = xc_window_of(op);
  sizes[XC_KERNEL_BATCH] = in[0];
  sizes[XC_KERNEL_IN_HEIGHT] = in[1];
  sizes[XC_KERNEL_IN_WIDTH] = in[2];
  sizes[XC_KERNEL_IN_CHANNELS] = in[3];
  sizes[XC_KERNEL_OUT_HEIGHT] = result->dims[1];
  sizes[XC_KERNEL_OUT_WIDTH] = result->dims[2];
  sizes[XC_KERNEL_OUT_CHANNELS] = result->dims[3];
  sizes[XC_KERNEL_KERNEL_HEIGHT] = window.h.kernel;
  sizes[XC_KERNEL_KERNEL_WIDTH] = window.w.kernel;
  sizes[XC_KERNEL_STRIDE_HEIGHT] = window.h.stride;
  sizes[XC_KERNEL_STRIDE_WIDTH] = window.w.stride;
  sizes[XC_KERNEL_DILATION_HEIGHT] = window.h.dilation;
  sizes[XC_KERNEL_DILATION_WIDTH] = window.w.dilation;
  sizes[XC_KERNEL_PAD_HEIGHT] = window.h.before;
  sizes[XC_KERNEL_PAD_WIDTH] = window.w.before;
  sizes[XC_KERNEL_GROUP] = xc_is_depthwise(op) ? in[3] : xc_group_of(op);
  sizes[XC_KERNEL_CHANNEL_MULTIPLIER] =
      sizes[XC_KERNEL_GROUP] ? result->dims[3] / sizes[XC_KERNEL_GROUP] : 0;
}

// Fills in the numbers of the epilogue.
static void epilogue_sizes(const xc_adaptor *op, int64_t *sizes) {
  const kind_row *kind = find_kind(op->info->kind);
  xc_range range = {INT8_MIN, INT8_MAX};
  sizes[XC_KERNEL_INPUT_ZERO_POINT] = sizes[XC_KERNEL_OUTPUT_ZERO_POINT] = 0;
  sizes[XC_KERNEL_BIAS_SHIFT] = sizes[XC_KERNEL_OUTPUT_SHIFT] = 0;
  if (kind && kind->is_qlinear) {
    sizes[XC_KERNEL_INPUT_ZERO_POINT] = xc_input_quant(op).zero_point;
    sizes[XC_KERNEL_OUTPUT_ZERO_POINT] = xc_output_quant(op).zero_point;
    range = xc_nonlinear_range(op);
  } else if (kind && !kind->is_float) {
    XcActivation activation = xc_activation_of(op);
    XcFixEpilogue epilogue;
    if ((activation == XcActivationNone || activation == XcActivationRelu) &&
        xc_fix_epilogue_of(op, &epilogue)) {
      sizes[XC_KERNEL_BIAS_SHIFT] = epilogue.shiftBias;
      sizes[XC_KERNEL_OUTPUT_SHIFT] = epilogue.shiftCut;
      range.low = activation == XcActivationRelu ? 0 : range.low;
    }
  }
  sizes[XC_KERNEL_INPUT_OFFSET] = -sizes[XC_KERNEL_INPUT_ZERO_POINT];
  sizes[XC_KERNEL_ACTIVATION_MIN] = range.low;
  sizes[XC_KERNEL_ACTIVATION_MAX] = range.high;
}

void xc_kernel_sizes(const xc_adaptor *op, const xc_shape *shapes,
                     const xc_shape *result,
                     int64_t sizes[XC_KERNEL_NUM_SIZES]) {
  for (int i = 0; i < XC_KERNEL_NUM_SIZES; ++i)
    sizes[i] = 1;
  sizes[XC_KERNEL_PAD_HEIGHT] = sizes[XC_KERNEL_PAD_WIDTH] = 0;
  const kind_row *kind = find_kind(op->info->kind);
  if (kind && kind->operation == XC_KERNEL_DENSE)
    dense_sizes(op, shapes, sizes);
  else
    conv_sizes(op, shapes, result, sizes);
  epilogue_sizes(op, sizes);
}

int64_t xc_kernel_scratch_bytes(const xc_kernel_row *row,
                                const int64_t sizes[XC_KERNEL_NUM_SIZES]) {
  int64_t bytes = 0;
  for (size_t t = 0; t < row->num_terms; ++t) {
    int64_t product = row->scratch[t].number;
    for (size_t f = 0; f < row->scratch[t].num_factors; ++f)
      if (__builtin_mul_overflow(product, sizes[row->scratch[t].factors[f]],
                                 &product))
        return -1;
    if (product < 0 || __builtin_add_overflow(bytes, product, &bytes))
      return -1;
  }
  return bytes;
}

bool xc_kernel_pads(const xc_kernel_row *row, const xc_window *window,
                    int64_t zero_point) {
  bool symmetric = window->h.before == window->h.after &&
                   window->w.before == window->w.after;
  bool knows = zero_point == 0 ||
               xc_kernel_row_has(row, XC_KERNEL_INPUT_ZERO_POINT) ||
               xc_kernel_row_has(row, XC_KERNEL_INPUT_OFFSET);
  // Functions that are told the size of the output stop in time.
  bool bounded = xc_kernel_row_has(row, XC_KERNEL_OUT_HEIGHT) &&
                 xc_kernel_row_has(row, XC_KERNEL_OUT_WIDTH);
  return knows && (symmetric || bounded) &&
         xc_kernel_row_has(row, XC_KERNEL_PAD_HEIGHT) &&
         xc_kernel_row_has(row, XC_KERNEL_PAD_WIDTH);
}

//===----------------------------------------------------------------------===//
// Context of an operator
//===----------------------------------------------------------------------===//

MlirOperation xc_kernel_constant(const xc_kernel_subject *subject,
                                 size_t slot) {
  if (!xc_has_operand(&subject->op, slot))
    return (MlirOperation){NULL};
  return xc_constant_of(
      mlirOperationGetOperand(subject->operation, subject->op.positions[slot]));
}

// Returns the only user of a value beside one operation; null when there are
// more.
static MlirOperation only_user(MlirValue value, MlirOperation beside) {
  MlirOperation found = {NULL};
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation owner = mlirOpOperandGetOwner(use);
    if (mlirOperationEqual(owner, beside))
      continue;
    if (!mlirOperationIsNull(found))
      return (MlirOperation){NULL};
    found = owner;
  }
  return found;
}

static bool uses(MlirOperation operation, MlirValue value) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(operation); ++i)
    if (mlirValueEqual(mlirOperationGetOperand(operation, i), value))
      return true;
  return false;
}

// Whether nothing that stands between two operations uses a buffer.
static bool is_untouched(MlirOperation first, MlirOperation last,
                         MlirValue buffer) {
  MlirOperation op = mlirOperationGetNextInBlock(first);
  for (; !mlirOperationIsNull(op) && !mlirOperationEqual(op, last);
       op = mlirOperationGetNextInBlock(op))
    if (uses(op, buffer) || mlirOperationGetNumRegions(op) > 0)
      return false;
  return !mlirOperationIsNull(op) && !uses(first, buffer);
}

// Whether a buffer has other names, by which an operation might read it.
static bool has_views(MlirValue buffer) {
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (mlirOperationGetNumResults(mlirOpOperandGetOwner(use)) > 0)
      return true;
  return false;
}

MlirOperation xc_kernel_relu_of(MlirOperation operation) {
  const MlirOperation none = {NULL};
  if (mlirOperationGetNumResults(operation) == 1) {
    MlirOperation user = only_user(xc_op_result(operation), none);
    return !mlirOperationIsNull(user) && xc_op_is(user, "tir.relu") ? user
                                                                    : none;
  }
  MlirValue buffer = mlirOperationGetOperand(
      operation, mlirOperationGetNumOperands(operation) - 1);
  if (!mlirValueIsAOpResult(buffer) ||
      !xc_op_is(mlirOpResultGetOwner(buffer), "memref.alloc"))
    return none;
  MlirOperation user = only_user(buffer, operation);
  if (mlirOperationIsNull(user) || !xc_op_is(user, "mtir.relu") ||
      !mlirValueEqual(mlirOperationGetOperand(user, 0), buffer))
    return none;
  MlirValue output = mlirOperationGetOperand(user, 1);
  bool whole = (!mlirValueIsAOpResult(output) ||
                xc_op_is(mlirOpResultGetOwner(output), "memref.alloc")) &&
               !has_views(output);
  return whole &&
                 mlirTypeEqual(mlirValueGetType(output),
                               mlirValueGetType(buffer)) &&
                 is_untouched(operation, user, output)
             ? user
             : none;
}

//===----------------------------------------------------------------------===//
// Subjects
//===----------------------------------------------------------------------===//

bool xc_kernel_subject_of(MlirOperation operation, xc_kernel_subject *s) {
  *s = (xc_kernel_subject){.operation = operation};
  if (!xc_op_info_of(operation) || !xc_adaptor_of(operation, &s->op))
    return false;
  const kind_row *kind = find_kind(s->op.info->kind);
  if (!kind)
    return false;
  for (size_t slot = 0; slot < s->op.info->num_operands; ++slot)
    if (xc_has_operand(&s->op, slot) &&
        !xc_shape_of_type(s->op.operand_types[slot], &s->shapes[slot]))
      return false;
  s->result = xc_result_shape(&s->op);
  s->kind = kind->operation;
  s->is_float = kind->is_float;
  s->is_qlinear = kind->is_qlinear;
  if (s->kind == XC_KERNEL_DENSE && s->shapes[XC_MATMUL_B].rank < 2)
    return false;
  xc_kernel_sizes(&s->op, s->shapes, &s->result, s->sizes);
  // A group for each channel is a depthwise convolution by another name.
  if (s->kind == XC_KERNEL_CONV2D && s->sizes[XC_KERNEL_GROUP] > 1 &&
      s->sizes[XC_KERNEL_GROUP] == s->sizes[XC_KERNEL_IN_CHANNELS])
    s->kind = XC_KERNEL_DEPTHWISE;
  if (s->is_float)
    s->relu = xc_kernel_relu_of(operation);
  return true;
}
