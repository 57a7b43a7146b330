//===- DPUCodeGenTest.c - random layers against a plain reference ---------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Job.h"
#include "Target/DPU/CodeGen/Emit/Emit.h"
#include "Target/DPU/CodeGen/Family.h"
#include "Target/DPU/CodeGen/Schedule/Search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const targets[] = {
    "DPUCZDX8G_ISA1_B4096", "DPUCZDX8G_ISA1_B512", "DPUCZDX8G_ISA1_B1152",
    "DPUCZDX8G_ISA1_B2304", "DPUCAHX8H_ISA2",      "DPUCAHX8H_ISA2_DWC",
    "DPUCAHX8H_ISA2_ELP2"};
enum { NUM_TARGETS = sizeof targets / sizeof *targets };

//===----------------------------------------------------------------------===//
// Random layers
//===----------------------------------------------------------------------===//

static int32_t out_size(int32_t size, int32_t kernel, int32_t stride,
                        int32_t pads) {
  return (size + pads - kernel) / stride + 1;
}

/// Chooses kernel, stride, padding and output size for an input.
static void pick_window(XcDpuLayer *layer, int32_t max_kernel,
                        int32_t max_stride, int32_t *height, int32_t *width) {
  const XcDpuImage *in = &layer->inputs[0];
  int32_t most = max_kernel < in->height ? max_kernel : in->height;
  layer->kernelH = random_pick(0, 2) ? random_pick(1, most < 3 ? most : 3)
                                     : random_pick(1, most);
  most = max_kernel < in->width ? max_kernel : in->width;
  layer->kernelW = random_pick(0, 2) ? random_pick(1, most < 3 ? most : 3)
                                     : random_pick(1, most);
  layer->strideH = random_pick(0, 1) ? 1 : random_pick(1, max_stride);
  layer->strideW = random_pick(0, 1) ? 1 : random_pick(1, max_stride);
  int32_t down = layer->kernelH < 16 ? layer->kernelH - 1 : 15;
  int32_t across = layer->kernelW < 16 ? layer->kernelW - 1 : 15;
  layer->padTop = random_pick(0, down);
  layer->padLeft = random_pick(0, across);
  *height = out_size(in->height, layer->kernelH, layer->strideH,
                     layer->padTop + random_pick(0, down));
  *width = out_size(in->width, layer->kernelW, layer->strideW,
                    layer->padLeft + random_pick(0, across));
}

static int32_t pick_channels(const XcDpuTarget *target) {
  switch (random_pick(0, 3)) {
  case 0:
    return random_pick(1, 4);
  case 1:
    return random_pick(1, 4) * target->channelParallel;
  case 2:
    return random_pick(1, 200);
  default:
    return random_pick(1, 3 * target->channelParallel);
  }
}

static int32_t pick_side(void) {
  return random_pick(0, 2) ? random_pick(1, 20) : random_pick(1, 70);
}

static XcDpuLayer begin_layer(XcDpuLayerKind kind, const XcDpuImage *input) {
  return (XcDpuLayer){.kind = kind,
                      .name = "layer",
                      .inputs = {*input},
                      .numInputs = 1,
                      .scaleH = 1,
                      .scaleW = 1};
}

