//===- SimBench.c - how fast the simulator computes -----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: SimBench [RUNS]
//
// Simulates the convolutions of a ResNet-50 frame on a DPUCZDX8G B4096, with
// the LOADs and SAVEs that they need, and prints multiply-accumulates per
// second for every variant of the inner loops beside a plain scalar loop and,
// where xc is built with MLIR, the same convolutions compiled for this machine,
// in the same process; then the speed of the timing model and of the verifier
// on the same code. Data is pseudo-random; best of RUNS (3).
//
//===----------------------------------------------------------------------===//

#ifdef XC_BENCH_COMPILED
#include "CompiledConv.h"
#endif
#include "ScalarConv.h"

#include "Support/Memory.h"
#include "Support/Time.h"
#include "xc-c/DPUSim.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { PP = 8, CP = 16, MEMORY = 1 << 26 };

//===----------------------------------------------------------------------===//
// The frame
//===----------------------------------------------------------------------===//

typedef struct layer {
  uint32_t size; // of the output, height and width
  uint32_t in, out, kernel, stride, times;
} layer;

// clang-format off
static const layer layers[] = {
    // The first layer's kernel columns have become channels: 7 x 3 = 21.
    {112,   21,   64, 7, 2, 1},
    { 56,   64,   64, 1, 1, 1}, { 56,   64,   64, 3, 1, 3},
    { 56,   64,  256, 1, 1, 4}, { 56,  256,   64, 1, 1, 2},
    { 56,  256,  128, 1, 1, 1}, { 28,  128,  128, 3, 2, 1},
    { 28,  128,  512, 1, 1, 4}, { 28,  256,  512, 1, 2, 1},
    { 28,  512,  128, 1, 1, 3}, { 28,  128,  128, 3, 1, 3},
    { 28,  512,  256, 1, 1, 1}, { 14,  256,  256, 3, 2, 1},
    { 14,  256, 1024, 1, 1, 6}, { 14,  512, 1024, 1, 2, 1},
    { 14, 1024,  256, 1, 1, 5}, { 14,  256,  256, 3, 1, 5},
    { 14, 1024,  512, 1, 1, 1}, {  7,  512,  512, 3, 2, 1},
    {  7,  512, 2048, 1, 1, 3}, {  7, 1024, 2048, 1, 2, 1},
    {  7, 2048,  512, 1, 1, 2}, {  7,  512,  512, 3, 1, 2},
};
// clang-format on

typedef struct code {
  unsigned char *bytes;
  size_t size, capacity;
  uint64_t macs;
} code;

static void emit(code *c, const XcDpuInstruction *insn) {
  uint32_t words[XC_DPU_MAX_WORDS];
  XcDpuResult result = xcDpuEncode(xcDpuIsaDPUCZDX8G(), insn, words);
  if (result.status != XcDpuStatusOk) {
    fprintf(stderr, "SimBench: an instruction does not encode\n");
    exit(EXIT_FAILURE);
  }
  void *bytes = c->bytes;
  xc_grow(&bytes, &c->capacity, c->size + 4u * result.numWords, 1);
  c->bytes = bytes;
  for (unsigned i = 0; i < result.numWords; ++i, c->size += 4)
    xcDpuWriteWord(c->bytes + c->size, words[i]);
}

static void emit_load(code *c, uint32_t bank, uint32_t address, uint32_t reg,
                      uint32_t channel, uint32_t length) {
  XcDpuInstruction insn = {.opcode = XcDpuOpcodeLoad, .dpdon = 1, .dpdby = 1};
  insn.load = (XcDpuLoad){.bank_id = bank,
                          .bank_addr = address % 2048,
                          .jump_read = channel,
                          .jump_write = (channel + CP - 1) / CP,
                          .pad_idx = 1,
                          .channel = channel,
                          .length = length,
                          .reg_id = reg,
                          .ddr_addr = (uint32_t)(c->size * 64 % (MEMORY / 2))};
  emit(c, &insn);
}

static void emit_save(code *c, uint32_t bank, uint32_t channel,
                      uint32_t length) {
  XcDpuInstruction insn = {.opcode = XcDpuOpcodeSave, .dpdon = 2, .dpdby = 2};
  insn.save = (XcDpuSave){.bank_id = bank,
                          .jump_write = channel,
                          .jump_read = (channel + CP - 1) / CP,
                          .channel = channel,
                          .length = length,
                          .reg_id = 1,
                          .ddr_addr = (uint32_t)(c->size * 64 % (MEMORY / 2))};
  emit(c, &insn);
}

