//===- Library.h - functions of the user that compute operators ---*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel library is a JSON file (docs/own-kernels.md): for each function its
// name, the operator that it computes, the layouts of its operands, the limits
// of its sizes, and its arguments in order.
//
//===----------------------------------------------------------------------===//

#ifndef XC_CONVERSION_MTIRTOLINALG_LIBRARY_H
#define XC_CONVERSION_MTIRTOLINALG_LIBRARY_H

#include "xc-c/Support.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Sizes that arguments may be and that limits bound. The name of a row is that
/// in the file.
#define XC_KERNEL_SIZES(X)                                                     \
  X(BATCH, "batch")                                                            \
  X(IN_CHANNELS, "in_channels")                                                \
  X(IN_HEIGHT, "in_height")                                                    \
  X(IN_WIDTH, "in_width")                                                      \
  X(OUT_CHANNELS, "out_channels")                                              \
  X(OUT_HEIGHT, "out_height")                                                  \
  X(OUT_WIDTH, "out_width")                                                    \
  X(KERNEL_HEIGHT, "kernel_height")                                            \
  X(KERNEL_WIDTH, "kernel_width")                                              \
  X(STRIDE_HEIGHT, "stride_height")                                            \
  X(STRIDE_WIDTH, "stride_width")                                              \
  X(DILATION_HEIGHT, "dilation_height")                                        \
  X(DILATION_WIDTH, "dilation_width")                                          \
  X(PAD_HEIGHT, "pad_height")                                                  \
  X(PAD_WIDTH, "pad_width")                                                    \
  X(GROUP, "group")

typedef enum xc_kernel_size {
#define ROW(name, text) XC_KERNEL_##name,
  XC_KERNEL_SIZES(ROW)
#undef ROW
      XC_KERNEL_NUM_SIZES
} xc_kernel_size;

const char *xc_kernel_size_name(xc_kernel_size size);

/// What an argument is: a buffer, or a size.
enum {
  XC_KERNEL_INPUT = XC_KERNEL_NUM_SIZES,
  XC_KERNEL_WEIGHTS,
  XC_KERNEL_OUTPUT,
};

typedef struct xc_kernel_argument {
  int what;         // an xc_kernel_size, or a buffer
  const char *type; // as C spells it: "int8_t *"
} xc_kernel_argument;

typedef struct xc_kernel_limit {
  xc_kernel_size size;
  int64_t low, high;
} xc_kernel_limit;

enum { XC_KERNEL_MAX_ARGUMENTS = 24 };

typedef struct xc_kernel_row {
  const char *function;
  enum { XC_KERNEL_CONV2D, XC_KERNEL_DENSE } operation;
  bool is_float;       // f32 throughout; else i8 with sums of i32
  bool channels_first; // input and output are NCHW, else NHWC
  bool weights_first;  // weights are OIHW or OI, else OHWI or IO
  xc_kernel_argument arguments[XC_KERNEL_MAX_ARGUMENTS];
  size_t num_arguments;
  xc_kernel_limit limits[XC_KERNEL_NUM_SIZES];
  size_t num_limits;
} xc_kernel_row;

typedef struct xc_kernel_library {
  const char *name;
  const char *header; // that declares the functions, or null
  xc_kernel_row *rows;
  size_t num_rows;
} xc_kernel_library;

/// Reads a library. Null after a diagnostic; the caller destroys it.
xc_kernel_library *xc_kernel_library_create(XcDiag *diag, const char *path);
void xc_kernel_library_destroy(xc_kernel_library *library);

/// Whether a row has an argument.
bool xc_kernel_row_has(const xc_kernel_row *row, int what);

#endif // XC_CONVERSION_MTIRTOLINALG_LIBRARY_H
