//===- Limits.h - what an input may ask for -----------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes that an input states are checked before memory is taken: xc_alloc ends
// the process when there is none.
//
//===----------------------------------------------------------------------===//

#ifndef XC_SUPPORT_LIMITS_H
#define XC_SUPPORT_LIMITS_H

#include "xc-c/Support.h"

/// Whether so much may be taken at once.
bool xc_fits_memory(uint64_t bytes);

/// The same with a diagnostic about a file (or null): `what` needs too much.
bool xc_check_memory(XcDiag *diag, const char *file, const char *what,
                     uint64_t bytes);

/// Returns the most that is read from a pipe or a device: some have no end. A
/// gigabyte, unless a limit has been set.
uint64_t xc_max_stream(void);

#endif // XC_SUPPORT_LIMITS_H
