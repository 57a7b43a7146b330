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
#include "Target/DPU/CodeGen/Emit/Emit.h"
#include "TensorBuffers.h"

typedef struct xc_residency {
  XcDpuCodeGen *gen;
  const XcDpuTarget *target;
  xc_arena *arena; // of bank images
  xc_units *units;
  xc_buffers buffers;
  xc_bank_memory memory;
  int64_t *cycles; // of each unit as it is, by its plan
  int64_t *apart;  // ends of the units if there are no groups
} xc_residency;

/// Decides for every buffer whether it is held in the banks, and gives the
/// units their places.
void xc_plan_residency(XcDpuCodeGen *gen);

/// Buffers that pass from unit to unit strip by strip.
void xc_form_groups(xc_residency *residency);

/// Whether a use finds the rows as its windows need them.
bool xc_use_suits(const xc_units *units, const xc_buffer_use *use,
                  const xc_bank_image *image);
/// Points the uses up to `last_unit` at the image.
void xc_point_uses(xc_residency *residency, const xc_buffer *buffer,
                   const xc_bank_image *image, size_t last_unit);
/// Lets writers save what is read from DDR. False if only a part of that is
/// read, which would be saved for nothing.
bool xc_set_saves(xc_residency *residency, const xc_buffer *buffer,
                  const xc_bank_image *image);

/// The image of a buffer in the banks, without a base.
xc_bank_image xc_bank_image_of(const xc_residency *residency,
                               const xc_buffer *buffer);

#endif // XC_TARGET_DPU_CODEGEN_SCHEDULE_RESIDENCY_H
