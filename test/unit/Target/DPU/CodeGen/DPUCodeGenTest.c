//===- DPUCodeGenTest.c - random layers against a plain reference ---------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reference.h"
#include "Target/DPU/CodeGen/CodeGen.h"
#include "Target/DPU/CodeGen/Family.h"

#include "Support/Memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PARAMETERS = 0, WORKSPACE = 1, NUM_USED = 6 }; // of all targets
enum { MARGIN = 48 };                                 // around every image

static const char *const targets[] = {
    "DPUCZDX8G_ISA1_B4096", "DPUCZDX8G_ISA1_B512", "DPUCZDX8G_ISA1_B1152",
    "DPUCZDX8G_ISA1_B2304", "DPUCAHX8H_ISA2",      "DPUCAHX8H_ISA2_DWC",
    "DPUCAHX8H_ISA2_ELP2"};
enum { NUM_TARGETS = sizeof targets / sizeof *targets };

//===----------------------------------------------------------------------===//
// Random numbers
//===----------------------------------------------------------------------===//

static uint64_t seed;

static uint32_t next(void) {
  seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(seed >> 33);
}

/// From low to high, both included.
static int32_t pick(int32_t low, int32_t high) {
  return low + (int32_t)(next() % (uint32_t)(high - low + 1));
}

static void fill(int8_t *bytes, size_t size) {
  for (size_t i = 0; i < size; ++i)
    bytes[i] = (int8_t)(next() & 0xff);
}

//===----------------------------------------------------------------------===//
// One program
//===----------------------------------------------------------------------===//

enum { MAX_LAYERS = 16 };

typedef struct test_job {
  const XcDpuTarget *target;
  XcDpuLayer layers[MAX_LAYERS];
  int8_t *ohwi[MAX_LAYERS];
  size_t num_layers;
  bool has_buffers;     // the workspace has no defined contents at the end
  xc_strategy strategy; // null: the default
  memory memory;
} test_job;

static unsigned input_of(const test_job *job) {
  return (unsigned)job->target->inputRegister;
}

static unsigned output_of(const test_job *job) {
  return (unsigned)job->target->outputRegister;
}

/// Appends `size` bytes to a register and returns their address.
static uint32_t extend(test_job *job, unsigned reg, size_t size) {
  size_t old = job->memory.sizes[reg];
  job->memory.sizes[reg] = old + size;
  job->memory.data[reg] =
      xc_realloc_array(job->memory.data[reg], old + size, 1);
  fill(job->memory.data[reg] + old, size);
  return (uint32_t)old;
}

/// With gaps between pixels and rows now and then.
static XcDpuImage make_image(test_job *job, unsigned reg, int32_t height,
                             int32_t width, int32_t channels) {
  XcDpuImage image = xcDpuImageDense(reg, 0, height, width, channels);
  if (pick(0, 3) == 0)
    image.pixelPitch += (uint32_t)pick(1, 40);
  image.rowPitch = image.pixelPitch * (uint32_t)width;
  if (pick(0, 3) == 0)
    image.rowPitch += (uint32_t)pick(1, 100);
  extend(job, reg, MARGIN);
  image.address = extend(job, reg, (size_t)image.rowPitch * (size_t)height);
  extend(job, reg, MARGIN);
  return image;
}

/// Zeros in all weight registers; returns their address.
static uint32_t extend_weights(test_job *job, size_t size, int8_t **bytes) {
  uint32_t address = 0;
  for (int32_t i = 0; i < job->target->numWeightsRegisters; ++i) {
    unsigned reg = (unsigned)job->target->weightsRegister[i];
    address = extend(job, reg, size);
    bytes[i] = job->memory.data[reg] + address;
    memset(bytes[i], 0, size);
  }
  return address;
}

