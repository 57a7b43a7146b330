//===- Reduce.c - makes a failing graph small -----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tries one change after the other and keeps those after which the graph still
// fails in the same way, until none is left. A change is applied while the
// graph is built anew, operator by operator, so that shapes follow by
// themselves; constants are cut to what they have to be (Rebuild.c).
//
//===----------------------------------------------------------------------===//

#include "Rebuild.h"

#include "xc-c/Dialects.h"

#include <string.h>

enum { MAX_TRIALS = 3000 };

typedef struct reducer {
  MlirModule module;
  const fuzz_setting *setting;
  fuzz_verdict verdict;
  int trials;
} reducer;

// Keeps the changed graph if it fails as before.
static bool try_change(reducer *r, const fuzz_change *change) {
  if (r->trials >= MAX_TRIALS)
    return false;
  MlirModule other = fuzz_rebuild(r->module, change);
  if (mlirModuleIsNull(other))
    return false;
  xc_text why = {0};
  ++r->trials;
  // A process for each trial is slow; only those that die need one.
  bool dies = r->verdict == FUZZ_CRASH || r->verdict == FUZZ_TIMEOUT;
  bool same = (dies ? fuzz_check_isolated
                    : fuzz_check_here)(other, r->setting, &why) == r->verdict;
  xc_text_free(&why);
  mlirModuleDestroy(same ? r->module : other);
  if (same)
    r->module = other;
  return same;
}

// The operation at a position, or null.
static MlirOperation operation_at(const reducer *r, size_t index) {
  MlirOperation op =
      mlirBlockGetFirstOperation(fuzz_body(fuzz_main_function(r->module)));
  for (; index > 0 && !mlirOperationIsNull(op); --index)
    op = mlirOperationGetNextInBlock(op);
  return op;
}

static size_t num_operations(const reducer *r) {
  size_t count = 0;
  while (!mlirOperationIsNull(operation_at(r, count)))
    ++count;
  return count;
}

//===----------------------------------------------------------------------===//
// Changes of the graph
//===----------------------------------------------------------------------===//

static bool drop_results(reducer *r) {
  bool any = false;
  MlirOperation last = operation_at(r, num_operations(r) - 1);
  for (intptr_t i = mlirOperationGetNumOperands(last); i-- > 0;)
    any |= try_change(
        r, &(fuzz_change){.kind = FUZZ_DROP_RESULT, .index = (size_t)i});
  return any;
}

static bool drop_operators(reducer *r) {
  bool any = false;
  for (size_t i = num_operations(r); i-- > 1;) {
    fuzz_change change = {.index = i - 1};
    for (int operand = 0; operand < 4; ++operand) {
      change.kind = FUZZ_BYPASS;
      change.value = operand;
      any |= try_change(r, &change);
    }
    change.kind = FUZZ_MAKE_ARGUMENT;
    any |= try_change(r, &change);
    change.kind = FUZZ_RETURN_OPERANDS;
    any |= try_change(r, &change);
  }
  return any;
}

static bool drop_operands(reducer *r) {
  bool any = false;
  for (size_t i = num_operations(r); i-- > 1;)
    for (int64_t slot = 16; slot-- > 1;)
      any |= try_change(r, &(fuzz_change){.kind = FUZZ_DROP_OPERAND,
                                          .index = i - 1,
                                          .value = slot});
  return any;
}

//===----------------------------------------------------------------------===//
// Changes of numbers
//===----------------------------------------------------------------------===//

// Towards `low`: at once, by half, by one.
static bool shrink(reducer *r, fuzz_change change, int64_t from, int64_t low) {
  bool any = false;
  int64_t towards[] = {low, low + (from - low) / 2,
                       from > low ? from - 1 : from + 1};
  for (int i = 0; i < 3; ++i) {
    change.value = towards[i];
    if (change.value != from && try_change(r, &change)) {
      any = true;
      if (i == 0)
        return true;
      from = change.value;
      --i; // the same step again
      towards[1] = low + (from - low) / 2;
      towards[2] = from > low ? from - 1 : from + 1;
      if (from == low)
        return true;
    }
  }
  return any;
}

static bool shrink_arguments(reducer *r) {
  bool any = false;
  MlirBlock body = fuzz_body(fuzz_main_function(r->module));
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i) {
    xc_shape shape;
    xc_shape_of_type(mlirValueGetType(mlirBlockGetArgument(body, i)), &shape);
    for (size_t dim = 0; dim < shape.rank; ++dim)
      any |= shrink(
          r,
          (fuzz_change){.kind = FUZZ_SET_DIM, .index = (size_t)i, .entry = dim},
          shape.dims[dim], 1);
    body = fuzz_body(fuzz_main_function(r->module));
  }
  return any;
}

static int64_t simplest(const xc_attribute_info *row, size_t entry) {
  if (row->has_default && row->type == XC_ATTRIBUTE_INT)
    return row->default_int;
  if (row->has_default && entry < row->default_count)
    return row->default_ints[entry];
  return row->minimum > 0 ? row->minimum : 0;
}

static bool shrink_attribute(reducer *r, size_t index,
                             const xc_attribute_info *row) {
  MlirOperation op = operation_at(r, index);
  MlirStringRef name = mlirStringRefCreateFromCString(row->name);
  MlirAttribute attribute = mlirOperationGetAttributeByName(op, name);
  xc_adaptor adaptor;
  if (mlirAttributeIsNull(attribute) || !xc_adaptor_of(op, &adaptor))
    return false;
  fuzz_change change = {
      .kind = FUZZ_DROP_ATTRIBUTE, .index = index, .name = row->name};
  if (try_change(r, &change))
    return true;
  change.kind = FUZZ_SET_INT;
  if (row->type == XC_ATTRIBUTE_INT)
    return shrink(r, change, xc_attr_int(&adaptor, row->id), simplest(row, 0));
  if (row->type != XC_ATTRIBUTE_INTS)
    return false;
  bool any = false;
  int64_t ints[XC_MAX_INTS];
  size_t count = xc_attr_ints(&adaptor, row->id, ints);
  for (size_t i = 0; i < count && i < XC_MAX_INTS; ++i) {
    change.entry = i;
    any |= shrink(r, change, ints[i], simplest(row, i));
  }
  return any;
}

static bool shrink_operators(reducer *r) {
  bool any = false;
  for (size_t i = 0; i + 1 < num_operations(r); ++i) {
    const xc_op_info *info = xc_op_info_of(operation_at(r, i));
    if (!info)
      continue;
    xc_shape shape;
    xc_shape_of_type(
        mlirValueGetType(mlirOperationGetResult(operation_at(r, i), 0)),
        &shape);
    if (info->rule == XC_RULE_CONST) {
      any |= try_change(r, &(fuzz_change){.kind = FUZZ_SPLAT, .index = i});
      if (shape.rank > 0)
        any |= shrink(r, (fuzz_change){.kind = FUZZ_SET_CONST_DIM, .index = i},
                      shape.dims[0], 1);
      continue;
    }
    for (size_t a = 0; a < info->num_attributes; ++a)
      any |= shrink_attribute(r, i, &info->attributes[a]);
  }
  return any;
}

MlirModule fuzz_reduce(MlirModule module, const fuzz_setting *setting,
                       fuzz_verdict verdict) {
  reducer r = {.module = module, .setting = setting, .verdict = verdict};
  bool any = true;
  while (any && r.trials < MAX_TRIALS) {
    any = drop_results(&r);
    any |= drop_operators(&r);
    any |= drop_operands(&r);
    any |= shrink_arguments(&r);
    any |= shrink_operators(&r);
  }
  return r.module;
}
