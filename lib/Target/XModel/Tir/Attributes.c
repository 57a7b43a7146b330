//===- Attributes.c - operators of tir as operators of the format ---------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TirXModel.h"

#include "IR/IR.h"
#include "Support/Text.h"
#include "dialects/Build.h"

#include "mlir-c/BuiltinAttributes.h"

#include <string.h>

static void set_ints(XcXModelAttrs attrs, const char *name,
                     MlirAttribute value) {
  XcXModelAttr attr = xcXModelAttrsSet(attrs, name, XcXModelKindInt32Vec);
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(value); ++i)
    xcXModelAttrAppend(attr, NULL,
                       xcXModelValueInt(mlirIntegerAttrGetValueInt(
                           mlirArrayAttrGetElement(value, i))));
}

static void set_floats(XcXModelAttrs attrs, const char *name,
                       MlirAttribute value) {
  XcXModelAttr attr = xcXModelAttrsSet(attrs, name, XcXModelKindFloatVec);
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(value); ++i)
    xcXModelAttrAppend(attr, NULL,
                       xcXModelValueReal(mlirFloatAttrGetValueDouble(
                           mlirArrayAttrGetElement(value, i))));
}

static void set_default_ints(XcXModelAttrs attrs,
                             const xc_attribute_info *info) {
  XcXModelAttr attr = xcXModelAttrsSet(attrs, info->name, XcXModelKindInt32Vec);
  for (size_t i = 0; i < info->default_count; ++i)
    xcXModelAttrAppend(attr, NULL, xcXModelValueInt(info->default_ints[i]));
}

static void set_default(XcXModelAttrs attrs, const xc_attribute_info *info) {
  switch (info->type) {
  case XC_ATTRIBUTE_INT:
    xcXModelAttrsSetInt32(attrs, info->name, info->default_int);
    return;
  case XC_ATTRIBUTE_BOOL:
    xcXModelAttrsSetBool(attrs, info->name, info->default_int != 0);
    return;
  case XC_ATTRIBUTE_FLOAT:
    xcXModelAttrsSetFloat(attrs, info->name, info->default_float);
    return;
  case XC_ATTRIBUTE_STRING:
    xcXModelAttrsSetString(attrs, info->name, xc_enum_name(info->default_case));
    return;
  case XC_ATTRIBUTE_INTS:
    set_default_ints(attrs, info);
    return;
  case XC_ATTRIBUTE_FLOATS:
  case XC_ATTRIBUTE_ELEMENTS:
  case XC_ATTRIBUTE_DICTIONARY:
    return;
  }
}

// XPU_ROUND is the article's word for DPU_ROUND; the format has the latter.
static void set_word(XcXModelAttrs attrs, const char *name,
                     MlirAttribute value) {
  MlirStringRef text = mlirStringAttrGetValue(value);
  bool is_alias = mlirStringRefEqual(text, xc_ref("XPU_ROUND"));
  xc_text word = {0};
  xc_text_append(&word, text.data, text.length);
  xcXModelAttrsSetString(attrs, name,
                         is_alias ? "DPU_ROUND" : xc_text_str(&word));
  xc_text_free(&word);
}

static void set_attribute(XcXModelAttrs attrs, const xc_attribute_info *info,
                          MlirAttribute value) {
  switch (info->type) {
  case XC_ATTRIBUTE_INT:
    xcXModelAttrsSetInt32(attrs, info->name,
                          (int32_t)mlirIntegerAttrGetValueInt(value));
    return;
  case XC_ATTRIBUTE_BOOL:
    xcXModelAttrsSetBool(attrs, info->name, mlirBoolAttrGetValue(value));
    return;
  case XC_ATTRIBUTE_FLOAT:
    xcXModelAttrsSetFloat(attrs, info->name,
                          (float)mlirFloatAttrGetValueDouble(value));
    return;
  case XC_ATTRIBUTE_STRING:
    set_word(attrs, info->name, value);
    return;
  case XC_ATTRIBUTE_INTS:
    set_ints(attrs, info->name, value);
    return;
  case XC_ATTRIBUTE_FLOATS:
    set_floats(attrs, info->name, value);
    return;
  case XC_ATTRIBUTE_ELEMENTS:
  case XC_ATTRIBUTE_DICTIONARY:
    return; // of constants and custom operators, which have their own ways
  }
}

// tir has one value for the border, the format a list.
static void rename_pad_value(XcXModelAttrs attrs, const xc_op_info *info) {
  double value;
  if (info->kind == XC_TIR_PAD &&
      xcXModelAttrsGetReal(attrs, "constant_value", &value)) {
    XcXModelAttr attr =
        xcXModelAttrsSet(attrs, "constant_values", XcXModelKindFloatVec);
    xcXModelAttrAppend(attr, NULL, xcXModelValueReal(value));
    xcXModelAttrsRemove(attrs, "constant_value");
  }
}

// Scales of enlargements are lists of floats in the format.
static void make_scales_real(XcXModelAttrs attrs) {
  enum { MOST = 8 };
  int64_t scales[MOST];
  size_t count;
  if (!xcXModelAttrsGetInts(attrs, "scale", scales, MOST, &count))
    return;
  XcXModelAttr attr = xcXModelAttrsSet(attrs, "scale", XcXModelKindFloatVec);
  for (size_t i = 0; i < count; ++i)
    xcXModelAttrAppend(attr, NULL, xcXModelValueReal((double)scales[i]));
}

