//===- Priorbox.c - prior boxes -------------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"

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
  const xc_tensor *output;
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
    xc_set_real(writer->output, writer->at++, corner);
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

static void write_variances(box_writer *writer, const xc_view *view,
                            int64_t count) {
  double variance[4] = {0.1};
  size_t given = xc_view_floats(view, "variance", variance, 4);
  for (int64_t i = 0; i < count; ++i)
    xc_set_real(writer->output, writer->at++, variance[given == 4 ? i % 4 : 0]);
}

bool xc_interpret_priorbox(xc_kernel_call *call) {
  const xc_view *view = call->view;
  const int64_t *feature = call->operands[0].shape.dims;
  const int64_t *image = call->operands[1].shape.dims;
  double given[XC_MAX_INTS], step[2];
  box_rule rule = {.image_w = (double)image[2],
                   .image_h = (double)image[1],
                   .clip = xc_view_bool(view, "clip")};
  rule.sizes = xc_view_floats(view, "min_sizes", rule.min_sizes, XC_MAX_INTS);
  rule.largest = xc_view_floats(view, "max_sizes", rule.max_sizes, XC_MAX_INTS);
  if (rule.sizes > XC_MAX_INTS)
    return xc_view_error(view,
                         "attribute 'min_sizes' has %zu entries, expected at "
                         "most %d",
                         rule.sizes, XC_MAX_INTS);
  size_t ratios = xc_view_floats(view, "aspect_ratio", given, XC_MAX_INTS);
  rule.num_ratios = xc_priorbox_ratios(given, ratios,
                                       xc_view_bool(view, "flip"), rule.ratios);
  if (xc_view_floats(view, "step", step, 2) == 0) {
    step[0] = rule.image_w / (double)feature[2];
    step[1] = rule.image_h / (double)feature[1];
  }
  double offset = xc_view_float(view, "offset");
  box_writer writer = {.output = &call->output};
  for (int64_t y = 0; y < feature[1]; ++y)
    for (int64_t x = 0; x < feature[2]; ++x)
      write_cell(&writer, &rule, ((double)x + offset) * step[0],
                 ((double)y + offset) * step[1]);
  write_variances(&writer, view, writer.at);
  return true;
}
