//===- Headroom.c - what other samples may reach --------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The extremes of a channel differ from sample to sample: with n samples, the
// next one exceeds them all with probability 1 / (n + 1). In a feature map this
// concerns a few of thousands of numbers; of the mean of an image or the hidden
// layer of a classifier it is the number itself that is cut off. Extremes are
// taken as normally distributed: what is to be expected beyond a limit is
// weighed against rounding to larger steps. After a ReLU, where most of the
// numbers may be 0, the numbers before it tell more.
//
//===----------------------------------------------------------------------===//

#include "Measure.h"

#include "IR/IR.h"
#include "dialects/Emit.h"

#include <math.h>

/// Factors of the standard deviation of the samples, which are of the same few
/// scenes and have longer tails than the normal distribution. Means of whole
/// maps are few numbers, each of which counts: they get more.
static const double widening = 1.2, widening_of_means = 1.5;

/// Weight of what is cut off relative to what rounding costs: it has one sign,
/// and neighbours have it together, so no sum or mean takes it back.
static const double weight_of_excess = 4;

//===----------------------------------------------------------------------===//
// Extremes
//===----------------------------------------------------------------------===//

void xc_quantize_make_extremes(xc_quantizer *q, xc_quantize_value *value) {
  size_t count = (size_t)value->channels + 1;
  value->tops = xc_arena_alloc(&q->arena, count, sizeof(*value->tops));
  value->bottoms = xc_arena_alloc(&q->arena, count, sizeof(*value->bottoms));
  value->top = xc_arena_alloc(&q->arena, count, sizeof(*value->top));
  value->bottom = xc_arena_alloc(&q->arena, count, sizeof(*value->bottom));
  xc_quantize_clear_extremes(value);
}

void xc_quantize_clear_extremes(xc_quantize_value *value) {
  value->power = 0;
  for (int64_t c = 0; c < value->channels; ++c) {
    value->tops[c] = value->bottoms[c] = -INFINITY;
    value->top[c] = value->bottom[c] = (xc_quantize_extreme){0};
  }
}

// Welford's way: sums of squares would cancel.
static void take(xc_quantize_extreme *extreme, double *number, double count) {
  double distance = *number - extreme->mean;
  extreme->mean += distance / count;
  extreme->squares += distance * (*number - extreme->mean);
  *number = -INFINITY;
}

void xc_quantize_end_sample(xc_quantize_value *value, size_t sample) {
  double count = (double)sample + 1;
  for (int64_t c = 0; c < value->channels; ++c) {
    value->highs[c] = fmax(value->highs[c], value->tops[c]);
    value->lows[c] = fmin(value->lows[c], -value->bottoms[c]);
    take(&value->top[c], &value->tops[c], count);
    take(&value->bottom[c], &value->bottoms[c], count);
  }
}

void xc_quantize_move_extremes(xc_quantize_value *value, int64_t channel,
                               double amount) {
  value->top[channel].mean += amount;
  value->bottom[channel].mean -= amount;
}

// Of a further sample, whose distance from the mean of the others it is.
static double deviation(const xc_quantizer *q,
                        const xc_quantize_extreme *extreme) {
  double count = (double)q->num_samples;
  if (count < 2)
    return 0;
  double variance = extreme->squares / (count - 1);
  return sqrt(variance * (1 + 1 / count));
}

// Returns the operand of the ReLU whose result a value is, or the value.
static const xc_quantize_value *before_relu(const xc_quantizer *q,
                                            const xc_quantize_value *value) {
  if (!mlirValueIsAOpResult(value->original))
    return value;
  MlirOperation writer = mlirOpResultGetOwner(value->original);
  const xc_op_info *info = xc_op_info_of(writer);
  if (!info || info->kind != XC_TIR_RELU)
    return value;
  const xc_quantize_value *input =
      xc_pointer_map_get(&q->originals, mlirOperationGetOperand(writer, 0).ptr);
  return input && input->channels ? input : value;
}

double xc_quantize_reach(const xc_quantizer *q, const xc_quantize_value *value,
                         int64_t channel) {
  const double deviations = 2;
  double seen = fmax(value->highs[channel], -value->lows[channel]);
  const xc_quantize_value *input = before_relu(q, value);
  const xc_quantize_extreme *top = &input->top[channel];
  return input == value ? seen
                        : fmax(seen, top->mean + widening * deviations *
                                                     deviation(q, top));
}

double xc_quantize_spread(const xc_quantizer *q, const xc_quantize_value *value,
                          int64_t channel) {
  const xc_quantize_value *input = before_relu(q, value);
  return input == value ? 0 : deviation(q, &input->top[channel]);
}

//===----------------------------------------------------------------------===//
// Bounds of values
//===----------------------------------------------------------------------===//

enum { LONGEST_CHAIN = 8 }; // of operators that keep bounds

/// From where on a function that saturates changes by no more than half a step
/// of 8 bits; 0 for other operations.
static double saturation_of(MlirOperation operation) {
  const double sigmoid = 5.5, hard_sigmoid = 3;
  const xc_op_info *info = xc_op_info_of(operation);
  if (!info)
    return 0;
  return info->kind == XC_TIR_SIGMOID        ? sigmoid
         : info->kind == XC_TIR_HARD_SIGMOID ? hard_sigmoid
         : info->kind == XC_TIR_TANH         ? sigmoid / 2
                                             : 0;
}

