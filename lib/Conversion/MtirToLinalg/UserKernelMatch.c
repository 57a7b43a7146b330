//===- UserKernelMatch.c - which operators a kernel can compute -----------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UserKernel.h"
#include "UserKernelSizes.h"

#include "IR/IR.h"
#include "OpParams/Quant.h"
#include "dialects/Build.h"

#include "mlir-c/BuiltinTypes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

// Kinds that sums of products are the work of.
static const struct {
  xc_op_kind kind;
  bool is_dense;
  bool is_float;
} kinds[] = {
    {XC_TIR_CONV2D, false, true},          {XC_TIR_CONV2D_FIX, false, false},
    {XC_TIR_QLINEAR_CONV2D, false, false}, {XC_TIR_MATMUL, true, true},
    {XC_TIR_INNER_PRODUCT, true, true},    {XC_TIR_MATMUL_FIX, true, false},
    {XC_TIR_QLINEAR_MATMUL, true, false},
};

static int find_kind(xc_op_kind kind) {
  for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); ++i)
    if (kinds[i].kind == kind)
      return (int)i;
  return -1;
}

// inner-product has no attributes: its weights are transposed.
static bool swaps_input(const xc_adaptor *op) {
  return op->info->kind != XC_TIR_INNER_PRODUCT &&
         xc_attr_bool(op, XC_ATTR_TRANSPOSE_A);
}

bool xc_user_kernel_swaps(const xc_adaptor *op) {
  return op->info->kind == XC_TIR_INNER_PRODUCT ||
         xc_attr_bool(op, XC_ATTR_TRANSPOSE_B);
}

static void dense_sizes(const xc_adaptor *op, const xc_shape *shapes,
                        int64_t *sizes) {
  const xc_shape *weights = &shapes[1];
  bool swap = xc_user_kernel_swaps(op);
  sizes[XC_KERNEL_IN_CHANNELS] = weights->dims[swap ? 1 : 0];
  sizes[XC_KERNEL_OUT_CHANNELS] = weights->dims[swap ? 0 : 1];
  int64_t inputs = xc_shape_num_elements(&shapes[0]);
  sizes[XC_KERNEL_BATCH] =
      sizes[XC_KERNEL_IN_CHANNELS] ? inputs / sizes[XC_KERNEL_IN_CHANNELS] : 0;
}

void xc_user_kernel_sizes(const xc_adaptor *op, const xc_shape *shapes,
                          const xc_shape *result, bool is_dense,
                          int64_t sizes[XC_KERNEL_NUM_SIZES]) {
  for (int i = 0; i < XC_KERNEL_NUM_SIZES; ++i)
    sizes[i] = 1;
  sizes[XC_KERNEL_PAD_HEIGHT] = sizes[XC_KERNEL_PAD_WIDTH] = 0;
  if (is_dense) {
    dense_sizes(op, shapes, sizes);
    return;
  }
  xc_window window = xc_window_of(op);
  sizes[XC_KERNEL_BATCH] = shapes[0].dims[0];
  sizes[XC_KERNEL_IN_HEIGHT] = shapes[0].dims[1];
  sizes[XC_KERNEL_IN_WIDTH] = shapes[0].dims[2];
  sizes[XC_KERNEL_IN_CHANNELS] = shapes[0].dims[3];
  sizes[XC_KERNEL_OUT_HEIGHT] = result->dims[1];
  sizes[XC_KERNEL_OUT_WIDTH] = result->dims[2];
  sizes[XC_KERNEL_OUT_CHANNELS] = result->dims[3];
  sizes[XC_KERNEL_KERNEL_HEIGHT] = window.h.kernel;
  sizes[XC_KERNEL_KERNEL_WIDTH] = window.w.kernel;
  sizes[XC_KERNEL_STRIDE_HEIGHT] = window.h.stride;
  sizes[XC_KERNEL_STRIDE_WIDTH] = window.w.stride;
  sizes[XC_KERNEL_DILATION_HEIGHT] = window.h.dilation;
  sizes[XC_KERNEL_DILATION_WIDTH] = window.w.dilation;
  sizes[XC_KERNEL_GROUP] = xc_group_of(op);
  sizes[XC_KERNEL_PAD_HEIGHT] = window.h.before;
  sizes[XC_KERNEL_PAD_WIDTH] = window.w.before;
}

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

typedef struct subject {
  MlirOperation operation;
  xc_adaptor op;
  xc_shape shapes[XC_MAX_OPERANDS], result;
  int kind;
} subject;

static bool no(xc_text *reason, const char *why) {
  xc_text_puts(reason, why);
  return false;
}

static MlirOperation constant_of(const subject *s, size_t slot) {
  const MlirOperation none = {NULL};
  if (!xc_has_operand(&s->op, slot))
    return none;
  MlirValue value =
      mlirOperationGetOperand(s->operation, s->op.positions[slot]);
  if (!mlirValueIsAOpResult(value))
    return none;
  MlirOperation owner = mlirOpResultGetOwner(value);
  return xc_op_is(owner, "memtx.const") ? owner : none;
}

