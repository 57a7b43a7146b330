//===- LimitsTest.c - every constraint at its limit and one beyond --------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For every row of the constraint table, every class of operators it applies
// to and several targets: an operator exactly at the limit runs on the DPU,
// one a step beyond does not, for this very reason, and with the suggested
// changes applied it does again. All three are real operators that go through
// the verifier and the partitioner.
//
//===----------------------------------------------------------------------===//

#include "BuildOperator.h"

#include "Transforms/Partition/Placement.h"
#include "xc-c/Dialects.h"

#include "mlir-c/Diagnostics.h"
#include "mlir-c/Dialect/Func.h"
#include "xc-c/FixedPoint.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const target_names[] = {
    "DPUCZDX8G_ISA1_B4096", "DPUCZDX8G_ISA1_B512", "DPUCAHX8H_ISA2",
    "DPUCVDX8G_ISA3_C32B3", "small.json",          "guide.json"};
enum {
  NUM_TARGETS = sizeof(target_names) / sizeof(*target_names),
  NUM_BUILTIN = NUM_TARGETS - 2
};

// No built-in target lacks a kind of pool, or has banks that hold more than the
// fields of an instruction step over.
static const char small_target[] =
    "{\"extends\": \"DPUCZDX8G_ISA1_B4096\", \"name\": \"SMALL\","
    " \"banks\": {\"bias\": {\"first\": 33, \"count\": 1, \"width\": 16,"
    " \"depth\": 20}, \"image\": {\"first\": 0, \"groups\": 2, \"count\": 8,"
    " \"width\": 16, \"depth\": 4096}},"
    " \"alu\": {\"modes\": [\"depthwise\", \"max-pool\"]}}";

// The limits of the guide of 2020, tighter than those of later compilers.
static const char guide_target[] =
    "{\"extends\": \"DPUCAHX8H_ISA2\", \"name\": \"GUIDE\","
    " \"conv\": {\"kernel_w\": [1, 8], \"kernel_h\": [1, 8],"
    " \"dilation_needs_unit_stride\": true,"
    " \"max_fully_connected_groups\": 2047,"
    " \"transposed_whole_kernel\": true}}";

static const char *const texts[NUM_TARGETS - NUM_BUILTIN] = {small_target,
                                                             guide_target};

typedef struct fixture {
  MlirContext context;
  const XcDpuTarget *targets[NUM_TARGETS];
} fixture;

// What the verifier says about operators that cannot exist.
static MlirLogicalResult swallow(MlirDiagnostic diagnostic, void *user_data) {
  (void)diagnostic;
  (void)user_data;
  return mlirLogicalResultSuccess();
}

static int set_up(void **state) {
  fixture *f = calloc(1, sizeof(fixture));
  f->context = mlirContextCreate();
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__func__(), f->context);
  mlirContextAttachDiagnosticHandler(f->context, swallow, NULL, NULL);
  XcDiag diag = {0};
  for (int i = 0; i < NUM_TARGETS; ++i) {
    const char *text = i < NUM_BUILTIN ? NULL : texts[i - NUM_BUILTIN];
    f->targets[i] = text ? xcDpuTargetCreateFromText(&diag, target_names[i],
                                                     text, strlen(text))
                         : xcDpuTargetCreate(&diag, target_names[i]);
  }
  *state = f;
  return mlirLogicalResultIsFailure(xcRegisterDialects(f->context));
}

static int tear_down(void **state) {
  fixture *f = *state;
  for (int i = 0; i < NUM_TARGETS; ++i)
    xcDpuTargetDestroy(f->targets[i]);
  mlirContextDestroy(f->context);
  free(f);
  return 0;
}

//===----------------------------------------------------------------------===//
// What rows need besides the fact they change
//===----------------------------------------------------------------------===//

typedef struct need {
  const char *row;
  xc_fact fact;
  int64_t value;
} need;

