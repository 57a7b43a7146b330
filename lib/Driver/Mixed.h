//===- Mixed.h - the parts of a partitioned model in an xmodel ----*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// After tir-partition a model is a function that calls one function after the
// other. Here it becomes a whole xmodel (xc-c/XModelMixed.h): inputs, a part
// for every call, outputs. The module changes on its way to machine code, so
// what the CPU parts need is taken out of it before:
//
//   xc_mixed *mixed = xc_mixed_create(module);
//   ... the module is bufferised
//   xc_mixed_begin(mixed, model);
//   for every DPU function: xc_mixed_before(mixed, model, name);
//                           xc_dpu_add_to_xmodel(...);
//                           xc_mixed_behind(mixed, model, function);
//   xc_mixed_end(mixed, model);
//
//===----------------------------------------------------------------------===//

#ifndef XC_DRIVER_MIXED_H
#define XC_DRIVER_MIXED_H

#include "Support/Text.h"
#include "Target/DPU/CodeGen/Lower/Function.h"
#include "xc-c/XModelMixed.h"

#include "mlir-c/IR.h"

#include <jansson.h>

typedef struct xc_mixed xc_mixed;

/// Names the inputs and outputs of all functions that are called, by the
/// attributes input_names and output_names. Names are unique in the model.
xc_mixed *xc_mixed_create(MlirModule module);
/// Before the context of the module. Null is fine.
void xc_mixed_destroy(xc_mixed *mixed);

/// Returns the number of images that a run of the model takes: the leading
/// dimension, if all inputs agree on it, else 1.
int64_t xc_mixed_batch(const xc_mixed *mixed);

void xc_mixed_begin(const xc_mixed *mixed, XcXModel *model);
/// Whether the next part of the DPU is the function `name`.
bool xc_mixed_expects(const xc_mixed *mixed, const char *name);
/// Adds the CPU parts in front of the DPU function `name`.
void xc_mixed_before(xc_mixed *mixed, XcXModel *model, const char *name);
/// Gives the DPU subgraph that was added last, of a compiled function, its
/// portable form, without the constants that the subgraph has anyway.
void xc_mixed_behind(xc_mixed *mixed, XcXModel *model,
                     const xc_dpu_function *function);
/// Whether an operator of the model has that name or will have it.
bool xc_mixed_is_kept(void *mixed, const char *name);
/// Adds what is left.
void xc_mixed_end(xc_mixed *mixed, XcXModel *model);
/// Who computes each operator of the CPU parts on a board, for the report.
json_t *xc_mixed_ways(const xc_mixed *mixed);
/// A line for each CPU part: who runs it, and the types that keep the board's
/// runtime from it.
void xc_mixed_print_ways(const xc_mixed *mixed, xc_text *text);

#endif // XC_DRIVER_MIXED_H
