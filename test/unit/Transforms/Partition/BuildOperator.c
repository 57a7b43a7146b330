//===- BuildOperator.c - from facts back to IR ----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BuildOperator.h"

#include "dialects/Build.h"
#include "dialects/Verify.h"
#include "xc-c/FixedPoint.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

xc_op_kind representative(xc_fit_class class_) {
  static const struct {
    xc_fit_class class_;
    xc_op_kind kind;
  } chosen[] = {
      {XC_FIT_FLOATING, XC_TIR_RELU},
      {XC_FIT_SCALED, XC_TIR_QLINEAR_ACTIVATION},
      {XC_FIT_REWRITTEN, XC_TIR_REDUCTION_MEAN_FIX},
      {XC_FIT_BOUNDARY, XC_TIR_FIX},
      {XC_FIT_HOST, XC_TIR_TANH},
      {XC_FIT_RESHAPE, XC_TIR_RESHAPE_FIX},
      {XC_FIT_TILE, XC_TIR_PIXEL_SHUFFLE_FIX},
  };
  for (size_t i = 0; i < sizeof(chosen) / sizeof(*chosen); ++i)
    if (chosen[i].class_ == class_)
      return chosen[i].kind;
  size_t count;
  const xc_op_info *rows = xc_op_table(&count);
  for (size_t i = 0; i < count; ++i)
    if (rows[i].dialect == XC_DIALECT_TIR &&
        xc_fit_class_of(rows[i].kind) == class_)
      return rows[i].kind;
  assert(false && "every class has an operator");
  return XC_TIR_CONST;
}

