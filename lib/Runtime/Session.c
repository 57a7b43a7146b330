//===- Session.c - runs a loaded model ------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"

#include "Support/Diag.h"
#include "Support/Time.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

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

static void **make_arguments(const XcSession *session, const xc_rt_part *part) {
  void **arguments = xc_alloc_array(part->num_inputs + part->num_outputs + 1,
                                    sizeof(*arguments));
  for (size_t i = 0; i < part->num_inputs; ++i)
    arguments[i] = session->data[part->inputs[i]];
  for (size_t i = 0; i < part->num_outputs; ++i)
    arguments[part->num_inputs + i] = session->data[part->outputs[i]];
  return arguments;
}

/// Sessions of one model.
typedef struct session_group {
  XcSession *const *sessions;
  size_t count;
  void **states;     // room for those of a part, by session
  void ***arguments; // the same
} session_group;

static bool run_sessions(XcDiag *diag, const session_group *group,
                         const xc_rt_part *part) {
  const xc_rt_executor *executor = part->executor;
  if (group->count > 1 && executor->run_lockstep)
    return executor->run_lockstep(diag, part, group->states, group->arguments,
                                  group->count);
  bool ok = true;
  for (size_t s = 0; ok && s < group->count; ++s)
    ok = executor->run(diag, group->sessions[s], part, group->states[s],
                       group->arguments[s]);
  return ok;
}

static bool run_part(XcDiag *diag, const session_group *group, size_t index) {
  const xc_rt_part *part = &group->sessions[0]->model->parts[index];
  for (size_t s = 0; s < group->count; ++s) {
    group->states[s] = group->sessions[s]->states[index];
    group->arguments[s] = make_arguments(group->sessions[s], part);
  }
  double start = xc_seconds();
  bool ok = run_sessions(diag, group, part);
  double seconds = xc_seconds() - start;
  for (size_t s = 0; s < group->count; ++s) {
    group->sessions[s]->seconds[index] = seconds;
    ok = ok && observe_outputs(group->sessions[s], part);
    free(group->arguments[s]);
  }
  return ok;
}

static bool check_inputs(XcDiag *diag, const XcSession *session) {
  for (size_t i = 0; i < session->model->num_inputs; ++i)
    if (!session->inputs[i])
      return xc_file_error(diag, session->model->name,
                           "input %zu '%s' is not bound", i,
                           xcModelGetInput(session->model, i)->name);
  return true;
}

static bool run_parts(XcDiag *diag, const session_group *group) {
  const XcModel *model = group->sessions[0]->model;
  xc_rt_caller caller;
  xc_rt_enter(model, &caller, diag);
  bool ok = true;
  for (size_t i = 0; ok && i < model->num_parts; ++i)
    ok = run_part(diag, group, i);
  xc_rt_leave(model, &caller);
  return ok;
}

bool xcSessionRunLockstep(XcSession *const *sessions, size_t count,
                          XcDiag *diag) {
  for (size_t s = 0; s < count; ++s) {
    assert(sessions[s]->model == sessions[0]->model && "of one model");
    if (!check_inputs(diag, sessions[s]))
      return false;
    place_values(sessions[s]);
  }
  session_group group = {.sessions = sessions,
                         .count = count,
                         .states = xc_alloc_array(count, sizeof(*group.states)),
                         .arguments =
                             xc_alloc_array(count, sizeof(*group.arguments))};
  bool ok = run_parts(diag, &group);
  free(group.states);
  free(group.arguments);
  for (size_t s = 0; ok && s < count; ++s)
    copy_outputs(sessions[s]);
  return ok;
}

bool xcSessionRun(XcSession *session, XcDiag *diag) {
  return xcSessionRunLockstep(&session, 1, diag);
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
