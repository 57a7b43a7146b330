//===- FixedPoint.h - the one rounding kernel ---------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantised numbers are integers q with a fix point f: real = q * 2^-f. This
// defines how such numbers are rounded. Constant folding, the interpreter, the
// quantiser and the simulator call it; code for the CPU does the same in IR
// (lib/Conversion/Support/FixedPointIR.c), and tests compare the two.
//
// Everything is exact: a result is computed in integers wide enough, rounded
// once, then saturated. Only xcFloatToFix and xcFixToFloat see floating point.
//
// A shift of s divides by 2^s; a negative shift multiplies. Fix points lie in
// XC_FIX_POINT_MIN..XC_FIX_POINT_MAX; whoever reads them from outside checks.
//
//===----------------------------------------------------------------------===//

#ifndef XC_C_FIXEDPOINT_H
#define XC_C_FIXEDPOINT_H

#include "xc-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { XC_FIX_POINT_MIN = -64, XC_FIX_POINT_MAX = 64 };

//===----------------------------------------------------------------------===//
// Rounding and saturation
//===----------------------------------------------------------------------===//

/// The attribute `round_mode`.
typedef enum XcRoundMode {
  XcRoundModeDpu, ///< DPU_ROUND, also XPU_ROUND: half towards +infinity.
  XcRoundModeStd, ///< STD_ROUND: half away from zero.
  XcRoundModePy3, ///< PY3_ROUND: half to even.
} XcRoundMode;

/// Returns false when `name` (of `length` bytes) is not a rounding mode.
XC_EXPORTED bool xcRoundModeParse(const char *name, size_t length,
                                  XcRoundMode *mode);
/// "DPU_ROUND", "STD_ROUND" or "PY3_ROUND".
XC_EXPORTED const char *xcRoundModeGetName(XcRoundMode mode);

/// The integers of a quantised tensor: `bits` from 1 to 32.
typedef struct XcFixType {
  uint8_t bits;
  bool isSigned;
} XcFixType;

static inline int64_t xcFixTypeGetMin(XcFixType type) {
  return type.isSigned ? -(INT64_C(1) << (type.bits - 1)) : 0;
}
static inline int64_t xcFixTypeGetMax(XcFixType type) {
  return (INT64_C(1) << (type.isSigned ? type.bits - 1 : type.bits)) - 1;
}
static inline int64_t xcSaturate(int64_t value, XcFixType type) {
  int64_t min = xcFixTypeGetMin(type), max = xcFixTypeGetMax(type);
  return value < min ? min : value > max ? max : value;
}
static inline int8_t xcSaturate8(int64_t value) {
  return (int8_t)(value < -128 ? -128 : value > 127 ? 127 : value);
}

/// value * 2^amount, held at the limits of int64_t. `amount` >= 0.
static inline int64_t xcShiftLeftSaturated(int64_t value, int amount) {
  if (value == 0)
    return 0;
  if (amount > 62)
    return value < 0 ? INT64_MIN : INT64_MAX;
  if (value > INT64_MAX >> amount)
    return INT64_MAX;
  if (value < -(INT64_MAX >> amount) - 1)
    return INT64_MIN;
  return value * (INT64_C(1) << amount);
}

/// value / 2^shift by DPU_ROUND; a negative shift saturates to int64_t.
static inline int64_t xcRoundShift(int64_t value, int shift) {
  if (shift <= 0)
    return xcShiftLeftSaturated(value, -shift);
  if (shift > 63)
    return 0;
  // The bit below the point decides; adding half first could overflow. Signed
  // shifts are arithmetic, which FixedPoint.c asserts.
  return (value >> shift) + (value >> (shift - 1) & 1);
}
/// Does the same with any rounding mode.
XC_EXPORTED int64_t xcRoundShiftMode(int64_t value, int shift,
                                     XcRoundMode mode);

/// RND of the instruction set: value / 2^shift, half up, saturated to int8.
static inline int8_t xcRnd8(int64_t value, int shift) {
  return xcSaturate8(xcRoundShift(value, shift));
}

//===----------------------------------------------------------------------===//
// Between real numbers and fixed point
//===----------------------------------------------------------------------===//

/// saturate(round(real * 2^fixPoint)); a NaN gives 0.
XC_EXPORTED int64_t xcFloatToFix(double real, int fixPoint, XcFixType type,
                                 XcRoundMode mode);
/// value * 2^-fixPoint, exact for 24 bits and fix points of xc.
XC_EXPORTED float xcFixToFloat(int64_t value, int fixPoint);
/// Returns the operator `fix`: to fixed point and back.
XC_EXPORTED float xcFix(float real, int fixPoint, XcFixType type,
                        XcRoundMode mode);

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

/// The numbers are those of the act_type fields.
typedef enum XcActivation {
  XcActivationNone = 0,
  XcActivationRelu = 1,
  XcActivationPrelu = 2,
  XcActivationLeakyRelu = 3,
  XcActivationRelu6 = 4,
  XcActivationHSigmoid = 5,
  XcActivationHSwish = 6,
} XcActivation;

/// Returns false when `name` is none of NONE, RELU, PRELU, LEAKYRELU, RELU6,
/// HSIGMOID, HSWISH.
XC_EXPORTED bool xcActivationParse(const char *name, size_t length,
                                   XcActivation *activation);
XC_EXPORTED const char *xcActivationGetName(XcActivation activation);

/// Leaky ReLU multiplies negative numbers by 26 / 2^8.
enum { XC_LEAKY_FACTOR = 26, XC_LEAKY_SHIFT = 8 };
static inline double xcLeakySlope(void) {
  return (double)XC_LEAKY_FACTOR / (1 << XC_LEAKY_SHIFT);
}

