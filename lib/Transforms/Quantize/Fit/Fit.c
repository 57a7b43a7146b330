//===- Fit.c - the weights once more, on the inputs that they get ---------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The converted function and the float one run side by side, on all samples at
// a time and operator by operator. In front of a convolution both its inputs in
// fixed point and what it should compute are at hand: FitLayer.c chooses its
// integers, and the run goes on with them.
//
//===----------------------------------------------------------------------===//

#include "Fit.h"
#include "FitLayer.h"

#include "IR/Builder.h"
#include "IR/IR.h"
#include "Interpreter/Frame.h"
#include "OpParams/Fix.h"
#include "OpParams/Window.h"
#include "Support/Math.h"
#include "Support/Progress.h"
#include "Transforms/Quantize/FastKernels/Interpreter.h"
#include "Transforms/Quantize/Observe/Observe.h"
#include "dialects/Emit.h"

#include "mlir-c/BuiltinAttributes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES_LOG = 31 }; // of the values of all runs

/// The runs of one function.
typedef struct runs {
  XcInterpreter *interpreter;
  const xc_plan *plan;
  xc_frame *frames; // by sample
  size_t count;
  size_t next; // step
} runs;

typedef struct fitter {
  xc_quantizer *q;
  runs fixed, exact;
  xc_pointer_map values; // MlirValue.ptr of a -fix result to its value
  size_t *samples;       // those that are used
  size_t num_samples;
  void **arguments; // by sample
  xc_arena arena;
  xc_fit_effort effort;
} fitter;

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

// Copies of the samples' arguments.
static bool read_samples(fitter *f) {
  xc_quantizer *q = f->q;
  size_t count = q->num_arguments;
  f->arguments = xc_arena_alloc(&f->arena, f->num_samples * count + 1,
                                sizeof(*f->arguments));
  for (size_t s = 0; s < f->num_samples; ++s) {
    if (!xc_quantize_read_sample(q, f->samples[s]))
      return false;
    for (size_t i = 0; i < count; ++i) {
      size_t bytes = xc_quantize_bytes(&q->values[i].shape);
      f->arguments[s * count + i] = xc_arena_alloc(&f->arena, bytes + 1, 1);
      memcpy(f->arguments[s * count + i], q->sample[i], bytes);
    }
  }
  return true;
}

static void open_runs(const fitter *f, runs *r) {
  r->count = f->num_samples;
  r->frames = xc_alloc_array(r->count + 1, sizeof(*r->frames));
  for (size_t i = 0; i < r->count; ++i)
    r->frames[i] =
        xc_frame_open(r->interpreter, f->arguments + i * f->q->num_arguments);
}

static bool run_next(runs *r) {
  for (size_t i = 0; i < r->count; ++i)
    if (!xc_frame_step(&r->frames[i], r->next))
      return false;
  ++r->next;
  return true;
}

static void close_runs(runs *r) {
  for (size_t i = 0; r->frames && i < r->count; ++i)
    xc_frame_close(&r->frames[i]);
  free(r->frames);
  xcInterpreterDestroy(r->interpreter);
}

static int64_t slot_of(const runs *r, MlirValue value) {
  for (size_t i = 0; i < r->plan->num_slots; ++i)
    if (r->plan->slots[i].value.ptr == value.ptr)
      return (int64_t)i;
  return XC_NO_SLOT;
}

enum { INPUT, WEIGHT, BIAS };

// A depthwise convolution has a system of equations for each channel. Those of
// kernels as large as images would take gigabytes, and hours.
static bool has_room(const fitter *f, const xc_step *step) {
  const double most_moments = 1 << 23;
  xc_adaptor op;
  if (!xc_adaptor_of(step->operation, &op) || !xc_is_depthwise(&op))
    return true;
  const xc_shape *weight = &f->fixed.plan->slots[step->operands[WEIGHT]].shape;
  double terms = 1 + (double)(weight->dims[1] * weight->dims[2]);
  return terms * terms * (double)weight->dims[3] <= most_moments;
}

