//===- Dump.c - IR dumps --------------------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "Dump.h"

#include "Support/Names.h"

#include "mlir-c/BuiltinAttributes.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static void print_piece(MlirStringRef piece, void *stream) {
  fwrite(piece.data, 1, piece.length, stream);
}

static MlirOperation top_of(MlirOperation operation) {
  for (;;) {
    MlirOperation parent = mlirOperationGetParentOperation(operation);
    if (mlirOperationIsNull(parent))
      return operation;
    operation = parent;
  }
}

static MlirStringRef symbol_of(MlirOperation operation) {
  MlirAttribute name = mlirOperationGetAttributeByName(
      operation, mlirStringRefCreateFromCString("sym_name"));
  if (mlirAttributeIsNull(name) || !mlirAttributeIsAString(name))
    return mlirStringRefCreateFromCString("");
  return mlirStringAttrGetValue(name);
}

// builtin_module_no-symbol-name/func_func_main
static void append_directory(MlirOperation operation, xc_text *path) {
  MlirOperation parent = mlirOperationGetParentOperation(operation);
  if (!mlirOperationIsNull(parent))
    append_directory(parent, path);
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
  MlirStringRef symbol = symbol_of(operation);
  if (symbol.length == 0)
    symbol = mlirStringRefCreateFromCString("no-symbol-name");
  xc_text_puts(path, "/");
  size_t start = path->length;
  xc_text_printf(path, "%.*s_", (int)name.length, name.data);
  xc_text_file_name(path, symbol.data, symbol.length);
  for (char *at = path->data + start; *at; ++at)
    if (*at == '.') // as mlir-opt writes it
      *at = '_';
}

static void make_directories(char *path) {
  for (char *at = path + 1; *at; ++at)
    if (*at == '/') {
      *at = '\0';
      mkdir(path, 0777);
      *at = '/';
    }
}

static FILE *open_tree_file(xc_instrumentation *inst,
                            const xc_pipeline_element *element,
                            MlirOperation operation) {
  xc_text path = {0};
  xc_text_puts(&path, inst->options->dump_tree_dir);
  append_directory(operation, &path);
  xc_text_printf(&path, "/%u_%s.mlir", inst->num_dumps++, element->name);
  make_directories(path.data);
  FILE *file = fopen(path.data, "w");
  if (!file)
    fprintf(stderr, "xc-opt: cannot write '%s': %s\n", path.data,
            strerror(errno));
  xc_text_free(&path);
  return file;
}

void xc_dump(xc_instrumentation *inst, const char *when,
             const xc_pipeline_element *element, MlirOperation operation) {
  FILE *file = inst->options->dump_tree_dir
                   ? open_tree_file(inst, element, operation)
                   : stderr;
  if (!file)
    return;
  const char *name = element->pass ? element->pass->name : element->name;
  fprintf(file, "// -----// IR Dump %s %s (%s)", when, name, element->name);
  MlirStringRef symbol = symbol_of(operation);
  bool module_scope = inst->options->dump_module_scope;
  if (module_scope && symbol.length)
    fprintf(file, " ('%.*s' operation: @%.*s)",
            (int)mlirIdentifierStr(mlirOperationGetName(operation)).length,
            mlirIdentifierStr(mlirOperationGetName(operation)).data,
            (int)symbol.length, symbol.data);
  fputs(" //----- //\n", file);
  mlirOperationPrintWithFlags(module_scope ? top_of(operation) : operation,
                              inst->flags, print_piece, file);
  fputs("\n\n", file);
  if (file != stderr)
    fclose(file);
}

static void hash_piece(MlirStringRef piece, void *user_data) {
  xc_fingerprint *print = user_data;
  for (size_t i = 0; i < piece.length; ++i) {
    unsigned char byte = (unsigned char)piece.data[i];
    print->low = (print->low ^ byte) * UINT64_C(0x100000001b3);
    print->high = (print->high + byte) * UINT64_C(0x9e3779b97f4a7c15);
    print->high ^= print->high >> 29;
  }
}

xc_fingerprint xc_fingerprint_of(MlirOperation operation) {
  xc_fingerprint print = {0, UINT64_C(0xcbf29ce484222325)};
  mlirOperationPrint(operation, hash_piece, &print);
  return print;
}

bool xc_fingerprint_equal(xc_fingerprint a, xc_fingerprint b) {
  return a.high == b.high && a.low == b.low;
}
