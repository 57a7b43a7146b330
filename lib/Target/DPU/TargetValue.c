//===- TargetValue.c - reads the values of a target -----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TargetValue.h"

#include "Support/Diag.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool xc_target_value_error(xc_target_value *s, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  xc_text text = {0};
  xc_text_vprintf(&text, format, arguments);
  va_end(arguments);
  xc_place_error(s->diag, xc_json_value_place(&s->json, &s->path), "%s",
                 xc_text_str(&text));
  xc_text_free(&text);
  return false;
}

const char *xc_json_type_name(const json_t *value) {
  switch (json_typeof(value)) {
  case JSON_OBJECT:
    return "an object";
  case JSON_ARRAY:
    return "a list";
  case JSON_STRING:
    return "a string";
  case JSON_INTEGER:
    return "an integer";
  case JSON_REAL:
    return "a real number";
  case JSON_TRUE:
  case JSON_FALSE:
    return "a truth value";
  case JSON_NULL:
    return "null";
  }
  return "an unknown value";
}

static bool type_error(xc_target_value *s, const xc_target_key *key,
                       const json_t *value, const char *expected) {
  return xc_target_value_error(s, "'%s' is %s, expected %s", key->path,
                               xc_json_type_name(value), expected);
}

static void *member_of(xc_target_value *s, const xc_target_key *key) {
  return (char *)s->target + key->offset;
}

static bool read_integer(xc_target_value *s, const xc_target_key *key,
                         const json_t *value, int64_t *result) {
  if (!json_is_integer(value))
    return type_error(s, key, value, "an integer");
  *result = json_integer_value(value);
  if (*result >= key->minimum && *result <= key->maximum)
    return true;
  return xc_target_value_error(
      s, "'%s' is %" PRId64 ", expected a value from %" PRId64 " to %" PRId64,
      key->path, *result, key->minimum, key->maximum);
}

static bool read_range(xc_target_value *s, const xc_target_key *key,
                       json_t *value) {
  bool is_pad = key->kind == XC_TARGET_Pad;
  const char *expected = is_pad
                             ? "a list [minimum, maximum], where the maximum "
                               "may be \"kernel-1\""
                             : "a list [minimum, maximum]";
  if (!json_is_array(value) || json_array_size(value) != 2)
    return type_error(s, key, value, expected);
  XcDpuRange *range = member_of(s, key);
  int64_t ends[2];
  for (size_t i = 0; i < 2; ++i) {
    json_t *end = json_array_get(value, i);
    const char *word = json_string_value(end);
    s->path.index[s->path.depth++] = i;
    ends[i] = -1;
    bool is_kernel = is_pad && i == 1 && word && !strcmp(word, "kernel-1");
    if (!is_kernel && !read_integer(s, key, end, &ends[i]))
      return false;
    --s->path.depth;
    if (is_kernel)
      break;
  }
  if (ends[1] >= 0 && ends[0] > ends[1])
    return xc_target_value_error(
        s, "'%s' is [%" PRId64 ", %" PRId64 "], expected the minimum first",
        key->path, ends[0], ends[1]);
  *range = (XcDpuRange){(int32_t)ends[0], (int32_t)ends[1]};
  return true;
}

static bool read_word(xc_target_value *s, const xc_target_key *key,
                      const json_t *value, XcDpuSet *set) {
  const char *word = json_string_value(value);
  if (!word)
    return type_error(s, key, value, "a list of strings");
  const char *const *words = xc_target_words(key->kind);
  xc_near_miss miss = xc_near_miss_begin(word, strlen(word));
  for (unsigned i = 0; words[i]; ++i) {
    if (!strcmp(words[i], word)) {
      *set |= 1u << i;
      return true;
    }
    xc_near_miss_offer(&miss, words[i]);
  }
  const char *near = xc_near_miss_get(&miss);
  return near ? xc_target_value_error(
                    s,
                    "'%s' has an unknown entry '%s', did you mean "
                    "'%s'?",
                    key->path, word, near)
              : xc_target_value_error(s, "'%s' has an unknown entry '%s'",
                                      key->path, word);
}

static bool read_set(xc_target_value *s, const xc_target_key *key,
                     json_t *value) {
  if (!json_is_array(value))
    return type_error(s, key, value, "a list of strings");
  XcDpuSet set = 0;
  for (size_t i = 0; i < json_array_size(value); ++i) {
    s->path.index[s->path.depth++] = i;
    if (!read_word(s, key, json_array_get(value, i), &set))
      return false;
    --s->path.depth;
  }
  *(XcDpuSet *)member_of(s, key) = set;
  return true;
}

/// Calls a reader for each of at least one and at most `most` entries.
static bool read_list(xc_target_value *s, const xc_target_key *key,
                      const json_t *value, const char *expected, size_t most,
                      bool (*read)(xc_target_value *s, const xc_target_key *key,
                                   const json_t *entry, size_t index)) {
  size_t count = json_array_size(value);
  if (!json_is_array(value))
    return type_error(s, key, value, expected);
  if (count < 1 || count > most)
    return xc_target_value_error(s, "'%s' has %zu entries, expected 1 to %zu",
                                 key->path, count, most);
  for (size_t i = 0; i < count; ++i) {
    s->path.index[s->path.depth++] = i;
    if (!read(s, key, json_array_get(value, i), i))
      return false;
    --s->path.depth;
  }
  return true;
}

