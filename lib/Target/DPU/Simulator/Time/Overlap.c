//===- Overlap.c - layers that overlap in time ----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timeline.h"

#include "Support/Memory.h"

#include <math.h>
#include <stdlib.h>

/// Differences of time below this are rounding.
static const double tiny = 1e-6;

/// Whether the instruction may run while the layer before it still does.
static bool comes_early(const xc_operation *kind) {
  return kind->class == XC_OP_LOAD || kind->class == XC_OP_INIT;
}

void xc_timeline_find_groups(XcDpuTimeline *timeline) {
  const XcDpuProgram *program = timeline->program;
  size_t num_layers = program->num_layers;
  // When a layer and all before it have ended, and when it begins to work.
  double *ends = xc_alloc_array(num_layers, sizeof *ends);
  double *works = xc_alloc_array(num_layers, sizeof *works);
  for (size_t l = 0; l < num_layers; ++l)
    works[l] = INFINITY;
  double latest = 0;
  for (size_t i = 0; i < program->count; ++i) {
    latest = fmax(latest, timeline->ends[i]);
    size_t layer = xcDpuProgramGetLayerOf(program, i);
    if (layer == SIZE_MAX)
      continue;
    ends[layer] = latest;
    if (!comes_early(xc_program_kind(program, i)))
      works[layer] = fmin(works[layer], timeline->starts[i]);
  }
  // From here on: the layer and all after it.
  for (size_t l = num_layers; l-- > 1;)
    works[l - 1] = fmin(works[l - 1], works[l]);
  for (size_t l = 1; l < num_layers; ++l)
    timeline->groups[l] =
        timeline->groups[l - 1] + (works[l] >= ends[l - 1] - tiny);
  free(ends);
  free(works);
}

size_t xcDpuTimelineGetGroup(const XcDpuTimeline *timeline, size_t layer) {
  return timeline->groups[layer];
}
