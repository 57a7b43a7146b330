//===- Load.c - model files of any format ---------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Load.h"

#include "IR/IR.h"
#include "IRReader/IRReader.h"
#include "Support/Diag.h"
#include "Support/Text.h"
#include "dialects/Adaptor.h"

#include "mlir-c/BuiltinAttributes.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

typedef MlirModule (*importer)(XcDiag *diag, MlirContext context,
                               const char *path, const void *data, size_t size,
                               const XcImportOptions *options);

static MlirModule read_mlir(XcDiag *diag, MlirContext context, const char *path,
                            const void *data, size_t size,
                            const XcImportOptions *options) {
  (void)options;
  xc_source input = {path, data, size, 1};
  xc_read_options read = {.only_models = true};
  MlirOperation operation = xc_read_ir(context, diag, &input, &read);
  if (mlirOperationIsNull(operation))
    return (MlirModule){NULL};
  MlirModule module = mlirModuleFromOperation(operation);
  if (mlirModuleIsNull(module)) {
    xc_file_error(diag, path, "the input is no module");
    mlirOperationDestroy(operation);
  }
  return module;
}

typedef struct model_format {
  const char *suffix;
  const char *magic; // or null
  size_t magic_offset;
  importer import;
  xc_model_layout layout;
} model_format;

// ONNX and xmodel files are protocol buffers, which do not say of what.
static const model_format formats[] = {
    {".tflite", "TFL3", 4, xcImportTflite, XC_MODEL_LAYOUT_NHWC},
    {".mlirbc", "ML\xefR", 0, read_mlir, XC_MODEL_LAYOUT_OPEN},
    {".mlir", NULL, 0, read_mlir, XC_MODEL_LAYOUT_OPEN},
    {".onnx", NULL, 0, xcImportOnnx, XC_MODEL_LAYOUT_NCHW},
    {".xmodel", NULL, 0, xcImportXModel, XC_MODEL_LAYOUT_NHWC},
    {".prototxt", NULL, 0, xcImportCaffe, XC_MODEL_LAYOUT_NCHW},
    {".pb", NULL, 0, xcImportTensorFlow, XC_MODEL_LAYOUT_NHWC},
};
enum { NUM_FORMATS = sizeof(formats) / sizeof(*formats) };

static bool has_magic(const model_format *format, const xc_buffer *file) {
  if (!format->magic)
    return false;
  size_t length = strlen(format->magic);
  return file->size >= format->magic_offset + length &&
         memcmp(file->data + format->magic_offset, format->magic, length) == 0;
}

static bool has_suffix(const model_format *format, const char *path) {
  size_t length = strlen(path), tail = strlen(format->suffix);
  return length > tail && strcmp(path + length - tail, format->suffix) == 0;
}

static const model_format *find_format(const char *path,
                                       const xc_buffer *file) {
  for (size_t i = 0; file && i < NUM_FORMATS; ++i)
    if (has_magic(&formats[i], file))
      return &formats[i];
  for (size_t i = 0; i < NUM_FORMATS; ++i)
    if (has_suffix(&formats[i], path))
      return &formats[i];
  return NULL;
}

bool xc_model_is_known(const char *path) { return find_format(path, NULL); }

xc_model_layout xc_model_layout_of(const char *path, const xc_buffer *file) {
  const model_format *format = find_format(path, file);
  return format ? format->layout : XC_MODEL_LAYOUT_OPEN;
}

bool xc_model_is_container(const char *path, const xc_buffer *file) {
  const model_format *format = find_format(path, file);
  return format && format->import == xcImportXModel;
}

//===----------------------------------------------------------------------===//
// Pictures
//===----------------------------------------------------------------------===//

bool xc_model_preprocess(XcDiag *diag, const char *file, MlirOperation function,
                         xc_preprocess *preprocess) {
  *preprocess = (xc_preprocess){0};
  MlirAttribute found = xc_op_attribute(function, XC_PREPROCESS);
  if (mlirAttributeIsNull(found) || !mlirAttributeIsAString(found))
    return true;
  MlirStringRef text = mlirStringAttrGetValue(found);
  return xc_preprocess_parse(diag, file, text.data, text.length, preprocess);
}

