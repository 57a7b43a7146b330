//===- Model.h - a TensorFlow Lite model as read ------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_FRONTEND_TFLITE_MODEL_H
#define XC_FRONTEND_TFLITE_MODEL_H

#include "FlatBuffer.h"
#include "Support/Memory.h"
#include "dialects/Adaptor.h"

/// The rows of Schema.def: xc_tflite_field(XC_TFL_Tensor_shape).
typedef enum xc_tflite_field_id {
#define XC_TFLITE_FIELD(table, name, index, type, value)                       \
  XC_TFL_##table##_##name,
#define XC_TFLITE_VECTOR(table, name, index, type) XC_TFL_##table##_##name,
#include "Schema.def"
} xc_tflite_field_id;

const xc_fb_field *xc_tflite_field(xc_tflite_field_id id);

/// All operators of the format that have a number (Operators.def).
typedef enum xc_tflite_code {
#define XC_TFLITE_UNSUPPORTED(name, code) XC_TFL_##name = code,
#define XC_TFLITE_OPERATOR(name, code, options, least, most, results, import)  \
  XC_TFL_##name = code,
#include "Operators.def"
} xc_tflite_code;

typedef struct xc_tflite_tensor {
  const char *name;      // never empty
  const char *type_name; // "INT8"
  xc_element element;    // XC_ELEMENT_NONE for types that xc does not hold
  size_t rank;
  int64_t dims[XC_MAX_RANK]; // -1: dynamic
  /// The sizes that stay when inputs change, -1 for the others. Rank 0 when
  /// the file does not say.
  size_t signature_rank;
  int64_t signature[XC_MAX_RANK];
  const float *scales; // null without quantization
  const int32_t *zero_points;
  size_t num_scales;
  int64_t axis; // of several scales
  /// The content of a constant, else null.
  const unsigned char *data;
  size_t size;         // of data, in bytes
  const char *refused; // why xc cannot use the tensor, or null
} xc_tflite_tensor;

typedef struct xc_tflite_operator {
  int64_t code; // xc_tflite_code, or a number that Operators.def does not have
  const char *custom;
  const int32_t *inputs; // tensors; -1 for an absent one
  size_t num_inputs;
  const int32_t *outputs;
  size_t num_outputs;
  unsigned options_type;
  xc_fb_table options;
  const unsigned char *custom_options; // of a custom operator
  size_t custom_size;
} xc_tflite_operator;

typedef struct xc_tflite_model {
  const char *name; // of the subgraph, can be empty
  xc_tflite_tensor *tensors;
  size_t num_tensors;
  xc_tflite_operator *operators;
  size_t num_operators;
  const int32_t *inputs, *outputs;
  size_t num_inputs, num_outputs;
} xc_tflite_model;

/// Reads the first subgraph. Every index in it is in range, every constant has
/// the size that its shape asks for. Memory comes from the arena, constants
/// stay in the file. Returns false after a diagnostic.
bool xc_tflite_read(xc_flatbuffer *buffer, const xc_fb_table *root,
                    xc_arena *arena, xc_tflite_model *model);

/// Makes the content of a constant that is stored sparse dense (Sparse.c).
bool xc_tflite_read_sparse(xc_flatbuffer *buffer, const xc_fb_table *sparsity,
                           xc_arena *arena, xc_tflite_tensor *tensor);

#endif // XC_FRONTEND_TFLITE_MODEL_H
