//===- ReadParametersTest.c - constants read back from the parameters -----===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xc-c/DPUCodeGen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { OUT = 20, HEIGHT = 3, WIDTH = 2, IN = 18, AT = 32 };
enum { SIZE = OUT * HEIGHT * WIDTH * IN };

static const XcDpuTarget *make_target(const char *name) {
  XcDiag diag = {0};
  const XcDpuTarget *target = xcDpuTargetCreate(&diag, name);
  assert_non_null(target);
  return target;
}

/// Memory whose weight registers have a convolution's kernel at AT.
static void lay_out(const XcDpuTarget *target, const int8_t *weights,
                    int32_t outputs, int32_t inputs, XcDpuContents *contents) {
  size_t bytes = xcDpuConvWeightBytes(target, outputs, HEIGHT, WIDTH, inputs);
  int8_t *to[XC_DPU_NUM_REGISTERS] = {0};
  for (int32_t w = 0; w < target->numWeightsRegisters; ++w) {
    char *memory = calloc(AT + bytes, 1);
    to[w] = (int8_t *)memory + AT;
    contents[target->weightsRegister[w]] = (XcDpuContents){memory, AT + bytes};
  }
  xcDpuLayoutConvWeights(target, weights, outputs, HEIGHT, WIDTH, inputs, to);
}

static void free_weights(const XcDpuTarget *target,
                         const XcDpuContents *contents) {
  for (int32_t w = 0; w < target->numWeightsRegisters; ++w)
    free((void *)(uintptr_t)contents[target->weightsRegister[w]].data);
}

/// What does not fit the memory or itself is refused: each number of the recipe
/// when it is a bad one, and a recipe that ends early.
static void refuses_bad_numbers(const XcDpuTarget *target,
                                const XcDpuContents *contents, int32_t *recipe,
                                size_t count, void *found, size_t size) {
  static const int32_t bad[] = {-1, 1 << 24, 0x7fffffff};
  for (size_t i = 0; i < count; ++i) {
    for (size_t b = 0; b < sizeof bad / sizeof *bad; ++b) {
      int32_t good = recipe[i];
      recipe[i] = bad[b];
      assert_false(
          xcDpuReadParameters(target, contents, recipe, count, 1, found, size));
      recipe[i] = good;
    }
    assert_false(
        xcDpuReadParameters(target, contents, recipe, i, 1, found, size));
  }
}

/// A convolution's kernel, laid out for every target that has code.
static void kernels_come_back(const char *name) {
  const XcDpuTarget *target = make_target(name);
  int8_t weights[SIZE], found[SIZE];
  XcDpuContents contents[XC_DPU_NUM_REGISTERS] = {{0}};
  for (int i = 0; i < SIZE; ++i)
    weights[i] = (int8_t)(i * 7 % 251);
  lay_out(target, weights, OUT, IN, contents);
  int32_t recipe[] = {XcDpuRecipeKernel,
                      0,
                      OUT,
                      IN,
                      WIDTH,
                      HEIGHT,
                      1,
                      1,
                      AT,
                      0,
                      0,
                      1,
                      1,
                      WIDTH,
                      HEIGHT};
  size_t count = sizeof(recipe) / sizeof(*recipe);
  assert_true(
      xcDpuReadParameters(target, contents, recipe, count, 1, found, SIZE));
  assert_memory_equal(found, weights, SIZE);
  refuses_bad_numbers(target, contents, recipe, count, found, SIZE);
  assert_false(
      xcDpuReadParameters(target, contents, recipe, count, 1, found, SIZE - 1));
  free_weights(target, contents);
  xcDpuTargetDestroy(target);
}

static void all_kernels_come_back(void **state) {
  (void)state;
  kernels_come_back("DPUCZDX8G_ISA1_B4096");
  kernels_come_back("DPUCZDX8G_ISA1_B1152");
  kernels_come_back("DPUCAHX8H_ISA2");
}

