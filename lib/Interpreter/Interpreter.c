//===- Interpreter.c - executes prepared functions ------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xc-c/Interpreter.h"

#include "Frame.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct XcInterpreter {
  xc_plans plans;
  const xc_plan *plan;
  XcInterpreterObserver observer;
  void *user_data;
  XcInterpreterCustom custom;
  void *custom_data;
};

typedef xc_frame frame;

static bool run_function(XcInterpreter *interpreter, const xc_plan *plan,
                         void *const *arguments, void *const *results);

static xc_tensor tensor_of(const frame *f, int64_t slot) {
  if (slot == XC_NO_SLOT)
    return (xc_tensor){0};
  return (xc_tensor){f->plan->slots[slot].shape, f->data[slot]};
}

static void copy_slot(const frame *f, int64_t from, int64_t to) {
  size_t bytes = f->plan->slots[from].bytes;
  if (bytes)
    memmove(f->data[to], f->data[from], bytes);
}

static bool run_kernel(frame *f, const xc_step *step) {
  xc_adaptor op;
  bool viewed = xc_adaptor_of(step->operation, &op);
  assert(viewed && "the plan checked the operands");
  (void)viewed;
  xc_arena arena = {0};
  xc_kernel_call call = {.op = &op,
                         .arena = &arena,
                         .custom = f->interpreter->custom,
                         .custom_data = f->interpreter->custom_data};
  for (size_t i = 0; i < step->num_operands; ++i)
    call.operands[i] = tensor_of(f, step->operands[i]);
  if (step->num_results) {
    call.output = tensor_of(f, step->results[0]);
  } else {
    // An mtir operator writes its last operand.
    call.output = call.operands[step->num_operands - 1];
    call.operands[step->num_operands - 1] = (xc_tensor){0};
  }
  bool ok = step->kernel(&call);
  xc_arena_free(&arena);
  return ok;
}

static bool run_call(frame *f, const xc_step *step) {
  void **pointers = xc_alloc_array(step->num_operands + step->num_results + 1,
                                   sizeof(*pointers));
  for (size_t i = 0; i < step->num_operands; ++i)
    pointers[i] = f->data[step->operands[i]];
  void **results = pointers + step->num_operands;
  for (size_t i = 0; i < step->num_results; ++i)
    results[i] = f->data[step->results[i]];
  bool ok = run_function(f->interpreter, step->callee, pointers, results);
  free(pointers);
  return ok;
}

static bool run_step(frame *f, const xc_step *step) {
  switch (step->kind) {
  case XC_STEP_KERNEL:
    return run_kernel(f, step);
  case XC_STEP_COPY:
    copy_slot(f, step->operands[0],
              step->num_results ? step->results[0] : step->operands[1]);
    return true;
  case XC_STEP_ALLOC:
    return true;
  case XC_STEP_CALL:
    return run_call(f, step);
  }
  return false;
}

static bool observe(const frame *f, const xc_step *step) {
  XcInterpreter *interpreter = f->interpreter;
  if (!interpreter->observer || step->kind != XC_STEP_KERNEL)
    return true;
  int64_t slot = step->num_results ? step->results[0]
                                   : step->operands[step->num_operands - 1];
  return interpreter->observer(interpreter->user_data, step->operation,
                               f->plan->slots[slot].value, f->data[slot],
                               f->plan->slots[slot].bytes);
}

bool xc_frame_step(xc_frame *f, size_t number) {
  const xc_plan *plan = f->plan;
  const xc_step *step = &plan->steps[number];
  for (size_t r = 0; r < step->num_results; ++r)
    f->data[step->results[r]] = xc_alloc(plan->slots[step->results[r]].bytes);
  if (!run_step(f, step) || !observe(f, step))
    return false;
  for (int64_t dead = step->first_dead; dead != XC_NO_SLOT;
       dead = plan->slots[dead].next_dead) {
    free(f->data[dead]);
    f->data[dead] = NULL;
  }
  return true;
}

