//===- PassTable.c - every pass of xc -------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pipeline.h"

#include <string.h>

// One row per pass, ordered by argument.
#define XC_PASSES(X)                                                           \
  X(convert_mtir_to_linalg)                                                    \
  X(convert_mtir_to_vector)                                                    \
  X(convert_tir_to_mtir)                                                       \
  X(convert_tosa_to_tir)                                                       \
  X(cpu_bind_memory)                                                           \
  X(cpu_emit_entry_points)                                                     \
  X(cpu_join_calls)                                                            \
  X(cpu_join_regions)                                                          \
  X(cpu_outline_shares)                                                        \
  X(cpu_share_loops)                                                           \
  X(global_bufferize)                                                          \
  X(mtir_eliminate_copies)                                                     \
  X(mtir_plan_memory)                                                          \
  X(tir_absorb_fix)                                                            \
  X(tir_approximate)                                                           \
  X(tir_canonicalize)                                                          \
  X(tir_legalize)                                                              \
  X(tir_partition)                                                             \
  X(tir_quantize)                                                              \
  X(tir_round_bias)                                                            \
  X(tir_sort_channels)                                                         \
  X(tir_split_fix_points)                                                      \
  X(tir_tabulate)                                                              \
  X(tir_widen)                                                                 \
  X(xc_cpu_pipeline)                                                           \
  X(xc_source_pipeline)                                                        \
  X(xc_verify)

#define DECLARE(name) extern const xc_pass_info xc_pass_##name;
XC_PASSES(DECLARE)
#undef DECLARE

static const xc_pass_info *const table[] = {
#define ROW(name) &xc_pass_##name,
    XC_PASSES(ROW)
#undef ROW
};

const xc_pass_info *const *xc_pass_table(size_t *count) {
  *count = sizeof(table) / sizeof(*table);
  return table;
}

const xc_pass_info *xc_pass_find(const char *argument, size_t length) {
  for (size_t i = 0; i < sizeof(table) / sizeof(*table); ++i)
    if (strlen(table[i]->argument) == length &&
        memcmp(table[i]->argument, argument, length) == 0)
      return table[i];
  return NULL;
}
