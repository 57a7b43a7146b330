//===- LowerPool.c - pools, elementwise operators and activations become layers
//===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lower.h"

#include "xc-c/FixedPoint.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH, HEIGHT };

static int64_t sum_of_shift(const xc_view *view) {
  return xc_view_int(view, "input_fix_point") -
         xc_view_int(view, "output_fix_point");
}

static bool is_word(const xc_view *view, const char *name, const char *word) {
  return strcmp(xc_view_word(view, name), word) == 0;
}

//===----------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------===//

static bool read_window(const xc_view *view, XcDpuLayer *layer) {
  const XcDpuImage *in = &layer->inputs[0], *out = &layer->output;
  if (xc_view_bool(view, "global")) {
    layer->kernelH = in->height;
    layer->kernelW = in->width;
    layer->strideH = layer->strideW = 1;
    return true;
  }
  int64_t kernel[XC_MAX_INTS], stride[XC_MAX_INTS], pad[XC_MAX_INTS],
      dilation[XC_MAX_INTS];
  xc_view_ints(view, "kernel", kernel);
  xc_view_ints(view, "stride", stride);
  xc_view_ints(view, "pad", pad);
  xc_view_ints(view, "dilation", dilation);
  if (dilation[WIDTH] != 1 || dilation[HEIGHT] != 1)
    return xc_refuse(view, "the window is dilated");
  layer->kernelW = (int32_t)kernel[WIDTH];
  layer->kernelH = (int32_t)kernel[HEIGHT];
  layer->strideW = (int32_t)stride[WIDTH];
  layer->strideH = (int32_t)stride[HEIGHT];
  layer->padLeft = (int32_t)pad[0];
  layer->padTop = (int32_t)pad[2];
  if (is_word(view, "pad_mode", "SAME")) {
    int64_t across =
        (out->width - 1) * stride[WIDTH] + kernel[WIDTH] - in->width;
    int64_t down =
        (out->height - 1) * stride[HEIGHT] + kernel[HEIGHT] - in->height;
    layer->padLeft = (int32_t)(across > 0 ? across / 2 : 0);
    layer->padTop = (int32_t)(down > 0 ? down / 2 : 0);
  }
  return true;
}

/// Whether some window reaches beyond the input.
static bool has_border(const XcDpuLayer *layer) {
  const XcDpuImage *in = &layer->inputs[0], *out = &layer->output;
  int64_t right = (int64_t)(out->width - 1) * layer->strideW + layer->kernelW -
                  layer->padLeft;
  int64_t bottom = (int64_t)(out->height - 1) * layer->strideH +
                   layer->kernelH - layer->padTop;
  return layer->padLeft || layer->padTop || right > in->width ||
         bottom > in->height;
}

/// Whether some window reaches beyond the padding, too.
static bool reaches_beyond(const xc_view *view, const XcDpuLayer *layer) {
  const XcDpuImage *in = &layer->inputs[0], *out = &layer->output;
  int64_t pad[XC_MAX_INTS];
  xc_view_ints(view, "pad", pad);
  int64_t right = (int64_t)(out->width - 1) * layer->strideW + layer->kernelW -
                  layer->padLeft;
  int64_t bottom = (int64_t)(out->height - 1) * layer->strideH +
                   layer->kernelH - layer->padTop;
  return !is_word(view, "pad_mode", "SAME") &&
         (right > in->width + pad[1] || bottom > in->height + pad[3]);
}

static bool set_exact_average(xc_lowering *lowering, const xc_view *view,
                              XcDpuLayer *layer, int64_t elements) {
  XcAvgFactor factor;
  if (!xcExactAvgPoolFactor(elements, -layer->shiftCut, &factor))
    return xc_refuse(view, "no factor gives the exact quotient by %lld",
                     (long long)elements);
  size_t size = xcDpuFactorBytes(lowering->target, layer->inputs[0].channels);
  int8_t *to;
  layer->kind = XcDpuLayerKindAveragePool16;
  layer->weights = xc_parameters_add(lowering, size, &to);
  for (size_t i = 0; i < size; i += 2) {
    to[i] = (int8_t)(factor.factor & 0xff);
    to[i + 1] = (int8_t)(factor.factor >> 8);
  }
  layer->shiftCut += factor.shift;
  return true;
}

