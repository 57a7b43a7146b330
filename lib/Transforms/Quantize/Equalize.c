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
// pools, additions) commutes with it. Tensors that are tied by such operators
// form a group with one a for each channel, chosen so that the ranges of its
// writers and readers meet in the middle (Nagel et al., Data-Free Quantization
// Through Weight Equalization and Bias Correction, for two convolutions).
//
//===----------------------------------------------------------------------===//

#include "Equalize.h"

#include "IR/Builder.h"
#include "IR/IR.h"

#include <math.h>
#include <stdlib.h>

typedef xc_equal_group group;
typedef xc_equal_filter filter;
typedef xc_equalizer equalizer;

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

xc_equal_group *xc_equal_root(xc_equal_group *g) {
  while (g->parent) {
    if (g->parent->parent)
      g->parent = g->parent->parent;
    g = g->parent;
  }
  return g;
}

static group *group_of(equalizer *e, MlirValue value) {
  group *g = xc_pointer_map_get(&e->by_value, value.ptr);
  if (g)
    return xc_equal_root(g);
  xc_shape shape;
  bool is_image = xc_shape_of_type(mlirValueGetType(value), &shape) &&
                  shape.element == XC_ELEMENT_F32 && shape.rank == 4;
  g = xc_arena_alloc(&e->arena, 1, sizeof(*g));
  *g = (group){.next = e->groups,
               .channels = is_image ? shape.dims[3] : 0,
               .is_bound = !is_image};
  e->groups = g;
  xc_pointer_map_set(&e->by_value, value.ptr, g);
  return g;
}

static void join(group *a, group *b) {
  if (a == b)
    return;
  a->is_bound |= b->is_bound || a->channels != b->channels;
  a->has_sum |= b->has_sum;
  a->has_limit |= b->has_limit;
  b->parent = a;
}

static void bind(equalizer *e, MlirOperation operation) {
  intptr_t operands = mlirOperationGetNumOperands(operation);
  intptr_t results = mlirOperationGetNumResults(operation);
  for (intptr_t i = 0; i < operands; ++i)
    group_of(e, mlirOperationGetOperand(operation, i))->is_bound = true;
  for (intptr_t i = 0; i < results; ++i)
    group_of(e, mlirOperationGetResult(operation, i))->is_bound = true;
}

bool xc_equal_is_free(const xc_equal_group *g) {
  return !g->parent && !g->is_bound && !(g->has_sum && g->has_limit) &&
         g->num_writers > 0 && g->num_readers > 0;
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

// The content of a constant of floats, or null. The caller frees it.
static float *read_floats(MlirValue value) {
  xc_shape shape;
  MlirOperation operation = xc_constant_of(value);
  size_t size;
  if (mlirOperationIsNull(operation) ||
      !xc_shape_of_type(mlirValueGetType(value), &shape) ||
      shape.element != XC_ELEMENT_F32)
    return NULL;
  return xc_const_bytes(operation, &size);
}

static bool is_depthwise(xc_op_kind kind) {
  return kind == XC_TIR_DEPTHWISE_CONV2D ||
         kind == XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D;
}

static bool is_filter(xc_op_kind kind) {
  return is_depthwise(kind) || kind == XC_TIR_CONV2D ||
         kind == XC_TIR_TRANSPOSED_CONV2D;
}

enum { INPUT, WEIGHTS, BIAS };

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
  int64_t count = f->is_depthwise ? f->inputs : f->outputs;
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

// False when the convolution has to stay as it is.
static bool visit_filter(equalizer *e, const xc_adaptor *adaptor) {
  filter f = {.operation = adaptor->operation,
              .is_depthwise = is_depthwise(adaptor->info->kind)};
  xc_shape shape = xc_operand_shape(adaptor, WEIGHTS);
  if (xc_attr_int(adaptor, XC_ATTR_GROUP) != 1 ||
      (f.is_depthwise && shape.dims[0] != 1))
    return false;
  f.outputs = shape.dims[0];
  f.window = shape.dims[1] * shape.dims[2];
  f.inputs = shape.dims[3];
  bool has_bias = xc_has_operand(adaptor, BIAS);
  float *weights = read_floats(xc_operand(adaptor, WEIGHTS));
  float *bias = has_bias ? read_floats(xc_operand(adaptor, BIAS)) : NULL;
  bool known = weights && (bias || !has_bias);
  if (known) {
    f.input = group_of(e, xc_operand(adaptor, INPUT));
    f.output = group_of(e, xc_op_result(adaptor->operation));
    find_peaks(e, &f, weights);
    if (bias)
      copy_bias(e, &f, bias);
    add_filter(e, &f);
  }
  free(weights);
  free(bias);
  return known;
}

// Whether a positive factor of a channel goes through the operator. All
// operands of a sum must have its shape: a broadcast one, or a constant, has
// channels of its own.
static bool passes_factors(MlirOperation operation, xc_op_kind kind) {
  MlirType type = mlirValueGetType(xc_op_result(operation));
  if (kind != XC_TIR_ADD)
    return kind == XC_TIR_RELU || kind == XC_TIR_LEAKY_RELU ||
           kind == XC_TIR_MAXPOOL2D || kind == XC_TIR_AVGPOOL2D;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(operation); ++i)
    if (!mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(operation, i)),
                       type))
      return false;
  return true;
}

