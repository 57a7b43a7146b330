//===- Stages.c - as few subgraphs as the data flow allows ----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Devices alternate: the operators of a stage run on one device, data flows
// from lower to higher stages, and a stage is a subgraph. An operator's stage
// is the number of changes of device on the longest path to it, so the number
// of stages is the number of changes on the longest path of all: no order of
// execution has fewer subgraphs. A subgraph may hold several parts without a
// connection; they are started together.
//
// Then operators that could as well run later move there when fewer bytes
// cross a border.
//
//===----------------------------------------------------------------------===//

#include "Placement.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// The lowest stage of each device. Stages of a device are two apart.
typedef struct base {
  uint32_t stage[XC_NUM_DEVICES];
} base;

static const base starts[] = {
    {.stage = {[XcDeviceCPU] = 0, [XcDeviceDPU] = 1}},
    {.stage = {[XcDeviceDPU] = 1, [XcDeviceCPU] = 2}},
};

static uint32_t stage_after(const xc_node *producer, XcDevice device) {
  return producer->stage + (producer->device != device);
}

// Sets the earliest stage of each operator and returns how many there are.
static uint32_t assign(xc_placement *p, const xc_function *f, base start) {
  uint32_t end = f->first_node + f->num_nodes;
  uint32_t ordered = XC_NO_NODE, low = UINT32_MAX, high = 0;
  for (uint32_t n = f->first_node; n < end; ++n) {
    xc_node *node = &p->nodes[n];
    if (node->is_storage)
      continue;
    node->stage = start.stage[node->device];
    for (uint32_t i = 0; i < node->num_edges; ++i) {
      uint32_t producer = p->edges[node->first_edge + i];
      if (producer == XC_NO_NODE || p->nodes[producer].is_storage)
        continue;
      uint32_t stage = stage_after(&p->nodes[producer], node->device);
      node->stage = stage > node->stage ? stage : node->stage;
    }
    if (node->is_ordered) {
      if (ordered != XC_NO_NODE && p->nodes[ordered].stage > node->stage)
        node->stage = p->nodes[ordered].stage;
      ordered = n;
    }
    low = node->stage < low ? node->stage : low;
    high = node->stage > high ? node->stage : high;
  }
  return low > high ? 0 : high - low + 1;
}

//===----------------------------------------------------------------------===//
// Moving operators to later stages
//===----------------------------------------------------------------------===//

// The stages that the users of a value allow, and their cost.
typedef struct uses {
  uint32_t latest; // stage at which every user still gets the value
  uint32_t stage;  // of the first user seen, or UINT32_MAX
  bool mixed;      // users in several stages
} uses;

static void see_user(uses *u, const xc_node *producer, const xc_node *user) {
  uint32_t latest = user->stage - (producer->device != user->device);
  if (latest < u->latest)
    u->latest = latest;
  if (u->stage == UINT32_MAX)
    u->stage = user->stage;
  u->mixed |= u->stage != user->stage;
}

// Returns the number of bytes that cross a border when the operator runs at
// `stage`. An input that others use at that stage, too, is not told apart: it
// counts in full.
static int64_t border_bytes(const xc_placement *p, const xc_node *node,
                            const uses *u, uint32_t stage) {
  bool leaves = node->is_returned || u->mixed ||
                (u->stage != UINT32_MAX && u->stage != stage);
  int64_t bytes = leaves ? node->result_bytes : 0;
  for (uint32_t i = 0; i < node->num_edges; ++i) {
    uint32_t producer = p->edges[node->first_edge + i];
    if (producer != XC_NO_NODE && !p->nodes[producer].is_storage &&
        p->nodes[producer].stage != stage)
      bytes += p->nodes[producer].result_bytes;
  }
  return bytes;
}

static void delay(xc_placement *p, const xc_function *f) {
  uses *all = xc_alloc_array(f->num_nodes, sizeof(uses));
  for (uint32_t i = 0; i < f->num_nodes; ++i)
    all[i] = (uses){UINT32_MAX, UINT32_MAX, false};
  for (uint32_t i = f->num_nodes; i-- > 0;) {
    xc_node *node = &p->nodes[f->first_node + i];
    if (node->is_storage)
      continue;
    uint32_t latest = all[i].latest;
    if (latest != UINT32_MAX && !node->is_ordered && latest > node->stage) {
      assert((latest - node->stage) % 2 == 0 && "devices alternate");
      if (border_bytes(p, node, &all[i], latest) <
          border_bytes(p, node, &all[i], node->stage))
        node->stage = latest;
    }
    for (uint32_t e = 0; e < node->num_edges; ++e) {
      uint32_t producer = p->edges[node->first_edge + e];
      if (producer != XC_NO_NODE)
        see_user(&all[producer - f->first_node], &p->nodes[producer], node);
    }
  }
  free(all);
}

