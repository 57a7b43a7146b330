//===- RelocateAArch64.c - relocations of AArch64 -------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Object.h"

#include <elf.h>
#include <string.h>

// Puts the low bits of a value into a field of an instruction.
static void set_field(unsigned char *place, uint64_t value, unsigned bits,
                      unsigned at) {
  uint32_t word, mask = ((UINT32_C(1) << bits) - 1) << at;
  memcpy(&word, place, sizeof(word));
  word = (word & ~mask) | ((uint32_t)(value << at) & mask);
  memcpy(place, &word, sizeof(word));
}

static bool fits(int64_t value, unsigned bits) {
  int64_t limit = INT64_C(1) << (bits - 1);
  return value >= -limit && value < limit;
}

// A distance in instructions.
static bool set_branch(unsigned char *place, int64_t distance, unsigned bits,
                       unsigned at) {
  set_field(place, (uint64_t)distance >> 2, bits, at);
  return distance % 4 == 0 && fits(distance, bits + 2);
}

// The immediate of ADR and ADRP, whose two low bits stand apart.
static bool set_address(unsigned char *place, int64_t value) {
  set_field(place, (uint64_t)value, 2, 29);
  set_field(place, (uint64_t)value >> 2, 19, 5);
  return fits(value, 21);
}

static int64_t pages(uint64_t to, uint64_t from) {
  return (int64_t)(to >> 12) - (int64_t)(from >> 12);
}

// The low bits of an address, in units of what an instruction loads.
static bool set_low(unsigned char *place, uint64_t value, unsigned scale) {
  uint64_t low = value & 0xfff;
  set_field(place, low >> scale, 12, 10);
  return low % (UINT64_C(1) << scale) == 0;
}

static bool store(unsigned char *place, int64_t value, size_t size) {
  memcpy(place, &value, size); // little-endian, as the files
  return size == 8 || fits(value, 32);
}

bool xc_relocate_aarch64(const xc_relocation *r) {
  uint64_t value = r->symbol + (uint64_t)r->addend;
  uint64_t place = (uint64_t)(uintptr_t)r->place;
  int64_t distance = (int64_t)(value - place);
  switch (r->type) {
  case R_AARCH64_NONE:
    return true;
  case R_AARCH64_ABS64:
    return store(r->place, (int64_t)value, 8);
  case R_AARCH64_PREL64:
    return store(r->place, distance, 8);
  case R_AARCH64_PREL32:
    return store(r->place, distance, 4);
  case R_AARCH64_ADR_PREL_LO21:
    return set_address(r->place, distance);
  case R_AARCH64_ADR_PREL_PG_HI21:
    return set_address(r->place, pages(value, place));
  case R_AARCH64_ADR_GOT_PAGE:
    return set_address(r->place, pages(r->got, place));
  case R_AARCH64_LD64_GOT_LO12_NC:
    return set_low(r->place, r->got, 3);
  case R_AARCH64_ADD_ABS_LO12_NC:
  case R_AARCH64_LDST8_ABS_LO12_NC:
    return set_low(r->place, value, 0);
  case R_AARCH64_LDST16_ABS_LO12_NC:
    return set_low(r->place, value, 1);
  case R_AARCH64_LDST32_ABS_LO12_NC:
    return set_low(r->place, value, 2);
  case R_AARCH64_LDST64_ABS_LO12_NC:
    return set_low(r->place, value, 3);
  case R_AARCH64_LDST128_ABS_LO12_NC:
    return set_low(r->place, value, 4);
  case R_AARCH64_CALL26:
  case R_AARCH64_JUMP26:
    return set_branch(r->place, distance, 26, 0);
  case R_AARCH64_CONDBR19:
    return set_branch(r->place, distance, 19, 5);
  case R_AARCH64_TSTBR14:
    return set_branch(r->place, distance, 14, 5);
  default:
    return false;
  }
}
