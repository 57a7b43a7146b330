//===- TargetPrint.c - writes a target as JSON, and the key reference -----===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Target.h"

#include <inttypes.h>
#include <string.h>

static void print_string(xc_text *text, const char *string) {
  xc_text_puts(text, "\"");
  for (; *string; ++string) {
    if (*string == '"' || *string == '\\')
      xc_text_puts(text, "\\");
    xc_text_append(text, string, 1);
  }
  xc_text_puts(text, "\"");
}

static void print_set(xc_text *text, const char *const *words, XcDpuSet set) {
  const char *separator = "";
  xc_text_puts(text, "[");
  for (unsigned i = 0; words[i]; ++i)
    if (xcDpuSetHas(set, i)) {
      xc_text_printf(text, "%s\"%s\"", separator, words[i]);
      separator = ", ";
    }
  xc_text_puts(text, "]");
}

static void print_sizes(xc_text *text, XcDpuSet set) {
  const char *separator = "";
  xc_text_puts(text, "[");
  for (unsigned size = 0; size < 32; ++size)
    if (xcDpuSetHas(set, size)) {
      xc_text_printf(text, "%s%u", separator, size);
      separator = ", ";
    }
  xc_text_puts(text, "]");
}

static void print_fingerprints(xc_text *text, const XcDpuTarget *target) {
  xc_text_puts(text, "[");
  for (int32_t i = 0; i < target->numOlderFingerprints; ++i)
    xc_text_printf(text, "%s\"0x%" PRIx64 "\"", i ? ", " : "",
                   target->olderFingerprints[i]);
  xc_text_puts(text, "]");
}

static void print_numbers(xc_text *text, const int32_t *numbers,
                          int32_t count) {
  xc_text_puts(text, "[");
  for (int32_t i = 0; i < count; ++i)
    xc_text_printf(text, "%s%" PRId32, i ? ", " : "", numbers[i]);
  xc_text_puts(text, "]");
}

static void print_value(xc_text *text, const XcDpuTarget *target,
                        const xc_target_key *key) {
  const void *member = (const char *)target + key->offset;
  switch (key->kind) {
  case XC_TARGET_String:
    print_string(text, *(const char *const *)member);
    return;
  case XC_TARGET_Int:
    xc_text_printf(text, "%" PRId32, *(const int32_t *)member);
    return;
  case XC_TARGET_Int64:
    xc_text_printf(text, "%" PRId64, *(const int64_t *)member);
    return;
  case XC_TARGET_Flag:
    xc_text_puts(text, *(const bool *)member ? "true" : "false");
    return;
  case XC_TARGET_Hex64:
    xc_text_printf(text, "\"0x%" PRIx64 "\"", *(const uint64_t *)member);
    return;
  case XC_TARGET_Range:
  case XC_TARGET_Pad: {
    const XcDpuRange *range = member;
    xc_text_printf(text, "[%" PRId32 ", ", range->minimum);
    if (key->kind == XC_TARGET_Pad && range->maximum == -1)
      xc_text_puts(text, "\"kernel-1\"]");
    else
      xc_text_printf(text, "%" PRId32 "]", range->maximum);
    return;
  }
  case XC_TARGET_Activations:
  case XC_TARGET_AluModes:
  case XC_TARGET_ElementwiseKinds:
  case XC_TARGET_PoolKinds:
    print_set(text, xc_target_words(key->kind), *(const XcDpuSet *)member);
    return;
  case XC_TARGET_Sizes:
    print_sizes(text, *(const XcDpuSet *)member);
    return;
  case XC_TARGET_Registers:
    print_numbers(text, target->weightsRegister, target->numWeightsRegisters);
    return;
  case XC_TARGET_Engines:
    print_numbers(text, target->coreEngines, target->numCores);
    return;
  case XC_TARGET_Fingerprints:
    print_fingerprints(text, target);
    return;
  }
}

static bool section_exists(const XcDpuTarget *target, const char *path) {
  const struct {
    const char *section;
    int32_t exists;
  } sections[] = {
      {"alu.", target->alu.rows},
      {"pool.", target->pool.rows},
      {"depthwise.", target->depthwise.rows},
      {"elementwise.", target->elementwiseRows},
      {"banks.depthwise_weights.", target->depthwiseWeights.numBanks},
      {"banks.bias.", target->bias.numBanks},
      {"banks.depthwise_bias.", target->depthwiseBias.numBanks},
  };
  for (size_t i = 0; i < sizeof(sections) / sizeof(*sections); ++i)
    if (!strncmp(path, sections[i].section, strlen(sections[i].section)))
      return sections[i].exists != 0;
  return true;
}

