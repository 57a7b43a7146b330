//===- Estimate.h - when layers end, from their plans -------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_ESTIMATE_H
#define XC_TARGET_DPU_CODEGEN_ESTIMATE_H

#include "Emit.h"

typedef struct xc_forecast xc_forecast;

xc_forecast *xc_forecast_begin(const XcDpuTarget *target,
                               const xc_units *units);
void xc_forecast_end(xc_forecast *forecast);

/// One unit, or a group, comes next.
void xc_forecast_units(xc_forecast *forecast, const xc_unit *units,
                       size_t count);
/// When all so far have ended, in cycles.
int64_t xc_forecast_now(const xc_forecast *forecast);

#endif // XC_TARGET_DPU_CODEGEN_ESTIMATE_H
