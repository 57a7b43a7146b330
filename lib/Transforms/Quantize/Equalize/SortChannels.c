//===- SortChannels.c - the pass tir-sort-channels ------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Output channels that a DPU computes at a time share the fix points of their
// weights, and lose least by it where the weights are of one size. The order of
// channels between convolutions is free: filters that make them are permuted,
// and the weights that read them.
//
// The output channels of a convolution are a run; those of each group of a
// grouped one are a run of their own, and so are those that a group reads. Runs
// that meet in an addition are one, and a depthwise convolution forwards the
// runs of its input. Every tensor consists of whole runs, one after the other,
// or the channels of the runs in it keep their order.
//
//===----------------------------------------------------------------------===//

#include "SortChannels.h"
#include "ChannelOrder.h"
#include "Channels.h"

#include "IR/IR.h"
#include "OpParams/Window.h"
#include "Pass/Pass.h"
#include "Support/Math.h"
#include "Transforms/Quantize/Function/Filter.h"
#include "Transforms/Quantize/Function/Function.h"
#include "dialects/Emit.h"
#include "dialects/Groups.h"
#include "xc-c/DPUTarget.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Channels that get an order of their own.
typedef struct channel_run {
  int64_t size;
  const int64_t *roots; // in the order in which they are
  bool is_bound;        // an operator depends on the order
  int64_t *order;       // from new to old; null: it stays
} channel_run;

/// The place of the root of a channel.
typedef struct place {
  int64_t run; // -1: none
  int64_t index;
  bool is_bound;
} place;

/// A convolution with constant weights [outputs, window, inputs], depthwise
/// ones with a single output; or what has a slope or factor for each channel,
/// as a depthwise one of a single tap.
typedef struct filter {
  MlirOperation operation;
  MlirValue input, output;
  bool is_depthwise, is_slope;
  const bool *negative; // of each channel of a PReLU: its slope; else null
  int64_t outputs, window, inputs;
  int64_t groups; // between which all weights are zero
  /// Of the weights of each output channel: the largest, and the mean square.
  double *peaks, *powers;
} filter;

typedef struct sorter {
  xc_arena arena;
  xc_channels numbers;
  int64_t group;
  filter *filters;
  size_t num_filters, filter_capacity;
  channel_run *runs;
  size_t num_runs, run_capacity;
  place *places; // by number, at roots
  bool *cuts;    // by number, at roots: channels that begin a group
  bool *bound;   // by number, while operators are visited
  size_t num_bound, bound_capacity;
} sorter;

static int64_t results_of(const filter *f) {
  return f->is_depthwise ? f->inputs : f->outputs;
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

static void bind_value(sorter *s, MlirValue value) {
  const int64_t *numbers = xc_channels_of(&s->numbers, value);
  void *all = s->bound;
  xc_grow(&all, &s->bound_capacity, s->numbers.count + 1, sizeof(*s->bound));
  s->bound = all;
  while (s->num_bound < s->numbers.count)
    s->bound[s->num_bound++] = false;
  for (int64_t i = 0; i < xc_channels_count(value); ++i)
    s->bound[numbers[i]] = true;
}

static void bind(sorter *s, MlirOperation operation) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(operation); ++i)
    bind_value(s, mlirOperationGetOperand(operation, i));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(operation); ++i)
    bind_value(s, mlirOperationGetResult(operation, i));
}

static void measure(sorter *s, filter *f, const float *weights) {
  int64_t count = results_of(f);
  int64_t terms = f->is_depthwise ? f->window : f->window * f->inputs;
  int64_t pitch = f->is_depthwise ? f->inputs : 1;
  f->peaks = xc_arena_alloc(&s->arena, (size_t)count + 1, sizeof(double));
  f->powers = xc_arena_alloc(&s->arena, (size_t)count + 1, sizeof(double));
  for (int64_t c = 0; c < count; ++c) {
    const float *own = weights + (f->is_depthwise ? c : c * terms);
    for (int64_t i = 0; i < terms; ++i, own += pitch) {
      double weight = fabs((double)*own);
      f->peaks[c] = fmax(f->peaks[c], weight);
      f->powers[c] += weight * weight / (double)terms;
    }
  }
}

