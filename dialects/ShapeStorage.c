//===- ShapeStorage.c - constants and placeholders ------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "Shape.h"

#include "Path.h"
#include "Support/Text.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

static bool check_value(const xc_adaptor *op, MlirAttribute value) {
  MlirType type = mlirAttributeGetType(value);
  xc_shape found, expected;
  MlirValue result = mlirOperationGetResult(op->operation, 0);
  if (!xc_shape_of_type(mlirValueGetType(result), &expected))
    return true; // the result's own check reports this
  if (!xc_shape_of_type(type, &found) || found.memref)
    return xc_adaptor_error(op, "attribute 'value' has no static tensor type");
  if (found.element == expected.element && found.rank == expected.rank &&
      memcmp(found.dims, expected.dims, found.rank * sizeof(int64_t)) == 0)
    return true;
  xc_text a = {0}, b = {0};
  xc_shape_print(&found, &a);
  xc_shape_print(&expected, &b);
  xc_adaptor_error(op, "attribute 'value' is %s, expected %s as the result",
                   xc_text_str(&a), xc_text_str(&b));
  xc_text_free(&a);
  xc_text_free(&b);
  return false;
}

static bool check_path(const xc_adaptor *op, MlirAttribute path) {
  MlirValue result = mlirOperationGetResult(op->operation, 0);
  xc_shape shape;
  if (!xc_shape_of_type(mlirValueGetType(result), &shape))
    return true; // the result's own check reports this
  xc_text file = {0};
  xc_resolve_path(op->location, mlirStringAttrGetValue(path), &file);
  struct stat status;
  int64_t size =
      xc_shape_num_elements(&shape) * (int64_t)xc_element_size(shape.element);
  bool ok = false;
  if (stat(file.data, &status) != 0)
    xc_adaptor_error(op, "cannot open the file '%s' of attribute 'path': %s",
                     file.data, strerror(errno));
  else if (!S_ISREG(status.st_mode) || (int64_t)status.st_size != size)
    xc_adaptor_error(op,
                     "file '%s' of attribute 'path' has %" PRId64
                     " bytes, expected %" PRId64,
                     file.data, (int64_t)status.st_size, size);
  else
    ok = true;
  xc_text_free(&file);
  return ok;
}

bool xc_shape_const(const xc_adaptor *op, xc_shape *result) {
  result->rank = XC_RANK_ANY;
  MlirAttribute value = xc_attr_get(op, XC_ATTR_VALUE);
  MlirAttribute path = xc_attr_get(op, XC_ATTR_PATH);
  if (mlirAttributeIsNull(value) == mlirAttributeIsNull(path))
    return xc_adaptor_error(op, "requires one of the attributes 'value' and "
                                "'path'");
  if (mlirOperationIsNull(op->operation))
    return true;
  return mlirAttributeIsNull(path) ? check_value(op, value)
                                   : check_path(op, path);
}

bool xc_shape_data(const xc_adaptor *op, xc_shape *result) {
  int64_t dims[XC_MAX_INTS];
  size_t rank = xc_attr_ints(op, XC_ATTR_SHAPE, dims);
  result->rank = XC_RANK_ANY;
  if (mlirAttributeIsNull(xc_attr_get(op, XC_ATTR_SHAPE)))
    return true;
  if (rank > XC_MAX_RANK)
    return xc_adaptor_error(
        op,
        "attribute 'shape' has %zu entries, expected at most "
        "%d",
        rank, XC_MAX_RANK);
  result->rank = rank;
  memcpy(result->dims, dims, rank * sizeof(int64_t));
  return true;
}
