//===- Channels.c - channels that change their place ----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only convolutions bring a number from one channel to another. What picks,
// permutes or fills up channels becomes the weights of the convolution that
// reads or makes them, or a 1x1 convolution with a one for each channel, which
// is exact in fixed point.
//
//===----------------------------------------------------------------------===//

#include "Legalize.h"

#include "xc-c/FixedPoint.h"

#include <string.h>

/// Where each channel comes from.
typedef struct channel_map {
  MlirValue source;
  const int64_t *from;
  int64_t count;
  bool repeats; ///< Whether several come from one.
} channel_map;

static int64_t *new_map(xc_rewriter *rewriter, channel_map *map,
                        MlirValue source, int64_t count) {
  int64_t *from = xc_rewrite_alloc(rewriter, (size_t)count + 1, sizeof(*from));
  *map = (channel_map){source, from, count, false};
  return from;
}

// Every n-th channel, forwards or backwards. Adjoining ones are a matter of
// addresses.
static bool read_slice(xc_rewriter *rewriter, const xc_adaptor *slice,
                       channel_map *map) {
  int64_t begin[XC_MAX_INTS], strides[XC_MAX_INTS];
  xc_shape from = xc_operand_shape(slice, 0);
  xc_shape to = xc_value_shape(xc_result_of(slice));
  xc_attr_ints(slice, XC_ATTR_BEGIN, begin);
  xc_attr_ints(slice, XC_ATTR_STRIDES, strides);
  if (from.rank != 4 || strides[3] == 1 || to.dims[3] < 2 ||
      memcmp(from.dims, to.dims, 3 * sizeof(*from.dims)) != 0)
    return false;
  // Rows that run backwards have as many.
  for (size_t i = 0; i < 3; ++i)
    if (strides[i] != 1 && from.dims[i] != 1)
      return false;
  int64_t first = begin[3] < 0 ? begin[3] + from.dims[3] : begin[3];
  int64_t last = first + (to.dims[3] - 1) * strides[3];
  if (first < 0 || first >= from.dims[3] || last < 0 || last >= from.dims[3])
    return false;
  int64_t *entries = new_map(rewriter, map, xc_operand(slice, 0), to.dims[3]);
  for (int64_t c = 0; c < map->count; ++c)
    entries[c] = first + c * strides[3];
  return true;
}

// Channels by a constant list, in floating point: a gather has no other form.
static bool read_gather(xc_rewriter *rewriter, const xc_adaptor *gather,
                        channel_map *map) {
  MlirValue input = xc_operand(gather, XC_GATHER_INPUT);
  MlirValue indices = xc_operand(gather, XC_GATHER_INDICES);
  xc_shape shape = xc_value_shape(input);
  int64_t axis = xc_attr_int(gather, XC_ATTR_AXIS);
  size_t count;
  const double *numbers = shape.rank == 4 && (axis == 3 || axis == -1) &&
                                  shape.element == XC_ELEMENT_F32 &&
                                  xc_is_constant(indices) &&
                                  xc_value_shape(indices).rank == 1
                              ? xc_constant_numbers(rewriter, indices, &count)
                              : NULL;
  if (!numbers || count == 0)
    return false;
  int64_t *entries = new_map(rewriter, map, input, (int64_t)count);
  bool *seen =
      xc_rewrite_alloc(rewriter, (size_t)shape.dims[3] + 1, sizeof(*seen));
  for (size_t i = 0; i < count; ++i) {
    int64_t from = (int64_t)numbers[i] + (numbers[i] < 0 ? shape.dims[3] : 0);
    if (from < 0 || from >= shape.dims[3])
      return false;
    map->repeats |= seen[from];
    seen[from] = true;
    entries[i] = from;
  }
  return true;
}

// Reads the integers that a gather picks between conversions of one fix point.
static bool read_fixed_gather(xc_rewriter *rewriter, const xc_adaptor *fixed,
                              channel_map *map) {
  xc_adaptor gather, real;
  if (!xc_defined_by(xc_operand(fixed, XC_FLOAT2FIX_INPUT), XC_TIR_GATHER,
                     &gather) ||
      !xc_defined_by(xc_operand(&gather, XC_GATHER_INPUT), XC_TIR_FIX2FLOAT,
                     &real) ||
      !xc_is_same_fix(fixed, &real) || !read_gather(rewriter, &gather, map))
    return false;
  map->source = xc_operand(&real, XC_FIX2FLOAT_INPUT);
  return true;
}

