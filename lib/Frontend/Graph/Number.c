//===- Number.c - elements of constants -----------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fold.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static float bits_to_float(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

// sign 1, exponent 5 (bias 15), fraction 10.
static double load_half(uint16_t bits) {
  int exponent = bits >> 10 & 31;
  double fraction = bits & 1023;
  double value = exponent == 0 ? ldexp(fraction, -24)
                 : exponent == 31
                     ? (fraction != 0 ? (double)NAN : (double)INFINITY)
                     : ldexp(fraction + 1024, exponent - 25);
  return bits >> 15 ? -value : value;
}

static uint16_t store_half(double value) {
  uint16_t sign = signbit(value) ? 0x8000 : 0;
  double size = fabs(value);
  if (isnan(value))
    return (uint16_t)(sign | 0x7e00);
  if (size >= 65520)
    return (uint16_t)(sign | 0x7c00);
  if (size == 0)
    return sign; // it has no exponent
  int exponent = 0;
  frexp(size, &exponent); // size = f * 2^exponent, f in [0.5, 1)
  int unit = exponent < -13 ? -24 : exponent - 11;
  double units = nearbyint(ldexp(size, -unit));
  // A fraction that rounds up to 2048 carries into the exponent by itself.
  unsigned biased = exponent < -13 ? 0 : (unsigned)(exponent + 13);
  return (uint16_t)(sign | ((biased << 10) + (unsigned)units));
}

static uint16_t store_bfloat(double value) {
  float narrow = (float)value;
  uint32_t bits;
  memcpy(&bits, &narrow, sizeof(bits));
  if (isnan(value))
    return (uint16_t)(bits >> 16 | 0x40);
  return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static xc_graph_number integer(int64_t value) {
  return (xc_graph_number){.integer = value};
}
static xc_graph_number real(double value) {
  return (xc_graph_number){.is_float = true, .real = value};
}

#define LOAD(type, make)                                                       \
  {                                                                            \
    type value;                                                                \
    memcpy(&value, at, sizeof(value));                                         \
    return make;                                                               \
  }

xc_graph_number xc_graph_load(const xc_graph_value *constant, int64_t index) {
  xc_element element = constant->shape.element;
  size_t offset = constant->splat ? 0 : (size_t)index;
  const uint8_t *at = constant->data + offset * xc_element_size(element);
  switch (element) {
  case XC_ELEMENT_F16:
    LOAD(uint16_t, real(load_half(value)))
  case XC_ELEMENT_BF16:
    LOAD(uint16_t, real((double)bits_to_float((uint32_t)value << 16)))
  case XC_ELEMENT_F32:
    LOAD(float, real((double)value))
  case XC_ELEMENT_F64:
    LOAD(double, real(value))
  case XC_ELEMENT_I1:
    LOAD(uint8_t, integer(value != 0))
  case XC_ELEMENT_I8:
    LOAD(int8_t, integer(value))
  case XC_ELEMENT_I16:
    LOAD(int16_t, integer(value))
  case XC_ELEMENT_I32:
    LOAD(int32_t, integer(value))
  case XC_ELEMENT_I64:
    LOAD(int64_t, integer(value))
  case XC_ELEMENT_UI8:
    LOAD(uint8_t, integer(value))
  case XC_ELEMENT_UI16:
    LOAD(uint16_t, integer(value))
  case XC_ELEMENT_UI32:
    LOAD(uint32_t, integer(value))
  case XC_ELEMENT_UI64:
    LOAD(uint64_t, integer((int64_t)value))
  case XC_ELEMENT_NONE:
    break;
  }
  assert(false && "constants have an element type");
  return integer(0);
}

double xc_graph_to_real(xc_graph_number number) {
  return number.is_float ? number.real : (double)number.integer;
}

int64_t xc_graph_to_int(xc_graph_number number) {
  const double limit = 9223372036854775808.0; // 2^63
  if (!number.is_float)
    return number.integer;
  if (isnan(number.real))
    return 0;
  if (number.real >= limit)
    return INT64_MAX;
  return number.real < -limit ? INT64_MIN : (int64_t)number.real;
}

#define STORE(type, number)                                                    \
  {                                                                            \
    type value = (type)(number);                                               \
    memcpy(at, &value, sizeof(value));                                         \
    return;                                                                    \
  }

void xc_graph_store(xc_element element, void *data, int64_t index,
                    xc_graph_number number) {
  uint8_t *at = (uint8_t *)data + (size_t)index * xc_element_size(element);
  int64_t whole = xc_graph_to_int(number);
  switch (element) {
  case XC_ELEMENT_F16:
    STORE(uint16_t, store_half(xc_graph_to_real(number)))
  case XC_ELEMENT_BF16:
    STORE(uint16_t, store_bfloat(xc_graph_to_real(number)))
  case XC_ELEMENT_F32:
    STORE(float, xc_graph_to_real(number))
  case XC_ELEMENT_F64:
    STORE(double, xc_graph_to_real(number))
  case XC_ELEMENT_I1:
    STORE(uint8_t, xc_graph_to_real(number) != 0)
  case XC_ELEMENT_I8:
    STORE(int8_t, whole)
  case XC_ELEMENT_I16:
    STORE(int16_t, whole)
  case XC_ELEMENT_I32:
    STORE(int32_t, whole)
  case XC_ELEMENT_I64:
    STORE(int64_t, whole)
  case XC_ELEMENT_UI8:
    STORE(uint8_t, whole)
  case XC_ELEMENT_UI16:
    STORE(uint16_t, whole)
  case XC_ELEMENT_UI32:
    STORE(uint32_t, whole)
  case XC_ELEMENT_UI64:
    STORE(uint64_t, whole)
  case XC_ELEMENT_NONE:
    break;
  }
}
