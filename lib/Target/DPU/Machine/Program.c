//===- Program.c - machine code to instructions with their registers ------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "Support/Diag.h"
#include "Support/Memory.h"
#include "Target/DPU/Isa.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

/// Indices of the INIT instructions that are in force while decoding.
typedef struct init_state {
  bool has_conv, has_alu;
  uint32_t conv, alu;
  size_t operands_used;
  size_t operands_capacity;
} init_state;

static bool decode_error(XcDiag *diag, const XcDpuProgram *program, size_t word,
                         const char *why) {
  return xc_file_error(diag, program->file, "instruction %zu at word %zu: %s",
                       program->count, word, why);
}

static void add_operand(XcDpuProgram *program, init_state *state) {
  void *operands = program->operands;
  xc_grow(&operands, &state->operands_capacity, program->num_operands + 1,
          sizeof *program->operands);
  program->operands = operands;
  program->operands[program->num_operands++] = (uint32_t)program->count;
}

/// Records where the registers of an instruction come from.
static const char *link_init(XcDpuProgram *program, init_state *state,
                             const XcDpuInstruction *insn) {
  uint32_t *init = &program->inits[program->count];
  switch ((XcDpuOpcode)insn->opcode) {
  case XcDpuOpcodeConvInit:
    state->has_conv = true;
    state->conv = (uint32_t)program->count;
    return NULL;
  case XcDpuOpcodeAluInit:
    state->has_alu = true;
    state->alu = (uint32_t)program->count;
    return NULL;
  case XcDpuOpcodeElewInit:
    add_operand(program, state);
    return NULL;
  case XcDpuOpcodeConv:
    *init = state->conv;
    return state->has_conv ? NULL : "CONV without a CONVINIT before it";
  case XcDpuOpcodeAlu:
    *init = state->alu;
    return state->has_alu ? NULL : "ALU without an ALUINIT before it";
  case XcDpuOpcodeElew:
    *init = (uint32_t)state->operands_used;
    state->operands_used += insn->elew.num;
    return state->operands_used <= program->num_operands
               ? NULL
               : "ELEW has more operands than ELEWINITs before it";
  case XcDpuOpcodeLoad:
  case XcDpuOpcodeSave:
  case XcDpuOpcodeEnd:
    return NULL;
  }
  assert(false && "the decoder gave an opcode outside the table");
  return NULL;
}

static bool decode_all(XcDiag *diag, XcDpuProgram *program) {
  init_state state = {0};
  for (size_t word = 0; word < program->num_words;) {
    XcDpuInstruction insn;
    XcDpuResult result = xcDpuDecode(program->isa, program->words + word,
                                     program->num_words - word, &insn);
    if (result.status != XcDpuStatusOk) {
      char why[256];
      xcDpuResultDescribe(program->isa, result, why, sizeof why);
      return decode_error(diag, program, word, why);
    }
    program->offsets[program->count] = (uint32_t)word;
    const char *why = link_init(program, &state, &insn);
    if (why)
      return decode_error(diag, program, word, why);
    ++program->count;
    word += result.numWords;
    if (insn.opcode == XcDpuOpcodeEnd)
      break;
  }
  return true;
}

static char *copy_string(const char *string) {
  size_t size = strlen(string) + 1;
  return memcpy(xc_alloc(size), string, size);
}

