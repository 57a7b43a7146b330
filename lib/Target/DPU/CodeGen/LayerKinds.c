//===- LayerKinds.c - the kinds of layers ---------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Target/DPU/CodeGen/Emit/Emit.h"

#define MISC_ENGINE                                                            \
  .inputs = {1, 1}, .has_window = true, .stays_in_banks = true,                \
  .can_cascade = true, .check = xc_alu_check, .split = xc_alu_split,           \
  .plan = xc_alu_plan, .emit = &xc_alu_emitter

#define ELEMENTWISE_ENGINE                                                     \
  .can_cascade = true, .check = xc_elementwise_check,                          \
  .plan = xc_elementwise_plan, .emit = &xc_elementwise_emitter

static const xc_layer_kind kinds[] = {
    [XcDpuLayerKindConv] = {.name = "conv",
                            .inputs = {1, 2},
                            .has_kernel = true,
                            .has_window = true,
                            .stays_in_banks = true,
                            .can_cascade = true,
                            .check = xc_conv_check,
                            .plan = xc_conv_plan,
                            .emit = &xc_conv_emitter},
    [XcDpuLayerKindDepthwise] = {.name = "depthwise",
                                 .has_kernel = true,
                                 .is_per_channel = true,
                                 .alu_mode = XcDpuAluModeDepthwise,
                                 MISC_ENGINE},
    [XcDpuLayerKindMaxPool] = {.name = "max-pool",
                               .has_kernel = true,
                               .alu_mode = XcDpuAluModeMaxPool,
                               MISC_ENGINE},
    [XcDpuLayerKindAveragePool] = {.name = "average-pool",
                                   .has_kernel = true,
                                   .alu_mode = XcDpuAluModeAveragePool,
                                   MISC_ENGINE},
    [XcDpuLayerKindAveragePool16] = {.name = "average-pool-16",
                                     .has_kernel = true,
                                     .alu_mode = XcDpuAluModeDepthwise16,
                                     MISC_ENGINE},
    [XcDpuLayerKindHardSigmoid] = {.name = "hard-sigmoid",
                                   .alu_mode = XcDpuAluModeHardSigmoid,
                                   MISC_ENGINE},
    [XcDpuLayerKindLeakyRelu] = {.name = "leaky-relu",
                                 .alu_mode = XcDpuAluModeLeakyRelu,
                                 MISC_ENGINE},
    [XcDpuLayerKindPrelu] = {.name = "prelu",
                             .is_per_channel = true,
                             .alu_mode = XcDpuAluModePrelu,
                             MISC_ENGINE},
    [XcDpuLayerKindAdd] = {.name = "add",
                           .inputs = {1, XC_DPU_MAX_INPUTS},
                           .broadcasts = true,
                           .stays_in_banks = true,
                           .elementwise = XcDpuElementwiseKindAdd,
                           .split = xc_elementwise_split,
                           ELEMENTWISE_ENGINE},
    [XcDpuLayerKindMul] = {.name = "mul",
                           .inputs = {2, 2},
                           .broadcasts = true,
                           .stays_in_banks = true,
                           .elementwise = XcDpuElementwiseKindMul,
                           .split = xc_elementwise_split,
                           ELEMENTWISE_ENGINE},
    [XcDpuLayerKindCopy] = {.name = "copy",
                            .inputs = {1, 1},
                            .scales = true,
                            .stays_in_banks = true,
                            .elementwise = XcDpuElementwiseKindAdd,
                            .split = xc_elementwise_split,
                            ELEMENTWISE_ENGINE},
    [XcDpuLayerKindFill] = {.name = "fill",
                            .inputs = {0, 0},
                            .saves_whole_rows = true,
                            .check = xc_fill_check,
                            .plan = xc_fill_plan,
                            .emit = &xc_fill_emitter},
    [XcDpuLayerKindArgmax] = {.name = "argmax",
                              .inputs = {1, 1},
                              .saves_whole_rows = true,
                              ELEMENTWISE_ENGINE},
};

const xc_layer_kind *xc_layer_kind_of(const XcDpuLayer *layer) {
  return &kinds[layer->kind];
}