// Returns the value of a convolution that was made of a float one, if it is to
// be fitted.
static xc_quantize_value *find_product(const fitter *f, const xc_step *step) {
  const xc_op_info *info = xc_op_info_of(step->operation);
  if (!info || step->num_results != 1)
    return NULL;
  MlirValue result = f->fixed.plan->slots[step->results[0]].value;
  xc_quantize_value *value = xc_pointer_map_get(&f->values, result.ptr);
  return value && value->product && value->fixed.ptr == result.ptr &&
                 has_room(f, step)
             ? value->product
             : NULL;
}

// The runs read what is fitted.
static void copy_products(const fitter *f) {
  for (size_t i = 0; i < f->fixed.plan->num_steps; ++i) {
    const xc_step *step = &f->fixed.plan->steps[i];
    if (!find_product(f, step))
      continue;
    for (size_t slot = WEIGHT; slot <= BIAS; ++slot)
      if (slot < step->num_operands && step->operands[slot] != XC_NO_SLOT)
        xc_slot_copy_constant(&f->fixed.plan->slots[step->operands[slot]]);
  }
}

//===----------------------------------------------------------------------===//
// Effort
//===----------------------------------------------------------------------===//

// Returns the number of products of one run of the convolutions, or with an
// effort what fitting them on some samples takes.
static double count_work(const fitter *f, size_t samples,
                         const xc_fit_effort *effort) {
  double sum = 0;
  for (size_t i = 0; i < f->fixed.plan->num_steps; ++i) {
    const xc_step *step = &f->fixed.plan->steps[i];
    if (!find_product(f, step))
      continue;
    const xc_shape *weight =
        &f->fixed.plan->slots[step->operands[WEIGHT]].shape;
    const xc_shape *result = &f->fixed.plan->slots[step->results[0]].shape;
    double outputs = (double)result->dims[3], weights = 1;
    for (size_t k = 0; k < weight->rank; ++k)
      weights *= (double)weight->dims[k];
    double positions = (double)xc_shape_num_elements(result) / outputs;
    double terms = weights / outputs;
    if (!effort) {
      sum += positions * weights;
      continue;
    }
    positions = fmin(positions * (double)samples, (double)effort->positions);
    double block = fmin(terms, (double)effort->terms);
    // Decomposing is done by slower loops than products are.
    sum += positions * (terms > block ? 3 * weights : weights) +
           positions * terms * block / 2 + 2 * terms * block * block +
           4 * weights * block;
  }
  return sum;
}

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

// As many as memory and patience allow, from all of them alike.
static void choose_samples(fitter *f) {
  size_t each = f->fixed.plan->peak_bytes + f->exact.plan->peak_bytes + 1;
  size_t all = f->q->num_samples;
  f->num_samples = smaller(((size_t)1 << MOST_BYTES_LOG) / each + 1,
                           xc_fit_num_samples(all, count_work(f, 0, NULL)));
  f->samples = xc_alloc_array(f->num_samples + 1, sizeof(*f->samples));
  for (size_t i = 0; i < f->num_samples; ++i)
    f->samples[i] = xc_fit_sample(i, f->num_samples, all);
}

// Chooses the largest effort that stays below a number of products.
static void choose_effort(fitter *f) {
  static const xc_fit_effort efforts[] = {
      {6000, 2048}, {6000, 1024}, {3000, 1024}, {3000, 512},
      {1500, 512},  {1500, 256},  {750, 256},   {400, 128},
  };
  size_t count = sizeof(efforts) / sizeof(*efforts);
  for (size_t i = 0; i < count; ++i) {
    f->effort = efforts[i];
    if (count_work(f, f->num_samples, &f->effort) < xc_fit_most_products)
      return;
  }
}

//===----------------------------------------------------------------------===//
// One convolution
//===----------------------------------------------------------------------===//

