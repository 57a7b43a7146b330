//===- Json.h - JSON of texts that come from files ----------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_SUPPORT_JSON_H
#define XC_SUPPORT_JSON_H

#include <jansson.h>

/// Returns a string that JSON can hold, never null. Names come from model files
/// and command lines and need not be UTF-8, which JSON is: a text that is not
/// has '?' for every byte beyond ASCII.
json_t *xc_json_text(const char *string);
/// The same of so many bytes, up to the first zero.
json_t *xc_json_bytes(const char *data, size_t length);

/// Returns a member of an object; 0 or "" where it is missing or of another
/// kind.
double xc_json_number(const json_t *object, const char *key);
const char *xc_json_string(const json_t *object, const char *key);

#endif // XC_SUPPORT_JSON_H
