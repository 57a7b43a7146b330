//===- Quant.h - parameters of operators with scales --------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integers as in the reference kernels of TFLite: a real factor is a 32-bit
// multiplier with a shift; products are rounded twice, by the doubling high
// multiplication and by the shift. Fixed-point functions (exp, 1 / (1 + x))
// work on 32-bit numbers whose integer bits the comments give.
//
//===----------------------------------------------------------------------===//

#ifndef XC_OPPARAMS_QUANT_H
#define XC_OPPARAMS_QUANT_H

#include "Support/Memory.h"
#include "dialects/Adaptor.h"

/// value / 2^31 * 2^shift.
typedef struct xc_multiplier {
  int32_t value;
  int shift;
  /// The product is rounded once, and nothing is lost before.
  bool once;
} xc_multiplier;

xc_multiplier xc_multiplier_of(double real);
double xc_multiplier_real(xc_multiplier multiplier);
/// x * multiplier, rounded twice unless it says once.
int32_t xc_multiply(int32_t x, xc_multiplier multiplier);
/// The same for 64-bit accumulators: a 16-bit multiplier, rounded once.
int32_t xc_multiply64(int64_t x, xc_multiplier multiplier);

/// x * 2^shift, wrapping as the reference's 32-bit arithmetic does.
int32_t xc_shift_wrapping(int32_t x, int shift);
int32_t xc_high_multiply(int32_t a, int32_t b);
/// x / 2^exponent, half away from zero.
int32_t xc_divide_by_power(int32_t x, int exponent);
/// x * 2^exponent, saturated.
int32_t xc_multiply_by_power(int32_t x, int exponent);
int xc_leading_zeros(uint32_t x);

/// exp(a) for a <= 0: from 4 or 5 integer bits to none.
int32_t xc_exp_on_negative(int32_t a, int integer_bits);
/// 1 / (1 + a) and (1 - a) / (1 + a) for a in [0, 1]; no integer bits.
int32_t xc_one_over_one_plus(int32_t a);
int32_t xc_one_minus_over_one_plus(int32_t a);
/// Largest input difference of a function with `integer_bits` whose input is
/// shifted by `left_shift`.
int32_t xc_input_radius(int integer_bits, int left_shift);

//===----------------------------------------------------------------------===//
// Attributes of scales
//===----------------------------------------------------------------------===//

/// Scale and zero point of a tensor.
typedef struct xc_quant {
  float scale;
  int32_t zero_point;
} xc_quant;

xc_quant xc_quant_of(const xc_adaptor *op, xc_attr scale, xc_attr zero_point);
xc_quant xc_input_quant(const xc_adaptor *op);
xc_quant xc_output_quant(const xc_adaptor *op);
bool xc_quant_equal(xc_quant a, xc_quant b);
/// Whether `flavor` is TFLITE, else ONNX.
bool xc_is_tflite(const xc_adaptor *op);

/// Whether the operator has `multiplier` and `shift`, and one of them: a shift
/// of up to 31 rounds once in any case.
bool xc_has_multipliers(const xc_adaptor *op);
xc_multiplier xc_given_multiplier(const xc_adaptor *op, size_t index);
/// Returns the factor to which the multipliers of an operand and the result of
/// an addition come: the operand's scale by the result's.
double xc_eltwise_factor(const xc_adaptor *op, size_t slot);
/// Whether the scales are those that the multipliers come from, as far as
/// floats tell. Returns true without multipliers.
bool xc_scales_agree(const xc_adaptor *op);

/// The integers that a result may take.
typedef struct xc_range {
  int64_t low, high;
} xc_range;

xc_range xc_element_range(xc_element element);
/// Returns the range of a RELU, RELU6, RELU_N1_TO_1 or NONE at the output's
/// quantisation.
xc_range xc_activation_range(xc_enum activation, xc_element element,
                             xc_quant output);
/// That of the attribute `nonlinear`.
xc_range xc_nonlinear_range(const xc_adaptor *op);
int64_t xc_clamp(int64_t value, xc_range range);

