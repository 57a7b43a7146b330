//===- BruteForce.h - an independent judge of token orders --------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Says which pairs of instructions of a program are in conflict, and whether
// the tokens order them, by enumerating every word and byte and by the
// transitive closure of the graph of waits. Slow and simple on purpose, and
// without the code that it judges: only the decoder is shared.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TEST_DPUSIM_BRUTEFORCE_H
#define XC_TEST_DPUSIM_BRUTEFORCE_H

#include "xc-c/DPUSim.h"

/// `second` must start after `first` has ended.
typedef struct conflict {
  uint32_t first, second;
} conflict;

typedef struct brute_force {
  const XcDpuTarget *target;
  size_t count;
  XcDpuInstruction *instructions;
  conflict *conflicts;
  size_t num_conflicts, capacity;
  uint64_t *closure; // count x row_words bits
  size_t row_words;
} brute_force;

void brute_force_init(brute_force *brute, const XcDpuTarget *target,
                      const XcDpuProgram *program);
void brute_force_free(brute_force *brute);

/// Token masks stand in brute->instructions and may be changed. The k-th wait
/// of a channel is served by the k-th post; waits that no post serves are
/// passed over. Returns the number of conflicts that nothing orders.
size_t brute_force_count_unordered(brute_force *brute);

#endif // XC_TEST_DPUSIM_BRUTEFORCE_H
