//===- Load.c - model files of any format ---------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Load.h"

#include "Frontend/TOSA/Import.h"
#include "IR/IR.h"
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

//===----------------------------------------------------------------------===//
// Contents
//===----------------------------------------------------------------------===//

static bool read_varint(const xc_buffer *file, size_t *at, uint64_t *value) {
  *value = 0;
  for (unsigned shift = 0; shift < 64 && *at < file->size; shift += 7) {
    unsigned char byte = file->data[(*at)++];
    *value |= (uint64_t)(byte & 0x7f) << shift;
    if (byte < 0x80)
      return true;
  }
  return false;
}

// Whether a file is a protocol buffer with that field and type on the wire; of
// a text or bytes the place goes to `where`.
static bool has_field(const xc_buffer *file, unsigned number, unsigned wire,
                      size_t *where) {
  enum { MOST = 1 << 16, VARINT = 0, EIGHT = 1, BYTES = 2, FOUR = 5 };
  size_t at = 0;
  for (size_t count = 0; at < file->size && count < MOST; ++count) {
    uint64_t tag, length = 0;
    if (!read_varint(file, &at, &tag) || tag >> 3 == 0)
      return false;
    unsigned type = (unsigned)(tag & 7);
    if ((type == VARINT || type == BYTES) && !read_varint(file, &at, &length))
      return false;
    length = type == VARINT ? 0 : type == EIGHT ? 8 : type == FOUR ? 4 : length;
    if ((type != VARINT && type != EIGHT && type != BYTES && type != FOUR) ||
        length > file->size - at)
      return false;
    *where = at;
    if (tag >> 3 == number && type == wire)
      return true;
    at += (size_t)length;
  }
  return false;
}

static bool is_onnx(const xc_buffer *file) {
  size_t where;
  return has_field(file, 1, 0, &where) && has_field(file, 7, 2, &where);
}

static bool is_xmodel(const xc_buffer *file) {
  size_t where;
  return has_field(file, 5, 2, &where) && has_field(file, 10, 2, &where);
}

// Nodes that begin with their name; weights of a Caffe net begin with theirs.
static bool is_graph_def(const xc_buffer *file) {
  size_t where;
  return has_field(file, 1, 2, &where) && where < file->size &&
         file->data[where] == '\n' && !has_field(file, 100, 2, &where);
}

// The name of a field of a net, and what follows a name.
static bool is_prototxt(const xc_buffer *file) {
  static const char *const names[] = {
      "name",        "layer",     "layers",        "input",
      "input_shape", "input_dim", "force_backward"};
  const char *at = (const char *)file->data, *end = at + file->size;
  static const char mark[] = "\xef\xbb\xbf"; // of UTF-8
  if (file->size >= 3 && memcmp(at, mark, 3) == 0)
    at += 3;
  for (bool comment = false;
       at < end && (comment || strchr(" \t\r\n#", *at)) && *at; ++at)
    comment = *at == '#' || (comment && *at != '\n');
  size_t length = 0;
  while (at + length < end &&
         (at[length] == '_' || (at[length] >= 'a' && at[length] <= 'z')))
    ++length;
  const char *after = at + length;
  while (after < end && (*after == ' ' || *after == '\n'))
    ++after;
  for (size_t i = 0; i < sizeof(names) / sizeof(*names); ++i)
    if (strlen(names[i]) == length && memcmp(names[i], at, length) == 0)
      return after < end && (*after == ':' || *after == '{');
  return false;
}

typedef struct model_format {
  const char *suffix;
  const char *magic; // or null
  size_t magic_offset;
  bool (*looks_so)(const xc_buffer *file); // where the name says nothing
  importer import;
  xc_model_layout layout;
} model_format;

// Protocol buffers do not say of what: the name counts first.
static const model_format formats[] = {
    {".tflite", "TFL3", 4, NULL, xcImportTflite, XC_MODEL_LAYOUT_NHWC},
    {".mlirbc", "ML\xefR", 0, NULL, xc_mlir_import, XC_MODEL_LAYOUT_OPEN},
    {".mlir", NULL, 0, NULL, xc_mlir_import, XC_MODEL_LAYOUT_OPEN},
    {".onnx", NULL, 0, is_onnx, xcImportOnnx, XC_MODEL_LAYOUT_NCHW},
    {".xmodel", NULL, 0, is_xmodel, xcImportXModel, XC_MODEL_LAYOUT_NHWC},
    {".prototxt", NULL, 0, is_prototxt, xcImportCaffe, XC_MODEL_LAYOUT_NCHW},
    {".pb", NULL, 0, is_graph_def, xcImportTensorFlow, XC_MODEL_LAYOUT_NHWC},
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
  for (size_t i = 0; file && i < NUM_FORMATS; ++i)
    if (formats[i].looks_so && formats[i].looks_so(file))
      return &formats[i];
  return NULL;
}

