//===- Reach.c - subgraphs within the range of addresses ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instructions hold addresses of few bits, counted from a base register. There
// is a register for each kind of memory of a subgraph, so each kind must be
// smaller than what an address reaches. Where one is not, the operator that
// takes most of it runs on the CPU, until the rest fits.
//
//===----------------------------------------------------------------------===//

#include "Placement.h"

#include <inttypes.h>
#include <stdlib.h>

#define MEMORIES(X)                                                            \
  X(PARAMETERS, "parameters")                                                  \
  X(INPUTS, "inputs")                                                          \
  X(OUTPUTS, "outputs")                                                        \
  X(WORKSPACE, "results between operators")

typedef enum memory {
#define MEMORY_ENUMERATOR(name, text) name,
  MEMORIES(MEMORY_ENUMERATOR)
#undef MEMORY_ENUMERATOR
      NUM_MEMORIES
} memory;

static const char *const texts[] = {
#define MEMORY_TEXT(name, text) [name] = text,
    MEMORIES(MEMORY_TEXT)
#undef MEMORY_TEXT
};

// Bytes of each kind, and the node that takes most of it.
typedef struct demand {
  int64_t bytes[NUM_MEMORIES], largest[NUM_MEMORIES];
  uint32_t node[NUM_MEMORIES];
} demand;

// How the results of a function's nodes are used within their group.
typedef struct uses {
  uint32_t *last; // node, XC_NO_NODE without
  bool *leaves;
} uses;

static void count(demand *d, memory kind, uint32_t node, int64_t bytes) {
  d->bytes[kind] += bytes;
  if (bytes <= d->largest[kind])
    return;
  d->largest[kind] = bytes;
  d->node[kind] = node;
}

static void count_operands(const xc_placement *p, uint32_t index, demand *d) {
  const xc_node *node = &p->nodes[index];
  int64_t parameters = 0, inputs = 0;
  for (uint32_t i = 0; i < node->num_edges; ++i) {
    uint32_t from = p->edges[node->first_edge + i];
    if (from == XC_NO_NODE)
      continue;
    const xc_node *producer = &p->nodes[from];
    if (producer->is_storage)
      parameters += producer->result_bytes;
    else if (producer->group != node->group)
      inputs += producer->result_bytes;
  }
  count(d, PARAMETERS, index, parameters);
  count(d, INPUTS, index, inputs);
}

// Results that are read in the group only are in memory from their making to
// their last use.
static void count_results(const xc_placement *p, const xc_function *f,
                          const xc_group *group, const uses *u, demand *d) {
  int64_t now = 0;
  for (uint32_t i = 0; i < group->num_nodes; ++i) {
    uint32_t index = p->order[group->first + i];
    const xc_node *node = &p->nodes[index];
    if (u->leaves[index - f->first_node]) {
      count(d, OUTPUTS, index, node->result_bytes);
    } else {
      int64_t most = d->bytes[WORKSPACE];
      now += node->result_bytes;
      count(d, WORKSPACE, index, node->result_bytes);
      d->bytes[WORKSPACE] = now > most ? now : most;
    }
    for (uint32_t e = 0; e < node->num_edges; ++e) {
      uint32_t from = p->edges[node->first_edge + e];
      if (from == XC_NO_NODE || p->nodes[from].group != node->group ||
          p->nodes[from].is_storage || u->leaves[from - f->first_node] ||
          u->last[from - f->first_node] != index)
        continue;
      now -= p->nodes[from].result_bytes;
      u->last[from - f->first_node] = XC_NO_NODE;
    }
  }
}

static uses find_uses(const xc_placement *p, const xc_function *f) {
  uses u = {xc_alloc_array(f->num_nodes, sizeof(uint32_t)),
            xc_alloc_array(f->num_nodes, sizeof(bool))};
  for (uint32_t i = 0; i < f->num_nodes; ++i) {
    u.last[i] = XC_NO_NODE;
    u.leaves[i] = p->nodes[f->first_node + i].is_returned;
  }
  for (uint32_t i = 0; i < f->num_nodes; ++i) {
    const xc_node *node = &p->nodes[f->first_node + i];
    for (uint32_t e = 0; e < node->num_edges; ++e) {
      uint32_t from = p->edges[node->first_edge + e];
      if (from == XC_NO_NODE)
        continue;
      u.last[from - f->first_node] = f->first_node + i;
      u.leaves[from - f->first_node] |= p->nodes[from].group != node->group;
    }
  }
  return u;
}

static void drop(xc_placement *p, uint32_t index, memory kind, int64_t bytes) {
  xc_node *node = &p->nodes[index];
  xc_text text = {0};
  xc_text_printf(&text,
                 "the %s of its subgraph need %" PRId64
                 " bytes, addresses reach %" PRId64,
                 texts[kind], bytes, p->target->derived.addressableBytes);
  node->is_dropped = true;
  node->device = XcDeviceCPU;
  node->reason = (xc_reason){
      .predicate = "address-range",
      .text = xc_arena_string(&p->arena, xc_text_str(&text), text.length),
      .key = "ddr.address_bits"};
  xc_text_free(&text);
}

bool xc_placement_drop_unreachable(xc_placement *p) {
  bool dropped = false;
  for (size_t n = 0; n < p->num_functions; ++n) {
    const xc_function *f = &p->functions[n];
    uses u = find_uses(p, f);
    for (uint32_t g = f->first_group; g < f->first_group + f->num_groups; ++g) {
      const xc_group *group = &p->groups[g];
      demand d = {.bytes = {0}};
      if (group->info.device == XcDeviceCPU)
        continue;
      for (uint32_t i = 0; i < group->num_nodes; ++i)
        count_operands(p, p->order[group->first + i], &d);
      count_results(p, f, group, &u, &d);
      for (int kind = 0; kind < NUM_MEMORIES; ++kind) {
        if (d.bytes[kind] <= p->target->derived.addressableBytes ||
            p->nodes[d.node[kind]].is_forced)
          continue;
        drop(p, d.node[kind], (memory)kind, d.bytes[kind]);
        dropped = true;
        break;
      }
    }
    free(u.last);
    free(u.leaves);
  }
  return dropped;
}
