//===- Job.c - random layers, run and compared ----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Job.h"

#include "Target/DPU/CodeGen/Family.h"

#include "Support/Memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NUM_USED = 6 }; // registers, of all targets

//===----------------------------------------------------------------------===//
// Random numbers
//===----------------------------------------------------------------------===//

uint64_t random_seed;

uint32_t random_next(void) {
  random_seed = random_seed * UINT64_C(6364136223846793005) +
                UINT64_C(1442695040888963407);
  return (uint32_t)(random_seed >> 33);
}

/// From low to high, both included.
int32_t random_pick(int32_t low, int32_t high) {
  return low + (int32_t)(random_next() % (uint32_t)(high - low + 1));
}

static void fill(int8_t *bytes, size_t size) {
  for (size_t i = 0; i < size; ++i)
    bytes[i] = (int8_t)(random_next() & 0xff);
}

//===----------------------------------------------------------------------===//
// One program
//===----------------------------------------------------------------------===//

unsigned job_input(const test_job *job) {
  return (unsigned)job->target->inputRegister;
}

unsigned job_output(const test_job *job) {
  return (unsigned)job->target->outputRegister;
}

/// Appends `size` bytes to a register and returns their address.
uint32_t job_extend(test_job *job, unsigned reg, size_t size) {
  size_t old = job->memory.sizes[reg];
  job->memory.sizes[reg] = old + size;
  job->memory.data[reg] =
      xc_realloc_array(job->memory.data[reg], old + size, 1);
  fill(job->memory.data[reg] + old, size);
  return (uint32_t)old;
}

/// With gaps between pixels and rows now and then.
XcDpuImage job_image(test_job *job, unsigned reg, int32_t height, int32_t width,
                     int32_t channels) {
  XcDpuImage image = xcDpuImageDense(reg, 0, height, width, channels);
  if (random_pick(0, 3) == 0)
    image.pixelPitch += (uint32_t)random_pick(1, 40);
  image.rowPitch = image.pixelPitch * (uint32_t)width;
  if (random_pick(0, 3) == 0)
    image.rowPitch += (uint32_t)random_pick(1, 100);
  job_extend(job, reg, MARGIN);
  image.address = job_extend(job, reg, (size_t)image.rowPitch * (size_t)height);
  job_extend(job, reg, MARGIN);
  return image;
}

/// Zeros in all weight registers; returns their address.
static uint32_t extend_weights(test_job *job, size_t size, int8_t **bytes) {
  uint32_t address = 0;
  for (int32_t i = 0; i < job->target->numWeightsRegisters; ++i) {
    unsigned reg = (unsigned)job->target->weightsRegister[i];
    address = job_extend(job, reg, size);
    bytes[i] = job->memory.data[reg] + address;
    memset(bytes[i], 0, size);
  }
  return address;
}

static void pick_joint(XcDpuLayer *layer) {
  layer->canJoinWeights = random_pick(0, 3) > 0;
  layer->canJoinBias = layer->hasBias && random_pick(0, 3) > 0;
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
  layer->bias = job_extend(job, PARAMETERS, (size_t)oc);
  layer->canServeColumns = ic < job->target->channelParallel;
  pick_joint(layer);
}

/// The address of new bytes among the weights or the parameters, or of the
/// place in a block.
static uint32_t extend_place(test_job *job, const XcDpuJointPlace *place,
                             bool is_weights, size_t size, int8_t **to) {
  size_t block = place->block;
  size_t now = block ? place->size : size;
  unsigned reg =
      is_weights ? (unsigned)job->target->weightsRegister[0] : PARAMETERS;
  uint32_t address;
  assert_true(block < MAX_BLOCKS);
  assert_true(!block || place->offset + size <= place->size);
  if (block && job->blocks[block]) {
    address = job->blocks[block] - 1;
    to[0] = job->memory.data[reg] + address;
  } else if (is_weights) {
    address = extend_weights(job, now, to);
  } else {
    address = job_extend(job, PARAMETERS, now);
    to[0] = job->memory.data[PARAMETERS] + address;
    memset(to[0], 0, now);
  }
  if (!block)
    return address;
  job->blocks[block] = address + 1;
  to[0] += place->offset;
  return address + (uint32_t)place->offset;
}

/// The layer is one of those that have been added.
static void place_outputs(test_job *job, const XcDpuPlacement *placement) {
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
                                .stride = layer->strideW,
                                .layout = placement->weights.layout};
  size_t size = (size_t)(weights.kh * weights.kw) * (size_t)weights.ic;
  int8_t *to[XC_DPU_NUM_REGISTERS];
  placement->part->weights =
      extend_place(job, &placement->weights, true,
                   xcDpuColumnWeightBytes(job->target, &weights), to);
  placement->part->weightsLayout = weights.layout;
  xcDpuLayoutColumnWeights(job->target,
                           job->ohwi[at] + (size_t)placement->first * size,
                           &weights, to);
}

