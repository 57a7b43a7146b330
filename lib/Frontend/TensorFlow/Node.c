//===- Node.c - the current node: attributes, inputs, results -------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include "Frontend/Graph/Volume.h"

#include <inttypes.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

const Tensorflow__AttrValue *xc_tf_attribute_of(const Tensorflow__NodeDef *def,
                                                const char *name) {
  const Tensorflow__AttrValue *value = NULL;
  for (size_t i = 0; def && i < def->n_attr; ++i)
    if (def->attr[i]->key && strcmp(def->attr[i]->key, name) == 0)
      value = def->attr[i]->value; // the last one counts
  return value;
}

const Tensorflow__AttrValue *xc_tf_attribute(const xc_tf_importer *im,
                                             const char *name) {
  return xc_tf_attribute_of(im->node->def, name);
}

int64_t xc_tf_int(const xc_tf_importer *im, const char *name, int64_t absent) {
  const Tensorflow__AttrValue *value = xc_tf_attribute(im, name);
  return value && value->has_i ? value->i : absent;
}

double xc_tf_real(const xc_tf_importer *im, const char *name, double absent) {
  const Tensorflow__AttrValue *value = xc_tf_attribute(im, name);
  return value && value->has_f ? (double)value->f : absent;
}

bool xc_tf_bool(const xc_tf_importer *im, const char *name, bool absent) {
  const Tensorflow__AttrValue *value = xc_tf_attribute(im, name);
  return value && value->has_b ? value->b : absent;
}

bool xc_tf_is(const xc_tf_importer *im, const char *name, const char *word,
              bool absent) {
  const Tensorflow__AttrValue *value = xc_tf_attribute(im, name);
  if (!value || !value->has_s)
    return absent;
  return value->s.len == strlen(word) &&
         memcmp(value->s.data, word, value->s.len) == 0;
}

bool xc_tf_ints(xc_tf_importer *im, const char *name, int64_t *values,
                size_t count) {
  const Tensorflow__AttrValue *value = xc_tf_attribute(im, name);
  if (!value || !value->list)
    return true;
  if (value->list->n_i != count)
    return xc_tf_error(im, "attribute '%s' has %zu entries, expected %zu", name,
                       value->list->n_i, count);
  memcpy(values, value->list->i, count * sizeof(*values));
  return true;
}