/// A kernel of four groups, of which there are the words that each word of the
/// output reads.
static void groups_come_back(const char *name) {
  enum { GROUPS = 4, INPUTS = 12, OUTPUTS = 8, WORDS = 2 };
  enum { ALL_IN = GROUPS * INPUTS, ALL_OUT = GROUPS * OUTPUTS };
  enum { PIXELS = HEIGHT * WIDTH, DENSE = ALL_OUT * PIXELS * ALL_IN };
  const XcDpuTarget *target = make_target(name);
  int32_t width = target->channelParallel, kept = WORDS * width;
  const XcDpuChannelGroups groups = {INPUTS, OUTPUTS, WORDS};
  int8_t *weights = calloc(DENSE, 1), *found = calloc(DENSE, 1);
  int8_t *part = calloc((size_t)(ALL_OUT * PIXELS * kept), 1);
  for (int32_t o = 0; o < ALL_OUT; ++o)
    for (int32_t i = 0; i < PIXELS; ++i) {
      int8_t *row = weights + (o * PIXELS + i) * ALL_IN;
      for (int32_t c = 0; c < INPUTS; ++c)
        row[o / OUTPUTS * INPUTS + c] = (int8_t)(1 + (o + i * 5 + c * 3) % 100);
      int32_t first = width * xcDpuGroupFirstWord(target, &groups, ALL_IN,
                                                  o / width * width);
      int32_t count = kept < ALL_IN - first ? kept : ALL_IN - first;
      memcpy(part + (o * PIXELS + i) * kept, row + first, (size_t)count);
    }
  XcDpuContents contents[XC_DPU_NUM_REGISTERS] = {{0}};
  lay_out(target, part, ALL_OUT, kept, contents);
  int32_t recipe[] = {XcDpuRecipeGroups,
                      INPUTS,
                      OUTPUTS,
                      WORDS,
                      XcDpuRecipeKernel,
                      XcDpuKernelLayoutConv,
                      ALL_OUT,
                      kept,
                      WIDTH,
                      HEIGHT,
                      1,
                      1,
                      AT,
                      0,
                      0,
                      1,
                      1,
                      WIDTH,
                      HEIGHT};
  size_t count = sizeof(recipe) / sizeof(*recipe);
  assert_true(
      xcDpuReadParameters(target, contents, recipe, count, 1, found, DENSE));
  assert_memory_equal(found, weights, DENSE);
  refuses_bad_numbers(target, contents, recipe, count, found, DENSE);
  free_weights(target, contents);
  free(weights);
  free(found);
  free(part);
  xcDpuTargetDestroy(target);
}

static void all_groups_come_back(void **state) {
  (void)state;
  groups_come_back("DPUCZDX8G_ISA1_B4096");
  groups_come_back("DPUCZDX8G_ISA1_B1152");
  groups_come_back("DPUCAHX8H_ISA2");
}

/// Of a layer that computes three columns from one pixel, in two parts.
static void columns_come_back(const char *name) {
  const XcDpuTarget *target = make_target(name);
  enum { PART = OUT / 2, STRIDE = 2, COLUMNS = 3, MOST = 1 << 16 };
  const XcDpuColumnWeights part = {PART,    HEIGHT, WIDTH, IN,
                                   COLUMNS, STRIDE, {0}};
  size_t bytes = xcDpuColumnWeightBytes(target, &part);
  int8_t weights[SIZE], found[SIZE];
  XcDpuContents contents[XC_DPU_NUM_REGISTERS] = {{0}};
  int8_t *memory[XC_DPU_NUM_REGISTERS], *to[XC_DPU_NUM_REGISTERS];
  for (int i = 0; i < SIZE; ++i)
    weights[i] = (int8_t)(i * 7 % 251);
  assert_true(2 * bytes <= MOST);
  for (int32_t w = 0; w < target->numWeightsRegisters; ++w) {
    memory[w] = calloc(MOST, 1);
    contents[target->weightsRegister[w]] =
        (XcDpuContents){memory[w], 2 * bytes};
  }
  for (size_t half = 0; half < 2; ++half) {
    for (int32_t w = 0; w < target->numWeightsRegisters; ++w)
      to[w] = memory[w] + half * bytes;
    xcDpuLayoutColumnWeights(target, weights + half * SIZE / 2, &part, to);
  }
  const int32_t second = (int32_t)bytes;
  int32_t recipe[] = {XcDpuRecipeChannels,
                      2 * PART,
                      IN,
                      WIDTH,
                      HEIGHT,
                      1,
                      1, // the kernel
                      XcDpuKernelLayoutConv,
                      0,
                      PART,
                      COLUMNS,
                      STRIDE,
                      0, // lies together
                      0,
                      0,
                      0,
                      0,
                      0,
                      0,
                      0,
                      0,
                      1,
                      1,
                      WIDTH,
                      HEIGHT, // at 0, all elements
                      XcDpuKernelLayoutConv,
                      PART,
                      PART,
                      COLUMNS,
                      STRIDE,
                      0, // lies together
                      0,
                      0,
                      0,
                      0,
                      0,
                      second,
                      0,
                      0,
                      1,
                      1,
                      WIDTH,
                      HEIGHT};
  enum { COUNT = sizeof(recipe) / sizeof(*recipe), AT_COLUMNS = 10 };
  assert_true(
      xcDpuReadParameters(target, contents, recipe, COUNT, 1, found, SIZE));
  assert_memory_equal(found, weights, SIZE);
  recipe[AT_COLUMNS] = 0;
  assert_false(
      xcDpuReadParameters(target, contents, recipe, COUNT, 1, found, SIZE));
  for (int32_t w = 0; w < target->numWeightsRegisters; ++w)
    free(memory[w]);
  xcDpuTargetDestroy(target);
}

