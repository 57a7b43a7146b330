//===- ScalarConv.h - the loop that one would write first ---------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_BENCH_SCALARCONV_H
#define XC_BENCH_SCALARCONV_H

#include <stdint.h>

/// 3x3 convolution, stride 1, of a padded image of size + 2 rows and columns.
/// Compiled without vector instructions.
void scalar_conv(int8_t *output, const int8_t *input, const int8_t *weights,
                 int size, int channels);

#endif // XC_BENCH_SCALARCONV_H