// An optional key without a value: an absent string, an empty range or list.
static bool is_absent(const XcDpuTarget *target, const xc_target_key *key) {
  const void *member = (const char *)target + key->offset;
  if (!section_exists(target, key->path))
    return true;
  if (key->kind == XC_TARGET_String)
    return !*(const char *const *)member;
  if (key->kind == XC_TARGET_Sizes)
    return *(const XcDpuSet *)member == 0;
  if (key->kind == XC_TARGET_Engines)
    return target->numCores == 0;
  if (key->kind == XC_TARGET_Fingerprints)
    return target->numOlderFingerprints == 0;
  const XcDpuRange *range = member;
  return key->kind == XC_TARGET_Range && range->minimum == 0 &&
         range->maximum == 0 && key->need == XC_TARGET_Optional;
}

// The open objects of the output, as a path prefix.
typedef struct printer {
  xc_text *text;
  const char *section; // of the last key
  size_t length;       // of `section`
  size_t depth;        // open objects below the root
  bool first;          // nothing is in the innermost object yet
} printer;

static void new_line(printer *p, size_t depth) {
  xc_text_puts(p->text, "\n");
  for (size_t i = 0; i <= depth; ++i)
    xc_text_puts(p->text, "  ");
}

static void close_object(printer *p) {
  --p->depth;
  new_line(p, p->depth);
  xc_text_puts(p->text, "}");
  p->first = false;
}

static void begin_member(printer *p, const char *name, size_t length) {
  if (!p->first)
    xc_text_puts(p->text, ",");
  new_line(p, p->depth);
  xc_text_puts(p->text, "\"");
  xc_text_append(p->text, name, length);
  xc_text_puts(p->text, "\": ");
  p->first = false;
}

// Closes and opens objects until those of `path` are open.
static void enter_section(printer *p, const char *path) {
  size_t length = xc_target_section_length(path);
  size_t common = 0, common_depth = 0, at = 0;
  while (at < length && at < p->length && path[at] == p->section[at]) {
    ++at;
    bool ends_here = at == length || path[at] == '.';
    bool ends_there = at == p->length || p->section[at] == '.';
    if (ends_here && ends_there) {
      common = at;
      ++common_depth;
    }
  }
  while (p->depth > common_depth)
    close_object(p);
  while (common < length) {
    const char *name = path + common + (common ? 1 : 0);
    size_t size = strcspn(name, ".");
    begin_member(p, name, size);
    xc_text_puts(p->text, "{");
    p->first = true;
    ++p->depth;
    common = (size_t)(name - path) + size;
  }
  p->section = path;
  p->length = length;
}

char *xcDpuTargetToJson(const XcDpuTarget *target) {
  xc_text text = {0};
  xc_text_puts(&text, "{");
  printer p = {.text = &text, .section = "", .first = true};
  for (size_t i = 0; i < xc_num_target_keys; ++i) {
    const xc_target_key *key = &xc_target_keys[i];
    if (is_absent(target, key))
      continue;
    enter_section(&p, key->path);
    const char *name = key->path + p.length + (p.length ? 1 : 0);
    begin_member(&p, name, strlen(name));
    print_value(&text, target, key);
  }
  enter_section(&p, "");
  xc_text_puts(&text, "\n}\n");
  return text.data;
}

static const char *kind_word(xc_target_kind kind) {
  switch (kind) {
  case XC_TARGET_String:
    return "string";
  case XC_TARGET_Int:
  case XC_TARGET_Int64:
    return "integer";
  case XC_TARGET_Flag:
    return "true or false";
  case XC_TARGET_Hex64:
    return "string `\"0x…\"`";
  case XC_TARGET_Range:
    return "`[minimum, maximum]`";
  case XC_TARGET_Pad:
    return "`[minimum, maximum or \"kernel-1\"]`";
  case XC_TARGET_Activations:
  case XC_TARGET_AluModes:
  case XC_TARGET_ElementwiseKinds:
  case XC_TARGET_PoolKinds:
    return "list of";
  case XC_TARGET_Sizes:
  case XC_TARGET_Registers:
  case XC_TARGET_Engines:
    return "list of integers";
  case XC_TARGET_Fingerprints:
    return "list of strings `\"0x…\"`";
  }
  return "";
}

static const char *need_word(xc_target_need need) {
  switch (need) {
  case XC_TARGET_Always:
    return "yes";
  case XC_TARGET_Section:
    return "in its section";
  case XC_TARGET_Optional:
    return "no";
  case XC_TARGET_Derived:
    return "computed";
  }
  return "";
}

void xc_target_reference(xc_text *text) {
  xc_text_puts(text, "| key | value | required | meaning |\n"
                     "|---|---|---|---|\n");
  for (size_t i = 0; i < xc_num_target_keys; ++i) {
    const xc_target_key *key = &xc_target_keys[i];
    xc_text_printf(text, "| `%s` | %s", key->path, kind_word(key->kind));
    const char *const *words = xc_target_words(key->kind);
    for (size_t w = 0; words && words[w]; ++w)
      xc_text_printf(text, "%s `%s`", w ? "," : "", words[w]);
    if (key->minimum != key->maximum)
      xc_text_printf(text, ", %" PRId64 "..%" PRId64, key->minimum,
                     key->maximum);
    xc_text_printf(text, " | %s | %s |\n", need_word(key->need), key->meaning);
  }
}
