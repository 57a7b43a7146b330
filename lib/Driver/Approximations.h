//===- Approximations.h - approximation of functions --------------*- C -*-===//
//-*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_DRIVER_APPROXIMATIONS_H
#define XC_DRIVER_APPROXIMATIONS_H

#include "Driver.h"

/// Whether the options about approximations go together.
bool xc_driver_check_approximate(XcDiag *diag, const XcCompileOptions *options);
/// Runs tir-approximate on the quantised module.
bool xc_driver_approximate(xc_compilation *c);
/// Takes the report of tir-approximate from the module; null if the pass
/// changed nothing.
json_t *xc_driver_take_approximations(xc_compilation *c);
/// Adds the loss of the approximations to that of fixed point at the outputs:
/// their errors are independent. Either may be null.
void xc_driver_add_approximation_loss(json_t *loss,
                                      const json_t *approximations);
/// Reports what the approximations cost at the outputs, where a higher bound
/// would leave more, and which outputs do not keep the bound. Either may be
/// null.
void xc_driver_judge_approximations(xc_compilation *c, const json_t *loss,
                                    const json_t *approximations);

/// Names the functions for --approximate that divide the DPU's part
/// (Suggest.c). Before the placement is outlined.
void xc_driver_suggest_approximations(xc_compilation *c, XcPlacement placement);

#endif // XC_DRIVER_APPROXIMATIONS_H
