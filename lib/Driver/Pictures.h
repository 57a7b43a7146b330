//===- Pictures.h - first operators on pictures -------------------*- C -*-===//
//-*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_DRIVER_PICTURES_H
#define XC_DRIVER_PICTURES_H

#include "Driver.h"

/// Notes the arithmetic that the imported model applies to its inputs first.
void xc_driver_note_arithmetic(xc_compilation *c);
/// Warns where the rest of the model gets numbers from pictures that few models
/// expect. After tir-quantize.
void xc_driver_judge_pictures(const xc_compilation *c);

#endif // XC_DRIVER_PICTURES_H
