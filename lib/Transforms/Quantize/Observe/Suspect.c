//===- Suspect.c - samples that nothing can be learnt from ----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file that was never filled, or read with the wrong type, has the right size
// like any other, and what calibration makes of it is without error, and
// without worth. Who gave it should know.
//
//===----------------------------------------------------------------------===//

#include "Measure.h"

#include "IR/AttributeNames.h"
#include "IR/IR.h"
#include "Samples/PixelRange.h"
#include "Samples/Samples.h"
#include "Support/Text.h"

#include "mlir-c/BuiltinAttributes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// No sensor gives such numbers, and no network was trained with them.
static const double absurd = 1e9;

/// Samples of one kind, of one input.
typedef struct finding {
  size_t count, first;
} finding;

typedef struct xc_quantize_suspects {
  finding even, large;
  double largest;
} suspects;

//===----------------------------------------------------------------------===//
// One sample
//===----------------------------------------------------------------------===//

// Whether each run of `length` elements holds one number.
static bool has_even_runs(const char *bytes, size_t count, size_t each,
                          size_t length) {
  for (size_t i = 0; i < count; ++i)
    if (memcmp(bytes + i * each, bytes + i / length * length * each, each) != 0)
      return false;
  return true;
}

// Whether the elements repeat those of the first pixel.
static bool has_even_pixels(const char *bytes, size_t count, size_t each,
                            size_t channels) {
  for (size_t i = channels; i < count; ++i)
    if (memcmp(bytes + i * each, bytes + i % channels * each, each) != 0)
      return false;
  return true;
}

// One number throughout, or one in each channel of an image: a white wall, when
// every channel has had its mean subtracted.
static bool is_even(const xc_shape *shape, const void *data) {
  enum { MOST_COLOURS = 4 };
  size_t count = (size_t)xc_shape_num_elements(shape);
  size_t each = xc_element_size(shape->element);
  if (count < 2)
    return false;
  if (has_even_runs(data, count, each, count))
    return true;
  if (shape->rank != 4)
    return false;
  size_t channels = (size_t)shape->dims[3];
  size_t plane = (size_t)shape->dims[2] * channels;
  return (plane > 1 && plane < count &&
          has_even_runs(data, count, each, plane)) ||
         (channels <= MOST_COLOURS && count > channels &&
          has_even_pixels(data, count, each, channels));
}

static double largest_of(const xc_shape *shape, const void *data) {
  const float *reals = data;
  int64_t count = xc_shape_num_elements(shape);
  double largest = 0;
  for (int64_t i = 0; shape->element == XC_ELEMENT_F32 && i < count; ++i)
    largest = fmax(largest, fabs((double)reals[i]));
  return largest;
}

static void note(finding *f, size_t sample) {
  if (f->count++ == 0)
    f->first = sample;
}

void xc_quantize_judge_sample(xc_quantizer *q, size_t sample) {
  if (!q->suspects)
    q->suspects =
        xc_arena_alloc(&q->arena, q->num_arguments + 1, sizeof(*q->suspects));
  for (size_t i = 0; i < q->num_arguments; ++i) {
    suspects *s = &q->suspects[i];
    double largest = largest_of(&q->values[i].shape, q->sample[i]);
    if (is_even(&q->values[i].shape, q->sample[i]))
      note(&s->even, sample);
    if (largest > absurd)
      note(&s->large, sample);
    s->largest = fmax(s->largest, largest);
  }
}

//===----------------------------------------------------------------------===//
// Report
//===----------------------------------------------------------------------===//

static void print_samples(const xc_quantizer *q, const finding *f,
                          xc_text *text) {
  xc_text_printf(text, " in sample '");
  xc_samples_name(q->samples, xc_quantize_place(q, f->first), text);
  xc_text_printf(text, "'");
  if (f->count > 1)
    xc_text_printf(text, " and %zu more", f->count - 1);
}

static void print_input(const xc_quantizer *q, size_t argument, xc_text *text) {
  MlirStringRef name =
      xc_quantize_list_entry(q->function, "input_names", argument);
  if (name.length)
    xc_text_printf(text, "input '%.*s'", (int)name.length, name.data);
  else
    xc_text_printf(text, "input %zu", argument);
}

static void add_text(MlirAttribute *list, size_t *count, const xc_quantizer *q,
                     const xc_text *text) {
  list[(*count)++] = mlirStringAttrGet(q->context, xc_ref(xc_text_str(text)));
}

static void describe(const xc_quantizer *q, size_t argument,
                     MlirAttribute *list, size_t *count) {
  const suspects *s = &q->suspects[argument];
  if (s->even.count) {
    xc_text text = {0};
    xc_text_printf(&text, "all numbers of ");
    print_input(q, argument, &text);
    xc_text_printf(&text, " are the same");
    print_samples(q, &s->even, &text);
    add_text(list, count, q, &text);
    xc_text_free(&text);
  }
  if (s->large.count) {
    xc_text text = {0};
    print_input(q, argument, &text);
    xc_text_printf(&text, " has numbers as large as %.3g", s->largest);
    print_samples(q, &s->large, &text);
    add_text(list, count, q, &text);
    xc_text_free(&text);
  }
}

/// Describes pixels that become numbers which no network knows.
static void describe_pixels(const xc_quantizer *q, size_t argument,
                            MlirAttribute *list, size_t *count) {
  const xc_preprocess *how;
  const xc_sample_input *input =
      xc_samples_picture_input(q->samples, argument, &how);
  xc_text text = {0};
  if (input && xc_pixel_range_judge(input, how, &text))
    add_text(list, count, q, &text);
  xc_text_free(&text);
}

void xc_quantize_tell_suspects(xc_quantizer *q) {
  enum { KINDS = 3 };
  MlirAttribute *list =
      xc_alloc_array(KINDS * q->num_arguments + 1, sizeof(*list));
  size_t count = 0;
  for (size_t i = 0; i < q->num_arguments; ++i) {
    describe_pixels(q, i, list, &count);
    if (q->suspects)
      describe(q, i, list, &count);
  }
  if (count)
    mlirOperationSetAttributeByName(
        q->function, xc_ref(XC_NAME_SUSPECTS),
        mlirArrayAttrGet(q->context, (intptr_t)count, list));
  free(list);
}
