//===- Parameters.c - constants of a function -----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lower.h"

#include "dialects/Build.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void note_for_frames(xc_lowering *lowering, uint32_t address) {
  void *list = lowering->frame_parameters;
  xc_grow(&list, &lowering->frame_parameters_capacity,
          lowering->num_frame_parameters + 1,
          sizeof *lowering->frame_parameters);
  lowering->frame_parameters = list;
  lowering->frame_parameters[lowering->num_frame_parameters++] = address;
}

/// Makes a register `end` bytes large; those that are new are zero.
static int8_t *grow(xc_lowering *lowering, int32_t reg, size_t end) {
  xc_constants *constants = &lowering->parameters[reg];
  size_t old = constants->capacity;
  void *bytes = constants->bytes;
  xc_grow(&bytes, &constants->capacity, end, 1);
  constants->bytes = bytes;
  memset(constants->bytes + old, 0, constants->capacity - old);
  lowering->register_sizes[reg] = end;
  return constants->bytes;
}

/// The same address in `count` registers.
static uint32_t add_bytes(xc_lowering *lowering, const int32_t *registers,
                          int32_t count, size_t size, int8_t **bytes) {
  if (lowering->frame > 0) {
    size_t next = lowering->next_frame_parameter++;
    assert(next < lowering->num_frame_parameters && "frames are alike");
    uint32_t again = lowering->frame_parameters[next];
    for (int32_t i = 0; i < count; ++i)
      bytes[i] = lowering->parameters[registers[i]].bytes + again;
    return again;
  }
  size_t unit = (size_t)lowering->target->parameterAlignment;
  size_t start = (size_t)lowering->register_sizes[registers[0]];
  start = (start + unit - 1) / unit * unit;
  for (int32_t i = 0; i < count; ++i)
    bytes[i] = grow(lowering, registers[i], start + size) + start;
  note_for_frames(lowering, (uint32_t)start);
  return (uint32_t)start;
}

uint32_t xc_parameters_add(xc_lowering *lowering, size_t size, int8_t **bytes) {
  return add_bytes(lowering, &lowering->target->parametersRegister, 1, size,
                   bytes);
}

uint32_t xc_weights_add(xc_lowering *lowering, size_t size, int8_t **bytes) {
  const XcDpuTarget *target = lowering->target;
  return add_bytes(lowering, target->weightsRegister,
                   target->numWeightsRegisters, size, bytes);
}

int8_t *xc_constant_operand(const xc_adaptor *op, size_t slot, size_t *size) {
  MlirValue value = xc_operand(op, slot);
  const char *name = op->info->operands[slot].name;
  MlirOperation owner = {0};
  if (mlirValueIsAOpResult(value))
    owner = mlirOpResultGetOwner(value);
  const xc_op_info *info =
      mlirOperationIsNull(owner) ? NULL : xc_op_info_of(owner);
  if (!info || strcmp(info->name, "memtx.const") != 0) {
    xc_refuse(op, "operand '%s' is no constant", name);
    return NULL;
  }
  int8_t *bytes = xc_const_bytes(owner, size);
  if (!bytes)
    xc_refuse(op, "the contents of operand '%s' are not there", name);
  return bytes;
}

void xc_lower_channel_weights(xc_lowering *lowering, XcDpuLayer *layer,
                              const int8_t *hwc) {
  const XcDpuTarget *target = lowering->target;
  int32_t channels = layer->output.channels;
  int8_t *to[XC_DPU_NUM_REGISTERS];
  if (!xcDpuPrefersDiagonal(target, layer)) {
    size_t size = (size_t)(layer->kernelH * layer->kernelW) * (size_t)channels;
    layer->weights = xc_parameters_add(lowering, size, to);
    memcpy(to[0], hwc, size);
    return;
  }
  layer->kind = XcDpuLayerKindDiagonal;
  layer->weights =
      xc_weights_add(lowering,
                     xcDpuDiagonalWeightBytes(target, channels, layer->kernelH,
                                              layer->kernelW),
                     to);
  xcDpuLayoutDiagonalWeights(target, hwc, channels, layer->kernelH,
                             layer->kernelW, to);
}

void xc_lower_no_bias(xc_lowering *lowering, XcDpuLayer *layer) {
  const XcDpuTarget *target = lowering->target;
  int8_t *zeros;
  if (xcDpuSetHas(target->aluModes, XcDpuAluModeDepthwiseNoBias))
    return;
  layer->hasBias = true;
  layer->bias =
      xc_parameters_add(lowering, (size_t)layer->output.channels, &zeros);
}

XcDpuKernelLayout xc_kernel_layout(XcDpuLayerKind kind) {
  if (kind == XcDpuLayerKindConv)
    return XcDpuKernelLayoutConv;
  return kind == XcDpuLayerKindDiagonal ? XcDpuKernelLayoutDiagonal
                                        : XcDpuKernelLayoutDepthwise;
}

static void append_recipe(xc_allocation *constant, const int32_t *numbers,
                          size_t count) {
  void *recipe = constant->recipe;
  xc_grow(&recipe, &constant->recipe_capacity, constant->recipe_size + count,
          sizeof *constant->recipe);
  constant->recipe = recipe;
  memcpy(constant->recipe + constant->recipe_size, numbers,
         count * sizeof *numbers);
  constant->recipe_size += count;
}

void xc_add_recipe(xc_lowering *lowering, size_t slot, const int32_t *numbers,
                   size_t count) {
  xc_allocation *constant =
      xc_operand_allocation(lowering, &lowering->current->adaptor, slot);
  if (lowering->frame > 0 ||
      (constant->recipe_owner && constant->recipe_owner != lowering->current))
    return;
  constant->recipe_owner = lowering->current;
  append_recipe(constant, numbers, count);
}

static void place_constant(xc_lowering *lowering, xc_allocation *allocation) {
  if (allocation->kind != XC_ALLOCATION_CONST || allocation->is_placed)
    return;
  size_t size = 0;
  void *bytes = xc_const_bytes(mlirOpResultGetOwner(allocation->value), &size);
  int8_t *to;
  allocation->image.address = xc_parameters_add(
      lowering, (size_t)xc_shape_num_elements(&allocation->shape), &to);
  if (bytes)
    memcpy(to, bytes, size);
  const int32_t recipe[] = {XcDpuRecipeBytes,
                            (int32_t)allocation->image.address};
  if (!allocation->recipe_size)
    append_recipe(allocation, recipe, 2);
  free(bytes);
  allocation->is_placed = true;
}

/// The rows of the current frame, or its pixel where frames are pixels. What
/// has no frames is the same for all.
static XcDpuImage frame_of(const xc_lowering *lowering,
                           const xc_allocation *allocation) {
  const xc_shape *shape = &allocation->shape;
  XcDpuImage image = allocation->image;
  int64_t frames = lowering->num_frames;
  if (frames < 2 || shape->rank < 2 || shape->dims[0] != frames ||
      (lowering->frame_rank && shape->rank != lowering->frame_rank))
    return image;
  if (shape->rank == 2)
    return xc_image_part(image, XC_AXIS_W, lowering->frame, 1);
  int64_t rows = image.height / frames;
  return xc_image_part(image, XC_AXIS_H, lowering->frame * rows, rows);
}

XcDpuImage xc_allocation_image(xc_lowering *lowering,
                               xc_allocation *allocation) {
  place_constant(lowering, allocation);
  return frame_of(lowering, allocation);
}

XcDpuImage xc_output_image(xc_lowering *lowering, const xc_adaptor *op) {
  return xc_allocation_image(lowering, xc_output_allocation(lowering, op));
}
