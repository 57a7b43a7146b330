//===- ConvFix.c - a fast convolution of 8-bit integers -------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The product of matrices of Conv.c with pairs of terms as its elements. Sums
// of integers are exact in any order.
//
//===----------------------------------------------------------------------===//

#include "Conv.h"
#include "Epilogue.h"
#include "Positions.h"

#include "OpParams/Fix.h"
#include "Support/Math.h"

#include <stdlib.h>
#include <string.h>

enum {
  CHUNK = 256, // pairs
  // Of -128 and -128: their products stay within 32 bits.
  MOST_TERMS = INT32_MAX >> 14,
};
enum { INPUT, WEIGHTS, BIAS };

typedef struct fix_conv {
  const xc_calibrate_loops *loops;
  xc_kernel_call *call;
  xc_conv_positions at;
  const int8_t *input, *weights;
  const XcFixEpilogue *epilogues; // of each group of point_channels outputs
  xc_quick_epilogue *quick;
  int64_t point_channels;
  const int32_t *bias; // or null
} fix_conv;

/// The channels of one group at the positions of one phase.
typedef struct fix_product {
  xc_conv_phase phase;
  int64_t first_channel, first_output;
  int64_t depth, outputs;
  int64_t terms; // of each sum
  int64_t pitch; // outputs, rounded up to whole tiles
} fix_product;

