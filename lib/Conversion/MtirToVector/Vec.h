//===- Vec.h - vector operations through the C API ------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_CONVERSION_MTIRTOVECTOR_VEC_H
#define XC_CONVERSION_MTIRTOVECTOR_VEC_H

#include "Conversion/Support/IRBuilder.h"

MlirType xc_vec_type(MlirType element, int64_t lanes);

/// Returns the elements of a buffer of one dimension from `at` + `offset` on.
MlirValue xc_vec_load(const xc_ir *ir, MlirValue buffer, MlirValue at,
                      int64_t offset, MlirType type);
void xc_vec_store(const xc_ir *ir, MlirValue value, MlirValue buffer,
                  MlirValue at, int64_t offset);

/// Brings into the second-level cache the element at `at` + `offset`, which may
/// lie beyond the buffer.
void xc_vec_prefetch(const xc_ir *ir, MlirValue buffer, MlirValue at,
                     int64_t offset);

/// Returns a number, or a vector of one, in all lanes.
MlirValue xc_vec_broadcast(const xc_ir *ir, MlirValue value, MlirType type);
/// The same bits in lanes of another width.
MlirValue xc_vec_bitcast(const xc_ir *ir, MlirValue value, MlirType type);
/// Returns the first lanes.
MlirValue xc_vec_head(const xc_ir *ir, MlirValue value, int64_t lanes);
/// Lanes of a (from 0) and b (after those of a).
MlirValue xc_vec_shuffle(const xc_ir *ir, MlirValue a, MlirValue b,
                         const int64_t *lanes, size_t count);
/// a * b + c, rounded once.
MlirValue xc_vec_fma(const xc_ir *ir, MlirValue a, MlirValue b, MlirValue c);
/// Returns an intrinsic function of LLVM.
MlirValue xc_vec_intrinsic(const xc_ir *ir, const char *name,
                           const MlirValue *operands, size_t count,
                           MlirType type);

/// Returns the elements of a static buffer as one dimension; `strides` receives
/// the stride of each of its dimensions in elements. The type must be one that
/// xc_vec_is_flat accepts.
MlirValue xc_vec_flatten(const xc_ir *ir, MlirValue buffer,
                         int64_t strides[XC_MAX_RANK]);
/// Whether shape, strides and offset of a memref type are static, the strides
/// are positive and the last dimension is dense.
bool xc_vec_is_flat(MlirType type);

#endif // XC_CONVERSION_MTIRTOVECTOR_VEC_H
