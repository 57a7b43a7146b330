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

#include "OpParams/Fix.h"
#include "OpParams/Window.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 256 }; // terms
enum { INPUT, WEIGHTS, BIAS };

typedef struct conv {
  const xc_calibrate_loops *loops;
  xc_kernel_call *call;
  xc_taps window;
  const double *input;
  const float *weights;
  const double *bias; // zeros for none; of floats
  /// Of integers, else null: of each group of outputs with fix points of its
  /// own.
  const XcFixEpilogue *epilogues;
  int64_t point_channels;
  const int32_t *fixed_bias; // or null
  int64_t channels, height, width;
  int64_t positions, outputs;
  int64_t taps;
} conv;

/// The channels of one group.
typedef struct product {
  int64_t first_channel, first_output;
  int64_t depth, outputs;
  int64_t terms; // of each sum
  int64_t pitch; // outputs, rounded up to whole tiles
} product;

static int64_t round_up(int64_t count, int64_t unit) {
  return (count + unit - 1) / unit * unit;
}

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

// Memory that nothing needs to be zero.
static double *make_reals(int64_t count) {
  return xc_realloc_array(NULL, (size_t)count, sizeof(double));
}

static void widen(const float *floats, int64_t count, double *reals) {
  for (int64_t i = 0; i < count; ++i)
    reals[i] = (double)floats[i];
}

static void write_sums(const conv *c, int64_t at, int64_t first,
                       const double *sums, int64_t count) {
  const xc_tensor *output = &c->call->output;
  int64_t to = at * c->outputs + first;
  for (int64_t o = 0; c->epilogues && o < count; ++o)
    xc_set_int(
        output, to + o,
        xcFixEpilogueApply(&c->epilogues[(first + o) / c->point_channels],
                           (int64_t)sums[o],
                           c->fixed_bias ? c->fixed_bias[first + o] : 0));
  for (int64_t o = 0; !c->epilogues && o < count; ++o)
    xc_set_real(output, to + o, sums[o] + c->bias[first + o]);
}

// The pixel that a tap reads for a position of the output, or null.
static const double *find_pixel(const conv *c, int64_t position, int64_t tap) {
  const xc_axis_taps *h = &c->window.h, *w = &c->window.w;
  int64_t x = position % w->outputs, y = position / w->outputs % h->outputs;
  int64_t n = position / w->outputs / h->outputs;
  int64_t row = h->source[y * h->taps + tap / w->taps];
  int64_t column = w->source[x * w->taps + tap % w->taps];
  if (row < 0 || column < 0)
    return NULL;
  return c->input + ((n * c->height + row) * c->width + column) * c->channels;
}

//===----------------------------------------------------------------------===//
// As a product
//===----------------------------------------------------------------------===//

// panels[outputs / tile][count][tile]
static void pack_weights(const conv *c, const product *p, int64_t first,
                         int64_t count, double *panels) {
  int64_t tile = c->loops->outputs;
  for (int64_t o = 0; o < p->pitch; ++o) {
    double *to = panels + o / tile * tile * count + o % tile;
    double row[CHUNK] = {0};
    if (o < p->outputs)
      widen(c->weights + (p->first_output + o) * p->terms + first, count, row);
    for (int64_t k = 0; k < count; ++k)
      to[k * tile] = row[k];
  }
}

// panel[count][tile]
static void pack_inputs(const conv *c, const product *p, int64_t position,
                        int64_t first, int64_t count, double *panel) {
  int64_t tile = c->loops->points;
  for (int64_t i = 0; i < tile; ++i) {
    double *to = panel + i;
    for (int64_t k = first; k < first + count;) {
      int64_t at = k % p->depth;
      int64_t run = smaller(p->depth - at, first + count - k);
      const double *pixel = position + i < c->positions
                                ? find_pixel(c, position + i, k / p->depth)
                                : NULL;
      const double *from = pixel ? pixel + p->first_channel + at : NULL;
      for (int64_t r = 0; r < run; ++r)
        to[r * tile] = from ? from[r] : 0;
      to += run * tile;
      k += run;
    }
  }
}

