//===- LowerMove.c - operators that move data become layers ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lower.h"

#include "dialects/Shape.h"

#include <string.h>

int64_t xc_move_shift(const xc_adaptor *op) {
  return xc_attr_int(op, XC_ATTR_INPUT_FIX_POINT) -
         xc_attr_int(op, XC_ATTR_OUTPUT_FIX_POINT);
}

bool xc_add_copy(xc_lowering *lowering, const xc_adaptor *op, XcDpuImage from,
                 XcDpuImage to, int64_t shift, XcActivation activation) {
  XcDpuLayer layer = xc_layer_begin(lowering, op, XcDpuLayerKindCopy);
  layer.inputs[0] = from;
  layer.numInputs = 1;
  layer.output = to;
  layer.scaleH = to.height / from.height;
  layer.scaleW = to.width / from.width;
  layer.shiftWrite = (int32_t)shift;
  layer.activation = activation;
  return xc_layer_add(lowering, op, &layer);
}

/// Returns the bytes of an image without gaps, in the shape of another one.
static XcDpuImage reshaped(const XcDpuImage *image, const XcDpuImage *like) {
  XcDpuImage result = xcDpuImageDense(image->reg, image->address, like->height,
                                      like->width, like->channels);
  result.buffer = image->buffer;
  return result;
}

/// Adds a copy of the same bytes in another shape.
static bool add_reshape(xc_lowering *lowering, const xc_adaptor *op,
                        xc_allocation *from, xc_allocation *to, int64_t shift) {
  XcDpuImage in = xc_allocation_image(lowering, from), out = to->image;
  if (shift == 0 && in.reg == out.reg && in.address == out.address)
    return true;
  if (xc_image_is_dense(&in))
    in = reshaped(&in, &out);
  else if (xc_image_is_dense(&out))
    out = reshaped(&out, &in);
  else if (in.height != out.height || in.width != out.width ||
           in.channels != out.channels)
    return xc_refuse(op, "both sides are parts of larger buffers");
  return xc_add_copy(lowering, op, in, out, shift, XcActivationNone);
}

bool xc_lower_copy(xc_lowering *lowering, const xc_adaptor *op) {
  return add_reshape(lowering, op, xc_operand_allocation(lowering, op, 0),
                     xc_operand_allocation(lowering, op, 1), 0);
}

/// Returns the shape of what is lowered at once.
static xc_shape frame_shape(const xc_lowering *lowering,
                            const xc_shape *shape) {
  xc_shape frame = *shape;
  if (lowering->num_frames > 1)
    frame.dims[0] = 1;
  return frame;
}

/// Inputs that were not given a part of the output are copied there.
bool xc_lower_concat(xc_lowering *lowering, const xc_adaptor *op) {
  xc_allocation *out = xc_output_allocation(lowering, op);
  size_t axis = xc_axis_of(op);
  xc_image_axis image_axis;
  xc_shape frame = frame_shape(lowering, &out->shape);
  if (!xc_shape_image_axis(&frame, axis, &image_axis))
    return xc_refuse(op, "axis %zu has others before it", axis);
  XcDpuImage whole = xc_allocation_image(lowering, out);
  int64_t output = xc_attr_int(op, XC_ATTR_OUTPUT_FIX_POINT), first = 0;
  for (size_t k = 0; k < xc_num_inputs(op); ++k) {
    XcDpuImage in =
        xc_allocation_image(lowering, xc_operand_allocation(lowering, op, k));
    int64_t count = image_axis == XC_AXIS_C   ? in.channels
                    : image_axis == XC_AXIS_W ? in.width
                                              : in.height;
    XcDpuImage part = xc_image_part(whole, image_axis, first, count);
    first += count;
    if (memcmp(&in, &part, sizeof in) == 0)
      continue;
    if (!xc_add_copy(lowering, op, in, part, xc_input_fix_point(op, k) - output,
                     XcActivationNone))
      return false;
  }
  return true;
}

/// If instructions cannot have constants, a row of them is copied to all rows.
static bool copy_row(xc_lowering *lowering, const xc_adaptor *op,
                     XcDpuImage image, int8_t value) {
  size_t size = (size_t)image.width * (size_t)image.channels;
  int8_t *bytes;
  uint32_t address = xc_parameters_add(lowering, size, &bytes);
  memset(bytes, value, size);
  XcDpuImage row =
      xcDpuImageDense((uint32_t)lowering->target->parametersRegister, address,
                      image.height, image.width, image.channels);
  row.rowPitch = 0;
  return xc_add_copy(lowering, op, row, image, 0, XcActivationNone);
}

