//===- Reference.h - layers computed the plain way ----------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TEST_UNIT_DPUCODEGEN_REFERENCE_H
#define XC_TEST_UNIT_DPUCODEGEN_REFERENCE_H

#include "xc-c/DPUCodeGen.h"

/// The bytes of the base registers.
typedef struct memory {
  int8_t *data[XC_DPU_NUM_REGISTERS];
  size_t sizes[XC_DPU_NUM_REGISTERS];
} memory;

/// Runs one layer pixel by pixel. `ohwi` are the weights of Conv before they
/// were laid out; others read theirs, and all their bias, from the parameter
/// register 0.
void reference_layer(const XcDpuLayer *layer, const int8_t *ohwi, memory *m);

#endif // XC_TEST_UNIT_DPUCODEGEN_REFERENCE_H
