//===- CpuBenchModel.h - a model as compiled code -----------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_BENCH_CPUBENCHMODEL_H
#define XC_BENCH_CPUBENCHMODEL_H

#include "xc-c/CPU.h"

enum { XC_BENCH_MAX_PORTS = 64 };

/// The first function of a model, with buffers. Lives as long as the process.
typedef struct xc_bench_model {
  XcCpuEntry entry;
  const void *inputs[XC_BENCH_MAX_PORTS], *params;
  void *outputs[XC_BENCH_MAX_PORTS], *arena;
} xc_bench_model;

/// What a model is compiled from and for.
typedef struct xc_bench_source {
  const char *path, *cpu; // cpu: null for native
  bool onnx;
  unsigned threads;
  const char *const *shapes; // of inputs, as XcImportOptions has them
  size_t num_shapes;
} xc_bench_source;

/// False after a diagnostic.
bool xc_bench_compile(const xc_bench_source *source, xc_bench_model *model);
bool xc_bench_run(xc_bench_model *model);

#endif // XC_BENCH_CPUBENCHMODEL_H
