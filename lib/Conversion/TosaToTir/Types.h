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
typedef struct tosa_stripped {
  struct tosa_stripped *next;
  MlirValue value;
  MlirType type; // as it was
  double scale;  // 0 when the type has none, or several
} tosa_stripped;

/// Gives the values of a function the storage types of their quantised ones and
/// a first dimension of `batch` where that alone is open; a batch of 0 leaves
/// it so. The last one first; null when there are none.
tosa_stripped *tosa_strip_types(tosa_converter *c, MlirOperation function,
                                MlirBlock block, int64_t batch);
/// Gives them back the types that they had.
void tosa_restore_types(const tosa_stripped *stripped, MlirOperation function,
                        MlirBlock block);

#endif // XC_CONVERSION_TOSATOTIR_TYPES_H
