//===- ZeroPoint.c - results of ReLU that use all integers ----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of the 256 integers of a tensor that has no negative numbers, 128 are never
// used. Here its zero point becomes -128: half the range is subtracted from the
// bias of the convolution that computes it, what ReLU cut off lies below the
// smallest integer, where saturation ends it, and the biases of the
// convolutions that read it take back what was subtracted. All 256 integers are
// in use then, with half the step. Where a reader pads, it would pad with
// another number: such tensors stay as they are. In floating point nothing
// changes.
//
//===----------------------------------------------------------------------===//

#include "FixPoints.h"

#include "IR/AttributeNames.h"
#include "IR/IR.h"
#include "OpParams/Window.h"
#include "Transforms/Quantize/Function/Activation.h"
#include "Transforms/Quantize/Function/Filter.h"
#include "Transforms/Quantize/Observe/Observe.h"
#include "dialects/Emit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Biases have 8 bits as well. That of what computes the tensor has to have the
/// step that the tensor had, or a finer one: what it loses is the same in all
/// positions. That of a reader may be coarser than its result by so many
/// octaves, which the many weights beside it make good, if it has more than one
/// position to fit them to.
enum { COARSEST_BIAS = 4 };

/// A ReLU, the convolution in front of it and what is subtracted.
typedef struct rectifier {
  MlirOperation operation;
  xc_quantize_value *product, *result;
  double amount;
  double factor; // so that a limit is the largest integer
} rectifier;

static MlirOperation user_of(MlirOpOperand use) {
  return mlirOpOperandGetOwner(use);
}

//===----------------------------------------------------------------------===//
// Tensors that can have a zero point
//===----------------------------------------------------------------------===//

static bool has_constants(const xc_adaptor *op) {
  for (size_t slot = XC_FILTER_WEIGHTS; slot <= XC_FILTER_BIAS; ++slot)
    if (!xc_has_operand(op, slot) ||
        xc_operand_shape(op, slot).element != XC_ELEMENT_F32 ||
        mlirOperationIsNull(xc_constant_of(xc_operand(op, slot))))
      return false;
  return true;
}

// Returns the bias of a reader for another zero point, or, `of_result`, that of
// the convolution in front of the ReLU; free with free().
static float *shift_bias(const xc_adaptor *op, double amount, bool of_result) {
  float *bias = xc_filter_read(op, XC_FILTER_BIAS);
  float *weights = of_result ? NULL : xc_filter_read(op, XC_FILTER_WEIGHTS);
  const xc_shape shape = xc_operand_shape(op, XC_FILTER_WEIGHTS);
  int64_t outputs = xc_operand_shape(op, XC_FILTER_BIAS).dims[0];
  double *sums = xc_alloc_array((size_t)outputs + 1, sizeof(*sums));
  // Depthwise weights are [M, H, W, C] with output c * M + m.
  const int64_t *dims = shape.dims;
  bool is_depthwise = xc_is_depthwise(op);
  int64_t all = weights ? xc_shape_num_elements(&shape) : 0;
  int64_t each = dims[1] * dims[2] * dims[3];
  for (int64_t i = 0; i < all; ++i)
    sums[is_depthwise ? i % dims[3] * dims[0] + i / each : i / each] +=
        (double)weights[i];
  for (int64_t o = 0; bias && o < outputs; ++o)
    bias[o] = (float)((double)bias[o] + amount * (weights ? sums[o] : -1));
  free(sums);
  free(weights);
  return bias;
}

static int search_point(const float *floats, int64_t count) {
  const xc_shape shape = {XC_ELEMENT_F32, 1, {count}, false};
  const xc_tensor values = xc_tensor_view(shape, floats);
  return xc_quantize_search(&values, XcRoundModePy3);
}

// Whether 8 bits hold a filter's bias, as it would be, in steps of 2^-point or
// finer ones.
static bool holds_bias(const xc_adaptor *op, double amount, bool of_result,
                       int point) {
  int64_t count = xc_operand_shape(op, XC_FILTER_BIAS).dims[0];
  float *bias = shift_bias(op, amount, of_result);
  bool holds = bias && search_point(bias, count) >= point;
  free(bias);
  return holds;
}

static bool is_max(MlirOperation op) {
  const xc_op_info *info = xc_op_info_of(op);
  return info && info->kind == XC_TIR_MAXPOOL2D;
}

