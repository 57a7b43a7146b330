//===- Templates.h - files beside generated C ---------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_C_TEMPLATES_H
#define XC_TARGET_C_TEMPLATES_H

extern const char xc_c_template_main_c_in[];
extern const char xc_c_template_params_c_in[];
extern const char xc_c_template_CMakeLists_txt_in[];
extern const char xc_c_template_Makefile_in[];

#endif // XC_TARGET_C_TEMPLATES_H
