//===- BankMemory.c - words of the image groups over time -----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BankMemory.h"

#include "Support/Memory.h"

#include <stdlib.h>
#include <string.h>

enum { BITS = 64 };

void xc_bank_memory_begin(xc_bank_memory *memory, int32_t depth,
                          size_t num_units) {
  *memory = (xc_bank_memory){
      .depth = depth,
      .heads = xc_alloc_array(num_units, sizeof(size_t)),
      .used = xc_alloc_array((size_t)depth / BITS + 1, sizeof(uint64_t)),
  };
}

void xc_bank_memory_end(xc_bank_memory *memory) {
  free(memory->reservations);
  free(memory->heads);
  free(memory->links);
  free(memory->used);
}

static void use_words(xc_bank_memory *memory, int32_t begin, int32_t end) {
  while (begin < end) {
    int32_t last = begin | (BITS - 1);
    last = last < end ? last : end - 1;
    memory->used[begin / BITS] |= UINT64_MAX >> (BITS - 1 - (last - begin))
                                                    << begin % BITS;
    begin = last + 1;
  }
}

static void mark(xc_bank_memory *memory, int group, size_t first, size_t last) {
  memset(memory->used, 0,
         ((size_t)memory->depth / BITS + 1) * sizeof(uint64_t));
  for (size_t u = first; u <= last; ++u)
    for (size_t at = memory->heads[u]; at; at = memory->links[at - 1].next) {
      const xc_bank_reservation *one =
          &memory->reservations[memory->links[at - 1].reservation];
      size_t seen_at = one->first > first ? one->first : first;
      if (one->group == group && seen_at == u && !one->is_suspended)
        use_words(memory, one->base, one->base + one->words);
    }
}

/// Returns the first word from `at` on that is used, or is not; the depth if
/// there is none.
static int32_t next_word(const xc_bank_memory *memory, int32_t at,
                         bool is_used) {
  while (at < memory->depth) {
    uint64_t used = memory->used[at / BITS];
    uint64_t left = (is_used ? used : ~used) >> at % BITS;
    if (left) {
      at += __builtin_ctzll(left);
      break;
    }
    at = (at | (BITS - 1)) + 1;
  }
  return at < memory->depth ? at : memory->depth;
}

/// The next gap from `at` on; false at the end.
static bool next_gap(const xc_bank_memory *memory, int32_t at, int32_t *begin,
                     int32_t *end) {
  *begin = next_word(memory, at, false);
  *end = next_word(memory, *begin, true);
  return *begin < *end;
}

bool xc_bank_memory_find(xc_bank_memory *memory, int group, int32_t words,
                         size_t first, size_t last,
                         xc_bank_reservation *result) {
  mark(memory, group, first, last);
  int32_t begin, end = 0, best = 0;
  while (next_gap(memory, end, &begin, &end))
    if (end - begin >= words && (best == 0 || end - begin < best)) {
      best = end - begin;
      *result = (xc_bank_reservation){.group = group,
                                      .base = begin,
                                      .words = words,
                                      .first = first,
                                      .last = last};
    }
  return best > 0;
}

xc_bank_reservation xc_bank_memory_widest(xc_bank_memory *memory, int group,
                                          size_t first, size_t last) {
  mark(memory, group, first, last);
  xc_bank_reservation best = {.group = group, .first = first, .last = last};
  int32_t begin, end = 0;
  while (next_gap(memory, end, &begin, &end))
    if (end - begin > best.words) {
      best.base = begin;
      best.words = end - begin;
    }
  return best;
}

void xc_bank_memory_reserve(xc_bank_memory *memory,
                            const xc_bank_reservation *one) {
  void *array = memory->reservations;
  xc_grow(&array, &memory->capacity, memory->count + 1, sizeof *one);
  memory->reservations = array;
  memory->reservations[memory->count] = *one;
  size_t needed = memory->num_links + (one->last - one->first + 1);
  array = memory->links;
  xc_grow(&array, &memory->links_capacity, needed, sizeof *memory->links);
  memory->links = array;
  for (size_t u = one->first; u <= one->last; ++u) {
    memory->links[memory->num_links++] = (xc_reservation_link){
        .reservation = memory->count, .next = memory->heads[u]};
    memory->heads[u] = memory->num_links;
  }
  ++memory->count;
}

void xc_bank_memory_release(xc_bank_memory *memory, size_t count) {
  while (memory->count > count) {
    const xc_bank_reservation *one = &memory->reservations[--memory->count];
    for (size_t u = one->last + 1; u-- > one->first;) {
      memory->heads[u] = memory->links[memory->heads[u] - 1].next;
      --memory->num_links;
    }
  }
}

static bool overlap(const xc_bank_reservation *a,
                    const xc_bank_reservation *b) {
  return a->group == b->group && a->base < b->base + b->words &&
         b->base < a->base + a->words;
}

bool xc_bank_memory_is_disjoint(const xc_bank_memory *memory, size_t first,
                                size_t last) {
  enum { MAX_SEEN = 48 };
  const xc_bank_reservation *seen[MAX_SEEN];
  size_t count = 0;
  for (size_t u = first; u <= last; ++u)
    for (size_t at = memory->heads[u]; at; at = memory->links[at - 1].next) {
      const xc_bank_reservation *one =
          &memory->reservations[memory->links[at - 1].reservation];
      bool is_known = one->is_suspended;
      for (size_t i = 0; i < count && !is_known; ++i) {
        is_known = seen[i] == one;
        if (!is_known && overlap(seen[i], one))
          return false;
      }
      if (is_known)
        continue;
      if (count == MAX_SEEN)
        return false;
      seen[count++] = one;
    }
  return true;
}
