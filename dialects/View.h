//===- View.h - the names that adaptors had before ----------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For folders that have not come over to Adaptor.h yet.
//
//===----------------------------------------------------------------------===//

#ifndef XC_DIALECTS_VIEW_H
#define XC_DIALECTS_VIEW_H

#include "Adaptor.h"

#include <string.h>

#define xc_view xc_adaptor
#define xc_view_operation xc_adaptor_of
#define xc_view_num_inputs xc_num_inputs
#define xc_view_has_operand xc_has_operand
#define xc_view_operand xc_operand
#define xc_view_shape xc_operand_shape
#define xc_view_error xc_adaptor_error
#define XC_BY_NAME(op, name)                                                   \
  (op), xc_attribute_info_find((op)->info, (name), strlen(name))->id
#define xc_view_int(op, name) xc_attr_int(XC_BY_NAME(op, name))
#define xc_view_bool(op, name) xc_attr_bool(XC_BY_NAME(op, name))
#define xc_view_float(op, name) xc_attr_float(XC_BY_NAME(op, name))
#define xc_view_word(op, name) xc_enum_name(xc_attr_enum(XC_BY_NAME(op, name)))
#define xc_view_ints(op, name, ints) xc_attr_ints(XC_BY_NAME(op, name), ints)
#define xc_view_int_at(op, name, at) xc_attr_int_at(XC_BY_NAME(op, name), at)
#define xc_view_floats(op, name, values, count)                                \
  xc_attr_floats(XC_BY_NAME(op, name), values, count)
#define xc_view_attribute(op, name) xc_attribute_named(op, name)

#endif // XC_DIALECTS_VIEW_H
