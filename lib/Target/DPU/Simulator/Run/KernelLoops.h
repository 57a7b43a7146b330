//===- KernelLoops.h - loops that a compiler vectorises -----------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included by every variant of the kernels and compiled with its options.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_SIMULATOR_RUN_KERNELLOOPS_H
#define XC_TARGET_DPU_SIMULATOR_RUN_KERNELLOOPS_H

#include "Kernel.h"

#include <string.h>

static void loop_finish(int8_t *restrict bytes,
                        const int32_t *restrict accumulators,
                        const xc_conv_finish *finish, size_t num_pixels) {
  int32_t half = INT32_C(1) << (finish->shift - 1);
  for (size_t pixel = 0; pixel < num_pixels; ++pixel) {
    int8_t rounded[XC_KERNEL_LANES];
    for (size_t lane = 0; lane < XC_KERNEL_LANES; ++lane) {
      int32_t value = 2 * accumulators[lane] + finish->bias[lane];
      value = value > finish->lowest ? value : finish->lowest;
      // GCC and Clang define >> of negative values as an arithmetic shift.
      value = (value + half) >> finish->shift;
      value = value > INT8_MAX ? INT8_MAX : value;
      value = value < INT8_MIN ? INT8_MIN : value;
      rounded[lane] = (int8_t)value;
    }
    memcpy(bytes, rounded, finish->channels);
    bytes += finish->channels;
    accumulators += XC_KERNEL_LANES;
  }
}

static void loop_multiply_add(int32_t *restrict sums, const int8_t *restrict a,
                              const int8_t *restrict b, size_t count) {
  for (size_t i = 0; i < count; ++i)
    sums[i] += (int32_t)a[i] * (int32_t)b[i];
}

static void loop_add(int32_t *restrict sums, const int8_t *restrict a,
                     size_t count) {
  for (size_t i = 0; i < count; ++i)
    sums[i] += a[i];
}

static void loop_maximum(int8_t *restrict maxima, const int8_t *restrict a,
                         size_t count) {
  for (size_t i = 0; i < count; ++i)
    maxima[i] = a[i] > maxima[i] ? a[i] : maxima[i];
}

#endif // XC_TARGET_DPU_SIMULATOR_RUN_KERNELLOOPS_H
