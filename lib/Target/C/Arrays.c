//===- Arrays.c - constants as arrays of C and as bytes -------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Module.h"

#include "IR/IR.h"
#include "dialects/Build.h"
#include "dialects/Emit.h"

#include "mlir-c/BuiltinTypes.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Returns the bytes of a constant; the caller frees. Returns null after a
// diagnostic.
static void *bytes_of(const xc_c_constant *constant, size_t *size) {
  void *bytes = xc_const_bytes(constant->operation, size);
  if (!bytes)
    xc_op_error(constant->operation, "has no content: its 'value' was left out "
                                     "when it was printed");
  return bytes;
}

static void print_real(xc_text *out, double value, bool single) {
  if (isnan(value))
    xc_text_puts(out, "NAN");
  else if (isinf(value))
    xc_text_puts(out, value < 0 ? "-INFINITY" : "INFINITY");
  else
    xc_text_printf(out, single ? "%.9g" : "%.17g", value);
}

static int64_t read_int(const char *bytes, size_t size, bool is_unsigned) {
  int8_t i8;
  int16_t i16;
  int32_t i32;
  int64_t i64;
  switch (size) {
  case 1:
    memcpy(&i8, bytes, 1);
    return is_unsigned ? (uint8_t)i8 : i8;
  case 2:
    memcpy(&i16, bytes, 2);
    return is_unsigned ? (uint16_t)i16 : i16;
  case 4:
    memcpy(&i32, bytes, 4);
    return is_unsigned ? (int64_t)(uint32_t)i32 : i32;
  default:
    memcpy(&i64, bytes, 8);
    return i64;
  }
}

// The smallest number has no literal: its digits are those of a larger one.
static void print_int(xc_text *out, int64_t value, size_t size,
                      bool is_unsigned) {
  if (size == 8 && is_unsigned)
    xc_text_printf(out, "UINT64_C(%" PRIu64 ")", (uint64_t)value);
  else if (value == INT64_MIN)
    xc_text_puts(out, "INT64_MIN");
  else if (size == 4 && value == INT32_MIN)
    xc_text_puts(out, "INT32_MIN");
  else if (size == 8)
    xc_text_printf(out, "INT64_C(%" PRId64 ")", value);
  else
    xc_text_printf(out, "%" PRId64, value);
}

static void print_element(xc_text *out, const char *bytes, size_t size,
                          MlirType element) {
  float single;
  double real;
  if (mlirTypeIsAF32(element)) {
    memcpy(&single, bytes, sizeof(single));
    print_real(out, (double)single, true);
  } else if (mlirTypeIsAF64(element)) {
    memcpy(&real, bytes, sizeof(real));
    print_real(out, real, false);
  } else {
    bool is_unsigned = strncmp(xc_c_element_type(element), "uint", 4) == 0;
    print_int(out, read_int(bytes, size, is_unsigned), size, is_unsigned);
  }
}

static void print_array(xc_text *out, const xc_c_constant *constant,
                        const char *bytes, int64_t count, size_t size) {
  MlirType element = mlirShapedTypeGetElementType(constant->type);
  xc_text_printf(out, "const %s %s[%" PRId64 "] = {\n",
                 xc_c_element_type(element), constant->name, count);
  xc_text line = {0}, number = {0};
  for (int64_t i = 0; i < count; ++i) {
    number.length = 0;
    print_element(&number, bytes + (size_t)i * size, size, element);
    if (line.length + number.length + 4 > 80) {
      xc_text_printf(out, "   %s\n", xc_text_str(&line));
      line.length = 0;
    }
    xc_text_printf(&line, " %s,", xc_text_str(&number));
  }
  xc_text_printf(out, "   %s\n};\n\n", xc_text_str(&line));
  xc_text_free(&line);
  xc_text_free(&number);
}

bool xc_c_write_arrays(xc_c_module *m, xc_text *out) {
  for (size_t i = 0; i < m->num_constants; ++i) {
    const xc_c_constant *constant = &m->constants[i];
    size_t bytes_size;
    char *bytes = bytes_of(constant, &bytes_size);
    if (!bytes)
      return false;
    xc_shape shape;
    xc_shape_of_type(constant->type, &shape);
    int64_t count = xc_shape_num_elements(&shape);
    if (count > 0)
      print_array(out, constant, bytes, count, xc_element_size(shape.element));
    else // C has no empty arrays
      xc_text_printf(
          out, "const %s %s[1] = {0};\n\n",
          xc_c_element_type(mlirShapedTypeGetElementType(constant->type)),
          constant->name);
    free(bytes);
  }
  return true;
}

static void pad_to(xc_text *out, int64_t size) {
  static const char zeros[64] = {0};
  while ((int64_t)out->length < size) {
    size_t gap = (size_t)size - out->length;
    xc_text_append(out, zeros, gap < sizeof(zeros) ? gap : sizeof(zeros));
  }
}

bool xc_c_write_bytes(xc_c_module *m, xc_text *out) {
  for (size_t i = 0; i < m->num_constants; ++i) {
    size_t size;
    char *bytes = bytes_of(&m->constants[i], &size);
    if (!bytes)
      return false;
    pad_to(out, m->constants[i].offset);
    xc_text_append(out, bytes, size);
    free(bytes);
  }
  pad_to(out, m->params_bytes);
  return true;
}
