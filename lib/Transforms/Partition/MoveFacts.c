//===- MoveFacts.c - facts of operators that move, join and reduce --------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadFacts.h"

static size_t normalised_axis(int64_t axis, size_t rank) {
  return (size_t)(axis < 0 ? axis + (int64_t)rank : axis);
}

// Whether an axis of `shape` is the height, width or channels of an image in
// memory: dimensions before the height are 1 or batch entries (`frames`), which
// are taken one by one.
static bool is_image_axis(const xc_shape *shape, size_t axis, bool frames) {
  if (axis + 2 >= shape->rank)
    return true;
  for (size_t i = frames ? 1 : 0; i < axis; ++i)
    if (shape->dims[i] != 1)
      return false;
  return true;
}

void xc_facts_read_axis(const xc_adaptor *op, size_t rank, xc_facts *facts) {
  if (xc_op_takes(op, XC_ATTR_AXIS, XC_ATTRIBUTE_INT))
    facts->value[XC_FACT_ON_CHANNELS] =
        normalised_axis(xc_attr_int(op, XC_ATTR_AXIS), rank) + 1 == rank;
}

void xc_facts_read_joined_axis(const xc_adaptor *op, const xc_shape *result,
                               xc_facts *facts) {
  size_t axis = normalised_axis(xc_attr_int(op, XC_ATTR_AXIS), result->rank);
  facts->value[XC_FACT_OUTER_AXES] =
      !is_image_axis(result, axis, result->rank >= 3 && axis > 0);
}

void xc_facts_read_reduced_axes(const xc_adaptor *op, xc_facts *facts) {
  if (!xc_op_takes(op, XC_ATTR_AXIS, XC_ATTRIBUTE_INTS))
    return;
  int64_t axes[XC_MAX_INTS], *value = facts->value;
  size_t count = xc_attr_ints(op, XC_ATTR_AXIS, axes);
  size_t rank = (size_t)value[XC_FACT_RANK];
  for (size_t i = 0; i < count && i < XC_MAX_INTS; ++i) {
    size_t axis = normalised_axis(axes[i], rank);
    if (rank == 4 && axis == 2)
      value[XC_FACT_REDUCED_W] = value[XC_FACT_INPUT_W];
    else if (rank == 4 && axis == 1)
      value[XC_FACT_REDUCED_H] = value[XC_FACT_INPUT_H];
    else
      ++value[XC_FACT_REDUCED_OTHER];
  }
}

void xc_facts_read_pad(const xc_adaptor *op, xc_facts *facts) {
  static const xc_enum modes[] = {[XC_PAD_CONSTANT] = XC_ENUM_CONSTANT,
                                  [XC_PAD_REFLECT] = XC_ENUM_REFLECT,
                                  [XC_PAD_SYMMETRIC] = XC_ENUM_SYMMETRIC,
                                  [XC_PAD_EDGE] = XC_ENUM_EDGE};
  int64_t *value = facts->value;
  for (int i = 0; i <= XC_PAD_EDGE; ++i)
    if (xc_attr_is(op, XC_ATTR_MODE, modes[i]))
      value[XC_FACT_PAD_MODE] = i;
  xc_facts_read_int(op, XC_ATTR_CONSTANT_VALUE, facts, XC_FACT_PAD_VALUE);
  int64_t pads[XC_MAX_INTS];
  size_t count = xc_attr_ints(op, XC_ATTR_PADDINGS, pads);
  for (size_t i = 0; i < count && i < XC_MAX_INTS; ++i) {
    bool spatial = value[XC_FACT_RANK] == 4 && i >= 2 && i < 6;
    if (pads[i] < 0)
      value[XC_FACT_PAD_CROP] -= pads[i];
    else if (!spatial)
      value[XC_FACT_PAD_OTHER] += pads[i];
    else
      value[(i < 4 ? XC_FACT_PAD_TOP : XC_FACT_PAD_LEFT) + i % 2] = pads[i];
  }
}

static int64_t scale_of(int64_t result, int64_t input) {
  if (input == 0 || result % input != 0)
    return XC_NO_INTEGER;
  int64_t scale = result / input;
  return scale < XC_LARGEST_SCALE ? scale : XC_LARGEST_SCALE;
}