static int coarsest_bias(const xc_quantize_value *result) {
  return xc_shape_num_elements(&result->shape) > result->channels
             ? COARSEST_BIAS
             : 0;
}

static bool takes_shift(const xc_quantizer *q, MlirOperation op,
                        double amount) {
  const xc_op_info *info = xc_op_info_of(op);
  xc_adaptor reader;
  if (!info || !xc_adaptor_of(op, &reader))
    return false;
  if (info->kind != XC_TIR_CONV2D && info->kind != XC_TIR_DEPTHWISE_CONV2D)
    return is_max(op) && xc_window_reads_input_only(&reader);
  const xc_quantize_value *result = xc_quantize_value_of(q, xc_op_result(op));
  return result && has_constants(&reader) &&
         xc_window_reads_input_only(&reader) &&
         holds_bias(&reader, amount, false,
                    result->calibrated - coarsest_bias(result));
}

// All that reads a value, the largest of windows included.
static bool all_take_shift(const xc_quantizer *q, MlirValue value,
                           double amount, int pools) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  if (mlirOpOperandIsNull(use))
    return false;
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = user_of(use);
    if (!takes_shift(q, user, amount) ||
        (is_max(user) && (pools == 0 || !all_take_shift(q, xc_op_result(user),
                                                        amount, pools - 1))))
      return false;
  }
  return true;
}

// Whether fixed point computes an operator as ReLU: limits that begin at zero
// as well.
static bool is_rectifier(MlirOperation op) {
  const char *nonlinear = xc_nonlinear_of(op);
  xc_adaptor clip;
  if (!nonlinear || strcmp(nonlinear, "RELU") != 0 || !xc_adaptor_of(op, &clip))
    return false;
  return clip.info->kind != XC_TIR_CLIP ||
         xc_attr_float(&clip, XC_ATTR_MIN) == 0;
}

// The result's shift must not become negative for the finer fix point.
static bool has_digits(const xc_quantizer *q, const xc_adaptor *filter,
                       int point) {
  const xc_quantize_value *input =
      xc_quantize_value_of(q, xc_operand(filter, XC_FILTER_INPUT));
  const xc_shape shape = xc_operand_shape(filter, XC_FILTER_WEIGHTS);
  float *weights = xc_filter_read(filter, XC_FILTER_WEIGHTS);
  bool enough =
      input && weights &&
      input->calibrated + search_point(weights, xc_shape_num_elements(&shape)) >
          point;
  free(weights);
  return enough;
}

// A clamp that ends with the integers of today ends half a step in front of the
// new ones.
static double find_factor(MlirOperation op, int point) {
  xc_adaptor clip;
  if (!xc_adaptor_of(op, &clip) ||
      mlirAttributeIsNull(xc_op_attribute(op, "max")))
    return 1;
  bool ends = (double)xc_attr_float(&clip, XC_ATTR_MAX) == ldexp(127, -point);
  return ends ? 127.5 / 127 : 1;
}

// Finds a ReLU of a convolution that can have a zero point. A tensor that
// saturates where a clamp ends has the fix point of the clamp.
static bool find_rectifier(const xc_quantizer *q, MlirOperation op,
                           rectifier *r) {
  xc_adaptor filter;
  if (!is_rectifier(op))
    return false;
  MlirValue input = mlirOperationGetOperand(op, 0);
  MlirOpOperand use = mlirValueGetFirstUse(input);
  *r = (rectifier){.operation = op,
                   .product = xc_quantize_value_of(q, input),
                   .result = xc_quantize_value_of(q, xc_op_result(op))};
  if (!r->product || !r->result || !mlirValueIsAOpResult(input) ||
      !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)))
    return false;
  MlirOperation writer = mlirOpResultGetOwner(input);
  const xc_op_info *info = xc_op_info_of(writer);
  r->amount = ldexp(64, -r->result->calibrated);
  r->factor = find_factor(op, r->result->calibrated);
  return info && xc_is_filter(info->kind) && xc_adaptor_of(writer, &filter) &&
         has_constants(&filter) &&
         has_digits(q, &filter, r->result->calibrated + 1) &&
         holds_bias(&filter, r->amount, true, r->result->calibrated) &&
         all_take_shift(q, xc_op_result(op), r->amount, XC_QUANTIZE_POOLS);
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

