//===- UserKernelPlan.h - which kernels compute a module ----------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_CONVERSION_MTIRTOLINALG_USERKERNELPLAN_H
#define XC_CONVERSION_MTIRTOLINALG_USERKERNELPLAN_H

#include "UserKernel.h"

#include "IR/IR.h"

typedef struct xc_kernel_plan {
  xc_pointer_map uses; // operation -> its xc_kernel_use
  xc_text report;      // a line for each operator, and how often each is called
  xc_arena arena;
} xc_kernel_plan;

/// Chooses kernels for mtir operators in program order, merges a relu into the
/// kernel that computes it (it leaves the list), gives constants the order that
/// kernels want, and finds the buffers that need not be NHWC. Returns false
/// after a diagnostic.
bool xc_kernel_plan_make(xc_kernel_plan *plan, const xc_kernel_library *library,
                         xc_op_list *operators);
void xc_kernel_plan_free(xc_kernel_plan *plan);

/// Marks the inputs and outputs that hold NCHW (UserKernelLayout.c). A buffer
/// does when kernels that want it so are all that it is for, apart from
/// elementwise operators whose other operands do as well: a copy to NHWC and
/// the one back are both gone then.
void xc_kernel_plan_layouts(xc_kernel_plan *plan, const xc_op_list *operators);

#endif // XC_CONVERSION_MTIRTOLINALG_USERKERNELPLAN_H