static void add_filter(sorter *s, const filter *f) {
  void *all = s->filters;
  xc_grow(&all, &s->filter_capacity, s->num_filters + 1, sizeof(*f));
  s->filters = all;
  s->filters[s->num_filters++] = *f;
}

static int64_t count_groups(const filter *f, const float *weights) {
  const xc_dense_kernel kernel = {.weights = weights,
                                  .element = sizeof *weights,
                                  .outputs = f->outputs,
                                  .window = f->window,
                                  .inputs = f->inputs};
  return f->is_depthwise ? 1 : xc_zero_groups(&kernel);
}

// Returns false when the convolution has to stay as it is.
static bool visit_filter(sorter *s, const xc_adaptor *op) {
  xc_shape shape = xc_operand_shape(op, XC_FILTER_WEIGHTS);
  filter f = {.operation = op->operation,
              .input = xc_operand(op, XC_FILTER_INPUT),
              .output = xc_op_result(op->operation),
              .is_depthwise = xc_is_depthwise(op),
              .outputs = shape.dims[0],
              .window = shape.dims[1] * shape.dims[2],
              .inputs = shape.dims[3]};
  if (xc_attr_int(op, XC_ATTR_GROUP) != 1 || !xc_channels_count(f.input) ||
      (f.is_depthwise && f.outputs != 1))
    return false;
  float *weights = xc_filter_read(op, XC_FILTER_WEIGHTS);
  float *bias = xc_has_operand(op, XC_FILTER_BIAS)
                    ? xc_filter_read(op, XC_FILTER_BIAS)
                    : NULL;
  bool known = weights && (bias || !xc_has_operand(op, XC_FILTER_BIAS));
  if (known) {
    f.groups = count_groups(&f, weights);
    measure(s, &f, weights);
    if (f.is_depthwise)
      xc_channels_keep(&s->numbers, f.input, f.output);
    else
      xc_channels_of(&s->numbers, f.output);
    add_filter(s, &f);
  }
  free(weights);
  free(bias);
  return known;
}

// Finds the channels with a negative slope. A slope that 8 bits round to zero
// is not negative.
static const bool *find_negative(sorter *s, const xc_adaptor *op,
                                 int64_t count) {
  const float steps = 256;
  float *slopes = op->info->kind == XC_TIR_PRELU
                      ? xc_filter_read(op, XC_FILTER_WEIGHTS)
                      : NULL;
  float largest = 0;
  if (!slopes)
    return NULL;
  bool *negative = xc_arena_alloc(&s->arena, (size_t)count + 1, sizeof(bool));
  for (int64_t c = 0; c < count; ++c)
    largest = fmaxf(largest, fabsf(slopes[c]));
  for (int64_t c = 0; c < count; ++c)
    negative[c] = slopes[c] < -largest / steps;
  free(slopes);
  return negative;
}

static bool visit_slope(sorter *s, const xc_adaptor *op) {
  filter f = {.operation = op->operation,
              .input = xc_operand(op, XC_FILTER_INPUT),
              .output = xc_op_result(op->operation),
              .is_depthwise = true,
              .is_slope = true,
              .outputs = 1,
              .window = 1,
              .inputs = xc_channels_count(xc_op_result(op->operation))};
  xc_shape shape = xc_operand_shape(op, XC_FILTER_WEIGHTS);
  if (f.inputs == 0 || xc_channels_count(f.input) != f.inputs ||
      xc_shape_num_elements(&shape) != f.inputs ||
      shape.dims[shape.rank - 1] != f.inputs ||
      shape.element != XC_ELEMENT_F32 ||
      mlirOperationIsNull(xc_constant_of(xc_operand(op, XC_FILTER_WEIGHTS))) ||
      (xc_has_operand(op, XC_FILTER_BIAS) &&
       mlirOperationIsNull(xc_constant_of(xc_operand(op, XC_FILTER_BIAS)))))
    return false;
  f.negative = find_negative(s, op, f.inputs);
  xc_channels_keep(&s->numbers, f.input, f.output);
  add_filter(s, &f);
  return true;
}

