//===- Parameters.c - constants of a function -----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lower.h"

#include "Support/Math.h"
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
  void *bytes = constants->bytes;
  xc_grow(&bytes, &constants->capacity, end, 1);
  constants->bytes = bytes;
  memset(constants->bytes + constants->size, 0, end - constants->size);
  constants->size = end;
  lowering->register_sizes[reg] = end;
  return constants->bytes;
}

/// The same address in `count` registers.
static uint32_t add_new_bytes(xc_lowering *lowering, const int32_t *registers,
                              int32_t count, size_t size, int8_t **bytes) {
  size_t unit = (size_t)lowering->target->parameterAlignment;
  size_t start = (size_t)lowering->register_sizes[registers[0]];
  start = (start + unit - 1) / unit * unit;
  for (int32_t i = 0; i < count; ++i)
    bytes[i] = grow(lowering, registers[i], start + size) + start;
  return (uint32_t)start;
}

/// Of the first frame; all others have the same.
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
  uint32_t start = add_new_bytes(lowering, registers, count, size, bytes);
  note_for_frames(lowering, start);
  return start;
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
    xc_refuse(op, "operand '%s' is not a constant", name);
    return NULL;
  }
  int8_t *bytes = xc_const_bytes(owner, size);
  if (!bytes)
    xc_refuse(op, "the contents of operand '%s' are not there", name);
  return bytes;
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

/// Returns the constant, if the recipe of the current operator is the one that
/// counts.
static xc_allocation *constant_of_recipe(xc_lowering *lowering, size_t slot) {
  xc_allocation *constant =
      xc_operand_allocation(lowering, &lowering->current->adaptor, slot);
  if (lowering->frame > 0 ||
      (constant->recipe_owner && constant->recipe_owner != lowering->current))
    return NULL;
  constant->recipe_owner = lowering->current;
  return constant;
}

void xc_add_recipe(xc_lowering *lowering, size_t slot, const int32_t *numbers,
                   size_t count) {
  xc_allocation *constant = constant_of_recipe(lowering, slot);
  if (constant)
    append_recipe(constant, numbers, count);
}

void xc_begin_group_recipe(xc_lowering *lowering, size_t slot,
                           const XcDpuChannelGroups *groups) {
  const int32_t numbers[XC_DPU_GROUPS_HEAD] = {
      XcDpuRecipeGroups, groups->inputs, groups->outputs, groups->words};
  xc_allocation *constant = constant_of_recipe(lowering, slot);
  if (constant && !constant->recipe_size)
    append_recipe(constant, numbers, XC_DPU_GROUPS_HEAD);
}

bool xc_has_recipe(const xc_allocation *constant) {
  bool has_groups =
      constant->recipe_size > 0 && constant->recipe[0] == XcDpuRecipeGroups;
  return constant->recipe_size > (has_groups ? XC_DPU_GROUPS_HEAD : 0);
}

uint32_t xc_recipe_address(const int32_t *recipe, XcDpuKernelLayout *layout) {
  enum {
    KERNEL_ADDRESS = 8,
    FIRST_PART = 7,
    CHANNELS_ADDRESS = FIRST_PART + 11
  };
  if (recipe[0] == XcDpuRecipeGroups)
    recipe += XC_DPU_GROUPS_HEAD;
  switch ((XcDpuRecipe)recipe[0]) {
  case XcDpuRecipeBytes:
  case XcDpuRecipeGroups:
    break;
  case XcDpuRecipeKernel:
    *layout = (XcDpuKernelLayout)recipe[1];
    return (uint32_t)recipe[KERNEL_ADDRESS];
  case XcDpuRecipeChannels:
    *layout = (XcDpuKernelLayout)recipe[FIRST_PART];
    return (uint32_t)recipe[CHANNELS_ADDRESS];
  }
  *layout = XcDpuKernelLayoutDepthwise;
  return (uint32_t)recipe[1];
}

//===----------------------------------------------------------------------===//
// Kernels that are placed channel by channel
//===----------------------------------------------------------------------===//

