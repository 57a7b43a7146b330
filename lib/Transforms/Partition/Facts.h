//===- Facts.h - the numbers that constraints look at -------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Constraints judge facts, not IR: a fact is one integer that an operator's
// attributes, operands or neighbours say. So a constraint is an expression, a
// suggested change is "this fact, that value", and whether the change helps is
// found by judging the changed facts again.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_PARTITION_FACTS_H
#define XC_TRANSFORMS_PARTITION_FACTS_H

#include "dialects/Adaptor.h"
#include "dialects/Resize.h"

/// Classes of operators that the DPU treats alike. The text stands in
/// docs/generated/constraints.md.
// clang-format off
#define XC_FIT_CLASSES(X)                                                      \
  X(CONV,                 "convolution")                                       \
  X(DEPTHWISE,            "depthwise convolution")                             \
  X(TRANSPOSED,           "transposed convolution")                            \
  X(TRANSPOSED_DEPTHWISE, "transposed depthwise convolution")                  \
  X(POOL,                 "pool")                                              \
  X(ELTWISE,              "element-wise sum or product")                       \
  X(CHANNELWISE,          "sum or product with one value per channel")         \
  X(CONCAT,               "concatenation")                                     \
  X(RESHAPE,              "reshape")                                           \
  X(TRANSPOSE,            "transpose")                                         \
  X(SLICE,                "slice")                                             \
  X(PAD,                  "pad")                                               \
  X(UPSAMPLE,             "nearest-neighbour upsampling")                      \
  X(DOWNSAMPLE,           "downsampling")                                      \
  X(REORG,                "reorg")                                             \
  X(TILE,                 "pixel shuffle and tiling")                          \
  X(MAX_REDUCE,           "largest element over an axis")                      \
  X(RELU,                 "relu by itself")                                    \
  X(RELU6,                "relu6 by itself")                                   \
  X(LEAKY_RELU,           "leaky relu by itself")                              \
  X(PRELU,                "prelu by itself")                                   \
  X(HARD_SIGMOID,         "hard sigmoid by itself")                            \
  X(HARD_SWISH,           "hard swish by itself")                              \
  X(ARGMAX,               "argmax")                                            \
  X(REWRITTEN,            "computed by another operator")                      \
  X(FLOATING,             "not in fixed point")                                \
  X(SCALED,               "quantised with arbitrary scales")                   \
  X(BOUNDARY,             "between real and fixed-point numbers")              \
  X(HOST,                 "without a DPU form")                                \
  X(STORAGE,              "constant data")

