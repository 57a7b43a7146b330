//===- Attributes.c - attributes of what is built -------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attributes.h"

#include <string.h>

void xc_attributes_add(xc_attribute_list *list, xc_attribute attribute) {
  if (list->count < XC_MOST_ATTRIBUTES)
    list->items[list->count++] = attribute;
}

void xc_attributes_drop(xc_attribute_list *list, const char *name) {
  for (size_t i = 0; i < list->count; ++i)
    if (strcmp(list->items[i].name, name) == 0)
      list->items[i--] = list->items[--list->count];
}

void xc_attributes_take(xc_attribute_list *list, MlirOperation from,
                        xc_op_kind to) {
  const xc_op_info *info = xc_op_info_get(XC_DIALECT_TIR, to);
  intptr_t count = mlirOperationGetNumAttributes(from);
  for (intptr_t i = 0; i < count; ++i) {
    MlirNamedAttribute named = mlirOperationGetAttribute(from, i);
    MlirStringRef name = mlirIdentifierStr(named.name);
    const xc_attribute_info *row =
        xc_attribute_info_find(info, name.data, name.length);
    if (row)
      xc_attributes_add(list, xc_given(row->name, named.attribute));
  }
}
