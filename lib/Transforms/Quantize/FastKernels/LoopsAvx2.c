//===- LoopsAvx2.c - inner loops for AVX2 ---------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>

typedef __m256d vector;
enum { POINTS = 6, VECTORS = 2, LANES = 4 };

static inline vector load(const double *from) { return _mm256_loadu_pd(from); }
static inline void store(double *to, vector a) { _mm256_storeu_pd(to, a); }
static inline vector broadcast(double a) { return _mm256_set1_pd(a); }
static inline vector multiply_add(vector a, vector b, vector c) {
  return _mm256_fmadd_pd(a, b, c);
}
static inline vector times(vector a, vector b) { return _mm256_mul_pd(a, b); }
static inline vector add(vector a, vector b) { return _mm256_add_pd(a, b); }
static inline vector subtract(vector a, vector b) {
  return _mm256_sub_pd(a, b);
}
static inline vector minimum(vector a, vector b) { return _mm256_min_pd(a, b); }
static inline vector maximum(vector a, vector b) { return _mm256_max_pd(a, b); }
// `a` in the lanes where the difference is a half, else 0.
static inline vector where_half(vector difference, vector a) {
  return _mm256_and_pd(_mm256_cmp_pd(difference, broadcast(0.5), _CMP_EQ_OQ),
                       a);
}

typedef __m256i whole_vector;

static inline whole_vector load_whole(const void *from) {
  return _mm256_loadu_si256(from);
}
static inline void store_whole(void *to, whole_vector a) {
  _mm256_storeu_si256(to, a);
}
static inline whole_vector broadcast_whole(int32_t a) {
  return _mm256_set1_epi32(a);
}
static inline whole_vector multiply_whole(whole_vector a, whole_vector b) {
  return _mm256_madd_epi16(a, b);
}
static inline whole_vector add_whole(whole_vector a, whole_vector b) {
  return _mm256_add_epi32(a, b);
}

#include "VectorLoops.h"

static bool is_supported(void) {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

const xc_calibrate_loops xc_calibrate_avx2 = {
    .name = "avx2",
    .is_supported = is_supported,
    .points = POINTS,
    .outputs = VECTORS * LANES,
    .multiply = multiply,
    .multiply_few = multiply_few,
    .interleave = interleave,
    .multiply_pairs = multiply_pairs,
    .multiply_rounded = multiply_rounded,
    .subtract = subtract_products,
    .score = score,
};
