//===- Approximate.c - the pass tir-approximate ---------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Between two int8 tensors a function of one number is a table of 256 entries.
// The samples say how often each is used, and from that follows exactly what a
// form of the DPU loses at that place.
//
//===----------------------------------------------------------------------===//

#include "Approximate.h"

#include "IR/AttributeNames.h"
#include "IR/IR.h"
#include "Interpreter/Kernel.h"
#include "Support/Text.h"
#include "Transforms/Quantize/FastKernels/Interpreter.h"
#include "dialects/Emit.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef xc_approximation approximation;

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

static bool read_bound(approximation *a) {
  const char *text = xc_pass_string(a->q.run, "bound");
  char *end;
  a->bound = strtod(text, &end);
  return (end != text && (!*end || strcmp(end, "dB") == 0) &&
          isfinite(a->bound)) ||
         xc_option_error(a->q.run->root, "tir-approximate", "bound",
                         "is '%s', expected a number of decibels", text);
}

//===----------------------------------------------------------------------===//
// Sites
//===----------------------------------------------------------------------===//

static void find_sites(approximation *a) {
  size_t count = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(a->q.block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    ++count;
  a->sites = xc_arena_alloc(&a->q.arena, count + 1, sizeof(*a->sites));
  for (MlirOperation op = mlirBlockGetFirstOperation(a->q.block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    a->num_sites += xc_gate_read_site(op, &a->sites[a->num_sites]) &&
                    (a->gates >> a->sites[a->num_sites].gate & 1) != 0;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

static bool count_inputs(void *user, MlirOperation operation, MlirValue value,
                         const void *data, size_t size) {
  const approximation *a = user;
  const int8_t *bytes = data;
  (void)operation;
  for (size_t s = 0; s < a->num_sites; ++s)
    for (size_t i = 0; mlirValueEqual(a->sites[s].input, value) && i < size;
         ++i)
      a->sites[s].counts[bytes[i] - INT8_MIN] += 1;
  return true;
}

static void **alloc_results(approximation *a,
                            const XcInterpreter *interpreter) {
  size_t count = xcInterpreterGetNumResults(interpreter);
  void **results = xc_arena_alloc(&a->q.arena, count + 1, sizeof(*results));
  for (size_t i = 0; i < count; ++i)
    results[i] = xc_arena_alloc(
        &a->q.arena, xcInterpreterGetResultSize(interpreter, i) + 1, 1);
  return results;
}

static bool run_all(approximation *a, bool observed, void ***results) {
  xc_quantizer *q = &a->q;
  XcInterpreter *interpreter = xc_quantize_interpreter(q->function);
  if (!interpreter)
    return false;
  if (observed)
    xcInterpreterSetObserver(interpreter, count_inputs, a);
  bool ok = true;
  for (size_t s = 0; ok && s < q->num_samples; ++s) {
    results[s] = alloc_results(a, interpreter);
    ok = xc_quantize_read_sample(q, s) &&
         xcInterpreterRun(interpreter, q->sample, results[s]);
  }
  xcInterpreterDestroy(interpreter);
  return ok;
}

//===----------------------------------------------------------------------===//
// Report
//===----------------------------------------------------------------------===//

static MlirAttribute text_of(const approximation *a, const char *text) {
  return mlirStringAttrGet(a->q.context, mlirStringRefCreateFromCString(text));
}

static MlirAttribute number_of(const approximation *a, double number) {
  return mlirFloatAttrDoubleGet(a->q.context, mlirF64TypeGet(a->q.context),
                                number);
}

static MlirNamedAttribute named(const approximation *a, const char *name,
                                MlirAttribute value) {
  return mlirNamedAttributeGet(
      mlirIdentifierGet(a->q.context, mlirStringRefCreateFromCString(name)),
      value);
}

static MlirAttribute describe_site(const approximation *a,
                                   const xc_gate_site *site) {
  MlirAttribute name = xc_op_attribute(site->quantise, "op_name");
  MlirNamedAttribute entries[4];
  intptr_t count = 0;
  entries[count++] =
      named(a, "name", mlirAttributeIsNull(name) ? text_of(a, "") : name);
  entries[count++] = named(a, "function", text_of(a, xc_gate_name(site->gate)));
  if (site->form)
    entries[count++] = named(a, "by", text_of(a, site->form->name));
  if (isfinite(site->sqnr))
    entries[count++] = named(a, "sqnr_db", number_of(a, site->sqnr));
  return mlirDictionaryAttrGet(a->q.context, count, entries);
}

double xc_approximate_decibel(double signal, double noise) {
  enum { MOST = 200 }; // of what is exact
  if (noise == 0)
    return MOST;
  return signal == 0 ? 0 : 10 * log10(signal / noise);
}

static MlirType function_type(const approximation *a) {
  return mlirTypeAttrGetValue(xc_op_attribute(a->q.function, "function_type"));
}

size_t xc_approximate_num_results(const xc_approximation *a) {
  return (size_t)mlirFunctionTypeGetNumResults(function_type(a));
}

static xc_shape shape_of(const xc_approximation *a, size_t result) {
  xc_shape shape;
  xc_shape_of_type(
      mlirFunctionTypeGetResult(function_type(a), (intptr_t)result), &shape);
  return shape;
}

bool xc_approximate_has_noise(const xc_approximation *a, size_t result) {
  xc_element element = shape_of(a, result).element;
  return xc_element_is_float(element) || xc_element_size(element) == 1;
}

void xc_approximate_compare(const xc_approximation *a, size_t sample,
                            void *const *found, double *signal, double *noise) {
  for (size_t k = 0; k < xc_approximate_num_results(a); ++k) {
    const xc_shape shape = shape_of(a, k);
    xc_tensor exact = {shape, a->results[sample][k]};
    xc_tensor other = {shape, found[k]};
    int64_t count = xc_tensor_count(&exact);
    for (int64_t i = 0; i < count; ++i) {
      double x = xc_get_real(&exact, i), y = xc_get_real(&other, i);
      signal[k] += x * x;
      noise[k] += (x - y) * (x - y);
    }
  }
}

static MlirAttribute describe_result(approximation *a, size_t index,
                                     double sqnr) {
  MlirStringRef name = xc_quantize_output_name(&a->q, index);
  const MlirNamedAttribute entries[] = {
      named(a, "name", mlirStringAttrGet(a->q.context, name)),
      named(a, "sqnr_db", number_of(a, sqnr))};
  return mlirDictionaryAttrGet(
      a->q.context, xc_approximate_has_noise(a, index) ? 2 : 1, entries);
}

static MlirAttribute describe_results(approximation *a, void ***results) {
  xc_arena *arena = &a->q.arena;
  size_t count = xc_approximate_num_results(a);
  double *signal = xc_arena_alloc(arena, count + 1, sizeof(*signal));
  double *noise = xc_arena_alloc(arena, count + 1, sizeof(*noise));
  MlirAttribute *rows = xc_arena_alloc(arena, count + 1, sizeof(*rows));
  for (size_t s = 0; s < a->q.num_samples; ++s)
    xc_approximate_compare(a, s, results[s], signal, noise);
  for (size_t i = 0; i < count; ++i)
    rows[i] =
        describe_result(a, i, xc_approximate_decibel(signal[i], noise[i]));
  return mlirArrayAttrGet(a->q.context, (intptr_t)count, rows);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static bool approximate(approximation *a) {
  xc_quantizer *q = &a->q;
  if (!xc_quantize_open_samples(q, "calibration",
                                xc_pass_string(q->run, "calibration"),
                                xc_pass_int(q->run, "samples")))
    return false;
  find_sites(a);
  if (a->num_sites == 0)
    return true;
  MlirAttribute *layers =
      xc_arena_alloc(&q->arena, a->num_sites + 1, sizeof(*layers));
  void ***after = xc_arena_alloc(&q->arena, q->num_samples + 1, sizeof(*after));
  a->results =
      xc_arena_alloc(&q->arena, q->num_samples + 1, sizeof(*a->results));
  if (!run_all(a, true, a->results) || !xc_approximate_choose(a))
    return false;
  for (size_t s = 0; s < a->num_sites; ++s) {
    layers[s] = describe_site(a, &a->sites[s]);
    if (!a->sites[s].form)
      continue;
    if (!xc_form_build(&a->sites[s]))
      return false;
    xc_pass_count(q->run, "num-approximated", 1);
  }
  if (!run_all(a, false, after))
    return false;
  const MlirNamedAttribute entries[] = {
      named(a, "bound_db", number_of(a, a->bound)),
      named(a, "layers",
            mlirArrayAttrGet(q->context, (intptr_t)a->num_sites, layers)),
      named(a, "outputs", describe_results(a, after))};
  mlirOperationSetAttributeByName(
      q->function, mlirStringRefCreateFromCString(XC_NAME_APPROXIMATIONS),
      mlirDictionaryAttrGet(q->context, 3, entries));
  return true;
}

static bool run(xc_pass_run *pass) {
  approximation a = {
      .q = {.run = pass, .context = mlirOperationGetContext(pass->root)}};
  XcDiag diag = xc_context_diag(&pass->root);
  if (!xc_gates_read(pass->root, "tir-approximate", "functions",
                     xc_pass_string(pass, "functions"), &a.gates) ||
      !read_bound(&a) ||
      !(a.target = xcDpuTargetCreate(&diag, xc_pass_string(pass, "target"))))
    return false;
  bool ok = xc_quantize_begin(&a.q) && approximate(&a);
  xc_quantize_end(&a.q);
  xcDpuTargetDestroy(a.target);
  return ok;
}

static const xc_pass_option options[] = {
    {"functions", XC_PASS_OPTION_STRING, "sigmoid,silu,tanh,mish,gelu",
     "What may be approximated"},
    {"bound", XC_PASS_OPTION_STRING, "20",
     "The least ratio of signal and noise of an output beside the function "
     "without approximations, and of a layer up to 20, in decibel"},
    {"calibration", XC_PASS_OPTION_STRING, "random",
     "Samples of the input, as tir-quantize takes them"},
    {"samples", XC_PASS_OPTION_COUNT, "0",
     "Use this many samples at most; 0 is all of them, or 4 random ones"},
    {"target", XC_PASS_OPTION_STRING, XC_DPU_DEFAULT_TARGET,
     "Name or file of the DPU that computes them"},
};
static const xc_pass_statistic statistics[] = {
    {"num-approximated", "Functions replaced"},
};

const xc_pass_info xc_pass_tir_approximate = {
    .argument = "tir-approximate",
    .name = "TirApproximate",
    .summary = "Compute sigmoids and what is made of them by hard sigmoids",
    .description =
        "Replaces sigmoid, silu, tanh, mish and gelu between tensors in fixed "
        "point "
        "by what the hard sigmoid of a DPU can be made to compute: one of "
        "them, "
        "or several that are added. Of the forms within the bound the cheapest "
        "is "
        "taken, measured at each place on what the samples give there; what no "
        "form computes well enough stays in floating point. Then those that "
        "count most at the outputs get a better form, or stay, until the "
        "outputs keep the bound as well. The attribute "
        "`xc.approximations` of the function says for each place what was "
        "done and lost, and for each output how far it is from what the "
        "function computed before. Run `tir-quantize` first, and "
        "`tir-canonicalize` and `tir-legalize` afterwards.",
    .anchor = "builtin.module",
    .options = options,
    .num_options = sizeof(options) / sizeof(*options),
    .statistics = statistics,
    .num_statistics = sizeof(statistics) / sizeof(*statistics),
    .run = run,
};
