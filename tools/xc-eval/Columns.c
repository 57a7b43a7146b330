//===- Columns.c - the ways that a model runs -----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Eval.h"

#include "Frontend/Load/Load.h"
#include "Support/Diag.h"
#include "Support/Memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

uint64_t eval_hash(uint64_t hash, const void *data, size_t size) {
  const unsigned char *bytes = data;
  for (size_t i = 0; i < size; ++i)
    hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
  return hash;
}

/// Columns that a user can ask for. `exact`: of the model in floating point.
static const struct {
  const char *name;
  bool exact;
  XcBackend backend;
} ways[EVAL_MAX_COLUMNS] = {
    {"float", true, XcBackendCpu},
    {"reference", false, XcBackendReference},
    {"cpu", false, XcBackendCpu},
    {"sim", false, XcBackendSim},
};

/// Whether a word is in a list with commas.
static bool lists(const char *list, const char *word) {
  size_t length = strlen(word);
  for (const char *at = list; *at; at += *at == ',') {
    size_t own = strcspn(at, ",");
    if (own == length && memcmp(at, word, length) == 0)
      return true;
    at += own;
  }
  return false;
}

static bool check_words(XcDiag *diag, const char *list) {
  for (const char *at = list; *at; at += *at == ',') {
    size_t own = strcspn(at, ",");
    bool known = false;
    for (size_t w = 0; w < EVAL_MAX_COLUMNS; ++w)
      known |=
          strlen(ways[w].name) == own && memcmp(ways[w].name, at, own) == 0;
    if (!known)
      return xc_file_error(diag, NULL,
                           "--backends: '%.*s' is not known, expected float, "
                           "reference, cpu, sim",
                           (int)own, at);
    at += own;
  }
  return true;
}

static bool add_fingerprint(XcDiag *diag, const char *path,
                            eval_columns *columns) {
  xc_buffer file;
  if (!xc_read_file(diag, path, &file))
    return false;
  columns->fingerprint = eval_hash(columns->fingerprint, file.data, file.size);
  xc_buffer_free(&file);
  return true;
}

static bool add_column(XcDiag *diag, const eval_arguments *a, const char *path,
                       size_t way, eval_columns *columns) {
  XcModelOptions options = {.backend = ways[way].backend,
                            .import = xc_import_options(&a->import),
                            .target = ways[way].exact ? NULL : a->target,
                            .skipVerification = a->trusting,
                            .portable = a->portable};
  XcModel *model = xcModelLoad(diag, path, &options);
  if (!model)
    return false;
  columns->items[columns->count++] = (eval_column){ways[way].name, model};
  return true;
}

//===----------------------------------------------------------------------===//
// Do they fit together
//===----------------------------------------------------------------------===//

static bool same_tensor(const XcTensorInfo *a, const XcTensorInfo *b,
                        bool same_element) {
  xc_shape x = xc_tensor_shape(a), y = xc_tensor_shape(b);
  return xc_shape_num_elements(&x) == xc_shape_num_elements(&y) &&
         (!same_element || a->element == b->element);
}

static bool check_column(XcDiag *diag, const eval_columns *columns, size_t c) {
  const XcModel *first = columns->items[0].model;
  const XcModel *other = columns->items[c].model;
  const char *name = columns->items[c].name;
  bool fits = xcModelGetNumInputs(first) == xcModelGetNumInputs(other) &&
              xcModelGetNumOutputs(first) == xcModelGetNumOutputs(other);
  for (size_t i = 0; fits && i < xcModelGetNumInputs(first); ++i)
    fits =
        same_tensor(xcModelGetInput(first, i), xcModelGetInput(other, i), true);
  for (size_t i = 0; fits && i < xcModelGetNumOutputs(first); ++i)
    fits = same_tensor(xcModelGetOutput(first, i), xcModelGetOutput(other, i),
                       false);
  return fits || xc_file_error(diag, NULL,
                               "the inputs or outputs of '%s' are not those "
                               "of '%s': another model?",
                               name, columns->items[0].name);
}

