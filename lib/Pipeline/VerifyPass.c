//===- VerifyPass.c - xc-verify -------------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pipeline.h"

#include "dialects/Verify.h"

static bool run(xc_pass_run *run) { return xc_verify_nested(run->root); }

const xc_pass_info xc_pass_xc_verify = {
    .argument = "xc-verify",
    .name = "XcVerify",
    .summary = "Check the tir, mtir and memtx operators",
    .description =
        "Checks operand and result types and shapes, attributes, their ranges "
        "and the fixed-point shifts of every xc operator. MLIR's own verifier "
        "knows operand and result counts of these dialects only.",
    .anchor = "builtin.module",
    .on_function = true,
    .run = run,
};
