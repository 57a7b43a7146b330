//===- Run.c - one case: compile, simulate, compare -----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The way of a model through the driver, without its files: tir-legalize,
// tir-partition, bufferization, code. All of an accepted case is one DPU
// subgraph, whose results in the simulator are those of the interpreter on the
// module as it was before.
//
//===----------------------------------------------------------------------===//

#include "OperatorTest.h"

#include "IR/Function.h"
#include "IR/IR.h"
#include "IRReader/IRReader.h"
#include "Pipeline/Pipeline.h"
#include "Support/Diag.h"
#include "Support/Memory.h"
#include "Target/DPU/CodeGen/Lower/Function.h"
#include "xc-c/Interpreter.h"
#include "xc-c/Partition.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TENSORS = 16 };

typedef struct tensors {
  int8_t *data[MAX_TENSORS];
  size_t sizes[MAX_TENSORS];
  size_t count;
} tensors;

typedef struct test_case {
  const char *target_name, *expected;
  XcDiag diag;
  xc_text errors;
  const XcDpuTarget *target;
  MlirContext context;
  MlirOperation module;
  tensors inputs, wanted;
  /// Argument of `main` behind each input of the subgraph.
  size_t order[MAX_TENSORS];
  size_t num_order;
  bool is_equal;
} test_case;

static bool complain(test_case *c, const char *what) {
  xc_text_printf(&c->errors, "%s\n", what);
  return false;
}

static void keep_diagnostic(void *user_data, XcSeverity severity, XcPlace place,
                            const char *message) {
  test_case *c = user_data;
  (void)severity;
  (void)place;
  xc_text_printf(&c->errors, "%s\n", message);
}

//===----------------------------------------------------------------------===//
// The reference
//===----------------------------------------------------------------------===//

static MlirOperation find_function(MlirOperation module, const char *name) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0));
  MlirOperation op = mlirBlockGetFirstOperation(body);
  while (!mlirOperationIsNull(op) &&
         !mlirStringRefEqual(xc_function_name(op), xc_ref(name)))
    op = mlirOperationGetNextInBlock(op);
  return op;
}

static void free_tensors(tensors *all) {
  for (size_t i = 0; i < all->count; ++i)
    free(all->data[i]);
}

static void add_tensor(tensors *all, size_t size) {
  all->data[all->count] = xc_alloc(size);
  all->sizes[all->count++] = size;
}

static bool interpret(test_case *c, XcInterpreter *interpreter,
                      tensors *results) {
  for (size_t i = 0; i < xcInterpreterGetNumResults(interpreter); ++i)
    add_tensor(results, xcInterpreterGetResultSize(interpreter, i));
  return xcInterpreterRun(interpreter, (void *const *)c->inputs.data,
                          (void *const *)results->data) ||
         complain(c, "the interpreter fails");
}

/// Makes random inputs and computes what is wanted.
static bool run_reference(test_case *c) {
  XcInterpreter *interpreter =
      xcInterpreterCreate(find_function(c->module, "main"));
  if (!interpreter)
    return complain(c, "the interpreter refuses the module");
  uint64_t seed = 2463534242;
  for (size_t i = 0; i < xcInterpreterGetNumArguments(interpreter); ++i) {
    add_tensor(&c->inputs, xcInterpreterGetArgumentSize(interpreter, i));
    operator_random_bytes(&seed, c->inputs.data[i], c->inputs.sizes[i]);
  }
  bool ok = interpret(c, interpreter, &c->wanted);
  xcInterpreterDestroy(interpreter);
  return ok;
}

static bool compare(test_case *c, const int8_t *found) {
  for (size_t i = 0; i < c->wanted.sizes[0]; ++i)
    if (found[i] != c->wanted.data[0][i]) {
      xc_text_printf(&c->errors, "byte %zu is %d, expected %d\n", i, found[i],
                     c->wanted.data[0][i]);
      return false;
    }
  return true;
}

