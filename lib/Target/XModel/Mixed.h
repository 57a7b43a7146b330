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
#define XC_MIXED_OBJECT "xc_object"
#define XC_MIXED_OBJECT_SYMBOL "xc_object_symbol"
#define XC_MIXED_OBJECT_TRIPLE "xc_object_triple"
#define XC_MIXED_OBJECT_CPU "xc_object_cpu"
#define XC_MIXED_OBJECT_FEATURES "xc_object_features"
#define XC_MIXED_OBJECT_ARENA "xc_object_arena"
#define XC_MIXED_OBJECT_PARAMS "xc_object_params"
#define XC_MIXED_OBJECT_CHECKSUM "xc_object_checksum"
#define XC_MIXED_ELEMENT "xc_element"
#define XC_MIXED_OLD_KERNEL "dpu-kernel"
#define XC_MIXED_BATCHED "xc_batched"

/// More than any model needs; keeps a wrong number from taking all memory.
#define XC_MIXED_MAX_ARENA (INT64_C(1) << 36)

/// CRC-32 of the part's code, its parameters, what is said of them, and the
/// types of its ports.
uint32_t xc_mixed_checksum(const XcXModelMixed *mixed,
                           const XcXModelPart *part);

#endif // XC_TARGET_XMODEL_MIXED_H
