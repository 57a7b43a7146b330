//===- TargetJson.h - JSON text with places -----------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// jansson gives a place for a syntax error only. What is wrong with the
// meaning of a well-formed text is placed by walking the text again along a
// path of member indices.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_TARGETJSON_H
#define XC_TARGET_DPU_TARGETJSON_H

#include "xc-c/Support.h"

#include <jansson.h>

/// A parsed text. `file` and `text` are borrowed.
typedef struct xc_json {
  const char *file;
  const char *text;
  size_t size;
  json_t *root;
} xc_json;

/// Reports a syntax error, a duplicate key, or a root that is no object.
bool xc_json_parse(XcDiag *diag, const char *file, const char *text,
                   size_t size, xc_json *json);
void xc_json_free(xc_json *json);

/// Where a value of the text is: index[0] counts the members of the root, and
/// so on.
enum { XC_JSON_DEPTH = 8 };
typedef struct xc_json_path {
  size_t index[XC_JSON_DEPTH];
  size_t depth;
} xc_json_path;

/// Returns the place of the value at `path`, or of its key.
XcPlace xc_json_value_place(const xc_json *json, const xc_json_path *path);
XcPlace xc_json_key_place(const xc_json *json, const xc_json_path *path);

#endif // XC_TARGET_DPU_TARGETJSON_H
