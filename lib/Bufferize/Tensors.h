//===- Tensors.h - tensors that can become buffers ----------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_BUFFERIZE_TENSORS_H
#define XC_BUFFERIZE_TENSORS_H

#include "mlir-c/IR.h"

#include <stdbool.h>

/// Checks that every tensor of an operation can become a buffer: ranked,
/// static, without encoding, of one of our element types. Reports at the
/// operation otherwise.
bool xc_check_tensors(MlirOperation operation);
/// The same for one type; `what` names it in the message.
bool xc_check_tensor_type(MlirOperation operation, const char *what,
                          MlirType type);

/// memref<1x8xf32> for tensor<1x8xf32>; other types as they are.
MlirType xc_memref_of_tensor(MlirType type);

#endif // XC_BUFFERIZE_TENSORS_H
