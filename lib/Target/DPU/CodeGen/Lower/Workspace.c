//===- Workspace.c - where buffers of the workspace lie -------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only the finished schedule tells what is loaded and saved, and in which
// order. Until then every buffer has memory of its own, so that no schedule is
// refused for memory that two buffers share. Afterwards, buffers that are never
// in DDR get no memory, and the others share it by their live ranges.
//
//===----------------------------------------------------------------------===//

#include "Lower.h"

#include "Support/StaticAllocation.h"

#include <stdlib.h>

/// A buffer's memory is not used again by the operator or step after its last
/// one: a SAVE would wait there for the last LOADs, or a cascade could not be.
enum { ALIGNMENT = 64, REST = 1 };

static uint64_t align(uint64_t size) {
  return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static bool is_buffer(const xc_allocation *allocation) {
  return allocation->kind == XC_ALLOCATION_ALLOC && !allocation->parent &&
         allocation->first;
}

static uint64_t *size_of(xc_lowering *lowering) {
  return &lowering->register_sizes[lowering->target->workspaceRegister];
}

/// Each buffer after the other, in the order of the list.
static bool assign_apart(xc_lowering *lowering) {
  uint64_t end = 0;
  lowering->apart = xc_arena_alloc(&lowering->arena, lowering->num_allocations,
                                   sizeof *lowering->apart);
  for (size_t i = 0; i < lowering->num_allocations; ++i) {
    xc_allocation *allocation = lowering->list[i];
    if (!is_buffer(allocation))
      continue;
    allocation->image.address = allocation->address_apart = (uint32_t)end;
    lowering->apart[lowering->num_apart++] = allocation;
    end += align(xc_allocation_size(allocation));
    if (end > (uint64_t)lowering->target->derived.addressableBytes) {
      lowering->num_apart = 0;
      return false;
    }
  }
  *size_of(lowering) = end;
  return true;
}

/// Buffers that live from first to last share memory.
static void assign_together(xc_lowering *lowering) {
  xc_lifetime *lives = xc_alloc_array(lowering->num_allocations, sizeof *lives);
  size_t count = 0;
  for (size_t i = 0; i < lowering->num_allocations; ++i) {
    const xc_allocation *allocation = lowering->list[i];
    if (is_buffer(allocation) && allocation->first_use <= allocation->last_use)
      lives[count++] =
          (xc_lifetime){.size = (int64_t)align(xc_allocation_size(allocation)),
                        .first = allocation->first_use,
                        .last = allocation->last_use + REST};
  }
  xc_static_allocation plan = xc_allocate_statically(lives, count);
  count = 0;
  for (size_t i = 0; i < lowering->num_allocations; ++i) {
    xc_allocation *allocation = lowering->list[i];
    if (is_buffer(allocation) && allocation->first_use <= allocation->last_use)
      allocation->image.address = (uint32_t)lives[count++].offset;
  }
  *size_of(lowering) = (uint64_t)plan.peak;
  lowering->workspace_bound = (uint64_t)plan.lower_bound;
  free(lives);
}

/// If they are too many for that they share memory from the beginning, by the
/// operators that use them.
void xc_workspace_assign(xc_lowering *lowering) {
  if (assign_apart(lowering))
    return;
  for (size_t i = 0; i < lowering->num_allocations; ++i) {
    lowering->list[i]->first_use = lowering->list[i]->first;
    lowering->list[i]->last_use = lowering->list[i]->last;
  }
  assign_together(lowering);
}

//===----------------------------------------------------------------------===//
// Placement by the schedule
//===----------------------------------------------------------------------===//

/// Returns the buffer that has an address while all are apart.
static xc_allocation *find_apart(const xc_lowering *lowering,
                                 uint32_t address) {
  size_t low = 0, high = lowering->num_apart;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (lowering->apart[middle]->address_apart <= address)
      low = middle;
    else
      high = middle;
  }
  return lowering->apart[low];
}

static void note_use(xc_allocation *buffer, const XcDpuMemoryUse *use) {
  bool is_first = !buffer->is_touched;
  buffer->is_touched = true;
  if (is_first || use->step < buffer->first_use)
    buffer->first_use = use->step;
  if (is_first || use->step > buffer->last_use)
    buffer->last_use = use->step;
  if (is_first || use->layer < buffer->first_layer)
    buffer->first_layer = use->layer;
  if (is_first || use->layer > buffer->last_layer)
    buffer->last_layer = use->layer;
}

void xc_workspace_place(void *context, const XcDpuMemoryUse *uses,
                        size_t count) {
  xc_lowering *lowering = context;
  if (lowering->num_apart == 0)
    return;
  for (size_t i = 0; i < lowering->num_apart; ++i) {
    lowering->apart[i]->first_use = 1;
    lowering->apart[i]->last_use = 0;
    lowering->apart[i]->image.address = 0;
  }
  for (size_t i = 0; i < count; ++i)
    if ((int32_t)uses[i].image->reg == lowering->target->workspaceRegister)
      note_use(find_apart(lowering, uses[i].image->address), &uses[i]);
  assign_together(lowering);
  xc_assign_children(lowering);
}

uint32_t xc_workspace_address(void *context, uint32_t address) {
  const xc_lowering *lowering = context;
  if (lowering->num_apart == 0)
    return address;
  const xc_allocation *buffer = find_apart(lowering, address);
  return buffer->image.address + (address - buffer->address_apart);
}