static void add_conv(test_job *job, const XcDpuImage *input, unsigned reg) {
  XcDpuLayer layer = begin_layer(XcDpuLayerKindConv, input);
  int32_t height, width;
  pick_window(&layer, 16, 8, &height, &width);
  static const XcActivation activations[] = {XcActivationNone, XcActivationRelu,
                                             XcActivationLeakyRelu,
                                             XcActivationRelu6};
  layer.activation = activations[random_pick(0, 3)];
  layer.shiftCut = random_pick(0, 1) ? random_pick(6, 12) : random_pick(0, 16);
  layer.shiftBias = random_pick(-1, 16);
  layer.hasBias = true;
  bool is_input = input->reg == job_input(job);
  layer.marginBefore = is_input ? random_pick(0, MARGIN) : 0;
  layer.marginAfter = is_input ? random_pick(0, MARGIN) : 0;
  layer.output = job_image(job, reg, height, width, pick_channels(job->target));
  if (random_pick(0, 2) == 0) {
    layer.numInputs = 2;
    layer.inputs[1] =
        job_image(job, job_input(job), height, width, layer.output.channels);
    layer.shiftRead[0] = random_pick(0, 3);
    layer.shiftRead[1] = random_pick(0, 3);
    layer.shiftWrite = random_pick(-3, 3);
    layer.addActivation =
        random_pick(0, 1) ? XcActivationRelu : XcActivationNone;
  }
  job_add_layer(job, layer);
}

static const XcDpuEngine *engine_of(const XcDpuTarget *target,
                                    XcDpuLayerKind kind) {
  if (kind == XcDpuLayerKindDiagonal)
    return &target->conv;
  if (kind == XcDpuLayerKindDepthwise)
    return target->depthwise.rows ? &target->depthwise : &target->alu;
  return xcDpuTargetGetPoolEngine(target);
}

/// An engine without a field for it divides by the square of a side.
static void use_own_factor(XcDpuLayer *layer, int32_t *height, int32_t *width) {
  if (layer->kernelH > layer->kernelW) {
    layer->kernelH = layer->kernelW;
    layer->padTop = layer->padTop < layer->kernelH ? layer->padTop : 0;
  }
  layer->kernelW = layer->kernelH;
  layer->padLeft = layer->padLeft < layer->kernelW ? layer->padLeft : 0;
  *height = out_size(layer->inputs[0].height, layer->kernelH, layer->strideH,
                     layer->padTop);
  *width = out_size(layer->inputs[0].width, layer->kernelW, layer->strideW,
                    layer->padLeft);
  XcAvgFactor factor = xcAvgPoolFactor(layer->kernelH, layer->kernelW);
  layer->factor = factor.factor;
  layer->shiftCut = factor.shift + random_pick(-3, 3);
}

static void add_alu(test_job *job, XcDpuLayerKind kind, const XcDpuImage *input,
                    unsigned reg) {
  XcDpuLayer layer = begin_layer(kind, input);
  int32_t height = input->height, width = input->width;
  if (kind == XcDpuLayerKindDepthwise || kind == XcDpuLayerKindDiagonal ||
      kind == XcDpuLayerKindMaxPool || kind == XcDpuLayerKindAveragePool ||
      kind == XcDpuLayerKindAveragePool16) {
    const XcDpuEngine *engine = engine_of(job->target, kind);
    int32_t most = random_pick(0, 4) ? 16 : 40, stride = 10;
    if (most > engine->kernelH.maximum)
      most = engine->kernelH.maximum;
    if (stride > engine->strideH.maximum)
      stride = engine->strideH.maximum;
    pick_window(&layer, most, stride, &height, &width);
    layer.shiftCut = random_pick(0, 9);
    if (kind == XcDpuLayerKindAveragePool16)
      layer.shiftCut += random_pick(0, 12);
    layer.factor = random_pick(1, 127);
    if (kind == XcDpuLayerKindAveragePool && job->target->pool.rows)
      use_own_factor(&layer, &height, &width);
    layer.shiftBias = random_pick(-1, 10);
    layer.hasBias = random_pick(0, 1) || kind == XcDpuLayerKindDiagonal ||
                    job->target->depthwise.rows;
    layer.activation = random_pick(0, 1) ? XcActivationRelu : XcActivationNone;
  } else if (kind == XcDpuLayerKindHardSigmoid) {
    layer.shiftBias = random_pick(0, 7);
    layer.shiftCut = random_pick(4, 20);
  } else {
    layer.factor = 26;
    layer.shiftNegative = random_pick(-2, 9);
    layer.shiftPositive = random_pick(-2, 3);
  }
  layer.output = job_image(job, reg, height, width, input->channels);
  job_add_layer(job, layer);
}

