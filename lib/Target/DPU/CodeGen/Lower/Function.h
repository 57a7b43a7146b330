//===- Function.h - from mtir operators to machine code -----------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The front end of the code generator. It takes a func.func on buffers, as
// convert-tir-to-mtir and mtir-eliminate-copies leave it, with int8 operators
// whose names end in -fix.
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
#include "Support/PointerMap.h"
#include "dialects/Adaptor.h"
#include "xc-c/DPUCodeGen.h"

/// An argument of the function.
typedef struct xc_dpu_tensor {
  const char *name;
  MlirValue value;
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

/// An operand or result of operators.
typedef struct xc_dpu_value {
  XcDpuImage image;
  xc_shape shape;
  int32_t fix_point;
  bool is_constant;
  bool is_on_chip; // nothing of it is written to memory
  /// How a constant is read back from the parameters (xcDpuReadParameters), and
  /// the constant. Empty if it cannot be read back.
  const int32_t *recipe;
  size_t recipe_size;
  XcDpuKernelLayout layout; // if there is a recipe
  const void *bytes;
  size_t num_bytes;
} xc_dpu_value;

/// An operator of the function; its operations are those of the model.
typedef struct xc_dpu_operator {
  const char *name;
  xc_adaptor adaptor;
  size_t tag;          // of its layers
  bool is_copy;        // memtx.copy, of which `adaptor` has no more to say
  bool has_layers;     // not all do: some only say where their output lies
  size_t row;          // of the program: where its last layer is
  uint64_t operations; // two per multiply-accumulate
} xc_dpu_operator;

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
  xc_dpu_operator *operators; // in the order in which they run
  size_t num_operators;
  xc_dpu_value *values;
  size_t num_values;
  xc_pointer_map value_map; // from MLIR values to these
  xc_dpu_buffer *buffers;   // in the order of the program
  size_t num_buffers;
  /// No workspace can be smaller: the most bytes that live at one time.
  uint64_t workspace_bound;
  uint64_t operations; // two per multiply-accumulate
  /// The search for its schedule, and for those of the forms that were slower.
  XcDpuSearchReport search;
  bool has_repeats; // pixels are repeated, and moves could do that instead
} xc_dpu_function;

/// Options of the schedule.
typedef struct xc_dpu_schedule_options {
  XcDpuEngineChoice engines;
  XcDpuEffort effort;
  /// xcDpuCodeGenSetBytePrice. If it is not given, a few prices are tried for
  /// targets whose cores share a memory.
  bool has_byte_price;
  double byte_price;
  XcProgress progress;
} xc_dpu_schedule_options;

/// Compiles `func`. Returns false after one diagnostic at the operator that the
/// DPU cannot run, or through `diag`. Free the result in either case. The
/// target must outlive it.
bool xc_dpu_compile_function(XcDiag *diag, const XcDpuTarget *target,
                             MlirOperation func,
                             const xc_dpu_schedule_options *options,
                             xc_dpu_function *result);
void xc_dpu_function_free(xc_dpu_function *function);

/// Calls `visit` for each function with `device = "DPU"`, or for the only
/// function of the module. Returns false when a call returns false, or after a
/// diagnostic if there is no such function.
bool xc_dpu_for_each_function(MlirOperation module,
                              bool (*visit)(void *user_data,
                                            MlirOperation func),
                              void *user_data);

#endif // XC_TARGET_DPU_CODEGEN_LOWER_FUNCTION_H