static void emit_conv_init(code *c, const layer *l, uint32_t rows) {
  uint32_t groups = (l->in + CP - 1) / CP;
  XcDpuInstruction insn = {
      .opcode = XcDpuOpcodeConvInit, .dpdon = 4, .dpdby = 4};
  insn.conv_init =
      (XcDpuConvInit){.act_type = XcActivationRelu,
                      .shift_cut = 9,
                      .jump_read = groups,
                      .stride_out = 1,
                      .shift_bias = 4,
                      .jump_read_endl = l->size * groups % 1024 + 1,
                      .stride_h = l->stride,
                      .kernel_h = l->kernel,
                      .valid_pixel_parallel = rows,
                      .jump_write = (l->out + CP - 1) / CP,
                      .stride_w = l->in == 21 ? 1 : l->stride,
                      .kernel_w = l->in == 21 ? 1 : l->kernel,
                      .jump_write_endl = 1};
  emit(c, &insn);
}

static void emit_conv(code *c, const layer *l, uint32_t group) {
  uint32_t groups = (l->in + CP - 1) / CP;
  uint32_t pad = l->kernel / 2;
  XcDpuInstruction insn = {.opcode = XcDpuOpcodeConv, .dpdon = 4, .dpdby = 4};
  insn.conv = (XcDpuConv){.pad_left = l->in == 21 ? 0 : pad,
                          .bank_addr_in = 0,
                          .channel_group = groups,
                          .pad_right = 15,
                          .pad_bottom = 15,
                          .bank_addr_out = group,
                          .length = l->size,
                          .bank_id_in = 0,
                          .bank_id_out = PP,
                          .bank_addr_weights = group % 2 * 1024,
                          .bank_addr_in_1 = 500,
                          .bank_addr_bias = group,
                          .channel_offset = groups * CP - l->in,
                          .bank_addr_in_2 = 1000,
                          .bank_addr_in_3 = 1500};
  emit(c, &insn);
}

/// As compilers order it: weights of a group, then all blocks of rows.
static void emit_layer(code *c, const layer *l) {
  uint32_t kernel_w = l->in == 21 ? 1 : l->kernel;
  c->macs +=
      (uint64_t)l->size * l->size * l->in * l->out * l->kernel * kernel_w;
  for (uint32_t y = 0; y < l->size; y += PP) {
    uint32_t rows = l->size - y < PP ? l->size - y : PP;
    for (uint32_t r = 0; r < rows * l->stride; ++r)
      emit_load(c, r % PP, r / PP * 200, 2, l->in, l->size);
    emit_conv_init(c, l, rows);
    for (uint32_t group = 0; group * CP < l->out; ++group) {
      for (uint32_t o = 0; o < CP; ++o)
        emit_load(c, 2 * PP + o, group % 2 * 1024, 0, l->in,
                  l->kernel * kernel_w);
      emit_conv(c, l, group);
    }
    for (uint32_t r = 0; r < rows; ++r)
      emit_save(c, PP + r, l->out, l->size);
  }
}

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

static double run_scalar(void) {
  enum { SIZE = 56, CHANNELS = 64 };
  static int8_t input[(SIZE + 2) * (SIZE + 2) * CHANNELS];
  static int8_t weights[CHANNELS * 9 * CHANNELS];
  static int8_t output[SIZE * SIZE * CHANNELS];
  for (size_t i = 0; i < sizeof input; ++i)
    input[i] = (int8_t)(i * 37 % 255 - 127);
  for (size_t i = 0; i < sizeof weights; ++i)
    weights[i] = (int8_t)(i * 73 % 255 - 127);
  double start = xc_seconds();
  scalar_conv(output, input, weights, SIZE, CHANNELS);
  return (double)(sizeof output * 9 * CHANNELS) / (xc_seconds() - start);
}

static double run_frame(const XcDpuTarget *target, const XcDpuProgram *program,
                        const char *kernel, int8_t *memory, unsigned threads) {
  XcDiag diag = {0};
  XcDpuSim *sim = xcDpuSimCreate(&diag, target, kernel);
  xcDpuSimSetThreads(sim, threads);
  for (unsigned reg = 0; reg < 3; ++reg)
    xcDpuSimSetRegister(sim, reg, memory, MEMORY);
  double start = xc_seconds();
  if (!xcDpuSimRun(sim, program, &diag))
    exit(EXIT_FAILURE);
  double seconds = xc_seconds() - start;
  xcDpuSimDestroy(sim);
  return seconds;
}

