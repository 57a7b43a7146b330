//===- runtime.c - a host that knows of xc-c/Runtime.h only ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: runtime MODEL: names the first input and output.
//
//===----------------------------------------------------------------------===//

#include "xc-c/Runtime.h"

#include <stdio.h>

int main(int argc, char **argv) {
  XcDiag diag = {0};
  XcModel *model = argc == 2 ? xcModelLoad(&diag, argv[1], NULL) : NULL;
  if (!model)
    return 1;
  printf("%s -> %s\n", xcModelGetInput(model, 0)->name,
         xcModelGetOutput(model, 0)->name);
  xcModelDestroy(model);
  return 0;
}
