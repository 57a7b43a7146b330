//===- CompiledConv.h - convolutions by the CPU path ----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_BENCH_COMPILEDCONV_H
#define XC_BENCH_COMPILEDCONV_H

typedef struct compiled_conv_shape {
  int size; // of the output, height and width
  int in, out, kernel_h, kernel_w, stride_h, stride_w;
} compiled_conv_shape;

/// The best time of `runs` runs of a conv2d-fix with borders of kernel / 2,
/// compiled for this machine with so many threads; below 0 after a diagnostic.
double compiled_conv_seconds(const compiled_conv_shape *shape, unsigned threads,
                             int runs);

#endif // XC_BENCH_COMPILEDCONV_H