// Runs the float function up to the value.
static bool reach(fitter *f, MlirValue value, int64_t *slot) {
  *slot = slot_of(&f->exact, value);
  while (*slot != XC_NO_SLOT && !f->exact.frames[0].data[*slot] &&
         f->exact.next < f->exact.plan->num_steps)
    if (!run_next(&f->exact))
      return false;
  return *slot != XC_NO_SLOT && f->exact.frames[0].data[*slot];
}

// Reads the content of a constant operand. Returns false for none. The caller
// frees `copy`.
static bool read_tensor(MlirOperation product, size_t slot, xc_tensor *tensor,
                        void **copy) {
  xc_adaptor op;
  size_t size;
  *copy = NULL;
  if (!xc_adaptor_of(product, &op) || !xc_has_operand(&op, slot))
    return false;
  *tensor = xc_tensor_view(
      xc_operand_shape(&op, slot),
      xc_const_contents(xc_constant_of(xc_operand(&op, slot)), &size, copy));
  return tensor->data != NULL;
}

static double *read_bias(MlirOperation product) {
  xc_tensor tensor;
  void *copy;
  if (!read_tensor(product, BIAS, &tensor, &copy))
    return NULL;
  int64_t count = xc_tensor_count(&tensor);
  double *reals = xc_alloc_array((size_t)count + 1, sizeof(*reals));
  xc_get_reals(&tensor, 0, count, reals);
  free(copy);
  return reals;
}

// The new integers, in the function and in the runs.
static bool write_constant(const fitter *f, const xc_step *step,
                           const xc_fit *fit, size_t slot,
                           const int8_t *bytes) {
  const xc_slot *constant = &f->fixed.plan->slots[step->operands[slot]];
  memcpy(constant->copy, bytes, constant->bytes);
  xc_builder builder = xc_builder_before(step->operation);
  MlirValue old = xc_operand(&fit->op, slot);
  builder.location = mlirOperationGetLocation(mlirOpResultGetOwner(old));
  MlirValue made = xc_build_const_bytes(&builder, bytes, &constant->shape);
  if (mlirValueIsNull(made))
    return false;
  mlirOperationSetOperand(step->operation, fit->op.positions[slot], made);
  if (!xc_value_is_used(old))
    mlirOperationDestroy(mlirOpResultGetOwner(old));
  return true;
}

static void set_point(MlirOperation operation, const char *name, int point) {
  MlirType type = mlirAttributeGetType(xc_op_attribute(operation, name));
  mlirOperationSetAttributeByName(operation, xc_ref(name),
                                  mlirIntegerAttrGet(type, point));
}

static bool is_one_point(const int *points, int64_t count) {
  for (int64_t i = 1; i < count; ++i)
    if (points[i] != points[0])
      return false;
  return true;
}

// A list takes the place of the number where they differ.
static void set_points(const xc_fit *fit, const char *point, const char *list,
                       const int *points) {
  MlirOperation operation = fit->op.operation;
  if (is_one_point(points, fit->num_points)) {
    set_point(operation, point, points[0]);
    return;
  }
  int64_t *all = xc_alloc_array((size_t)fit->num_points, sizeof(*all));
  for (int64_t i = 0; i < fit->num_points; ++i)
    all[i] = points[i];
  MlirContext context = mlirOperationGetContext(operation);
  const xc_attribute attributes[] = {
      xc_ints(list, all, (size_t)fit->num_points),
      xc_int("fix_point_channels", fit->point_channels)};
  for (size_t i = 0; i < 2; ++i)
    mlirOperationSetAttributeByName(operation, xc_ref(attributes[i].name),
                                    xc_attribute_get(context, &attributes[i]));
  mlirOperationRemoveAttributeByName(operation, xc_ref(point));
  free(all);
}

static bool store(const fitter *f, const xc_step *step, const xc_fit *fit) {
  set_points(fit, "weight_fix_point", "weight_fix_points", fit->weight_points);
  if (fit->bias)
    set_points(fit, "bias_fix_point", "bias_fix_points", fit->bias_points);
  return write_constant(f, step, fit, WEIGHT, fit->fixed_weights) &&
         (!fit->bias || write_constant(f, step, fit, BIAS, fit->fixed_bias));
}