static bool check_elements(const subject *s, const xc_kernel_row *row,
                           xc_text *reason) {
  if (row->is_float != kinds[s->kind].is_float)
    return no(reason, row->is_float ? "the operator is not in floating point"
                                    : "the operator is not quantised");
  xc_element wanted = row->is_float ? XC_ELEMENT_F32 : XC_ELEMENT_I8;
  if (s->shapes[0].element != wanted || s->shapes[1].element != wanted)
    return no(reason,
              row->is_float ? "an operand is not f32" : "an operand is not i8");
  if (mlirOperationIsNull(constant_of(s, 1)))
    return no(reason, "the weights are not constant");
  return true;
}

// A row has sizes that it leaves out at 1; padding is made by a copy.
static bool check_sizes(const subject *s, const xc_kernel_row *row,
                        xc_text *reason) {
  static const xc_kernel_size implied[] = {
      XC_KERNEL_STRIDE_HEIGHT, XC_KERNEL_STRIDE_WIDTH,
      XC_KERNEL_DILATION_HEIGHT, XC_KERNEL_DILATION_WIDTH, XC_KERNEL_GROUP};
  int64_t sizes[XC_KERNEL_NUM_SIZES];
  xc_user_kernel_sizes(&s->op, s->shapes, &s->result, kinds[s->kind].is_dense,
                       sizes);
  for (size_t i = 0; i < sizeof(implied) / sizeof(*implied); ++i)
    if (!xc_kernel_row_has(row, (int)implied[i]) && sizes[implied[i]] != 1) {
      xc_text_printf(reason, "%s is %" PRId64 ", which '%s' does not take",
                     xc_kernel_size_name(implied[i]), sizes[implied[i]],
                     row->function);
      return false;
    }
  for (size_t i = 0; i < row->num_limits; ++i) {
    const xc_kernel_limit *limit = &row->limits[i];
    int64_t size = sizes[limit->size];
    if (size >= limit->low && size <= limit->high)
      continue;
    xc_text_printf(reason, "%s is %" PRId64 ", expected %" PRId64,
                   xc_kernel_size_name(limit->size), size, limit->low);
    if (limit->high != limit->low)
      xc_text_printf(reason, " to %" PRId64, limit->high);
    return false;
  }
  return true;
}

// Sum over the weights of an output channel, in the layout of the model.
static int64_t weight_sum(const subject *s, const int8_t *weights,
                          int64_t channel, int64_t channels) {
  int64_t count = xc_shape_num_elements(&s->shapes[1]), sum = 0;
  bool first = !kinds[s->kind].is_dense || xc_user_kernel_swaps(&s->op);
  for (int64_t i = 0; i < count; ++i) {
    int64_t own = first ? i / (count / channels) : i % channels;
    sum += own == channel ? weights[i] : 0;
  }
  return sum;
}

// bias - zero point * sum of the weights, for each channel; false where that
// does not fit.
static bool fold_zero_point(const subject *s, int64_t zero_point,
                            int32_t *folded, int64_t channels) {
  size_t size;
  char *weights = xc_const_bytes(constant_of(s, 1), &size);
  char *bias = xc_const_bytes(constant_of(s, 2), &size);
  bool fits = weights && bias;
  for (int64_t i = 0; fits && i < channels; ++i) {
    int32_t own;
    memcpy(&own, bias + (size_t)i * sizeof(own), sizeof(own));
    int64_t value =
        own - zero_point * weight_sum(s, (const int8_t *)weights, i, channels);
    fits = value >= INT32_MIN && value <= INT32_MAX;
    folded[i] = (int32_t)value;
  }
  free(weights);
  free(bias);
  return fits;
}

static int64_t num_channels(const subject *s) {
  return s->result.dims[s->result.rank - 1];
}

static bool is_qlinear(const subject *s) {
  return s->op.info->kind == XC_TIR_QLINEAR_CONV2D ||
         s->op.info->kind == XC_TIR_QLINEAR_MATMUL;
}

static bool check_zero_points(const subject *s, xc_text *reason) {
  if (!is_qlinear(s))
    return true;
  xc_arena arena = {0};
  xc_qconv q = xc_qconv_of(&s->op, &arena);
  bool ok = true;
  for (size_t i = 0; i < q.num_zeros; ++i)
    ok = ok && q.zeros[i] == 0;
  if (!ok)
    no(reason, "the weights have a zero point");
  if (ok && q.input.zero_point != 0 &&
      (mlirOperationIsNull(constant_of(s, 2)) ||
       s->shapes[2].element != XC_ELEMENT_I32))
    ok = no(reason, "there is no constant i32 bias that could make up for the "
                    "zero point of the input");
  if (ok && q.input.zero_point != 0) {
    int32_t *folded =
        xc_arena_alloc(&arena, (size_t)num_channels(s), sizeof(*folded));
    ok = fold_zero_point(s, q.input.zero_point, folded, num_channels(s)) ||
         no(reason, "the bias and the zero point of the input exceed 32 bits");
  }
  xc_arena_free(&arena);
  return ok;
}

