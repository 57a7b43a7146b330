//===- Assembler.c - text to machine code ---------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Isa.h"

#include "Support/Diag.h"
#include "Support/Memory.h"
#include "Support/Text.h"
#include "xc-c/DPUAssembly.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// line        = [ instruction | raw ] [ "#" anything ]
// instruction = NAME tokens tokens { field integer }
// raw         = ".word" integer
// tokens      = four binary digits: MISC, CONV, SAVE, LOAD

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

/// A run of characters between blanks; empty at the end of the line.
typedef struct token {
  const char *text;
  size_t length;
} token;

typedef struct assembler {
  XcDiag *diag;
  const XcDpuIsa *isa;
  const char *file;
  unsigned line;
  const char *line_start, *line_end, *at;
  unsigned char *code;
  size_t size, capacity;
} assembler;

static token next_token(assembler *as) {
  while (as->at < as->line_end && strchr(" \t\r", *as->at) && *as->at)
    ++as->at;
  token result = {as->at, 0};
  while (as->at < as->line_end && !(strchr(" \t\r#", *as->at) && *as->at))
    ++as->at;
  result.length = (size_t)(as->at - result.text);
  return result;
}

static bool token_is(token t, const char *string) {
  return strlen(string) == t.length && memcmp(t.text, string, t.length) == 0;
}

static XcPlace place_of(const assembler *as, token t) {
  return (XcPlace){as->file, as->line, (unsigned)(t.text - as->line_start) + 1};
}

/// The token as it may stand in a message: printable and not too long.
typedef struct spelling {
  char text[48];
} spelling;

static spelling spell(token t) {
  spelling result;
  size_t most = sizeof(result.text) - 4;
  size_t length = t.length < most ? t.length : most;
  for (size_t i = 0; i < length; ++i)
    result.text[i] = isprint((unsigned char)t.text[i]) ? t.text[i] : '?';
  strcpy(result.text + length, t.length > most ? "..." : "");
  return result;
}

static void suggest(xc_text *message, const xc_near_miss *miss) {
  if (xc_near_miss_get(miss))
    xc_text_printf(message, ", did you mean '%s'?", xc_near_miss_get(miss));
}

static bool report_text(assembler *as, token t, xc_text *message) {
  xc_place_error(as->diag, place_of(as, t), "%s", xc_text_str(message));
  xc_text_free(message);
  return false;
}

// "found 'x'", or that the line ended.
static bool expected(assembler *as, token t, const char *what) {
  if (t.length == 0)
    return xc_place_error(as->diag, place_of(as, t),
                          "expected %s, found the end of the line", what);
  return xc_place_error(as->diag, place_of(as, t), "expected %s, found '%s'",
                        what, spell(t).text);
}

static int digit_of(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return 16;
}

