//===- PointerMap.h - from pointers to pointers -------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Passes remember what became of an MLIR object by the object's address. The
// order of a map is that of addresses and must never reach an output.
//
//===----------------------------------------------------------------------===//

#ifndef XC_SUPPORT_POINTERMAP_H
#define XC_SUPPORT_POINTERMAP_H

#include <stdbool.h>
#include <stddef.h>

typedef struct xc_pointer_entry {
  const void *key; // null: free
  void *value;
} xc_pointer_entry;

/// Zero-initialise; free with xc_pointer_map_free.
typedef struct xc_pointer_map {
  xc_pointer_entry *entries;
  size_t capacity; // a power of two
  size_t count;
} xc_pointer_map;

/// Sets the value of a key, which must not be null.
void xc_pointer_map_set(xc_pointer_map *map, const void *key, void *value);
/// Returns the value of a key, or null.
void *xc_pointer_map_get(const xc_pointer_map *map, const void *key);
/// Takes a key out; one that is not there is no mistake.
void xc_pointer_map_remove(xc_pointer_map *map, const void *key);
bool xc_pointer_map_has(const xc_pointer_map *map, const void *key);
void xc_pointer_map_free(xc_pointer_map *map);

#endif // XC_SUPPORT_POINTERMAP_H