static void multiply(const conv *c, const product *p, double *sums,
                     double *inputs, double *weights) {
  int64_t points = c->loops->points, outputs = c->loops->outputs;
  for (int64_t first = 0; first < p->terms; first += CHUNK) {
    int64_t count = smaller(CHUNK, p->terms - first);
    pack_weights(c, p, first, count, weights);
    for (int64_t i = 0; i < c->positions; i += points) {
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
  product p = {.depth = c->channels / group, .outputs = c->outputs / group};
  p.terms = c->taps * p.depth;
  p.pitch = round_up(p.outputs, c->loops->outputs);
  int64_t rows = round_up(c->positions, c->loops->points);
  double *inputs = make_reals(CHUNK * c->loops->points);
  double *weights = make_reals(CHUNK * p.pitch);
  double *sums = make_reals(rows * p.pitch);
  for (int64_t g = 0; g < group; ++g) {
    p.first_channel = g * p.depth;
    p.first_output = g * p.outputs;
    multiply(c, &p, sums, inputs, weights);
    for (int64_t i = 0; i < c->positions; ++i)
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
  int64_t multiplier = c->outputs / c->channels;
  double *sums = xc_call_alloc(c->call, c->outputs, sizeof(*sums));
  for (int64_t i = 0; i < c->positions; ++i) {
    memset(sums, 0, (size_t)c->outputs * sizeof(*sums));
    for (int64_t tap = 0; tap < c->taps; ++tap) {
      const double *pixel = find_pixel(c, i, tap);
      for (int64_t m = 0; pixel && m < multiplier; ++m) {
        const float *weights = c->weights + (m * c->taps + tap) * c->channels;
        for (int64_t k = 0; k < c->channels; ++k)
          sums[k * multiplier + m] += pixel[k] * (double)weights[k];
      }
    }
    write_sums(c, i, 0, sums, c->outputs);
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

static void convolve(conv *c) {
  const int64_t *in = c->call->operands[INPUT].shape.dims;
  const int64_t *out = c->call->output.shape.dims;
  c->window = xc_taps_of(c->call->op, c->call->arena);
  c->taps = c->window.h.taps * c->window.w.taps;
  c->height = in[1];
  c->width = in[2];
  c->channels = in[3];
  c->positions = out[0] * out[1] * out[2];
  c->outputs = out[3];
  if (xc_is_depthwise(c->call->op))
    convolve_depthwise(c);
  else
    convolve_groups(c, xc_group_of(c->call->op));
}

bool xc_calibrate_convolve(const xc_calibrate_loops *loops,
                           xc_kernel_call *call) {
  const xc_tensor *input = &call->operands[INPUT];
  const xc_tensor *weights = &call->operands[WEIGHTS];
  if (input->shape.element != XC_ELEMENT_F32 ||
      weights->shape.element != XC_ELEMENT_F32 || !are_finite(weights))
    return xc_interpret_conv(call);
  int64_t count = xc_tensor_count(input);
  double *reals = make_reals(count);
  widen(input->data, count, reals);
  conv c = {
      .loops = loops, .call = call, .input = reals, .weights = weights->data};
  c.bias =
      call->operands[BIAS].data
          ? xc_call_reals(call, BIAS)
          : xc_call_alloc(call, call->output.shape.dims[3], sizeof(*c.bias));
  convolve(&c);
  free(reals);
  return true;
}

// Sums of products of 8-bit integers are exact in double.
bool xc_calibrate_convolve_fix(const xc_calibrate_loops *loops,
                               xc_kernel_call *call) {
  const xc_tensor *input = &call->operands[INPUT];
  const xc_tensor *weights = &call->operands[WEIGHTS];
  xc_fix_groups groups = xc_fix_groups_of(call->op, call->output.shape.dims[3]);
  XcFixEpilogue *epilogues =
      xc_call_alloc(call, groups.count, sizeof(*epilogues));
  if (!xc_fix_epilogues_of(call->op, groups, epilogues))
    return false;
  int64_t count = xc_tensor_count(input), size = xc_tensor_count(weights);
  double *reals = make_reals(count);
  xc_get_reals(input, 0, count, reals);
  float *factors = xc_alloc_array((size_t)size + 1, sizeof(*factors));
  for (int64_t i = 0; i < size; ++i)
    factors[i] = (float)xc_get_int(weights, i);
  conv c = {.loops = loops,
            .call = call,
            .input = reals,
            .weights = factors,
            .epilogues = epilogues,
            .point_channels = groups.channels};
  if (call->operands[BIAS].data)
    c.fixed_bias = xc_call_ints(call, BIAS, 0);
  convolve(&c);
  free(factors);
  free(reals);
  return true;
}
