//===- TargetJson.c - JSON text with places -------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TargetJson.h"

#include "Support/Diag.h"

#include <assert.h>
#include <string.h>

bool xc_json_parse(XcDiag *diag, const char *file, const char *text,
                   size_t size, xc_json *json) {
  *json = (xc_json){file, text, size, NULL};
  json_error_t error;
  json->root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
  if (!json->root) {
    unsigned line = error.line > 0 ? (unsigned)error.line : 1;
    unsigned column = error.column > 0 ? (unsigned)error.column : 1;
    return xc_place_error(diag, (XcPlace){file, line, column},
                          "not valid JSON: %s", error.text);
  }
  if (json_is_object(json->root))
    return true;
  xc_json_free(json);
  return xc_place_error(diag, (XcPlace){file, 1, 1},
                        "the file must hold one JSON object");
}

void xc_json_free(xc_json *json) {
  json_decref(json->root);
  json->root = NULL;
}

// A cursor over text that jansson has accepted: no check is needed beyond the
// end of the text.
typedef struct cursor {
  const char *at;
  const char *end;
} cursor;

static void skip_space(cursor *c) {
  while (c->at < c->end && strchr(" \t\r\n", *c->at))
    ++c->at;
}

static void skip_string(cursor *c) {
  for (++c->at; c->at < c->end && *c->at != '"'; ++c->at)
    if (*c->at == '\\' && c->at + 1 < c->end)
      ++c->at;
  if (c->at < c->end)
    ++c->at;
}

static void skip_value(cursor *c) {
  size_t depth = 0;
  while (c->at < c->end) {
    char character = *c->at;
    if (character == '"') {
      skip_string(c);
      if (depth == 0)
        return;
      continue;
    }
    if (character == '{' || character == '[')
      ++depth;
    if (character == '}' || character == ']') {
      if (depth == 0)
        return;
      if (--depth == 0) {
        ++c->at;
        return;
      }
    }
    if (character == ',' && depth == 0)
      return;
    ++c->at;
  }
}

// Moves from the start of an object or array to its member; gives the start of
// the member's key, or of the member itself in an array.
static const char *enter(cursor *c, size_t index) {
  bool is_object = *c->at == '{';
  ++c->at;
  for (size_t i = 0;; ++i) {
    skip_space(c);
    const char *key = c->at;
    if (is_object) {
      skip_string(c);
      skip_space(c);
      if (c->at < c->end)
        ++c->at; // the colon
      skip_space(c);
    }
    if (i == index || c->at >= c->end)
      return key;
    skip_value(c);
    skip_space(c);
    if (c->at < c->end)
      ++c->at; // the comma
  }
}

static XcPlace place_of(const xc_json *json, const char *at) {
  XcPlace place = {json->file, 1, 1};
  for (const char *p = json->text; p < at; ++p) {
    ++place.column;
    if (*p == '\n') {
      ++place.line;
      place.column = 1;
    }
  }
  return place;
}

static XcPlace find(const xc_json *json, const xc_json_path *path, bool key) {
  assert(path->depth <= XC_JSON_DEPTH && "path is deeper than its storage");
  cursor c = {json->text, json->text + json->size};
  skip_space(&c);
  const char *key_start = c.at;
  for (size_t i = 0; i < path->depth && c.at < c.end; ++i)
    key_start = enter(&c, path->index[i]);
  return place_of(json, key ? key_start : c.at);
}

XcPlace xc_json_value_place(const xc_json *json, const xc_json_path *path) {
  return find(json, path, false);
}

XcPlace xc_json_key_place(const xc_json *json, const xc_json_path *path) {
  return find(json, path, true);
}
