//===- Payload.c - a layer of the host ------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include "IR/IR.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

// Fields that the graph itself expresses.
static bool is_connection(const xc_text_field *field) {
  static const char *const names[] = {"name", "type", "bottom", "top"};
  for (size_t i = 0; i < sizeof(names) / sizeof(*names); ++i)
    if (strcmp(field->name, names[i]) == 0)
      return true;
  return false;
}

static MlirAttribute scalar(xc_caffe_importer *im, const xc_text_field *field) {
  MlirContext context = im->graph.context;
  int64_t integer;
  double real;
  if (xc_text_to_int(field, &integer))
    return mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), integer);
  if (xc_text_to_real(field, &real))
    return mlirFloatAttrDoubleGet(context, mlirF64TypeGet(context), real);
  if (field->kind == XC_TEXT_WORD &&
      (strcmp(field->value, "true") == 0 || strcmp(field->value, "false") == 0))
    return mlirBoolAttrGet(context, strcmp(field->value, "true") == 0);
  return mlirStringAttrGet(context, xc_ref(field->value));
}

// The nesting of a file is bounded by its reader (Text.c).
static MlirAttribute value_of(xc_caffe_importer *im,
                              const xc_text_field *field) {
  return field->kind == XC_TEXT_MESSAGE ? xc_caffe_payload(im, field)
                                        : scalar(im, field);
}

static int compare_fields(const void *a, const void *b) {
  const xc_text_field *left = *(const xc_text_field *const *)a;
  const xc_text_field *right = *(const xc_text_field *const *)b;
  int order = strcmp(left->name, right->name);
  if (order)
    return order;
  if (left->line != right->line)
    return left->line < right->line ? -1 : 1;
  return (left->column > right->column) - (left->column < right->column);
}

MlirAttribute xc_caffe_payload(xc_caffe_importer *im,
                               const xc_text_field *message) {
  MlirContext context = im->graph.context;
  size_t total = 0, count = 0, entries = 0;
  for (const xc_text_field *f = message->first; f; f = f->next)
    ++total;
  const xc_text_field **fields = xc_alloc_array(total + 1, sizeof(*fields));
  MlirAttribute *values = xc_alloc_array(total + 1, sizeof(*values));
  MlirNamedAttribute *named = xc_alloc_array(total + 1, sizeof(*named));
  for (const xc_text_field *f = message->first; f; f = f->next)
    if (!is_connection(f))
      fields[count++] = f;
  qsort(fields, count, sizeof(*fields), compare_fields);
  for (size_t begin = 0, end; begin < count; begin = end) {
    for (end = begin;
         end < count && strcmp(fields[end]->name, fields[begin]->name) == 0;
         ++end)
      values[end - begin] = value_of(im, fields[end]);
    size_t length = end - begin;
    MlirAttribute value =
        length == 1 ? values[0]
                    : mlirArrayAttrGet(context, (intptr_t)length, values);
    named[entries++] = xc_named(context, fields[begin]->name, value);
  }
  MlirAttribute payload =
      mlirDictionaryAttrGet(context, (intptr_t)entries, named);
  free(fields);
  free(values);
  free(named);
  return payload;
}
