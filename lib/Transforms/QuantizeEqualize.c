//===- QuantizeEqualize.c - channels of equal range -----------------------===//
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

#include "Quantize.h"

#include <math.h>
#include <stdlib.h>

enum {
  SWEEPS = 12, // each group moves its neighbours' ranges
};
/// A channel is changed by at most this factor.
static const double largest_factor = 64;

/// The tensors that have the channels' factors in common.
typedef struct group {
  struct group *parent; // of the union; null at its root
  struct group *next;   // of all groups
  int64_t channels;
  bool is_bound; // somebody takes the numbers as they are
  size_t num_writers, num_readers;
  /// At the root: logarithms of the factors so far, and of this sweep's.
  double *total, *step;
  /// At the root: the largest number of each channel in the samples.
  double *reach;
} group;

/// A convolution: weights [outputs, window, inputs], depthwise ones with a
/// single output.
typedef struct filter {
  MlirOperation operation;
  group *input, *output;
  bool is_depthwise;
  int64_t outputs, window, inputs;
  double *weights, *bias; // bias may be null
} filter;

typedef struct equalizer {
  const xc_quantizer *q;
  xc_arena arena;
  xc_pointer_map by_value; // MlirValue.ptr to group
  group *groups;
  filter *filters;
  size_t num_filters, capacity;
} equalizer;

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

static group *root_of(group *g) {
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
    return root_of(g);
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

static bool is_free(const group *g) {
  return !g->is_bound && g->num_writers > 0 && g->num_readers > 0;
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

// The content of a constant of floats, or null.
static double *read_floats(equalizer *e, MlirValue value) {
  xc_shape shape;
  MlirOperation operation = xc_quantize_constant(value);
  size_t size;
  if (mlirOperationIsNull(operation) ||
      !xc_shape_of_type(mlirValueGetType(value), &shape) ||
      shape.element != XC_ELEMENT_F32)
    return NULL;
  float *floats = xc_const_bytes(operation, &size);
  if (!floats)
    return NULL;
  size_t count = size / sizeof(*floats);
  double *reals = xc_arena_alloc(&e->arena, count + 1, sizeof(*reals));
  for (size_t i = 0; i < count; ++i)
    reals[i] = (double)floats[i];
  free(floats);
  return reals;
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

// False when the convolution has to stay as it is.
static bool add_filter(equalizer *e, const xc_view *view) {
  filter f = {.operation = view->operation,
              .is_depthwise = is_depthwise(view->info->kind)};
  xc_shape shape = xc_view_shape(view, WEIGHTS);
  bool has_bias = xc_view_has_operand(view, BIAS);
  f.weights = read_floats(e, xc_view_operand(view, WEIGHTS));
  f.bias = has_bias ? read_floats(e, xc_view_operand(view, BIAS)) : NULL;
  if (!f.weights || (has_bias && !f.bias) || xc_view_int(view, "group") != 1 ||
      (f.is_depthwise && shape.dims[0] != 1))
    return false;
  f.outputs = shape.dims[0];
  f.window = shape.dims[1] * shape.dims[2];
  f.inputs = shape.dims[3];
  f.input = group_of(e, xc_view_operand(view, INPUT));
  f.output = group_of(e, mlirOperationGetResult(view->operation, 0));
  void *all = e->filters;
  xc_grow(&all, &e->capacity, e->num_filters + 1, sizeof(*e->filters));
  e->filters = all;
  e->filters[e->num_filters++] = f;
  return true;
}

// Whether a positive factor of a channel goes through the operator. All
// operands of a sum must have its shape: a broadcast one, or a constant, has
// channels of its own.
static bool passes_factors(MlirOperation operation, xc_op_kind kind) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(operation, 0));
  if (kind != XC_TIR_ADD)
    return kind == XC_TIR_RELU || kind == XC_TIR_LEAKY_RELU ||
           kind == XC_TIR_MAXPOOL2D || kind == XC_TIR_AVGPOOL2D;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(operation); ++i)
    if (!mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(operation, i)),
                       type))
      return false;
  return true;
}

