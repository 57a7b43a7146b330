//===- Check.c - limits of the engines ------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "Machine.h"

#include <inttypes.h>

enum {
  /// Blocks of window rows that have an address.
  MAX_BLOCKS = 4,
};

bool xc_check_range(xc_text *why, const char *field, int64_t value,
                    int64_t minimum, int64_t maximum) {
  if (value >= minimum && value <= maximum)
    return true;
  xc_text_printf(why, "'%s' is %" PRId64 ", expected %" PRId64 " to %" PRId64,
                 field, value, minimum, maximum);
  return false;
}

static bool check_limit(xc_text *why, const char *field, uint32_t value,
                        XcDpuRange range) {
  return xc_check_range(why, field, value, range.minimum, range.maximum);
}

bool xc_check_image_bank(const XcDpuTarget *target, xc_text *why,
                         const char *field, uint32_t bank) {
  const XcDpuBanks *image = &target->image;
  return xc_check_range(why, field, bank, image->firstBank,
                        image->firstBank + image->numGroups * image->numBanks -
                            1);
}

bool xc_check_activation(XcDpuSet allowed, uint32_t act_type, xc_text *why) {
  if (xcDpuSetHas(allowed, act_type))
    return true;
  const char *name = xcDpuActivationGetName((XcActivation)act_type);
  xc_text_printf(why, "'act_type' is %" PRIu32 " (%s), which the engine lacks",
                 act_type, name ? name : "unknown");
  return false;
}

bool xc_check_bias(const XcDpuTarget *target, int32_t shift, xc_text *why) {
  XcDpuRange range = xc_machine_of(target)->bias_shift;
  if (shift >= range.minimum && shift <= range.maximum)
    return true;
  xc_text_printf(why,
                 "the bias is shifted left by %" PRId32 ", expected %" PRId32
                 " to %" PRId32,
                 shift, range.minimum, range.maximum);
  return false;
}

bool xc_check_weights(const XcDpuBanks *banks, const char *of, uint32_t words,
                      xc_text *why) {
  if (words <= (uint32_t)banks->depth)
    return true;
  xc_text_printf(
      why, "the weights of %s take %" PRIu32 " words, a bank has %" PRId32, of,
      words, banks->depth);
  return false;
}

/// Every row of the window must lie in a block that has an address.
static bool check_blocks(const XcDpuTarget *target, const xc_window *window,
                         xc_text *why) {
  const xc_walk *walk = &window->walk;
  uint32_t last =
      walk->position + (walk->offset + window->rows - 1) / walk->stride;
  uint32_t blocks = last / (uint32_t)target->pixelParallel + 1;
  if (blocks <= MAX_BLOCKS)
    return true;
  xc_text_printf(why,
                 "the input window of %" PRIu32 " rows lies in %" PRIu32
                 " blocks of banks, expected at most %d",
                 window->rows, blocks, MAX_BLOCKS);
  return false;
}

bool xc_check_engine(const XcDpuTarget *target, const XcDpuEngine *engine,
                     const xc_op *op, xc_text *why) {
  const xc_window *window = &op->window;
  return xc_check_range(why, "valid_pixel_parallel", op->output.rows, 1,
                        engine->rows) &&
         check_limit(why, "kernel_h", window->kernel_h, engine->kernelH) &&
         check_limit(why, "kernel_w", window->kernel_w, engine->kernelW) &&
         check_limit(why, "stride_h", window->stride_h, engine->strideH) &&
         check_limit(why, "stride_w", window->stride_w, engine->strideW) &&
         xc_check_range(why, "stride_offset_in", window->walk.offset, 0,
                        (int64_t)window->stride_h - 1) &&
         check_blocks(target, window, why);
}
