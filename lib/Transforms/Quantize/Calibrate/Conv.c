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
// that begins with 0 never is -0.
//
//===----------------------------------------------------------------------===//

#include "Conv.h"
#include "Positions.h"

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

/// The channels of one group.
typedef struct product {
  int64_t first_channel, first_output;
  int64_t depth, outputs;
  int64_t terms; // of each sum
  int64_t pitch; // outputs, rounded up to whole tiles
} product;

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

// Memory that nothing needs to be zero.
static double *make_reals(int64_t count) {
  return xc_realloc_array(NULL, (size_t)count, sizeof(double));
}

static void write_sums(const conv *c, int64_t at, int64_t first,
                       const double *sums, int64_t count) {
  float *to = c->output + at * c->at.outputs + first;
  const double *bias = c->bias + first;
  for (int64_t o = 0; o < count; ++o)
    to[o] = (float)(sums[o] + bias[o]);
}

// The pixel that a tap reads for a position of the output, or null.
static const float *find_pixel(const conv *c, int64_t position, int64_t tap) {
  int64_t at = xc_conv_pixel(&c->at, position, tap);
  return at < 0 ? NULL : c->input + at;
}

//===----------------------------------------------------------------------===//
// As a product
//===----------------------------------------------------------------------===//

// Read in the place of what is not there.
static const float zeros[CHUNK];

// panels[outputs / tile][count][tile]
static void pack_weights(const conv *c, const product *p, int64_t first,
                         int64_t count, double *panels) {
  int64_t tile = c->loops->outputs;
  const float *rows[XC_CALIBRATE_SUMS];
  for (int64_t o = 0; o < p->pitch; o += tile) {
    for (int64_t i = 0; i < tile; ++i)
      rows[i] = o + i < p->outputs
                    ? c->weights + (p->first_output + o + i) * p->terms + first
                    : zeros;
    c->loops->interleave(panels + o * count, tile, rows, tile, count);
  }
}

// panel[count][tile]
static void pack_inputs(const conv *c, const product *p, int64_t position,
                        int64_t first, int64_t count, double *panel) {
  int64_t tile = c->loops->points;
  const float *rows[XC_CALIBRATE_SUMS];
  for (int64_t k = first; k < first + count;) {
    int64_t at = k % p->depth;
    int64_t run = smaller(p->depth - at, first + count - k);
    for (int64_t i = 0; i < tile; ++i) {
      const float *pixel = position + i < c->at.positions
                               ? find_pixel(c, position + i, k / p->depth)
                               : NULL;
      rows[i] = pixel ? pixel + p->first_channel + at : zeros;
    }
    c->loops->interleave(panel, tile, rows, tile, run);
    panel += run * tile;
    k += run;
  }
}

static void multiply(const conv *c, const product *p, double *sums,
                     double *inputs, double *weights) {
  int64_t points = c->loops->points, outputs = c->loops->outputs;
  for (int64_t first = 0; first < p->terms; first += CHUNK) {
    int64_t count = smaller(CHUNK, p->terms - first);
    pack_weights(c, p, first, count, weights);
    for (int64_t i = 0; i < c->at.positions; i += points) {
      double *rows = sums + i * p->pitch;
      if (first == 0)
        memset(rows, 0, (size_t)(points * p->pitch) * sizeof(*rows));
      pack_inputs(c, p, i, first, count, inputs);
      for (int64_t o = 0; o < p->pitch; o += outputs)
        c->loops->multiply(rows + o, p->pitch, inputs, weights + o * count,
                           count);
    }
  }
}

static void convolve_groups(const conv *c, int64_t group) {
  product p = {.depth = c->at.channels / group,
               .outputs = c->at.outputs / group};
  p.terms = c->at.taps * p.depth;
  p.pitch = xc_conv_round_up(p.outputs, c->loops->outputs);
  int64_t rows = xc_conv_round_up(c->at.positions, c->loops->points);
  double *inputs = make_reals(CHUNK * c->loops->points);
  double *weights = make_reals(CHUNK * p.pitch);
  double *sums = make_reals(rows * p.pitch);
  for (int64_t g = 0; g < group; ++g) {
    p.first_channel = g * p.depth;
    p.first_output = g * p.outputs;
    multiply(c, &p, sums, inputs, weights);
    for (int64_t i = 0; i < c->at.positions; ++i)
      write_sums(c, i, p.first_output, sums + i * p.pitch, p.outputs);
  }
  free(inputs);
  free(weights);
  free(sums);
}

//===----------------------------------------------------------------------===//
// Depthwise
//===----------------------------------------------------------------------===//

// Weights are [M, H, W, C], outputs c * M + m.
static void convolve_depthwise(const conv *c) {
  int64_t multiplier = c->at.outputs / c->at.channels;
  double *sums = xc_call_alloc(c->call, c->at.outputs, sizeof(*sums));
  for (int64_t i = 0; i < c->at.positions; ++i) {
    memset(sums, 0, (size_t)c->at.outputs * sizeof(*sums));
    for (int64_t tap = 0; tap < c->at.taps; ++tap) {
      const float *pixel = find_pixel(c, i, tap);
      for (int64_t m = 0; pixel && m < multiplier; ++m) {
        const float *weights =
            c->weights + (m * c->at.taps + tap) * c->at.channels;
        for (int64_t k = 0; k < c->at.channels; ++k)
          sums[k * multiplier + m] += (double)pixel[k] * (double)weights[k];
      }
    }
    write_sums(c, i, 0, sums, c->at.outputs);
  }
}

//===----------------------------------------------------------------------===//
// The operator
//===----------------------------------------------------------------------===//

// By their exponents.
static bool are_finite(const xc_tensor *tensor) {
  const uint32_t infinity = UINT32_C(0x7f800000);
  const unsigned char *bytes = tensor->data;
  int64_t count = xc_tensor_count(tensor);
  uint32_t largest = 0;
  for (int64_t i = 0; i < count; ++i) {
    uint32_t bits;
    memcpy(&bits, bytes + i * (int64_t)sizeof bits, sizeof bits);
    bits &= infinity;
    largest = bits > largest ? bits : largest;
  }
  return largest < infinity;
}

bool xc_calibrate_convolve(const xc_calibrate_loops *loops,
                           xc_kernel_call *call) {
  const xc_tensor *input = &call->operands[INPUT];
  const xc_tensor *weights = &call->operands[WEIGHTS];
  if (input->shape.element != XC_ELEMENT_F32 ||
      weights->shape.element != XC_ELEMENT_F32 ||
      call->output.shape.element != XC_ELEMENT_F32 || !are_finite(weights))
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
  if (xc_is_depthwise(call->op))
    convolve_depthwise(&c);
  else
    convolve_groups(&c, xc_group_of(call->op));
  return true;
}
