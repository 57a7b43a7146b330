//===- Kernel.h - inner loops of the engines ----------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loops in which a simulation spends its time, in several variants: plain
// C and, where the compiler and the processor have them, vector instructions.
// Every variant gives the same bits; `xc_dpu_kernel_select` takes the fastest
// one that this processor can run.
//
// A convolution works on XC_KERNEL_LANES output channels at once, whatever the
// channel parallelism of the target: lanes that the target does not have carry
// zero weights.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_SIMULATOR_RUN_KERNEL_H
#define XC_TARGET_DPU_SIMULATOR_RUN_KERNEL_H

#include "xc-c/Support.h"

#define XC_KERNEL_LANES 16

/// Bytes that a kernel may read after the last element of its input.
#define XC_KERNEL_SLACK 64

/// The window of some output pixels of one output row.
typedef struct xc_conv_window {
  /// Prepared by `prepare`: kernel_h rows of `run` adjacent elements.
  const void *input;
  size_t row_pitch;   // elements from one kernel row to the next
  size_t pixel_pitch; // elements from one output pixel to the next
  size_t kernel_h;
  size_t run; // elements of one kernel row: kernel_w * channels
  size_t num_pixels;
} xc_conv_window;

/// bytes = saturate(round((2 * accumulator + bias) / 2^shift))
typedef struct xc_conv_finish {
  int32_t bias[XC_KERNEL_LANES]; // shifted to its place
  int32_t shift;                 // 1..XC_KERNEL_MAX_SHIFT
  int32_t lowest;                // of the numerator: 0 for ReLU, else INT32_MIN
  size_t channels;
} xc_conv_finish;

/// Beyond it the rounding term does not fit.
#define XC_KERNEL_MAX_SHIFT 29

typedef struct xc_kernel {
  const char *name;
  bool (*is_supported)(void);

  /// Bytes of an element of the prepared input.
  size_t input_size;
  /// Bytes that `pack` writes.
  size_t (*packed_size)(size_t kernel_h, size_t run);
  /// Reorders weights. `lanes` has XC_KERNEL_LANES pointers to
  /// kernel_h * run bytes each; a null pointer stands for zeros.
  void (*pack)(void *packed, const int8_t *const *lanes, size_t kernel_h,
               size_t run);
  /// Turns `count` input bytes into elements.
  void (*prepare)(void *elements, const int8_t *bytes, size_t count);
  /// accumulators[pixel * XC_KERNEL_LANES + lane] = sum of products, exact
  /// modulo 2^32.
  void (*convolve)(const xc_conv_window *window, const void *packed,
                   int32_t *accumulators);

  /// Turns the accumulators of `num_pixels` pixels into `channels` output
  /// bytes each: ReLU or nothing, one rounding, saturation. Doubled
  /// accumulators plus bias fit in 31 bits.
  void (*finish)(int8_t *bytes, const int32_t *accumulators,
                 const xc_conv_finish *finish, size_t num_pixels);

  /// sums[i] += a[i] * b[i].
  void (*multiply_add)(int32_t *sums, const int8_t *a, const int8_t *b,
                       size_t count);
  /// sums[i] += a[i].
  void (*add)(int32_t *sums, const int8_t *a, size_t count);
  /// maxima[i] = max(maxima[i], a[i]).
  void (*maximum)(int8_t *maxima, const int8_t *a, size_t count);
} xc_kernel;

/// The vector variants exist on x86-64 only.
extern const xc_kernel xc_kernel_plain;
#ifdef XC_KERNEL_X86
extern const xc_kernel xc_kernel_avx2;
extern const xc_kernel xc_kernel_avx512vnni;
#endif

/// Returns the kernel called `name`, or the fastest one for null. Returns null
/// when there is none of that name or the processor cannot run it.
const xc_kernel *xc_dpu_kernel_select(const char *name);
/// Returns all kernels of this build, fastest first; null after the last.
const xc_kernel *xc_kernel_get(size_t index);

#endif // XC_TARGET_DPU_SIMULATOR_RUN_KERNEL_H
