//===- Equalize.c - channels of equal range -------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One fix point serves all channels of a tensor, so channels of small weights
// lose most. Between convolutions a channel may be multiplied by any positive
// number: the filters that make it by a, the weights that read it by 1 / a.
// Nothing changes in floating point as long as what stands between (ReLU,
// pools, additions, concatenations, padding, constant factors) commutes with
// it. Channels.h says which channels have one a in common; it is chosen so that
// the ranges of their writers and readers meet in the middle (Nagel et al.,
// Data-Free Quantization Through Weight Equalization and Bias Correction, for
// two convolutions).
//
//===----------------------------------------------------------------------===//

#include "Equalize.h"
#include "Equalizer.h"

#include "IR/Builder.h"
#include "IR/IR.h"
#include "OpParams/Window.h"
#include "Transforms/Quantize/Function/Activation.h"
#include "Transforms/Quantize/Function/Filter.h"
#include "Transforms/Quantize/Observe/Observe.h"

#include <math.h>
#include <stdlib.h>

typedef xc_equal_channel channel;
typedef xc_equal_filter filter;
typedef xc_equalizer equalizer;

//===----------------------------------------------------------------------===//
// Channels
//===----------------------------------------------------------------------===//

// Returns the channel of a number. Numbers are made as values are met.
static channel *channel_at(equalizer *e, int64_t number) {
  if (e->numbers.count > e->num_channels) {
    void *all = e->channels;
    xc_grow(&all, &e->channel_capacity, e->numbers.count, sizeof(channel));
    e->channels = all;
    for (; e->num_channels < e->numbers.count; ++e->num_channels)
      e->channels[e->num_channels] = (channel){.factor = 1, .inverse = 1};
  }
  return &e->channels[number];
}

static void bind_value(equalizer *e, MlirValue value) {
  const int64_t *numbers = xc_channels_of(&e->numbers, value);
  for (int64_t i = 0; i < xc_channels_count(value); ++i)
    channel_at(e, numbers[i])->is_bound = true;
}

static void bind(equalizer *e, MlirOperation operation) {
  intptr_t operands = mlirOperationGetNumOperands(operation);
  intptr_t results = mlirOperationGetNumResults(operation);
  for (intptr_t i = 0; i < operands; ++i)
    bind_value(e, mlirOperationGetOperand(operation, i));
  for (intptr_t i = 0; i < results; ++i)
    bind_value(e, mlirOperationGetResult(operation, i));
}

bool xc_equal_is_free(const xc_equal_channel *c) {
  return !c->is_bound && c->num_writers > 0 && c->num_readers > 0;
}

static const int64_t *find_roots(equalizer *e, const int64_t *numbers,
                                 int64_t count) {
  int64_t *roots = xc_arena_alloc(&e->arena, (size_t)count + 1, sizeof(*roots));
  for (int64_t i = 0; i < count; ++i)
    roots[i] = xc_channels_root(&e->numbers, numbers[i]);
  return roots;
}

