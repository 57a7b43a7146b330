//===- Machine.c - the instructions of DPUCAHX8H --------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Target/DPU/Machine/Supports.h"

// Pools and depthwise convolutions have engines of their own. A LOAD of the
// broadcast bank takes the two halves of the output channels from two
// registers.
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
    {"banks.weights_broadcast", 0, 63, NULL, XC_BACK_END},
    {"banks.depthwise_weights.groups", 0, 1, NULL, XC_BACK_END},
    {"banks.depthwise_weights.count", 0, 1, NULL, XC_BACK_END},
    {"banks.bias.first", 0, 63, NULL, XC_BACK_END},
    {"banks.bias.groups", 0, 1, NULL, XC_BACK_END},
    {"banks.bias.count", 1, 1, NULL, XC_BACK_END},
    {"banks.bias.width", 0, 0, "parallel.channel", XC_BACK_END},
    {"conv.rows", 0, 0, "parallel.pixel", XC_CODE_GENERATOR},
    {"alu.rows", 0, 0, NULL, XC_BACK_END},
    {"elementwise.operands", 1, XC_MAX_OPERANDS, NULL, XC_BACK_END},
    {"save.ports", 1, 1, NULL, XC_BACK_END},
    {"ddr.address_bits", 8, 29, NULL, XC_BACK_END},
    {"registers.count", 1, XC_DPU_NUM_REGISTERS, NULL, XC_BACK_END},
};

const xc_machine xc_machine_DPUCAHX8H = {
    .isa = &xc_dpu_isa_DPUCAHX8H,
    .supports = supports,
    .num_supports = sizeof supports / sizeof *supports,
    .weights_registers = 2,
    .has_code_generator = true,
    .checks_masks = true,
    .checks_operand_ids = true,
    .bias_shift = {-31, 20},
    .operations =
        {
            [XcDpuOpcodeLoad] = &xc_operation_load,
            [XcDpuOpcodeSave] = &xc_operation_save,
            [XcDpuOpcodeConvInit] = &xc_operation_init,
            [XcDpuOpcodeConv] = &xc_operation_conv,
            [XcDpuOpcodePoolInit] = &xc_operation_init,
            [XcDpuOpcodePool] = &xc_operation_pool,
            [XcDpuOpcodeDwInit] = &xc_operation_init,
            [XcDpuOpcodeDptwise] = &xc_operation_dptwise,
            [XcDpuOpcodeElewInit] = &xc_operation_init,
            [XcDpuOpcodeElew] = &xc_operation_elew,
            [XcDpuOpcodeEnd] = &xc_operation_end,
        },
};