//===----------------------------------------------------------------------===//
// From stages to groups
//===----------------------------------------------------------------------===//

static int64_t bytes_of(MlirValue value) {
  xc_shape shape;
  if (!xc_shape_of_type(mlirValueGetType(value), &shape) ||
      shape.element == XC_ELEMENT_NONE)
    return 0;
  return xc_shape_num_elements(&shape) *
         (int64_t)xc_element_size(shape.element);
}

// The group that was last seen to take each result and argument: a value
// enters a group once, however many operators read it there.
typedef struct borders {
  uint32_t *results;   // by node
  uint32_t *arguments; // by number
} borders;

static void count_inputs(xc_placement *p, const xc_function *f,
                         const xc_node *node, borders *b) {
  XcSubgraph *group = &p->groups[node->group].info;
  for (uint32_t i = 0; i < node->num_edges; ++i) {
    uint32_t from = p->edges[node->first_edge + i];
    if (from == XC_NO_NODE) {
      MlirValue value = mlirOperationGetOperand(node->operation, i);
      uint32_t *taken = &b->arguments[mlirBlockArgumentGetArgNumber(value)];
      if (*taken != node->group)
        group->inputBytes += bytes_of(value);
      *taken = node->group;
      continue;
    }
    const xc_node *producer = &p->nodes[from];
    uint32_t *taken = &b->results[from - f->first_node];
    if (producer->is_storage || *taken == node->group)
      continue;
    if (*taken == producer->group)
      p->groups[producer->group].info.outputBytes += producer->result_bytes;
    group->inputBytes += producer->result_bytes;
    p->groups[node->group].crossing_bytes += producer->result_bytes;
    *taken = node->group;
  }
}

static void count_borders(xc_placement *p, const xc_function *f) {
  intptr_t arguments = mlirBlockGetNumArguments(f->block);
  borders b = {xc_alloc_array(f->num_nodes, sizeof(uint32_t)),
               xc_alloc_array((size_t)arguments, sizeof(uint32_t))};
  for (uint32_t i = 0; i < f->num_nodes; ++i)
    b.results[i] = p->nodes[f->first_node + i].group;
  for (intptr_t i = 0; i < arguments; ++i)
    b.arguments[i] = UINT32_MAX;
  for (uint32_t g = f->first_group; g < f->first_group + f->num_groups; ++g)
    for (uint32_t i = 0; i < p->groups[g].num_nodes; ++i)
      count_inputs(p, f, &p->nodes[p->order[p->groups[g].first + i]], &b);
  for (uint32_t i = 0; i < f->num_nodes; ++i) {
    const xc_node *node = &p->nodes[f->first_node + i];
    if (node->is_returned && !node->is_storage && b.results[i] == node->group)
      p->groups[node->group].info.outputBytes += node->result_bytes;
  }
  free(b.results);
  free(b.arguments);
}

// A simple model, good enough to see that a subgraph does not pay: computing
// at peak, all memory traffic at the bandwidth of the memory, and the start.
static void estimate(const xc_placement *p, xc_group *group) {
  XcSubgraph *g = &group->info;
  if (g->device == XcDeviceCPU || p->library)
    return;
  const XcDpuTarget *t = p->target;
  double macs = (double)g->macs, moved = (double)group->elements;
  double peak = (double)t->derived.peakMacsPerCycle * (double)t->clockHz;
  double bytes = (double)(g->inputBytes + g->outputBytes);
  g->dpuMicroseconds = p->options.launchMicroseconds + macs / peak * 1e6 +
                       bytes / (double)t->ddrBytesPerSecond * 1e6;
  g->cpuMicroseconds = (macs + moved) / p->options.cpuMacsPerMicrosecond;
}

static uint32_t lowest_stage(const xc_placement *p, const xc_function *f) {
  uint32_t low = UINT32_MAX;
  for (uint32_t i = 0; i < f->num_nodes; ++i) {
    const xc_node *node = &p->nodes[f->first_node + i];
    if (!node->is_storage && node->stage < low)
      low = node->stage;
  }
  return low;
}

// Sorts the operators by group; each group keeps the order of the program.
static void order_nodes(xc_placement *p, const xc_function *f) {
  uint32_t next = f->first_node;
  for (uint32_t g = f->first_group; g < f->first_group + f->num_groups; ++g) {
    assert(p->groups[g].info.numOperators > 0 && "no stage is empty");
    p->groups[g].first = next;
    next += (uint32_t)p->groups[g].info.numOperators;
  }
  for (uint32_t i = 0; i < f->num_nodes; ++i) {
    uint32_t n = f->first_node + i;
    if (p->nodes[n].is_storage)
      continue;
    xc_group *group = &p->groups[p->nodes[n].group];
    p->order[group->first + group->num_nodes++] = n;
  }
}