static void add_elew(test_job *job, XcDpuLayerKind kind,
                     const XcDpuImage *input, unsigned reg) {
  XcDpuLayer layer = begin_layer(kind, input);
  int32_t channels = input->channels;
  if (kind == XcDpuLayerKindAdd || kind == XcDpuLayerKindMul) {
    layer.numInputs = kind == XcDpuLayerKindMul ? 2 : (size_t)random_pick(1, 4);
    for (size_t k = 1; k < layer.numInputs; ++k)
      layer.inputs[k] =
          job_image(job, job_input(job), random_pick(0, 3) ? input->height : 1,
                    random_pick(0, 3) ? input->width : 1, channels);
  }
  if (kind == XcDpuLayerKindAdd)
    for (size_t k = 0; k < layer.numInputs; ++k)
      layer.shiftRead[k] = random_pick(0, 7);
  layer.shiftWrite = random_pick(0, 1) ? 0 : random_pick(-3, 6);
  layer.activation = random_pick(0, 1) ? XcActivationRelu : XcActivationNone;
  if (kind == XcDpuLayerKindCopy) {
    layer.scaleH = random_pick(1, 3);
    layer.scaleW = random_pick(1, 3);
  }
  if (kind == XcDpuLayerKindArgmax) {
    layer.activation = XcActivationNone;
    channels = 1;
  }
  layer.output = job_image(job, reg, input->height * layer.scaleH,
                           input->width * layer.scaleW, channels);
  job_add_layer(job, layer);
}

static void add_any(test_job *job, XcDpuLayerKind kind, const XcDpuImage *input,
                    unsigned reg) {
  switch (kind) {
  case XcDpuLayerKindConv:
    add_conv(job, input, reg);
    return;
  case XcDpuLayerKindDepthwise:
  case XcDpuLayerKindDiagonal:
  case XcDpuLayerKindMaxPool:
  case XcDpuLayerKindAveragePool:
  case XcDpuLayerKindAveragePool16:
  case XcDpuLayerKindHardSigmoid:
  case XcDpuLayerKindLeakyRelu:
  case XcDpuLayerKindPrelu:
    add_alu(job, kind, input, reg);
    return;
  case XcDpuLayerKindAdd:
  case XcDpuLayerKindMul:
  case XcDpuLayerKindCopy:
  case XcDpuLayerKindArgmax:
    add_elew(job, kind, input, reg);
    return;
  case XcDpuLayerKindFill: {
    XcDpuLayer layer = begin_layer(kind, input);
    layer.numInputs = 0;
    layer.value = (int8_t)random_pick(-128, 127);
    layer.output = *input;
    layer.output.reg = reg;
    layer.output.address =
        job_extend(job, reg, (size_t)input->rowPitch * (size_t)input->height);
    job_add_layer(job, layer);
    return;
  }
  }
}

static bool has_kind(const XcDpuTarget *target, XcDpuLayerKind kind) {
  return xc_family_of(target)->engines[kind] &&
         (kind != XcDpuLayerKindDepthwise || target->alu.rows ||
          target->depthwise.rows) &&
         (kind != XcDpuLayerKindArgmax || target->argmax);
}

/// `count` programs of one layer each for every target; at least half of them
/// must be accepted.
static void run_kind(XcDpuLayerKind kind, int count) {
  int accepted = 0, tried = 0;
  for (size_t t = 0; t < NUM_TARGETS; ++t) {
    XcDiag diag = {0};
    const XcDpuTarget *target = xcDpuTargetCreate(&diag, targets[t]);
    assert_non_null(target);
    for (int i = 0; i < count && has_kind(target, kind); ++i, ++tried) {
      random_seed = (uint64_t)kind * 1000003 + t * 1009 + (uint64_t)i;
      random_next();
      test_job job = {.target = target};
      int32_t channels = kind == XcDpuLayerKindArgmax ? random_pick(1, 128)
                                                      : pick_channels(target);
      XcDpuImage input =
          job_image(&job, job_input(&job), pick_side(), pick_side(), channels);
      add_any(&job, kind, &input, job_output(&job));
      accepted += job_run(&job);
    }
    xcDpuTargetDestroy(target);
  }
  assert_true(2 * accepted > tried);
}

