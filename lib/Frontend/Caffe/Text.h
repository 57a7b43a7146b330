//===- Text.h - protocol buffers as text --------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   message  := { field [','|';'] }
//   field    := name ':' value | name [':'] body
//             | name ':' '[' [ item { ',' item } ] ']'
//   item     := scalar | body
//   body     := '{' message '}' | '<' message '>'
//   scalar   := string { string } | ['-'] number | word
//   name     := letters, digits, '_' and '.' or a text in '[' ']'
//
// '#' begins a comment. The reader knows no schema: it gives a tree of fields
// with their places, and whoever asks for a field says what it should be. A
// list is a field for each item.
//
//===----------------------------------------------------------------------===//

#ifndef XC_FRONTEND_CAFFE_TEXT_H
#define XC_FRONTEND_CAFFE_TEXT_H

#include "Support/Memory.h"
#include "xc-c/Support.h"

typedef enum xc_text_kind {
  XC_TEXT_STRING,
  XC_TEXT_WORD,   // an enumerator, true, inf ...
  XC_TEXT_NUMBER, // as it is written, with its sign
  XC_TEXT_MESSAGE,
} xc_text_kind;

typedef struct xc_text_field {
  const char *name;
  xc_text_kind kind;
  const char *value; // terminated; a string without its quotes
  unsigned line, column;
  bool asked; // somebody looked for a field of this name
  struct xc_text_field *first, *last; // of a message
  struct xc_text_field *next;
} xc_text_field;

/// Reads a file into `root`, a message, with memory from the arena. Returns
/// false after one error with its place.
bool xc_text_parse(XcDiag *diag, const char *file, const void *data,
                   size_t size, xc_arena *arena, xc_text_field *root);

/// Returns the next field of that name: the first one of `parent` when `after`
/// is null. Returns null when there is none, or no parent.
xc_text_field *xc_text_find(const xc_text_field *parent, const char *name,
                            const xc_text_field *after);

/// The value as a number or truth value; false when it is none.
bool xc_text_to_int(const xc_text_field *field, int64_t *value);
bool xc_text_to_real(const xc_text_field *field, double *value);
bool xc_text_to_bool(const xc_text_field *field, bool *value);

#endif // XC_FRONTEND_CAFFE_TEXT_H
