//===- VerifySpacing.c - are images of one piece --------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// When a LOAD is missing, its place in the bank holds what was there before,
// and no rule of the hardware is broken. But the words of one operand then come
// from two tensors: rows and pixels of an image lie at equal distances in DDR.
// An operand of LOADed words whose addresses in DDR are not evenly spaced, or
// which are LOADed in one part and computed in another, is called torn. A
// program that means it can switch the rule off.
//
// Where the windows of the rows that an instruction computes have no rows in
// common, they may lie at another distance, which is the same for all of them.
//
// Where every pixel is computed from one, the last row of an image may begin
// with pixels that the row before it ends with: an image that has no whole
// number of such rows is taken so.
//
// An instruction with two rows says nothing by itself, because two rows are
// always evenly spaced. When an instruction goes on where the one before it in
// its queue stopped, both must have the same distances.
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
  MAX_PARTS = 4, // operands of ELEW
};

/// Bytes of DDR that so many rows or columns are apart.
typedef struct even_step {
  bool is_known;
  int64_t distance, bytes;
} even_step;

/// Distances between the columns and rows of an image, and, where the windows
/// of a column have no rows in common, between these windows.
typedef struct even_steps {
  even_step column, row, window;
} even_steps;

/// The even spacing of one operand: source(row, column, word) = bases[word] +
/// what the steps make of row - row0 and column - column0.
typedef struct image_spacing {
  bool has_base;
  bool is_torn; // reported, no need to look further
  uint8_t kind; // xc_origin
  uint32_t row0, column0;
  int64_t overlap; // bytes that the last row begins too early; 0: none
  even_steps steps;
  uint32_t bases[MAX_PIXEL_WORDS];
} image_spacing;

struct xc_spacing_check {
  XcDpuQueue queue; // of the op at hand
  image_spacing images[XC_DPU_NUM_QUEUES][MAX_PARTS];
  xc_op last[XC_DPU_NUM_QUEUES]; // the op before in the queue
  bool has_last[XC_DPU_NUM_QUEUES];
  /// The steps with which the first images of the last two ops of CONV began,
  /// and those with which the one before ended.
  even_steps begun, begun_before, ended_before;
};

struct xc_spacing_check *xc_spacing_check_create(void) {
  return xc_alloc(sizeof(struct xc_spacing_check));
}

void xc_spacing_check_destroy(struct xc_spacing_check *check) { free(check); }

//===----------------------------------------------------------------------===//
// From one instruction to the next
//===----------------------------------------------------------------------===//

/// Whether a walk goes on `rows` rows after the start of another one.
static bool walk_continues(const XcDpuTarget *target, const xc_walk *before,
                           const xc_walk *walk, uint32_t rows) {
  uint32_t parallel = (uint32_t)target->pixelParallel;
  uint32_t depth = (uint32_t)target->image.depth;
  uint32_t position = before->position + rows * before->bank_step;
  uint32_t address =
      before->address[0] + position / parallel * before->wrap_step;
  bool is_same_shape = before->group == walk->group &&
                       before->stride == walk->stride &&
                       before->bank_step == walk->bank_step &&
                       before->row_step == walk->row_step &&
                       before->wrap_step == walk->wrap_step &&
                       before->pixel_step == walk->pixel_step &&
                       before->pixel_words == walk->pixel_words;
  // Windows name their blocks one by one; comparing the bank is enough.
  return is_same_shape && walk->position == position % parallel &&
         (walk->is_window || walk->address[0] % depth == address % depth);
}

/// Whether two instructions compute the same: those of one layer do, and a
/// program need not say what its layers are.
static bool computes_same(const xc_op *before, const xc_op *op) {
  const xc_window *was = &before->window, *is = &op->window;
  if (before->insn.opcode != op->insn.opcode || was->kernel_h != is->kernel_h ||
      was->kernel_w != is->kernel_w || was->stride_h != is->stride_h ||
      was->stride_w != is->stride_w)
    return false;
  return op->kind->computes_same(before, op);
}