static bool check_matrices(const subject *s, xc_text *reason) {
  if (!kinds[s->kind].is_dense)
    return true;
  if (s->shapes[1].rank != 2 || swaps_input(&s->op))
    return no(reason, "it is no product with one matrix of weights");
  return true;
}

static bool fits(const subject *s, const xc_kernel_row *row, xc_text *reason) {
  return check_elements(s, row, reason) && check_matrices(s, reason) &&
         check_sizes(s, row, reason) && check_zero_points(s, reason);
}

static bool describe(MlirOperation operation, subject *s) {
  s->operation = operation;
  if (!xc_adaptor_of(operation, &s->op))
    return false;
  s->kind = find_kind(s->op.info->kind);
  size_t last = s->op.info->num_operands - 1;
  for (size_t slot = 0; slot <= last; ++slot)
    if (xc_has_operand(&s->op, slot) &&
        !xc_shape_of_type(s->op.operand_types[slot], &s->shapes[slot]))
      return false;
  s->result = s->shapes[last];
  return s->kind >= 0;
}

const xc_kernel_row *xc_user_kernel_find(const xc_kernel_library *library,
                                         MlirOperation operation,
                                         xc_text *reason) {
  subject s = {0};
  if (!describe(operation, &s))
    return NULL;
  for (size_t i = 0; i < library->num_rows; ++i) {
    const xc_kernel_row *row = &library->rows[i];
    bool is_dense = row->operation == XC_KERNEL_DENSE;
    if (is_dense != kinds[s.kind].is_dense)
      continue;
    xc_text_free(reason);
    if (fits(&s, row, reason)) {
      xc_text_free(reason);
      return row;
    }
  }
  return NULL;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static void set_constant(const subject *s, size_t slot, const void *bytes,
                         const xc_shape *shape) {
  const xc_builder builder = xc_builder_before(s->operation);
  xc_shape buffer = *shape;
  buffer.memref = true;
  MlirNamedAttribute value =
      xc_named(builder.context, "value",
               xc_dense_attribute(builder.context, bytes, &buffer));
  MlirValue constant = xc_build_value(
      &builder, "memtx.const", xc_type_of_shape(builder.context, &buffer), NULL,
      0, &value, 1);
  mlirOperationSetOperand(s->operation, s->op.positions[slot], constant);
}

// Moves elements so that the dimensions of the result are those of `from` in
// the order `order`.
static void permute(const char *from, char *to, const xc_shape *shape,
                    const int *order, size_t size) {
  int64_t count = xc_shape_num_elements(shape), at[XC_MAX_RANK];
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = i, target = 0;
    for (size_t d = shape->rank; d-- > 0; rest /= shape->dims[d])
      at[d] = rest % shape->dims[d];
    for (size_t d = 0; d < shape->rank; ++d)
      target = target * shape->dims[order[d]] + at[order[d]];
    memcpy(to + (size_t)target * size, from + (size_t)i * size, size);
  }
}

static void prepare_weights(const subject *s, const xc_kernel_row *row) {
  static const int same[] = {0, 1, 2, 3}, oihw[] = {0, 3, 1, 2},
                   swapped[] = {1, 0};
  bool is_dense = kinds[s->kind].is_dense;
  bool turn = is_dense && row->weights_first != xc_user_kernel_swaps(&s->op);
  const int *order = turn                              ? swapped
                     : !is_dense && row->weights_first ? oihw
                                                       : same;
  xc_shape shape = s->shapes[1], to = shape;
  for (size_t i = 0; i < shape.rank; ++i)
    to.dims[i] = shape.dims[order[i]];
  size_t size;
  char *bytes = xc_const_bytes(constant_of(s, 1), &size);
  char *moved = xc_alloc(size);
  permute(bytes, moved, &shape, order, xc_element_size(shape.element));
  set_constant(s, 1, moved, &to);
  free(bytes);
  free(moved);
}

static void prepare_bias(const subject *s) {
  if (!is_qlinear(s))
    return;
  xc_arena arena = {0};
  xc_qconv q = xc_qconv_of(&s->op, &arena);
  if (q.input.zero_point != 0) {
    int32_t *folded =
        xc_arena_alloc(&arena, (size_t)num_channels(s), sizeof(*folded));
    fold_zero_point(s, q.input.zero_point, folded, num_channels(s));
    set_constant(s, 2, folded, &s->shapes[2]);
  }
  xc_arena_free(&arena);
}

void xc_user_kernel_prepare(const xc_kernel_row *row, MlirOperation operation) {
  subject s = {0};
  if (!describe(operation, &s))
    return;
  prepare_bias(&s); // from the weights as they are
  prepare_weights(&s, row);
}
