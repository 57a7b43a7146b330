//===- Memory.h - arena and checked allocation --------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory that lives as long as one pass, one file or one program comes from an
// arena and is freed at once. Single growing arrays use xc_realloc_array. Out
// of memory ends the process with a message: nothing above could do better.
//
//===----------------------------------------------------------------------===//

#ifndef XC_SUPPORT_MEMORY_H
#define XC_SUPPORT_MEMORY_H

#include <stddef.h>

/// Never return null; a size of 0 gives a unique pointer. xc_alloc and
/// xc_alloc_array give zeroed memory; overflow of count * size counts as out
/// of memory. Free with free().
void *xc_alloc(size_t size);
void *xc_alloc_array(size_t count, size_t size);
void *xc_realloc_array(void *old, size_t count, size_t size);
/// Not zeroed: for what is written as a whole.
void *xc_alloc_uninitialized(size_t count, size_t size);
/// Not zeroed; `alignment` is a power of two.
void *xc_alloc_aligned(size_t size, size_t alignment);

/// Returns a copy of a string.
char *xc_copy_string(const char *string);

/// Grows `*array` of `*capacity` elements so that it holds at least `needed`,
/// at least doubling it: appending stays linear.
void xc_grow(void **array, size_t *capacity, size_t needed, size_t size);

typedef struct xc_arena_block xc_arena_block;

/// Zero-initialise to start with an empty arena.
typedef struct xc_arena {
  xc_arena_block *blocks;
  size_t used;
  size_t bytes_allocated;
} xc_arena;

/// Zeroed memory, aligned for any type, valid until xc_arena_free.
void *xc_arena_alloc(xc_arena *arena, size_t count, size_t size);
/// Returns a terminated copy of `length` bytes.
char *xc_arena_string(xc_arena *arena, const char *data, size_t length);
/// Frees everything; the arena is empty and usable again.
void xc_arena_free(xc_arena *arena);

#endif // XC_SUPPORT_MEMORY_H
