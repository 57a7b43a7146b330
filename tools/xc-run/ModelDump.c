//===- ModelDump.c - model mode: every tensor to a file -------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelRun.h"

#include "Interpreter/Data.h"
#include "Support/Text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// A number and the op_name with what file names do not like replaced.
static void dump_file_name(size_t number, const char *name, xc_text *text) {
  enum { LONGEST = 80 };
  xc_text_printf(text, "%04zu", number);
  if (*name)
    xc_text_puts(text, "_");
  for (size_t i = 0; name[i] && i < LONGEST; ++i) {
    char c = name[i];
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                 (c >= '0' && c <= '9') || c == '-' || c == '.';
    xc_text_append(text, plain ? &c : "_", 1);
  }
  xc_text_puts(text, ".npy");
}

static bool dump_tensor(void *user, const XcTensorInfo *info,
                        const void *data) {
  model_dump *dump = user;
  xc_shape shape = model_shape(info);
  xc_text file = {0}, path = {0}, type = {0};
  dump_file_name(dump->count, *info->opName ? info->opName : info->name, &file);
  xc_text_printf(&path, "%s/%s", dump->run->options->dump_tensors,
                 xc_text_str(&file));
  xc_shape_print(&shape, &type);
  bool ok = xc_tensor_write(&dump->run->diag, xc_text_str(&path), &shape, data);
  json_array_append_new(dump->list,
                        json_pack("{ss ss ss ss}", "file", xc_text_str(&file),
                                  "op", info->opType, "op_name",
                                  *info->opName ? info->opName : info->name,
                                  "type", xc_text_str(&type)));
  ++dump->count;
  xc_text_free(&file);
  xc_text_free(&path);
  xc_text_free(&type);
  return ok;
}

bool model_dump_begin(model_dump *dump, model_run *run) {
  const char *directory = run->options->dump_tensors;
  *dump = (model_dump){.run = run, .list = json_array()};
  if (mkdir(directory, 0777) != 0 && errno != EEXIST)
    return xc_tool_error("xc-run", "cannot make directory '%s': %s", directory,
                         strerror(errno));
  xcSessionSetObserver(run->session, dump_tensor, dump);
  return true;
}

bool model_dump_end(model_dump *dump) {
  xc_text path = {0};
  xc_text_printf(&path, "%s/index.json", dump->run->options->dump_tensors);
  char *text = json_dumps(dump->list, JSON_INDENT(1));
  bool ok =
      xc_write_file(&dump->run->diag, xc_text_str(&path), text, strlen(text));
  free(text);
  xc_text_free(&path);
  xcSessionSetObserver(dump->run->session, NULL, NULL);
  return ok;
}

void model_dump_free(model_dump *dump) { json_decref(dump->list); }
