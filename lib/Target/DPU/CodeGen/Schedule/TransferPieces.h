//===- TransferPieces.h - pieces of transfers, and their layout ---*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A piece is the parameters of one bank for a unit, or for several units that
// have the same ones. Each piece has a mode, which says whether it comes by
// itself or in a transfer with its neighbours. The modes decide what transfers
// there are, how they lie in DDR, and how units find their parameters there.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_SCHEDULE_TRANSFERPIECES_H
#define XC_TARGET_DPU_CODEGEN_SCHEDULE_TRANSFERPIECES_H

#include "Transfers.h"

/// How a piece is loaded.
typedef enum xc_piece_mode {
  XC_PIECE_BY_ITSELF, // where it lies together, by LOADs of its own
  XC_PIECE_BEGINS,    // a transfer
  XC_PIECE_CONTINUES, // the transfer of the piece before
} xc_piece_mode;

/// A key that is the same for units with the same parameters in the same
/// layout.
typedef struct xc_piece_key {
  int32_t bank, kind;
  uint32_t source;
  int32_t first_channel, channels, columns;
  int32_t run; // bytes that follow each other, and begin in a word of their own
} xc_piece_key;

typedef struct xc_joint_piece {
  xc_piece_key key;
  size_t unit; // the first that has it
  int32_t words, tail_words;
  int32_t lanes, tail_lanes;
  xc_piece_mode mode;
} xc_joint_piece;

/// All pieces of a schedule, bank by bank, in the order of the units that have
/// them first.
typedef struct xc_joint_pieces {
  xc_schedule *schedule;
  xc_joint_piece *items;
  size_t count;
  /// Of each unit and bank the piece, from 1, or 0.
  size_t (*of_units)[XC_NUM_PARAMETER_BANKS];
  bool has_tails; // which come last
} xc_joint_pieces;

/// Collects the pieces of the units, all by themselves. The caller frees them.
xc_joint_pieces xc_pieces_collect(xc_schedule *schedule);
void xc_pieces_free(xc_joint_pieces *all);

/// Makes room in the schedule for the pieces and their transfers.
void xc_pieces_give_room(const xc_joint_pieces *all);

/// Takes the modes that the schedule has. Pieces that are new come with the one
/// before.
void xc_pieces_read_modes(xc_joint_pieces *all);

/// Lets units take their parameters from transfers as the modes say. The
/// schedule has the same pieces, so that some are in no transfer.
void xc_pieces_apply(const xc_joint_pieces *all);

/// Whether a piece can come with the one before.
bool xc_piece_can_continue(const xc_joint_pieces *all, size_t p);

/// Whether transfers leave room for another one beside each, and the parameters
/// of units that run together fit the banks.
bool xc_transfers_fit(const xc_schedule *schedule);

#endif // XC_TARGET_DPU_CODEGEN_SCHEDULE_TRANSFERPIECES_H