/// From one quantisation to another.
typedef struct xc_requant {
  xc_quant in, out;
  xc_range range; // of the result's element type
  bool tflite;
  xc_multiplier multiplier; // TFLITE
} xc_requant;
/// input_* and output_*.
xc_requant xc_requant_of(const xc_adaptor *op);

/// qlinear-conv2d and its relatives, qlinear-matmul. TFLITE: multipliers come
/// from double quotients of scales, except where TFLite multiplies the scales
/// of input and filter as floats (unsigned convolutions and fully connected
/// layers). ONNX: one float factor, half to even.
typedef struct xc_qconv {
  xc_quant input, output;
  xc_range range;
  bool tflite;
  bool wide;                  // sums of 64 bits
  size_t scales;              // 1, or one per output channel
  xc_multiplier *multipliers; // TFLITE
  float *factors;             // ONNX
  size_t num_zeros;           // of the weights: none, 1 or one per channel
  int32_t *zeros;
} xc_qconv;
xc_qconv xc_qconv_of(const xc_adaptor *op, xc_arena *arena);

/// qlinear-eltwise. TFLITE: ADD and SUB bring both inputs to half the larger
/// scale with `left_shift` guard bits.
typedef struct xc_qeltwise {
  xc_enum type; // ADD, SUB, MUL, DIV, MIN, MAX
  xc_quant a, b, output;
  xc_range range;
  bool tflite;
  int left_shift;
  xc_multiplier for_a, for_b, for_output;
} xc_qeltwise;
xc_qeltwise xc_qeltwise_of(const xc_adaptor *op);

/// qlinear-prelu: multipliers of inputs, and of products with the slope.
typedef struct xc_qprelu {
  xc_requant quant;
  xc_quant slope;
  xc_multiplier same, sloped;
} xc_qprelu;
xc_qprelu xc_qprelu_of(const xc_adaptor *op);

/// qlinear-softmax along an axis, 8-bit TFLITE: exp has 5 integer bits; smaller
/// differences than diff_min count nothing.
enum { XC_SOFTMAX_INTEGER_BITS = 5, XC_SOFTMAX_TABLE_SIZE = 513 };
typedef struct xc_qsoftmax {
  xc_requant quant;
  float beta;
  bool wide; // 16 bits
  xc_multiplier multiplier;
  int32_t diff_min;
} xc_qsoftmax;
xc_qsoftmax xc_qsoftmax_of(const xc_adaptor *op);
/// 16-bit TFLITE: exp on [-10, 0] and 1 / (1 + x) on [0, 1].
int16_t *xc_softmax_exp_table(xc_arena *arena);
int16_t *xc_softmax_inverse_table(xc_arena *arena);

/// Returns the multiplier of a sum of TFLite, or, with a `count`, of a mean:
/// then it holds 1 / count too.
xc_multiplier xc_sum_multiplier(xc_quant in, xc_quant out, int64_t count);

/// quantize-linear, dequantize-linear: one scale and zero point, or one per
/// entry of the axis.
typedef struct xc_qlinear {
  size_t count;
  double *scales;
  int64_t *zeros;
} xc_qlinear;
xc_qlinear xc_qlinear_of(const xc_adaptor *op, xc_arena *arena);

/// qlinear-activation of one integer, with the zero point of the input.
typedef struct xc_qactivation {
  xc_enum type;
  xc_requant quant;
  xc_element element;
  float alpha;
} xc_qactivation;
xc_qactivation xc_qactivation_of(const xc_adaptor *op);
int64_t xc_qactivation_apply(const xc_qactivation *activation, int64_t value);

//===----------------------------------------------------------------------===//
// Rounding
//===----------------------------------------------------------------------===//

/// clamp(round_half_even(real) + zero_point).
int64_t xc_quantize_even(double real, int32_t zero_point, xc_range range);
/// Returns an integer of one quantisation in another.
int64_t xc_requantize(const xc_requant *quant, int64_t value);

#endif // XC_OPPARAMS_QUANT_H
