//===- Source.c - a model file in, C source out ---------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Source.h"
#include "KeepFloat.h"
#include "Loss.h"
#include "Phases.h"

#include "Frontend/Load/Load.h"
#include "IR/AttributeNames.h"
#include "IRReader/IRReader.h"
#include "Support/Diag.h"
#include "Support/Memory.h"
#include "Support/Names.h"
#include "xc-c/CSource.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool import(xc_compilation *c) {
  const XcCompileOptions *o = c->options;
  c->module =
      xc_model_load(c->diag, c->context, o->model, &c->file, &o->import);
  if (mlirModuleIsNull(c->module))
    return false;
  xc_driver_note_kept(c);
  return xc_driver_run_pass(c, "tir-absorb-fix", NULL, 0) &&
         xc_driver_run_pass(c, "tir-canonicalize", NULL, 0);
}

/// Prints what calibration loses, warns of it, and checks the budgets. Without
/// calibration these are errors already.
static bool report_loss(xc_compilation *c) {
  json_t *report = json_object();
  json_t *loss = xc_driver_take_json(c, XC_NAME_LOSS);
  if (loss)
    json_object_set_new(report, "loss", loss);
  bool ok = xc_driver_check_loss(c, report);
  if (ok && loss) {
    xc_driver_warn_of_loss(c, report);
    xc_driver_loss_table(report, &c->log);
  }
  json_decref(report);
  return ok;
}

static bool quantise(xc_compilation *c) {
  const char *rounding = c->options->rounding;
  bool done;
  return xc_driver_quantize(c, &done) && (!done || report_loss(c)) &&
         (!rounding || xc_model_set_rounding(c->diag, c->module, rounding));
}

static void add_files(xc_compilation *c, const XcCSource *source) {
  for (size_t i = 0; i < xcCSourceGetNumFiles(source); ++i) {
    XcCSourceFile file = xcCSourceGetFile(source, i);
    xc_text path = {0};
    xc_text_printf(&path, "%s/%s", c->options->directory, file.name);
    char *copy = xc_alloc(file.size + 1);
    memcpy(copy, file.data, file.size + 1);
    xc_driver_outputs_add(&c->outputs, xc_text_str(&path), copy, file.size);
    xc_text_free(&path);
  }
}

// Names in C begin with the name of the output.
static char *c_name(const char *name) {
  xc_text text = {0};
  if (isdigit((unsigned char)*name))
    xc_text_puts(&text, "model_");
  for (; *name; ++name) {
    unsigned char byte = (unsigned char)*name;
    char c = isalnum(byte) && byte < 128 ? *name : '_';
    xc_text_append(&text, &c, 1);
  }
  return text.data;
}

static bool write_source(xc_compilation *c) {
  char *name = c_name(c->options->name);
  const XcCSourceOptions options = {.name = name,
                                    .paramsFile = c->options->paramsFile,
                                    .kernels = c->options->kernels,
                                    .program = true};
  XcCSource *source = xcCSourceCreate(c->diag, c->module, &options);
  if (source)
    add_files(c, source);
  bool ok = source && xc_driver_outputs_write(c->diag, &c->outputs,
                                              c->options->directory);
  // Tables begin with an empty line, as they follow others elsewhere.
  const char *tables = xc_text_str(&c->log);
  if (ok && c->options->log)
    xc_print(c->options->log, "%s%s", tables + (*tables == '\n'),
             xcCSourceGetReport(source));
  xcCSourceDestroy(source);
  free(name);
  return ok;
}

bool xc_driver_compile_source(xc_compilation *c) {
  return import(c) && quantise(c) && write_source(c);
}
