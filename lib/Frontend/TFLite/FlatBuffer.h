//===- FlatBuffer.h - bounds-checked reading of FlatBuffers -------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The format, little endian, every offset relative to its own place:
//
//   file    u32 offset of the root table, 4 bytes of file identifier
//   table   i32 offset back to its vtable, then the fields
//   vtable  u16 its size, u16 the table's size, u16 place of field 0, ...
//           (0 or past the end: the field is absent)
//   vector  u32 number of entries, then the entries; tables as u32 offsets
//   string  a vector of bytes
//
// A reader of hostile files must not go beyond the file, must not loop and
// must not read the same bytes over and over. So every access is checked, no
// access recurses, and the vectors that are taken may not add up to more than
// a small multiple of the file. The first thing that is wrong is reported;
// from then on every access gives defaults, so that readers need to look at
// `failed` only where they stop.
//
//===----------------------------------------------------------------------===//

#ifndef XC_FRONTEND_TFLITE_FLATBUFFER_H
#define XC_FRONTEND_TFLITE_FLATBUFFER_H

#include "xc-c/Support.h"

typedef enum xc_fb_type {
  XC_FB_BOOL,
  XC_FB_I8,
  XC_FB_U8,
  XC_FB_U16,
  XC_FB_I32,
  XC_FB_U32,
  XC_FB_I64,
  XC_FB_U64,
  XC_FB_F32,
  XC_FB_TABLE,
} xc_fb_type;

/// One row of a schema: a field of a table.
typedef struct xc_fb_field {
  const char *table; // for messages
  const char *name;
  unsigned index;
  xc_fb_type type; // of the entries of a vector
  bool is_vector;
  int default_value;
} xc_fb_field;

typedef struct xc_flatbuffer {
  XcDiag *diag;
  const char *file;
  const unsigned char *data;
  size_t size;
  size_t budget; // bytes that vectors may still take
  bool failed;   // a diagnostic has been reported
} xc_flatbuffer;

/// An absent table has no fields.
typedef struct xc_fb_table {
  size_t at;
  size_t vtable;
  size_t vtable_size;
  size_t size;
} xc_fb_table;

/// An absent vector is empty.
typedef struct xc_fb_vector {
  const xc_fb_field *field;
  size_t at;
  size_t count;
} xc_fb_vector;

/// Starts reading; checks the identifier (4 characters) and finds the root.
bool xc_fb_open(xc_flatbuffer *buffer, XcDiag *diag, const char *file,
                const void *data, size_t size, const char *identifier,
                xc_fb_table *root);

/// Reports `message` once; returns false.
bool xc_fb_error(xc_flatbuffer *buffer, const char *format, ...)
    XC_PRINTF_FORMAT(2, 3);

bool xc_fb_has(const xc_flatbuffer *buffer, const xc_fb_table *table,
               const xc_fb_field *field);
/// Integers and booleans. A u64 above the largest int64_t is an error.
int64_t xc_fb_int(xc_flatbuffer *buffer, const xc_fb_table *table,
                  const xc_fb_field *field);
double xc_fb_float(xc_flatbuffer *buffer, const xc_fb_table *table,
                   const xc_fb_field *field);
xc_fb_table xc_fb_table_of(xc_flatbuffer *buffer, const xc_fb_table *table,
                           const xc_fb_field *field);
xc_fb_vector xc_fb_vector_of(xc_flatbuffer *buffer, const xc_fb_table *table,
                             const xc_fb_field *field);

/// Entries; `index` must be below `count`.
int64_t xc_fb_vector_int(xc_flatbuffer *buffer, const xc_fb_vector *vector,
                         size_t index);
float xc_fb_vector_float(xc_flatbuffer *buffer, const xc_fb_vector *vector,
                         size_t index);
xc_fb_table xc_fb_vector_table(xc_flatbuffer *buffer,
                               const xc_fb_vector *vector, size_t index);
/// Returns the bytes of a string or byte vector, borrowed from the file.
const unsigned char *xc_fb_vector_bytes(const xc_flatbuffer *buffer,
                                        const xc_fb_vector *vector);

#endif // XC_FRONTEND_TFLITE_FLATBUFFER_H
