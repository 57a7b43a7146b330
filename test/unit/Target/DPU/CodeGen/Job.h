//===- Job.h - random layers, run and compared --------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TEST_UNIT_TARGET_DPU_CODEGEN_JOB_H
#define XC_TEST_UNIT_TARGET_DPU_CODEGEN_JOB_H

#include "Reference.h"
#include "Target/DPU/CodeGen/CodeGen.h"

enum { PARAMETERS = 0, WORKSPACE = 1 }; // registers, of all targets
enum { MARGIN = 48 };                   // around every image
enum { MAX_LAYERS = 16, MAX_BLOCKS = 1024 };

/// A program, and the memory that it runs on.
typedef struct test_job {
  const XcDpuTarget *target;
  XcDpuLayer layers[MAX_LAYERS];
  int8_t *ohwi[MAX_LAYERS];
  size_t num_layers;
  bool has_buffers;     // the workspace has no defined contents at the end
  xc_strategy strategy; // null: the default
  memory memory;
  uint32_t blocks[MAX_BLOCKS]; // of parameters: address + 1, or 0
} test_job;

/// Random numbers, from a seed that tests set.
extern uint64_t random_seed;
uint32_t random_next(void);
/// From low to high, both included.
int32_t random_pick(int32_t low, int32_t high);

unsigned job_input(const test_job *job);
unsigned job_output(const test_job *job);

/// Appends `size` bytes to a register and returns their address.
uint32_t job_extend(test_job *job, unsigned reg, size_t size);

/// Appends an image, with gaps between pixels and rows now and then.
XcDpuImage job_image(test_job *job, unsigned reg, int32_t height, int32_t width,
                     int32_t channels);

/// Appends a layer, with random parameters.
void job_add_layer(test_job *job, XcDpuLayer layer);

/// Compiles, verifies, simulates, compares and frees. Returns whether all
/// layers were accepted.
bool job_run(test_job *job);

#endif // XC_TEST_UNIT_TARGET_DPU_CODEGEN_JOB_H
