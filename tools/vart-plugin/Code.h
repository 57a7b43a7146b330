//===- Code.h - machine code of a subgraph ------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_VART_PLUGIN_CODE_H
#define XC_VART_PLUGIN_CODE_H

#include "Object.h"
#include "Vart.h"

/// As XcCpuEntry of xc-c/CPU.h.
typedef int32_t (*xc_code_entry)(const void *const *inputs,
                                 void *const *outputs, void *arena,
                                 const void *params);

typedef struct xc_code {
  xc_object *object;
  xc_code_entry entry;
  void *params;
  size_t arena_size;
} xc_code;

/// Loads the first of a subgraph's objects that runs here. Returns false after
/// a message.
bool xc_code_load(const xc_vart *vart, void *subgraph, xc_code *code);
/// Frees the code; one that is all zero is fine.
void xc_code_free(xc_code *code);

/// Zeroed memory for arenas and parameters, or null; free it.
void *xc_aligned_alloc(size_t size);

#endif // XC_VART_PLUGIN_CODE_H
