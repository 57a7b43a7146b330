//===- IRBuilder.c - building arith, scf, memref and linalg ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IRBuilder.h"

#include "IR/Builder.h"
#include "IR/IR.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <assert.h>

xc_ir xc_ir_create(MlirContext context, MlirLocation location,
                   MlirBlock block) {
  return (xc_ir){.context = context,
                 .location = location,
                 .block = block,
                 .i1 = mlirIntegerTypeGet(context, 1),
                 .i8 = mlirIntegerTypeGet(context, 8),
                 .i16 = mlirIntegerTypeGet(context, 16),
                 .i32 = mlirIntegerTypeGet(context, 32),
                 .i64 = mlirIntegerTypeGet(context, 64),
                 .index = mlirIndexTypeGet(context),
                 .f32 = mlirF32TypeGet(context),
                 .f64 = mlirF64TypeGet(context)};
}

//===----------------------------------------------------------------------===//
// Operations in general
//===----------------------------------------------------------------------===//

static MlirOperation append(const xc_ir *ir, MlirOperationState *state) {
  MlirOperation operation = mlirOperationCreate(state);
  assert(!mlirOperationIsNull(operation) && "operations are built whole");
  mlirBlockAppendOwnedOperation(ir->block, operation);
  return operation;
}

void xc_ir_operation(const xc_ir *ir, const char *name,
                     const MlirValue *operands, size_t num_operands,
                     const MlirNamedAttribute *attributes,
                     size_t num_attributes) {
  const xc_builder builder = xc_builder_in(ir->block, ir->location);
  xc_build_operation(&builder, name,
                     &(xc_parts){.operands = operands,
                                 .num_operands = num_operands,
                                 .attributes = attributes,
                                 .num_attributes = num_attributes});
}

