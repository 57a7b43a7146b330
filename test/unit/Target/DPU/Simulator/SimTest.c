//===- SimTest.c - tests of the simulator's parts -------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/Diag.h"
#include "Support/Memory.h"
#include "Target/DPU/Simulator/Run/Kernel.h"
#include "xc-c/DPUSim.h"
#include "xc-c/FixedPoint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint32_t random_state = 1;

static uint32_t random_below(uint32_t bound) {
  random_state = random_state * 1664525u + 1013904223u;
  return (random_state >> 8) % bound;
}

static int8_t random_byte(void) { return (int8_t)(random_below(256) - 128); }

//===----------------------------------------------------------------------===//
// Inner loops
//===----------------------------------------------------------------------===//

typedef struct window_case {
  size_t kernel_h, run, pixels, pixel_pitch, row_pitch, count;
  int8_t *input;
  int8_t *weights[XC_KERNEL_LANES]; // null: a lane that the target lacks
} window_case;

static window_case make_case(void) {
  window_case c = {.kernel_h = 1 + random_below(4),
                   .run = 1 + random_below(70),
                   .pixels = 1 + random_below(21),
                   .pixel_pitch = 1 + random_below(40)};
  c.row_pitch = c.pixels * c.pixel_pitch + c.run;
  c.count = c.kernel_h * c.row_pitch + XC_KERNEL_SLACK;
  c.input = xc_alloc(c.count);
  for (size_t i = 0; i < c.count; ++i)
    c.input[i] = random_byte();
  size_t lanes = 8 + random_below(9);
  for (size_t lane = 0; lane < lanes; ++lane) {
    c.weights[lane] = xc_alloc(c.kernel_h * c.run);
    for (size_t i = 0; i < c.kernel_h * c.run; ++i)
      c.weights[lane][i] = random_byte();
  }
  return c;
}

static void free_case(window_case *c) {
  free(c->input);
  for (size_t lane = 0; lane < XC_KERNEL_LANES; ++lane)
    free(c->weights[lane]);
}

static int32_t expected_sum(const window_case *c, size_t pixel, size_t lane) {
  int32_t sum = 0;
  for (size_t i = 0; c->weights[lane] && i < c->kernel_h; ++i)
    for (size_t k = 0; k < c->run; ++k)
      sum += c->input[i * c->row_pitch + pixel * c->pixel_pitch + k] *
             c->weights[lane][i * c->run + k];
  return sum;
}

static void check_convolve(const xc_kernel *kernel, const window_case *c) {
  void *packed = xc_alloc(kernel->packed_size(c->kernel_h, c->run));
  void *elements = xc_alloc(c->count * kernel->input_size);
  int32_t *sums = xc_alloc_array(c->pixels * XC_KERNEL_LANES, sizeof(int32_t));
  kernel->pack(packed, (const int8_t *const *)c->weights, c->kernel_h, c->run);
  kernel->prepare(elements, c->input, c->count);
  xc_conv_window window = {.input = elements,
                           .row_pitch = c->row_pitch,
                           .pixel_pitch = c->pixel_pitch,
                           .kernel_h = c->kernel_h,
                           .run = c->run,
                           .num_pixels = c->pixels};
  kernel->convolve(&window, packed, sums);
  for (size_t pixel = 0; pixel < c->pixels; ++pixel)
    for (size_t lane = 0; lane < XC_KERNEL_LANES; ++lane)
      assert_int_equal(sums[pixel * XC_KERNEL_LANES + lane],
                       expected_sum(c, pixel, lane));
  free(sums);
  free(elements);
  free(packed);
}

static void test_convolve(void **state) {
  (void)state;
  const xc_kernel *kernel;
  for (int i = 0; i < 300; ++i) {
    window_case c = make_case();
    for (size_t k = 0; (kernel = xc_kernel_get(k)); ++k)
      if (kernel->is_supported())
        check_convolve(kernel, &c);
    free_case(&c);
  }
}

