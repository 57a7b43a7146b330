//===- Sites.c - gates between tensors in fixed point ---------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Approximate.h"

#include "IR/IR.h"

#include "mlir-c/BuiltinAttributes.h"

#include <math.h>

static bool defined_by(MlirValue value, xc_op_kind kind, xc_adaptor *adaptor) {
  return mlirValueIsAOpResult(value) &&
         xc_adaptor_of_tir(mlirOpResultGetOwner(value), adaptor) &&
         adaptor->info->kind == kind;
}

// Whether all who read the gate multiply it; `*own`: with `input`.
static bool only_products(MlirValue gate, MlirValue input, bool *own) {
  *own = true;
  for (MlirOpOperand use = mlirValueGetFirstUse(gate);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    xc_adaptor reader;
    intptr_t slot = mlirOpOperandGetOperandNumber(use);
    if (!xc_adaptor_of_tir(mlirOpOperandGetOwner(use), &reader) ||
        reader.info->kind != XC_TIR_ELTWISE_FIX ||
        !xc_attr_is(&reader, XC_ATTR_TYPE, XC_ENUM_MUL))
      return false;
    *own &= mlirValueEqual(xc_operand(&reader, slot ? 0 : 1), input);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// GELU
//===----------------------------------------------------------------------===//

// Reads the number that all elements of a constant are.
static bool read_number(MlirValue value, double *number) {
  xc_adaptor constant;
  xc_shape shape;
  if (!defined_by(value, XC_TIR_CONST, &constant))
    return false;
  MlirAttribute all = xc_op_attribute(constant.operation, "value");
  if (mlirAttributeIsNull(all) || !mlirAttributeIsADenseElements(all) ||
      !mlirDenseElementsAttrIsSplat(all) ||
      !xc_shape_of_type(mlirValueGetType(value), &shape))
    return false;
  if (shape.element == XC_ELEMENT_F32)
    *number = (double)mlirDenseElementsAttrGetFloatSplatValue(all);
  else if (shape.element == XC_ELEMENT_I8)
    *number = mlirDenseElementsAttrGetInt8SplatValue(all);
  else
    return false;
  return true;
}

/// scale * x + offset
typedef struct line {
  MlirValue x;
  double scale, offset;
} line;

// Goes through one operator that makes a line of its first operand.
static bool peel(line *l) {
  xc_adaptor op;
  double number, offset = 0;
  if (!xc_value_has_one_use(l->x))
    return false;
  if (defined_by(l->x, XC_TIR_MUL, &op) &&
      read_number(xc_operand(&op, 1), &number)) {
    l->scale *= number;
  } else if (defined_by(l->x, XC_TIR_ADD, &op) &&
             read_number(xc_operand(&op, 1), &number)) {
    l->offset += l->scale * number;
  } else if (defined_by(l->x, XC_TIR_SCALE, &op) &&
             read_number(xc_operand(&op, 1), &number) &&
             (!xc_has_operand(&op, 2) ||
              read_number(xc_operand(&op, 2), &offset))) {
    l->offset += l->scale * offset;
    l->scale *= number;
  } else {
    return false;
  }
  l->x = xc_operand(&op, 0);
  return true;
}

// One over the root of two, as 8 bits can say it.
static bool is_half_root(double number) {
  const double half_root = 0.7071067811865476, bound = 0.01;
  return fabs(number - half_root) < bound;
}

// Of a product in fixed point with that number, the slot of the other factor:
// -1 where it is none.
static int other_factor(const xc_adaptor *product) {
  double number;
  if (!xc_attr_is(product, XC_ATTR_TYPE, XC_ENUM_MUL) ||
      xc_num_inputs(product) != 2)
    return -1;
  for (size_t slot = 0; slot < 2; ++slot) {
    int point = (int)xc_attr_int_at(product, XC_ATTR_INPUT_FIX_POINT, slot);
    if (read_number(xc_operand(product, slot), &number) &&
        is_half_root(ldexp(number, -point)))
      return slot ? 0 : 1;
  }
  return -1;
}

// Whether the depthwise convolution only multiplies with that number.
static bool is_factor(const xc_adaptor *conv) {
  double number, bias = 0;
  int64_t points[XC_MAX_INTS];
  return xc_attr_all(conv, XC_ATTR_KERNEL, 1) &&
         xc_attr_all(conv, XC_ATTR_STRIDE, 1) &&
         xc_attr_all(conv, XC_ATTR_PAD, 0) &&
         xc_attr_ints(conv, XC_ATTR_WEIGHT_FIX_POINTS, points) == 0 &&
         read_number(xc_operand(conv, 1), &number) &&
         is_half_root(ldexp(
             number, -(int)xc_attr_int(conv, XC_ATTR_WEIGHT_FIX_POINT))) &&
         (!xc_has_operand(conv, 2) ||
          (read_number(xc_operand(conv, 2), &bias) && bias == 0));
}

// Reads a product with that number in fixed point. Sets the input of the site
// to the other factor.
static bool read_scaled(MlirValue value, xc_gate_site *site) {
  xc_adaptor op;
  if (defined_by(value, XC_TIR_ELTWISE_FIX, &op)) {
    int slot = other_factor(&op);
    if (slot < 0)
      return false;
    site->input = xc_operand(&op, (size_t)slot);
    site->in = (int)xc_attr_int_at(&op, XC_ATTR_INPUT_FIX_POINT, (size_t)slot);
  } else if (defined_by(value, XC_TIR_DEPTHWISE_CONV2D_FIX, &op)) {
    if (!is_factor(&op))
      return false;
    site->input = xc_operand(&op, 0);
    site->in = (int)xc_attr_int(&op, XC_ATTR_INPUT_FIX_POINT);
  } else {
    return false;
  }
  return xc_attr_is(&op, XC_ATTR_NONLINEAR, XC_ENUM_NONE);
}

// 2^gain * (1 + erf(x / sqrt(2))) / 2, of x in fixed point.
static bool read_gelu(MlirValue value, xc_gate_site *site) {
  xc_adaptor function, real;
  line outer = {value, 1, 0};
  while (peel(&outer))
    ;
  int exponent;
  if (!xc_value_has_one_use(outer.x) ||
      !defined_by(outer.x, XC_TIR_ERF, &function) ||
      outer.scale != outer.offset || frexp(outer.scale, &exponent) != 0.5)
    return false;
  site->gate = XC_GATE_GELU;
  site->gain = exponent; // 2^-1 has 0
  line inner = {xc_operand(&function, 0), 1, 0};
  while (peel(&inner))
    ;
  if (!defined_by(inner.x, XC_TIR_FIX2FLOAT, &real) || inner.offset != 0)
    return false;
  site->input = xc_operand(&real, 0);
  site->in = (int)xc_attr_int(&real, XC_ATTR_FIX_POINT);
  return is_half_root(inner.scale) ||
         (inner.scale == 1 && read_scaled(site->input, site));
}

//===----------------------------------------------------------------------===//
// Sites
//===----------------------------------------------------------------------===//

// Reads the float operators between fix2float and float2fix.
static bool read_chain(MlirValue value, xc_gate_site *site) {
  xc_adaptor function, inner, real;
  xc_gate *gate = &site->gate;
  if (read_gelu(value, site))
    return true;
  if (!xc_value_has_one_use(value))
    return false;
  if (defined_by(value, XC_TIR_SIGMOID, &function)) {
    *gate = XC_GATE_SIGMOID;
  } else if (defined_by(value, XC_TIR_TANH, &function)) {
    *gate = XC_GATE_TANH;
    if (defined_by(xc_operand(&function, 0), XC_TIR_SOFTPLUS, &inner) &&
        xc_value_has_one_use(xc_operand(&function, 0))) {
      *gate = XC_GATE_MISH;
      function = inner;
    }
  } else {
    return false;
  }
  if (!defined_by(xc_operand(&function, 0), XC_TIR_FIX2FLOAT, &real))
    return false;
  site->input = xc_operand(&real, 0);
  site->in = (int)xc_attr_int(&real, XC_ATTR_FIX_POINT);
  return true;
}

static bool is_plain(const xc_adaptor *adaptor, MlirValue fixed) {
  xc_shape shape;
  return xc_shape_of_type(mlirValueGetType(fixed), &shape) &&
         shape.element == XC_ELEMENT_I8 &&
         xc_attr_is(adaptor, XC_ATTR_ROUND_MODE, XC_ENUM_DPU_ROUND);
}

bool xc_gate_read_site(MlirOperation operation, xc_gate_site *site) {
  xc_adaptor quantise;
  *site = (xc_gate_site){.quantise = operation};
  if (!xc_adaptor_of_tir(operation, &quantise) ||
      quantise.info->kind != XC_TIR_FLOAT2FIX ||
      !is_plain(&quantise, xc_op_result(operation)) ||
      !read_chain(xc_operand(&quantise, 0), site))
    return false;
  bool own;
  site->only_products =
      only_products(xc_op_result(operation), site->input, &own);
  if (site->gate == XC_GATE_SIGMOID && site->only_products && own)
    site->gate = XC_GATE_SILU;
  site->out = (int)xc_attr_int(&quantise, XC_ATTR_FIX_POINT) + site->gain;
  xc_shape shape;
  xc_shape_of_type(mlirValueGetType(site->input), &shape);
  site->is_image = shape.rank == 4;
  return shape.element == XC_ELEMENT_I8 && mlirValueIsAOpResult(site->input) &&
         (site->gate != XC_GATE_GELU || site->only_products);
}