const int64_t *xc_equal_roots(equalizer *e, const xc_quantize_value *value) {
  const int64_t *numbers =
      xc_pointer_map_get(&e->numbers.by_value, value->original.ptr);
  return numbers && value->channels ? find_roots(e, numbers, value->channels)
                                    : NULL;
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

static void find_peaks(equalizer *e, filter *f, const float *weights) {
  f->peaks = xc_arena_alloc(&e->arena, (size_t)(f->outputs * f->inputs) + 1,
                            sizeof(*f->peaks));
  float *peaks = f->peaks;
  for (int64_t o = 0; o < f->outputs; ++o, peaks += f->inputs)
    for (int64_t w = 0; w < f->window; ++w)
      for (int64_t i = 0; i < f->inputs; ++i) {
        float weight = fabsf(*weights++);
        peaks[i] = weight > peaks[i] ? weight : peaks[i];
      }
}

static void copy_bias(equalizer *e, filter *f, const float *bias) {
  int64_t count = xc_equal_results(f);
  f->bias = xc_arena_alloc(&e->arena, (size_t)count + 1, sizeof(*f->bias));
  for (int64_t i = 0; i < count; ++i)
    f->bias[i] = (double)bias[i];
}

static void add_filter(equalizer *e, const filter *f) {
  void *all = e->filters;
  xc_grow(&all, &e->capacity, e->num_filters + 1, sizeof(*e->filters));
  e->filters = all;
  e->filters[e->num_filters++] = *f;
}

// Returns false when the convolution has to stay as it is.
static bool visit_filter(equalizer *e, const xc_adaptor *adaptor) {
  filter f = {.operation = adaptor->operation,
              .is_depthwise = xc_is_depthwise(adaptor)};
  xc_shape shape = xc_operand_shape(adaptor, XC_FILTER_WEIGHTS);
  if (xc_attr_int(adaptor, XC_ATTR_GROUP) != 1 ||
      (f.is_depthwise && shape.dims[0] != 1))
    return false;
  f.outputs = shape.dims[0];
  f.window = shape.dims[1] * shape.dims[2];
  f.inputs = shape.dims[3];
  bool has_bias = xc_has_operand(adaptor, XC_FILTER_BIAS);
  float *weights = xc_filter_read(adaptor, XC_FILTER_WEIGHTS);
  float *bias = has_bias ? xc_filter_read(adaptor, XC_FILTER_BIAS) : NULL;
  bool known = weights && (bias || !has_bias);
  if (known) {
    f.input = xc_channels_of(&e->numbers, xc_operand(adaptor, XC_FILTER_INPUT));
    f.output = xc_channels_of(&e->numbers, xc_op_result(adaptor->operation));
    find_peaks(e, &f, weights);
    if (bias)
      copy_bias(e, &f, bias);
    add_filter(e, &f);
  }
  free(weights);
  free(bias);
  return known;
}

// Whether a clamp may be left to the saturation of a convolution or sum.
static bool follows_sum(MlirOperation operation) {
  MlirValue input = mlirOperationGetOperand(operation, 0);
  if (!mlirValueIsAOpResult(input) ||
      !mlirOpOperandIsNull(
          mlirOpOperandGetNextUse(mlirValueGetFirstUse(input))))
    return false;
  const xc_op_info *info = xc_op_info_of(mlirOpResultGetOwner(input));
  return info && (xc_is_filter(info->kind) || info->kind == XC_TIR_ADD);
}

// Where the range of a clamp ends that saturation can compute after a factor:
// it begins at zero, or as far below zero as it ends above. Otherwise 0.
double xc_equal_clamp_end(const xc_adaptor *op) {
  const double six = 6, tolerance = 0x1p-6;
  if (op->info->kind == XC_TIR_RELU6)
    return six;
  if (op->info->kind != XC_TIR_CLIP || !xc_has_attr(op, XC_ATTR_MIN) ||
      !xc_has_attr(op, XC_ATTR_MAX))
    return 0;
  double low = xc_attr_float(op, XC_ATTR_MIN);
  double high = xc_attr_float(op, XC_ATTR_MAX);
  bool fits = low == 0 || fabs(low + high) <= tolerance * high;
  return fits && high > 0 && isfinite(high) ? high : 0;
}

static bool is_one_sided(const xc_adaptor *op) {
  return op->info->kind == XC_TIR_RELU6 || xc_attr_float(op, XC_ATTR_MIN) == 0;
}

static bool visit_limit(equalizer *e, const xc_adaptor *op) {
  double end = xc_equal_clamp_end(op);
  MlirValue result = xc_op_result(op->operation);
  if (!(end > 0) || !follows_sum(op->operation) || !xc_channels_count(result))
    return false;
  xc_channels_keep(&e->numbers, mlirOperationGetOperand(op->operation, 0),
                   result);
  const int64_t *numbers = xc_channels_of(&e->numbers, result);
  for (int64_t i = 0; i < xc_channels_count(result); ++i) {
    channel *own = channel_at(e, numbers[i]);
    own->has_limit = true;
    own->limit = end;
    own->is_cut |= is_one_sided(op);
  }
  void *all = e->limits;
  xc_grow(&all, &e->limit_capacity, e->num_limits + 1, sizeof(*e->limits));
  e->limits = all;
  e->limits[e->num_limits++] = op->operation;
  return true;
}

// Notes the kind of operator that computes a channel, on which depends how far
// other samples may exceed these.
static void mark_result(equalizer *e, MlirOperation operation,
                        xc_op_kind kind) {
  MlirValue result = xc_op_result(operation);
  const int64_t *numbers = xc_channels_of(&e->numbers, result);
  for (int64_t i = 0; i < xc_channels_count(result); ++i) {
    channel_at(e, numbers[i])->has_sum |= kind == XC_TIR_ADD;
    e->channels[numbers[i]].is_joined |= kind == XC_TIR_CONCAT;
    e->channels[numbers[i]].is_cut |= kind == XC_TIR_RELU ||
                                      kind == XC_TIR_LEAKY_RELU ||
                                      kind == XC_TIR_PRELU;
  }
}

// A slope forwards positive factors, whichever channels it is for; another
// order it would have to follow.
static bool follow_prelu(equalizer *e, const xc_adaptor *op) {
  MlirValue result = xc_op_result(op->operation);
  if (op->info->kind != XC_TIR_PRELU || !xc_channels_count(result) ||
      mlirOperationIsNull(xc_constant_of(xc_operand(op, 1))))
    return false;
  bind_value(e, xc_operand(op, 1));
  xc_channels_keep(&e->numbers, xc_operand(op, 0), result);
  return true;
}

static bool stays_float(const equalizer *e, MlirOperation operation) {
  const xc_quantize_value *value =
      mlirOperationGetNumResults(operation) == 1
          ? xc_pointer_map_get(&e->q->originals, xc_op_result(operation).ptr)
          : NULL;
  return value && value->stays_float &&
         (value->is_preprocessed || value->is_postprocessed);
}

static void visit(equalizer *e, MlirOperation operation) {
  const xc_op_info *info = xc_op_info_of(operation);
  xc_adaptor adaptor;
  if (!info || !xc_adaptor_of(operation, &adaptor) ||
      stays_float(e, operation)) {
    bind(e, operation);
    return;
  }
  if (xc_float_visit(e, operation)) {
    // Another activation may be all that reads it.
    xc_channels_of(&e->numbers, xc_op_result(operation));
    return;
  }
  if (xc_is_filter(info->kind) && visit_filter(e, &adaptor))
    return;
  if (visit_limit(e, &adaptor))
    return;
  if (!follow_prelu(e, &adaptor) &&
      !xc_channels_follow_factors(&e->numbers, &adaptor)) {
    bind(e, operation);
    return;
  }
  mark_result(e, operation, info->kind);
}

//===----------------------------------------------------------------------===//
// New weights
//===----------------------------------------------------------------------===//

static bool scale_weights(const equalizer *e, const filter *f) {
  xc_adaptor adaptor;
  if (!xc_adaptor_of(f->operation, &adaptor))
    return false;
  float *weights = xc_filter_read(&adaptor, XC_FILTER_WEIGHTS);
  float *weight = weights;
  for (int64_t o = 0; o < f->outputs; ++o)
    for (int64_t w = 0; w < f->window; ++w)
      for (int64_t i = 0; i < f->inputs; ++i, ++weight) {
        int64_t output = f->output[f->is_depthwise ? i : o];
        *weight = (float)((double)*weight * (e->channels[output].factor *
                                             e->channels[f->input[i]].inverse));
      }
  bool ok = xc_filter_write(f->operation, XC_FILTER_WEIGHTS, weights);
  free(weights);
  return ok;
}

static bool scale_bias(const equalizer *e, const filter *f) {
  if (!f->bias)
    return true;
  int64_t count = xc_equal_results(f);
  float *bias = xc_alloc_array((size_t)count + 1, sizeof(*bias));
  for (int64_t c = 0; c < count; ++c)
    bias[c] = (float)(f->bias[c] * e->channels[f->output[c]].factor);
  bool ok = xc_filter_write(f->operation, XC_FILTER_BIAS, bias);
  free(bias);
  return ok;
}

static bool has_factors(const equalizer *e, const int64_t *roots,
                        int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    if (xc_equal_is_free(&e->channels[roots[i]]))
      return true;
  return false;
}

static bool scale(const equalizer *e, const filter *f, bool *changed) {
  if (!has_factors(e, f->input, f->inputs) &&
      !has_factors(e, f->output, xc_equal_results(f)))
    return true;
  *changed = true;
  return scale_weights(e, f) && scale_bias(e, f);
}

// The samples would give the values these ranges now.
static void scale_ranges(equalizer *e) {
  for (size_t i = 0; i < e->q->num_values; ++i) {
    xc_quantize_value *value = &e->q->values[i];
    const int64_t *roots = xc_equal_roots(e, value);
    if (!roots)
      continue;
    value->low = value->high = 0;
    for (int64_t c = 0; c < value->channels; ++c) {
      double factor = e->channels[roots[c]].factor;
      value->low = fmin(value->low, factor * value->lows[c]);
      value->high = fmax(value->high, factor * value->highs[c]);
    }
  }
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

// Finds the largest numbers of channels in the samples, and in samples to come,
// of tensors that are kept in fixed point. A channel that is never on needs no
// more steps than for the numbers that it may have elsewhere: with more its
// weights and bias, which keep it off, would be the largest of all.
static void find_reach(equalizer *e, const xc_quantize_value *value) {
  const int64_t *roots = xc_equal_roots(e, value);
  if (!roots || !mlirValueIsAOpResult(value->original) ||
      !xc_equal_is_rounded(e, value))
    return;
  for (int64_t c = 0; c < value->channels; ++c) {
    channel *own = &e->channels[roots[c]];
    double reach = fmax(xc_quantize_reach(e->q, value, c),
                        xc_quantize_spread(e->q, value, c));
    own->reach = fmax(own->reach, reach);
    own->seen = fmax(own->seen, fmax(value->highs[c], -value->lows[c]));
  }
}

// Adds the numbers that other samples may have beyond these. They pass factors
// for each channel, as those of BatchNormalization, up to where a function on
// the CPU is flat.
static void pass_reach(equalizer *e, const filter *f) {
  const xc_quantize_value *value =
      xc_pointer_map_get(&e->q->originals, xc_op_result(f->operation).ptr);
  if (!f->is_depthwise || f->window != 1 || !value)
    return;
  for (int64_t c = 0; c < f->inputs; ++c) {
    const channel *from = &e->channels[f->input[c]];
    channel *to = &e->channels[f->output[c]];
    double most = value->floors ? fmax(value->ceilings[c], -value->floors[c])
                                : (double)INFINITY;
    double beyond = (double)f->peaks[c] * (from->reach - from->seen);
    to->reach = fmax(to->reach, fmin(to->reach + beyond, most));
  }
}

// Moves the findings about each number of a channel to the number's root.
static void gather_roots(equalizer *e) {
  for (size_t i = 0; i < e->numbers.count; ++i) {
    const channel *own = channel_at(e, (int64_t)i);
    channel *root = &e->channels[xc_channels_root(&e->numbers, (int64_t)i)];
    root->is_bound |= own->is_bound;
    root->has_sum |= own->has_sum;
    root->has_limits |=
        root->has_limit && own->has_limit && own->limit != root->limit;
    root->limit = own->has_limit ? own->limit : root->limit;
    root->has_limit |= own->has_limit;
    root->is_cut |= own->is_cut;
    root->is_joined |= own->is_joined;
  }
  for (size_t i = 0; i < e->num_filters; ++i) {
    filter *f = &e->filters[i];
    f->input = find_roots(e, f->input, f->inputs);
    f->output = find_roots(e, f->output, xc_equal_results(f));
    for (int64_t c = 0; c < f->inputs; ++c)
      ++e->channels[f->input[c]].num_readers;
    for (int64_t c = 0; c < xc_equal_results(f); ++c)
      ++e->channels[f->output[c]].num_writers;
  }
}

static bool has_cut(const equalizer *e, const int64_t *roots, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    if (e->channels[roots[i]].is_cut)
      return true;
  return false;
}

static void expose(const equalizer *e, const int64_t *roots, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    channel *root = &e->channels[roots[i]];
    root->is_exposed |= !root->has_sum && !root->has_limit;
  }
}

// Concatenations, and depthwise convolutions without an activation on one of
// their sides.
static void find_exposed(equalizer *e) {
  for (size_t i = 0; i < e->num_channels; ++i) {
    const int64_t root = xc_channels_root(&e->numbers, (int64_t)i);
    if (e->channels[root].is_joined)
      expose(e, &root, 1);
  }
  for (size_t i = 0; i < e->num_filters; ++i) {
    const filter *f = &e->filters[i];
    if (!f->is_depthwise ||
        (has_cut(e, f->input, f->inputs) && has_cut(e, f->output, f->inputs)))
      continue;
    expose(e, f->input, f->inputs);
    expose(e, f->output, f->inputs);
  }
}

static bool bind_limit(equalizer *e, MlirOperation limit) {
  MlirValue result = xc_op_result(limit);
  int64_t count = xc_channels_count(result), num_free = 0, num_uniform = 0;
  const int64_t *roots =
      find_roots(e, xc_channels_of(&e->numbers, result), count);
  for (int64_t i = 0; i < count; ++i) {
    const channel *root = &e->channels[roots[i]];
    num_free += xc_equal_is_free(root);
    num_uniform += root->is_uniform;
  }
  for (int64_t i = 0; i < count; ++i) {
    e->channels[roots[i]].is_bound |= num_free < count;
    e->channels[roots[i]].is_uniform |= num_uniform > 0;
  }
  return (num_free > 0 && num_free < count) ||
         (num_uniform > 0 && num_uniform < count);
}

// Saturation limits all channels of a tensor: where one is not free the others
// are not, and then those of other tensors. Where one meets other clamps, none
// has a factor of its own.
static void bind_limits(equalizer *e) {
  for (size_t i = 0; i < e->num_channels; ++i) {
    channel *own = &e->channels[i];
    own->is_uniform = own->has_limit && (own->has_sum || own->has_limits);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < e->num_limits; ++i)
      changed |= bind_limit(e, e->limits[i]);
  }
}

