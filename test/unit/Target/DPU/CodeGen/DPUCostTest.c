//===- DPUCostTest.c - the cost model -------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Target/DPU/CodeGen/Family.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/// A target of which a test changes the copy.
static XcDpuTarget copy_target(const XcDpuTarget **original) {
  XcDiag diag = {0};
  *original = xcDpuTargetCreate(&diag, "DPUCZDX8G_ISA1_B4096");
  return **original;
}

static void test_bandwidth(void **state) {
  (void)state;
  const XcDpuTarget *original;
  XcDpuTarget target = copy_target(&original);
  xc_work work = {.input = {10, 32000}, .output = {20, 32000}, .blocks = 4};
  xc_unit_cost cost = xc_price(&target, &work);
  assert_int_equal(cost.load, 10 * target.timing.loadStart + 1000);
  assert_int_equal(cost.save, (20 * target.timing.saveStart + 2000) / 2);
  assert_int_equal(cost.cycles, 2000); // both share the ports
  // A memory that moves eight bytes a cycle.
  target.ddrBytesPerSecond = 8 * target.clockHz;
  cost = xc_price(&target, &work);
  assert_int_equal(cost.load, 10 * target.timing.loadStart + 4000);
  assert_int_equal(cost.save, (20 * target.timing.saveStart + 8000) / 2);
  assert_int_equal(cost.cycles, 8000);
  // One that hardly moves any, and far more bytes than fit one.
  target.ddrBytesPerSecond = 1;
  work.input.bytes = INT64_C(1) << 50;
  cost = xc_price(&target, &work);
  assert_true(cost.cycles > 8000 && cost.cycles < INT64_MAX / 10000);
  xcDpuTargetDestroy(original);
}

/// What cannot overlap is added.
static void test_serial(void **state) {
  (void)state;
  const XcDpuTarget *original;
  XcDpuTarget target = copy_target(&original);
  xc_work work = {.input = {1, 3200},
                  .weights = {2, 6400},
                  .output = {3, 1600},
                  .conv = 10000,
                  .blocks = 1};
  xc_unit_cost cost = xc_price(&target, &work);
  assert_int_equal(cost.cycles, 10000);
  int64_t weights = 2 * target.timing.loadStart + 200;
  assert_int_equal(cost.weights, weights);
  work.waits_for_weights = true;
  assert_int_equal(xc_price(&target, &work).cycles, 10000 + weights);
  work.waits_for_input = true;
  assert_int_equal(xc_price(&target, &work).cycles, 10000 + cost.load);
  work.waits_for_output = true;
  assert_int_equal(xc_price(&target, &work).cycles,
                   10000 + cost.load + cost.save);
  xcDpuTargetDestroy(original);
}

static void test_bursts(void **state) {
  (void)state;
  const XcDpuTarget *original;
  XcDpuTarget target = copy_target(&original);
  XcDpuImage image = xcDpuImageDense(0, 0, 4, 4, 20);
  assert_int_equal(xc_pixel_bytes(&target, &image), 20);
  image.pixelPitch = 40;
  assert_int_equal(xc_pixel_bytes(&target, &image), 32);
  target.timing.burstBytes = 64;
  assert_int_equal(xc_pixel_bytes(&target, &image), 64);
  xcDpuTargetDestroy(original);
}

static xc_unit_cost cost_of(const XcDpuTarget *target, XcDpuLayerKind kind) {
  xc_unit unit = {.layer = {.kind = kind,
                            .inputs = {xcDpuImageDense(2, 0, 16, 16, 16)},
                            .numInputs = 1,
                            .output = xcDpuImageDense(3, 0, 16, 16, 16),
                            .kernelH = 1,
                            .kernelW = 1,
                            .strideH = 1,
                            .strideW = 1,
                            .scaleH = 1,
                            .scaleW = 1},
                  .layout = xc_layout_in_ddr(target, 1)};
  unit.kind = xc_layer_kind_of(&unit.layer);
  unit.engine = xc_layer_engine_of(target, &unit.layer);
  assert_true(xc_plan_unit(target, &unit));
  return unit.plan.cost;
}

/// Each engine has its own cycles before its work, and the plan that a unit
/// gets has its whole cost.
static void test_engines(void **state) {
  (void)state;
  const XcDpuTarget *original;
  XcDpuTarget target = copy_target(&original);
  int64_t conv = cost_of(&target, XcDpuLayerKindConv).conv;
  int64_t pool = cost_of(&target, XcDpuLayerKindMaxPool).misc;
  int64_t sum = cost_of(&target, XcDpuLayerKindAdd).misc;
  target.timing.aluStart += 100;
  assert_int_equal(cost_of(&target, XcDpuLayerKindConv).conv, conv);
  assert_int_equal(cost_of(&target, XcDpuLayerKindMaxPool).misc,
                   pool + 100 * 16 / target.alu.rows);
  assert_int_equal(cost_of(&target, XcDpuLayerKindAdd).misc, sum);
  target.timing.convStart += 1000;
  target.timing.elementwiseStart += 10;
  assert_int_equal(cost_of(&target, XcDpuLayerKindConv).conv,
                   conv + 1000 * 16 / target.conv.rows);
  assert_int_equal(cost_of(&target, XcDpuLayerKindAdd).misc,
                   sum + 10 * 16 / target.elementwiseRows);
  xc_unit_cost cost = cost_of(&target, XcDpuLayerKindMaxPool);
  assert_true(cost.cycles >= cost.misc);
  xcDpuTargetDestroy(original);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bandwidth),
      cmocka_unit_test(test_serial),
      cmocka_unit_test(test_bursts),
      cmocka_unit_test(test_engines),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
