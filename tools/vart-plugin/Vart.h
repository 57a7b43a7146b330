//===- Vart.h - the board's runtime, as the plug-in sees it -------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime's C interface. Handles are pointers to what it does not show. Its
// functions are looked up when the first part is made: Python loads the
// runtime's libraries where the linker does not look, and their names say a
// release.
//
//===----------------------------------------------------------------------===//

#ifndef XC_VART_PLUGIN_VART_H
#define XC_VART_PLUGIN_VART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Not terminated.
typedef struct xc_vart_text {
  const char *data;
  size_t size;
} xc_vart_text;

/// Memory of a tensor's buffer, from the element that was asked for.
typedef struct xc_vart_memory {
  uint64_t address;
  size_t size;
} xc_vart_memory;

/// The kinds of attributes that are read here: each type has four numbers, from
/// 2 on, of which the first is a single value.
typedef enum xc_vart_kind {
  XC_VART_NONE = 0,
  XC_VART_INT32 = 14,
  XC_VART_UINT64 = 34,
  XC_VART_STRING = 46,
  XC_VART_BYTES = 50,
} xc_vart_kind;

typedef struct xc_vart_value {
  uint32_t kind;
  union {
    int32_t int32;
    uint64_t uint64;
    xc_vart_text text; // or bytes
  } as;
} xc_vart_value;

typedef struct xc_vart {
#define XC_VART(result, name, arguments) result(*name) arguments;
#include "Vart.def"
} xc_vart;

/// Returns the runtime of this process. Returns null after a message.
const xc_vart *xc_vart_find(void);

/// An attribute; false if it is not there or of another kind.
bool xc_vart_int(const xc_vart *vart, void *attrs, const char *name,
                 uint64_t *result);
/// String or bytes.
bool xc_vart_bytes(const xc_vart *vart, void *attrs, const char *name,
                   xc_vart_text *result);

//===----------------------------------------------------------------------===//
// Entry points for the runtime
//===----------------------------------------------------------------------===//

/// Buffers of one argument of an operator.
typedef struct xc_vart_input {
  const char *name;
  size_t count;
  void **buffers;
} xc_vart_input;

/// How operators of a type run.
typedef struct xc_vart_implementation {
  void *(*init)(void *op, void *attrs);
  void (*cleanup)(void *self);
  int (*calculate)(void *self, xc_vart_input *inputs, size_t count,
                   void *output);
} xc_vart_implementation;

#endif // XC_VART_PLUGIN_VART_H