// Whether ReLU6 may be left to the saturation of what a filter writes.
static bool follows_filter(const equalizer *e, MlirOperation operation) {
  MlirValue input = mlirOperationGetOperand(operation, 0);
  MlirOpOperand use = mlirValueGetFirstUse(input);
  return e->num_filters && mlirValueIsAOpResult(input) &&
         mlirOperationEqual(mlirOpResultGetOwner(input),
                            e->filters[e->num_filters - 1].operation) &&
         mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
}

static void visit_limit(equalizer *e, MlirOperation operation) {
  group *g = group_of(e, xc_op_result(operation));
  g->has_limit = true;
  join(g, group_of(e, mlirOperationGetOperand(operation, 0)));
  void *all = e->limits;
  xc_grow(&all, &e->limit_capacity, e->num_limits + 1, sizeof(*e->limits));
  e->limits = all;
  e->limits[e->num_limits++] = operation;
}

static void visit(equalizer *e, MlirOperation operation) {
  const xc_op_info *info = xc_op_info_of(operation);
  xc_adaptor adaptor;
  if (info && is_filter(info->kind) && xc_adaptor_of(operation, &adaptor) &&
      visit_filter(e, &adaptor))
    return;
  if (info && info->kind == XC_TIR_CONST) {
    group_of(e, xc_op_result(operation))->is_bound = true;
    return;
  }
  if (info && info->kind == XC_TIR_RELU6 && follows_filter(e, operation)) {
    visit_limit(e, operation);
    return;
  }
  if (!info || !passes_factors(operation, info->kind)) {
    bind(e, operation);
    return;
  }
  group_of(e, xc_op_result(operation))->has_sum |= info->kind == XC_TIR_ADD;
  MlirValue result = xc_op_result(operation);
  intptr_t count = mlirOperationGetNumOperands(operation);
  for (intptr_t i = 0; i < count; ++i)
    join(group_of(e, result),
         group_of(e, mlirOperationGetOperand(operation, i)));
}

//===----------------------------------------------------------------------===//
// New weights
//===----------------------------------------------------------------------===//

// Puts a changed constant in the place of operand `slot`.
static bool write_floats(const filter *f, size_t slot, const float *floats) {
  xc_adaptor adaptor;
  if (!xc_adaptor_of(f->operation, &adaptor))
    return false;
  MlirValue old = xc_operand(&adaptor, slot);
  xc_shape shape = xc_operand_shape(&adaptor, slot);
  xc_builder builder = xc_builder_before(f->operation);
  MlirOperation constant = mlirOpResultGetOwner(old);
  builder.location = mlirOperationGetLocation(constant);
  MlirValue made = xc_build_const_bytes(&builder, floats, &shape);
  if (mlirValueIsNull(made))
    return false;
  mlirOperationSetOperand(f->operation, adaptor.positions[slot], made);
  if (!xc_value_is_used(old))
    mlirOperationDestroy(constant);
  return true;
}

static MlirValue operand_of(const filter *f, size_t slot) {
  xc_adaptor adaptor;
  return xc_adaptor_of(f->operation, &adaptor) ? xc_operand(&adaptor, slot)
                                               : (MlirValue){NULL};
}

static double at(const double *factors, int64_t channel) {
  return factors ? factors[channel] : 1;
}

static bool scale_weights(const filter *f) {
  const double *factor = xc_equal_root(f->output)->factor;
  const double *inverse = xc_equal_root(f->input)->inverse;
  float *weights = read_floats(operand_of(f, WEIGHTS)), *weight = weights;
  for (int64_t o = 0; o < f->outputs; ++o)
    for (int64_t w = 0; w < f->window; ++w)
      for (int64_t i = 0; i < f->inputs; ++i, ++weight)
        *weight =
            (float)((double)*weight *
                    (at(factor, f->is_depthwise ? i : o) * at(inverse, i)));
  bool ok = write_floats(f, WEIGHTS, weights);
  free(weights);
  return ok;
}