static const need needs[] = {
    {"dilated-stride-width", XC_FACT_DILATION_W, 2},
    {"dilated-stride-height", XC_FACT_DILATION_W, 2},
    {"output-channels", XC_FACT_INPUT_W, 64}, // within the reach of addresses
    {"output-channels", XC_FACT_INPUT_H, 64},
    {"weight-words", XC_FACT_KERNEL_W, 8},
    {"weight-words", XC_FACT_KERNEL_H, 8},
    {"depthwise-weight-words", XC_FACT_KERNEL_W, 16},
    {"depthwise-weight-words", XC_FACT_STRIDE_H, 8},
    {"window-row-step", XC_FACT_KERNEL_W, 8},
    {"window-row-step", XC_FACT_KERNEL_H, 1},
    {"window-row-step", XC_FACT_STRIDE_H, 2},
    {"window-words", XC_FACT_KERNEL_W, 8},
    {"window-words", XC_FACT_STRIDE_H, 8},
    {"relu6-fix-point", XC_FACT_ACTIVATION, XcActivationRelu6},
    {"channelwise-shift-bias", XC_FACT_ELTWISE_TYPE, 0},
    {"prelu-shift", XC_FACT_WEIGHT_POINT, 10},
    {"pool-kind", XC_FACT_POOL_TYPE, XcDpuPoolKindAverage},
    {"square-average", XC_FACT_POOL_TYPE, XcDpuPoolKindAverage},
    {"average-padding", XC_FACT_POOL_TYPE, XcDpuPoolKindAverage},
    {"average-padding", XC_FACT_PAD_LEFT, 1},
    {"average-beyond-padding", XC_FACT_POOL_TYPE, XcDpuPoolKindAverage},
    {"average-beyond-padding", XC_FACT_REACHES_BEYOND, 1},
    {"average-beyond-padding", XC_FACT_STRIDE_W, 2},
    {"average-beyond-padding", XC_FACT_STRIDE_H, 2},
    {"average-beyond-padding", XC_FACT_INPUT_W, 599},
    {"average-beyond-padding", XC_FACT_INPUT_H, 599},
    {"average-beyond-padding", XC_FACT_PAD_RIGHT, 1},
    {"average-beyond-padding", XC_FACT_PAD_BOTTOM, 1},
    {"exact-average", XC_FACT_POOL_TYPE, XcDpuPoolKindAverage},
    {"exact-average", XC_FACT_KERNEL_W, 3},
    {"exact-average", XC_FACT_KERNEL_H, 3},
    {"concat-cpu-inputs", XC_FACT_ON_CHANNELS, 0},
    {"dilation-phases", XC_FACT_KERNEL_W, 2},
    {"dilation-phases", XC_FACT_DILATION_W, 16},
    {"dilation-phases", XC_FACT_INPUT_W, 8},
    {"dilation-phases", XC_FACT_PAD_LEFT, 16},
    {"dilation-phases", XC_FACT_PAD_RIGHT, 16},
};

// Rows of one operator of a class, which breaks them.
static const need resizes[] = {
    {"interpolation", XC_FACT_INTERPOLATION, XC_BICUBIC},
    {"aligned-corners", XC_FACT_ALIGNED, 1},
    {"nearest-mode", XC_FACT_NEAREST_MODE, XC_PREFER_CEIL},
    {"resize-scale-width", XC_FACT_SCALE_W, XC_NO_INTEGER},
    {"resize-scale-height", XC_FACT_SCALE_H, XC_LARGEST_SCALE},
    {"resize-scale-height", XC_FACT_INTERPOLATION, XC_BILINEAR},
};

static const need products[] = {
    {"constant-factor", XC_FACT_CONSTANT, 0},
    {"product-inputs", XC_FACT_INPUT_C, 1 << 20},
};

// Element types have no width between 8 and the next one.
static const need steps[] = {
    {"bias-bits", XC_FACT_BIAS_BITS, 16},
    {"argmax-bits", XC_FACT_RESULT_BITS, 32},
};

static bool find_needs(const xc_constraint *row, const need *all, size_t count,
                       xc_op_kind kind, xc_facts *facts) {
  bool found = false;
  for (size_t i = 0; i < count; ++i) {
    if (strcmp(all[i].row, row->id) != 0)
      continue;
    if (!found)
      *facts = typical(kind);
    facts->value[all[i].fact] = all[i].value;
    found = true;
  }
  return found;
}

static xc_facts prepare(const xc_constraint *row, xc_fit_class class_) {
  xc_facts facts = typical(representative(class_));
  if (class_ == XC_FIT_FLOATING &&
      (find_needs(row, resizes, sizeof(resizes) / sizeof(*resizes),
                  XC_TIR_RESIZE, &facts) ||
       find_needs(row, products, sizeof(products) / sizeof(*products),
                  XC_TIR_MATMUL, &facts)))
    return facts;
  for (size_t i = 0; i < sizeof(needs) / sizeof(*needs); ++i)
    if (strcmp(needs[i].row, row->id) == 0)
      facts.value[needs[i].fact] = needs[i].value;
  return facts;
}

//===----------------------------------------------------------------------===//
// Probes
//===----------------------------------------------------------------------===//

typedef enum verdict {
  IMPOSSIBLE, // the verifier refuses such an operator
  ACCEPTED,
  REJECTED,
} verdict;