xc_element xc_tf_type(const xc_tf_importer *im, const char *name,
                      xc_element absent) {
  const Tensorflow__AttrValue *value = xc_tf_attribute(im, name);
  return value && value->has_type ? xc_tf_element(value->type) : absent;
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

xc_graph_value *xc_tf_input(xc_tf_importer *im, size_t index) {
  if (index >= im->node->num_inputs) {
    xc_tf_error(im, "it has %zu input%s, expected at least %zu",
                im->node->num_inputs, im->node->num_inputs == 1 ? "" : "s",
                index + 1);
    return NULL;
  }
  xc_graph_value *value = xc_graph_find(&im->graph, im->node->inputs[index]);
  if (!value)
    xc_tf_error(im, "input %zu, '%s', is computed by no node before it", index,
                im->node->inputs[index]);
  return value;
}

xc_graph_value *xc_tf_input_of_rank(xc_tf_importer *im, size_t index,
                                    size_t low, size_t high) {
  xc_graph_value *value = xc_tf_input(im, index);
  if (!value || (value->shape.rank >= low && value->shape.rank <= high))
    return value;
  xc_tf_error(im, "input '%s' has %zu dimensions, expected %zu to %zu",
              im->node->inputs[index], value->shape.rank, low, high);
  return NULL;
}

bool xc_tf_input_ints(xc_tf_importer *im, size_t index, int64_t *values,
                      size_t capacity, size_t *count) {
  xc_graph_value *value = xc_tf_input(im, index);
  if (!value)
    return false;
  if (!value->data)
    return xc_tf_error(im,
                       "input %zu, '%s', is computed at run time, expected a "
                       "constant",
                       index, im->node->inputs[index]);
  int64_t total = xc_shape_num_elements(&value->shape);
  if (total > (int64_t)capacity)
    return xc_tf_error(im,
                       "input %zu has %" PRId64 " entries, expected at most "
                       "%zu",
                       index, total, capacity);
  *count = (size_t)total;
  for (size_t i = 0; i < *count; ++i)
    values[i] = xc_graph_to_int(xc_graph_load(value, (int64_t)i));
  return true;
}

bool xc_tf_input_axis(xc_tf_importer *im, size_t index, size_t rank,
                      size_t *axis) {
  int64_t value = 0;
  size_t count;
  if (!xc_tf_input_ints(im, index, &value, 1, &count))
    return false;
  return count == 1 ? xc_graph_axis(&im->graph, value, rank, axis)
                    : xc_tf_error(im, "its axis is empty");
}

//===----------------------------------------------------------------------===//
// Operands and results
//===----------------------------------------------------------------------===//

static MlirValue on_grid(xc_tf_importer *im, const xc_graph_value *value,
                         MlirValue mlir) {
  const xc_tf_grid *grid = value->note;
  if (!grid)
    return mlir;
  const xc_attribute attributes[] = {xc_int("bit_width", grid->bit_width),
                                     xc_int("fix_point", grid->fix_point),
                                     xc_bool("if_signed", true),
                                     xc_string("round_mode", "STD_ROUND")};
  return xc_graph_build(&im->graph, value->name, XC_TIR_FIX, &mlir, 1,
                        XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
}

MlirValue xc_tf_get(xc_tf_importer *im, xc_graph_value *value,
                    const xc_graph_order *order) {
  return on_grid(im, value, xc_graph_get(&im->graph, value, order));
}

MlirValue xc_tf_get_plain(xc_tf_importer *im, xc_graph_value *value) {
  xc_graph_order order = xc_graph_identity(value->shape.rank);
  return xc_tf_get(im, value, &order);
}

bool xc_tf_broadcast(xc_tf_importer *im, xc_graph_value *const *values,
                     size_t count, MlirValue *operands, xc_graph_order *order) {
  if (!xc_graph_broadcast(&im->graph, values, count, operands, order))
    return false;
  for (size_t i = 0; i < count; ++i)
    operands[i] = on_grid(im, values[i], operands[i]);
  return true;
}

bool xc_tf_result(xc_tf_importer *im, size_t index, xc_graph_value *value) {
  if (!value)
    return false;
  if (index >= im->node->num_outputs)
    return true; // nothing reads it
  const char *name = im->node->outputs[index];
  return xc_graph_define(&im->graph, name,
                         xc_graph_alias(&im->graph, name, value));
}

bool xc_tf_result_computed(xc_tf_importer *im, size_t index, MlirValue mlir,
                           const xc_graph_order *order) {
  return xc_tf_result(
      im, index, xc_graph_computed(&im->graph, im->graph.node, mlir, order));
}

// data_format of volumes has a D more; a BiasAdd calls them images.
static bool has_channels_first(const xc_tf_importer *im) {
  return xc_tf_is(im, "data_format", "NCHW", false) ||
         xc_tf_is(im, "data_format", "NCDHW", false);
}

xc_graph_order xc_tf_image_order(const xc_tf_importer *im, size_t rank) {
  bool is_first = has_channels_first(im);
  if (rank == 5)
    return is_first ? xc_graph_volume_order() : xc_graph_volume_order_last();
  return is_first ? xc_graph_channels_last(rank) : xc_graph_identity(rank);
}

size_t xc_tf_image_dim(const xc_tf_importer *im, size_t which) {
  static const size_t nhwc[] = {3, 1, 2};
  return has_channels_first(im) ? which + 1 : nhwc[which];
}

size_t xc_tf_channel_dim(const xc_tf_importer *im, size_t rank) {
  return has_channels_first(im) ? 1 : rank - 1;
}