static bool read_map(xc_rewriter *rewriter, MlirValue value, channel_map *map) {
  xc_adaptor adaptor;
  int64_t parts[2];
  MlirValue image;
  if (!xc_defining_adaptor(value, &adaptor))
    return false;
  if (adaptor.info->kind == XC_TIR_GATHER)
    return read_gather(rewriter, &adaptor, map);
  if (xc_value_shape(value).element != XC_ELEMENT_I8)
    return false;
  if (adaptor.info->kind == XC_TIR_FLOAT2FIX)
    return read_fixed_gather(rewriter, &adaptor, map);
  if (!xc_keeps_numbers(&adaptor))
    return false;
  if (adaptor.info->kind == XC_TIR_STRIDED_SLICE_FIX)
    return read_slice(rewriter, &adaptor, map);
  if (adaptor.info->kind != XC_TIR_RESHAPE_FIX ||
      !xc_read_channel_shuffle(&adaptor, &image, parts))
    return false;
  int64_t *entries = new_map(rewriter, map, image, parts[0] * parts[1]);
  for (int64_t c = 0; c < map->count; ++c)
    entries[c] = xc_channel_before_shuffle(parts, c);
  return true;
}

// Whether the weights of a convolution can read the source itself: each of them
// stays what it is.
static bool conv_takes(xc_rewriter *rewriter, const xc_adaptor *conv,
                       const channel_map *map) {
  if (conv->info->float_kind != XC_TIR_CONV2D || map->repeats)
    return false;
  xc_shape weight = xc_operand_shape(conv, XC_CONV2D_FIX_WEIGHT);
  return xc_attr_int(conv, XC_ATTR_GROUP) == 1 &&
         xc_is_constant(xc_operand(conv, XC_CONV2D_FIX_WEIGHT)) &&
         xc_target_takes_conv(
             xc_rewrite_target(rewriter), weight.dims[2], weight.dims[1],
             xc_value_shape(map->source).dims[3], weight.dims[0]);
}

bool xc_legalize_channels_into_conv(xc_rewriter *rewriter,
                                    const xc_adaptor *root) {
  channel_map map;
  if (!read_map(rewriter, xc_operand(root, XC_CONV2D_FIX_INPUT), &map) ||
      !conv_takes(rewriter, root, &map))
    return false;
  xc_shape old = xc_operand_shape(root, XC_CONV2D_FIX_WEIGHT), shape = old;
  shape.dims[3] = xc_value_shape(map.source).dims[3];
  int64_t count = xc_shape_num_elements(&shape);
  int64_t *from = xc_rewrite_alloc(rewriter, (size_t)count + 1, sizeof(*from));
  memset(from, -1, (size_t)count * sizeof(*from));
  for (int64_t w = 0; w < count / shape.dims[3]; ++w)
    for (int64_t c = 0; c < map.count; ++c)
      from[w * shape.dims[3] + map.from[c]] = w * old.dims[3] + c;
  const MlirValue operands[] = {
      map.source,
      xc_rewrite_gather(rewriter, xc_operand(root, XC_CONV2D_FIX_WEIGHT), from,
                        &shape),
      xc_operand_or_null(root, XC_CONV2D_FIX_BIAS)};
  return !mlirValueIsNull(operands[1]) &&
         xc_rewrite_replace(rewriter, root,
                            xc_rewrite_like(rewriter, root, root->info->kind,
                                            operands, 3, NULL, 0));
}

//===----------------------------------------------------------------------===//
// A convolution with ones
//===----------------------------------------------------------------------===//

MlirValue xc_rewrite_selection(xc_rewriter *rewriter, MlirValue input,
                               const xc_selection *s) {
  int64_t channels = xc_value_shape(input).dims[3];
  xc_shape weight = {XC_ELEMENT_I8, 4, {s->count, 1, 1, channels}, false};
  xc_shape bias = {XC_ELEMENT_I8, 1, {s->count}, false};
  int8_t *ones =
      xc_rewrite_alloc(rewriter, (size_t)(s->count * channels) + 1, 1);
  int8_t *fills = xc_rewrite_alloc(rewriter, (size_t)s->count + 1, 1);
  for (int64_t o = 0; o < s->count; ++o) {
    if (s->from[o] >= 0)
      ones[o * channels + s->from[o]] = 1;
    else
      fills[o] = s->fill;
  }
  static const int64_t unit[] = {1, 1};
  const MlirValue operands[] = {
      input, xc_rewrite_const(rewriter, ones, &weight),
      s->fill ? xc_rewrite_const(rewriter, fills, &bias) : (MlirValue){NULL}};
  const xc_attribute attributes[] = {xc_ints("kernel", unit, 2),
                                     xc_ints("stride", unit, 2),
                                     xc_int("input_fix_point", s->point),
                                     xc_int("weight_fix_point", 0),
                                     xc_int("bias_fix_point", s->point),
                                     xc_int("output_fix_point", s->point)};
  return xc_rewrite_build(rewriter, XC_TIR_CONV2D_FIX, operands,
                          s->fill ? 3 : 2, attributes, 6, XC_ELEMENT_I8);
}

