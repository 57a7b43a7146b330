//===- Limits.c - what an input may ask for -------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define _DEFAULT_SOURCE

#include "Limits.h"

#include "Diag.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <unistd.h>

static _Atomic uint64_t max_memory; // 0: that of the machine
static _Atomic bool trusts_bytecode;

void xcSetMaxMemory(uint64_t bytes) { max_memory = bytes; }

// Asking takes longer than some of those who ask.
static uint64_t machine_memory(void) {
  static _Atomic uint64_t known;
  if (known)
    return known;
  long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  known = pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : SIZE_MAX;
  return known;
}

uint64_t xcGetMaxMemory(void) {
  uint64_t limit = max_memory;
  return limit ? limit : machine_memory();
}

uint64_t xc_max_stream(void) {
  const uint64_t most = UINT64_C(1) << 30;
  uint64_t limit = xcGetMaxMemory();
  return max_memory || limit < most ? limit : most;
}

void xcSetTrustBytecode(bool trust) { trusts_bytecode = trust; }

bool xcGetTrustBytecode(void) { return trusts_bytecode; }

bool xc_fits_memory(uint64_t bytes) { return bytes <= xcGetMaxMemory(); }

bool xc_check_memory(XcDiag *diag, const char *file, const char *what,
                     uint64_t bytes) {
  return xc_fits_memory(bytes) ||
         xc_file_error(diag, file,
                       "%s needs %" PRIu64 " bytes of memory, more than the "
                       "limit of %" PRIu64 " (--max-memory)",
                       what, bytes, xcGetMaxMemory());
}
