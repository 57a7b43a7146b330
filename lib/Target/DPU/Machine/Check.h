//===- Check.h - limits of the engines ----------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_MACHINE_CHECK_H
#define XC_TARGET_DPU_MACHINE_CHECK_H

#include "Operation.h"

/// All say in `why` what was found and what was expected. `field` is the name
/// of a member of the instruction.
bool xc_check_range(xc_text *why, const char *field, int64_t value,
                    int64_t minimum, int64_t maximum);
bool xc_check_image_bank(const XcDpuTarget *target, xc_text *why,
                         const char *field, uint32_t bank);
bool xc_check_activation(XcDpuSet allowed, uint32_t act_type, xc_text *why);

/// Rows and window of an op against the limits of the engine that computes it.
bool xc_check_engine(const XcDpuTarget *target, const XcDpuEngine *engine,
                     const xc_op *op, xc_text *why);

/// Left shifts of the bias that the family has.
bool xc_check_bias(const XcDpuTarget *target, int32_t shift, xc_text *why);

/// Whether the weights of an output channel, or of a depthwise convolution, fit
/// into their bank.
bool xc_check_weights(const XcDpuBanks *banks, const char *of, uint32_t words,
                      xc_text *why);

#endif // XC_TARGET_DPU_MACHINE_CHECK_H
