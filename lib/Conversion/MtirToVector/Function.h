//===- Function.h - private functions of vector code ----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every operator becomes the call of a private function that calls with equal
// keys and buffer types share. Weights and tables are arguments, so that layers
// of the same shape run the same code.
//
//===----------------------------------------------------------------------===//

#ifndef XC_CONVERSION_MTIRTOVECTOR_FUNCTION_H
#define XC_CONVERSION_MTIRTOVECTOR_FUNCTION_H

#include "Conversion/Support/IRBuilder.h"
#include "Conversion/Support/Outline.h"
#include "Support/Text.h"
#include "dialects/Build.h"

enum { XC_VEC_MAX_ARGUMENTS = 12 };

/// A call that is being put together.
typedef struct xc_vec_call {
  xc_outliner *outliner;
  xc_builder builder; // before the operation that is replaced
  const char *name;   // of the operator: "conv2d"
  const xc_text *key; // all that the code depends on
  MlirValue arguments[XC_VEC_MAX_ARGUMENTS];
  bool written[XC_VEC_MAX_ARGUMENTS]; // nothing else overlaps it
  size_t count;
  MlirValue inside[XC_VEC_MAX_ARGUMENTS]; // arguments of the function
} xc_vec_call;

/// Adds an argument and returns its number: a buffer (its elements lose their
/// sign), a constant of one dimension, or memory for the function's own use.
size_t xc_vec_call_buffer(xc_vec_call *call, MlirValue buffer, bool written);
size_t xc_vec_call_const(xc_vec_call *call, const void *elements,
                         xc_element element, int64_t count);
size_t xc_vec_call_scratch(xc_vec_call *call, xc_element element,
                           int64_t count);

/// Builds the call. When the function does not exist yet, `write` fills it;
/// there call->inside[i] stands for argument i.
void xc_vec_call_build(xc_vec_call *call,
                       void (*write)(xc_ir *ir, xc_vec_call *call, void *state),
                       void *state);

#endif // XC_CONVERSION_MTIRTOVECTOR_FUNCTION_H