static void visit(equalizer *e, MlirOperation operation) {
  const xc_op_info *info = xc_op_info_of(operation);
  xc_view view;
  if (info && is_filter(info->kind) && xc_view_operation(operation, &view) &&
      add_filter(e, &view))
    return;
  if (info && info->kind == XC_TIR_CONST) {
    group_of(e, mlirOperationGetResult(operation, 0))->is_bound = true;
    return;
  }
  if (!info || !passes_factors(operation, info->kind)) {
    bind(e, operation);
    return;
  }
  MlirValue result = mlirOperationGetResult(operation, 0);
  intptr_t count = mlirOperationGetNumOperands(operation);
  for (intptr_t i = 0; i < count; ++i)
    join(group_of(e, result),
         group_of(e, mlirOperationGetOperand(operation, i)));
}

//===----------------------------------------------------------------------===//
// Factors
//===----------------------------------------------------------------------===//

static double *channel_memory(equalizer *e, int64_t count) {
  return xc_arena_alloc(&e->arena, (size_t)count + 1, sizeof(double));
}

// The ranges of channels that share a fix point, over the largest of them; the
// larger of the two is kept.
static void add_relative(const double *range, int64_t count, double *result) {
  double largest = 0;
  for (int64_t c = 0; c < count; ++c)
    largest = fmax(largest, range[c]);
  for (int64_t c = 0; largest > 0 && c < count; ++c)
    result[c] = fmax(result[c], range[c] / largest);
}

// What a channel needs of its readers' fix point.
static void measure_inputs(const filter *f, double *range, double *result) {
  for (int64_t c = 0; c < f->inputs; ++c)
    range[c] = result[c] = 0;
  const double *weight = f->weights;
  for (int64_t k = 0; k < f->outputs * f->window; ++k)
    for (int64_t i = 0; i < f->inputs; ++i)
      range[i] = fmax(range[i], fabs(*weight++));
  add_relative(range, f->inputs, result);
}

// What it needs of its writer's, which has three: weights, bias, the tensor.
static void measure_outputs(const filter *f, double *range, double *result) {
  const group *out = root_of(f->output);
  for (int64_t c = 0; c < out->channels; ++c)
    range[c] = result[c] = 0;
  const double *weight = f->weights;
  for (int64_t o = 0; o < f->outputs; ++o)
    for (int64_t i = 0; i < f->window * f->inputs; ++i) {
      double *at = &range[f->is_depthwise ? i % f->inputs : o];
      *at = fmax(*at, fabs(*weight++));
    }
  add_relative(range, out->channels, result);
  for (int64_t c = 0; c < out->channels; ++c)
    range[c] = f->bias ? fabs(f->bias[c]) : 0;
  add_relative(range, out->channels, result);
  for (int64_t c = 0; c < out->channels; ++c)
    range[c] = exp(out->total[c]) * out->reach[c];
  add_relative(range, out->channels, result);
}

static void pull(group *g, const double *range, double share) {
  for (int64_t c = 0; c < g->channels; ++c)
    if (range[c] > 0)
      g->step[c] += share * log(range[c]);
}

// Half the way to level ranges of the readers, half to those of the writers.
static void gather(equalizer *e, double *memory, double *range) {
  for (size_t i = 0; i < e->num_filters; ++i) {
    const filter *f = &e->filters[i];
    group *in = root_of(f->input), *out = root_of(f->output);
    if (is_free(in)) {
      measure_inputs(f, memory, range);
      pull(in, range, 0.5 / (double)in->num_readers);
    }
    if (is_free(out)) {
      measure_outputs(f, memory, range);
      pull(out, range, -0.5 / (double)out->num_writers);
    }
  }
}

static void limit(group *g) {
  for (int64_t c = 0; c < g->channels; ++c) {
    double most = log(largest_factor), wanted = g->total[c] + g->step[c];
    wanted = fmin(fmax(wanted, -most), most);
    g->step[c] = wanted - g->total[c];
    g->total[c] = wanted;
  }
}

