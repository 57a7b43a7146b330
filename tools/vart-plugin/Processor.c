//===- Processor.c - what runs on this machine ----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define _DEFAULT_SOURCE

#include "Processor.h"

#include <stddef.h>
#include <string.h>

#if defined(__x86_64__)

static const char machine[] = "x86_64-";

static bool has(const char *cpu) {
  __builtin_cpu_init();
  if (strcmp(cpu, "generic") == 0 || strcmp(cpu, "x86-64") == 0)
    return true;
  if (strcmp(cpu, "x86-64-v2") == 0)
    return __builtin_cpu_supports("x86-64-v2");
  if (strcmp(cpu, "x86-64-v3") == 0)
    return __builtin_cpu_supports("x86-64-v3");
  return strcmp(cpu, "x86-64-v4") == 0 && __builtin_cpu_supports("x86-64-v4");
}

#else

#include <asm/hwcap.h>
#include <sys/auxv.h>

static const char machine[] = "aarch64-";

// Extensions beyond the base that code for a processor may use.
static bool has(const char *cpu) {
  enum {
    V8_0 = HWCAP_CRC32 | HWCAP_AES | HWCAP_PMULL | HWCAP_SHA1 | HWCAP_SHA2,
    V8_2 = V8_0 | HWCAP_ATOMICS | HWCAP_ASIMDRDM | HWCAP_FPHP | HWCAP_ASIMDHP |
           HWCAP_ASIMDDP | HWCAP_LRCPC
  };
  static const struct {
    const char *cpu;
    unsigned long needs;
  } known[] = {
      {"generic", 0},       {"cortex-a35", V8_0},  {"cortex-a53", V8_0},
      {"cortex-a57", V8_0}, {"cortex-a72", V8_0},  {"cortex-a73", V8_0},
      {"cortex-a55", V8_2}, {"cortex-a75", V8_2},  {"cortex-a76", V8_2},
      {"cortex-a78", V8_2}, {"neoverse-n1", V8_2},
  };
  for (size_t i = 0; i < sizeof(known) / sizeof(*known); ++i)
    if (strcmp(known[i].cpu, cpu) == 0)
      return (getauxval(AT_HWCAP) & known[i].needs) == known[i].needs;
  return false;
}

#endif

bool xc_runs_here(const char *triple, const char *cpu) {
  return strncmp(triple, machine, strlen(machine)) == 0 && has(cpu);
}