static void add_conv_weights(test_job *job, XcDpuLayer *layer) {
  int32_t oc = layer->output.channels, ic = layer->inputs[0].channels;
  int32_t kh = layer->kernelH, kw = layer->kernelW;
  size_t size = (size_t)oc * (size_t)ic * (size_t)(kh * kw);
  int8_t *values = xc_alloc(size), *to[XC_DPU_NUM_REGISTERS];
  fill(values, size);
  job->ohwi[job->num_layers] = values;
  layer->weights = extend_weights(
      job, xcDpuConvWeightBytes(job->target, oc, kh, kw, ic), to);
  xcDpuLayoutConvWeights(job->target, values, oc, kh, kw, ic, to);
  layer->bias = extend(job, PARAMETERS, (size_t)oc);
  layer->canServeColumns = ic < job->target->channelParallel;
}

/// The layer is one of those that have been added.
static void place_columns(test_job *job, const XcDpuPlacement *placement) {
  const XcDpuLayer *layer = placement->layer;
  size_t at = 0;
  while (job->layers[at].weights != layer->weights ||
         job->layers[at].kind != XcDpuLayerKindConv)
    ++at;
  XcDpuColumnWeights weights = {.oc = placement->part->output.channels,
                                .kh = layer->kernelH,
                                .kw = layer->kernelW,
                                .ic = layer->inputs[0].channels,
                                .columns = placement->columns,
                                .stride = layer->strideW};
  size_t size = (size_t)(weights.kh * weights.kw) * (size_t)weights.ic;
  int8_t *to[XC_DPU_NUM_REGISTERS];
  placement->part->weights =
      extend_weights(job, xcDpuColumnWeightBytes(job->target, &weights), to);
  xcDpuLayoutColumnWeights(job->target,
                           job->ohwi[at] + (size_t)placement->first * size,
                           &weights, to);
}

/// An XcDpuPlaceWeights; the weights of the layer lie at their address.
static void place_weights(void *context, const XcDpuPlacement *placement) {
  test_job *job = context;
  const XcDpuLayer *layer = placement->layer;
  XcDpuLayer *part = placement->part;
  int32_t first = placement->first;
  if (part->kind == XcDpuLayerKindConv) {
    place_columns(job, placement);
    return;
  }
  int32_t kh = layer->kernelH, kw = layer->kernelW;
  int32_t count = part->output.channels;
  size_t size = (size_t)(kh * kw) * (size_t)count;
  int8_t *to[XC_DPU_NUM_REGISTERS], *hwc = xc_alloc(size);
  const int8_t *from = job->memory.data[PARAMETERS] + layer->weights + first;
  for (int32_t k = 0; k < kh * kw; ++k)
    memcpy(hwc + (size_t)k * (size_t)count,
           from + (size_t)k * (size_t)layer->output.channels, (size_t)count);
  if (part->kind == XcDpuLayerKindDiagonal) {
    part->weights = extend_weights(
        job, xcDpuDiagonalWeightBytes(job->target, count, kh, kw), to);
    xcDpuLayoutDiagonalWeights(job->target, hwc, count, kh, kw, to);
  } else {
    part->weights = extend(job, PARAMETERS, size);
    memcpy(job->memory.data[PARAMETERS] + part->weights, hwc, size);
  }
  free(hwc);
  if (layer->hasBias || part->kind != XcDpuLayerKindDiagonal)
    return;
  part->bias = extend(job, PARAMETERS, (size_t)count);
  memset(job->memory.data[PARAMETERS] + part->bias, 0, (size_t)count);
}

static void add_depthwise_weights(test_job *job, XcDpuLayer *layer) {
  size_t channels = (size_t)layer->output.channels;
  layer->weights = extend(job, PARAMETERS,
                          channels * (size_t)(layer->kernelH * layer->kernelW));
  layer->bias = extend(job, PARAMETERS, channels);
  layer->canBeDiagonal = layer->kind == XcDpuLayerKindDepthwise;
}

