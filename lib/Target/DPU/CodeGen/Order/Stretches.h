//===- Stretches.h - what was last accessed together --------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Remembers who accessed each unit of a memory last: the words of a bank, or
// the granules of DDR. Units that follow each other and were last accessed by
// the same instructions are one stretch, so that long accesses cost no more
// than short ones. A bit for each unit says whether a stretch begins there. The
// accesses of a stretch are stored with its first unit; the other units are not
// looked at.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_ORDER_STRETCHES_H
#define XC_TARGET_DPU_CODEGEN_ORDER_STRETCHES_H

#include "Support/Memory.h"
#include "xc-c/DPUIsa.h"

#include <stdlib.h>
#include <string.h>

enum { XC_STRETCH_BITS = 64 };

/// Who accesses a unit: the number of an instruction, and its queue; 0: none. A
/// reader may be the first of several CONVs that follow each other and read the
/// same window.
typedef uint32_t xc_accessor;

/// The last write of a unit, and the last read since by each queue.
typedef struct xc_last_accesses {
  xc_accessor writer;
  xc_accessor readers[XC_DPU_NUM_QUEUES - 1];
} xc_last_accesses;

/// Zero-initialise. It keeps its memory when it is begun again.
typedef struct xc_stretches {
  xc_last_accesses *units;
  uint64_t *starts; // of `count` units, and that after the last
  size_t count, capacity;
} xc_stretches;

static inline bool xc_is_start(const xc_stretches *s, size_t at) {
  return s->starts[at / XC_STRETCH_BITS] >> at % XC_STRETCH_BITS & 1;
}

static inline void xc_set_start(xc_stretches *s, size_t at) {
  s->starts[at / XC_STRETCH_BITS] |= UINT64_C(1) << at % XC_STRETCH_BITS;
}

/// Begins with one stretch that nothing has accessed. The user may begin
/// stretches at more places if no access crosses them.
static inline void xc_stretches_begin(xc_stretches *s, size_t count) {
  size_t entries = count / XC_STRETCH_BITS + 1;
  s->count = count;
  if (!s->units || count > s->capacity) {
    free(s->units);
    free(s->starts);
    s->units = xc_alloc_uninitialized(count + 1, sizeof *s->units);
    s->starts = xc_alloc_uninitialized(entries, sizeof *s->starts);
    s->capacity = count;
  }
  memset(s->starts, 0, entries * sizeof *s->starts);
  s->units[0] = (xc_last_accesses){0};
  xc_set_start(s, 0);
  xc_set_start(s, count);
}

static inline void xc_stretches_end(xc_stretches *s) {
  free(s->units);
  free(s->starts);
}

/// The start of the stretch that a unit is in.
static inline size_t xc_start_of(const xc_stretches *s, size_t at) {
  size_t i = at / XC_STRETCH_BITS;
  uint64_t bits = s->starts[i] << (XC_STRETCH_BITS - 1 - at % XC_STRETCH_BITS);
  if (bits)
    return at - (size_t)__builtin_clzll(bits);
  while (!s->starts[--i])
    ;
  return i * XC_STRETCH_BITS + XC_STRETCH_BITS - 1 -
         (size_t)__builtin_clzll(s->starts[i]);
}

/// The bits of units first..last of one entry of `starts`.
static inline uint64_t xc_bits_between(size_t first, size_t last) {
  return UINT64_MAX >> (XC_STRETCH_BITS - 1 - (last - first))
                           << first % XC_STRETCH_BITS;
}

/// The last of units first..end-1 that has its bit in the same entry.
static inline size_t xc_last_beside(size_t first, size_t end) {
  size_t last = first | (XC_STRETCH_BITS - 1);
  return last < end ? last : end - 1;
}

/// Makes a stretch begin at a unit, if there is such a unit.
static inline void xc_split(xc_stretches *s, size_t at) {
  if (xc_is_start(s, at))
    return;
  s->units[at] = s->units[xc_start_of(s, at)];
  xc_set_start(s, at);
}

/// Makes units begin..end-1 one stretch.
static inline void xc_merge(xc_stretches *s, size_t begin, size_t end) {
  for (size_t at = begin + 1; at < end;) {
    size_t last = xc_last_beside(at, end);
    s->starts[at / XC_STRETCH_BITS] &= ~xc_bits_between(at, last);
    at = last + 1;
  }
}

/// Makes a unit a stretch of its own.
static inline void xc_isolate(xc_stretches *s, size_t at) {
  if (!xc_is_start(s, at + 1)) {
    s->units[at + 1] = s->units[xc_start_of(s, at)];
    xc_set_start(s, at + 1);
  }
  xc_split(s, at);
}

/// The same, where both bits are in one entry of `starts` and the unit begins a
/// stretch, which is nearly always so.
static inline void xc_isolate_start(xc_last_accesses *units, uint64_t *starts,
                                    size_t at) {
  uint64_t next = UINT64_C(2) << at % XC_STRETCH_BITS;
  if (!(starts[at / XC_STRETCH_BITS] & next)) {
    units[at + 1] = units[at];
    starts[at / XC_STRETCH_BITS] |= next;
  }
}

static inline bool xc_is_plain_start(const uint64_t *starts, size_t at) {
  return at % XC_STRETCH_BITS < XC_STRETCH_BITS - 1 &&
         starts[at / XC_STRETCH_BITS] >> at % XC_STRETCH_BITS & 1;
}

#endif // XC_TARGET_DPU_CODEGEN_ORDER_STRETCHES_H