// Points at the exact results of a layer: those that calibration has kept, or
// those of the function when it runs up to there.
static bool point_at_results(fitter *f, const xc_quantize_value *product,
                             xc_fit *fit) {
  bool is_kept = true;
  for (size_t i = 0; i < f->num_samples; ++i) {
    fit->results[i] = xc_exact_find(f->q, product, f->samples[i]);
    is_kept &= fit->results[i] != NULL;
  }
  int64_t slot;
  if (is_kept)
    return true;
  if (!reach(f, product->reference, &slot))
    return false;
  for (size_t i = 0; i < f->num_samples; ++i)
    fit->results[i] = f->exact.frames[i].data[slot];
  return true;
}

static bool point_at_samples(fitter *f, const xc_step *step,
                             const xc_quantize_value *product, xc_fit *fit) {
  fit->num_samples = f->num_samples;
  fit->inputs = xc_alloc_array(f->num_samples + 1, sizeof(*fit->inputs));
  fit->results = xc_alloc_array(f->num_samples + 1, sizeof(*fit->results));
  for (size_t i = 0; i < f->num_samples; ++i)
    fit->inputs[i] = f->fixed.frames[i].data[step->operands[INPUT]];
  return point_at_results(f, product, fit);
}

// A sample whose numbers are much larger than those of most would decide for
// all of them: it counts as if its numbers were like the others'. Powers of
// two, so that products stay exact.
static void scale_samples(const fitter *f, xc_fit *fit) {
  const double much = 4;
  int64_t count = xc_shape_num_elements(&fit->output);
  size_t samples = f->num_samples;
  double *powers = xc_alloc_array(2 * samples + 1, sizeof(*powers));
  double *sorted = powers + samples;
  for (size_t s = 0; s < samples; ++s) {
    for (int64_t i = 0; i < count; ++i) {
      double zero = fit->output_zeros
                        ? fit->output_zeros[i % fit->output.dims[3]]
                        : fit->output_zero;
      double result = (double)fit->results[s][i] - zero;
      powers[s] += result * result;
    }
    sorted[s] = powers[s];
  }
  qsort(sorted, samples, sizeof(*sorted), xc_compare_doubles);
  double typical = sorted[samples / 2];
  fit->scales = xc_alloc_array(samples + 1, sizeof(*fit->scales));
  for (size_t s = 0; s < samples; ++s) {
    fit->scales[s] = 1;
    for (double left = powers[s];
         typical > 0 && isfinite(left) && left > much * typical; left /= 4)
      fit->scales[s] /= 2;
  }
  free(powers);
}

// Returns the fix point that the result's shift counts from: a hard activation
// has a fix point of its own in front of it.
static int cut_point(const xc_adaptor *op) {
  xc_enum nonlinear = xc_attr_enum(op, XC_ATTR_NONLINEAR);
  bool hard = nonlinear == XC_ENUM_HSIGMOID || nonlinear == XC_ENUM_HSWISH;
  return xc_fix_point(op,
                      hard ? XC_ATTR_HSIGMOID_IN : XC_ATTR_OUTPUT_FIX_POINT);
}

// Returns the number of groups of outputs that may have fix points of their
// own.
static size_t divide_points(const fitter *f, xc_fit *fit) {
  int64_t outputs = fit->output.dims[3];
  int64_t wanted = xc_pass_int(f->q->run, "group-channels");
  fit->point_channels = wanted > 0 && wanted < outputs ? wanted
                        : outputs > 0                  ? outputs
                                                       : 1;
  fit->num_points = (outputs + fit->point_channels - 1) / fit->point_channels;
  return (size_t)fit->num_points;
}