/// The engines clamp ReLU6 at 6 * 2^4, whatever the fix point.
enum { XC_RELU6_LIMIT = 96 };

/// ACT of the instruction set: the activation of the unrounded value / 2^shift,
/// rounded once, saturated to int8. Takes NONE, RELU, LEAKYRELU and RELU6 (with
/// the limit of the engines); the others need parameters and are below.
/// |value| < 2^58.
static inline int8_t xcActRnd8(int64_t value, int shift,
                               XcActivation activation) {
  if (activation == XcActivationNone)
    return xcRnd8(value, shift);
  if (value < 0)
    return activation == XcActivationLeakyRelu
               ? xcRnd8(XC_LEAKY_FACTOR * value, shift + XC_LEAKY_SHIFT)
               : 0;
  int8_t result = xcRnd8(value, shift);
  // Rounding keeps order, so the limit may be applied after it.
  if (activation == XcActivationRelu6 && result > XC_RELU6_LIMIT)
    return XC_RELU6_LIMIT;
  return result;
}

/// Hard sigmoid of `value` at fix point `fixPoint` (0..15):
/// round(clamp(2731 * value + 3 * 2731 * 2^fixPoint, 0, 2^32) / 2^shift).
/// 2731 / 2^14 stands for 1/6; shift = 14 + fixPoint - output fix point.
static inline int64_t xcHSigmoid(int64_t value, int fixPoint, int shift) {
  enum { SIXTH = 2731 };
  int64_t sum = SIXTH * (value + 3 * (INT64_C(1) << fixPoint));
  const int64_t limit = INT64_C(1) << 32;
  return xcRoundShift(sum < 0 ? 0 : sum > limit ? limit : sum, shift);
}

//===----------------------------------------------------------------------===//
// Results of the -fix operators
//===----------------------------------------------------------------------===//

/// The epilogue after the sum of products of conv2d-fix, depthwise-conv2d-fix
/// and the transposed forms.
typedef struct XcFixEpilogue {
  /// fp_in + fp_weights - fp_bias: the bias counts bias * 2^shiftBias.
  int shiftBias;
  /// fp_in + fp_weights - fp_out. For HSIGMOID and HSWISH hsigmoidIn stands in
  /// the place of fp_out.
  int shiftCut;
  XcRoundMode roundMode;
  XcFixType type;
  XcActivation activation;
  /// PRELU: negative results count preluIn / 2^preluShift.
  int32_t preluIn;
  int preluShift;
  /// RELU6: the limit is 6 * 2^outputFixPoint.
  int outputFixPoint;
  /// HSIGMOID, HSWISH: fix point of the convolution's own int8 result (0..15),
  /// then the shifts 14 + hsigmoidIn - fp_out (for HSWISH with 7 as fp_out)
  /// and hsigmoidIn + 7 - fp_out.
  int hsigmoidIn;
  int shiftHSigmoid;
  int shiftHSwish;
} XcFixEpilogue;

/// saturate(round(activation((acc + bias * 2^shiftBias) / 2^shiftCut))), exact
/// for all shifts that fix points allow, for |acc| < 2^46, |bias| < 2^31 and
/// |preluIn| < 2^15.
XC_EXPORTED int64_t xcFixEpilogueApply(const XcFixEpilogue *epilogue,
                                       int64_t acc, int64_t bias);

/// The average of a kernel as the DPU forms it: sum * factor / 2^shift.
typedef struct XcAvgFactor {
  int32_t factor;
  int shift;
} XcAvgFactor;

/// Kernel sides are at least 1 and have a product of at most 2^24.
XC_EXPORTED XcAvgFactor xcAvgPoolFactor(int64_t kernelH, int64_t kernelW);

/// A factor of at most 15 bits with which xcAvgPool gives the exact quotient
/// of every sum of `elements` int8 values, rounded once, saturated to int8:
/// false when there is none. The factor is a little too large, by e / 2^shift
/// of the quotient with e = factor * elements - 2^shift: that is harmless as
/// long as 258 * elements * e < 2^shift (quotients up to 129, which are 1 /
/// (2 * elements) from the next half at least), and no negative quotient is a
/// half, which is so when elements / 2^fixPointGain has no factor 2. Sums times
/// the factor fit 31 bits.
XC_EXPORTED bool xcExactAvgPoolFactor(int64_t elements, int fixPointGain,
                                      XcAvgFactor *factor);

/// Average pool: `fixPointGain` is fp_out - fp_in.
static inline int64_t xcAvgPool(int64_t sum, XcAvgFactor factor,
                                int fixPointGain) {
  return xcRoundShift(sum * factor.factor, factor.shift - fixPointGain);
}

/// Elementwise addition has two guard bits: sum xcFixAddTerm over the operands
/// (shiftRead = fp_i - min fp, 0..15), then xcFixAddResult rounds once
/// (shiftWrite = min fp - fp_out).
enum { XC_FIX_ADD_GUARD_BITS = 2 };
static inline int64_t xcFixAddTerm(int64_t value, int shiftRead) {
  return value * (1 << XC_FIX_ADD_GUARD_BITS) >> shiftRead;
}
static inline int64_t xcFixAddResult(int64_t sum, int shiftWrite) {
  return xcRoundShift(sum, shiftWrite + XC_FIX_ADD_GUARD_BITS);
}

#ifdef __cplusplus
}
#endif

#endif // XC_C_FIXEDPOINT_H