XcDpuProgram *xcDpuProgramCreate(XcDiag *diag, const XcDpuTarget *target,
                                 const char *file, const void *code,
                                 size_t size) {
  const XcDpuIsa *isa = xcDpuIsaGet(target->isa);
  if (isa != xcDpuIsaDPUCZDX8G()) {
    xc_file_error(diag, file,
                  "target '%s' has instruction set '%s', the simulator "
                  "executes 'DPUCZDX8G'",
                  target->name, target->isa);
    return NULL;
  }
  if (size % 4 != 0 || size / 4 >= UINT32_MAX) {
    xc_file_error(diag, file,
                  "machine code has %zu bytes, expected a multiple of 4", size);
    return NULL;
  }
  XcDpuProgram *program = xc_alloc(sizeof *program);
  program->target = target;
  program->isa = isa;
  program->file = file ? copy_string(file) : NULL;
  program->num_words = size / 4;
  program->words = xc_alloc_array(program->num_words, sizeof *program->words);
  program->offsets =
      xc_alloc_array(program->num_words, sizeof *program->offsets);
  program->inits = xc_alloc_array(program->num_words, sizeof *program->inits);
  for (size_t i = 0; i < program->num_words; ++i)
    program->words[i] = xcDpuReadWord((const unsigned char *)code + 4 * i);
  if (decode_all(diag, program))
    return program;
  xcDpuProgramDestroy(program);
  return NULL;
}

void xcDpuProgramDestroy(XcDpuProgram *program) {
  if (!program)
    return;
  for (size_t i = 0; i < program->num_layers; ++i)
    free(program->layers[i].name);
  free(program->layers);
  free(program->operands);
  free(program->inits);
  free(program->offsets);
  free(program->words);
  free(program->file);
  free(program);
}

size_t xcDpuProgramGetNumInstructions(const XcDpuProgram *program) {
  return program->count;
}

void xcDpuProgramGetInstruction(const XcDpuProgram *program, size_t index,
                                XcDpuInstruction *instruction) {
  size_t word = program->offsets[index];
  XcDpuResult result = xcDpuDecode(program->isa, program->words + word,
                                   program->num_words - word, instruction);
  assert(result.status == XcDpuStatusOk &&
         "an instruction decoded once decodes again");
  (void)result;
}

XcDpuOpcode xc_program_opcode(const XcDpuProgram *program, size_t index) {
  return (XcDpuOpcode)(program->words[program->offsets[index]] >>
                       XC_DPU_OPCODE_LSB);
}

XcDpuQueue xc_program_queue(const XcDpuProgram *program, size_t index) {
  return program->isa->opcodes[xc_program_opcode(program, index)].queue;
}

static unsigned token_mask(const XcDpuProgram *program, size_t index,
                           const XcDpuField *field) {
  uint32_t word = program->words[program->offsets[index] + field->word];
  return word >> field->lsb & ((1u << field->width) - 1);
}

unsigned xc_program_waits(const XcDpuProgram *program, size_t index) {
  return token_mask(program, index, &xc_dpu_token_fields[0]);
}

unsigned xc_program_posts(const XcDpuProgram *program, size_t index) {
  return token_mask(program, index, &xc_dpu_token_fields[1]);
}

size_t xcDpuProgramPrintInstruction(const XcDpuProgram *program, size_t index,
                                    char *buffer) {
  XcDpuInstruction insn;
  xcDpuProgramGetInstruction(program, index, &insn);
  return xcDpuPrintInstruction(program->isa, &insn, buffer);
}

//===----------------------------------------------------------------------===//
// Layers and messages
//===----------------------------------------------------------------------===//

bool xcDpuProgramAddLayer(XcDpuProgram *program, size_t first, const char *name,
                          uint64_t operations) {
  if (first >= program->count ||
      (program->num_layers > 0 &&
       program->layers[program->num_layers - 1].first >= first))
    return false;
  void *layers = program->layers;
  xc_grow(&layers, &program->layers_capacity, program->num_layers + 1,
          sizeof *program->layers);
  program->layers = layers;
  program->layers[program->num_layers++] = (xc_program_layer){
      .first = first, .name = copy_string(name), .operations = operations};
  return true;
}

size_t xcDpuProgramGetNumLayers(const XcDpuProgram *program) {
  return program->num_layers;
}

const char *xcDpuProgramGetLayerName(const XcDpuProgram *program,
                                     size_t layer) {
  return program->layers[layer].name;
}