static bool read_register(xc_target_value *s, const xc_target_key *key,
                          const json_t *value, size_t index) {
  int64_t number = 0;
  if (!read_integer(s, key, value, &number))
    return false;
  s->target->weightsRegister[index] = (int32_t)number;
  return true;
}

static bool read_registers(xc_target_value *s, const xc_target_key *key,
                           const json_t *value) {
  XcDpuTarget *target = s->target;
  size_t most = sizeof(target->weightsRegister) / sizeof(int32_t);
  if (!read_list(s, key, value, "a list of integers", most, read_register))
    return false;
  target->numWeightsRegisters = (int32_t)json_array_size(value);
  return true;
}

static bool read_core(xc_target_value *s, const xc_target_key *key,
                      const json_t *value, size_t index) {
  int64_t number = 0;
  if (!read_integer(s, key, value, &number))
    return false;
  s->target->coreEngines[index] = (int32_t)number;
  return true;
}

static bool read_engines(xc_target_value *s, const xc_target_key *key,
                         const json_t *value) {
  XcDpuTarget *target = s->target;
  size_t most = sizeof(target->coreEngines) / sizeof(int32_t);
  if (!read_list(s, key, value, "a list of integers", most, read_core))
    return false;
  target->numCores = (int32_t)json_array_size(value);
  return true;
}

static bool read_size(xc_target_value *s, const xc_target_key *key,
                      const json_t *value, size_t index) {
  (void)index;
  int64_t size = 0;
  if (!read_integer(s, key, value, &size))
    return false;
  *(XcDpuSet *)member_of(s, key) |= 1u << size;
  return true;
}

static bool read_sizes(xc_target_value *s, const xc_target_key *key,
                       const json_t *value) {
  *(XcDpuSet *)member_of(s, key) = 0;
  return read_list(s, key, value, "a list of integers", (size_t)key->maximum,
                   read_size);
}

static bool parse_hex(xc_target_value *s, const xc_target_key *key,
                      const json_t *value, const char *expected,
                      uint64_t *number) {
  const char *text = json_string_value(value);
  char *end = NULL;
  if (!text || strncmp(text, "0x", 2) != 0 || strlen(text) > 18)
    return type_error(s, key, value, expected);
  *number = strtoull(text + 2, &end, 16);
  if (text[2] == '\0' || *end != '\0' || strchr("+- ", text[2]))
    return xc_target_value_error(s, "'%s' is \"%s\", expected %s", key->path,
                                 text, expected);
  return true;
}

static bool read_hex(xc_target_value *s, const xc_target_key *key,
                     const json_t *value) {
  return parse_hex(s, key, value, "a string such as \"0x12ab\"",
                   member_of(s, key));
}

static bool read_fingerprint(xc_target_value *s, const xc_target_key *key,
                             const json_t *value, size_t index) {
  return parse_hex(s, key, value, "a list of strings such as \"0x12ab\"",
                   &s->target->olderFingerprints[index]);
}

static bool read_fingerprints(xc_target_value *s, const xc_target_key *key,
                              const json_t *value) {
  XcDpuTarget *target = s->target;
  size_t most = sizeof(target->olderFingerprints) / sizeof(uint64_t);
  if (!read_list(s, key, value, "a list of strings such as \"0x12ab\"", most,
                 read_fingerprint))
    return false;
  target->numOlderFingerprints = (int32_t)json_array_size(value);
  return true;
}

static bool read_string(xc_target_value *s, const xc_target_key *key,
                        const json_t *value) {
  if (!json_is_string(value))
    return type_error(s, key, value, "a string");
  const char *text = json_string_value(value);
  size_t length = json_string_length(value);
  if (length == 0)
    return xc_target_value_error(s, "'%s' is empty", key->path);
  for (size_t i = 0; i < length; ++i)
    if ((unsigned char)text[i] < ' ')
      return xc_target_value_error(s, "'%s' contains a control character",
                                   key->path);
  *(const char **)member_of(s, key) = xc_arena_string(s->arena, text, length);
  return true;
}

bool xc_target_read_value(xc_target_value *s, const xc_target_key *key,
                          json_t *value) {
  int64_t number = 0;
  switch (key->kind) {
  case XC_TARGET_String:
    return read_string(s, key, value);
  case XC_TARGET_Int:
    if (!read_integer(s, key, value, &number))
      return false;
    *(int32_t *)member_of(s, key) = (int32_t)number;
    return true;
  case XC_TARGET_Int64:
    return read_integer(s, key, value, member_of(s, key));
  case XC_TARGET_Flag:
    if (!json_is_boolean(value))
      return type_error(s, key, value, "true or false");
    *(bool *)member_of(s, key) = json_is_true(value);
    return true;
  case XC_TARGET_Hex64:
    return read_hex(s, key, value);
  case XC_TARGET_Range:
  case XC_TARGET_Pad:
    return read_range(s, key, value);
  case XC_TARGET_Activations:
  case XC_TARGET_AluModes:
  case XC_TARGET_ElementwiseKinds:
  case XC_TARGET_PoolKinds:
    return read_set(s, key, value);
  case XC_TARGET_Sizes:
    return read_sizes(s, key, value);
  case XC_TARGET_Registers:
    return read_registers(s, key, value);
  case XC_TARGET_Engines:
    return read_engines(s, key, value);
  case XC_TARGET_Fingerprints:
    return read_fingerprints(s, key, value);
  }
  return false;
}
