//===- ConvertTosaToTir.c - convert-tosa-to-tir ---------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Converter.h"
#include "Scales.h"
#include "TosaToTir.h"
#include "Types.h"

#include "IR/Function.h"
#include "Pass/Pass.h"
#include "Support/Text.h"
#include "dialects/Emit.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

typedef struct xc_tosa_row {
  const char *name;
  bool (*convert)(xc_tosa_converter *c);
  const char *refused; // why, or null
} xc_tosa_row;

static const xc_tosa_row rows[] = {
#define XC_TOSA_OPERATOR(name, function) {#name, xc_tosa_##function, NULL},
#define XC_TOSA_REFUSED(name, reason) {#name, NULL, reason},
#include "Operators.def"
};

static const xc_tosa_row *row_of(MlirOperation op) {
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i)
    if (xc_tosa_is(op, rows[i].name))
      return &rows[i];
  return NULL;
}

// Constants of elements that tir lacks matter only to what reads them.
bool xc_tosa_const(xc_tosa_converter *c) {
  xc_shape shape = xc_tosa_result_shape(c);
  MlirAttribute values = xc_op_attribute(c->op, "values");
  if (shape.element == XC_ELEMENT_NONE || mlirAttributeIsNull(values))
    return xc_tosa_postpone(c, "has elements that tir does not have");
  MlirValue value = xc_build_const(&c->builder, values, &shape);
  if (mlirValueIsNull(value))
    return !(c->failed = true);
  xc_op_list_add(&c->built, mlirOpResultGetOwner(value));
  return xc_tosa_done(c, value);
}

bool xc_tosa_const_shape(xc_tosa_converter *c) {
  return xc_tosa_postpone(c, "has a shape as its value");
}

// Results must have a static shape; sums of 48 bits count as postponed.
static bool check_results(xc_tosa_converter *c, const xc_tosa_row *row) {
  bool is_constant =
      row->convert == xc_tosa_const || row->convert == xc_tosa_const_shape;
  if (mlirOperationGetNumResults(c->op) != 1)
    return xc_tosa_error(c, "has no single result");
  xc_shape shape;
  MlirType type = mlirValueGetType(mlirOperationGetResult(c->op, 0));
  if (is_constant || xc_shape_of_type(type, &shape))
    return true;
  return xc_tosa_error(c, "has a result without a static shape: give arguments "
                          "one and run 'tosa-infer-shapes' first");
}

// Reports call operators by the names of locations: those without one are
// numbered.
static MlirLocation name_location(const xc_tosa_converter *c) {
  MlirLocation location = mlirOperationGetLocation(c->op);
  if (mlirLocationIsAName(location))
    return location;
  MlirStringRef name = xc_tosa_name(c->op);
  xc_text text = {0};
  xc_text_append(&text, name.data, name.length);
  xc_text_printf(&text, "_%zu", c->old.count);
  location =
      mlirLocationNameGet(c->context, xc_ref(xc_text_str(&text)), location);
  xc_text_free(&text);
  return location;
}

static void visit_tosa(xc_tosa_converter *c) {
  const xc_tosa_row *row = row_of(c->op);
  xc_builder before = xc_builder_before(c->op);
  c->builder = xc_builder_at(&before, name_location(c));
  c->op_failed = false;
  xc_op_list_add(&c->old, c->op);
  if (!row)
    xc_tosa_error(c, "is not known to this conversion");
  else if (row->refused)
    xc_tosa_error(c, "cannot be converted: %s", row->refused);
  else if (check_results(c, row) && !row->convert(c))
    c->failed = true;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static MlirWalkResult report_inside(MlirOperation op, void *user_data) {
  xc_tosa_converter *c = user_data;
  if (mlirOperationEqual(op, c->op) || !xc_tosa_is_any(op))
    return MlirWalkResultAdvance;
  c->failed = true;
  xc_op_error(op, "cannot be converted inside of another operation");
  return MlirWalkResultSkip;
}

// Visits an operation of another dialect, whose operands must have values of
// their own.
static void visit_other(xc_tosa_converter *c) {
  c->builder = xc_builder_before(c->op);
  intptr_t operands = mlirOperationGetNumOperands(c->op);
  for (intptr_t i = 0; i < operands; ++i) {
    MlirValue value = mlirOperationGetOperand(c->op, i);
    if (mlirValueIsAOpResult(value) &&
        xc_tosa_is_any(mlirOpResultGetOwner(value)))
      xc_tosa_value(c, value);
  }
  if (mlirOperationGetNumRegions(c->op) > 0)
    mlirOperationWalk(c->op, report_inside, c, MlirWalkPreOrder);
}

static void visit_block(xc_tosa_converter *c, MlirBlock block) {
  MlirOperation next;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    c->op = op;
    if (xc_tosa_is_any(op))
      visit_tosa(c);
    else
      visit_other(c);
  }
}

