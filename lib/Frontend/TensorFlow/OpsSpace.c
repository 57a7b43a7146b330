//===- OpsSpace.c - borders, sizes and blocks -----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include <inttypes.h>

//===----------------------------------------------------------------------===//
// Borders, sizes, blocks
//===----------------------------------------------------------------------===//

// detail 1: with another number than 0, 2: mirrored.
bool xc_tf_pad(xc_tf_importer *im) {
  xc_graph_value *value = xc_tf_input(im, 0);
  int64_t given[2 * XC_MAX_RANK], paddings[2 * XC_MAX_RANK];
  size_t count;
  double number = 0;
  bool mirrors = im->node->row->detail == 2;
  bool repeats = mirrors && xc_tf_is(im, "mode", "SYMMETRIC", false);
  if (!value || !xc_tf_input_ints(im, 1, given, 2 * XC_MAX_RANK, &count))
    return false;
  size_t rank = value->shape.rank;
  if (count != 2 * rank)
    return xc_tf_error(im, "it pads %zu dimensions, expected %zu", count / 2,
                       rank);
  if (im->node->row->detail == 1) {
    xc_graph_value *with = xc_tf_input(im, 2);
    if (!with)
      return false;
    if (!with->data || xc_shape_num_elements(&with->shape) != 1)
      return xc_tf_error(im, "its number is computed at run time");
    number = xc_graph_to_real(xc_graph_load(with, 0));
  }
  xc_graph_order order = xc_graph_cheapest(value);
  for (size_t i = 0; i < rank; ++i)
    for (size_t k = 0; k < 2; ++k) {
      paddings[2 * i + k] = given[2 * order.dim[i] + k];
      if (paddings[2 * i + k] < 0)
        return xc_tf_error(im, "its padding is negative");
    }
  const xc_attribute attributes[] = {xc_ints("paddings", paddings, 2 * rank),
                                     xc_string("mode", repeats   ? "SYMMETRIC"
                                                       : mirrors ? "REFLECT"
                                                                 : "CONSTANT"),
                                     xc_float("constant_value", number)};
  MlirValue x = xc_tf_get(im, value, &order);
  return xc_tf_result_computed(im, 0,
                               xc_graph_emit(&im->graph, NULL, XC_TIR_PAD, &x,
                                             1, XC_ATTRIBUTES(attributes),
                                             XC_ELEMENT_NONE),
                               &order);
}

bool xc_tf_tile(xc_tf_importer *im) {
  xc_graph_value *value = xc_tf_input(im, 0);
  int64_t given[XC_MAX_RANK];
  size_t count;
  if (!value || !xc_tf_input_ints(im, 1, given, XC_MAX_RANK, &count))
    return false;
  if (count != value->shape.rank)
    return xc_tf_error(im, "it repeats %zu dimensions, expected %zu", count,
                       value->shape.rank);
  xc_graph_order order = xc_graph_cheapest(value);
  MlirValue x = xc_tf_get(im, value, &order);
  for (size_t i = 0; i < count; ++i) {
    enum { MOST = 256 };
    MlirValue copies[MOST];
    if (given[i] < 1 || given[i] > MOST)
      return xc_tf_error(im, "dimension %zu is repeated %" PRId64 " times", i,
                         given[i]);
    for (int64_t k = 0; k < given[i]; ++k)
      copies[k] = x;
    if (given[i] > 1)
      x = xc_graph_emit_concat(&im->graph, copies, (size_t)given[i],
                               xc_graph_position(&order, i));
  }
  return xc_tf_result_computed(im, 0, x, &order);
}

// detail 1: bilinear.
bool xc_tf_resize(xc_tf_importer *im) {
  xc_graph_value *value = xc_tf_input_of_rank(im, 0, 4, 4);
  int64_t given[2];
  size_t count;
  bool bilinear = im->node->row->detail == 1;
  bool corners = xc_tf_bool(im, "align_corners", false);
  bool half_pixel = xc_tf_bool(im, "half_pixel_centers", false);
  if (!value || !xc_tf_input_ints(im, 1, given, 2, &count))
    return false;
  if (count != 2 || given[0] < 1 || given[1] < 1)
    return xc_tf_error(im, "its size has %zu entries or is not positive",
                       count);
  if (corners && half_pixel)
    return xc_tf_error(im, "align_corners and half_pixel_centers are true, "
                           "expected one of them");
  int64_t size[] = {given[1], given[0]};
  const xc_attribute attributes[] = {
      xc_ints("size", size, 2),
      xc_string("mode", bilinear ? "BILINEAR" : "NEAREST"),
      xc_bool("align_corners", corners),
      xc_bool("half_pixel_centers", half_pixel),
      xc_string("nearest_mode", xc_graph_nearest_mode(corners, half_pixel))};
  MlirValue x = xc_tf_get_plain(im, value);
  xc_graph_order order = xc_graph_identity(4);
  return xc_tf_result_computed(
      im, 0,
      xc_graph_emit(&im->graph, NULL, XC_TIR_RESIZE, &x, 1,
                    &(xc_attributes){attributes, bilinear ? 4 : 5},
                    bilinear ? XC_ELEMENT_F32 : XC_ELEMENT_NONE),
      &order);
}

// Between H, W and channel (dy * block + dx) * C + c; detail 1: to space.
bool xc_tf_depth_space(xc_tf_importer *im) {
  xc_graph_value *value = xc_tf_input_of_rank(im, 0, 4, 4);
  int64_t block = xc_tf_int(im, "block_size", 0);
  if (!value)
    return false;
  if (block < 1 || block > UINT16_MAX)
    return xc_tf_error(im, "its block_size is %" PRId64, block);
  const xc_attribute attributes[] = {
      xc_int("scale", block), xc_bool("upscale", im->node->row->detail == 1),
      xc_string("mode", "DCR")};
  xc_graph_order order = xc_tf_image_order(im, 4);
  MlirValue x = xc_tf_get(im, value, &order);
  return xc_tf_result_computed(
      im, 0,
      xc_graph_emit(&im->graph, NULL, XC_TIR_PIXEL_SHUFFLE, &x, 1,
                    XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE),
      &order);
}

// Between H, W and the batch; detail 1: to space.
bool xc_tf_blocks(xc_tf_importer *im) {
  xc_graph_value *value = xc_tf_input_of_rank(im, 0, 4, 4);
  int64_t block[2], borders[4];
  size_t counts[2];
  bool to_space = im->node->row->detail == 1;
  if (!value || !xc_tf_input_ints(im, 1, block, 2, &counts[0]) ||
      !xc_tf_input_ints(im, 2, borders, 4, &counts[1]))
    return false;
  if (counts[0] != 2 || counts[1] != 4)
    return xc_tf_error(im, "its blocks have %zu dimensions, expected 2",
                       counts[0]);
  int64_t shape[] = {block[1], block[0]};
  int64_t around[] = {borders[2], borders[3], borders[0], borders[1]};
  for (size_t i = 0; i < 4; ++i)
    if (around[i] < 0 || shape[i % 2] < 1)
      return xc_tf_error(im, "its blocks or borders are negative");
  const xc_attribute attributes[] = {
      xc_ints("block_shape", shape, 2),
      xc_ints(to_space ? "crops" : "paddings", around, 4)};
  MlirValue x = xc_tf_get_plain(im, value);
  xc_graph_order order = xc_graph_identity(4);
  return xc_tf_result_computed(
      im, 0,
      xc_graph_emit(&im->graph, NULL,
                    to_space ? XC_TIR_BATCH_TO_SPACE : XC_TIR_SPACE_TO_BATCH,
                    &x, 1, XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE),
      &order);
}