static void add_layer(test_job *job, XcDpuLayer layer) {
  size_t channels = layer.numInputs ? (size_t)layer.inputs[0].channels : 0;
  if (layer.kind == XcDpuLayerKindConv)
    add_conv_weights(job, &layer);
  if (layer.kind == XcDpuLayerKindDepthwise ||
      layer.kind == XcDpuLayerKindDiagonal)
    add_depthwise_weights(job, &layer);
  if (layer.kind == XcDpuLayerKindPrelu) {
    layer.weights = extend(job, PARAMETERS, channels);
    for (size_t c = 0; c < channels; ++c)
      job->memory.data[PARAMETERS][layer.weights + c] &= INT8_MAX;
  }
  if (layer.kind == XcDpuLayerKindAveragePool16) {
    size_t size = xcDpuFactorBytes(job->target, (int32_t)channels);
    layer.weights = extend(job, PARAMETERS, size);
    int8_t *factors = job->memory.data[PARAMETERS] + layer.weights;
    for (size_t i = 2; i < size; ++i)
      factors[i] = factors[i - 2];
  }
  job->layers[job->num_layers++] = layer;
}

static void describe(const test_job *job) {
  for (size_t i = 0; i < job->num_layers; ++i) {
    const XcDpuLayer *l = &job->layers[i];
    const XcDpuImage *in = &l->inputs[0], *out = &l->output;
    print_error("%s: layer %zu kind %d, %dx%dx%d (pitch %u, %u) -> %dx%dx%d, "
                "kernel %dx%d stride %dx%d pad %d %d act %d cut %d bias %d\n",
                job->target->name, i, l->kind, in->height, in->width,
                in->channels, in->pixelPitch, in->rowPitch, out->height,
                out->width, out->channels, l->kernelH, l->kernelW, l->strideH,
                l->strideW, l->padTop, l->padLeft, l->activation, l->shiftCut,
                l->shiftBias);
  }
}

static bool verify(const test_job *job, const XcDpuProgram *program) {
  XcDpuVerifyOptions options;
  xcDpuVerifyOptionsInit(&options, job->target);
  for (unsigned reg = 0; reg < NUM_USED; ++reg)
    options.registerSizes[reg] = job->memory.sizes[reg];
  // Images have gaps, and windows need not reach every row.
  options.ignored = 1u << XcDpuFindingKindUnused;
  XcDiag diag = {0};
  return xcDpuVerify(&diag, program, &options, NULL);
}

static bool simulate(const test_job *job, const XcDpuProgram *program,
                     memory *m) {
  XcDiag diag = {0};
  XcDpuSim *sim = xcDpuSimCreate(&diag, job->target, NULL);
  for (unsigned reg = 0; reg < NUM_USED; ++reg)
    xcDpuSimSetRegister(sim, reg, m->data[reg], m->sizes[reg]);
  bool ok = xcDpuSimRun(sim, program, &diag);
  xcDpuSimDestroy(sim);
  return ok;
}

static memory copy_memory(const memory *from) {
  memory copy = *from;
  for (unsigned reg = 0; reg < NUM_USED; ++reg) {
    copy.data[reg] = xc_alloc(from->sizes[reg]);
    if (from->sizes[reg])
      memcpy(copy.data[reg], from->data[reg], from->sizes[reg]);
  }
  return copy;
}

static bool same_memory(const test_job *job, const memory *a, const memory *b) {
  for (unsigned reg = 0; reg < NUM_USED; ++reg)
    for (size_t i = 0; i < a->sizes[reg]; ++i)
      if (!(job->has_buffers && reg == WORKSPACE) &&
          a->data[reg][i] != b->data[reg][i]) {
        print_error("register %u byte %zu is %d, expected %d\n", reg, i,
                    a->data[reg][i], b->data[reg][i]);
        return false;
      }
  return true;
}

static bool run_code(const test_job *job, XcDpuCodeGen *gen) {
  XcDiag diag = {0};
  XcDpuProgram *program = xcDpuCodeGenFinish(gen, &diag);
  memory expected = copy_memory(&job->memory);
  memory found = copy_memory(&job->memory);
  for (size_t i = 0; i < job->num_layers; ++i)
    reference_layer(&job->layers[i], job->ohwi[i], &expected);
  bool ok = program && verify(job, program) && simulate(job, program, &found) &&
            same_memory(job, &found, &expected);
  for (unsigned reg = 0; reg < NUM_USED; ++reg) {
    free(expected.data[reg]);
    free(found.data[reg]);
  }
  xcDpuProgramDestroy(program);
  return ok;
}

