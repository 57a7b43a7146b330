//===- Range.c - what integers of a function can be -----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Range.h"

#include "IR/IR.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

void xc_c_ranges_free(xc_c_ranges *ranges) {
  xc_pointer_map_free(&ranges->known);
  xc_arena_free(&ranges->arena);
}

unsigned xc_c_int_width(MlirType type) {
  if (mlirTypeIsAIndex(type))
    return 64;
  return mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type) : 0;
}

xc_c_range xc_c_range_of_type(MlirType type) {
  unsigned width = xc_c_int_width(type);
  if (width == 1)
    return (xc_c_range){0, 1};
  if (width == 0 || width >= 64)
    return (xc_c_range){INT64_MIN, INT64_MAX};
  int64_t half = INT64_C(1) << (width - 1);
  return (xc_c_range){-half, half - 1};
}

bool xc_c_range_within(xc_c_range inner, xc_c_range outer) {
  return inner.low >= outer.low && inner.high <= outer.high;
}

bool xc_c_is_narrow(xc_c_range range) {
  return xc_c_range_within(range, (xc_c_range){INT32_MIN, INT32_MAX});
}

bool xc_c_int_constant(MlirValue value, int64_t *constant) {
  if (!mlirValueIsAOpResult(value))
    return false;
  MlirOperation owner = mlirOpResultGetOwner(value);
  unsigned width = xc_c_int_width(mlirValueGetType(value));
  if (width == 0 || !xc_op_is(owner, "arith.constant"))
    return false;
  int64_t number = mlirIntegerAttrGetValueInt(xc_op_attribute(owner, "value"));
  *constant = width == 1 ? number & 1 : number;
  return true;
}

//===----------------------------------------------------------------------===//
// Arithmetic of intervals
//===----------------------------------------------------------------------===//

static xc_c_range hull(xc_c_range a, xc_c_range b) {
  return (xc_c_range){a.low < b.low ? a.low : b.low,
                      a.high > b.high ? a.high : b.high};
}

// Each function is false where the exact result leaves 64 bits.
static bool add(xc_c_range a, xc_c_range b, xc_c_range *result) {
  return !__builtin_add_overflow(a.low, b.low, &result->low) &&
         !__builtin_add_overflow(a.high, b.high, &result->high);
}

static bool subtract(xc_c_range a, xc_c_range b, xc_c_range *result) {
  return !__builtin_sub_overflow(a.low, b.high, &result->low) &&
         !__builtin_sub_overflow(a.high, b.low, &result->high);
}

static bool multiply(xc_c_range a, xc_c_range b, xc_c_range *result) {
  const int64_t left[] = {a.low, a.high}, right[] = {b.low, b.high};
  for (int i = 0; i < 4; ++i) {
    int64_t product;
    if (__builtin_mul_overflow(left[i / 2], right[i % 2], &product))
      return false;
    xc_c_range one = {product, product};
    *result = i == 0 ? one : hull(*result, one);
  }
  return true;
}

static bool shift_left(xc_c_range a, xc_c_range by, xc_c_range *result) {
  if (by.low < 0 || by.high > 62)
    return false;
  xc_c_range power = {INT64_C(1) << by.low, INT64_C(1) << by.high};
  return multiply(a, power, result);
}

static bool shift_right(xc_c_range a, xc_c_range by, xc_c_range *result) {
  if (by.low < 0 || by.high > 63)
    return false;
  *result = (xc_c_range){a.low >> (a.low < 0 ? by.low : by.high),
                         a.high >> (a.high < 0 ? by.high : by.low)};
  return true;
}

static bool divide(xc_c_range a, xc_c_range b, xc_c_range *result) {
  if (b.low <= 0)
    return false;
  *result = (xc_c_range){a.low / (a.low < 0 ? b.low : b.high),
                         a.high / (a.high < 0 ? b.high : b.low)};
  return true;
}

static bool least(xc_c_range a, xc_c_range b, xc_c_range *result) {
  *result = (xc_c_range){a.low < b.low ? a.low : b.low,
                         a.high < b.high ? a.high : b.high};
  return true;
}

