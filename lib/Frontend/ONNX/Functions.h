//===- Functions.h - the functions of an ONNX model ---------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_FRONTEND_ONNX_FUNCTIONS_H
#define XC_FRONTEND_ONNX_FUNCTIONS_H

#include "Importer.h"

/// The functions, ordered by domain, name and overload.
typedef struct xc_onnx_functions {
  const Onnx__FunctionProto **items;
  size_t count;
} xc_onnx_functions;

/// Collects them in the arena; an error when two are the same.
bool xc_onnx_collect_functions(xc_onnx_importer *im,
                               xc_onnx_functions *functions);
/// Returns the function that a node calls, or null. An operator that xc has
/// comes first, as in ONNX Runtime: the body of such a function is a fallback.
const Onnx__FunctionProto *
xc_onnx_called_function(const xc_onnx_functions *functions,
                        const Onnx__NodeProto *node);
/// 'domain.Name' for messages, in the arena.
const char *xc_onnx_function_name(xc_onnx_importer *im,
                                  const Onnx__FunctionProto *function);
/// Returns the attribute of a call that an attribute of the function's nodes
/// refers to: the call's value, or the default; null where there is neither.
const Onnx__AttributeProto *
xc_onnx_function_attribute(const Onnx__FunctionProto *function,
                           const Onnx__NodeProto *call, const char *name);

#endif // XC_FRONTEND_ONNX_FUNCTIONS_H
