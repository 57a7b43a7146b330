//===- KernelAvx512Vnni.c - inner loops for AVX-512 VNNI ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dot product of four bytes takes an unsigned and a signed operand. The
// input is made unsigned by adding 128, and 128 times the sum of the weights
// is taken off at the end: sum (x + 128) w - 128 sum w.
//
// Packed weights: 16 sums of 32 bits, then [kernel_h][(run + 3) / 4][lane][4]
// bytes with zeros after the run.
//
//===----------------------------------------------------------------------===//

#include "KernelLoops.h"

#include <immintrin.h>
#include <string.h>

#define PIXELS 8

static bool is_supported(void) {
  return __builtin_cpu_supports("avx512f") &&
         __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512vnni");
}

static size_t packed_size(size_t kernel_h, size_t run) {
  return XC_KERNEL_LANES * sizeof(int32_t) +
         kernel_h * ((run + 3) / 4) * XC_KERNEL_LANES * 4;
}

static void pack_lane(int8_t *out, int32_t *sum, const int8_t *weights,
                      size_t kernel_h, size_t run) {
  *sum = 0;
  for (size_t i = 0; i < kernel_h; ++i)
    for (size_t k = 0; k < run; k += 4, out += XC_KERNEL_LANES * 4) {
      size_t left = run - k < 4 ? run - k : 4;
      int8_t group[4] = {0};
      if (weights)
        memcpy(group, weights + i * run + k, left);
      *sum += group[0] + group[1] + group[2] + group[3];
      memcpy(out, group, sizeof group);
    }
}

static void pack(void *packed, const int8_t *const *lanes, size_t kernel_h,
                 size_t run) {
  int32_t sums[XC_KERNEL_LANES];
  int8_t *weights = (int8_t *)packed + sizeof sums;
  for (size_t lane = 0; lane < XC_KERNEL_LANES; ++lane) {
    pack_lane(weights + lane * 4, &sums[lane], lanes[lane], kernel_h, run);
    sums[lane] *= 128;
  }
  memcpy(packed, sums, sizeof sums);
}

static void prepare(void *elements, const int8_t *bytes, size_t count) {
  uint8_t *out = elements;
  for (size_t i = 0; i < count; ++i)
    out[i] = (uint8_t)bytes[i] ^ 0x80u;
}

static __m512i broadcast_four(const uint8_t *bytes) {
  int32_t bits;
  memcpy(&bits, bytes, sizeof bits);
  return _mm512_set1_epi32(bits);
}

/// One kernel window of `count` <= PIXELS pixels.
static inline void convolve_pixels(const xc_conv_window *window,
                                   const uint8_t *input, const uint8_t *packed,
                                   int32_t *accumulators, size_t count) {
  __m512i sums[PIXELS];
  __m512i zero = _mm512_setzero_si512();
  __m512i start = _mm512_sub_epi32(zero, _mm512_loadu_si512(packed));
  for (size_t p = 0; p < count; ++p)
    sums[p] = start;
  const uint8_t *weights = packed + XC_KERNEL_LANES * sizeof(int32_t);
  for (size_t i = 0; i < window->kernel_h; ++i) {
    const uint8_t *row = input + i * window->row_pitch;
    for (size_t k = 0; k < window->run; k += 4, weights += 64) {
      __m512i w = _mm512_loadu_si512(weights);
      for (size_t p = 0; p < count; ++p)
        sums[p] = _mm512_dpbusd_epi32(
            sums[p], broadcast_four(row + p * window->pixel_pitch + k), w);
    }
  }
  for (size_t p = 0; p < count; ++p)
    _mm512_storeu_si512(accumulators + p * XC_KERNEL_LANES, sums[p]);
}

static void convolve(const xc_conv_window *window, const void *packed,
                     int32_t *accumulators) {
  const uint8_t *input = window->input;
  size_t pixel = 0;
  // The constant count unrolls the loops over pixels.
  for (; pixel + PIXELS <= window->num_pixels; pixel += PIXELS)
    convolve_pixels(window, input + pixel * window->pixel_pitch, packed,
                    accumulators + pixel * XC_KERNEL_LANES, PIXELS);
  for (; pixel + 2 <= window->num_pixels; pixel += 2)
    convolve_pixels(window, input + pixel * window->pixel_pitch, packed,
                    accumulators + pixel * XC_KERNEL_LANES, 2);
  if (pixel < window->num_pixels)
    convolve_pixels(window, input + pixel * window->pixel_pitch, packed,
                    accumulators + pixel * XC_KERNEL_LANES, 1);
}

const xc_kernel xc_kernel_avx512vnni = {
    .name = "avx512vnni",
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
