//===- OpInfo.c - look-up in the generated tables -------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpInfo.h"

#include <assert.h>
#include <string.h>

#define XC_OPS_TABLES
#include "XcOps.inc"
#undef XC_OPS_TABLES

enum { NUM_OPS = sizeof(op_table) / sizeof(*op_table) };

const xc_op_info *xc_op_table(size_t *count) {
  *count = NUM_OPS;
  return op_table;
}

// Orders a terminated name against one with a length, as strcmp would.
static int compare_name(const char *name, const char *other, size_t length) {
  int order = strncmp(name, other, length);
  if (order != 0)
    return order;
  return name[length] == '\0' ? 0 : 1;
}

const xc_op_info *xc_op_info_find(const char *name, size_t length) {
  size_t low = 0, high = NUM_OPS;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    int order = compare_name(op_table[middle].name, name, length);
    if (order == 0)
      return &op_table[middle];
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return NULL;
}

const xc_op_info *xc_op_info_get(xc_dialect dialect, xc_op_kind kind) {
  for (size_t i = 0; i < NUM_OPS; ++i)
    if (op_table[i].dialect == dialect && op_table[i].kind == kind)
      return &op_table[i];
  return NULL;
}

static const xc_attribute_info *find_attribute(const xc_attribute_info *rows,
                                               size_t count, const char *name,
                                               size_t length) {
  for (size_t i = 0; i < count; ++i)
    if (compare_name(rows[i].name, name, length) == 0)
      return &rows[i];
  return NULL;
}

const xc_attribute_info *
xc_attribute_info_find(const xc_op_info *op, const char *name, size_t length) {
  const xc_attribute_info *own =
      find_attribute(op->attributes, op->num_attributes, name, length);
  return own ? own
             : find_attribute(common_attributes, NUM_COMMON_ATTRIBUTES, name,
                              length);
}

static const xc_attribute_info *get_attribute(const xc_attribute_info *rows,
                                              size_t count, xc_attr id) {
  for (size_t i = 0; i < count; ++i)
    if (rows[i].id == id)
      return &rows[i];
  return NULL;
}

const xc_attribute_info *xc_attribute_info_get(const xc_op_info *op,
                                               xc_attr id) {
  const xc_attribute_info *own =
      get_attribute(op->attributes, op->num_attributes, id);
  return own ? own
             : get_attribute(common_attributes, NUM_COMMON_ATTRIBUTES, id);
}

const char *xc_attr_name(xc_attr id) { return attr_names[id]; }

const char *xc_enum_name(xc_enum value) { return enum_names[value]; }

xc_enum xc_enum_find(const xc_attribute_info *row, const char *text,
                     size_t length) {
  for (size_t i = 0; i < row->num_cases; ++i)
    if (compare_name(enum_names[row->cases[i]], text, length) == 0)
      return row->cases[i];
  return XC_ENUM_ABSENT;
}

const xc_attribute_info *xc_common_attributes(size_t *count) {
  *count = NUM_COMMON_ATTRIBUTES;
  return common_attributes;
}

bool xc_op_may_erase(const xc_op_info *op) {
  return op->has_result && !(op->effects & XC_EFFECT_WRITE);
}

bool xc_op_may_merge(const xc_op_info *op) {
  return op->has_result && op->effects == 0;
}

const char *xc_element_name(xc_element element) {
  assert(element < XC_ELEMENT_NONE && "no element type has no name");
  return element_names[element];
}

size_t xc_element_size(xc_element element) {
  switch (element) {
  case XC_ELEMENT_I1:
  case XC_ELEMENT_I8:
  case XC_ELEMENT_UI8:
    return 1;
  case XC_ELEMENT_F16:
  case XC_ELEMENT_BF16:
  case XC_ELEMENT_I16:
  case XC_ELEMENT_UI16:
    return 2;
  case XC_ELEMENT_F32:
  case XC_ELEMENT_I32:
  case XC_ELEMENT_UI32:
    return 4;
  case XC_ELEMENT_F64:
  case XC_ELEMENT_I64:
  case XC_ELEMENT_UI64:
    return 8;
  case XC_ELEMENT_NONE:
    break;
  }
  return 0;
}

static bool is_unsigned(xc_element element) {
  return (XC_ELEMENT_BIT(UI8) | XC_ELEMENT_BIT(UI16) | XC_ELEMENT_BIT(UI32) |
          XC_ELEMENT_BIT(UI64) | XC_ELEMENT_BIT(I1)) >>
             element &
         1;
}

int64_t xc_element_min(xc_element element) {
  if (is_unsigned(element))
    return 0;
  return INT64_MIN >> (64 - 8 * xc_element_size(element));
}

int64_t xc_element_max(xc_element element) {
  if (element == XC_ELEMENT_I1)
    return 1;
  if (element == XC_ELEMENT_UI64)
    return INT64_MAX;
  int bits = 8 * (int)xc_element_size(element) - !is_unsigned(element);
  return INT64_MAX >> (63 - bits);
}

bool xc_element_is_float(xc_element element) {
  return element == XC_ELEMENT_F16 || element == XC_ELEMENT_BF16 ||
         element == XC_ELEMENT_F32 || element == XC_ELEMENT_F64;
}

xc_element xc_element_find(const char *name, size_t length) {
  for (unsigned i = 0; i < XC_ELEMENT_NONE; ++i)
    if (compare_name(element_names[i], name, length) == 0)
      return (xc_element)i;
  return XC_ELEMENT_NONE;
}
