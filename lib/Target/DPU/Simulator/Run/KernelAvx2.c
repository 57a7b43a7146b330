//===- KernelAvx2.c - inner loops for AVX2 --------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bytes are widened to 16 bits, because the 8-bit multiply-add of AVX2
// saturates. Packed weights: [kernel_h][(run + 1) / 2][lane][2], 16 bits each,
// with zeros after an odd run.
//
//===----------------------------------------------------------------------===//

#include "KernelLoops.h"

#include <immintrin.h>
#include <string.h>

#define PIXELS 4

static bool is_supported(void) { return __builtin_cpu_supports("avx2") != 0; }

static size_t packed_size(size_t kernel_h, size_t run) {
  return kernel_h * ((run + 1) / 2) * XC_KERNEL_LANES * 2 * sizeof(int16_t);
}

static void pack(void *packed, const int8_t *const *lanes, size_t kernel_h,
                 size_t run) {
  int16_t *out = packed;
  for (size_t i = 0; i < kernel_h; ++i)
    for (size_t k = 0; k < run; k += 2)
      for (size_t lane = 0; lane < XC_KERNEL_LANES; ++lane)
        for (size_t e = k; e < k + 2; ++e)
          *out++ = lanes[lane] && e < run ? lanes[lane][i * run + e] : 0;
}

static void prepare(void *elements, const int8_t *bytes, size_t count) {
  int16_t *out = elements;
  for (size_t i = 0; i < count; ++i)
    out[i] = bytes[i];
}

static __m256i broadcast_pair(const int16_t *pair) {
  int32_t bits;
  memcpy(&bits, pair, sizeof bits);
  return _mm256_set1_epi32(bits);
}

/// One kernel window of `count` <= PIXELS pixels.
static inline void convolve_pixels(const xc_conv_window *window,
                                   const int16_t *input, const int16_t *weights,
                                   int32_t *accumulators, size_t count) {
  __m256i low[PIXELS], high[PIXELS];
  for (size_t p = 0; p < count; ++p)
    low[p] = high[p] = _mm256_setzero_si256();
  for (size_t i = 0; i < window->kernel_h; ++i) {
    const int16_t *row = input + i * window->row_pitch;
    for (size_t k = 0; k < window->run; k += 2, weights += 32) {
      __m256i w0 = _mm256_loadu_si256((const __m256i *)weights);
      __m256i w1 = _mm256_loadu_si256((const __m256i *)(weights + 16));
      for (size_t p = 0; p < count; ++p) {
        __m256i x = broadcast_pair(row + p * window->pixel_pitch + k);
        low[p] = _mm256_add_epi32(low[p], _mm256_madd_epi16(x, w0));
        high[p] = _mm256_add_epi32(high[p], _mm256_madd_epi16(x, w1));
      }
    }
  }
  for (size_t p = 0; p < count; ++p, accumulators += XC_KERNEL_LANES) {
    _mm256_storeu_si256((__m256i *)accumulators, low[p]);
    _mm256_storeu_si256((__m256i *)(accumulators + 8), high[p]);
  }
}

static void convolve(const xc_conv_window *window, const void *packed,
                     int32_t *accumulators) {
  const int16_t *input = window->input;
  size_t pixel = 0;
  // The constant count unrolls the loops over pixels.
  for (; pixel + PIXELS <= window->num_pixels; pixel += PIXELS)
    convolve_pixels(window, input + pixel * window->pixel_pitch, packed,
                    accumulators + pixel * XC_KERNEL_LANES, PIXELS);
  for (; pixel < window->num_pixels; ++pixel)
    convolve_pixels(window, input + pixel * window->pixel_pitch, packed,
                    accumulators + pixel * XC_KERNEL_LANES, 1);
}

const xc_kernel xc_kernel_avx2 = {
    .name = "avx2",
    .is_supported = is_supported,
    .input_size = sizeof(int16_t),
    .packed_size = packed_size,
    .pack = pack,
    .prepare = prepare,
    .convolve = convolve,
    .finish = loop_finish,
    .multiply_add = loop_multiply_add,
    .add = loop_add,
    .maximum = loop_maximum,
};