static frame open_frame(XcInterpreter *interpreter, const xc_plan *plan,
                        void *const *arguments) {
  frame f = {interpreter, plan,
             xc_alloc_array(plan->num_slots + 1, sizeof(void *))};
  for (size_t i = 0; i < plan->num_slots; ++i)
    // Kernels only read their operands.
    f.data[i] = i < plan->num_arguments
                    ? arguments[i]
                    : (void *)(uintptr_t)plan->slots[i].constant;
  return f;
}

xc_frame xc_frame_open(XcInterpreter *interpreter, void *const *arguments) {
  return open_frame(interpreter, interpreter->plan, arguments);
}

void xc_frame_results(const xc_frame *f, void *const *results) {
  const xc_plan *plan = f->plan;
  for (size_t i = 0; i < plan->num_results; ++i)
    if (plan->slots[plan->results[i]].bytes)
      memcpy(results[i], f->data[plan->results[i]],
             plan->slots[plan->results[i]].bytes);
}

void xc_frame_close(xc_frame *f) {
  for (size_t i = f->plan->num_arguments; i < f->plan->num_slots; ++i)
    if (!f->plan->slots[i].constant)
      free(f->data[i]);
  free(f->data);
}

const xc_plan *xc_interpreter_plan(const XcInterpreter *interpreter) {
  return interpreter->plan;
}

static bool run_function(XcInterpreter *interpreter, const xc_plan *plan,
                         void *const *arguments, void *const *results) {
  frame f = open_frame(interpreter, plan, arguments);
  bool ok = true;
  for (size_t i = 0; ok && i < plan->num_steps; ++i)
    ok = xc_frame_step(&f, i);
  if (ok)
    xc_frame_results(&f, results);
  xc_frame_close(&f);
  return ok;
}

XcInterpreter *xcInterpreterCreate(MlirOperation function) {
  XcInterpreter *interpreter = xc_alloc(sizeof(*interpreter));
  interpreter->plan = xc_plans_get(&interpreter->plans, function);
  if (interpreter->plan)
    return interpreter;
  xcInterpreterDestroy(interpreter);
  return NULL;
}

void xcInterpreterDestroy(XcInterpreter *interpreter) {
  if (!interpreter)
    return;
  xc_plans_free(&interpreter->plans);
  free(interpreter);
}

size_t xcInterpreterGetNumArguments(const XcInterpreter *interpreter) {
  return interpreter->plan->num_arguments;
}

size_t xcInterpreterGetNumResults(const XcInterpreter *interpreter) {
  return interpreter->plan->num_results;
}

size_t xcInterpreterGetArgumentSize(const XcInterpreter *interpreter,
                                    size_t index) {
  assert(index < interpreter->plan->num_arguments && "there is this argument");
  return interpreter->plan->slots[index].bytes;
}

size_t xcInterpreterGetResultSize(const XcInterpreter *interpreter,
                                  size_t index) {
  assert(index < interpreter->plan->num_results && "there is this result");
  return interpreter->plan->slots[interpreter->plan->results[index]].bytes;
}

void xcInterpreterSetObserver(XcInterpreter *interpreter,
                              XcInterpreterObserver observer, void *userData) {
  interpreter->observer = observer;
  interpreter->user_data = userData;
}

void xcInterpreterSetCustom(XcInterpreter *interpreter,
                            XcInterpreterCustom custom, void *userData) {
  interpreter->custom = custom;
  interpreter->custom_data = userData;
}

void xc_interpreter_replace(XcInterpreter *interpreter, xc_kernel from,
                            xc_kernel to) {
  for (size_t i = 0; i < interpreter->plans.count; ++i) {
    xc_plan *plan = interpreter->plans.items[i];
    for (size_t s = 0; s < plan->num_steps; ++s)
      if (plan->steps[s].kernel == from)
        plan->steps[s].kernel = to;
  }
}

bool xcInterpreterRun(XcInterpreter *interpreter, void *const *arguments,
                      void *const *results) {
  return run_function(interpreter, interpreter->plan, arguments, results);
}
