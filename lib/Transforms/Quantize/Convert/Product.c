//===- Product.c - convolutions and matrix products -----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion.h"

#include "Transforms/Quantize/FixPoints/FixPoints.h"
#include "Transforms/Quantize/Function/Activation.h"

#include <stdlib.h>
#include <string.h>

enum { INPUT, WEIGHT, BIAS };

typedef struct product {
  MlirValue operands[3];
  int input, weight, bias, output; // fix points
  bool has_bias, hard;
  bool is_limited; // the result saturates where a clamp was
  int hard_in;     // fix point in front of a hard activation
} product;

static int smaller(int a, int b) { return a < b ? a : b; }

// Moves fix points into the ranges of docs/fixed-point.md: the shift of the
// result 0 to 16, that of the bias -1 to 16.
static void repair(product *p) {
  if (p->hard) {
    p->hard_in = xc_clamp_point(p->hard_in, XC_HARD_POINT, 15);
    // The sum's own fix point is no smaller either: coarser weights saturate.
    if (p->input + p->weight < XC_HARD_POINT)
      p->weight = XC_HARD_POINT - p->input;
  }
  int *cut_by = p->hard ? &p->hard_in : &p->output;
  // Nor is that of a result which saturates where a clamp was.
  if (p->is_limited && p->input + p->weight < *cut_by)
    p->weight = *cut_by - p->input;
  if (p->input + p->weight - *cut_by > 16)
    p->weight = 16 + *cut_by - p->input;
  if (p->has_bias) {
    // A coarse bias asks for coarser weights, a fine one is made coarser.
    if (p->input + p->weight - p->bias > 16)
      p->weight = 16 + p->bias - p->input;
    p->bias = smaller(p->bias, p->input + p->weight + 1);
  }
  *cut_by = smaller(*cut_by, p->input + p->weight);
}

static void add_hard(xc_conversion *c, const product *p, bool swish) {
  xc_attributes_add(&c->attributes, xc_int("hsigmoid_in", p->hard_in));
  xc_attributes_add(
      &c->attributes,
      xc_int("shift_hsigmoid", 14 + p->hard_in - (swish ? 7 : p->output)));
  if (swish)
    xc_attributes_add(&c->attributes,
                      xc_int("shift_hswish", p->hard_in + 7 - p->output));
}

// Hard activations fix the range of their result's fix point.
static void settle_hard(product *p, bool swish) {
  p->output =
      swish ? xc_clamp_point(p->output, p->hard_in - 8, p->hard_in + 7) : 7;
}

// Reads the bias as doubles, which can be changed; the caller frees the data.
static bool read_bias(const xc_conversion *c, xc_tensor *bias) {
  xc_tensor floats;
  void *copy;
  if (!xc_convert_read(c, BIAS, &floats, &copy))
    return false;
  int64_t count = xc_tensor_count(&floats);
  *bias = (xc_tensor){floats.shape,
                      xc_alloc_array((size_t)count + 1, sizeof(double))};
  bias->shape.element = XC_ELEMENT_F64;
  xc_get_reals(&floats, 0, count, bias->data);
  free(copy);
  return true;
}

static bool build_constants(const xc_conversion *c, product *p,
                            const xc_tensor *weights, const xc_tensor *bias) {
  for (size_t slot = WEIGHT; slot <= (bias ? BIAS : WEIGHT); ++slot) {
    MlirOperation constant =
        mlirOpResultGetOwner(xc_operand(&c->adaptor, slot));
    p->operands[slot] = xc_convert_build_constant(
        c, mlirOperationGetLocation(constant), slot == WEIGHT ? weights : bias,
        slot == WEIGHT ? p->weight : p->bias);
    if (mlirValueIsNull(p->operands[slot]))
      return false;
  }
  return true;
}

// Rounds weights and bias. The weights' fix point is settled first, since what
// they lose goes into the bias.
static bool round_constants(const xc_conversion *c, product *p, bool matmul) {
  xc_tensor weights, bias = {0};
  void *copy;
  if (!xc_convert_read(c, WEIGHT, &weights, &copy))
    return false;
  p->weight = xc_quantize_search(&weights, XcRoundModePy3);
  bool ok = !p->has_bias || read_bias(c, &bias);
  if (bias.data) {
    p->bias = xc_quantize_search(&bias, XcRoundModePy3);
    repair(p);
    if (!matmul)
      xc_quantize_correct_bias(c, &weights, p->weight, p->input, bias.data);
    p->bias = xc_quantize_search(&bias, XcRoundModePy3);
  }
  repair(p);
  ok = ok && build_constants(c, p, &weights, bias.data ? &bias : NULL);
  free(copy);
  free(bias.data);
  return ok;
}

static bool convert_product(xc_conversion *c, xc_op_kind to, bool matmul) {
  product p = {.has_bias = xc_has_operand(&c->adaptor, BIAS),
               .hard_in = c->result->calibrated};
  xc_quantize_value *own = c->result;
  const char *nonlinear = xc_convert_fuse(c, !matmul);
  c->result->product = matmul ? NULL : own;
  p.hard = xc_nonlinear_is_hard(nonlinear);
  bool swish = p.hard && strcmp(nonlinear, "HSWISH") == 0;
  p.output = c->result->calibrated;
  int limit;
  p.is_limited = c->result->zero != 0 ||
                 (mlirValueIsAOpResult(c->result->original) &&
                  xc_quantize_saturation(
                      mlirOpResultGetOwner(c->result->original), &limit));
  if (!xc_convert_operand(c, INPUT, &p.operands[INPUT], &p.input) ||
      !round_constants(c, &p, matmul))
    return false;
  if (p.hard)
    settle_hard(&p, swish);
  xc_convert_attributes(c, to);
  nonlinear = xc_settle_relu6(nonlinear, p.output);
  xc_attributes_add(&c->attributes,
                    xc_string("nonlinear", nonlinear ? nonlinear : "NONE"));
  if (p.hard)
    add_hard(c, &p, swish);
  const int64_t both[] = {p.input, p.weight};
  if (matmul) {
    xc_attributes_add(&c->attributes, xc_ints("input_fix_point", both, 2));
  } else {
    xc_attributes_add(&c->attributes, xc_int("input_fix_point", p.input));
    xc_attributes_add(&c->attributes, xc_int("weight_fix_point", p.weight));
  }
  if (p.has_bias)
    xc_attributes_add(&c->attributes, xc_int("bias_fix_point", p.bias));
  return xc_convert_finish(c, to, p.operands, p.has_bias ? 3 : 2, p.output);
}

bool xc_convert_conv(xc_conversion *c, xc_op_kind to) {
  return convert_product(c, to, false);
}

bool xc_convert_matmul(xc_conversion *c, xc_op_kind to) {
  return convert_product(c, to, true);
}
