//===- Attributes.h - attributes of what is built -----------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An operator that is built in the place of another one takes over the
// attributes that both know, but for some.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_QUANTIZE_FUNCTION_ATTRIBUTES_H
#define XC_TRANSFORMS_QUANTIZE_FUNCTION_ATTRIBUTES_H

#include "dialects/Build.h"

enum { XC_MOST_ATTRIBUTES = 40 };

typedef struct xc_attribute_list {
  xc_attribute items[XC_MOST_ATTRIBUTES];
  size_t count;
} xc_attribute_list;

void xc_attributes_add(xc_attribute_list *list, xc_attribute attribute);
void xc_attributes_drop(xc_attribute_list *list, const char *name);
/// Adds the attributes of `from` that operators of the kind `to` have as well.
void xc_attributes_take(xc_attribute_list *list, MlirOperation from,
                        xc_op_kind to);

#endif // XC_TRANSFORMS_QUANTIZE_FUNCTION_ATTRIBUTES_H
