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
// than short ones. A bit for each unit says whether a stretch begins there.
//
// An engine writes the words of pixels one after the other, each for all pixels
// of a row. A stretch therefore has a period: each of its units was last
// accessed by the same instructions as the one that lies a period before it.
// The accesses of the first period are stored with its units; the other units
// are not looked at. A row of pixels is one stretch, whose period is a pixel.
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
  uint32_t *periods; // of stretches, with their first units
  uint64_t *starts;  // of `count` units, and that after the last
  size_t count, capacity;
} xc_stretches;

static inline bool xc_is_start(const xc_stretches *s, size_t at) {
  return s->starts[at / XC_STRETCH_BITS] >> at % XC_STRETCH_BITS & 1;
}

static inline void xc_start_stretch(xc_stretches *s, size_t at,
                                    uint32_t period) {
  s->starts[at / XC_STRETCH_BITS] |= UINT64_C(1) << at % XC_STRETCH_BITS;
  s->periods[at] = period;
}

/// Begins with one stretch that nothing has accessed. The user may begin
/// stretches at more places if no access crosses them.
static inline void xc_stretches_begin(xc_stretches *s, size_t count) {
  size_t entries = count / XC_STRETCH_BITS + 1;
  s->count = count;
  if (!s->units || count > s->capacity) {
    free(s->units);
    free(s->periods);
    free(s->starts);
    s->units = xc_alloc_uninitialized(count + 1, sizeof *s->units);
    s->periods = xc_alloc_uninitialized(count + 1, sizeof *s->periods);
    s->starts = xc_alloc_uninitialized(entries, sizeof *s->starts);
    s->capacity = count;
  }
  memset(s->starts, 0, entries * sizeof *s->starts);
  s->units[0] = (xc_last_accesses){0};
  xc_start_stretch(s, 0, 1);
  xc_start_stretch(s, count, 1);
}

static inline void xc_stretches_end(xc_stretches *s) {
  free(s->units);
  free(s->periods);
  free(s->starts);
}

/// Returns the start of the stretch that a unit is in.
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

/// Returns the end of the stretch that a unit is in.
static inline size_t xc_end_of(const xc_stretches *s, size_t at) {
  size_t i = ++at / XC_STRETCH_BITS;
  uint64_t bits = s->starts[i] >> at % XC_STRETCH_BITS;
  if (bits)
    return at + (size_t)__builtin_ctzll(bits);
  while (!s->starts[++i])
    ;
  return i * XC_STRETCH_BITS + (size_t)__builtin_ctzll(s->starts[i]);
}

/// Returns how many units of the stretch that begins at a unit have their
/// accesses stored.
static inline size_t xc_num_stored(const xc_stretches *s, size_t begin) {
  size_t period = s->periods[begin];
  if (period == 1)
    return 1;
  size_t length = xc_end_of(s, begin) - begin;
  return period < length ? period : length;
}

/// Returns the bits of units first..last of one entry of `starts`.
static inline uint64_t xc_bits_between(size_t first, size_t last) {
  return UINT64_MAX >> (XC_STRETCH_BITS - 1 - (last - first))
                           << first % XC_STRETCH_BITS;
}

/// Returns the last of units first..end-1 that has its bit in the same entry.
static inline size_t xc_last_beside(size_t first, size_t end) {
  size_t last = first | (XC_STRETCH_BITS - 1);
  return last < end ? last : end - 1;
}

/// Makes a stretch begin at a unit, if there is such a unit.
static inline void xc_split(xc_stretches *s, size_t at) {
  if (xc_is_start(s, at))
    return;
  size_t begin = xc_start_of(s, at);
  uint32_t period = s->periods[begin];
  xc_start_stretch(s, at, period);
  size_t stored = xc_num_stored(s, at), from = (at - begin) % period;
  // Units that both stretches have in their first period are stored already.
  for (size_t i = 0; i < stored; ++i) {
    s->units[at + i] = s->units[begin + from];
    from = from + 1 < period ? from + 1 : 0;
  }
}

/// Gives the stretch begin..end-1 a period of which `step` is a factor, unless
/// it is as long as the stretch. Returns how many units are stored.
static inline size_t xc_divide_period(xc_stretches *s, size_t begin, size_t end,
                                      size_t step) {
  size_t old = s->periods[begin], period = old;
  while (period < end - begin && period % step != 0)
    period += old;
  size_t stored = period < end - begin ? period : end - begin;
  for (size_t i = old; i < stored; ++i)
    s->units[begin + i] = s->units[begin + i - old];
  s->periods[begin] = (uint32_t)period;
  return stored;
}

/// Makes units begin..end-1 one stretch.
static inline void xc_merge(xc_stretches *s, size_t begin, size_t end) {
  for (size_t at = begin + 1; at < end;) {
    size_t last = xc_last_beside(at, end);
    s->starts[at / XC_STRETCH_BITS] &= ~xc_bits_between(at, last);
    at = last + 1;
  }
}

#endif // XC_TARGET_DPU_CODEGEN_ORDER_STRETCHES_H
