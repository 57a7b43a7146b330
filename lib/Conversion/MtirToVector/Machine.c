//===- Machine.c - what vector code is written for ------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "llvm-c/Core.h"
#include "llvm-c/TargetMachine.h"

#include <string.h>

// Levels, best last. Each needs all features of its row.
static const struct level {
  const char *features[4];
  xc_machine machine;
} levels[] = {
    {{0}, {16, 16, XC_DOT_PLAIN}},
    {{"+sse4.1"}, {16, 16, XC_DOT_PAIRS}},
    {{"+avx2", "+fma"}, {32, 16, XC_DOT_PAIRS}},
    {{"+avx2", "+fma", "+avxvnni"}, {32, 16, XC_DOT_BYTES}},
    {{"+avx512bw", "+avx512vl", "+avx512dq"}, {64, 32, XC_DOT_PAIRS}},
    {{"+avx512bw", "+avx512vl", "+avx512dq", "+avx512vnni"},
     {64, 32, XC_DOT_BYTES}},
    {{"+neon"}, {16, 32, XC_DOT_PLAIN}},
    {{"+neon", "+dotprod"}, {16, 32, XC_DOT_SIGNED_BYTES}},
};
enum level_name {
  GENERIC,
  SSE4,
  AVX2,
  AVX_VNNI,
  AVX512,
  AVX512_VNNI,
  NEON,
  DOTPROD,
};

// Processors that have more than plain vectors.
static const struct {
  const char *name;
  enum level_name level;
} processors[] = {

    {"x86-64", GENERIC},
    {"x86-64-v2", SSE4},
    {"x86-64-v3", AVX2},
    {"haswell", AVX2},
    {"broadwell", AVX2},
    {"skylake", AVX2},
    {"znver1", AVX2},
    {"znver2", AVX2},
    {"znver3", AVX2},
    {"alderlake", AVX_VNNI},
    {"raptorlake", AVX_VNNI},
    {"meteorlake", AVX_VNNI},
    {"arrowlake", AVX_VNNI},
    {"sierraforest", AVX_VNNI},
    {"x86-64-v4", AVX512},
    {"skylake-avx512", AVX512},
    {"cascadelake", AVX512_VNNI},
    {"cooperlake", AVX512_VNNI},
    {"icelake-client", AVX512_VNNI},
    {"icelake-server", AVX512_VNNI},
    {"tigerlake", AVX512_VNNI},
    {"sapphirerapids", AVX512_VNNI},
    {"emeraldrapids", AVX512_VNNI},
    {"graniterapids", AVX512_VNNI},
    {"znver4", AVX512_VNNI},
    {"znver5", AVX512_VNNI},
    {"aarch64", NEON},
    {"cortex-a35", NEON},
    {"cortex-a53", NEON},
    {"cortex-a57", NEON},
    {"cortex-a72", NEON},
    {"cortex-a73", NEON},
    {"cortex-a55", DOTPROD},
    {"cortex-a75", DOTPROD},
    {"cortex-a76", DOTPROD},
    {"cortex-a77", DOTPROD},
    {"cortex-a78", DOTPROD},
    {"cortex-a78ae", DOTPROD},
    {"cortex-x1", DOTPROD},
    {"neoverse-e1", DOTPROD},
    {"neoverse-n1", DOTPROD},
    {"neoverse-n2", DOTPROD},
    {"neoverse-v1", DOTPROD},
    {"neoverse-v2", DOTPROD},
};

// Whether a comma-separated list has a feature.
static bool has_feature(const char *list, const char *feature) {
  size_t length = strlen(feature);
  for (const char *at = list; (at = strstr(at, feature)); at += length)
    if ((at == list || at[-1] == ',') &&
        (at[length] == ',' || at[length] == '\0'))
      return true;
  return false;
}

static bool fits(const char *list, const struct level *level) {
  for (size_t i = 0; i < 4 && level->features[i]; ++i)
    if (!has_feature(list, level->features[i]))
      return false;
  return true;
}

static xc_machine machine_of_host(void) {
  char *features = LLVMGetHostCPUFeatures();
  size_t best = GENERIC;
  for (size_t i = 0; i < sizeof(levels) / sizeof(*levels); ++i)
    if (fits(features, &levels[i]))
      best = i;
  LLVMDisposeMessage(features);
  return levels[best].machine;
}

bool xc_machine_find(const char *mcpu, xc_machine *machine) {
  if (!*mcpu)
    return false;
  if (strcmp(mcpu, "native") == 0) {
    *machine = machine_of_host();
    return true;
  }
  *machine = levels[GENERIC].machine;
  for (size_t i = 0; i < sizeof(processors) / sizeof(*processors); ++i)
    if (strcmp(processors[i].name, mcpu) == 0)
      *machine = levels[processors[i].level].machine;
  return true;
}
