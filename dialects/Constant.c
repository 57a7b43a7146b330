//===- Constant.c - the content of constants ------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A constant is dense, a dense resource or a file. The C API gives the raw
// bytes of a dense attribute only; a resource shows its bytes nowhere but in
// its printed form, so that is what is read: an operation without a parent
// prints its resources after itself as
//
//   {-# dialect_resources: { builtin: { key: "0x<alignment><bytes>" } } #-}
//
// with eight hexadecimal digits for the alignment. A resource without content
// (an elided one) prints none.
//
//===----------------------------------------------------------------------===//

#include "Build.h"

#include "Emit.h"
#include "IR/IR.h"
#include "Path.h"
#include "Support/File.h"
#include "Support/Memory.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

MlirValue xc_build_const(const xc_builder *builder, MlirAttribute value,
                         const xc_shape *shape) {
  xc_attribute attribute = xc_given("value", value);
  return xc_build_shaped(builder, XC_TIR_CONST, NULL, 0, &attribute, 1, shape);
}

// MLIR packs booleans; ours are a byte each.
static MlirAttribute dense_bools(MlirType type, const unsigned char *bytes,
                                 size_t count) {
  int *bools = xc_alloc_array(count, sizeof(int));
  for (size_t i = 0; i < count; ++i)
    bools[i] = bytes[i] != 0;
  MlirAttribute value =
      mlirDenseElementsAttrBoolGet(type, (intptr_t)count, bools);
  free(bools);
  return value;
}

MlirAttribute xc_dense_attribute(MlirContext context, const void *bytes,
                                 const xc_shape *shape) {
  xc_shape tensor = *shape;
  tensor.memref = false;
  MlirType type = xc_type_of_shape(context, &tensor);
  size_t count = (size_t)xc_shape_num_elements(shape);
  if (shape->element == XC_ELEMENT_I1)
    return dense_bools(type, bytes, count);
  return mlirDenseElementsAttrRawBufferGet(
      type, count * xc_element_size(shape->element), bytes);
}

