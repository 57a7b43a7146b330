//===- Machine.c - the instructions of DPUCZDX8G --------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Target/DPU/Machine/Supports.h"

// The code generator loads, computes and saves one image at a time, from image
// group to image group, with one bank for each output channel. Pools and
// depthwise convolutions run in the ALU.
static const xc_support supports[] = {
    {"parallel.batch", 0, 1, NULL, XC_BACK_END},
    // Masks of the channels of a word have 16 bits.
    {"parallel.channel", 1, 16, NULL, XC_BACK_END},
    {"parallel.input_channel", 0, 0, "parallel.channel", XC_BACK_END},
    {"parallel.output_channel", 0, 0, "parallel.channel", XC_BACK_END},
    {"banks.image.first", 0, 63, NULL, XC_BACK_END},
    {"banks.image.groups", 2, 2, NULL, XC_CODE_GENERATOR},
    {"banks.weights.first", 0, 63, NULL, XC_BACK_END},
    {"banks.weights.groups", 0, 1, NULL, XC_BACK_END},
    {"banks.weights.count", 0, 0, "parallel.channel", XC_BACK_END},
    {"banks.weights.width", 0, 0, "parallel.channel", XC_BACK_END},
    {"banks.weights.depth", 0, 0, "banks.image.depth", XC_SIMULATOR},
    {"banks.depthwise_weights.first", 0, 63, NULL, XC_BACK_END},
    {"banks.depthwise_weights.groups", 0, 1, NULL, XC_BACK_END},
    {"banks.depthwise_weights.count", 1, 1, NULL, XC_BACK_END},
    {"banks.depthwise_weights.width", 0, 0, "parallel.channel", XC_BACK_END},
    {"banks.depthwise_weights.depth", 0, 0, "banks.image.depth", XC_SIMULATOR},
    {"banks.bias.first", 0, 63, NULL, XC_BACK_END},
    {"banks.bias.groups", 0, 1, NULL, XC_BACK_END},
    {"banks.bias.count", 1, 1, NULL, XC_BACK_END},
    {"banks.bias.width", 0, 0, "parallel.channel", XC_BACK_END},
    {"banks.bias.depth", 0, 0, "banks.image.depth", XC_SIMULATOR},
    {"banks.depthwise_bias.count", 0, 0, NULL, XC_BACK_END},
    {"banks.weights_broadcast", -1, -1, NULL, XC_BACK_END},
    {"conv.rows", 0, 0, "parallel.pixel", XC_CODE_GENERATOR},
    {"pool.rows", 0, 0, NULL, XC_BACK_END},
    {"depthwise.rows", 0, 0, NULL, XC_BACK_END},
    {"elementwise.operands", 1, XC_MAX_OPERANDS, NULL, XC_BACK_END},
    // SAVEs run in pairs.
    {"save.ports", 1, 2, NULL, XC_CODE_GENERATOR},
    {"ddr.address_bits", 8, 29, NULL, XC_BACK_END},
    {"registers.count", 1, XC_DPU_NUM_REGISTERS, NULL, XC_BACK_END},
    {"registers.weights", 0, 0, "registers.parameters", XC_CODE_GENERATOR},
    // Every instruction takes and returns the token of its queue.
    {"tokens.self", 1, 1, NULL, XC_CODE_GENERATOR},
};

const xc_machine xc_machine_DPUCZDX8G = {
    .isa = &xc_dpu_isa_DPUCZDX8G,
    .supports = supports,
    .num_supports = sizeof supports / sizeof *supports,
    .weights_registers = 1,
    .has_code_generator = true,
    .takes_self_tokens = true,
    .bias_shift = {-1, 19},
    .operations =
        {
            [XcDpuOpcodeLoad] = &xc_operation_load,
            [XcDpuOpcodeSave] = &xc_operation_save,
            [XcDpuOpcodeConvInit] = &xc_operation_init,
            [XcDpuOpcodeConv] = &xc_operation_conv,
            [XcDpuOpcodeAluInit] = &xc_operation_init,
            [XcDpuOpcodeAlu] = &xc_operation_alu,
            [XcDpuOpcodeElewInit] = &xc_operation_init,
            [XcDpuOpcodeElew] = &xc_operation_elew,
            [XcDpuOpcodeEnd] = &xc_operation_end,
        },
};
