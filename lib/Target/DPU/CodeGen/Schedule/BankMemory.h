//===- BankMemory.h - words of the image groups over time ---------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An allocator of bank words over time. Reservations are ranges of words and of
// units, the steps of a schedule. All banks of an image group are used alike.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_SCHEDULE_BANKMEMORY_H
#define XC_TARGET_DPU_CODEGEN_SCHEDULE_BANKMEMORY_H

#include "Target/DPU/CodeGen/Plan/Unit.h"

enum { XC_IMAGE_GROUPS = 2 };

/// Words base..base+words-1 of a group, from a unit to another one.
typedef struct xc_bank_reservation {
  int group;
  int32_t base, words;
  size_t first, last;
  bool is_suspended; // others may have the words
} xc_bank_reservation;

typedef struct xc_reservation_link {
  size_t reservation, next; // index + 1; 0: none
} xc_reservation_link;

typedef struct xc_bank_memory {
  int32_t depth;
  xc_bank_reservation *reservations;
  size_t count, capacity;
  size_t *heads; // of each unit: link + 1
  xc_reservation_link *links;
  size_t num_links, links_capacity;
  uint64_t *used; // a bit per word of a group, while a gap is looked for
} xc_bank_memory;

void xc_bank_memory_begin(xc_bank_memory *memory, int32_t depth,
                          size_t num_units);
void xc_bank_memory_end(xc_bank_memory *memory);

/// Finds the smallest gap of `group` that is wide enough throughout
/// first..last. Returns false if there is none.
bool xc_bank_memory_find(xc_bank_memory *memory, int group, int32_t words,
                         size_t first, size_t last,
                         xc_bank_reservation *result);
/// Takes it.
void xc_bank_memory_reserve(xc_bank_memory *memory,
                            const xc_bank_reservation *one);
/// Gives the reservations from `count` on back, of which there are no others
/// since.
void xc_bank_memory_release(xc_bank_memory *memory, size_t count);

/// Returns the widest gap of a group throughout first..last; 0 words: none.
xc_bank_reservation xc_bank_memory_widest(xc_bank_memory *memory, int group,
                                          size_t first, size_t last);

/// Whether units first..last could have what they reserve at the same time, and
/// not one after the other.
bool xc_bank_memory_is_disjoint(const xc_bank_memory *memory, size_t first,
                                size_t last);

#endif // XC_TARGET_DPU_CODEGEN_SCHEDULE_BANKMEMORY_H