static bool set_average(xc_lowering *lowering, const xc_view *view,
                        XcDpuLayer *layer) {
  int64_t elements = (int64_t)layer->kernelH * layer->kernelW;
  if ((has_border(layer) && !xc_view_bool(view, "count_include_pad")) ||
      (reaches_beyond(view, layer) &&
       !xc_view_bool(view, "count_include_invalid")))
    return xc_refuse(view, "windows reach into a border that does not count, "
                           "but the engine divides by the whole kernel");
  if (xc_view_bool(view, "exact") && (elements & (elements - 1)) != 0)
    return set_exact_average(lowering, view, layer, elements);
  XcAvgFactor factor = xcAvgPoolFactor(layer->kernelH, layer->kernelW);
  if (factor.factor > INT8_MAX)
    return xc_refuse(view, "the factor %d of the average has more than 7 bits",
                     (int)factor.factor);
  layer->factor = factor.factor;
  layer->shiftCut += factor.shift;
  return true;
}

bool xc_lower_pool(xc_lowering *lowering, const xc_view *view) {
  bool is_average = is_word(view, "type", "AVG");
  XcDpuLayer layer = xc_layer_begin(lowering, view,
                                    is_average ? XcDpuLayerKindAveragePool
                                               : XcDpuLayerKindMaxPool);
  layer.shiftCut = (int32_t)sum_of_shift(view);
  return read_window(view, &layer) &&
         (!is_average || set_average(lowering, view, &layer)) &&
         xc_layer_add(lowering, view, &layer);
}

