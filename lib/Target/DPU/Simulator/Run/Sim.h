//===- Sim.h - state of a simulated DPU ---------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_SIMULATOR_RUN_SIM_H
#define XC_TARGET_DPU_SIMULATOR_RUN_SIM_H

#include "Kernel.h"
#include "Support/Threads.h"
#include "Target/DPU/Machine/Program.h"
#include "Target/DPU/Machine/Walk.h"

/// Bytes that grow and keep their size from one instruction to the next.
typedef struct xc_scratch {
  void *data;
  size_t capacity;
} xc_scratch;

/// At least `size` bytes; the content is undefined.
void *xc_scratch_get(xc_scratch *scratch, size_t size);

/// Weights of one CONV in the order of the kernel.
typedef struct xc_packed_weights {
  uint64_t generation; // 0: empty
  uint32_t address, kernel_h, run;
  xc_scratch data;
} xc_packed_weights;

enum { XC_NUM_PACKED = 32 };

struct XcDpuSim {
  const XcDpuTarget *target;
  const xc_kernel *kernel;
  int8_t *banks;
  size_t word_bytes; // of every bank
  xc_bank_layout layout;
  struct {
    int8_t *data;
    size_t size;
  } registers[XC_DPU_NUM_REGISTERS];

  xc_threads *threads; // null: one thread
  uint64_t work_limit, work;
  XcProgress progress;

  /// Counts writes to the weight banks, from 1.
  uint64_t weights_generation;
  xc_packed_weights packed[XC_NUM_PACKED];
  xc_scratch window, elements, output, lane_bytes, sums;
};

static inline int8_t *xc_sim_bank(const XcDpuSim *sim, uint32_t bank) {
  return sim->banks + sim->layout.first[bank] * sim->word_bytes;
}

static inline size_t xc_sim_bank_bytes(const XcDpuSim *sim, uint32_t bank) {
  return sim->layout.depth[bank] * sim->word_bytes;
}

/// Byte offset of a word in its bank; addresses wrap.
static inline size_t xc_sim_offset(const XcDpuSim *sim, uint32_t bank,
                                   uint64_t address) {
  return (size_t)(address % sim->layout.depth[bank]) * sim->word_bytes;
}

/// Copies bytes out of a bank, going on at its start after its end.
void xc_sim_read(const XcDpuSim *sim, uint32_t bank, uint64_t address,
                 int8_t *bytes, size_t count);
/// Writes bytes and fills the last word with zeros.
void xc_sim_write(XcDpuSim *sim, uint32_t bank, uint64_t address,
                  const int8_t *bytes, size_t count);
/// The same bytes without a copy where they do not wrap; otherwise they are
/// put into `buffer`.
const int8_t *xc_sim_view(const XcDpuSim *sim, uint32_t bank, uint64_t address,
                          int8_t *buffer, size_t count);

/// Writes the rows of an output block, one after the other, pixel by pixel.
void xc_sim_write_block(XcDpuSim *sim, const xc_output_block *block,
                        const int8_t *bytes);

/// Returns the summand of a bias in a sum that is doubled: twice the bias,
/// shifted left, or right by less than 32 where `shift` is negative.
static inline int32_t xc_sim_bias(int8_t bias, int32_t shift) {
  return shift >= -1 ? bias * (INT32_C(1) << (shift + 1))
                     : bias >> (-1 - shift);
}

/// The engines. The op has passed xc_op_check.
void xc_sim_conv(XcDpuSim *sim, const xc_op *op);
void xc_sim_alu(XcDpuSim *sim, const xc_op *op);
void xc_sim_pool(XcDpuSim *sim, const xc_op *op);
void xc_sim_dptwise(XcDpuSim *sim, const xc_op *op);
void xc_sim_elew(XcDpuSim *sim, const xc_op *op);
/// LOAD and SAVE; the DDR range has been checked.
void xc_sim_load(XcDpuSim *sim, const xc_op *op);
void xc_sim_save(XcDpuSim *sim, const xc_op *op);

#endif // XC_TARGET_DPU_SIMULATOR_RUN_SIM_H
