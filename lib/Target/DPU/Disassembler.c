//===- Disassembler.c - machine code to text ------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Isa.h"

#include "Support/Diag.h"
#include "Support/Names.h"
#include "xc-c/DPUAssembly.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// One instruction
//===----------------------------------------------------------------------===//

// printf would take most of the time on long programs.

static char *put_string(char *at, const char *string) {
  size_t length = strlen(string);
  memcpy(at, string, length);
  return at + length;
}

static char *put_decimal(char *at, uint32_t value) {
  char digits[10];
  size_t count = 0;
  do {
    digits[count++] = (char)('0' + value % 10);
    value /= 10;
  } while (value);
  while (count)
    *at++ = digits[--count];
  return at;
}

static char *put_tokens(char *at, unsigned tokens) {
  *at++ = ' ';
  for (int bit = XC_DPU_NUM_QUEUES - 1; bit >= 0; --bit)
    *at++ = tokens >> bit & 1 ? '1' : '0';
  return at;
}

size_t xcDpuPrintInstruction(const XcDpuIsa *isa, const uint32_t *words,
                             char *buffer) {
  enum { NAME_COLUMNS = 8 };
  const XcDpuOpcodeInfo *info =
      xcDpuIsaGetInfo(isa, words[0] >> XC_DPU_OPCODE_LSB);
  assert(info && "the instruction is one of the set");
  char *at = put_string(buffer, info->name);
  while (at < buffer + NAME_COLUMNS)
    *at++ = ' ';
  for (int i = 0; i < 2; ++i)
    at = put_tokens(at, xc_dpu_field_bits(&xc_dpu_token_fields[i], words));
  for (unsigned i = 0; i < info->numFields; ++i) {
    const XcDpuField *field = &info->fields[i];
    *at++ = ' ';
    at = put_string(at, field->name);
    *at++ = ' ';
    at = put_decimal(at,
                     xc_dpu_field_bits(field, words) + xcDpuFieldGetMin(field));
  }
  *at = '\0';
  assert(at < buffer + XC_DPU_MAX_LINE && "XC_DPU_MAX_LINE covers all tables");
  return (size_t)(at - buffer);
}

//===----------------------------------------------------------------------===//
// A program
//===----------------------------------------------------------------------===//

typedef struct printer {
  XcDiag *diag;
  const XcDpuIsa *isa;
  const char *name;
  XcDpuTextCallback callback;
  void *user_data;
  size_t num_invalid;
} printer;

static void put(printer *p, const char *text, size_t length) {
  p->callback(p->user_data, text, length);
}

// A label may hold anything; a comment is one line, which people look at.
static void print_label(printer *p, const char *text) {
  put(p, "# ", 2);
  while (*text) {
    size_t length = strcspn(text, "\r\n");
    xc_text printable = {0};
    xc_text_printable(&printable, text, length, false);
    put(p, xc_text_str(&printable), printable.length);
    xc_text_free(&printable);
    text += length;
    if (*text) {
      put(p, " ", 1);
      ++text;
    }
  }
  put(p, "\n", 1);
}

static void print_raw(printer *p, const uint32_t *words, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    char line[32];
    int length =
        snprintf(line, sizeof(line), ".word 0x%08" PRIx32 "\n", words[i]);
    put(p, line, (size_t)length);
  }
}

// A file of something else altogether would give a warning per word.
enum { MAX_WARNINGS = 20 };

static void warn(printer *p, size_t word, XcDpuResult result) {
  if (++p->num_invalid > MAX_WARNINGS)
    return;
  char reason[200];
  xcDpuResultDescribe(p->isa, result, reason, sizeof(reason));
  xcDiagReport(p->diag, XcSeverityWarning, (XcPlace){p->name, 0, 0},
               "word %zu (byte 0x%zx): %s; written as raw words", word,
               word * 4, reason);
}

static void print_instruction(printer *p, const uint32_t *words) {
  char line[XC_DPU_MAX_LINE];
  size_t length = xcDpuPrintInstruction(p->isa, words, line);
  line[length] = '\n';
  put(p, line, length + 1);
}

bool xcDpuDisassemble(XcDiag *diag, const XcDpuIsa *isa,
                      const XcDpuListing *listing, XcDpuTextCallback callback,
                      void *userData) {
  if (listing->size % 4 != 0)
    return xc_file_error(diag, listing->name,
                         "machine code has %zu bytes, expected a multiple of 4",
                         listing->size);
  printer p = {diag, isa, listing->name, callback, userData, 0};
  const XcDpuLabel *label = listing->labels;
  const XcDpuLabel *end = label ? label + listing->numLabels : label;
  size_t num_words = listing->size / 4;
  size_t index = 0;
  for (size_t at = 0; at < num_words; ++index) {
    for (; label != end && label->instruction <= index; ++label)
      print_label(&p, label->text);
    XcDpuInstruction insn;
    XcDpuResult result =
        xcDpuDecodeAt(isa, listing->code, listing->size, at, &insn);
    uint32_t words[XC_DPU_MAX_WORDS];
    for (size_t i = 0; i < result.numWords; ++i)
      words[i] = xcDpuReadWord(listing->code + 4 * (at + i));
    if (result.status == XcDpuStatusOk) {
      print_instruction(&p, words);
    } else {
      warn(&p, at, result);
      print_raw(&p, words, result.numWords);
    }
    at += result.numWords;
  }
  if (p.num_invalid > MAX_WARNINGS)
    xcDiagReport(diag, XcSeverityWarning, (XcPlace){listing->name, 0, 0},
                 "%zu more invalid instructions are written as raw words",
                 p.num_invalid - MAX_WARNINGS);
  return true;
}