/// The longest sums: 2048 words of 16 channels, all -128.
static void test_extreme_sums(void **state) {
  (void)state;
  window_case c = {.kernel_h = 1,
                   .run = 32768,
                   .pixels = 1,
                   .pixel_pitch = 1,
                   .row_pitch = 32768,
                   .count = 32768 + XC_KERNEL_SLACK};
  c.input = xc_alloc(c.count);
  memset(c.input, -128, c.count);
  for (size_t lane = 0; lane < XC_KERNEL_LANES; ++lane) {
    c.weights[lane] = xc_alloc(c.run);
    memset(c.weights[lane], lane % 2 ? 127 : -128, c.run);
  }
  const xc_kernel *kernel;
  for (size_t k = 0; (kernel = xc_kernel_get(k)); ++k)
    if (kernel->is_supported())
      check_convolve(kernel, &c);
  free_case(&c);
}

static void check_finish(const xc_kernel *kernel, int shift, bool relu) {
  enum { PIXELS = 5 };
  int32_t sums[PIXELS * XC_KERNEL_LANES];
  int8_t bytes[PIXELS * XC_KERNEL_LANES];
  xc_conv_finish finish = {.shift = shift,
                           .lowest = relu ? 0 : INT32_MIN,
                           .channels = 8 + 2 * random_below(5)};
  for (size_t lane = 0; lane < XC_KERNEL_LANES; ++lane)
    finish.bias[lane] = random_byte() * (1 << random_below(21));
  for (size_t i = 0; i < PIXELS * XC_KERNEL_LANES; ++i)
    sums[i] = (int32_t)((random_below(1u << 24) << 6) - (1u << 29)) >>
              random_below(30);
  kernel->finish(bytes, sums, &finish, PIXELS);
  for (size_t p = 0; p < PIXELS; ++p)
    for (size_t lane = 0; lane < finish.channels; ++lane)
      assert_int_equal(bytes[p * finish.channels + lane],
                       xcActRnd8(2 * (int64_t)sums[p * XC_KERNEL_LANES + lane] +
                                     finish.bias[lane],
                                 shift,
                                 relu ? XcActivationRelu : XcActivationNone));
}

static void test_finish(void **state) {
  (void)state;
  const xc_kernel *kernel;
  for (size_t k = 0; (kernel = xc_kernel_get(k)); ++k)
    for (int shift = 1; shift <= XC_KERNEL_MAX_SHIFT; ++shift)
      for (int i = 0; kernel->is_supported() && i < 20; ++i)
        check_finish(kernel, shift, i % 2);
}

static void test_lanewise(void **state) {
  (void)state;
  enum { COUNT = 77 };
  int8_t a[COUNT], b[COUNT], maxima[COUNT];
  int32_t products[COUNT], sums[COUNT];
  const xc_kernel *kernel;
  for (size_t k = 0; (kernel = xc_kernel_get(k)); ++k) {
    if (!kernel->is_supported())
      continue;
    for (int i = 0; i < COUNT; ++i) {
      a[i] = random_byte();
      b[i] = random_byte();
      products[i] = sums[i] = i;
      maxima[i] = (int8_t)(i - 40);
    }
    kernel->multiply_add(products, a, b, COUNT);
    kernel->add(sums, a, COUNT);
    kernel->maximum(maxima, a, COUNT);
    for (int i = 0; i < COUNT; ++i) {
      assert_int_equal(products[i], i + a[i] * b[i]);
      assert_int_equal(sums[i], i + a[i]);
      assert_int_equal(maxima[i], a[i] > i - 40 ? a[i] : i - 40);
    }
  }
}