// The clamp with its ends where they are after the factors. Of channels with
// one limit that is where saturation ends.
static MlirValue build_clamp(const xc_adaptor *clamp, const channel *root) {
  const double below = 128.0 / 127;
  double high = root->is_uniform ? root->factor * xc_equal_clamp_end(clamp)
                                 : xc_equal_limit;
  double low = is_one_sided(clamp) ? 0
               : root->is_uniform
                   ? root->factor * xc_attr_float(clamp, XC_ATTR_MIN)
                   : -below * xc_equal_limit;
  xc_attribute attributes[4] = {xc_float("min", low), xc_float("max", high)};
  static const char *const kept[] = {"op_name", XC_NAME_IMPLIED};
  size_t count = 2;
  for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); ++i) {
    MlirAttribute old = xc_op_attribute(clamp->operation, kept[i]);
    bool counts = i == 0 || root->is_uniform;
    if (counts && !mlirAttributeIsNull(old))
      attributes[count++] = xc_given(kept[i], old);
  }
  const xc_builder builder = xc_builder_before(clamp->operation);
  MlirValue input = xc_operand(clamp, 0);
  return xc_build(&builder, XC_TIR_CLIP, &input, 1, attributes, count,
                  XC_ELEMENT_F32);
}

static void set_limits(equalizer *e) {
  for (size_t i = 0; i < e->num_limits; ++i) {
    MlirValue result = xc_op_result(e->limits[i]);
    const channel *root = &e->channels[xc_channels_root(
        &e->numbers, xc_channels_of(&e->numbers, result)[0])];
    xc_adaptor clamp;
    bool stays =
        root->is_uniform && root->factor == 1 && xc_nonlinear_of(e->limits[i]);
    if (stays || !xc_equal_is_free(root) ||
        !xc_adaptor_of(e->limits[i], &clamp))
      continue;
    xc_quantize_value *value = xc_pointer_map_get(&e->q->originals, result.ptr);
    value->original = build_clamp(&clamp, root);
    value->saturates = true;
    mlirValueReplaceAllUsesOfWith(result, value->original);
    xc_float_replace_input(e, result, value->original);
    xc_pointer_map_set(&e->q->originals, value->original.ptr, value);
    // A new value may get the address of this one.
    xc_pointer_map_remove(&e->q->originals, result.ptr);
    mlirOperationDestroy(clamp.operation);
  }
}