typedef struct outcome {
  verdict verdict;
  const char *predicate;
  xc_facts facts; // as read from the IR
} outcome;

static outcome try_facts(fixture *f, int target, const xc_facts *facts) {
  outcome result = {.verdict = IMPOSSIBLE};
  MlirModule module = build_probe(f->context, facts);
  if (mlirModuleIsNull(module))
    return result;
  XcPlacement placement = xcPlacementCreate(mlirModuleGetOperation(module),
                                            f->targets[target], NULL);
  assert_false(xcPlacementIsNull(placement));
  const xc_placement *p = placement.ptr;
  for (size_t i = 0; i < p->num_operators; ++i) {
    const xc_node *node = &p->nodes[p->operators[i]];
    if (strcmp(node->name, "probe") != 0)
      continue;
    result.facts = *node->facts;
    // Rows outlive the placement, so their ids do.
    result.predicate = node->reason.predicate;
    result.verdict = node->device == XcDeviceDPU ? ACCEPTED : REJECTED;
    // No operator of the CPU without a reason, none of the DPU with one.
    assert_int_equal(node->device == XcDeviceDPU, !node->reason.predicate);
    assert_int_equal(node->device == XcDeviceDPU, !node->reason.text);
  }
  assert_int_not_equal(result.verdict, IMPOSSIBLE);
  xcPlacementDestroy(placement);
  mlirModuleDestroy(module);
  return result;
}

typedef struct tally {
  size_t cases;
  size_t repaired;
} tally;

static bool is_earlier(const char *id, const xc_constraint *row) {
  size_t count;
  for (const xc_constraint *each = xc_constraint_table(&count); each < row;
       ++each)
    if (strcmp(each->id, id) == 0)
      return true;
  return false;
}

// The operator is rejected for this row; with the suggestion it is accepted.
static void check_beyond(fixture *f, int target, const xc_constraint *row,
                         const outcome *beyond, const xc_facts *built,
                         tally *t) {
  // A row that is judged earlier may have the same limit; of a transpose of an
  // argument the layout is told.
  if (is_earlier(beyond->predicate, row) ||
      strcmp(beyond->predicate, "input-layout") == 0)
    return;
  if (strcmp(beyond->predicate, row->id) != 0)
    fail_msg("%s of '%s' on %s: rejected for '%s'",
             xc_op_info_get(XC_DIALECT_TIR, built->kind)->name, row->id,
             target_names[target], beyond->predicate);
  xc_change changes[XC_MAX_CHANGES];
  size_t count = xc_fit_suggest(&beyond->facts, f->targets[target], changes);
  ++t->cases;
  if (row->change == XC_CHANGE_NOTHING) {
    assert_int_equal(count, 0);
    return;
  }
  if (count == 0) {
    xc_change change;
    assert_false(
        xc_fit_nearest(&beyond->facts, f->targets[target], row, &change));
    return;
  }
  xc_facts repaired = *built;
  for (size_t i = 0; i < count; ++i)
    xc_fit_apply(&repaired, &changes[i]);
  outcome again = try_facts(f, target, &repaired);
  if (again.verdict != ACCEPTED)
    fail_msg("%s of '%s' on %s: rejected for '%s' after the changes",
             xc_op_info_get(XC_DIALECT_TIR, repaired.kind)->name, row->id,
             target_names[target],
             again.predicate ? again.predicate : "the verifier");
  ++t->repaired;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

static bool holds(const fixture *f, int target, const xc_constraint *row,
                  xc_facts facts, int64_t value) {
  facts.value[row->change] = value;
  xc_bounds bounds = row->measure(&facts, f->targets[target]);
  return xc_bounds_hold(row, &bounds);
}

// The value nearest to that of `facts` that breaks the row.
static bool first_broken(const fixture *f, int target, const xc_constraint *row,
                         const xc_facts *facts, int64_t sign, int64_t *broken) {
  const xc_fact_info *info = xc_fact_get_info((xc_fact)row->change);
  for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); ++i)
    if (strcmp(steps[i].row, row->id) == 0) {
      *broken = steps[i].value;
      return sign > 0;
    }
  int64_t value = facts->value[row->change];
  for (int64_t i = 0; i < 10000; ++i) {
    value += sign;
    if (value < info->low || value > info->high)
      return false;
    if (!holds(f, target, row, *facts, value)) {
      *broken = value;
      return true;
    }
  }
  return false;
}

