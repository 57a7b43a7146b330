//===- Program.c - machine code to instructions with their registers ------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "Supports.h"

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

/// The INIT instructions that are in force while decoding.
typedef struct init_state {
  bool has_init[XC_DPU_NUM_OPCODES];
  uint32_t init[XC_DPU_NUM_OPCODES]; // the last of each kind
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

static uint32_t num_operands(const XcDpuInstruction *insn) {
  return insn->elew.num;
}

/// Records where the registers of an instruction come from. Returns false if
/// they are not there.
static bool link_init(XcDpuProgram *program, init_state *state,
                      const XcDpuInstruction *insn) {
  const xc_operation *kind = program->machine->operations[insn->opcode];
  uint32_t *init = &program->inits[program->count];
  if (kind->class == XC_OP_INIT) {
    state->has_init[insn->opcode] = true;
    state->init[insn->opcode] = (uint32_t)program->count;
    if (insn->opcode == XcDpuOpcodeElewInit)
      add_operand(program, state);
  }
  if (!kind->has_init)
    return true;
  if (!kind->takes_operands) {
    *init = state->init[kind->init];
    return state->has_init[kind->init];
  }
  *init = (uint32_t)state->operands_used;
  state->operands_used += num_operands(insn);
  return state->operands_used <= program->num_operands;
}

static bool report_no_init(XcDiag *diag, const XcDpuProgram *program,
                           size_t word, const XcDpuInstruction *insn) {
  const XcDpuOpcodeInfo *names = program->machine->isa->opcodes;
  const xc_operation *kind = program->machine->operations[insn->opcode];
  xc_text why = {0};
  if (kind->takes_operands)
    xc_text_printf(&why, "%s has more operands than %ss before it",
                   names[insn->opcode].name, names[kind->init].name);
  else
    xc_text_printf(&why, "%s without a %s before it", names[insn->opcode].name,
                   names[kind->init].name);
  decode_error(diag, program, word, xc_text_str(&why));
  xc_text_free(&why);
  return false;
}

static bool decode_all(XcDiag *diag, XcDpuProgram *program) {
  init_state state = {0};
  for (size_t word = 0; word < program->num_words;) {
    XcDpuInstruction insn;
    XcDpuResult result =
        xcDpuDecode(program->machine->isa, program->words + word,
                    program->num_words - word, &insn);
    if (result.status != XcDpuStatusOk) {
      char why[256];
      xcDpuResultDescribe(program->machine->isa, result, why, sizeof why);
      return decode_error(diag, program, word, why);
    }
    program->offsets[program->count] = (uint32_t)word;
    if (!link_init(program, &state, &insn))
      return report_no_init(diag, program, word, &insn);
    ++program->count;
    word += result.numWords;
    if (insn.opcode == XcDpuOpcodeEnd)
      break;
  }
  return true;
}

XcDpuProgram *xcDpuProgramCreate(XcDiag *diag, const XcDpuTarget *target,
                                 const char *file, const void *code,
                                 size_t size) {
  const xc_machine *machine = xc_machine_require(target, file, diag);
  if (!machine)
    return NULL;
  if (size % 4 != 0 || size / 4 >= UINT32_MAX) {
    xc_file_error(diag, file,
                  "machine code has %zu bytes, expected a multiple of 4", size);
    return NULL;
  }
  XcDpuProgram *program = xc_alloc(sizeof *program);
  program->target = target;
  program->machine = machine;
  program->file = file ? xc_copy_string(file) : NULL;
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
  XcDpuResult result = xcDpuDecode(program->machine->isa, program->words + word,
                                   program->num_words - word, instruction);
  assert(result.status == XcDpuStatusOk &&
         "an instruction decoded once decodes again");
  (void)result;
}

static void get_init(const XcDpuProgram *program, size_t index,
                     uint32_t *fields, size_t size) {
  XcDpuInstruction init;
  xcDpuProgramGetInstruction(program, index, &init);
  memcpy(fields, init.fields, size);
}

void xc_program_get_op(const XcDpuProgram *program, size_t index, xc_op *op) {
  op->index = index;
  xcDpuProgramGetInstruction(program, index, &op->insn);
  op->kind = program->machine->operations[op->insn.opcode];
  if (!op->kind->has_init)
    return;
  if (!op->kind->takes_operands) {
    get_init(program, program->inits[index], op->init_fields,
             sizeof op->init_fields);
  } else {
    for (uint32_t k = 0; k < num_operands(&op->insn); ++k) {
      XcDpuInstruction init;
      size_t position = program->inits[index] + k;
      xcDpuProgramGetInstruction(program, program->operands[position], &init);
      op->elew_init[k] = init.elew_init;
    }
  }
  xc_op_resolve(program->target, op);
}

static unsigned opcode_at(const XcDpuProgram *program, size_t index) {
  return program->words[program->offsets[index]] >> XC_DPU_OPCODE_LSB;
}

const xc_operation *xc_program_kind(const XcDpuProgram *program, size_t index) {
  return program->machine->operations[opcode_at(program, index)];
}

static const XcDpuOpcodeInfo *info_at(const XcDpuProgram *program,
                                      size_t index) {
  return &program->machine->isa->opcodes[opcode_at(program, index)];
}

const char *xc_program_name(const XcDpuProgram *program, size_t index) {
  return info_at(program, index)->name;
}

XcDpuQueue xcDpuProgramGetQueue(const XcDpuProgram *program, size_t index) {
  return info_at(program, index)->queue;
}

static unsigned token_mask(const XcDpuProgram *program, size_t index,
                           const XcDpuField *field) {
  return xc_dpu_field_bits(field, program->words + program->offsets[index]);
}

unsigned xc_program_waits(const XcDpuProgram *program, size_t index) {
  return token_mask(program, index, &xc_dpu_token_fields[0]);
}

unsigned xc_program_posts(const XcDpuProgram *program, size_t index) {
  return token_mask(program, index, &xc_dpu_token_fields[1]);
}

size_t xcDpuProgramPrintInstruction(const XcDpuProgram *program, size_t index,
                                    char *buffer) {
  return xcDpuPrintInstruction(
      program->machine->isa, program->words + program->offsets[index], buffer);
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
      .first = first, .name = xc_copy_string(name), .operations = operations};
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
