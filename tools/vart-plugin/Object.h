//===- Object.h - object files in this process --------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A board has no linker and no LLVM. The code of a part calls little besides
// itself, so that what is left to do is to place its sections and to fill in
// addresses.
//
//===----------------------------------------------------------------------===//

#ifndef XC_VART_PLUGIN_OBJECT_H
#define XC_VART_PLUGIN_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct xc_object xc_object;

/// Loads a relocatable ELF file for this machine. Everything in it becomes
/// read-only and executable. Null, and why in `error`, which stays as it is:
/// a string constant.
xc_object *xc_object_load(const void *bytes, size_t size, const char **error);
/// Returns the address of a symbol that the file defines, or null.
void *xc_object_find(const xc_object *object, const char *symbol);
/// Null is fine.
void xc_object_free(xc_object *object);

/// The operands of a relocation; `place` is where it is applied.
typedef struct xc_relocation {
  uint32_t type;
  unsigned char *place;
  uint64_t symbol; // its address
  int64_t addend;
  uint64_t got; // where its address stands
} xc_relocation;

/// Applies a relocation of one machine. Returns false if the type is unknown or
/// the value does not fit.
bool xc_relocate_x86_64(const xc_relocation *r);
bool xc_relocate_aarch64(const xc_relocation *r);

#endif // XC_VART_PLUGIN_OBJECT_H
