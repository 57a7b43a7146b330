//===- VerifyDdr.c - hazards and coverage of DDR bytes --------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The memory of a register is kept in pages, each with a list of segments
// of equal history. Pages that nothing touches do not exist.
//
//===----------------------------------------------------------------------===//

#include "Verify.h"

#include "Support/Memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_BYTES = 4096 };

/// Instructions are stored as index + 1.
typedef struct segment {
  uint16_t begin;  // in the page; it ends where the next one begins
  bool is_initial; // has a value before the program runs
  uint32_t writer;
  uint32_t reader; // since the write
} segment;

struct xc_ddr_page {
  size_t count, capacity;
  segment *segments;
};

static bool same_history(const segment *a, const segment *b) {
  return a->is_initial == b->is_initial && a->writer == b->writer &&
         a->reader == b->reader;
}

static void append(xc_ddr_page *page, segment next) {
  if (page->count > 0 && same_history(&page->segments[page->count - 1], &next))
    return;
  void *segments = page->segments;
  xc_grow(&segments, &page->capacity, page->count + 1, sizeof next);
  page->segments = segments;
  page->segments[page->count++] = next;
}

/// Splits a fresh page where the initial content begins and ends.
static void fill_initial(xc_verifier *verifier, xc_ddr_page *page, unsigned reg,
                         uint64_t start) {
  const XcDpuVerifyOptions *options = verifier->options;
  for (uint32_t at = 0; at < PAGE_BYTES;) {
    uint64_t byte = start + at, next = start + PAGE_BYTES;
    bool is_initial = (options->fullRegisters >> reg & 1) != 0;
    for (size_t i = 0; i < options->numWritten; ++i) {
      const XcDpuByteRange *range = &options->written[i];
      if (range->reg != reg)
        continue;
      is_initial |= byte >= range->begin && byte < range->end;
      if (range->begin > byte && range->begin < next)
        next = range->begin;
      if (range->end > byte && range->end < next)
        next = range->end;
    }
    append(page, (segment){.begin = (uint16_t)at, .is_initial = is_initial});
    at = (uint32_t)(next - start);
  }
}

