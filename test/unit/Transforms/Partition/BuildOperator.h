//===- BuildOperator.h - from facts back to IR --------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TEST_PARTITION_BUILDOPERATOR_H
#define XC_TEST_PARTITION_BUILDOPERATOR_H

#include "Transforms/Partition/Facts.h"

/// The first operator of a class in Kinds.def.
xc_op_kind representative(xc_fit_class class_);

/// Facts of a small operator of a kind that the DPUs accept.
xc_facts typical(xc_op_kind kind);

/// A module with one function around an operator named "probe" that has these
/// facts, or a null module when the verifier refuses it.
MlirModule build_probe(MlirContext context, const xc_facts *facts);

#endif // XC_TEST_PARTITION_BUILDOPERATOR_H
