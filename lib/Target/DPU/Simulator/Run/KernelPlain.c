//===- KernelPlain.c - inner loops in plain C -----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Packed weights: [kernel_h][run][lane], one byte each.
//
//===----------------------------------------------------------------------===//

#include "KernelLoops.h"

#include <string.h>

static bool is_supported(void) { return true; }

static size_t packed_size(size_t kernel_h, size_t run) {
  return kernel_h * run * XC_KERNEL_LANES;
}

static void pack(void *packed, const int8_t *const *lanes, size_t kernel_h,
                 size_t run) {
  int8_t *out = packed;
  for (size_t k = 0; k < kernel_h * run; ++k)
    for (size_t lane = 0; lane < XC_KERNEL_LANES; ++lane)
      *out++ = lanes[lane] ? lanes[lane][k] : 0;
}

static void prepare(void *elements, const int8_t *bytes, size_t count) {
  memcpy(elements, bytes, count);
}

static void convolve(const xc_conv_window *window, const void *packed,
                     int32_t *accumulators) {
  for (size_t pixel = 0; pixel < window->num_pixels; ++pixel) {
    const int8_t *weights = packed;
    int32_t sums[XC_KERNEL_LANES] = {0};
    for (size_t i = 0; i < window->kernel_h; ++i) {
      const int8_t *input = (const int8_t *)window->input +
                            i * window->row_pitch + pixel * window->pixel_pitch;
      for (size_t k = 0; k < window->run; ++k, weights += XC_KERNEL_LANES)
        for (size_t lane = 0; lane < XC_KERNEL_LANES; ++lane)
          sums[lane] += (int32_t)input[k] * (int32_t)weights[lane];
    }
    memcpy(accumulators + pixel * XC_KERNEL_LANES, sums, sizeof sums);
  }
}

const xc_kernel xc_kernel_plain = {
    .name = "plain",
    .is_supported = is_supported,
    .input_size = 1,
    .packed_size = packed_size,
    .pack = pack,
    .prepare = prepare,
    .convolve = convolve,
    .finish = loop_finish,
    .multiply_add = loop_multiply_add,
    .add = loop_add,
    .maximum = loop_maximum,
};
