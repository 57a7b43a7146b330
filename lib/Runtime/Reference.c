//===- Reference.c - parts on the reference interpreter -------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"

#include "xc-c/Interpreter.h"

#include <stdlib.h>

// Reports the faults of the function at the load already.
static bool prepare(XcDiag *diag, XcModel *model, xc_rt_part *part) {
  (void)diag;
  (void)model;
  XcInterpreter *interpreter = xcInterpreterCreate(part->function);
  xcInterpreterDestroy(interpreter);
  return interpreter;
}

static void *open_interpreter(XcDiag *diag, const XcModel *model,
                              const xc_rt_part *part) {
  (void)diag;
  XcInterpreter *interpreter = xcInterpreterCreate(part->function);
  if (interpreter)
    xcInterpreterSetCustom(interpreter, xc_rt_run_custom, (void *)model);
  return interpreter;
}

static void close_interpreter(void *state) { xcInterpreterDestroy(state); }

// Tensors have no entry of their own in the model: their description lasts as
// long as the call.
static bool observe(void *user_data, MlirOperation operation, MlirValue value,
                    const void *data, size_t size) {
  const XcSession *session = user_data;
  (void)size;
  XcModel scratch = {.context = session->model->context};
  XcTensorInfo info = xc_rt_tensor_info(mlirValueGetType(value));
  xc_rt_describe(&scratch, operation, &info);
  info.name = info.opName;
  bool go_on = session->observer(session->observer_data, &info, data);
  xc_arena_free(&scratch.arena);
  return go_on;
}

static bool run(XcDiag *diag, XcSession *session, const xc_rt_part *part,
                void *state, void **arguments) {
  (void)diag;
  if (session->observer)
    xcInterpreterSetObserver(state, observe, session);
  else
    xcInterpreterSetObserver(state, NULL, NULL);
  // Outputs follow the inputs: as results, or as arguments of a bufferised
  // function.
  return xcInterpreterRun(state, arguments, arguments + part->num_inputs);
}

const xc_rt_executor xc_rt_reference = {
    .name = "reference",
    .prepare = prepare,
    .open = open_interpreter,
    .close = close_interpreter,
    .run = run,
};
