//===- Driver.c - a model file in, xmodels and a report out ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "Approximations.h"
#include "Budgets.h"
#include "Loss.h"
#include "Objects.h"
#include "Phases.h"
#include "Report/Report.h"
#include "Source.h"

#include "Kernels/Library.h"

#include "IRReader/IRReader.h"
#include "Support/Diag.h"
#include "Support/Memory.h"
#include "Support/Names.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

//===----------------------------------------------------------------------===//
// Output files
//===----------------------------------------------------------------------===//

xc_text xc_driver_output_path(const xc_compilation *c, const char *suffix) {
  xc_text path = {0};
  xc_text_printf(&path, "%s/%s%s", c->options->directory, c->options->name,
                 suffix);
  return path;
}

static void *copy_bytes(const void *data, size_t size) {
  void *copy = xc_alloc(size);
  if (size)
    memcpy(copy, data, size);
  return copy;
}

static void add_text(xc_compilation *c, const char *path, xc_text *text) {
  xc_driver_outputs_add(&c->outputs, path,
                        copy_bytes(xc_text_str(text), text->length),
                        text->length);
  xc_text_free(text);
}

static void add_json(xc_compilation *c, const char *path, const json_t *value) {
  char *json = json_dumps(value, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
  xc_text text = {0};
  xc_text_printf(&text, "%s\n", json);
  free(json);
  add_text(c, path, &text);
}

static bool is_page(const char *path) {
  static const char suffix[] = ".html";
  size_t length = strlen(path), tail = sizeof(suffix) - 1;
  return length > tail && strcmp(path + length - tail, suffix) == 0;
}

bool xc_driver_wants_page(const xc_compilation *c) {
  for (size_t i = 0; i < c->options->numReports; ++i)
    if (is_page(c->options->reports[i]))
      return true;
  return false;
}

/// Pages first: the timeline is for them alone.
static void add_reports(xc_compilation *c, json_t *report) {
  const XcCompileOptions *o = c->options;
  for (size_t i = 0; i < o->numReports; ++i) {
    if (!is_page(o->reports[i]))
      continue;
    xc_text page = {0};
    xc_driver_report_html(report, &page);
    add_text(c, o->reports[i], &page);
  }
  for (size_t i = 0; i < json_array_size(c->subgraphs); ++i)
    json_object_del(json_array_get(c->subgraphs, i), "timeline");
  for (size_t i = 0; i < o->numReports; ++i)
    if (!is_page(o->reports[i]))
      add_json(c, o->reports[i], report);
}

static bool describe(xc_compilation *c) {
  json_t *report = xc_driver_report(c);
  bool ok = xc_driver_check_budgets(c, report);
  if (ok) {
    xc_driver_warn_of_loss(c, report);
    xc_driver_report_table(report, &c->log);
    add_reports(c, report);
  }
  json_decref(report);
  return ok;
}

/// Everything that a whole compilation writes. The original is not needed any
/// more.
static bool add_outputs(xc_compilation *c) {
  xc_text path = xc_driver_output_path(c, ".xmodel");
  size_t size;
  void *data = xcXModelWriteToMemory(c->code, &size);
  xc_driver_outputs_add(&c->outputs, xc_text_str(&path), data, size);
  xc_text_free(&path);
  path = xc_driver_output_path(c, "_org.xmodel");
  xc_driver_outputs_add(&c->outputs, xc_text_str(&path), c->original.data,
                        c->original.size);
  c->original = (xc_buffer){0};
  xc_text_free(&path);
  xc_text_printf(&path, "%s/meta.json", c->options->directory);
  json_t *files = xc_driver_describe_files(c);
  add_json(c, xc_text_str(&path), files);
  json_decref(files);
  xc_text_free(&path);
  return describe(c);
}

//===----------------------------------------------------------------------===//
// The whole way
//===----------------------------------------------------------------------===//

static bool compile_file(xc_compilation *c) {
  if (c->options->emit == XcEmitC)
    return xc_driver_compile_source(c);
  bool ok =
      xc_driver_run_phases(c) && (c->options->compileTo || add_outputs(c)) &&
      xc_driver_outputs_write(c->diag, &c->outputs, c->options->directory);
  if (ok && c->options->log)
    xc_print(c->options->log, "%s", xc_text_str(&c->log));
  return ok;
}

static bool compile_in_context(xc_compilation *c) {
  // For places; the bytes may be freed once they are imported.
  xc_source input = {.name = c->options->model, .first_line = 1};
  c->context = xc_context_create(false);
  xc_diagnostic_bridge bridge = {.input = &input};
  xc_bridge_attach(&bridge, c->context, c->diag);
  bool ok = compile_file(c);
  xc_mixed_destroy(c->mixed);
  if (!mlirModuleIsNull(c->module))
    mlirModuleDestroy(c->module);
  xc_bridge_detach(&bridge);
  mlirContextDestroy(c->context);
  return ok;
}

static bool compile_for_target(xc_compilation *c) {
  const char *model = c->options->model, *slash = strrchr(model, '/');
  const char *name = slash ? slash + 1 : model;
  if (!xc_read_file(c->diag, model, &c->file))
    return false;
  c->model = xc_copy_string(name);
  bool ok = compile_in_context(c);
  free(c->model);
  xc_buffer_free(&c->file);
  return ok;
}

/// The original beside the output is the model again; the output is not.
static bool replaces_model(const XcCompileOptions *options) {
  xc_text path = {0};
  xc_text_printf(&path, "%s/%s%s", options->directory, options->name,
                 options->compileTo ? ".mlir" : ".xmodel");
  struct stat model, output;
  bool same = stat(options->model, &model) == 0 &&
              stat(xc_text_str(&path), &output) == 0 &&
              model.st_dev == output.st_dev && model.st_ino == output.st_ino;
  xc_text_free(&path);
  return same;
}

// Parts are compiled at the end, and stay portable where that fails.
static bool check_kernels(XcDiag *diag, const char *path) {
  xc_kernel_library *library =
      path ? xc_kernel_library_create(diag, path) : NULL;
  xc_kernel_library_destroy(library);
  return !path || library;
}

static bool is_inside(const char *path, const char *directory) {
  size_t length = strlen(directory);
  while (length > 0 && directory[length - 1] == '/')
    --length;
  return strncmp(path, directory, length) == 0 && path[length] == '/';
}

/// A name without an ending is fine for JSON; another ending is a mistake.
static bool check_report(XcDiag *diag, const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  const char *dot = strrchr(name, '.');
  return !dot || dot == name || is_page(path) || strcmp(dot, ".json") == 0 ||
         xc_file_error(diag, NULL,
                       "--report=%s: the name ends in '%s', expected .html for "
                       "a page or .json",
                       path, dot);
}

// A report may go to the directory that is made for the rest.
static bool check_outputs(XcDiag *diag, const XcCompileOptions *o) {
  bool ok = xc_driver_check_directory(diag, o->directory);
  for (size_t i = 0; ok && i < o->numReports; ++i)
    ok = check_report(diag, o->reports[i]) &&
         (is_inside(o->reports[i], o->directory) ||
          xc_driver_check_file(diag, o->reports[i]));
  return ok;
}

/// Whether all options mean something for what is written.
static bool check_emit(XcDiag *diag, const XcCompileOptions *o) {
  enum { XMODEL = 1 << XcEmitXModel, C = 1 << XcEmitC, BOTH = XMODEL | C };
  const struct {
    bool given;
    const char *option;
    unsigned emit;
  } rows[] = {
#define XC_DRIVER_OPTION(given, name, phase, emit) {given, name, emit},
#include "Options.def"
  };
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i)
    if (rows[i].given && !(rows[i].emit & 1U << o->emit))
      return xc_file_error(diag, NULL, "--%s has no effect with --emit=%s",
                           rows[i].option, o->emit == XcEmitC ? "c" : "xmodel");
  return true;
}