void xc_facts_read_resize(const xc_adaptor *op, const xc_shape *result,
                          xc_facts *facts) {
  int64_t *value = facts->value;
  value[XC_FACT_SCALE_W] = scale_of(result->dims[2], value[XC_FACT_INPUT_W]);
  value[XC_FACT_SCALE_H] = scale_of(result->dims[1], value[XC_FACT_INPUT_H]);
  value[XC_FACT_INTERPOLATION] =
      xc_attr_is(op, XC_ATTR_MODE, XC_ENUM_NEAREST)    ? XC_NEAREST
      : xc_attr_is(op, XC_ATTR_MODE, XC_ENUM_BILINEAR) ? XC_BILINEAR
                                                       : XC_BICUBIC;
  static const xc_enum modes[] = {[XC_FLOOR] = XC_ENUM_FLOOR,
                                  [XC_CEIL] = XC_ENUM_CEIL,
                                  [XC_PREFER_FLOOR] =
                                      XC_ENUM_ROUND_PREFER_FLOOR,
                                  [XC_PREFER_CEIL] = XC_ENUM_ROUND_PREFER_CEIL};
  for (int i = 0; i <= XC_PREFER_CEIL; ++i)
    if (xc_attr_is(op, XC_ATTR_NEAREST_MODE, modes[i]))
      value[XC_FACT_NEAREST_MODE] = i;
  value[XC_FACT_HALF_PIXEL] =
      xc_attr_bool(op, XC_ATTR_HALF_PIXEL_CENTERS) ||
      !xc_attr_is(op, XC_ATTR_COORDINATE_MODE, XC_ENUM_DEFAULT);
  value[XC_FACT_ALIGNED] = xc_attr_bool(op, XC_ATTR_ALIGN_CORNERS);
}

// Axes that are cut or walked along, but are none of an image: the height is
// the third from the end.
static int64_t count_outer_cuts(const xc_shape *input, const xc_shape *result,
                                const int64_t *strides) {
  bool frames = input->rank == 4 && input->dims[0] == result->dims[0];
  int64_t count = 0;
  for (size_t i = frames ? 1 : 0; i < input->rank; ++i) {
    if (input->dims[i] == 1 ||
        (input->dims[i] == result->dims[i] && strides[i] == 1))
      continue;
    count += i + 3 < input->rank || !is_image_axis(input, i, frames);
  }
  return count;
}

void xc_facts_read_slice(const xc_adaptor *op, const xc_shape *result,
                         xc_facts *facts) {
  int64_t strides[XC_MAX_INTS], *value = facts->value;
  size_t count = xc_attr_ints(op, XC_ATTR_STRIDES, strides);
  // Walking backwards is further from a copy than any step.
  for (size_t i = 0; i < count && i < XC_MAX_INTS; ++i) {
    int64_t *most = &value[XC_FACT_SLICE_STRIDE];
    if (strides[i] < 0 ? strides[i] < *most : *most > 0 && strides[i] > *most)
      *most = strides[i];
  }
  value[XC_FACT_SLICE_BATCH] =
      value[XC_FACT_BATCH] != value[XC_FACT_RESULT_BATCH];
  xc_shape input = xc_operand_shape(op, XC_STRIDED_SLICE_INPUT);
  value[XC_FACT_OUTER_AXES] = count_outer_cuts(&input, result, strides);
}

// The last dimension above 1 stays where it is, or the channels move.
void xc_facts_read_order(const xc_adaptor *op, xc_facts *facts) {
  int64_t order[XC_MAX_INTS];
  size_t count = xc_attr_ints(op, XC_ATTR_ORDER, order);
  xc_shape input = xc_operand_shape(op, XC_TRANSPOSE_INPUT);
  size_t last = 0, moved = 0;
  for (size_t i = 0; i < count && i < input.rank; ++i) {
    if (input.dims[i] > 1)
      last = i;
    if (input.dims[order[i]] > 1)
      moved = (size_t)order[i];
  }
  facts->value[XC_FACT_MOVES_CHANNELS] = last != moved;
}

// With the channel first, the channels of a pixel of a block are not
// neighbours in the image that has fewer pixels.
void xc_facts_read_tile(const xc_adaptor *op, const xc_shape *result,
                        xc_facts *facts) {
  if (!xc_op_takes(op, XC_ATTR_UPSCALE, XC_ATTRIBUTE_BOOL))
    return;
  int64_t channels = xc_attr_bool(op, XC_ATTR_UPSCALE)
                         ? xc_dim_from_end(result, 0)
                         : facts->value[XC_FACT_INPUT_C];
  facts->value[XC_FACT_SCATTERED] =
      channels > 1 && xc_attr_is(op, XC_ATTR_MODE, XC_ENUM_CRD);
}
