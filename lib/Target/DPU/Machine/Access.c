//===- Access.c - the bank words that an instruction touches --------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"

enum { ARGMAX_ENABLE = 2, WIDE_WEIGHT_WORDS = 2 };

static uint32_t words_of(const XcDpuTarget *target, uint32_t bytes) {
  uint32_t width = (uint32_t)target->channelParallel;
  return (bytes + width - 1) / width;
}

static uint32_t minimum(uint32_t a, uint32_t b) { return a < b ? a : b; }

//===----------------------------------------------------------------------===//
// Input windows
//===----------------------------------------------------------------------===//

typedef struct column_range {
  uint32_t first, end, step;
} column_range;

static void emit_columns(const xc_walk *walk, xc_run *run, uint64_t start,
                         column_range columns, xc_run_handler handler,
                         void *context) {
  if (columns.first >= columns.end)
    return;
  run->column = columns.first;
  run->column_step = columns.step;
  run->count = (columns.end - columns.first + columns.step - 1) / columns.step;
  run->step = walk->pixel_step * columns.step;
  run->address = start + (uint64_t)columns.first * walk->pixel_step;
  handler(context, run);
}

/// Where a stride is larger than the kernel, some columns are in no window.
static void emit_row(const xc_window *window, xc_run *run, uint64_t start,
                     column_range all, xc_run_handler handler, void *context) {
  if (window->kernel_w >= window->stride_w) {
    emit_columns(&window->walk, run, start, all, handler, context);
    return;
  }
  for (uint32_t j = 0; j < window->kernel_w; ++j) {
    uint32_t skip = all.first > j ? all.first - j : 0;
    column_range columns = {j + (skip + window->stride_w - 1) /
                                    window->stride_w * window->stride_w,
                            all.end, window->stride_w};
    emit_columns(&window->walk, run, start, columns, handler, context);
  }
}

static void emit_window(const XcDpuTarget *target, const xc_window *window,
                        xc_run_handler handler, void *context) {
  uint32_t first_row = window->masked ? window->pad_top : 0;
  uint32_t end_row = window->rows;
  column_range columns = {0, window->columns, 1};
  if (window->masked) {
    end_row = minimum(end_row, window->last_row + 1);
    columns.first = window->pad_left;
    columns.end = minimum(columns.end, window->last_column + 1);
  }
  xc_run run = {.role = XC_ROLE_INPUT, .words = window->walk.pixel_words};
  for (uint32_t i = first_row; i < end_row; ++i) {
    if (i % window->stride_h >= window->kernel_h)
      continue;
    xc_row row = xc_walk_row(target, &window->walk, i);
    run.row = i;
    run.bank = row.bank;
    emit_row(window, &run, row.address, columns, handler, context);
  }
}

//===----------------------------------------------------------------------===//
// The rest
//===----------------------------------------------------------------------===//

static void emit_piece(xc_role role, uint32_t part, int32_t bank,
                       uint64_t address, uint32_t words, xc_run_handler handler,
                       void *context) {
  xc_run run = {.role = role,
                .part = part,
                .bank = (uint32_t)bank,
                .address = address,
                .step = words,
                .count = 1,
                .column_step = 1,
                .words = words};
  handler(context, &run);
}

static void emit_conv_parameters(const XcDpuTarget *target, const xc_op *op,
                                 xc_run_handler handler, void *context) {
  const XcDpuConv *conv = &op->insn.conv;
  uint32_t words =
      op->window.kernel_h * op->window.kernel_w * conv->channel_group;
  for (int32_t o = 0; o < target->weights.numBanks; ++o)
    emit_piece(XC_ROLE_WEIGHTS, (uint32_t)o, target->weights.firstBank + o,
               conv->bank_addr_weights, words, handler, context);
  emit_piece(XC_ROLE_BIAS, 0, target->bias.firstBank, conv->bank_addr_bias, 1,
             handler, context);
}

static void emit_depthwise_weights(const XcDpuTarget *target, const xc_op *op,
                                   uint32_t size, xc_run_handler handler,
                                   void *context) {
  const XcDpuAluInit *init = &op->alu_init;
  xc_run run = {.role = XC_ROLE_WEIGHTS,
                .bank = (uint32_t)target->depthwiseWeights.firstBank,
                .address = op->insn.alu.bank_addr_weights,
                .step = init->jump_read_weights,
                .column_step = 1,
                .count = init->kernel_h * init->kernel_w,
                .words = init->channel_group * op->insn.alu.kernel_d * size};
  handler(context, &run);
}