static void all_columns_come_back(void **state) {
  (void)state;
  columns_come_back("DPUCZDX8G_ISA1_B4096");
  columns_come_back("DPUCZDX8G_ISA1_B1152");
  columns_come_back("DPUCAHX8H_ISA2");
}

/// Among the weights of other layers, of which six banks have more than others,
/// and the last four channels apart.
static void joint_kernels_come_back(void **state) {
  (void)state;
  const XcDpuTarget *target = make_target("DPUCZDX8G_ISA1_B4096");
  enum { STEP = 32, PITCH = 512, WIDE = 6, NARROW = 224, TAIL = 256 };
  enum { LANES = 16, CHANNEL = HEIGHT * WIDTH * IN, MOST = 1 << 14 };
  const XcDpuColumnWeights part = {
      OUT, HEIGHT, WIDTH, IN, 1, 0, {IN, STEP, PITCH, WIDE, NARROW, TAIL}};
  size_t bytes = xcDpuColumnWeightBytes(target, &part);
  int8_t weights[SIZE], found[SIZE], memory[MOST] = {0}, *to[] = {memory};
  XcDpuContents contents[XC_DPU_NUM_REGISTERS] = {{0}};
  contents[target->weightsRegister[0]] = (XcDpuContents){memory, bytes};
  for (int i = 0; i < SIZE; ++i)
    weights[i] = (int8_t)(i * 7 % 251);
  xcDpuLayoutColumnWeights(target, weights, &part, to);
  assert_int_equal(bytes, WIDE * PITCH + (LANES - 1 - WIDE) * NARROW +
                              HEIGHT * WIDTH * STEP);
  assert_memory_equal(memory + WIDE * PITCH + NARROW,
                      weights + (WIDE + 1) * CHANNEL, IN);
  assert_memory_equal(memory + PITCH + TAIL + STEP,
                      weights + (LANES + 1) * CHANNEL + IN, IN);
  const int32_t recipe[] = {XcDpuRecipeChannels,
                            OUT,
                            IN,
                            WIDTH,
                            HEIGHT,
                            1,
                            1, // the kernel
                            XcDpuKernelLayoutConv,
                            0,
                            OUT,
                            1,
                            0, // all channels, of one column
                            IN,
                            STEP,
                            PITCH,
                            WIDE,
                            NARROW,
                            TAIL,
                            0,
                            0,
                            0,
                            1,
                            1,
                            WIDTH,
                            HEIGHT}; // at 0, all elements
  enum { COUNT = sizeof(recipe) / sizeof(*recipe) };
  assert_true(
      xcDpuReadParameters(target, contents, recipe, COUNT, 1, found, SIZE));
  assert_memory_equal(found, weights, SIZE);
  contents[target->weightsRegister[0]].size = bytes - 1;
  assert_false(
      xcDpuReadParameters(target, contents, recipe, COUNT, 1, found, SIZE));
  xcDpuTargetDestroy(target);
}

