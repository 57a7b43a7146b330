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

#define XC_MIXED_CPU_TYPE "xc-cpu"
#define XC_MIXED_OUTPUTS "xc_outputs"
#define XC_MIXED_OUTPUT_NAMES "xc_output_names"
#define XC_MIXED_PORTABLE "xc_portable"
#define XC_MIXED_ELEMENT "xc_element"
#define XC_MIXED_OLD_KERNEL "dpu-kernel"
#define XC_MIXED_BATCHED "xc_batched"
#define XC_MIXED_PART_INPUTS "xc_part_inputs"
#define XC_MIXED_PART_OUTPUTS "xc_part_outputs"
#define XC_MIXED_RESULT "xc_result"
#define XC_MIXED_BYTES "xc_bytes"

/// More than any model needs; keeps a wrong number from taking all memory.
#define XC_MIXED_MAX_ARENA (INT64_C(1) << 36)

/// The name of an attribute.
typedef struct xc_mixed_key {
  char text[48];
} xc_mixed_key;

/// "xc_object", then "xc_object1" ..., with a suffix such as "_cpu".
void xc_mixed_object_key(xc_mixed_key *key, size_t index, const char *suffix);
bool xc_mixed_has_object(const XcXModelSubgraph *subgraph, size_t index);
/// Returns false if something that says what the code is is missing.
bool xc_mixed_read_object(const XcXModelSubgraph *subgraph, size_t index,
                          XcXModelObject *object);
bool xc_mixed_said_checksum(const XcXModelSubgraph *subgraph, size_t index,
                            int64_t *checksum);

/// CRC-32 of the code, its parameters, what is said of them, and the types of
/// the part's ports.
uint32_t xc_mixed_checksum(const XcXModelMixed *mixed, const XcXModelPart *part,
                           const XcXModelObject *object);

#endif // XC_TARGET_XMODEL_MIXED_H
