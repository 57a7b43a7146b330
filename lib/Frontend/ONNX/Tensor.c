//===- Tensor.c - constants from TensorProto, .npy and external files -----===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A TensorProto keeps its elements in exactly one of three places: `raw_data`
// (little-endian, row-major), an external file with such bytes, or the typed
// list of its data type (int32_data for all integers up to 32 bits, i1 and the
// bits of 16-bit floats; uint64_data for ui32 too).
//
//===----------------------------------------------------------------------===//

#define _XOPEN_SOURCE 700

#include "Importer.h"

#include "Support/Diag.h"
#include "Support/File.h"
#include "Support/Npy.h"
#include "Support/ProtoScan.h"
#include "Support/Text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

//===----------------------------------------------------------------------===//
// Data types
//===----------------------------------------------------------------------===//

// clang-format off
// number, name in messages, element type
#define DATA_TYPES(X)                                                          \
  X(1, "float", F32)          X(2, "uint8", UI8)                               \
  X(3, "int8", I8)            X(4, "uint16", UI16)                             \
  X(5, "int16", I16)          X(6, "int32", I32)                               \
  X(7, "int64", I64)          X(8, "string", NONE)                             \
  X(9, "bool", I1)            X(10, "float16", F16)                            \
  X(11, "double", F64)        X(12, "uint32", UI32)                            \
  X(13, "uint64", UI64)       X(14, "complex64", NONE)                         \
  X(15, "complex128", NONE)   X(16, "bfloat16", BF16)                          \
  X(17, "float8e4m3fn", NONE) X(18, "float8e4m3fnuz", NONE)                    \
  X(19, "float8e5m2", NONE)   X(20, "float8e5m2fnuz", NONE)                    \
  X(21, "uint4", NONE)        X(22, "int4", NONE)                              \
  X(23, "float4e2m1", NONE)
// clang-format on

xc_element xc_onnx_element(int32_t data_type) {
  switch (data_type) {
#define ELEMENT_CASE(number, name, element)                                    \
  case number:                                                                 \
    return XC_ELEMENT_##element;
    DATA_TYPES(ELEMENT_CASE)
#undef ELEMENT_CASE
  default:
    return XC_ELEMENT_NONE;
  }
}

const char *xc_onnx_element_name(int32_t data_type) {
  switch (data_type) {
#define NAME_CASE(number, name, element)                                       \
  case number:                                                                 \
    return name;
    DATA_TYPES(NAME_CASE)
#undef NAME_CASE
  default:
    return "unknown";
  }
}

//===----------------------------------------------------------------------===//
// External data
//===----------------------------------------------------------------------===//

// Data beside the model may not be looked for elsewhere: a model from a
// stranger must not read other files.
static bool is_inside(const char *path) {
  if (*path == '\0' || *path == '/' || strchr(path, '\\'))
    return false;
  for (const char *part = path; part; part = strchr(part, '/')) {
    part += *part == '/';
    if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0'))
      return false;
  }
  return true;
}

static bool parse_number(const char *text, uint64_t *number) {
  char *end;
  if (*text < '0' || *text > '9')
    return false;
  *number = strtoull(text, &end, 10);
  return *end == '\0' && *number <= INT64_MAX;
}

static char *beside_model(xc_onnx_importer *im, const char *location) {
  const char *model = im->graph.file ? im->graph.file : "";
  const char *slash = strrchr(model, '/');
  size_t length = slash ? (size_t)(slash - model) + 1 : 0;
  char *path =
      xc_arena_alloc(&im->graph.arena, length + strlen(location) + 1, 1);
  memcpy(path, model, length);
  strcpy(path + length, location);
  return path;
}

// Whether links on the way lead out of the folder of the model. A file that is
// not there does not; reading it fails.
static bool leads_out(const char *model, const char *path) {
  const char *slash = model ? strrchr(model, '/') : NULL;
  xc_text folder = {0};
  xc_text_append(&folder, model, slash ? (size_t)(slash - model) + 1 : 0);
  char *inside = realpath(folder.length ? folder.data : ".", NULL);
  char *real = realpath(path, NULL);
  size_t length = inside ? strlen(inside) : 0;
  if (length == 1) // the root
    length = 0;
  bool out = inside && real &&
             (strncmp(real, inside, length) != 0 || real[length] != '/');
  xc_text_free(&folder);
  free(inside);
  free(real);
  return out;
}