static bool greatest(xc_c_range a, xc_c_range b, xc_c_range *result) {
  *result = (xc_c_range){a.low > b.low ? a.low : b.low,
                         a.high > b.high ? a.high : b.high};
  return true;
}

static bool bits_and(xc_c_range a, xc_c_range b, xc_c_range *result) {
  if (a.low < 0 && b.low < 0)
    return false;
  int64_t high = a.low < 0         ? b.high
                 : b.low < 0       ? a.high
                 : a.high < b.high ? a.high
                                   : b.high;
  *result = (xc_c_range){0, high};
  return true;
}

// Of numbers below a power of two, so is their union and their difference.
static bool bits_or(xc_c_range a, xc_c_range b, xc_c_range *result) {
  if (a.low < 0 || b.low < 0)
    return false;
  uint64_t bits = (uint64_t)a.high | (uint64_t)b.high;
  for (unsigned shift = 1; shift < 64; shift *= 2)
    bits |= bits >> shift;
  *result = (xc_c_range){0, (int64_t)bits};
  return true;
}

typedef bool (*interval_function)(xc_c_range a, xc_c_range b,
                                  xc_c_range *result);

static const struct {
  const char *name;
  interval_function function;
} binary_operations[] = {
    {"arith.addi", add},          {"arith.subi", subtract},
    {"arith.muli", multiply},     {"arith.shli", shift_left},
    {"arith.shrsi", shift_right}, {"arith.divsi", divide},
    {"arith.minsi", least},       {"arith.maxsi", greatest},
    {"arith.andi", bits_and},     {"arith.ori", bits_or},
    {"arith.xori", bits_or},
};

static interval_function find(MlirOperation operation) {
  size_t count = sizeof(binary_operations) / sizeof(*binary_operations);
  for (size_t i = 0; i < count; ++i)
    if (xc_op_is(operation, binary_operations[i].name))
      return binary_operations[i].function;
  return NULL;
}

static xc_c_range operand(xc_c_ranges *ranges, MlirOperation operation,
                          intptr_t index) {
  return xc_c_range_of(ranges, mlirOperationGetOperand(operation, index));
}

// The exact result of a binary operation; false where it is not known.
static bool exact(xc_c_ranges *ranges, MlirOperation operation,
                  xc_c_range *result) {
  interval_function function = find(operation);
  return function && function(operand(ranges, operation, 0),
                              operand(ranges, operation, 1), result);
}

bool xc_c_may_wrap(xc_c_ranges *ranges, MlirOperation operation) {
  xc_c_range result;
  MlirType type = mlirValueGetType(mlirOperationGetResult(operation, 0));
  return !exact(ranges, operation, &result) ||
         !xc_c_range_within(result, xc_c_range_of_type(type));
}

//===----------------------------------------------------------------------===//
// Values that loops carry
//===----------------------------------------------------------------------===//

// A value as it depends on one that a loop carries: that value plus something,
// or, with `apart`, one that may also be something of its own.
typedef struct change {
  enum { CHANGE_ADDS, CHANGE_APART, CHANGE_UNKNOWN } kind;
  xc_c_range by;
} change;

static const change unknown = {CHANGE_UNKNOWN, {0, 0}};

static bool is_zero(change c) {
  return c.kind == CHANGE_ADDS && c.by.low == 0 && c.by.high == 0;
}

static change either(change a, change b) {
  if (a.kind == CHANGE_UNKNOWN || b.kind == CHANGE_UNKNOWN)
    return unknown;
  if (a.kind == b.kind)
    return (change){a.kind, hull(a.by, b.by)};
  change adds = a.kind == CHANGE_ADDS ? a : b;
  return is_zero(adds) ? (a.kind == CHANGE_ADDS ? b : a) : unknown;
}

static change change_of(xc_c_ranges *ranges, MlirValue value, MlirValue base);

static MlirOperation terminator(MlirOperation operation, intptr_t region) {
  return mlirBlockGetTerminator(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(operation, region)));
}

// Times that a scf.for runs; false when that is not known.
static bool trips(MlirOperation loop, int64_t *count) {
  int64_t bounds[3];
  for (intptr_t i = 0; i < 3; ++i)
    if (!xc_c_int_constant(mlirOperationGetOperand(loop, i), &bounds[i]))
      return false;
  int64_t span = bounds[1] - bounds[0];
  *count = span <= 0 ? 0 : (span + bounds[2] - 1) / bounds[2];
  return true;
}

