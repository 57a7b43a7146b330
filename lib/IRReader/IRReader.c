//===- IRReader.c - MLIR text and bytecode from anybody -------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "Bytecode.h"
#include "BytecodeProcess.h"
#include "UnreportedError.h"

#include "Support/Diag.h"
#include "Support/Memory.h"
#include "Support/Text.h"
#include "dialects/Verify.h"
#include "xc-c/Dialects.h"

#include "mlir-c/RegisterEverything.h"

#include <stdlib.h>
#include <string.h>

MlirContext xc_context_create(bool threads) {
  MlirContext context = mlirContextCreateWithThreading(threads);
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  mlirContextAppendDialectRegistry(context, registry);
  mlirDialectRegistryDestroy(registry);
  mlirRegisterAllLLVMTranslations(context);
  xcRegisterDialects(context);
  // Our passes build operations of these.
  static const char *const needed[] = {"func", "memref", "arith"};
  for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); ++i)
    mlirContextGetOrLoadDialect(context,
                                mlirStringRefCreateFromCString(needed[i]));
  return context;
}

bool xc_is_bytecode(const xc_source *input) {
  return input->size >= 4 && memcmp(input->data, "ML\xefR", 4) == 0;
}

//===----------------------------------------------------------------------===//
// Locations
//===----------------------------------------------------------------------===//

// A module that is parsed with an implicit top level has no file name: its
// locations say "-" and count lines from the start of the text.
static MlirLocation named_location(MlirLocation location,
                                   const xc_source *input) {
  if (!mlirLocationIsAFileLineColRange(location))
    return location;
  MlirStringRef file =
      mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(location));
  if (file.length != 1 || file.data[0] != '-')
    return location;
  return mlirLocationFileLineColGet(
      mlirLocationGetContext(location),
      mlirStringRefCreateFromCString(input->name),
      (unsigned)mlirLocationFileLineColRangeGetStartLine(location) +
          input->first_line - 1,
      (unsigned)mlirLocationFileLineColRangeGetStartColumn(location));
}

static void name_block_arguments(MlirBlock block, const xc_source *input) {
  intptr_t count = mlirBlockGetNumArguments(block);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue argument = mlirBlockGetArgument(block, i);
    mlirBlockArgumentSetLocation(
        argument, named_location(mlirValueGetLocation(argument), input));
  }
}