static void number_groups(xc_placement *p, xc_function *f, uint32_t stages) {
  uint32_t low = lowest_stage(p, f);
  f->first_group = (uint32_t)p->num_groups;
  f->num_groups = stages;
  xc_grow((void **)&p->groups, &p->group_capacity, p->num_groups + stages,
          sizeof(xc_group));
  p->num_groups += stages;
  for (uint32_t g = 0; g < stages; ++g)
    p->groups[f->first_group + g] =
        (xc_group){.function = (uint32_t)(f - p->functions)};
  for (uint32_t i = 0; i < f->num_nodes; ++i) {
    xc_node *node = &p->nodes[f->first_node + i];
    if (node->is_storage)
      continue;
    node->group = f->first_group + node->stage - low;
    xc_group *group = &p->groups[node->group];
    group->info.device = node->device;
    group->info.macs += node->macs;
    ++group->info.numOperators;
    group->elements += node->elements;
  }
  order_nodes(p, f);
  count_borders(p, f);
  for (uint32_t g = 0; g < stages; ++g)
    estimate(p, &p->groups[f->first_group + g]);
}

void xc_placement_group(xc_placement *p) {
  p->num_groups = 0;
  for (size_t i = 0; i < p->num_functions; ++i) {
    xc_function *f = &p->functions[i];
    uint32_t best = assign(p, f, starts[0]);
    uint32_t other = assign(p, f, starts[1]);
    if (other >= best)
      assign(p, f, starts[0]);
    delay(p, f);
    number_groups(p, f,
                  xc_placement_set_apart(p, f, other < best ? other : best));
  }
}

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

static uint32_t count_dpu_stages(xc_placement *p, const xc_function *f) {
  uint32_t best = assign(p, f, starts[0]);
  if (assign(p, f, starts[1]) >= best)
    assign(p, f, starts[0]);
  uint32_t count = 0;
  for (uint32_t i = 0; i < f->num_nodes; ++i) {
    const xc_node *node = &p->nodes[f->first_node + i];
    // No stage below is empty, and that of the first is 1.
    if (!node->is_storage && node->device == XcDeviceDPU &&
        (node->stage + 1) / 2 > count)
      count = (node->stage + 1) / 2;
  }
  return count;
}

size_t xc_placement_count_with(xc_placement *p,
                               bool (*is_there)(MlirOperation operation,
                                                const void *user_data),
                               const void *user_data) {
  xc_node *before = xc_alloc_array(p->num_nodes, sizeof(xc_node));
  memcpy(before, p->nodes, p->num_nodes * sizeof(xc_node));
  for (size_t i = 0; i < p->num_operators; ++i) {
    xc_node *node = &p->nodes[p->operators[i]];
    if (is_there(node->operation, user_data))
      node->device = XcDeviceDPU;
  }
  size_t count = 0;
  for (size_t i = 0; i < p->num_functions; ++i)
    count += count_dpu_stages(p, &p->functions[i]);
  memcpy(p->nodes, before, p->num_nodes * sizeof(xc_node));
  free(before);
  return count;
}

//===----------------------------------------------------------------------===//
// Islands
//===----------------------------------------------------------------------===//

static const char *island_reason(xc_placement *p, const XcSubgraph *g) {
  xc_text text = {0};
  xc_text_printf(&text,
                 "its subgraph of %zu operator%s takes %.1f us on the DPU, "
                 "transfers included, and %.1f us on the CPU",
                 g->numOperators, g->numOperators == 1 ? "" : "s",
                 g->dpuMicroseconds, g->cpuMicroseconds);
  const char *kept =
      xc_arena_string(&p->arena, xc_text_str(&text), text.length);
  xc_text_free(&text);
  return kept;
}

bool xc_placement_drop_islands(xc_placement *p) {
  const char **reasons = xc_alloc_array(p->num_groups, sizeof(char *));
  for (size_t i = 0; i < p->num_operators; ++i)
    if (p->nodes[p->operators[i]].is_forced)
      p->groups[p->nodes[p->operators[i]].group].info.cpuMicroseconds =
          INFINITY;
  bool dropped = false;
  for (size_t g = 0; g < p->num_groups; ++g) {
    XcSubgraph *info = &p->groups[g].info;
    if (info->device == XcDeviceCPU ||
        info->cpuMicroseconds > info->dpuMicroseconds)
      continue;
    reasons[g] = island_reason(p, info);
    dropped = true;
  }
  for (size_t i = 0; i < p->num_operators; ++i) {
    xc_node *node = &p->nodes[p->operators[i]];
    if (!reasons[node->group])
      continue;
    node->is_dropped = true;
    node->device = XcDeviceCPU;
    node->reason = (xc_reason){.predicate = "island",
                               .text = reasons[node->group],
                               .change = "islands=keep"};
  }
  free(reasons);
  return dropped;
}
