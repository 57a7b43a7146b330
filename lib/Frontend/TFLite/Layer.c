//===- Layer.c - operators with weights -----------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layer.h"

#include "Hybrid.h"

#include <inttypes.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

// Scales of the weight: one, or one per output channel, which the file keeps
// in dimension `axis`.
static bool add_weight_quant(xc_tflite_context *c,
                             xc_tflite_attributes *attributes, size_t index,
                             int64_t axis, int64_t **points) {
  const xc_tflite_tensor *weight = xc_tflite_input(c, index);
  if (!weight->scales)
    return xc_tflite_error(c, "weight '%s' of type %s has no quantization",
                           weight->name, weight->type_name);
  if (weight->num_scales > 1 && weight->axis != axis)
    return xc_tflite_error(c,
                           "weight '%s' has scales along dimension %" PRId64
                           ", expected %" PRId64,
                           weight->name, weight->axis, axis);
  xc_tflite_add(attributes,
                xc_floats("weight_scale", weight->scales, weight->num_scales));
  bool any = false;
  *points = xc_arena_alloc(&c->importer->graph.arena, weight->num_scales,
                           sizeof(**points));
  for (size_t i = 0; i < weight->num_scales; ++i) {
    (*points)[i] = weight->zero_points[i];
    any |= weight->zero_points[i] != 0;
  }
  if (any)
    xc_tflite_add(attributes,
                  xc_ints("weight_zero_point", *points, weight->num_scales));
  return true;
}

bool xc_tflite_add_layer_quant(xc_tflite_context *c,
                               xc_tflite_attributes *attributes, size_t input,
                               size_t weight, int64_t axis,
                               xc_tflite_activation activation) {
  int64_t *points;
  xc_tflite_add_nonlinear(attributes, activation);
  xc_tflite_add_flavor(attributes);
  return xc_tflite_add_quant(c, attributes, "input",
                             xc_tflite_input(c, input)) &&
         add_weight_quant(c, attributes, weight, axis, &points) &&
         xc_tflite_add_quant(c, attributes, "output", xc_tflite_output(c, 0));
}

static bool read_operand(xc_tflite_context *c, xc_tflite_layer *l, int which) {
  size_t index = l->positions[which];
  if (l->quantized)
    l->operands[which] = xc_tflite_value(c, index);
  else if (which == XC_TFL_WEIGHT && l->stored.data)
    l->operands[which] = xc_tflite_float_constant(c, index, &l->stored);
  else
    l->operands[which] = xc_tflite_float_value(c, index);
  return !mlirValueIsNull(l->operands[which]);
}

static bool is_symmetric(const xc_tflite_tensor *tensor) {
  for (size_t i = 0; i < tensor->num_scales; ++i)
    if (tensor->zero_points[i] != 0)
      return false;
  return true;
}

bool xc_tflite_scales_differ(const xc_tflite_tensor *tensor) {
  for (size_t i = 1; i < tensor->num_scales; ++i)
    if (tensor->scales[i] != tensor->scales[0])
      return true;
  return false;
}

// How a constant weight under a float input is read. The first files of this
// kind call weights UINT8 that are INT8.
static void read_hybrid(xc_tflite_context *c, xc_tflite_layer *l) {
  static const float unit = 1.0f;
  xc_tflite_tensor *stored = &l->stored;
  if (!l->kernel.exists || !stored->data || !stored->scales ||
      !is_symmetric(stored))
    return;
  if (stored->element == XC_ELEMENT_UI8 && l->kernel.takes_uint8)
    stored->element = XC_ELEMENT_I8;
  int64_t axis = l->kernel.scales_axis;
  bool fits = stored->num_scales == 1 ||
              (axis >= 0 && stored->axis == axis &&
               stored->dims[axis] == (int64_t)stored->num_scales);
  l->hybrid = fits && stored->element == XC_ELEMENT_I8 &&
              l->input.element == XC_ELEMENT_F32 &&
              !c->importer->graph.options.dequantizeWeights;
  if (!l->hybrid)
    return;
  stored->scales = &unit;
  stored->num_scales = 1;
}

bool xc_tflite_begin_layer(xc_tflite_context *c, xc_tflite_layer *l) {
  l->quantized =
      xc_tflite_is_quantized(xc_tflite_input(c, l->positions[XC_TFL_INPUT]));
  l->operands[XC_TFL_INPUT] = xc_tflite_value(c, l->positions[XC_TFL_INPUT]);
  if (mlirValueIsNull(l->operands[XC_TFL_INPUT]))
    return false;
  l->input = xc_value_shape(l->operands[XC_TFL_INPUT]);
  if (xc_tflite_has_input(c, l->positions[XC_TFL_BIAS]) &&
      !read_operand(c, l, XC_TFL_BIAS))
    return false;
  const xc_tflite_tensor *weight =
      xc_tflite_input(c, l->positions[XC_TFL_WEIGHT]);
  l->stored = *weight;
  if (!l->quantized)
    read_hybrid(c, l);
  if (!weight->data) {
    if (!read_operand(c, l, XC_TFL_WEIGHT))
      return false;
    l->weight = xc_value_shape(l->operands[XC_TFL_WEIGHT]);
    return true;
  }
  l->weight = (xc_shape){.element = weight->element, .rank = weight->rank};
  memcpy(l->weight.dims, weight->dims, sizeof(weight->dims));
  return true;
}