/// Decimal or 0x hexadecimal, with an optional sign. Values beyond 2^40 are
/// held there: no field reaches so far.
static bool parse_integer(token t, int64_t *value) {
  size_t at = t.length > 0 && (t.text[0] == '-' || t.text[0] == '+');
  bool negative = at && t.text[0] == '-';
  int base = 10;
  if (t.length - at > 2 && t.text[at] == '0' && (t.text[at + 1] | 32) == 'x') {
    base = 16;
    at += 2;
  }
  if (at == t.length)
    return false;
  *value = 0;
  for (; at < t.length; ++at) {
    int digit = digit_of(t.text[at]);
    if (digit >= base)
      return false;
    if (*value < INT64_C(1) << 40)
      *value = *value * base + digit;
  }
  if (negative)
    *value = -*value;
  return true;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

static bool unknown_name(assembler *as, token t) {
  char upper[16] = {0};
  for (size_t i = 0; i < t.length && i + 1 < sizeof(upper); ++i)
    upper[i] = (char)toupper((unsigned char)t.text[i]);
  xc_near_miss miss = xc_near_miss_begin(upper, strlen(upper));
  for (unsigned i = 0; i < XC_DPU_NUM_OPCODES; ++i)
    if (xcDpuIsaGetInfo(as->isa, i))
      xc_near_miss_offer(&miss, as->isa->opcodes[i].name);
  xc_text message = {0};
  xc_text_printf(&message, "'%s' is not an instruction of '%s'", spell(t).text,
                 as->isa->name);
  suggest(&message, &miss);
  return report_text(as, t, &message);
}

static const XcDpuOpcodeInfo *find_instruction(assembler *as, token name) {
  for (unsigned i = 0; i < XC_DPU_NUM_OPCODES; ++i) {
    const XcDpuOpcodeInfo *info = &as->isa->opcodes[i];
    if (!info->name || !token_is(name, info->name))
      continue;
    if (!info->reserved)
      return info;
    xc_place_error(as->diag, place_of(as, name), "%s cannot run on '%s'",
                   info->name, as->isa->name);
    return NULL;
  }
  unknown_name(as, name);
  return NULL;
}

static bool parse_tokens(assembler *as, const XcDpuField *field,
                         uint32_t *words) {
  token t = next_token(as);
  bool ok = t.length == XC_DPU_NUM_QUEUES;
  uint32_t value = 0;
  for (size_t i = 0; ok && i < t.length; ++i) {
    ok = t.text[i] == '0' || t.text[i] == '1';
    value = value * 2 + (t.text[i] == '1');
  }
  words[field->word] |= value << field->lsb;
  if (ok)
    return true;
  xc_text what = {0};
  xc_text_printf(&what, "4 binary digits for '%s'", field->name);
  expected(as, t, xc_text_str(&what));
  xc_text_free(&what);
  return false;
}

static bool unknown_field(assembler *as, const XcDpuOpcodeInfo *info, token t) {
  spelling name = spell(t);
  xc_near_miss miss = xc_near_miss_begin(name.text, strlen(name.text));
  for (unsigned i = 0; i < info->numFields; ++i)
    xc_near_miss_offer(&miss, info->fields[i].name);
  xc_text message = {0};
  xc_text_printf(&message, "%s has no field '%s'", info->name, name.text);
  suggest(&message, &miss);
  return report_text(as, t, &message);
}

// Fields mostly stand in table order: the search begins after the last one.
static unsigned find_field(const XcDpuOpcodeInfo *info, token name,
                           unsigned hint) {
  for (unsigned i = 0; i < info->numFields; ++i) {
    unsigned index = (hint + i) % info->numFields;
    if (token_is(name, info->fields[index].name))
      return index;
  }
  return info->numFields;
}

static bool parse_value(assembler *as, const XcDpuOpcodeInfo *info,
                        const XcDpuField *field, uint32_t *words) {
  token t = next_token(as);
  int64_t number;
  if (!parse_integer(t, &number)) {
    xc_text what = {0};
    xc_text_printf(&what, "an integer for field '%s' of %s", field->name,
                   info->name);
    expected(as, t, xc_text_str(&what));
    xc_text_free(&what);
    return false;
  }
  if (number < xcDpuFieldGetMin(field) || number > xcDpuFieldGetMax(field))
    return xc_place_error(as->diag, place_of(as, t),
                          "field '%s' of %s is %s, expected %" PRIu32
                          " to %" PRIu32,
                          field->name, info->name, spell(t).text,
                          xcDpuFieldGetMin(field), xcDpuFieldGetMax(field));
  words[field->word] |= ((uint32_t)number - xcDpuFieldGetMin(field))
                        << field->lsb;
  return true;
}

static bool report_missing(assembler *as, const XcDpuOpcodeInfo *info,
                           token name, const token *given) {
  xc_text message = {0};
  unsigned count = 0;
  for (unsigned i = 0; i < info->numFields; ++i)
    if (!given[i].text)
      xc_text_printf(&message, "%s'%s'", count++ ? ", " : "",
                     info->fields[i].name);
  xc_text whole = {0};
  xc_text_printf(&whole, "%s lacks %s %s", info->name,
                 count == 1 ? "field" : "fields", xc_text_str(&message));
  xc_text_free(&message);
  return report_text(as, name, &whole);
}

static bool parse_fields(assembler *as, const XcDpuOpcodeInfo *info,
                         token instruction_name, uint32_t *words) {
  token given[XC_DPU_MAX_FIELDS] = {{0}};
  unsigned count = 0, hint = 0;
  for (token name = next_token(as); name.length; name = next_token(as)) {
    unsigned index = find_field(info, name, hint);
    if (index == info->numFields)
      return unknown_field(as, info, name);
    if (given[index].text) {
      xc_place_error(as->diag, place_of(as, name),
                     "field '%s' of %s is given twice",
                     info->fields[index].name, info->name);
      xcDiagReport(as->diag, XcSeverityNote, place_of(as, given[index]),
                   "it is given here first");
      return false;
    }
    given[index] = name;
    if (!parse_value(as, info, &info->fields[index], words))
      return false;
    ++count;
    hint = index + 1;
  }
  return count == info->numFields ||
         report_missing(as, info, instruction_name, given);
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

static void emit(assembler *as, const uint32_t *words, size_t count) {
  void *code = as->code;
  xc_grow(&code, &as->capacity, as->size + 4 * count, 1);
  as->code = code;
  for (size_t i = 0; i < count; ++i, as->size += 4)
    xcDpuWriteWord(as->code + as->size, words[i]);
}

static bool parse_raw(assembler *as) {
  token t = next_token(as);
  int64_t number;
  if (!parse_integer(t, &number))
    return expected(as, t, "an integer after '.word'");
  if (number < 0 || number > UINT32_MAX)
    return xc_place_error(as->diag, place_of(as, t),
                          "'.word' is %s, expected 0 to 0xffffffff",
                          spell(t).text);
  token end = next_token(as);
  if (end.length)
    return expected(as, end, "the end of the line after '.word'");
  uint32_t word = (uint32_t)number;
  emit(as, &word, 1);
  return true;
}

static bool parse_line(assembler *as) {
  token name = next_token(as);
  if (name.length == 0)
    return true;
  if (token_is(name, ".word"))
    return parse_raw(as);
  const XcDpuOpcodeInfo *info = find_instruction(as, name);
  if (!info)
    return false;
  uint32_t words[XC_DPU_MAX_WORDS] = {(uint32_t)(info - as->isa->opcodes)
                                      << XC_DPU_OPCODE_LSB};
  if (!parse_tokens(as, &xc_dpu_token_fields[0], words) ||
      !parse_tokens(as, &xc_dpu_token_fields[1], words) ||
      !parse_fields(as, info, name, words))
    return false;
  emit(as, words, info->numWords);
  return true;
}

bool xcDpuAssemble(XcDiag *diag, const XcDpuIsa *isa, XcPlace start,
                   const char *text, size_t length, unsigned char **code,
                   size_t *size) {
  assembler as = {
      .diag = diag, .isa = isa, .file = start.file, .line = start.line};
  const char *end = text + length;
  bool ok = true;
  for (const char *at = text; ok && at < end; ++as.line) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    as.line_start = as.at = at;
    as.line_end = newline ? newline : end;
    ok = parse_line(&as);
    at = newline ? newline + 1 : end;
  }
  if (!ok) {
    free(as.code);
    return false;
  }
  *code = as.code ? as.code : xc_alloc(0);
  *size = as.size;
  return true;
}
