//===- Peer.c - inputs of models ------------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Peer.h"

#include <stdint.h>
#include <string.h>

void xc_peer_fill(void *data, size_t size, bool real) {
  uint32_t state = 1;
  char *bytes = data;
  for (size_t i = 0; i < size; i += real ? sizeof(float) : 1) {
    state = state * 1664525 + 1013904223;
    float number = (float)(state >> 8) * 0x1p-23f - 1;
    if (!real)
      bytes[i] = (char)(state >> 25);
    else if (size - i >= sizeof(number))
      memcpy(bytes + i, &number, sizeof(number));
  }
}
