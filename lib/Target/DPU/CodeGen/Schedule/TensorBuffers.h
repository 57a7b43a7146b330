//===- TensorBuffers.h - which units use a buffer -----------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Images with the same buffer number are parts of one buffer. A buffer can be
// held in the banks if each of its writers writes all rows of some of its
// channels, or, if the writer has windows, of some of its columns, and if each
// pixel is written once.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_SCHEDULE_TENSORBUFFERS_H
#define XC_TARGET_DPU_CODEGEN_SCHEDULE_TENSORBUFFERS_H

#include "Target/DPU/CodeGen/Plan/Unit.h"

enum { XC_OUTPUT_SLOT = XC_DPU_MAX_INPUTS };

/// An image of a unit: input `slot`, or XC_OUTPUT_SLOT.
typedef struct xc_buffer_use {
  size_t unit;
  size_t slot;
  int32_t row;   // the first one
  int32_t word;  // the first one, of a row
  bool can_hold; // the unit can work on it in the banks
} xc_buffer_use;

typedef struct xc_tensor_buffer {
  XcDpuImage image;    // all channels
  xc_buffer_use *uses; // in the order of the units
  size_t num_uses, num_writers;
  bool can_hold;
  bool is_kept; // its contents are needed in DDR in any case
  /// The image that is held in the banks; null: in DDR only.
  xc_bank_image *resident;
  xc_bank_image *suspended; // what was held, and is not in a cascade
  size_t reservation;       // of what is held or was
} xc_tensor_buffer;

typedef struct xc_tensor_buffers {
  xc_tensor_buffer *items; // buffer 0 is none
  size_t count;
  xc_buffer_use *uses;
} xc_tensor_buffers;

void xc_tensor_buffers_collect(xc_tensor_buffers *buffers,
                               const XcDpuTarget *target,
                               const xc_units *units);
void xc_tensor_buffers_free(xc_tensor_buffers *buffers);

static inline bool xc_use_is_write(const xc_buffer_use *use) {
  return use->slot == XC_OUTPUT_SLOT;
}

/// Whether the images of both uses have pixels in common. Images of another
/// geometry than the buffer's count as all of it.
bool xc_uses_overlap(const xc_tensor_buffer *buffer, const xc_units *units,
                     const xc_buffer_use *a, const xc_buffer_use *b);

/// The image of a use.
const XcDpuImage *xc_use_image(const xc_units *units, const xc_buffer_use *use);

/// Returns the number of rows in a bank that suit the first use by windows
/// which has room for the buffer in the banks; 1 when there is none.
int32_t xc_buffer_bank_rows(const xc_tensor_buffer *buffer,
                            const xc_units *units);

#endif // XC_TARGET_DPU_CODEGEN_SCHEDULE_TENSORBUFFERS_H