/// Compares what the module as it is now computes.
static bool compare_again(test_case *c) {
  XcInterpreter *interpreter =
      xcInterpreterCreate(find_function(c->module, "main"));
  if (!interpreter)
    return complain(c, "the interpreter refuses the rewritten module");
  tensors found = {.count = 0};
  bool ok = interpret(c, interpreter, &found) && compare(c, found.data[0]);
  xcInterpreterDestroy(interpreter);
  free_tensors(&found);
  return ok;
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

static bool run_pass(test_case *c, const char *argument) {
  const xc_pass_info *info = xc_pass_find(argument, strlen(argument));
  const char *values[XC_PASS_MAX_OPTIONS] = {0};
  for (size_t i = 0; i < info->num_options; ++i)
    if (strcmp(info->options[i].name, "target") == 0)
      values[i] = c->target_name;
  MlirPassManager manager = mlirPassManagerCreate(c->context);
  mlirPassManagerAddOwnedPass(manager, xc_pass_create(info, values, NULL));
  bool ok =
      mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(manager, c->module));
  mlirPassManagerDestroy(manager);
  return ok || complain(c, argument);
}

static bool run_passes(test_case *c, const char *const *passes, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (!run_pass(c, passes[i]))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Placement
//===----------------------------------------------------------------------===//

static bool is_placed(const test_case *c) {
  return strcmp(c->expected, "placed") == 0;
}

/// Whether the placement is as expected; `*on_dpu` says whether all of it is
/// on the DPU.
static bool check_placement(test_case *c, XcPlacement placement, bool *on_dpu) {
  *on_dpu = true;
  bool found = false;
  for (size_t i = 0; i < xcPlacementGetNumOperators(placement); ++i) {
    XcPlacedOperator op = xcPlacementGetOperator(placement, i);
    if (op.device == XcDeviceDPU)
      continue;
    *on_dpu = false;
    found |= strcmp(op.predicate, c->expected) == 0;
    xc_text_printf(&c->errors, "%s is on the CPU: %s: %s\n", op.type,
                   op.predicate, op.reason);
  }
  if (is_placed(c) || strcmp(c->expected, "dpu") == 0)
    return *on_dpu;
  return found || complain(c, "expected on the CPU, for another reason");
}

/// Which arguments `main` hands to the subgraph, in which order.
static bool read_call(test_case *c) {
  MlirOperation main = find_function(c->module, "main");
  MlirBlock block = mlirRegionGetFirstBlock(xc_function_body(main));
  MlirOperation call = mlirBlockGetFirstOperation(block);
  if (!xc_op_is(call, "func.call"))
    return complain(c, "nothing is left to run");
  c->num_order = (size_t)mlirOperationGetNumOperands(call);
  for (size_t i = 0; i < c->num_order; ++i) {
    MlirValue value = mlirOperationGetOperand(call, (intptr_t)i);
    if (!mlirValueIsABlockArgument(value))
      return complain(c, "an operand of the subgraph is no input");
    c->order[i] = (size_t)mlirBlockArgumentGetArgNumber(value);
  }
  return true;
}

static bool place(test_case *c, bool *on_dpu) {
  XcPlacementOptions options = xcPlacementOptionsDefault();
  XcPlacement placement = xcPlacementCreate(c->module, c->target, &options);
  if (xcPlacementIsNull(placement))
    return complain(c, "there is no placement");
  bool ok = check_placement(c, placement, on_dpu);
  *on_dpu &= !is_placed(c);
  if (ok && *on_dpu)
    xcPlacementOutline(placement);
  xcPlacementDestroy(placement);
  return ok && (!*on_dpu || read_call(c));
}

//===----------------------------------------------------------------------===//
// Simulation
//===----------------------------------------------------------------------===//

static bool verify(test_case *c, const xc_dpu_function *function) {
  XcDpuVerifyOptions options;
  xcDpuVerifyOptionsInit(&options, c->target);
  memcpy(options.registerSizes, function->register_sizes,
         sizeof options.registerSizes);
  // Slices and strides may leave bytes out.
  options.ignored = 1u << XcDpuFindingKindUnused;
  XcDpuVerifyReport report;
  return xcDpuVerify(&c->diag, function->program, &options, &report);
}

static bool simulate_on(test_case *c, const xc_dpu_function *function,
                        XcDpuSim *sim, int8_t *const *registers) {
  size_t input = 0;
  const int8_t *output = NULL;
  for (unsigned reg = 0; reg < XC_DPU_NUM_REGISTERS; ++reg)
    xcDpuSimSetRegister(sim, reg, registers[reg],
                        function->register_sizes[reg]);
  for (size_t i = 0; i < function->num_tensors; ++i) {
    const xc_dpu_tensor *tensor = &function->tensors[i];
    int8_t *at = registers[tensor->image.reg] + tensor->image.address;
    if (tensor->is_output)
      output = at;
    else
      memcpy(at, c->inputs.data[c->order[input]],
             c->inputs.sizes[c->order[input]]),
          ++input;
  }
  if (!output || input != c->num_order)
    return complain(c, "the subgraph has other inputs and outputs");
  return xcDpuSimRun(sim, function->program, &c->diag) && compare(c, output);
}

static bool simulate(test_case *c, const xc_dpu_function *function) {
  XcDpuSim *sim = xcDpuSimCreate(&c->diag, c->target, NULL);
  if (!sim)
    return false;
  int8_t *registers[XC_DPU_NUM_REGISTERS];
  for (unsigned reg = 0; reg < XC_DPU_NUM_REGISTERS; ++reg)
    registers[reg] = xc_alloc(function->register_sizes[reg] + 1);
  for (unsigned reg = 0; reg < XC_DPU_NUM_REGISTERS; ++reg)
    if (function->parameters[reg])
      memcpy(registers[reg], function->parameters[reg],
             function->register_sizes[reg]);
  bool ok = simulate_on(c, function, sim, registers);
  for (unsigned reg = 0; reg < XC_DPU_NUM_REGISTERS; ++reg)
    free(registers[reg]);
  xcDpuSimDestroy(sim);
  return ok;
}

static bool compile_function(void *user_data, MlirOperation func) {
  test_case *c = user_data;
  xc_dpu_function function;
  const xc_dpu_schedule_options options = {.effort = XcDpuEffortDefault};
  bool ok =
      xc_dpu_compile_function(&c->diag, c->target, func, &options, &function) &&
      verify(c, &function) && simulate(c, &function);
  xc_dpu_function_free(&function);
  c->is_equal = ok;
  return ok;
}

//===----------------------------------------------------------------------===//
// The case
//===----------------------------------------------------------------------===//

static bool run_on_module(test_case *c) {
  static const char *const before[] = {"tir-canonicalize", "tir-legalize",
                                       "tir-canonicalize"};
  static const char *const after[] = {"global-bufferize", "convert-tir-to-mtir",
                                      "mtir-eliminate-copies"};
  bool on_dpu;
  if (!run_reference(c) || !run_passes(c, before, 3) || !place(c, &on_dpu))
    return false;
  if (!on_dpu)
    return compare_again(c);
  return run_passes(c, after, 3) &&
         xc_dpu_for_each_function(c->module, compile_function, c) &&
         c->is_equal;
}

static bool run_in_context(test_case *c, const char *text) {
  xc_source input = {"row", (const unsigned char *)text, strlen(text), 1};
  xc_diagnostic_bridge bridge = {.input = &input};
  xc_bridge_attach(&bridge, c->context, &c->diag);
  xc_read_options options = {.allow_unregistered = false};
  c->module = xc_read_ir(c->context, &c->diag, &input, &options);
  bool ok = !mlirOperationIsNull(c->module) && run_on_module(c);
  if (!mlirOperationIsNull(c->module))
    mlirOperationDestroy(c->module);
  xc_bridge_detach(&bridge);
  return ok;
}

bool operator_case_run(const char *module, const char *target,
                       const char *expected) {
  test_case c = {.target_name = target, .expected = expected};
  c.diag = (XcDiag){keep_diagnostic, &c, 0};
  c.target = xcDpuTargetCreate(&c.diag, target);
  bool ok = c.target != NULL;
  if (ok) {
    c.context = xc_context_create(false);
    ok = run_in_context(&c, module);
    mlirContextDestroy(c.context);
  }
  if (!ok)
    printf("%s", xc_text_str(&c.errors));
  xcDpuTargetDestroy(c.target);
  free_tensors(&c.inputs);
  free_tensors(&c.wanted);
  xc_text_free(&c.errors);
  return ok;
}
