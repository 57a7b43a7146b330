//===- Import.c - what the importers share --------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Import.h"

#include "IR/Function.h"
#include "IR/IR.h"

#include "Support/Diag.h"
#include "Support/Memory.h"
#include "xc-c/Dialects.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Func.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool xc_import_failed(const xc_import *import) {
  return import->diag->numErrors != import->errors_before;
}

bool xc_import_error(xc_import *import, const char *format, ...) {
  if (xc_import_failed(import))
    return false;
  xc_text text = {0};
  if (import->what.length)
    xc_text_printf(&text, "%s: ", xc_text_str(&import->what));
  va_list arguments;
  va_start(arguments, format);
  xc_text_vprintf(&text, format, arguments);
  va_end(arguments);
  xc_file_error(import->diag, import->file, "%s", xc_text_str(&text));
  xc_text_free(&text);
  return false;
}

static void append(MlirStringRef piece, void *text) {
  xc_text_append(text, piece.data, piece.length);
}

// What verifier and shape rules report while operators are built.
static MlirLogicalResult forward(MlirDiagnostic diagnostic, void *import) {
  if (mlirDiagnosticGetSeverity(diagnostic) != MlirDiagnosticError)
    return mlirLogicalResultSuccess();
  xc_text text = {0};
  mlirDiagnosticPrint(diagnostic, append, &text);
  xc_import_error(import, "%s", xc_text_str(&text));
  xc_text_free(&text);
  return mlirLogicalResultSuccess();
}

static void make_function(xc_import *import) {
  MlirContext context = import->context;
  MlirLocation location = mlirLocationUnknownGet(context);
  import->module = mlirModuleCreateEmpty(location);
  import->block = mlirBlockCreate(0, NULL, NULL);
  // The real name and type come when they are known.
  import->function = xc_function_create(
      location, "main", NULL, mlirFunctionTypeGet(context, 0, NULL, 0, NULL),
      import->block, NULL, 0);
  mlirBlockAppendOwnedOperation(mlirModuleGetBody(import->module),
                                import->function);
  import->builder = xc_builder_at_end(import->block);
}

void xc_import_begin(xc_import *import, XcDiag *diag, MlirContext context,
                     const char *file, const XcImportOptions *options) {
  *import = (xc_import){.diag = diag,
                        .file = file,
                        .context = context,
                        .errors_before = diag->numErrors};
  if (options)
    import->options = *options;
  import->handler =
      mlirContextAttachDiagnosticHandler(context, forward, import, NULL);
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__func__(), context);
  // A context with foreign dialects of our names has been reported by now.
  (void)xcRegisterDialects(context);
  make_function(import);
}

// The name of an option "NAME=value" ends at the last '='.
static size_t name_length(const char *option) {
  const char *equals = strrchr(option, '=');
  return equals ? (size_t)(equals - option) : strlen(option);
}

static bool names(const char *option, const char *name) {
  size_t length = name_length(option);
  return strlen(name) == length && memcmp(option, name, length) == 0;
}

static bool parse_dims(const char *text, xc_shape *shape) {
  const int64_t largest = INT32_MAX;
  shape->rank = 0;
  if (*text == '\0')
    return true; // a scalar
  for (;;) {
    int64_t size = 0;
    if (*text < '0' || *text > '9' || shape->rank == XC_MAX_RANK)
      return false;
    for (; *text >= '0' && *text <= '9'; ++text) {
      size = 10 * size + (*text - '0');
      if (size > largest)
        return false;
    }
    shape->dims[shape->rank++] = size;
    if (size == 0)
      return false;
    if (*text == '\0')
      return true;
    if (*text++ != 'x')
      return false;
  }
}

bool xc_import_input_shape(xc_import *import, const char *name, xc_shape *shape,
                           bool *given) {
  *given = false;
  for (size_t i = 0; i < import->options.numInputShapes; ++i) {
    const char *option = import->options.inputShapes[i];
    if (!names(option, name))
      continue;
    size_t length = name_length(option);
    if (option[length] == '\0' || !parse_dims(option + length + 1, shape))
      return xc_import_error(import,
                             "input shape '%s' has the wrong form, expected "
                             "for example '%s=1x224x224x3' with at most %d "
                             "dimensions from 1 to 2147483647",
                             option, name, XC_MAX_RANK);
    *given = true;
  }
  return true;
}

