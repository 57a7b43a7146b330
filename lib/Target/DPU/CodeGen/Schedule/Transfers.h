//===- Transfers.h - LOADs that bring parameters of several units -*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_SCHEDULE_TRANSFERS_H
#define XC_TARGET_DPU_CODEGEN_SCHEDULE_TRANSFERS_H

#include "Schedule.h"

//===----------------------------------------------------------------------===//
// The search (Transfers.c)
//===----------------------------------------------------------------------===//

/// How transfers are cut: at a few sizes, or then, from the best of these on,
/// cut by cut as well.
typedef enum xc_join_effort {
  XC_JOIN_AT_SIZES,
  XC_JOIN_BEST,
} xc_join_effort;

/// Lets LOADs bring the parameters of several units where that is faster. The
/// rest of the schedule stays as it is. Returns the end of its last unit, which
/// was `cycles` before.
int64_t xc_join_parameters(xc_schedule *schedule,
                           xc_schedule_estimator estimator, int64_t cycles,
                           xc_join_effort effort);

/// Improves the transfers of the best schedule, which has some already:
/// searches for longer for other cuts, and for cascades that load their
/// parameters late. Returns the end of its last unit, which was `cycles`
/// before.
int64_t xc_improve_transfers(xc_schedule *schedule,
                             xc_schedule_estimator estimator, int64_t cycles,
                             XcDpuEffort effort);

/// Stands for the pieces of a unit that no transfer knows yet.
#define XC_PIECE_OF_NEW_UNIT SIZE_MAX

/// Prices the schedule with the transfers that it has, after units have got
/// other parameters, or units have been added or removed. The pieces of new
/// units come with those before them. Returns XC_CANNOT_ENCODE if the banks
/// have no room for that.
int64_t xc_price_transfers(xc_schedule *schedule,
                           xc_schedule_estimator estimator);

/// Returns the approximate number of instructions that an estimate walks over:
/// rows that are loaded and saved, and what the engines compute for each block.
int64_t xc_estimate_size(const xc_schedule *schedule);

//===----------------------------------------------------------------------===//
// The layout (TransferPieces.c)
//===----------------------------------------------------------------------===//

/// Where the words of a piece begin.
static inline int32_t xc_piece_offset(const xc_parameter_piece *piece) {
  return piece->words > piece->tail_words ? piece->offset : piece->tail;
}

/// Returns the number of words of a transfer that a bank has.
static inline int32_t xc_lane_words(const xc_parameter_transfer *transfer,
                                    int32_t lane) {
  return transfer->words -
         (lane < transfer->tail_lanes ? 0 : transfer->tail_words);
}

/// Returns the number of bytes in DDR of so many words of a bank.
size_t xc_transfer_bytes(const xc_schedule *schedule,
                         const xc_parameter_transfer *transfer, int32_t words);

/// How the banks of a transfer follow each other there.
XcDpuJointLayout xc_transfer_layout(const xc_schedule *schedule,
                                    const xc_parameter_transfer *transfer);

/// Returns the most words of a parameter bank that units which run together
/// take, with all of the transfers that have pieces of theirs.
int64_t xc_parameter_words(const xc_schedule *schedule, size_t first,
                           size_t count, xc_parameter_bank bank);

#endif // XC_TARGET_DPU_CODEGEN_SCHEDULE_TRANSFERS_H
