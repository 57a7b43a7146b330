//===- Priorbox.h - prior boxes -----------------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_OPPARAMS_PRIORBOX_H
#define XC_OPPARAMS_PRIORBOX_H

#include "Support/Memory.h"
#include "dialects/Adaptor.h"

/// Returns the result of a priorbox, which depends on shapes only, in the
/// arena; null after a diagnostic.
double *xc_priorbox_values(const xc_adaptor *op, xc_arena *arena);

#endif // XC_OPPARAMS_PRIORBOX_H
