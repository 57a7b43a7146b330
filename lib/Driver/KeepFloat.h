//===- KeepFloat.h - operators that stay in floating point --------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_DRIVER_KEEPFLOAT_H
#define XC_DRIVER_KEEPFLOAT_H

#include "Driver.h"

/// Notes in `kept` which operators of --keep-float the imported model has.
void xc_driver_note_kept(xc_compilation *c);
/// Appends those of them that are still operators of their own, with commas,
/// and reports which are not. Returns false after an error: the model did not
/// have one.
bool xc_driver_list_kept(xc_compilation *c, xc_text *names);

#endif // XC_DRIVER_KEEPFLOAT_H
