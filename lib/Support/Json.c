//===- Json.c - JSON of texts that come from files ------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Json.h"

#include "Memory.h"

#include <stdlib.h>
#include <string.h>

json_t *xc_json_text(const char *string) {
  json_t *value = json_string(string);
  if (value)
    return value;
  size_t length = strlen(string);
  char *ascii = xc_alloc(length + 1);
  for (size_t i = 0; i < length; ++i)
    ascii[i] = (unsigned char)string[i] < 0x80 ? string[i] : '?';
  value = json_string(ascii);
  free(ascii);
  return value;
}

json_t *xc_json_bytes(const char *data, size_t length) {
  char *copy = xc_alloc(length + 1);
  if (length > 0)
    memcpy(copy, data, length);
  json_t *value = xc_json_text(copy);
  free(copy);
  return value;
}

double xc_json_number(const json_t *object, const char *key) {
  return json_number_value(json_object_get(object, key));
}

const char *xc_json_string(const json_t *object, const char *key) {
  const char *value = json_string_value(json_object_get(object, key));
  return value ? value : "";
}
