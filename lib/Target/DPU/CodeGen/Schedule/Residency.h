//===- Residency.h - what stays in the banks ----------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_SCHEDULE_RESIDENCY_H
#define XC_TARGET_DPU_CODEGEN_SCHEDULE_RESIDENCY_H

#include "BankMemory.h"
#include "Search.h"
#include "TensorBuffers.h"

/// Which cascades are looked at.
typedef struct xc_cascade_limits {
  int patience;             // units that are added without a gain
  int64_t min_gain_divisor; // a gain of less than 1 / this is none
} xc_cascade_limits;

typedef struct xc_residency {
  xc_schedule *schedule;
  xc_search *search;
  const XcDpuTarget *target;
  xc_units *units; // of the schedule
  xc_tensor_buffers buffers;
  xc_bank_memory memory;
  int64_t *apart; // ends of the units if there are no cascades
  /// Units for which the words of a new buffer have been free, if possible.
  size_t idle_units;
  xc_cascade_limits limits;
  /// Whether buffers that are held may pass through a cascade instead.
  bool may_release;
  /// Whether no cascade is looked at that becomes impossible on the way.
  bool only_grows;
} xc_residency;

enum { XC_INFEASIBLE = -1 };

/// Plans a unit with the two widest gaps of the banks, in the best of all ways
/// in which input, operand and output can have them. Its cycles by itself.
int64_t xc_replan_unit(xc_residency *residency, size_t u);

/// Decides for every tensor buffer whether it is held in the banks as a whole,
/// and sets the layouts of the units.
void xc_hold_buffers(xc_residency *residency);

/// Lets others have the words of a buffer that is held, or the buffer have them
/// again. The uses of the buffer stay as they are.
void xc_set_held(xc_residency *residency, xc_tensor_buffer *buffer,
                 bool is_held);
/// Gives the buffers that units first..last use their words back.
void xc_hold_again(xc_residency *residency, size_t first, size_t last);

/// Buffers that pass from unit to unit through rolling buffers.
void xc_form_cascades(xc_residency *residency);

/// Whether a use finds the rows as its windows need them.
bool xc_use_suits(const xc_units *units, const xc_buffer_use *use,
                  const xc_bank_image *image);
/// Points the uses up to `last_unit` at the image.
void xc_point_uses(xc_residency *residency, const xc_tensor_buffer *buffer,
                   const xc_bank_image *image, size_t last_unit);
/// Lets those writers save of which something is read from DDR.
void xc_set_saves(xc_residency *residency, const xc_tensor_buffer *buffer,
                  const xc_bank_image *image);

/// Returns the image of a buffer in the banks, without a base.
xc_bank_image xc_bank_image_of(const xc_residency *residency,
                               const xc_tensor_buffer *buffer);

#endif // XC_TARGET_DPU_CODEGEN_SCHEDULE_RESIDENCY_H