static void place_channels(test_job *job, const XcDpuPlacement *placement) {
  const XcDpuLayer *layer = placement->layer;
  XcDpuLayer *part = placement->part;
  int32_t count = part->output.channels;
  XcDpuDiagonalWeights weights = {count, layer->kernelH, layer->kernelW,
                                  placement->weights.layout};
  size_t row = (size_t)count, pixels = (size_t)(weights.kh * weights.kw);
  size_t step = weights.layout.step ? weights.layout.step : row;
  int8_t *to[XC_DPU_NUM_REGISTERS], *hwc = xc_alloc(pixels * row);
  for (size_t k = 0; k < pixels; ++k)
    memcpy(hwc + k * row,
           job->memory.data[PARAMETERS] + layer->weights +
               (size_t)placement->first + k * (size_t)layer->output.channels,
           row);
  part->weightsLayout = weights.layout;
  if (part->kind == XcDpuLayerKindDiagonal) {
    part->weights =
        extend_place(job, &placement->weights, true,
                     xcDpuDiagonalWeightBytes(job->target, &weights), to);
    xcDpuLayoutDiagonalWeights(job->target, hwc, &weights, to);
  } else {
    part->weights = extend_place(job, &placement->weights, false,
                                 (pixels - 1) * step + row, to);
    for (size_t k = 0; k < pixels; ++k)
      memcpy(to[0] + k * step, hwc + k * row, row);
  }
  free(hwc);
}

/// An XcDpuPlaceWeights; the parameters of the layer lie at their address.
static void place_parameters(void *context, const XcDpuPlacement *placement) {
  test_job *job = context;
  const XcDpuLayer *layer = placement->layer;
  XcDpuLayer *part = placement->part;
  size_t count = (size_t)part->output.channels;
  int8_t *to[XC_DPU_NUM_REGISTERS];
  if (part->kind == XcDpuLayerKindConv && xcDpuPlacesWeights(layer))
    place_outputs(job, placement);
  else if (part->kind != XcDpuLayerKindConv)
    place_channels(job, placement);
  if (layer->hasBias && !layer->canJoinBias)
    return;
  bool has_zeros = part->kind == XcDpuLayerKindDiagonal && !layer->hasBias;
  if (!has_zeros && !layer->hasBias)
    return;
  part->bias = extend_place(job, &placement->bias, false, count, to);
  if (has_zeros)
    memset(to[0], 0, count);
  else
    memcpy(to[0], job->memory.data[PARAMETERS] + layer->bias + placement->first,
           count);
}

static void add_depthwise_weights(test_job *job, XcDpuLayer *layer) {
  size_t channels = (size_t)layer->output.channels;
  layer->weights = job_extend(
      job, PARAMETERS, channels * (size_t)(layer->kernelH * layer->kernelW));
  layer->bias = job_extend(job, PARAMETERS, channels);
  layer->canBeDiagonal = layer->kind == XcDpuLayerKindDepthwise;
  pick_joint(layer);
}

void job_add_layer(test_job *job, XcDpuLayer layer) {
  size_t channels = layer.numInputs ? (size_t)layer.inputs[0].channels : 0;
  if (layer.kind == XcDpuLayerKindConv)
    add_conv_weights(job, &layer);
  if (layer.kind == XcDpuLayerKindDepthwise ||
      layer.kind == XcDpuLayerKindDiagonal)
    add_depthwise_weights(job, &layer);
  if (layer.kind == XcDpuLayerKindPrelu) {
    layer.weights = job_extend(job, PARAMETERS, channels);
    for (size_t c = 0; c < channels; ++c)
      job->memory.data[PARAMETERS][layer.weights + c] &= INT8_MAX;
  }
  if (layer.kind == XcDpuLayerKindAveragePool16) {
    size_t size = xcDpuFactorBytes(job->target, (int32_t)channels);
    layer.weights = job_extend(job, PARAMETERS, size);
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
bool job_run(test_job *job) {
  XcDpuCodeGen *gen = xcDpuCodeGenCreate(job->target);
  xcDpuCodeGenSetPlacement(gen, place_parameters, job);
  xcDpuCodeGenSetEngines(
      gen, (XcDpuEngineChoice)random_pick(0, XC_DPU_NUM_ENGINE_CHOICES - 1));
  if (job->strategy)
    gen->strategy = job->strategy;
  bool accepted = true;
  for (size_t i = 0; i < job->num_layers && accepted; ++i) {
    XcDpuLayer layer = job->layers[i];
    layer.tag = i + 1;
    XcDpuRefusal refusal = xcDpuCodeGenAddLayer(gen, &layer);
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