uint32_t xc_lower_channel_weights(xc_lowering *lowering,
                                  const xc_channel_kernel *kernel) {
  if (lowering->frame > 0)
    return lowering->frame_parameters[lowering->next_frame_parameter++];
  uint32_t number = (uint32_t)lowering->num_kernels;
  size_t size = (size_t)kernel->pixels * (size_t)kernel->channels *
                (size_t)kernel->inputs;
  void *kernels = lowering->kernels;
  xc_grow(&kernels, &lowering->kernels_capacity, lowering->num_kernels + 1,
          sizeof *lowering->kernels);
  lowering->kernels = kernels;
  xc_channel_kernel *copy = &lowering->kernels[lowering->num_kernels++];
  *copy = *kernel;
  copy->bytes = xc_alloc(size);
  memcpy(copy->bytes, kernel->bytes, size);
  note_for_frames(lowering, number);
  return number;
}

void xc_add_channel_recipe(xc_lowering *lowering, size_t slot,
                           const int32_t head[6], uint32_t weights,
                           const int32_t elements[6]) {
  static const int32_t kind = XcDpuRecipeChannels;
  xc_allocation *constant = constant_of_recipe(lowering, slot);
  if (!constant)
    return;
  if (!xc_has_recipe(constant)) {
    append_recipe(constant, &kind, 1);
    append_recipe(constant, head, 6);
  }
  xc_channel_kernel *kernel = &lowering->kernels[weights];
  kernel->constant = constant;
  kernel->constant_channels = head[0];
  memcpy(kernel->elements, elements, sizeof kernel->elements);
}

void xc_channel_kernels_free(xc_lowering *lowering) {
  for (size_t i = 0; i < lowering->num_kernels; ++i)
    free(lowering->kernels[i].bytes);
  free(lowering->kernels);
  free(lowering->placed);
  free(lowering->blocks);
}

/// Returns the address of `size` new bytes for weights of the convolution
/// engine, or of other parameters, or that of their place in a block, which is
/// made when it is first used.
static uint32_t add_to_block(xc_lowering *lowering, bool is_conv, size_t size,
                             const XcDpuJointPlace *place, int8_t **to) {
  uint32_t (*add)(xc_lowering *, size_t, int8_t **) =
      is_conv ? xc_weights_add : xc_parameters_add;
  if (!place->block)
    return add(lowering, size, to);
  void *blocks = lowering->blocks;
  if (place->block > lowering->num_blocks) {
    xc_grow(&blocks, &lowering->blocks_capacity, place->block,
            sizeof *lowering->blocks);
    lowering->blocks = blocks;
    memset(lowering->blocks + lowering->num_blocks, 0,
           (place->block - lowering->num_blocks) * sizeof *lowering->blocks);
    lowering->num_blocks = place->block;
  }
  uint32_t *block = &lowering->blocks[place->block - 1];
  if (!*block)
    *block = add(lowering, place->size, to) + 1;
  const XcDpuTarget *target = lowering->target;
  int32_t reg =
      is_conv ? target->weightsRegister[0] : target->parametersRegister;
  uint32_t address = *block - 1 + (uint32_t)place->offset;
  to[0] = lowering->parameters[reg].bytes + address;
  return address;
}

/// Some output channels of a convolution.
static uint32_t place_outputs(xc_lowering *lowering, const XcDpuLayer *layer,
                              const xc_placed_channels *part,
                              const XcDpuJointPlace *place) {
  const XcDpuTarget *target = lowering->target;
  const xc_channel_kernel *kernel = &lowering->kernels[part->kernel];
  const XcDpuColumnWeights weights = {.oc = part->count,
                                      .kh = layer->kernelH,
                                      .kw = layer->kernelW,
                                      .ic = kernel->inputs,
                                      .columns = part->columns,
                                      .stride = layer->strideW,
                                      .layout = part->layout};
  int8_t *to[XC_DPU_NUM_REGISTERS];
  uint32_t address = add_to_block(
      lowering, true, xcDpuColumnWeightBytes(target, &weights), place, to);
  size_t size = (size_t)kernel->pixels * (size_t)kernel->inputs;
  xcDpuLayoutColumnWeights(target, kernel->bytes + (size_t)part->first * size,
                           &weights, to);
  return address;
}

