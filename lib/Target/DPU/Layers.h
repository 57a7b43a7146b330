//===- Layers.h - names of the layers of a program ----------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A text file, one line per layer:
//
//   FIRST OPERATIONS NAME
//
// FIRST is the index of its first instruction, OPERATIONS what the layer
// computes (two per multiply-accumulate; 0: unknown), NAME the rest of the
// line. FIRST grows from line to line. "#" begins a comment line.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_LAYERS_H
#define XC_TARGET_DPU_LAYERS_H

#include "Support/File.h"
#include "xc-c/Support.h"

typedef struct xc_dpu_layer {
  uint64_t first;
  uint64_t operations;
  const char *name; // lives as long as the list
  unsigned line;
} xc_dpu_layer;

typedef struct xc_dpu_layers {
  xc_dpu_layer *rows;
  size_t count, capacity;
  xc_buffer text;
} xc_dpu_layers;

/// Reads the file at `path`. On failure the list is empty.
bool xc_dpu_layers_read(XcDiag *diag, const char *path, xc_dpu_layers *layers);
void xc_dpu_layers_free(xc_dpu_layers *layers);

#endif // XC_TARGET_DPU_LAYERS_H