static bool check_options(XcDiag *diag, const XcCompileOptions *options) {
  if (!*options->name || strchr(options->name, '/'))
    return xc_file_error(diag, NULL,
                         "invalid output name '%s': expected a name without "
                         "directories",
                         options->name);
  if (replaces_model(options))
    return xc_file_error(diag, options->model,
                         "the output '%s' would replace the model: choose "
                         "another name or directory",
                         options->name);
  return check_emit(diag, options) && check_outputs(diag, options) &&
         xc_driver_check_approximate(diag, options) &&
         xc_driver_check_cpu(diag, options->cpu) &&
         check_kernels(diag, options->kernels);
}

static bool compile(XcDiag *diag, const XcCompileOptions *options) {
  if (!check_options(diag, options))
    return false;
  xc_compilation c = {.diag = diag, .options = options};
  bool ok = true;
  if (options->emit == XcEmitXModel) {
    c.target = xcDpuTargetCreate(diag, options->target);
    ok = c.target && xcDpuCodeGenSupports(diag, c.target);
  }
  ok = ok && compile_for_target(&c);
  xcXModelDestroy(c.code);
  json_decref(c.kernels);
  json_decref(c.subgraphs);
  json_decref(c.board);
  json_decref(c.placement);
  xc_text_free(&c.divided);
  free(c.original.data);
  xc_text_free(&c.log);
  xc_text_free(&c.kept);
  xc_driver_outputs_free(&c.outputs);
  xcDpuTargetDestroy(c.target);
  return ok;
}

/// "models/net.onnx" gives "net", and so does the "net_org.xmodel" of an
/// earlier compilation.
static char *name_of(const char *model) {
  static const char original[] = "_org";
  const char *slash = strrchr(model, '/');
  const char *name = slash ? slash + 1 : model;
  const char *dot = strrchr(name, '.');
  size_t length = dot ? (size_t)(dot - name) : strlen(name);
  size_t tail = sizeof(original) - 1;
  if (length > tail && memcmp(name + length - tail, original, tail) == 0)
    length -= tail;
  char *copy = copy_bytes(name, length + 1);
  copy[length] = '\0';
  return copy;
}

bool xcCompile(XcDiag *diag, const XcCompileOptions *options) {
  XcCompileOptions filled = *options;
  char *name = options->name ? NULL : name_of(options->model);
  if (name)
    filled.name = name;
  bool ok = compile(diag, &filled);
  free(name);
  return ok;
}
