//===- OpsSpectrum.c - Fourier transforms as products ---------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A complex number is two elements of the last dimension. A transform of a
// constant length is a product with a constant matrix; that of all frames of a
// signal is a convolution, whose kernels are waves and which a DPU can compute.
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include <inttypes.h>
#include <math.h>

/// Numbers that are transformed at a time.
enum { MOST_LENGTH = 1 << 16 };

/// The numbers that a transform reads and computes.
typedef struct transform {
  int64_t length;  // of the period
  int64_t inputs;  // numbers that are read; the rest of the period is zero
  int64_t parts;   // of such a number: 1 real, 2 complex
  int64_t outputs; // complex numbers
  bool inverse;
} transform;

/// Wave numbers k at point n: cos and sin of 2 * pi * k * n / length.
typedef struct wave {
  double cosine, sine;
} wave;

// Of a product that is reduced as an integer, so that no digits are lost.
static wave wave_of(const transform *t, int64_t k, int64_t n) {
  const double pi = 3.141592653589793;
  double angle = 2 * pi * (double)(k * n % t->length) / (double)t->length;
  wave w = {cos(angle), sin(angle)};
  if (!t->inverse)
    w.sine = -w.sine;
  return w;
}

// Returns the factor of part `from` of number n in part `to` of result k.
static double factor_of(const transform *t, int64_t k, int64_t n, int64_t from,
                        int64_t to) {
  wave w = wave_of(t, k, n);
  double factor = from == to ? w.cosine : from == 0 ? w.sine : -w.sine;
  return t->inverse ? factor / (double)t->length : factor;
}

// Returns the factors as rows of numbers read, or (by_output) of results, with
// the parts of a number side by side. Returns null after an error.
static void *make_factors(xc_onnx_importer *im, const transform *t,
                          xc_element element, bool by_output) {
  int64_t rows = t->inputs * t->parts, columns = t->outputs * 2;
  void *data =
      xc_graph_table(&im->graph, rows * columns, xc_element_size(element));
  if (!data)
    return NULL;
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < columns; ++c) {
      xc_graph_number number = {
          .is_float = true,
          .real = factor_of(t, c / 2, r / t->parts, r % t->parts, c % 2)};
      xc_graph_store(element, data, by_output ? c * rows + r : r * columns + c,
                     number);
    }
  return data;
}

static bool check_numbers(xc_onnx_importer *im, const xc_graph_value *value,
                          int64_t parts) {
  if (!xc_element_is_float(value->shape.element))
    return xc_onnx_error(im, "'%s' has integers, expected floats", value->name);
  return parts == 1 || parts == 2 ||
         xc_onnx_error(im,
                       "'%s' has numbers of %" PRId64
                       " parts in its last dimension, expected 1 or 2",
                       value->name, parts);
}

// Reads a constant number, where there is one.
static bool read_number(xc_onnx_importer *im, size_t index, int64_t *number) {
  return !xc_onnx_has_input(im, index) || xc_onnx_input_int(im, index, number);
}

static bool check_length(xc_onnx_importer *im, const transform *t) {
  return (t->length >= 1 && t->length <= MOST_LENGTH) ||
         xc_onnx_error(im,
                       "transforms %" PRId64
                       " numbers at a time, expected 1 to "
                       "%d",
                       t->length, MOST_LENGTH);
}

//===----------------------------------------------------------------------===//
// DFT
//===----------------------------------------------------------------------===//

// From operator set 20 on the axis is an input.
static bool read_axis(xc_onnx_importer *im, const xc_shape *shape,
                      size_t *axis) {
  enum { AS_INPUT = 20 };
  int64_t number = im->opset >= AS_INPUT ? -2 : xc_onnx_int(im, "axis", 1);
  if (im->opset >= AS_INPUT && !read_number(im, 2, &number))
    return false;
  if (!xc_graph_axis(&im->graph, number, shape->rank, axis))
    return false;
  return *axis + 1 < shape->rank ||
         xc_onnx_error(im, "transforms along the last dimension, which has the "
                           "parts of numbers");
}

