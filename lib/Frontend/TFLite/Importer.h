//===- Importer.h - from TensorFlow Lite operators to tir ---------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One function per operator (the last column of Operators.def) looks at its
// inputs and options through an xc_tflite_context and gives each output a
// value. Operators on integers that only compute shapes never get there:
// Fold.c evaluates them when their inputs are known.
//
//===----------------------------------------------------------------------===//

#ifndef XC_FRONTEND_TFLITE_IMPORTER_H
#define XC_FRONTEND_TFLITE_IMPORTER_H

#include "Frontend/Graph/Compose.h"
#include "Frontend/Graph/Cut.h"
#include "Frontend/Graph/Fold.h"
#include "Model.h"

typedef struct xc_tflite_importer {
  xc_graph graph;
  xc_flatbuffer buffer;
  xc_tflite_model model;
  xc_graph_node *nodes;    // by operator
  const char **display;    // by operator: short names
  xc_graph_value **values; // by tensor; null before its operator
  /// --input-shape was given: the shapes in the file hold no more.
  bool reshaped;
} xc_tflite_importer;

/// One operator on its way.
typedef struct xc_tflite_context {
  xc_tflite_importer *importer;
  const xc_tflite_operator *operator;
  const char *operator_name; // "CONV_2D"
} xc_tflite_context;

typedef bool (*xc_tflite_function)(xc_tflite_context *c);

/// Functions of the operators.
#define XC_TFLITE_OPERATOR(name, code, options, least, most, results, import)  \
  bool import(xc_tflite_context *c);
#define XC_TFLITE_CUSTOM(name, least, most, results, import)                   \
  bool import(xc_tflite_context *c);
#include "Operators.def"

/// A custom operator that is in no row.
bool xc_tflite_custom(xc_tflite_context *c);

/// Reports an error about the operator; returns false.
#define xc_tflite_error(c, ...)                                                \
  xc_graph_error(&(c)->importer->graph, __VA_ARGS__)

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

bool xc_tflite_has_input(const xc_tflite_context *c, size_t index);
/// The input must be there.
const xc_tflite_tensor *xc_tflite_input(const xc_tflite_context *c,
                                        size_t index);
const xc_tflite_tensor *xc_tflite_output(const xc_tflite_context *c,
                                         size_t index);
/// Returns the value of an input; null before its operator has been imported.
xc_graph_value *xc_tflite_find(const xc_tflite_context *c, size_t index);
/// Returns the constant that an input is, or null.
xc_graph_value *xc_tflite_known(const xc_tflite_context *c, size_t index);
/// Returns the value of an input, a tir.const for a constant. Returns null
/// after an error.
MlirValue xc_tflite_value(xc_tflite_context *c, size_t index);
/// Returns the value of an input in the order of dimensions in which it is
/// there, and sets `order`.
MlirValue xc_tflite_ordered_value(xc_tflite_context *c, size_t index,
                                  xc_graph_order *order);
/// Whether an input was computed in another order than the file's.
bool xc_tflite_is_reordered(const xc_tflite_context *c, size_t index);

/// The content of a constant integer input, at most `capacity` entries.
bool xc_tflite_ints(xc_tflite_context *c, size_t index, int64_t *ints,
                    size_t capacity, size_t *count);
/// The only entry of a constant integer input.
bool xc_tflite_scalar(xc_tflite_context *c, size_t index, int64_t *value);

/// Returns a float constant of an input that can be a quantized or float16
/// constant; any other input as it is.
MlirValue xc_tflite_float_value(xc_tflite_context *c, size_t index);
/// Returns a float constant of an input that is read as `tensor` says.
MlirValue xc_tflite_float_constant(xc_tflite_context *c, size_t index,
                                   const xc_tflite_tensor *tensor);

/// Returns a new constant of the operator.
MlirValue xc_tflite_constant(xc_tflite_context *c, const char *name,
                             const void *bytes, const xc_shape *shape);
/// Returns a new constant of the operator with the name "<output>/<part>".
MlirValue xc_tflite_part_constant(xc_tflite_context *c, const char *part,
                                  const void *bytes, const xc_shape *shape);
/// Pays for a constant of that many bytes: files whose tensors share one
/// buffer must not fill the memory.
bool xc_tflite_charge(xc_tflite_importer *importer, size_t bytes);

/// Returns a constant of the given element type as floats, dequantized, from
/// the importer's arena. Returns null when the type is none of float16, float32
/// and quantized integers.
float *xc_tflite_floats(xc_tflite_importer *importer,
                        const xc_tflite_tensor *tensor, size_t *count);

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

int64_t xc_tflite_option(xc_tflite_context *c, xc_tflite_field_id id);
/// The options of a custom operator that keeps them as 32-bit integers in a
/// row; there can be more.
bool xc_tflite_raw_options(xc_tflite_context *c, int32_t *ints, size_t count);
double xc_tflite_float_option(xc_tflite_context *c, xc_tflite_field_id id);

