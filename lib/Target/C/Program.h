//===- Program.h - header, program and build files ----------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_C_PROGRAM_H
#define XC_TARGET_C_PROGRAM_H

#include "Module.h"

/// Prototypes, and the sizes that callers need.
void xc_c_print_header(const xc_c_module *m, xc_text *out);
/// Writes a main function that reads and writes .npy files.
void xc_c_print_program(const xc_c_module *m, xc_text *out);
void xc_c_print_cmake(const xc_c_module *m, xc_text *out);
void xc_c_print_makefile(const xc_c_module *m, xc_text *out);

#endif // XC_TARGET_C_PROGRAM_H
