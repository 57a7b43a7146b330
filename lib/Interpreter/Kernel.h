//===- Kernel.h - the kernels of the reference interpreter --------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel computes one operator on whole tensors in row-major order. It is
// chosen by the operator's kind (Kernels.def); a tir operator and its mtir twin
// share it. Kernels may rely on what the verifier checks and on nothing else:
// what only the data can break (an index) they check themselves.
//
// Floating point: terms are summed in double, in row-major order of the window
// or axis, and the result is rounded once to the element type.
//
//===----------------------------------------------------------------------===//

#ifndef XC_INTERPRETER_KERNEL_H
#define XC_INTERPRETER_KERNEL_H

#include "Support/Memory.h"
#include "dialects/Adaptor.h"
#include "xc-c/FixedPoint.h"
#include "xc-c/Interpreter.h"

/// A tensor in memory. `data` is null for an absent operand.
typedef struct xc_tensor {
  xc_shape shape;
  void *data;
} xc_tensor;

/// One execution of an operator.
typedef struct xc_kernel_call {
  const xc_adaptor *op;
  xc_tensor operands[XC_MAX_OPERANDS]; // by slot
  xc_tensor output;
  xc_arena *arena;            // freed after the kernel
  XcInterpreterCustom custom; // or null
  void *custom_data;
} xc_kernel_call;

/// False after a diagnostic at the operator.
typedef bool (*xc_kernel)(xc_kernel_call *call);

/// Returns the kernel of a kind, or null for operators that compute nothing
/// (const, upload, ...).
xc_kernel xc_interpret_find(xc_op_kind kind);

/// Whether an operator computes each element of its result, in floating point,
/// from those in the same place, or broadcast to it.
bool xc_interpret_is_elementwise(xc_op_kind kind);

/// Has one kernel's operators computed by another one. Whoever asks for it sees
/// to it that the bits stay the same: calibration has a faster convolution.
void xc_interpreter_replace(XcInterpreter *interpreter, xc_kernel from,
                            xc_kernel to);

#define XC_KERNEL(kind, function) bool function(xc_kernel_call *call);
#include "Kernels.def"
#undef XC_KERNEL

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

int64_t xc_tensor_count(const xc_tensor *tensor);
/// Returns a tensor that is only read.
static inline xc_tensor xc_tensor_view(xc_shape shape, const void *data) {
  return (xc_tensor){shape, (void *)(uintptr_t)data};
}
double xc_get_any_real(const xc_tensor *tensor, int64_t index);
void xc_set_any_real(const xc_tensor *tensor, int64_t index, double value);
/// Reads an element of any type; integers beyond 2^53 lose bits as reals.
static inline double xc_get_real(const xc_tensor *tensor, int64_t index) {
  return tensor->shape.element == XC_ELEMENT_F32
             ? (double)((const float *)tensor->data)[index]
             : xc_get_any_real(tensor, index);
}
/// Reads an element of an integer type; ui64 wraps.
int64_t xc_get_int(const xc_tensor *tensor, int64_t index);
/// Writes an element. Floats are rounded once, half to even; integers take the
/// value truncated towards zero and saturated, a NaN as 0.
static inline void xc_set_real(const xc_tensor *tensor, int64_t index,
                               double value) {
  if (tensor->shape.element == XC_ELEMENT_F32)
    ((float *)tensor->data)[index] = (float)value;
  else
    xc_set_any_real(tensor, index, value);
}
/// Writes an integer: wraps in integer types, rounds in float types.
void xc_set_int(const xc_tensor *tensor, int64_t index, int64_t value);

/// Reads `count` elements from `first` on.
void xc_get_reals(const xc_tensor *tensor, int64_t first, int64_t count,
                  double *reals);
/// Returns all elements of an operand as doubles, in the arena.
double *xc_call_reals(xc_kernel_call *call, size_t slot);
/// Returns all elements of an operand of at most 32 bits minus a zero point.
int32_t *xc_call_ints(xc_kernel_call *call, size_t slot, int32_t zero_point);
/// xc_arena_alloc in the call's arena.
void *xc_call_alloc(xc_kernel_call *call, int64_t count, size_t size);
/// Returns a tensor of the arena.
xc_tensor xc_call_tensor(xc_kernel_call *call, const xc_shape *shape);

/// Makes element i of a tensor what the kind (ADD, MUL, MIN, MAX) makes of it
/// and of element j of another of its type (Elementwise.c).
void xc_combine_elements(const xc_tensor *to, int64_t i, xc_op_kind kind,
                         const xc_tensor *from, int64_t j);

//===----------------------------------------------------------------------===//
// Walking
//===----------------------------------------------------------------------===//

enum { XC_WALK_TENSORS = 4 };

/// Visits all positions of a shape in row-major order and keeps, for up to
/// XC_WALK_TENSORS tensors, the offset of the element that belongs there.
typedef struct xc_walk {
  size_t rank;
  int64_t dims[XC_MAX_RANK];
  int64_t position[XC_MAX_RANK];
  int64_t strides[XC_WALK_TENSORS][XC_MAX_RANK];
  int64_t offset[XC_WALK_TENSORS];
  size_t tensors;
  int64_t left; // positions still to visit
} xc_walk;

xc_walk xc_walk_begin(const xc_shape *shape);
/// Adds a tensor whose shape broadcasts to the walk's, aligned at the end.
void xc_walk_broadcast(xc_walk *walk, const xc_shape *shape);
/// Adds a tensor with given strides per dimension of the walk.
void xc_walk_strides(xc_walk *walk, const int64_t *strides);
/// Moves on; while (walk.left) { ...; xc_walk_next(&walk); }
void xc_walk_next(xc_walk *walk);

#endif // XC_INTERPRETER_KERNEL_H