/// Over height, width or both: one window.
bool xc_lower_reduction_max(xc_lowering *lowering, const xc_view *view) {
  XcDpuLayer layer = xc_layer_begin(lowering, view, XcDpuLayerKindMaxPool);
  xc_shape shape = xc_view_shape(view, 0);
  int64_t axes[XC_MAX_INTS];
  size_t count = xc_view_ints(view, "axis", axes);
  layer.kernelH = layer.kernelW = layer.strideH = layer.strideW = 1;
  if (lowering->num_frames > 1)
    shape.dims[0] = 1; // one after the other
  for (size_t i = 0; i < count; ++i) {
    size_t axis =
        (size_t)(axes[i] < 0 ? axes[i] + (int64_t)shape.rank : axes[i]);
    xc_image_axis image_axis;
    if (shape.dims[axis] == 1)
      continue;
    if (!xc_shape_image_axis(&shape, axis, &image_axis) ||
        image_axis == XC_AXIS_C ||
        (image_axis == XC_AXIS_H && axis + 3 != shape.rank))
      return xc_refuse(view, "axis %zu is neither height nor width", axis);
    if (image_axis == XC_AXIS_H)
      layer.kernelH = layer.inputs[0].height;
    else
      layer.kernelW = layer.inputs[0].width;
  }
  // Without a reduced dimension rows may have become pixels.
  int32_t height = layer.inputs[0].height / layer.kernelH;
  if (height > 1 && layer.output.height == 1)
    layer.output.rowPitch = layer.output.pixelPitch;
  layer.output.height = height;
  layer.output.width = layer.inputs[0].width / layer.kernelW;
  layer.shiftCut = (int32_t)sum_of_shift(view);
  return xc_layer_add(lowering, view, &layer);
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

/// Whether the engine can repeat an operand to the size of the result.
static bool fits_result(const XcDpuImage *in, const XcDpuImage *out) {
  return (in->height == out->height || in->height == 1) &&
         (in->width == out->width || in->width == 1) &&
         in->channels == out->channels;
}

/// The schedule of a layer follows its first input, hence that is one of the
/// result's size where there is one.
static void put_largest_first(XcDpuLayer *layer) {
  for (size_t k = 1; k < layer->numInputs; ++k) {
    XcDpuImage *first = &layer->inputs[0], *in = &layer->inputs[k];
    if ((int64_t)in->height * in->width <=
        (int64_t)first->height * first->width)
      continue;
    XcDpuImage image = *first;
    int32_t shift = layer->shiftRead[0];
    *first = *in;
    *in = image;
    layer->shiftRead[0] = layer->shiftRead[k];
    layer->shiftRead[k] = shift;
  }
}

bool xc_lower_eltwise(xc_lowering *lowering, const xc_view *view) {
  bool is_product = is_word(view, "type", "MUL");
  size_t count = xc_view_num_inputs(view);
  if (count > XC_DPU_MAX_INPUTS)
    return xc_refuse(view, "there are %zu inputs, expected at most %d", count,
                     XC_DPU_MAX_INPUTS);
  XcDpuLayer layer = xc_layer_begin(
      lowering, view, is_product ? XcDpuLayerKindMul : XcDpuLayerKindAdd);
  layer.numInputs = count;
  int64_t fix_points[XC_MAX_INTS] = {0};
  xc_view_ints(view, "input_fix_point", fix_points);
  int64_t smallest = fix_points[0], sum = 0;
  for (size_t k = 0; k < count; ++k) {
    xc_allocation *allocation = xc_operand_allocation(lowering, view, k);
    layer.inputs[k] = xc_allocation_image(lowering, allocation);
    if (!fits_result(&layer.inputs[k], &layer.output))
      return xc_refuse(view, "input %zu is repeated along its channels", k);
    smallest = fix_points[k] < smallest ? fix_points[k] : smallest;
    sum += fix_points[k];
  }
  int64_t output = xc_view_int(view, "output_fix_point");
  for (size_t k = 0; !is_product && k < count; ++k)
    layer.shiftRead[k] = (int32_t)(fix_points[k] - smallest);
  layer.shiftWrite = (int32_t)((is_product ? sum : smallest) - output);
  put_largest_first(&layer);
  return xc_lower_activation(view, xc_view_word(view, "nonlinear"), output,
                             &layer.activation) &&
         xc_layer_add(lowering, view, &layer);
}

/// One value per channel, at `*address` in the parameters.
static bool add_channel_values(xc_lowering *lowering, const xc_view *view,
                               int32_t channels, uint32_t *address) {
  size_t size;
  int8_t *values = xc_constant_operand(view, 1, &size);
  if (!values)
    return false;
  bool ok = size == (size_t)channels || size == 1 ||
            xc_refuse(view, "the weight has %zu elements, expected %d or 1",
                      size, (int)channels);
  int8_t *to;
  *address = xc_parameters_add(lowering, (size_t)channels, &to);
  for (int32_t c = 0; ok && c < channels; ++c)
    to[c] = values[size == 1 ? 0 : c];
  free(values);
  return ok;
}

/// A sum with one value per channel: one pixel for all.
static bool add_channel_sum(xc_lowering *lowering, const xc_view *view) {
  XcDpuLayer layer = xc_layer_begin(lowering, view, XcDpuLayerKindAdd);
  int64_t in = xc_view_int(view, "input_fix_point");
  int64_t weight = xc_view_int(view, "weight_fix_point");
  int64_t output = xc_view_int(view, "output_fix_point");
  int64_t smallest = in < weight ? in : weight;
  int32_t channels = layer.inputs[0].channels;
  uint32_t address;
  if (!add_channel_values(lowering, view, channels, &address))
    return false;
  layer.numInputs = 2;
  layer.inputs[1] = xcDpuImageDense(
      (uint32_t)lowering->target->parametersRegister, address, 1, 1, channels);
  layer.shiftRead[0] = (int32_t)(in - smallest);
  layer.shiftRead[1] = (int32_t)(weight - smallest);
  layer.shiftWrite = (int32_t)(smallest - output);
  return xc_lower_activation(view, xc_view_word(view, "nonlinear"), output,
                             &layer.activation) &&
         xc_layer_add(lowering, view, &layer);
}

/// A product with one value per channel is a depthwise 1x1 convolution.
bool xc_lower_depthwise_fix(xc_lowering *lowering, const xc_view *view) {
  if (!is_word(view, "type", "MUL"))
    return add_channel_sum(lowering, view);
  XcDpuLayer layer = xc_layer_begin(lowering, view, XcDpuLayerKindDepthwise);
  bool ok = add_channel_values(lowering, view, layer.inputs[0].channels,
                               &layer.weights);
  layer.kernelH = layer.kernelW = layer.strideH = layer.strideW = 1;
  layer.shiftCut =
      (int32_t)(sum_of_shift(view) + xc_view_int(view, "weight_fix_point"));
  return ok &&
         xc_lower_activation(view, xc_view_word(view, "nonlinear"),
                             xc_view_int(view, "output_fix_point"),
                             &layer.activation) &&
         xc_layer_add(lowering, view, &layer);
}

//===----------------------------------------------------------------------===//
// Activations by themselves
//===----------------------------------------------------------------------===//

bool xc_lower_prelu(xc_lowering *lowering, const xc_view *view) {
  XcDpuLayer layer = xc_layer_begin(lowering, view, XcDpuLayerKindPrelu);
  size_t size;
  int8_t *slopes = xc_constant_operand(view, 1, &size);
  if (!slopes)
    return false;
  size_t channels = (size_t)layer.inputs[0].channels;
  bool ok = size == channels || size == 1 ||
            xc_refuse(view, "the slope has %zu elements, expected %zu or 1",
                      size, channels);
  int8_t *to;
  layer.weights = xc_parameters_add(lowering, channels, &to);
  for (size_t c = 0; ok && c < channels; ++c) {
    to[c] = slopes[size == 1 ? 0 : c];
    // The engine chooses the shift by the sign of the product.
    if (to[c] < 0)
      ok = xc_refuse(view, "slope %zu is negative", c);
  }
  free(slopes);
  layer.shiftPositive = (int32_t)sum_of_shift(view);
  layer.shiftNegative =
      layer.shiftPositive + (int32_t)xc_view_int(view, "slope_fix_point");
  return ok && xc_layer_add(lowering, view, &layer);
}

bool xc_lower_leaky(xc_lowering *lowering, const xc_view *view) {
  XcDpuLayer layer = xc_layer_begin(lowering, view, XcDpuLayerKindLeakyRelu);
  layer.factor = XC_LEAKY_FACTOR;
  layer.shiftPositive = (int32_t)sum_of_shift(view);
  layer.shiftNegative = layer.shiftPositive + XC_LEAKY_SHIFT;
  return xc_layer_add(lowering, view, &layer);
}

bool xc_lower_hard_sigmoid(xc_lowering *lowering, const xc_view *view) {
  XcDpuLayer layer = xc_layer_begin(lowering, view, XcDpuLayerKindHardSigmoid);
  layer.shiftBias = (int32_t)xc_view_int(view, "input_fix_point");
  layer.shiftCut = 14 + (int32_t)sum_of_shift(view);
  return xc_layer_add(lowering, view, &layer);
}

/// The gate, rounded to 7 fractional bits, then its product with the input.
bool xc_lower_hard_swish(xc_lowering *lowering, const xc_view *view) {
  enum { GATE_POINT = 7 };
  int32_t in = (int32_t)xc_view_int(view, "input_fix_point");
  int32_t out = (int32_t)xc_view_int(view, "output_fix_point");
  XcDpuLayer gate = xc_layer_begin(lowering, view, XcDpuLayerKindHardSigmoid);
  XcDpuLayer product = xc_layer_begin(lowering, view, XcDpuLayerKindMul);
  gate.shiftBias = in;
  gate.shiftCut = 14 + in - GATE_POINT;
  gate.output = xc_allocation_image(lowering, lowering->current->scratch);
  product.numInputs = 2;
  product.inputs[1] = gate.output;
  product.shiftWrite = in + GATE_POINT - out;
  return xc_layer_add(lowering, view, &gate) &&
         xc_layer_add(lowering, view, &product);
}

/// Only the depthwise engine clamps at both sides: a product with a power of
/// two.
bool xc_lower_relu6(xc_lowering *lowering, const xc_view *view) {
  XcDpuLayer layer = xc_layer_begin(lowering, view, XcDpuLayerKindDepthwise);
  int64_t shift = sum_of_shift(view);
  int left = shift < 0 ? (int)-shift : 0;
  if (left > 6)
    return xc_refuse(view,
                     "the result is shifted left by %d bits, expected at "
                     "most 6",
                     left);
  size_t channels = (size_t)layer.inputs[0].channels;
  int8_t *to;
  layer.weights = xc_parameters_add(lowering, channels, &to);
  memset(to, 1 << left, channels);
  layer.kernelH = layer.kernelW = layer.strideH = layer.strideW = 1;
  layer.shiftCut = (int32_t)(shift + left);
  return xc_lower_activation(view, "RELU6",
                             xc_view_int(view, "output_fix_point"),
                             &layer.activation) &&
         xc_layer_add(lowering, view, &layer);
}

bool xc_lower_relu(xc_lowering *lowering, const xc_view *view) {
  XcDpuLayer layer = xc_layer_begin(lowering, view, XcDpuLayerKindCopy);
  return xc_add_copy(lowering, view, layer.inputs[0], layer.output,
                     sum_of_shift(view), XcActivationRelu);
}