// The format defines a pixel-shuffle-fix as a reorg, whose direction goes by
// another name, and infers its shape from this one.
static void repeat_upscale(XcXModelAttrs attrs, const xc_op_info *info) {
  int64_t upscale;
  if (info->kind == XC_TIR_PIXEL_SHUFFLE_FIX &&
      xcXModelAttrsGetInt(attrs, "upscale", &upscale))
    xcXModelAttrsSetBool(attrs, "reverse", upscale != 0);
}

static bool is_fix_point(const char *name) {
  static const char suffix[] = "_fix_point";
  size_t length = strlen(name), tail = sizeof(suffix) - 1;
  return length > tail && !strcmp(name + length - tail, suffix);
}

// Stated always: an importer would take an absent one from the tensors, where
// tir means 0.
static void set_default_fix_point(const xc_adaptor *adaptor,
                                  XcXModelAttrs attrs,
                                  const xc_attribute_info *info) {
  if (info->type != XC_ATTRIBUTE_INTS || info->default_count) {
    set_default(attrs, info);
    return;
  }
  XcXModelAttr attr = xcXModelAttrsSet(attrs, info->name, XcXModelKindInt32Vec);
  for (size_t i = 0; i < xc_num_inputs(adaptor); ++i)
    xcXModelAttrAppend(attr, NULL, xcXModelValueInt(0));
}

static void set_attributes(const xc_adaptor *adaptor, XcXModelOp *op) {
  XcXModelAttrs attrs = xcXModelOpGetAttrs(op);
  for (size_t i = 0; i < adaptor->info->num_attributes; ++i) {
    const xc_attribute_info *info = &adaptor->info->attributes[i];
    MlirAttribute value = xc_attr_get(adaptor, info->id);
    if (!mlirAttributeIsNull(value))
      set_attribute(attrs, info, value);
    else if (is_fix_point(info->name))
      set_default_fix_point(adaptor, attrs, info);
    else if (info->has_default && xc_xmodel_attr_is_expected(info->name))
      set_default(attrs, info);
  }
  rename_pad_value(attrs, adaptor->info);
  make_scales_real(attrs);
  repeat_upscale(attrs, adaptor->info);
}

static int64_t dim_from_end(const xc_adaptor *adaptor, size_t slot,
                            size_t index) {
  xc_shape shape = xc_operand_shape(adaptor, slot);
  return index < shape.rank ? shape.dims[shape.rank - 1 - index] : 0;
}

// Convolutions repeat what their operands say.
static void set_conv_attributes(const xc_adaptor *adaptor, XcXModelOp *op) {
  if (!strstr(adaptor->info->mnemonic, "conv2d") ||
      !strncmp(adaptor->info->mnemonic, "qlinear", 7))
    return;
  XcXModelAttrs attrs = xcXModelOpGetAttrs(op);
  bool has_bias = xc_has_operand(adaptor, XC_CONV2D_BIAS);
  xc_shape result = xc_result_shape(adaptor);
  xcXModelAttrsSetBool(attrs, "bias_term", has_bias);
  xcXModelAttrsSetInt32(attrs, "in_dim", (int32_t)dim_from_end(adaptor, 0, 0));
  xcXModelAttrsSetInt32(attrs, "out_dim",
                        (int32_t)result.dims[result.rank - 1]);
}

// Fix points stand on tensors in the format.
static void set_fix_point(const xc_adaptor *adaptor, XcXModelOp *op) {
  xc_attr id = adaptor->info->kind == XC_TIR_FLOAT2FIX
                   ? XC_ATTR_FIX_POINT
                   : XC_ATTR_OUTPUT_FIX_POINT;
  if (!xc_has_attr(adaptor, id))
    return;
  XcXModelTensor *tensor = xcXModelOpGetTensor(op);
  XcXModelAttrs attrs = xcXModelTensorGetAttrs(tensor);
  xcXModelAttrsSetInt32(attrs, "fix_point", (int32_t)xc_attr_int(adaptor, id));
  xcXModelAttrsSetInt32(attrs, "bit_width", xcXModelTensorGetBitWidth(tensor));
  xcXModelAttrsSetBool(attrs, "if_signed",
                       xcXModelTensorGetDataType(tensor) !=
                           XcXModelDataTypeXuint);
  xcXModelAttrsSetString(attrs, "round_mode", "DPU_ROUND");
}

void xc_xmodel_write_attributes(const xc_adaptor *adaptor, XcXModelOp *op) {
  set_attributes(adaptor, op);
  set_conv_attributes(adaptor, op);
  set_fix_point(adaptor, op);
}

// One argument per name, with its producers in the order of the slots.
void xc_xmodel_write_args(const xc_adaptor *adaptor, XcXModelOp *op,
                          xc_xmodel_producer producer, void *user_data) {
  bool done[XC_MAX_OPERANDS] = {false};
  // The last operand of mtir is the output.
  bool has_output = adaptor->info->dialect == XC_DIALECT_MTIR;
  size_t num_slots = adaptor->info->num_operands - has_output;
  for (size_t slot = 0; slot < num_slots; ++slot) {
    if (done[slot] || !xc_has_operand(adaptor, slot))
      continue;
    const char *arg = xc_xmodel_arg_of_slot(adaptor->info, slot);
    const char *producers[XC_MAX_OPERANDS];
    size_t count = 0;
    for (size_t other = slot; other < num_slots; ++other) {
      if (!xc_has_operand(adaptor, other) ||
          strcmp(xc_xmodel_arg_of_slot(adaptor->info, other), arg) != 0)
        continue;
      done[other] = true;
      producers[count++] = producer(adaptor, other, user_data);
    }
    xcXModelOpAddArg(op, arg, producers, count);
  }
}