static bool op_continues(const XcDpuTarget *target, const xc_op *before,
                         const xc_op *op) {
  uint32_t rows = before->output.rows;
  if (!computes_same(before, op) ||
      before->output.pixels != op->output.pixels ||
      !walk_continues(target, &before->output.walk, &op->output.walk, rows))
    return false;
  if (!op->kind->takes_operands)
    return walk_continues(target, &before->window.walk, &op->window.walk, rows);
  for (uint32_t k = 0; k < op->insn.elew.num; ++k)
    if (before->insn.elew.num != op->insn.elew.num ||
        !walk_continues(target, &before->operands[k], &op->operands[k], rows))
      return false;
  return true;
}

void xc_spacing_begin(xc_verifier *verifier) {
  struct xc_spacing_check *check = verifier->spacing;
  const xc_op *op = verifier->op;
  if (!xc_op_computes(op))
    return;
  const XcDpuProgram *program = verifier->program;
  XcDpuQueue queue = xcDpuProgramGetQueue(program, op->index);
  xc_op *last = &check->last[queue];
  check->queue = queue;
  if (op->kind->class == XC_OP_CONV)
    check->ended_before = check->images[queue][0].steps;
  bool continues = check->has_last[queue] &&
                   op_continues(verifier->target, last, op) &&
                   xcDpuProgramGetLayerOf(program, last->index) ==
                       xcDpuProgramGetLayerOf(program, op->index);
  for (int part = 0; part < MAX_PARTS; ++part) {
    image_spacing *image = &check->images[queue][part];
    image->has_base = image->is_torn = false;
    image->overlap = 0;
    if (!continues)
      image->steps = (even_steps){0};
  }
  *last = *op;
  check->has_last[queue] = true;
  if (op->kind->class != XC_OP_CONV)
    return;
  check->begun_before = check->begun;
  check->begun = check->images[queue][0].steps;
}

static bool is_same_step(const even_step *a, const even_step *b) {
  return a->is_known == b->is_known && a->distance == b->distance &&
         a->bytes == b->bytes;
}

static bool is_same_knowledge(const even_steps *a, const even_steps *b) {
  return is_same_step(&a->column, &b->column) &&
         is_same_step(&a->row, &b->row) && is_same_step(&a->window, &b->window);
}

bool xc_spacing_repeats(xc_verifier *verifier) {
  struct xc_spacing_check *check = verifier->spacing;
  if (!is_same_knowledge(&check->begun, &check->begun_before))
    return false;
  check->images[check->queue][0].steps = check->ended_before;
  return true;
}

//===----------------------------------------------------------------------===//
// Within an instruction
//===----------------------------------------------------------------------===//

static image_spacing *image_of(const xc_verifier *verifier, const xc_run *run) {
  struct xc_spacing_check *check = verifier->spacing;
  return &check->images[check->queue][run->part];
}

static void report_torn(xc_verifier *verifier, const xc_run *run, uint32_t x,
                        uint32_t at, const char *why) {
  char name[64];
  uint32_t writer =
      verifier->words[verifier->layout.first[run->bank] + at].writer;
  image_of(verifier, run)->is_torn = true;
  xc_verify_finding(verifier, XcDpuFindingKindTorn, verifier->op->index,
                    "row %" PRIu32 ", pixel %" PRIu32
                    " of the input (bank %" PRIu32 " word %" PRIu32
                    ", written by %s) %s",
                    run->row, run->column + x * run->column_step, run->bank, at,
                    xc_verify_name(verifier, writer - 1, name), why);
}

/// Adds what leads `distance` on; a step is learned from an offset that is
/// apart in nothing else. Returns false if nothing is known of such a distance.
static bool lead_on(even_step *step, int64_t distance, bool is_only,
                    int64_t offset, int64_t *expected) {
  if (distance == 0)
    return true;
  if (!step->is_known) {
    if (!is_only)
      return false;
    *step = (even_step){true, distance, offset - *expected};
  }
  if (distance % step->distance != 0)
    return false;
  *expected += distance / step->distance * step->bytes;
  return true;
}