// Whether a bound of the operand is one of the result, but for factors.
static bool keeps_bounds(MlirOperation operation) {
  xc_adaptor adaptor;
  if (!xc_op_info_of(operation) || !xc_adaptor_of(operation, &adaptor))
    return false;
  xc_op_kind kind = adaptor.info->kind;
  return kind == XC_TIR_RESHAPE || kind == XC_TIR_TRANSPOSE ||
         kind == XC_TIR_MAXPOOL2D || kind == XC_TIR_AVGPOOL2D ||
         (kind == XC_TIR_MUL &&
          !mlirOperationIsNull(xc_constant_of(xc_operand(&adaptor, 1))));
}

static bool is_product(MlirOperation operation) {
  const xc_op_info *info = xc_op_info_of(operation);
  return info && info->kind == XC_TIR_MUL;
}

/// Returns the number that a value has to reach for its only reader, a
/// function, to saturate; infinity if there is none. 0, which is no room, with
/// factors in between: these come of scaling channels to their ranges.
static double saturation_end(MlirValue value) {
  bool is_scaled = false;
  for (int i = 0; i < LONGEST_CHAIN; ++i) {
    MlirOpOperand use = mlirValueGetFirstUse(value);
    if (mlirOpOperandIsNull(use) ||
        !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)))
      break;
    MlirOperation reader = mlirOpOperandGetOwner(use);
    if (saturation_of(reader) > 0)
      return is_scaled ? 0 : saturation_of(reader);
    if (!keeps_bounds(reader))
      break;
    is_scaled |= is_product(reader);
    value = xc_op_result(reader);
  }
  return (double)INFINITY;
}

// Integers have the same limits in all samples.
static bool is_of_integers(MlirOperation operation) {
  const xc_op_info *info = xc_op_info_of(operation);
  return info && info->kind == XC_TIR_DEQUANTIZE_LINEAR;
}

static bool comes_of_saturation(MlirValue value) {
  for (int i = 0; i < LONGEST_CHAIN && mlirValueIsAOpResult(value); ++i) {
    MlirOperation writer = mlirOpResultGetOwner(value);
    if (saturation_of(writer) > 0 || is_of_integers(writer))
      return true;
    if (!keeps_bounds(writer))
      return false;
    value = mlirOperationGetOperand(writer, 0);
  }
  return false;
}

// Where a clamp in front of a value ends, if no sample can exceed it.
static double clamp_above(const xc_quantize_value *value) {
  MlirValue at = value->original;
  xc_adaptor op;
  for (int i = 0; i < LONGEST_CHAIN && mlirValueIsAOpResult(at); ++i) {
    MlirOperation writer = mlirOpResultGetOwner(at);
    if (!xc_op_info_of(writer) || !xc_adaptor_of(writer, &op))
      break;
    if (op.info->kind == XC_TIR_CLIP && xc_has_attr(&op, XC_ATTR_MAX))
      return xc_attr_float(&op, XC_ATTR_MAX);
    if (!keeps_bounds(writer) || op.info->kind == XC_TIR_MUL)
      break;
    at = xc_operand(&op, 0);
  }
  return (double)INFINITY;
}

//===----------------------------------------------------------------------===//
// Expected loss
//===----------------------------------------------------------------------===//

// Returns the mean of max(x - limit, 0)^2 of a normal distribution.
static double excess(double mean, double deviation, double limit) {
  const double far = 8, turn = 2 * acos(-1);
  if (!(deviation > 0) || limit - mean > far * deviation)
    return 0;
  double z = (limit - mean) / deviation;
  double beyond = erfc(z / sqrt(2)) / 2;
  double density = exp(-z * z / 2) / sqrt(turn);
  return deviation * deviation * fmax((1 + z * z) * beyond - z * density, 0);
}

// The mean of each channel of an image, perhaps in another shape.
static bool is_mean(MlirValue value) {
  xc_adaptor op;
  for (int i = 0; i < LONGEST_CHAIN && mlirValueIsAOpResult(value); ++i) {
    MlirOperation writer = mlirOpResultGetOwner(value);
    if (!xc_op_info_of(writer) || !xc_adaptor_of(writer, &op))
      return false;
    const xc_shape shape = xc_result_shape(&op);
    if (op.info->kind != XC_TIR_RESHAPE)
      return op.info->kind == XC_TIR_REDUCTION_MEAN ||
             (op.info->kind == XC_TIR_AVGPOOL2D && shape.dims[1] == 1 &&
              shape.dims[2] == 1);
    value = mlirOperationGetOperand(writer, 0);
  }
  return false;
}

double xc_quantize_excess(const xc_quantizer *q, const xc_quantize_value *value,
                          const double *factors, double step) {
  const double above = 127.5, below = 128.5; // what rounds to the limits
  const double near = 63.0 / 64;
  const xc_quantize_value *input = before_relu(q, value);
  double sum = 0;
  if (comes_of_saturation(value->original))
    return 0;
  double largest = 0;
  double end = fmin(clamp_above(value), saturation_end(value->original));
  for (int64_t c = 0; c < value->channels; ++c)
    largest = fmax(largest, factors ? factors[c] : 1);
  if (above * step >= near * largest * end)
    return 0;
  bool mean = is_mean(value->original);
  double wide = mean ? widening_of_means : widening;
  for (int64_t c = 0; c < value->channels; ++c) {
    double factor = factors ? factors[c] : 1;
    const xc_quantize_extreme *top = &input->top[c],
                              *bottom = &input->bottom[c];
    sum += excess(factor * top->mean, wide * factor * deviation(q, top),
                  above * step);
    if (input == value)
      sum += excess(factor * bottom->mean, wide * factor * deviation(q, bottom),
                    below * step);
  }
  return mean ? sum : weight_of_excess * sum;
}