static XcDpuLayerKind pick_kind(const XcDpuTarget *target) {
  XcDpuLayerKind kind;
  do
    kind = (XcDpuLayerKind)random_pick(0, XcDpuLayerKindCopy);
  while (!has_kind(target, kind));
  return kind;
}

#define KIND_TEST(Kind, count)                                                 \
  static void test_##Kind(void **state) {                                      \
    (void)state;                                                               \
    run_kind(XcDpuLayerKind##Kind, count);                                     \
  }
KIND_TEST(Conv, 60)
KIND_TEST(Depthwise, 25)
KIND_TEST(Diagonal, 25)
KIND_TEST(MaxPool, 25)
KIND_TEST(AveragePool, 25)
KIND_TEST(AveragePool16, 15)
KIND_TEST(HardSigmoid, 10)
KIND_TEST(LeakyRelu, 10)
KIND_TEST(Prelu, 10)
KIND_TEST(Add, 25)
KIND_TEST(Mul, 15)
KIND_TEST(Copy, 25)
KIND_TEST(Fill, 8)
KIND_TEST(Argmax, 10)

/// Chains through the workspace, with every place used once.
static void test_chains(void **state) {
  (void)state;
  for (size_t t = 0; t < NUM_TARGETS; ++t) {
    XcDiag diag = {0};
    const XcDpuTarget *target = xcDpuTargetCreate(&diag, targets[t]);
    for (int i = 0; i < 15; ++i) {
      random_seed = 77777 + t * 1009 + (uint64_t)i;
      random_next();
      test_job job = {.target = target};
      XcDpuImage image = job_image(&job, job_input(&job), pick_side(),
                                   pick_side(), pick_channels(target));
      int32_t count = random_pick(2, 8);
      for (int32_t k = 0; k < count; ++k) {
        XcDpuLayerKind kind =
            random_pick(0, 1) ? XcDpuLayerKindConv : pick_kind(target);
        add_any(&job, kind, &image,
                k + 1 < count ? WORKSPACE : job_output(&job));
        image = job.layers[job.num_layers - 1].output;
      }
      job_run(&job);
    }
    xcDpuTargetDestroy(target);
  }
}

//===----------------------------------------------------------------------===//
// Graphs of buffers
//===----------------------------------------------------------------------===//

enum { MAX_IMAGES = 24, GRAPHS = 30 };

typedef struct test_graph {
  test_job job;
  XcDpuImage images[MAX_IMAGES]; // that layers can read
  size_t num_images;
  uint32_t num_buffers;
} test_graph;

static void add_image(test_graph *graph, const XcDpuImage *image) {
  if (graph->num_images < MAX_IMAGES)
    graph->images[graph->num_images++] = *image;
}

/// A new image in place of an old one of the workspace, which nothing reads any
/// more.
static XcDpuImage replace_image(test_graph *graph, const XcDpuImage *input,
                                int32_t height, int32_t width,
                                int32_t channels) {
  XcDpuImage image = job_image(&graph->job, WORKSPACE, height, width, channels);
  for (size_t i = 0; i + 1 < graph->num_images; ++i) {
    XcDpuImage *old = &graph->images[i];
    if (old->reg != WORKSPACE || old->buffer == input->buffer ||
        old->rowPitch * (uint32_t)old->height <
            image.rowPitch * (uint32_t)image.height)
      continue;
    image.address = old->address;
    memmove(old, old + 1, (--graph->num_images - i) * sizeof *graph->images);
    break;
  }
  return image;
}

