//===- GraphTest.c - random graphs into subgraphs -------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A subgraph runs all at once, so an order of execution is a list of steps,
// each of which runs operators of one device whose inputs are there. Running
// everything that is ready before the device changes is never worse than
// running less, which gives the fewest steps by simulation: a second way to the
// number of subgraphs, without stages.
//
//===----------------------------------------------------------------------===//

#include "Transforms/Partition/Placement.h"
#include "dialects/Verify.h"
#include "xc-c/Dialects.h"

#include "mlir-c/Dialect/Func.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MAX_NODES = 40, GRAPHS = 400 };

typedef struct graph {
  int count;
  XcDevice device[MAX_NODES];
  int inputs[MAX_NODES][2]; // -1: the argument
  bool used[MAX_NODES];
} graph;

// xorshift; the same graphs on every machine.
static uint32_t next(uint32_t *state, uint32_t below) {
  *state ^= *state << 13;
  *state ^= *state >> 17;
  *state ^= *state << 5;
  return *state % below;
}

static graph random_graph(uint32_t *state) {
  graph g = {.count = 1 + (int)next(state, MAX_NODES)};
  // Few changes of device in some graphs, many in others.
  uint32_t change = 1 + next(state, 6);
  for (int n = 0; n < g.count; ++n) {
    XcDevice last = n > 0 ? g.device[n - 1] : XcDeviceDPU;
    g.device[n] = next(state, change) ? last
                  : next(state, 2)    ? XcDeviceDPU
                                      : XcDeviceCPU;
    for (int i = 0; i < 2; ++i) {
      g.inputs[n][i] = (int)next(state, (uint32_t)n + 1) - 1;
      if (g.inputs[n][i] >= 0)
        g.used[g.inputs[n][i]] = true;
    }
  }
  return g;
}

//===----------------------------------------------------------------------===//
// The graph as IR
//===----------------------------------------------------------------------===//

static void print(xc_text *text, const graph *g) {
  static const char type[] = "tensor<1x4x4x16xi8>";
  int results = 0;
  for (int n = 0; n < g->count; ++n)
    results += !g->used[n];
  xc_text_printf(text, "func.func @f(%%v0: %s) -> (", type);
  for (int i = 0; i < results; ++i)
    xc_text_printf(text, "%s%s", i ? ", " : "", type);
  xc_text_puts(text, ") {\n");
  for (int n = 0; n < g->count; ++n)
    xc_text_printf(text,
                   "%%v%d = \"tir.eltwise-fix\"(%%v%d, %%v%d) {type = \"ADD\", "
                   "round_mode = \"%s\", operandSegmentSizes = array<i32: 1, "
                   "1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (%s, %s) "
                   "-> %s\n",
                   n + 1, g->inputs[n][0] + 1, g->inputs[n][1] + 1,
                   g->device[n] == XcDeviceDPU ? "DPU_ROUND" : "STD_ROUND",
                   type, type, type);
  xc_text_puts(text, "return ");
  bool first = true;
  for (int n = 0; n < g->count; ++n)
    if (!g->used[n]) {
      xc_text_printf(text, "%s%%v%d", first ? "" : ", ", n + 1);
      first = false;
    }
  xc_text_puts(text, " : ");
  for (int i = 0; i < results; ++i)
    xc_text_printf(text, "%s%s", i ? ", " : "", type);
  xc_text_puts(text, "\n}\n");
}

//===----------------------------------------------------------------------===//
// The fewest steps
//===----------------------------------------------------------------------===//

static int steps_from(const graph *g, XcDevice device) {
  bool done[MAX_NODES] = {false};
  int left = g->count, steps = 0;
  for (; left > 0; device = device == XcDeviceDPU ? XcDeviceCPU : XcDeviceDPU) {
    int before = left;
    for (int n = 0; n < g->count; ++n) {
      bool ready = !done[n] && g->device[n] == device;
      for (int i = 0; i < 2; ++i)
        ready &= g->inputs[n][i] < 0 || done[g->inputs[n][i]];
      done[n] |= ready;
      left -= ready;
    }
    // The device that has nothing to do at first makes no subgraph.
    steps += left < before;
  }
  return steps;
}

static int fewest_steps(const graph *g) {
  int dpu = steps_from(g, XcDeviceDPU), cpu = steps_from(g, XcDeviceCPU);
  return dpu < cpu ? dpu : cpu;
}

// Subgraphs of a partitioner that starts a new one at each change of device in
// the order of the program.
static int greedy_steps(const graph *g) {
  int steps = 1;
  for (int n = 1; n < g->count; ++n)
    steps += g->device[n] != g->device[n - 1];
  return steps;
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

static size_t count_operators(MlirModule module, const char *name) {
  size_t count = 0;
  MlirBlock body = mlirModuleGetBody(module);
  for (MlirOperation f = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(f); f = mlirOperationGetNextInBlock(f)) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(f, 0));
    for (MlirOperation op = mlirBlockGetFirstOperation(block);
         !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
      count += mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)),
                                  mlirStringRefCreateFromCString(name));
  }
  return count;
}

static void check_groups(const graph *g, const xc_placement *p) {
  assert_int_equal(p->num_operators, g->count);
  for (int n = 0; n < g->count; ++n) {
    const xc_node *node = &p->nodes[p->operators[n]];
    assert_int_equal(node->device, g->device[n]);
    assert_int_equal(p->groups[node->group].info.device, g->device[n]);
    // Data flows from earlier subgraphs to later ones: none waits for itself.
    for (int i = 0; i < 2; ++i)
      if (g->inputs[n][i] >= 0)
        assert_true(p->nodes[p->operators[g->inputs[n][i]]].group <=
                    node->group);
  }
}

static void random_graphs(void **state) {
  (void)state;
  MlirContext context = mlirContextCreate();
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__func__(), context);
  assert_true(mlirLogicalResultIsSuccess(xcRegisterDialects(context)));
  XcDiag diag = {0};
  const XcDpuTarget *target = xcDpuTargetCreate(&diag, "DPUCZDX8G_ISA1_B4096");
  uint32_t seed = 2463534242u;
  size_t subgraphs = 0, greedy = 0;
  for (int i = 0; i < GRAPHS; ++i) {
    graph g = random_graph(&seed);
    xc_text text = {0};
    print(&text, &g);
    MlirModule module = mlirModuleCreateParse(
        context, mlirStringRefCreate(xc_text_str(&text), text.length));
    xc_text_free(&text);
    assert_false(mlirModuleIsNull(module));
    MlirOperation operation = mlirModuleGetOperation(module);
    XcPlacement placement = xcPlacementCreate(operation, target, NULL);
    assert_false(xcPlacementIsNull(placement));
    assert_string_equal(xcPlacementGetDeviceName(placement, XcDeviceDPU),
                        "DPU");
    check_groups(&g, placement.ptr);
    size_t count = xcPlacementGetNumSubgraphs(placement);
    assert_int_equal(count, fewest_steps(&g));
    subgraphs += count;
    greedy += (size_t)greedy_steps(&g);
    xcPlacementOutline(placement);
    xcPlacementDestroy(placement);
    assert_true(mlirOperationVerify(operation));
    assert_true(xc_verify_nested(operation));
    assert_int_equal(count_operators(module, "func.call"), count);
    assert_int_equal(count_operators(module, "tir.eltwise-fix"), g.count);
    mlirModuleDestroy(module);
  }
  print_message("%d graphs, %zu subgraphs; %zu in the order of the program\n",
                GRAPHS, subgraphs, greedy);
  xcDpuTargetDestroy(target);
  mlirContextDestroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_graphs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