static xc_ddr_page *get_page(xc_verifier *verifier, unsigned reg,
                             size_t index) {
  xc_ddr_shadow *shadow = &verifier->ddr[reg];
  if (index >= shadow->num_pages) {
    size_t count =
        index + 1 > 2 * shadow->num_pages ? index + 1 : 2 * shadow->num_pages;
    shadow->pages =
        xc_realloc_array(shadow->pages, count, sizeof *shadow->pages);
    memset(shadow->pages + shadow->num_pages, 0,
           (count - shadow->num_pages) * sizeof *shadow->pages);
    shadow->num_pages = count;
  }
  if (!shadow->pages[index]) {
    shadow->pages[index] = xc_alloc(sizeof **shadow->pages);
    fill_initial(verifier, shadow->pages[index], reg,
                 (uint64_t)index * PAGE_BYTES);
  }
  return shadow->pages[index];
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

static void report_hazard(xc_verifier *verifier, XcDpuFindingKind kind,
                          uint32_t earlier, unsigned reg, uint64_t byte) {
  if (!xc_verify_counts(verifier, kind))
    return;
  char name[64];
  bool was_read = kind == XcDpuFindingKindWriteAfterRead;
  bool is_read = kind == XcDpuFindingKindReadAfterWrite;
  xc_verify_finding(verifier, kind, verifier->op->index,
                    "%s byte %" PRIu64 " of register %u, which %s %s; no token "
                    "orders them",
                    is_read ? "reads" : "writes", byte, reg,
                    xc_verify_name(verifier, earlier - 1, name),
                    was_read ? "reads" : "writes");
}

static void read_segment(xc_verifier *verifier, segment *at, unsigned reg,
                         uint64_t byte) {
  if (!xc_verify_ordered(verifier, at->writer))
    report_hazard(verifier, XcDpuFindingKindReadAfterWrite, at->writer, reg,
                  byte);
  if (at->writer == 0 && !at->is_initial)
    xc_verify_finding(verifier, XcDpuFindingKindUnwritten, verifier->op->index,
                      "reads byte %" PRIu64
                      " of register %u, which nothing has written",
                      byte, reg);
  at->reader = (uint32_t)verifier->op->index + 1;
}

static void write_segment(xc_verifier *verifier, segment *at, unsigned reg,
                          uint64_t byte) {
  if (!xc_verify_ordered(verifier, at->writer))
    report_hazard(verifier, XcDpuFindingKindWriteAfterWrite, at->writer, reg,
                  byte);
  if (!xc_verify_ordered(verifier, at->reader))
    report_hazard(verifier, XcDpuFindingKindWriteAfterRead, at->reader, reg,
                  byte);
  at->writer = (uint32_t)verifier->op->index + 1;
  at->reader = 0;
}

/// Returns the first segment that begins at a byte or behind it.
static size_t find_segment(const xc_ddr_page *page, uint32_t byte) {
  size_t low = 0, high = page->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (page->segments[middle].begin < byte)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// Returns the segment that begins at a byte: the one in which it lies is cut
/// there.
static size_t split_at(xc_ddr_page *page, uint32_t byte) {
  size_t i = find_segment(page, byte);
  if (byte == PAGE_BYTES ||
      (i < page->count && page->segments[i].begin == byte))
    return i;
  void *segments = page->segments;
  xc_grow(&segments, &page->capacity, page->count + 1, sizeof(segment));
  page->segments = segments;
  memmove(&page->segments[i + 1], &page->segments[i],
          (page->count - i) * sizeof(segment));
  ++page->count;
  page->segments[i] = page->segments[i - 1];
  page->segments[i].begin = (uint16_t)byte;
  return i;
}

/// Segments first..last become one with those before them of the same history.
static void merge(xc_ddr_page *page, size_t first, size_t last) {
  first = first > 0 ? first : 1;
  last = last < page->count ? last : page->count - 1;
  size_t kept = first;
  for (size_t i = first; i <= last; ++i)
    if (!same_history(&page->segments[i], &page->segments[kept - 1]))
      page->segments[kept++] = page->segments[i];
  if (kept > last)
    return;
  memmove(&page->segments[kept], &page->segments[last + 1],
          (page->count - last - 1) * sizeof(segment));
  page->count -= last + 1 - kept;
}

/// Bytes begin..end-1 of one page, which are some.
static void access_page(xc_verifier *verifier, unsigned reg, size_t index,
                        uint32_t begin, uint32_t end, bool is_write) {
  xc_ddr_page *page = get_page(verifier, reg, index);
  size_t first = split_at(page, begin);
  size_t last = split_at(page, end);
  for (size_t i = first; i < last; ++i) {
    segment *at = &page->segments[i];
    uint64_t byte = (uint64_t)index * PAGE_BYTES + at->begin;
    if (is_write)
      write_segment(verifier, at, reg, byte);
    else
      read_segment(verifier, at, reg, byte);
  }
  merge(page, first, last);
}

static void access_bytes(xc_verifier *verifier, unsigned reg, uint64_t begin,
                         uint64_t end, bool is_write) {
  while (begin < end) {
    size_t index = (size_t)(begin / PAGE_BYTES);
    uint64_t start = (uint64_t)index * PAGE_BYTES;
    uint64_t stop = start + PAGE_BYTES < end ? start + PAGE_BYTES : end;
    access_page(verifier, reg, index, (uint32_t)(begin - start),
                (uint32_t)(stop - start), is_write);
    begin = stop;
  }
}

/// Pixels, and rows of them, that touch or overlap are one run.
static xc_ddr_range join_runs(xc_ddr_range range) {
  if (range.step <= range.channel) {
    range.channel += (range.length - 1) * range.step;
    range.length = 1;
  }
  if (range.length == 1 && range.row_step <= range.channel) {
    range.channel += (range.rows - 1) * range.row_step;
    range.rows = 1;
  }
  return range;
}

/// Bytes that a LOAD masks have no influence on the result.
static void drop_masked(const xc_verifier *verifier, xc_ddr_range *run) {
  const xc_op *op = verifier->op;
  const XcDpuLoad *load = &op->insn.load;
  int64_t begin, end;
  if (op->kind->class != XC_OP_LOAD || !xc_load_is_masked(load) ||
      xc_load_is_broadcast(verifier->target, load))
    return;
  xc_load_unmasked(verifier->target, load, &begin, &end);
  run->begin += (uint64_t)begin;
  run->channel = (uint32_t)(end - begin);
}

static void access_range(xc_verifier *verifier, const xc_ddr_range *whole) {
  bool is_write = verifier->op->kind->class == XC_OP_SAVE;
  verifier->ddr[whole->reg].is_saved |= is_write;
  xc_ddr_range range = join_runs(*whole);
  drop_masked(verifier, &range);
  for (uint32_t y = 0; y < range.rows; ++y)
    for (uint32_t x = 0; x < range.length; ++x) {
      if (!xc_verify_work(verifier, range.channel / PAGE_BYTES + 64))
        return;
      uint64_t begin =
          range.begin + (uint64_t)y * range.row_step + (uint64_t)x * range.step;
      access_bytes(verifier, range.reg, begin, begin + range.channel, is_write);
    }
}

static void add_rest(xc_ddr_shadow *shadow, XcDpuByteRange rest) {
  void *rests = shadow->rests;
  xc_grow(&rests, &shadow->rests_capacity, shadow->num_rests + 1, sizeof rest);
  shadow->rests = rests;
  shadow->rests[shadow->num_rests++] = rest;
}

/// The places of a group in the registers of weights begin at the same address
/// and have the size of a full group.
static void note_rest(xc_verifier *verifier) {
  const XcDpuTarget *target = verifier->target;
  const XcDpuLoad *load = &verifier->op->insn.load;
  uint32_t channels = (uint32_t)target->outputChannelParallel;
  if (verifier->op->kind->class != XC_OP_LOAD ||
      !xc_load_is_broadcast(target, load) ||
      load->output_channel_num == channels)
    return;
  uint32_t parts = (uint32_t)target->numWeightsRegisters;
  uint64_t size = (uint64_t)channels / parts * load->jump_read_endl;
  for (uint32_t part = 0; part < parts; ++part) {
    unsigned reg = (unsigned)target->weightsRegister[part];
    add_rest(&verifier->ddr[reg],
             (XcDpuByteRange){reg, load->ddr_addr, load->ddr_addr + size});
  }
}

void xc_verify_ddr(xc_verifier *verifier) {
  note_rest(verifier);
  xc_ddr_range range;
  for (unsigned i = 0; xc_op_ddr(verifier->target, verifier->op, i, &range);
       ++i)
    access_range(verifier, &range);
}

//===----------------------------------------------------------------------===//
// Coverage
//===----------------------------------------------------------------------===//

void xc_verify_ddr_begin(xc_verifier *verifier) {
  memset(verifier->ddr, 0, sizeof verifier->ddr);
}

/// Gaps that only fill up to the next block are no data.
static bool is_alignment(const XcDpuTarget *target, uint64_t begin,
                         uint64_t end) {
  uint64_t units[] = {(uint64_t)target->parameterAlignment,
                      (uint64_t)target->codeAlignment};
  for (size_t i = 0; i < 2; ++i)
    if (units[i] > 1 && end % units[i] == 0 && end - begin < units[i])
      return true;
  return false;
}

/// The registers of which a program loads everything. A strided window, a crop
/// or a slice leaves parts of a feature map unread, but a compiler lays out the
/// parameters itself, and only those that it needs.
static bool has_parameters(const XcDpuTarget *target, unsigned reg) {
  bool found = (int32_t)reg == target->parametersRegister;
  for (int32_t i = 0; i < target->numWeightsRegisters; ++i)
    found |= (int32_t)reg == target->weightsRegister[i];
  return found;
}

/// A group of output channels that is not full leaves a part of its place free.
/// Returns the end of such places from `begin` on, which is in none of them.
static uint64_t skip_rests(const xc_ddr_shadow *shadow, uint64_t begin) {
  for (bool again = true; again;) {
    again = false;
    for (size_t i = 0; i < shadow->num_rests; ++i) {
      const XcDpuByteRange *rest = &shadow->rests[i];
      if (begin < rest->begin || begin >= rest->end)
        continue;
      begin = rest->end;
      again = true;
    }
  }
  return begin;
}

static void check_gap(xc_verifier *verifier, unsigned reg, uint64_t begin,
                      uint64_t end) {
  if (begin < end && !is_alignment(verifier->target, begin, end) &&
      skip_rests(&verifier->ddr[reg], begin) < end)
    xc_verify_finding(verifier, XcDpuFindingKindUnused,
                      verifier->program->count - 1,
                      "bytes %" PRIu64 " to %" PRIu64
                      " of register %u, between parameters that are loaded, "
                      "are never loaded",
                      begin, end - 1, reg);
}

/// Checks the parameters between the first and the last byte that is loaded.
/// Bytes outside need not belong to this program.
static void check_parameters(xc_verifier *verifier, unsigned reg) {
  const xc_ddr_shadow *shadow = &verifier->ddr[reg];
  uint64_t gap = UINT64_MAX;
  for (size_t p = 0; p < shadow->num_pages; ++p) {
    const xc_ddr_page *page = shadow->pages[p];
    for (size_t i = 0; page && i < page->count; ++i) {
      if (!page->segments[i].reader)
        continue;
      uint64_t start = (uint64_t)p * PAGE_BYTES;
      check_gap(verifier, reg, gap, start + page->segments[i].begin);
      gap = start +
            (i + 1 < page->count ? page->segments[i + 1].begin : PAGE_BYTES);
    }
  }
}

void xc_verify_ddr_end(xc_verifier *verifier) {
  for (unsigned reg = 0; reg < XC_DPU_NUM_REGISTERS; ++reg) {
    xc_ddr_shadow *shadow = &verifier->ddr[reg];
    if (has_parameters(verifier->target, reg) && !shadow->is_saved)
      check_parameters(verifier, reg);
    for (size_t p = 0; p < shadow->num_pages; ++p) {
      if (shadow->pages[p])
        free(shadow->pages[p]->segments);
      free(shadow->pages[p]);
    }
    free(shadow->pages);
    free(shadow->rests);
  }
}