static bool scale_bias(const filter *f) {
  const group *out = xc_equal_root(f->output);
  if (!f->bias || !out->factor)
    return true;
  float *bias = xc_alloc_array((size_t)out->channels, sizeof(*bias));
  for (int64_t c = 0; c < out->channels; ++c)
    bias[c] = (float)(f->bias[c] * out->factor[c]);
  bool ok = write_floats(f, BIAS, bias);
  free(bias);
  return ok;
}

static bool scale(const filter *f, bool *changed) {
  if (!xc_equal_root(f->input)->factor && !xc_equal_root(f->output)->factor)
    return true;
  *changed = true;
  return scale_weights(f) && scale_bias(f);
}

// The samples would give the values these ranges now.
static void scale_ranges(equalizer *e) {
  for (size_t i = 0; i < e->q->num_values; ++i) {
    xc_quantize_value *value = &e->q->values[i];
    group *g = xc_pointer_map_get(&e->by_value, value->original.ptr);
    const double *factor = g ? xc_equal_root(g)->factor : NULL;
    if (!factor)
      continue;
    value->low = value->high = 0;
    for (int64_t c = 0; c < value->channels; ++c) {
      value->low = fmin(value->low, factor[c] * value->lows[c]);
      value->high = fmax(value->high, factor[c] * value->highs[c]);
    }
  }
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

// What the samples say of a group: its tensors that are kept in fixed point.
static void find_reach(equalizer *e, const xc_quantize_value *value) {
  group *g = xc_pointer_map_get(&e->by_value, value->original.ptr);
  g = g ? xc_equal_root(g) : NULL;
  if (!g || !xc_equal_is_free(g) || !xc_equal_is_rounded(value))
    return;
  for (int64_t c = 0; c < value->channels; ++c)
    g->reach[c] = fmax(g->reach[c], fmax(-value->lows[c], value->highs[c]));
}

// ReLU6 becomes what saturation does: a limit that is the same for all channels
// after they have been scaled.
static void set_limits(equalizer *e) {
  for (size_t i = 0; i < e->num_limits; ++i) {
    MlirOperation old = e->limits[i];
    MlirValue result = xc_op_result(old), input;
    group *g = xc_equal_root(xc_pointer_map_get(&e->by_value, result.ptr));
    if (!g->factor)
      continue;
    input = mlirOperationGetOperand(old, 0);
    xc_quantize_value *value = xc_pointer_map_get(&e->q->originals, result.ptr);
    const xc_builder builder = xc_builder_before(old);
    MlirAttribute name = xc_op_attribute(old, "op_name");
    const xc_attribute attributes[] = {
        xc_float("min", 0), xc_float("max", xc_equal_limit),
        mlirAttributeIsNull(name) ? xc_float("min", 0)
                                  : xc_given("op_name", name)};
    value->original =
        xc_build(&builder, XC_TIR_CLIP, &input, 1, attributes,
                 mlirAttributeIsNull(name) ? 2 : 3, XC_ELEMENT_F32);
    value->saturates = true;
    mlirValueReplaceAllUsesOfWith(result, value->original);
    xc_pointer_map_set(&e->q->originals, value->original.ptr, value);
    mlirOperationDestroy(old);
  }
}

static bool equalize(equalizer *e, bool *changed) {
  for (size_t i = 0; i < e->num_filters; ++i) {
    ++xc_equal_root(e->filters[i].input)->num_readers;
    ++xc_equal_root(e->filters[i].output)->num_writers;
  }
  for (group *g = e->groups; g; g = g->next)
    if (xc_equal_is_free(g))
      g->reach =
          xc_arena_alloc(&e->arena, (size_t)g->channels + 1, sizeof(*g->reach));
  for (size_t i = 0; i < e->q->num_values; ++i)
    find_reach(e, &e->q->values[i]);
  xc_equal_find_factors(e);
  scale_ranges(e);
  xc_equal_fill(e);
  xc_equal_settle(e);
  scale_ranges(e);
  for (size_t i = 0; i < e->num_filters; ++i)
    if (!scale(&e->filters[i], changed))
      return false;
  set_limits(e);
  return true;
}

bool xc_quantize_equalize(xc_quantizer *q, bool *changed) {
  equalizer e = {.q = q};
  MlirBlock block = q->block;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
    group_of(&e, mlirBlockGetArgument(block, i))->is_bound = true;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    visit(&e, op);
  bool ok = equalize(&e, changed);
  free(e.filters);
  free(e.limits);
  xc_pointer_map_free(&e.by_value);
  xc_arena_free(&e.arena);
  return ok;
}
