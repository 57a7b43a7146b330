//===- Chain.h - layers that follow each other --------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_SCHEDULE_CHAIN_H
#define XC_TARGET_DPU_CODEGEN_SCHEDULE_CHAIN_H

#include "Schedule.h"
#include "TensorBuffers.h"

#include "Target/DPU/CodeGen/Plan/Columns.h"

enum { XC_MAX_CHAIN = 12 };

/// A unit of a chain. Where several units divide the columns of a layer,
/// `layer` has all of them, of which the unit computes the part first..end-1.
typedef struct xc_chain_link {
  const xc_unit *unit;
  XcDpuLayer layer;
  xc_columns part;
  /// Whether units outside of the chain read the result, or write some of it.
  bool is_read, is_shared;
} xc_chain_link;

/// Units that follow each other, and can run for some columns after the others.
typedef struct xc_chain {
  const xc_schedule *layers;        // one by one, all images in DDR
  const xc_tensor_buffers *buffers; // of their units
  /// The same layers before they were divided between the engines.
  const xc_schedule *choices;
  size_t first, count;
  xc_chain_link links[XC_MAX_CHAIN];
} xc_chain;

/// Whether the unit can be in a chain.
bool xc_can_chain(const xc_unit *unit);

/// Whether the next unit, which is not in the chain yet, reads what the chain
/// writes or reads.
bool xc_chain_is_linked(const xc_chain *chain);

/// Adds the next unit.
void xc_chain_grow(xc_chain *chain);

/// Notes what units outside of the chain use. Returns false if the order of its
/// tiles would show.
bool xc_chain_close(xc_chain *chain);

/// Returns the number of rows between the windows by which link `reader` reads
/// the result of link `writer`; 0 if it does not.
int32_t xc_chain_stride(const xc_chain *chain, size_t writer, size_t reader);

/// Counts the columns that each link computes in all tiles together.
void xc_chain_columns(const xc_chain *chain, int32_t num_tiles,
                      int64_t columns[XC_MAX_CHAIN]);

/// Appends the units of all tiles, whose buffers have numbers from `free` on,
/// as many as there are units in the chain for each tile. Returns false if one
/// cannot be planned.
bool xc_chain_tile(const xc_chain *chain, int32_t num_tiles, uint32_t free,
                   xc_units *units);

#endif // XC_TARGET_DPU_CODEGEN_SCHEDULE_CHAIN_H