/// Enumerator, whose choice it is, words in messages, where the IR says it,
/// domain, names of the values (null: plain numbers). The domain bounds changes.
///
/// A choice of the USER is a setting or size of one operator, or of its
/// quantisation: whoever makes the model may choose another one. A fact of
/// the NETWORK, such as its graph and the order of its operators, is not.
#define XC_FACTS(X)                                                            \
  X(KERNEL_W,       USER,    "kernel width",                "kernel[0]",          1, 65535,  NULL) \
  X(KERNEL_H,       USER,    "kernel height",               "kernel[1]",          1, 65535,  NULL) \
  X(STRIDE_W,       USER,    "horizontal stride",           "stride[0]",          1, 65535,  NULL) \
  X(STRIDE_H,       USER,    "vertical stride",             "stride[1]",          1, 65535,  NULL) \
  X(DILATION_W,     USER,    "horizontal dilation",         "dilation[0]",        1, 65535,  NULL) \
  X(DILATION_H,     USER,    "vertical dilation",           "dilation[1]",        1, 65535,  NULL) \
  X(PAD_LEFT,       USER,    "left padding",                "pad[0]",             0, 65535,  NULL) \
  X(PAD_RIGHT,      USER,    "right padding",               "pad[1]",             0, 65535,  NULL) \
  X(PAD_TOP,        USER,    "top padding",                 "pad[2]",             0, 65535,  NULL) \
  X(PAD_BOTTOM,     USER,    "bottom padding",              "pad[3]",             0, 65535,  NULL) \
  X(EXTRA_W,        USER,    "output padding on the right", "output_padding[0]",  0, 65535,  NULL) \
  X(EXTRA_H,        USER,    "output padding at the bottom","output_padding[1]",  0, 65535,  NULL) \
  X(GROUP,          USER,    "group",                       "group",              1, INT32_MAX, NULL) \
  X(MULTIPLIER,     USER,    "channel multiplier",          "weight dimension 0", 1, INT32_MAX, NULL) \
  X(BATCH,          NETWORK, "batch of the input",          "input dimension 0",  1, INT32_MAX, NULL) \
  X(RESULT_BATCH,   NETWORK, "batch of the result",         "result dimension 0", 1, INT32_MAX, NULL) \
  X(INPUT_H,        NETWORK, "input height",                "input dimension 1",  1, INT32_MAX, NULL) \
  X(INPUT_W,        NETWORK, "input width",                 "input dimension 2",  1, INT32_MAX, NULL) \
  X(RESULT_H,       NETWORK, "height of the result",        "result dimension 1", 0, INT32_MAX, NULL) \
  X(RESULT_W,       NETWORK, "width of the result",         "result dimension 2", 0, INT32_MAX, NULL) \
  X(INPUT_C,        USER,    "input channels",              "last dimension of the input",  1, INT32_MAX, NULL) \
  X(OUTPUT_C,       USER,    "output channels",             "last dimension of the result", 1, INT32_MAX, NULL) \
  X(RANK,           NETWORK, "rank",                        "input",              0, 8,      NULL) \
  X(NUM_INPUTS,     NETWORK, "number of inputs",            "operands",           1, 16,     NULL) \
  X(NUM_BROADCAST,  NETWORK, "number of broadcast inputs",  "operands",           0, 16,     NULL) \
  X(NUM_UNEVEN,     NETWORK, "number of inputs that are repeated along channels, or in part of more than 4 dimensions", "operand dimensions", 0, 16, NULL) \
  X(NUM_FOREIGN,    USER,    "number of tensors that are not i8", "element types", 0, 18,    NULL) \
  X(NUM_EMPTY,      NETWORK, "number of empty tensors",     "operands and result", 0, 18,  NULL) \
  X(CONSTANT,       NETWORK, "constant parameters",         "weight, bias or slope operand", 0, 1, yes_no) \
  X(PER_CHANNEL,    NETWORK, "one parameter per channel",   "weight or slope dimensions", 0, 1, yes_no) \
  X(HAS_BIAS,       NETWORK, "bias",                        "bias operand",       0, 1,      yes_no) \
  X(BIAS_BITS,      USER,    "bits of the bias",            "bias element type",  8, 32,     NULL) \
  X(RESULT_BITS,    USER,    "bits of the result",          "result element type", 8, 64,    NULL) \
  X(ACTIVATION,     USER,    "activation",                  "nonlinear",          0, 6,      activation) \
  X(POOL_TYPE,      USER,    "kind of pool",                "type",               0, 1,      pool_type) \
  X(ELTWISE_TYPE,   USER,    "operation",                   "type",               0, 1,      eltwise_type) \
  X(ROUND_MODE,     USER,    "rounding",                    "round_mode",         0, 2,      round_mode) \
  X(INPUT_POINT,    USER,    "input fix point",             "input_fix_point",    -64, 64,   NULL) \
  X(LARGEST_POINT,  USER,    "largest input fix point",     "input_fix_point",    -64, 64,   NULL) \
  X(POINT_SUM,      USER,    "sum of the input fix points", "input_fix_point",    -128, 128, NULL) \
  X(WEIGHT_POINT,   USER,    "weight fix point",            "weight_fix_point",   -64, 64,   NULL) \
  X(BIAS_POINT,     USER,    "bias fix point",              "bias_fix_point",     -64, 64,   NULL) \
  X(WEIGHT_SPREAD,  USER,    "distance of the weight fix points", "weight_fix_points", 0, 128, NULL) \
  X(BIAS_SPREAD,    USER,    "distance of the shifts of the bias", "weight_fix_points, bias_fix_points", 0, 256, NULL) \
  X(POINT_CHANNELS, USER,    "output channels that share fix points", "fix_point_channels", 0, INT32_MAX, NULL) \
  X(OUTPUT_POINT,   USER,    "output fix point",            "output_fix_point",   -64, 64,   NULL) \
  X(COUNTS_PAD,     USER,    "padding counts in averages",  "count_include_pad",  0, 1,      yes_no) \
  X(COUNTS_BEYOND,  USER,    "positions beyond the padding count in averages", "count_include_invalid", 0, 1, yes_no) \
  X(REACHES_BEYOND, NETWORK, "windows reach beyond the padding", "pad_mode",      0, 1,      yes_no) \
  X(EXACT,          USER,    "exact average",               "exact",              0, 1,      yes_no) \
  X(PAD_MODE,       USER,    "pad mode",                    "mode",               0, 3,      pad_mode) \
  X(PAD_VALUE,      USER,    "pad value",                   "constant_value",     -32768, 32767, NULL) \
  X(PAD_OTHER,      NETWORK, "padding of axes 0 and 3 (batch and channels of NHWC)", "paddings",         0, 65535,  NULL) \
  X(PAD_CROP,       NETWORK, "negative padding",            "paddings",           0, 65535,  NULL) \
  X(ON_CHANNELS,    NETWORK, "on the last axis",            "axis",               0, 1,      yes_no) \
  X(REDUCED_W,      USER,    "reduced width",               "axis, input dimension 2", 1, INT32_MAX, NULL) \
  X(REDUCED_H,      USER,    "reduced height",              "axis, input dimension 1", 1, INT32_MAX, NULL) \
  X(REDUCED_OTHER,  NETWORK, "reduced axes besides H and W", "axis",              0, 8,      NULL) \
  X(SCALE,          USER,    "scale",                       "scale or stride",    1, 65535,  NULL) \
  X(SCALE_W,        USER,    "horizontal scale",            "size, input dimension 2", 0, XC_LARGEST_SCALE, resize_scale) \
  X(SCALE_H,        USER,    "vertical scale",              "size, input dimension 1", 0, XC_LARGEST_SCALE, resize_scale) \
  X(INTERPOLATION,  USER,    "interpolation",               "mode",               0, 2,      interpolation) \
  X(NEAREST_MODE,   USER,    "rounding of positions",       "nearest_mode",       0, 3,      nearest_mode) \
  X(HALF_PIXEL,     USER,    "half-pixel centres",          "half_pixel_centers", 0, 1,      yes_no) \
  X(ALIGNED,        USER,    "aligned corners",             "align_corners",      0, 1,      yes_no) \
  X(SLICE_STRIDE,   NETWORK, "stride of the slice",         "strides",            INT32_MIN, INT32_MAX, NULL) \
  X(SLICE_BATCH,    NETWORK, "cut of the batch",            "begin[0], end[0]",   0, 1,      yes_no) \
  X(OUTER_AXES,     NETWORK, "number of axes besides height, width and channels", "begin, end, axis", 0, 8, NULL) \
  X(MOVES_CHANNELS, NETWORK, "channels move",               "order",              0, 1,      yes_no) \
  X(SCATTERED,      USER,    "channels of a pixel of a block are apart", "mode",  0, 1,      yes_no) \
  X(NEGATIVE_SLOPES, USER,    "number of negative slopes",  "slope operand",      0, INT32_MAX, NULL) \
  X(CPU_INPUTS,     NETWORK, "number of inputs that the CPU computes", "operands",         0, 16,     NULL)
