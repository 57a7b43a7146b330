//===- DPUEstimateTest.c - plans against the timing model -----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layers overlap: weights come early, and the first blocks of a layer are
// computed beside the last ones of the layer before. So what is compared is the
// cycles of layers that overlap, as a group, and the time until a layer and all
// before it have ended.
//
//===----------------------------------------------------------------------===//

#include "xc-c/DPUCodeGen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static const char *const targets[] = {
    "DPUCZDX8G_ISA1_B4096", "DPUCZDX8G_ISA1_B512", "DPUCZDX8G_ISA1_B1152",
    "DPUCZDX8G_ISA1_B2304"};
enum { NUM_TARGETS = sizeof targets / sizeof *targets };

//===----------------------------------------------------------------------===//
// Networks
//===----------------------------------------------------------------------===//

typedef struct test_net {
  const XcDpuTarget *target;
  XcDpuCodeGen *gen;
  XcDpuImage image; // the last one
  uint32_t num_buffers;
  uint32_t sizes[4]; // of registers
} test_net;

static XcDpuImage make_image(test_net *net, unsigned reg, int32_t height,
                             int32_t width, int32_t channels) {
  XcDpuImage image =
      xcDpuImageDense(reg, net->sizes[reg], height, width, channels);
  image.buffer = ++net->num_buffers;
  net->sizes[reg] += image.rowPitch * (uint32_t)height;
  return image;
}

static uint32_t add_parameters(test_net *net, int32_t size) {
  unsigned reg = (unsigned)net->target->parametersRegister;
  uint32_t address = net->sizes[reg];
  net->sizes[reg] += (uint32_t)size;
  return address;
}

/// Keeps height and width but for the stride. `other` is added, or null.
static void add_window(test_net *net, XcDpuLayerKind kind, int32_t kernel,
                       int32_t stride, int32_t channels,
                       const XcDpuImage *other) {
  XcDpuImage in = net->image;
  XcDpuLayer layer = {
      .kind = kind,
      .inputs = {in},
      .numInputs = 1,
      .kernelH = kernel,
      .kernelW = kernel,
      .strideH = stride,
      .strideW = stride,
      .padTop = (kernel - 1) / 2,
      .padLeft = (kernel - 1) / 2,
      .shiftCut = 7,
      .shiftBias = 3,
      .hasBias = true,
      .scaleH = 1,
      .scaleW = 1,
  };
  layer.output = make_image(net, (unsigned)net->target->workspaceRegister,
                            in.height / stride, in.width / stride, channels);
  if (kind == XcDpuLayerKindConv)
    layer.weights =
        add_parameters(net, kernel * kernel * in.channels * channels);
  else
    layer.weights = add_parameters(net, kernel * kernel * channels);
  layer.bias = add_parameters(net, channels);
  if (other)
    layer.inputs[layer.numInputs++] = *other;
  XcDpuRefusal refusal = xcDpuCodeGenAddLayer(net->gen, &layer);
  assert_int_equal(refusal.reason, XcDpuRefusalReasonNone);
  net->image = layer.output;
}

static void add_conv(test_net *net, int32_t kernel, int32_t stride,
                     int32_t channels) {
  add_window(net, XcDpuLayerKindConv, kernel, stride, channels, NULL);
}

static void build_plain(test_net *net) {
  net->image = make_image(net, (unsigned)net->target->inputRegister, 96, 96, 3);
  static const int32_t channels[] = {64, 128, 256, 512};
  for (size_t i = 0; i < sizeof channels / sizeof *channels; ++i) {
    add_conv(net, 3, 1, channels[i]);
    add_conv(net, 3, 1, channels[i]);
    add_window(net, XcDpuLayerKindMaxPool, 2, 2, channels[i], NULL);
  }
}

