//===- ModelDump.c - model mode: every tensor to a file -------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelRun.h"

#include "Interpreter/Data.h"
#include "Support/Json.h"
#include "Support/Names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void dump_file_name(size_t number, const char *name, xc_text *text) {
  xc_text_printf(text, "%04zu", number);
  if (*name) {
    xc_text_puts(text, "_");
    xc_text_file_name(text, name, strlen(name));
  }
  xc_text_puts(text, ".npy");
}

typedef struct model_dump {
  model_run *run;
  json_t *list;
  size_t count;
} model_dump;

static bool dump_tensor(void *user, const XcTensorInfo *info,
                        const void *data) {
  model_dump *dump = user;
  xc_shape shape = xc_tensor_shape(info);
  xc_text file = {0}, path = {0}, type = {0};
  const char *name = *info->opName ? info->opName : info->name;
  dump_file_name(dump->count, name, &file);
  xc_text_printf(&path, "%s/%s", dump->run->options->dump_tensors,
                 xc_text_str(&file));
  xc_shape_print(&shape, &type);
  bool ok = xc_tensor_write(&dump->run->diag, xc_text_str(&path), &shape, data);
  json_array_append_new(
      dump->list, json_pack("{ss so so ss}", "file", xc_text_str(&file), "op",
                            xc_json_text(info->opType), "op_name",
                            xc_json_text(name), "type", xc_text_str(&type)));
  ++dump->count;
  xc_text_free(&file);
  xc_text_free(&path);
  xc_text_free(&type);
  return ok;
}

static bool write_index(model_dump *dump) {
  xc_text path = {0};
  xc_text_printf(&path, "%s/index.json", dump->run->options->dump_tensors);
  char *text = json_dumps(dump->list, JSON_INDENT(1));
  bool ok =
      xc_write_file(&dump->run->diag, xc_text_str(&path), text, strlen(text));
  free(text);
  xc_text_free(&path);
  return ok;
}

static bool run_observed(model_dump *dump) {
  model_run *run = dump->run;
  xcSessionSetObserver(run->session, dump_tensor, dump);
  bool ok = xcSessionRun(run->session, &run->diag);
  xcSessionSetObserver(run->session, NULL, NULL);
  return ok;
}

// Compiled code hands out its outputs only, so it is compiled once more with
// every tensor as an output.
static bool dump_outputs(model_dump *dump, const XcModel *model,
                         XcSession *session) {
  model_run *run = dump->run;
  for (size_t i = 0; i < run->num_inputs; ++i)
    xcSessionBindInput(session, i, run->inputs[i].data);
  bool ok = xcSessionRun(session, &run->diag);
  for (size_t i = 0; ok && i < xcModelGetNumOutputs(model); ++i)
    ok = dump_tensor(dump, xcModelGetOutput(model, i),
                     xcSessionGetOutput(session, i));
  return ok;
}

static bool run_exposed(model_dump *dump) {
  model_run *run = dump->run;
  XcModelOptions load = model_load_options(run->options, run->backend);
  load.everyTensor = true;
  XcModel *model = xcModelLoad(&run->diag, run->path, &load);
  XcSession *session = model ? xcSessionCreate(&run->diag, model) : NULL;
  bool ok = session && dump_outputs(dump, model, session);
  xcSessionDestroy(session);
  xcModelDestroy(model);
  return ok && xcSessionRun(run->session, &run->diag);
}

bool model_dump_run(model_run *run) {
  const char *directory = run->options->dump_tensors;
  if (mkdir(directory, 0777) != 0 && errno != EEXIST)
    return xc_tool_error("xc-run", "cannot make directory '%s': %s", directory,
                         strerror(errno));
  model_dump dump = {.run = run, .list = json_array()};
  bool ok = (run->backend == XcBackendReference ? run_observed
                                                : run_exposed)(&dump) &&
            write_index(&dump);
  json_decref(dump.list);
  return ok;
}
