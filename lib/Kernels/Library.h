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
// of its sizes, and its arguments in order. What a function does after the sums
// of products follows from its arguments: one that takes a bias adds it, one
// that takes scales or shifts requantises.
//
//===----------------------------------------------------------------------===//

#ifndef XC_KERNELS_LIBRARY_H
#define XC_KERNELS_LIBRARY_H

#include "xc-c/FixedPoint.h"
#include "xc-c/Support.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Numbers that arguments may be and that limits bound. The text of a row is
/// the name in the file.
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
  X(GROUP, "group")                                                            \
  X(CHANNEL_MULTIPLIER, "channel_multiplier")                                  \
  X(INPUT_ZERO_POINT, "input_zero_point")                                      \
  X(INPUT_OFFSET, "input_offset")                                              \
  X(OUTPUT_ZERO_POINT, "output_zero_point")                                    \
  X(ACTIVATION_MIN, "activation_min")                                          \
  X(ACTIVATION_MAX, "activation_max")                                          \
  X(BIAS_SHIFT, "bias_shift")                                                  \
  X(OUTPUT_SHIFT, "output_shift")                                              \
  X(SCRATCH_BYTES, "scratch_bytes")

/// Pointers that arguments may be; `null` points to nothing.
#define XC_KERNEL_BUFFERS(X)                                                   \
  X(INPUT, "input")                                                            \
  X(WEIGHTS, "weights")                                                        \
  X(OUTPUT, "output")                                                          \
  X(BIAS, "bias")                                                              \
  X(MULTIPLIERS, "multipliers")                                                \
  X(SHIFTS, "shifts")                                                          \
  X(SCALES, "scales")                                                          \
  X(SCRATCH, "scratch")                                                        \
  X(NOTHING, "null")

#define XC_KERNEL_ROW(name, text) XC_KERNEL_##name,
typedef enum xc_kernel_size {
  XC_KERNEL_SIZES(XC_KERNEL_ROW) XC_KERNEL_NUM_SIZES
} xc_kernel_size;

/// The kind of an argument: a size or else one of these.
enum {
  XC_KERNEL_LAST_SIZE = XC_KERNEL_NUM_SIZES - 1,
  XC_KERNEL_BUFFERS(XC_KERNEL_ROW) XC_KERNEL_LITERAL, // a number of the file
  XC_KERNEL_OPEN, // a structure begins: its members follow
  XC_KERNEL_CLOSE,
};
#undef XC_KERNEL_ROW

enum {
  XC_KERNEL_NUM_BUFFERS = XC_KERNEL_LITERAL - XC_KERNEL_INPUT,
  XC_KERNEL_MAX_ARGUMENTS = 96, // with the members and ends of structures
  XC_KERNEL_MAX_DEPTH = 4,      // of structures
};

const char *xc_kernel_size_name(xc_kernel_size size);

/// How the C type of a number lies in memory.
typedef enum xc_kernel_scalar {
  XC_KERNEL_UNKNOWN_SCALAR, // a C compiler knows
  XC_KERNEL_INTEGER,
  XC_KERNEL_FLOAT,
} xc_kernel_scalar;

typedef struct xc_kernel_argument {
  int what;
  const char *type; // as C spells it: "int8_t *"; null for an inner structure
  xc_kernel_scalar scalar; // of numbers
  size_t bytes;            // of numbers and pointers
  int64_t literal;
} xc_kernel_argument;

typedef struct xc_kernel_limit {
  xc_kernel_size size;
  int64_t low, high;
} xc_kernel_limit;

/// A product of a number and sizes.
enum { XC_KERNEL_MAX_TERMS = 8, XC_KERNEL_MAX_FACTORS = 8 };
typedef struct xc_kernel_term {
  int64_t number;
  xc_kernel_size factors[XC_KERNEL_MAX_FACTORS];
  size_t num_factors;
} xc_kernel_term;

typedef enum xc_kernel_operation {
  XC_KERNEL_CONV2D,
  XC_KERNEL_DEPTHWISE,
  XC_KERNEL_DENSE,
} xc_kernel_operation;

typedef struct xc_kernel_row {
  const char *function;
  xc_kernel_operation operation;
  bool is_float;       // f32 throughout; else i8 with sums of i32
  bool channels_first; // input and output are NCHW, else NHWC
  bool relu;           // always clamps below at zero
  // Dimension of OHWI (of a product: OI) that each dimension of the weights is.
  int weights[4];
  xc_kernel_argument arguments[XC_KERNEL_MAX_ARGUMENTS];
  size_t num_arguments;
  xc_kernel_limit limits[XC_KERNEL_NUM_SIZES];
  size_t num_limits;
  xc_kernel_term scratch[XC_KERNEL_MAX_TERMS]; // bytes
  size_t num_terms;
  bool has_rounding; // of output_shift
  XcRoundMode rounding;
} xc_kernel_row;

typedef struct xc_kernel_library {
  const char *name;
  const char *header; // that declares the functions, or null
  xc_kernel_row *rows;
  size_t num_rows;
} xc_kernel_library;

/// Whether a file looks like a kernel library, and not like another JSON file.
bool xc_kernel_library_is(const char *path);
/// Reads a library. Returns null after a diagnostic; the caller destroys it.
xc_kernel_library *xc_kernel_library_create(XcDiag *diag, const char *path);
void xc_kernel_library_destroy(xc_kernel_library *library);

/// Whether machine code can call the functions: all types of numbers are known.
/// Returns false after a diagnostic.
bool xc_kernel_library_check_linked(XcDiag *diag, const char *path,
                                    const xc_kernel_library *library);

/// Whether a row has an argument.
bool xc_kernel_row_has(const xc_kernel_row *row, int what);
/// Whether its output is of the type of the result, and not of sums.
bool xc_kernel_row_requantises(const xc_kernel_row *row);

#endif // XC_KERNELS_LIBRARY_H