static void *make_array(int64_t count, size_t size) {
  return xc_alloc_uninitialized((size_t)count, size);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

// Outputs that share an epilogue.
static void write_group(const fix_conv *c, int64_t group, int64_t first,
                        const int32_t *sums, int64_t count, int8_t *to) {
  const xc_quick_epilogue quick = c->quick[group];
  for (int64_t o = 0; o < count; ++o) {
    int64_t bias = c->bias ? c->bias[first + o] : 0;
    to[o] = quick.is_possible ? xc_quick_epilogue_apply(&quick, sums[o], bias)
                              : (int8_t)xcFixEpilogueApply(&c->epilogues[group],
                                                           sums[o], bias);
  }
}

static void write_sums(const fix_conv *c, int64_t at, int64_t first,
                       const int32_t *sums, int64_t count) {
  int8_t *to = (int8_t *)c->call->output.data + at * c->at.outputs + first;
  for (int64_t o = 0; o < count;) {
    int64_t group = (first + o) / c->point_channels;
    int64_t end = xc_minimum64((group + 1) * c->point_channels - first, count);
    write_group(c, group, first + o, sums + o, end - o, to + o);
    o = end;
  }
}

//===----------------------------------------------------------------------===//
// Convolutions as matrix products
//===----------------------------------------------------------------------===//

// Gathers the terms first, first + 1, ... of an output.
static void gather_weights(const fix_conv *c, const fix_product *p,
                           int64_t output, int64_t first, int64_t count,
                           int8_t *terms) {
  const int8_t *from = c->weights + output * c->at.taps * p->depth;
  for (int64_t k = first; k < first + count;) {
    int64_t at = k % p->depth;
    int64_t run = xc_minimum64(p->depth - at, first + count - k);
    memcpy(terms, from + p->phase.tap[k / p->depth] * p->depth + at,
           (size_t)run);
    terms += run;
    k += run;
  }
}

static xc_calibrate_pair pair_of(const int8_t *terms, int64_t k,
                                 int64_t count) {
  return (xc_calibrate_pair){terms[k], k + 1 < count ? terms[k + 1] : 0};
}

// panels[outputs / tile][pairs][tile] of `count` terms
static void pack_weights(const fix_conv *c, const fix_product *p, int64_t first,
                         int64_t count, xc_calibrate_pair *panels) {
  int64_t tile = 2 * c->loops->outputs, pairs = (count + 1) / 2;
  int8_t terms[2 * CHUNK] = {0};
  for (int64_t o = 0; o < p->pitch; ++o) {
    xc_calibrate_pair *to = panels + o / tile * tile * pairs + o % tile;
    if (o < p->outputs)
      gather_weights(c, p, p->first_output + o, first, count, terms);
    for (int64_t k = 0; k < pairs; ++k)
      to[k * tile] = o < p->outputs ? pair_of(terms, 2 * k, count)
                                    : (xc_calibrate_pair){0, 0};
  }
}

// Gathers the terms that a position reads, one after the other.
static void gather_terms(const fix_conv *c, const fix_product *p,
                         int64_t position, int64_t first, int64_t count,
                         int8_t *terms) {
  for (int64_t k = first; k < first + count;) {
    int64_t at = k % p->depth;
    int64_t run = xc_minimum64(p->depth - at, first + count - k);
    int64_t pixel = xc_conv_pixel(&c->at, position, p->phase.tap[k / p->depth]);
    if (pixel < 0)
      memset(terms, 0, (size_t)run);
    else
      memcpy(terms, c->input + pixel + p->first_channel + at, (size_t)run);
    terms += run;
    k += run;
  }
}

// panel[pairs][tile]
static void pack_inputs(const fix_conv *c, const fix_product *p, int64_t at,
                        int64_t first, int64_t count,
                        xc_calibrate_pair *panel) {
  int64_t tile = c->loops->points;
  int8_t terms[2 * CHUNK] = {0};
  for (int64_t i = 0; i < tile && at + i < p->phase.positions; ++i) {
    gather_terms(c, p, xc_conv_position(&c->at, &p->phase, at + i), first,
                 count, terms);
    for (int64_t k = 0; 2 * k < count; ++k)
      panel[k * tile + i] = pair_of(terms, 2 * k, count);
  }
}

static void multiply(const fix_conv *c, const fix_product *p, int32_t *sums,
                     xc_calibrate_pair *inputs, xc_calibrate_pair *weights) {
  int64_t points = c->loops->points, outputs = 2 * c->loops->outputs;
  memset(sums, 0,
         (size_t)(xc_conv_round_up(p->phase.positions, points) * p->pitch) *
             sizeof(*sums));
  for (int64_t first = 0; first < p->terms; first += 2 * CHUNK) {
    int64_t count = xc_minimum64(2 * CHUNK, p->terms - first);
    int64_t pairs = (count + 1) / 2;
    pack_weights(c, p, first, count, weights);
    for (int64_t i = 0; i < p->phase.positions; i += points) {
      int32_t *rows = sums + i * p->pitch;
      pack_inputs(c, p, i, first, count, inputs);
      for (int64_t o = 0; o < p->pitch; o += outputs)
        c->loops->multiply_pairs(rows + o, p->pitch, inputs,
                                 weights + o * pairs, pairs);
    }
  }
}

static void multiply_phase(const fix_conv *c, fix_product *p, int64_t index,
                           int64_t *taps, int32_t *sums,
                           xc_calibrate_pair *inputs,
                           xc_calibrate_pair *weights) {
  p->phase = xc_conv_phase_of(&c->at, index, taps);
  p->terms = p->phase.taps * p->depth;
  multiply(c, p, sums, inputs, weights);
  for (int64_t i = 0; i < p->phase.positions; ++i)
    write_sums(c, xc_conv_position(&c->at, &p->phase, i), p->first_output,
               sums + i * p->pitch, p->outputs);
}

static void convolve_groups(const fix_conv *c, int64_t group) {
  fix_product p = {.depth = c->at.channels / group,
                   .outputs = c->at.outputs / group};
  p.pitch = xc_conv_round_up(p.outputs, 2 * c->loops->outputs);
  int64_t rows =
      xc_conv_round_up(xc_conv_phase_positions(&c->at), c->loops->points);
  // Positions beyond the last one are computed of whatever is there.
  xc_calibrate_pair *inputs =
      xc_alloc_array((size_t)(CHUNK * c->loops->points), sizeof(*inputs));
  xc_calibrate_pair *weights = make_array(CHUNK * p.pitch, sizeof(*weights));
  int32_t *sums = make_array(rows * p.pitch, sizeof(*sums));
  int64_t *taps = xc_call_alloc(c->call, c->at.taps, sizeof(*taps));
  for (int64_t g = 0; g < group; ++g) {
    p.first_channel = g * p.depth;
    p.first_output = g * p.outputs;
    for (int64_t i = 0; i < xc_conv_num_phases(&c->at); ++i)
      multiply_phase(c, &p, i, taps, sums, inputs, weights);
  }
  free(inputs);
  free(weights);
  free(sums);
}

//===----------------------------------------------------------------------===//
// Depthwise
//===----------------------------------------------------------------------===//

// Weights are [M, H, W, C], outputs c * M + m.
static void convolve_depthwise(const fix_conv *c) {
  const xc_conv_positions *at = &c->at;
  int64_t multiplier = at->outputs / at->channels;
  int32_t *sums = xc_call_alloc(c->call, at->outputs, sizeof(*sums));
  xc_conv_tap *taps = xc_call_alloc(c->call, at->taps, sizeof(*taps));
  for (int64_t i = 0; i < at->positions; ++i) {
    memset(sums, 0, (size_t)at->outputs * sizeof(*sums));
    int64_t count = xc_conv_present(at, i, taps);
    for (int64_t t = 0; t < count; ++t) {
      const int8_t *input = c->input + taps[t].pixel;
      for (int64_t m = 0; m < multiplier; ++m) {
        const int8_t *weights =
            c->weights + (m * at->taps + taps[t].tap) * at->channels;
        for (int64_t k = 0; k < at->channels; ++k)
          sums[k * multiplier + m] += input[k] * weights[k];
      }
    }
    write_sums(c, i, 0, sums, at->outputs);
  }
}

//===----------------------------------------------------------------------===//
// The operator
//===----------------------------------------------------------------------===//

static bool is_i8(const xc_tensor *tensor) {
  return tensor->shape.element == XC_ELEMENT_I8;
}

bool xc_calibrate_convolve_fix(const xc_calibrate_loops *loops,
                               xc_kernel_call *call) {
  const xc_tensor *input = &call->operands[INPUT];
  const xc_tensor *weights = &call->operands[WEIGHTS];
  fix_conv c = {.loops = loops,
                .call = call,
                .at = xc_conv_positions_of(call),
                .input = input->data,
                .weights = weights->data};
  if (!is_i8(input) || !is_i8(weights) || !is_i8(&call->output) ||
      c.at.taps * c.at.channels > MOST_TERMS)
    return xc_interpret_conv_fix(call);
  xc_fix_groups groups = xc_fix_groups_of(call->op, c.at.outputs);
  XcFixEpilogue *epilogues =
      xc_call_alloc(call, groups.count, sizeof(*epilogues));
  if (!xc_fix_epilogues_of(call->op, groups, epilogues))
    return false;
  c.epilogues = epilogues;
  c.quick = xc_call_alloc(call, groups.count, sizeof(*c.quick));
  for (int64_t g = 0; g < groups.count; ++g)
    c.quick[g] = xc_quick_epilogue_of(&epilogues[g]);
  c.point_channels = groups.channels;
  if (call->operands[BIAS].data)
    c.bias = xc_call_ints(call, BIAS, 0);
  if (xc_is_depthwise(call->op))
    convolve_depthwise(&c);
  else
    convolve_groups(&c, xc_group_of(call->op));
  return true;
}
