//===- Compare.c - whether tensors agree ----------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Graph.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void print_index(const xc_shape *shape, size_t element, xc_text *text) {
  int64_t index[XC_MAX_RANK];
  for (size_t i = shape->rank; i-- > 0;) {
    index[i] = (int64_t)element % shape->dims[i];
    element /= (size_t)shape->dims[i];
  }
  xc_text_puts(text, "[");
  for (size_t i = 0; i < shape->rank; ++i)
    xc_text_printf(text, "%s%" PRId64, i ? ", " : "", index[i]);
  xc_text_puts(text, "]");
}

static int64_t load_int(xc_element element, const unsigned char *at) {
  int64_t value = 0;
  size_t size = xc_element_size(element);
  memcpy(&value, at, size);
  bool is_signed = element == XC_ELEMENT_I8 || element == XC_ELEMENT_I16 ||
                   element == XC_ELEMENT_I32;
  if (is_signed) {
    unsigned shift = (unsigned)(64 - 8 * size);
    value = (int64_t)((uint64_t)value << shift) >> shift;
  }
  return value;
}

bool fuzz_compare_bits(const char *what, size_t index, const xc_shape *shape,
                       const void *expected, const void *actual, xc_text *why) {
  size_t size = xc_element_size(shape->element), differ = 0, first = 0;
  size_t count = (size_t)xc_shape_num_elements(shape);
  const unsigned char *a = expected, *b = actual;
  for (size_t i = count; i-- > 0;)
    if (memcmp(a + i * size, b + i * size, size) != 0) {
      ++differ;
      first = i;
    }
  if (differ == 0)
    return true;
  xc_text_printf(why, "%s %zu: element ", what, index);
  print_index(shape, first, why);
  xc_text_printf(
      why, " is %" PRId64 ", expected %" PRId64 "; %zu of %zu elements differ",
      load_int(shape->element, b + first * size),
      load_int(shape->element, a + first * size), differ, count);
  return false;
}

//===----------------------------------------------------------------------===//
// Floating point
//===----------------------------------------------------------------------===//

static double half_to_double(uint16_t bits) {
  int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  double value = exponent == 0    ? ldexp(mantissa, -24)
                 : exponent == 31 ? (mantissa ? NAN : INFINITY)
                                  : ldexp(1024 + mantissa, exponent - 25);
  return bits >> 15 ? -value : value;
}

static double load_real(xc_element element, const unsigned char *at) {
  uint16_t half;
  uint32_t word;
  float single;
  double real;
  switch (element) {
  case XC_ELEMENT_F16:
    memcpy(&half, at, sizeof(half));
    return half_to_double(half);
  case XC_ELEMENT_BF16:
    memcpy(&half, at, sizeof(half));
    word = (uint32_t)half << 16;
    memcpy(&single, &word, sizeof(single));
    return (double)single;
  case XC_ELEMENT_F64:
    memcpy(&real, at, sizeof(real));
    return real;
  default:
    memcpy(&single, at, sizeof(single));
    return (double)single;
  }
}

double fuzz_largest(const xc_shape *shape, const void *data,
                    bool *has_no_number) {
  double largest = 0;
  size_t size = xc_element_size(shape->element);
  size_t count = (size_t)xc_shape_num_elements(shape);
  if (!xc_element_is_float(shape->element))
    return 0;
  for (size_t i = 0; i < count; ++i) {
    double value =
        fabs(load_real(shape->element, (const unsigned char *)data + i * size));
    if (!isfinite(value))
      *has_no_number = true;
    else if (value > largest)
      largest = value;
  }
  return largest;
}

// Of a network in single precision; two units in the last place of the others.
static double tolerance(xc_element element) {
  return element == XC_ELEMENT_F16    ? 0x1p-9
         : element == XC_ELEMENT_BF16 ? 0x1p-6
                                      : 1e-5;
}

static bool is_close(double expected, double actual, double allowed) {
  if (isnan(expected) || isnan(actual))
    return isnan(expected) && isnan(actual);
  if (isinf(expected) || isinf(actual))
    return expected == actual;
  return fabs(expected - actual) <= allowed;
}

bool fuzz_compare(const char *what, size_t index, const xc_shape *shape,
                  const void *expected, const void *actual, double largest,
                  xc_text *why) {
  if (!xc_element_is_float(shape->element))
    return fuzz_compare_bits(what, index, shape, expected, actual, why);
  size_t size = xc_element_size(shape->element);
  size_t count = (size_t)xc_shape_num_elements(shape);
  double allowed = tolerance(shape->element) * largest;
  for (size_t i = 0; i < count; ++i) {
    double a =
        load_real(shape->element, (const unsigned char *)expected + i * size);
    double b =
        load_real(shape->element, (const unsigned char *)actual + i * size);
    if (is_close(a, b, allowed))
      continue;
    xc_text_printf(why, "%s %zu: element ", what, index);
    print_index(shape, i, why);
    xc_text_printf(why, " is %.9g, expected %.9g, at most %.3g off", b, a,
                   allowed);
    return false;
  }
  return true;
}