static void replace_values(const xc_tosa_converter *c) {
  for (size_t i = 0; i < c->old.count; ++i) {
    MlirValue result = mlirOperationGetResult(c->old.items[i], 0);
    void *value = xc_pointer_map_get(&c->values, result.ptr);
    if (value)
      mlirValueReplaceAllUsesOfWith(result, (MlirValue){value});
  }
}

// Users come after what they use.
static int64_t erase(const xc_op_list *list, bool only_unused) {
  int64_t left = 0;
  for (size_t i = list->count; i-- > 0;) {
    if (only_unused &&
        xc_value_is_used(mlirOperationGetResult(list->items[i], 0)))
      ++left;
    else
      mlirOperationDestroy(list->items[i]);
  }
  return left;
}

static MlirWalkResult find_tosa(MlirOperation op, void *found) {
  *(bool *)found = xc_tosa_is_any(op);
  return *(bool *)found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

bool xc_has_tosa(MlirOperation root) {
  bool found = false;
  mlirOperationWalk(root, find_tosa, &found, MlirWalkPreOrder);
  return found;
}

// Scales that types tell, of the values that stand for theirs now.
static void infer_scales(const xc_tosa_converter *c, MlirBlock block,
                         xc_tosa_stripped *stripped) {
  xc_pointer_map known = {0};
  for (; stripped; stripped = stripped->next) {
    void *value = mlirValueIsABlockArgument(stripped->value)
                      ? (void *)stripped->value.ptr
                      : xc_pointer_map_get(&c->values, stripped->value.ptr);
    if (value && stripped->scale > 0)
      xc_pointer_map_set(&known, value, &stripped->scale);
  }
  xc_tosa_infer_scales(block, &known);
  xc_pointer_map_free(&known);
}

bool xc_convert_tosa(MlirOperation function, int64_t batch, int64_t *count) {
  MlirRegion body = xc_function_body(function);
  if (mlirRegionIsNull(body) || !xc_has_tosa(function))
    return true;
  MlirBlock block = mlirRegionGetFirstBlock(body);
  if (!mlirBlockIsNull(mlirBlockGetNextInRegion(block)))
    return xc_op_error(function, "has several blocks: tir has no control flow");
  xc_tosa_converter c = {.context = mlirOperationGetContext(function)};
  xc_tosa_stripped *stripped = xc_tosa_strip_types(&c, function, block, batch);
  visit_block(&c, block);
  if (c.failed) {
    erase(&c.built, false);
    xc_tosa_restore_types(stripped, function, block);
  } else {
    replace_values(&c);
    *count += (int64_t)c.old.count;
    erase(&c.old, false);
    erase(&c.built, true);
    infer_scales(&c, block, stripped);
  }
  xc_pointer_map_free(&c.values);
  xc_pointer_map_free(&c.postponed);
  xc_pointer_map_free(&c.products);
  xc_pointer_map_free(&c.absorbed);
  xc_arena_free(&c.arena);
  free(c.old.items);
  free(c.built.items);
  return !c.failed;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static bool convert_function(void *user_data, MlirOperation function) {
  int64_t count = 0;
  bool ok = xc_convert_tosa(function, xc_pass_int(user_data, "batch"), &count);
  xc_pass_count(user_data, "num-converted", count);
  return ok;
}

static bool run(xc_pass_run *run) {
  return xc_for_each_function(run->root, convert_function, run);
}

static const xc_pass_option options[] = {
    {"batch", XC_PASS_OPTION_COUNT, "0",
     "Take this for a first dimension that is open; 0 leaves it open"},
};

static const xc_pass_statistic statistics[] = {
    {"num-converted", "Operators of TOSA that were replaced"},
};

const xc_pass_info xc_pass_convert_tosa_to_tir = {
    .argument = "convert-tosa-to-tir",
    .name = "ConvertTosaToTir",
    .summary = "Convert operators of TOSA to tir operators",
    .description =
        "Replaces the operators of TOSA 1.0, float and quantised, by tir "
        "operators with the same results. `tosa.rescale` becomes part of the "
        "`qlinear` operator before it. What has no exact form in tir is "
        "reported with its reason, every operator of the function in one run, "
        "and the function is then not changed. See [tosa.md](../tosa.md).",
    .anchor = "func.func",
    .options = options,
    .num_options = sizeof(options) / sizeof(*options),
    .statistics = statistics,
    .num_statistics = sizeof(statistics) / sizeof(*statistics),
    .run = run,
};
