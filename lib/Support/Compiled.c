//===- Compiled.c - compiled model in an output directory -----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "Compiled.h"

#include "CommandLine.h"
#include "File.h"
#include "Json.h"

#include <string.h>
#include <unistd.h>

static const char meta[] = "meta.json";

static bool is_meta(const char *path) {
  const char *slash = strrchr(path, '/');
  return strcmp(slash ? slash + 1 : path, meta) == 0;
}

/// Returns the name of the model in a meta.json, which is beside it; the caller
/// frees `root`. Returns null when xcc did not write the file.
static const char *read_name(const char *path, json_t **root) {
  *root = json_load_file(path, 0, NULL);
  const char *name = json_string_value(json_object_get(*root, "filename"));
  return name && *name && !strchr(name, '/') ? name : NULL;
}

bool xc_find_compiled(const char *tool, const char *path, xc_text *found) {
  bool is_folder = xc_is_folder(path);
  xc_text file = {0};
  xc_text_puts(found, path);
  if (!is_folder && !is_meta(path))
    return true;
  xc_text_printf(&file, "%s%s%s", path, is_folder ? "/" : "",
                 is_folder ? meta : "");
  bool ok = !is_folder || access(xc_text_str(&file), R_OK) == 0 ||
            xc_tool_error(tool,
                          "'%s' is a directory without a meta.json of xcc, "
                          "expected a model",
                          path);
  json_t *root = NULL;
  const char *name = ok ? read_name(xc_text_str(&file), &root) : NULL;
  if (name) {
    found->length = 0;
    xc_text_append(found, file.data, file.length - strlen(meta));
    xc_text_puts(found, name);
  } else if (ok) {
    ok = xc_tool_error(tool, "'%s' is not a meta.json of xcc, expected a model",
                       xc_text_str(&file));
  }
  json_decref(root);
  xc_text_free(&file);
  return ok;
}
