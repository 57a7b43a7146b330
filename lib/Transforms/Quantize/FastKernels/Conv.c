//===- Conv.c - a fast convolution of floats ------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A convolution is a product of matrices: positions of the output by terms of a
// sum, terms by output channels. Both are repacked in chunks of terms that stay
// in the cache, inputs as columns of a tile's points and weights as rows of its
// outputs. Terms outside of the input are zeros: they change no sum, as a sum
// that begins with 0 never is -0. A transposed convolution is such a product
// for each of its phases, without the terms that are zeros in all of one.
//
//===----------------------------------------------------------------------===//

#include "Conv.h"
#include "Positions.h"

#include "Support/Math.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 256 }; // terms
enum { INPUT, WEIGHTS, BIAS };

typedef struct conv {
  const xc_calibrate_loops *loops;
  xc_kernel_call *call;
  xc_conv_positions at;
  const float *input;
  const float *weights;
  const double *bias; // zeros for none
  float *output;
} conv;

/// The channels of one group at the positions of one phase.
typedef struct product {
  xc_conv_phase phase;
  const float *kernel; // [outputs][terms]
  int64_t first_channel, first_output;
  int64_t depth, outputs;
  int64_t terms; // of each sum
  int64_t pitch; // outputs, rounded up to whole tiles
  /// Of a chunk of terms, packed, and what they have added up to.
  double *inputs, *weights, *sums;
} product;

// Memory that nothing needs to be zero.
static double *make_reals(int64_t count) {
  return xc_alloc_uninitialized((size_t)count, sizeof(double));
}

static void write_sums(const conv *c, int64_t at, int64_t first,
                       const double *sums, int64_t count) {
  float *to = c->output + at * c->at.outputs + first;
  const double *bias = c->bias + first;
  for (int64_t o = 0; o < count; ++o)
    to[o] = (float)(sums[o] + bias[o]);
}

// Returns the pixel that a tap reads for a position of the output, or null.
static const float *find_pixel(const conv *c, int64_t position, int64_t tap) {
  int64_t at = xc_conv_pixel(&c->at, position, tap);
  return at < 0 ? NULL : c->input + at;
}

//===----------------------------------------------------------------------===//
// Convolutions as matrix products
//===----------------------------------------------------------------------===//

// Read in the place of what is not there.
static const float zeros[CHUNK];

// By their exponents.
static bool are_finite(const float *numbers, int64_t count) {
  const uint32_t infinity = UINT32_C(0x7f800000);
  uint32_t largest = 0;
  for (int64_t i = 0; i < count; ++i) {
    uint32_t bits;
    memcpy(&bits, numbers + i, sizeof bits);
    bits &= infinity;
    largest = bits > largest ? bits : largest;
  }
  return largest < infinity;
}

// Rows lie far apart, so that the processor does not see them coming.
static void fetch(const float *numbers, int64_t count) {
  enum { LINE = 16 };
  for (int64_t i = 0; i < count; i += LINE)
    __builtin_prefetch(numbers + i);
}

// panels[outputs / tile][count][tile]. Returns false when a weight is not
// finite.
static bool pack_weights(const conv *c, const product *p, int64_t first,
                         int64_t count, double *panels) {
  int64_t tile = c->loops->outputs;
  const float *rows[XC_CALIBRATE_SUMS];
  bool is_finite = true;
  for (int64_t o = 0; o < p->pitch; o += tile) {
    for (int64_t i = 0; i < tile; ++i) {
      bool is_there = o + i < p->outputs;
      rows[i] = is_there ? p->kernel + (o + i) * p->terms + first : zeros;
      if (o + tile + i < p->outputs)
        fetch(rows[i] + tile * p->terms, count);
      is_finite &= !is_there || are_finite(rows[i], count);
    }
    c->loops->interleave(panels + o * count, tile, rows, tile, count);
  }
  return is_finite;
}

// panel[count][tile]
static void pack_inputs(const conv *c, const product *p, int64_t at,
                        int64_t first, int64_t count, double *panel) {
  int64_t tile = c->loops->points, positions[XC_CALIBRATE_SUMS];
  int64_t own = xc_minimum64(tile, p->phase.positions - at);
  const float *rows[XC_CALIBRATE_SUMS];
  for (int64_t i = 0; i < own; ++i)
    positions[i] = xc_conv_position(&c->at, &p->phase, at + i);
  for (int64_t k = first; k < first + count;) {
    int64_t channel = k % p->depth, tap = p->phase.tap[k / p->depth];
    int64_t run = xc_minimum64(p->depth - channel, first + count - k);
    for (int64_t i = 0; i < tile; ++i) {
      const float *pixel = i < own ? find_pixel(c, positions[i], tap) : NULL;
      rows[i] = pixel ? pixel + p->first_channel + channel : zeros;
    }
    c->loops->interleave(panel, tile, rows, tile, run);
    panel += run * tile;
    k += run;
  }
}

// All terms from `first` on of the sums of a tile of positions.
static void multiply_tile(const conv *c, const product *p, int64_t position,
                          int64_t first, int64_t count, double *sums) {
  int64_t outputs = c->loops->outputs;
  int64_t points =
      xc_minimum64(c->loops->points, p->phase.positions - position);
  if (first == 0)
    memset(sums, 0, (size_t)(c->loops->points * p->pitch) * sizeof(*sums));
  pack_inputs(c, p, position, first, count, p->inputs);
  for (int64_t o = 0; o < p->pitch; o += outputs)
    (points > XC_CALIBRATE_FEW ? c->loops->multiply : c->loops->multiply_few)(
        sums + o, p->pitch, p->inputs, p->weights + o * count, count);
  if (first + count < p->terms)
    return;
  for (int64_t i = 0; i < points; ++i)
    write_sums(c, xc_conv_position(&c->at, &p->phase, position + i),
               p->first_output, sums + i * p->pitch, p->outputs);
}