static void visit(sorter *s, MlirOperation operation) {
  const xc_op_info *info = xc_op_info_of(operation);
  xc_adaptor op;
  if (info && xc_adaptor_of(operation, &op) &&
      ((xc_is_filter(info->kind) && visit_filter(s, &op)) ||
       ((info->kind == XC_TIR_PRELU || info->kind == XC_TIR_MUL ||
         info->kind == XC_TIR_SCALE) &&
        visit_slope(s, &op)) ||
       xc_channels_follow(&s->numbers, &op) ||
       xc_channels_follow_elements(&s->numbers, &op)))
    return;
  bind(s, operation);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

static const int64_t *roots_of(sorter *s, MlirValue value) {
  int64_t count = xc_channels_count(value);
  const int64_t *numbers = xc_channels_of(&s->numbers, value);
  int64_t *roots = xc_arena_alloc(&s->arena, (size_t)count + 1, sizeof(*roots));
  for (int64_t i = 0; i < count; ++i)
    roots[i] = xc_channels_root(&s->numbers, numbers[i]);
  return roots;
}

static void bind_roots(sorter *s, const int64_t *roots, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    place *own = &s->places[roots[i]];
    own->is_bound = true;
    if (own->run >= 0)
      s->runs[own->run].is_bound = true;
  }
}

// Returns the run that starts at these roots, if all of it is there.
static const channel_run *whole_run(const sorter *s, const int64_t *roots,
                                    int64_t count) {
  const place *first = &s->places[roots[0]];
  if (first->run < 0 || first->index != 0)
    return NULL;
  const channel_run *own = &s->runs[first->run];
  return own->size <= count && memcmp(own->roots, roots,
                                      (size_t)own->size * sizeof(*roots)) == 0
             ? own
             : NULL;
}

// Channels of a group may change their order, but not their group.
static void cut_groups(sorter *s, MlirValue value, int64_t groups) {
  int64_t count = xc_channels_count(value);
  const int64_t *roots = roots_of(s, value);
  for (int64_t i = 0; groups > 1 && i < count; i += count / groups)
    s->cuts[roots[i]] = true;
}

// These channels are a new run, or one that is there.
static void make_run(sorter *s, const int64_t *roots, int64_t count) {
  int64_t taken = 0;
  for (int64_t i = 0; i < count; ++i)
    taken += s->places[roots[i]].run >= 0;
  if (taken > 0 || count == 0) {
    const channel_run *own =
        taken == count && count ? whole_run(s, roots, count) : NULL;
    if (!own || own->size != count)
      bind_roots(s, roots, count);
    return;
  }
  void *all = s->runs;
  xc_grow(&all, &s->run_capacity, s->num_runs + 1, sizeof(*s->runs));
  s->runs = all;
  channel_run *own = &s->runs[s->num_runs];
  *own = (channel_run){.size = count, .roots = roots};
  for (int64_t i = 0; i < count; ++i) {
    place *at = &s->places[roots[i]];
    own->is_bound |= at->is_bound || at->run >= 0;
    *at = (place){(int64_t)s->num_runs, i, at->is_bound};
  }
  ++s->num_runs;
}

// Divides the results of a convolution into runs, one for each of its groups.
static void make_runs(sorter *s, MlirValue output) {
  int64_t count = xc_channels_count(output), end;
  const int64_t *roots = roots_of(s, output);
  for (int64_t i = 0; i < count; i = end) {
    for (end = i + 1; end < count && !s->cuts[roots[end]];)
      ++end;
    make_run(s, roots + i, end - i);
  }
}

// Where a tensor has a part of a run, its order has to stay.
static void check_value(sorter *s, MlirValue value) {
  int64_t count = xc_channels_count(value);
  const int64_t *roots = roots_of(s, value);
  for (int64_t i = 0; i < count;) {
    const channel_run *own = whole_run(s, roots + i, count - i);
    if (!own)
      bind_roots(s, roots + i, 1);
    i += own ? own->size : 1;
  }
}