bool xc_takes_selection(const xc_rewriter *rewriter, MlirValue input,
                        int64_t outputs) {
  return xc_target_takes_conv(xc_rewrite_target(rewriter), 1, 1,
                              xc_value_shape(input).dims[3], outputs);
}

// Whether all who read the value are convolutions that read its source.
static bool only_convs_read(xc_rewriter *rewriter, const xc_adaptor *root,
                            const channel_map *map) {
  for (MlirOpOperand use = mlirValueGetFirstUse(xc_result_of(root));
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    xc_adaptor reader;
    if (!xc_adaptor_of_tir(mlirOpOperandGetOwner(use), &reader) ||
        !conv_takes(rewriter, &reader, map))
      return false;
  }
  return true;
}

bool xc_legalize_channels_as_conv(xc_rewriter *rewriter,
                                  const xc_adaptor *root) {
  channel_map map;
  bool is_gather = root->info->kind == XC_TIR_FLOAT2FIX;
  if (!read_map(rewriter, xc_result_of(root), &map) ||
      // The CPU picks channels of its own values in less time than a
      // convolution takes.
      (is_gather && !xc_is_of_dpu(map.source)) ||
      !xc_takes_selection(rewriter, map.source, map.count) ||
      only_convs_read(rewriter, root, &map))
    return false;
  xc_attr point = is_gather ? XC_ATTR_FIX_POINT : XC_ATTR_OUTPUT_FIX_POINT;
  xc_selection s = {map.from, map.count, xc_attr_int(root, point), 0};
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_selection(rewriter, map.source, &s));
}

// Whether layers compute what a gather reads, or all tensors that it joins: of
// what the CPU has anyway it takes less time than a convolution.
static bool is_of_layers(MlirValue value) {
  xc_adaptor concat;
  if (!xc_defined_by(value, XC_TIR_CONCAT, &concat))
    return xc_is_of_layer(value);
  for (size_t slot = 0; slot < concat.info->num_operands; ++slot)
    if (xc_has_operand(&concat, slot) &&
        !xc_is_of_layer(xc_operand(&concat, slot)))
      return false;
  return true;
}

MlirValue xc_rewrite_float_selection(xc_rewriter *rewriter, MlirValue input,
                                     const int64_t *from, int64_t count) {
  static const int64_t unit[] = {1, 1};
  int64_t channels = xc_value_shape(input).dims[3];
  xc_shape weight = {XC_ELEMENT_F32, 4, {count, 1, 1, channels}, false};
  double *ones =
      xc_rewrite_alloc(rewriter, (size_t)(count * channels) + 1, sizeof(*ones));
  for (int64_t o = 0; o < count; ++o)
    ones[o * channels + from[o]] = 1;
  const MlirValue operands[] = {input,
                                xc_rewrite_floats(rewriter, ones, &weight)};
  const xc_attribute window[] = {xc_ints("kernel", unit, 2),
                                 xc_ints("stride", unit, 2)};
  return xc_rewrite_build(rewriter, XC_TIR_CONV2D, operands, 2, window, 2,
                          XC_ELEMENT_NONE);
}

bool xc_legalize_gather_of_channels(xc_rewriter *rewriter,
                                    const xc_adaptor *root) {
  channel_map map;
  if (!read_gather(rewriter, root, &map) || !is_of_layers(map.source) ||
      !xc_takes_selection(rewriter, map.source, map.count) ||
      only_convs_read(rewriter, root, &map))
    return false;
  MlirValue value =
      xc_reorder_channels(rewriter, map.source, map.from, map.count);
  return xc_rewrite_replace(rewriter, root,
                            mlirValueIsNull(value)
                                ? xc_rewrite_float_selection(
                                      rewriter, map.source, map.from, map.count)
                                : value);
}

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

