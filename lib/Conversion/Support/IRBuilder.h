//===- IRBuilder.h - building arith, scf, memref and linalg -------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lowerings to upstream dialects write operations here, at the end of the
// block that is being filled. Loops and branches are opened and closed like
// brackets:
//
//   xc_ir_loop loop = xc_ir_for(&ir, zero, size, one, &init, 1);
//   MlirValue sum = xc_ir_add(&ir, loop.carried[0],
//                             xc_ir_load(&ir, buffer, &loop.index, 1));
//   xc_ir_end_for(&ir, &loop, &sum);
//   ... loop.results[0]
//
// Arithmetic is chosen by the type of the operands: integers (signless; the
// signed operation unless the name says otherwise), index, floats, and vectors
// of them. Constants are not folded: canonicalize does that.
//
//===----------------------------------------------------------------------===//

#ifndef XC_CONVERSION_SUPPORT_IRBUILDER_H
#define XC_CONVERSION_SUPPORT_IRBUILDER_H

#include "dialects/Adaptor.h"

#include "mlir-c/AffineMap.h"
#include "mlir-c/IR.h"

/// Where operations go, and the types they need most.
typedef struct xc_ir {
  MlirContext context;
  MlirLocation location;
  MlirBlock block;
  MlirType i1, i8, i16, i32, i64, index, f32, f64;
} xc_ir;

xc_ir xc_ir_create(MlirContext context, MlirLocation location, MlirBlock block);

//===----------------------------------------------------------------------===//
// Operations in general
//===----------------------------------------------------------------------===//

/// Appends an operation without regions and results.
void xc_ir_operation(const xc_ir *ir, const char *name,
                     const MlirValue *operands, size_t num_operands,
                     const MlirNamedAttribute *attributes,
                     size_t num_attributes);
/// The same with one result, which is returned.
MlirValue xc_ir_op(const xc_ir *ir, const char *name, const MlirValue *operands,
                   size_t num_operands, MlirType result,
                   const MlirNamedAttribute *attributes, size_t num_attributes);

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// Returns an integer or index constant; of a vector type all elements.
MlirValue xc_ir_int(const xc_ir *ir, MlirType type, int64_t value);
MlirValue xc_ir_index(const xc_ir *ir, int64_t value);
/// Returns a float constant, rounded to the type; of a vector type all
/// elements.
MlirValue xc_ir_float(const xc_ir *ir, MlirType type, double value);

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

MlirValue xc_ir_add(const xc_ir *ir, MlirValue a, MlirValue b);
MlirValue xc_ir_sub(const xc_ir *ir, MlirValue a, MlirValue b);
MlirValue xc_ir_mul(const xc_ir *ir, MlirValue a, MlirValue b);
/// Integers: towards zero.
MlirValue xc_ir_div(const xc_ir *ir, MlirValue a, MlirValue b);
MlirValue xc_ir_divu(const xc_ir *ir, MlirValue a, MlirValue b);
MlirValue xc_ir_and(const xc_ir *ir, MlirValue a, MlirValue b);
MlirValue xc_ir_or(const xc_ir *ir, MlirValue a, MlirValue b);
MlirValue xc_ir_xor(const xc_ir *ir, MlirValue a, MlirValue b);
MlirValue xc_ir_shl(const xc_ir *ir, MlirValue a, MlirValue b);
/// Arithmetic and logical shift to the right.
MlirValue xc_ir_shr(const xc_ir *ir, MlirValue a, MlirValue b);
MlirValue xc_ir_shru(const xc_ir *ir, MlirValue a, MlirValue b);
MlirValue xc_ir_neg(const xc_ir *ir, MlirValue a);
/// Signed minimum and maximum of integers; floats by comparison: the second
/// operand where the order is unknown.
MlirValue xc_ir_min(const xc_ir *ir, MlirValue a, MlirValue b);
MlirValue xc_ir_max(const xc_ir *ir, MlirValue a, MlirValue b);
MlirValue xc_ir_clamp(const xc_ir *ir, MlirValue a, MlirValue low,
                      MlirValue high);

/// With a constant of the operand's type on the right.
MlirValue xc_ir_addi(const xc_ir *ir, MlirValue a, int64_t b);
MlirValue xc_ir_muli(const xc_ir *ir, MlirValue a, int64_t b);
MlirValue xc_ir_shli(const xc_ir *ir, MlirValue a, int b);
MlirValue xc_ir_shri(const xc_ir *ir, MlirValue a, int b);
MlirValue xc_ir_clampi(const xc_ir *ir, MlirValue a, int64_t low, int64_t high);

/// The numbers are those of arith's integer predicates.
typedef enum xc_ir_predicate {
  XC_IR_EQ = 0,
  XC_IR_NE = 1,
  XC_IR_LT = 2,
  XC_IR_LE = 3,
  XC_IR_GT = 4,
  XC_IR_GE = 5,
  XC_IR_ULT = 6,
  XC_IR_UGT = 8,
} xc_ir_predicate;

/// Signed or unsigned order of integers; floats compare ordered (all false
/// with a NaN) except NE, which is true then.
MlirValue xc_ir_compare(const xc_ir *ir, xc_ir_predicate predicate, MlirValue a,
                        MlirValue b);
MlirValue xc_ir_comparei(const xc_ir *ir, xc_ir_predicate predicate,
                         MlirValue a, int64_t b);
MlirValue xc_ir_is_nan(const xc_ir *ir, MlirValue a);
MlirValue xc_ir_select(const xc_ir *ir, MlirValue condition, MlirValue yes,
                       MlirValue no);

