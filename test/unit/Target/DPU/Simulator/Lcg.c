//===- Lcg.c - pseudo-random bytes for tests ------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: xc-test-lcg SEED SHIFT SIZE FILE
//
// Per byte: x = x * 1664525 + 1013904223 modulo 2^32, then the top byte of x
// as a signed number, shifted right arithmetically.
//
//===----------------------------------------------------------------------===//

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  if (argc != 5)
    return EXIT_FAILURE;
  uint32_t x = (uint32_t)strtoul(argv[1], NULL, 10);
  int shift = atoi(argv[2]);
  long size = atol(argv[3]);
  FILE *stream = fopen(argv[4], "wb");
  if (!stream)
    return EXIT_FAILURE;
  for (long i = 0; i < size; ++i) {
    x = x * 1664525u + 1013904223u;
    int byte = (int)(x >> 24);
    putc((byte > 127 ? byte - 256 : byte) >> shift & 0xff, stream);
  }
  return fclose(stream) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