/// Some channels of a depthwise kernel.
static uint32_t place_channels(xc_lowering *lowering, const XcDpuLayer *layer,
                               const xc_placed_channels *part,
                               const XcDpuJointPlace *place) {
  const XcDpuTarget *target = lowering->target;
  const xc_channel_kernel *kernel = &lowering->kernels[part->kernel];
  size_t count = (size_t)part->count, size = (size_t)kernel->pixels * count;
  size_t step = part->layout.step ? part->layout.step : count;
  int8_t *hwc = xc_alloc(size), *to[XC_DPU_NUM_REGISTERS];
  for (size_t k = 0; k < (size_t)kernel->pixels; ++k)
    memcpy(hwc + k * count,
           kernel->bytes + k * (size_t)kernel->channels + part->first, count);
  uint32_t address;
  if (part->kind == XcDpuLayerKindDiagonal) {
    const XcDpuDiagonalWeights weights = {part->count, layer->kernelH,
                                          layer->kernelW, part->layout};
    address = add_to_block(
        lowering, true, xcDpuDiagonalWeightBytes(target, &weights), place, to);
    xcDpuLayoutDiagonalWeights(target, hwc, &weights, to);
  } else {
    address = add_to_block(lowering, false, size, place, to);
    for (size_t k = 0; k < (size_t)kernel->pixels; ++k)
      memcpy(to[0] + k * step, hwc + k * count, count);
  }
  free(hwc);
  return address;
}

static XcDpuKernelLayout layout_of(XcDpuLayerKind kind) {
  if (kind == XcDpuLayerKindConv)
    return XcDpuKernelLayoutConv;
  return kind == XcDpuLayerKindDiagonal ? XcDpuKernelLayoutDiagonal
                                        : XcDpuKernelLayoutDepthwise;
}

static void continue_recipe(const xc_lowering *lowering,
                            const XcDpuLayer *layer,
                            const xc_placed_channels *part) {
  const xc_channel_kernel *kernel = &lowering->kernels[part->kernel];
  int32_t left = kernel->constant_channels - part->first;
  if (!kernel->constant || left <= 0)
    return;
  const int32_t numbers[] = {(int32_t)layout_of(part->kind),
                             part->first,
                             xc_minimum(part->count, left),
                             part->columns,
                             layer->strideW,
                             (int32_t)part->layout.run,
                             (int32_t)part->layout.step,
                             (int32_t)part->layout.pitch,
                             (int32_t)part->layout.wide,
                             (int32_t)part->layout.narrowPitch,
                             (int32_t)part->layout.tail,
                             (int32_t)part->weights};
  append_recipe(kernel->constant, numbers, sizeof numbers / sizeof *numbers);
  append_recipe(kernel->constant, kernel->elements,
                sizeof kernel->elements / sizeof *kernel->elements);
}

/// Layers of other frames and phases have the same weights, but not always in
/// the same layout: parameters that are loaded alone lie apart from those that
/// share a LOAD with other layers'.
static xc_placed_channels *find_placed(xc_lowering *lowering,
                                       const xc_placed_channels *part) {
  for (size_t i = lowering->num_placed; i-- > 0;) {
    xc_placed_channels *at = &lowering->placed[i];
    if (at->kernel == part->kernel && at->kind == part->kind &&
        at->first == part->first && at->count == part->count &&
        at->columns == part->columns && at->block == part->block &&
        at->layout.run == part->layout.run)
      return at;
  }
  return NULL;
}

static xc_placed_channels *add_placed(xc_lowering *lowering,
                                      const XcDpuLayer *layer,
                                      const xc_placed_channels *part,
                                      const XcDpuJointPlace *place) {
  void *list = lowering->placed;
  xc_grow(&list, &lowering->placed_capacity, lowering->num_placed + 1,
          sizeof *lowering->placed);
  lowering->placed = list;
  xc_placed_channels *placed = &lowering->placed[lowering->num_placed++];
  *placed = *part;
  placed->weights = part->kind == XcDpuLayerKindConv
                        ? place_outputs(lowering, layer, placed, place)
                        : place_channels(lowering, layer, placed, place);
  continue_recipe(lowering, layer, placed);
  return placed;
}

