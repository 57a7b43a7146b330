//===- Md5.c - checksums as the field's tools note them -------------------===//
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

static void add_block(md5_state *state, const unsigned char *block) {
  static const unsigned shifts[4][4] = {
      {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
  // The word of the block in step i of a round is (factor * i + first) % 16.
  static const unsigned factors[4] = {1, 5, 3, 7}, firsts[4] = {0, 1, 5, 0};
  uint32_t words[BLOCK / 4];
  for (unsigned i = 0; i < BLOCK / 4; ++i, block += 4)
    words[i] = (uint32_t)block[0] | (uint32_t)block[1] << 8 |
               (uint32_t)block[2] << 16 | (uint32_t)block[3] << 24;
  uint32_t a = state->words[0], b = state->words[1], c = state->words[2],
           d = state->words[3];
  for (unsigned round = 0; round < 4; ++round)
    for (unsigned i = 0; i < 16; ++i) {
      uint32_t word = words[(factors[round] * i + firsts[round]) % 16];
      uint32_t sum =
          a + mix(round, b, c, d) + word + state->sines[16 * round + i];
      a = d;
      d = c;
      c = b;
      b += rotate(sum, shifts[round][i % 4]);
    }
  state->words[0] += a;
  state->words[1] += b;
  state->words[2] += c;
  state->words[3] += d;
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
