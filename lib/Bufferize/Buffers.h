//===- Buffers.h - who reads and writes a buffer ------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The uses of a memref value within a function, views of it included. Uses
// that are not understood (unknown operations, returns) make it escape.
//
//===----------------------------------------------------------------------===//

#ifndef XC_BUFFERIZE_BUFFERS_H
#define XC_BUFFERIZE_BUFFERS_H

#include "Support/PointerMap.h"

#include "mlir-c/IR.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum xc_access {
  XC_ACCESS_READ = 1,
  XC_ACCESS_WRITE = 2,
  XC_ACCESS_ESCAPE = 4, // anything may happen to it, now or later
  XC_ACCESS_VIEW = 8,   // the results of the user alias it
  XC_ACCESS_FREE = 16,  // memref.dealloc
} xc_access;

/// Returns the accesses to the buffer by the operation that owns this use (a
/// set of bits). A call reads and writes: the callee is not looked at.
unsigned xc_buffer_access(MlirOpOperand use);

/// Calls `visit` for every use of a buffer and of its views, in no order, with
/// what xc_buffer_access says of it. Chains of views may be of any length.
void xc_for_each_access(MlirValue buffer,
                        void (*visit)(void *user_data, MlirOperation user,
                                      unsigned access),
                        void *user_data);

/// Whether the operation makes a view of its first operand.
bool xc_is_view(MlirOperation operation);

/// Returns the value that a buffer is a view of, through any number of views.
MlirValue xc_buffer_root(MlirValue buffer);

/// Returns the position that a map of the operations of a block has for the one
/// that holds `operation`.
size_t xc_position_in_block(const xc_pointer_map *positions,
                            MlirOperation operation);

#endif // XC_BUFFERIZE_BUFFERS_H
