//===- Replay.c - runs a fuzz target on files -----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"

#include "Support/File.h"

int main(int argc, char **argv) {
  XcDiag diag = {0};
  for (int i = 1; i < argc; ++i) {
    xc_buffer buffer;
    if (!xc_read_file(&diag, argv[i], &buffer))
      return EXIT_FAILURE;
    LLVMFuzzerTestOneInput(buffer.data, buffer.size);
    xc_buffer_free(&buffer);
  }
  printf("%d inputs\n", argc - 1);
  return EXIT_SUCCESS;
}