static void find_runs(sorter *s, MlirBlock body) {
  s->places =
      xc_arena_alloc(&s->arena, s->numbers.count + 1, sizeof(*s->places));
  for (size_t i = 0; i < s->numbers.count; ++i)
    s->places[i].run = -1;
  for (size_t i = 0; i < s->num_bound; ++i)
    if (s->bound[i])
      s->places[xc_channels_root(&s->numbers, (int64_t)i)].is_bound = true;
  s->cuts = xc_arena_alloc(&s->arena, s->numbers.count + 1, sizeof(bool));
  for (size_t i = 0; i < s->num_filters; ++i) {
    cut_groups(s, s->filters[i].input, s->filters[i].groups);
    cut_groups(s, s->filters[i].output, s->filters[i].groups);
  }
  for (size_t i = 0; i < s->num_filters; ++i)
    if (!s->filters[i].is_depthwise)
      make_runs(s, s->filters[i].output);
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
      check_value(s, mlirOperationGetResult(op, i));
}

//===----------------------------------------------------------------------===//
// Orders
//===----------------------------------------------------------------------===//

static void add_writer(xc_order_problem *problem, const filter *f,
                       int64_t first) {
  void *items = problem->writers;
  xc_grow(&items, &problem->capacity, problem->count + 1,
          sizeof(*problem->writers));
  problem->writers = items;
  problem->writers[problem->count++] = (xc_order_writer){
      f->peaks + first, f->powers + first, first, f->is_depthwise};
}

static void add_signs(xc_order_problem *problem, const bool *negative) {
  if (problem->num_signs < XC_ORDER_SIGNS)
    problem->signs[problem->num_signs++] = negative;
}

static int64_t choose_orders(sorter *s) {
  xc_order_problem *all = xc_alloc_array(s->num_runs + 1, sizeof(*all));
  for (size_t i = 0; i < s->num_filters; ++i) {
    const filter *f = &s->filters[i];
    const int64_t *roots = roots_of(s, f->output);
    for (int64_t c = 0; c < results_of(f); ++c) {
      const place *at = &s->places[roots[c]];
      if (at->run < 0 || at->index != 0)
        continue;
      if (!f->is_slope)
        add_writer(&all[at->run], f, c);
      else if (f->negative)
        add_signs(&all[at->run], f->negative + c);
    }
  }
  int64_t count = 0;
  for (size_t i = 0; i < s->num_runs; ++i) {
    channel_run *own = &s->runs[i];
    all[i].size = own->size;
    all[i].group = s->group;
    own->order = own->is_bound ? NULL : xc_order_channels(&s->arena, &all[i]);
    count += own->order != NULL;
    free(all[i].writers);
  }
  free(all);
  return count;
}

//===----------------------------------------------------------------------===//
// New weights
//===----------------------------------------------------------------------===//

// Where each channel of a value was; null when all are where they were.
static const int64_t *find_order(sorter *s, MlirValue value) {
  int64_t count = xc_channels_count(value);
  const int64_t *roots = roots_of(s, value);
  int64_t *order = xc_arena_alloc(&s->arena, (size_t)count + 1, sizeof(*order));
  bool is_new = false;
  for (int64_t i = 0; i < count; ++i) {
    const place *at = &s->places[roots[i]];
    const int64_t *own = at->run < 0 ? NULL : s->runs[at->run].order;
    order[i] = own ? i - at->index + own[at->index] : i;
    is_new |= order[i] != i;
  }
  return is_new ? order : NULL;
}

static bool permute_weights(const filter *f, const xc_adaptor *op,
                            const int64_t *inputs, const int64_t *outputs) {
  float *old = xc_filter_read(op, XC_FILTER_WEIGHTS);
  int64_t row = f->window * f->inputs;
  float *made = xc_alloc_array((size_t)(f->outputs * row) + 1, sizeof(*made));
  for (int64_t o = 0; o < f->outputs; ++o) {
    const float *from =
        old + (outputs && !f->is_depthwise ? outputs[o] : o) * row;
    for (int64_t w = 0; w < f->window; ++w)
      for (int64_t i = 0; i < f->inputs; ++i)
        made[o * row + w * f->inputs + i] =
            from[w * f->inputs + (inputs ? inputs[i] : i)];
  }
  bool ok = xc_filter_write(f->operation, XC_FILTER_WEIGHTS, made);
  free(old);
  free(made);
  return ok;
}