size_t xcDpuProgramGetLayerOf(const XcDpuProgram *program, size_t index) {
  size_t low = 0, high = program->num_layers;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (program->layers[middle].first <= index)
      low = middle + 1;
    else
      high = middle;
  }
  return low == 0 ? SIZE_MAX : low - 1;
}

bool xc_program_error(XcDiag *diag, const XcDpuProgram *program, size_t index,
                      const char *why) {
  char assembly[XC_DPU_MAX_LINE];
  xcDpuProgramPrintInstruction(program, index, assembly);
  size_t layer = xcDpuProgramGetLayerOf(program, index);
  if (layer == SIZE_MAX)
    return xc_file_error(diag, program->file, "instruction %zu (%s): %s", index,
                         assembly, why);
  return xc_file_error(diag, program->file,
                       "instruction %zu (%s) of layer '%s': %s", index,
                       assembly, program->layers[layer].name, why);
}

//===----------------------------------------------------------------------===//
// Address walks
//===----------------------------------------------------------------------===//

static xc_walk make_walk(const XcDpuTarget *target, uint32_t bank) {
  uint32_t parallel = (uint32_t)target->pixelParallel;
  return (xc_walk){.group = bank / parallel * parallel,
                   .position = bank % parallel,
                   .stride = 1,
                   .bank_step = 1};
}

static xc_walk window_walk(const XcDpuTarget *target, uint32_t bank,
                           const uint32_t address[4]) {
  xc_walk walk = make_walk(target, bank);
  walk.is_window = true;
  memcpy(walk.address, address, sizeof walk.address);
  return walk;
}

/// The field may mask more channels than a pixel has.
static uint32_t clip_offset(const XcDpuTarget *target, uint32_t offset,
                            uint32_t words) {
  uint32_t channels = words * (uint32_t)target->channelParallel;
  return offset < channels ? offset : channels;
}

static void resolve_conv(const XcDpuTarget *target, xc_op *op) {
  const XcDpuConvInit *init = &op->conv_init;
  const XcDpuConv *conv = &op->insn.conv;
  xc_window *window = &op->window;
  *window = (xc_window){
      .walk =
          window_walk(target, conv->bank_id_in,
                      (uint32_t[]){conv->bank_addr_in, conv->bank_addr_in_1,
                                   conv->bank_addr_in_2, conv->bank_addr_in_3}),
      .rows =
          (init->valid_pixel_parallel - 1) * init->stride_h + init->kernel_h,
      .columns = (conv->length - 1) * init->stride_w + init->kernel_w,
      .kernel_h = init->kernel_h,
      .kernel_w = init->kernel_w,
      .kernel_d = 1,
      .stride_h = init->stride_h,
      .stride_w = init->stride_w,
      .pad_left = conv->pad_left,
      .pad_top = conv->pad_top,
      .last_column = (conv->length - 1) * init->stride_w + conv->pad_right,
      .last_row =
          (init->valid_pixel_parallel - 1) * init->stride_h + conv->pad_bottom,
      .channel_offset =
          clip_offset(target, conv->channel_offset, conv->channel_group),
      .masked = true,
  };
  window->walk.stride = init->stride_h;
  window->walk.offset = init->stride_offset_in;
  window->walk.row_step = init->jump_read_endl;
  window->walk.pixel_step = init->jump_read;
  window->walk.pixel_words = conv->channel_group;
  xc_walk out = make_walk(target, conv->bank_id_out);
  out.stride = init->stride_out;
  out.offset = init->stride_offset_out;
  out.row_step = init->jump_write_endl;
  out.address[0] = conv->bank_addr_out;
  out.wrap_step = init->stride_out * init->jump_write_endl;
  out.pixel_step = init->jump_write;
  out.pixel_words = 1;
  op->output = (xc_output_block){
      .walk = out, .rows = init->valid_pixel_parallel, .pixels = conv->length};
}

