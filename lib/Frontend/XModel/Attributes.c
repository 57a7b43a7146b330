//===- Attributes.c - operands and attributes of imported operators -------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

// a op b op c ...: the format lets these have any number of inputs.
bool xc_xmodel_is_reshape(const xc_op_info *info) {
  return info->kind == XC_TIR_RESHAPE || info->kind == XC_TIR_RESHAPE_FIX;
}

static bool is_chainable(const xc_op_info *info) {
  static const xc_op_kind kinds[] = {XC_TIR_ADD, XC_TIR_SUB, XC_TIR_MUL,
                                     XC_TIR_DIV, XC_TIR_MIN, XC_TIR_MAX};
  for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); ++i)
    if (kinds[i] == info->kind)
      return true;
  return false;
}

static bool slot_is_taken(const xc_xmodel_inputs *inputs, size_t slot) {
  for (size_t i = 0; i < inputs->count; ++i)
    if (inputs->items[i].slot == slot)
      return true;
  return false;
}

// Returns the next free slot of an argument, or the number of slots.
static size_t next_slot(const xc_op_info *info, const xc_xmodel_inputs *inputs,
                        const char *arg) {
  for (size_t slot = 0; slot < info->num_operands; ++slot)
    if (!strcmp(xc_xmodel_arg_of_slot(info, slot), arg) &&
        !slot_is_taken(inputs, slot))
      return slot;
  return info->num_operands;
}

static bool add_input(const XcXModel *model, const XcXModelOp *op,
                      const xc_op_info *info, size_t arg, size_t position,
                      xc_xmodel_inputs *inputs, xc_text *why) {
  const char *name = xcXModelOpGetArgName(op, arg);
  if (xc_xmodel_is_reshape(info) && !strcmp(name, "shape"))
    return true;
  size_t slot = next_slot(info, inputs, name);
  bool is_after = slot == info->num_operands;
  bool chain = is_after && position > 0 && is_chainable(info);
  if (is_after && !chain) {
    xc_text_printf(why,
                   position ? "argument '%s' has %zu inputs, at most %zu are "
                              "possible"
                            : "argument '%s' is unknown",
                   name, xcXModelOpGetNumArgOps(op, arg), position);
    return false;
  }
  if (inputs->count == XC_XMODEL_MAX_INPUTS) {
    xc_text_printf(why, "argument '%s' has more than %d inputs", name,
                   XC_XMODEL_MAX_INPUTS);
    return false;
  }
  inputs->chain = inputs->chain || chain;
  inputs->items[inputs->count++] = (xc_xmodel_input){
      slot, xcXModelFindOp(model, xcXModelOpGetArgOp(op, arg, position))};
  return true;
}

