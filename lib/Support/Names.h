//===- Names.h - names of models in paths and on terminals --------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names of graphs, operators and tensors come from files and hold any bytes.
//
//===----------------------------------------------------------------------===//

#ifndef XC_SUPPORT_NAMES_H
#define XC_SUPPORT_NAMES_H

#include "Text.h"

#include <stdio.h>

/// Appends a name as a part of a file name: letters, digits and `-_.+` stay,
/// others become `_`. Where that or the length of the name changes it, a
/// checksum follows, so that different names give different files. Begins with
/// no dot and has at most 100 bytes.
void xc_text_file_name(xc_text *text, const char *name, size_t length);

/// Returns the number of bytes at `at` that stand between two parts of a name;
/// 0 if none do.
size_t xc_name_separator(const char *at);

enum { XC_NAME_SUM_SIZE = 10 };
/// '#' and a checksum of a name, to tell it from others; returns the length.
size_t xc_name_sum(const char *name, size_t length, char sum[XC_NAME_SUM_SIZE]);

/// Appends text for a terminal: control characters, which could move the cursor
/// or hide what stands there, become `\x1b`. `keeps_lines`: newlines and tabs
/// stay.
void xc_text_printable(xc_text *text, const char *data, size_t length,
                       bool keeps_lines);

/// printf for text with names in it: the same, newlines and tabs stay.
void xc_print(FILE *stream, const char *format, ...) XC_PRINTF_FORMAT(2, 3);

#endif // XC_SUPPORT_NAMES_H