static void set_zeros(const fitter *f, const xc_step *step,
                      const xc_quantize_value *product, xc_fit *fit) {
  MlirValue input = f->fixed.plan->slots[step->operands[INPUT]].value;
  const xc_quantize_value *value = xc_pointer_map_get(&f->values, input.ptr);
  if (value) {
    fit->input_zero = value->zero;
    fit->input_zeros = value->zeros;
  }
  fit->output_zero = product->zero;
  fit->output_zeros = product->zeros;
}

static bool fit_product(fitter *f, const xc_step *step,
                        const xc_quantize_value *product) {
  xc_fit fit = {0};
  MlirOperation exact = mlirOpResultGetOwner(product->reference);
  if (!xc_adaptor_of(step->operation, &fit.op))
    return false;
  fit.effort = f->effort;
  fit.input = xc_operand_shape(&fit.op, INPUT);
  fit.weight = xc_operand_shape(&fit.op, WEIGHT);
  fit.output = xc_result_shape(&fit.op);
  fit.input_point = xc_fix_point(&fit.op, XC_ATTR_INPUT_FIX_POINT);
  fit.cut_point = cut_point(&fit.op);
  set_zeros(f, step, product, &fit);
  void *copy;
  bool ok = read_tensor(exact, WEIGHT, &fit.weights, &copy);
  fit.bias = read_bias(exact);
  fit.fixed_weights = xc_alloc((size_t)xc_shape_num_elements(&fit.weight) + 1);
  fit.fixed_bias = xc_alloc((size_t)fit.output.dims[3] + 1);
  size_t points = divide_points(f, &fit);
  fit.weight_points = xc_alloc_array(points, sizeof(*fit.weight_points));
  fit.bias_points = xc_alloc_array(points, sizeof(*fit.bias_points));
  ok = ok && point_at_samples(f, step, product, &fit);
  if (ok) {
    scale_samples(f, &fit);
    xc_fit_layer(&fit);
    ok = store(f, step, &fit);
  }
  free(fit.inputs);
  free(fit.results);
  free(fit.scales);
  free(copy);
  free(fit.reals);
  free(fit.bias);
  free(fit.fixed_weights);
  free(fit.fixed_bias);
  free(fit.weight_points);
  free(fit.bias_points);
  return ok;
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

static bool fit_all(fitter *f) {
  size_t count = f->fixed.plan->num_steps;
  for (size_t i = 0; i < count; ++i) {
    const xc_step *step = &f->fixed.plan->steps[i];
    const xc_quantize_value *product = find_product(f, step);
    if (product && !fit_product(f, step, product))
      return false;
    if (!run_next(&f->fixed))
      return false;
    xc_report_progress(&f->q->run->progress, "fitting weights", i + 1, count);
  }
  return true;
}

bool xc_quantize_fit(xc_quantizer *q) {
  fitter f = {.q = q};
  for (size_t i = 0; i < q->num_values; ++i)
    if (!mlirValueIsNull(q->values[i].fixed))
      xc_pointer_map_set(&f.values, q->values[i].fixed.ptr, &q->values[i]);
  f.exact.interpreter = xc_quantize_interpreter(q->reference);
  if (f.exact.interpreter)
    f.fixed.interpreter = xc_quantize_interpreter(q->function);
  bool ok = f.fixed.interpreter != NULL;
  if (ok) {
    f.exact.plan = xc_interpreter_plan(f.exact.interpreter);
    f.fixed.plan = xc_interpreter_plan(f.fixed.interpreter);
    choose_samples(&f);
    ok = read_samples(&f);
  }
  if (ok) {
    copy_products(&f);
    open_runs(&f, &f.exact);
    open_runs(&f, &f.fixed);
    choose_effort(&f);
    ok = f.num_samples == 0 || fit_all(&f);
  }
  close_runs(&f.exact);
  close_runs(&f.fixed);
  free(f.samples);
  xc_arena_free(&f.arena);
  xc_pointer_map_free(&f.values);
  xc_exact_end(q);
  return ok;
}