static bool read_dft(xc_onnx_importer *im, const xc_graph_value *value,
                     size_t axis, transform *t) {
  const xc_shape *shape = &value->shape;
  bool onesided = xc_onnx_int(im, "onesided", 0) != 0;
  *t = (transform){.length = shape->dims[axis],
                   .parts = shape->dims[shape->rank - 1],
                   .inverse = xc_onnx_int(im, "inverse", 0) != 0};
  if (!check_numbers(im, value, t->parts) || !read_number(im, 1, &t->length) ||
      !check_length(im, t))
    return false;
  if (onesided && (t->inverse || t->parts == 2))
    return xc_onnx_error(im, "attribute 'onesided' is set for %s",
                         t->inverse ? "an inverse transform"
                                    : "complex numbers");
  t->inputs = shape->dims[axis] < t->length ? shape->dims[axis] : t->length;
  t->outputs = onesided ? t->length / 2 + 1 : t->length;
  return true;
}

// Returns the dimensions with the transformed one before the last.
static xc_graph_order order_along(size_t rank, size_t axis) {
  xc_graph_order order = xc_graph_identity(rank);
  for (size_t i = axis; i + 2 < rank; ++i)
    order.dim[i] = (uint8_t)(i + 1);
  order.dim[rank - 2] = (uint8_t)axis;
  return order;
}

bool xc_onnx_dft(xc_onnx_importer *im) {
  xc_graph_value *value;
  size_t axis;
  transform t;
  if (!xc_onnx_need_input(im, 0, &value) ||
      !xc_onnx_check_rank(im, value, 2, XC_MAX_RANK) ||
      !read_axis(im, &value->shape, &axis) || !read_dft(im, value, axis, &t))
    return false;
  xc_graph *graph = &im->graph;
  xc_element element = value->shape.element;
  size_t rank = value->shape.rank;
  xc_graph_order order = order_along(rank, axis);
  MlirValue x = xc_graph_get(graph, value, &order);
  if (t.inputs < value->shape.dims[axis])
    x = xc_graph_emit_part(graph, x, rank - 2, 0, t.inputs);
  void *factors = make_factors(im, &t, element, false);
  if (mlirValueIsNull(x) || !factors)
    return false;
  xc_shape shape = xc_value_shape(x);
  const int64_t flat[] = {xc_graph_product(&shape, 0, rank - 2),
                          t.inputs * t.parts};
  const xc_shape matrix = {
      .element = element, .rank = 2, .dims = {flat[1], t.outputs * 2}};
  const MlirValue operands[] = {
      xc_graph_emit_reshape(graph, x, flat, 2),
      xc_graph_get_plain(graph, xc_graph_constant(graph, graph->node, &matrix,
                                                  factors, false))};
  x = xc_graph_emit(graph, NULL, XC_TIR_MATMUL, operands, 2, NULL,
                    XC_ELEMENT_NONE);
  shape.dims[rank - 2] = t.outputs;
  shape.dims[rank - 1] = 2;
  return xc_onnx_result(
      im, 0, xc_graph_emit_reshape(graph, x, shape.dims, rank), &order);
}

//===----------------------------------------------------------------------===//
// STFT
//===----------------------------------------------------------------------===//

typedef struct frames {
  transform of; // a frame
  xc_graph_value *signal, *window;
  int64_t step, count;
} frames;

