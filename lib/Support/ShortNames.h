//===- ShortNames.h - short names for tables ----------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_SUPPORT_SHORTNAMES_H
#define XC_SUPPORT_SHORTNAMES_H

#include <jansson.h>

/// Adds a name to `names`, a JSON object that xc_short_names takes; empty ones
/// are left out.
void xc_short_names_add(json_t *names, const char *name);

/// Returns short forms of names of more than 28 bytes, and of names with line
/// ends or other control characters: an object from names to short ones, each a
/// part that no other name has. The caller drops the reference.
json_t *xc_short_names(const json_t *names);

#endif // XC_SUPPORT_SHORTNAMES_H
