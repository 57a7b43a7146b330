//===- ChainTest.c - compile time grows with the layers -------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ChainTest DIRECTORY [LAYERS] compiles a chain of LAYERS (1,000) layers and
// one of a tenth: ten times the layers may take ten times the processor time,
// with room for what a busy machine adds, but not a hundred times, and ten
// times the machine code. Every fourth layer adds what went in two layers
// before.
//
//===----------------------------------------------------------------------===//

#include "Support/Diag.h"
#include "Support/File.h"
#include "Support/Text.h"
#include "xc-c/Driver.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TENTH = 10, ROOM_FACTOR = 2, LARGEST_CHAIN = 100000 };

static void write_layer(xc_text *text, int64_t layer) {
  if (layer % 4 == 0) {
    xc_text_printf(text,
                   "  %%%" PRId64 " = \"tir.eltwise-fix\"(%%%" PRId64
                   ", %%%" PRId64
                   ") {type = \"ADD\", operandSegmentSizes = array<i32: 1, 1, "
                   "0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, "
                   "input_fix_point = [3 : i32, 3 : i32], "
                   "output_fix_point = 3 : i32} : (!t, !t) -> !t\n",
                   layer, layer - 1, layer - 3);
    return;
  }
  xc_text_printf(text,
                 "  %%w%" PRId64 " = \"tir.const\"() {value = dense<%" PRId64
                 "> : tensor<8x3x3x8xi8>} : () -> tensor<8x3x3x8xi8>\n"
                 "  %%%" PRId64 " = \"tir.conv2d-fix\"(%%%" PRId64
                 ", %%w%" PRId64
                 ") {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], "
                 "pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], "
                 "nonlinear = \"RELU\", input_fix_point = 3 : i32, "
                 "weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : "
                 "(!t, tensor<8x3x3x8xi8>) -> !t\n",
                 layer, layer % 100, layer, layer - 1, layer);
}

static bool write_chain(XcDiag *diag, const char *path, int64_t layers) {
  xc_text text = {0};
  xc_text_puts(&text, "!t = tensor<1x8x8x8xi8>\n"
                      "func.func @chain(%0: !t) -> !t {\n");
  for (int64_t i = 1; i <= layers; ++i)
    write_layer(&text, i);
  xc_text_printf(&text, "  return %%%" PRId64 " : !t\n}\n", layers);
  bool ok = xc_write_file(diag, path, xc_text_str(&text), text.length);
  xc_text_free(&text);
  return ok;
}

// Processor time in seconds, and the bytes of the xmodel.
typedef struct cost {
  double seconds;
  size_t bytes;
} cost;

static bool measure(XcDiag *diag, const char *directory, int64_t layers,
                    cost *result) {
  xc_text model = {0}, output = {0}, name = {0};
  xc_text_printf(&name, "chain%" PRId64, layers);
  xc_text_printf(&model, "%s/%s.mlir", directory, xc_text_str(&name));
  xc_text_printf(&output, "%s/%s.xmodel", directory, xc_text_str(&name));
  XcCompileOptions options = {.model = xc_text_str(&model),
                              .target = "DPUCZDX8G_ISA1_B512",
                              .directory = directory,
                              .name = xc_text_str(&name)};
  xc_buffer file = {0};
  bool ok = write_chain(diag, options.model, layers);
  clock_t start = clock();
  ok = ok && xcCompile(diag, &options);
  result->seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  ok = ok && xc_read_file(diag, xc_text_str(&output), &file);
  result->bytes = file.size;
  xc_buffer_free(&file);
  xc_text_free(&model);
  xc_text_free(&output);
  xc_text_free(&name);
  return ok;
}

int main(int argc, char **argv) {
  int64_t layers = argc > 2 ? strtoll(argv[2], NULL, 10) : 1000;
  XcDiag diag = {0};
  cost few, many;
  if (argc < 2 || layers < TENTH || layers > LARGEST_CHAIN ||
      !measure(&diag, argv[1], layers / TENTH, &few) ||
      !measure(&diag, argv[1], layers, &many))
    return EXIT_FAILURE;
  printf("%" PRId64 " layers: %.2f s, %zu bytes; %" PRId64
         " layers: %.2f s, %zu bytes\n",
         layers / TENTH, few.seconds, few.bytes, layers, many.seconds,
         many.bytes);
  bool time_is_linear = many.seconds <= ROOM_FACTOR * TENTH * few.seconds;
  bool code_is_linear = many.bytes <= (size_t)11 * few.bytes;
  printf("time %s, code %s\n", time_is_linear ? "linear" : "NOT LINEAR",
         code_is_linear ? "linear" : "NOT LINEAR");
  return time_is_linear && code_is_linear ? EXIT_SUCCESS : EXIT_FAILURE;
}
