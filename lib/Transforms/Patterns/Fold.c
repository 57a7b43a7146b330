//===- Fold.c - operators on constants ------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels of the reference interpreter compute the constant, so that
// folding is the arithmetic that every other path has to agree with.
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include "Interpreter/Kernel.h"

#include <stdlib.h>
#include <string.h>

enum {
  /// A result much larger than its operands is not stored unless it is small.
  SMALL_RESULT = 1 << 16,
  SMALL_GROWTH = 8
};

static int64_t size_of(const xc_shape *shape) {
  return xc_shape_num_elements(shape) *
         (int64_t)xc_element_size(shape->element);
}

// Prior boxes depend on the shapes of their operands only.
static bool needs_contents(const xc_adaptor *adaptor) {
  return adaptor->info->kind != XC_TIR_PRIORBOX;
}

static bool operands_are_constant(const xc_adaptor *adaptor, int64_t *size) {
  size_t inputs = 0;
  for (size_t slot = 0; slot < adaptor->info->num_operands; ++slot) {
    if (!xc_has_operand(adaptor, slot))
      continue;
    xc_shape shape = xc_operand_shape(adaptor, slot);
    if (needs_contents(adaptor) && !xc_is_constant(xc_operand(adaptor, slot)))
      return false;
    *size += size_of(&shape);
    ++inputs;
  }
  return inputs > 0;
}

// Weights in a smaller type have to be there in the one that is computed in.
static bool is_conversion(const xc_adaptor *adaptor) {
  return adaptor->info->kind == XC_TIR_CAST ||
         adaptor->info->kind == XC_TIR_DEQUANTIZE_LINEAR ||
         adaptor->info->kind == XC_TIR_FIX2FLOAT;
}

bool xc_fold(xc_rewriter *rewriter, const xc_adaptor *adaptor) {
  int64_t size = 0;
  if (!xc_op_may_merge(adaptor->info) || adaptor->info->kind == XC_TIR_CONST ||
      !operands_are_constant(adaptor, &size))
    return false;
  xc_kernel kernel = xc_interpret_find(adaptor->info->kind);
  xc_shape result = xc_value_shape(xc_result_of(adaptor));
  int64_t result_size = size_of(&result);
  bool grows =
      !is_conversion(adaptor) && result_size > size + size / SMALL_GROWTH;
  if (!kernel || (grows && result_size > SMALL_RESULT &&
                  adaptor->info->kind != XC_TIR_PRIORBOX))
    return false;
  xc_kernel_call call = {.op = adaptor, .arena = &rewriter->arena};
  for (size_t slot = 0; slot < adaptor->info->num_operands; ++slot) {
    if (!xc_has_operand(adaptor, slot))
      continue;
    call.operands[slot].shape = xc_operand_shape(adaptor, slot);
    if (!needs_contents(adaptor))
      continue;
    // The kernel only reads.
    const void *bytes = xc_constant_bytes(rewriter, xc_operand(adaptor, slot));
    if (!bytes)
      return false;
    call.operands[slot].data = (void *)(uintptr_t)bytes;
  }
  call.output.shape = result;
  call.output.data =
      xc_rewrite_alloc(rewriter, (size_t)result_size + 1, sizeof(char));
  if (!kernel(&call)) {
    rewriter->failed = true;
    return false;
  }
  return xc_rewrite_replace(
      rewriter, adaptor, xc_rewrite_const(rewriter, call.output.data, &result));
}
