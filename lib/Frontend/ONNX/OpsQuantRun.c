//===- OpsQuantRun.c - scales computed at run time ------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include <inttypes.h>

static const MlirValue none = {NULL};

static MlirValue emit_cast(onnx_importer *importer, const char *suffix,
                           MlirValue value, xc_element element) {
  xc_shape shape;
  if (mlirValueIsNull(value))
    return value;
  xc_shape_of_type(mlirValueGetType(value), &shape);
  return shape.element == element
             ? value
             : onnx_emit_helper(importer, suffix, XC_TIR_CAST, &value, 1, NULL,
                                0, element);
}

static MlirValue emit_clip(onnx_importer *importer, MlirValue value, double low,
                           double high) {
  xc_attribute attributes[] = {xc_float("min", low), xc_float("max", high)};
  return onnx_emit_helper(importer, "saturate", XC_TIR_CLIP, &value, 1,
                          attributes, 2, XC_ELEMENT_NONE);
}

// A scale or zero point as it is broadcast to the input, in f32.
static MlirValue get_factor(onnx_importer *importer, size_t index,
                            const onnx_value *input, const onnx_order *order) {
  onnx_value *value = onnx_input(importer, index);
  int64_t dims[XC_MAX_RANK], size = xc_shape_num_elements(&value->shape);
  size_t axis = 0;
  if (size == 1)
    return emit_cast(
        importer, "factor",
        onnx_get_plain(importer, onnx_reshaped(importer, value, NULL, 0)),
        XC_ELEMENT_F32);
  if (!onnx_axis(importer, onnx_int(importer, "axis", 1), input->shape.rank,
                 &axis))
    return none;
  if (value->shape.rank != 1 || size != input->shape.dims[axis]) {
    onnx_error(importer,
               "input %zu has %" PRId64 " elements, expected 1 or %" PRId64,
               index, size, input->shape.dims[axis]);
    return none;
  }
  for (size_t i = 0; i < input->shape.rank; ++i)
    dims[i] = i == axis ? size : 1;
  value = onnx_reshaped(importer, value, dims, input->shape.rank);
  return value ? emit_cast(importer, "factor", onnx_get(importer, value, order),
                           XC_ELEMENT_F32)
               : none;
}

// round(x / scale) + zero, saturated.
static MlirValue emit_quantized(onnx_importer *importer, MlirValue x,
                                MlirValue scale, MlirValue zero,
                                xc_element element) {
  x = onnx_emit_step(importer, "scaled", XC_TIR_DIV, x, scale);
  x = onnx_emit_step(importer, "round", XC_TIR_ROUND, x, none);
  if (!mlirValueIsNull(zero))
    x = onnx_emit_step(importer, "shift", XC_TIR_ADD, x, zero);
  bool is_signed = element == XC_ELEMENT_I8;
  x = emit_clip(importer, x, is_signed ? -128 : 0, is_signed ? 127 : 255);
  return onnx_emit(importer, XC_TIR_CAST, &x, 1, NULL, 0, element);
}

static MlirValue emit_dequantized(onnx_importer *importer, MlirValue x,
                                  MlirValue scale, MlirValue zero) {
  x = emit_cast(importer, "real", x, XC_ELEMENT_F32);
  if (!mlirValueIsNull(zero))
    x = onnx_emit_step(importer, "shift", XC_TIR_SUB, x, zero);
  MlirValue both[] = {x, scale};
  return onnx_emit(importer, XC_TIR_MUL, both, 2, NULL, 0, XC_ELEMENT_NONE);
}

bool onnx_quantize_at_run_time(onnx_importer *importer, bool quantizes,
                               xc_element element) {
  onnx_value *value;
  if (!onnx_need_input(importer, 0, &value) ||
      (quantizes && element != XC_ELEMENT_I8 && element != XC_ELEMENT_UI8))
    return onnx_error(importer, "has a scale that is computed at run time and "
                                "is not for 8-bit integers");
  onnx_order order = onnx_cheapest(value);
  MlirValue input = onnx_get(importer, value, &order);
  MlirValue scale = get_factor(importer, 1, value, &order), zero = none;
  if (onnx_has_input(importer, 2)) {
    zero = get_factor(importer, 2, value, &order);
    if (mlirValueIsNull(zero))
      return false;
  }
  if (mlirValueIsNull(scale))
    return false;
  return onnx_result(importer, 0,
                     quantizes
                         ? emit_quantized(importer, input, scale, zero, element)
                         : emit_dequantized(importer, input, scale, zero),
                     &order);
}

// The largest of all elements and 0, a scalar.
static MlirValue emit_top(onnx_importer *importer, const onnx_value *value,
                          MlirValue x, onnx_order order) {
  onnx_reduction_axes all = {.order = order, .count = value->shape.rank};
  for (size_t i = 0; i < all.count; ++i)
    all.axes[i] = (int64_t)i;
  if (all.count)
    x = onnx_emit_reduction(importer, XC_TIR_REDUCTION_MAX, x, &all);
  return onnx_emit_step_number(importer, "top", XC_TIR_MAX, x, 0);
}

// 8 bits without sign from the smallest to the largest element, 0 among them.
bool onnx_dynamic_quantize(onnx_importer *importer) {
  onnx_value *value;
  if (!onnx_need_input(importer, 0, &value))
    return false;
  onnx_order order = onnx_cheapest(value);
  onnx_order plain = onnx_identity(0);
  MlirValue x = onnx_get(importer, value, &order);
  MlirValue high = emit_top(importer, value, x, order);
  MlirValue low = emit_top(importer, value,
                           onnx_emit_step(importer, "neg", XC_TIR_NEG, x, none),
                           order); // without its sign
  MlirValue scale = onnx_emit_step_number(
      importer, "scale", XC_TIR_DIV,
      onnx_emit_step(importer, "range", XC_TIR_ADD, high, low), 255);
  MlirValue zero = onnx_emit_step(importer, "zero", XC_TIR_DIV, low, scale);
  zero = onnx_emit_step(importer, "zero", XC_TIR_ROUND, zero, none);
  zero = emit_clip(importer, zero, 0, 255);
  return onnx_result(importer, 0,
                     emit_quantized(importer, x, scale, zero, XC_ELEMENT_UI8),
                     &order) &&
         onnx_result(importer, 1, scale, &plain) &&
         onnx_result(importer, 2,
                     emit_cast(importer, "point", zero, XC_ELEMENT_UI8),
                     &plain);
}
