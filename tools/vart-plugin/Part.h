//===- Part.h - a part of a model that is machine code ------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part has an operator for each of its results, which the runtime runs one
// after the other, although one call of the code computes all of them. The code
// is a function of its inputs: what it computed is good as long as these are
// the same bytes.
//
//===----------------------------------------------------------------------===//

#ifndef XC_VART_PLUGIN_PART_H
#define XC_VART_PLUGIN_PART_H

#include "Vart.h"

typedef struct xc_part xc_part;

/// Returns the part that an operator belongs to, shared by its operators.
/// Returns null after a message.
xc_part *xc_part_acquire(const xc_vart *vart, void *op);
/// Null is fine.
void xc_part_release(xc_part *part);

/// Computes a result into a buffer of at least its size. May be called by
/// several threads at once. Returns false after a message.
bool xc_part_run(xc_part *part, size_t result, const xc_vart_memory *inputs,
                 size_t num_inputs, xc_vart_memory output);

#endif // XC_VART_PLUGIN_PART_H