bool xc_xmodel_get_inputs(const XcXModel *model, const XcXModelOp *op,
                          const xc_op_info *info, xc_xmodel_inputs *inputs,
                          xc_text *why) {
  *inputs = (xc_xmodel_inputs){0};
  for (size_t arg = 0; arg < xcXModelOpGetNumArgs(op); ++arg)
    for (size_t i = 0; i < xcXModelOpGetNumArgOps(op, arg); ++i)
      if (!add_input(model, op, info, arg, i, inputs, why))
        return false;
  for (size_t slot = 0; slot < info->num_operands; ++slot)
    if (!info->operands[slot].optional && !slot_is_taken(inputs, slot)) {
      xc_text_printf(why, "argument '%s' is missing",
                     xc_xmodel_arg_of_slot(info, slot));
      return false;
    }
  return true;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static bool to_int(XcXModelValue value, int64_t *result) {
  switch (value.type) {
  case XcXModelValueTypeInt:
    *result = value.integer;
    return true;
  case XcXModelValueTypeUint:
    *result = (int64_t)value.natural;
    return value.natural <= INT64_MAX;
  case XcXModelValueTypeReal: // scales of enlargements are float lists
    if (!(fabs(value.real) <= 1e9) || value.real != floor(value.real))
      return false;
    *result = (int64_t)value.real;
    return true;
  case XcXModelValueTypeString:
  case XcXModelValueTypeBytes:
    return false;
  }
  return false;
}

static bool to_real(XcXModelValue value, double *result) {
  int64_t integer;
  if (value.type == XcXModelValueTypeReal) {
    *result = value.real;
    return true;
  }
  if (!to_int(value, &integer))
    return false;
  *result = (double)integer;
  return true;
}

// A list of numbers; a map has no order and is none.
static bool is_plain(XcXModelAttr attr) {
  return xcXModelAttrGetKind(attr) < XcXModelKindMapStringToInt32;
}

static bool convert_ints(XcXModelAttr attr, xc_attribute_list *list,
                         xc_attribute *result) {
  size_t count = xcXModelAttrGetNumRows(attr);
  int64_t *ints = xc_arena_alloc(&list->arena, count, sizeof(*ints));
  for (size_t i = 0; i < count; ++i)
    if (!to_int(xcXModelAttrGetValue(attr, i, 0), &ints[i]) ||
        ints[i] < INT32_MIN || ints[i] > INT32_MAX)
      return false;
  *result = xc_ints(attr.name, ints, count);
  return true;
}

static bool convert_floats(XcXModelAttr attr, xc_attribute_list *list,
                           xc_attribute *result) {
  size_t count = xcXModelAttrGetNumRows(attr);
  float *floats = xc_arena_alloc(&list->arena, count, sizeof(*floats));
  for (size_t i = 0; i < count; ++i) {
    double real;
    if (!to_real(xcXModelAttrGetValue(attr, i, 0), &real))
      return false;
    floats[i] = (float)real;
  }
  *result = xc_floats(attr.name, floats, count);
  return true;
}

static bool convert(XcXModelAttr attr, xc_attribute_type type,
                    xc_attribute_list *list, xc_attribute *result) {
  int64_t integer;
  double real;
  bool is_single = is_plain(attr) && xcXModelAttrGetNumRows(attr) == 1;
  XcXModelValue value = {0};
  if (is_single)
    value = xcXModelAttrGetValue(attr, 0, 0);
  switch (type) {
  case XC_ATTRIBUTE_INT:
    if (!is_single || !to_int(value, &integer) || integer < INT32_MIN ||
        integer > INT32_MAX)
      return false;
    *result = xc_int(attr.name, integer);
    return true;
  case XC_ATTRIBUTE_BOOL:
    if (!is_single || !to_int(value, &integer))
      return false;
    *result = xc_bool(attr.name, integer != 0);
    return true;
  case XC_ATTRIBUTE_FLOAT:
    if (!is_single || !to_real(value, &real))
      return false;
    *result = xc_float(attr.name, real);
    return true;
  case XC_ATTRIBUTE_STRING:
    if (!is_single || value.type != XcXModelValueTypeString)
      return false;
    *result = xc_string(attr.name, value.data);
    return true;
  case XC_ATTRIBUTE_INTS:
    return is_plain(attr) && convert_ints(attr, list, result);
  case XC_ATTRIBUTE_FLOATS:
    return is_plain(attr) && convert_floats(attr, list, result);
  case XC_ATTRIBUTE_ELEMENTS:
  case XC_ATTRIBUTE_DICTIONARY:
    return false;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Attributes that the format has elsewhere, or in another form
//===----------------------------------------------------------------------===//

static bool has(const xc_attribute_list *list, const char *name) {
  for (size_t i = 0; i < list->count; ++i)
    if (!strcmp(list->items[i].name, name))
      return true;
  return false;
}

static void add(xc_attribute_list *list, xc_attribute attribute) {
  list->items[list->count++] = attribute;
}

// constant_values has one entry per side in the format; tir has one value.
static bool convert_pad_value(XcXModelAttr attr, xc_attribute_list *list) {
  double value = 0;
  for (size_t i = 0; i < xcXModelAttrGetNumRows(attr); ++i) {
    double next;
    if (!to_real(xcXModelAttrGetValue(attr, i, 0), &next))
      return false;
    if (i && (next < value || next > value))
      return false;
    value = next;
  }
  add(list, xc_float("constant_value", value));
  return true;
}

// Adds the size of a resize, that of its tensor, width first.
static void add_size(const XcXModelOp *op, xc_attribute_list *list) {
  const XcXModelTensor *tensor = xcXModelOpGetTensor(op);
  if (xcXModelTensorGetRank(tensor) != 4)
    return; // the verifier says what is wrong
  const uint32_t *dims = xcXModelTensorGetDims(tensor);
  int64_t *size = xc_arena_alloc(&list->arena, 2, sizeof(*size));
  size[0] = dims[2];
  size[1] = dims[1];
  add(list, xc_ints("size", size, 2));
}

// All dimensions of size 1.
static void add_squeezed_axes(const xc_xmodel_inputs *inputs,
                              xc_attribute_list *list) {
  const XcXModelTensor *tensor =
      inputs->count ? xcXModelOpGetTensor(inputs->items[0].op) : NULL;
  size_t rank = tensor ? xcXModelTensorGetRank(tensor) : 0, count = 0;
  int64_t *axes = xc_arena_alloc(&list->arena, rank, sizeof(*axes));
  for (size_t i = 0; i < rank; ++i)
    if (xcXModelTensorGetDims(tensor)[i] == 1)
      axes[count++] = (int64_t)i;
  add(list, xc_ints("axis", axes, count));
}

static bool fix_point_of(const XcXModelOp *op, int64_t *fix_point) {
  const XcXModelTensor *tensor = xcXModelOpGetTensor(op);
  return tensor && xcXModelAttrsGetInt(xcXModelTensorGetAttrs(tensor),
                                       "fix_point", fix_point);
}

// Adds the fix point of the input in the slot whose argument is the name's
// stem.
static void add_input_fix_point(const xc_op_info *info,
                                const xc_attribute_info *attribute,
                                const xc_xmodel_inputs *inputs,
                                xc_attribute_list *list) {
  size_t stem = strlen(attribute->name) - strlen("_fix_point");
  bool is_list = attribute->type == XC_ATTRIBUTE_INTS;
  int64_t *points =
      xc_arena_alloc(&list->arena, inputs->count + 1, sizeof(*points));
  size_t count = 0;
  for (size_t i = 0; i < inputs->count; ++i) {
    size_t slot = inputs->items[i].slot;
    const char *operand = info->operands[slot].name;
    bool fits = is_list ? !strcmp(xc_xmodel_arg_of_slot(info, slot), "input")
                        : !strncmp(operand, attribute->name, stem) &&
                              operand[stem] == '\0';
    if (!fits)
      continue;
    if (!fix_point_of(inputs->items[i].op, &points[count]))
      return;
    ++count;
  }
  if (count)
    add(list, is_list ? xc_ints(attribute->name, points, count)
                      : xc_int(attribute->name, points[0]));
}

static void add_fix_points(const XcXModelOp *op, const xc_op_info *info,
                           const xc_xmodel_inputs *inputs,
                           xc_attribute_list *list) {
  static const char suffix[] = "_fix_point";
  for (size_t i = 0; i < info->num_attributes; ++i) {
    const xc_attribute_info *attribute = &info->attributes[i];
    size_t length = strlen(attribute->name), tail = sizeof(suffix) - 1;
    if (length <= tail || strcmp(attribute->name + length - tail, suffix) ||
        has(list, attribute->name))
      continue;
    int64_t fix_point;
    if (strcmp(attribute->name, "output_fix_point") != 0)
      add_input_fix_point(info, attribute, inputs, list);
    else if (fix_point_of(op, &fix_point))
      add(list, xc_int(attribute->name, fix_point));
  }
}

static void add_shape(const XcXModelOp *op, xc_attribute_list *list) {
  const XcXModelTensor *tensor = xcXModelOpGetTensor(op);
  size_t rank = xcXModelTensorGetRank(tensor);
  int64_t *dims = xc_arena_alloc(&list->arena, rank + 1, sizeof(*dims));
  for (size_t i = 0; i < rank; ++i)
    dims[i] = xcXModelTensorGetDims(tensor)[i];
  add(list, xc_ints("shape", dims, rank));
}

/// The direction of a pixel-shuffle-fix may stand in the file as that of a
/// reorg only.
static void add_upscale(const XcXModelOp *op, xc_attribute_list *list) {
  int64_t reverse;
  if (!has(list, "upscale") &&
      xcXModelAttrsGetInt(xcXModelOpGetAttrs(op), "reverse", &reverse))
    add(list, xc_bool("upscale", reverse != 0));
}

static void add_missing(const XcXModelOp *op, const xc_op_info *info,
                        const xc_xmodel_inputs *inputs,
                        xc_attribute_list *list) {
  // The format counts by default, tir does not.
  bool is_average = info->kind == XC_TIR_AVGPOOL2D;
  if (is_average && !has(list, "count_include_pad"))
    add(list, xc_bool("count_include_pad", true));
  if (is_average && !has(list, "count_include_invalid"))
    add(list, xc_bool("count_include_invalid", true));
  if (info->kind == XC_TIR_PIXEL_SHUFFLE_FIX)
    add_upscale(op, list);
  if (info->kind == XC_TIR_RESIZE && !has(list, "size"))
    add_size(op, list);
  if (xc_xmodel_is_reshape(info) && !has(list, "shape"))
    add_shape(op, list);
  if (info->kind == XC_TIR_SQUEEZE && !has(list, "axis"))
    add_squeezed_axes(inputs, list);
  add_fix_points(op, info, inputs, list);
}

//===----------------------------------------------------------------------===//
// All attributes of an operator
//===----------------------------------------------------------------------===//

static bool convert_one(XcXModelAttr attr, const xc_op_info *info,
                        xc_attribute_list *list, xc_text *why) {
  if (has(list, attr.name)) {
    xc_text_printf(why, "attribute '%s' is there twice", attr.name);
    return false;
  }
  if (info->kind == XC_TIR_PAD && !strcmp(attr.name, "constant_values")) {
    bool ok = convert_pad_value(attr, list);
    if (!ok)
      xc_text_puts(why, "attribute 'constant_values' has different values");
    return ok;
  }
  const xc_attribute_info *known =
      xc_attribute_info_find(info, attr.name, strlen(attr.name));
  if (!known && xc_xmodel_attr_is_redundant(attr.name))
    return true;
  xc_attribute attribute;
  if (known && convert(attr, known->type, list, &attribute)) {
    add(list, attribute);
    return true;
  }
  const char *kind = xcXModelKindGetName(xcXModelAttrGetKind(attr));
  if (known)
    xc_text_printf(why, "attribute '%s' does not fit as %s", attr.name,
                   kind ? kind : "what it is");
  else
    xc_text_printf(why, "attribute '%s' is unknown", attr.name);
  return false;
}

bool xc_xmodel_get_attributes(const XcXModelOp *op, const xc_op_info *info,
                              const xc_xmodel_inputs *inputs,
                              xc_attribute_list *list, xc_text *why) {
  XcXModelAttrs attrs = xcXModelOpGetAttrs(op);
  size_t count = xcXModelAttrsGetCount(attrs);
  *list = (xc_attribute_list){0};
  // Common attributes and what is added come on top; `has` stays cheap because
  // only known names get into the list.
  size_t capacity = info->num_attributes + 8;
  list->items = xc_arena_alloc(&list->arena, capacity, sizeof(*list->items));
  for (size_t i = 0; i < count; ++i) {
    XcXModelAttr attr = xcXModelAttrsGet(attrs, i);
    if (!strcmp(attr.name, "device"))
      continue; // partitioning decides anew
    if (xc_xmodel_is_reshape(info) && !strcmp(attr.name, "shape_info"))
      continue; // of what computed the shape
    if (info->kind == XC_TIR_PIXEL_SHUFFLE_FIX && !strcmp(attr.name, "reverse"))
      continue; // add_upscale
    if (!convert_one(attr, info, list, why))
      return false;
  }
  if (!has(list, "op_name"))
    add(list, xc_string("op_name", xcXModelOpGetName(op)));
  add_missing(op, info, inputs, list);
  return true;
}

void xc_xmodel_free_attributes(xc_attribute_list *list) {
  xc_arena_free(&list->arena);
}