enum { BEFORE = 6, AFTER, NUM_PADDINGS };

// The convolution before the pad with more outputs, whose weights and biases
// are zero.
static bool widen_conv(xc_rewriter *rewriter, const xc_adaptor *root,
                       const xc_adaptor *conv, const int64_t *from,
                       int64_t outputs) {
  xc_shape weight = xc_operand_shape(conv, XC_CONV2D_FIX_WEIGHT);
  int64_t each = xc_shape_num_elements(&weight) / weight.dims[0];
  xc_shape wide = weight, bias = {XC_ELEMENT_I8, 1, {outputs}, false};
  wide.dims[0] = outputs;
  int64_t *all =
      xc_rewrite_alloc(rewriter, (size_t)(outputs * each) + 1, sizeof(*all));
  for (int64_t i = 0; i < outputs * each; ++i)
    all[i] = from[i / each] < 0 ? -1 : from[i / each] * each + i % each;
  MlirValue operands[] = {
      xc_operand(conv, XC_CONV2D_FIX_INPUT),
      xc_rewrite_gather(rewriter, xc_operand(conv, XC_CONV2D_FIX_WEIGHT), all,
                        &wide),
      xc_operand_or_null(conv, XC_CONV2D_FIX_BIAS)};
  if (!mlirValueIsNull(operands[2])) {
    bias.element = xc_value_shape(operands[2]).element;
    operands[2] = xc_rewrite_gather(rewriter, operands[2], from, &bias);
    if (mlirValueIsNull(operands[2]))
      return false;
  }
  return !mlirValueIsNull(operands[1]) &&
         xc_rewrite_replace(rewriter, root,
                            xc_rewrite_like(rewriter, conv, XC_TIR_CONV2D_FIX,
                                            operands, 3, NULL, 0));
}

bool xc_legalize_pad_of_channels(xc_rewriter *rewriter,
                                 const xc_adaptor *root) {
  int64_t paddings[XC_MAX_INTS] = {0};
  MlirValue input = xc_operand(root, XC_PAD_FIX_INPUT);
  xc_shape shape = xc_value_shape(input);
  xc_adaptor conv;
  size_t count = xc_attr_ints(root, XC_ATTR_PADDINGS, paddings);
  if (count != NUM_PADDINGS || shape.element != XC_ELEMENT_I8 ||
      !xc_keeps_numbers(root) || paddings[0] || paddings[1] ||
      paddings[BEFORE] < 0 || paddings[AFTER] < 0 ||
      paddings[BEFORE] + paddings[AFTER] == 0 ||
      !xc_attr_is(root, XC_ATTR_MODE, XC_ENUM_CONSTANT))
    return false;
  int64_t outputs = shape.dims[3] + paddings[BEFORE] + paddings[AFTER];
  if (!xc_takes_selection(rewriter, input, outputs))
    return false;
  int64_t *from =
      xc_rewrite_alloc(rewriter, (size_t)outputs + 1, sizeof(*from));
  for (int64_t o = 0; o < outputs; ++o) {
    int64_t c = o - paddings[BEFORE];
    from[o] = c >= 0 && c < shape.dims[3] ? c : -1;
  }
  xc_selection s = {from, outputs, xc_attr_int(root, XC_ATTR_OUTPUT_FIX_POINT),
                    xcSaturate8(xc_attr_int(root, XC_ATTR_CONSTANT_VALUE))};
  bool inside = paddings[2] || paddings[3] || paddings[4] || paddings[5];
  if (!inside && s.fill == 0 && xc_defining_adaptor(input, &conv) &&
      conv.info->kind == XC_TIR_CONV2D_FIX && xc_used_once(&conv) &&
      !xc_has_fix_groups(&conv) && xc_has_plain_activation(&conv)) {
    channel_map all = {xc_operand(&conv, 0), from, outputs, false};
    if (conv_takes(rewriter, &conv, &all) &&
        outputs <= xc_rewrite_target(rewriter)->derived.maxConvOutputChannels)
      return widen_conv(rewriter, root, &conv, from, outputs);
  }
  paddings[BEFORE] = paddings[AFTER] = 0;
  xc_attribute change = xc_ints("paddings", paddings, NUM_PADDINGS);
  if (inside)
    input =
        xc_rewrite_like(rewriter, root, XC_TIR_PAD_FIX, &input, 1, &change, 1);
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_selection(rewriter, input, &s));
}