static void test_select(void **state) {
  (void)state;
  assert_string_equal(xc_dpu_kernel_select("plain")->name, "plain");
  assert_non_null(xc_dpu_kernel_select(NULL));
  assert_null(xc_dpu_kernel_select("quick"));
  assert_string_equal(xcDpuSimGetAvailableKernel(0),
                      xc_dpu_kernel_select(NULL)->name);
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

static void emit(unsigned char *code, size_t *size,
                 const XcDpuInstruction *insn) {
  uint32_t words[XC_DPU_MAX_WORDS];
  XcDpuResult result = xcDpuEncode(xcDpuIsaDPUCZDX8G(), insn, words);
  assert_int_equal(result.status, XcDpuStatusOk);
  for (unsigned i = 0; i < result.numWords; ++i, *size += 4)
    xcDpuWriteWord(code + *size, words[i]);
}

/// A LOAD of a constant, a SAVE of it, END.
static size_t make_code(unsigned char *code) {
  size_t size = 0;
  XcDpuInstruction load = {.opcode = XcDpuOpcodeLoad,
                           .dpdon = 1 << XcDpuQueueLoad,
                           .dpdby = 1 << XcDpuQueueLoad | 1 << XcDpuQueueSave,
                           .load = {.bank_id = 3,
                                    .bank_addr = 2047,
                                    .jump_read = 20,
                                    .jump_write = 2,
                                    .pad_idx = 1,
                                    .channel = 100,
                                    .length = 2,
                                    .broadcast = 7,
                                    .const_value = -2}};
  XcDpuInstruction save = {.opcode = XcDpuOpcodeSave,
                           .dpdon = 1 << XcDpuQueueLoad | 1 << XcDpuQueueSave,
                           .dpdby = 1 << XcDpuQueueSave,
                           .save = {.bank_id = 3,
                                    .bank_addr = 2047,
                                    .jump_write = 7,
                                    .jump_read = 1,
                                    .channel = 7,
                                    .length = 1,
                                    .reg_id = 3,
                                    .ddr_addr = 1}};
  XcDpuInstruction end = {.opcode = XcDpuOpcodeEnd,
                          .dpdon = 1 << XcDpuQueueSave,
                          .dpdby = 1 << XcDpuQueueSave};
  emit(code, &size, &load);
  emit(code, &size, &save);
  emit(code, &size, &end);
  return size;
}

/// Layers "a" (LOAD and SAVE) and "b" (the same, of another bank); the SAVEs
/// run side by side or one after the other.
static size_t make_layers(unsigned char *code, bool overlap) {
  size_t size = 0;
  XcDpuInstruction load = {.opcode = XcDpuOpcodeLoad,
                           .dpdon = 1 << XcDpuQueueLoad,
                           .dpdby = 1 << XcDpuQueueLoad | 1 << XcDpuQueueSave,
                           .load = {.bank_id = 3,
                                    .jump_read = 8,
                                    .jump_write = 1,
                                    .pad_idx = 1,
                                    .channel = 8,
                                    .length = 1,
                                    .broadcast = 7}};
  XcDpuInstruction save = {.opcode = XcDpuOpcodeSave,
                           .dpdon = 1 << XcDpuQueueLoad | 1 << XcDpuQueueSave,
                           .dpdby = overlap ? 0 : 1 << XcDpuQueueSave,
                           .save = {.bank_id = 3,
                                    .jump_write = 8,
                                    .jump_read = 1,
                                    .channel = 8,
                                    .length = 512,
                                    .reg_id = 3}};
  XcDpuInstruction end = {.opcode = XcDpuOpcodeEnd,
                          .dpdon = 1 << XcDpuQueueSave,
                          .dpdby = 1 << XcDpuQueueSave};
  emit(code, &size, &load);
  emit(code, &size, &save);
  load.load.bank_id = 4;
  emit(code, &size, &load);
  save.save.bank_id = 4;
  save.save.hp_id = 1;
  save.save.ddr_addr = 4096;
  save.dpdon = 1 << XcDpuQueueLoad | (overlap ? 0 : 1 << XcDpuQueueSave);
  save.dpdby = 1 << XcDpuQueueSave;
  emit(code, &size, &save);
  emit(code, &size, &end);
  return size;
}

/// The second LOAD runs beside the first SAVE in any case.
static void test_groups(void **state) {
  (void)state;
  for (int overlap = 0; overlap < 2; ++overlap) {
    unsigned char code[128] = {0};
    XcDiag diag = {.handler = xc_ignore_error};
    const XcDpuTarget *target = xcDpuTargetCreate(&diag, "DPUCZDX8G_ISA1_B512");
    size_t size = make_layers(code, overlap);
    XcDpuProgram *program = xcDpuProgramCreate(&diag, target, NULL, code, size);
    assert_true(xcDpuProgramAddLayer(program, 0, "a", 0));
    assert_true(xcDpuProgramAddLayer(program, 2, "b", 0));
    XcDpuTimeline *timeline = xcDpuTimelineCreate(&diag, program);
    double start, end;
    xcDpuTimelineGetInstruction(timeline, 1, &start, &end);
    double load_start, load_end;
    xcDpuTimelineGetInstruction(timeline, 2, &load_start, &load_end);
    assert_true(load_start < end);
    assert_int_equal(xcDpuTimelineGetGroup(timeline, 0), 0);
    assert_int_equal(xcDpuTimelineGetGroup(timeline, 1), overlap ? 0 : 1);
    xcDpuTimelineDestroy(timeline);
    xcDpuProgramDestroy(program);
    xcDpuTargetDestroy(target);
  }
}

static void test_program(void **state) {
  (void)state;
  unsigned char code[128] = {0};
  XcDiag diag = {.handler = xc_ignore_error};
  const XcDpuTarget *target = xcDpuTargetCreate(&diag, "DPUCZDX8G_ISA1_B512");
  // Zeros after END are padding of the code buffer, not instructions.
  assert_true(make_code(code) < sizeof code);
  XcDpuProgram *program =
      xcDpuProgramCreate(&diag, target, NULL, code, sizeof code);
  assert_non_null(program);
  assert_int_equal(xcDpuProgramGetNumInstructions(program), 3);

  assert_true(xcDpuProgramAddLayer(program, 1, "save", 0));
  assert_false(xcDpuProgramAddLayer(program, 1, "again", 0));
  assert_false(xcDpuProgramAddLayer(program, 3, "behind", 0));
  assert_true(xcDpuProgramGetLayerOf(program, 0) == SIZE_MAX);
  assert_int_equal(xcDpuProgramGetLayerOf(program, 2), 0);
  assert_string_equal(xcDpuProgramGetLayerName(program, 0), "save");

  XcDpuSim *sim = xcDpuSimCreate(&diag, target, "plain");
  assert_string_equal(xcDpuSimGetKernelName(sim), "plain");
  xcDpuSimDestroy(sim);
  sim = xcDpuSimCreate(&diag, target, NULL);
  assert_string_equal(xcDpuSimGetKernelName(sim),
                      xcDpuSimGetAvailableKernel(0));
  int8_t output[8] = {0};
  assert_true(xcDpuSimSetRegister(sim, 3, output, sizeof output));
  assert_false(xcDpuSimSetRegister(sim, 8, output, sizeof output));
  assert_true(xcDpuSimRun(sim, program, &diag));
  static const int8_t expected[8] = {0, -2, -2, -2, -2, -2, -2, -2};
  assert_memory_equal(output, expected, sizeof output);
  // The second pixel begins at word 2049 mod 2048 and covers 13 words; 100 is
  // no multiple of 8, so that its last word ends in zeros.
  size_t size;
  const int8_t *bank = xcDpuSimGetBank(sim, 3, &size);
  assert_int_equal(size, 2048 * 8);
  assert_int_equal(bank[(1 + 12) * 8 + 3], -2);
  assert_int_equal(bank[(1 + 12) * 8 + 4], 0);
  assert_int_equal(bank[(1 + 13) * 8], 0);
  assert_null(xcDpuSimGetBank(sim, 18, &size));
  // In lockstep: when the first engine has nowhere to save, the second one has
  // loaded, but not saved.
  XcDpuSim *engines[2] = {xcDpuSimCreate(&diag, target, NULL), sim};
  memset(output, 0, sizeof output);
  memset(xcDpuSimGetBank(sim, 3, &size), 0, size);
  assert_false(xcDpuSimRunLockstep(engines, 2, program, &diag));
  assert_int_equal(diag.numErrors, 1);
  assert_int_equal(bank[(1 + 12) * 8 + 3], -2);
  assert_int_equal(output[1], 0);
  int8_t other[8] = {0};
  assert_true(xcDpuSimSetRegister(engines[0], 3, other, sizeof other));
  assert_true(xcDpuSimRunLockstep(engines, 2, program, &diag));
  assert_memory_equal(output, expected, sizeof output);
  assert_memory_equal(other, expected, sizeof other);
  xcDpuSimDestroy(engines[0]);

  xcDpuSimSetWorkLimit(sim, 1);
  assert_false(xcDpuSimRun(sim, program, &diag));
  assert_int_equal(diag.numErrors, 2);
  xcDpuSimDestroy(sim);
  xcDpuProgramDestroy(program);
  xcDpuTargetDestroy(target);
}

static void test_time_of_constants(void **state) {
  (void)state;
  unsigned char code[128] = {0};
  XcDiag diag = {.handler = xc_ignore_error};
  const XcDpuTarget *target = xcDpuTargetCreate(&diag, "DPUCZDX8G_ISA1_B512");
  size_t size = make_code(code);
  XcDpuProgram *program = xcDpuProgramCreate(&diag, target, NULL, code, size);
  XcDpuTimeline *timeline = xcDpuTimelineCreate(&diag, program);
  double start, end;
  // 40 cycles and 2 pixels of 13 words; no byte moves.
  xcDpuTimelineGetInstruction(timeline, 0, &start, &end);
  assert_true(start == 0 && end == 40 + 26);
  // 8 cycles and 16 bytes.
  xcDpuTimelineGetInstruction(timeline, 1, &start, &end);
  assert_true(start == 66 && end == 66 + 8 + 1);
  const XcDpuTime *total = xcDpuTimelineGetTotal(timeline);
  assert_int_equal(total->loadBytes, 0);
  assert_int_equal(total->saveBytes, 16);
  assert_true(total->queues[XcDpuQueueSave].stall[XcDpuQueueLoad] == 66);
  // No byte of the LOAD moves; END takes 4 cycles.
  assert_true(total->cycles == 79);
  assert_true(total->causes[XcDpuCauseLatency] == 66 + 8 + 4);
  assert_true(total->causes[XcDpuCauseSave] == 1);
  assert_int_equal(xcDpuTimeGetBound(total), XcDpuCauseLatency);
  assert_string_equal(xcDpuCauseGetName(XcDpuCauseLatency), "latency");
  xcDpuTimelineDestroy(timeline);
  XcDpuVerifyOptions options;
  xcDpuVerifyOptionsInit(&options, target);
  assert_true(xcDpuVerify(&diag, program, &options, NULL));
  xcDpuProgramDestroy(program);
  xcDpuTargetDestroy(target);
}

typedef struct residents {
  size_t count, read;
  uint32_t first, last; // addresses of those that are read
} residents;

static void count_resident(void *user_data, const XcDpuResident *resident) {
  residents *r = user_data;
  assert_int_equal(resident->bank, 3);
  assert_int_equal(resident->writer, 0);
  ++r->count;
  if (resident->last == 0)
    return;
  assert_int_equal(resident->last, 1);
  if (r->read++ == 0)
    r->first = resident->address;
  r->last = resident->address;
}

static void test_residents(void **state) {
  (void)state;
  unsigned char code[128] = {0};
  XcDiag diag = {.handler = xc_ignore_error};
  const XcDpuTarget *target = xcDpuTargetCreate(&diag, "DPUCZDX8G_ISA1_B512");
  size_t size = make_code(code);
  XcDpuProgram *program = xcDpuProgramCreate(&diag, target, NULL, code, size);
  residents r = {0};
  xcDpuProgramForEachResident(program, count_resident, &r);
  // Pixels of 13 words at 2047 and, 2 words further, at 1; the SAVE reads the
  // first word. Words 1 to 11 are written by the first pixel as well.
  assert_int_equal(r.count, 15);
  assert_int_equal(r.read, 1);
  assert_int_equal(r.first, 2047);
  xcDpuProgramDestroy(program);
  xcDpuTargetDestroy(target);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_convolve),
      cmocka_unit_test(test_extreme_sums),
      cmocka_unit_test(test_finish),
      cmocka_unit_test(test_lanewise),
      cmocka_unit_test(test_select),
      cmocka_unit_test(test_program),
      cmocka_unit_test(test_groups),
      cmocka_unit_test(test_time_of_constants),
      cmocka_unit_test(test_residents),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
