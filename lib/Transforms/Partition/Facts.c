//===- Facts.c - the numbers that constraints look at ---------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadFacts.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "IR/IR.h"
#include "OpParams/Fix.h"
#include "Support/Math.h"
#include "dialects/Build.h"
#include "xc-c/FixedPoint.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// Returns the class whose engine decides in the end.
static xc_fit_class final_class(const xc_facts *facts) {
  return facts->has_replacement && (facts->class_ == XC_FIT_REWRITTEN ||
                                    facts->class_ == XC_FIT_FLOATING ||
                                    facts->class_ == XC_FIT_SCALED)
             ? xc_fit_class_of(facts->replacement)
             : facts->class_;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

bool xc_op_takes(const xc_adaptor *op, xc_attr id, xc_attribute_type type) {
  const xc_attribute_info *row = xc_attribute_info_get(op->info, id);
  return row && row->type == type;
}

// Fills up to `count` consecutive facts from an integer array.
static void read_ints(const xc_adaptor *op, xc_attr id, xc_facts *facts,
                      xc_fact first, size_t count) {
  if (!xc_op_takes(op, id, XC_ATTRIBUTE_INTS))
    return;
  int64_t ints[XC_MAX_INTS];
  size_t given = xc_attr_ints(op, id, ints);
  for (size_t i = 0; i < given && i < count; ++i)
    facts->value[first + i] = ints[i];
}

void xc_facts_read_int(const xc_adaptor *op, xc_attr id, xc_facts *facts,
                       xc_fact fact) {
  if (xc_op_takes(op, id, XC_ATTRIBUTE_INT))
    facts->value[fact] = xc_attr_int(op, id);
}

static void read_bool(const xc_adaptor *op, xc_attr id, xc_facts *facts,
                      xc_fact fact) {
  if (xc_op_takes(op, id, XC_ATTRIBUTE_BOOL))
    facts->value[fact] = xc_attr_bool(op, id);
}

static void read_words(const xc_adaptor *op, xc_facts *facts) {
  // The quantised operators have further activations, all of them clamps.
  if (xc_op_takes(op, XC_ATTR_NONLINEAR, XC_ATTRIBUTE_STRING)) {
    const char *name = xc_enum_name(xc_attr_enum(op, XC_ATTR_NONLINEAR));
    XcActivation value = XcActivationRelu;
    (void)xcActivationParse(name, strlen(name), &value);
    facts->value[XC_FACT_ACTIVATION] = value;
  }
  if (xc_op_takes(op, XC_ATTR_ROUND_MODE, XC_ATTRIBUTE_STRING))
    facts->value[XC_FACT_ROUND_MODE] = xc_round_mode_of(op);
}

// Lists have one entry per input, or none when all are 0.
static void read_input_points(const xc_adaptor *op, xc_facts *facts) {
  int64_t points[XC_MAX_INTS] = {0};
  size_t count = 1;
  if (xc_op_takes(op, XC_ATTR_INPUT_FIX_POINT, XC_ATTRIBUTE_INT))
    points[0] = xc_attr_int(op, XC_ATTR_INPUT_FIX_POINT);
  else if (xc_op_takes(op, XC_ATTR_INPUT_FIX_POINT, XC_ATTRIBUTE_INTS))
    count = xc_attr_ints(op, XC_ATTR_INPUT_FIX_POINT, points);
  int64_t low = points[0], high = points[0], sum = 0;
  for (size_t i = 0; i < count && i < XC_MAX_INTS; ++i) {
    low = points[i] < low ? points[i] : low;
    high = points[i] > high ? points[i] : high;
    sum += points[i];
  }
  facts->value[XC_FACT_INPUT_POINT] = low;
  facts->value[XC_FACT_LARGEST_POINT] = high;
  facts->value[XC_FACT_POINT_SUM] = sum;
}

// Lists of fix points: the least of the weights, and that of the bias which
// shifts it least; how far the others are from there; and of how many channels
// all places where they change are multiples.
static void read_group_points(const xc_adaptor *op, xc_facts *facts) {
  if (!xc_op_takes(op, XC_ATTR_WEIGHT_FIX_POINTS, XC_ATTRIBUTE_INTS))
    return;
  xc_shape result = xc_result_shape(op);
  xc_fix_groups groups = xc_fix_groups_of(op, result.dims[result.rank - 1]);
  int64_t weight[2] = {0}, align[2] = {0}, channels = 0, before[2] = {0};
  for (int64_t i = 0; i < groups.count; ++i) {
    int64_t own[] = {xc_fix_weight_point(op, i), xc_fix_bias_point(op, i)};
    int64_t difference = own[0] - own[1];
    for (int end = 0; end < 2; ++end) {
      if (i == 0 || (end ? own[0] > weight[1] : own[0] < weight[0]))
        weight[end] = own[0];
      if (i == 0 || (end ? difference > align[1] : difference < align[0]))
        align[end] = difference;
    }
    if (i > 0 && (own[0] != before[0] || own[1] != before[1]))
      channels = xc_gcd64(i * groups.channels, channels);
    memcpy(before, own, sizeof(own));
  }
  facts->value[XC_FACT_WEIGHT_POINT] = weight[0];
  facts->value[XC_FACT_BIAS_POINT] = weight[0] - align[0];
  facts->value[XC_FACT_WEIGHT_SPREAD] = weight[1] - weight[0];
  facts->value[XC_FACT_BIAS_SPREAD] = align[1] - align[0];
  facts->value[XC_FACT_POINT_CHANNELS] = channels;
}

static void read_attributes(const xc_adaptor *op, xc_facts *facts) {
  read_ints(op, XC_ATTR_KERNEL, facts, XC_FACT_KERNEL_W, 2);
  read_ints(op, XC_ATTR_STRIDE, facts, XC_FACT_STRIDE_W, 2);
  read_ints(op, XC_ATTR_DILATION, facts, XC_FACT_DILATION_W, 2);
  read_ints(op, XC_ATTR_PAD, facts, XC_FACT_PAD_LEFT, 4);
  read_ints(op, XC_ATTR_OUTPUT_PADDING, facts, XC_FACT_EXTRA_W, 2);
  xc_facts_read_int(op, XC_ATTR_GROUP, facts, XC_FACT_GROUP);
  xc_facts_read_int(op, XC_ATTR_SCALE, facts, XC_FACT_SCALE);
  xc_facts_read_int(op, XC_ATTR_STRIDE, facts, XC_FACT_SCALE);
  xc_facts_read_int(op, XC_ATTR_WEIGHT_FIX_POINT, facts, XC_FACT_WEIGHT_POINT);
  xc_facts_read_int(op, XC_ATTR_SLOPE_FIX_POINT, facts, XC_FACT_WEIGHT_POINT);
  xc_facts_read_int(op, XC_ATTR_BIAS_FIX_POINT, facts, XC_FACT_BIAS_POINT);
  xc_facts_read_int(op, XC_ATTR_OUTPUT_FIX_POINT, facts, XC_FACT_OUTPUT_POINT);
  read_bool(op, XC_ATTR_COUNT_INCLUDE_PAD, facts, XC_FACT_COUNTS_PAD);
  read_bool(op, XC_ATTR_COUNT_INCLUDE_INVALID, facts, XC_FACT_COUNTS_BEYOND);
  read_bool(op, XC_ATTR_EXACT, facts, XC_FACT_EXACT);
  read_words(op, facts);
  read_input_points(op, facts);
  read_group_points(op, facts);
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

static bool is_constant(MlirValue value) {
  if (!mlirValueIsAOpResult(value))
    return false;
  const xc_op_info *info = xc_op_info_of(mlirOpResultGetOwner(value));
  return info && xc_fit_class_of(info->kind) == XC_FIT_STORAGE;
}

static bool is_parameter(const char *name) {
  static const char *const names[] = {"weight", "bias",  "slope", "scale",
                                      "mean",   "gamma", "beta",  "var"};
  for (size_t i = 0; i < sizeof(names) / sizeof(*names); ++i)
    if (strcmp(names[i], name) == 0)
      return true;
  return false;
}

// Of a constant of i8.
static int64_t count_negative(MlirValue constant) {
  size_t size;
  MlirOperation owner = mlirOpResultGetOwner(constant);
  if (xc_op_info_of(owner)->kind != XC_TIR_CONST)
    return 0;
  int8_t *bytes = xc_const_bytes(owner, &size);
  int64_t count = 0;
  for (size_t i = 0; bytes && i < size; ++i)
    count += bytes[i] < 0;
  free(bytes);
  return count;
}

static void read_parameter(const xc_adaptor *op, size_t slot,
                           const xc_shape *input, xc_facts *facts) {
  xc_shape shape = xc_operand_shape(op, slot);
  int64_t *value = facts->value;
  if (!is_constant(xc_operand(op, slot)))
    value[XC_FACT_CONSTANT] = 0;
  if (strcmp(op->info->operands[slot].name, "bias") == 0) {
    value[XC_FACT_HAS_BIAS] = 1;
    if (!xc_element_is_float(shape.element))
      value[XC_FACT_BIAS_BITS] = 8 * (int64_t)xc_element_size(shape.element);
  }
  int64_t count = xc_shape_num_elements(&shape);
  int64_t channels = input->rank ? input->dims[input->rank - 1] : 1;
  bool per_channel = count == 1 || (count == channels && shape.rank &&
                                    shape.dims[shape.rank - 1] == channels);
  xc_fit_class class_ = final_class(facts);
  if ((class_ == XC_FIT_CHANNELWISE || class_ == XC_FIT_PRELU) && !per_channel)
    value[XC_FACT_PER_CHANNEL] = 0;
  if (facts->kind == XC_TIR_PRELU_FIX && value[XC_FACT_CONSTANT])
    value[XC_FACT_NEGATIVE_SLOPES] = count_negative(xc_operand(op, slot));
  if ((class_ == XC_FIT_DEPTHWISE || class_ == XC_FIT_TRANSPOSED_DEPTHWISE) &&
      shape.rank == 4)
    value[XC_FACT_MULTIPLIER] = shape.dims[0];
}

static xc_shape result_shape(const xc_adaptor *op) {
  xc_shape shape = {0};
  if (mlirOperationGetNumResults(op->operation) > 0)
    (void)xc_shape_of_type(mlirValueGetType(xc_op_result(op->operation)),
                           &shape);
  return shape;
}

int64_t xc_dim_from_end(const xc_shape *shape, size_t back) {
  return back < shape->rank ? shape->dims[shape->rank - 1 - back] : 1;
}

// Whether an engine that repeats rows and pixels cannot give the operand the
// result's shape.
static bool is_uneven(const xc_shape *shape, const xc_shape *result) {
  return !xc_same_dims(shape, result) &&
         (result->rank > 4 ||
          xc_dim_from_end(shape, 0) != xc_dim_from_end(result, 0));
}

static void read_tensors(const xc_adaptor *op, const xc_shape *result,
                         xc_facts *facts) {
  int64_t *value = facts->value;
  xc_shape input = {0};
  if (op->info->num_operands > 0 && xc_has_operand(op, 0))
    (void)xc_shape_of_type(op->operand_types[0], &input);
  value[XC_FACT_RANK] = (int64_t)input.rank;
  value[XC_FACT_BATCH] = input.rank ? input.dims[0] : 1;
  value[XC_FACT_INPUT_C] = xc_dim_from_end(&input, 0);
  value[XC_FACT_INPUT_W] = input.rank >= 3 ? xc_dim_from_end(&input, 1) : 1;
  value[XC_FACT_INPUT_H] = input.rank >= 3 ? xc_dim_from_end(&input, 2) : 1;
  value[XC_FACT_RESULT_BATCH] = result->rank ? result->dims[0] : 1;
  value[XC_FACT_RESULT_H] = result->rank >= 3 ? xc_dim_from_end(result, 2) : 1;
  value[XC_FACT_RESULT_W] = result->rank >= 3 ? xc_dim_from_end(result, 1) : 1;
  value[XC_FACT_OUTPUT_C] = xc_dim_from_end(result, 0);
  value[XC_FACT_RESULT_BITS] = 8 * (int64_t)xc_element_size(result->element);
  bool judged = facts->class_ != XC_FIT_FLOATING &&
                facts->class_ != XC_FIT_SCALED &&
                facts->class_ != XC_FIT_REWRITTEN;
  int64_t inputs = 0, broadcast = 0, uneven = 0, foreign = 0;
  int64_t empty = xc_shape_num_elements(result) == 0;
  for (size_t slot = 0; slot < op->info->num_operands; ++slot) {
    if (!xc_has_operand(op, slot))
      continue;
    if (is_parameter(op->info->operands[slot].name)) {
      read_parameter(op, slot, &input, facts);
      continue;
    }
    xc_shape shape = xc_operand_shape(op, slot);
    ++inputs;
    empty += xc_shape_num_elements(&shape) == 0;
    broadcast += !xc_same_dims(&shape, result);
    uneven += is_uneven(&shape, result);
    foreign += shape.element != XC_ELEMENT_I8;
  }
  foreign += facts->class_ != XC_FIT_ARGMAX && result->element != XC_ELEMENT_I8;
  value[XC_FACT_NUM_INPUTS] = inputs > 0 ? inputs : 1;
  value[XC_FACT_NUM_BROADCAST] = broadcast;
  value[XC_FACT_NUM_UNEVEN] = uneven;
  value[XC_FACT_NUM_FOREIGN] = judged ? foreign : 0;
  value[XC_FACT_NUM_EMPTY] = empty;
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

// Returns the padding that the last window needs so that pad_mode FLOOR gives
// `outputs`.
static int64_t needed_after(const int64_t *value, int axis, int64_t outputs) {
  int64_t window =
      (value[XC_FACT_KERNEL_W + axis] - 1) * value[XC_FACT_DILATION_W + axis] +
      1;
  int64_t input = value[axis ? XC_FACT_INPUT_H : XC_FACT_INPUT_W];
  int64_t needed = (outputs - 1) * value[XC_FACT_STRIDE_W + axis] + window -
                   input - value[XC_FACT_PAD_LEFT + 2 * axis];
  return needed > 0 ? needed : 0;
}

// Explicit padding in the place of SAME and CEIL.
static void resolve_padding(const xc_adaptor *op, const xc_shape *result,
                            bool transposed, xc_facts *facts) {
  int64_t *value = facts->value;
  xc_enum mode = xc_attr_enum(op, XC_ATTR_PAD_MODE);
  bool same = mode == XC_ENUM_SAME;
  if (!same && mode != XC_ENUM_CEIL)
    return;
  for (int axis = 0; axis < 2; ++axis) {
    int64_t *before = &value[XC_FACT_PAD_LEFT + 2 * axis];
    int64_t *after = before + 1;
    int64_t outputs = result->dims[2 - axis];
    int64_t needed = needed_after(value, axis, outputs);
    if (same && transposed) {
      int64_t stride = value[XC_FACT_STRIDE_W + axis];
      int64_t window = (value[XC_FACT_KERNEL_W + axis] - 1) *
                           value[XC_FACT_DILATION_W + axis] +
                       1;
      needed = window > stride ? window - stride : 0;
    }
    if (same) {
      *before = needed / 2;
      *after = needed - needed / 2;
    } else if (!transposed && needed > *after) {
      value[XC_FACT_REACHES_BEYOND] = 1;
      *after = needed;
    }
  }
}

static void read_window(const xc_adaptor *op, const xc_shape *result,
                        xc_facts *facts) {
  int64_t *value = facts->value;
  if (xc_op_takes(op, XC_ATTR_GLOBAL, XC_ATTRIBUTE_BOOL) &&
      xc_attr_bool(op, XC_ATTR_GLOBAL)) {
    value[XC_FACT_KERNEL_W] = value[XC_FACT_STRIDE_W] = value[XC_FACT_INPUT_W];
    value[XC_FACT_KERNEL_H] = value[XC_FACT_STRIDE_H] = value[XC_FACT_INPUT_H];
  }
  xc_fit_class class_ = final_class(facts);
  if (xc_op_takes(op, XC_ATTR_PAD_MODE, XC_ATTRIBUTE_STRING) &&
      result->rank == 4)
    resolve_padding(op, result,
                    class_ == XC_FIT_TRANSPOSED ||
                        class_ == XC_FIT_TRANSPOSED_DEPTHWISE,
                    facts);
}

static void read_pool_type(const xc_adaptor *op, xc_facts *facts) {
  bool max = facts->kind == XC_TIR_MAXPOOL2D;
  if (xc_op_takes(op, XC_ATTR_TYPE, XC_ATTRIBUTE_STRING))
    max = xc_attr_is(op, XC_ATTR_TYPE, XC_ENUM_MAX);
  facts->value[XC_FACT_POOL_TYPE] = !max;
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

// A mean over axes is a pool that covers them.
static void cover_reduced_axes(xc_facts *facts) {
  int64_t *value = facts->value;
  value[XC_FACT_KERNEL_W] = value[XC_FACT_STRIDE_W] = value[XC_FACT_REDUCED_W];
  value[XC_FACT_KERNEL_H] = value[XC_FACT_STRIDE_H] = value[XC_FACT_REDUCED_H];
}

// Reads a matrix product as the 1x1 convolution that replaces it.
static void read_matrix(const xc_adaptor *op, xc_facts *facts) {
  int64_t *value = facts->value;
  size_t slot = facts->kind == XC_TIR_INNER_PRODUCT
                    ? (size_t)XC_INNER_PRODUCT_WEIGHT
                    : (size_t)XC_MATMUL_B;
  xc_shape weight = xc_operand_shape(op, slot);
  value[XC_FACT_INPUT_C] =
      xc_shape_num_elements(&weight) / value[XC_FACT_OUTPUT_C];
  value[XC_FACT_INPUT_W] = value[XC_FACT_INPUT_H] = 1;
  if (!is_constant(xc_operand(op, slot)))
    value[XC_FACT_CONSTANT] = 0;
}

static void read_eltwise(const xc_adaptor *op, xc_facts *facts) {
  bool mul = facts->kind == XC_TIR_MUL;
  if (xc_op_takes(op, XC_ATTR_TYPE, XC_ATTRIBUTE_STRING)) {
    xc_enum type = xc_attr_enum(op, XC_ATTR_TYPE);
    mul = type == XC_ENUM_MUL;
    if (!mul && type != XC_ENUM_ADD) {
      facts->class_ = XC_FIT_HOST;
      facts->has_replacement = false;
    }
  }
  facts->value[XC_FACT_ELTWISE_TYPE] = mul;
}

// One quantised operator stands for several; its type says for which.
static void read_quantised_type(const xc_adaptor *op, xc_facts *facts) {
  static const struct {
    xc_op_kind kind;
    xc_enum type;
    xc_op_kind replacement;
  } rows[] = {
      {XC_TIR_QLINEAR_ACTIVATION, XC_ENUM_RELU, XC_TIR_RELU_FIX},
      {XC_TIR_QLINEAR_ACTIVATION, XC_ENUM_RELU6, XC_TIR_RELU6_FIX},
      {XC_TIR_QLINEAR_ACTIVATION, XC_ENUM_LEAKYRELU, XC_TIR_LEAKY_RELU_FIX},
      {XC_TIR_QLINEAR_ACTIVATION, XC_ENUM_SIGMOID, XC_TIR_HARD_SIGMOID_FIX},
      {XC_TIR_QLINEAR_ACTIVATION, XC_ENUM_HARDSWISH, XC_TIR_HARD_SWISH_FIX},
      {XC_TIR_QLINEAR_REDUCTION, XC_ENUM_MAX, XC_TIR_REDUCTION_MAX_FIX},
      {XC_TIR_QLINEAR_REDUCTION, XC_ENUM_MEAN, XC_TIR_POOL_FIX},
  };
  if (facts->kind != XC_TIR_QLINEAR_ACTIVATION &&
      facts->kind != XC_TIR_QLINEAR_REDUCTION)
    return;
  xc_enum type = xc_attr_enum(op, XC_ATTR_TYPE);
  facts->has_replacement = false;
  facts->class_ = XC_FIT_HOST;
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i)
    if (rows[i].kind == facts->kind && rows[i].type == type) {
      facts->class_ = XC_FIT_SCALED;
      facts->has_replacement = true;
      facts->replacement = rows[i].replacement;
    }
}

static void read_class(const xc_adaptor *op, const xc_shape *result,
                       xc_facts *facts) {
  switch (final_class(facts)) {
  case XC_FIT_CONV:
    if (xc_op_takes(op, XC_ATTR_KERNEL, XC_ATTRIBUTE_INTS))
      read_window(op, result, facts);
    else
      read_matrix(op, facts);
    return;
  case XC_FIT_DEPTHWISE:
    if (!xc_op_takes(op, XC_ATTR_KERNEL, XC_ATTRIBUTE_INTS))
      return; // batchnorm and scale: 1x1
    read_window(op, result, facts);
    return;
  case XC_FIT_TRANSPOSED:
  case XC_FIT_TRANSPOSED_DEPTHWISE:
    read_window(op, result, facts);
    return;
  case XC_FIT_POOL:
    read_pool_type(op, facts);
    read_window(op, result, facts);
    xc_facts_read_reduced_axes(op, facts);
    if (xc_op_takes(op, XC_ATTR_AXIS, XC_ATTRIBUTE_INTS))
      cover_reduced_axes(facts);
    return;
  case XC_FIT_ELTWISE:
    read_eltwise(op, facts);
    return;
  case XC_FIT_CHANNELWISE:
    read_eltwise(op, facts);
    return;
  case XC_FIT_CONCAT:
    xc_facts_read_axis(op, result->rank, facts);
    xc_facts_read_joined_axis(op, result, facts);
    return;
  case XC_FIT_ARGMAX:
    xc_facts_read_axis(op, (size_t)facts->value[XC_FACT_RANK], facts);
    return;
  case XC_FIT_MAX_REDUCE:
    xc_facts_read_reduced_axes(op, facts);
    return;
  case XC_FIT_PAD:
    xc_facts_read_pad(op, facts);
    return;
  case XC_FIT_SLICE:
    xc_facts_read_slice(op, result, facts);
    return;
  case XC_FIT_TRANSPOSE:
    xc_facts_read_order(op, facts);
    return;
  case XC_FIT_TILE:
    xc_facts_read_tile(op, result, facts);
    return;
  case XC_FIT_DOWNSAMPLE:
    read_ints(op, XC_ATTR_SCALE, facts, XC_FACT_STRIDE_W, 2);
    return;
  case XC_FIT_RELU:
  case XC_FIT_RELU6:
  case XC_FIT_LEAKY_RELU:
  case XC_FIT_PRELU:
  case XC_FIT_HARD_SIGMOID:
  case XC_FIT_HARD_SWISH:
    xc_facts_set_activation(facts, final_class(facts));
    return;
  case XC_FIT_RESHAPE:
  case XC_FIT_UPSAMPLE:
  case XC_FIT_REORG:
  case XC_FIT_REWRITTEN:
  case XC_FIT_FLOATING:
  case XC_FIT_SCALED:
  case XC_FIT_BOUNDARY:
  case XC_FIT_HOST:
  case XC_FIT_STORAGE:
  case XC_FIT_UNKNOWN:
  case XC_FIT_NUM_CLASSES:
    return;
  }
}

void xc_facts_read(const xc_adaptor *op, xc_facts *facts) {
  xc_facts_init(facts, op->info->kind);
  read_quantised_type(op, facts);
  // Nothing that a row of Constraints.def could look at.
  if (facts->class_ == XC_FIT_HOST || facts->class_ == XC_FIT_BOUNDARY ||
      facts->class_ == XC_FIT_STORAGE)
    return;
  xc_shape result = result_shape(op);
  read_attributes(op, facts);
  read_tensors(op, &result, facts);
  if (facts->kind == XC_TIR_RESIZE)
    xc_facts_read_resize(op, &result, facts);
  read_class(op, &result, facts);
}
