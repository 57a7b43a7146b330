//===- Session.c - runs a loaded model ------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "Runtime.h"

#include "Support/Diag.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

enum { ALIGNMENT = 64 }; // of the vectors of compiled code

// The block that the C library gave lies in front of what is returned.
void *xc_rt_allocate(size_t size) {
  char *block = xc_alloc(size + sizeof(void *) + ALIGNMENT);
  uintptr_t first = (uintptr_t)(block + sizeof(void *));
  char *memory =
      block + sizeof(void *) + (ALIGNMENT - first % ALIGNMENT) % ALIGNMENT;
  memcpy(memory - sizeof(void *), &block, sizeof(void *));
  return memory;
}

void xc_rt_free(void *memory) {
  void *block = NULL;
  if (memory)
    memcpy(&block, (char *)memory - sizeof(void *), sizeof(void *));
  free(block);
}

static size_t size_of(const XcModel *model, size_t value) {
  return model->values[value].size;
}

// A value that is an output is computed where the output goes. What is given
// out twice, or given through from an input, is copied after the run.
static void place_values(XcSession *session) {
  const XcModel *model = session->model;
  memset(session->data, 0, model->num_values * sizeof(*session->data));
  for (size_t i = 0; i < model->num_inputs; ++i)
    session->data[model->inputs[i]] = (void *)session->inputs[i];
  for (size_t i = 0; i < model->num_outputs; ++i)
    if (!session->data[model->outputs[i]])
      session->data[model->outputs[i]] = (void *)xcSessionGetOutput(session, i);
  for (size_t i = 0; i < model->num_values; ++i) {
    if (session->data[i])
      continue;
    if (!session->owned[i])
      session->owned[i] = xc_rt_allocate(size_of(model, i));
    session->data[i] = session->owned[i];
  }
}

static void copy_outputs(XcSession *session) {
  const XcModel *model = session->model;
  for (size_t i = 0; i < model->num_outputs; ++i) {
    void *to = (void *)xcSessionGetOutput(session, i);
    const void *from = session->data[model->outputs[i]];
    if (to != from)
      memmove(to, from, size_of(model, model->outputs[i]));
  }
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static bool observe_outputs(XcSession *session, const xc_rt_part *part) {
  if (!session->observer || part->executor == &xc_rt_reference)
    return true;
  for (size_t i = 0; i < part->num_outputs; ++i)
    if (!session->observer(session->observer_data,
                           &session->model->values[part->outputs[i]],
                           session->data[part->outputs[i]]))
      return false;
  return true;
}

static bool run_part(XcDiag *diag, XcSession *session, size_t index) {
  const xc_rt_part *part = &session->model->parts[index];
  void **arguments = xc_alloc_array(part->num_inputs + part->num_outputs + 1,
                                    sizeof(*arguments));
  for (size_t i = 0; i < part->num_inputs; ++i)
    arguments[i] = session->data[part->inputs[i]];
  for (size_t i = 0; i < part->num_outputs; ++i)
    arguments[part->num_inputs + i] = session->data[part->outputs[i]];
  double start = now();
  bool ok = part->executor->run(diag, session, part, session->states[index],
                                arguments);
  session->seconds[index] = now() - start;
  free(arguments);
  return ok && observe_outputs(session, part);
}

static bool check_inputs(XcDiag *diag, const XcSession *session) {
  for (size_t i = 0; i < session->model->num_inputs; ++i)
    if (!session->inputs[i])
      return xc_file_error(diag, session->model->name,
                           "input %zu '%s' is not bound", i,
                           xcModelGetInput(session->model, i)->name);
  return true;
}

bool xcSessionRun(XcSession *session, XcDiag *diag) {
  if (!check_inputs(diag, session))
    return false;
  place_values(session);
  xc_rt_caller caller;
  xc_rt_enter(session->model, &caller, diag);
  bool ok = true;
  for (size_t i = 0; ok && i < session->model->num_parts; ++i)
    ok = run_part(diag, session, i);
  xc_rt_leave(session->model, &caller);
  if (ok)
    copy_outputs(session);
  return ok;
}

//===----------------------------------------------------------------------===//
// Life and binding
//===----------------------------------------------------------------------===//

static bool open_parts(XcDiag *diag, XcSession *session) {
  const XcModel *model = session->model;
  for (size_t i = 0; i < model->num_parts; ++i) {
    const xc_rt_part *part = &model->parts[i];
    if (!part->executor->open)
      continue;
    session->states[i] = part->executor->open(diag, model, part);
    if (!session->states[i])
      return false;
  }
  return true;
}

XcSession *xcSessionCreate(XcDiag *diag, const XcModel *model) {
  XcSession *session = xc_alloc(sizeof(*session));
  session->model = model;
  session->states = xc_alloc_array(model->num_parts, sizeof(void *));
  session->seconds = xc_alloc_array(model->num_parts, sizeof(double));
  session->data = xc_alloc_array(model->num_values, sizeof(void *));
  session->owned = xc_alloc_array(model->num_values, sizeof(void *));
  session->inputs = xc_alloc_array(model->num_inputs, sizeof(void *));
  session->outputs = xc_alloc_array(model->num_outputs, sizeof(void *));
  session->owned_outputs = xc_alloc_array(model->num_outputs, sizeof(void *));
  for (size_t i = 0; i < model->num_outputs; ++i)
    xcSessionBindOutput(session, i, NULL);
  xc_rt_caller caller;
  xc_rt_enter(model, &caller, diag);
  bool ok = open_parts(diag, session);
  xc_rt_leave(model, &caller);
  if (ok)
    return session;
  xcSessionDestroy(session);
  return NULL;
}

void xcSessionDestroy(XcSession *session) {
  if (!session)
    return;
  const XcModel *model = session->model;
  for (size_t i = 0; i < model->num_parts; ++i)
    if (session->states[i])
      model->parts[i].executor->close(session->states[i]);
  for (size_t i = 0; i < model->num_values; ++i)
    xc_rt_free(session->owned[i]);
  for (size_t i = 0; i < model->num_outputs; ++i)
    xc_rt_free(session->owned_outputs[i]);
  free(session->states);
  free(session->seconds);
  free(session->data);
  free(session->owned);
  free(session->inputs);
  free(session->outputs);
  free(session->owned_outputs);
  free(session);
}

void xcSessionBindInput(XcSession *session, size_t index, const void *data) {
  assert(index < session->model->num_inputs && "there is this input");
  session->inputs[index] = data;
}

void xcSessionBindOutput(XcSession *session, size_t index, void *data) {
  assert(index < session->model->num_outputs && "there is this output");
  session->outputs[index] = data;
  if (!data && !session->owned_outputs[index])
    session->owned_outputs[index] =
        xc_rt_allocate(xcModelGetOutput(session->model, index)->size);
}

const void *xcSessionGetOutput(const XcSession *session, size_t index) {
  assert(index < session->model->num_outputs && "there is this output");
  return session->outputs[index] ? session->outputs[index]
                                 : session->owned_outputs[index];
}

void xcSessionSetObserver(XcSession *session, XcTensorObserver observer,
                          void *userData) {
  session->observer = observer;
  session->observer_data = userData;
}

double xcSessionGetPartSeconds(const XcSession *session, size_t part) {
  assert(part < session->model->num_parts && "there is this part");
  return session->seconds[part];
}
