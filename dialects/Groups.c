//===- Groups.c - kernels with zeros between groups -----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Groups.h"

#include "Build.h"

#include <stdlib.h>

static bool is_zero(const unsigned char *bytes, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (bytes[i])
      return false;
  return true;
}

static bool has_groups(const xc_dense_kernel *k, int64_t count) {
  const unsigned char *bytes = k->weights;
  size_t row = (size_t)k->inputs * k->element, own = row / (size_t)count;
  int64_t outputs = k->outputs / count;
  for (int64_t o = 0; o < k->outputs; ++o) {
    size_t begin = (size_t)(o / outputs) * own;
    for (int64_t i = 0; i < k->window; ++i, bytes += row)
      if (!is_zero(bytes, begin) ||
          !is_zero(bytes + begin + own, row - begin - own))
        return false;
  }
  return true;
}

int64_t xc_zero_groups(const xc_dense_kernel *kernel) {
  int64_t count =
      kernel->inputs < kernel->outputs ? kernel->inputs : kernel->outputs;
  size_t size = (size_t)(kernel->outputs * kernel->window * kernel->inputs) *
                kernel->element;
  if (is_zero(kernel->weights, size))
    return 1;
  while (count > 1 && (kernel->inputs % count || kernel->outputs % count ||
                       !has_groups(kernel, count)))
    --count;
  return count;
}

int64_t xc_conv_groups(const xc_adaptor *conv) {
  int64_t group = xc_attr_int(conv, XC_ATTR_GROUP);
  xc_shape shape = xc_operand_shape(conv, XC_CONV2D_WEIGHT);
  MlirOperation constant = xc_constant_of(xc_operand(conv, XC_CONV2D_WEIGHT));
  if (group != 1 || mlirOperationIsNull(constant))
    return group;
  size_t size;
  void *copy = NULL;
  const void *bytes = xc_const_contents(constant, &size, &copy);
  const xc_dense_kernel kernel = {.weights = bytes,
                                  .element = xc_element_size(shape.element),
                                  .outputs = shape.dims[0],
                                  .window = shape.dims[1] * shape.dims[2],
                                  .inputs = shape.dims[3]};
  int64_t groups = bytes ? xc_zero_groups(&kernel) : 1;
  free(copy);
  return groups;
}
