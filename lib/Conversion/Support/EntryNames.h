//===- EntryNames.h - what model functions are called in C --------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_CONVERSION_SUPPORT_ENTRYNAMES_H
#define XC_CONVERSION_SUPPORT_ENTRYNAMES_H

#include "mlir-c/IR.h"

/// Whether a function is seen within its module only.
bool xc_function_is_private(MlirOperation function);

/// Returns the symbol of a function in object code, as a string attribute: its
/// name with `_` for what C has no characters for, and `xc_` before "main" and
/// before digits.
MlirAttribute xc_entry_name(MlirOperation function);

/// Checks that C can tell the functions of a model apart, from each other, from
/// the parameters, from words of C and from the functions that compiled code
/// calls. Returns false after a diagnostic.
bool xc_check_entry_names(MlirOperation module);

/// Whether a name is a word of C or C++, or a function of their libraries that
/// compiled code may call.
bool xc_is_c_word(MlirStringRef name);

#endif // XC_CONVERSION_SUPPORT_ENTRYNAMES_H
