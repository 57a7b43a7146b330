//===- ModelCompare.c - model mode: one backend against another -----------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelRun.h"

#include "Support/Memory.h"
#include "Support/Text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/// One backend's run of the model: with every tensor, or with the outputs only.
typedef struct side {
  XcBackend backend;
  XcModel *model;
  XcSession *session;
} side;

typedef struct comparison {
  model_run *run; // has the inputs
  XcBackend backends[XC_NUM_BACKENDS];
  size_t num_backends;
  bool every_tensor;
} comparison;

static bool add_backend(comparison *c, const char *name, size_t length) {
  xc_text word = {0};
  xc_text_append(&word, name, length);
  XcBackend backend;
  bool ok = xcBackendFind(xc_text_str(&word), &backend);
  if (!ok)
    xc_tool_error("xc-run", "for the --compare option: '%s' is not a backend",
                  xc_text_str(&word));
  for (size_t i = 0; ok && i < c->num_backends; ++i)
    if (c->backends[i] == backend)
      ok = xc_tool_error("xc-run",
                         "for the --compare option: '%s' is there twice",
                         xc_text_str(&word));
  if (ok)
    c->backends[c->num_backends++] = backend;
  xc_text_free(&word);
  return ok;
}

static bool parse_backends(comparison *c, const char *text) {
  for (const char *at = text;; ++at) {
    size_t length = strcspn(at, ",");
    if (!add_backend(c, at, length))
      return false;
    at += length;
    if (!*at)
      break;
  }
  return c->num_backends > 1 ||
         xc_tool_error("xc-run", "for the --compare option: expected two or "
                                 "more backends");
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

static bool load_side(comparison *c, side *s) {
  XcModelOptions load = model_load_options(c->run->options, s->backend);
  load.everyTensor = c->every_tensor;
  s->model = xcModelLoad(&c->run->diag, c->run->path, &load);
  return s->model;
}

static bool run_side(comparison *c, side *s) {
  s->session = xcSessionCreate(&c->run->diag, s->model);
  if (!s->session)
    return false;
  for (size_t i = 0; i < c->run->num_inputs; ++i)
    xcSessionBindInput(s->session, i, c->run->inputs[i].data);
  return xcSessionRun(s->session, &c->run->diag);
}

static void free_side(side *s) {
  xcSessionDestroy(s->session);
  xcModelDestroy(s->model);
}

// The inputs are those of the first backend's model.
static bool read_inputs(comparison *c, const side *first) {
  model_run *run = c->run;
  if (run->inputs)
    return true;
  run->model = first->model;
  model_make_tensors(run);
  run->model = NULL;
  return model_read_inputs(run) && model_has_one_image(run);
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

// Floats may differ by this much of the largest element unless a tolerance is
// given: terms are summed in another order. A softmax multiplies its results by
// what its argument differs by, which may be as much of some tens.
static double float_share(const XcTensorInfo *info) {
  return strcmp(info->opType, "tir.softmax") == 0 ? 1e-4 : 1e-5;
}

static model_difference measure(const comparison *c, const XcTensorInfo *info,
                                const void *found, const void *expected) {
  run_model_options options = *c->run->options;
  xc_shape shape = model_shape(info);
  model_difference difference =
      model_measure(&options, &shape, found, expected);
  if (options.tolerance != 0 || options.relative_tolerance != 0 ||
      !xc_element_is_float(shape.element) || difference.count == 0)
    return difference;
  options.tolerance = float_share(info) * difference.expected_range;
  return options.tolerance > 0
             ? model_measure(&options, &shape, found, expected)
             : difference;
}

static void report(const side *left, const side *right,
                   const XcTensorInfo *info, const void *found,
                   const void *expected, const model_difference *difference) {
  xc_shape shape = model_shape(info);
  xc_text text = {0};
  model_print_difference(&shape, found, expected,
                         xcBackendGetName(left->backend), difference, &text);
  xc_tool_error("xc-run", "%s: tensor '%s' of '%s' at %s: %s",
                xcBackendGetName(right->backend), info->name, info->opType,
                *info->location ? info->location : "no known place",
                xc_text_str(&text));
  xc_text_free(&text);
}

// Tensors are in the order of the model; a backend can lack some of them.
static bool is_before(const XcTensorInfo *a, const XcTensorInfo *b) {
  return a->part != b->part ? a->part < b->part : a->operation < b->operation;
}

typedef struct tally {
  size_t equal, near;
} tally;

// True unless a tensor differs, the first of which is reported.
static bool compare_sides(const comparison *c, const side *left,
                          const side *right, tally *t) {
  size_t count = xcModelGetNumOutputs(left->model), i = 0;
  for (size_t j = 0; j < xcModelGetNumOutputs(right->model); ++j) {
    const XcTensorInfo *info = xcModelGetOutput(right->model, j);
    while (c->every_tensor && i < count &&
           is_before(xcModelGetOutput(left->model, i), info))
      ++i;
    if (i == count ||
        (c->every_tensor && is_before(info, xcModelGetOutput(left->model, i))))
      continue;
    const void *expected = xcSessionGetOutput(left->session, i);
    const void *found = xcSessionGetOutput(right->session, j);
    model_difference difference = measure(c, info, found, expected);
    if (difference.count) {
      report(left, right, info, found, expected, &difference);
      return false;
    }
    ++*(difference.largest == 0 ? &t->equal : &t->near);
    ++i;
  }
  return true;
}

static void print_tally(const comparison *c, const side *left,
                        const side *right, const tally *t) {
  if (c->run->options->quiet)
    return;
  printf("%s and %s: %s equal: %zu", xcBackendGetName(left->backend),
         xcBackendGetName(right->backend),
         c->every_tensor ? "tensors" : "outputs", t->equal);
  if (t->near)
    printf(", %zu within the tolerance", t->near);
  printf("\n");
}

static bool compare_all(comparison *c) {
  side first = {.backend = c->backends[0]};
  bool ok =
      load_side(c, &first) && read_inputs(c, &first) && run_side(c, &first);
  for (size_t i = 1; ok && i < c->num_backends; ++i) {
    side other = {.backend = c->backends[i]};
    tally t = {0};
    ok = load_side(c, &other) && run_side(c, &other) &&
         compare_sides(c, &first, &other, &t);
    if (ok)
      print_tally(c, &first, &other, &t);
    free_side(&other);
  }
  free_side(&first);
  return ok;
}

// Code that gives every tensor to the outside is not the code that runs
// otherwise, so both are compared.
bool model_compare_backends(model_run *run) {
  comparison c = {.run = run, .every_tensor = true};
  bool ok = parse_backends(&c, run->options->compare) && compare_all(&c);
  c.every_tensor = false;
  ok = ok && compare_all(&c);
  model_release(run);
  return ok;
}
