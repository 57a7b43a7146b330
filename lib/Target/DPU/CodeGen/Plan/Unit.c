//===- Unit.c - what is scheduled as one ----------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Target/DPU/CodeGen/Emit/Emit.h"

#include "Support/Memory.h"

xc_places xc_places_in_ddr(const XcDpuTarget *target, size_t num_inputs) {
  int32_t depth = target->image.depth;
  int32_t half = num_inputs == 2 ? depth / 2 : 0;
  uint32_t first = xc_image_group(target, 0);
  return (xc_places){
      .saves = true,
      .input_area = {first, 0, depth - half},
      .operand_area = {first, depth - half, half},
      .output_area = {xc_image_group(target, 1), 0, depth},
  };
}

static bool is_alu(XcDpuLayerKind kind) {
  switch (kind) {
  case XcDpuLayerKindDepthwise:
  case XcDpuLayerKindMaxPool:
  case XcDpuLayerKindAveragePool:
  case XcDpuLayerKindAveragePool16:
  case XcDpuLayerKindHardSigmoid:
  case XcDpuLayerKindLeakyRelu:
  case XcDpuLayerKindPrelu:
    return true;
  case XcDpuLayerKindConv:
  case XcDpuLayerKindAdd:
  case XcDpuLayerKindMul:
  case XcDpuLayerKindCopy:
  case XcDpuLayerKindArgmax:
  case XcDpuLayerKindFill:
    break;
  }
  return false;
}

bool xc_unit_has_window(const xc_unit *unit) {
  return unit->layer.kind == XcDpuLayerKindConv || is_alu(unit->layer.kind);
}

int32_t xc_unit_loaded_inputs(const xc_unit *unit) {
  int32_t count = 0;
  for (size_t k = 0; k < unit->layer.numInputs; ++k)
    count += !unit->places.inputs[k];
  return count;
}

bool xc_estimate_unit(const XcDpuTarget *target, const xc_unit *unit,
                      xc_estimate *result) {
  *result = (xc_estimate){0};
  if (unit->layer.kind == XcDpuLayerKindConv)
    return xc_estimate_conv(target, unit, result);
  if (is_alu(unit->layer.kind))
    return xc_estimate_alu(target, unit, result);
  return unit->layer.kind == XcDpuLayerKindFill ||
         xc_estimate_elew(target, unit, result);
}

XcDpuRefusal xc_emitter_begin(xc_emitter *emitter, XcDpuCodeGen *gen,
                              const xc_unit *unit) {
  *emitter = (xc_emitter){.gen = gen, .unit = unit};
  if (unit->layer.kind == XcDpuLayerKindConv)
    return xc_conv_begin(emitter);
  if (is_alu(unit->layer.kind))
    return xc_alu_begin(emitter);
  if (unit->layer.kind == XcDpuLayerKindFill)
    return xc_fill_begin(emitter);
  return xc_elew_begin(emitter);
}

void xc_emitter_end(xc_emitter *emitter) { emitter->kind->end(emitter); }

void xc_take_code_back(XcDpuCodeGen *gen) {
  xc_code_truncate(&gen->code, 0);
  gen->weights.next = gen->depthwise_weights.next = gen->bias.next = 0;
}

/// Emits the unit and takes the code back, for what only the encoder finds.
static XcDpuRefusal try_unit(XcDpuCodeGen *gen, const xc_unit *unit) {
  xc_emitter emitter;
  XcDpuRefusal refusal = xc_emitter_begin(&emitter, gen, unit);
  if (refusal.reason != XcDpuRefusalReasonNone)
    return refusal;
  emitter.kind->emit_all(&emitter);
  xc_emitter_end(&emitter);
  XcDpuResult misfit = gen->code.misfit;
  if (misfit.status != XcDpuStatusOk)
    refusal = (XcDpuRefusal){XcDpuRefusalReasonField, (int32_t)misfit.value,
                             (int32_t)xcDpuFieldGetMin(misfit.field),
                             (int32_t)xcDpuFieldGetMax(misfit.field)};
  xc_take_code_back(gen);
  return refusal;
}

XcDpuRefusal xc_units_add(XcDpuCodeGen *gen, const XcDpuLayer *layer,
                          int32_t parameter_channels) {
  xc_unit unit = {
      .layer = *layer,
      .number = (uint32_t)gen->num_layers,
      .parameter_channels = parameter_channels,
      .places = xc_places_in_ddr(gen->target, layer->kind == XcDpuLayerKindConv
                                                  ? layer->numInputs
                                                  : 1),
  };
  XcDpuRefusal refusal = try_unit(gen, &unit);
  if (refusal.reason != XcDpuRefusalReasonNone)
    return refusal;
  void *items = gen->units.items;
  xc_grow(&items, &gen->units.capacity, gen->units.count + 1, sizeof unit);
  gen->units.items = items;
  gen->units.items[gen->units.count++] = unit;
  return refusal;
}

XcDpuRefusal xc_units_add_layer(XcDpuCodeGen *gen, const XcDpuLayer *layer) {
  if (is_alu(layer->kind))
    return xc_split_alu(gen, layer);
  if (layer->kind == XcDpuLayerKindConv || layer->kind == XcDpuLayerKindFill)
    return xc_units_add(gen, layer, layer->output.channels);
  return xc_split_elew(gen, layer);
}
