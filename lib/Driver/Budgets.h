//===- Budgets.h - limits on what a compilation may cost ----------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_DRIVER_BUDGETS_H
#define XC_DRIVER_BUDGETS_H

#include "Driver.h"

/// Whether the report keeps all budgets of the options. Otherwise reports an
/// error that explains the cost.
bool xc_driver_check_budgets(const xc_compilation *c, const json_t *report);

#endif // XC_DRIVER_BUDGETS_H
