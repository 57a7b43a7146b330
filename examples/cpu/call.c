//===- call.c - a compiled model in a program of C ------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   xc-translate --mtir-to-object net.mlir -o net.o
//   xc-translate --mtir-to-c-header net.mlir -o net.h
//   cc -std=c11 -I. call.c net.o -lm -o call && ./call
//
//===----------------------------------------------------------------------===//

#include "net.h"

#include <stdio.h>
#include <stdlib.h>

int main(void) {
  float image[net_input_0_bytes / sizeof(float)];
  float features[net_output_0_bytes / sizeof(float)];
  for (size_t i = 0; i < sizeof(image) / sizeof(*image); ++i)
    image[i] = (float)i / 4;
  // A multiple of 64 bytes, aligned to as many; sizes of 0 are fine.
  void *arena = aligned_alloc(64, (net_arena_bytes + 64) / 64 * 64);
  const void *inputs[] = {image};
  void *outputs[] = {features};
  int32_t status = net(inputs, outputs, arena, net_params);
  for (size_t i = 0; i < sizeof(features) / sizeof(*features); ++i)
    printf("%g\n", (double)features[i]);
  free(arena);
  return status;
}
