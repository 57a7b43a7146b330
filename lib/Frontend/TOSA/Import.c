//===- Import.c - modules of TOSA and tir ---------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Import.h"

#include "Conversion/TosaToTir/TosaToTir.h"
#include "Frontend/Graph/Graph.h"
#include "IR/Function.h"
#include "IRReader/IRReader.h"
#include "Support/Diag.h"
#include "xc-c/Dialects.h"
#include "xc-c/Import.h"

#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/RegisterEverything.h"

#include <stdlib.h>

static const MlirModule no_module = {NULL};

//===----------------------------------------------------------------------===//
// Open batches
//===----------------------------------------------------------------------===//

typedef struct importer {
  XcDiag *diag;
  const char *path;
  const XcImportOptions *options; // or null
  bool failed;
} importer;

static bool bad_shape(importer *im, const char *option) {
  im->failed = true;
  return xc_file_error(im->diag, im->path,
                       "input shape '%s' does not fit, expected the number of "
                       "an argument and its dimensions, for example "
                       "'0=1x224x224x3'",
                       option);
}

// Whether the dimensions are those of the type but for an open first one.
static bool fits(MlirType type, const xc_shape *shape) {
  if (!mlirTypeIsARankedTensor(type) ||
      mlirShapedTypeGetRank(type) != (int64_t)shape->rank)
    return false;
  for (size_t i = 0; i < shape->rank; ++i)
    if (mlirShapedTypeGetDimSize(type, (intptr_t)i) != shape->dims[i] &&
        (i > 0 || !mlirShapedTypeIsDynamicDim(type, (intptr_t)i)))
      return false;
  return true;
}

// Reads the batch that --input-shape gives a function, 1 when it gives none.
static bool read_batch(importer *im, MlirBlock block, int64_t *batch) {
  *batch = 1;
  for (size_t i = 0; im->options && i < im->options->numInputShapes; ++i) {
    const char *option = im->options->inputShapes[i];
    char *end;
    unsigned long index = strtoul(option, &end, 10);
    xc_shape shape;
    if (end == option || *end != '=' ||
        index >= (unsigned long)mlirBlockGetNumArguments(block) ||
        !xc_graph_parse_dims(end + 1, &shape) ||
        !fits(mlirValueGetType(mlirBlockGetArgument(block, (intptr_t)index)),
              &shape))
      return bad_shape(im, option);
    if (shape.rank > 0)
      *batch = shape.dims[0];
  }
  return true;
}

// Goes on after a function that cannot be converted: all reasons come out.
static bool convert_function(void *user_data, MlirOperation function) {
  importer *im = user_data;
  MlirRegion body = xc_function_body(function);
  int64_t batch, count = 0;
  if (mlirRegionIsNull(body))
    return true;
  if (!read_batch(im, mlirRegionGetFirstBlock(body), &batch))
    return false;
  if (!xc_convert_tosa(function, batch, &count))
    im->failed = true;
  return true;
}

static bool convert(importer *im, MlirOperation module) {
  if (xc_has_tosa(module))
    xc_for_each_function(module, convert_function, im);
  return !im->failed;
}

static MlirModule import(XcDiag *diag, MlirContext context,
                         const xc_source *input, bool is_terminated,
                         const XcImportOptions *options) {
  importer im = {diag, input->name, options, false};
  // Bytecode of TOSA is read by a process of its own.
  const xc_read_options read = {
      .only_models = true, .with_tosa = true, .is_terminated = is_terminated};
  const unsigned errors = diag->numErrors;
  MlirOperation operation = xc_read_ir(context, diag, input, &read);
  if (mlirOperationIsNull(operation))
    return no_module;
  // MLIR's parser goes on after some errors of its lexer.
  if (diag->numErrors != errors) {
    mlirOperationDestroy(operation);
    return no_module;
  }
  MlirModule module = mlirModuleFromOperation(operation);
  if (mlirModuleIsNull(module))
    xc_file_error(diag, input->name, "the input is not a module");
  else if (convert(&im, operation))
    return module;
  mlirOperationDestroy(operation);
  return no_module;
}

MlirModule xc_mlir_import(XcDiag *diag, MlirContext context, const char *path,
                          const void *data, size_t size,
                          const XcImportOptions *options) {
  const xc_source input = {path, data, size, 1};
  return import(diag, context, &input, true, options);
}

static void register_dialects(MlirContext context) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  mlirContextAppendDialectRegistry(context, registry);
  mlirDialectRegistryDestroy(registry);
  xcRegisterDialects(context);
}

MlirModule xcImportTosa(XcDiag *diag, MlirContext context, const char *path,
                        const void *data, size_t size,
                        const XcImportOptions *options) {
  register_dialects(context);
  const xc_source input = {path, data, size, 1};
  xc_diagnostic_bridge bridge = {.input = &input, .hide_notes = true};
  xc_bridge_attach(&bridge, context, diag);
  MlirModule module = import(diag, context, &input, false, options);
  xc_bridge_detach(&bridge);
  return module;
}