static bool scale_constant(MlirOperation filter, size_t slot, double factor) {
  xc_adaptor op;
  if (!xc_adaptor_of(filter, &op))
    return false;
  xc_shape shape = xc_operand_shape(&op, slot);
  int64_t count = factor == 1 ? 0 : xc_shape_num_elements(&shape);
  float *floats = count ? xc_filter_read(&op, slot) : NULL;
  for (int64_t i = 0; floats && i < count; ++i)
    floats[i] = (float)((double)floats[i] * factor);
  bool ok = !count || (floats && xc_filter_write(filter, slot, floats));
  free(floats);
  return ok;
}

static bool move_filter(MlirOperation filter, const rectifier *r,
                        bool of_result) {
  xc_adaptor op;
  double factor = of_result ? r->factor : 1 / r->factor;
  if (!scale_constant(filter, XC_FILTER_WEIGHTS, factor) ||
      (of_result && !scale_constant(filter, XC_FILTER_BIAS, factor)) ||
      !xc_adaptor_of(filter, &op))
    return false;
  float *bias = shift_bias(&op, r->amount, of_result);
  bool ok = bias && xc_filter_write(filter, XC_FILTER_BIAS, bias);
  free(bias);
  return ok;
}

static bool move_readers(xc_quantizer *q, MlirValue value, const rectifier *r);

// Moves the measured sums of a value, and the biases of its readers.
static bool move_value(xc_quantizer *q, xc_quantize_value *value, int point,
                       const rectifier *r) {
  value->zero = -r->amount;
  value->calibrated = point;
  for (int64_t c = 0; c < value->channels; ++c) {
    value->sums[c] = r->factor * value->sums[c] - r->amount * value->count;
    for (int64_t i = 0; i < XC_CALIBRATE_CANDIDATES; ++i)
      value->fixed_sums[c * XC_CALIBRATE_CANDIDATES + i] = value->sums[c];
  }
  return move_readers(q, value->original, r);
}

static bool move_readers(xc_quantizer *q, MlirValue value, const rectifier *r) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = user_of(use);
    xc_quantize_value *result = xc_quantize_value_of(q, xc_op_result(user));
    if (is_max(user) ? !move_value(q, result, result->calibrated, r)
                     : !move_filter(user, r, false))
      return false;
  }
  return true;
}

// Returns a clamp whose lower end is that of the integers.
static MlirValue build_clamp(const rectifier *r) {
  const xc_builder builder = xc_builder_before(r->operation);
  MlirValue input = mlirOperationGetOperand(r->operation, 0);
  MlirAttribute name = xc_op_attribute(r->operation, "op_name");
  xc_attribute attributes[4] = {xc_float("min", -r->amount),
                                xc_bool(XC_NAME_IMPLIED, true)};
  size_t count = 2;
  xc_adaptor clip;
  if (xc_adaptor_of(r->operation, &clip) &&
      !mlirAttributeIsNull(xc_op_attribute(r->operation, "max")))
    attributes[count++] =
        xc_float("max", r->factor * (double)xc_attr_float(&clip, XC_ATTR_MAX) -
                            r->amount);
  if (!mlirAttributeIsNull(name))
    attributes[count++] = xc_given("op_name", name);
  return xc_build(&builder, XC_TIR_CLIP, &input, 1, attributes, count,
                  XC_ELEMENT_F32);
}

static bool apply(xc_quantizer *q, const rectifier *r) {
  MlirValue old = xc_op_result(r->operation), made = build_clamp(r);
  MlirOperation writer =
      mlirOpResultGetOwner(mlirOperationGetOperand(r->operation, 0));
  if (mlirValueIsNull(made) || !move_filter(writer, r, true))
    return false;
  r->product->zero = -r->amount;
  xc_exact_move(q, r->product, r->factor, -r->amount);
  mlirValueReplaceAllUsesOfWith(old, made);
  xc_pointer_map_remove(&q->originals, old.ptr);
  xc_pointer_map_set(&q->originals, made.ptr, r->result);
  r->result->original = made;
  mlirOperationDestroy(r->operation);
  return move_value(q, r->result, r->result->calibrated + 1, r);
}

// Constants that follow an operator may be replaced, so that values are walked
// and not the block.
bool xc_quantize_move_zeros(xc_quantizer *q, bool *changed) {
  for (size_t i = q->num_arguments; i < q->num_values; ++i) {
    rectifier r;
    if (!q->values[i].is_float ||
        !find_rectifier(q, mlirOpResultGetOwner(q->values[i].original), &r))
      continue;
    if (!apply(q, &r))
      return false;
    *changed = true;
  }
  return true;
}