static double best_frame(const XcDpuTarget *target, const XcDpuProgram *program,
                         const char *kernel, int8_t *memory, unsigned threads,
                         int runs) {
  double best = 1e9;
  for (int i = 0; i < runs; ++i) {
    double seconds = run_frame(target, program, kernel, memory, threads);
    best = seconds < best ? seconds : best;
  }
  return best;
}

// The same convolutions by the CPU path.
static void print_compiled(uint64_t macs, double scalar, int runs) {
#ifdef XC_BENCH_COMPILED
  for (unsigned threads = 1; threads <= 2; ++threads) {
    double seconds = 0;
    for (size_t i = 0; i < sizeof layers / sizeof *layers; ++i) {
      const layer *l = &layers[i];
      bool first = l->in == 21;
      compiled_conv_shape shape = {.size = (int)l->size,
                                   .in = (int)l->in,
                                   .out = (int)l->out,
                                   .kernel_h = (int)l->kernel,
                                   .kernel_w = first ? 1 : (int)l->kernel,
                                   .stride_h = (int)l->stride,
                                   .stride_w = first ? 1 : (int)l->stride};
      double once = compiled_conv_seconds(&shape, threads, runs);
      if (once < 0)
        return;
      seconds += once * l->times;
    }
    double rate = (double)macs / seconds;
    printf("compiled   %u thread%s  %8.3f %12.3g %8.1f\n", threads,
           threads == 1 ? " " : "s", seconds, rate, rate / scalar);
  }
#else
  (void)macs, (void)scalar, (void)runs;
#endif
}

static void print_kernels(const XcDpuTarget *target,
                          const XcDpuProgram *program, uint64_t macs,
                          int runs) {
  int8_t *memory = xc_alloc(MEMORY);
  for (size_t i = 0; i < MEMORY; ++i)
    memory[i] = (int8_t)(i * 2654435761u >> 24);
  double scalar = run_scalar();
  printf("%-22s %8s %12s %8s\n", "inner loops", "seconds", "MAC/s", "ratio");
  printf("%-22s %8s %12.3g %8.1f\n", "scalar loop", "", scalar, 1.0);
  const char *kernel;
  for (size_t i = 0; (kernel = xcDpuSimGetAvailableKernel(i)); ++i)
    for (unsigned threads = 1; threads <= 2; ++threads) {
      double seconds =
          best_frame(target, program, kernel, memory, threads, runs);
      double rate = (double)macs / seconds;
      printf("%-10s %u thread%s  %8.3f %12.3g %8.1f\n", kernel, threads,
             threads == 1 ? " " : "s", seconds, rate, rate / scalar);
    }
  free(memory);
  print_compiled(macs, scalar, runs);
}

static void print_models(const XcDpuTarget *target,
                         const XcDpuProgram *program) {
  XcDiag diag = {0};
  double start = xc_seconds();
  xcDpuTimelineDestroy(xcDpuTimelineCreate(&diag, program));
  double timed = xc_seconds();
  XcDpuVerifyOptions options;
  // The frame is work without meaning: it has findings, which do not matter.
  xcDpuVerifyOptionsInit(&options, target);
  options.maxReported = 0;
  xcDpuVerify(&diag, program, &options, NULL);
  printf("timing model %.3f s, verifier %.3f s\n", timed - start,
         xc_seconds() - timed);
}

int main(int argc, char **argv) {
  int runs = argc > 1 ? atoi(argv[1]) : 3;
  XcDiag diag = {0};
  const XcDpuTarget *target = xcDpuTargetCreate(&diag, "DPUCZDX8G_ISA1_B4096");
  code c = {0};
  for (size_t i = 0; i < sizeof layers / sizeof *layers; ++i)
    for (uint32_t n = 0; n < layers[i].times; ++n)
      emit_layer(&c, &layers[i]);
  XcDpuInstruction end = {.opcode = XcDpuOpcodeEnd, .dpdon = 2, .dpdby = 2};
  emit(&c, &end);
  XcDpuProgram *program =
      xcDpuProgramCreate(&diag, target, NULL, c.bytes, c.size);
  if (!program)
    return EXIT_FAILURE;
  printf("convolutions of a ResNet-50 frame on %s: %" PRIu64
         " MAC, %zu instructions\n",
         target->name, c.macs, xcDpuProgramGetNumInstructions(program));
  print_kernels(target, program, c.macs, runs > 0 ? runs : 1);
  print_models(target, program);
  xcDpuProgramDestroy(program);
  xcDpuTargetDestroy(target);
  free(c.bytes);
  return EXIT_SUCCESS;
}
