//===- DPUTargetTest.c - unit tests of the target descriptions ------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Target/DPU/Target.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void count(void *user_data, XcSeverity severity, XcPlace place,
                  const char *message) {
  (void)severity;
  (void)place;
  (void)message;
  ++*(int *)user_data;
}

// The published table of the family, one row per size.
static const struct {
  const char *size;
  int32_t pixel, channel, rows;
  int64_t peak, image_kib, weights_bytes, bias_kib;
  int32_t depthwise_bank;
} sizes[] = {
    // clang-format off
    {"B512",  4,  8, 2,  512, 128,  8 *  8 * 2048, 16, 16},
    {"B800",  4, 10, 2,  800, 160, 10 * 10 * 2048, 20, 18},
    {"B1024", 8,  8, 4, 1024, 256,  8 *  8 * 2048, 16, 24},
    {"B1152", 4, 12, 2, 1152, 192, 12 * 12 * 2048, 24, 20},
    {"B1600", 8, 10, 4, 1600, 320, 10 * 10 * 2048, 20, 26},
    {"B2304", 8, 12, 4, 2304, 384, 12 * 12 * 2048, 24, 28},
    {"B3136", 8, 14, 4, 3136, 448, 14 * 14 * 2048, 28, 30},
    {"B4096", 8, 16, 4, 4096, 512, 16 * 16 * 2048, 32, 32},
    // clang-format on
};

static void sizes_have_their_published_figures(void **state) {
  (void)state;
  XcDiag diag = {0};
  for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); ++i) {
    char name[64];
    snprintf(name, sizeof(name), "DPUCZDX8G_ISA1_%s", sizes[i].size);
    const XcDpuTarget *t = xcDpuTargetCreate(&diag, name);
    assert_non_null(t);
    assert_string_equal(t->name, name);
    assert_string_equal(t->isa, "DPUCZDX8G");
    assert_int_equal(t->pixelParallel, sizes[i].pixel);
    assert_int_equal(t->channelParallel, sizes[i].channel);
    assert_int_equal(t->alu.rows, sizes[i].rows);
    assert_int_equal(t->elementwiseRows, sizes[i].rows);
    assert_int_equal(t->augmentationMax, 2 * sizes[i].channel);
    assert_int_equal(t->derived.peakOpsPerCycle, sizes[i].peak);
    assert_int_equal(t->derived.imageBytes, sizes[i].image_kib * 1024);
    assert_int_equal(t->derived.weightsBytes, sizes[i].weights_bytes);
    assert_int_equal(t->derived.biasBytes, sizes[i].bias_kib * 1024);
    assert_int_equal(t->derived.depthwiseWeightsBytes,
                     sizes[i].bias_kib * 1024);
    assert_int_equal(t->weights.firstBank, 2 * sizes[i].pixel);
    assert_int_equal(t->depthwiseWeights.firstBank, sizes[i].depthwise_bank);
    assert_int_equal(t->bias.firstBank, sizes[i].depthwise_bank + 1);
    assert_int_equal(t->derived.numBanks, sizes[i].depthwise_bank + 2);
    assert_int_equal(t->derived.maxConvInputChannels, 256 * sizes[i].channel);
    assert_ptr_equal(xcDpuTargetGetPoolEngine(t), &t->alu);
    assert_ptr_equal(xcDpuTargetGetDepthwiseEngine(t), &t->alu);
    xcDpuTargetDestroy(t);
  }
}

static void engines_are_found_where_they_are(void **state) {
  (void)state;
  XcDiag diag = {0};
  const XcDpuTarget *t = xcDpuTargetCreate(&diag, "DPUCAHX8H_ISA2");
  assert_non_null(t);
  assert_ptr_equal(xcDpuTargetGetPoolEngine(t), &t->pool);
  assert_true(t->convDiagonal);
  assert_ptr_equal(xcDpuTargetGetDepthwiseEngine(t), &t->conv);
  assert_int_equal(t->numWeightsRegisters, 2);
  assert_int_equal(t->weightsRegister[1], 3);
  static const char *const segments[] = {"W0", "D0", "W0", "W1", "D0", "D0"};
  for (uint32_t reg = 0; reg < 6; ++reg)
    assert_string_equal(xcDpuTargetGetSegment(t, reg), segments[reg]);
  assert_int_equal(t->conv.padLeft.maximum, -1);
  assert_int_equal(t->timing.weightsBytesPerCycle, 32);
  assert_true(xcDpuSetHas(t->elementwiseKinds, XcDpuElementwiseKindAdd));
  assert_false(xcDpuSetHas(t->elementwiseKinds, XcDpuElementwiseKindMul));
  assert_false(xcDpuSetHas(~0u, 32));
  xcDpuTargetDestroy(t);
  t = xcDpuTargetCreate(&diag, "DPUCAHX8H_ISA2_DWC");
  assert_non_null(t);
  assert_ptr_equal(xcDpuTargetGetDepthwiseEngine(t), &t->conv);
  assert_int_equal(t->depthwiseKernelSizes,
                   1 << 1 | 1 << 2 | 1 << 3 | 1 << 5 | 1 << 7);
  assert_int_equal(t->derived.numBanks, 35);
  xcDpuTargetDestroy(t);
}

