//===- DeadChannels.c - channels that a ReLU never passes -----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Training leaves channels that are below zero before a ReLU in all pictures.
// The bias that keeps one there may be large, and a batch normalisation after
// it, whose variance is 0, has a factor of 300: the largest numbers of their
// tensors, on which nothing depends. They are scaled down to the largest of the
// other channels: fix points are those of the others then, and equalisation
// does not shrink these for a dead one. In a picture that lights a dead channel
// it is there still, but weaker.
//
//===----------------------------------------------------------------------===//

#include "Rewrite.h"

#include "IR/IR.h"
#include "Support/Memory.h"
#include "Transforms/Quantize/Function/Filter.h"
#include "Transforms/Quantize/Observe/Observe.h"

#include <math.h>
#include <stdlib.h>

typedef struct dead_channels {
  xc_quantizer *q;
  const bool *is_dead;
  int64_t count;
  bool changed;
} dead_channels;

/// Constant numbers; number i belongs to channel i / inner % count.
typedef struct numbers {
  float *values; // null: there are none
  int64_t total, inner;
} numbers;

static numbers read_numbers(const xc_adaptor *op, size_t slot, int64_t inner) {
  numbers n = {.inner = inner};
  if (!xc_has_operand(op, slot))
    return n;
  xc_shape shape = xc_operand_shape(op, slot);
  n.total = xc_shape_num_elements(&shape);
  n.values = xc_filter_read(op, slot);
  return n;
}

/// So much larger than the others' numbers may be those of a dead channel: what
/// costs a bit or two is not worth a picture that lights it.
static const double tolerated = 4;

// Finds the factor of each dead channel that makes its numbers no larger than
// the largest one of the others; not more than before.
static void limit(const dead_channels *dead, const numbers *n,
                  double *factors) {
  double live = 0;
  double *largest = xc_alloc_array((size_t)dead->count, sizeof(*largest));
  for (int64_t i = 0; n->values && i < n->total; ++i) {
    int64_t channel = i / n->inner % dead->count;
    largest[channel] = fmax(largest[channel], fabs((double)n->values[i]));
  }
  for (int64_t c = 0; c < dead->count; ++c)
    if (!dead->is_dead[c])
      live = fmax(live, largest[c]);
  for (int64_t c = 0; c < dead->count; ++c)
    if (dead->is_dead[c] && live > 0 && largest[c] > tolerated * live)
      factors[c] = fmin(factors[c], live / largest[c]);
  free(largest);
}

static bool multiply(dead_channels *dead, const xc_adaptor *op, size_t slot,
                     const numbers *n, const double *factors) {
  bool changed = false;
  for (int64_t i = 0; n->values && i < n->total; ++i) {
    double factor = factors[i / n->inner % dead->count];
    changed |= factor < 1;
    n->values[i] = (float)((double)n->values[i] * factor);
  }
  dead->changed |= changed;
  return !changed || xc_filter_write(op->operation, slot, n->values);
}

/// Of weights, and of a bias that keeps its sum with them on its side of zero.
static bool scale_down(dead_channels *dead, const xc_adaptor *op, int64_t inner,
                       bool has_bias) {
  numbers weights = read_numbers(op, XC_FILTER_WEIGHTS, inner), bias = {0};
  double *factors = xc_alloc_array((size_t)dead->count, sizeof(*factors));
  for (int64_t c = 0; c < dead->count; ++c)
    factors[c] = 1;
  if (has_bias)
    bias = read_numbers(op, XC_FILTER_BIAS, 1);
  limit(dead, &weights, factors);
  limit(dead, &bias, factors);
  bool ok = multiply(dead, op, XC_FILTER_WEIGHTS, &weights, factors) &&
            multiply(dead, op, XC_FILTER_BIAS, &bias, factors);
  free(factors);
  free(weights.values);
  free(bias.values);
  return ok;
}

//===----------------------------------------------------------------------===//
// Writers and readers
//===----------------------------------------------------------------------===//

static bool read_filter(MlirOperation operation, xc_adaptor *op) {
  return xc_op_info_of(operation) && xc_adaptor_of(operation, op) &&
         xc_is_filter(op->info->kind) &&
         !mlirOperationIsNull(
             xc_constant_of(xc_operand(op, XC_FILTER_WEIGHTS)));
}

static bool is_depthwise(const xc_adaptor *op) {
  return op->info->kind == XC_TIR_DEPTHWISE_CONV2D ||
         op->info->kind == XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D;
}

static bool scale_writer(dead_channels *dead, MlirValue sum) {
  enum { FILTERS = 0 };
  xc_adaptor op;
  MlirOpOperand use = mlirValueGetFirstUse(sum);
  if (!mlirValueIsAOpResult(sum) ||
      !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)) ||
      !read_filter(mlirOpResultGetOwner(sum), &op))
    return true;
  xc_shape weights = xc_operand_shape(&op, XC_FILTER_WEIGHTS);
  bool has_one_each = is_depthwise(&op) && weights.dims[FILTERS] == 1;
  if (!has_one_each && weights.dims[FILTERS] != dead->count)
    return true;
  return scale_down(
      dead, &op,
      has_one_each ? 1 : xc_shape_num_elements(&weights) / dead->count, true);
}

static bool scale_readers(dead_channels *dead, MlirValue value, int pools);

static bool scale_reader(dead_channels *dead, MlirOperation operation,
                         int pools) {
  enum { CHANNELS = 3 };
  xc_adaptor op;
  const xc_op_info *info = xc_op_info_of(operation);
  if (info &&
      (info->kind == XC_TIR_MAXPOOL2D || info->kind == XC_TIR_AVGPOOL2D))
    return pools == 0 ||
           scale_readers(dead, xc_op_result(operation), pools - 1);
  if (!read_filter(operation, &op) ||
      xc_operand_shape(&op, XC_FILTER_WEIGHTS).dims[CHANNELS] != dead->count)
    return true;
  return scale_down(dead, &op, 1, false);
}

static bool scale_readers(dead_channels *dead, MlirValue value, int pools) {
  // Scaling replaces uses of the weights only, not those of `value`.
  bool ok = true;
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       ok && !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    ok = scale_reader(dead, mlirOpOperandGetOwner(use), pools);
  return ok;
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

static bool is_relu(MlirOperation operation) {
  const xc_op_info *info = xc_op_info_of(operation);
  return info && (info->kind == XC_TIR_RELU || info->kind == XC_TIR_RELU6);
}

static bool scale_value(dead_channels *dead, const xc_quantize_value *value) {
  if (!mlirValueIsAOpResult(value->original) || value->channels == 0)
    return true;
  MlirOperation relu = mlirOpResultGetOwner(value->original);
  if (!is_relu(relu))
    return true;
  bool any = false;
  bool *is_dead = xc_alloc_array((size_t)value->channels, sizeof(*is_dead));
  for (int64_t c = 0; c < value->channels; ++c)
    any |= is_dead[c] = xc_quantize_reach(dead->q, value, c) <= 0;
  dead->is_dead = is_dead;
  dead->count = value->channels;
  bool ok = !any || (scale_writer(dead, mlirOperationGetOperand(relu, 0)) &&
                     scale_readers(dead, value->original, XC_QUANTIZE_POOLS));
  free(is_dead);
  return ok;
}

bool xc_quantize_scale_dead_channels(xc_quantizer *q, bool *changed) {
  dead_channels dead = {.q = q};
  bool ok = true;
  for (size_t i = 0; ok && i < q->num_values; ++i)
    ok = scale_value(&dead, &q->values[i]);
  *changed |= dead.changed;
  return ok;
}
