//===- VerifyOperands.c - are operands defined and of one piece -----------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two questions about the values that an instruction reads.
//
// Defined? A channel of a word is defined if a LOAD wrote it, or an engine that
// computed it from defined values. Compilers leave garbage in channels that a
// tensor does not have; that is fine as long as it stays there: it must not
// reach DDR or a sum of CONV.
//
// Of one piece? See VerifySpacing.c for images; here it is asked for the
// weights of CONV, whose output channels lie at equal distances in DDR, or from
// one channel on at smaller ones, where the banks of these have less to load. A
// channel that does not is torn, and like an undefined one it must not get far.
//
//===----------------------------------------------------------------------===//

#include "Verify.h"

#include "Support/Memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
  /// Words of a pixel: 256 groups of 16 slices.
  MAX_PIXEL_WORDS = 4096,
  MAX_LANES = 16,
};

struct xc_operand_check {
  uint16_t all; // channels of a word
  uint32_t width;
  uint16_t valid[MAX_PIXEL_WORDS]; // of the output, per word
  uint16_t torn[MAX_PIXEL_WORDS];
  // Weights of CONV, per output channel.
  bool lane_written[MAX_LANES];
  uint32_t lane_source[MAX_LANES];
  uint8_t lane_origin[MAX_LANES]; // xc_origin
  bool lane_differs[MAX_LANES];   // from channel 0, in its later words
  uint32_t num_weights;
  uint32_t *weights; // sources of channel 0, relative to its first word
};

struct xc_operand_check *xc_operand_check_create(const XcDpuTarget *target) {
  struct xc_operand_check *check = xc_alloc(sizeof *check);
  check->width = (uint32_t)target->channelParallel;
  check->all = (uint16_t)((1u << check->width) - 1);
  check->weights =
      xc_alloc_array((size_t)target->weights.depth, sizeof *check->weights);
  return check;
}

void xc_operand_check_destroy(struct xc_operand_check *check) {
  if (check)
    free(check->weights);
  free(check);
}

uint16_t xc_operands_valid(const xc_verifier *verifier, uint32_t word) {
  return verifier->operands->valid[word % MAX_PIXEL_WORDS];
}

uint16_t xc_operands_torn(const xc_verifier *verifier, uint32_t word) {
  return verifier->operands->torn[word % MAX_PIXEL_WORDS];
}

static uint64_t word_at(const xc_verifier *verifier, const xc_run *run,
                        uint32_t x, uint32_t w) {
  return (run->address + (uint64_t)x * run->step + w) %
         verifier->layout.depth[run->bank];
}

//===----------------------------------------------------------------------===//
// Defined channels
//===----------------------------------------------------------------------===//

static void report_unwritten(xc_verifier *verifier, const xc_run *run,
                             uint32_t x, uint32_t w, uint16_t missing,
                             const xc_bank_word *word) {
  if (!xc_verify_counts(verifier, XcDpuFindingKindUnwritten))
    return;
  unsigned channel = 0;
  while (!(missing >> channel & 1))
    ++channel;
  if (word->writer == 0) {
    xc_verify_finding(verifier, XcDpuFindingKindUnwritten, verifier->op->index,
                      "reads bank %" PRIu32 " word %" PRIu64
                      ", which nothing has written",
                      run->bank, word_at(verifier, run, x, w));
    return;
  }
  char name[64];
  xc_verify_finding(verifier, XcDpuFindingKindUnwritten, verifier->op->index,
                    "reads channel %u of bank %" PRIu32 " word %" PRIu64
                    ", which %s computed from words that nothing has written",
                    channel, run->bank, word_at(verifier, run, x, w),
                    xc_verify_name(verifier, word->writer - 1, name));
}

static void report_torn_channel(xc_verifier *verifier, const xc_run *run,
                                uint32_t x, uint32_t w, uint16_t torn,
                                const xc_bank_word *word) {
  if (!xc_verify_counts(verifier, XcDpuFindingKindTorn))
    return;
  unsigned channel = 0;
  while (!(torn >> channel & 1))
    ++channel;
  char name[64];
  xc_verify_finding(verifier, XcDpuFindingKindTorn, verifier->op->index,
                    "reads channel %u of bank %" PRIu32 " word %" PRIu64
                    ", which %s computed with weights that do not lie in DDR "
                    "where those of the other channels lead to",
                    channel, run->bank, word_at(verifier, run, x, w),
                    xc_verify_name(verifier, word->writer - 1, name));
}