bool xc_model_is_known(const char *path) {
  XcDiag ignored = {.handler = xc_ignore_error};
  xc_buffer file = {0};
  if (find_format(path, NULL))
    return true;
  // Another name: what is in the file counts. Reading it reports errors later.
  bool known = xc_read_file(&ignored, path, &file) && find_format(path, &file);
  xc_buffer_free(&file);
  return known;
}

xc_model_layout xc_model_layout_of(const char *path, const xc_buffer *file) {
  const model_format *format = find_format(path, file);
  return format ? format->layout : XC_MODEL_LAYOUT_OPEN;
}

bool xc_model_is_container(const char *path, const xc_buffer *file) {
  const model_format *format = find_format(path, file);
  return format && format->import == xcImportXModel;
}

bool xc_model_is_mlir(const char *path, const xc_buffer *file) {
  const model_format *format = find_format(path, file);
  return format && format->import == xc_mlir_import;
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

static bool is_channels(int64_t size) {
  return size == 1 || size == 3 || size == 4;
}

xc_model_layout xc_model_image_layout(xc_model_layout format,
                                      const int64_t dims[4]) {
  bool first = is_channels(dims[1]), last = is_channels(dims[3]);
  if (format == XC_MODEL_LAYOUT_OPEN)
    return last || !first ? XC_MODEL_LAYOUT_NHWC : XC_MODEL_LAYOUT_NCHW;
  if (first != last)
    return first ? XC_MODEL_LAYOUT_NCHW : XC_MODEL_LAYOUT_NHWC;
  return format;
}

/// Whether all images that a function reads have the layout.
static bool has_layout(MlirOperation function, xc_model_layout layout) {
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i) {
    xc_shape shape;
    if (xc_shape_of_type(mlirValueGetType(mlirBlockGetArgument(block, i)),
                         &shape) &&
        shape.rank == 4 && xc_model_image_layout(layout, shape.dims) != layout)
      return false;
  }
  return true;
}

/// Later formats of the model do not tell the layout of this one.
static bool keep_in_function(XcDiag *diag, const model_format *format,
                             const char *path, MlirOperation function,
                             const XcPictureOptions *given) {
  xc_preprocess how;
  if (!xc_model_preprocess(diag, path, function, &how) ||
      !xc_preprocess_apply(diag, given, &how))
    return false;
  if (how.layout == XC_LAYOUT_OPEN && format->layout != XC_MODEL_LAYOUT_OPEN &&
      has_layout(function, format->layout))
    how.layout = format->layout == XC_MODEL_LAYOUT_NCHW ? XC_LAYOUT_NCHW
                                                        : XC_LAYOUT_NHWC;
  xc_text text = {0};
  xc_preprocess_print(&how, &text);
  mlirOperationSetAttributeByName(
      function, xc_ref(XC_PREPROCESS),
      mlirStringAttrGet(mlirOperationGetContext(function),
                        xc_ref(xc_text_str(&text))));
  xc_text_free(&text);
  return true;
}

/// Adds the options of the command line about pictures to the model.
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

/// How files of frameworks become models of a format that is read; null for all
/// others.
static const char *find_export(const char *path) {
  static const struct {
    const char *suffixes[4];
    const char *remedy;
  } rows[] = {
      {{".pt", ".pth", ".ckpt", ".safetensors"},
       "a file of PyTorch, whose networks are programs: export the network "
       "with torch.onnx.export (docs/quantisation.md)"},
      {{".h5", ".hdf5", ".keras", ".hdf"},
       "a file of Keras: export the network with "
       "tf.lite.TFLiteConverter.from_keras_model, or with tf2onnx"},
      {{".engine", ".plan", ".trt", ".om"},
       "machine code for another device: give the model that it was made of"},
  };
  const char *dot = strrchr(path, '.');
  for (size_t i = 0; dot && i < sizeof(rows) / sizeof(*rows); ++i)
    for (size_t k = 0; k < sizeof(rows->suffixes) / sizeof(char *); ++k)
      if (strcmp(rows[i].suffixes[k], dot) == 0)
        return rows[i].remedy;
  return NULL;
}

MlirModule xc_model_load(XcDiag *diag, MlirContext context, const char *path,
                         const xc_buffer *file,
                         const XcImportOptions *options) {
  const model_format *format = find_format(path, file);
  if (format)
    return import_with(diag, format, context, path, file, options);
  const char *remedy = find_export(path);
  if (remedy) {
    xc_file_error(diag, path, "%s", remedy);
    return (MlirModule){NULL};
  }
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
                           .signBytes = arguments->sign_bytes,
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