xc_facts typical(xc_op_kind kind) {
  xc_facts f;
  xc_facts_init(&f, kind);
  int64_t *v = f.value;
  v[XC_FACT_INPUT_W] = v[XC_FACT_INPUT_H] = 600;
  v[XC_FACT_INPUT_C] = v[XC_FACT_OUTPUT_C] = 16;
  v[XC_FACT_INPUT_POINT] = v[XC_FACT_LARGEST_POINT] = 4;
  v[XC_FACT_WEIGHT_POINT] = v[XC_FACT_BIAS_POINT] = 4;
  v[XC_FACT_OUTPUT_POINT] = 4;
  v[XC_FACT_RESULT_BITS] = 8;
  switch (f.class_) {
  case XC_FIT_CONV:
  case XC_FIT_DEPTHWISE:
    v[XC_FACT_HAS_BIAS] = 1;
    break;
  case XC_FIT_TRANSPOSED:
  case XC_FIT_TRANSPOSED_DEPTHWISE:
    v[XC_FACT_HAS_BIAS] = 1;
    v[XC_FACT_KERNEL_W] = v[XC_FACT_KERNEL_H] = 2;
    v[XC_FACT_STRIDE_W] = v[XC_FACT_STRIDE_H] = 2;
    break;
  case XC_FIT_POOL:
    v[XC_FACT_KERNEL_W] = v[XC_FACT_KERNEL_H] = 2;
    break;
  case XC_FIT_ELTWISE:
  case XC_FIT_CONCAT:
    v[XC_FACT_NUM_INPUTS] = 2;
    v[XC_FACT_POINT_SUM] = 8;
    break;
  case XC_FIT_TILE:
    v[XC_FACT_SCALE] = 2;
    break;
  case XC_FIT_HARD_SIGMOID:
  case XC_FIT_HARD_SWISH:
    v[XC_FACT_OUTPUT_POINT] = 7;
    break;
  case XC_FIT_RELU:
    v[XC_FACT_ACTIVATION] = XcActivationRelu;
    break;
  case XC_FIT_RELU6:
    v[XC_FACT_ACTIVATION] = XcActivationRelu6;
    v[XC_FACT_WEIGHT_POINT] = 0;
    break;
  default:
    break;
  }
  return f;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

typedef struct builder {
  const xc_facts *facts;
  xc_builder at;
  MlirLocation location;
  MlirContext context;
  MlirBlock body;
  bool failed;
  MlirValue operands[XC_MAX_OPERANDS];
  size_t num_operands;
  xc_attribute attributes[32];
  size_t num_attributes;
} builder;

static MlirValue argument(builder *b, xc_shape shape) {
  return mlirBlockAddArgument(b->body, xc_type_of_shape(b->context, &shape),
                              b->location);
}

static xc_shape tensor(xc_element element, size_t rank, const int64_t *dims) {
  xc_shape shape = {.element = element, .rank = rank};
  memcpy(shape.dims, dims, rank * sizeof(*dims));
  return shape;
}

static void add_operand(builder *b, MlirValue value) {
  b->failed |= mlirValueIsNull(value);
  b->operands[b->num_operands++] = value;
}

// Constant data whose content does not matter: tir.data, which is zeros.
static MlirValue constant(builder *b, xc_shape shape) {
  return xc_build_shaped(&b->at, XC_TIR_DATA, NULL, 0, NULL, 0, &shape);
}

static void add_parameter(builder *b, xc_element element, size_t rank,
                          const int64_t *dims) {
  xc_shape shape = tensor(element, rank, dims);
  add_operand(b, b->facts->value[XC_FACT_CONSTANT] ? constant(b, shape)
                                                   : argument(b, shape));
}

// A tensor that a DPU operator makes.
static MlirValue on_dpu(builder *b, xc_shape shape) {
  MlirValue value = argument(b, shape);
  return xc_build(&b->at, XC_TIR_RELU_FIX, &value, 1, NULL, 0, XC_ELEMENT_I8);
}

static xc_element input_element(const xc_facts *f, int64_t index) {
  if (f->class_ == XC_FIT_FLOATING || f->class_ == XC_FIT_BOUNDARY ||
      f->class_ == XC_FIT_HOST)
    return XC_ELEMENT_F32;
  return index < f->value[XC_FACT_NUM_FOREIGN] ? XC_ELEMENT_UI8 : XC_ELEMENT_I8;
}

static void add_input(builder *b, int64_t index, size_t rank,
                      const int64_t *dims) {
  const xc_facts *f = b->facts;
  xc_shape shape = tensor(input_element(f, index), rank, dims);
  bool judged = f->class_ == XC_FIT_CONCAT || f->class_ == XC_FIT_RESHAPE ||
                f->class_ == XC_FIT_TRANSPOSE;
  bool from_cpu = !judged || index < f->value[XC_FACT_CPU_INPUTS];
  add_operand(b, from_cpu || shape.element != XC_ELEMENT_I8 ? argument(b, shape)
                                                            : on_dpu(b, shape));
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static bool has(const builder *b, const char *name, xc_attribute_type type) {
  const xc_op_info *info = xc_op_info_get(XC_DIALECT_TIR, b->facts->kind);
  const xc_attribute_info *row =
      xc_attribute_info_find(info, name, strlen(name));
  return row && row->type == type;
}

static void add(builder *b, xc_attribute attribute) {
  b->attributes[b->num_attributes++] = attribute;
}

static void add_int(builder *b, const char *name, xc_fact fact) {
  if (has(b, name, XC_ATTRIBUTE_INT))
    add(b, xc_int(name, b->facts->value[fact]));
}

static void add_bool(builder *b, const char *name, bool value) {
  if (has(b, name, XC_ATTRIBUTE_BOOL))
    add(b, xc_bool(name, value));
}

static void add_ints(builder *b, const char *name, const int64_t *values,
                     size_t count) {
  if (has(b, name, XC_ATTRIBUTE_INTS))
    add(b, xc_ints(name, values, count));
}

static void add_word(builder *b, const char *name, const char *word) {
  if (has(b, name, XC_ATTRIBUTE_STRING))
    add(b, xc_string(name, word));
}

// Groups of so many channels with one of two fix points in turn. False where
// all have the same.
static bool add_group_points(builder *b) {
  const int64_t *v = b->facts->value;
  static int64_t points[XC_MAX_INTS]; // attributes point to it
  int64_t size = v[XC_FACT_POINT_CHANNELS];
  if (size == 0 || !has(b, "weight_fix_points", XC_ATTRIBUTE_INTS))
    return false;
  size_t count = (size_t)((v[XC_FACT_OUTPUT_C] + size - 1) / size);
  for (size_t i = 0; i < count; ++i)
    points[i] = v[XC_FACT_WEIGHT_POINT] + (int64_t)(i % 2);
  add_ints(b, "weight_fix_points", points, count);
  add_int(b, "fix_point_channels", XC_FACT_POINT_CHANNELS);
  return true;
}

// Attributes that only need their fact.
static void add_plain_attributes(builder *b, const int64_t *pads) {
  const xc_facts *f = b->facts;
  const int64_t *v = f->value;
  add(b, xc_string("op_name", "probe"));
  add_ints(b, "kernel", &v[XC_FACT_KERNEL_W], 2);
  add_ints(b, "stride", &v[XC_FACT_STRIDE_W], 2);
  add_ints(b, "dilation", &v[XC_FACT_DILATION_W], 2);
  add_ints(b, "pad", pads, 4);
  add_ints(b, "output_padding", &v[XC_FACT_EXTRA_W], 2);
  add_int(b, "group", XC_FACT_GROUP);
  add_int(b, "scale", XC_FACT_SCALE);
  add_int(b, "stride", XC_FACT_SCALE);
  add_int(b, "input_fix_point", XC_FACT_INPUT_POINT);
  if (!add_group_points(b))
    add_int(b, "weight_fix_point", XC_FACT_WEIGHT_POINT);
  add_int(b, "slope_fix_point", XC_FACT_WEIGHT_POINT);
  add_int(b, "bias_fix_point", XC_FACT_BIAS_POINT);
  add_int(b, "output_fix_point", XC_FACT_OUTPUT_POINT);
  add_int(b, "constant_value", XC_FACT_PAD_VALUE);
  add_bool(b, "count_include_pad", v[XC_FACT_COUNTS_PAD]);
  add_bool(b, "count_include_invalid", v[XC_FACT_COUNTS_BEYOND]);
  add_bool(b, "exact", v[XC_FACT_EXACT]);
  static const char *const rounding[] = {"DPU_ROUND", "STD_ROUND", "PY3_ROUND"};
  add_word(b, "round_mode", rounding[v[XC_FACT_ROUND_MODE]]);
  add_word(b, "nonlinear",
           xcActivationGetName((XcActivation)v[XC_FACT_ACTIVATION]));
  if (v[XC_FACT_REACHES_BEYOND])
    add_word(b, "pad_mode", "CEIL");
  if (f->class_ == XC_FIT_POOL)
    add_word(b, "type", v[XC_FACT_POOL_TYPE] ? "AVG" : "MAX");
  if (f->class_ == XC_FIT_ELTWISE || f->class_ == XC_FIT_CHANNELWISE)
    add_word(b, "type", v[XC_FACT_ELTWISE_TYPE] ? "MUL" : "ADD");
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

static void add_convolution(builder *b, bool depthwise) {
  const int64_t *v = b->facts->value;
  const int64_t input[] = {v[XC_FACT_BATCH], v[XC_FACT_INPUT_H],
                           v[XC_FACT_INPUT_W], v[XC_FACT_INPUT_C]};
  const int64_t weight[] = {
      depthwise ? v[XC_FACT_MULTIPLIER] : v[XC_FACT_OUTPUT_C],
      v[XC_FACT_KERNEL_H], v[XC_FACT_KERNEL_W],
      depthwise ? v[XC_FACT_INPUT_C] : v[XC_FACT_INPUT_C] / v[XC_FACT_GROUP]};
  add_input(b, 0, 4, input);
  add_parameter(b, XC_ELEMENT_I8, 4, weight);
  int64_t outputs = depthwise ? weight[0] * weight[3] : weight[0];
  if (v[XC_FACT_HAS_BIAS])
    add_parameter(b,
                  v[XC_FACT_BIAS_BITS] == 8    ? XC_ELEMENT_I8
                  : v[XC_FACT_BIAS_BITS] == 16 ? XC_ELEMENT_I16
                                               : XC_ELEMENT_I32,
                  1, &outputs);
}

static void add_eltwise(builder *b) {
  const int64_t *v = b->facts->value;
  const int64_t full[] = {1, 8, 8, v[XC_FACT_OUTPUT_C]};
  const int64_t one[] = {1, 1, 1, v[XC_FACT_OUTPUT_C]};
  const int64_t pixels[] = {1, 8, 8, 1};
  static int64_t points[16];
  int64_t inputs = v[XC_FACT_NUM_INPUTS];
  for (int64_t i = 0; i < inputs; ++i) {
    bool uneven = i >= inputs - v[XC_FACT_NUM_UNEVEN];
    bool broadcast = i >= inputs - v[XC_FACT_NUM_BROADCAST];
    add_input(b, i, 4, uneven ? pixels : broadcast ? one : full);
    points[i] = i == 0 ? v[XC_FACT_INPUT_POINT] : v[XC_FACT_LARGEST_POINT];
  }
  if (v[XC_FACT_ELTWISE_TYPE])
    points[1] = v[XC_FACT_POINT_SUM] - points[0];
  add(b, xc_ints("input_fix_point", points, (size_t)inputs));
}

static void add_concat(builder *b) {
  const int64_t *v = b->facts->value;
  bool channels = v[XC_FACT_ON_CHANNELS];
  bool outer = v[XC_FACT_OUTER_AXES] != 0;
  static int64_t points[2];
  for (int64_t i = 0; i < 2; ++i) {
    int64_t part = i == 0 ? 1 : v[XC_FACT_OUTPUT_C] - 1;
    const int64_t dims[] = {1, 8, 8, channels ? part : v[XC_FACT_OUTPUT_C]};
    const int64_t outer_dims[] = {1, 2, 8, 8, v[XC_FACT_OUTPUT_C]};
    add_input(b, i, outer ? 5 : 4, outer ? outer_dims : dims);
    points[i] = v[XC_FACT_INPUT_POINT];
  }
  add(b, xc_int("axis", outer ? 2 : channels ? 3 : 1));
  add(b, xc_ints("input_fix_point", points, 2));
}

static void add_pad(builder *b) {
  static const int64_t dims[] = {1, 8, 8, 16, 1, 1, 1, 1};
  static const char *const modes[] = {"CONSTANT", "REFLECT", "SYMMETRIC",
                                      "EDGE"};
  static int64_t paddings[16];
  const int64_t *v = b->facts->value;
  size_t rank = (size_t)v[XC_FACT_RANK];
  memset(paddings, 0, sizeof(paddings));
  if (rank == 4) {
    paddings[6] = v[XC_FACT_PAD_OTHER];
    paddings[4] = -v[XC_FACT_PAD_CROP];
  }
  int64_t sizes[8];
  memcpy(sizes, dims, sizeof(sizes));
  if (rank == 4)
    sizes[3] = v[XC_FACT_INPUT_C];
  add_input(b, 0, rank, sizes);
  add(b, xc_ints("paddings", paddings, 2 * rank));
  add_word(b, "mode", modes[v[XC_FACT_PAD_MODE]]);
}

static void add_slice(builder *b) {
  static const int64_t begin[] = {0, 0, 0, 0, 0};
  static int64_t end[5], strides[5];
  const int64_t *v = b->facts->value;
  const int64_t dims[] = {v[XC_FACT_SLICE_BATCH] ? 2 : 1, 64, 64, 16, 1};
  bool outer = v[XC_FACT_OUTER_AXES] != 0;
  size_t rank = outer ? 5 : 4;
  for (size_t i = 0; i < rank; ++i) {
    end[i] = i == 0 ? 1 : dims[i];
    strides[i] = i == 1 ? v[XC_FACT_SLICE_STRIDE] : 1;
  }
  // Of five dimensions the height is the third.
  end[1] -= outer ? 1 : 0;
  end[2] = v[XC_FACT_NUM_EMPTY] ? 0 : end[2];
  add_input(b, 0, rank, dims);
  add(b, xc_ints("begin", begin, rank));
  add(b, xc_ints("end", end, rank));
  add(b, xc_ints("strides", strides, rank));
}

static void add_transpose(builder *b) {
  static const int64_t moving[] = {0, 1, 3, 2}, still[] = {0, 1, 2, 3};
  static const int64_t dims[] = {1, 8, 8, 16};
  add_input(b, 0, 4, dims);
  add(b, xc_ints("order",
                 b->facts->value[XC_FACT_MOVES_CHANNELS] ? moving : still, 4));
}

static void add_reduction(builder *b) {
  static int64_t axes[3];
  const int64_t *v = b->facts->value;
  const int64_t dims[] = {1, v[XC_FACT_REDUCED_H], v[XC_FACT_REDUCED_W], 16};
  add_input(b, 0, 4, dims);
  axes[0] = 1;
  axes[1] = 2;
  axes[2] = 3;
  add(b, xc_ints("axis", axes, v[XC_FACT_REDUCED_OTHER] ? 3 : 2));
}

static void add_reshape(builder *b) {
  static int64_t shape[2];
  const int64_t *v = b->facts->value;
  const int64_t dims[] = {v[XC_FACT_BATCH], 8, 8, 16};
  shape[0] = v[XC_FACT_RESULT_BATCH];
  shape[1] = -1;
  add_input(b, 0, 4, dims);
  add(b, xc_ints("shape", shape, 2));
}

static void add_argmax(builder *b) {
  const int64_t *v = b->facts->value;
  const int64_t dims[] = {1, 8, 8, v[XC_FACT_INPUT_C]};
  add_input(b, 0, 4, dims);
  add(b, xc_int("axis", v[XC_FACT_ON_CHANNELS] ? 3 : 1));
}

// One input and nothing else, [1, height, width, channels].
static void add_unary(builder *b, int64_t size, int64_t channels) {
  const int64_t dims[] = {1, size, size, channels};
  add_input(b, 0, 4, dims);
}

static void add_slopes(builder *b, int64_t channels, int64_t negative) {
  int8_t bytes[64] = {0};
  xc_shape shape = tensor(XC_ELEMENT_I8, 1, &channels);
  assert(channels <= 64 && negative <= channels && "few slopes are enough");
  memset(bytes, -1, (size_t)negative);
  add_operand(b, xc_build_const_bytes(&b->at, bytes, &shape));
}

static void add_one_per_channel(builder *b) {
  const int64_t *v = b->facts->value;
  const int64_t dims[] = {8, 8, v[XC_FACT_INPUT_C]};
  add_unary(b, 8, v[XC_FACT_INPUT_C]);
  if (v[XC_FACT_NEGATIVE_SLOPES] > 0)
    add_slopes(b, dims[2], v[XC_FACT_NEGATIVE_SLOPES]);
  else if (v[XC_FACT_PER_CHANNEL])
    add_parameter(b, XC_ELEMENT_I8, 1, &dims[2]);
  else
    add_parameter(b, XC_ELEMENT_I8, 3, dims);
}

static void add_quantised(builder *b) {
  add_unary(b, 8, 16);
  add(b, xc_string("type", "RELU"));
  add(b, xc_float("input_scale", 0.1));
  add(b, xc_int("input_zero_point", 0));
  add(b, xc_float("output_scale", 0.1));
  add(b, xc_int("output_zero_point", 0));
}

// Pixels of an axis of 8 that the scale makes.
static int64_t resized(int64_t scale) {
  return scale == XC_NO_INTEGER ? 12 : 8 * scale;
}

static void add_resize(builder *b) {
  static const char *const modes[] = {[XC_NEAREST] = "NEAREST",
                                      [XC_BILINEAR] = "BILINEAR",
                                      [XC_BICUBIC] = "BICUBIC"};
  static const char *const roundings[] = {
      [XC_FLOOR] = "FLOOR",
      [XC_CEIL] = "CEIL",
      [XC_PREFER_FLOOR] = "ROUND_PREFER_FLOOR",
      [XC_PREFER_CEIL] = "ROUND_PREFER_CEIL"};
  static int64_t size[2];
  const int64_t *v = b->facts->value;
  size[0] = resized(v[XC_FACT_SCALE_W]);
  size[1] = resized(v[XC_FACT_SCALE_H]);
  add_unary(b, 8, 16);
  add(b, xc_ints("size", size, 2));
  add_word(b, "mode", modes[v[XC_FACT_INTERPOLATION]]);
  add_word(b, "nearest_mode", roundings[v[XC_FACT_NEAREST_MODE]]);
  add(b, xc_bool("align_corners", v[XC_FACT_ALIGNED] != 0));
}

static void add_product(builder *b) {
  const int64_t rows[] = {1, b->facts->value[XC_FACT_INPUT_C]};
  const int64_t weight[] = {b->facts->value[XC_FACT_INPUT_C],
                            b->facts->value[XC_FACT_OUTPUT_C]};
  add_input(b, 0, 2, rows);
  add_parameter(b, XC_ELEMENT_F32, 2, weight);
}

static void add_pool(builder *b) {
  const int64_t *v = b->facts->value;
  const int64_t dims[] = {1, v[XC_FACT_INPUT_H], v[XC_FACT_INPUT_W],
                          v[XC_FACT_INPUT_C]};
  add_input(b, 0, 4, dims);
}

/// What has another number of pixels than its input.
static void add_resized(builder *b) {
  static const int64_t two[] = {2, 2};
  const int64_t *v = b->facts->value;
  switch ((int)b->facts->class_) {
  case XC_FIT_UPSAMPLE:
    add_unary(b, 8, v[XC_FACT_OUTPUT_C]);
    add(b, xc_ints("scale", two, 2));
    break;
  case XC_FIT_DOWNSAMPLE:
    add_unary(b, 600, v[XC_FACT_INPUT_C]);
    add(b, xc_ints("scale", &v[XC_FACT_STRIDE_W], 2));
    break;
  case XC_FIT_REORG:
    add_unary(b, 4 * v[XC_FACT_SCALE], v[XC_FACT_INPUT_C]);
    break;
  case XC_FIT_TILE:
    add_unary(b, 8, v[XC_FACT_OUTPUT_C] * v[XC_FACT_SCALE] * v[XC_FACT_SCALE]);
    if (has(b, "mode", XC_ATTRIBUTE_STRING))
      add_word(b, "mode", v[XC_FACT_SCATTERED] ? "CRD" : "DCR");
    break;
  default:
    break;
  }
}

static void add_class(builder *b) {
  const int64_t *v = b->facts->value;
  switch (b->facts->class_) {
  case XC_FIT_CONV:
  case XC_FIT_TRANSPOSED:
    add_convolution(b, false);
    return;
  case XC_FIT_DEPTHWISE:
  case XC_FIT_TRANSPOSED_DEPTHWISE:
    add_convolution(b, true);
    return;
  case XC_FIT_POOL:
    add_pool(b);
    return;
  case XC_FIT_ELTWISE:
    add_eltwise(b);
    return;
  case XC_FIT_CHANNELWISE:
  case XC_FIT_PRELU:
    add_one_per_channel(b);
    return;
  case XC_FIT_CONCAT:
    add_concat(b);
    return;
  case XC_FIT_RESHAPE:
    add_reshape(b);
    return;
  case XC_FIT_TRANSPOSE:
    add_transpose(b);
    return;
  case XC_FIT_SLICE:
    add_slice(b);
    return;
  case XC_FIT_PAD:
    add_pad(b);
    return;
  case XC_FIT_UPSAMPLE:
  case XC_FIT_DOWNSAMPLE:
  case XC_FIT_REORG:
  case XC_FIT_TILE:
    add_resized(b);
    return;
  case XC_FIT_MAX_REDUCE:
  case XC_FIT_REWRITTEN:
    add_reduction(b);
    return;
  case XC_FIT_RELU:
    add_unary(b, 8, v[XC_FACT_OUTPUT_C]);
    return;
  case XC_FIT_ARGMAX:
    add_argmax(b);
    return;
  case XC_FIT_SCALED:
    add_quantised(b);
    return;
  case XC_FIT_RELU6:
  case XC_FIT_LEAKY_RELU:
  case XC_FIT_HARD_SIGMOID:
  case XC_FIT_HARD_SWISH:
    add_unary(b, 8, v[XC_FACT_INPUT_C]);
    return;
  case XC_FIT_FLOATING:
    if (b->facts->kind == XC_TIR_RESIZE)
      add_resize(b);
    else if (b->facts->kind == XC_TIR_MATMUL)
      add_product(b);
    else
      add_unary(b, 8, 16);
    return;
  case XC_FIT_BOUNDARY:
  case XC_FIT_HOST:
  case XC_FIT_STORAGE:
  case XC_FIT_UNKNOWN:
  case XC_FIT_NUM_CLASSES:
    add_unary(b, 8, 16);
    return;
  }
}

// Nothing is returned: what only the model's output takes may have that as its
// reason.
static MlirModule wrap(builder *b, MlirRegion region) {
  MlirModule module = mlirModuleCreateEmpty(b->location);
  intptr_t count = mlirBlockGetNumArguments(b->body);
  MlirType *types = malloc(sizeof(MlirType) * (size_t)(count + 1));
  for (intptr_t i = 0; i < count; ++i)
    types[i] = mlirValueGetType(mlirBlockGetArgument(b->body, i));
  xc_build_return(&b->at, NULL, 0);
  MlirAttribute function_type =
      mlirTypeAttrGet(mlirFunctionTypeGet(b->context, count, types, 0, NULL));
  free(types);
  MlirNamedAttribute attributes[] = {
      mlirNamedAttributeGet(
          mlirIdentifierGet(b->context,
                            mlirStringRefCreateFromCString("sym_name")),
          mlirStringAttrGet(b->context, mlirStringRefCreateFromCString("f"))),
      mlirNamedAttributeGet(
          mlirIdentifierGet(b->context,
                            mlirStringRefCreateFromCString("function_type")),
          function_type)};
  MlirOperationState state = mlirOperationStateGet(
      mlirStringRefCreateFromCString("func.func"), b->location);
  mlirOperationStateAddAttributes(&state, 2, attributes);
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  mlirBlockAppendOwnedOperation(mlirModuleGetBody(module),
                                mlirOperationCreate(&state));
  return module;
}

MlirModule build_probe(MlirContext context, const xc_facts *facts) {
  MlirRegion region = mlirRegionCreate();
  MlirBlock body = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(region, body);
  builder b = {.facts = facts,
               .at = xc_builder_in(body, mlirLocationUnknownGet(context)),
               .location = mlirLocationUnknownGet(context),
               .context = context,
               .body = body};
  const int64_t *v = facts->value;
  // With CEIL the last windows reach beyond what `pad` says.
  int64_t beyond = v[XC_FACT_REACHES_BEYOND];
  const int64_t pads[] = {v[XC_FACT_PAD_LEFT], v[XC_FACT_PAD_RIGHT] - beyond,
                          v[XC_FACT_PAD_TOP], v[XC_FACT_PAD_BOTTOM] - beyond};
  add_plain_attributes(&b, pads);
  add_class(&b);
  xc_element first = input_element(facts, 0);
  xc_element result = first == XC_ELEMENT_F32 ? first : XC_ELEMENT_I8;
  if (facts->class_ == XC_FIT_ARGMAX && v[XC_FACT_RESULT_BITS] != 8)
    result = XC_ELEMENT_I32;
  MlirValue value = {NULL};
  if (!b.failed)
    value = xc_build(&b.at, facts->kind, b.operands, b.num_operands,
                     b.attributes, b.num_attributes, result);
  if (!mlirValueIsNull(value))
    return wrap(&b, region);
  mlirRegionDestroy(region);
  return (MlirModule){NULL};
}