/// "math.exp" and other functions of one or two floats.
MlirValue xc_ir_math(const xc_ir *ir, const char *name, MlirValue a);
MlirValue xc_ir_math2(const xc_ir *ir, const char *name, MlirValue a,
                      MlirValue b);

/// Returns the elements of a vector type, or the type itself.
MlirType xc_ir_element_type(MlirType type);
/// `element`, or a vector of as many of them as `type` has.
MlirType xc_ir_with_element(MlirType type, MlirType element);

/// Between integer types: extended by the sign (by zeros), or cut.
MlirValue xc_ir_int_cast(const xc_ir *ir, MlirValue a, MlirType type);
MlirValue xc_ir_uint_cast(const xc_ir *ir, MlirValue a, MlirType type);
/// Between index and an integer type, signed.
MlirValue xc_ir_index_cast(const xc_ir *ir, MlirValue a, MlirType type);
/// Between float types.
MlirValue xc_ir_float_cast(const xc_ir *ir, MlirValue a, MlirType type);
MlirValue xc_ir_int_to_float(const xc_ir *ir, MlirValue a, MlirType type);
MlirValue xc_ir_uint_to_float(const xc_ir *ir, MlirValue a, MlirType type);
/// Truncates; undefined outside of the integer type.
MlirValue xc_ir_float_to_int(const xc_ir *ir, MlirValue a, MlirType type);
MlirValue xc_ir_float_to_uint(const xc_ir *ir, MlirValue a, MlirType type);
/// The same bits as another type of the same width.
MlirValue xc_ir_bitcast(const xc_ir *ir, MlirValue a, MlirType type);

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

MlirValue xc_ir_load(const xc_ir *ir, MlirValue buffer,
                     const MlirValue *indices, size_t rank);
void xc_ir_store(const xc_ir *ir, MlirValue value, MlirValue buffer,
                 const MlirValue *indices, size_t rank);
/// Returns a small buffer on the stack; build it outside of loops.
MlirValue xc_ir_alloca(const xc_ir *ir, MlirType element, int64_t size);
/// Returns the elements of a buffer by other dimensions and strides, without a
/// copy.
MlirValue xc_ir_reinterpret(const xc_ir *ir, MlirValue buffer, int64_t offset,
                            size_t rank, const int64_t *dims,
                            const int64_t *strides);
/// Returns the contiguous elements of a buffer in another shape, without a
/// copy.
MlirValue xc_ir_reshape(const xc_ir *ir, MlirValue buffer, size_t rank,
                        const int64_t *dims);
/// Whether a memref type has row-major strides and no gaps; dimensions of 1
/// have no stride that matters.
bool xc_ir_is_contiguous(MlirType memref);

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

enum { XC_IR_MAX_CARRIED = 64 };

typedef struct xc_ir_loop {
  MlirOperation operation;
  MlirBlock outer;
  MlirValue index;
  size_t num_carried;
  MlirValue carried[XC_IR_MAX_CARRIED]; // inside: values of this iteration
  MlirValue results[XC_IR_MAX_CARRIED]; // after xc_ir_end_for
} xc_ir_loop;

/// scf.for from `low` to below `high` by `step` (all index), carrying values.
xc_ir_loop xc_ir_for(xc_ir *ir, MlirValue low, MlirValue high, MlirValue step,
                     const MlirValue *inits, size_t num_inits);
/// The same from 0 to a constant by 1.
xc_ir_loop xc_ir_for_size(xc_ir *ir, int64_t size, const MlirValue *inits,
                          size_t num_inits);
void xc_ir_end_for(xc_ir *ir, xc_ir_loop *loop, const MlirValue *values);
/// scf.parallel from 0 to a constant by 1.
xc_ir_loop xc_ir_parallel(xc_ir *ir, int64_t size);
void xc_ir_end_parallel(xc_ir *ir, xc_ir_loop *loop);

typedef struct xc_ir_branch {
  MlirOperation operation;
  MlirBlock outer;
  size_t num_results;
} xc_ir_branch;

/// scf.if with results; then xc_ir_else (needed with results), xc_ir_end_if.
xc_ir_branch xc_ir_if(xc_ir *ir, MlirValue condition, const MlirType *types,
                      size_t num_types);
/// Ends the first part, which gives `values`, and begins the other.
void xc_ir_else(xc_ir *ir, xc_ir_branch *branch, const MlirValue *values);
void xc_ir_end_if(xc_ir *ir, xc_ir_branch *branch, const MlirValue *values);
MlirValue xc_ir_if_result(const xc_ir_branch *branch, size_t index);

/// A nest of loops over 0..dims[i].
typedef struct xc_ir_nest {
  size_t rank;
  xc_ir_loop loops[XC_MAX_RANK];
  MlirValue at[XC_MAX_RANK];
} xc_ir_nest;

void xc_ir_nest_begin(xc_ir *ir, xc_ir_nest *nest, size_t rank,
                      const int64_t *dims);
void xc_ir_nest_end(xc_ir *ir, xc_ir_nest *nest);

//===----------------------------------------------------------------------===//
// linalg.generic
//===----------------------------------------------------------------------===//

typedef struct xc_ir_generic {
  MlirOperation operation;
  MlirBlock outer;
  MlirBlock body; // its arguments: one element of each input, of the output
} xc_ir_generic;

/// Opens a linalg.generic on buffers with one output and parallel loops; one
/// map per input, then the output's.
xc_ir_generic xc_ir_generic_begin(xc_ir *ir, const MlirValue *inputs,
                                  size_t num_inputs, MlirValue output,
                                  const MlirAffineMap *maps, size_t rank);
void xc_ir_generic_end(xc_ir *ir, xc_ir_generic *generic, MlirValue value);

#endif // XC_CONVERSION_SUPPORT_IRBUILDER_H