static xc_placed_channels *need_placed(xc_lowering *lowering,
                                       const XcDpuLayer *layer,
                                       const xc_placed_channels *part,
                                       const XcDpuJointPlace *place) {
  xc_placed_channels *placed = find_placed(lowering, part);
  return placed ? placed : add_placed(lowering, layer, part, place);
}

static void place_weights(xc_lowering *lowering,
                          const XcDpuPlacement *placement) {
  XcDpuLayer *part = placement->part;
  int8_t *zeros;
  xc_placed_channels channels = {.kind = part->kind,
                                 .kernel = placement->layer->weights,
                                 .first = placement->first,
                                 .count = part->output.channels,
                                 .columns = placement->columns,
                                 .block = placement->weights.block,
                                 .layout = placement->weights.layout};
  if (placement->layer->columns > 1) { // the kernel has those of all columns
    assert(placement->first == 0 && "it is not divided");
    channels.count = lowering->kernels[channels.kernel].channels;
    channels.columns = 1;
  }
  xc_placed_channels *placed =
      need_placed(lowering, placement->layer, &channels, &placement->weights);
  part->weights = placed->weights;
  part->weightsLayout = placed->layout;
  if (part->kind != XcDpuLayerKindDiagonal || placement->layer->hasBias)
    return;
  if (!placed->has_zeros)
    placed->zeros =
        xc_parameters_add(lowering, (size_t)part->output.channels, &zeros);
  placed->has_zeros = true;
  part->bias = placed->zeros;
}

/// As a depthwise kernel of one element.
static void place_bias(xc_lowering *lowering, const XcDpuPlacement *placement) {
  XcDpuLayer *part = placement->part;
  const xc_placed_channels channels = {.kind = XcDpuLayerKindDepthwise,
                                       .kernel = placement->layer->bias,
                                       .first = placement->first,
                                       .count = part->output.channels,
                                       .columns = 1,
                                       .block = placement->bias.block};
  part->bias =
      need_placed(lowering, placement->layer, &channels, &placement->bias)
          ->weights;
}

void xc_place_parameters(void *context, const XcDpuPlacement *placement) {
  if (xcDpuPlacesWeights(placement->layer) ||
      placement->part->kind == XcDpuLayerKindDiagonal)
    place_weights(context, placement);
  if (placement->layer->hasBias && placement->layer->canJoinBias)
    place_bias(context, placement);
}

//===----------------------------------------------------------------------===//
// Constant tensors
//===----------------------------------------------------------------------===//

/// When it is first used: it is no parameter that each frame asks for.
static void place_constant(xc_lowering *lowering, xc_allocation *allocation) {
  if (allocation->kind != XC_ALLOCATION_CONST || allocation->is_placed)
    return;
  size_t size = 0;
  void *bytes = xc_const_bytes(mlirOpResultGetOwner(allocation->value), &size);
  int8_t *to;
  allocation->image.address =
      add_new_bytes(lowering, &lowering->target->parametersRegister, 1,
                    (size_t)xc_shape_num_elements(&allocation->shape), &to);
  if (bytes)
    memcpy(to, bytes, size);
  const int32_t recipe[] = {XcDpuRecipeBytes,
                            (int32_t)allocation->image.address};
  if (!allocation->recipe_size)
    append_recipe(allocation, recipe, 2);
  free(bytes);
  allocation->is_placed = true;
}

/// Returns the rows of the current frame, or its pixel where frames are pixels.
/// What has no frames is the same for all.
static XcDpuImage frame_of(const xc_lowering *lowering,
                           const xc_allocation *allocation) {
  const xc_shape *shape = &allocation->shape;
  XcDpuImage image = allocation->image;
  int64_t frames = lowering->num_frames;
  // Each frame is a buffer by itself, wherever it is.
  if (allocation->frames > 1) {
    image.buffer +=
        (uint32_t)(lowering->frame * (int64_t)lowering->num_allocations);
    return image;
  }
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