static void end_job(test_job *job) {
  for (unsigned reg = 0; reg < NUM_USED; ++reg)
    free(job->memory.data[reg]);
  for (size_t i = 0; i < job->num_layers; ++i)
    free(job->ohwi[i]);
  memset(job, 0, sizeof *job);
}

/// Compiles, verifies, simulates and compares. Returns whether all layers were
/// accepted.
static bool run_job(test_job *job) {
  XcDpuCodeGen *gen = xcDpuCodeGenCreate(job->target);
  xcDpuCodeGenSetPlacement(gen, place_weights, job);
  xcDpuCodeGenSetEngines(gen,
                         (XcDpuEngineChoice)pick(0, XcDpuEngineChoiceInTurn));
  if (job->strategy)
    gen->strategy = job->strategy;
  bool accepted = true;
  for (size_t i = 0; i < job->num_layers && accepted; ++i) {
    XcDpuRefusal refusal = xcDpuCodeGenAddLayer(gen, &job->layers[i]);
    accepted = refusal.reason == XcDpuRefusalReasonNone;
  }
  if (accepted && !run_code(job, gen)) {
    describe(job);
    fail();
  }
  xcDpuCodeGenDestroy(gen);
  end_job(job);
  return accepted;
}

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
  layer->kernelH = pick(0, 2) ? pick(1, most < 3 ? most : 3) : pick(1, most);
  most = max_kernel < in->width ? max_kernel : in->width;
  layer->kernelW = pick(0, 2) ? pick(1, most < 3 ? most : 3) : pick(1, most);
  layer->strideH = pick(0, 1) ? 1 : pick(1, max_stride);
  layer->strideW = pick(0, 1) ? 1 : pick(1, max_stride);
  int32_t down = layer->kernelH < 16 ? layer->kernelH - 1 : 15;
  int32_t across = layer->kernelW < 16 ? layer->kernelW - 1 : 15;
  layer->padTop = pick(0, down);
  layer->padLeft = pick(0, across);
  *height = out_size(in->height, layer->kernelH, layer->strideH,
                     layer->padTop + pick(0, down));
  *width = out_size(in->width, layer->kernelW, layer->strideW,
                    layer->padLeft + pick(0, across));
}

static int32_t pick_channels(const XcDpuTarget *target) {
  switch (pick(0, 3)) {
  case 0:
    return pick(1, 4);
  case 1:
    return pick(1, 4) * target->channelParallel;
  case 2:
    return pick(1, 200);
  default:
    return pick(1, 3 * target->channelParallel);
  }
}

static int32_t pick_side(void) {
  return pick(0, 2) ? pick(1, 20) : pick(1, 70);
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
  layer.activation = activations[pick(0, 3)];
  layer.shiftCut = pick(0, 1) ? pick(6, 12) : pick(0, 16);
  layer.shiftBias = pick(-1, 16);
  layer.hasBias = true;
  bool is_input = input->reg == input_of(job);
  layer.marginBefore = is_input ? pick(0, MARGIN) : 0;
  layer.marginAfter = is_input ? pick(0, MARGIN) : 0;
  layer.output =
      make_image(job, reg, height, width, pick_channels(job->target));
  if (pick(0, 2) == 0) {
    layer.numInputs = 2;
    layer.inputs[1] =
        make_image(job, input_of(job), height, width, layer.output.channels);
    layer.shiftRead[0] = pick(0, 3);
    layer.shiftRead[1] = pick(0, 3);
    layer.shiftWrite = pick(-3, 3);
    layer.addActivation = pick(0, 1) ? XcActivationRelu : XcActivationNone;
  }
  add_layer(job, layer);
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
  layer->shiftCut = factor.shift + pick(-3, 3);
}

