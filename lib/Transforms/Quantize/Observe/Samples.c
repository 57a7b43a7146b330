//===- Samples.c - what tir-quantize calibrates with ----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Observe.h"

#include "IR/IR.h"
#include "Samples/Samples.h"
#include "Support/Diag.h"
#include "Support/Text.h"
#include "dialects/Emit.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Diagnostics.h"

#include <stdlib.h>
#include <string.h>

// No operator is at fault: the place is the file, or in the message.
static void report_samples(void *user, XcSeverity severity, XcPlace place,
                           const char *message) {
  const xc_quantizer *q = user;
  (void)severity;
  MlirContext context = mlirOperationGetContext(q->function);
  xc_text text = {0};
  xc_text_printf(&text, "%s: %s", q->reading, message);
  mlirEmitError(place.file
                    ? mlirLocationFileLineColGet(context, xc_ref(place.file),
                                                 place.line, place.column)
                    : mlirLocationUnknownGet(context),
                xc_text_str(&text));
  xc_text_free(&text);
}

static XcDiag sample_diag(xc_quantizer *q) {
  return (XcDiag){report_samples, q, 0};
}

size_t xc_quantize_bytes(const xc_shape *shape) {
  return (size_t)xc_shape_num_elements(shape) * xc_element_size(shape->element);
}

static bool read_preprocess(xc_quantizer *q, XcDiag *diag, xc_preprocess *how) {
  *how = (xc_preprocess){0};
  MlirAttribute found = xc_op_attribute(q->function, XC_PREPROCESS);
  if (mlirAttributeIsNull(found) || !mlirAttributeIsAString(found))
    return true;
  MlirStringRef text = mlirStringAttrGetValue(found);
  return xc_preprocess_parse(diag, NULL, text.data, text.length, how);
}

static void describe_inputs(xc_quantizer *q, xc_sample_input *inputs) {
  for (size_t i = 0; i < q->num_arguments; ++i) {
    MlirStringRef name = xc_quantize_list_entry(q->function, "input_names", i);
    inputs[i] = (xc_sample_input){
        .name =
            xc_arena_string(&q->arena, name.data ? name.data : "", name.length),
        .shape = q->values[i].shape,
    };
  }
}

//===----------------------------------------------------------------------===//
// Made-up samples
//===----------------------------------------------------------------------===//

/// The numbers that are left of a value that an operator quantises.
static bool range_of(MlirOperation op, double *range) {
  xc_adaptor adaptor;
  const xc_op_info *info = xc_op_info_of(op);
  xc_shape shape;
  double scale;
  if (!info || info->kind != XC_TIR_QUANTIZE_LINEAR ||
      !xc_adaptor_of(op, &adaptor) ||
      !xc_shape_of_type(mlirValueGetType(xc_op_result(op)), &shape) ||
      xc_attr_floats(&adaptor, XC_ATTR_SCALE, &scale, 1) != 1)
    return false;
  double zero = (double)xc_attr_int_at(&adaptor, XC_ATTR_ZERO_POINT, 0);
  range[0] = ((double)xc_element_min(shape.element) - zero) * scale;
  range[1] = ((double)xc_element_max(shape.element) - zero) * scale;
  return true;
}

void xc_quantize_find_ranges(xc_quantizer *q) {
  size_t count = (size_t)mlirBlockGetNumArguments(q->block);
  if (q->ranges)
    return;
  q->ranges = xc_arena_alloc(&q->arena, 2 * count + 1, sizeof(*q->ranges));
  for (size_t i = 0; i < count; ++i) {
    MlirValue value = mlirBlockGetArgument(q->block, (intptr_t)i);
    for (MlirOpOperand use = mlirValueGetFirstUse(value);
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
      if (range_of(mlirOpOperandGetOwner(use), q->ranges + 2 * i))
        break;
  }
}

//===----------------------------------------------------------------------===//
// All samples
//===----------------------------------------------------------------------===//

/// Samples that fit are read from their files once.
enum { KEPT_BYTES = 64 << 20 };

bool xc_quantize_open_samples(xc_quantizer *q, const char *what,
                              const char *path, int64_t most) {
  enum { RANDOM_SAMPLES = 4 };
  q->reading = what;
  xc_samples_close(q->samples);
  q->samples = NULL;
  XcDiag diag = sample_diag(q);
  xc_preprocess how;
  if (!read_preprocess(q, &diag, &how))
    return false;
  size_t count = q->num_arguments;
  xc_quantize_find_ranges(q);
  xc_sample_input *inputs =
      xc_arena_alloc(&q->arena, count + 1, sizeof(*inputs));
  describe_inputs(q, inputs);
  if (strcmp(path, "random") == 0)
    q->samples =
        xc_samples_make_up(inputs, count, &how, q->ranges,
                           most ? (size_t)most : (size_t)RANDOM_SAMPLES);
  else
    q->samples = xc_samples_open(&diag, path, inputs, count, &how);
  if (!q->samples)
    return false;
  xc_samples_limit(q->samples, (size_t)most);
  xc_samples_keep(q->samples, KEPT_BYTES);
  xc_quantize_take_all(q);
  q->sample = xc_arena_alloc(&q->arena, count + 1, sizeof(*q->sample));
  for (size_t i = 0; i < count; ++i)
    q->sample[i] = xc_arena_alloc(
        &q->arena, xc_quantize_bytes(&q->values[i].shape) + 1, 1);
  return true;
}

void xc_quantize_take_all(xc_quantizer *q) {
  q->taken = NULL;
  q->num_samples = xc_samples_count(q->samples);
}

size_t xc_quantize_place(const xc_quantizer *q, size_t sample) {
  return q->taken ? q->taken[sample] : sample;
}

bool xc_quantize_read_sample(xc_quantizer *q, size_t sample) {
  XcDiag diag = sample_diag(q);
  return xc_samples_read(&diag, q->samples, xc_quantize_place(q, sample),
                         q->sample);
}