static bool add_fill(xc_lowering *lowering, const xc_adaptor *op,
                     XcDpuImage image, int64_t value) {
  if (image.height <= 0 || image.width <= 0 || image.channels <= 0)
    return true;
  if (!lowering->target->constantLoad)
    return copy_row(lowering, op, image, (int8_t)value);
  XcDpuLayer layer = xc_layer_begin(lowering, op, XcDpuLayerKindFill);
  layer.numInputs = 0;
  layer.output = image;
  layer.value = (int8_t)value;
  return xc_layer_add(lowering, op, &layer);
}

/// Rows or columns of `image` of which `before` and `after` lie in the border.
typedef struct border {
  xc_image_axis axis;
  int32_t before, size, after;
} border;

static border border_of(const XcDpuImage *inside, xc_image_axis axis,
                        int64_t before, int64_t after) {
  int32_t size = axis == XC_AXIS_H   ? inside->height
                 : axis == XC_AXIS_W ? inside->width
                                     : inside->channels;
  return (border){axis, (int32_t)before, size, (int32_t)after};
}

/// Returns the line that position `at` of the border, counted from the first
/// line inside, is a copy of.
static int32_t border_source(xc_enum mode, int32_t at, int32_t size) {
  if (mode == XC_ENUM_EDGE)
    return at < 0 ? 0 : size - 1;
  int32_t repeat = mode == XC_ENUM_SYMMETRIC;
  return at < 0 ? -at - repeat : 2 * size - 2 - at + repeat;
}

/// Copies the lines of the border from the lines inside, which have been
/// written.
static bool mirror_border(xc_lowering *lowering, const xc_adaptor *op,
                          XcDpuImage whole, const border *b) {
  xc_enum mode = xc_attr_enum(op, XC_ATTR_MODE);
  for (int32_t at = -b->before; at < b->size + b->after; ++at) {
    if (at == 0)
      at = b->size;
    if (at == b->size + b->after)
      break;
    int32_t from = border_source(mode, at, b->size);
    if (!xc_add_copy(lowering, op,
                     xc_image_part(whole, b->axis, b->before + from, 1),
                     xc_image_part(whole, b->axis, b->before + at, 1), 0,
                     XcActivationNone))
      return false;
  }
  return true;
}

static bool fill_border(xc_lowering *lowering, const xc_adaptor *op,
                        XcDpuImage whole, const border *b) {
  int64_t value = xc_attr_int(op, XC_ATTR_CONSTANT_VALUE);
  if (value < INT8_MIN || value > INT8_MAX)
    return xc_refuse(op, "'constant_value' has more than 8 bits");
  return add_fill(lowering, op, xc_image_part(whole, b->axis, 0, b->before),
                  value) &&
         add_fill(lowering, op,
                  xc_image_part(whole, b->axis, b->before + b->size, b->after),
                  value);
}

/// Copies the inside, then the border along one axis after the other. The last
/// axis covers the corners. A constant border does not wait for the inside.
bool xc_lower_pad(xc_lowering *lowering, const xc_adaptor *op) {
  XcDpuLayer layer = xc_layer_begin(lowering, op, XcDpuLayerKindCopy);
  XcDpuImage parts[XC_MAX_RANK + 1];
  border borders[XC_MAX_RANK];
  size_t count = 0;
  int64_t paddings[XC_MAX_INTS];
  xc_attr_ints(op, XC_ATTR_PADDINGS, paddings);
  xc_shape given = xc_operand_shape(op, XC_PAD_FIX_INPUT);
  xc_shape shape = frame_shape(lowering, &given);
  parts[0] = layer.output;
  for (size_t i = 0; i < shape.rank; ++i) {
    xc_image_axis axis;
    int64_t before = paddings[2 * i], after = paddings[2 * i + 1];
    if (before == 0 && after == 0)
      continue;
    if (before < 0 || after < 0 || !xc_shape_image_axis(&shape, i, &axis) ||
        (axis == XC_AXIS_H && i + 3 != shape.rank))
      return xc_refuse(op, "dimension %zu is cropped or has others before it",
                       i);
    borders[count] = border_of(&layer.inputs[0], axis, before, after);
    parts[count + 1] =
        xc_image_part(parts[count], axis, before, borders[count].size);
    ++count;
  }
  if (!xc_add_copy(lowering, op, layer.inputs[0], parts[count],
                   xc_move_shift(op), XcActivationNone))
    return false;
  bool is_constant = xc_attr_is(op, XC_ATTR_MODE, XC_ENUM_CONSTANT);
  while (count-- > 0)
    if (!(is_constant ? fill_border : mirror_border)(lowering, op, parts[count],
                                                     &borders[count]))
      return false;
  return true;
}

