//===- Forms.c - functions made of hard sigmoids --------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The DPU has one function that bends: h(x) = min(max(x / 6 + 1 / 2, 0), 1). A
// fix point that is off by one gives h(2 * x) or h(x / 2) for nothing, and the
// element-wise engine adds four tensors, each halved as often as its fix point
// says. The weights 1/2, 3/8, 1/8 of h(x), h(2 * x), h(x / 2) pass within 0.02
// of the sigmoid everywhere; one h alone is off by up to 0.07.
//
//===----------------------------------------------------------------------===//

#include "Approximate.h"

#include "xc-c/FixedPoint.h"

#include <math.h>

enum {
  SIXTH_POINT = 14, // of the factor 1 / 6
  LARGEST_POINT = 15,
};

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

// clang-format off
#define GATE(name) (1u << XC_GATE_##name)
static const xc_form forms[] = {
    {.name = "hard-sigmoid", .gates = GATE(SIGMOID) | GATE(SILU),
     .num_terms = 1, .terms = {{0, 0}}},
    {.name = "4 hard-sigmoids", .gates = GATE(SIGMOID) | GATE(SILU),
     .num_terms = 4, .terms = {{0, 1}, {1, 2}, {1, 3}, {-1, 3}}},
    // 2 * sigmoid(2 * x) - 1
    {.name = "hard-sigmoid", .gates = GATE(TANH), .num_terms = 1,
     .terms = {{1, 0}}, .after = {64, -64, 5, 6, 0}},
    {.name = "4 hard-sigmoids", .gates = GATE(TANH), .num_terms = 4,
     .terms = {{1, 1}, {2, 2}, {2, 3}, {0, 3}}, .after = {64, -64, 5, 6, 0}},
    // h(1.4 * x + 0.5) is closest to tanh(softplus(x))
    {.name = "hard-sigmoid", .gates = GATE(MISH), .before = {90, 64, 6, 7, -1},
     .num_terms = 1, .terms = {{0, 0}}},
    {.name = "hard-sigmoid", .gates = GATE(GELU), .num_terms = 1,
     .terms = {{1, 0}}},
    {.name = "3 hard-sigmoids", .gates = GATE(GELU), .num_terms = 3,
     .terms = {{1, 1}, {2, 2}, {0, 2}}},
};
#undef GATE
// clang-format on

const xc_form *xc_form_table(size_t *count) {
  *count = sizeof(forms) / sizeof(*forms);
  return forms;
}

bool xc_gate_is_product(xc_gate gate) {
  return gate == XC_GATE_SILU || gate == XC_GATE_MISH || gate == XC_GATE_GELU;
}

double xc_gate_evaluate(xc_gate gate, double x) {
  if (gate == XC_GATE_TANH)
    return tanh(x);
  if (gate == XC_GATE_MISH)
    return tanh(x > 0 ? x + log1p(exp(-x)) : log1p(exp(x)));
  if (gate == XC_GATE_GELU)
    return erfc(-x * sqrt(0.5)) / 2;
  return 1 / (1 + exp(-x));
}

//===----------------------------------------------------------------------===//
// One form at one place
//===----------------------------------------------------------------------===//

bool xc_form_has(const xc_form_line *line) { return line->weight != 0; }

int xc_form_input_point(const xc_form *form, const xc_gate_site *site) {
  return site->in +
         (xc_form_has(&form->before) ? form->before.result_offset : 0);
}

int xc_form_point(const xc_form *form, const xc_gate_site *site) {
  return form->num_terms > 1 && !xc_form_has(&form->after) &&
                 !site->only_products
             ? site->out
             : XC_GATE_POINT;
}

int xc_form_sum_point(const xc_form *form, const xc_gate_site *site) {
  return xc_form_has(&form->after) ? XC_GATE_POINT : xc_form_point(form, site);
}

bool xc_form_fits(const xc_form *form, const xc_gate_site *site,
                  const XcDpuTarget *target) {
  const XcDpuEngine *depthwise = xcDpuTargetGetDepthwiseEngine(target);
  bool lines = xc_form_has(&form->before) || xc_form_has(&form->after);
  int in = xc_form_input_point(form, site);
  if ((form->gates >> site->gate & 1) == 0 ||
      !xcDpuSetHas(target->aluModes, XcDpuAluModeHardSigmoid) ||
      (lines && (!site->is_image || !depthwise)) ||
      (form->num_terms > 1 &&
       (int)form->num_terms > target->elementwiseOperands) ||
      (xc_form_point(form, site) != site->out && !site->only_products))
    return false;
  for (size_t i = 0; i < form->num_terms; ++i)
    if (in - form->terms[i].scale < 0 ||
        in - form->terms[i].scale > LARGEST_POINT)
      return false;
  return true;
}

// As the depthwise engine, which counts halves of the sum.
static int line_value(const xc_form_line *line, int in, int out, int x) {
  int point = in + line->weight_point;
  int64_t sum = 2 * (int64_t)x * line->weight +
                (int64_t)line->bias * (1 << (point - line->bias_point + 1));
  return xcRnd8(sum, point + 1 - out);
}

static int hard_sigmoid(int x, int in) {
  return xcSaturate8(xcHSigmoid(x, in, SIXTH_POINT + in - XC_GATE_POINT));
}

// The weights are powers of two down to the guard bits, so that nothing is cut
// off.
static int sum_of_terms(const xc_form *form, int in, int out, int x) {
  if (form->num_terms == 1)
    return hard_sigmoid(x, in - form->terms[0].scale);
  int64_t sum = 0;
  int least = form->terms[0].weight;
  for (size_t i = 0; i < form->num_terms; ++i) {
    const xc_form_term *term = &form->terms[i];
    sum +=
        xcFixAddTerm(hard_sigmoid(x, in - term->scale), term->weight - least);
  }
  return xcSaturate8(xcFixAddResult(sum, XC_GATE_POINT + least - out));
}

int xc_form_evaluate(const xc_form *form, const xc_gate_site *site, int x) {
  int in = xc_form_input_point(form, site);
  int out = xc_form_point(form, site);
  if (xc_form_has(&form->before))
    x = line_value(&form->before, site->in, in, x);
  x = sum_of_terms(form, in, xc_form_sum_point(form, site), x);
  return xc_form_has(&form->after)
             ? line_value(&form->after, XC_GATE_POINT, out, x)
             : x;
}
