//===- Reference.c - layers computed the plain way ------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reference.h"

#include "xc-c/FixedPoint.h"

static int8_t *pixel(memory *m, const XcDpuImage *image, int32_t y, int32_t x) {
  return m->data[image->reg] + image->address + (size_t)y * image->rowPitch +
         (size_t)x * image->pixelPitch;
}

typedef struct window_sum {
  int64_t sum;
  int8_t maximum;
} window_sum;

/// Over the elements of a window that lie in the image: so many channels of the
/// input from `c` on times their weights (null: ones), of which those of the
/// next element are `step` bytes further.
static window_sum gather(memory *m, const XcDpuLayer *layer, int32_t y,
                         int32_t x, int32_t c, int32_t channels,
                         const int8_t *weights, size_t step) {
  const XcDpuImage *in = &layer->inputs[0];
  window_sum result = {.sum = 0, .maximum = INT8_MIN};
  for (int32_t i = 0; i < layer->kernelH; ++i)
    for (int32_t j = 0; j < layer->kernelW; ++j) {
      int32_t row = y * layer->strideH - layer->padTop + i;
      int32_t column = x * layer->strideW - layer->padLeft + j;
      if (row < 0 || row >= in->height || column < 0 || column >= in->width)
        continue;
      const int8_t *values = &pixel(m, in, row, column)[c];
      size_t at = (size_t)(i * layer->kernelW + j) * step;
      for (int32_t k = 0; k < channels; ++k) {
        result.sum += values[k] * (weights ? weights[at + (size_t)k] : 1);
        if (values[k] > result.maximum)
          result.maximum = values[k];
      }
    }
  return result;
}

static int8_t finish(const XcDpuLayer *layer, int64_t sum, int64_t bias) {
  return xcActRnd8(2 * sum + bias * (INT64_C(1) << (layer->shiftBias + 1)),
                   layer->shiftCut + 1, layer->activation);
}

static int8_t leaky(const XcDpuLayer *layer, int8_t value, int32_t factor) {
  int64_t product = value < 0 ? (int64_t)value * factor : value;
  return xcRnd8(product,
                product < 0 ? layer->shiftNegative : layer->shiftPositive);
}

static int8_t combine(memory *m, const XcDpuLayer *layer, int32_t y, int32_t x,
                      int32_t c) {
  bool is_product = layer->kind == XcDpuLayerKindMul;
  int64_t total = is_product ? 1 : 0;
  for (size_t k = 0; k < layer->numInputs; ++k) {
    const XcDpuImage *in = &layer->inputs[k];
    int8_t value =
        pixel(m, in, in->height == 1 ? 0 : y, in->width == 1 ? 0 : x)[c];
    if (is_product)
      total *= value;
    else
      total += xcFixAddTerm(value, layer->shiftRead[k]);
  }
  if (layer->activation == XcActivationRelu && total < 0)
    total = 0;
  return xcRnd8(total,
                layer->shiftWrite + (is_product ? 0 : XC_FIX_ADD_GUARD_BITS));
}

/// The second input of a convolution.
static int8_t add(memory *m, const XcDpuLayer *layer, int8_t value, int32_t y,
                  int32_t x, int32_t c) {
  int64_t total =
      xcFixAddTerm(value, layer->shiftRead[0]) +
      xcFixAddTerm(pixel(m, &layer->inputs[1], y, x)[c], layer->shiftRead[1]);
  if (layer->addActivation == XcActivationRelu && total < 0)
    total = 0;
  return xcRnd8(total, layer->shiftWrite + XC_FIX_ADD_GUARD_BITS);
}

static int8_t argmax(memory *m, const XcDpuLayer *layer, int32_t y, int32_t x) {
  const int8_t *values = pixel(m, &layer->inputs[0], y, x);
  int32_t best = 0;
  for (int32_t c = 1; c < layer->inputs[0].channels; ++c)
    if (values[c] > values[best])
      best = c;
  return (int8_t)best;
}

// Only the kinds that have one may look at it: others leave the offset alone.
static int64_t bias_of(const XcDpuLayer *layer, const memory *m, int32_t c) {
  return layer->hasBias ? m->data[0][layer->bias + (uint32_t)c] : 0;
}

static int8_t element(const XcDpuLayer *layer, const int8_t *ohwi, memory *m,
                      int32_t y, int32_t x, int32_t c) {
  const XcDpuImage *in = &layer->inputs[0];
  const int8_t *weights = m->data[0] + layer->weights;
  size_t channels = (size_t)in->channels;
  switch (layer->kind) {
  case XcDpuLayerKindConv: {
    size_t size = (size_t)(layer->kernelH * layer->kernelW) * channels;
    int64_t sum = gather(m, layer, y, x, 0, in->channels,
                         ohwi + (size_t)c * size, channels)
                      .sum;
    int8_t result = finish(layer, sum, bias_of(layer, m, c));
    return layer->numInputs == 2 ? add(m, layer, result, y, x, c) : result;
  }
  case XcDpuLayerKindDepthwise:
  case XcDpuLayerKindDiagonal:
    return finish(layer,
                  gather(m, layer, y, x, c, 1, weights + c, channels).sum,
                  bias_of(layer, m, c));
  case XcDpuLayerKindMaxPool:
    return xcRnd8(gather(m, layer, y, x, c, 1, NULL, 0).maximum,
                  layer->shiftCut);
  case XcDpuLayerKindAveragePool:
    return xcRnd8(gather(m, layer, y, x, c, 1, NULL, 0).sum * layer->factor,
                  layer->shiftCut);
  case XcDpuLayerKindAveragePool16: {
    int32_t factor = weights[1] * 256 + (weights[0] & 0xff);
    return xcRnd8(gather(m, layer, y, x, c, 1, NULL, 0).sum * factor,
                  layer->shiftCut);
  }
  case XcDpuLayerKindHardSigmoid:
    return xcSaturate8(
        xcHSigmoid(pixel(m, in, y, x)[c], layer->shiftBias, layer->shiftCut));
  case XcDpuLayerKindLeakyRelu:
    return leaky(layer, pixel(m, in, y, x)[c], layer->factor);
  case XcDpuLayerKindPrelu:
    return leaky(layer, pixel(m, in, y, x)[c], weights[c]);
  case XcDpuLayerKindAdd:
  case XcDpuLayerKindMul:
    return combine(m, layer, y, x, c);
  case XcDpuLayerKindCopy:
    return combine(m, layer, y / layer->scaleH, x / layer->scaleW, c);
  case XcDpuLayerKindFill:
    return layer->value;
  case XcDpuLayerKindArgmax:
    return argmax(m, layer, y, x);
  }
  return 0;
}

void reference_layer(const XcDpuLayer *layer, const int8_t *ohwi, memory *m) {
  const XcDpuImage *out = &layer->output;
  for (int32_t y = 0; y < out->height; ++y)
    for (int32_t x = 0; x < out->width; ++x)
      for (int32_t c = 0; c < out->channels; ++c)
        pixel(m, out, y, x)[c] = element(layer, ohwi, m, y, x, c);
}
