//===- FloatReason.c - why operators stay in floating point ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatReason.h"

#include "AttributeNames.h"
#include "IR.h"

#include "mlir-c/BuiltinAttributes.h"

#include <assert.h>

static const xc_float_reason_info rows[] = {
    [XC_FLOAT_NOT] = {NULL, NULL, NULL},
#define XC_FLOAT_REASON(name, id, words, change)                               \
  [XC_FLOAT_##name] = {id, words, change},
#include "FloatReasons.def"
};

void xc_float_reason_set(MlirOperation operation, xc_float_reason reason) {
  assert(reason != XC_FLOAT_NOT && "what stays in floating point has a reason");
  xc_op_set_string(operation, XC_NAME_KEPT_FLOAT, rows[reason].id);
}

const xc_float_reason_info *xc_float_reason_of(MlirOperation operation) {
  MlirAttribute attribute = xc_op_attribute(operation, XC_NAME_KEPT_FLOAT);
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAString(attribute))
    return NULL;
  MlirStringRef id = mlirStringAttrGetValue(attribute);
  for (size_t i = XC_FLOAT_NOT + 1; i < sizeof(rows) / sizeof(*rows); ++i)
    if (mlirStringRefEqual(id, xc_ref(rows[i].id)))
      return &rows[i];
  return NULL;
}
