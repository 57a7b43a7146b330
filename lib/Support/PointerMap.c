//===- PointerMap.c - from pointers to pointers ---------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PointerMap.h"

#include "Memory.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

static size_t hash(const void *key) {
  uint64_t bits = (uint64_t)(uintptr_t)key;
  bits ^= bits >> 33;
  bits *= UINT64_C(0xff51afd7ed558ccd);
  return (size_t)(bits ^ bits >> 33);
}

// Returns the entry of the key, or the free one where it would go.
static xc_pointer_entry *find(const xc_pointer_map *map, const void *key) {
  size_t mask = map->capacity - 1;
  size_t at = hash(key) & mask;
  while (map->entries[at].key && map->entries[at].key != key)
    at = (at + 1) & mask;
  return &map->entries[at];
}

static void grow(xc_pointer_map *map) {
  xc_pointer_map larger = {0};
  larger.capacity = map->capacity ? 2 * map->capacity : 64;
  larger.entries = xc_alloc_array(larger.capacity, sizeof(*larger.entries));
  larger.count = map->count;
  for (size_t i = 0; i < map->capacity; ++i)
    if (map->entries[i].key)
      *find(&larger, map->entries[i].key) = map->entries[i];
  free(map->entries);
  *map = larger;
}

void xc_pointer_map_set(xc_pointer_map *map, const void *key, void *value) {
  assert(key && "null marks a free entry");
  if (4 * (map->count + 1) > 3 * map->capacity)
    grow(map);
  xc_pointer_entry *entry = find(map, key);
  map->count += entry->key == NULL;
  *entry = (xc_pointer_entry){key, value};
}

void *xc_pointer_map_get(const xc_pointer_map *map, const void *key) {
  return map->capacity ? find(map, key)->value : NULL;
}

bool xc_pointer_map_has(const xc_pointer_map *map, const void *key) {
  return map->capacity && find(map, key)->key;
}

void xc_pointer_map_remove(xc_pointer_map *map, const void *key) {
  if (!xc_pointer_map_has(map, key))
    return;
  // Entries that the gap displaced move up, so that no search runs into it.
  size_t mask = map->capacity - 1;
  size_t gap = (size_t)(find(map, key) - map->entries);
  for (size_t at = (gap + 1) & mask; map->entries[at].key;
       at = (at + 1) & mask) {
    size_t home = hash(map->entries[at].key) & mask;
    if (((at - home) & mask) < ((at - gap) & mask))
      continue;
    map->entries[gap] = map->entries[at];
    gap = at;
  }
  map->entries[gap] = (xc_pointer_entry){0};
  --map->count;
}

void xc_pointer_map_free(xc_pointer_map *map) {
  free(map->entries);
  *map = (xc_pointer_map){0};
}