bool xc_tflite_read_weight(xc_tflite_context *c, xc_tflite_layer *l) {
  return !mlirValueIsNull(l->operands[XC_TFL_WEIGHT]) ||
         read_operand(c, l, XC_TFL_WEIGHT);
}

bool xc_tflite_check_rank(xc_tflite_context *c, const xc_tflite_layer *l,
                          int which, size_t rank) {
  size_t found = which == XC_TFL_INPUT ? l->input.rank : l->weight.rank;
  if (found == rank)
    return true;
  return xc_tflite_error(
      c, "input %zu '%s' has rank %zu, expected %zu", l->positions[which],
      xc_tflite_input(c, l->positions[which])->name, found, rank);
}

bool xc_tflite_rearrange_weight(xc_tflite_context *c, xc_tflite_layer *l,
                                xc_tflite_source source) {
  const xc_tflite_tensor *tensor =
      xc_tflite_input(c, l->positions[XC_TFL_WEIGHT]);
  xc_tflite_importer *importer = c->importer;
  const unsigned char *data = tensor->data;
  if (!l->quantized) {
    size_t count;
    l->weight.element = XC_ELEMENT_F32;
    data =
        (const unsigned char *)xc_tflite_floats(importer, &l->stored, &count);
    if (!data)
      return xc_tflite_error(c,
                             "weight '%s' of type %s has no quantization that "
                             "turns it into float",
                             tensor->name, tensor->type_name);
  }
  const int64_t *to = l->weight.dims;
  size_t each = xc_element_size(l->weight.element);
  size_t total = (size_t)xc_shape_num_elements(&l->weight);
  if (!xc_tflite_charge(importer, total * each))
    return false;
  unsigned char *bytes = xc_arena_alloc(&importer->graph.arena, total, each),
                *at_end;
  at_end = bytes;
  int64_t at[4];
  for (at[0] = 0; at[0] < to[0]; ++at[0])
    for (at[1] = 0; at[1] < to[1]; ++at[1])
      for (at[2] = 0; at[2] < to[2]; ++at[2])
        for (at[3] = 0; at[3] < to[3]; ++at[3], at_end += each)
          memcpy(at_end, data + source(to, at) * each, each);
  l->operands[XC_TFL_WEIGHT] =
      xc_tflite_constant(c, tensor->name, bytes, &l->weight);
  return !mlirValueIsNull(l->operands[XC_TFL_WEIGHT]);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

static bool finish_hybrid(xc_tflite_context *c, const xc_tflite_layer *l,
                          xc_op_kind kind, xc_tflite_attributes *attributes,
                          xc_tflite_activation activation) {
  const xc_tflite_tensor *weight =
      xc_tflite_input(c, l->positions[XC_TFL_WEIGHT]);
  xc_tflite_dynamic input = {.value = l->operands[XC_TFL_INPUT],
                             .first_axis = l->kernel.first_axis,
                             .asymmetric = l->asymmetric};
  if (!xc_tflite_quantize_dynamic(c, &input))
    return false;
  const MlirValue operands[] = {input.steps, l->operands[XC_TFL_WEIGHT]};
  MlirValue sums =
      xc_tflite_build(c, "sums", kind, operands, 2, attributes, XC_ELEMENT_F32);
  return xc_tflite_finish_hybrid(c, sums, &input, weight->scales,
                                 weight->num_scales, l->operands[XC_TFL_BIAS],
                                 activation);
}

bool xc_tflite_finish_layer(xc_tflite_context *c, const xc_tflite_layer *l,
                            xc_op_kind kind, xc_op_kind quantized_kind,
                            const char *part, xc_tflite_attributes *attributes,
                            xc_tflite_activation activation) {
  if (l->hybrid)
    return finish_hybrid(c, l, kind, attributes, activation);
  if (l->quantized)
    return xc_tflite_finish(c, quantized_kind, l->operands, 3, attributes);
  bool fused = activation != XC_TFL_ACTIVATION_NONE;
  MlirValue value =
      xc_tflite_build(c, fused ? part : NULL, kind, l->operands, 3, attributes,
                      xc_tflite_output(c, 0)->element);
  return !mlirValueIsNull(value) &&
         xc_tflite_set(c, 0, xc_tflite_activate(c, value, activation));
}
