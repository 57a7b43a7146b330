//===- OpsFormula.c - operators that are formulas of others ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include <inttypes.h>

bool xc_tflite_atan2(xc_tflite_context *c) {
  return xc_tflite_set(c, 0,
                       xc_graph_emit_atan2(&c->importer->graph,
                                           xc_tflite_value(c, 0),
                                           xc_tflite_value(c, 1)));
}

bool xc_tflite_fake_quant(xc_tflite_context *c) {
  const xc_graph_fake_quant quant = {
      .min = xc_tflite_float_option(c, XC_TFL_FakeQuantOptions_min),
      .max = xc_tflite_float_option(c, XC_TFL_FakeQuantOptions_max),
      .bits = xc_tflite_option(c, XC_TFL_FakeQuantOptions_num_bits),
      .is_narrow = xc_tflite_option(c, XC_TFL_FakeQuantOptions_narrow) != 0};
  MlirValue x = xc_tflite_value(c, 0);
  if (quant.bits < 2 || quant.bits > 16 || !(quant.min < quant.max))
    return xc_tflite_error(c, "has %" PRId64 " bits from %g to %g", quant.bits,
                           quant.min, quant.max);
  return !mlirValueIsNull(x) &&
         xc_tflite_set(
             c, 0, xc_graph_emit_fake_quant(&c->importer->graph, x, &quant));
}

// How many boundaries are at most as large.
bool xc_tflite_bucketize(xc_tflite_context *c) {
  xc_graph *graph = &c->importer->graph;
  xc_flatbuffer *buffer = &c->importer->buffer;
  MlirValue x = xc_tflite_value(c, 0);
  xc_fb_vector list =
      xc_fb_vector_of(buffer, &c->operator->options,
                      xc_tflite_field(XC_TFL_BucketizeOptions_boundaries));
  if (mlirValueIsNull(x) || buffer->failed)
    return false;
  xc_shape shape = xc_value_shape(x), flat = {.element = XC_ELEMENT_F32,
                                              .rank = 1,
                                              .dims = {(int64_t)list.count}};
  float *floats =
      xc_graph_table(graph, (int64_t)list.count + 1, sizeof(*floats));
  if (!floats || list.count == 0 || shape.rank == XC_MAX_RANK)
    return floats && xc_tflite_error(c, "has no boundaries, or too many "
                                        "dimensions");
  for (size_t i = 0; i < list.count; ++i)
    floats[i] = xc_fb_vector_float(buffer, &list, i);
  const int64_t last = (int64_t)shape.rank;
  shape.dims[shape.rank] = 1;
  x = xc_graph_emit_reshape(graph, x, shape.dims, shape.rank + 1);
  if (shape.element != XC_ELEMENT_F32)
    x = xc_graph_emit_cast(graph, "real", x, XC_ELEMENT_F32);
  MlirValue reached = xc_graph_emit_compare(
      graph, "GE", x, xc_tflite_part_constant(c, "boundaries", floats, &flat));
  reached = xc_graph_emit_cast(graph, "number", reached, XC_ELEMENT_I32);
  return !buffer->failed &&
         xc_tflite_set(c, 0,
                       xc_graph_emit_reduction(graph, XC_TIR_REDUCTION_SUM,
                                               reached, &last, 1, false));
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

bool xc_tflite_bitwise_xor(xc_tflite_context *c) {
  bool is_truth = xc_tflite_input(c, 0)->element == XC_ELEMENT_I1;
  xc_tflite_attributes attributes = {.count = 0};
  const MlirValue values[] = {xc_tflite_value(c, 0), xc_tflite_value(c, 1)};
  xc_tflite_add(&attributes, xc_string("type", "XOR"));
  return xc_tflite_finish(c, is_truth ? XC_TIR_LOGICAL : XC_TIR_BITWISE, values,
                          2, &attributes);
}

// Divided by a power of two, rounding down, in 64 bits that hold the power.
bool xc_tflite_right_shift(xc_tflite_context *c) {
  enum { MOST_BITS = 62 };
  xc_graph *graph = &c->importer->graph;
  MlirValue a = xc_tflite_value(c, 0), b = xc_tflite_value(c, 1);
  if (mlirValueIsNull(a) || mlirValueIsNull(b))
    return false;
  xc_element element = xc_value_shape(a).element;
  a = xc_graph_emit_cast(graph, "wide", a, XC_ELEMENT_I64);
  b = xc_graph_emit_cast(graph, "bits", b, XC_ELEMENT_I64);
  b = xc_graph_emit_with(graph, "most", XC_TIR_MIN, b, MOST_BITS);
  MlirValue power =
      xc_graph_emit_binary(graph, "power", XC_TIR_POW,
                           xc_graph_emit_number(graph, 2, XC_ELEMENT_I64), b);
  MlirValue whole =
      xc_graph_emit_binary(graph, "whole", XC_TIR_SUB, a,
                           xc_graph_emit_modulo(graph, a, power, true));
  MlirValue shifted =
      xc_graph_emit_binary(graph, "quotient", XC_TIR_DIV, whole, power);
  return xc_tflite_set(c, 0, xc_graph_emit_cast(graph, NULL, shifted, element));
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

// Rows of the table, which can be one of 8 bits under a result of floats.
bool xc_tflite_embedding_lookup(xc_tflite_context *c) {
  xc_tflite_attributes attributes = {.count = 0};
  bool is_float = xc_tflite_output(c, 0)->element == XC_ELEMENT_F32;
  const MlirValue values[] = {is_float ? xc_tflite_float_value(c, 1)
                                       : xc_tflite_value(c, 1),
                              xc_tflite_value(c, 0)};
  xc_tflite_add(&attributes, xc_int("axis", 0));
  return xc_tflite_finish(c, XC_TIR_GATHER, values, 2, &attributes);
}