MlirValue xc_ir_op(const xc_ir *ir, const char *name, const MlirValue *operands,
                   size_t num_operands, MlirType result,
                   const MlirNamedAttribute *attributes,
                   size_t num_attributes) {
  const xc_builder builder = xc_builder_in(ir->block, ir->location);
  return xc_build_value(&builder, name, result, operands, num_operands,
                        attributes, num_attributes);
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

MlirType xc_ir_element_type(MlirType type) {
  return mlirTypeIsAVector(type) ? mlirShapedTypeGetElementType(type) : type;
}

MlirType xc_ir_with_element(MlirType type, MlirType element) {
  if (!mlirTypeIsAVector(type))
    return element;
  int64_t dims[XC_MAX_RANK];
  intptr_t rank = mlirShapedTypeGetRank(type);
  for (intptr_t i = 0; i < rank; ++i)
    dims[i] = mlirShapedTypeGetDimSize(type, i);
  return mlirVectorTypeGet(rank, dims, element);
}

static MlirValue constant(const xc_ir *ir, MlirType type, MlirAttribute value) {
  if (mlirTypeIsAVector(type))
    value = mlirDenseElementsAttrSplatGet(type, value);
  MlirNamedAttribute attribute = xc_named(ir->context, "value", value);
  return xc_ir_op(ir, "arith.constant", NULL, 0, type, &attribute, 1);
}

MlirValue xc_ir_int(const xc_ir *ir, MlirType type, int64_t value) {
  return constant(ir, type,
                  mlirIntegerAttrGet(xc_ir_element_type(type), value));
}

MlirValue xc_ir_index(const xc_ir *ir, int64_t value) {
  return xc_ir_int(ir, ir->index, value);
}

MlirValue xc_ir_float(const xc_ir *ir, MlirType type, double value) {
  return constant(
      ir, type,
      mlirFloatAttrDoubleGet(ir->context, xc_ir_element_type(type), value));
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static bool is_float(MlirValue value) {
  MlirType type = xc_ir_element_type(mlirValueGetType(value));
  return mlirTypeIsAFloat(type);
}

static MlirValue binary(const xc_ir *ir, const char *name, MlirValue a,
                        MlirValue b) {
  const MlirValue operands[] = {a, b};
  return xc_ir_op(ir, name, operands, 2, mlirValueGetType(a), NULL, 0);
}

static MlirValue binary_either(const xc_ir *ir, const char *for_ints,
                               const char *for_floats, MlirValue a,
                               MlirValue b) {
  return binary(ir, is_float(a) ? for_floats : for_ints, a, b);
}

MlirValue xc_ir_add(const xc_ir *ir, MlirValue a, MlirValue b) {
  return binary_either(ir, "arith.addi", "arith.addf", a, b);
}
MlirValue xc_ir_sub(const xc_ir *ir, MlirValue a, MlirValue b) {
  return binary_either(ir, "arith.subi", "arith.subf", a, b);
}
MlirValue xc_ir_mul(const xc_ir *ir, MlirValue a, MlirValue b) {
  return binary_either(ir, "arith.muli", "arith.mulf", a, b);
}
MlirValue xc_ir_div(const xc_ir *ir, MlirValue a, MlirValue b) {
  return binary_either(ir, "arith.divsi", "arith.divf", a, b);
}
MlirValue xc_ir_divu(const xc_ir *ir, MlirValue a, MlirValue b) {
  return binary(ir, "arith.divui", a, b);
}
MlirValue xc_ir_and(const xc_ir *ir, MlirValue a, MlirValue b) {
  return binary(ir, "arith.andi", a, b);
}
MlirValue xc_ir_or(const xc_ir *ir, MlirValue a, MlirValue b) {
  return binary(ir, "arith.ori", a, b);
}
MlirValue xc_ir_xor(const xc_ir *ir, MlirValue a, MlirValue b) {
  return binary(ir, "arith.xori", a, b);
}
MlirValue xc_ir_shl(const xc_ir *ir, MlirValue a, MlirValue b) {
  return binary(ir, "arith.shli", a, b);
}
MlirValue xc_ir_shr(const xc_ir *ir, MlirValue a, MlirValue b) {
  return binary(ir, "arith.shrsi", a, b);
}
MlirValue xc_ir_shru(const xc_ir *ir, MlirValue a, MlirValue b) {
  return binary(ir, "arith.shrui", a, b);
}

MlirValue xc_ir_neg(const xc_ir *ir, MlirValue a) {
  MlirType type = mlirValueGetType(a);
  return is_float(a) ? xc_ir_op(ir, "arith.negf", &a, 1, type, NULL, 0)
                     : xc_ir_sub(ir, xc_ir_int(ir, type, 0), a);
}

// Floats by comparison and selection, which is one instruction on most
// machines, unlike the minimum that cares for NaN and -0.
MlirValue xc_ir_min(const xc_ir *ir, MlirValue a, MlirValue b) {
  if (is_float(a))
    return xc_ir_select(ir, xc_ir_compare(ir, XC_IR_LT, a, b), a, b);
  return binary(ir, "arith.minsi", a, b);
}
MlirValue xc_ir_max(const xc_ir *ir, MlirValue a, MlirValue b) {
  if (is_float(a))
    return xc_ir_select(ir, xc_ir_compare(ir, XC_IR_GT, a, b), a, b);
  return binary(ir, "arith.maxsi", a, b);
}

MlirValue xc_ir_clamp(const xc_ir *ir, MlirValue a, MlirValue low,
                      MlirValue high) {
  return xc_ir_min(ir, xc_ir_max(ir, a, low), high);
}

static MlirValue same_int(const xc_ir *ir, MlirValue a, int64_t value) {
  return xc_ir_int(ir, mlirValueGetType(a), value);
}

MlirValue xc_ir_addi(const xc_ir *ir, MlirValue a, int64_t b) {
  return b == 0 ? a : xc_ir_add(ir, a, same_int(ir, a, b));
}
MlirValue xc_ir_muli(const xc_ir *ir, MlirValue a, int64_t b) {
  return b == 1 ? a : xc_ir_mul(ir, a, same_int(ir, a, b));
}
MlirValue xc_ir_shli(const xc_ir *ir, MlirValue a, int b) {
  return b == 0 ? a : xc_ir_shl(ir, a, same_int(ir, a, b));
}
MlirValue xc_ir_shri(const xc_ir *ir, MlirValue a, int b) {
  return b == 0 ? a : xc_ir_shr(ir, a, same_int(ir, a, b));
}
MlirValue xc_ir_clampi(const xc_ir *ir, MlirValue a, int64_t low,
                       int64_t high) {
  return xc_ir_clamp(ir, a, same_int(ir, a, low), same_int(ir, a, high));
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

// arith's float predicates: ordered ones, and "unordered or not equal".
static int64_t float_predicate(xc_ir_predicate predicate) {
  switch (predicate) {
  case XC_IR_EQ:
    return 1;
  case XC_IR_GT:
  case XC_IR_UGT:
    return 2;
  case XC_IR_GE:
    return 3;
  case XC_IR_LT:
  case XC_IR_ULT:
    return 4;
  case XC_IR_LE:
    return 5;
  case XC_IR_NE:
    return 13;
  }
  return 0;
}

static MlirType truth_type(const xc_ir *ir, MlirType type) {
  if (!mlirTypeIsAVector(type))
    return ir->i1;
  int64_t dims[XC_MAX_RANK];
  intptr_t rank = mlirShapedTypeGetRank(type);
  for (intptr_t i = 0; i < rank; ++i)
    dims[i] = mlirShapedTypeGetDimSize(type, i);
  return mlirVectorTypeGet(rank, dims, ir->i1);
}

MlirValue xc_ir_compare(const xc_ir *ir, xc_ir_predicate predicate, MlirValue a,
                        MlirValue b) {
  bool real = is_float(a);
  int64_t number = real ? float_predicate(predicate) : (int64_t)predicate;
  const MlirValue operands[] = {a, b};
  MlirNamedAttribute attribute =
      xc_named(ir->context, "predicate", mlirIntegerAttrGet(ir->i64, number));
  return xc_ir_op(ir, real ? "arith.cmpf" : "arith.cmpi", operands, 2,
                  truth_type(ir, mlirValueGetType(a)), &attribute, 1);
}

MlirValue xc_ir_comparei(const xc_ir *ir, xc_ir_predicate predicate,
                         MlirValue a, int64_t b) {
  return xc_ir_compare(ir, predicate, a, same_int(ir, a, b));
}

MlirValue xc_ir_is_nan(const xc_ir *ir, MlirValue a) {
  return xc_ir_compare(ir, XC_IR_NE, a, a);
}

MlirValue xc_ir_select(const xc_ir *ir, MlirValue condition, MlirValue yes,
                       MlirValue no) {
  const MlirValue operands[] = {condition, yes, no};
  return xc_ir_op(ir, "arith.select", operands, 3, mlirValueGetType(yes), NULL,
                  0);
}

MlirValue xc_ir_math(const xc_ir *ir, const char *name, MlirValue a) {
  return xc_ir_op(ir, name, &a, 1, mlirValueGetType(a), NULL, 0);
}

MlirValue xc_ir_math2(const xc_ir *ir, const char *name, MlirValue a,
                      MlirValue b) {
  return binary(ir, name, a, b);
}

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

static MlirValue cast(const xc_ir *ir, const char *name, MlirValue a,
                      MlirType type) {
  return mlirTypeEqual(mlirValueGetType(a), type)
             ? a
             : xc_ir_op(ir, name, &a, 1, type, NULL, 0);
}

static unsigned width_of(MlirType type) {
  type = xc_ir_element_type(type);
  return mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type)
                                  : mlirFloatTypeGetWidth(type);
}

static MlirValue resize(const xc_ir *ir, const char *extend, const char *cut,
                        MlirValue a, MlirType type) {
  bool wider = width_of(type) > width_of(mlirValueGetType(a));
  return cast(ir, wider ? extend : cut, a, type);
}

MlirValue xc_ir_int_cast(const xc_ir *ir, MlirValue a, MlirType type) {
  return resize(ir, "arith.extsi", "arith.trunci", a, type);
}
MlirValue xc_ir_uint_cast(const xc_ir *ir, MlirValue a, MlirType type) {
  return resize(ir, "arith.extui", "arith.trunci", a, type);
}
MlirValue xc_ir_index_cast(const xc_ir *ir, MlirValue a, MlirType type) {
  return cast(ir, "arith.index_cast", a, type);
}
MlirValue xc_ir_float_cast(const xc_ir *ir, MlirValue a, MlirType type) {
  return resize(ir, "arith.extf", "arith.truncf", a, type);
}
MlirValue xc_ir_int_to_float(const xc_ir *ir, MlirValue a, MlirType type) {
  return cast(ir, "arith.sitofp", a, type);
}
MlirValue xc_ir_uint_to_float(const xc_ir *ir, MlirValue a, MlirType type) {
  return cast(ir, "arith.uitofp", a, type);
}
MlirValue xc_ir_float_to_int(const xc_ir *ir, MlirValue a, MlirType type) {
  return cast(ir, "arith.fptosi", a, type);
}
MlirValue xc_ir_float_to_uint(const xc_ir *ir, MlirValue a, MlirType type) {
  return cast(ir, "arith.fptoui", a, type);
}
MlirValue xc_ir_bitcast(const xc_ir *ir, MlirValue a, MlirType type) {
  return cast(ir, "arith.bitcast", a, type);
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

static void with_indices(MlirValue *operands, size_t before,
                         const MlirValue *indices, size_t rank) {
  assert(rank <= XC_MAX_RANK && "shapes have few dimensions");
  for (size_t i = 0; i < rank; ++i)
    operands[before + i] = indices[i];
}

MlirValue xc_ir_load(const xc_ir *ir, MlirValue buffer,
                     const MlirValue *indices, size_t rank) {
  MlirValue operands[1 + XC_MAX_RANK] = {buffer};
  with_indices(operands, 1, indices, rank);
  return xc_ir_op(ir, "memref.load", operands, 1 + rank,
                  mlirShapedTypeGetElementType(mlirValueGetType(buffer)), NULL,
                  0);
}

void xc_ir_store(const xc_ir *ir, MlirValue value, MlirValue buffer,
                 const MlirValue *indices, size_t rank) {
  MlirValue operands[2 + XC_MAX_RANK] = {value, buffer};
  with_indices(operands, 2, indices, rank);
  xc_ir_operation(ir, "memref.store", operands, 2 + rank, NULL, 0);
}

MlirValue xc_ir_alloca(const xc_ir *ir, MlirType element, int64_t size) {
  MlirType type =
      mlirMemRefTypeContiguousGet(element, 1, &size, mlirAttributeGetNull());
  const int32_t segments[] = {0, 0};
  MlirNamedAttribute attribute =
      xc_named(ir->context, "operandSegmentSizes",
               mlirDenseI32ArrayGet(ir->context, 2, segments));
  return xc_ir_op(ir, "memref.alloca", NULL, 0, type, &attribute, 1);
}

bool xc_ir_is_contiguous(MlirType memref) {
  int64_t strides[XC_MAX_RANK], offset, own = 1;
  intptr_t rank = mlirShapedTypeGetRank(memref);
  if (rank > XC_MAX_RANK ||
      mlirLogicalResultIsFailure(
          mlirMemRefTypeGetStridesAndOffset(memref, strides, &offset)))
    return false;
  for (intptr_t i = rank; i-- > 0;) {
    int64_t size = mlirShapedTypeGetDimSize(memref, i);
    if (size != 1 && strides[i] != own)
      return false;
    own *= size;
  }
  return true;
}

MlirValue xc_ir_reinterpret(const xc_ir *ir, MlirValue buffer, int64_t offset,
                            size_t rank, const int64_t *dims,
                            const int64_t *strides) {
  MlirType from = mlirValueGetType(buffer);
  MlirType element = mlirShapedTypeGetElementType(from);
  MlirAttribute space = mlirMemRefTypeGetMemorySpace(from);
  MlirAttribute layout =
      mlirStridedLayoutAttrGet(ir->context, offset, (intptr_t)rank, strides);
  MlirType to = mlirMemRefTypeGet(element, (intptr_t)rank, dims, layout, space);
  if (offset == 0 && xc_ir_is_contiguous(to))
    to = mlirMemRefTypeContiguousGet(element, (intptr_t)rank, dims, space);
  if (mlirTypeEqual(from, to))
    return buffer;
  const int32_t segments[] = {1, 0, 0, 0};
  const MlirNamedAttribute attributes[] = {
      xc_named(ir->context, "static_offsets",
               mlirDenseI64ArrayGet(ir->context, 1, &offset)),
      xc_named(ir->context, "static_sizes",
               mlirDenseI64ArrayGet(ir->context, (intptr_t)rank, dims)),
      xc_named(ir->context, "static_strides",
               mlirDenseI64ArrayGet(ir->context, (intptr_t)rank, strides)),
      xc_named(ir->context, "operandSegmentSizes",
               mlirDenseI32ArrayGet(ir->context, 4, segments))};
  return xc_ir_op(ir, "memref.reinterpret_cast", &buffer, 1, to, attributes, 4);
}

MlirValue xc_ir_reshape(const xc_ir *ir, MlirValue buffer, size_t rank,
                        const int64_t *dims) {
  MlirType from = mlirValueGetType(buffer);
  assert(xc_ir_is_contiguous(from) && "only dense elements have other shapes");
  int64_t strides[XC_MAX_RANK], offset = 0;
  mlirMemRefTypeGetStridesAndOffset(from, strides, &offset);
  for (size_t i = rank, stride = 1; i-- > 0; stride *= (size_t)dims[i])
    strides[i] = (int64_t)stride;
  return xc_ir_reinterpret(ir, buffer, offset, rank, dims, strides);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static MlirBlock add_block(MlirRegion region, const MlirType *types,
                           size_t count, MlirLocation location) {
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  for (size_t i = 0; i < count; ++i)
    mlirBlockAddArgument(block, types[i], location);
  mlirRegionAppendOwnedBlock(region, block);
  return block;
}

static void yield(const xc_ir *ir, const MlirValue *values, size_t count) {
  xc_ir_operation(ir, "scf.yield", values, count, NULL, 0);
}

xc_ir_loop xc_ir_for(xc_ir *ir, MlirValue low, MlirValue high, MlirValue step,
                     const MlirValue *inits, size_t num_inits) {
  assert(num_inits <= XC_IR_MAX_CARRIED && "loops carry few values");
  MlirValue operands[3 + XC_IR_MAX_CARRIED] = {low, high, step};
  MlirType types[1 + XC_IR_MAX_CARRIED] = {ir->index};
  for (size_t i = 0; i < num_inits; ++i) {
    operands[3 + i] = inits[i];
    types[1 + i] = mlirValueGetType(inits[i]);
  }
  MlirRegion region = mlirRegionCreate();
  MlirBlock body = add_block(region, types, 1 + num_inits, ir->location);
  MlirOperationState state =
      mlirOperationStateGet(xc_ref("scf.for"), ir->location);
  mlirOperationStateAddOperands(&state, (intptr_t)(3 + num_inits), operands);
  mlirOperationStateAddResults(&state, (intptr_t)num_inits, types + 1);
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  xc_ir_loop loop = {.operation = append(ir, &state),
                     .outer = ir->block,
                     .index = mlirBlockGetArgument(body, 0),
                     .num_carried = num_inits};
  for (size_t i = 0; i < num_inits; ++i)
    loop.carried[i] = mlirBlockGetArgument(body, (intptr_t)i + 1);
  ir->block = body;
  return loop;
}

xc_ir_loop xc_ir_for_size(xc_ir *ir, int64_t size, const MlirValue *inits,
                          size_t num_inits) {
  return xc_ir_for(ir, xc_ir_index(ir, 0), xc_ir_index(ir, size),
                   xc_ir_index(ir, 1), inits, num_inits);
}

void xc_ir_end_for(xc_ir *ir, xc_ir_loop *loop, const MlirValue *values) {
  yield(ir, values, loop->num_carried);
  ir->block = loop->outer;
  for (size_t i = 0; i < loop->num_carried; ++i)
    loop->results[i] = mlirOperationGetResult(loop->operation, (intptr_t)i);
}

xc_ir_loop xc_ir_parallel(xc_ir *ir, int64_t size) {
  const MlirValue bounds[] = {xc_ir_index(ir, 0), xc_ir_index(ir, size),
                              xc_ir_index(ir, 1)};
  const int32_t segments[] = {1, 1, 1, 0};
  MlirNamedAttribute attribute =
      xc_named(ir->context, "operandSegmentSizes",
               mlirDenseI32ArrayGet(ir->context, 4, segments));
  MlirRegion region = mlirRegionCreate();
  MlirBlock body = add_block(region, &ir->index, 1, ir->location);
  MlirOperationState state =
      mlirOperationStateGet(xc_ref("scf.parallel"), ir->location);
  mlirOperationStateAddOperands(&state, 3, bounds);
  mlirOperationStateAddAttributes(&state, 1, &attribute);
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  xc_ir_loop loop = {.operation = append(ir, &state),
                     .outer = ir->block,
                     .index = mlirBlockGetArgument(body, 0)};
  ir->block = body;
  return loop;
}

void xc_ir_end_parallel(xc_ir *ir, xc_ir_loop *loop) {
  xc_ir_operation(ir, "scf.reduce", NULL, 0, NULL, 0);
  ir->block = loop->outer;
}

xc_ir_branch xc_ir_if(xc_ir *ir, MlirValue condition, const MlirType *types,
                      size_t num_types) {
  MlirRegion regions[] = {mlirRegionCreate(), mlirRegionCreate()};
  MlirBlock body = add_block(regions[0], NULL, 0, ir->location);
  MlirOperationState state =
      mlirOperationStateGet(xc_ref("scf.if"), ir->location);
  mlirOperationStateAddOperands(&state, 1, &condition);
  mlirOperationStateAddResults(&state, (intptr_t)num_types, types);
  mlirOperationStateAddOwnedRegions(&state, 2, regions);
  xc_ir_branch branch = {append(ir, &state), ir->block, num_types};
  ir->block = body;
  return branch;
}

void xc_ir_else(xc_ir *ir, xc_ir_branch *branch, const MlirValue *values) {
  yield(ir, values, branch->num_results);
  ir->block = add_block(mlirOperationGetRegion(branch->operation, 1), NULL, 0,
                        ir->location);
}

void xc_ir_end_if(xc_ir *ir, xc_ir_branch *branch, const MlirValue *values) {
  yield(ir, values, branch->num_results);
  ir->block = branch->outer;
}

MlirValue xc_ir_if_result(const xc_ir_branch *branch, size_t index) {
  return mlirOperationGetResult(branch->operation, (intptr_t)index);
}

void xc_ir_nest_begin(xc_ir *ir, xc_ir_nest *nest, size_t rank,
                      const int64_t *dims) {
  assert(rank <= XC_MAX_RANK && "shapes have few dimensions");
  nest->rank = rank;
  for (size_t i = 0; i < rank; ++i) {
    nest->loops[i] = xc_ir_for_size(ir, dims[i], NULL, 0);
    nest->at[i] = nest->loops[i].index;
  }
}

void xc_ir_nest_end(xc_ir *ir, xc_ir_nest *nest) {
  for (size_t i = nest->rank; i-- > 0;)
    xc_ir_end_for(ir, &nest->loops[i], NULL);
}

//===----------------------------------------------------------------------===//
// linalg.generic
//===----------------------------------------------------------------------===//

xc_ir_generic xc_ir_generic_begin(xc_ir *ir, const MlirValue *inputs,
                                  size_t num_inputs, MlirValue output,
                                  const MlirAffineMap *maps, size_t rank) {
  assert(num_inputs < XC_MAX_OPERANDS && "operators have few inputs");
  MlirValue operands[XC_MAX_OPERANDS];
  MlirType types[XC_MAX_OPERANDS];
  MlirAttribute map_attributes[XC_MAX_OPERANDS], kinds[XC_MAX_RANK];
  for (size_t i = 0; i <= num_inputs; ++i) {
    operands[i] = i < num_inputs ? inputs[i] : output;
    types[i] = mlirShapedTypeGetElementType(mlirValueGetType(operands[i]));
    map_attributes[i] = mlirAffineMapAttrGet(maps[i]);
  }
  for (size_t i = 0; i < rank; ++i)
    kinds[i] = mlirAttributeParseGet(ir->context,
                                     xc_ref("#linalg.iterator_type<parallel>"));
  const int32_t segments[] = {(int32_t)num_inputs, 1};
  const MlirNamedAttribute attributes[] = {
      xc_named(ir->context, "indexing_maps",
               mlirArrayAttrGet(ir->context, (intptr_t)num_inputs + 1,
                                map_attributes)),
      xc_named(ir->context, "iterator_types",
               mlirArrayAttrGet(ir->context, (intptr_t)rank, kinds)),
      xc_named(ir->context, "operandSegmentSizes",
               mlirDenseI32ArrayGet(ir->context, 2, segments))};
  MlirRegion region = mlirRegionCreate();
  MlirBlock body = add_block(region, types, num_inputs + 1, ir->location);
  MlirOperationState state =
      mlirOperationStateGet(xc_ref("linalg.generic"), ir->location);
  mlirOperationStateAddOperands(&state, (intptr_t)num_inputs + 1, operands);
  mlirOperationStateAddAttributes(&state, 3, attributes);
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  xc_ir_generic generic = {append(ir, &state), ir->block, body};
  ir->block = body;
  return generic;
}

void xc_ir_generic_end(xc_ir *ir, xc_ir_generic *generic, MlirValue value) {
  xc_ir_operation(ir, "linalg.yield", &value, 1, NULL, 0);
  ir->block = generic->outer;
}