static void resolve_alu(const XcDpuTarget *target, xc_op *op) {
  const XcDpuAluInit *init = &op->alu_init;
  const XcDpuAlu *alu = &op->insn.alu;
  xc_window *window = &op->window;
  *window = (xc_window){
      .walk =
          window_walk(target, alu->bank_id_in,
                      (uint32_t[]){alu->bank_addr_in, alu->bank_addr_in_1,
                                   alu->bank_addr_in_2, alu->bank_addr_in_3}),
      .rows = (alu->valid_pixel_parallel - 1) * init->stride_h + init->kernel_h,
      .columns = (init->length - 1) * init->stride_w + init->kernel_w,
      .kernel_h = init->kernel_h,
      .kernel_w = init->kernel_w,
      .kernel_d = alu->kernel_d,
      .stride_h = init->stride_h,
      .stride_w = init->stride_w,
      .pad_left = alu->pad_left,
      .pad_top = alu->pad_top,
      .last_column = (init->length - 1) * init->stride_w + alu->pad_right,
      .last_row =
          (alu->valid_pixel_parallel - 1) * init->stride_h + alu->pad_bottom,
      .channel_offset =
          clip_offset(target, init->channel_offset, init->channel_group),
      .masked = init->exec_mode != XcDpuAluModeMaxReduce,
  };
  window->walk.stride = init->stride_h;
  window->walk.offset = init->stride_offset_in;
  window->walk.row_step = init->jump_read_endl;
  window->walk.pixel_step = init->jump_read;
  window->walk.pixel_words = init->channel_group * alu->kernel_d;
  xc_walk out = make_walk(target, alu->bank_id_out);
  out.stride = init->stride_out;
  out.offset = init->stride_offset_out;
  out.row_step = init->jump_write_endl;
  out.address[0] = alu->bank_addr_out;
  out.wrap_step = init->stride_out * init->jump_write_endl;
  out.pixel_step = init->jump_write;
  out.pixel_words = init->channel_group;
  op->output = (xc_output_block){
      .walk = out, .rows = alu->valid_pixel_parallel, .pixels = init->length};
}

static xc_walk operand_walk(const XcDpuTarget *target,
                            const XcDpuElewInit *init, uint32_t words) {
  xc_walk walk = make_walk(target, init->bank_id_in);
  walk.bank_step = init->share_pp ? 0 : init->jump_bank;
  walk.address[0] = init->bank_addr_in;
  walk.wrap_step = init->jump_read_endl;
  walk.pixel_step = init->jump_read;
  walk.pixel_words = words;
  return walk;
}

static void resolve_elew(const XcDpuTarget *target, xc_op *op) {
  const XcDpuElew *elew = &op->insn.elew;
  for (uint32_t k = 0; k < elew->num; ++k)
    op->operands[k] =
        operand_walk(target, &op->elew_init[k], elew->channel_group);
  xc_walk out = make_walk(target, elew->bank_id_out);
  out.address[0] = elew->bank_addr_out;
  out.wrap_step = elew->jump_write_endl;
  out.pixel_step = elew->jump_write;
  out.pixel_words = elew->channel_group;
  op->output = (xc_output_block){
      .walk = out, .rows = elew->valid_pixel_parallel, .pixels = elew->length};
}

void xc_op_resolve(const XcDpuTarget *target, xc_op *op) {
  switch ((XcDpuOpcode)op->insn.opcode) {
  case XcDpuOpcodeConv:
    resolve_conv(target, op);
    return;
  case XcDpuOpcodeAlu:
    resolve_alu(target, op);
    return;
  case XcDpuOpcodeElew:
    resolve_elew(target, op);
    return;
  case XcDpuOpcodeLoad:
  case XcDpuOpcodeSave:
  case XcDpuOpcodeConvInit:
  case XcDpuOpcodeAluInit:
  case XcDpuOpcodeElewInit:
  case XcDpuOpcodeEnd:
    return;
  }
}

static void get_operands(const XcDpuProgram *program, xc_op *op) {
  for (uint32_t k = 0; k < op->insn.elew.num; ++k) {
    XcDpuInstruction init;
    size_t position = program->inits[op->index] + k;
    xcDpuProgramGetInstruction(program, program->operands[position], &init);
    op->elew_init[k] = init.elew_init;
  }
}

