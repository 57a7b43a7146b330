//===- Priorbox.c - prior boxes -------------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Priorbox.h"

#include "dialects/Shape.h"

#include <math.h>

typedef struct box_rule {
  double min_sizes[XC_MAX_INTS], max_sizes[XC_MAX_INTS];
  size_t sizes, largest;
  double ratios[1 + 2 * XC_MAX_INTS];
  size_t num_ratios;
  double image_w, image_h;
  bool clip;
} box_rule;

typedef struct box_writer {
  double *values;
  int64_t at;
} box_writer;

static void write_box(box_writer *writer, const box_rule *rule, double x,
                      double y, double width, double height) {
  const double corners[4] = {
      (x - width / 2) / rule->image_w, (y - height / 2) / rule->image_h,
      (x + width / 2) / rule->image_w, (y + height / 2) / rule->image_h};
  for (int i = 0; i < 4; ++i) {
    double corner = corners[i];
    if (rule->clip)
      corner = corner < 0 ? 0 : corner > 1 ? 1 : corner;
    writer->values[writer->at++] = corner;
  }
}

// The boxes of one cell: for each size the square, the square of the mean with
// the next size, then the other ratios.
static void write_cell(box_writer *writer, const box_rule *rule, double x,
                       double y) {
  for (size_t s = 0; s < rule->sizes; ++s) {
    double size = rule->min_sizes[s];
    write_box(writer, rule, x, y, size, size);
    if (rule->largest) {
      double mean = sqrt(size * rule->max_sizes[s]);
      write_box(writer, rule, x, y, mean, mean);
    }
    for (size_t r = 1; r < rule->num_ratios; ++r) {
      double root = sqrt(rule->ratios[r]);
      write_box(writer, rule, x, y, size * root, size / root);
    }
  }
}

static void write_variances(box_writer *writer, const xc_adaptor *op,
                            int64_t count) {
  double variance[4] = {0.1};
  size_t given = xc_attr_floats(op, XC_ATTR_VARIANCE, variance, 4);
  for (int64_t i = 0; i < count; ++i)
    writer->values[writer->at++] = variance[given == 4 ? i % 4 : 0];
}

double *xc_priorbox_values(const xc_adaptor *op, xc_arena *arena) {
  xc_shape input = xc_operand_shape(op, XC_PRIORBOX_FEATURE);
  xc_shape whole = xc_operand_shape(op, XC_PRIORBOX_IMAGE);
  xc_shape result = xc_result_shape(op);
  const int64_t *feature = input.dims, *image = whole.dims;
  double given[XC_MAX_INTS], step[2];
  box_rule rule = {.image_w = (double)image[2],
                   .image_h = (double)image[1],
                   .clip = xc_attr_bool(op, XC_ATTR_CLIP)};
  rule.sizes =
      xc_attr_floats(op, XC_ATTR_MIN_SIZES, rule.min_sizes, XC_MAX_INTS);
  rule.largest =
      xc_attr_floats(op, XC_ATTR_MAX_SIZES, rule.max_sizes, XC_MAX_INTS);
  if (rule.sizes > XC_MAX_INTS) {
    xc_adaptor_error(op,
                     "attribute 'min_sizes' has %zu entries, expected at most "
                     "%d",
                     rule.sizes, XC_MAX_INTS);
    return NULL;
  }
  size_t ratios = xc_attr_floats(op, XC_ATTR_ASPECT_RATIO, given, XC_MAX_INTS);
  rule.num_ratios = xc_priorbox_ratios(
      given, ratios, xc_attr_bool(op, XC_ATTR_FLIP), rule.ratios);
  if (xc_attr_floats(op, XC_ATTR_STEP, step, 2) == 0) {
    step[0] = rule.image_w / (double)feature[2];
    step[1] = rule.image_h / (double)feature[1];
  }
  double offset = xc_attr_float(op, XC_ATTR_OFFSET);
  box_writer writer = {
      .values = xc_arena_alloc(arena, (size_t)xc_shape_num_elements(&result),
                               sizeof(double))};
  for (int64_t y = 0; y < feature[1]; ++y)
    for (int64_t x = 0; x < feature[2]; ++x)
      write_cell(&writer, &rule, ((double)x + offset) * step[0],
                 ((double)y + offset) * step[1]);
  write_variances(&writer, op, writer.at);
  return writer.values;
}