static bool permute_bias(const filter *f, const xc_adaptor *op,
                         const int64_t *outputs) {
  if (!outputs || !xc_has_operand(op, XC_FILTER_BIAS))
    return true;
  float *old = xc_filter_read(op, XC_FILTER_BIAS);
  int64_t count = results_of(f);
  float *made = xc_alloc_array((size_t)count + 1, sizeof(*made));
  for (int64_t c = 0; c < count; ++c)
    made[c] = old[outputs[c]];
  bool ok = xc_filter_write(f->operation, XC_FILTER_BIAS, made);
  free(old);
  free(made);
  return ok;
}

static bool permute(sorter *s, const filter *f,
                    const xc_sort_listener *listener) {
  const int64_t *inputs = find_order(s, f->input);
  const int64_t *outputs = find_order(s, f->output);
  xc_adaptor op;
  if (!inputs && !outputs)
    return true;
  if (outputs && listener)
    listener->moved(listener->user, f->output, outputs);
  return xc_adaptor_of(f->operation, &op) && permute_bias(f, &op, outputs) &&
         permute_weights(f, &op, inputs, outputs);
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

int64_t xc_sort_channels(MlirOperation function, int64_t group,
                         const xc_sort_listener *listener) {
  sorter s = {.group = group > 0 ? group : 1};
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  if (mlirBlockIsNull(body))
    return 0;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i)
    bind_value(&s, mlirBlockGetArgument(body, i));
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    visit(&s, op);
  find_runs(&s, body);
  int64_t count = choose_orders(&s);
  bool ok = true;
  for (size_t i = 0; ok && count > 0 && i < s.num_filters; ++i)
    ok = permute(&s, &s.filters[i], listener);
  free(s.filters);
  free(s.runs);
  free(s.bound);
  xc_channels_free(&s.numbers);
  xc_arena_free(&s.arena);
  return ok ? count : -1;
}

/// As the options say; 0 after a diagnostic.
static int64_t group_size(xc_pass_run *pass) {
  int64_t given = xc_pass_int(pass, "group-channels");
  if (given > 0)
    return given;
  XcDiag diag = xc_context_diag(&pass->root);
  const XcDpuTarget *target =
      xcDpuTargetCreate(&diag, xc_pass_string(pass, "target"));
  int64_t size = target ? target->channelParallel : 0;
  xcDpuTargetDestroy(target);
  return size;
}

static bool run(xc_pass_run *pass) {
  int64_t group = group_size(pass);
  if (group == 0)
    return false;
  int64_t count = xc_sort_channels(pass->root, group, NULL);
  if (count > 0)
    xc_pass_count(pass, "num-sorted", count);
  return count >= 0;
}

static const xc_pass_option options[] = {
    {"target", XC_PASS_OPTION_STRING, XC_DPU_DEFAULT_TARGET,
     "Name or file of the DPU whose groups of channels have fix points in "
     "common"},
    {"group-channels", XC_PASS_OPTION_COUNT, "0",
     "Groups of so many channels in place of the target's; 0: the target's"},
};
static const xc_pass_statistic statistics[] = {
    {"num-sorted", "Orders of channels that are new"},
};

const xc_pass_info xc_pass_tir_sort_channels = {
    .argument = "tir-sort-channels",
    .name = "TirSortChannels",
    .summary = "Put output channels with weights of similar size side by side",
    .description =
        "Permutes the channels between convolutions of a float function, so "
        "that those whose weights share a fix point have weights of similar "
        "size: filters and biases of what makes the channels, the weights of "
        "what reads them. Channels that meet in an addition share their order, "
        "a depthwise convolution keeps it, and a concatenation has those of "
        "its inputs one after the other. Channels that have negative slopes in "
        "a PReLU come first, where those fill fewer groups so. Where another "
        "operator or a result "
        "of the function depends on the order it stays. Values are the same "
        "but "
        "for the order of additions. `tir-quantize` does this after its "
        "equalisation (`sort-channels`).",
    .anchor = "func.func",
    .options = options,
    .num_options = sizeof(options) / sizeof(*options),
    .statistics = statistics,
    .num_statistics = sizeof(statistics) / sizeof(*statistics),
    .run = run,
};