xc_builder xc_import_builder(const xc_import *import, const char *name) {
  return xc_builder_at(
      &import->builder,
      mlirLocationNameGet(import->context, xc_ref(name),
                          mlirLocationUnknownGet(import->context)));
}

MlirValue xc_import_argument(xc_import *import, const char *name,
                             const xc_shape *shape) {
  xc_grow((void **)&import->input_names, &import->input_capacity,
          import->num_inputs + 1, sizeof(*import->input_names));
  import->input_names[import->num_inputs++] =
      mlirStringAttrGet(import->context, xc_ref(name));
  return mlirBlockAddArgument(import->block,
                              xc_type_of_shape(import->context, shape),
                              xc_import_builder(import, name).location);
}

// An option for an input that the model does not have is a mistake.
static bool check_option(xc_import *import, const char *option) {
  xc_text inputs = {0};
  for (size_t i = 0; i < import->num_inputs; ++i) {
    MlirStringRef name = mlirStringAttrGetValue(import->input_names[i]);
    if (name.length == name_length(option) &&
        memcmp(name.data, option, name.length) == 0) {
      xc_text_free(&inputs);
      return true;
    }
    xc_text_printf(&inputs, "%s'%.*s'", i ? ", " : "", (int)name.length,
                   name.data);
  }
  xc_import_error(import, "input shape '%s' names no input; there %s %s",
                  option, import->num_inputs == 1 ? "is" : "are",
                  import->num_inputs ? xc_text_str(&inputs) : "none");
  xc_text_free(&inputs);
  return false;
}

static void set_attribute(const xc_import *import, const char *name,
                          MlirAttribute value) {
  mlirOperationSetAttributeByName(import->function, xc_ref(name), value);
}

static void set_type(xc_import *import, const MlirValue *results,
                     size_t count) {
  size_t num_inputs = import->num_inputs;
  MlirType *types = xc_alloc_array(num_inputs + count, sizeof(*types));
  for (size_t i = 0; i < num_inputs; ++i)
    types[i] =
        mlirValueGetType(mlirBlockGetArgument(import->block, (intptr_t)i));
  for (size_t i = 0; i < count; ++i)
    types[num_inputs + i] = mlirValueGetType(results[i]);
  set_attribute(import, "function_type",
                mlirTypeAttrGet(mlirFunctionTypeGet(
                    import->context, (intptr_t)num_inputs, types,
                    (intptr_t)count, types + num_inputs)));
  free(types);
}

static MlirAttribute name_array(const xc_import *import,
                                const char *const *strings, size_t count) {
  MlirAttribute *entries = xc_alloc_array(count, sizeof(*entries));
  for (size_t i = 0; i < count; ++i)
    entries[i] = mlirStringAttrGet(import->context, xc_ref(strings[i]));
  MlirAttribute array =
      mlirArrayAttrGet(import->context, (intptr_t)count, entries);
  free(entries);
  return array;
}

bool xc_import_return(xc_import *import, const char *function,
                      const MlirValue *results, const char *const *result_names,
                      size_t count) {
  for (size_t i = 0; i < import->options.numInputShapes; ++i)
    if (!check_option(import, import->options.inputShapes[i]))
      return false;
  MlirContext context = import->context;
  set_attribute(import, "sym_name",
                mlirStringAttrGet(context, xc_ref(function)));
  set_attribute(import, "input_names",
                mlirArrayAttrGet(context, (intptr_t)import->num_inputs,
                                 import->input_names));
  set_attribute(import, "input_num",
                mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64),
                                   (int64_t)import->num_inputs));
  set_attribute(import, "output_names",
                name_array(import, result_names, count));
  set_type(import, results, count);
  xc_build_return(&import->builder, results, count);
  return true;
}

MlirModule xc_import_end(xc_import *import, bool ok) {
  assert((ok || xc_import_failed(import)) && "a failure has been reported");
  mlirContextDetachDiagnosticHandler(import->context, import->handler);
  free(import->input_names);
  xc_text_free(&import->what);
  if (ok && !xc_import_failed(import))
    return import->module;
  mlirModuleDestroy(import->module);
  return (MlirModule){NULL};
}
