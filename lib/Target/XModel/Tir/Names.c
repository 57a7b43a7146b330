//===- Names.c - names of xmodel and tir beside each other ----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TirXModel.h"

#include <string.h>

// Operand names of tir for which the format has another name. The first row
// that fits counts; a null operator fits all.
static const struct {
  const char *op;
  const char *operand;
  const char *arg;
} arg_rows[] = {
    // clang-format off
    {"depthwise-fix", "weight",  "input"},
    {"prelu-fix",     "slope",   "input"},
    {"priorbox",      "feature", "input"},
    {"priorbox",      "image",   "input"},
    {"prelu",         "slope",   "weight"},
    {"batchnorm",     "mean",    "moving_mean"},
    {"batchnorm",     "var",     "moving_var"},
    {NULL,            "weight",  "weights"},
    {NULL,            "a",       "input"},
    {NULL,            "b",       "input"},
    // clang-format on
};

static bool is_numbered_input(const char *name) {
  static const char stem[] = "input";
  return strncmp(name, stem, sizeof(stem) - 1) == 0 &&
         name[sizeof(stem) - 1] >= '0' && name[sizeof(stem) - 1] <= '9';
}

const char *xc_xmodel_arg_of_slot(const xc_op_info *info, size_t slot) {
  const char *name = info->operands[slot].name;
  if (is_numbered_input(name))
    return "input";
  for (size_t i = 0; i < sizeof(arg_rows) / sizeof(*arg_rows); ++i)
    if ((!arg_rows[i].op || !strcmp(arg_rows[i].op, info->mnemonic)) &&
        !strcmp(arg_rows[i].operand, name))
      return arg_rows[i].arg;
  return name;
}

static bool is_one_of(const char *name, const char *const *names,
                      size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (!strcmp(names[i], name))
      return true;
  return false;
}

bool xc_xmodel_attr_is_expected(const char *name) {
  static const char *const names[] = {
      "align_corners", "alpha",       "axis",
      "bit_width",     "clip",        "count_include_invalid",
      "dilation",      "epsilon",     "count_include_pad",
      "fix_point",     "flip",        "end_axis",
      "global",        "group",       "half_pixel_centers",
      "hsigmoid_in",   "if_signed",   "keep_dims",
      "mode",          "nonlinear",   "offset",
      "pad",           "pad_mode",    "reverse",
      "round_mode",    "start_axis",  "shift_hsigmoid",
      "shift_hswish",  "transpose_a", "transpose_b",
      "upscale",
  };
  return is_one_of(name, names, sizeof(names) / sizeof(*names));
}

bool xc_xmodel_attr_is_redundant(const char *name) {
  static const char *const names[] = {
      "bias_term",       "data_type", "in_dim",
      "is_dynamic_size", "is_scalar", "is_unknown_shape_and_not_xilinx_domain",
      "origin_shape",    "out_dim",   "partition_msg",
      "shape",           "workload",  "workload_on_arch",
  };
  return is_one_of(name, names, sizeof(names) / sizeof(*names));
}

// Of several rows for an element the first one is written.
static const struct {
  XcXModelDataType type;
  int32_t bit_width;
  xc_element element;
} type_rows[] = {
    // clang-format off
    {XcXModelDataTypeFloat, 32, XC_ELEMENT_F32},
    {XcXModelDataTypeFloat, 64, XC_ELEMENT_F64},
    {XcXModelDataTypeFloat, 16, XC_ELEMENT_F16},
    {XcXModelDataTypeXint,   8, XC_ELEMENT_I8},
    {XcXModelDataTypeXint,  16, XC_ELEMENT_I16},
    {XcXModelDataTypeXuint,  8, XC_ELEMENT_UI8},
    {XcXModelDataTypeXuint, 16, XC_ELEMENT_UI16},
    {XcXModelDataTypeInt,   32, XC_ELEMENT_I32},
    {XcXModelDataTypeInt,   64, XC_ELEMENT_I64},
    {XcXModelDataTypeUint,  32, XC_ELEMENT_UI32},
    {XcXModelDataTypeUint,  64, XC_ELEMENT_UI64},
    {XcXModelDataTypeUint,   1, XC_ELEMENT_I1},
    {XcXModelDataTypeInt,    8, XC_ELEMENT_I8},
    {XcXModelDataTypeInt,   16, XC_ELEMENT_I16},
    {XcXModelDataTypeUint,   8, XC_ELEMENT_UI8},
    {XcXModelDataTypeUint,  16, XC_ELEMENT_UI16},
    {XcXModelDataTypeXint,  32, XC_ELEMENT_I32},
    // clang-format on
};
enum { NUM_TYPES = sizeof(type_rows) / sizeof(*type_rows) };

xc_element xc_xmodel_element(const XcXModelTensor *tensor) {
  for (size_t i = 0; i < NUM_TYPES; ++i)
    if ((int32_t)type_rows[i].type == xcXModelTensorGetDataType(tensor) &&
        type_rows[i].bit_width == xcXModelTensorGetBitWidth(tensor))
      return type_rows[i].element;
  return XC_ELEMENT_NONE;
}

bool xc_xmodel_data_type(xc_element element, XcXModelDataType *type,
                         int32_t *bit_width) {
  for (size_t i = 0; i < NUM_TYPES; ++i)
    if (type_rows[i].element == element) {
      *type = type_rows[i].type;
      *bit_width = type_rows[i].bit_width;
      return true;
    }
  return false;
}
