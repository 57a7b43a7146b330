//===- Traffic.c - bytes of DDR that a program must move ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timeline.h"

#include "Support/Memory.h"

#include <stdlib.h>

/// One bit per byte of DDR of a register.
typedef struct ddr_traffic {
  uint64_t size;     // bytes up to the last one
  uint64_t *written; // and not read since
  uint64_t *read;    // and not written since
  /// Bytes read that no SAVE wrote before, each once.
  uint64_t inputs;
  /// Bytes written that no LOAD has read since.
  uint64_t outputs;
} ddr_traffic;

static uint64_t count_bits(uint64_t word) {
  return (uint64_t)__builtin_popcountll(word);
}

/// The bytes of `mask` in one word of 64.
static void record_word(ddr_traffic *traffic, size_t word, uint64_t mask,
                        bool is_write) {
  uint64_t *written = &traffic->written[word], *read = &traffic->read[word];
  if (is_write) {
    traffic->outputs += count_bits(mask & ~*written);
    *written |= mask;
    *read &= ~mask;
    return;
  }
  uint64_t fresh = mask & ~*read;
  uint64_t of_program = fresh & *written;
  traffic->outputs -= count_bits(of_program);
  traffic->inputs += count_bits(fresh & ~of_program);
  *written &= ~of_program;
  *read |= mask;
}

static void record_run(ddr_traffic *traffic, uint64_t begin, uint64_t end,
                       bool is_write) {
  while (begin < end) {
    uint64_t stop = begin / 64 * 64 + 64;
    uint64_t mask = UINT64_MAX << begin % 64;
    if (stop > end) {
      mask &= UINT64_MAX >> (stop - end);
      stop = end;
    }
    record_word(traffic, (size_t)(begin / 64), mask, is_write);
    begin = stop;
  }
}

static void record(ddr_traffic *registers, const xc_ddr_range *range,
                   bool is_write) {
  for (uint32_t y = 0; y < range->rows; ++y)
    for (uint32_t x = 0; x < range->length; ++x) {
      uint64_t byte = range->begin + (uint64_t)y * range->row_step +
                      (uint64_t)x * range->step;
      record_run(&registers[range->reg], byte, byte + range->channel, is_write);
    }
}

/// Calls `visit` for each range of DDR that the program touches.
static void visit_ranges(const XcDpuProgram *program, ddr_traffic *registers,
                         void (*visit)(ddr_traffic *registers,
                                       const xc_ddr_range *range,
                                       bool is_write)) {
  for (size_t i = 0; i < program->count; ++i) {
    const xc_operation *kind = xc_program_kind(program, i);
    if (!kind->ddr)
      continue;
    xc_op op = {0};
    xc_ddr_range range;
    xc_program_get_op(program, i, &op);
    for (unsigned n = 0; xc_op_ddr(program->target, &op, n, &range); ++n)
      visit(registers, &range, kind->class == XC_OP_SAVE);
  }
}

static void measure(ddr_traffic *registers, const xc_ddr_range *range,
                    bool is_write) {
  (void)is_write;
  if (range->end > registers[range->reg].size)
    registers[range->reg].size = range->end;
}

xc_compulsory xc_program_compulsory(const XcDpuProgram *program) {
  ddr_traffic registers[XC_DPU_NUM_REGISTERS] = {0};
  visit_ranges(program, registers, measure);
  for (int r = 0; r < XC_DPU_NUM_REGISTERS; ++r) {
    size_t words = (size_t)(registers[r].size / 64 + 1);
    registers[r].written = xc_alloc_array(words, sizeof(uint64_t));
    registers[r].read = xc_alloc_array(words, sizeof(uint64_t));
  }
  visit_ranges(program, registers, record);
  xc_compulsory bytes = {0};
  for (uint32_t r = 0; r < XC_DPU_NUM_REGISTERS; ++r) {
    if (xc_register_is_apart(program->target, r))
      bytes.parameters[r] = registers[r].inputs;
    else
      bytes.inputs += registers[r].inputs;
    bytes.outputs += registers[r].outputs;
    free(registers[r].written);
    free(registers[r].read);
  }
  return bytes;
}