static void scale(filter *f) {
  const group *in = root_of(f->input), *out = root_of(f->output);
  double *weight = f->weights;
  for (int64_t o = 0; o < f->outputs; ++o)
    for (int64_t i = 0; i < f->window * f->inputs; ++i) {
      int64_t channel = i % f->inputs;
      double step = is_free(out) ? out->step[f->is_depthwise ? channel : o] : 0;
      step -= is_free(in) ? in->step[channel] : 0;
      *weight++ *= exp(step);
    }
  for (int64_t c = 0; f->bias && is_free(out) && c < out->channels; ++c)
    f->bias[c] *= exp(out->step[c]);
}

static void sweep(equalizer *e, double *memory, double *range) {
  for (group *g = e->groups; g; g = g->next)
    for (int64_t c = 0; g->step && c < g->channels; ++c)
      g->step[c] = 0;
  gather(e, memory, range);
  for (group *g = e->groups; g; g = g->next)
    if (g->step)
      limit(g);
  for (size_t i = 0; i < e->num_filters; ++i)
    scale(&e->filters[i]);
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

// Puts a changed constant in the place of operand `slot`.
static bool write_floats(const filter *f, size_t slot, const double *reals) {
  xc_view view;
  if (!xc_view_operation(f->operation, &view))
    return false;
  MlirValue old = xc_view_operand(&view, slot);
  xc_shape shape = xc_view_shape(&view, slot);
  int64_t count = xc_shape_num_elements(&shape);
  float *floats = xc_alloc_array((size_t)count, sizeof(*floats));
  for (int64_t i = 0; i < count; ++i)
    floats[i] = (float)reals[i];
  xc_builder builder = xc_builder_before(f->operation);
  MlirOperation constant = mlirOpResultGetOwner(old);
  MlirValue made = xc_build_const_bytes(
      &builder, mlirOperationGetLocation(constant), floats, &shape);
  free(floats);
  if (mlirValueIsNull(made))
    return false;
  mlirOperationSetOperand(f->operation, view.positions[slot], made);
  if (mlirOpOperandIsNull(mlirValueGetFirstUse(old)))
    mlirOperationDestroy(constant);
  return true;
}

static bool write_filter(const filter *f, bool *changed) {
  if (!is_free(root_of(f->input)) && !is_free(root_of(f->output)))
    return true;
  *changed = true;
  return write_floats(f, WEIGHTS, f->weights) &&
         (!f->bias || write_floats(f, BIAS, f->bias));
}

// What the samples say of a group: the tensors that its filters read.
static void find_reach(equalizer *e, const filter *f) {
  group *g = root_of(f->input);
  const xc_quantize_value *value = xc_pointer_map_get(
      &e->q->originals, mlirOperationGetOperand(f->operation, 0).ptr);
  for (int64_t c = 0; is_free(g) && value && c < value->channels; ++c)
    g->reach[c] = fmax(g->reach[c], value->reach[c]);
}

static bool equalize(equalizer *e, bool *changed) {
  int64_t widest = 0;
  for (size_t i = 0; i < e->num_filters; ++i) {
    filter *f = &e->filters[i];
    ++root_of(f->input)->num_readers;
    ++root_of(f->output)->num_writers;
    widest = f->inputs > widest ? f->inputs : widest;
    widest = f->outputs > widest ? f->outputs : widest;
  }
  for (group *g = e->groups; g; g = g->next)
    if (!g->parent && is_free(g)) {
      g->total = channel_memory(e, g->channels);
      g->step = channel_memory(e, g->channels);
      g->reach = channel_memory(e, g->channels);
    }
  for (size_t i = 0; i < e->num_filters; ++i)
    find_reach(e, &e->filters[i]);
  double *memory = channel_memory(e, widest),
         *range = channel_memory(e, widest);
  for (int i = 0; i < SWEEPS; ++i)
    sweep(e, memory, range);
  for (size_t i = 0; i < e->num_filters; ++i)
    if (!write_filter(&e->filters[i], changed))
      return false;
  return true;
}

bool xc_quantize_equalize(const xc_quantizer *q, bool *changed) {
  equalizer e = {.q = q};
  MlirBlock block = q->block;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
    group_of(&e, mlirBlockGetArgument(block, i))->is_bound = true;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    visit(&e, op);
  bool ok = equalize(&e, changed);
  free(e.filters);
  xc_pointer_map_free(&e.by_value);
  xc_arena_free(&e.arena);
  return ok;
}
