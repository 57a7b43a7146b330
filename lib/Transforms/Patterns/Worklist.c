//===- Worklist.c - the operators that patterns look at next --------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include <stdlib.h>

// Addresses are multiples of 8 or more; the multiplication spreads them.
static size_t home(const xc_worklist *list, const void *operation) {
  uint64_t bits = (uint64_t)(uintptr_t)operation >> 3;
  return (size_t)(bits * UINT64_C(0x9E3779B97F4A7C15) >> 20) &
         (list->num_slots - 1);
}

// The slot of an operation, or the free one where it would go.
static size_t find(const xc_worklist *list, const void *operation) {
  size_t slot = home(list, operation);
  while (list->slots[slot].operation &&
         list->slots[slot].operation != operation)
    slot = (slot + 1) & (list->num_slots - 1);
  return slot;
}

static void insert(xc_worklist *list, const void *operation, size_t index) {
  size_t slot = find(list, operation);
  list->slots[slot].operation = operation;
  list->slots[slot].index = index;
}

static void make_room(xc_worklist *list) {
  enum { SMALLEST = 64 };
  if (list->num_slots && list->num_used * 2 < list->num_slots)
    return;
  struct xc_worklist_slot *old = list->slots;
  size_t num_old = list->num_slots;
  list->num_slots = num_old ? 2 * num_old : SMALLEST;
  list->slots = xc_alloc_array(list->num_slots, sizeof(*list->slots));
  for (size_t i = 0; i < num_old; ++i)
    if (old[i].operation)
      insert(list, old[i].operation, old[i].index);
  free(old);
}

// Takes a slot out and moves up those that were displaced by it, so that no
// search runs into the gap.
static void vacate(xc_worklist *list, size_t gap) {
  size_t mask = list->num_slots - 1;
  for (size_t slot = (gap + 1) & mask; list->slots[slot].operation;
       slot = (slot + 1) & mask) {
    size_t start = home(list, list->slots[slot].operation);
    if (((slot - start) & mask) < ((slot - gap) & mask))
      continue;
    list->slots[gap] = list->slots[slot];
    gap = slot;
  }
  list->slots[gap].operation = NULL;
  --list->num_used;
}

void xc_worklist_push(xc_worklist *list, MlirOperation operation) {
  make_room(list);
  size_t slot = find(list, operation.ptr);
  if (list->slots[slot].operation)
    return;
  if (list->count == list->capacity)
    xc_grow((void **)&list->stack, &list->capacity, list->count + 1,
            sizeof(*list->stack));
  list->slots[slot].operation = operation.ptr;
  list->slots[slot].index = list->count;
  list->stack[list->count++] = operation;
  ++list->num_used;
}

void xc_worklist_remove(xc_worklist *list, MlirOperation operation) {
  if (!list->num_slots)
    return;
  size_t slot = find(list, operation.ptr);
  if (!list->slots[slot].operation)
    return;
  list->stack[list->slots[slot].index].ptr = NULL;
  vacate(list, slot);
}

MlirOperation xc_worklist_pop(xc_worklist *list) {
  while (list->count) {
    MlirOperation operation = list->stack[--list->count];
    if (mlirOperationIsNull(operation))
      continue;
    vacate(list, find(list, operation.ptr));
    return operation;
  }
  return (MlirOperation){NULL};
}

void xc_worklist_free(xc_worklist *list) {
  free(list->stack);
  free(list->slots);
  *list = (xc_worklist){0};
}
