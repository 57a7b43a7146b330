//===- Machine.h - what vector code is written for ------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_CONVERSION_MTIRTOVECTOR_MACHINE_H
#define XC_CONVERSION_MTIRTOVECTOR_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

/// How integers are multiplied and summed.
typedef enum xc_dot {
  /// One product per lane in 32 bits, on any machine.
  XC_DOT_PLAIN,
  /// Pairs of 16-bit products: pmaddwd of SSE2, AVX2, AVX-512BW.
  XC_DOT_PAIRS,
  /// Four products of unsigned and signed bytes: vpdpbusd.
  XC_DOT_BYTES,
  /// Four products of signed bytes: sdot of AArch64.
  XC_DOT_SIGNED_BYTES,
} xc_dot;

static inline bool xc_dot_is_of_bytes(xc_dot dot) {
  return dot == XC_DOT_BYTES || dot == XC_DOT_SIGNED_BYTES;
}

typedef struct xc_machine {
  int vector_bytes; // 16, 32 or 64
  int registers;    // vector registers
  xc_dot dot;
} xc_machine;

/// Finds the machine of a processor's name as LLVM knows it ("x86-64-v3",
/// "icelake-server"), "native" for the one that runs this program. Of one
/// without a row nothing is assumed. Returns false for an empty name.
bool xc_machine_find(const char *mcpu, xc_machine *machine);

#endif // XC_CONVERSION_MTIRTOVECTOR_MACHINE_H
