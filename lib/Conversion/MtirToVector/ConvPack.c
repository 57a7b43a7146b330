//===- ConvPack.c - weights in the order of the code ----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conv.h"

#include <stdlib.h>
#include <string.h>

typedef struct packer {
  const xc_conv *conv;
  const xc_conv_plan *plan;
  xc_element element;
  char *bytes;
  int64_t at;
} packer;

static void put(packer *p, int64_t index) {
  char *to = p->bytes + p->at * (int64_t)xc_element_size(p->element);
  ++p->at;
  if (index < 0) // calloc has cleared it
    return;
  if (p->element == XC_ELEMENT_F32) {
    memcpy(to, &p->conv->real_weights[index], sizeof(float));
    return;
  }
  int32_t value = p->conv->int_weights[index];
  int16_t half = (int16_t)value;
  if (p->element == XC_ELEMENT_I8)
    *to = (char)value;
  else if (p->element == XC_ELEMENT_I16)
    memcpy(to, &half, sizeof(half));
  else
    memcpy(to, &value, sizeof(value));
}

// The `depth` weights of output `o` from element `e` of a run on; after the
// end of the run, and of the outputs, there are zeros.
static void put_step(packer *p, int64_t o, int64_t ky, int64_t kx, int64_t e,
                     bool exists) {
  const xc_conv *conv = p->conv;
  int64_t channels = conv->in_c / conv->group;
  for (int64_t j = e; j < e + p->plan->depth; ++j) {
    int64_t x = kx + j / channels, c = j % channels;
    int64_t index =
        ((o * conv->kernel_h + ky) * conv->kernel_w + x) * channels + c;
    put(p, exists && j < p->plan->run ? index : -1);
  }
}

static void put_panel(packer *p, int64_t group, int64_t first,
                      int64_t vectors) {
  const xc_conv_plan *plan = p->plan;
  int64_t outputs = p->conv->out_c / p->conv->group;
  for (int64_t ky = 0; ky < plan->runs_h; ++ky)
    for (int64_t kx = 0; kx < plan->runs_w; ++kx)
      for (int64_t s = 0; s < plan->steps; ++s)
        for (int64_t o = first; o < first + vectors * plan->lanes; ++o)
          put_step(p, group * outputs + o, ky, kx, s * plan->depth,
                   o < outputs);
}

// The columns of a dot product are apart in the weights of depthwise
// convolutions.
static void put_depthwise(packer *p, int64_t first) {
  const xc_conv *conv = p->conv;
  const xc_conv_plan *plan = p->plan;
  for (int64_t ky = 0; ky < plan->runs_h; ++ky)
    for (int64_t q = 0; q < plan->runs_w; ++q)
      for (int64_t c = first; c < first + plan->lanes; ++c)
        for (int64_t kx = q * plan->depth; kx < (q + 1) * plan->depth; ++kx)
          put(p, c < conv->in_c && kx < conv->kernel_w
                     ? (ky * conv->kernel_w + kx) * conv->in_c + c
                     : -1);
}

static void *allocate(packer *p, int64_t count) {
  p->bytes = calloc((size_t)count, xc_element_size(p->element));
  if (!p->bytes)
    abort();
  return p->bytes;
}

static xc_element element_of(const xc_conv_plan *plan) {
  static const xc_element elements[] = {[XC_DOT_PLAIN] = XC_ELEMENT_I32,
                                        [XC_DOT_PAIRS] = XC_ELEMENT_I16,
                                        [XC_DOT_BYTES] = XC_ELEMENT_I8,
                                        [XC_DOT_SIGNED_BYTES] = XC_ELEMENT_I8};
  return plan->real ? XC_ELEMENT_F32 : elements[plan->machine.dot];
}

void *xc_conv_pack(const xc_conv *conv, const xc_conv_plan *plan,
                   xc_element *element, int64_t *count) {
  packer p = {.conv = conv, .plan = plan, .element = element_of(plan)};
  *element = p.element;
  *count = conv->group * (plan->panels * plan->panel_elements +
                          (plan->tail ? plan->tail_elements : 0));
  allocate(&p, *count);
  if (conv->depthwise) {
    for (int64_t c = 0; c < conv->in_c; c += plan->lanes)
      put_depthwise(&p, c);
    return p.bytes;
  }
  for (int64_t group = 0; group < conv->group; ++group) {
    for (int64_t panel = 0; panel < plan->panels; ++panel)
      put_panel(&p, group, panel * plan->vectors * plan->lanes, plan->vectors);
    if (plan->tail)
      put_panel(&p, group, plan->panels * plan->vectors * plan->lanes,
                plan->tail_vectors);
  }
  return p.bytes;
}
