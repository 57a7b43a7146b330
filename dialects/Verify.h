//===- Verify.h - what IRDL cannot check --------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_DIALECTS_VERIFY_H
#define XC_DIALECTS_VERIFY_H

#include "Adaptor.h"

/// Checks one operation of our dialects against its table row, shape rule and
/// the checks of its kind. One diagnostic on failure.
bool xc_verify_operation(MlirOperation operation);
/// The same without a diagnostic.
bool xc_is_valid_operation(MlirOperation operation);

/// Checks every operation of our dialects in `root`, itself included, and goes
/// on after an error in one of them.
bool xc_verify_nested(MlirOperation root);

/// Checks that need more than one attribute (VerifyFix.c).
bool xc_verify_kind(const xc_adaptor *op);

/// The shape of an operand or a result (`what`) of an operator that may not
/// exist yet. Returns false after a diagnostic that says what xc cannot hold of
/// it.
bool xc_verify_shape(const xc_adaptor *op, const char *what,
                     const xc_operand_info *info, MlirType type,
                     xc_shape *shape);

/// Checks the attributes of a view that may have no operation yet.
bool xc_verify_attributes(const xc_adaptor *op);

#endif // XC_DIALECTS_VERIFY_H