// Each file is read once.
static const xc_buffer *read_external(xc_onnx_importer *im,
                                      const char *location) {
  for (xc_onnx_file *file = im->files; file; file = file->next)
    if (strcmp(file->location, location) == 0)
      return &file->buffer;
  xc_onnx_file *file = xc_arena_alloc(&im->graph.arena, 1, sizeof(*file));
  const char *path = beside_model(im, location);
  if (leads_out(im->graph.file, path)) {
    xc_onnx_error(im,
                  "external data '%s' is a link out of the folder of the model",
                  location);
    return NULL;
  }
  struct stat status;
  if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
    xc_onnx_error(im, "external data '%s' is not a regular file", location);
    return NULL;
  }
  if (!xc_read_file(im->graph.diag, path, &file->buffer))
    return NULL;
  file->location = location;
  file->next = im->files;
  im->files = file;
  return &file->buffer;
}

static bool external_bytes(xc_onnx_importer *im,
                           const Onnx__TensorProto *tensor, const char *name,
                           size_t size, const uint8_t **bytes) {
  const char *location = "";
  uint64_t offset = 0, length = size;
  for (size_t i = 0; i < tensor->n_external_data; ++i) {
    const Onnx__StringStringEntryProto *entry = tensor->external_data[i];
    bool ok = true;
    if (strcmp(entry->key, "location") == 0)
      location = entry->value;
    else if (strcmp(entry->key, "offset") == 0)
      ok = parse_number(entry->value, &offset);
    else if (strcmp(entry->key, "length") == 0)
      ok = parse_number(entry->value, &length);
    if (!ok)
      return xc_onnx_error(
          im, "tensor '%s' has external %s '%s', expected a number", name,
          entry->key, entry->value);
  }
  if (!is_inside(location))
    return xc_onnx_error(im,
                         "tensor '%s' has its data in '%s', expected a file "
                         "beside or below the model",
                         name, location);
  const xc_buffer *file = read_external(im, location);
  if (!file)
    return false;
  if (length != size || offset > file->size || size > file->size - offset)
    return xc_onnx_error(im,
                         "tensor '%s' has %" PRIu64 " bytes at %" PRIu64
                         " in '%s' of %zu bytes, expected %zu",
                         name, length, offset, location, file->size, size);
  *bytes = file->data + offset;
  return true;
}

//===----------------------------------------------------------------------===//
// Typed lists
//===----------------------------------------------------------------------===//

static bool check_list(xc_onnx_importer *im, const char *name, size_t count,
                       int64_t expected) {
  if ((uint64_t)count == (uint64_t)expected)
    return true;
  return xc_onnx_error(
      im, "tensor '%s' holds %zu elements, expected %" PRId64 " by its shape",
      name, count, expected);
}

static uint64_t int_of_list(const Onnx__TensorProto *tensor, size_t index) {
  return tensor->n_int32_data   ? (uint64_t)tensor->int32_data[index]
         : tensor->n_int64_data ? (uint64_t)tensor->int64_data[index]
                                : tensor->uint64_data[index];
}

static bool typed_bytes(xc_onnx_importer *im, const Onnx__TensorProto *tensor,
                        const char *name, const xc_shape *shape,
                        const uint8_t **bytes) {
  xc_element element = shape->element;
  int64_t count = xc_shape_num_elements(shape);
  if (element == XC_ELEMENT_F32) {
    *bytes = (const uint8_t *)tensor->float_data;
    return check_list(im, name, tensor->n_float_data, count);
  }
  if (element == XC_ELEMENT_F64) {
    *bytes = (const uint8_t *)tensor->double_data;
    return check_list(im, name, tensor->n_double_data, count);
  }
  size_t length = tensor->n_int32_data   ? tensor->n_int32_data
                  : tensor->n_int64_data ? tensor->n_int64_data
                                         : tensor->n_uint64_data;
  if (!check_list(im, name, length, count))
    return false;
  size_t size = xc_element_size(element);
  uint8_t *data = xc_arena_alloc(&im->graph.arena, length + 1, size);
  for (size_t i = 0; i < length; ++i) {
    uint64_t bits = int_of_list(tensor, i);
    for (size_t k = 0; k < size; ++k)
      data[i * size + k] = (uint8_t)(bits >> (8 * k));
  }
  *bytes = data;
  return true;
}

static bool tensor_bytes(xc_onnx_importer *im, const Onnx__TensorProto *tensor,
                         const char *name, const xc_shape *shape,
                         const uint8_t **bytes) {
  enum { EXTERNAL = 1 };
  size_t size =
      (size_t)xc_shape_num_elements(shape) * xc_element_size(shape->element);
  if (tensor->data_location == EXTERNAL)
    return external_bytes(im, tensor, name, size, bytes);
  if (tensor->raw_data.len == 0 && size != 0)
    return typed_bytes(im, tensor, name, shape, bytes);
  *bytes = tensor->raw_data.data;
  if (tensor->raw_data.len == size)
    return true;
  return xc_onnx_error(im,
                       "tensor '%s' holds %zu bytes, expected %zu by its shape",
                       name, tensor->raw_data.len, size);
}

