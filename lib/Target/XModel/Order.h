//===- Order.h - operators of an xmodel by name and in order ------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_XMODEL_ORDER_H
#define XC_TARGET_XMODEL_ORDER_H

#include "xc-c/XModel.h"

/// Returns where an operator stands among all operators sorted by name; `name`
/// exists. Serves as the index of what is kept per operator.
size_t xc_xmodel_rank(const XcXModel *model, const char *name);

/// Returns the operators so that each comes after its producers, otherwise in
/// the order of the file. `*count` is less than their number when they feed
/// themselves in a circle. Producers that do not exist are left out. The caller
/// frees.
XcXModelOp **xc_xmodel_topological_order(const XcXModel *model, size_t *count);

#endif // XC_TARGET_XMODEL_ORDER_H