/// An earlier image of a size, or null.
static const XcDpuImage *find_like(const test_graph *graph,
                                   const XcDpuImage *image) {
  for (size_t i = graph->num_images; i-- > 0;) {
    const XcDpuImage *at = &graph->images[i];
    if (at->height == image->height && at->width == image->width &&
        at->channels == image->channels && random_pick(0, 2))
      return at;
  }
  return NULL;
}

/// The image, now and then only some rows, columns or words of it.
static XcDpuImage pick_part(const test_graph *graph, XcDpuImage image) {
  int32_t width = graph->job.target->channelParallel;
  if (random_pick(0, 5) == 0) {
    int32_t y = random_pick(0, image.height - 1),
            x = random_pick(0, image.width - 1);
    image.address +=
        (uint32_t)y * image.rowPitch + (uint32_t)x * image.pixelPitch;
    image.height = random_pick(1, image.height - y);
    image.width = random_pick(1, image.width - x);
  }
  if (random_pick(0, 5) == 0 && image.channels > width) {
    image.address += (uint32_t)width;
    image.channels -= width;
  }
  return image;
}

/// Numbers the output of the last layer, and takes other inputs from the graph
/// where they fit.
static void link_layer(test_graph *graph, uint32_t buffer) {
  XcDpuLayer *layer = &graph->job.layers[graph->job.num_layers - 1];
  layer->output.buffer = buffer;
  for (size_t k = 1; k < layer->numInputs; ++k) {
    const XcDpuImage *like = find_like(graph, &layer->inputs[k]);
    if (like)
      layer->inputs[k] = *like;
  }
}

/// A convolution that keeps height and width.
static void add_same_conv(test_graph *graph, const XcDpuImage *input,
                          const XcDpuImage *output, bool adds) {
  XcDpuLayer layer = begin_layer(XcDpuLayerKindConv, input);
  layer.kernelH = layer.kernelW = random_pick(0, 1) ? 1 : 3;
  layer.strideH = layer.strideW = 1;
  layer.padTop = layer.padLeft = layer.kernelH / 2;
  layer.shiftCut = random_pick(6, 10);
  layer.activation = random_pick(0, 1) ? XcActivationRelu : XcActivationNone;
  layer.hasBias = true;
  layer.output = *output;
  if (adds) {
    layer.numInputs = 2;
    layer.inputs[1] = *output;
    const XcDpuImage *like = find_like(graph, output);
    if (like)
      layer.inputs[1] = *like;
    else
      layer.numInputs = 1;
  }
  job_add_layer(&graph->job, layer);
}

/// Two convolutions of one image write parts of the channels of another one.
static void add_joined(test_graph *graph, const XcDpuImage *input) {
  test_job *job = &graph->job;
  int32_t first = job->target->channelParallel * random_pick(1, 2);
  XcDpuImage whole = job_image(job, WORKSPACE, input->height, input->width,
                               first + random_pick(1, 40));
  whole.buffer = ++graph->num_buffers;
  XcDpuImage part = whole;
  part.channels = first;
  add_same_conv(graph, input, &part, false);
  part.address += (uint32_t)first;
  part.channels = whole.channels - first;
  add_same_conv(graph, input, &part, false);
  add_image(graph, &whole);
}

static void add_step(test_graph *graph, bool is_last) {
  test_job *job = &graph->job;
  size_t back = (size_t)(random_pick(0, 2) ? 0 : random_pick(0, 3));
  size_t count = graph->num_images;
  XcDpuImage input =
      pick_part(graph, graph->images[count - 1 - (back < count ? back : 0)]);
  unsigned reg =
      is_last || random_pick(0, 6) == 0 ? job_output(job) : WORKSPACE;
  if (!is_last && random_pick(0, 4) == 0) {
    add_joined(graph, &input);
    return;
  }
  if (random_pick(0, 1)) {
    int32_t channels =
        random_pick(0, 1) ? input.channels : pick_channels(job->target);
    XcDpuImage output =
        reg == WORKSPACE && random_pick(0, 1)
            ? replace_image(graph, &input, input.height, input.width, channels)
            : job_image(job, reg, input.height, input.width, channels);
    output.buffer = ++graph->num_buffers;
    add_same_conv(graph, &input, &output, random_pick(0, 1));
  } else {
    add_any(job, pick_kind(job->target), &input, reg);
    link_layer(graph, ++graph->num_buffers);
  }
  add_image(graph, &job->layers[job->num_layers - 1].output);
}

