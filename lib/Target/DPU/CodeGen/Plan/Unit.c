//===- Unit.c - what is scheduled as one ----------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Unit.h"

#include "LayerKind.h"

#include "Support/Memory.h"

#include <string.h>

void xc_append_units(xc_units *units, const xc_unit *items, size_t count) {
  void *all = units->items;
  xc_grow(&all, &units->capacity, units->count + count, sizeof *items);
  units->items = all;
  if (count > 0)
    memcpy(units->items + units->count, items, count * sizeof *items);
  units->count += count;
}

xc_unit_layout xc_layout_in_ddr(const XcDpuTarget *target, size_t operands) {
  int32_t depth = target->image.depth;
  int32_t half = operands == 2 ? depth / 2 : 0;
  uint32_t first = xc_image_group(target, 0);
  return (xc_unit_layout){
      .saves = true,
      .input_area = {first, 0, depth - half},
      .operand_area = {first, depth - half, half},
      .output_area = {xc_image_group(target, 1), 0, depth},
  };
}

int32_t xc_unit_loaded_inputs(const xc_unit *unit) {
  int32_t count = 0;
  for (size_t k = 0; k < unit->layer.numInputs; ++k)
    count += !unit->layout.inputs[k];
  return count;
}

bool xc_have_same_windows(const xc_unit *a, const xc_unit *b) {
  const XcDpuLayer *p = &a->layer, *q = &b->layer;
  return a->kind->has_window && b->kind->has_window && !a->layout.inputs[0] &&
         !b->layout.inputs[0] && !a->layout.spreads_rows &&
         !b->layout.spreads_rows &&
         memcmp(&p->inputs[0], &q->inputs[0], sizeof p->inputs[0]) == 0 &&
         memcmp(&a->plan.input, &b->plan.input, sizeof a->plan.input) == 0 &&
         p->output.height == q->output.height &&
         p->output.width == q->output.width && p->kernelH == q->kernelH &&
         p->kernelW == q->kernelW && p->strideH == q->strideH &&
         p->strideW == q->strideW && p->padTop == q->padTop &&
         p->padLeft == q->padLeft;
}

uint32_t xc_free_buffer(const xc_units *units) {
  uint32_t most = 0;
  for (size_t u = 0; u < units->count; ++u) {
    const XcDpuLayer *layer = &units->items[u].layer;
    for (size_t k = 0; k < layer->numInputs; ++k)
      most = layer->inputs[k].buffer > most ? layer->inputs[k].buffer : most;
    most = layer->output.buffer > most ? layer->output.buffer : most;
  }
  return most + 1;
}
