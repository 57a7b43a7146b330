//===- Build.c - puts a form in the place of a gate -----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Approximate.h"

#include "IR/IR.h"
#include "dialects/Build.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>
#include <string.h>

static MlirValue build_line(const xc_builder *b, const xc_form_line *line,
                            MlirValue input, int in, int out) {
  xc_shape shape;
  xc_shape_of_type(mlirValueGetType(input), &shape);
  int64_t channels = shape.dims[shape.rank - 1];
  xc_shape weight = {XC_ELEMENT_I8, 4, {1, 1, 1, channels}, false};
  xc_shape bias = {XC_ELEMENT_I8, 1, {channels}, false};
  int8_t *numbers = xc_alloc_array((size_t)channels + 1, 1);
  memset(numbers, line->weight, (size_t)channels);
  MlirValue operands[] = {
      input, xc_build_const_bytes(b, numbers, &weight), {NULL}};
  memset(numbers, line->bias, (size_t)channels);
  operands[2] = xc_build_const_bytes(b, numbers, &bias);
  free(numbers);
  static const int64_t unit[] = {1, 1};
  const xc_attribute attributes[] = {
      xc_ints("kernel", unit, 2),
      xc_ints("stride", unit, 2),
      xc_int("input_fix_point", in),
      xc_int("weight_fix_point", line->weight_point),
      xc_int("bias_fix_point", line->bias_point),
      xc_int("output_fix_point", out)};
  return xc_build(b, XC_TIR_DEPTHWISE_CONV2D_FIX, operands, 3, attributes, 6,
                  XC_ELEMENT_I8);
}

static MlirValue build_hard_sigmoid(const xc_builder *b, MlirValue input,
                                    int in) {
  const xc_attribute attributes[] = {xc_int("input_fix_point", in),
                                     xc_int("output_fix_point", XC_GATE_POINT)};
  return xc_build(b, XC_TIR_HARD_SIGMOID_FIX, &input, 1, attributes, 2,
                  XC_ELEMENT_I8);
}

// Terms of one scale are one tensor, which canonicalisation finds out.
static MlirValue build_sum(const xc_builder *b, const xc_form *form,
                           MlirValue input, int in, int out) {
  MlirValue terms[XC_FORM_TERMS];
  int64_t points[XC_FORM_TERMS];
  for (size_t i = 0; i < form->num_terms; ++i) {
    terms[i] = build_hard_sigmoid(b, input, in - form->terms[i].scale);
    points[i] = XC_GATE_POINT + form->terms[i].weight;
    if (mlirValueIsNull(terms[i]))
      return terms[i];
  }
  if (form->num_terms == 1)
    return terms[0];
  const xc_attribute attributes[] = {
      xc_string("type", "ADD"),
      xc_ints("input_fix_point", points, form->num_terms),
      xc_int("output_fix_point", out)};
  return xc_build(b, XC_TIR_ELTWISE_FIX, terms, form->num_terms, attributes, 3,
                  XC_ELEMENT_I8);
}

// The products that read the gate take it at its new fix point.
static void tell_readers(MlirValue gate, int point) {
  for (MlirOpOperand use = mlirValueGetFirstUse(gate);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation reader = mlirOpOperandGetOwner(use);
    xc_adaptor adaptor;
    int64_t points[XC_MAX_INTS] = {0};
    if (!xc_adaptor_of_tir(reader, &adaptor))
      continue;
    size_t count = xc_attr_ints(&adaptor, XC_ATTR_INPUT_FIX_POINT, points);
    points[mlirOpOperandGetOperandNumber(use)] = point;
    xc_attribute changed = xc_ints("input_fix_point", points, count);
    mlirOperationSetAttributeByName(
        reader, mlirStringRefCreateFromCString(changed.name),
        xc_attribute_get(mlirOperationGetContext(reader), &changed));
  }
}

bool xc_form_build(const xc_gate_site *site) {
  const xc_form *form = site->form;
  xc_builder b = xc_builder_before(site->quantise);
  MlirValue value = site->input, gate = xc_op_result(site->quantise);
  int in = xc_form_input_point(form, site), point = xc_form_point(form, site);
  if (xc_form_has(&form->before))
    value = build_line(&b, &form->before, value, site->in, in);
  if (!mlirValueIsNull(value))
    value = build_sum(&b, form, value, in, xc_form_sum_point(form, site));
  if (!mlirValueIsNull(value) && xc_form_has(&form->after))
    value = build_line(&b, &form->after, value, XC_GATE_POINT, point);
  if (mlirValueIsNull(value))
    return false;
  MlirAttribute name = xc_op_attribute(site->quantise, "op_name");
  if (!mlirAttributeIsNull(name))
    mlirOperationSetAttributeByName(mlirOpResultGetOwner(value),
                                    mlirStringRefCreateFromCString("op_name"),
                                    name);
  mlirValueReplaceAllUsesOfWith(gate, value);
  if (point != site->out)
    tell_readers(value, point - site->gain);
  mlirOperationDestroy(site->quantise);
  return true;
}
