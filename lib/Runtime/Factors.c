//===- Factors.c - what sums are made of ----------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The mean of a normalised tensor is nearly zero, and is as exact as its terms
// are, not as it is small. Whoever compares such a sum with another one needs
// to know how large the terms may be.
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"

#include "IR/IR.h"
#include "dialects/Adaptor.h"
#include "dialects/Build.h"

#include <math.h>
#include <stdlib.h>

/// Of weights whose first dimension is that of the results.
static double largest_row(MlirValue weights) {
  MlirOperation op = xc_constant_of(weights);
  xc_shape shape;
  if (mlirOperationIsNull(op) ||
      !xc_shape_of_type(mlirValueGetType(weights), &shape) ||
      shape.element != XC_ELEMENT_F32 || shape.rank == 0 || shape.dims[0] == 0)
    return 0;
  size_t size;
  void *copy;
  const float *numbers = xc_const_contents(op, &size, &copy);
  size_t each = size / sizeof(*numbers) / (size_t)shape.dims[0];
  double largest = 0;
  for (size_t row = 0; numbers && row < (size_t)shape.dims[0]; ++row) {
    double sum = 0;
    for (size_t i = 0; i < each; ++i)
      sum += fabs((double)numbers[row * each + i]);
    largest = fmax(largest, sum);
  }
  free(copy);
  return largest;
}

/// Returns the number of elements that one result is made of.
static double elements_of_each(MlirOperation operation) {
  xc_shape from, to;
  MlirValue first = mlirOperationGetOperand(operation, 0);
  MlirValue result = mlirOperationGetResult(operation, 0);
  if (!xc_shape_of_type(mlirValueGetType(first), &from) ||
      !xc_shape_of_type(mlirValueGetType(result), &to) ||
      xc_shape_num_elements(&to) == 0)
    return 0;
  return (double)xc_shape_num_elements(&from) /
         (double)xc_shape_num_elements(&to);
}

static bool is_move(MlirOperation operation) {
  const xc_op_info *info = xc_op_info_of(operation);
  return info && (info->only_moves || info->kind == XC_TIR_EXPAND);
}

MlirOperation xc_rt_source(MlirOperation operation) {
  enum { MOST = 8 };
  for (int i = 0; i < MOST && is_move(operation); ++i) {
    MlirValue from = mlirOperationGetOperand(operation, 0);
    if (!mlirValueIsAOpResult(from))
      break;
    operation = mlirOpResultGetOwner(from);
  }
  return operation;
}

double xc_rt_factors(MlirOperation operation) {
  const xc_op_info *info = xc_op_info_of(operation);
  if (!info || info->dialect != XC_DIALECT_TIR ||
      mlirOperationGetNumResults(operation) != 1)
    return 0;
  switch (info->kind) {
  case XC_TIR_CONV2D:
    return largest_row(mlirOperationGetOperand(operation, 1));
  case XC_TIR_REDUCTION_SUM:
    return elements_of_each(operation);
  case XC_TIR_REDUCTION_MEAN:
  case XC_TIR_AVGPOOL2D:
    return 1;
  default:
    return 0;
  }
}
