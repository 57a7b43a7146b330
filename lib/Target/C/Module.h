//===- Module.h - a module as C source ----------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_C_MODULE_H
#define XC_TARGET_C_MODULE_H

#include "Function.h"

#include "xc-c/CSource.h"

/// A constant of the module; constants of one value are one.
typedef struct xc_c_constant {
  const char *name;
  MlirOperation operation;
  MlirType type;
  int64_t offset; // in the file of parameters
} xc_c_constant;

/// An argument of a function of the model.
typedef struct xc_c_argument {
  const char *name;
  MlirType type;
  const char *note; // "1x224x224x3xf32"
  bool is_output;
} xc_c_argument;

/// A function of the model, in the order of the module.
typedef struct xc_c_entry {
  MlirOperation operation;
  const char *symbol;
  xc_c_argument *arguments;
  size_t num_arguments;
  int64_t own_bytes, arena_bytes; // its buffers; with those of its callees
  size_t height;                  // how deep calls nest below it
  bool is_public;
  enum { XC_C_UNKNOWN, XC_C_BUSY, XC_C_KNOWN } state;
} xc_c_entry;

typedef struct xc_c_module {
  XcDiag *diag;
  const XcCSourceOptions *options;
  MlirOperation operation;
  xc_c_constant *constants;
  size_t num_constants, constant_capacity;
  xc_c_entry *entries;
  size_t num_entries;
  xc_pointer_map constant_of; // value attribute -> index from 1
  xc_pointer_map entry_of;    // name of a function as an attribute, from 1
  xc_pointer_map kernel_of;   // the same -> its name in C
  xc_pointer_map roles_of;    // the same -> what its arguments are
  xc_pointer_map taken;       // names of C in use -> the last number behind it
  bool helpers[XC_C_MAX_HELPERS];
  bool uses_math;
  int64_t params_bytes;
  xc_text code; // functions
  xc_arena arena;
} xc_c_module;

/// Returns a name of C that nothing has yet, from the last words of the name of
/// a layer and what the value is there; either may be empty, not both.
const char *xc_c_unique_name(xc_c_module *m, MlirStringRef hint,
                             const char *role);
/// Returns the name of a func.func or of the callee of a func.call.
MlirAttribute xc_c_symbol(MlirOperation operation, const char *attribute);

/// Collects the functions of the model and what they need. Returns false after
/// a diagnostic.
bool xc_c_collect(xc_c_module *m);
/// Returns the number of bytes of a buffer in the arena, rounded up to its
/// alignment.
int64_t xc_c_buffer_bytes(MlirType memref);
/// Appends a name of a model to a comment.
void xc_c_print_comment(xc_text *out, MlirStringRef name);
/// Index of the constant of a memtx.const.
size_t xc_c_add_constant(xc_c_module *m, MlirOperation operation,
                         MlirStringRef layer, const char *role);
/// Appends a function of one operator.
bool xc_c_write_kernel(xc_c_module *m, MlirOperation function);
/// Appends a function of the model: calls in order.
bool xc_c_write_entry(xc_c_module *m, const xc_c_entry *entry);
/// Appends the declarator of a function of the model.
void xc_c_print_prototype(const xc_c_module *m, const xc_c_entry *entry,
                          xc_text *out);

/// Appends the definitions of all constants. Returns false after a diagnostic.
bool xc_c_write_arrays(xc_c_module *m, xc_text *out);
/// Appends the bytes of all constants. Returns false after a diagnostic.
bool xc_c_write_bytes(xc_c_module *m, xc_text *out);

#endif // XC_TARGET_C_MODULE_H