/// Where the known steps lead to: bytes that all words of a pixel are apart
/// from the base. `offset` is that of one of them, from which a step may be
/// learned. Returns false if nothing is known.
static bool find_expected(const xc_window *window, image_spacing *image,
                          const xc_run *run, uint32_t x, int64_t offset,
                          int64_t *expected) {
  even_steps *even = &image->steps;
  int64_t columns =
      (int64_t)run->column + x * run->column_step - image->column0;
  int64_t rows = (int64_t)run->row - image->row0, windows = 0;
  int64_t stride = window->stride_h;
  if (stride > 1 && window->kernel_h <= stride) {
    windows = run->row / stride - image->row0 / stride;
    rows = run->row % stride - image->row0 % stride;
  }
  *expected = 0;
  return lead_on(&even->column, columns, rows == 0 && windows == 0, offset,
                 expected) &&
         lead_on(&even->row, rows, windows == 0, offset, expected) &&
         lead_on(&even->window, windows, true, offset, expected);
}

/// Whether a pixel of the last row is in front of where it is expected by what
/// the row overlaps with the one before. Its first pixel decides that.
static bool is_overlapping(const xc_op *op, image_spacing *image,
                           const xc_run *run, uint32_t x, int64_t bytes) {
  const xc_window *window = &op->window;
  const even_step *column = &image->steps.column;
  bool is_by_pixel = op->kind->takes_operands ||
                     (window->kernel_h == 1 && window->kernel_w == 1);
  if (!is_by_pixel || run->row + 1 != op->output.rows || !column->is_known ||
      column->bytes <= 0)
    return false;
  if (x == 0)
    image->overlap = bytes;
  return image->overlap == bytes && bytes > 0 && bytes % column->bytes == 0 &&
         bytes / column->bytes < (int64_t)run->count * column->distance;
}

static void begin_image(const xc_verifier *verifier, image_spacing *image,
                        const xc_run *run) {
  xc_bank_walk walk = xc_bank_walk_begin(verifier, run);
  const xc_bank_word *words = verifier->words + walk.first;
  image->has_base = true;
  image->row0 = run->row;
  image->column0 = run->column;
  image->kind = words[walk.piece].origin;
  uint32_t at = walk.piece;
  for (uint32_t w = 0; w < run->words; ++w, at = xc_bank_walk_next(&walk, at))
    image->bases[w] = words[at].source;
}

/// Of a pixel that begins at a word of its bank.
static void check_pixel(xc_verifier *verifier, const xc_run *run, uint32_t x,
                        const xc_bank_walk *walk) {
  image_spacing *image = image_of(verifier, run);
  const xc_bank_word *words = verifier->words + walk->first;
  bool is_first = true, is_known = false;
  int64_t expected = 0;
  uint32_t at = walk->piece;
  for (uint32_t w = 0; w < run->words && !image->is_torn;
       ++w, at = xc_bank_walk_next(walk, at)) {
    const xc_bank_word *word = &words[at];
    if (word->origin == XC_ORIGIN_NONE)
      continue;
    if (word->origin != image->kind)
      report_torn(verifier, run, x, at,
                  word->origin == XC_ORIGIN_DDR
                      ? "is LOADed, the words before it are computed"
                      : "is computed, the words before it are LOADed");
    if (word->origin != XC_ORIGIN_DDR || image->is_torn)
      continue;
    // Addresses are compared modulo 2^32, with the register on top.
    int64_t offset = (int32_t)(word->source - image->bases[w]);
    if (is_first)
      is_known = find_expected(&verifier->op->window, image, run, x, offset,
                               &expected);
    is_first = false;
    if (is_known && offset != expected &&
        !is_overlapping(verifier->op, image, run, x, expected - offset))
      report_torn(verifier, run, x, at,
                  "does not lie in DDR where the words before it lead to");
  }
}

void xc_spacing_run(xc_verifier *verifier, const xc_run *run) {
  image_spacing *image = image_of(verifier, run);
  if (run->words > MAX_PIXEL_WORDS || run->words == 0)
    return;
  xc_bank_walk walk = xc_bank_walk_begin(verifier, run);
  for (uint32_t x = 0; x < run->count && !image->is_torn;
       ++x, xc_bank_walk_next_piece(&walk)) {
    // A base is a whole pixel.
    if (!image->has_base && x == 0 &&
        verifier->words[walk.first + walk.piece].origin != XC_ORIGIN_NONE)
      begin_image(verifier, image, run);
    if (image->has_base)
      check_pixel(verifier, run, x, &walk);
  }
}