static bool equalize(equalizer *e, bool *changed) {
  gather_roots(e);
  xc_float_connect(e);
  bind_limits(e);
  find_exposed(e);
  xc_float_move_zeros(e);
  for (size_t i = 0; i < e->q->num_values; ++i)
    find_reach(e, &e->q->values[i]);
  for (size_t i = 0; i < e->num_filters; ++i)
    pass_reach(e, &e->filters[i]);
  xc_equal_find_factors(e);
  scale_ranges(e);
  xc_equal_fill(e);
  xc_equal_settle(e);
  scale_ranges(e);
  for (size_t i = 0; i < e->num_filters; ++i)
    if (!scale(e, &e->filters[i], changed))
      return false;
  set_limits(e);
  return xc_float_scale(e);
}

bool xc_quantize_equalize(xc_quantizer *q, bool *changed) {
  equalizer e = {.q = q};
  MlirBlock block = q->block;
  xc_float_find_activations(&e);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
    bind_value(&e, mlirBlockGetArgument(block, i));
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    visit(&e, op);
  bool ok = equalize(&e, changed);
  free(e.channels);
  free(e.filters);
  free(e.limits);
  free(e.activations);
  xc_pointer_map_free(&e.in_activation);
  xc_channels_free(&e.numbers);
  xc_arena_free(&e.arena);
  return ok;
}