/// The enumerators of ActivationFunctionType.
typedef enum xc_tflite_activation {
  XC_TFL_ACTIVATION_NONE,
  XC_TFL_ACTIVATION_RELU,
  XC_TFL_ACTIVATION_RELU_N1_TO_1,
  XC_TFL_ACTIVATION_RELU6,
  XC_TFL_ACTIVATION_TANH,
  XC_TFL_ACTIVATION_SIGN_BIT,
} xc_tflite_activation;

/// Reads a fused activation. An unknown or SIGN_BIT one is an error, TANH too
/// unless `is_float`.
bool xc_tflite_activation_option(xc_tflite_context *c, xc_tflite_field_id id,
                                 bool is_float,
                                 xc_tflite_activation *activation);

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

typedef struct xc_tflite_attributes {
  xc_attribute items[28];
  size_t count;
} xc_tflite_attributes;

void xc_tflite_add(xc_tflite_attributes *attributes, xc_attribute attribute);

/// Scale and zero point of a quantized tensor.
typedef struct xc_tflite_quant {
  float scale;
  int64_t zero_point;
} xc_tflite_quant;

/// Whether the tensor holds 8- or 16-bit integers with a quantization.
bool xc_tflite_is_quantized(const xc_tflite_tensor *tensor);
/// The one scale of a tensor. An error when there is not exactly one.
bool xc_tflite_quant_of(xc_tflite_context *c, const xc_tflite_tensor *tensor,
                        xc_tflite_quant *quant);
/// Adds PREFIX_scale and PREFIX_zero_point of a tensor. `prefix` is one of
/// "input", "output", "a", "b", "slope".
bool xc_tflite_add_quant(xc_tflite_context *c, xc_tflite_attributes *attributes,
                         const char *prefix, const xc_tflite_tensor *tensor);
/// Adds flavor TFLITE.
void xc_tflite_add_flavor(xc_tflite_attributes *attributes);
/// Adds the qlinear `nonlinear`.
void xc_tflite_add_nonlinear(xc_tflite_attributes *attributes,
                             xc_tflite_activation activation);

/// Goes on to another output than the first: operators are named after it.
void xc_tflite_select_output(xc_tflite_context *c, size_t index);
/// Builds an operator under the output's name, or, with a part, one on the way
/// there, under NAME/PART. Returns null after an error.
MlirValue xc_tflite_build(xc_tflite_context *c, const char *part,
                          xc_op_kind kind, const MlirValue *operands,
                          size_t num_operands,
                          const xc_tflite_attributes *attributes,
                          xc_element element);
/// Builds a reshape.
MlirValue xc_tflite_reshape(xc_tflite_context *c, const char *part,
                            MlirValue value, const int64_t *dims, size_t rank);
/// Builds the fused activation of a float operator.
MlirValue xc_tflite_activate(xc_tflite_context *c, MlirValue value,
                             xc_tflite_activation activation);

/// Makes `value` that of output `index`, after comparing it with the file's
/// shape. Takes a null value for an error that has been reported.
bool xc_tflite_set(xc_tflite_context *c, size_t index, MlirValue value);
/// Makes `value` that of output `index`, with its dimensions in another order
/// than the file's.
bool xc_tflite_set_ordered(xc_tflite_context *c, size_t index, MlirValue value,
                           const xc_graph_order *order);

/// Makes output `index` a constant of that shape without an operator. The bytes
/// are borrowed from the file or the arena.
bool xc_tflite_set_constant(xc_tflite_context *c, size_t index,
                            const xc_shape *shape, const unsigned char *data);

/// Builds the only output and sets it.
bool xc_tflite_finish(xc_tflite_context *c, xc_op_kind kind,
                      const MlirValue *operands, size_t num_operands,
                      const xc_tflite_attributes *attributes);

/// Builds the only output of a quantized operator and sets it: adds the flavor
/// and the scales and zero points of input 0 and of the output.
bool xc_tflite_finish_quantized(xc_tflite_context *c, xc_op_kind kind,
                                const MlirValue *operands, size_t num_operands,
                                xc_tflite_attributes *attributes);

//===----------------------------------------------------------------------===//
// Folding (Fold.c)
//===----------------------------------------------------------------------===//

/// Evaluates an operator on known integers and sets `folded` when it could.
/// Returns false after an error.
bool xc_tflite_fold(xc_tflite_context *c, bool *folded);

/// One entry per dimension, as tir.strided_slice wants it, and what has to
/// follow: `shape` has the result's dimensions after dropped and new ones.
typedef struct xc_tflite_slice {
  int64_t begin[XC_MAX_RANK], end[XC_MAX_RANK], strides[XC_MAX_RANK];
  bool reshape;
  int64_t shape[XC_MAX_RANK];
  size_t rank;
} xc_tflite_slice;

/// Reads operands and masks of a STRIDED_SLICE for an input of these sizes.
bool xc_tflite_read_slice(xc_tflite_context *c, const int64_t *dims,
                          size_t rank, xc_tflite_slice *slice);

#endif // XC_FRONTEND_TFLITE_IMPORTER_H
