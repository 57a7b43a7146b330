//===- Kernel.c - choosing the inner loops --------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"

#include <string.h>

static const xc_kernel *const kernels[] = {
#ifdef XC_KERNEL_X86
    &xc_kernel_avx512vnni,
    &xc_kernel_avx2,
#endif
    &xc_kernel_plain,
};

const xc_kernel *xc_kernel_get(size_t index) {
  return index < sizeof kernels / sizeof *kernels ? kernels[index] : NULL;
}

const xc_kernel *xc_dpu_kernel_select(const char *name) {
  for (size_t i = 0; i < sizeof kernels / sizeof *kernels; ++i)
    if ((!name || strcmp(name, kernels[i]->name) == 0) &&
        kernels[i]->is_supported())
      return kernels[i];
  return NULL;
}
