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

/// False after a diagnostic. `cpu` may be null: native.
bool xc_bench_compile(const char *path, bool onnx, unsigned threads,
                      const char *cpu, xc_bench_model *model);
bool xc_bench_run(xc_bench_model *model);

#endif // XC_BENCH_CPUBENCHMODEL_H
