//===- HostOperators.c - operators of the host by themselves --------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On a board a CPU subgraph runs by libraries of the runtime's kind, one for
// each type of operator, or by code of xc. An operator that only the host knows
// is of the first kind, and one that the runtime lacks of the second, so that
// no subgraph can hold both. In a stage that does, the two alternate as
// devices do between stages; operators that the runtime has stay with the
// second kind.
//
//===----------------------------------------------------------------------===//

#include "Placement.h"

#include <stdlib.h>

typedef struct stage_mix {
  bool has_host, has_lacking;
  uint32_t first, num_turns; // into the numbers of turns
} stage_mix;

typedef struct turns {
  xc_placement *p;
  const xc_function *f;
  uint32_t low, stages;
  stage_mix *mixes; // by stage
  uint32_t *of;     // by node: the turn in its stage
} turns;

static bool is_host(const xc_node *node) {
  return node->info && node->info->kind == XC_TIR_CUSTOM;
}

static xc_node *node_at(const turns *t, uint32_t index) {
  return &t->p->nodes[t->f->first_node + index];
}

static stage_mix *mix_of(const turns *t, const xc_node *node) {
  return &t->mixes[node->stage - t->low];
}

static bool see_operators(turns *t) {
  bool found = false;
  t->low = UINT32_MAX;
  for (uint32_t i = 0; i < t->f->num_nodes; ++i) {
    const xc_node *node = node_at(t, i);
    if (!node->is_storage && node->stage < t->low)
      t->low = node->stage;
  }
  for (uint32_t i = 0; i < t->f->num_nodes; ++i) {
    const xc_node *node = node_at(t, i);
    if (node->is_storage || node->device != XcDeviceCPU)
      continue;
    stage_mix *mix = mix_of(t, node);
    if (is_host(node))
      mix->has_host = true;
    else if (!t->p->options.isStandard(node->operation))
      mix->has_lacking = true;
    found = found || (mix->has_host && mix->has_lacking);
  }
  return found;
}

static void wait_for(turns *t, uint32_t index, uint32_t producer) {
  const xc_node *node = node_at(t, index), *from = node_at(t, producer);
  if (from->is_storage || from->stage != node->stage)
    return;
  uint32_t turn = t->of[producer] + (is_host(from) != is_host(node));
  if (turn > t->of[index])
    t->of[index] = turn;
}

/// Returns the earliest turn of each node; those of the host are the first
/// ones, or the second. Returns how many turns there are in all.
static uint32_t assign(turns *t, bool host_first) {
  uint32_t ordered = XC_NO_NODE, total = 0;
  for (uint32_t s = 0; s < t->stages; ++s)
    t->mixes[s].num_turns = 1;
  for (uint32_t i = 0; i < t->f->num_nodes; ++i) {
    const xc_node *node = node_at(t, i);
    if (node->is_storage)
      continue;
    stage_mix *mix = mix_of(t, node);
    bool is_mixed = mix->has_host && mix->has_lacking;
    t->of[i] = is_mixed && is_host(node) != host_first;
    for (uint32_t e = 0; is_mixed && e < node->num_edges; ++e) {
      uint32_t producer = t->p->edges[node->first_edge + e];
      if (producer != XC_NO_NODE)
        wait_for(t, i, producer - t->f->first_node);
    }
    if (is_mixed && node->is_ordered && ordered != XC_NO_NODE)
      wait_for(t, i, ordered);
    if (node->is_ordered)
      ordered = i;
    if (t->of[i] >= mix->num_turns)
      mix->num_turns = t->of[i] + 1;
  }
  for (uint32_t s = 0; s < t->stages; ++s) {
    t->mixes[s].first = total;
    total += t->mixes[s].num_turns;
  }
  return total;
}

/// Empty turns are left out.
static uint32_t number_turns(const turns *t, uint32_t total) {
  uint32_t *numbers = xc_alloc_array(total, sizeof *numbers), count = 0;
  for (uint32_t i = 0; i < t->f->num_nodes; ++i)
    if (!node_at(t, i)->is_storage)
      numbers[mix_of(t, node_at(t, i))->first + t->of[i]] = 1;
  for (uint32_t n = 0; n < total; ++n) {
    uint32_t used = numbers[n];
    numbers[n] = count;
    count += used;
  }
  for (uint32_t i = 0; i < t->f->num_nodes; ++i) {
    xc_node *node = node_at(t, i);
    if (!node->is_storage)
      node->stage = t->low + numbers[mix_of(t, node)->first + t->of[i]];
  }
  free(numbers);
  return count;
}

uint32_t xc_placement_set_apart(xc_placement *p, const xc_function *f,
                                uint32_t stages) {
  turns t = {.p = p, .f = f, .stages = stages};
  if (!p->options.isStandard || stages == 0)
    return stages;
  t.mixes = xc_alloc_array(stages, sizeof *t.mixes);
  t.of = xc_alloc_array(f->num_nodes, sizeof *t.of);
  if (see_operators(&t)) {
    uint32_t total = assign(&t, false), other = assign(&t, true);
    if (total <= other)
      assign(&t, false);
    stages = number_turns(&t, total <= other ? total : other);
  }
  free(t.mixes);
  free(t.of);
  return stages;
}