static void check_direction(fixture *f, int target, const xc_constraint *row,
                            const xc_facts *typical_facts, int64_t sign,
                            tally *t) {
  int64_t broken;
  if (!first_broken(f, target, row, typical_facts, sign, &broken))
    return;
  xc_facts at_limit = *typical_facts, facts = *typical_facts;
  facts.value[row->change] = broken;
  if (row->form != XC_CONSTRAINT_ONE_OF && row->change != XC_FACT_BIAS_BITS &&
      row->change != XC_FACT_RESULT_BITS)
    at_limit.value[row->change] = broken - sign;
  outcome limit = try_facts(f, target, &at_limit);
  outcome beyond = try_facts(f, target, &facts);
  // A tighter row or the verifier comes first on this side of the range.
  if (limit.verdict != ACCEPTED || beyond.verdict == IMPOSSIBLE)
    return;
  // Not every operator can say the fact (ARGMAX does not round).
  if (beyond.verdict == ACCEPTED && beyond.facts.value[row->change] != broken)
    return;
  if (beyond.verdict != REJECTED)
    fail_msg("%s of '%s' on %s: accepted beyond the limit",
             xc_op_info_get(XC_DIALECT_TIR, facts.kind)->name, row->id,
             target_names[target]);
  check_beyond(f, target, row, &beyond, &facts, t);
}

static void check_class(fixture *f, int target, const xc_constraint *row,
                        xc_fit_class class_, tally *t) {
  xc_facts facts = prepare(row, class_);
  outcome start = try_facts(f, target, &facts);
  if (start.verdict == REJECTED && strcmp(start.predicate, row->id) == 0) {
    check_beyond(f, target, row, &start, &facts, t);
    return;
  }
  if (start.verdict != ACCEPTED || row->change < 0)
    return;
  check_direction(f, target, row, &facts, 1, t);
  check_direction(f, target, row, &facts, -1, t);
}

static void every_row_at_its_limit(void **state) {
  fixture *f = *state;
  size_t count, untested = 0, cases = 0, repaired = 0;
  const xc_constraint *rows = xc_constraint_table(&count);
  for (size_t i = 0; i < count; ++i) {
    tally t = {0};
    for (int class_ = XC_FIT_UNKNOWN + 1; class_ < XC_FIT_NUM_CLASSES; ++class_)
      for (int target = 0; target < NUM_TARGETS; ++target)
        if (rows[i].classes >> class_ & 1)
          check_class(f, target, &rows[i], (xc_fit_class)class_, &t);
    // Operations of other dialects are no probes; dialect.mlir has one.
    bool tested = t.cases > 0 || strcmp(rows[i].id, "dialect") == 0;
    if (!tested)
      print_error("no operator tests '%s'\n", rows[i].id);
    untested += !tested;
    cases += t.cases;
    repaired += t.repaired;
  }
  print_message("%zu rows, %zu operators beyond a limit, %zu repaired\n", count,
                cases, repaired);
  assert_int_equal(untested, 0);
}

static void every_operator_has_a_class(void **state) {
  (void)state;
  size_t count;
  const xc_op_info *rows = xc_op_table(&count);
  for (size_t i = 0; i < count; ++i)
    if (rows[i].dialect == XC_DIALECT_TIR &&
        xc_fit_class_of(rows[i].kind) == XC_FIT_UNKNOWN)
      fail_msg("Kinds.def has no row for %s", rows[i].name);
}

static void ids_are_unique(void **state) {
  (void)state;
  size_t count;
  const xc_constraint *rows = xc_constraint_table(&count);
  for (size_t i = 0; i < count; ++i)
    for (size_t j = 0; j < i; ++j)
      assert_string_not_equal(rows[i].id, rows[j].id);
}

// Facts survive the way through the IR.
static void facts_are_read_back(void **state) {
  fixture *f = *state;
  for (int class_ = XC_FIT_UNKNOWN + 1; class_ < XC_FIT_NUM_CLASSES; ++class_) {
    xc_facts facts = typical(representative((xc_fit_class)class_));
    if (class_ == XC_FIT_STORAGE)
      continue;
    outcome result = try_facts(f, 0, &facts);
    assert_int_not_equal(result.verdict, IMPOSSIBLE);
    bool has_engine = class_ < XC_FIT_REWRITTEN;
    if ((result.verdict == ACCEPTED) != has_engine)
      fail_msg("%s: rejected for '%s'",
               xc_op_info_get(XC_DIALECT_TIR, facts.kind)->name,
               result.predicate ? result.predicate : "nothing");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_operator_has_a_class),
      cmocka_unit_test(ids_are_unique),
      cmocka_unit_test(facts_are_read_back),
      cmocka_unit_test(every_row_at_its_limit),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