bool xc_onnx_read_tensor(xc_onnx_importer *im, const Onnx__TensorProto *tensor,
                         const char *name, xc_graph_value **value) {
  xc_element element = xc_onnx_element(tensor->data_type);
  xc_shape shape;
  const uint8_t *bytes = NULL;
  if (element == XC_ELEMENT_NONE)
    return xc_onnx_error(im,
                         "tensor '%s' has elements of type %s (%" PRId32
                         "), which xc does not support",
                         name, xc_onnx_element_name(tensor->data_type),
                         tensor->data_type);
  if (!xc_graph_check_dims(&im->graph, name, tensor->dims, tensor->n_dims,
                           element, &shape) ||
      !tensor_bytes(im, tensor, name, &shape, &bytes))
    return false;
  static const uint8_t nothing[1] = {0};
  *value = xc_graph_constant(&im->graph, name, &shape, bytes ? bytes : nothing,
                             false);
  return true;
}

//===----------------------------------------------------------------------===//
// Bindings
//===----------------------------------------------------------------------===//

static xc_element npy_element(xc_npy_type type) {
  static const struct {
    char kind;
    unsigned size;
    xc_element element;
  } rows[] = {{'f', 2, XC_ELEMENT_F16},  {'f', 4, XC_ELEMENT_F32},
              {'f', 8, XC_ELEMENT_F64},  {'b', 1, XC_ELEMENT_I1},
              {'i', 1, XC_ELEMENT_I8},   {'i', 2, XC_ELEMENT_I16},
              {'i', 4, XC_ELEMENT_I32},  {'i', 8, XC_ELEMENT_I64},
              {'u', 1, XC_ELEMENT_UI8},  {'u', 2, XC_ELEMENT_UI16},
              {'u', 4, XC_ELEMENT_UI32}, {'u', 8, XC_ELEMENT_UI64}};
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i)
    if (rows[i].kind == type.kind && rows[i].size == type.size)
      return rows[i].element;
  return XC_ELEMENT_NONE;
}

static bool read_npy(xc_onnx_importer *im, const char *path, xc_buffer *file,
                     const char *name, xc_graph_value **value) {
  xc_npy npy;
  xc_shape shape;
  int64_t dims[XC_NPY_MAX_RANK];
  if (!xc_npy_parse_buffer(im->graph.diag, path, file, &npy))
    return false;
  xc_element element = npy_element(npy.type);
  if (element == XC_ELEMENT_NONE)
    return xc_onnx_error(im, "'%s' has elements that xc does not support",
                         path);
  for (size_t i = 0; i < npy.rank; ++i)
    dims[i] = npy.shape[i] > INT64_MAX ? -1 : (int64_t)npy.shape[i];
  if (!xc_graph_check_dims(&im->graph, name, dims, npy.rank, element, &shape))
    return false;
  *value = xc_graph_constant(&im->graph, name, &shape, npy.data, false);
  return true;
}

static bool read_pb(xc_onnx_importer *im, const char *path,
                    const xc_buffer *file, const char *name,
                    xc_graph_value **value) {
  if (!xc_proto_scan(im->graph.diag, path, "ONNX tensor",
                     &onnx__tensor_proto__descriptor, file->data, file->size))
    return false;
  Onnx__TensorProto *tensor =
      onnx__tensor_proto__unpack(NULL, file->size, file->data);
  if (!tensor)
    return xc_onnx_error(im, "'%s' is not an ONNX tensor", path);
  tensor->data_location = 0; // its files would be looked for beside the model
  bool ok = xc_onnx_read_tensor(im, tensor, name, value);
  if (ok) {
    size_t size = (size_t)xc_shape_num_elements(&(*value)->shape) *
                  xc_element_size((*value)->shape.element);
    uint8_t *copy = xc_arena_alloc(&im->graph.arena, size + 1, 1);
    memcpy(copy, (*value)->data, size);
    (*value)->data = copy;
  }
  onnx__tensor_proto__free_unpacked(tensor, NULL);
  return ok;
}

bool xc_onnx_read_binding(xc_onnx_importer *im, const char *path,
                          const char *name, xc_graph_value **value) {
  xc_onnx_file *file = xc_arena_alloc(&im->graph.arena, 1, sizeof(*file));
  if (!xc_read_file(im->graph.diag, path, &file->buffer))
    return false;
  file->location = "";
  file->next = im->files;
  im->files = file;
  bool is_npy =
      file->buffer.size >= 6 && memcmp(file->buffer.data, "\x93NUMPY", 6) == 0;
  return is_npy ? read_npy(im, path, &file->buffer, name, value)
                : read_pb(im, path, &file->buffer, name, value);
}
