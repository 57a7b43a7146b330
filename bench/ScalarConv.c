//===- ScalarConv.c - the loop that one would write first -----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarConv.h"

static int8_t round_and_clamp(int32_t sum) {
  sum = (sum + 512) >> 10;
  return (int8_t)(sum > 127 ? 127 : sum < -128 ? -128 : sum);
}

void scalar_conv(int8_t *output, const int8_t *input, const int8_t *weights,
                 int size, int channels) {
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x)
      for (int o = 0; o < channels; ++o) {
        int32_t sum = 0;
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) {
            const int8_t *pixel =
                input + ((y + i) * (size + 2) + x + j) * channels;
            const int8_t *kernel = weights + ((o * 3 + i) * 3 + j) * channels;
            for (int c = 0; c < channels; ++c)
              sum += pixel[c] * kernel[c];
          }
        *output++ = round_and_clamp(sum);
      }
}
