//===- Function.h - from mtir operators to machine code -----------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The front of the code generator: func.func on buffers, as convert-tir-to-mtir
// and mtir-eliminate-copies leave it, with int8 operators that end in -fix.
//
// Registers: parameters, workspace, inputs and outputs are in the memory of the
// base registers that the target names for them. Arguments that the function
// reads are inputs, those that it writes are outputs; each register holds its
// tensors one after the other, without gaps inside.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_LOWER_FUNCTION_H
#define XC_TARGET_DPU_CODEGEN_LOWER_FUNCTION_H

#include "Support/Memory.h"
#include "dialects/Adaptor.h"
#include "xc-c/DPUCodeGen.h"

/// An argument of the function.
typedef struct xc_dpu_tensor {
  const char *name;
  XcDpuImage image;
  xc_shape shape;
  int32_t fix_point;
  bool is_output;
} xc_dpu_tensor;

/// A tensor in the workspace, which lives there from the first to the last
/// layer that uses it or a part of it.
typedef struct xc_dpu_buffer {
  const char *name; // of the operator that writes it
  uint64_t address, size;
  size_t first_layer, last_layer;
} xc_dpu_buffer;

typedef struct xc_dpu_function {
  const char *name;
  xc_arena arena; // of names and arrays
  XcDpuCodeGen *gen;
  XcDpuProgram *program;
  /// The contents of registers that hold constants; null of others.
  int8_t *parameters[XC_DPU_NUM_REGISTERS];
  uint64_t register_sizes[XC_DPU_NUM_REGISTERS];
  xc_dpu_tensor *tensors;
  size_t num_tensors;
  xc_dpu_buffer *buffers; // in the order of the program
  size_t num_buffers;
  /// No workspace can be smaller: the most bytes that live at one time.
  uint64_t workspace_bound;
  uint64_t operations; // two per multiply-accumulate
} xc_dpu_function;

/// Compiles `func`. False after one diagnostic at the operator that the DPU
/// cannot run, or through `diag`. Free the result in either case. The target
/// must outlive it.
bool xc_dpu_compile_function(XcDiag *diag, const XcDpuTarget *target,
                             MlirOperation func, xc_dpu_function *result);
void xc_dpu_function_free(xc_dpu_function *function);

/// The functions with `device = "DPU"`, or the only function of the module.
/// Calls `visit` for each; false when a call returns false, or after a
/// diagnostic if there is none.
bool xc_dpu_for_each_function(MlirOperation module,
                              bool (*visit)(void *user_data,
                                            MlirOperation func),
                              void *user_data);

#endif // XC_TARGET_DPU_CODEGEN_LOWER_FUNCTION_H