// Chunk by chunk of the terms; sums of a single one do not have to be kept.
static bool multiply(const conv *c, const product *p) {
  int64_t points = c->loops->points;
  int64_t first = 0;
  // Sums of no terms are written, too.
  do {
    int64_t count = xc_minimum64(CHUNK, p->terms - first);
    if (!pack_weights(c, p, first, count, p->weights))
      return false;
    for (int64_t i = 0; i < p->phase.positions; i += points)
      multiply_tile(c, p, i, first, count,
                    p->sums + (p->terms > CHUNK ? i * p->pitch : 0));
    first += CHUNK;
  } while (first < p->terms);
  return true;
}

// Returns the weights of the phase's taps; free with free().
static float *gather_kernel(const conv *c, const product *p) {
  float *kernel = xc_alloc_uninitialized((size_t)(p->outputs * p->terms) + 1,
                                         sizeof(*kernel));
  float *to = kernel;
  for (int64_t o = p->first_output; o < p->first_output + p->outputs; ++o)
    for (int64_t i = 0; i < p->phase.taps; ++i, to += p->depth)
      memcpy(to, c->weights + (o * c->at.taps + p->phase.tap[i]) * p->depth,
             (size_t)p->depth * sizeof(*to));
  return kernel;
}

static bool multiply_phase(const conv *c, product *p, int64_t index,
                           int64_t *taps) {
  p->phase = xc_conv_phase_of(&c->at, index, taps);
  p->terms = p->phase.taps * p->depth;
  float *own = p->phase.taps < c->at.taps ? gather_kernel(c, p) : NULL;
  p->kernel = own ? own : c->weights + p->first_output * p->terms;
  bool is_finite = multiply(c, p);
  free(own);
  return is_finite;
}

static bool convolve_groups(const conv *c, int64_t group) {
  product p = {.depth = c->at.channels / group,
               .outputs = c->at.outputs / group};
  int64_t most = c->at.taps * p.depth;
  p.pitch = xc_conv_round_up(p.outputs, c->loops->outputs);
  int64_t rows = xc_conv_round_up(
      most > CHUNK ? xc_conv_phase_positions(&c->at) : 1, c->loops->points);
  p.inputs = make_reals(CHUNK * c->loops->points);
  p.weights = make_reals(CHUNK * p.pitch);
  p.sums = make_reals(rows * p.pitch);
  int64_t *taps = xc_call_alloc(c->call, c->at.taps, sizeof(*taps));
  bool is_finite = true;
  for (int64_t g = 0; is_finite && g < group; ++g) {
    p.first_channel = g * p.depth;
    p.first_output = g * p.outputs;
    for (int64_t i = 0; is_finite && i < xc_conv_num_phases(&c->at); ++i)
      is_finite = multiply_phase(c, &p, i, taps);
  }
  free(p.inputs);
  free(p.weights);
  free(p.sums);
  return is_finite;
}

//===----------------------------------------------------------------------===//
// Depthwise
//===----------------------------------------------------------------------===//

// Weights are [M, H, W, C], outputs c * M + m.
static bool convolve_depthwise(const conv *c) {
  int64_t multiplier = c->at.outputs / c->at.channels;
  if (!are_finite(c->weights, multiplier * c->at.taps * c->at.channels))
    return false;
  double *sums = xc_call_alloc(c->call, c->at.outputs, sizeof(*sums));
  xc_conv_tap *taps = xc_call_alloc(c->call, c->at.taps, sizeof(*taps));
  for (int64_t i = 0; i < c->at.positions; ++i) {
    memset(sums, 0, (size_t)c->at.outputs * sizeof(*sums));
    int64_t count = xc_conv_present(&c->at, i, taps);
    for (int64_t t = 0; t < count; ++t) {
      const float *pixel = c->input + taps[t].pixel;
      for (int64_t m = 0; m < multiplier; ++m) {
        const float *weights =
            c->weights + (m * c->at.taps + taps[t].tap) * c->at.channels;
        for (int64_t k = 0; k < c->at.channels; ++k)
          sums[k * multiplier + m] += (double)pixel[k] * (double)weights[k];
      }
    }
    write_sums(c, i, 0, sums, c->at.outputs);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// The operator
//===----------------------------------------------------------------------===//

bool xc_calibrate_convolve(const xc_calibrate_loops *loops,
                           xc_kernel_call *call) {
  const xc_tensor *input = &call->operands[INPUT];
  const xc_tensor *weights = &call->operands[WEIGHTS];
  if (input->shape.element != XC_ELEMENT_F32 ||
      weights->shape.element != XC_ELEMENT_F32 ||
      call->output.shape.element != XC_ELEMENT_F32)
    return xc_interpret_conv(call);
  conv c = {.loops = loops,
            .call = call,
            .at = xc_conv_positions_of(call),
            .input = input->data,
            .weights = weights->data,
            .output = call->output.data};
  c.bias =
      call->operands[BIAS].data
          ? xc_call_reals(call, BIAS)
          : xc_call_alloc(call, call->output.shape.dims[3], sizeof(*c.bias));
  bool is_finite = xc_is_depthwise(call->op)
                       ? convolve_depthwise(&c)
                       : convolve_groups(&c, xc_group_of(call->op));
  return is_finite || xc_interpret_conv(call);
}
