//===- Bytecode.h - what the checks of bytecode share -------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's reader believes the counts, references and flags of a file. The guard
// decodes the whole file beforehand, without recursion and in time linear in
// its size, and refuses what the reader would not survive: lengths beyond the
// file, references that form a cycle or nest too deeply, types and constants
// that MLIR's builders take unchecked, values that are not there.
//
//===----------------------------------------------------------------------===//

#ifndef XC_IRREADER_BYTECODE_H
#define XC_IRREADER_BYTECODE_H

#include "IRReader.h"

#include "Support/Text.h"

/// No part of a file may ask for more: the buffer that is read is aligned so.
enum { XC_BYTECODE_ALIGNMENT = 4096, XC_BYTECODE_SECTIONS = 9 };

/// Bytes that are still to be read.
typedef struct xc_cursor {
  const unsigned char *at, *end;
} xc_cursor;

size_t xc_cursor_left(const xc_cursor *cursor);
bool xc_cursor_byte(xc_cursor *cursor, unsigned *value);
bool xc_cursor_varint(xc_cursor *cursor, uint64_t *value);
bool xc_cursor_signed(xc_cursor *cursor, int64_t *value);
/// An integer above a flag in its lowest bit.
bool xc_cursor_flagged(xc_cursor *cursor, uint64_t *value, bool *flag);
/// A number of things that take a byte or more each: more than there are bytes
/// is refused.
bool xc_cursor_count(xc_cursor *cursor, uint64_t *count);
/// A number below `end`.
bool xc_cursor_index(xc_cursor *cursor, uint64_t end, uint64_t *index);
/// A length and so many bytes.
bool xc_cursor_blob(xc_cursor *cursor, xc_cursor *blob);

/// One attribute or type.
typedef struct xc_bytecode_entry {
  xc_cursor data;
  bool is_text;    // else in the dialect's binary encoding
  bool is_builtin; // of MLIR's builtin dialect
  enum { XC_ENTRY_NEW, XC_ENTRY_OPEN, XC_ENTRY_DONE } state;
  unsigned kind;   // code of the binary encoding
  unsigned height; // how deeply other entries nest in it
  uint64_t weight; // of the tree that printing it unfolds
  size_t type;     // of a constant: index of its type
  xc_cursor blob;  // of a constant
  MlirType built;  // of a type
} xc_bytecode_entry;

typedef struct xc_bytecode {
  MlirContext context;
  MlirLocation location;
  const xc_read_options *options;
  bool is_foreign; // a dialect that models have nothing of
  bool is_opaque;  // an attribute or type only its dialect can decode
  uint64_t version;
  xc_cursor sections[XC_BYTECODE_SECTIONS];
  bool has_section[XC_BYTECODE_SECTIONS];
  xc_cursor *strings;
  uint64_t num_strings;
  bool *builtin_dialects; // for each dialect, whether it is `builtin`
  uint64_t num_dialects;
  uint64_t num_op_names;
  xc_cursor *properties; // of operations
  uint64_t num_properties;
  uint64_t num_resources;
  xc_bytecode_entry *entries; // attributes, then types
  uint64_t num_attributes, num_types;
  uint64_t weight, max_weight; // of all operations together
  xc_text *error;
} xc_bytecode;

/// Says why the file is refused, unless something has been said: the
/// diagnostics of MLIR's builders go there too. Returns false.
bool xc_bytecode_error(xc_bytecode *b, const char *format, ...)
    XC_PRINTF_FORMAT(2, 3);

/// `cursor` is after the identifier of a section; takes its content.
bool xc_bytecode_section(xc_bytecode *b, xc_cursor *cursor, unsigned *id,
                         xc_cursor *content);

/// Checks every attribute and type.
bool xc_bytecode_check_entries(xc_bytecode *b);
/// Checks the operations.
bool xc_bytecode_check_operations(xc_bytecode *b);

/// Decodes bytecode without MLIR's reader and says in `error` what that would
/// not survive. The data must be aligned to XC_BYTECODE_ALIGNMENT.
/// `is_foreign`: the file has something of a dialect whose code no one can
/// check beforehand.
bool xc_check_bytecode(MlirContext context, const xc_source *input,
                       const xc_read_options *options, bool *is_foreign,
                       xc_text *error);

/// Adds the weight of an entry that an operation uses.
bool xc_bytecode_weigh(xc_bytecode *b, const xc_bytecode_entry *entry);

#endif // XC_IRREADER_BYTECODE_H
