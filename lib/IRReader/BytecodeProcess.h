//===- BytecodeProcess.h - bytecode that another process reads ----*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_IRREADER_BYTECODEPROCESS_H
#define XC_IRREADER_BYTECODEPROCESS_H

#include "IRReader.h"

#include "Support/Text.h"

/// Lets the xc-opt beside the running program read bytecode, and gives the
/// module as text with its locations. False, with the reason in `error`, when
/// it refuses the file or does not survive it.
bool xc_bytecode_to_text(const xc_source *input, const xc_read_options *options,
                         xc_text *text, xc_text *error);

#endif // XC_IRREADER_BYTECODEPROCESS_H