/// Later formats of the model do not tell the layout of this one.
static bool keep_in_function(XcDiag *diag, const model_format *format,
                             const char *path, MlirOperation function,
                             const XcPictureOptions *given) {
  xc_preprocess how;
  if (!xc_model_preprocess(diag, path, function, &how) ||
      !xc_preprocess_apply(diag, given, &how))
    return false;
  if (how.layout == XC_LAYOUT_OPEN && format->layout == XC_MODEL_LAYOUT_NCHW)
    how.layout = XC_LAYOUT_NCHW;
  if (how.layout == XC_LAYOUT_OPEN && format->layout == XC_MODEL_LAYOUT_NHWC)
    how.layout = XC_LAYOUT_NHWC;
  xc_text text = {0};
  xc_preprocess_print(&how, &text);
  mlirOperationSetAttributeByName(
      function, xc_ref(XC_PREPROCESS),
      mlirStringAttrGet(mlirOperationGetContext(function),
                        xc_ref(xc_text_str(&text))));
  xc_text_free(&text);
  return true;
}

/// What the command line says of pictures becomes part of the model.
static bool keep_options(XcDiag *diag, const model_format *format,
                         const char *path, MlirModule module,
                         const XcPictureOptions *given) {
  xc_preprocess any = {0};
  if (!xc_preprocess_apply(diag, given, &any))
    return false;
  if (xc_preprocess_is_empty(&any))
    return true;
  for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (xc_op_is(op, "func.func") &&
        mlirAttributeIsNull(xc_op_attribute(op, "sym_visibility")) &&
        !keep_in_function(diag, format, path, op, given))
      return false;
  return true;
}

static MlirModule import_with(XcDiag *diag, const model_format *format,
                              MlirContext context, const char *path,
                              const xc_buffer *file,
                              const XcImportOptions *options) {
  MlirModule module =
      format->import(diag, context, path, file->data, file->size, options);
  if (mlirModuleIsNull(module) ||
      keep_options(diag, format, path, module, &options->pictures))
    return module;
  mlirModuleDestroy(module);
  return (MlirModule){NULL};
}

MlirModule xc_model_load(XcDiag *diag, MlirContext context, const char *path,
                         const xc_buffer *file,
                         const XcImportOptions *options) {
  const model_format *format = find_format(path, file);
  if (format)
    return import_with(diag, format, context, path, file, options);
  xc_text known = {0};
  for (size_t i = 0; i < NUM_FORMATS; ++i)
    xc_text_printf(&known, i ? ", %s" : "%s", formats[i].suffix);
  xc_file_error(diag, path,
                "neither contents nor name tell the format, expected a name "
                "with one of %s",
                xc_text_str(&known));
  xc_text_free(&known);
  return (MlirModule){NULL};
}

XcImportOptions xc_import_options(const xc_import_arguments *arguments) {
  return (XcImportOptions){.inputShapes = arguments->input_shapes.items,
                           .numInputShapes = arguments->input_shapes.count,
                           .inputs = arguments->inputs.items,
                           .numInputs = arguments->inputs.count,
                           .outputs = arguments->outputs.items,
                           .numOutputs = arguments->outputs.count,
                           .binds = arguments->binds.items,
                           .numBinds = arguments->binds.count,
                           .randomWeights = arguments->random_weights >= 0,
                           .seed = (uint64_t)arguments->random_weights,
                           .caffemodel = arguments->caffemodel,
                           .keepQdq = arguments->keep_qdq,
                           .dequantizeWeights = arguments->dequantize_weights,
                           .allowCustom = arguments->allow_custom,
                           .pictures = arguments->pictures};
}

//===----------------------------------------------------------------------===//
// Rounding
//===----------------------------------------------------------------------===//

static MlirWalkResult set_rounding(MlirOperation operation, void *word) {
  static const char name[] = "round_mode";
  const xc_op_info *info = xc_op_info_of(operation);
  if (info && xc_attribute_info_find(info, name, strlen(name)))
    mlirOperationSetAttributeByName(
        operation, mlirStringRefCreateFromCString(name),
        mlirStringAttrGet(mlirOperationGetContext(operation),
                          mlirStringRefCreateFromCString(word)));
  return MlirWalkResultAdvance;
}

bool xc_model_set_rounding(XcDiag *diag, MlirModule module,
                           const char *rounding) {
  static const char *const words[][2] = {
      {"dpu", "DPU_ROUND"}, {"std", "STD_ROUND"}, {"py3", "PY3_ROUND"}};
  for (size_t i = 0; i < sizeof(words) / sizeof(*words); ++i)
    if (strcmp(words[i][0], rounding) == 0) {
      mlirOperationWalk(mlirModuleGetOperation(module), set_rounding,
                        (void *)words[i][1], MlirWalkPreOrder);
      return true;
    }
  return xc_file_error(diag, NULL, "rounding '%s' is none of dpu, std and py3",
                       rounding);
}
