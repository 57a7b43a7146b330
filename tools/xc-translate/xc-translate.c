//===- xc-translate.c - translates one format into another ----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Translations.h"

static const xc_translation translations[] = {
#define XC_TRANSLATION(flag, function, takes_input, help)                      \
  {flag, function, takes_input, help},
#include "Translations.def"
};

int main(int argc, char **argv) {
  return xc_translate_main(argc, argv, "xc-translate", translations,
                           sizeof(translations) / sizeof(*translations));
}
