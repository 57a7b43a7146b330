//===- KernelTable.c - the kernels by kind --------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"

xc_kernel xc_interpret_find(xc_op_kind kind) {
  static const xc_kernel kernels[XC_NUM_OP_KINDS] = {
#define XC_KERNEL(name, function) [XC_TIR_##name] = function,
#define XC_KERNEL_TOO(name, function) [XC_TIR_##name] = function,
#include "Kernels.def"
#undef XC_KERNEL
  };
  return kernels[kind];
}

bool xc_interpret_is_elementwise(xc_op_kind kind) {
  xc_kernel kernel = xc_interpret_find(kind);
  return kernel == xc_interpret_unary || kernel == xc_interpret_binary ||
         kernel == xc_interpret_prelu || kernel == xc_interpret_scale;
}
