//===- ChainBound.c - what tiles of a chain gain at most ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChainBound.h"

#include "Target/DPU/Machine/Machine.h"

static int64_t bytes_of(const XcDpuImage *image) {
  return (int64_t)image->height * image->width * image->channels;
}

/// Returns the number of bytes of a link's result that later links load.
static int64_t loaded_bytes(const xc_chain_bound *b, size_t writer) {
  const xc_chain *c = b->chain;
  uint32_t buffer = c->links[writer].layer.output.buffer;
  int64_t bytes = 0;
  for (size_t i = writer + 1; i < c->count && buffer; ++i)
    for (size_t k = 0; k < c->links[i].layer.numInputs; ++k) {
      const XcDpuImage *image = &c->links[i].layer.inputs[k];
      if (image->buffer == buffer && !b->units[i].layout.inputs[k])
        bytes += bytes_of(image);
    }
  return bytes;
}

xc_chain_bound xc_bound_chain(const xc_chain *chain,
                              const xc_schedule *schedule) {
  xc_chain_bound bound = {.chain = chain,
                          .units = &schedule->units.items[chain->first]};
  int64_t conv = 0, misc = 0;
  for (size_t i = 0; i < chain->count; ++i) {
    const xc_chain_link *at = &chain->links[i];
    conv += bound.units[i].plan.cost.conv;
    misc += bound.units[i].plan.cost.misc;
    bound.exchanged += loaded_bytes(&bound, i);
    if (bound.units[i].layout.saves && !at->is_read && !at->is_shared)
      bound.exchanged += bytes_of(&at->layer.output);
  }
  bound.engine = xc_maximum64(conv, misc);
  return bound;
}

/// Returns the cycles of the engines for columns that are computed in two
/// tiles.
static int64_t halo_cycles(const xc_chain_bound *b, int32_t num_tiles) {
  int64_t columns[XC_MAX_CHAIN], conv = 0, misc = 0;
  xc_chain_columns(b->chain, num_tiles, columns);
  for (size_t i = 0; i < b->chain->count; ++i) {
    const xc_unit_cost *cost = &b->units[i].plan.cost;
    int64_t width = b->chain->links[i].layer.output.width;
    conv += cost->conv * (columns[i] - width) / width;
    misc += cost->misc * (columns[i] - width) / width;
  }
  return xc_maximum64(conv, misc);
}

/// Returns the cycles of transfers between the links that tiles can save. Most
/// of them overlap with the engines. As a rule, a tenth of the cycles of
/// the ports can be gained.
static int64_t exchange_cycles(const xc_chain_bound *b) {
  enum { PART = 10 };
  return (int64_t)((double)b->exchanged /
                   (PART * xc_target_bandwidth(b->chain->layers->target)));
}

int64_t xc_chain_most_gain(const xc_chain_bound *bound, int64_t cycles,
                           int32_t num_tiles) {
  return cycles - bound->engine + exchange_cycles(bound) -
         halo_cycles(bound, num_tiles);
}