void xc_program_get_op(const XcDpuProgram *program, size_t index, xc_op *op) {
  op->index = index;
  xcDpuProgramGetInstruction(program, index, &op->insn);
  XcDpuInstruction init;
  switch ((XcDpuOpcode)op->insn.opcode) {
  case XcDpuOpcodeConv:
    xcDpuProgramGetInstruction(program, program->inits[index], &init);
    op->conv_init = init.conv_init;
    break;
  case XcDpuOpcodeAlu:
    xcDpuProgramGetInstruction(program, program->inits[index], &init);
    op->alu_init = init.alu_init;
    break;
  case XcDpuOpcodeElew:
    get_operands(program, op);
    break;
  case XcDpuOpcodeLoad:
  case XcDpuOpcodeSave:
  case XcDpuOpcodeConvInit:
  case XcDpuOpcodeAluInit:
  case XcDpuOpcodeElewInit:
  case XcDpuOpcodeEnd:
    return;
  }
  xc_op_resolve(program->target, op);
}

xc_row xc_walk_row(const XcDpuTarget *target, const xc_walk *walk,
                   uint32_t row) {
  uint32_t parallel = (uint32_t)target->pixelParallel;
  uint32_t t = walk->offset + row;
  uint32_t bank = walk->position + t / walk->stride * walk->bank_step;
  uint32_t wraps = bank / parallel;
  uint32_t start = walk->is_window ? walk->address[wraps < 4 ? wraps : 3]
                                   : walk->address[0] + wraps * walk->wrap_step;
  return (xc_row){.bank = walk->group + bank % parallel,
                  .address = start + t % walk->stride * walk->row_step};
}

bool xc_op_ddr(const xc_op *op, xc_ddr_range *range) {
  uint32_t address;
  if (op->insn.opcode == XcDpuOpcodeLoad) {
    const XcDpuLoad *load = &op->insn.load;
    if (xc_load_is_constant(load))
      return false;
    address = load->ddr_addr;
    *range = (xc_ddr_range){.reg = load->reg_id,
                            .length = load->length,
                            .step = load->jump_read,
                            .channel = load->channel};
  } else if (op->insn.opcode == XcDpuOpcodeSave) {
    const XcDpuSave *save = &op->insn.save;
    address = save->ddr_addr;
    // An argmax writes one byte per pixel.
    bool one = !save->const_en && (save->argmax & 2) != 0;
    *range = (xc_ddr_range){.reg = save->reg_id,
                            .length = save->length,
                            .step = save->jump_write,
                            .channel = one ? 1 : save->channel};
  } else {
    return false;
  }
  range->begin = address;
  range->end =
      address + (uint64_t)(range->length - 1) * range->step + range->channel;
  return true;
}

uint64_t xc_op_macs(const XcDpuTarget *target, const xc_op *op) {
  uint64_t parallel = (uint64_t)target->channelParallel;
  if (op->insn.opcode == XcDpuOpcodeConv) {
    uint64_t channels =
        op->insn.conv.channel_group * parallel - op->insn.conv.channel_offset;
    return (uint64_t)op->output.rows * op->output.pixels *
           op->conv_init.kernel_h * op->conv_init.kernel_w * channels *
           (uint64_t)target->outputChannelParallel;
  }
  if (op->insn.opcode == XcDpuOpcodeAlu &&
      (op->alu_init.exec_mode == XcDpuAluModeDepthwise ||
       op->alu_init.exec_mode == XcDpuAluModeDepthwiseNoBias ||
       op->alu_init.exec_mode == XcDpuAluModeDepthwise16))
    return (uint64_t)op->output.rows * op->output.pixels *
           op->alu_init.kernel_h * op->alu_init.kernel_w *
           op->insn.alu.kernel_d * op->alu_init.channel_group * parallel;
  return 0;
}
