//===- LayerKinds.c - the kinds of layers ---------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Target/DPU/CodeGen/Plan/LayerKind.h"

#define PER_CHANNEL                                                            \
  .inputs = {1, 1}, .has_window = true, .stays_in_banks = true,                \
  .can_cascade = true

static const xc_layer_kind kinds[XC_NUM_LAYER_KINDS] = {
    [XcDpuLayerKindConv] = {.name = "conv",
                            .inputs = {1, 2},
                            .has_kernel = true,
                            .has_window = true,
                            .stays_in_banks = true,
                            .can_cascade = true},
    [XcDpuLayerKindDepthwise] = {.name = "depthwise",
                                 .has_kernel = true,
                                 .is_per_channel = true,
                                 PER_CHANNEL},
    [XcDpuLayerKindMaxPool] = {.name = "max-pool",
                               .has_kernel = true,
                               PER_CHANNEL},
    [XcDpuLayerKindAveragePool] = {.name = "average-pool",
                                   .has_kernel = true,
                                   PER_CHANNEL},
    [XcDpuLayerKindAveragePool16] = {.name = "average-pool-16",
                                     .has_kernel = true,
                                     PER_CHANNEL},
    [XcDpuLayerKindHardSigmoid] = {.name = "hard-sigmoid", PER_CHANNEL},
    [XcDpuLayerKindLeakyRelu] = {.name = "leaky-relu", PER_CHANNEL},
    [XcDpuLayerKindPrelu] = {.name = "prelu",
                             .is_per_channel = true,
                             PER_CHANNEL},
    [XcDpuLayerKindAdd] = {.name = "add",
                           .inputs = {1, XC_DPU_MAX_INPUTS},
                           .broadcasts = true,
                           .stays_in_banks = true,
                           .can_cascade = true,
                           .elementwise = XcDpuElementwiseKindAdd},
    [XcDpuLayerKindMul] = {.name = "mul",
                           .inputs = {2, 2},
                           .broadcasts = true,
                           .stays_in_banks = true,
                           .can_cascade = true,
                           .elementwise = XcDpuElementwiseKindMul},
    [XcDpuLayerKindCopy] = {.name = "copy",
                            .inputs = {1, 1},
                            .scales = true,
                            .stays_in_banks = true,
                            .can_cascade = true,
                            .elementwise = XcDpuElementwiseKindAdd},
    [XcDpuLayerKindFill] = {.name = "fill",
                            .inputs = {0, 0},
                            .saves_whole_rows = true},
    [XcDpuLayerKindDiagonal] = {.name = "diagonal",
                                .has_kernel = true,
                                .is_diagonal = true,
                                PER_CHANNEL},
    [XcDpuLayerKindArgmax] = {.name = "argmax",
                              .inputs = {1, 1},
                              .saves_whole_rows = true,
                              .can_cascade = true},
};

const xc_layer_kind *xc_layer_kind_of(const XcDpuLayer *layer) {
  return &kinds[layer->kind];
}
