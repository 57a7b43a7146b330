//===- Md5.c - MD5 --------------------------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Md5.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 64, LENGTH_AT = 56 };

typedef struct md5_state {
  uint32_t words[4];
  uint32_t sines[BLOCK]; // of each step
} md5_state;

static uint32_t rotate(uint32_t x, unsigned bits) {
  return x << bits | x >> (32 - bits);
}

static uint32_t mix(unsigned round, uint32_t b, uint32_t c, uint32_t d) {
  switch (round) {
  case 0:
    return (b & c) | (~b & d);
  case 1:
    return (b & d) | (c & ~d);
  case 2:
    return b ^ c ^ d;
  default:
    return c ^ (b | ~d);
  }
}

static void set_sines(md5_state *state) {
  for (unsigned i = 0; i < BLOCK; ++i)
    state->sines[i] = (uint32_t)(fabs(sin(i + 1.0)) * 4294967296.0);
}

/// One step. The registers of the next one are those of this one, turned by
/// one place.
static inline void step(unsigned round, unsigned shift, uint32_t *a, uint32_t b,
                        uint32_t c, uint32_t d, uint32_t addend) {
  *a = b + rotate(*a + mix(round, b, c, d) + addend, shift);
}

/// Sixteen steps. The word of the block in step i is (factor * i + first) % 16.
static inline void add_round(md5_state *state, unsigned round,
                             const uint32_t *words, unsigned factor,
                             unsigned first, const unsigned shifts[4]) {
  const uint32_t *sines = state->sines + 16 * round;
  uint32_t a = state->words[0], b = state->words[1], c = state->words[2],
           d = state->words[3];
  for (unsigned i = 0; i < 16; i += 4, sines += 4) {
    unsigned at = factor * i + first;
    step(round, shifts[0], &a, b, c, d, words[at % 16] + sines[0]);
    at += factor;
    step(round, shifts[1], &d, a, b, c, words[at % 16] + sines[1]);
    at += factor;
    step(round, shifts[2], &c, d, a, b, words[at % 16] + sines[2]);
    at += factor;
    step(round, shifts[3], &b, c, d, a, words[at % 16] + sines[3]);
  }
  state->words[0] = a;
  state->words[1] = b;
  state->words[2] = c;
  state->words[3] = d;
}

static void add_block(md5_state *state, const unsigned char *block) {
  static const unsigned shifts[4][4] = {
      {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
  uint32_t words[BLOCK / 4], before[4];
  for (unsigned i = 0; i < BLOCK / 4; ++i, block += 4)
    words[i] = (uint32_t)block[0] | (uint32_t)block[1] << 8 |
               (uint32_t)block[2] << 16 | (uint32_t)block[3] << 24;
  memcpy(before, state->words, sizeof before);
  add_round(state, 0, words, 1, 0, shifts[0]);
  add_round(state, 1, words, 5, 1, shifts[1]);
  add_round(state, 2, words, 3, 5, shifts[2]);
  add_round(state, 3, words, 7, 0, shifts[3]);
  for (unsigned i = 0; i < 4; ++i)
    state->words[i] += before[i];
}

void xc_md5(const void *data, size_t size, char digits[XC_MD5_DIGITS + 1]) {
  md5_state state = {.words = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476}};
  set_sines(&state);
  const unsigned char *bytes = data;
  size_t whole = size / BLOCK * BLOCK, rest = size - whole;
  for (size_t at = 0; at < whole; at += BLOCK)
    add_block(&state, bytes + at);
  // A one, zeros, the length in bits.
  unsigned char tail[2 * BLOCK] = {0};
  if (rest)
    memcpy(tail, bytes + whole, rest);
  tail[rest] = 0x80;
  size_t blocks = rest < LENGTH_AT ? 1 : 2;
  for (unsigned i = 0; i < 8; ++i)
    tail[(blocks - 1) * BLOCK + LENGTH_AT + i] =
        (unsigned char)((uint64_t)size * 8 >> 8 * i);
  for (size_t i = 0; i < blocks; ++i)
    add_block(&state, tail + i * BLOCK);
  for (unsigned i = 0; i < 16; ++i)
    snprintf(digits + 2 * i, 3, "%02x",
             (unsigned)(state.words[i / 4] >> 8 * (i % 4) & 0xff));
}