bool xc_slice_image(const xc_adaptor *op, XcDpuImage in, const XcDpuImage *out,
                    XcDpuImage *part) {
  xc_shape shape = xc_operand_shape(op, XC_PAD_FIX_INPUT);
  int64_t begins[XC_MAX_INTS], strides[XC_MAX_INTS];
  xc_attr_ints(op, XC_ATTR_BEGIN, begins);
  xc_attr_ints(op, XC_ATTR_STRIDES, strides);
  const int32_t counts[] = {out->height, out->width, out->channels};
  const int32_t sizes[] = {in.height, in.width, in.channels};
  *part = in;
  for (size_t i = 0; i < shape.rank; ++i) {
    xc_image_axis axis;
    if (strides[i] != 1)
      return false;
    if (shape.dims[i] == 1)
      continue;
    if (!xc_shape_image_axis(&shape, i, &axis) ||
        (axis == XC_AXIS_H && i + 3 != shape.rank))
      return false;
    if (counts[axis] < sizes[axis])
      *part = xc_image_part(
          *part, axis, xc_slice_begin(begins[i], strides[i], shape.dims[i]),
          counts[axis]);
  }
  return part->height == out->height && part->width == out->width &&
         part->channels == out->channels;
}

/// Copies every step-th element of each axis, beginning with `first`.
bool xc_lower_slice(xc_lowering *lowering, const xc_adaptor *op) {
  XcDpuLayer layer = xc_layer_begin(lowering, op, XcDpuLayerKindCopy);
  XcDpuImage in = layer.inputs[0], out = layer.output;
  xc_shape given = xc_operand_shape(op, XC_PAD_FIX_INPUT);
  xc_shape shape = frame_shape(lowering, &given);
  xc_shape result = xc_output_allocation(lowering, op)->shape;
  int64_t begins[XC_MAX_INTS], strides[XC_MAX_INTS];
  xc_attr_ints(op, XC_ATTR_BEGIN, begins);
  xc_attr_ints(op, XC_ATTR_STRIDES, strides);
  const int32_t counts[] = {out.height, out.width, out.channels};
  for (size_t i = 0; i < shape.rank; ++i) {
    int64_t begin = xc_slice_begin(begins[i], strides[i], shape.dims[i]);
    xc_image_axis axis;
    if (shape.dims[i] == 1 ||
        (shape.dims[i] == result.dims[i] && strides[i] == 1))
      continue;
    if (!xc_shape_image_axis(&shape, i, &axis) ||
        (axis == XC_AXIS_H && i + 3 != shape.rank) || strides[i] < 1 ||
        (axis == XC_AXIS_C && strides[i] != 1))
      return xc_refuse(op, "dimension %zu cannot be sliced in memory", i);
    in = xc_image_part(in, axis, begin, counts[axis]);
    if (axis == XC_AXIS_H)
      in.rowPitch *= (uint32_t)strides[i];
    if (axis == XC_AXIS_W)
      in.pixelPitch *= (uint32_t)strides[i];
  }
  // It may be a part of the input already.
  return (xc_move_shift(op) == 0 && memcmp(&in, &out, sizeof in) == 0) ||
         xc_add_copy(lowering, op, in, out, xc_move_shift(op),
                     XcActivationNone);
}

bool xc_lower_downsample(xc_lowering *lowering, const xc_adaptor *op) {
  XcDpuLayer layer = xc_layer_begin(lowering, op, XcDpuLayerKindCopy);
  XcDpuImage in = layer.inputs[0];
  int64_t scale[XC_MAX_INTS];
  xc_attr_ints(op, XC_ATTR_SCALE, scale);
  in.width = layer.output.width;
  in.height = layer.output.height;
  in.pixelPitch *= (uint32_t)scale[0];
  in.rowPitch *= (uint32_t)scale[1];
  return xc_add_copy(lowering, op, in, layer.output, xc_move_shift(op),
                     XcActivationNone);
}

/// Nearest neighbour.
bool xc_lower_upsample(xc_lowering *lowering, const xc_adaptor *op) {
  XcDpuLayer layer = xc_layer_begin(lowering, op, XcDpuLayerKindCopy);
  return xc_add_copy(lowering, op, layer.inputs[0], layer.output,
                     xc_move_shift(op), XcActivationNone);
}

bool xc_lower_reshape(xc_lowering *lowering, const xc_adaptor *op) {
  xc_allocation *in = xc_operand_allocation(lowering, op, 0);
  xc_allocation *out = xc_output_allocation(lowering, op);
  // The others keep the fix point, whatever it is.
  bool is_fix = op->info->kind == XC_TIR_RESHAPE_FIX;
  if (!is_fix)
    out->fix_point = in->fix_point;
  return add_reshape(lowering, op, in, out, is_fix ? xc_move_shift(op) : 0);
}
