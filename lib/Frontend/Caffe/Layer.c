//===- Layer.c - the current layer: parameters, bottoms, tops -------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

// A message that is given twice is one: the next field of that name in any of
// the layer's messages with parameters. `message` is where the last one was.
static xc_text_field *next_field(const xc_caffe_importer *im, const char *name,
                                 xc_text_field **message,
                                 const xc_text_field *after) {
  const char *param = im->layer->row->param;
  if (!param)
    return NULL;
  if (!*message)
    *message = xc_text_find(im->layer->text, param, NULL);
  while (*message) {
    xc_text_field *field = xc_text_find(*message, name, after);
    if (field)
      return field;
    after = NULL;
    *message = xc_text_find(im->layer->text, param, *message);
  }
  return NULL;
}

xc_text_field *xc_caffe_field(xc_caffe_importer *im, const char *name) {
  xc_text_field *message = NULL, *field = NULL, *next;
  while ((next = next_field(im, name, &message, field)))
    field = next;
  return field;
}

static bool wrong_kind(xc_caffe_importer *im, const xc_text_field *field,
                       const char *expected) {
  im->graph.line = field->line;
  im->graph.column = field->column;
  return xc_caffe_error(im, "field '%s' is %s%s%s, expected %s", field->name,
                        field->value ? "'" : "a message",
                        field->value ? field->value : "",
                        field->value ? "'" : "", expected);
}

int64_t xc_caffe_int(xc_caffe_importer *im, const char *name, int64_t absent) {
  xc_text_field *field = xc_caffe_field(im, name);
  int64_t value = absent;
  if (field && !xc_text_to_int(field, &value))
    wrong_kind(im, field, "an integer");
  return value;
}

double xc_caffe_real(xc_caffe_importer *im, const char *name, double absent) {
  xc_text_field *field = xc_caffe_field(im, name);
  double value = absent;
  if (field && !xc_text_to_real(field, &value))
    wrong_kind(im, field, "a number");
  return value;
}

bool xc_caffe_bool(xc_caffe_importer *im, const char *name, bool absent) {
  xc_text_field *field = xc_caffe_field(im, name);
  bool value = absent;
  if (field && !xc_text_to_bool(field, &value))
    wrong_kind(im, field, "true or false");
  return value;
}

size_t xc_caffe_enum(xc_caffe_importer *im, const char *name,
                     const char *const *words, size_t count, size_t absent) {
  xc_text_field *field = xc_caffe_field(im, name);
  int64_t number;
  if (!field)
    return absent;
  for (size_t i = 0; field->kind == XC_TEXT_WORD && i < count; ++i)
    if (strcmp(field->value, words[i]) == 0)
      return i;
  if (xc_text_to_int(field, &number) && number >= 0 && (size_t)number < count)
    return (size_t)number;
  xc_text expected = {0};
  for (size_t i = 0; i < count; ++i)
    xc_text_printf(&expected, "%s%s",
                   i == 0          ? ""
                   : i + 1 < count ? ", "
                                   : " or ",
                   words[i]);
  wrong_kind(im, field, xc_text_str(&expected));
  xc_text_free(&expected);
  return absent;
}

static bool check_room(xc_caffe_importer *im, const char *name, size_t count,
                       size_t capacity) {
  return count < capacity ||
         xc_caffe_error(im, "field '%s' has more than %zu entries", name,
                        capacity);
}

size_t xc_caffe_ints(xc_caffe_importer *im, const char *name, int64_t *values,
                     size_t capacity) {
  xc_text_field *message = NULL, *field = NULL;
  size_t count = 0;
  while ((field = next_field(im, name, &message, field))) {
    if (!check_room(im, name, count, capacity))
      return 0;
    if (!xc_text_to_int(field, &values[count++])) {
      wrong_kind(im, field, "an integer");
      return 0;
    }
  }
  return count;
}

