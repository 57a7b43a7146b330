//===- RelocateX86_64.c - relocations of x86-64 ---------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Object.h"

#include <elf.h>
#include <string.h>

static bool store32(unsigned char *place, int64_t value) {
  int32_t narrow = (int32_t)value;
  memcpy(place, &narrow, sizeof(narrow));
  return narrow == value;
}

bool xc_relocate_x86_64(const xc_relocation *r) {
  uint64_t value = r->symbol + (uint64_t)r->addend;
  uint64_t place = (uint64_t)(uintptr_t)r->place;
  switch (r->type) {
  case R_X86_64_NONE:
    return true;
  case R_X86_64_64:
    memcpy(r->place, &value, sizeof(value));
    return true;
  case R_X86_64_PC64:
    value -= place;
    memcpy(r->place, &value, sizeof(value));
    return true;
  case R_X86_64_PC32:
  case R_X86_64_PLT32:
    return store32(r->place, (int64_t)(value - place));
  case R_X86_64_GOTPCREL:
  case R_X86_64_GOTPCRELX:
  case R_X86_64_REX_GOTPCRELX:
    return store32(r->place, (int64_t)(r->got + (uint64_t)r->addend - place));
  default:
    return false;
  }
}
