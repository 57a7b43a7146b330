//===- Header.c - a C header for object code ------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CPU.h"

#include "Support/Text.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

static void print_buffers(xc_text *text, const char *what, size_t count,
                          const int64_t *bytes, const char *const *notes) {
  for (size_t i = 0; i < count; ++i) {
    xc_text_printf(text, "//   %s[%zu]: %" PRId64 " bytes", what, i, bytes[i]);
    if (*notes[i])
      xc_text_printf(text, ", %s", notes[i]);
    xc_text_puts(text, "\n");
  }
}

static void print_bytes(xc_text *text, const XcCpuFunction *f,
                        const char *which, size_t count, const int64_t *bytes) {
  xc_text_printf(text, "  %s_num_%ss = %zu,\n", f->symbol, which, count);
  for (size_t i = 0; i < count; ++i)
    xc_text_printf(text, "  %s_%s_%zu_bytes = %" PRId64 ",\n", f->symbol, which,
                   i, bytes[i]);
}

// Prints a name in a comment of one line.
static void print_name(xc_text *text, const char *name) {
  for (; *name; ++name) {
    char c = isprint((unsigned char)*name) ? *name : '?';
    xc_text_append(text, &c, 1);
  }
}

static void print_function(xc_text *text, const XcCpuFunction *f) {
  xc_text_puts(text, "// Function '");
  print_name(text, f->name);
  xc_text_puts(text, "' of the model.\n");
  print_buffers(text, "inputs", f->numInputs, f->inputBytes, f->inputNotes);
  print_buffers(text, "outputs", f->numOutputs, f->outputBytes, f->outputNotes);
  xc_text_printf(text,
                 "// Returns 0, or what was wrong with the data: 1 after a "
                 "division of an integer by\n// zero, 2 after an index outside "
                 "of its dimension.\n"
                 "int32_t %s(const void *const *inputs, void *const *outputs, "
                 "void *arena,\n               const void *params);\n",
                 f->symbol);
  xc_text_puts(text, "enum {\n");
  print_bytes(text, f, "input", f->numInputs, f->inputBytes);
  print_bytes(text, f, "output", f->numOutputs, f->outputBytes);
  xc_text_printf(text, "  %s_arena_bytes = %" PRId64 ",\n};\n\n", f->symbol,
                 f->arenaBytes);
}

static void print_params(xc_text *text, const XcCpuCode *code) {
  xc_text_printf(text, "enum { %s_bytes = %zu };\n", code->params_symbol,
                 code->params_size);
  if (code->params_size == 0)
    xc_text_puts(text, "// There are no parameters: pass any pointer.\n");
  else if (code->embeds_params)
    xc_text_printf(text, "extern const unsigned char %s[%s_bytes];\n",
                   code->params_symbol, code->params_symbol);
  else
    xc_text_puts(text, "// The parameters are in a file of their own.\n");
}

// A program that uses the header of other options would allocate too little.
static void print_build(xc_text *text, const XcCpuCode *code) {
  if (!code->build_symbol)
    return;
  xc_text_printf(text,
                 "\n// Links only with an object whose buffers have these "
                 "sizes, as one has that is\n"
                 "// made with the same options (--mcpu, --threads). A program "
                 "that loads a library\n"
                 "// by itself defines XC_NO_BUILD_CHECK.\n"
                 "#ifndef XC_NO_BUILD_CHECK\n"
                 "extern const unsigned char %s;\n"
                 "#ifdef __GNUC__\n"
                 "__attribute__((used))\n"
                 "#endif\n"
                 "static const unsigned char *const %s_build = &%s;\n"
                 "#endif\n",
                 code->build_symbol, code->params_symbol, code->build_symbol);
}

char *xcCpuCodePrintHeader(const XcCpuCode *code) {
  xc_text text = {0};
  xc_text_printf(&text,
                 "// Compiled by xc %s for %s, %s.\n//\n"
                 "// Buffers are dense and row-major. 'arena' and 'params' are "
                 "aligned to %d bytes;\n// one arena serves one call at a "
                 "time.\n\n"
                 "#ifndef %s_H\n#define %s_H\n\n#include <stdint.h>\n\n"
                 "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n",
                 xcVersion(), code->target.triple, code->target.cpu,
                 XC_CPU_ALIGNMENT, code->params_symbol, code->params_symbol);
  for (size_t i = 0; i < code->num_functions; ++i)
    print_function(&text, &code->functions[i]);
  print_params(&text, code);
  print_build(&text, code);
  xc_text_printf(&text, "\n#ifdef __cplusplus\n}\n#endif\n\n#endif // %s_H\n",
                 code->params_symbol);
  return text.data;
}