size_t xc_caffe_reals(xc_caffe_importer *im, const char *name, float *values,
                      size_t capacity) {
  xc_text_field *message = NULL, *field = NULL;
  size_t count = 0;
  double value;
  while ((field = next_field(im, name, &message, field))) {
    if (!check_room(im, name, count, capacity))
      return 0;
    if (!xc_text_to_real(field, &value)) {
      wrong_kind(im, field, "a number");
      return 0;
    }
    values[count++] = (float)value;
  }
  return count;
}

bool xc_caffe_read_shape(xc_caffe_importer *im, const xc_text_field *message,
                         int64_t *dims, size_t *rank) {
  *rank = 0;
  for (xc_text_field *dim = xc_text_find(message, "dim", NULL); dim;
       dim = xc_text_find(message, "dim", dim)) {
    if (*rank == XC_MAX_RANK)
      return xc_caffe_error(im, "a shape has more than %d dimensions",
                            XC_MAX_RANK);
    if (!xc_text_to_int(dim, &dims[(*rank)++]))
      return wrong_kind(im, dim, "an integer");
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Bottoms and tops
//===----------------------------------------------------------------------===//

// Returns the name of a bottom in the file.
static const char *bottom_name(const xc_caffe_importer *im, size_t index) {
  const xc_text_field *field = NULL;
  for (size_t i = 0; i <= index; ++i)
    field = xc_text_find(im->layer->text, "bottom", field);
  return field->value ? field->value : "";
}

xc_graph_value *xc_caffe_bottom(xc_caffe_importer *im, size_t index) {
  const xc_caffe_layer *layer = im->layer;
  if (index < layer->num_bottoms) {
    xc_graph_value *value = xc_graph_find(&im->graph, layer->bottoms[index]);
    if (!value)
      xc_caffe_error(im, "bottom %zu, '%s', is the top of no layer before it",
                     index, bottom_name(im, index));
    return value;
  }
  xc_caffe_error(im, "it has %zu bottom%s, expected at least %zu",
                 layer->num_bottoms, layer->num_bottoms == 1 ? "" : "s",
                 index + 1);
  return NULL;
}

xc_graph_value *xc_caffe_bottom_of_rank(xc_caffe_importer *im, size_t index,
                                        size_t low, size_t high) {
  xc_graph_value *value = xc_caffe_bottom(im, index);
  if (!value || (value->shape.rank >= low && value->shape.rank <= high))
    return value;
  xc_caffe_error(im, "bottom '%s' has %zu dimensions, expected %zu to %zu",
                 bottom_name(im, index), value->shape.rank, low, high);
  return NULL;
}

bool xc_caffe_top(xc_caffe_importer *im, size_t index, xc_graph_value *value) {
  if (!value)
    return false;
  if (index >= im->layer->num_tops)
    return xc_caffe_error(im, "it has %zu top%s, expected at least %zu",
                          im->layer->num_tops,
                          im->layer->num_tops == 1 ? "" : "s", index + 1);
  const char *name = im->layer->tops[index];
  value = xc_caffe_fix_top(im, index, value);
  return xc_graph_define(
      &im->graph, name,
      xc_graph_alias(&im->graph, im->layer->blobs[index], value));
}

bool xc_caffe_top_computed(xc_caffe_importer *im, size_t index, MlirValue mlir,
                           const xc_graph_order *order) {
  return xc_caffe_top(
      im, index, xc_graph_computed(&im->graph, im->graph.node, mlir, order));
}

bool xc_caffe_unary(xc_caffe_importer *im, xc_op_kind kind,
                    const xc_attributes *attributes) {
  xc_graph_value *value = xc_caffe_bottom(im, 0);
  if (!value)
    return false;
  xc_graph_order order = xc_graph_cheapest(value);
  MlirValue input = xc_graph_get(&im->graph, value, &order);
  return xc_caffe_top_computed(im, 0,
                               xc_graph_emit(&im->graph, NULL, kind, &input, 1,
                                             attributes, XC_ELEMENT_NONE),
                               &order);
}
