//===- Layer.h - operators with weights ---------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layer with an integer input becomes the qlinear form with its activation
// fused; one with a float input becomes the float form followed by the
// activation. Integer weights under a float input are turned into floats, or,
// where TensorFlow Lite has a kernel for it, computed with as they are
// (Hybrid.h).
//
//   xc_tflite_layer l = {.positions = {0, 1, 2}};
//   ok = xc_tflite_begin_layer(c, &l) && xc_tflite_read_weight(c, &l) &&
//        ... attributes; xc_tflite_add_layer_quant if l.quantized ...
//        xc_tflite_finish_layer(c, &l, ...);
//
//===----------------------------------------------------------------------===//

#ifndef XC_FRONTEND_TFLITE_LAYER_H
#define XC_FRONTEND_TFLITE_LAYER_H

#include "Importer.h"

/// How TensorFlow Lite computes layers of one kind that have 8-bit weights and
/// a float input.
typedef struct xc_tflite_hybrid_kernel {
  bool exists;
  bool takes_uint8;    // weights of that type, which hold int8
  int64_t scales_axis; // of the weight's scales where there are several, or -1
  size_t first_axis;   // of what has a scale of its own in the input
} xc_tflite_hybrid_kernel;

/// The operands of a layer with weights.
typedef struct xc_tflite_layer {
  bool quantized;
  xc_shape input, weight;
  size_t positions[3];   // among the operator's inputs
  MlirValue operands[3]; // input, weight, bias or null
  xc_tflite_hybrid_kernel kernel;
  bool hybrid, asymmetric; // how the kernel runs
  xc_tflite_tensor stored; // weight as it is read; with a scale of 1 if hybrid
} xc_tflite_layer;

enum { XC_TFL_INPUT, XC_TFL_WEIGHT, XC_TFL_BIAS };

/// Reads input and bias, and the weight's shape: some layers take a constant
/// weight in another order, so that it is not made here. `positions`, `kernel`
/// and `asymmetric` are set before.
bool xc_tflite_begin_layer(xc_tflite_context *c, xc_tflite_layer *l);

/// Makes the weight in the file's order.
bool xc_tflite_read_weight(xc_tflite_context *c, xc_tflite_layer *l);

/// Where entry `at` of the weight as tir has it (of shape `dims`) stands in the
/// file.
typedef size_t (*xc_tflite_source)(const int64_t dims[4], const int64_t at[4]);

/// Makes the constant weight of shape l->weight from the file's in its order.
bool xc_tflite_rearrange_weight(xc_tflite_context *c, xc_tflite_layer *l,
                                xc_tflite_source source);

/// `which` is XC_TFL_INPUT or XC_TFL_WEIGHT.
bool xc_tflite_check_rank(xc_tflite_context *c, const xc_tflite_layer *l,
                          int which, size_t rank);

/// Whether several scales of a weight are not all the same.
bool xc_tflite_scales_differ(const xc_tflite_tensor *tensor);

/// Adds all that a quantized layer says beside its window. `input` and `weight`
/// count among the operator's inputs, `axis` is that of several scales.
bool xc_tflite_add_layer_quant(xc_tflite_context *c,
                               xc_tflite_attributes *attributes, size_t input,
                               size_t weight, int64_t axis,
                               xc_tflite_activation activation);

/// Builds output 0; `part` names the step before an activation.
bool xc_tflite_finish_layer(xc_tflite_context *c, const xc_tflite_layer *l,
                            xc_op_kind kind, xc_op_kind quantized_kind,
                            const char *part, xc_tflite_attributes *attributes,
                            xc_tflite_activation activation);

/// One axis of a transposed convolution.
typedef struct xc_tflite_transposed_axis {
  int64_t before, after; // cut off the full result
  int64_t extra;         // added after it
} xc_tflite_transposed_axis;
/// Returns the sizes of input and output, the elements that a kernel reaches,
/// and whether the padding is SAME (OpsConv.c).
xc_tflite_transposed_axis xc_tflite_place_transposed(int64_t input,
                                                     int64_t output,
                                                     int64_t kernel,
                                                     int64_t stride, bool same);

#endif // XC_FRONTEND_TFLITE_LAYER_H
