//===- Machine.c - the instructions of DPUCZDX8G --------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Target/DPU/Machine/Machine.h"

const xc_machine xc_machine_DPUCZDX8G = {
    .isa = &xc_dpu_isa_DPUCZDX8G,
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