// Returns how all rounds of a loop together change the value that it carries at
// an index.
static change change_of_loop(xc_c_ranges *ranges, MlirOperation loop,
                             intptr_t index) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
  MlirValue carried = mlirBlockGetArgument(body, index + 1);
  MlirValue next = mlirOperationGetOperand(terminator(loop, 0), index);
  change round = change_of(ranges, next, carried);
  int64_t count;
  xc_c_range times = {0, 0};
  if (round.kind != CHANGE_ADDS)
    return round;
  if (!trips(loop, &count))
    return is_zero(round) ? round : unknown;
  times.high = count;
  xc_c_range all;
  return multiply(round.by, times, &all) ? (change){CHANGE_ADDS, all} : unknown;
}

static change after(change first, change second) {
  if (first.kind == CHANGE_ADDS && second.kind == CHANGE_ADDS) {
    xc_c_range sum;
    return add(first.by, second.by, &sum) ? (change){CHANGE_ADDS, sum}
                                          : unknown;
  }
  if (is_zero(first))
    return second;
  if (is_zero(second))
    return first;
  return first.kind == CHANGE_APART && second.kind == CHANGE_APART
             ? either(first, second)
             : unknown;
}

static change change_of_sum(xc_c_ranges *ranges, MlirOperation operation,
                            MlirValue base, bool difference) {
  for (intptr_t i = 0; i < (difference ? 1 : 2); ++i) {
    change c = change_of(ranges, mlirOperationGetOperand(operation, i), base);
    if (c.kind != CHANGE_ADDS)
      continue;
    xc_c_range other = operand(ranges, operation, 1 - i), sum;
    bool fits =
        difference ? subtract(c.by, other, &sum) : add(c.by, other, &sum);
    return fits ? (change){CHANGE_ADDS, sum} : unknown;
  }
  return unknown;
}

static change change_of_result(xc_c_ranges *ranges, MlirValue value,
                               MlirValue base) {
  MlirOperation owner = mlirOpResultGetOwner(value);
  intptr_t index = mlirOpResultGetResultNumber(value);
  if (xc_op_is(owner, "scf.for"))
    return after(
        change_of(ranges, mlirOperationGetOperand(owner, 3 + index), base),
        change_of_loop(ranges, owner, index));
  if (xc_op_is(owner, "scf.if"))
    return either(
        change_of(ranges, mlirOperationGetOperand(terminator(owner, 0), index),
                  base),
        change_of(ranges, mlirOperationGetOperand(terminator(owner, 1), index),
                  base));
  if (xc_op_is(owner, "arith.select"))
    return either(change_of(ranges, mlirOperationGetOperand(owner, 1), base),
                  change_of(ranges, mlirOperationGetOperand(owner, 2), base));
  bool difference = xc_op_is(owner, "arith.subi");
  if (difference || xc_op_is(owner, "arith.addi")) {
    change sum = change_of_sum(ranges, owner, base, difference);
    if (sum.kind != CHANGE_UNKNOWN)
      return sum;
  }
  if (xc_op_is(owner, "arith.minsi") || xc_op_is(owner, "arith.maxsi"))
    return either(change_of(ranges, mlirOperationGetOperand(owner, 0), base),
                  change_of(ranges, mlirOperationGetOperand(owner, 1), base));
  return unknown;
}

// While the interval of `base` is being found, it counts as all of its type, so
// that what depends on it in other ways gets no wrong interval.
static change change_of(xc_c_ranges *ranges, MlirValue value, MlirValue base) {
  if (mlirValueEqual(value, base))
    return (change){CHANGE_ADDS, {0, 0}};
  change c = unknown;
  if (mlirValueIsAOpResult(value))
    c = change_of_result(ranges, value, base);
  return c.kind != CHANGE_UNKNOWN
             ? c
             : (change){CHANGE_APART, xc_c_range_of(ranges, value)};
}