/// The parts that a transposed convolution of stride 2 makes of 3 elements,
/// and zeros between those of a dilated one.
static void parts_are_put_together(void **state) {
  (void)state;
  const XcDpuTarget *target = make_target("DPUCZDX8G_ISA1_B4096");
  static const int8_t memory[] = {10, 11, 30, 31, 20, 21, 1, 2, 0, 0, 3, 4};
  XcDpuContents contents[XC_DPU_NUM_REGISTERS] = {{0}};
  contents[target->parametersRegister] =
      (XcDpuContents){memory, sizeof(memory)};
  static const int32_t parts[] = {
      XcDpuRecipeKernel,
      1,
      2,
      1,
      3,
      1,
      1,
      1,
      0,
      0,
      0,
      2,
      1,
      2,
      1, // elements 0 and 2
      4,
      1,
      0,
      2,
      1,
      1,
      1, // element 1
  };
  static const int8_t whole[] = {10, 11, 20, 21, 30, 31};
  int8_t found[6];
  assert_true(xcDpuReadParameters(target, contents, parts,
                                  sizeof(parts) / sizeof(*parts), 1, found, 6));
  assert_memory_equal(found, whole, 6);
  static const int32_t dilated[] = {
      XcDpuRecipeKernel, 1, 2, 1, 2, 1, 2, 1, 6, 0, 0, 1, 1, 3, 1};
  static const int8_t both[] = {1, 2, 3, 4};
  assert_true(xcDpuReadParameters(target, contents, dilated,
                                  sizeof(dilated) / sizeof(*dilated), 1, found,
                                  4));
  assert_memory_equal(found, both, 4);
  xcDpuTargetDestroy(target);
}

/// Channels 1 and 2 are at the begin of the memory, channel 0 is behind them.
static void channels_are_put_together(void **state) {
  (void)state;
  const XcDpuTarget *target = make_target("DPUCZDX8G_ISA1_B4096");
  static const int8_t memory[] = {10, 11, 30, 31, 20, 21};
  XcDpuContents contents[XC_DPU_NUM_REGISTERS] = {{0}};
  contents[target->parametersRegister] =
      (XcDpuContents){memory, sizeof(memory)};
  int8_t found[6];
  static const int32_t channels[] = {
      XcDpuRecipeChannels,
      3, // channels
      1,
      2,
      1,
      1,
      1,
      XcDpuKernelLayoutDepthwise,
      1,
      2,
      1,
      1,
      0,
      0,
      0,
      0,
      0,
      0,
      0, // channels 1 and 2 at 0
      0,
      0,
      1,
      1,
      2,
      1,
      XcDpuKernelLayoutDepthwise,
      0,
      1,
      1,
      1,
      0,
      0,
      0,
      0,
      0,
      0,
      4, // channel 0 at 4
      0,
      0,
      1,
      1,
      2,
      1,
  };
  enum { COUNT = sizeof(channels) / sizeof(*channels), FIRST = 8 };
  static const int8_t three[] = {20, 10, 11, 21, 30, 31};
  assert_true(
      xcDpuReadParameters(target, contents, channels, COUNT, 1, found, 6));
  assert_memory_equal(found, three, 6);
  assert_false(
      xcDpuReadParameters(target, contents, channels, COUNT - 1, 1, found, 6));
  int32_t beyond[COUNT];
  memcpy(beyond, channels, sizeof(beyond));
  beyond[FIRST] = 2; // of three channels, two from there on
  assert_false(
      xcDpuReadParameters(target, contents, beyond, COUNT, 1, found, 6));
  xcDpuTargetDestroy(target);
}

static void bytes_are_widened(void **state) {
  (void)state;
  const XcDpuTarget *target = make_target("DPUCZDX8G_ISA1_B4096");
  static const int8_t memory[] = {9, 1, -2, 3};
  XcDpuContents contents[XC_DPU_NUM_REGISTERS] = {{0}};
  contents[target->parametersRegister] =
      (XcDpuContents){memory, sizeof(memory)};
  static const int32_t recipe[] = {XcDpuRecipeBytes, 1};
  static const int32_t beyond[] = {XcDpuRecipeBytes, 2};
  int32_t found[3];
  assert_true(xcDpuReadParameters(target, contents, recipe, 2, sizeof(int32_t),
                                  found, sizeof(found)));
  assert_int_equal(found[0], 1);
  assert_int_equal(found[1], -2);
  assert_int_equal(found[2], 3);
  assert_false(xcDpuReadParameters(target, contents, beyond, 2, sizeof(int32_t),
                                   found, sizeof(found)));
  assert_false(xcDpuReadParameters(target, contents, recipe, 0, 1, found, 3));
  xcDpuTargetDestroy(target);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_kernels_come_back),
      cmocka_unit_test(all_groups_come_back),
      cmocka_unit_test(all_columns_come_back),
      cmocka_unit_test(joint_kernels_come_back),
      cmocka_unit_test(parts_are_put_together),
      cmocka_unit_test(channels_are_put_together),
      cmocka_unit_test(bytes_are_widened),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
