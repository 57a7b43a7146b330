//===- OpsSpace.c - borders, blocks, sizes and reductions -----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

static bool four_dims(xc_tflite_context *c, size_t index, MlirValue *value,
                      xc_shape *shape) {
  *value = xc_tflite_value(c, index);
  if (mlirValueIsNull(*value))
    return false;
  *shape = xc_value_shape(*value);
  if (shape->rank == 4)
    return true;
  return xc_tflite_error(c, "input %zu '%s' has rank %zu, expected 4", index,
                         xc_tflite_input(c, index)->name, shape->rank);
}

static bool exactly(xc_tflite_context *c, size_t index, int64_t *ints,
                    size_t expected) {
  size_t count;
  if (!xc_tflite_ints(c, index, ints, expected, &count))
    return false;
  if (count == expected)
    return true;
  return xc_tflite_error(c, "input %zu '%s' has %zu entries, expected %zu",
                         index, xc_tflite_input(c, index)->name, count,
                         expected);
}

//===----------------------------------------------------------------------===//
// Borders
//===----------------------------------------------------------------------===//

// Reads the number in the border of a tensor: zero, which is the zero point of
// a quantized one, in the tensor's own units.
static bool read_border(xc_tflite_context *c, double *border) {
  const xc_tflite_tensor *input = xc_tflite_input(c, 0);
  xc_tflite_quant quant = {1.0f, 0};
  if (xc_tflite_is_quantized(input) && !xc_tflite_quant_of(c, input, &quant))
    return false;
  *border = (double)quant.zero_point;
  if (c->operator->code != XC_TFL_PADV2)
    return true;
  const xc_tflite_tensor *value = xc_tflite_input(c, 2);
  if (!value->data || value->element != input->element ||
      value->size != xc_element_size(value->element))
    return xc_tflite_error(c,
                           "input 2 '%s' must be a constant with one entry of "
                           "type %s",
                           value->name, input->type_name);
  if (value->element == XC_ELEMENT_F32) {
    size_t count;
    const float *floats = xc_tflite_floats(c->importer, value, &count);
    if (!floats)
      return false;
    *border = (double)*floats;
    return true;
  }
  if (xc_element_is_float(value->element))
    return xc_tflite_error(c, "has elements of type %s, which xc cannot pad",
                           value->type_name);
  *border = (double)xc_graph_load(xc_tflite_known(c, 2), 0).integer;
  return true;
}

static MlirValue build_pad(xc_tflite_context *c, const char *part,
                           MlirValue input, const int64_t *paddings,
                           size_t count, const char *mode, double border) {
  xc_tflite_attributes attributes = {.count = 0};
  xc_tflite_add(&attributes, xc_ints("paddings", paddings, count));
  xc_tflite_add(&attributes, xc_string("mode", mode));
  if (strcmp(mode, "CONSTANT") == 0)
    xc_tflite_add(&attributes, xc_float("constant_value", border));
  return xc_tflite_build(c, part, XC_TIR_PAD, &input, 1, &attributes,
                         XC_ELEMENT_NONE);
}