static xc_c_range range_of_carried(xc_c_ranges *ranges, MlirOperation loop,
                                   intptr_t index, MlirType type) {
  xc_c_range first =
      xc_c_range_of(ranges, mlirOperationGetOperand(loop, 3 + index));
  change all = change_of_loop(ranges, loop, index);
  xc_c_range whole = xc_c_range_of_type(type), range = whole, sum;
  if (all.kind == CHANGE_APART)
    range = hull(first, all.by);
  else if (all.kind == CHANGE_ADDS && add(first, all.by, &sum))
    range = sum;
  return xc_c_range_within(range, whole) ? range : whole;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static xc_c_range range_of_index(xc_c_ranges *ranges, MlirOperation loop) {
  xc_c_range low = operand(ranges, loop, 0), high = operand(ranges, loop, 1);
  return (xc_c_range){low.low, high.high > low.low ? high.high - 1 : low.low};
}

static xc_c_range range_of_argument(xc_c_ranges *ranges, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  MlirOperation parent =
      mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  intptr_t number = mlirBlockArgumentGetArgNumber(value);
  if (!xc_op_is(parent, "scf.for"))
    return xc_c_range_of_type(type);
  return number == 0 ? range_of_index(ranges, parent)
                     : range_of_carried(ranges, parent, number - 1, type);
}

// Casts keep the number where the type holds it.
static bool range_of_cast(xc_c_ranges *ranges, MlirOperation operation,
                          xc_c_range whole, xc_c_range *range) {
  bool is_unsigned = xc_op_is(operation, "arith.extui") ||
                     xc_op_is(operation, "arith.index_castui");
  bool is_cast = is_unsigned || xc_op_is(operation, "arith.extsi") ||
                 xc_op_is(operation, "arith.trunci") ||
                 xc_op_is(operation, "arith.index_cast");
  if (!is_cast)
    return false;
  MlirType from = mlirValueGetType(mlirOperationGetOperand(operation, 0));
  *range = operand(ranges, operation, 0);
  unsigned width = xc_c_int_width(from);
  if (width == 1 && !is_unsigned)
    *range = (xc_c_range){-range->high, -range->low};
  if (is_unsigned && range->low < 0)
    *range =
        (xc_c_range){0, width < 63 ? (INT64_C(1) << width) - 1 : INT64_MAX};
  if (!xc_c_range_within(*range, whole))
    *range = whole;
  return true;
}

static xc_c_range range_of_result(xc_c_ranges *ranges, MlirValue value) {
  MlirOperation owner = mlirOpResultGetOwner(value);
  intptr_t index = mlirOpResultGetResultNumber(value);
  xc_c_range whole = xc_c_range_of_type(mlirValueGetType(value)), range;
  int64_t constant;
  if (xc_c_int_constant(value, &constant))
    return (xc_c_range){constant, constant};
  if (xc_op_is(owner, "scf.for"))
    return range_of_carried(ranges, owner, index, mlirValueGetType(value));
  if (xc_op_is(owner, "scf.if")) {
    MlirOperation yes = terminator(owner, 0), no = terminator(owner, 1);
    return hull(operand(ranges, yes, index), operand(ranges, no, index));
  }
  if (xc_op_is(owner, "arith.select"))
    return hull(operand(ranges, owner, 1), operand(ranges, owner, 2));
  if (xc_op_is(owner, "math.ctlz"))
    return (xc_c_range){0, xc_c_int_width(mlirValueGetType(value))};
  if (range_of_cast(ranges, owner, whole, &range))
    return range;
  if (exact(ranges, owner, &range) && xc_c_range_within(range, whole))
    return range;
  return whole;
}

xc_c_range xc_c_range_of(xc_c_ranges *ranges, MlirValue value) {
  xc_c_range *known = xc_pointer_map_get(&ranges->known, value.ptr);
  if (known)
    return *known;
  known = xc_arena_alloc(&ranges->arena, 1, sizeof(*known));
  *known = xc_c_range_of_type(mlirValueGetType(value));
  xc_pointer_map_set(&ranges->known, value.ptr, known);
  xc_c_range range = mlirValueIsABlockArgument(value)
                         ? range_of_argument(ranges, value)
                         : range_of_result(ranges, value);
  *known = range;
  return range;
}
