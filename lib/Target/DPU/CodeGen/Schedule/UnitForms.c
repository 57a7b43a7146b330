//===- UnitForms.c - alternative forms of units ---------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnitForms.h"

#include "TensorBuffers.h"

#include "Target/DPU/CodeGen/Plan/LayerKind.h"
#include "Target/DPU/CodeGen/Plan/Reshape.h"

/// Gives a layer other rows. Returns false if it keeps its own.
typedef bool (*layer_reshape)(const XcDpuTarget *target, XcDpuLayer *layer);

/// Gives units the rows that `reshape` gives their layers, where they can be
/// planned then.
static bool reshape_units(const XcDpuTarget *target, xc_units *units,
                          layer_reshape reshape) {
  bool has_reshaped = false;
  for (size_t u = 0; u < units->count; ++u) {
    xc_unit now = units->items[u];
    if (!reshape(target, &now.layer) || !xc_plan_unit(target, &now))
      continue;
    units->items[u] = now;
    has_reshaped = true;
  }
  return has_reshaped;
}

bool xc_form_short_rows(const XcDpuTarget *target, xc_units *units) {
  return reshape_units(target, units, xc_reshape_long_rows);
}

bool xc_form_signals(const XcDpuTarget *target, xc_units *units) {
  return reshape_units(target, units, xc_reshape_signal);
}

bool xc_form_blocks(const XcDpuTarget *target, xc_units *units) {
  bool has_reshaped = false;
  for (size_t u = 0; u < units->count; ++u)
    has_reshaped |= xc_reshape_blocks(target, &units->items[u]);
  return has_reshaped;
}

/// Gives elementwise units fuller pixels where that makes them more than
/// `times` times as fast.
static bool flatten_to(const XcDpuTarget *target, xc_units *units,
                       int32_t times) {
  bool has_flattened = false;
  for (size_t u = 0; u < units->count; ++u)
    has_flattened |= xc_flatten_unit(target, &units->items[u], times);
  return has_flattened;
}

bool xc_form_flat_lists(const XcDpuTarget *target, xc_units *units) {
  return flatten_to(target, units, 2);
}

bool xc_form_flat(const XcDpuTarget *target, xc_units *units) {
  return flatten_to(target, units, 1);
}

bool xc_form_strips(const XcDpuTarget *target, xc_units *units) {
  bool has_more = false;
  for (size_t u = 0; u < units->count; ++u) {
    xc_unit now = units->items[u];
    bool had_strips = now.plan.tiles.strips.rows > 0;
    now.layout.allows_strips = true;
    if (!now.kind->has_window || !xc_plan_unit(target, &now))
      continue;
    units->items[u] = now;
    has_more |= now.plan.tiles.strips.rows > 0 && !had_strips;
  }
  return has_more;
}

/// Lets units load their input without augmentation: all of them, or those of
/// layers whose first unit is faster then.
static bool leave_augmented(const XcDpuTarget *target, xc_units *units,
                            bool if_faster) {
  bool has_left = false, leaves = false;
  for (size_t u = 0; u < units->count; ++u) {
    xc_unit *unit = &units->items[u], other = *unit;
    if (unit->plan.augmentation.channels == 0)
      continue;
    other.columns = 0;
    bool is_planned = xc_plan_unit(target, &other);
    if (u == 0 || unit->number != units->items[u - 1].number)
      leaves = is_planned &&
               (!if_faster || xc_unit_cycles(&other) < xc_unit_cycles(unit));
    if (leaves && is_planned)
      *unit = other;
    has_left |= leaves && is_planned;
  }
  return has_left;
}

bool xc_form_plain_input(const XcDpuTarget *target, xc_units *units) {
  return leave_augmented(target, units, true);
}

bool xc_form_all_plain_inputs(const XcDpuTarget *target, xc_units *units) {
  return leave_augmented(target, units, false);
}

bool xc_form_spread_rows(const XcDpuTarget *target, xc_units *units) {
  bool has_spread = false;
  xc_tensor_buffers buffers;
  xc_tensor_buffers_collect(&buffers, target, units);
  for (size_t u = 0; u < units->count; ++u) {
    xc_unit now = units->items[u];
    uint32_t input = now.layer.inputs[0].buffer;
    now.layout.spreads_rows = true;
    if (now.layer.kind != XcDpuLayerKindConv || !xc_plan_unit(target, &now) ||
        now.plan.request.source_words == 0 ||
        (input && buffers.items[input].num_writers > 0))
      continue;
    units->items[u] = now;
    has_spread = true;
  }
  xc_tensor_buffers_free(&buffers);
  return has_spread;
}
