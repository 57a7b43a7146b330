//===- Split.h - inputs of several chunks -------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSLATE_SPLIT_H
#define XC_TRANSLATE_SPLIT_H

#include "Translate.h"

/// Takes the next chunk, up to a line that holds only `marker`, from the front
/// of `rest`. Returns false when nothing is left. Line numbers go on counting.
/// The chunk is not zero-terminated where a marker ends it.
bool xc_split_next(xc_translate_input *rest, const char *marker,
                   xc_translate_input *chunk);

#endif // XC_TRANSLATE_SPLIT_H
