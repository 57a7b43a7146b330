//===- Place.c - address assignment after scheduling ----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Addresses of parameters and buffers depend on the schedule: on the engine of
// each channel, on the parameters that share a LOAD, and on the live ranges of
// buffers in DDR. Once the schedule is known, the caller of the code generator
// is asked for the addresses.
//
//===----------------------------------------------------------------------===//

#include "CodeGen.h"

#include "Target/DPU/CodeGen/Schedule/Transfers.h"

#include "Support/Memory.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Appends what a unit loads and saves.
static void add_uses(const xc_unit *unit, size_t step, XcDpuMemoryUse *uses,
                     size_t *count) {
  const XcDpuLayer *layer = &unit->layer;
  for (size_t k = 0; k < layer->numInputs; ++k)
    if (!unit->layout.inputs[k])
      uses[(*count)++] =
          (XcDpuMemoryUse){&layer->inputs[k], unit->number, step};
  if (unit->layout.saves)
    uses[(*count)++] = (XcDpuMemoryUse){&layer->output, unit->number, step};
}

static void move_image(const XcDpuCodeGen *gen, XcDpuImage *image) {
  if (image->reg == gen->memory.reg)
    image->address = gen->memory.move(gen->memory.context, image->address);
}

static void move_layer(const XcDpuCodeGen *gen, XcDpuLayer *layer) {
  for (size_t k = 0; k < layer->numInputs; ++k)
    move_image(gen, &layer->inputs[k]);
  move_image(gen, &layer->output);
}

void xc_place_memory(XcDpuCodeGen *gen) {
  enum { MAX_USES = XC_DPU_MAX_INPUTS + 1 }; // of a unit
  xc_units *units = &gen->schedule.units;
  if (!gen->memory.place)
    return;
  XcDpuMemoryUse *uses = xc_alloc_array(units->count * MAX_USES, sizeof *uses);
  size_t count = 0, step = 0;
  for (size_t u = 0; u < units->count; ++step)
    for (size_t end = u + xc_units_together(&units->items[u], u); u < end; ++u)
      add_uses(&units->items[u], step, uses, &count);
  gen->memory.place(gen->memory.context, uses, count);
  free(uses);
  for (size_t u = 0; u < units->count; ++u) {
    move_layer(gen, &units->items[u].layer);
    if (units->items[u].layer.numInputs > 0)
      move_image(gen, &units->items[u].plan.input);
  }
  for (size_t i = 0; i < gen->num_layers; ++i)
    move_layer(gen, &gen->layers[i]);
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

/// Where the piece of a unit lies; in no block if the unit has no piece in a
/// transfer.
static XcDpuJointPlace joint_place(const xc_schedule *schedule,
                                   const xc_unit *unit,
                                   xc_parameter_bank bank) {
  if (!unit->pieces[bank])
    return (XcDpuJointPlace){0};
  const xc_parameter_piece *piece = &schedule->pieces[unit->pieces[bank] - 1];
  const xc_parameter_transfer *transfer = &schedule->transfers[piece->transfer];
  XcDpuJointLayout layout = xc_transfer_layout(schedule, transfer);
  size_t size = xcDpuJointOffset(&layout, (uint32_t)transfer->lanes);
  return (XcDpuJointPlace){
      .block = piece->transfer + 1,
      .size = size,
      .offset = xc_transfer_bytes(schedule, transfer, xc_piece_offset(piece)),
      .layout = unit->layer.weightsLayout};
}

static void note_address(xc_schedule *schedule, const XcDpuJointPlace *place,
                         uint32_t address) {
  if (place->block)
    schedule->transfers[place->block - 1].address =
        address - (uint32_t)place->offset;
}

void xc_place_unit_parameters(XcDpuCodeGen *gen) {
  xc_schedule *schedule = &gen->schedule;
  for (size_t u = 0; u < schedule->units.count; ++u) {
    xc_unit *unit = &schedule->units.items[u];
    if (!xcDpuPlacesWeights(&unit->layer) && !unit->layer.canJoinBias)
      continue;
    bool is_conv = unit->pieces[XC_PARAMETERS_WEIGHTS] > 0;
    XcDpuPlacement placement = {
        .layer = &gen->layers[unit->number],
        .first = unit->first_channel,
        .columns = xc_unit_columns(unit),
        .weights = joint_place(schedule, unit,
                               is_conv ? XC_PARAMETERS_WEIGHTS
                                       : XC_PARAMETERS_DEPTHWISE),
        .bias = joint_place(schedule, unit, XC_PARAMETERS_BIAS),
        .part = &unit->layer};
    gen->place_weights(gen->place_context, &placement);
    note_address(schedule, &placement.weights, unit->layer.weights);
    note_address(schedule, &placement.bias, unit->layer.bias);
  }
}