/// The scores of one sample lie in one dimension.
static bool is_list(const XcTensorInfo *info) {
  size_t wide = 0;
  for (size_t i = 0; i < info->rank; ++i)
    wide += info->dims[i] != 1;
  return wide == 1 && info->element != XcElementTypeI1;
}

static bool find_scores(XcDiag *diag, const eval_arguments *a,
                        eval_columns *columns) {
  const XcModel *model = columns->items[0].model;
  columns->scores = SIZE_MAX;
  if (a->output) {
    columns->scores = xcModelFindOutput(model, a->output);
    if (columns->scores == SIZE_MAX)
      return xc_file_error(diag, NULL, "the model has no output '%s'",
                           a->output);
    return is_list(xcModelGetOutput(model, columns->scores)) ||
           xc_file_error(diag, NULL, "output '%s' is not a list of scores",
                         a->output);
  }
  for (size_t i = xcModelGetNumOutputs(model); i-- > 0;)
    if (is_list(xcModelGetOutput(model, i)))
      columns->scores = i;
  return columns->scores != SIZE_MAX || !a->labels ||
         xc_file_error(diag, NULL,
                       "--labels needs an output that is one list of scores, "
                       "and the model has none");
}

/// Whether machine code for a DPU is in it.
static bool is_compiled(const char *path) {
  XcDiag silent = {xc_ignore_error, NULL, 0};
  const XcModelOptions options = {.backend = XcBackendSim,
                                  .skipVerification = true};
  XcModel *model = xcModelLoad(&silent, path, &options);
  xcModelDestroy(model);
  return model;
}

/// How pictures become inputs the model at hand knows, which may be no column;
/// else the one in floating point.
static bool find_preprocess(XcDiag *diag, const eval_arguments *a,
                            const char *path, eval_columns *columns) {
  const eval_column *last = &columns->items[columns->count - 1];
  if (strcmp(last->name, ways[0].name) != 0) {
    columns->preprocess = xc_copy_string(xcModelGetPreprocess(last->model));
  } else {
    const XcModelOptions options = {.import = xc_import_options(&a->import)};
    XcModel *model = xcModelLoad(diag, path, &options);
    if (!model)
      return false;
    columns->preprocess = xc_copy_string(xcModelGetPreprocess(model));
    xcModelDestroy(model);
  }
  const char *exact = xcModelGetPreprocess(columns->items[0].model);
  if (*columns->preprocess || !*exact)
    return true;
  free(columns->preprocess);
  columns->preprocess = xc_copy_string(exact);
  return true;
}

bool eval_columns_load(XcDiag *diag, const eval_arguments *a, const char *path,
                       eval_columns *columns) {
  columns->fingerprint = EVAL_HASH_BEGIN;
  if (a->backends && !check_words(diag, a->backends))
    return false;
  for (size_t w = 0; w < EVAL_MAX_COLUMNS; ++w) {
    const char *file = ways[w].exact ? a->exact : path;
    if (a->backends && !lists(a->backends, ways[w].name))
      continue;
    if (a->backends && !file)
      return xc_file_error(diag, NULL,
                           "--backends: 'float' needs --float=MODEL");
    if (!file ||
        (!a->backends && ways[w].backend == XcBackendSim && !is_compiled(path)))
      continue;
    if (!add_column(diag, a, file, w, columns))
      return false;
  }
  assert(columns->count > 0 && "known words name columns");
  for (size_t c = 1; c < columns->count; ++c)
    if (!check_column(diag, columns, c))
      return false;
  return find_scores(diag, a, columns) &&
         find_preprocess(diag, a, path, columns) &&
         add_fingerprint(diag, path, columns) &&
         (!a->exact || add_fingerprint(diag, a->exact, columns));
}

void eval_columns_free(eval_columns *columns) {
  for (size_t i = 0; i < columns->count; ++i)
    xcModelDestroy(columns->items[i].model);
  free(columns->preprocess);
}
