//===- Groups.c - cost of fix points by groups of channels ----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layer whose groups of output channels have fix points of their own is the
// same layer with other shifts for each group: instructions that set nothing
// but shifts are what it costs. The order of the channels costs nothing.
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include <string.h>

static bool is_shift(const XcDpuField *field) {
  return strcmp(field->name, "shift_cut") == 0 ||
         strcmp(field->name, "shift_bias") == 0;
}

/// Whether the second one only changes shifts that the first one has set.
static bool sets_shifts(const XcDpuIsa *isa, const XcDpuInstruction *first,
                        const XcDpuInstruction *second) {
  const XcDpuOpcodeInfo *info = xcDpuIsaGetInfo(isa, second->opcode);
  bool differs = false;
  if (!info || first->opcode != second->opcode)
    return false;
  for (unsigned i = 0; i < info->numFields; ++i) {
    const XcDpuField *field = &info->fields[i];
    bool is_same =
        first->fields[field->member] == second->fields[field->member];
    if (!is_same && !is_shift(field))
      return false;
    differs |= !is_same;
  }
  return differs;
}

static bool has_shifts(const XcDpuIsa *isa, const XcDpuInstruction *insn) {
  const XcDpuOpcodeInfo *info = xcDpuIsaGetInfo(isa, insn->opcode);
  for (unsigned i = 0; info && i < info->numFields; ++i)
    if (is_shift(&info->fields[i]))
      return true;
  return false;
}

static bool is_convolution(const XcDpuLayer *layer) {
  return layer->kind == XcDpuLayerKindConv ||
         layer->kind == XcDpuLayerKindDepthwise ||
         layer->kind == XcDpuLayerKindDiagonal;
}

json_t *xc_driver_report_groups(const xc_compilation *c,
                                const xc_dpu_function *function,
                                const XcDpuTimeline *timeline) {
  const XcDpuIsa *isa = xcDpuIsaGet(c->target->isa);
  json_int_t layers = 0, all = 0, instructions = 0;
  size_t num_layers = xcDpuCodeGenGetNumLayers(function->gen);
  for (size_t l = 0; l < num_layers; ++l) {
    const XcDpuLayer *layer = xcDpuCodeGenGetLayer(function->gen, l);
    all += is_convolution(layer);
    layers += layer->wordShifts != NULL;
  }
  if (layers == 0)
    return NULL;
  double cycles = 0;
  XcDpuInstruction last[XC_DPU_NUM_OPCODES] = {0}, now;
  size_t layer_of[XC_DPU_NUM_OPCODES];
  for (size_t i = 0; i < XC_DPU_NUM_OPCODES; ++i)
    layer_of[i] = SIZE_MAX;
  size_t count = xcDpuProgramGetNumInstructions(function->program);
  for (size_t i = 0; i < count; ++i) {
    xcDpuProgramGetInstruction(function->program, i, &now);
    size_t layer = xcDpuCodeGenGetLayerOf(function->gen, i);
    if (layer >= num_layers || !has_shifts(isa, &now))
      continue;
    if (layer_of[now.opcode] == layer &&
        xcDpuCodeGenGetLayer(function->gen, layer)->wordShifts &&
        sets_shifts(isa, &last[now.opcode], &now)) {
      ++instructions;
      cycles += xcDpuTimelineGetCritical(timeline, i);
    }
    last[now.opcode] = now;
    layer_of[now.opcode] = layer;
  }
  return json_pack("{sI sI sI sf}", "layers", layers, "of", all, "instructions",
                   instructions, "cycles", cycles);
}
