//===- OpsWindow.c - windows and scales of signals, made at import --------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include <inttypes.h>
#include <math.h>

/// The result: zeros of the type that the node asks for.
typedef struct table {
  xc_shape shape;
  void *data;
} table;

static bool begin_table(xc_onnx_importer *im, const int64_t *dims, size_t rank,
                        table *t) {
  enum { FLOAT = 1 };
  int64_t type = xc_onnx_int(im, "output_datatype", FLOAT);
  xc_element element = xc_onnx_element((int32_t)type);
  if (element == XC_ELEMENT_NONE)
    return xc_onnx_error(im,
                         "attribute 'output_datatype' is %" PRId64
                         ", which xc does not support",
                         type);
  if (!xc_graph_check_dims(&im->graph, im->graph.node, dims, rank, element,
                           &t->shape))
    return false;
  int64_t count = xc_shape_num_elements(&t->shape);
  t->data = xc_graph_table(&im->graph, count, xc_element_size(element));
  if (!t->data)
    return false;
  for (int64_t i = 0; i < count; ++i)
    xc_graph_store(element, t->data, i,
                   (xc_graph_number){.is_float = true, .real = 0});
  return true;
}

static void set(const table *t, int64_t index, double real) {
  xc_graph_store(t->shape.element, t->data, index,
                 (xc_graph_number){.is_float = true, .real = real});
}

static bool result_table(xc_onnx_importer *im, const table *t) {
  return xc_onnx_result_alias(
      im, 0,
      xc_graph_constant(&im->graph, im->graph.node, &t->shape, t->data, false));
}

// Reads the only element of a constant input.
static bool read_real(xc_onnx_importer *im, size_t index, double *number) {
  xc_graph_value *value;
  const float *list;
  size_t count;
  *number = 0;
  if (!xc_onnx_need_input(im, index, &value) ||
      !xc_onnx_input_floats(im, index, &list, &count))
    return false;
  if (count != 1)
    return xc_onnx_error(im, "input %zu has %zu elements, expected 1", index,
                         count);
  *number = xc_graph_to_real(xc_graph_load(value, 0));
  return true;
}

static bool read_count(xc_onnx_importer *im, size_t index, int64_t *count) {
  double number;
  if (!read_real(im, index, &number))
    return false;
  if (!(number >= 1 && number <= ONNX_MAX_LIST))
    return xc_onnx_error(im, "input %zu is %g, expected 1 to %d", index, number,
                         ONNX_MAX_LIST);
  *count = (int64_t)number;
  return true;
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

// A sum of cosines over a period, which has as many points as the window or,
// where both ends are alike, one less. detail: which one.
bool xc_onnx_window_function(xc_onnx_importer *im) {
  static const double factors[][3] = {
      [ONNX_HANN] = {0.5, -0.5, 0},
      [ONNX_HAMMING] = {25.0 / 46, -21.0 / 46, 0},
      [ONNX_BLACKMAN] = {0.42, -0.5, 0.08},
  };
  const double pi = 3.141592653589793;
  const double *f = factors[im->row->detail];
  int64_t size;
  table t;
  if (!read_count(im, 0, &size) || !begin_table(im, &size, 1, &t))
    return false;
  int64_t period = xc_onnx_int(im, "periodic", 1) ? size : size - 1;
  for (int64_t i = 0; i < size; ++i) {
    double angle = period ? 2 * pi * (double)i / (double)period : 0;
    set(&t, i, f[0] + f[1] * cos(angle) + f[2] * cos(2 * angle));
  }
  return result_table(im, &t);
}

//===----------------------------------------------------------------------===//
// MelWeightMatrix
//===----------------------------------------------------------------------===//

static double mel_of(double hertz) { return 2595 * log10(1 + hertz / 700); }
static double hertz_of(double mel) { return 700 * (pow(10, mel / 2595) - 1); }

/// A matrix that takes the bins of a spectrum to bands.
typedef struct mel {
  int64_t bands, length, rate; // length: of the transform
  double low, high;            // hertz
} mel;

static bool read_mel(xc_onnx_importer *im, mel *m) {
  if (!read_count(im, 0, &m->bands) || !read_count(im, 1, &m->length) ||
      !read_count(im, 2, &m->rate) || !read_real(im, 3, &m->low) ||
      !read_real(im, 4, &m->high))
    return false;
  double nyquist = (double)m->rate / 2;
  return (m->low >= 0 && m->low <= m->high && m->high <= nyquist) ||
         xc_onnx_error(
             im, "has bands from %g to %g hertz, expected some of 0 to %g",
             m->low, m->high, nyquist);
}

// Returns the bin where the band of that number begins. Edges are in equal
// steps of mel, of which ONNX has one more than there are between them.
static int64_t edge_of(const mel *m, int64_t number) {
  double low = mel_of(m->low), high = mel_of(m->high);
  double step = (high - low) / (double)(m->bands + 2);
  double hertz = hertz_of(low + (double)number * step);
  return (int64_t)floor((double)(m->length + 1) * hertz / (double)m->rate);
}

// Each band is a triangle from the edge before its own to the one after.
bool xc_onnx_mel_weight_matrix(xc_onnx_importer *im) {
  mel m;
  table t;
  if (!read_mel(im, &m))
    return false;
  const int64_t dims[] = {m.length / 2 + 1, m.bands};
  if (!begin_table(im, dims, 2, &t))
    return false;
  for (int64_t band = 0; band < m.bands; ++band) {
    int64_t low = edge_of(&m, band), middle = edge_of(&m, band + 1),
            high = edge_of(&m, band + 2);
    for (int64_t bin = low; bin < high && bin < dims[0]; ++bin)
      set(&t, bin * m.bands + band,
          bin < middle ? (double)(bin - low) / (double)(middle - low)
                       : (double)(high - bin) / (double)(high - middle));
    // A triangle with one side, or none, still has its tip.
    if (middle < dims[0])
      set(&t, middle * m.bands + band, 1);
  }
  return result_table(im, &t);
}
