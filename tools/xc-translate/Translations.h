//===- Translations.h - functions of the translations -------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TOOLS_TRANSLATIONS_H
#define XC_TOOLS_TRANSLATIONS_H

#include "Translate/Translate.h"
#include "xc-c/XModel.h"

/// A callback that writes to a FILE.
void xc_translate_write_text(void *stream, const char *text, size_t length);

/// Writes a container to the output.
void xc_translate_write_xmodel(const XcXModel *model, FILE *output);

#define XC_TRANSLATION(flag, function, takes_input, help)                      \
  bool function(const xc_translate_job *job);
#include "Translations.def"

#endif // XC_TOOLS_TRANSLATIONS_H
