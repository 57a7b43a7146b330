//===- Data.c - tensors in files ------------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Data.h"

#include "Kernel.h"
#include "Support/Diag.h"
#include "Support/File.h"
#include "Support/Npy.h"
#include "Support/Text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static xc_npy_type npy_type_of(xc_element element) {
  xc_npy_type type = {'i', (unsigned)xc_element_size(element)};
  if (element == XC_ELEMENT_I1)
    type.kind = 'b';
  else if (xc_element_is_float(element))
    type.kind = 'f';
  else if (xc_element_min(element) == 0)
    type.kind = 'u';
  // NumPy has no bfloat16; its bits travel as integers.
  if (element == XC_ELEMENT_BF16)
    type.kind = 'u';
  return type;
}

void xc_npy_print(const xc_npy *npy, xc_text *text) {
  for (size_t i = 0; i < npy->rank; ++i)
    xc_text_printf(text, "%" PRIu64 "x", npy->shape[i]);
  xc_text_printf(text, "%c%u", npy->type.kind, 8 * npy->type.size);
}

// Dimensions of 1 may be missing or additional.
static bool same_shape(const xc_npy *npy, const xc_shape *shape) {
  size_t i = 0, j = 0;
  for (;;) {
    while (i < npy->rank && npy->shape[i] == 1)
      ++i;
    while (j < shape->rank && shape->dims[j] == 1)
      ++j;
    if (i == npy->rank || j == shape->rank)
      return i == npy->rank && j == shape->rank;
    if (npy->shape[i++] != (uint64_t)shape->dims[j++])
      return false;
  }
}

bool xc_npy_fits(xc_npy_type type, xc_element element) {
  xc_npy_type wanted = npy_type_of(element);
  return (type.kind == wanted.kind && type.size == wanted.size) ||
         (type.kind == 'f' && xc_element_is_float(element));
}

bool xc_npy_convert(XcDiag *diag, const char *path, const xc_npy *npy,
                    uint64_t first, xc_element element, void *data) {
  const xc_tensor tensor = {.shape = {.element = element}, .data = data};
  xc_npy_type type = npy->type, wanted = npy_type_of(element);
  if (npy->count && type.kind == wanted.kind && type.size == wanted.size) {
    memcpy(data, npy->data, (size_t)npy->count * type.size);
    return true;
  }
  for (uint64_t i = 0; i < npy->count; ++i) {
    double number = xc_npy_real(type, npy->data + i * type.size);
    xc_set_real(&tensor, (int64_t)i, number);
    if (isfinite(number) && !isfinite(xc_get_real(&tensor, (int64_t)i)))
      return xc_file_error(diag, path,
                           "element %" PRIu64 " is %g, expected a number in "
                           "the range of %s",
                           first + i, number, xc_element_name(element));
  }
  return true;
}

static bool take_npy(XcDiag *diag, const char *path, const xc_npy *npy,
                     const xc_shape *shape, void *data) {
  if (xc_npy_fits(npy->type, shape->element) && same_shape(npy, shape))
    return xc_npy_convert(diag, path, npy, 0, shape->element, data);
  xc_text found = {0}, expected = {0};
  xc_npy_print(npy, &found);
  xc_shape_print(shape, &expected);
  xc_file_error(diag, path, "the array is %s, expected %s", xc_text_str(&found),
                xc_text_str(&expected));
  xc_text_free(&found);
  xc_text_free(&expected);
  return false;
}

uint64_t xc_tensor_count_in(const xc_buffer *file, const xc_npy *npy,
                            const xc_shape *shape) {
  uint64_t each = (uint64_t)xc_shape_num_elements(shape);
  uint64_t held = npy ? npy->count : file->size;
  if (!npy)
    each *= xc_element_size(shape->element);
  return each && held && held % each == 0 ? held / each : 1;
}

bool xc_tensor_take(XcDiag *diag, const char *path, const xc_buffer *file,
                    const xc_npy *npy, const xc_shape *shape, void *data) {
  size_t size =
      (size_t)xc_shape_num_elements(shape) * xc_element_size(shape->element);
  if (npy)
    return take_npy(diag, path, npy, shape, data);
  if (file->size != size)
    return xc_file_error(diag, path, "the file has %zu bytes, expected %zu",
                         file->size, size);
  if (size)
    memcpy(data, file->data, size);
  return true;
}

bool xc_tensor_read(XcDiag *diag, const char *path, const xc_shape *shape,
                    void *data) {
  xc_buffer file;
  if (!xc_read_file(diag, path, &file))
    return false;
  xc_npy npy;
  bool is_array = xc_npy_is(file.data, file.size);
  bool ok =
      (!is_array || xc_npy_parse_buffer(diag, path, &file, &npy)) &&
      xc_tensor_take(diag, path, &file, is_array ? &npy : NULL, shape, data);
  xc_buffer_free(&file);
  return ok;
}

bool xc_tensor_write(XcDiag *diag, const char *path, const xc_shape *shape,
                     const void *data) {
  static const char suffix[] = ".npy";
  size_t length = strlen(path), tail = sizeof(suffix) - 1;
  uint64_t count = (uint64_t)xc_shape_num_elements(shape);
  if (length < tail || strcmp(path + length - tail, suffix) != 0)
    return xc_write_file(diag, path, data,
                         (size_t)count * xc_element_size(shape->element));
  xc_npy npy = {.type = npy_type_of(shape->element),
                .rank = shape->rank,
                .count = count,
                .data = data};
  for (size_t i = 0; i < shape->rank; ++i)
    npy.shape[i] = (uint64_t)shape->dims[i];
  return xc_npy_write(diag, path, &npy);
}

// Applies the finaliser of splitmix64 to a counter.
static uint64_t hash(uint64_t value) {
  value += UINT64_C(0x9e3779b97f4a7c15);
  value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
  return value ^ value >> 31;
}

void xc_tensor_randomize(uint64_t seed, const xc_shape *shape, void *data) {
  enum { MOST_INDICES = 8 }; // which most dimensions have
  xc_tensor tensor = {*shape, data};
  int64_t count = xc_shape_num_elements(shape);
  for (int64_t i = 0; i < count; ++i) {
    uint64_t bits = hash(hash(seed) ^ (uint64_t)i);
    if (xc_element_is_float(shape->element))
      xc_set_real(&tensor, i, (double)(bits >> 40) * 0x1p-23 - 1);
    else if (shape->element == XC_ELEMENT_I1)
      xc_set_int(&tensor, i, (int64_t)(bits >> 63));
    else if (shape->element == XC_ELEMENT_I64)
      xc_set_int(&tensor, i, (int64_t)(bits % MOST_INDICES));
    else
      xc_set_int(&tensor, i, (int64_t)bits);
  }
}
