//===- FlexBuffer.h - options of custom operators -----------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Custom operators keep their options in a FlexBuffer: a map from names to
// numbers, texts and lists, written from its leaves to its root. All offsets
// point backwards.
//
//   ... keys, values ...
//   keys    count:w  { offset to a zero-terminated key:w }
//   map     offset to keys:w  width of keys:w  count:w  { value:w }  { type:1 }
//   root    value:w  type:1  w:1            the last bytes of the buffer
//
// A type is the kind times 4 plus log2 of the width of what an offset points
// to. Nothing of the buffer is trusted: what lies outside is not there.
//
//===----------------------------------------------------------------------===//

#ifndef XC_FRONTEND_TFLITE_FLEXBUFFER_H
#define XC_FRONTEND_TFLITE_FLEXBUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct xc_flex_map {
  const unsigned char *data;
  size_t size;
  size_t values, width; // where the values begin, bytes of one
  size_t keys, key_width;
  size_t count;
} xc_flex_map;

typedef enum xc_flex_kind {
  XC_FLEX_OTHER, // lists, and what cannot be read
  XC_FLEX_INT,
  XC_FLEX_BOOL,
  XC_FLEX_REAL,
  XC_FLEX_STRING,
} xc_flex_kind;

typedef struct xc_flex_value {
  xc_flex_kind kind;
  int64_t integer; // INT, BOOL
  double real;     // REAL, and INT and BOOL too
  const char *string;
  size_t length;
} xc_flex_value;

/// The map that the buffer holds; false, with an empty map, when it holds none.
bool xc_flex_open(const void *data, size_t size, xc_flex_map *map);
/// Returns a key, terminated, or null.
const char *xc_flex_key(const xc_flex_map *map, size_t index);
xc_flex_value xc_flex_get(const xc_flex_map *map, size_t index);
/// Returns the value of a key; of kind OTHER without one.
xc_flex_value xc_flex_find(const xc_flex_map *map, const char *key);

#endif // XC_FRONTEND_TFLITE_FLEXBUFFER_H
