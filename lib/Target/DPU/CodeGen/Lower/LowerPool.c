//===- LowerPool.c - pools, elementwise operators, activations ------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FoldColumns.h"

#include "xc-c/FixedPoint.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------===//

static bool read_window(const xc_adaptor *op, XcDpuLayer *layer) {
  xc_window window = xc_window_of(op);
  if (window.w.dilation != 1 || window.h.dilation != 1)
    return xc_refuse(op, "the window is dilated");
  layer->kernelW = (int32_t)window.w.kernel;
  layer->kernelH = (int32_t)window.h.kernel;
  layer->strideW = (int32_t)window.w.stride;
  layer->strideH = (int32_t)window.h.stride;
  layer->padLeft = (int32_t)window.w.before;
  layer->padTop = (int32_t)window.h.before;
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
static bool reaches_beyond(const xc_adaptor *op) {
  xc_window window = xc_window_of(op);
  const xc_window_axis *axes[] = {&window.w, &window.h};
  for (int i = 0; i < 2; ++i)
    if ((axes[i]->outputs - 1) * axes[i]->stride + xc_window_span(axes[i]) -
            axes[i]->before >
        axes[i]->inputs + axes[i]->after)
      return true;
  return false;
}

static bool set_exact_average(xc_lowering *lowering, const xc_adaptor *op,
                              XcDpuLayer *layer, int64_t elements) {
  XcAvgFactor factor;
  if (!xcExactAvgPoolFactor(elements, -layer->shiftCut, &factor))
    return xc_refuse(op, "no factor gives the exact quotient by %lld",
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

static bool set_average(xc_lowering *lowering, const xc_adaptor *op,
                        XcDpuLayer *layer) {
  int64_t elements = (int64_t)layer->kernelH * layer->kernelW;
  if ((has_border(layer) && !xc_attr_bool(op, XC_ATTR_COUNT_INCLUDE_PAD)) ||
      (reaches_beyond(op) && !xc_attr_bool(op, XC_ATTR_COUNT_INCLUDE_INVALID)))
    return xc_refuse(op, "windows reach into a border that does not count, "
                         "but the engine divides by the whole kernel");
  if (xc_attr_bool(op, XC_ATTR_EXACT) && (elements & (elements - 1)) != 0)
    return set_exact_average(lowering, op, layer, elements);
  XcAvgFactor factor = xcAvgPoolFactor(layer->kernelH, layer->kernelW);
  if (factor.factor > INT8_MAX)
    return xc_refuse(op, "the factor %d of the average has more than 7 bits",
                     (int)factor.factor);
  layer->factor = factor.factor;
  layer->shiftCut += factor.shift;
  return true;
}

/// Returns the number of elements that an engine of one row at a time compares
/// for each channel.
static int64_t compared(const xc_window_axis *first,
                        const xc_window_axis *second) {
  return first->outputs *
         (second->inputs * first->kernel + second->outputs * second->kernel);
}

bool xc_pool_is_staged(const XcDpuTarget *target, const xc_adaptor *op,
                       xc_shape *between) {
  if (target->pool.rows == 0 || xc_attr_is(op, XC_ATTR_TYPE, XC_ENUM_AVG))
    return false;
  xc_window window = xc_window_of(op);
  const xc_window_axis *w = &window.w, *h = &window.h;
  if (w->kernel == 1 || h->kernel == 1)
    return false;
  int64_t at_once = w->outputs * h->outputs * w->kernel * h->kernel;
  int64_t across = compared(w, h), down = compared(h, w);
  int64_t staged = across <= down ? across : down;
  *between = xc_operand_shape(op, 0);
  between->dims[across <= down ? 2 : 1] =
      across <= down ? w->outputs : h->outputs;
  // The result of the first pool shall stay in the banks.
  return 10 * staged < 9 * at_once &&
         4 * xc_shape_num_elements(between) <= target->derived.imageGroupBytes;
}

/// Adds two pools: the maximum of each row or column of the window, then the
/// maximum of these.
static bool add_stages(xc_lowering *lowering, const xc_adaptor *op,
                       const XcDpuLayer *layer) {
  XcDpuLayer first = *layer, second = *layer;
  first.output = xc_allocation_image(lowering, lowering->current->scratch);
  first.shiftCut = 0;
  first.operations = 0;
  second.inputs[0] = first.output;
  second.marginBefore = second.marginAfter = 0;
  XcDpuLayer *down = &first, *across = &second;
  if (first.output.width == layer->output.width &&
      first.output.height == layer->inputs[0].height) {
    down = &second;
    across = &first;
  }
  down->kernelW = down->strideW = 1;
  down->padLeft = 0;
  across->kernelH = across->strideH = 1;
  across->padTop = 0;
  return xc_layer_add(lowering, op, &first) &&
         xc_layer_add(lowering, op, &second);
}

bool xc_lower_pool(xc_lowering *lowering, const xc_adaptor *op) {
  bool is_average = xc_attr_is(op, XC_ATTR_TYPE, XC_ENUM_AVG);
  XcDpuLayer layer = xc_layer_begin(lowering, op,
                                    is_average ? XcDpuLayerKindAveragePool
                                               : XcDpuLayerKindMaxPool);
  layer.shiftCut = xc_fix_rescale_shift(op);
  return read_window(op, &layer) &&
         (!is_average || set_average(lowering, op, &layer)) &&
         (lowering->current->scratch ? add_stages(lowering, op, &layer)
                                     : xc_layer_add(lowering, op, &layer));
}

/// A maximum over height, width or both is a pool with one window.
bool xc_lower_reduction_max(xc_lowering *lowering, const xc_adaptor *op) {
  XcDpuLayer layer = xc_layer_begin(lowering, op, XcDpuLayerKindMaxPool);
  xc_shape shape = xc_operand_shape(op, XC_REDUCTION_MAX_FIX_INPUT);
  int64_t axes[XC_MAX_INTS];
  size_t count = xc_attr_ints(op, XC_ATTR_AXIS, axes);
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
      return xc_refuse(op, "axis %zu is neither height nor width", axis);
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
  layer.shiftCut = xc_fix_rescale_shift(op);
  return xc_layer_add(lowering, op, &layer);
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

int32_t xc_lower_sum_shift(const xc_fix_sum *sum) {
  return sum->epilogue.shiftCut - (sum->multiply ? 0 : XC_FIX_ADD_GUARD_BITS);
}

bool xc_lower_eltwise(xc_lowering *lowering, const xc_adaptor *op) {
  bool is_product = xc_attr_is(op, XC_ATTR_TYPE, XC_ENUM_MUL);
  size_t count = xc_num_inputs(op);
  if (count > XC_DPU_MAX_INPUTS)
    return xc_refuse(op, "there are %zu inputs, expected at most %d", count,
                     XC_DPU_MAX_INPUTS);
  XcDpuLayer layer = xc_layer_begin(
      lowering, op, is_product ? XcDpuLayerKindMul : XcDpuLayerKindAdd);
  layer.numInputs = count;
  xc_fix_sum sum;
  if (!xc_fix_sum_of(op, &sum) ||
      !xc_lower_activation(op, sum.epilogue.activation,
                           sum.epilogue.outputFixPoint, &layer.activation))
    return false;
  for (size_t k = 0; k < count; ++k) {
    xc_allocation *allocation = xc_operand_allocation(lowering, op, k);
    layer.inputs[k] = xc_allocation_image(lowering, allocation);
    if (!fits_result(&layer.inputs[k], &layer.output))
      return xc_refuse(op, "input %zu is repeated along its channels", k);
    layer.shiftRead[k] = is_product ? 0 : sum.shifts[k];
  }
  layer.shiftWrite = xc_lower_sum_shift(&sum);
  put_largest_first(&layer);
  xc_fold_layer(lowering, op, &layer);
  return xc_layer_add(lowering, op, &layer);
}

/// One value per channel; null after a diagnostic. The caller frees.
static int8_t *channel_values(const xc_adaptor *op, int32_t channels) {
  size_t size;
  int8_t *values = xc_constant_operand(op, XC_DEPTHWISE_FIX_WEIGHT, &size);
  if (!values)
    return NULL;
  if (size != (size_t)channels && size != 1) {
    xc_refuse(op, "the weight has %zu elements, expected %d or 1", size,
              (int)channels);
    free(values);
    return NULL;
  }
  int8_t *result = xc_alloc((size_t)channels);
  for (int32_t c = 0; c < channels; ++c)
    result[c] = values[size == 1 ? 0 : c];
  free(values);
  return result;
}

/// A sum with one value per channel: one pixel for all.
static bool add_channel_sum(xc_lowering *lowering, const xc_adaptor *op) {
  XcDpuLayer layer = xc_layer_begin(lowering, op, XcDpuLayerKindAdd);
  int64_t in = xc_attr_int(op, XC_ATTR_INPUT_FIX_POINT);
  int64_t weight = xc_attr_int(op, XC_ATTR_WEIGHT_FIX_POINT);
  int64_t output = xc_attr_int(op, XC_ATTR_OUTPUT_FIX_POINT);
  int64_t smallest = in < weight ? in : weight;
  int32_t channels = layer.inputs[0].channels;
  int8_t *values = channel_values(op, channels), *to;
  if (!values)
    return false;
  uint32_t address = xc_parameters_add(lowering, (size_t)channels, &to);
  memcpy(to, values, (size_t)channels);
  xc_add_recipe(lowering, XC_DEPTHWISE_FIX_WEIGHT,
                (const int32_t[]){XcDpuRecipeBytes, (int32_t)address}, 2);
  free(values);
  layer.numInputs = 2;
  layer.inputs[1] = xcDpuImageDense(
      (uint32_t)lowering->target->parametersRegister, address, 1, 1, channels);
  layer.shiftRead[0] = (int32_t)(in - smallest);
  layer.shiftRead[1] = (int32_t)(weight - smallest);
  layer.shiftWrite = (int32_t)(smallest - output);
  return xc_lower_activation(op, xc_activation_of(op), output,
                             &layer.activation) &&
         xc_layer_add(lowering, op, &layer);
}

/// A product with one value per channel is a depthwise 1x1 convolution.
bool xc_lower_depthwise_fix(xc_lowering *lowering, const xc_adaptor *op) {
  if (!xc_attr_is(op, XC_ATTR_TYPE, XC_ENUM_MUL))
    return add_channel_sum(lowering, op);
  XcDpuLayer layer = xc_layer_begin(lowering, op, XcDpuLayerKindDepthwise);
  layer.kernelH = layer.kernelW = layer.strideH = layer.strideW = 1;
  layer.shiftCut = (int32_t)(xc_fix_rescale_shift(op) +
                             xc_attr_int(op, XC_ATTR_WEIGHT_FIX_POINT));
  int8_t *values = channel_values(op, layer.inputs[0].channels);
  bool ok =
      values && xc_lower_activation(op, xc_activation_of(op),
                                    xc_attr_int(op, XC_ATTR_OUTPUT_FIX_POINT),
                                    &layer.activation);
  if (ok) {
    static const int32_t elements[6] = {0, 0, 1, 1, 1, 1};
    const int32_t head[] = {layer.output.channels, 1, 1, 1, 1, 1};
    xc_lower_no_bias(lowering, &layer);
    layer.weights = xc_lower_channel_weights(
        lowering,
        &(xc_channel_kernel){
            .bytes = values, .channels = head[0], .pixels = 1, .inputs = 1});
    layer.canBeDiagonal = true;
    xc_add_channel_recipe(lowering, XC_DEPTHWISE_FIX_WEIGHT, head,
                          layer.weights, elements);
  }
  free(values);
  return ok && xc_layer_add(lowering, op, &layer);
}

//===----------------------------------------------------------------------===//
// Activations by themselves
//===----------------------------------------------------------------------===//

bool xc_lower_prelu(xc_lowering *lowering, const xc_adaptor *op) {
  XcDpuLayer layer = xc_layer_begin(lowering, op, XcDpuLayerKindPrelu);
  size_t size;
  int8_t *slopes = xc_constant_operand(op, XC_PRELU_FIX_SLOPE, &size);
  if (!slopes)
    return false;
  size_t channels = (size_t)layer.inputs[0].channels;
  bool ok = size == channels || size == 1 ||
            xc_refuse(op, "the slope has %zu elements, expected %zu or 1", size,
                      channels);
  int8_t *to;
  layer.weights = xc_parameters_add(lowering, channels, &to);
  xc_add_recipe(lowering, XC_PRELU_FIX_SLOPE,
                (const int32_t[]){XcDpuRecipeBytes, (int32_t)layer.weights}, 2);
  for (size_t c = 0; ok && c < channels; ++c) {
    to[c] = slopes[size == 1 ? 0 : c];
    // The engine chooses the shift by the sign of the product.
    if (to[c] < 0)
      ok = xc_refuse(op, "slope %zu is negative", c);
  }
  free(slopes);
  layer.shiftPositive = xc_fix_rescale_shift(op);
  layer.shiftNegative =
      layer.shiftPositive + (int32_t)xc_attr_int(op, XC_ATTR_SLOPE_FIX_POINT);
  return ok && xc_layer_add(lowering, op, &layer);
}

bool xc_lower_leaky(xc_lowering *lowering, const xc_adaptor *op) {
  XcDpuLayer layer = xc_layer_begin(lowering, op, XcDpuLayerKindLeakyRelu);
  layer.factor = XC_LEAKY_FACTOR;
  layer.shiftPositive = xc_fix_rescale_shift(op);
  layer.shiftNegative = layer.shiftPositive + XC_LEAKY_SHIFT;
  return xc_layer_add(lowering, op, &layer);
}

bool xc_lower_hard_sigmoid(xc_lowering *lowering, const xc_adaptor *op) {
  XcDpuLayer layer = xc_layer_begin(lowering, op, XcDpuLayerKindHardSigmoid);
  layer.shiftBias = (int32_t)xc_attr_int(op, XC_ATTR_INPUT_FIX_POINT);
  layer.shiftCut = 14 + xc_fix_rescale_shift(op);
  return xc_layer_add(lowering, op, &layer);
}

/// The gate, rounded to 7 fractional bits, then its product with the input.
bool xc_lower_hard_swish(xc_lowering *lowering, const xc_adaptor *op) {
  enum { GATE_POINT = 7 };
  int32_t in = (int32_t)xc_attr_int(op, XC_ATTR_INPUT_FIX_POINT);
  int32_t out = (int32_t)xc_attr_int(op, XC_ATTR_OUTPUT_FIX_POINT);
  XcDpuLayer gate = xc_layer_begin(lowering, op, XcDpuLayerKindHardSigmoid);
  XcDpuLayer product = xc_layer_begin(lowering, op, XcDpuLayerKindMul);
  gate.shiftBias = in;
  gate.shiftCut = 14 + in - GATE_POINT;
  gate.output = xc_allocation_image(lowering, lowering->current->scratch);
  product.numInputs = 2;
  product.inputs[1] = gate.output;
  product.shiftWrite = in + GATE_POINT - out;
  return xc_layer_add(lowering, op, &gate) &&
         xc_layer_add(lowering, op, &product);
}

/// Only the depthwise engine clamps at both sides: a product with a power of
/// two.
bool xc_lower_relu6(xc_lowering *lowering, const xc_adaptor *op) {
  XcDpuLayer layer = xc_layer_begin(lowering, op, XcDpuLayerKindDepthwise);
  xc_fold_layer(lowering, op, &layer);
  int64_t shift = xc_fix_rescale_shift(op);
  int left = shift < 0 ? (int)-shift : 0;
  if (left > 6)
    return xc_refuse(op,
                     "the result is shifted left by %d bits, expected at "
                     "most 6",
                     left);
  layer.kernelH = layer.kernelW = layer.strideH = layer.strideW = 1;
  layer.shiftCut = (int32_t)(shift + left);
  if (!xc_lower_activation(op, XcActivationRelu6,
                           xc_attr_int(op, XC_ATTR_OUTPUT_FIX_POINT),
                           &layer.activation))
    return false;
  size_t channels = (size_t)layer.inputs[0].channels;
  int8_t *values = xc_alloc(channels);
  memset(values, 1 << left, channels);
  xc_lower_no_bias(lowering, &layer);
  layer.weights = xc_lower_channel_weights(
      lowering, &(xc_channel_kernel){.bytes = values,
                                     .channels = (int32_t)channels,
                                     .pixels = 1,
                                     .inputs = 1});
  layer.canBeDiagonal = true;
  free(values);
  return xc_layer_add(lowering, op, &layer);
}

bool xc_lower_relu(xc_lowering *lowering, const xc_adaptor *op) {
  XcDpuLayer layer = xc_layer_begin(lowering, op, XcDpuLayerKindCopy);
  xc_fold_layer(lowering, op, &layer);
  return xc_add_copy(lowering, op, layer.inputs[0], layer.output,
                     xc_fix_rescale_shift(op), XcActivationRelu);
}