static void fingerprints_of_all_releases_are_known(void **state) {
  (void)state;
  static const struct {
    const char *fingerprint, *name;
  } known[] = {{"0x20200000010002a", "DPUCAHX8H_ISA2"},
               {"0x20200000000002a", "DPUCAHX8H_ISA2"},
               {"0x20200000010002b", "DPUCAHX8H_ISA2_DWC"},
               {"0x20200000000002b", "DPUCAHX8H_ISA2_DWC"},
               {"0x20200000000002e", "DPUCAHX8H_ISA2_ELP2"},
               {"0x101000056010407", "DPUCZDX8G_ISA1_B4096"}};
  XcDiag diag = {0};
  for (size_t i = 0; i < sizeof(known) / sizeof(*known); ++i) {
    const XcDpuTarget *t = xcDpuTargetCreate(&diag, known[i].fingerprint);
    assert_non_null(t);
    assert_string_equal(t->name, known[i].name);
    xcDpuTargetDestroy(t);
  }
}

static void every_builtin_loads_and_prints_what_it_reads(void **state) {
  (void)state;
  XcDiag diag = {0};
  for (size_t i = 0; i < xcDpuTargetGetNumBuiltin(); ++i) {
    const char *name = xcDpuTargetGetBuiltinName(i);
    const XcDpuTarget *t = xcDpuTargetCreate(&diag, name);
    assert_non_null(t);
    assert_string_equal(t->name, name);
    char *json = xcDpuTargetToJson(t);
    const XcDpuTarget *again =
        xcDpuTargetCreateFromText(&diag, "again.json", json, strlen(json));
    assert_non_null(again);
    char *json_again = xcDpuTargetToJson(again);
    assert_string_equal(json, json_again);
    free(json);
    free(json_again);
    xcDpuTargetDestroy(t);
    xcDpuTargetDestroy(again);
  }
  assert_null(xcDpuTargetGetBuiltinName(xcDpuTargetGetNumBuiltin()));
}

// Every prefix of a target file, and every file with one byte changed, is
// read or ends in exactly one diagnostic.
static void hostile_text_is_one_diagnostic(void **state) {
  (void)state;
  XcDiag quiet = {0};
  const XcDpuTarget *t = xcDpuTargetCreate(&quiet, "DPUCZDX8G_ISA1_B512");
  char *json = xcDpuTargetToJson(t);
  xcDpuTargetDestroy(t);
  size_t size = strlen(json);
  int errors = 0;
  for (size_t i = 0; i < size - 2; i += 7) {
    XcDiag diag = {count, &errors, 0};
    assert_null(xcDpuTargetCreateFromText(&diag, "prefix.json", json, i));
    assert_int_equal(diag.numErrors, 1);
  }
  for (size_t i = 0; i < size; i += 3) {
    static const char bytes[] = {'\0', '"', '9', '[', '\xff', '-'};
    char kept = json[i];
    json[i] = bytes[i % sizeof(bytes)];
    XcDiag diag = {count, &errors, 0};
    t = xcDpuTargetCreateFromText(&diag, "changed.json", json, size);
    assert_int_equal(diag.numErrors, t ? 0 : 1);
    xcDpuTargetDestroy(t);
    json[i] = kept;
  }
  free(json);
}

static void words_are_bounded(void **state) {
  (void)state;
  assert_string_equal(xcDpuActivationGetName(XcActivationHSwish), "hard-swish");
  assert_string_equal(xcDpuAluModeGetName(XcDpuAluModeDepthwise16),
                      "depthwise-16");
  assert_string_equal(xcDpuElementwiseKindGetName(XcDpuElementwiseKindMul),
                      "mul");
  assert_string_equal(xcDpuPoolKindGetName(XcDpuPoolKindMaxReduce),
                      "max-reduce");
  assert_null(xcDpuAluModeGetName((XcDpuAluMode)9));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sizes_have_their_published_figures),
      cmocka_unit_test(engines_are_found_where_they_are),
      cmocka_unit_test(fingerprints_of_all_releases_are_known),
      cmocka_unit_test(every_builtin_loads_and_prints_what_it_reads),
      cmocka_unit_test(hostile_text_is_one_diagnostic),
      cmocka_unit_test(words_are_bounded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