/// Layers that hand their results on in the banks, where the strategy finds
/// room.
static void run_graphs(xc_strategy strategy, int graphs) {
  int accepted = 0, count = 0;
  for (size_t t = 0; t < NUM_TARGETS; ++t) {
    XcDiag diag = {0};
    const XcDpuTarget *target = xcDpuTargetCreate(&diag, targets[t]);
    for (int i = 0; i < graphs; ++i, ++count) {
      random_seed = 424242 + t * 1009 + (uint64_t)i;
      random_next();
      test_graph graph = {
          .job = {.target = target, .has_buffers = true, .strategy = strategy}};
      XcDpuImage input =
          job_image(&graph.job, job_input(&graph.job), pick_side(), pick_side(),
                    pick_channels(target));
      input.buffer = ++graph.num_buffers;
      add_image(&graph, &input);
      int32_t steps = random_pick(2, MAX_LAYERS - 6);
      while ((int32_t)graph.job.num_layers < steps)
        add_step(&graph, false);
      add_step(&graph, true);
      accepted += job_run(&graph.job);
    }
    xcDpuTargetDestroy(target);
  }
  assert_true(2 * accepted > count);
}

static void test_graphs(void **state) {
  (void)state;
  run_graphs(NULL, GRAPHS);
}

/// A second strategy is a second function.
static void test_strategy(void **state) {
  (void)state;
  run_graphs(xc_schedule_in_ddr, GRAPHS / 4);
}

static size_t num_compared;

/// Estimates that take from others what has not changed are as whole ones.
static void compare_estimates(xc_estimate_memory *used,
                              const xc_schedule *schedule, size_t first,
                              size_t last, int64_t *ends) {
  xc_estimate_units(used, schedule, first, last, ends);
  if (!schedule->fixed_needs)
    return;
  size_t count = last - first + 1;
  int64_t *others = xc_alloc_array(count, sizeof *others);
  xc_schedule whole = *schedule;
  whole.fixed_needs = NULL;
  xc_estimate_units(used, &whole, first, last, others);
  assert_memory_equal(ends, others, count * sizeof *ends);
  free(others);
  num_compared += schedule->fixed_needs->is_complete;
}

static xc_schedule schedule_compared(const xc_schedule *layers,
                                     xc_search *search) {
  search->estimator.function = compare_estimates;
  return xc_schedule_greedy(layers, search);
}

static void test_estimates(void **state) {
  (void)state;
  num_compared = 0;
  run_graphs(schedule_compared, GRAPHS / 4);
  assert_true(num_compared > NUM_TARGETS * GRAPHS / 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_Conv),          cmocka_unit_test(test_Depthwise),
      cmocka_unit_test(test_MaxPool),       cmocka_unit_test(test_AveragePool),
      cmocka_unit_test(test_AveragePool16), cmocka_unit_test(test_HardSigmoid),
      cmocka_unit_test(test_LeakyRelu),     cmocka_unit_test(test_Prelu),
      cmocka_unit_test(test_Add),           cmocka_unit_test(test_Mul),
      cmocka_unit_test(test_Copy),          cmocka_unit_test(test_Fill),
      cmocka_unit_test(test_Argmax),        cmocka_unit_test(test_Diagonal),
      cmocka_unit_test(test_chains),        cmocka_unit_test(test_graphs),
      cmocka_unit_test(test_strategy),      cmocka_unit_test(test_estimates),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