// clang-format on

typedef enum xc_fit_class {
  XC_FIT_UNKNOWN, // an operation of another dialect
#define XC_FIT_ENUMERATOR(name, text) XC_FIT_##name,
  XC_FIT_CLASSES(XC_FIT_ENUMERATOR)
#undef XC_FIT_ENUMERATOR
      XC_FIT_NUM_CLASSES
} xc_fit_class;

#define XC_FIT_BIT(name) (UINT32_C(1) << XC_FIT_##name)
_Static_assert(XC_FIT_NUM_CLASSES <= 32, "classes are bits of 32");

typedef enum xc_fact {
#define XC_FACT_ENUMERATOR(name, choice, text, where, low, high, names)        \
  XC_FACT_##name,
  XC_FACTS(XC_FACT_ENUMERATOR)
#undef XC_FACT_ENUMERATOR
      XC_NUM_FACTS
} xc_fact;

typedef struct xc_facts {
  xc_op_kind kind;
  xc_fit_class class_;
  /// The operator that a DPU could run in its place.
  bool has_replacement;
  xc_op_kind replacement;
  int64_t value[XC_NUM_FACTS];
} xc_facts;

typedef enum xc_fact_choice {
  XC_FACT_CHOICE_USER,
  XC_FACT_CHOICE_NETWORK,
} xc_fact_choice;

typedef struct xc_fact_info {
  xc_fact_choice choice;
  const char *text;
  const char *where;
  int64_t low, high;
  const char *(*name)(int64_t value); // null: print the number
} xc_fact_info;

enum { XC_NEAREST, XC_BILINEAR, XC_BICUBIC };
enum { XC_FLOOR, XC_CEIL, XC_PREFER_FLOOR, XC_PREFER_CEIL };

/// Scales of a resize that a fact tells apart: integers below the last one.
enum { XC_NO_INTEGER, XC_LARGEST_SCALE = XC_RESIZE_LARGEST + 1 };

enum { XC_PAD_CONSTANT, XC_PAD_REFLECT, XC_PAD_SYMMETRIC, XC_PAD_EDGE };

const xc_fact_info *xc_fact_get_info(xc_fact fact);

xc_fit_class xc_fit_class_of(xc_op_kind kind);
const char *xc_fit_class_text(xc_fit_class class_);

/// Facts of an operator that says nothing: defaults of the attributes, i8
/// everywhere.
void xc_facts_init(xc_facts *facts, xc_op_kind kind);

/// Notes the activation that a class is, if it is one.
void xc_facts_set_activation(xc_facts *facts, xc_fit_class class_);

/// Turns the facts into those of its replacement.
void xc_facts_replace(xc_facts *facts);

/// Reads the facts of a verified operator. What neighbours say (CPU_INPUTS)
/// stays 0: the partitioner knows.
void xc_facts_read(const xc_adaptor *op, xc_facts *facts);

#endif // XC_TRANSFORMS_PARTITION_FACTS_H
