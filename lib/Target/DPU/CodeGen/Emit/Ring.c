//===- Ring.c - banks of parameters as rings ------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

uint32_t xc_ring_take(xc_ring *ring, uint32_t words) {
  assert(words <= ring->depth && "more than the bank holds");
  uint32_t address = (uint32_t)(ring->taken % ring->depth);
  ring->taken += words;
  return address;
}

void xc_ring_reserve(xc_ring *ring, uint64_t words) {
  ring->reserved = ring->taken + words;
  // Entries that are overwritten by then are never found again.
  while (ring->first < ring->count &&
         ring->entries[ring->first].begin + ring->depth < ring->reserved)
    ++ring->first;
}

static void note(xc_ring *ring, const xc_ring_key *key) {
  void *entries = ring->entries;
  if (ring->first > ring->count / 2) {
    ring->count -= ring->first;
    memmove(ring->entries, ring->entries + ring->first,
            ring->count * sizeof *ring->entries);
    ring->first = 0;
  }
  xc_grow(&entries, &ring->capacity, ring->count + 1, sizeof *ring->entries);
  ring->entries = entries;
  ring->entries[ring->count++] =
      (xc_ring_entry){.key = *key, .begin = ring->taken};
}

bool xc_ring_find(const xc_ring *ring, const xc_ring_key *key,
                  uint32_t *address) {
  uint64_t end = ring->reserved > ring->taken ? ring->reserved : ring->taken;
  for (size_t i = ring->count; i-- > ring->first;) {
    const xc_ring_entry *entry = &ring->entries[i];
    if (entry->begin + ring->depth < end)
      break;
    if (memcmp(&entry->key, key, sizeof *key) != 0)
      continue;
    *address = (uint32_t)(entry->begin % ring->depth);
    return true;
  }
  return false;
}

uint32_t xc_ring_put(xc_ring *ring, const xc_ring_key *key, uint32_t words) {
  note(ring, key);
  return xc_ring_take(ring, words);
}

bool xc_ring_take_again(xc_ring *ring, const xc_ring_key *key, uint32_t words,
                        uint32_t *address) {
  if (xc_ring_find(ring, key, address))
    return true;
  *address = xc_ring_put(ring, key, words);
  return false;
}

void xc_ring_free(xc_ring *ring) { free(ring->entries); }
