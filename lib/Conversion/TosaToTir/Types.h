//===- Types.h - types that tir does not have ---------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_CONVERSION_TOSATOTIR_TYPES_H
#define XC_CONVERSION_TOSATOTIR_TYPES_H

#include "Converter.h"

/// A value that had an element type of the quant dialect, or an open batch.
typedef struct xc_tosa_stripped {
  struct xc_tosa_stripped *next;
  MlirValue value;
  MlirType type; // as it was
  double scale;  // 0 when the type has none, or several
} xc_tosa_stripped;

/// Gives the values of a function the storage types of their quantised ones and
/// a first dimension of `batch` where that alone is open; a batch of 0 leaves
/// it so. The last one first; null when there are none.
xc_tosa_stripped *xc_tosa_strip_types(xc_tosa_converter *c,
                                      MlirOperation function, MlirBlock block,
                                      int64_t batch);
/// Gives them back the types that they had.
void xc_tosa_restore_types(const xc_tosa_stripped *stripped,
                           MlirOperation function, MlirBlock block);

#endif // XC_CONVERSION_TOSATOTIR_TYPES_H