static MlirWalkResult name_location(MlirOperation operation, void *user_data) {
  const xc_source *input = user_data;
  mlirOperationSetLocation(
      operation, named_location(mlirOperationGetLocation(operation), input));
  intptr_t regions = mlirOperationGetNumRegions(operation);
  for (intptr_t i = 0; i < regions; ++i)
    for (MlirBlock block =
             mlirRegionGetFirstBlock(mlirOperationGetRegion(operation, i));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      name_block_arguments(block, input);
  return MlirWalkResultAdvance;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static MlirOperation parse_module(MlirContext context, const xc_source *input) {
  MlirModule module = mlirModuleCreateParse(
      context, mlirStringRefCreate((const char *)input->data, input->size));
  if (mlirModuleIsNull(module))
    return (MlirOperation){NULL};
  MlirOperation operation = mlirModuleGetOperation(module);
  mlirOperationWalk(operation, name_location, (void *)input, MlirWalkPreOrder);
  return operation;
}

// Without an implicit module the parser takes a name; lines of a later chunk
// are made right by empty ones before the text.
static MlirOperation parse_operation(MlirContext context,
                                     const xc_source *input) {
  size_t lines = input->first_line - 1;
  MlirStringRef name = mlirStringRefCreateFromCString(input->name);
  if (lines == 0)
    return mlirOperationCreateParse(
        context, mlirStringRefCreate((const char *)input->data, input->size),
        name);
  char *text = xc_alloc(lines + input->size + 1);
  memset(text, '\n', lines);
  memcpy(text + lines, input->data, input->size);
  MlirOperation operation = mlirOperationCreateParse(
      context, mlirStringRefCreate(text, lines + input->size), name);
  free(text);
  return operation;
}

static MlirOperation parse(MlirContext context, const xc_source *input,
                           const xc_read_options *options) {
  return options->no_implicit_module ? parse_operation(context, input)
                                     : parse_module(context, input);
}

//===----------------------------------------------------------------------===//
// Bytecode
//===----------------------------------------------------------------------===//

static void append_text(MlirStringRef piece, void *text) {
  xc_text_append(text, piece.data, piece.length);
}

// Keeps the first error: MLIR's reader gives no place in the file.
static MlirLogicalResult keep_error(MlirDiagnostic diagnostic,
                                    void *user_data) {
  xc_text *error = user_data;
  if (mlirDiagnosticGetSeverity(diagnostic) != MlirDiagnosticError)
    return mlirLogicalResultFailure();
  if (!error->length)
    mlirDiagnosticPrint(diagnostic, append_text, error);
  return mlirLogicalResultSuccess();
}

static MlirOperation parse_elsewhere(MlirContext context,
                                     const xc_source *input,
                                     const xc_read_options *options,
                                     xc_text *error) {
  xc_text text = {0};
  MlirOperation operation = {NULL};
  if (xc_bytecode_to_text(input, options, &text, error)) {
    const xc_source module = {input->name, (const unsigned char *)text.data,
                              text.length, 1};
    operation = parse(context, &module, options);
  }
  xc_text_free(&text);
  return operation;
}

static MlirOperation read_bytecode(MlirContext context, XcDiag *diag,
                                   const xc_source *input,
                                   const xc_read_options *options) {
  xc_text error = {0};
  MlirDiagnosticHandlerID handler =
      mlirContextAttachDiagnosticHandler(context, keep_error, &error, NULL);
  MlirOperation operation = {NULL};
  bool is_foreign = false;
  if (xcGetTrustBytecode() ||
      xc_check_bytecode(context, input, options, &is_foreign, &error))
    operation = is_foreign ? parse_elsewhere(context, input, options, &error)
                           : parse(context, input, options);
  mlirContextDetachDiagnosticHandler(context, handler);
  if (mlirOperationIsNull(operation))
    xc_file_error(diag, input->name, "malformed bytecode: %s",
                  error.length ? xc_text_str(&error) : "it could not be read");
  xc_text_free(&error);
  return operation;
}

// The parser reads up to a zero byte; chunks end before the next marker.
static char *terminated_copy(const xc_source *input) {
  char *text = xc_alloc_aligned(input->size + 1, XC_BYTECODE_ALIGNMENT);
  memcpy(text, input->data, input->size);
  text[input->size] = 0;
  return text;
}

MlirOperation xc_read_ir(MlirContext context, XcDiag *diag,
                         const xc_source *input,
                         const xc_read_options *options) {
  const MlirOperation none = {NULL};
  bool is_bytecode = xc_is_bytecode(input);
  if (!is_bytecode &&
      (!xc_check_text(diag, input) || !xc_check_nesting(diag, input)))
    return none;
  mlirContextSetAllowUnregisteredDialects(context, options->allow_unregistered);
  bool is_in_place = options->is_terminated && !is_bytecode;
  char *copy = is_in_place ? NULL : terminated_copy(input);
  xc_source chunk = *input;
  if (copy)
    chunk.data = (const unsigned char *)copy;
  unsigned errors = diag->numErrors;
  MlirOperation operation = is_bytecode
                                ? read_bytecode(context, diag, &chunk, options)
                                : parse(context, &chunk, options);
  if (mlirOperationIsNull(operation) && diag->numErrors == errors)
    xc_report_unreported(context, diag, &chunk);
  free(copy);
  if (mlirOperationIsNull(operation))
    return none;
  if (xc_verify_nested(operation))
    return operation;
  mlirOperationDestroy(operation);
  return none;
}