static void add_alu(test_job *job, XcDpuLayerKind kind, const XcDpuImage *input,
                    unsigned reg) {
  XcDpuLayer layer = begin_layer(kind, input);
  int32_t height = input->height, width = input->width;
  if (kind == XcDpuLayerKindDepthwise || kind == XcDpuLayerKindDiagonal ||
      kind == XcDpuLayerKindMaxPool || kind == XcDpuLayerKindAveragePool ||
      kind == XcDpuLayerKindAveragePool16) {
    const XcDpuEngine *engine = engine_of(job->target, kind);
    int32_t most = pick(0, 4) ? 16 : 40, stride = 10;
    if (most > engine->kernelH.maximum)
      most = engine->kernelH.maximum;
    if (stride > engine->strideH.maximum)
      stride = engine->strideH.maximum;
    pick_window(&layer, most, stride, &height, &width);
    layer.shiftCut = pick(0, 9);
    if (kind == XcDpuLayerKindAveragePool16)
      layer.shiftCut += pick(0, 12);
    layer.factor = pick(1, 127);
    if (kind == XcDpuLayerKindAveragePool && job->target->pool.rows)
      use_own_factor(&layer, &height, &width);
    layer.shiftBias = pick(-1, 10);
    layer.hasBias = pick(0, 1) || kind == XcDpuLayerKindDiagonal ||
                    job->target->depthwise.rows;
    layer.activation = pick(0, 1) ? XcActivationRelu : XcActivationNone;
  } else if (kind == XcDpuLayerKindHardSigmoid) {
    layer.shiftBias = pick(0, 7);
    layer.shiftCut = pick(4, 20);
  } else {
    layer.factor = 26;
    layer.shiftNegative = pick(-2, 9);
    layer.shiftPositive = pick(-2, 3);
  }
  layer.output = make_image(job, reg, height, width, input->channels);
  add_layer(job, layer);
}

static void add_elew(test_job *job, XcDpuLayerKind kind,
                     const XcDpuImage *input, unsigned reg) {
  XcDpuLayer layer = begin_layer(kind, input);
  int32_t channels = input->channels;
  if (kind == XcDpuLayerKindAdd || kind == XcDpuLayerKindMul) {
    layer.numInputs = kind == XcDpuLayerKindMul ? 2 : (size_t)pick(1, 4);
    for (size_t k = 1; k < layer.numInputs; ++k)
      layer.inputs[k] =
          make_image(job, input_of(job), pick(0, 3) ? input->height : 1,
                     pick(0, 3) ? input->width : 1, channels);
  }
  if (kind == XcDpuLayerKindAdd)
    for (size_t k = 0; k < layer.numInputs; ++k)
      layer.shiftRead[k] = pick(0, 7);
  layer.shiftWrite = pick(0, 1) ? 0 : pick(-3, 6);
  layer.activation = pick(0, 1) ? XcActivationRelu : XcActivationNone;
  if (kind == XcDpuLayerKindCopy) {
    layer.scaleH = pick(1, 3);
    layer.scaleW = pick(1, 3);
  }
  if (kind == XcDpuLayerKindArgmax) {
    layer.activation = XcActivationNone;
    channels = 1;
  }
  layer.output = make_image(job, reg, input->height * layer.scaleH,
                            input->width * layer.scaleW, channels);
  add_layer(job, layer);
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
    layer.value = (int8_t)pick(-128, 127);
    layer.output = *input;
    layer.output.reg = reg;
    layer.output.address =
        extend(job, reg, (size_t)input->rowPitch * (size_t)input->height);
    add_layer(job, layer);
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
      seed = (uint64_t)kind * 1000003 + t * 1009 + (uint64_t)i;
      next();
      test_job job = {.target = target};
      int32_t channels =
          kind == XcDpuLayerKindArgmax ? pick(1, 128) : pick_channels(target);
      XcDpuImage input =
          make_image(&job, input_of(&job), pick_side(), pick_side(), channels);
      add_any(&job, kind, &input, output_of(&job));
      accepted += run_job(&job);
    }
    xcDpuTargetDestroy(target);
  }
  assert_true(2 * accepted > tried);
}