bool xc_tflite_pad(xc_tflite_context *c) {
  static const char *const modes[] = {"REFLECT", "SYMMETRIC"};
  MlirValue input = xc_tflite_value(c, 0);
  int64_t paddings[2 * XC_MAX_RANK];
  const char *mode = "CONSTANT";
  double border = 0.0;
  if (mlirValueIsNull(input) ||
      !exactly(c, 1, paddings, 2 * xc_value_shape(input).rank))
    return false;
  for (size_t i = 0; i < 2 * xc_value_shape(input).rank; ++i)
    if (paddings[i] < 0)
      return xc_tflite_error(c, "has padding %" PRId64 ", expected 0 or more",
                             paddings[i]);
  if (c->operator->code == XC_TFL_MIRROR_PAD) {
    int64_t word = xc_tflite_option(c, XC_TFL_MirrorPadOptions_mode);
    if (word != 0 && word != 1)
      return xc_tflite_error(c, "has mode %" PRId64 ", expected 0 or 1", word);
    mode = modes[word];
  } else if (!read_border(c, &border)) {
    return false;
  }
  return xc_tflite_set(c, 0,
                       build_pad(c, NULL, input, paddings,
                                 2 * xc_value_shape(input).rank, mode, border));
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

bool xc_tflite_depth_to_space(xc_tflite_context *c) {
  xc_tflite_attributes attributes = {.count = 0};
  MlirValue input = xc_tflite_value(c, 0);
  xc_tflite_add(
      &attributes,
      xc_int("scale", xc_tflite_option(c, XC_TFL_BlockOptions_block_size)));
  xc_tflite_add(&attributes, xc_bool("upscale", true));
  xc_tflite_add(&attributes, xc_string("mode", "DCR"));
  return xc_tflite_finish(c, XC_TIR_PIXEL_SHUFFLE, &input, 1, &attributes);
}

bool xc_tflite_space_to_depth(xc_tflite_context *c) {
  xc_tflite_attributes attributes = {.count = 0};
  MlirValue input = xc_tflite_value(c, 0);
  xc_tflite_add(
      &attributes,
      xc_int("scale", xc_tflite_option(c, XC_TFL_BlockOptions_block_size)));
  return xc_tflite_finish(c, XC_TIR_REORG, &input, 1, &attributes);
}

// Block and border of the batch operators; the file has height before width.
static bool read_blocks(xc_tflite_context *c, int64_t block[2],
                        int64_t border[4]) {
  int64_t file_block[2], file_border[4];
  if (!exactly(c, 1, file_block, 2) || !exactly(c, 2, file_border, 4))
    return false;
  block[0] = file_block[1];
  block[1] = file_block[0];
  memcpy(border, file_border + 2, sizeof(int64_t[2]));
  memcpy(border + 2, file_border, sizeof(int64_t[2]));
  return true;
}

// A border of zeros is the operator's own; that of a quantized tensor holds
// its zero point and comes before.
bool xc_tflite_space_to_batch(xc_tflite_context *c) {
  xc_tflite_attributes attributes = {.count = 0};
  MlirValue input;
  xc_shape shape;
  int64_t block[2], border[4];
  double value;
  if (!four_dims(c, 0, &input, &shape) || !read_blocks(c, block, border) ||
      !read_border(c, &value))
    return false;
  bool padded = border[0] || border[1] || border[2] || border[3];
  if (padded && (value < 0.0 || value > 0.0)) {
    const int64_t paddings[] = {0,         0,         border[2], border[3],
                                border[0], border[1], 0,         0};
    input = build_pad(c, "pad", input, paddings, 8, "CONSTANT", value);
    if (mlirValueIsNull(input))
      return false;
    memset(border, 0, sizeof(border));
  }
  xc_tflite_add(&attributes, xc_ints("block_shape", block, 2));
  xc_tflite_add(&attributes, xc_ints("paddings", border, 4));
  return xc_tflite_finish(c, XC_TIR_SPACE_TO_BATCH, &input, 1, &attributes);
}

bool xc_tflite_batch_to_space(xc_tflite_context *c) {
  xc_tflite_attributes attributes = {.count = 0};
  MlirValue input;
  xc_shape shape;
  int64_t block[2], border[4];
  if (!four_dims(c, 0, &input, &shape) || !read_blocks(c, block, border))
    return false;
  xc_tflite_add(&attributes, xc_ints("block_shape", block, 2));
  xc_tflite_add(&attributes, xc_ints("crops", border, 4));
  return xc_tflite_finish(c, XC_TIR_BATCH_TO_SPACE, &input, 1, &attributes);
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

bool xc_tflite_resize(xc_tflite_context *c) {
  bool bilinear = c->operator->code == XC_TFL_RESIZE_BILINEAR;
  xc_tflite_attributes attributes = {.count = 0};
  MlirValue input;
  xc_shape shape;
  int64_t file_size[2];
  if (!four_dims(c, 0, &input, &shape) || !exactly(c, 1, file_size, 2))
    return false;
  bool corners =
      xc_tflite_option(c, bilinear
                              ? XC_TFL_ResizeBilinearOptions_align_corners
                              : XC_TFL_ResizeNearestOptions_align_corners) != 0;
  bool half_pixel =
      xc_tflite_option(
          c, bilinear ? XC_TFL_ResizeBilinearOptions_half_pixel_centers
                      : XC_TFL_ResizeNearestOptions_half_pixel_centers) != 0;
  const int64_t size[] = {file_size[1], file_size[0]};
  xc_tflite_add(&attributes, xc_ints("size", size, 2));
  xc_tflite_add(&attributes,
                xc_string("mode", bilinear ? "BILINEAR" : "NEAREST"));
  xc_tflite_add(&attributes, xc_bool("align_corners", corners));
  xc_tflite_add(&attributes, xc_bool("half_pixel_centers", half_pixel));
  // The nearest element is taken as it stands, whatever its scale.
  if (!bilinear)
    xc_tflite_add(
        &attributes,
        xc_string("nearest_mode", xc_graph_nearest_mode(corners, half_pixel)));
  if (!bilinear || !xc_tflite_is_quantized(xc_tflite_input(c, 0)))
    return xc_tflite_finish(c, XC_TIR_RESIZE, &input, 1, &attributes);
  return xc_tflite_finish_quantized(c, XC_TIR_QLINEAR_RESIZE, &input, 1,
                                    &attributes);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

typedef struct reduction_row {
  int64_t code;
  xc_op_kind kind;
  const char *type;
} reduction_row;

static const reduction_row *find_reduction(int64_t code) {
  static const reduction_row rows[] = {
      {XC_TFL_MEAN, XC_TIR_REDUCTION_MEAN, "MEAN"},
      {XC_TFL_SUM, XC_TIR_REDUCTION_SUM, "SUM"},
      {XC_TFL_REDUCE_MAX, XC_TIR_REDUCTION_MAX, "MAX"}};
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i)
    if (rows[i].code == code)
      return &rows[i];
  assert(false && "Operators.def names xc_tflite_reduce for these rows");
  return NULL;
}

static bool add_axes(xc_tflite_context *c, xc_tflite_attributes *attributes,
                     int64_t axes[XC_MAX_RANK]) {
  size_t count;
  if (!xc_tflite_ints(c, 1, axes, XC_MAX_RANK, &count))
    return false;
  bool keep = xc_tflite_option(c, XC_TFL_ReducerOptions_keep_dims) != 0;
  xc_tflite_add(attributes, xc_ints("axis", axes, count));
  xc_tflite_add(attributes, xc_bool("keep_dims", keep));
  return true;
}

// The sum divided by how many there are, towards zero.
static bool finish_integer_mean(xc_tflite_context *c, MlirValue input,
                                const xc_tflite_attributes *attributes) {
  MlirValue sum = xc_tflite_build(c, "sum", XC_TIR_REDUCTION_SUM, &input, 1,
                                  attributes, XC_ELEMENT_NONE);
  if (mlirValueIsNull(sum))
    return false;
  xc_shape from = xc_value_shape(input), to = xc_value_shape(sum);
  double count =
      (double)xc_shape_num_elements(&from) / (double)xc_shape_num_elements(&to);
  return xc_tflite_set(
      c, 0,
      xc_graph_emit_with(&c->importer->graph, NULL, XC_TIR_DIV, sum, count));
}

bool xc_tflite_reduce(xc_tflite_context *c) {
  const reduction_row *row = find_reduction(c->operator->code);
  xc_tflite_attributes attributes = {.count = 0};
  MlirValue input = xc_tflite_value(c, 0);
  int64_t axes[XC_MAX_RANK];
  if (mlirValueIsNull(input) || !add_axes(c, &attributes, axes))
    return false;
  bool is_float = xc_element_is_float(xc_tflite_input(c, 0)->element);
  if (row->kind == XC_TIR_REDUCTION_MEAN && !is_float &&
      !xc_tflite_is_quantized(xc_tflite_input(c, 0)))
    return finish_integer_mean(c, input, &attributes);
  if (!xc_tflite_is_quantized(xc_tflite_input(c, 0)))
    return xc_tflite_finish(c, row->kind, &input, 1, &attributes);
  xc_tflite_add(&attributes, xc_string("type", row->type));
  return xc_tflite_finish_quantized(c, XC_TIR_QLINEAR_REDUCTION, &input, 1,
                                    &attributes);
}

// The largest in the opposite order.
bool xc_tflite_reduce_min(xc_tflite_context *c) {
  xc_tflite_attributes attributes = {.count = 0};
  MlirValue value = xc_tflite_value(c, 0);
  int64_t axes[XC_MAX_RANK];
  if (mlirValueIsNull(value) || !add_axes(c, &attributes, axes))
    return false;
  value = xc_graph_emit_reverse(&c->importer->graph, "neg", value);
  value = xc_tflite_build(c, "max", XC_TIR_REDUCTION_MAX, &value, 1,
                          &attributes, XC_ELEMENT_NONE);
  return xc_tflite_set(c, 0,
                       xc_graph_emit_reverse(&c->importer->graph, NULL, value));
}

bool xc_tflite_argmax(xc_tflite_context *c) {
  xc_tflite_attributes attributes = {.count = 0};
  MlirValue input = xc_tflite_value(c, 0);
  int64_t axis;
  if (mlirValueIsNull(input) || !xc_tflite_scalar(c, 1, &axis))
    return false;
  if (c->operator->code == XC_TFL_ARG_MIN)
    input = xc_graph_emit_reverse(&c->importer->graph, "reverse", input);
  xc_tflite_add(&attributes, xc_int("axis", axis));
  return xc_tflite_finish(c, XC_TIR_ARGMAX, &input, 1, &attributes);
}
