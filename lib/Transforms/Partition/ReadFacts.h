//===- ReadFacts.h - how facts are read from operators ------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that Facts.c and MoveFacts.c share.
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_PARTITION_READFACTS_H
#define XC_TRANSFORMS_PARTITION_READFACTS_H

#include "Facts.h"

/// Whether the operator takes an attribute, and of this type.
bool xc_op_takes(const xc_adaptor *op, xc_attr id, xc_attribute_type type);

/// Reads the fact from an attribute, if the operator takes it.
void xc_facts_read_int(const xc_adaptor *op, xc_attr id, xc_facts *facts,
                       xc_fact fact);

/// Returns a dimension counted from the last; a missing one is 1.
int64_t xc_dim_from_end(const xc_shape *shape, size_t back);

// Facts of single kinds of operators, after those of their tensors.

/// Whether attribute `axis` is the last of `rank` dimensions.
void xc_facts_read_axis(const xc_adaptor *op, size_t rank, xc_facts *facts);
void xc_facts_read_joined_axis(const xc_adaptor *op, const xc_shape *result,
                               xc_facts *facts);
void xc_facts_read_reduced_axes(const xc_adaptor *op, xc_facts *facts);
void xc_facts_read_pad(const xc_adaptor *op, xc_facts *facts);
void xc_facts_read_resize(const xc_adaptor *op, const xc_shape *result,
                          xc_facts *facts);
void xc_facts_read_slice(const xc_adaptor *op, const xc_shape *result,
                         xc_facts *facts);
void xc_facts_read_order(const xc_adaptor *op, xc_facts *facts);
void xc_facts_read_tile(const xc_adaptor *op, const xc_shape *result,
                        xc_facts *facts);

#endif // XC_TRANSFORMS_PARTITION_READFACTS_H
