//===- Memory.c - arena and checked allocation ----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct xc_arena_block {
  xc_arena_block *next;
  size_t capacity;
  alignas(max_align_t) unsigned char data[];
};

static _Noreturn void out_of_memory(size_t size) {
  fprintf(stderr, "xc: out of memory while allocating %zu bytes\n", size);
  abort();
}

static size_t checked_size(size_t count, size_t size) {
  if (size != 0 && count > SIZE_MAX / size)
    out_of_memory(SIZE_MAX);
  return count * size;
}

void *xc_alloc(size_t size) { return xc_alloc_array(1, size); }

void *xc_alloc_array(size_t count, size_t size) {
  size_t bytes = checked_size(count, size);
  void *memory = calloc(1, bytes ? bytes : 1);
  if (!memory)
    out_of_memory(bytes);
  return memory;
}

void *xc_realloc_array(void *old, size_t count, size_t size) {
  size_t bytes = checked_size(count, size);
  void *memory = realloc(old, bytes ? bytes : 1);
  if (!memory)
    out_of_memory(bytes);
  return memory;
}

void *xc_alloc_uninitialized(size_t count, size_t size) {
  return xc_realloc_array(NULL, count, size);
}

void *xc_alloc_aligned(size_t size, size_t alignment) {
  if (size > SIZE_MAX - alignment)
    out_of_memory(size);
  // A multiple of the alignment, as C asks for.
  void *memory =
      aligned_alloc(alignment, (size + alignment - 1) & ~(alignment - 1));
  if (!memory)
    out_of_memory(size);
  return memory;
}

char *xc_copy_string(const char *string) {
  size_t size = strlen(string) + 1;
  return memcpy(xc_alloc_uninitialized(size, 1), string, size);
}

void xc_grow(void **array, size_t *capacity, size_t needed, size_t size) {
  if (needed <= *capacity)
    return;
  size_t target = *capacity ? *capacity : 8;
  while (target < needed) {
    if (target > SIZE_MAX / 2)
      out_of_memory(SIZE_MAX);
    target *= 2;
  }
  *array = xc_realloc_array(*array, target, size);
  *capacity = target;
}

void *xc_arena_alloc(xc_arena *arena, size_t count, size_t size) {
  enum { BLOCK_SIZE = 64 * 1024 };
  size_t bytes = checked_size(count, size);
  if (bytes > SIZE_MAX - sizeof(xc_arena_block) - alignof(max_align_t))
    out_of_memory(bytes);
  bytes = (bytes + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
  xc_arena_block *block = arena->blocks;
  if (!block || block->capacity - arena->used < bytes) {
    size_t capacity = bytes > BLOCK_SIZE ? bytes : BLOCK_SIZE;
    block = calloc(1, sizeof(*block) + capacity);
    if (!block)
      out_of_memory(capacity);
    block->next = arena->blocks;
    block->capacity = capacity;
    arena->blocks = block;
    arena->used = 0;
    arena->bytes_allocated += capacity;
  }
  void *memory = block->data + arena->used;
  arena->used += bytes;
  return memory;
}

char *xc_arena_string(xc_arena *arena, const char *data, size_t length) {
  char *copy = xc_arena_alloc(arena, length + 1, 1);
  if (length)
    memcpy(copy, data, length);
  return copy;
}

void xc_arena_free(xc_arena *arena) {
  while (arena->blocks) {
    xc_arena_block *next = arena->blocks->next;
    free(arena->blocks);
    arena->blocks = next;
  }
  *arena = (xc_arena){0};
}