static void build_residual(test_net *net) {
  net->image =
      make_image(net, (unsigned)net->target->inputRegister, 56, 56, 64);
  add_conv(net, 3, 1, 256);
  for (int32_t i = 0; i < 3; ++i) {
    XcDpuImage shortcut = net->image;
    add_conv(net, 1, 1, 64);
    add_conv(net, 3, 1, 64);
    add_window(net, XcDpuLayerKindConv, 1, 1, 256, &shortcut);
  }
  add_conv(net, 1, 2, 128);
  add_conv(net, 3, 1, 512);
  for (int32_t i = 0; i < 3; ++i) {
    XcDpuImage shortcut = net->image;
    add_conv(net, 1, 1, 128);
    add_conv(net, 3, 1, 128);
    add_window(net, XcDpuLayerKindConv, 1, 1, 512, &shortcut);
  }
}

static void build_separable(test_net *net) {
  net->image =
      make_image(net, (unsigned)net->target->inputRegister, 112, 112, 3);
  add_conv(net, 3, 2, 32);
  static const int32_t channels[] = {64, 128, 128, 256, 256, 512, 512};
  for (size_t i = 0; i < sizeof channels / sizeof *channels; ++i) {
    add_window(net, XcDpuLayerKindDepthwise, 3, 1 + (int32_t)(i % 2),
               net->image.channels, NULL);
    add_conv(net, 1, 1, channels[i]);
  }
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

enum { GROUP_PERCENT = 10, TOTAL_PERCENT = 2 };

static void check(const test_net *net, const char *what, size_t last_row,
                  double found, double estimate, double percent) {
  if (estimate < (1 - percent / 100) * found ||
      estimate > (1 + percent / 100) * found)
    fail_msg("%s: %s to row %zu takes %.0f, estimated %.0f", net->target->name,
             what, last_row, found, estimate);
}

/// Returns how many groups there are.
static size_t compare(const test_net *net, const XcDpuProgram *program) {
  XcDiag diag = {0};
  XcDpuTimeline *timeline = xcDpuTimelineCreate(&diag, program);
  assert_non_null(timeline);
  size_t rows = xcDpuCodeGenGetNumRows(net->gen), groups = 0;
  assert_true(rows > 1);
  double found = 0, found_before = 0, estimate_before = 0;
  for (size_t i = 0; i < rows; ++i) {
    found += xcDpuTimelineGetLayer(timeline, i)->cycles;
    double estimate = (double)xcDpuCodeGenGetEstimate(net->gen, i);
    check(net, "all", i, found, estimate, TOTAL_PERCENT);
    if (i + 1 < rows && xcDpuTimelineGetGroup(timeline, i + 1) ==
                            xcDpuTimelineGetGroup(timeline, i))
      continue;
    check(net, "the group", i, found - found_before, estimate - estimate_before,
          GROUP_PERCENT);
    found_before = found;
    estimate_before = estimate;
    ++groups;
  }
  xcDpuTimelineDestroy(timeline);
  return groups;
}

static void run(void (*build)(test_net *net)) {
  size_t groups = 0;
  for (size_t t = 0; t < NUM_TARGETS; ++t) {
    XcDiag diag = {0};
    const XcDpuTarget *target = xcDpuTargetCreate(&diag, targets[t]);
    test_net net = {.target = target, .gen = xcDpuCodeGenCreate(target)};
    build(&net);
    XcDpuProgram *program = xcDpuCodeGenFinish(net.gen, &diag);
    assert_non_null(program);
    groups += compare(&net, program);
    xcDpuProgramDestroy(program);
    xcDpuCodeGenDestroy(net.gen);
    xcDpuTargetDestroy(target);
  }
  assert_true(groups > NUM_TARGETS);
}

static void test_plain(void **state) {
  (void)state;
  run(build_plain);
}

static void test_residual(void **state) {
  (void)state;
  run(build_residual);
}

static void test_separable(void **state) {
  (void)state;
  run(build_separable);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_plain),
      cmocka_unit_test(test_residual),
      cmocka_unit_test(test_separable),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