/// Returns the channels of word `w` of a pixel of `bytes` bytes.
static uint16_t channels_of(const struct xc_operand_check *check, uint32_t w,
                            uint64_t bytes) {
  uint64_t first = (uint64_t)w * check->width;
  if (bytes <= first)
    return 0;
  uint64_t count = bytes - first;
  if (count >= check->width)
    return check->all;
  return (uint16_t)((1u << count) - 1);
}

/// Reports the words of which channels are missing or torn.
static void report_channels(xc_verifier *verifier, const xc_run *run,
                            uint64_t bytes) {
  for (uint32_t w = 0; w < run->words; ++w) {
    uint16_t needed = channels_of(verifier->operands, w, bytes);
    for (uint32_t x = 0; needed && x < run->count; ++x) {
      const xc_bank_word *word =
          &verifier->words[verifier->layout.first[run->bank] +
                           word_at(verifier, run, x, w)];
      uint16_t missing = (uint16_t)(needed & ~word->valid);
      if (missing)
        report_unwritten(verifier, run, x, w, missing, word);
      uint16_t torn = (uint16_t)(needed & word->torn);
      if (torn)
        report_torn_channel(verifier, run, x, w, torn, word);
    }
  }
}

/// The channels must be defined: `bytes` of each pixel.
static void require_channels(xc_verifier *verifier, const xc_run *run,
                             uint64_t bytes) {
  const struct xc_operand_check *check = verifier->operands;
  uint32_t whole = run->words;
  if (bytes / check->width < whole)
    whole = (uint32_t)(bytes / check->width);
  uint16_t rest =
      whole < run->words ? channels_of(check, whole, bytes) : (uint16_t)0;
  unsigned wrong = 0; // channels of any word
  xc_bank_walk walk = xc_bank_walk_begin(verifier, run);
  const xc_bank_word *words = verifier->words + walk.first;
  for (uint32_t x = 0; x < run->count; ++x, xc_bank_walk_next_piece(&walk)) {
    uint32_t at = walk.piece;
    for (uint32_t w = 0; w < whole; ++w, at = xc_bank_walk_next(&walk, at))
      wrong |= (~words[at].valid | words[at].torn) & check->all;
    if (rest)
      wrong |= (~words[at].valid | words[at].torn) & rest;
  }
  if (wrong)
    report_channels(verifier, run, bytes);
}

/// Undefined channels of the input become undefined channels of word
/// `w / divide % words` of the output.
static void pass_channels(xc_verifier *verifier, const xc_run *run,
                          uint32_t words, uint32_t divide) {
  struct xc_operand_check *check = verifier->operands;
  xc_bank_walk walk = xc_bank_walk_begin(verifier, run);
  const xc_bank_word *bank = verifier->words + walk.first;
  for (uint32_t x = 0; x < run->count; ++x, xc_bank_walk_next_piece(&walk)) {
    uint32_t at = walk.piece, out = 0;
    for (uint32_t w = 0; w < run->words;
         ++w, at = xc_bank_walk_next(&walk, at)) {
      const xc_bank_word *word = &bank[at];
      if (word->writer == 0)
        report_unwritten(verifier, run, x, w, UINT16_MAX, word);
      check->valid[out] &= word->writer ? word->valid : check->all;
      check->torn[out] |= word->torn;
      if ((w + 1) % divide == 0)
        out = out + 1 == words ? 0 : out + 1;
    }
  }
}

//===----------------------------------------------------------------------===//
// Weights of CONV
//===----------------------------------------------------------------------===//

/// Reads the words of one output channel. Channels that a layer does not have
/// may hold anything; what they compute is not defined.
static void read_conv_weights(xc_verifier *verifier, const xc_run *run) {
  struct xc_operand_check *check = verifier->operands;
  uint32_t lane = run->part;
  check->lane_written[lane] = true;
  check->lane_differs[lane] = false;
  xc_bank_walk walk = xc_bank_walk_begin(verifier, run);
  const xc_bank_word *words = verifier->words + walk.first;
  uint32_t at = walk.piece;
  check->lane_source[lane] = words[at].source;
  check->lane_origin[lane] = words[at].origin;
  for (uint32_t w = 0; w < run->words; ++w, at = xc_bank_walk_next(&walk, at)) {
    const xc_bank_word *word = &words[at];
    check->lane_written[lane] &= word->writer != 0;
    check->lane_differs[lane] |= word->origin != check->lane_origin[lane];
    uint32_t relative = word->source - check->lane_source[lane];
    if (lane == 0)
      check->weights[w] = relative;
    else
      check->lane_differs[lane] |= relative != check->weights[w];
  }
}

/// Addresses are compared modulo 2^32, with the register on top.
static int64_t distance(uint32_t to, uint32_t from) {
  return (int32_t)(to - from);
}

