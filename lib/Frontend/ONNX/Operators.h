//===- Operators.h - handlers of the ONNX operators ---------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_FRONTEND_ONNX_OPERATORS_H
#define XC_FRONTEND_ONNX_OPERATORS_H

#include "Importer.h"

typedef enum onnx_reduce {
  ONNX_REDUCE_SUM,
  ONNX_REDUCE_MAX,
  ONNX_REDUCE_MEAN,
  ONNX_REDUCE_MIN,
  ONNX_REDUCE_L1,
  ONNX_REDUCE_L2,
  ONNX_REDUCE_SUM_SQUARE,
  ONNX_REDUCE_LOG_SUM,
  ONNX_REDUCE_LOG_SUM_EXP,
} onnx_reduce;

// A handler of several rows is declared more than once, which C allows.
#define XC_ONNX(domain, name, handler, detail)                                 \
  bool handler(onnx_importer *importer);
#include "Operators.def"

/// Every input of the node, none absent, in the arena (OpsShape.c).
bool onnx_all_inputs(onnx_importer *importer, onnx_value ***values,
                     size_t *count);

#endif // XC_FRONTEND_ONNX_OPERATORS_H
