//===- ModelCompare.c - model mode: one backend against another -----------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelRun.h"

#include "Interpreter/Kernel.h"
#include "Support/Memory.h"
#include "Support/Text.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// One backend's run of the model: with every tensor, or with the outputs only.
typedef struct side {
  XcBackend backend;
  XcModel *model;
  XcSession *session;
} side;

/// The tensors that a run of the model keeps.
typedef enum extent {
  EVERY_TENSOR,
  OUTPUTS,
  // And what float2fix operators read and compute.
  OUTPUTS_AND_ROUNDINGS,
} extent;

// A bound of the terms of a sum: a mean of normalised numbers is nothing beside
// these.
typedef struct terms {
  size_t part, operation;
  double bound;
} terms;

typedef struct comparison {
  model_run *run; // has the inputs
  XcBackend backends[XC_NUM_BACKENDS];
  size_t num_backends;
  side every; // the first backend with every tensor
  bool has_cuts;
  terms *terms;
  size_t num_terms, term_capacity;
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

static bool load_side(comparison *c, side *s, extent what, bool cut) {
  XcModelOptions load = model_load_options(c->run->options, s->backend);
  load.everyTensor = what == EVERY_TENSOR;
  load.cutAtRounding = cut;
  s->model = xcModelLoad(&c->run->diag, c->run->path, &load);
  return s->model;
}

// Tensors are in the order of the model; a backend can lack some of them.
static bool is_before(const XcTensorInfo *a, const XcTensorInfo *b) {
  return a->part != b->part ? a->part < b->part : a->operation < b->operation;
}

static bool is_beside(const XcTensorInfo *a, const XcTensorInfo *b) {
  return !is_before(a, b) && !is_before(b, a);
}

// Returns the number that output `j` of the right side has on the left one,
// which has all of an operator's results, or SIZE_MAX.
static size_t find_tensor(const side *left, const side *right, size_t j) {
  const XcTensorInfo *info = xcModelGetOutput(right->model, j);
  size_t before = 0;
  while (before < j &&
         is_beside(xcModelGetOutput(right->model, j - before - 1), info))
    ++before;
  for (size_t i = 0; i < xcModelGetNumOutputs(left->model); ++i)
    if (is_beside(xcModelGetOutput(left->model, i), info) && before-- == 0)
      return i;
  return SIZE_MAX;
}

// Integers that were rounded from floats are those of the first backend.
static void bind_cuts(const comparison *c, side *s) {
  for (size_t i = 0; i < xcModelGetNumCuts(s->model); ++i) {
    XcModelCut cut = xcModelGetCut(s->model, i);
    size_t same = find_tensor(&c->every, s, cut.rounded);
    assert(same != SIZE_MAX && "the first backend has every tensor");
    xcSessionBindInput(s->session, cut.input,
                       xcSessionGetOutput(c->every.session, same));
  }
}

static bool run_side(comparison *c, side *s) {
  s->session = xcSessionCreate(&c->run->diag, s->model);
  if (!s->session)
    return false;
  for (size_t i = 0; i < c->run->num_inputs; ++i)
    xcSessionBindInput(s->session, i, c->run->inputs[i].data);
  bind_cuts(c, s);
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
  // The model tells how the pixels of pictures are read.
  bool ok = model_read_inputs(run) && model_has_one_image(run);
  run->model = NULL;
  return ok;
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

static double largest_of(const XcTensorInfo *info, const void *data) {
  const xc_tensor tensor = {xc_tensor_shape(info), (void *)(uintptr_t)data};
  double largest = 0;
  for (int64_t i = 0; i < xc_tensor_count(&tensor); ++i)
    largest = fmax(largest, fabs(xc_get_real(&tensor, i)));
  return largest;
}

static const void *find_result(const side *every, size_t part, size_t operation,
                               const XcTensorInfo **info) {
  for (size_t i = 0; i < xcModelGetNumOutputs(every->model); ++i) {
    *info = xcModelGetOutput(every->model, i);
    if ((*info)->part == part && (*info)->operation == operation)
      return xcSessionGetOutput(every->session, i);
  }
  return NULL;
}

// Keeps the bound of the terms of each sum, while the tensors are there.
static void keep_terms(comparison *c) {
  for (size_t i = 0; i < xcModelGetNumOutputs(c->every.model); ++i) {
    const XcTensorInfo *info = xcModelGetOutput(c->every.model, i), *from;
    if (info->factors == 0)
      continue;
    const void *data =
        find_result(&c->every, info->part, info->factorsOf, &from);
    if (!data)
      continue;
    xc_grow((void **)&c->terms, &c->term_capacity, c->num_terms + 1,
            sizeof(*c->terms));
    c->terms[c->num_terms++] = (terms){info->part, info->operation,
                                       info->factors * largest_of(from, data)};
  }
}

// 0 where nothing is known.
static double find_terms(const comparison *c, const XcTensorInfo *info) {
  for (size_t i = 0; info->factors > 0 && i < c->num_terms; ++i)
    if (c->terms[i].part == info->part &&
        c->terms[i].operation == info->operation)
      return c->terms[i].bound;
  return 0;
}

static model_difference measure(const comparison *c, const XcTensorInfo *info,
                                const void *found, const void *expected) {
  const double term_share = 1e-6; // some roundings of a float
  run_model_options options = *c->run->options;
  xc_shape shape = xc_tensor_shape(info);
  model_difference difference =
      model_measure(&options, &shape, found, expected);
  if (options.tolerance != 0 || options.relative_tolerance != 0 ||
      !xc_element_is_float(shape.element) || difference.count == 0)
    return difference;
  options.tolerance = fmax(float_share(info) * difference.expected_range,
                           term_share * find_terms(c, info));
  return options.tolerance > 0
             ? model_measure(&options, &shape, found, expected)
             : difference;
}

// How a run differs from that of the first backend.
typedef struct tally {
  size_t equal, near;
  size_t num_rounded; // elements that float2fix rounded the other way
  // The first tensor that differs, or null.
  const XcTensorInfo *differs;
  const void *found, *expected;
  model_difference difference;
} tally;

static void report(const side *left, const side *right, const tally *t) {
  xc_shape shape = xc_tensor_shape(t->differs);
  xc_text text = {0};
  model_print_difference(&shape, t->found, t->expected,
                         xcBackendGetName(left->backend), &t->difference,
                         &text);
  xc_tool_error("xc-run", "%s: tensor '%s' of '%s' at %s: %s",
                xcBackendGetName(right->backend), t->differs->name,
                t->differs->opType,
                *t->differs->location ? t->differs->location : "no known place",
                xc_text_str(&text));
  xc_text_free(&text);
}

// Whether two floats are rounded to two integers because the middle between
// these lies between the floats: any other difference is an error.
static bool is_other_way(double x, double expected_x, double found,
                         double expected) {
  double low = fmin(found, expected), high = fmax(found, expected);
  return (found < expected) == (x < expected_x) &&
         fmin(x, expected_x) <= low + 0.5 && fmax(x, expected_x) >= high - 0.5;
}

typedef struct rounding {
  xc_tensor x, expected_x, found, expected;
  double factor; // integers of 1
} rounding;

// Returns the number of elements that were rounded the other way, or -1 if that
// does not explain all that differ.
static int64_t count_other_way(const rounding *r) {
  int64_t count = 0;
  for (int64_t i = 0; i < xc_shape_num_elements(&r->found.shape); ++i) {
    double found = xc_get_real(&r->found, i);
    double expected = xc_get_real(&r->expected, i);
    if (found == expected)
      continue;
    if (!is_other_way(xc_get_real(&r->x, i) * r->factor,
                      xc_get_real(&r->expected_x, i) * r->factor, found,
                      expected))
      return -1;
    ++count;
  }
  return count;
}

static xc_tensor tensor_of(const side *s, size_t output) {
  return (xc_tensor){xc_tensor_shape(xcModelGetOutput(s->model, output)),
                     (void *)xcSessionGetOutput(s->session, output)};
}

// The same for output `j` of the right side; 0 where no float2fix computes it.
static int64_t explain(const side *left, const side *right, size_t j) {
  for (size_t c = 0; c < xcModelGetNumCuts(right->model); ++c) {
    XcModelCut cut = xcModelGetCut(right->model, c);
    if (cut.rounded != j)
      continue;
    const XcTensorInfo *info = xcModelGetOutput(right->model, j);
    size_t source = find_tensor(left, right, cut.source);
    size_t same = find_tensor(left, right, j);
    const rounding r = {tensor_of(right, cut.source), tensor_of(left, source),
                        tensor_of(right, j), tensor_of(left, same),
                        ldexp(1, info->fixPoint)};
    return count_other_way(&r);
  }
  return 0;
}

static void compare_tensor(const comparison *c, const side *left, size_t i,
                           const side *right, size_t j, tally *t) {
  const XcTensorInfo *info = xcModelGetOutput(right->model, j);
  const void *expected = xcSessionGetOutput(left->session, i);
  const void *found = xcSessionGetOutput(right->session, j);
  model_difference difference = measure(c, info, found, expected);
  int64_t rounded = difference.count ? explain(left, right, j) : 0;
  if (rounded > 0)
    t->num_rounded += (size_t)rounded;
  else if (difference.count) {
    t->differs = info;
    t->found = found;
    t->expected = expected;
    t->difference = difference;
  } else
    ++*(difference.largest == 0 ? &t->equal : &t->near);
}

// Returns true unless a tensor differs, the first of which is in the tally.
static bool compare_sides(const comparison *c, const side *left,
                          const side *right, extent what, tally *t) {
  size_t count = xcModelGetNumOutputs(left->model), i = 0;
  bool by_place = what != OUTPUTS;
  for (size_t j = 0; !t->differs && j < xcModelGetNumOutputs(right->model);
       ++j) {
    const XcTensorInfo *info = xcModelGetOutput(right->model, j);
    while (by_place && i < count &&
           is_before(xcModelGetOutput(left->model, i), info))
      ++i;
    if (i == count ||
        (by_place && is_before(info, xcModelGetOutput(left->model, i))))
      continue;
    compare_tensor(c, left, i++, right, j, t);
  }
  return !t->differs;
}

static void print_tally(const comparison *c, XcBackend other, extent what,
                        const tally *t) {
  static const char *const titles[] = {
      [EVERY_TENSOR] = "tensors",
      [OUTPUTS] = "outputs",
      [OUTPUTS_AND_ROUNDINGS] = "outputs of parts and tensors at roundings"};
  if (c->run->options->quiet)
    return;
  printf("%s and %s: %s equal: %zu", xcBackendGetName(c->backends[0]),
         xcBackendGetName(other), titles[what], t->equal);
  if (t->near)
    printf(", %zu within the tolerance", t->near);
  if (t->num_rounded)
    printf(", elements that float2fix rounded the other way: %zu",
           t->num_rounded);
  printf("\n");
}

//===----------------------------------------------------------------------===//
// Both comparisons
//===----------------------------------------------------------------------===//

static bool compare_tensors(comparison *c, XcBackend backend) {
  side other = {.backend = backend};
  tally t = {0};
  bool ok =
      load_side(c, &other, EVERY_TENSOR, /*cut=*/true) && run_side(c, &other);
  if (ok) {
    c->has_cuts |= xcModelGetNumCuts(other.model) > 0;
    ok = compare_sides(c, &c->every, &other, EVERY_TENSOR, &t);
    if (ok)
      print_tally(c, backend, EVERY_TENSOR, &t);
    else
      report(&c->every, &other, &t);
  }
  free_side(&other);
  return ok;
}

// Whether outputs differ because floats were rounded the other way.
static bool compare_cut(comparison *c, XcBackend backend, bool *known) {
  side other = {.backend = backend};
  tally t = {0};
  *known = load_side(c, &other, OUTPUTS_AND_ROUNDINGS, /*cut=*/true) &&
           run_side(c, &other);
  bool ok = *known &&
            compare_sides(c, &c->every, &other, OUTPUTS_AND_ROUNDINGS, &t) &&
            t.num_rounded > 0;
  if (ok)
    print_tally(c, backend, OUTPUTS_AND_ROUNDINGS, &t);
  free_side(&other);
  return ok;
}

static bool compare_outputs(comparison *c, const side *first,
                            XcBackend backend) {
  side other = {.backend = backend};
  tally t = {0};
  bool ok = load_side(c, &other, OUTPUTS, /*cut=*/false) && run_side(c, &other),
       known = true;
  if (ok && compare_sides(c, first, &other, OUTPUTS, &t))
    print_tally(c, backend, OUTPUTS, &t);
  else if (ok) {
    ok = c->has_cuts && compare_cut(c, backend, &known);
    if (!ok && known)
      report(first, &other, &t);
  }
  free_side(&other);
  return ok;
}

static bool compare_every_tensor(comparison *c) {
  bool ok = load_side(c, &c->every, EVERY_TENSOR, /*cut=*/false) &&
            read_inputs(c, &c->every) && run_side(c, &c->every);
  if (ok)
    keep_terms(c);
  for (size_t i = 1; ok && i < c->num_backends; ++i)
    ok = compare_tensors(c, c->backends[i]);
  return ok;
}

static bool compare_all_outputs(comparison *c) {
  side first = {.backend = c->backends[0]};
  bool ok = load_side(c, &first, OUTPUTS, /*cut=*/false) && run_side(c, &first);
  for (size_t i = 1; ok && i < c->num_backends; ++i)
    ok = compare_outputs(c, &first, c->backends[i]);
  free_side(&first);
  return ok;
}

// Code that gives every tensor to the outside is not the code that runs
// otherwise, so both are compared.
bool model_compare_backends(model_run *run) {
  comparison c = {.run = run};
  bool ok = parse_backends(&c, run->options->compare);
  c.every.backend = c.backends[0];
  ok = ok && compare_every_tensor(&c);
  if (!c.has_cuts) { // its integers are unused
    free_side(&c.every);
    c.every = (side){.backend = c.backends[0]};
  }
  ok = ok && compare_all_outputs(&c);
  free_side(&c.every);
  free(c.terms);
  model_release(run);
  return ok;
}