/// Channels up to `wide` lie `step` bytes apart, those after it `narrow`.
typedef struct lane_steps {
  uint32_t wide;
  int64_t step, narrow;
} lane_steps;

/// One channel by itself tells no distance.
static lane_steps find_steps(const struct xc_operand_check *check,
                             uint32_t first, uint32_t count) {
  const uint32_t *sources = check->lane_source + first;
  int64_t step = distance(check->lane_source[1], check->lane_source[0]);
  uint32_t wide = 0;
  while (wide + 1 < count && distance(sources[wide + 1], sources[wide]) == step)
    ++wide;
  int64_t narrow =
      wide + 2 < count ? distance(sources[wide + 1], sources[wide]) : step;
  bool is_narrow = wide > 0 && narrow > 0 && narrow < step;
  return (lane_steps){wide, step, is_narrow ? narrow : step};
}

/// Those of one register.
static void conclude_lanes(struct xc_operand_check *check, uint32_t first,
                           uint32_t count) {
  lane_steps steps = find_steps(check, first, count);
  for (uint32_t lane = first; lane < first + count; ++lane) {
    if (!check->lane_written[lane]) {
      check->valid[0] &= (uint16_t)~(1u << lane);
      continue;
    }
    if (lane == 0 || check->lane_origin[first] != XC_ORIGIN_DDR)
      continue;
    int64_t found =
        distance(check->lane_source[lane], check->lane_source[first]);
    int64_t wide = lane - first < steps.wide ? lane - first : steps.wide;
    int64_t expected =
        wide * steps.step + ((int64_t)(lane - first) - wide) * steps.narrow;
    if (check->lane_origin[lane] != XC_ORIGIN_DDR ||
        check->lane_differs[lane] || found != expected)
      check->torn[0] |= (uint16_t)(1u << lane);
  }
}

static void conclude_conv_weights(struct xc_operand_check *check,
                                  const XcDpuTarget *target) {
  uint32_t parts = (uint32_t)target->numWeightsRegisters;
  uint32_t count = check->width / parts;
  for (uint32_t part = 0; part < parts; ++part)
    conclude_lanes(check, part * count, count);
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

void xc_operands_begin(xc_verifier *verifier) {
  struct xc_operand_check *check = verifier->operands;
  uint32_t words = verifier->op->output.walk.pixel_words;
  words = words < MAX_PIXEL_WORDS ? words : MAX_PIXEL_WORDS;
  for (uint32_t w = 0; w < words; ++w) {
    check->valid[w] = check->all;
    check->torn[w] = 0;
  }
  xc_spacing_begin(verifier);
}

static void check_conv_run(xc_verifier *verifier, const xc_run *run) {
  const xc_op *op = verifier->op;
  uint64_t bytes =
      (uint64_t)op->insn.conv.channel_group * verifier->operands->width -
      op->window.channel_offset;
  switch (run->role) {
  case XC_ROLE_INPUT:
    require_channels(verifier, run, bytes);
    xc_spacing_run(verifier, run);
    return;
  case XC_ROLE_WEIGHTS:
    read_conv_weights(verifier, run);
    return;
  case XC_ROLE_BIAS:
    verifier->operands->valid[0] &=
        verifier
            ->words[xc_bank_word_index(&verifier->layout, run->bank,
                                       run->address)]
            .valid;
    return;
  case XC_ROLE_OPERAND:
  case XC_ROLE_OUTPUT:
    return;
  }
}

static void check_misc_run(xc_verifier *verifier, const xc_run *run) {
  const xc_op *op = verifier->op;
  bool is_wide = op->insn.opcode == XcDpuOpcodeAlu &&
                 op->alu_init.exec_mode == XcDpuAluModeDepthwise16;
  pass_channels(verifier, run, op->output.walk.pixel_words,
                is_wide && run->role == XC_ROLE_WEIGHTS ? 2 : 1);
  if (run->role == XC_ROLE_INPUT || run->role == XC_ROLE_OPERAND)
    xc_spacing_run(verifier, run);
}

void xc_operands_run(xc_verifier *verifier, const xc_run *run) {
  const xc_op *op = verifier->op;
  switch (op->kind->class) {
  case XC_OP_SAVE:
    require_channels(verifier, run, op->insn.save.channel);
    return;
  case XC_OP_CONV:
    check_conv_run(verifier, run);
    return;
  case XC_OP_MISC:
    check_misc_run(verifier, run);
    return;
  case XC_OP_LOAD:
  case XC_OP_INIT:
  case XC_OP_END:
    return;
  }
}

void xc_operands_end(xc_verifier *verifier) {
  if (verifier->op->kind->class == XC_OP_CONV)
    conclude_conv_weights(verifier->operands, verifier->target);
}
