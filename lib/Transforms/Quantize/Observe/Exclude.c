//===- Exclude.c - outliers are left out of calibration -------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some networks compute numbers for a few pictures that are hundreds of times
// as large as for all others. They would decide the ranges of channels and the
// fix points of tensors, and leave nothing for the pictures that the network
// was made for. Such samples are left out of calibration.
//
//===----------------------------------------------------------------------===//

#include "Measure.h"

#include "IR/AttributeNames.h"
#include "IR/IR.h"
#include "Samples/Samples.h"
#include "Support/Math.h"
#include "Support/Text.h"
#include "Transforms/Quantize/Function/Filter.h"
#include "dialects/Emit.h"

#include "mlir-c/BuiltinAttributes.h"

#include <math.h>
#include <stdlib.h>

/// Ratio of a sample's root mean square to the median of all samples from which
/// it is an outlier. Networks stay below 10 on pictures that are unlike each
/// other; outliers have more than 100.
static const double outlier_ratio = 32;

/// A sample, and the tensor in which it is furthest from the others.
typedef struct extreme {
  const xc_quantize_value *value;
  double ratio;
  double excess; // the ratio over that of an outlier
} extreme;

// Sums, which are neither limited by an activation nor zero where nothing was
// found.
static bool is_sum(const xc_quantize_value *value) {
  if (!value->is_float || !mlirValueIsAOpResult(value->original))
    return false;
  xc_op_kind kind = xc_op_info_of(mlirOpResultGetOwner(value->original))->kind;
  return xc_is_filter(kind) || kind == XC_TIR_MATMUL;
}

// A product of two tensors, as the scores of attention, is the square of what
// each of them has.
static double outlier_ratio_of(const xc_quantize_value *value) {
  MlirOperation writer = mlirOpResultGetOwner(value->original);
  xc_adaptor op;
  bool is_product = xc_adaptor_of(writer, &op) &&
                    op.info->kind == XC_TIR_MATMUL &&
                    mlirOperationIsNull(xc_constant_of(xc_operand(&op, 0))) &&
                    mlirOperationIsNull(xc_constant_of(xc_operand(&op, 1)));
  return is_product ? outlier_ratio * outlier_ratio : outlier_ratio;
}

void xc_quantize_watch_outliers(xc_quantizer *q) {
  for (size_t i = 0; i < q->num_values; ++i)
    if (is_sum(&q->values[i]))
      q->values[i].powers =
          xc_arena_alloc(&q->arena, q->num_samples + 1, sizeof(double));
}

static void find_extremes(const xc_quantizer *q, extreme *extremes) {
  size_t count = q->num_samples;
  double *sorted = xc_alloc_array(count + 1, sizeof(*sorted));
  for (size_t i = 0; i < q->num_values; ++i) {
    const xc_quantize_value *value = &q->values[i];
    if (!value->powers)
      continue;
    for (size_t s = 0; s < count; ++s)
      sorted[s] = value->powers[s];
    qsort(sorted, count, sizeof(*sorted), xc_compare_doubles);
    double typical = sorted[count / 2], most = outlier_ratio_of(value);
    for (size_t s = 0; typical > 0 && s < count; ++s) {
      double ratio = sqrt(value->powers[s] / typical);
      if (ratio / most > extremes[s].excess)
        extremes[s] = (extreme){value, ratio, ratio / most};
    }
  }
  free(sorted);
}

static MlirAttribute describe(xc_quantizer *q, size_t sample,
                              const extreme *e) {
  MlirOperation op = mlirOpResultGetOwner(e->value->original);
  MlirStringRef name = xc_op_given_name(op);
  if (name.length == 0)
    name = mlirIdentifierStr(mlirOperationGetName(op));
  xc_text text = {0};
  xc_text_printf(&text, "sample '");
  xc_samples_name(q->samples, sample, &text);
  xc_text_printf(&text, "': '%.*s' is %.0f times as large as for most",
                 (int)name.length, name.data, e->ratio);
  MlirAttribute string =
      mlirStringAttrGet(q->context, xc_ref(xc_text_str(&text)));
  xc_text_free(&text);
  return string;
}

// Drops the samples that were not taken, and lists them in the attribute
// XC_NAME_OUTLIERS.
static void leave_out(xc_quantizer *q, const extreme *extremes, size_t *taken,
                      size_t left) {
  size_t count = q->num_samples, dropped = 0;
  MlirAttribute *texts = xc_alloc_array(count - left, sizeof(*texts));
  for (size_t s = 0; s < count; ++s)
    if (extremes[s].excess > 1)
      texts[dropped++] = describe(q, s, &extremes[s]);
  mlirOperationSetAttributeByName(
      q->function, xc_ref(XC_NAME_OUTLIERS),
      mlirArrayAttrGet(q->context, (intptr_t)dropped, texts));
  free(texts);
  q->taken = taken;
  q->num_samples = left;
}

bool xc_quantize_drop_outliers(xc_quantizer *q) {
  size_t count = q->num_samples, left = 0;
  extreme *extremes = xc_alloc_array(count + 1, sizeof(*extremes));
  size_t *taken = xc_arena_alloc(&q->arena, count + 1, sizeof(*taken));
  find_extremes(q, extremes);
  for (size_t s = 0; s < count; ++s)
    if (extremes[s].excess <= 1)
      taken[left++] = s;
  // A few of many; where there are more it is what the samples are like.
  bool drops = left < count && 4 * (count - left) <= count;
  if (drops)
    leave_out(q, extremes, taken, left);
  for (size_t i = 0; i < q->num_values; ++i)
    q->values[i].powers = NULL;
  free(extremes);
  return drops;
}
