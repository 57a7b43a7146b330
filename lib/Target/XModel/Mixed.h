//===- Mixed.h - attributes of xmodels with several parts ---------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_XMODEL_MIXED_H
#define XC_TARGET_XMODEL_MIXED_H

#include "xc-c/XModelMixed.h"

#define XC_MIXED_OUTPUTS "xc_outputs"
#define XC_MIXED_OUTPUT_NAMES "xc_output_names"
#define XC_MIXED_PORTABLE "xc_portable"
#define XC_MIXED_ELEMENT "xc_element"

#endif // XC_TARGET_XMODEL_MIXED_H
