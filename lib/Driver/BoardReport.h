//===- BoardReport.h - what computes CPU parts on a board ---------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_DRIVER_BOARDREPORT_H
#define XC_DRIVER_BOARDREPORT_H

#include "Standard.h"
#include "Support/Text.h"

#include <jansson.h>

/// Returns the report's row of an operator of the CPU part `subgraph`.
json_t *xc_board_way(const xc_standard *standard, MlirOperation operation,
                     const char *subgraph, MlirStringRef name,
                     MlirStringRef type);

/// Appends a line about a part, of whose operators `ways` has the rows.
void xc_board_print(const char *name, const json_t *ways, xc_text *text);

#endif // XC_DRIVER_BOARDREPORT_H