static void emit_alu_parameters(const XcDpuTarget *target, const xc_op *op,
                                xc_run_handler handler, void *context) {
  const XcDpuAlu *alu = &op->insn.alu;
  uint32_t words = op->alu_init.channel_group;
  switch ((XcDpuAluMode)op->alu_init.exec_mode) {
  case XcDpuAluModeDepthwise:
    emit_depthwise_weights(target, op, 1, handler, context);
    emit_piece(XC_ROLE_BIAS, 0, target->bias.firstBank, alu->bank_addr_bias,
               words, handler, context);
    return;
  case XcDpuAluModeDepthwiseNoBias:
    emit_depthwise_weights(target, op, 1, handler, context);
    return;
  case XcDpuAluModeDepthwise16:
    emit_depthwise_weights(target, op, WIDE_WEIGHT_WORDS, handler, context);
    return;
  case XcDpuAluModePrelu:
    emit_piece(XC_ROLE_WEIGHTS, 0, target->depthwiseWeights.firstBank,
               alu->bank_addr_weights, words, handler, context);
    return;
  case XcDpuAluModeAveragePool:
  case XcDpuAluModeMaxPool:
  case XcDpuAluModeLeakyRelu:
  case XcDpuAluModeMaxReduce:
  case XcDpuAluModeHardSigmoid:
    return;
  }
}

static void emit_operands(const XcDpuTarget *target, const xc_op *op,
                          xc_run_handler handler, void *context) {
  for (uint32_t k = 0; k < op->insn.elew.num; ++k)
    for (uint32_t y = 0; y < op->output.rows; ++y) {
      const xc_walk *walk = &op->operands[k];
      xc_row row = xc_walk_row(target, walk, y);
      xc_run run = {.role = XC_ROLE_OPERAND,
                    .part = k,
                    .row = y,
                    .bank = row.bank,
                    .address = row.address,
                    .step = walk->pixel_step,
                    .column_step = 1,
                    .count = op->output.pixels,
                    .words = walk->pixel_words};
      handler(context, &run);
    }
}

static void emit_save(const XcDpuTarget *target, const XcDpuSave *save,
                      xc_run_handler handler, void *context) {
  if (save->const_en)
    return;
  xc_run run = {.role = XC_ROLE_INPUT,
                .bank = save->bank_id,
                .address = save->bank_addr,
                .step = save->jump_read,
                .column_step = 1,
                .count = save->length,
                .words = words_of(target, save->channel)};
  handler(context, &run);
}

void xc_op_reads(const XcDpuTarget *target, const xc_op *op,
                 xc_run_handler handler, void *context) {
  switch ((XcDpuOpcode)op->insn.opcode) {
  case XcDpuOpcodeSave:
    emit_save(target, &op->insn.save, handler, context);
    return;
  case XcDpuOpcodeConv:
    emit_window(target, &op->window, handler, context);
    emit_conv_parameters(target, op, handler, context);
    return;
  case XcDpuOpcodeAlu:
    emit_window(target, &op->window, handler, context);
    emit_alu_parameters(target, op, handler, context);
    return;
  case XcDpuOpcodeElew:
    emit_operands(target, op, handler, context);
    return;
  case XcDpuOpcodeLoad:
  case XcDpuOpcodeConvInit:
  case XcDpuOpcodeAluInit:
  case XcDpuOpcodeElewInit:
  case XcDpuOpcodeEnd:
    return;
  }
}

static void emit_output(const XcDpuTarget *target, const xc_output_block *block,
                        xc_run_handler handler, void *context) {
  for (uint32_t y = 0; y < block->rows; ++y) {
    xc_row row = xc_walk_row(target, &block->walk, y);
    xc_run run = {.role = XC_ROLE_OUTPUT,
                  .row = y,
                  .bank = row.bank,
                  .address = row.address,
                  .step = block->walk.pixel_step,
                  .column_step = 1,
                  .count = block->pixels,
                  .words = block->walk.pixel_words};
    handler(context, &run);
  }
}

void xc_op_writes(const XcDpuTarget *target, const xc_op *op,
                  xc_run_handler handler, void *context) {
  switch ((XcDpuOpcode)op->insn.opcode) {
  case XcDpuOpcodeLoad: {
    const XcDpuLoad *load = &op->insn.load;
    xc_run run = {.role = XC_ROLE_OUTPUT,
                  .bank = load->bank_id,
                  .address = load->bank_addr,
                  .step = load->jump_write,
                  .column_step = 1,
                  .count = load->length,
                  .words = words_of(target, load->channel)};
    handler(context, &run);
    return;
  }
  case XcDpuOpcodeConv:
  case XcDpuOpcodeAlu:
  case XcDpuOpcodeElew:
    emit_output(target, &op->output, handler, context);
    return;
  case XcDpuOpcodeSave:
  case XcDpuOpcodeConvInit:
  case XcDpuOpcodeAluInit:
  case XcDpuOpcodeElewInit:
  case XcDpuOpcodeEnd:
    return;
  }
}