static XcDpuLayerKind pick_kind(const XcDpuTarget *target) {
  XcDpuLayerKind kind;
  do
    kind = (XcDpuLayerKind)pick(0, XcDpuLayerKindCopy);
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
      seed = 77777 + t * 1009 + (uint64_t)i;
      next();
      test_job job = {.target = target};
      XcDpuImage image = make_image(&job, input_of(&job), pick_side(),
                                    pick_side(), pick_channels(target));
      int32_t count = pick(2, 8);
      for (int32_t k = 0; k < count; ++k) {
        XcDpuLayerKind kind =
            pick(0, 1) ? XcDpuLayerKindConv : pick_kind(target);
        add_any(&job, kind, &image,
                k + 1 < count ? WORKSPACE : output_of(&job));
        image = job.layers[job.num_layers - 1].output;
      }
      run_job(&job);
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
  XcDpuImage image =
      make_image(&graph->job, WORKSPACE, height, width, channels);
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
        at->channels == image->channels && pick(0, 2))
      return at;
  }
  return NULL;
}

/// The image, now and then only some rows, columns or words of it.
static XcDpuImage pick_part(const test_graph *graph, XcDpuImage image) {
  int32_t width = graph->job.target->channelParallel;
  if (pick(0, 5) == 0) {
    int32_t y = pick(0, image.height - 1), x = pick(0, image.width - 1);
    image.address +=
        (uint32_t)y * image.rowPitch + (uint32_t)x * image.pixelPitch;
    image.height = pick(1, image.height - y);
    image.width = pick(1, image.width - x);
  }
  if (pick(0, 5) == 0 && image.channels > width) {
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
  layer.kernelH = layer.kernelW = pick(0, 1) ? 1 : 3;
  layer.strideH = layer.strideW = 1;
  layer.padTop = layer.padLeft = layer.kernelH / 2;
  layer.shiftCut = pick(6, 10);
  layer.activation = pick(0, 1) ? XcActivationRelu : XcActivationNone;
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
  add_layer(&graph->job, layer);
}

/// Two convolutions of one image write parts of the channels of another one.
static void add_joined(test_graph *graph, const XcDpuImage *input) {
  test_job *job = &graph->job;
  int32_t first = job->target->channelParallel * pick(1, 2);
  XcDpuImage whole = make_image(job, WORKSPACE, input->height, input->width,
                                first + pick(1, 40));
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
  size_t back = (size_t)(pick(0, 2) ? 0 : pick(0, 3));
  size_t count = graph->num_images;
  XcDpuImage input =
      pick_part(graph, graph->images[count - 1 - (back < count ? back : 0)]);
  unsigned reg = is_last || pick(0, 6) == 0 ? output_of(job) : WORKSPACE;
  if (!is_last && pick(0, 4) == 0) {
    add_joined(graph, &input);
    return;
  }
  if (pick(0, 1)) {
    int32_t channels = pick(0, 1) ? input.channels : pick_channels(job->target);
    XcDpuImage output =
        reg == WORKSPACE && pick(0, 1)
            ? replace_image(graph, &input, input.height, input.width, channels)
            : make_image(job, reg, input.height, input.width, channels);
    output.buffer = ++graph->num_buffers;
    add_same_conv(graph, &input, &output, pick(0, 1));
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
      seed = 424242 + t * 1009 + (uint64_t)i;
      next();
      test_graph graph = {
          .job = {.target = target, .has_buffers = true, .strategy = strategy}};
      XcDpuImage input =
          make_image(&graph.job, input_of(&graph.job), pick_side(), pick_side(),
                     pick_channels(target));
      input.buffer = ++graph.num_buffers;
      add_image(&graph, &input);
      int32_t steps = pick(2, MAX_LAYERS - 6);
      while ((int32_t)graph.job.num_layers < steps)
        add_step(&graph, false);
      add_step(&graph, true);
      accepted += run_job(&graph.job);
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
      cmocka_unit_test(test_strategy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
