//===- Random.h - numbers that depend on a seed only --------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TEST_FUZZ_GRAPH_RANDOM_H
#define XC_TEST_FUZZ_GRAPH_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A counter that is mixed: every state is a good seed.
typedef struct fuzz_random {
  uint64_t state;
} fuzz_random;

static inline uint64_t fuzz_next(fuzz_random *random) {
  uint64_t x = random->state += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ x >> 32) * UINT64_C(0xd6e8feb86659fd93);
  x = (x ^ x >> 32) * UINT64_C(0xd6e8feb86659fd93);
  return x ^ x >> 32;
}

/// `low` to `high`, both included.
static inline int64_t fuzz_range(fuzz_random *random, int64_t low,
                                 int64_t high) {
  uint64_t span = (uint64_t)(high - low) + 1;
  return low + (int64_t)(fuzz_next(random) % span);
}

static inline bool fuzz_chance(fuzz_random *random, int percent) {
  return fuzz_range(random, 0, 99) < percent;
}

static inline double fuzz_real(fuzz_random *random, double low, double high) {
  double unit = (double)(fuzz_next(random) >> 11) * 0x1p-53;
  return low + unit * (high - low);
}

/// One of `count` numbers.
static inline int64_t fuzz_pick(fuzz_random *random, const int64_t *numbers,
                                size_t count) {
  return numbers[fuzz_range(random, 0, (int64_t)count - 1)];
}

#define FUZZ_PICK(random, ...)                                                 \
  fuzz_pick(random, (const int64_t[]){__VA_ARGS__},                            \
            sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))

#endif // XC_TEST_FUZZ_GRAPH_RANDOM_H