static bool read_frames(xc_onnx_importer *im, frames *f) {
  enum { STEP = 1, WINDOW, LENGTH };
  bool onesided = xc_onnx_int(im, "onesided", 1) != 0;
  *f = (frames){.window = xc_onnx_input(im, WINDOW)};
  if (!xc_onnx_need_input(im, 0, &f->signal) ||
      !xc_onnx_check_rank(im, f->signal, 2, 3) ||
      (f->window && !xc_onnx_check_rank(im, f->window, 1, 1)) ||
      !read_number(im, STEP, &f->step))
    return false;
  const xc_shape *shape = &f->signal->shape;
  transform *t = &f->of;
  t->parts = shape->rank == 3 ? shape->dims[2] : 1;
  t->length = f->window ? f->window->shape.dims[0] : 0;
  if (!check_numbers(im, f->signal, t->parts) ||
      !read_number(im, LENGTH, &t->length) || !check_length(im, t))
    return false;
  if (onesided && t->parts == 2)
    return xc_onnx_error(im, "attribute 'onesided' is set for complex numbers");
  if (f->step < 1 || f->step > UINT16_MAX || t->length > UINT16_MAX ||
      t->length > shape->dims[1] ||
      (f->window && f->window->shape.dims[0] != t->length))
    return xc_onnx_error(
        im,
        "has frames of %" PRId64 " at steps of %" PRId64
        ", which do not fit the window or the signal of %" PRId64,
        t->length, f->step, shape->dims[1]);
  t->inputs = t->length;
  t->outputs = onesided ? t->length / 2 + 1 : t->length;
  f->count = (shape->dims[1] - t->length) / f->step + 1;
  return true;
}

// Kernels [results * 2, 1, length, parts], as the window dampens them.
static MlirValue emit_waves(xc_onnx_importer *im, const frames *f) {
  xc_graph *graph = &im->graph;
  const transform *t = &f->of;
  xc_element element = f->signal->shape.element;
  const xc_shape shape = {.element = element,
                          .rank = 4,
                          .dims = {t->outputs * 2, 1, t->length, t->parts}};
  const int64_t dims[] = {1, 1, t->length, 1};
  void *factors = make_factors(im, t, element, true);
  if (!factors)
    return (MlirValue){NULL};
  for (int64_t i = 0;
       f->window && f->window->data && i < xc_shape_num_elements(&shape); ++i) {
    const xc_graph_value table = {.shape = shape, .data = factors};
    xc_graph_number number = xc_graph_load(&table, i);
    number.real *=
        xc_graph_to_real(xc_graph_load(f->window, i / t->parts % t->length));
    xc_graph_store(element, factors, i, number);
  }
  MlirValue waves = xc_graph_get_plain(
      graph, xc_graph_constant(graph, graph->node, &shape, factors, false));
  if (!f->window || f->window->data)
    return waves;
  MlirValue window = xc_graph_get_plain(graph, f->window);
  return xc_graph_emit_binary(graph, "waves", XC_TIR_MUL, waves,
                              xc_graph_emit_reshape(graph, window, dims, 4));
}

bool xc_onnx_stft(xc_onnx_importer *im) {
  frames f;
  if (!read_frames(im, &f))
    return false;
  xc_graph *graph = &im->graph;
  const transform *t = &f.of;
  const int64_t *signal = f.signal->shape.dims;
  const int64_t line[] = {signal[0], 1, signal[1], t->parts};
  const int64_t spectra[] = {signal[0], f.count, t->outputs, 2};
  const int64_t kernel[] = {t->length, 1}, stride[] = {f.step, 1},
                dilation[] = {1, 1}, pad[] = {0, 0, 0, 0};
  const xc_attribute attributes[] = {xc_ints("kernel", kernel, 2),
                                     xc_ints("stride", stride, 2),
                                     xc_ints("dilation", dilation, 2),
                                     xc_ints("pad", pad, 4),
                                     xc_int("group", 1),
                                     xc_string("pad_mode", "FLOOR")};
  const MlirValue operands[] = {
      xc_graph_emit_reshape(graph, xc_graph_get_plain(graph, f.signal), line,
                            4),
      emit_waves(im, &f)};
  MlirValue y = xc_graph_emit(graph, NULL, XC_TIR_CONV2D, operands, 2,
                              XC_ATTRIBUTES(attributes), XC_ELEMENT_NONE);
  return xc_onnx_result_plain(im, 0,
                              xc_graph_emit_reshape(graph, y, spectra, 4));
}