MlirValue xc_build_const_bytes(const xc_builder *builder, const void *bytes,
                               const xc_shape *shape) {
  return xc_build_const(
      builder, xc_dense_attribute(builder->context, bytes, shape), shape);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static void report_at_operation(void *user_data, XcSeverity severity,
                                XcPlace place, const char *message) {
  (void)severity;
  (void)place;
  xc_op_error(*(MlirOperation *)user_data, "%s", message);
}

static void *read_path(MlirOperation operation, MlirAttribute path,
                       size_t expected) {
  xc_text file = {0};
  xc_resolve_path(mlirOperationGetLocation(operation),
                  mlirStringAttrGetValue(path), &file);
  XcDiag diag = {report_at_operation, &operation, 0};
  xc_buffer buffer;
  bool ok = xc_read_file(&diag, xc_text_str(&file), &buffer);
  if (ok && buffer.size != expected)
    ok = xc_op_error(operation,
                     "file '%s' of attribute 'path' has %zu bytes, expected "
                     "%zu",
                     xc_text_str(&file), buffer.size, expected);
  xc_text_free(&file);
  if (ok)
    return buffer.data;
  xc_buffer_free(&buffer);
  return NULL;
}

//===----------------------------------------------------------------------===//
// Resources
//===----------------------------------------------------------------------===//

// Takes the bytes out of printed text that comes in pieces.
typedef struct hex_reader {
  int stage;      // 0: section, 1: start of the string, 2: bytes, 3: done
  size_t matched; // how much of the next marker has come
  size_t digits;
  unsigned char *bytes;
  size_t size;
} hex_reader;

static int hex_value(char digit) {
  if (digit >= '0' && digit <= '9')
    return digit - '0';
  if (digit >= 'A' && digit <= 'F')
    return digit - 'A' + 10;
  if (digit >= 'a' && digit <= 'f')
    return digit - 'a' + 10;
  return -1;
}

static void match_marker(hex_reader *reader, char c) {
  static const char section[] = "dialect_resources";
  static const char start[] = ": \"0x";
  const char *marker = reader->stage == 0 ? section : start;
  // Neither marker has a proper prefix that is also a suffix of a partial
  // match, so falling back to the first character loses nothing.
  if (c == marker[reader->matched])
    ++reader->matched;
  else
    reader->matched = c == marker[0];
  if (marker[reader->matched] == '\0') {
    ++reader->stage;
    reader->matched = 0;
  }
}

static void read_piece(MlirStringRef piece, void *user_data) {
  enum { ALIGNMENT_DIGITS = 8 };
  hex_reader *reader = user_data;
  for (size_t i = 0; i < piece.length && reader->stage < 3; ++i) {
    if (reader->stage < 2) {
      match_marker(reader, piece.data[i]);
      continue;
    }
    int value = hex_value(piece.data[i]);
    size_t digit = reader->digits++;
    if (value < 0) {
      reader->stage = 3;
      reader->digits = digit;
    } else if (digit >= ALIGNMENT_DIGITS) {
      size_t at = (digit - ALIGNMENT_DIGITS) / 2;
      if (at < reader->size)
        reader->bytes[at] =
            (unsigned char)(reader->bytes[at] << 4 | (unsigned char)value);
    }
  }
}

static void *read_resource(MlirAttribute value, size_t size) {
  enum { ALIGNMENT_DIGITS = 8 };
  MlirContext context = mlirAttributeGetContext(value);
  MlirOperationState state = mlirOperationStateGet(
      xc_ref("tir.const"), mlirLocationUnknownGet(context));
  MlirNamedAttribute named = xc_named(context, "value", value);
  mlirOperationStateAddAttributes(&state, 1, &named);
  MlirType type = mlirAttributeGetType(value);
  mlirOperationStateAddResults(&state, 1, &type);
  MlirOperation operation = mlirOperationCreate(&state);
  hex_reader reader = {.bytes = xc_alloc(size), .size = size};
  mlirOperationPrint(operation, read_piece, &reader);
  mlirOperationDestroy(operation);
  if (reader.stage >= 2 && reader.digits == ALIGNMENT_DIGITS + 2 * size)
    return reader.bytes;
  free(reader.bytes);
  return NULL;
}

//===----------------------------------------------------------------------===//
// Dense attributes
//===----------------------------------------------------------------------===//

static void *read_dense(MlirAttribute value, const xc_shape *shape) {
  size_t count = (size_t)xc_shape_num_elements(shape);
  size_t each = xc_element_size(shape->element);
  unsigned char *bytes = xc_alloc_uninitialized(count, each);
  if (count == 0)
    return bytes;
  if (shape->element == XC_ELEMENT_I1) {
    for (size_t i = 0; i < count; ++i)
      bytes[i] = mlirDenseElementsAttrGetBoolValue(value, (intptr_t)i);
    return bytes;
  }
  const void *raw = mlirDenseElementsAttrGetRawData(value);
  if (!mlirDenseElementsAttrIsSplat(value)) {
    memcpy(bytes, raw, count * each);
    return bytes;
  }
  for (size_t i = 0; i < count; ++i)
    memcpy(bytes + i * each, raw, each);
  return bytes;
}

void *xc_const_bytes(MlirOperation operation, size_t *size) {
  xc_shape shape;
  MlirType type = mlirValueGetType(mlirOperationGetResult(operation, 0));
  if (!xc_shape_of_type(type, &shape) || shape.element == XC_ELEMENT_NONE)
    return NULL;
  *size =
      (size_t)xc_shape_num_elements(&shape) * xc_element_size(shape.element);
  MlirAttribute path = xc_op_attribute(operation, "path");
  if (!mlirAttributeIsNull(path))
    return read_path(operation, path, *size);
  MlirAttribute value = xc_op_attribute(operation, "value");
  if (mlirAttributeIsADenseElements(value))
    return read_dense(value, &shape);
  if (mlirAttributeIsADenseResourceElements(value))
    return read_resource(value, *size);
  return NULL;
}

const void *xc_const_contents(MlirOperation operation, size_t *size,
                              void **copy) {
  MlirAttribute value = xc_op_attribute(operation, "value");
  xc_shape shape;
  *copy = NULL;
  if (mlirAttributeIsNull(value) || !mlirAttributeIsADenseElements(value) ||
      mlirDenseElementsAttrIsSplat(value) ||
      !xc_shape_of_type(mlirAttributeGetType(value), &shape) ||
      shape.element == XC_ELEMENT_NONE || shape.element == XC_ELEMENT_I1 ||
      xc_shape_num_elements(&shape) == 0)
    return *copy = xc_const_bytes(operation, size);
  *size =
      (size_t)xc_shape_num_elements(&shape) * xc_element_size(shape.element);
  return mlirDenseElementsAttrGetRawData(value);
}

bool xc_const_number(MlirValue value, double *number) {
  xc_shape shape;
  MlirOperation constant = xc_constant_of(value);
  if (mlirOperationIsNull(constant) ||
      !xc_shape_of_type(mlirValueGetType(value), &shape) ||
      shape.element != XC_ELEMENT_F32 || xc_shape_num_elements(&shape) != 1)
    return false;
  size_t size;
  float *bytes = xc_const_bytes(constant, &size);
  *number = bytes ? (double)*bytes : 0;
  free(bytes);
  return bytes != NULL;
}
