//===- Operators.h - handlers of the ONNX operators ---------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_FRONTEND_ONNX_OPERATORS_H
#define XC_FRONTEND_ONNX_OPERATORS_H

#include "Importer.h"

typedef enum xc_onnx_reduce {
  ONNX_REDUCE_SUM,
  ONNX_REDUCE_MAX,
  ONNX_REDUCE_MEAN,
  ONNX_REDUCE_MIN,
  ONNX_REDUCE_L1,
  ONNX_REDUCE_L2,
  ONNX_REDUCE_SUM_SQUARE,
  ONNX_REDUCE_LOG_SUM,
  ONNX_REDUCE_LOG_SUM_EXP,
  ONNX_REDUCE_PROD,
} xc_onnx_reduce;

/// Functions that are formulas of others (OpsCircular.c).
typedef enum xc_onnx_function {
  ONNX_ASIN,
  ONNX_ACOS,
  ONNX_SINH,
  ONNX_COSH,
  ONNX_ASINH,
  ONNX_ACOSH,
  ONNX_ATANH,
} xc_onnx_function;

/// Sums of cosines (OpsWindow.c).
typedef enum xc_onnx_cosines {
  ONNX_HANN,
  ONNX_HAMMING,
  ONNX_BLACKMAN,
} xc_onnx_cosines;

/// The order of an input, and the positions in it that are reduced.
typedef struct xc_onnx_reduction_axes {
  xc_graph_order order;
  int64_t axes[XC_MAX_RANK];
  size_t count;
  bool keep_dims;
} xc_onnx_reduction_axes;

/// Returns a reduction_sum, _max or _mean (OpsReduce.c).
MlirValue xc_onnx_emit_reduction(xc_onnx_importer *im, xc_op_kind kind,
                                 MlirValue input,
                                 const xc_onnx_reduction_axes *axes);

/// A value and its statistics over some axes, which are kept as ones.
typedef struct xc_onnx_moments {
  MlirValue mean, variance, deviation, normal;
} xc_onnx_moments;

/// (x - mean) / sqrt(variance + epsilon) over the axes (OpsNormalize.c).
xc_onnx_moments xc_onnx_emit_moments(xc_onnx_importer *im, MlirValue input,
                                     xc_onnx_reduction_axes *axes,
                                     double epsilon);

/// Returns the product of Gemm with what it adds, and one of stacks of
/// matrices, whose vectors are not transposed (OpsConv.c).
MlirValue xc_onnx_emit_gemm(xc_onnx_importer *im);
MlirValue xc_onnx_emit_matmul(xc_onnx_importer *im, xc_graph_value *a,
                              xc_graph_value *b, bool transpose_a,
                              bool transpose_b);

// A handler of several rows is declared more than once, which C allows.
#define XC_ONNX(domain, name, handler, detail)                                 \
  bool handler(xc_onnx_importer *im);
#include "Operators.def"

/// Integers that stand for floats, of this type and within these bounds; or -1
/// and 1.
typedef struct xc_onnx_integers {
  xc_element element;
  double low, high;
  bool is_bipolar;
} xc_onnx_integers;
/// Returns a float constant as such: half to even in the scale's precision.
/// Returns null where it is not float or the budget for constants is exhausted
/// (OpsQuant.c).
xc_graph_value *xc_onnx_quantized_constant(xc_onnx_importer *im,
                                           const xc_graph_value *value,
                                           const xc_graph_linear *linear,
                                           const xc_onnx_integers *integers);

/// QuantizeLinear or DequantizeLinear to this element type by arithmetic in
/// f32, for a scale or zero point that is no constant (OpsQuantRun.c).
bool xc_onnx_quantize_at_run_time(xc_onnx_importer *im, bool quantizes,
                                  xc_element element);
/// Scale and zero point of X, inputs 1 and 2, and of Y, 3 and 4, and the
/// flavor: ONNX_IN_OUT attributes (OpsQuant.c).
enum { ONNX_IN_OUT = 5 };
bool xc_onnx_read_in_out(xc_onnx_importer *im, xc_attribute *attributes);
/// Every input of the node, none absent, in the arena (OpsShape.c).
bool xc_onnx_all_inputs(xc_onnx_importer *im, xc_graph_value ***values,
                        size_t *count);

/// Values side by side along a dimension as output 0; the array is written to
/// (OpsShape.c).
bool xc_onnx_join(xc_onnx_importer *im, xc_graph_value **values, size_t count,
                  size_t axis);
/// Parts of these sizes, one after the other, which fill the dimension; of a
/// constant constants. Returns false after an error (OpsSlice.c).
bool xc_onnx_take_parts(xc_onnx_importer *im, xc_graph_value *value,
                        size_t axis, const int64_t *sizes, size_t count,
                        xc_graph_value **parts);

#endif // XC_FRONTEND_ONNX_OPERATORS_H
